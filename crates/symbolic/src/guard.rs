//! A precondition written in C: entering its function, and leaving it with the inputs that it accepts.

use std::rc::Rc;

use clew_coverage::Mark;
use clew_ir::{CType, FunctionId, Param, ParamKind, Program};
use clew_scalar::BinaryOp;

use crate::ending::PathEnd;
use crate::path::Path;
use crate::precondition::Unusable;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar, Val};

impl Stepper<'_> {
    /// Enters the precondition's function with the arguments of the one under test.
    ///
    /// # Errors
    /// If it cannot judge them.
    pub fn begin_guard(&mut self, path: &mut Path, function: FunctionId, guard: FunctionId) -> Result<(), Unusable> {
        if fits(self.program, function, guard) {
            self.call_guard(path, function, guard);
            return Ok(());
        }
        let (name, of) = (&self.program.functions[guard].name, &self.program.functions[function].name);
        let reason = format!("the precondition `{name}` must take the parameters of `{of}` and return an integer");
        Err(Unusable { reason, span: self.program.functions[guard].span, limit: None })
    }

    fn call_guard(&mut self, path: &mut Path, function: FunctionId, guard: FunctionId) {
        let frame = path.state.frame();
        let values = own_params(self.program, function).map(|param| frame.temps.get(param.temp));
        let values: Option<Vec<Val>> = values.collect();
        let values = values.expect("the arguments of the function under test are there");
        path.state.guard = true;
        path.state.enter(self.program, guard, &values, Rc::new([]), None);
    }

    /// Goes on with the inputs that the precondition's function accepts, as if it had not been run.
    pub(crate) fn admit(&mut self, path: &mut Path, value: Option<Val>) -> Step {
        let Some(Val::Scalar(value)) = value else { return Err(PathEnd::Contradiction) };
        let terms = self.constraints.terms();
        let zero = Scalar::int(value.ty(terms).width(), 0);
        match value::binary(terms, BinaryOp::Ne, value, zero) {
            Scalar::Known(truth) if truth.bits == 1 => {}
            Scalar::Known(_) => return Err(PathEnd::Contradiction),
            Scalar::Term(term) => self.assume(path, term)?,
        }
        let state = &mut path.state;
        (state.guard, state.record.turns) = (false, 0);
        state.record.events.clear();
        state.record.labels.clear();
        let function = state.frame().function;
        if let Some(trace) = &mut state.record.trace {
            trace.clear();
            trace.push_back(Mark::Enter(function));
        }
        Ok(())
    }
}

/// Whether a function can judge the inputs of another: it takes the same parameters and returns an integer.
fn fits(program: &Program, function: FunctionId, guard: FunctionId) -> bool {
    let types =
        |id| own_params(program, id).map(|param| (param.kind, program.ctypes.get(param.ty))).collect::<Vec<_>>();
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[guard].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let is_integer = matches!(program.ctypes.get(*returns), CType::Int { .. } | CType::Bool | CType::Enum { .. });
    is_integer && types(function) == types(guard)
}

/// The parameters as written in C.
fn own_params(program: &Program, id: FunctionId) -> impl Iterator<Item = &Param> {
    program.functions[id].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot)
}
