//! Where going back ends: at the arguments of calls, and at the arguments and globals of the function under test.

use std::rc::Rc;

use clew_ir::{GlobalId, GlobalKind, InstKind, Operand, Span, Type};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use super::place::{Base, Place};
use super::summary::scalar_type;
use super::{Backward, Partial};
use crate::goal::Point;
use clew_symbolic::constraints::Answer;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Path, Stepper};

impl Backward {
    /// Demands at the entry of a function, over what a caller has before the call.
    pub(super) fn at_call(&mut self, stepper: &mut Stepper<'_>, partial: &Partial, call: Point) -> Vec<TermId> {
        let program = stepper.program;
        let inst = &program.functions[call.function].blocks[call.block].insts[call.position];
        let InstKind::Call { args, .. } = &inst.kind else { unreachable!("calls are found by their instruction") };
        let terms = stepper.constraints.terms();
        let mut replaced = Vec::new();
        for (param, arg) in program.functions[partial.function].params.iter().zip(args) {
            let Some(name) = self.names.known(Place::Temp(partial.function, param.temp)) else { continue };
            let ty = terms.ty(name);
            let given = match *arg {
                Operand::Const(value) => Some(Scalar::Known(value)),
                Operand::Temp(temp) => Some(Scalar::Term(self.names.of(terms, Place::Temp(call.function, temp), ty))),
                _ => None,
            };
            if let Some(given) = given.filter(|given| given.ty(terms) == ty) {
                replaced.push((name, given.term(terms)));
            }
        }
        partial.demands.iter().map(|term| terms.substitute(*term, &replaced)).collect()
    }

    /// An input that satisfies demands at the entry of the function under test. Places that the input does not determine
    /// may hold anything; whatever is refuted is refuted for all they may hold.
    pub(super) fn asked(&mut self, stepper: &mut Stepper<'_>, start: &Path, demands: &[TermId]) -> Answer {
        let mut path = start.clone();
        let mut replaced = Vec::new();
        let mut pointees = Vec::new();
        for place in self.names.in_terms(stepper.constraints.terms(), demands) {
            let Some(name) = self.names.known(place) else { continue };
            let given = match place {
                Place::Temp(function, temp) if function == self.root => path.state.outermost().temps.get(temp),
                Place::Cell { base: Base::Global(global), at, ty } => given_global(stepper, &mut path, global, at, ty),
                Place::Cell { base: Base::Pointee(position), at, ty } => {
                    pointees.push((name, position, at, ty));
                    None
                }
                _ => None,
            };
            let terms = stepper.constraints.terms();
            if let Some(Val::Scalar(given)) = given
                && given.ty(terms) == terms.ty(name)
            {
                replaced.push((name, given.term(terms)));
            }
        }
        match put(stepper, &path, demands, &replaced) {
            Answer::Sat(_) if !pointees.is_empty() => {
                self.with_pointees(stepper, path, demands, replaced, &pointees).map_or(Answer::Unknown, Answer::Sat)
            }
            other => other,
        }
    }

    /// An input that also has what is demanded where parameters point to.
    fn with_pointees(
        &self,
        stepper: &mut Stepper<'_>,
        mut path: Path,
        demands: &[TermId],
        mut replaced: Vec<(TermId, TermId)>,
        pointees: &[(TermId, usize, i64, Type)],
    ) -> Option<Rc<Model>> {
        for &(name, position, at, ty) in pointees {
            let param = stepper.program.functions[self.root].params[position].temp;
            let Some(Val::Pointer(pointer)) = path.state.outermost().temps.get(param) else { continue };
            let read = stepper.read_through(&mut path, pointer, at, ty);
            stepper.effects.forks.clear();
            let terms = stepper.constraints.terms();
            if let Ok(Val::Scalar(given)) = read
                && given.ty(terms) == terms.ty(name)
            {
                replaced.push((name, given.term(terms)));
            }
        }
        match put(stepper, &path, demands, &replaced) {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// What a global holds on entry, where that is all it may hold.
fn given_global(stepper: &mut Stepper<'_>, path: &mut Path, id: GlobalId, at: i64, ty: Type) -> Option<Val> {
    let program = stepper.program;
    let data = &program.globals[id];
    let is_const = data.is_const || program.ctypes.is_const(data.ty);
    // A variable that lives on from call to call may hold more than its initial value.
    if matches!(data.kind, GlobalKind::StaticLocal(_)) && !is_const {
        return None;
    }
    let end = u64::try_from(at).ok()?.checked_add(ty.bytes(program.target.pointer_width))?;
    if end > data.size || scalar_type(ty).is_none() {
        return None;
    }
    let object = stepper.global(path, id).ok()?;
    let at = Scalar::int(program.target.pointer_width, at as u128);
    stepper.read(path, object, at, ty, Span::NONE).ok()
}

/// Asks for an input that satisfies all demands, with some variables replaced.
fn put(stepper: &mut Stepper<'_>, path: &Path, demands: &[TermId], replaced: &[(TermId, TermId)]) -> Answer {
    let terms = stepper.constraints.terms();
    let mut all = terms.bool(true);
    for demand in demands {
        let demand = terms.substitute(*demand, replaced);
        all = terms.and(all, demand);
    }
    match terms.bits(all) {
        Some(0) => Answer::Unsat,
        Some(_) => Answer::Sat(Rc::clone(&path.model)),
        None => stepper.solve(&mut path.state.clone(), Some(all), &path.model),
    }
}
