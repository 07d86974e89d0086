//! A precondition written in C, as PathCrawler's `f_precond`: a function of the same parameters that says whether an
//! input may be given to the function under test.
//!
//! It is run symbolically first, on top of the activation of the function under test. Inputs for which it returns 0 or is
//! undefined end there and are neither counted nor shown. What it did on the way is forgotten: branches and iterations count
//! from the first instruction of the function under test. Several of its paths may lead to one path
//! of the function, which is one test. Where paths are bounded, its loops have a bound of their own.

use clew_ir::FunctionId;

use clew_symbolic::ending::PathEnd;
use clew_symbolic::stepped::Step;
use clew_symbolic::{Path, Precondition, Unusable};

use crate::{Next, Search, Stop};

impl Search<'_> {
    /// The state in which the function is called, with an input that satisfies the precondition.
    pub(crate) fn start_state(&mut self, function: FunctionId, precondition: &Precondition) -> Result<Path, Unusable> {
        let path = self.stepper.start(function, precondition)?;
        self.absorb();
        match precondition.function {
            Some(guard) => self.admitted(path, guard),
            None => Ok(path),
        }
    }

    /// The first path on which the precondition's function accepts the input, up to the function under test.
    pub(crate) fn admitted(&mut self, mut path: Path, guard: FunctionId) -> Result<Path, Unusable> {
        let function = path.state.frame().function;
        let span = self.stepper.program.functions[guard].span;
        self.stepper.begin_guard(&mut path, function, guard)?;
        self.refutations.keep_prefixes();
        loop {
            let Err(end) = self.run_guard(&mut path) else { return Ok(path) };
            let mut lost = Vec::new();
            self.finish(path, end, &mut |explored| {
                lost.push(explored);
                Next::Continue
            });
            self.rejected.append(&mut lost);
            match self.next_path() {
                Some(next) => path = next,
                None => return Err(Unusable { reason: self.why_none(guard), span, limit: None }),
            }
        }
    }

    fn run_guard(&mut self, path: &mut Path) -> Step {
        while path.state.guard {
            self.step(path)?;
        }
        Ok(())
    }

    /// Why no path led out of the precondition's function.
    fn why_none(&self, guard: FunctionId) -> String {
        let name = &self.stepper.program.functions[guard].name;
        let unsupported = self.rejected.iter().find_map(|explored| match &explored.end {
            PathEnd::Unsupported { what, .. } => Some(what.as_str()),
            _ => None,
        });
        let limit = self.unfinished.limits.iter().chain(self.unfinished.given_up.keys()).next();
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
