//! Calls: entered where the callee has a body, modelled where it belongs to the library.

use std::rc::Rc;

use clew_ir::{Callee, CheckId, Function, FunctionId, Inst, InstKind, Operand, Span, Type};

use super::Step;
use crate::ending::{Limit, PathEnd};
use crate::memory::ObjectId;
use crate::value::{Base, Scalar, Val};
use crate::{Explorer, Path};

impl Explorer<'_> {
    pub(super) fn call(&mut self, path: &mut Path, function: &Function, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Call { dest, callee, args, check, .. } => {
                let id = self.callee(path, *callee, *check, inst.span)?;
                let args = args.iter().map(|arg| self.operand(path, *arg)).collect::<Step<Vec<_>>>()?;
                let callee = &self.program.functions[id];
                if self.stubs.answering.contains(&id) {
                    return self.stub(path, id, &args, *dest, inst.span);
                }
                if self.stubs.silent.contains(&id) {
                    return dest.map_or(Ok(()), |dest| self.define(path, dest, Scalar::int(32, 0)));
                }
                if !callee.is_defined() {
                    let result = self.library(path, &callee.name, &args, *check, inst.span)?;
                    return match (dest, result) {
                        (Some(dest), Some(result)) => self.define(path, *dest, result),
                        _ => Ok(()),
                    };
                }
                if path.state.frames.len() >= self.config.depth {
                    return Err(PathEnd::Limit(Limit::Depth));
                }
                if args.len() < callee.params.len() {
                    return Err(PathEnd::Unsupported {
                        what: "a call with too few arguments".to_owned(),
                        span: inst.span,
                    });
                }
                let (params, extra) = args.split_at(callee.params.len());
                let extra: Rc<[Val]> = extra.into();
                path.state.enter(self.program, id, params, extra, *dest);
                Ok(())
            }
            InstKind::VaStart { list } => self.set_list(path, *list, 0),
            InstKind::VaCopy { to, from } => {
                let (_, position) = self.list(path, *from)?;
                self.set_list(path, *to, position)
            }
            InstKind::VaEnd { .. } => Ok(()),
            InstKind::VaArg { dest, list, check } => {
                let (frame, position) = self.list(path, *list)?;
                let Some(val) = path.state.frames[frame].extra.get(position).copied() else {
                    return match check {
                        Some(check) => {
                            self.demand(path, Scalar::bool(false), *check, inst.span, "no such variable argument")
                        }
                        None => Err(PathEnd::Contradiction),
                    };
                };
                self.set_list(path, *list, position + 1)?;
                debug_assert!(function.temps.get(*dest).is_some(), "the verifier checks destinations");
                self.define(path, *dest, val)
            }
            _ => unreachable!("only calls come here"),
        }
    }

    fn callee(&mut self, path: &mut Path, callee: Callee, check: Option<CheckId>, span: Span) -> Step<FunctionId> {
        let pointer = match callee {
            Callee::Direct(id) => return Ok(id),
            Callee::Indirect(pointer) => self.pointer(path, pointer)?,
        };
        match (pointer.base, pointer.offset.bits(), check) {
            (Base::Function(id), Some(0), _) => Ok(id),
            (Base::Input(_), ..) => {
                Err(PathEnd::Unsupported { what: "a function pointer of the input".to_owned(), span })
            }
            (_, _, Some(check)) => self
                .demand(path, Scalar::bool(false), check, span, "the pointer leads to no function")
                .map(|()| unreachable!("a false demand ends the path")),
            (_, _, None) => Err(PathEnd::Contradiction),
        }
    }

    /// The object of a `va_list` and the cell that holds where it stands.
    fn list_cell(&mut self, path: &mut Path, list: Operand) -> Step<(ObjectId, u64)> {
        let pointer = self.pointer(path, list)?;
        match (pointer.base, pointer.offset.bits()) {
            (Base::Object(object), Some(at)) => Ok((object, at as u64)),
            _ => Err(PathEnd::Unsupported { what: "a va_list of the input".to_owned(), span: Span::NONE }),
        }
    }

    /// Makes a `va_list` stand at an argument of the running activation.
    fn set_list(&mut self, path: &mut Path, list: Operand, position: usize) -> Step {
        let (object, at) = self.list_cell(path, list)?;
        let frame = match self.list(path, list) {
            Ok((frame, _)) if position > 0 => frame,
            _ => path.state.frames.len() - 1,
        };
        let handle = Scalar::int(64, (frame as u128) << 32 | position as u128);
        let stored = path.state.memory.get_mut(object).store(self.constraints.terms(), at, 8, Val::Scalar(handle));
        stored.map_err(|_| PathEnd::Unsupported { what: "a va_list over a pointer".to_owned(), span: Span::NONE })
    }

    /// The activation and the argument a `va_list` stands at.
    fn list(&mut self, path: &mut Path, list: Operand) -> Step<(usize, usize)> {
        let (object, at) = self.list_cell(path, list)?;
        let loaded = path.state.memory.get(object).load(self.constraints.terms(), at, Type::Int(64), 64);
        match loaded {
            Ok(Val::Scalar(Scalar::Known(handle))) => Ok(((handle.bits >> 32) as usize, handle.bits as u32 as usize)),
            _ => Err(PathEnd::Unsupported { what: "a va_list that was not started".to_owned(), span: Span::NONE }),
        }
    }
}
