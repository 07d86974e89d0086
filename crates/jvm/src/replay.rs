//! Inputs executed in a JVM.
//!
//! Besides the path, which the session compares with the predicted one, what a test throws is compared with what the
//! interpreter of the intermediate form says: a difference ends the test otherwise than predicted.

use crate::heap::{Heap, Made, Value, number};
use crate::machine::Machine;
use crate::text;
use clew_execute::native::Job;
use clew_execute::{Checks, Event, Image, Input, Interpreter, Observation, Outcome, Refusal};
use clew_frontend_jvm::{JavaType, Lowered, MethodCode};
use clew_ir::{DecisionId, Id, TerminatorKind};
use clew_session::Executor;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time that a test has.
const TIME: Duration = Duration::from_secs(2);

/// How a test ended in the JVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The method returned: nothing, a value, or an object that is new.
    Returned(Returned),
    /// It threw an exception of this class.
    Thrown(String),
}

/// What a method returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// Nothing.
    Void,
    /// A number, null, or an object of the input.
    Value(Value),
    /// A string.
    Text(Vec<u16>),
    /// A new object of this class.
    New(String),
}

/// What a test showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The objects before.
    pub heap: Heap,
    /// How it ended.
    pub ending: Ending,
    /// Fields of objects of the input afterwards: the number of the object, the class that declares the field, its name.
    pub fields: Vec<(usize, String, String, Option<Value>)>,
    /// Elements of arrays of the input afterwards.
    pub elements: Vec<(usize, u32, Option<Value>)>,
}

/// Executes inputs of a method.
#[derive(Debug)]
pub struct Replay {
    lowered: Arc<Lowered>,
    machine: Arc<Mutex<Machine>>,
    time: Duration,
    /// What the tests showed, by their inputs.
    observed: Log,
}

/// What tests showed, for whoever writes them down.
pub type Log = Arc<Mutex<Vec<(Input, Observed)>>>;

impl Replay {
    /// Prepares to execute inputs of a method in a JVM, which runs one method at a time.
    pub fn new(lowered: Arc<Lowered>, machine: Arc<Mutex<Machine>>, observed: Log) -> Replay {
        let mut methods = String::new();
        for method in &lowered.methods {
            let _ = writeln!(methods, "M {} {} {}", method.class, method.name, method.descriptor);
        }
        for class in &lowered.initialised {
            let _ = writeln!(methods, "W {class}");
        }
        machine.lock().unwrap_or_else(PoisonError::into_inner).instrument(&methods);
        Replay { lowered, machine, time: TIME, observed }
    }

    fn run(&mut self, input: &Input) -> Result<Observation, String> {
        let heap = Heap::of(&self.lowered, input)?;
        let request = self.request(&heap);
        let answer = self.machine.lock().unwrap_or_else(PoisonError::into_inner).ask(&request);
        let lines = match answer.map_err(|error| error.to_string())? {
            Ok(lines) => lines,
            Err(status) => return Ok(ended(clew_execute::Ending::Exited(status))),
        };
        let mut observed =
            Observed { heap, ending: Ending::Returned(Returned::Void), fields: Vec::new(), elements: Vec::new() };
        let mut path = Vec::new();
        for line in &lines {
            let words: Vec<&str> = line.split(' ').collect();
            match (words[0], &words[1..]) {
                ("L" | "LX", _) => return Ok(ended(clew_execute::Ending::TimedOut)),
                ("X", _) => return Err(format!("the test cannot be made: {}", &line[2..])),
                ("R", [value]) => observed.ending = Ending::Returned(returned(value)?),
                ("T", [class]) => observed.ending = Ending::Thrown((*class).to_owned()),
                ("F", [object, class, field, value]) => {
                    let object = object.parse().map_err(|_| garbled(line))?;
                    observed.fields.push((object, (*class).to_owned(), (*field).to_owned(), text::read(value)));
                }
                ("E", [array, index, value]) => {
                    let (array, index) = (array.parse().ok(), index.parse().ok());
                    let (array, index) = array.zip(index).ok_or_else(|| garbled(line))?;
                    observed.elements.push((array, index, text::read(value)));
                }
                ("B", numbers) => path = self.events(numbers).ok_or_else(|| garbled(line))?,
                _ => return Err(garbled(line)),
            }
        }
        let is_compared = !observed.heap.is_inexact;
        let ending = if is_compared { self.check(input, &observed)? } else { clew_execute::Ending::Returned };
        self.observed.lock().unwrap_or_else(PoisonError::into_inner).push((input.clone(), observed));
        Ok(Observation { path, ending, ..ended(clew_execute::Ending::Returned) })
    }

    fn request(&self, heap: &Heap) -> String {
        let mut request = String::new();
        for (number, made) in heap.objects.iter().enumerate() {
            let _ = match made {
                Made::Object { class, .. } => writeln!(request, "O {number} {class}"),
                Made::Array { element, length, .. } => {
                    writeln!(request, "A {number} {} {length}", element.descriptor())
                }
                Made::Text(units) => writeln!(request, "S {number} {}", text::hexadecimal(units)),
                Made::Implementation(name) => writeln!(request, "I {number} {name}"),
                Made::Class(name) => writeln!(request, "Y {number} {name}"),
            };
        }
        for (number, made) in heap.objects.iter().enumerate() {
            match made {
                Made::Object { fields, .. } => fields.iter().for_each(|(field, value)| {
                    let _ = writeln!(request, "F {number} {} {} {}", field.class, field.name, text::spell(value));
                }),
                Made::Array { elements, .. } => elements.iter().for_each(|(index, value)| {
                    let _ = writeln!(request, "E {number} {index} {}", text::spell(value));
                }),
                Made::Text(_) | Made::Implementation(_) | Made::Class(_) => {}
            }
        }
        for value in &heap.arguments {
            let _ = writeln!(request, "P {}", text::spell(value));
        }
        for answer in &heap.answers {
            let value = answer.value.as_ref().map_or_else(|| "V".to_owned(), text::spell);
            let _ = writeln!(request, "K {} {value}", answer.method);
        }
        let Lowered { class, declaration, .. } = &*self.lowered;
        let (name, descriptor) = (&declaration.name, &declaration.descriptor);
        let _ = writeln!(request, "GO {} {name} {descriptor} {}", class.name, self.time.as_millis());
        request
    }

    /// The branches that the probes saw.
    fn events(&self, numbers: &[&str]) -> Option<Vec<Event>> {
        let numbers = numbers.iter().map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>()?;
        let mut events = Vec::new();
        for three in numbers.chunks(3) {
            events.extend(self.event(three)?);
        }
        Some(events)
    }

    /// The branch that three numbers mean; nothing inside for one that was not lowered.
    fn event(&self, three: &[i64]) -> Option<Option<Event>> {
        let [method, branch, outcome] = three else { return None };
        let method = self.lowered.methods.get(*method as usize)?;
        let offset = *method.code.branches.get(*branch as usize)?;
        let function = method.function;
        if let Some(index) = method.code.conditions.iter().position(|site| site.offset == offset) {
            let outcome = (*outcome == 1) == method.code.conditions[index].true_on_jump;
            return Some(Some(Event::Condition { function, condition: Id::new(index as u32), outcome }));
        }
        let Some(decision) = method.code.switches.get(&offset) else { return Some(None) };
        let arm = self.arm(method, Id::new(*decision), *outcome as i32)?;
        Some(Some(Event::Switch { function, decision: Id::new(*decision), arm }))
    }

    /// The arm of a switch that a value goes to.
    fn arm(&self, method: &MethodCode, wanted: DecisionId, value: i32) -> Option<u32> {
        let mut blocks = self.lowered.program.functions[method.function].blocks.values();
        blocks.find_map(|block| match &block.terminator.kind {
            TerminatorKind::Switch { decision: Some(decision), cases, .. } if *decision == wanted => {
                let bits = u128::from(value as u32);
                let arm = cases.iter().position(|case| case.matches(32, bits)).unwrap_or(cases.len());
                Some(arm as u32)
            }
            _ => None,
        })
    }

    /// Compares with the interpreter.
    fn check(&self, input: &Input, observed: &Observed) -> Result<clew_execute::Ending, String> {
        let image = Image::new(&self.lowered.program, Checks::RUN);
        let mut interpreter = Interpreter::new(&image, self.lowered.entry);
        interpreter.observe.extend(self.lowered.result);
        interpreter.stubs.clone_from(&self.lowered.mocks);
        let run = match interpreter.run(input) {
            // What is not known is not compared.
            Err(Refusal::Stopped(Outcome::Unsupported(_))) => return Ok(clew_execute::Ending::Returned),
            Err(refusal) => return Err(format!("the interpreter refuses: {refusal:?}")),
            Ok(run) => run,
        };
        let Outcome::Returned(Some(class)) = run.outcome else {
            return Err(format!("the interpreter ends otherwise: {:?}", run.outcome));
        };
        let predicted = self.lowered.classes.get(&(class.bits as u32));
        let differs = match (&observed.ending, predicted) {
            (Ending::Thrown(class), Some(name)) => class != name,
            (Ending::Returned(Returned::Value(value)), None) => self.returns_otherwise(value, &run.observation),
            (Ending::Returned(_), None) => false,
            _ => true,
        };
        if !differs {
            return Ok(clew_execute::Ending::Returned);
        }
        let predicted = predicted.map_or("another result", String::as_str);
        Ok(clew_execute::Ending::Sanitizer(format!("{:?}, where {predicted} was predicted", observed.ending)))
    }

    /// Whether a number that was returned is another than the interpreter computes. A NaN is as good as any other.
    fn returns_otherwise(&self, value: &Value, observation: &Observation) -> bool {
        let signature = clew_frontend_jvm::Signature::parse(&self.lowered.declaration.descriptor);
        let Some(ty) = signature.and_then(|signature| signature.returns) else { return false };
        let Some(bytes) = observation.globals.first() else { return false };
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        match (value, &ty) {
            (Value::Float(own), JavaType::Float) if f32::from_bits(*own).is_nan() => {
                !f32::from_bits(bits as u32).is_nan()
            }
            (Value::Double(own), JavaType::Double) if f64::from_bits(*own).is_nan() => !f64::from_bits(bits).is_nan(),
            _ => !ty.is_reference() && *value != number(bits, &ty),
        }
    }
}

impl Executor for Replay {
    fn run_all(&mut self, jobs: &[Job<'_>]) -> Vec<Result<Observation, String>> {
        jobs.iter().map(|job| self.run(job.input)).collect()
    }

    fn limit_time(&mut self, time: Duration) {
        self.time = time;
    }

    fn observes(&self) -> bool {
        true
    }

    fn is_inexact(&self, input: &Input) -> bool {
        Heap::of(&self.lowered, input).is_ok_and(|heap| heap.is_inexact)
    }
}

fn returned(text: &str) -> Result<Returned, String> {
    if text == "V" {
        return Ok(Returned::Void);
    }
    if let Some(value) = text::read(text) {
        return Ok(Returned::Value(value));
    }
    match (text.strip_prefix('s').map(text::units), text.strip_prefix('?')) {
        (Some(Some(units)), _) => Ok(Returned::Text(units)),
        (_, Some(class)) => Ok(Returned::New(class.to_owned())),
        _ => Err(garbled(text)),
    }
}

fn garbled(line: &str) -> String {
    format!("the JVM answered `{line}`")
}

/// An observation of nothing but an ending.
fn ended(ending: clew_execute::Ending) -> Observation {
    Observation {
        path: Vec::new(),
        repeats: Vec::new(),
        truncated: false,
        ending,
        result: Vec::new(),
        objects: Vec::new(),
        globals: Vec::new(),
        object_addresses: Vec::new(),
        global_addresses: Vec::new(),
        calls: Vec::new(),
        output: Vec::new(),
    }
}
