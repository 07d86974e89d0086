//! What standard C promises of results that stubs give in the place of its library: no byte beyond 255, no more elements
//! read than asked for. Without it, tests would show what never happens. The names are reserved for these functions.

use clew_ir::FunctionId;
use clew_scalar::BinaryOp;

use super::Step;
use crate::value::{self, Scalar, Val};
use crate::{Explorer, Path};

/// The results there may be.
enum Promise {
    /// Between two numbers, both included.
    Within(i128, i128),
    /// From zero to the value of an argument.
    UpToArgument(usize),
}

/// What is promised of the functions of the C library, by name.
fn promise(name: &str) -> Option<Promise> {
    Some(match name {
        "getchar" | "getc" | "fgetc" => Promise::Within(-1, 255),
        "rand" => Promise::Within(0, i128::from(i32::MAX)),
        "fread" | "fwrite" => Promise::UpToArgument(2),
        _ => return None,
    })
}

impl Explorer<'_> {
    /// Goes on with the results of a stub that the function it stands for may give.
    pub(super) fn keep_promise(&mut self, path: &mut Path, id: FunctionId, args: &[Val], result: Val) -> Step {
        let Val::Scalar(result) = result else { return Ok(()) };
        let Some(promise) = promise(&self.program.functions[id].name) else { return Ok(()) };
        let terms = self.constraints.terms();
        let width = result.ty(terms).width();
        let number = |value: i128| Scalar::int(width, value as u128 & (u128::MAX >> (128 - u32::from(width))));
        let (from_least, most) = match promise {
            Promise::Within(least, most) => {
                (value::binary(terms, BinaryOp::Sub, result, number(least)), number(most - least))
            }
            Promise::UpToArgument(position) => match args.get(position) {
                Some(Val::Scalar(most)) if most.ty(terms).width() == width => (result, *most),
                _ => return Ok(()),
            },
        };
        match value::binary(terms, BinaryOp::Ule, from_least, most) {
            Scalar::Known(_) => Ok(()),
            Scalar::Term(term) => self.assume(path, term),
        }
    }
}
