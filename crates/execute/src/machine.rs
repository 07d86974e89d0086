//! Running functions of a program.
//!
//! A [`Machine`] holds the memory, the activations (one window of slots each, in one vector) and the state of the C
//! library. Calls of C functions push activations and never recurse in the host, so deep recursion of the program ends
//! at a stated limit; only library functions that call back (`qsort`, `bsearch`, `atexit`) nest a run of the loop.
//!
//! `run` executes ops until something concerns more than one activation: a call, a return, the beginning or end of an
//! object's life, a failure. The loop over ops itself is in `ops`.

mod call;
mod control;
mod ops;
mod report;
mod special;
mod wide;

pub(crate) use wide::{from_memory, to_memory};

use crate::code::{Code, Image, Position};
use crate::io::Io;
use crate::libc::Library;
use crate::memory::Memory;
use crate::observe::{Observer, Silent};
use crate::outcome::{Limits, Outcome};
use clew_ir::FunctionId;
use clew_scalar::Value;
use ops::Pause;
use std::collections::VecDeque;
use std::rc::Rc;

/// Executes a program's functions.
pub struct Machine<'p, O: Observer = Silent> {
    image: &'p Image<'p>,
    /// The objects of the program; may be prepared before a call and looked at after it.
    pub memory: Memory,
    /// Sees what happens.
    pub observer: O,
    library: Library,
    io: &'p mut dyn Io,
    limits: Limits,
    fuel: u64,
    registers: Vec<u64>,
    frames: Vec<Frame<'p>>,
    /// Runs of the loop nested in each other by library functions that call back.
    nesting: usize,
    entered: u64,
    next_jump: u64,
    /// Functions without a body that answer from [`Machine::answers`].
    pub(crate) stubs: Vec<FunctionId>,
    pub(crate) answers: VecDeque<Answer>,
}

/// What one call of a stub gives.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) function: FunctionId,
    /// The result as it lies in memory.
    pub(crate) bytes: Vec<u8>,
}

/// An activation of a function.
struct Frame<'p> {
    code: &'p Code,
    /// First slot.
    base: usize,
    /// The op it is at; of a caller, the call.
    position: Position,
    /// Tells activations at the same depth apart.
    serial: u64,
    extra: Option<Box<Extra>>,
}

/// What few activations have.
#[derive(Default)]
struct Extra {
    variable_arguments: Option<Rc<[Value]>>,
    /// Objects made by `alloca` and for variable-length arrays.
    stack_objects: Vec<u64>,
}

/// Why the loop stopped before its function returned.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The run is over.
    Over(Box<Outcome>),
    /// `longjmp`.
    Jump(Jump),
}

/// Where `longjmp` goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub(crate) frame: usize,
    pub(crate) position: Position,
    pub(crate) value: u32,
}

impl Stop {
    pub(crate) fn over(outcome: Outcome) -> Stop {
        Stop::Over(Box::new(outcome))
    }
}

impl From<crate::memory::OutOfMemory> for Stop {
    fn from(_: crate::memory::OutOfMemory) -> Stop {
        Stop::over(Outcome::MemoryLimit)
    }
}

impl<'p, O: Observer> Machine<'p, O> {
    /// A machine with the program's globals at their initial values.
    pub fn new(image: &'p Image<'p>, limits: Limits, io: &'p mut dyn Io, observer: O) -> Machine<'p, O> {
        let mut memory = image.initial_memory().clone();
        memory.set_limit(limits.memory);
        if !image.checks.uninitialised() {
            memory.allow_unwritten();
        }
        Machine {
            image,
            memory,
            observer,
            library: Library::new(image.streams()),
            io,
            limits,
            fuel: limits.steps,
            registers: Vec::new(),
            frames: Vec::new(),
            nesting: 0,
            entered: 0,
            next_jump: 1,
            stubs: Vec::new(),
            answers: VecDeque::new(),
        }
    }

    /// Instructions executed so far.
    pub fn steps(&self) -> u64 {
        self.limits.steps - self.fuel
    }

    /// Allows another `steps` instructions.
    pub fn refuel(&mut self, steps: u64) {
        self.limits.steps = steps;
        self.fuel = steps;
    }

    /// Calls a function of the program and runs until it returns or the run is over.
    ///
    /// Aggregates are given as the address of an object, as the IR has it; the number of arguments is that of
    /// [`clew_ir::Function::params`], or more for variadic functions.
    pub fn call(&mut self, function: FunctionId, args: &[Value]) -> Outcome {
        let outcome = match self.invoke(function, args) {
            Ok(value) => {
                let returns = self.image.program.functions[function].returns;
                let ty = returns.map(|ty| crate::code::scalar_type(self.image.program, ty));
                Outcome::Returned(ty.map(|ty| Value::new(ty, value)))
            }
            Err(Stop::Over(outcome)) => *outcome,
            Err(Stop::Jump(_)) => unreachable!("a jump's target was looked up among the activations"),
        };
        self.unwind(0);
        outcome
    }

    /// Runs `main` with the given program arguments (the first is the program's name), and then what `atexit` asked for.
    pub fn run_main(&mut self, main: FunctionId, args: &[&str]) -> Outcome {
        let args = match self.main_arguments(main, args) {
            Ok(args) => args,
            Err(_) => return Outcome::MemoryLimit,
        };
        let mut outcome = match self.call(main, &args) {
            Outcome::Returned(value) => Outcome::Exited(value.map_or(0, |value| value.signed() as i32)),
            other => other,
        };
        while let Outcome::Exited(_) = outcome
            && let Some(handler) = self.library.at_exit.pop()
        {
            match self.call(handler, &[]) {
                Outcome::Returned(_) => {}
                other => outcome = other,
            }
        }
        outcome
    }

    /// Calls a function and runs until it returns.
    fn invoke(&mut self, function: FunctionId, args: &[Value]) -> Result<u128, Stop> {
        let floor = self.frames.len();
        let function = self.image.definition(function);
        if !self.image.program.functions[function].is_defined() {
            return self.call_library(function, args).map(|reply| reply.unwrap_or(0));
        }
        self.enter_with(function, args)?;
        self.nesting += 1;
        let result = loop {
            match self.run(floor) {
                Err(Stop::Jump(jump)) if jump.frame >= floor => self.land(jump),
                other => break other,
            }
        };
        self.nesting -= 1;
        result
    }

    /// Runs until only `floor` activations are left; gives the value the last one returned.
    fn run(&mut self, floor: usize) -> Result<u128, Stop> {
        loop {
            let frame = self.frames.last_mut().expect("there are more activations than the floor");
            let code = frame.code;
            let window = &mut self.registers[frame.base..frame.base + code.frame_size];
            let mut context = ops::Context {
                program: self.image.program,
                memory: &mut self.memory,
                observer: &mut self.observer,
                fuel: self.fuel,
            };
            let (position, pause) = ops::run(code, window, frame.position, &mut context);
            self.fuel = context.fuel;
            frame.position = position;
            match pause {
                Pause::Call(index) => self.call_op(&code.calls[index as usize])?,
                Pause::Return(value) => {
                    self.leave();
                    if self.frames.len() == floor {
                        return Ok(value);
                    }
                    self.resume(value);
                }
                Pause::Special(special) => self.special(special)?,
                Pause::Fault(fault) => return Err(self.access_failure(fault)),
                Pause::Violation => return Err(self.violation()),
                Pause::StepLimit => return Err(Stop::over(Outcome::StepLimit)),
            }
        }
    }
}
