//! What standard C promises of results that stubs give in the place of its library: no byte beyond 255, no more elements
//! read than asked for. Without it, tests would show what never happens. The names are reserved for these functions.

use clew_ir::FunctionId;
use clew_library::Returned;
use clew_scalar::BinaryOp;

use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar, Val};

impl Stepper<'_> {
    /// Goes on with the results of a stub that the function it stands for may give.
    pub(super) fn keep_promise(&mut self, path: &mut Path, id: FunctionId, args: &[Val], result: Val) -> Step {
        let Val::Scalar(result) = result else { return Ok(()) };
        let Some(row) = clew_library::lookup(&self.program.functions[id].name) else { return Ok(()) };
        let terms = self.constraints.terms();
        let width = result.ty(terms).width();
        let number = |value: i128| Scalar::int(width, value as u128 & (u128::MAX >> (128 - u32::from(width))));
        let (from_least, most) = match row.returned {
            Returned::Range(least, most) => {
                let (least, most) = (i128::from(least), i128::from(most));
                (value::binary(terms, BinaryOp::Sub, result, number(least)), number(most - least))
            }
            Returned::UpTo(position) => match args.get(usize::from(position)) {
                Some(Val::Scalar(most)) if most.ty(terms).width() == width => (result, *most),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        match value::binary(terms, BinaryOp::Ule, from_least, most) {
            Scalar::Known(_) => Ok(()),
            Scalar::Term(term) => self.assume(path, term),
        }
    }
}
