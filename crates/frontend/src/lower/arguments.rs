//! Arguments of the types that parameters have.
//!
//! Calls through declarations without a prototype, and those of builtins that a program defines with a type of its own, pass
//! what the callee does not expect. C leaves that undefined, and machines pass integers and pointers in registers: what
//! is too wide is cut, what is too narrow has zeros above, as gcc's moves into registers of 32 bits have it. Any other call
//! is not supported. Surplus arguments stay: nobody reads them.

use crate::diagnostic::Diagnostic;
use clew_ir::{Callee, Function, FunctionId, Inst, InstKind, Operand, Program, Span, Temp, TempId, Type};
use clew_scalar::Conversion;

/// Makes the arguments of direct calls fit.
pub(super) fn fit(program: &mut Program, diagnostics: &mut Vec<Diagnostic>) {
    let ids: Vec<FunctionId> = program.functions.ids().collect();
    for id in ids {
        let mut insts = program.functions[id].blocks.values().flat_map(|block| &block.insts);
        if insts.all(|inst| fits(program, &program.functions[id], inst)) {
            continue;
        }
        let mut function = program.functions[id].clone();
        let blocks: Vec<_> = function.blocks.ids().collect();
        for block in blocks {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                fit_call(program, &mut function, inst, &mut out, diagnostics);
            }
            function.blocks[block].insts = out;
        }
        program.functions[id] = function;
    }
}

/// The types of the parameters of a function with a body that is called directly.
fn params(program: &Program, callee: Callee) -> Option<Vec<Type>> {
    let Callee::Direct(id) = callee else { return None };
    let callee = &program.functions[id];
    callee.is_defined().then(|| callee.params.iter().map(|param| callee.temps[param.temp].ty).collect())
}

fn fits(program: &Program, function: &Function, inst: &Inst) -> bool {
    let InstKind::Call { callee, args, .. } = &inst.kind else { return true };
    let Some(params) = params(program, *callee) else { return true };
    args.iter().zip(params).all(|(arg, param)| arg.ty(function) == param)
}

/// Emits a call, with conversions before it where it needs them.
fn fit_call(
    program: &Program,
    function: &mut Function,
    mut inst: Inst,
    out: &mut Vec<Inst>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if !fits(program, function, &inst)
        && let InstKind::Call { callee, args, .. } = &mut inst.kind
    {
        let params = params(program, *callee).unwrap_or_default();
        let mut fitting = Fitting { function, out, word: program.target.pointer_width, span: inst.span };
        for (arg, param) in args.iter_mut().zip(params) {
            match fitting.fitted(*arg, param) {
                Some(fitted) => *arg = fitted,
                None => {
                    let what = "an argument of another kind than its parameter";
                    diagnostics.push(Diagnostic::unsupported(inst.span, format!("{what} is not supported")));
                    fitting.emit(InstKind::Unsupported { what: what.to_owned() });
                    break;
                }
            }
        }
    }
    out.push(inst);
}

/// Where the conversions of one call go.
struct Fitting<'a> {
    function: &'a mut Function,
    out: &'a mut Vec<Inst>,
    word: u8,
    span: Span,
}

impl Fitting<'_> {
    /// An operand as the machine hands it to a parameter of that type; none if it is passed elsewhere.
    fn fitted(&mut self, arg: Operand, to: Type) -> Option<Operand> {
        let word = Type::Int(self.word);
        match (arg.ty(self.function), to) {
            (from, to) if from == to => Some(arg),
            (Type::Int(from), Type::Int(width)) => {
                let op = if from > width { Conversion::Truncate(width) } else { Conversion::ZeroExtend(width) };
                Some(self.define(to, |dest| InstKind::Convert { dest, op, a: arg, check: None }))
            }
            (Type::Pointer, Type::Int(_)) => {
                let number = self.define(word, |dest| InstKind::PointerToInt { dest, a: arg });
                self.fitted(number, to)
            }
            (Type::Int(_), Type::Pointer) => {
                let a = self.fitted(arg, word)?;
                Some(self.define(to, |dest| InstKind::IntToPointer { dest, a }))
            }
            _ => None,
        }
    }

    fn define(&mut self, ty: Type, kind: impl FnOnce(TempId) -> InstKind) -> Operand {
        let dest = self.function.temps.push(Temp { ty });
        self.emit(kind(dest));
        Operand::Temp(dest)
    }

    fn emit(&mut self, kind: InstKind) {
        self.out.push(Inst { kind, span: self.span });
    }
}
