//! Running a whole program.

use crate::code::Image;
use crate::io::Io;
use crate::machine::Machine;
use crate::observe::Silent;
use crate::outcome::{Checks, Limits, Outcome};
use clew_ir::{FunctionId, Program};

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much it may use.
    pub limits: Limits,
    /// Which checks are looked at.
    pub checks: Checks,
}

impl Default for Options {
    fn default() -> Options {
        Options { limits: Limits::default(), checks: Checks::RUN }
    }
}

/// Runs `main` with the given program arguments (the first is the program's name).
pub fn interpret(program: &Program, main: FunctionId, args: &[&str], options: &Options, io: &mut dyn Io) -> Outcome {
    let image = Image::new(program, options.checks);
    Machine::new(&image, options.limits, io, Silent).run_main(main, args)
}
