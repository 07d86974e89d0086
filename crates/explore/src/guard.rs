//! A precondition written in C, as PathCrawler's `f_precond`: a function of the same parameters that says whether an
//! input may be given to the function under test.
//!
//! It is run symbolically first, on top of the activation of the function under test. Inputs for which it returns 0 or is
//! undefined end there and are neither counted nor shown. What it did on the way is forgotten: branches and iterations count
//! from the first instruction of the function under test. Several of its paths may lead to one path
//! of the function, which is one test. Where paths are bounded, its loops have a bound of their own.

use clew_coverage::Mark;
use clew_ir::{CType, FunctionId, Param, ParamKind, Program};
use clew_scalar::BinaryOp;
use std::rc::Rc;

use crate::ending::PathEnd;
use crate::start::Unusable;
use crate::step::Step;
use crate::value::{self, Scalar, Val};
use crate::{Explorer, Next, Path, Stop};

impl Explorer<'_> {
    /// The first path on which the precondition's function accepts the input, up to the function under test.
    pub(crate) fn admitted(&mut self, mut path: Path, guard: FunctionId) -> Result<Path, Unusable> {
        let function = path.state.frame().function;
        let span = self.program.functions[guard].span;
        if !fits(self.program, function, guard) {
            let (name, of) = (&self.program.functions[guard].name, &self.program.functions[function].name);
            let reason = format!("the precondition `{name}` must take the parameters of `{of}` and return an integer");
            return Err(Unusable { reason, span });
        }
        self.refutations.keep_prefixes();
        self.call_guard(&mut path, function, guard);
        loop {
            let Err(end) = self.run_guard(&mut path) else { return Ok(path) };
            let mut lost = Vec::new();
            self.finish(path, end, &mut |explored| {
                lost.push(explored);
                Next::Continue
            });
            self.lost.append(&mut lost);
            match self.next_path() {
                Some(next) => path = next,
                None => return Err(Unusable { reason: self.why_none(guard), span }),
            }
        }
    }

    /// Enters the precondition's function with the arguments of the one under test.
    fn call_guard(&mut self, path: &mut Path, function: FunctionId, guard: FunctionId) {
        let frame = path.state.frame();
        let values = own_params(self.program, function).map(|param| frame.temps.get(param.temp));
        let values: Option<Vec<Val>> = values.collect();
        let values = values.expect("the arguments of the function under test are there");
        path.state.guard = true;
        path.state.enter(self.program, guard, &values, Rc::new([]), None);
    }

    fn run_guard(&mut self, path: &mut Path) -> Step {
        while path.state.guard {
            self.step(path)?;
        }
        Ok(())
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
        (state.guard, state.turns) = (false, 0);
        state.path.clear();
        state.labels.clear();
        let function = state.frame().function;
        if let Some(trace) = &mut state.trace {
            trace.clear();
            trace.push_back(Mark::Enter(function));
        }
        Ok(())
    }

    /// Why no path led out of the precondition's function.
    fn why_none(&self, guard: FunctionId) -> String {
        let name = &self.program.functions[guard].name;
        let unsupported = self.lost.iter().find_map(|explored| match &explored.end {
            PathEnd::Unsupported { what, .. } => Some(what.as_str()),
            _ => None,
        });
        let limit = self.limits.iter().chain(self.given_up.keys()).next();
        match (unsupported, limit, self.stop) {
            (Some(what), ..) => format!("the precondition `{name}` cannot be used: {what} is not supported"),
            (_, Some(limit), _) => {
                format!("no input was found that the precondition `{name}` accepts (limit: {})", limit.name())
            }
            (_, _, Stop::Exhausted) => format!("no input satisfies the precondition `{name}`"),
            _ => format!("no input was found in time that the precondition `{name}` accepts"),
        }
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
