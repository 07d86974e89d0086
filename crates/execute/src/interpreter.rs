//! Tests in the interpreter: an [`Input`] becomes an [`Observation`], as natively, together with the exact [`Outcome`].
//!
//! Objects and globals of the input are put into the memory of a fresh machine, the function is called, and what is left
//! is read back. Functions asked for as stubs answer from the input, call by call, before the library is looked at.

use crate::code::{Image, scalar_type};
use crate::input::{Content, Input, PointerTarget};
use crate::io::Captured;
use crate::machine::{Answer, Machine, from_memory, to_memory};
use crate::memory::{Contents, Fault, Memory, Origin, OutOfMemory};
use crate::observation::{Ending, Event, Observation};
use crate::observe::Observer;
use crate::outcome::{Limits, Outcome};
use clew_ir::{CType, ConditionId, DecisionId, FunctionId, GlobalId, ParamKind, Program};
use clew_scalar::Value;

/// What abort(3) raises.
const SIGABRT: i32 = 6;

/// A function ready to run inputs.
#[derive(Debug)]
pub struct Interpreter<'p> {
    image: &'p Image<'p>,
    function: FunctionId,
    /// What each run may use.
    pub limits: Limits,
    /// Events kept of each path.
    pub trace: usize,
    /// Globals whose bytes are reported after each run.
    pub observe: Vec<GlobalId>,
    /// Functions without a body whose results come from the input.
    pub stubs: Vec<FunctionId>,
}

/// What one run showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What a native run would show too.
    pub observation: Observation,
    /// How it ended, exactly.
    pub outcome: Outcome,
}

/// Why an input was not run to an end that a native run could have.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The input does not fit the function: which part.
    Unfit(&'static str),
    /// The run reached something unsupported, or a limit other than that of steps.
    Stopped(Outcome),
}

impl<'p> Interpreter<'p> {
    /// Prepares a defined function.
    pub fn new(image: &'p Image<'p>, function: FunctionId) -> Interpreter<'p> {
        Interpreter {
            image,
            function,
            limits: Limits::default(),
            trace: usize::MAX,
            observe: Vec::new(),
            stubs: Vec::new(),
        }
    }

    /// Runs one input.
    ///
    /// # Errors
    ///
    /// When the input does not fit the function, or the run reached something unsupported or a limit that says nothing
    /// about a native run.
    pub fn run(&self, input: &Input) -> Result<Run, Refusal> {
        let mut io = Captured::default();
        let mut machine = Machine::new(self.image, self.limits, &mut io, Path { events: Vec::new(), room: self.trace });
        let prepared = self.prepare(&mut machine, input)?;
        let outcome = prepared.calls.iter().fold(None, |last, arguments| match last {
            None | Some(Outcome::Returned(_)) => Some(machine.call(self.function, arguments)),
            ended => ended,
        });
        let outcome = outcome.expect("at least one call is prepared");
        let ending = self.ending(&outcome)?;
        let (mut result, mut objects) = (Vec::new(), Vec::new());
        if ending == Ending::Returned {
            result = self.result(&machine.memory, &outcome, prepared.slot);
            objects = prepared.objects.iter().map(|&object| contents(&machine.memory, object)).collect();
        }
        let globals = self.observe.iter().map(|&global| contents(&machine.memory, self.image.global_address(global)));
        let globals = globals.collect();
        let global_addresses = self.observe.iter().map(|&global| self.image.global_address(global)).collect();
        let object_addresses = if ending == Ending::Returned { prepared.objects } else { Vec::new() };
        let Path { events: path, room } = machine.observer;
        let output = [io.out, io.err].concat();
        let truncated = path.len() >= room;
        let observation = Observation {
            path,
            repeats: Vec::new(),
            truncated,
            ending,
            result,
            objects,
            globals,
            object_addresses,
            global_addresses,
            calls: Vec::new(),
            output,
        };
        Ok(Run { observation, outcome })
    }

    fn program(&self) -> &'p Program {
        self.image.program
    }

    fn prepare(&self, machine: &mut Machine<'p, Path>, input: &Input) -> Result<Prepared, Refusal> {
        if !input.extra.is_empty() || input.earlier.iter().any(|call| !call.extra.is_empty()) {
            return Err(Refusal::Unfit("variable arguments"));
        }
        if !input.readings.is_empty() {
            return Err(Refusal::Unfit("volatile memory that changes"));
        }
        let mut objects = Vec::new();
        for (index, object) in input.objects.iter().enumerate() {
            objects.push(reserve(&mut machine.memory, Origin::Input(index as u32), object.content.bytes.len() as u64)?);
        }
        for (object, &address) in input.objects.iter().zip(&objects) {
            self.put(&mut machine.memory, &objects, address, &object.content).map_err(|_| Refusal::Unfit("objects"))?;
        }
        for (global, content) in &input.globals {
            let address = self.image.global_address(*global);
            self.put(&mut machine.memory, &objects, address, content).map_err(|_| Refusal::Unfit("globals"))?;
        }
        for call in &input.stubs {
            let bytes = self.bytes(&objects, &call.result).ok_or(Refusal::Unfit("stubs"))?;
            machine.answers.push_back(Answer { function: call.function, bytes });
        }
        machine.stubs.clone_from(&self.stubs);
        let (mut calls, mut slot) = (Vec::new(), None);
        for given in input.earlier.iter().map(|call| &call.arguments).chain([&input.arguments]) {
            let (arguments, own_slot) = self.arguments(machine, &objects, given)?;
            calls.push(arguments);
            slot = own_slot;
        }
        Ok(Prepared { objects, calls, slot })
    }

    /// The values of the parameters, and where an aggregate result will be.
    fn arguments(
        &self,
        machine: &mut Machine<'p, Path>,
        objects: &[u64],
        contents: &[Content],
    ) -> Result<(Vec<Value>, Option<u64>), Refusal> {
        let function = &self.program().functions[self.function];
        let pointer = self.program().target.pointer_width;
        let mut contents = contents.iter();
        let mut slot = None;
        let mut values = Vec::new();
        for param in &function.params {
            let address = |address: u64| Value::int(pointer, address.into());
            if param.kind == ParamKind::ReturnSlot {
                let address_of_result = reserve(&mut machine.memory, Origin::Input(u32::MAX), self.result_size())?;
                slot = Some(address_of_result);
                values.push(address(address_of_result));
                continue;
            }
            let content = contents.next().ok_or(Refusal::Unfit("arguments"))?;
            let bytes = self.bytes(objects, content).ok_or(Refusal::Unfit("arguments"))?;
            if param.kind == ParamKind::Aggregate {
                let place = reserve(&mut machine.memory, Origin::Input(u32::MAX), bytes.len() as u64)?;
                machine.memory.write(place, &bytes).map_err(|_| Refusal::Unfit("arguments"))?;
                values.push(address(place));
            } else {
                let ty = scalar_type(self.program(), function.temps[param.temp].ty);
                values.push(Value::new(ty, from_memory(ty, number(self.program(), &bytes))));
            }
        }
        Ok((values, slot))
    }

    /// The bytes of a content, its pointers included.
    fn bytes(&self, objects: &[u64], content: &Content) -> Option<Vec<u8>> {
        let mut bytes = content.bytes.clone();
        let size = self.program().target.pointer_bytes() as usize;
        for pointer in &content.pointers {
            let address = match pointer.target {
                PointerTarget::Object(object, offset) => objects.get(object)?.wrapping_add(offset as u64),
                PointerTarget::Global(global, offset) => self.image.global_address(global).wrapping_add(offset as u64),
                PointerTarget::Function(function) => self.image.function_address(function),
            };
            let place = bytes.get_mut(pointer.at as usize..)?.get_mut(..size)?;
            place.copy_from_slice(&address.to_le_bytes()[..size]);
            if self.program().target.big_endian {
                place.reverse();
            }
        }
        Some(bytes)
    }

    fn put(&self, memory: &mut Memory, objects: &[u64], address: u64, content: &Content) -> Result<(), Fault> {
        let bytes = self.bytes(objects, content).ok_or(Fault::Nowhere { address })?;
        memory.protect(address, false);
        memory.write(address, &bytes)
    }

    fn result_size(&self) -> u64 {
        let program = self.program();
        match program.ctypes.get(program.functions[self.function].ty) {
            CType::Function { returns, .. } => {
                program.ctypes.size_of(*returns, program.target.pointer_bytes()).unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn result(&self, memory: &Memory, outcome: &Outcome, slot: Option<u64>) -> Vec<u8> {
        if let Some(slot) = slot {
            return contents(memory, slot);
        }
        let Outcome::Returned(Some(value)) = outcome else { return Vec::new() };
        let mut bytes = to_memory(value.ty, value.bits).to_le_bytes()[..self.result_size().min(16) as usize].to_vec();
        if self.program().target.big_endian {
            bytes.reverse();
        }
        bytes
    }

    fn ending(&self, outcome: &Outcome) -> Result<Ending, Refusal> {
        match outcome {
            Outcome::Returned(_) => Ok(Ending::Returned),
            Outcome::Exited(status) => Ok(Ending::Exited(*status)),
            Outcome::Aborted => Ok(Ending::Signalled(SIGABRT)),
            Outcome::Failed(failure) => Ok(Ending::Sanitizer(failure.describe(self.program()))),
            Outcome::StepLimit => Ok(Ending::TimedOut),
            Outcome::Unsupported(_) | Outcome::MemoryLimit | Outcome::DepthLimit => {
                Err(Refusal::Stopped(outcome.clone()))
            }
        }
    }
}

/// What the calls need and what is looked at afterwards.
struct Prepared {
    objects: Vec<u64>,
    /// The arguments of each call.
    calls: Vec<Vec<Value>>,
    /// Where the last one puts an aggregate result.
    slot: Option<u64>,
}

fn reserve(memory: &mut Memory, origin: Origin, size: u64) -> Result<u64, Refusal> {
    memory.allocate(size, 16, origin, Contents::Unwritten).map_err(|OutOfMemory| Refusal::Stopped(Outcome::MemoryLimit))
}

/// The bytes of an object, none if it is gone.
fn contents(memory: &Memory, address: u64) -> Vec<u8> {
    memory.object(address).map_or_else(Vec::new, |(object, _)| object.bytes().to_vec())
}

fn number(program: &Program, bytes: &[u8]) -> u128 {
    let mut buffer = [0; 16];
    let count = bytes.len().min(16);
    buffer[..count].copy_from_slice(&bytes[..count]);
    if program.target.big_endian {
        buffer[..count].reverse();
    }
    u128::from_le_bytes(buffer)
}

/// Records the path.
struct Path {
    events: Vec<Event>,
    room: usize,
}

impl Path {
    fn push(&mut self, event: Event) {
        if self.events.len() < self.room {
            self.events.push(event);
        }
    }
}

impl Observer for Path {
    fn branch(&mut self, function: FunctionId, condition: ConditionId, outcome: bool) {
        self.push(Event::Condition { function, condition, outcome });
    }

    fn switch(&mut self, function: FunctionId, decision: DecisionId, arm: usize) {
        self.push(Event::Switch { function, decision, arm: arm as u32 });
    }
}
