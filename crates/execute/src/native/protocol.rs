//! What goes over the pipes between us and the fork server, as laid out in `server.c`.
//!
//! Words are in native byte order; blocks are padded to eight bytes; room for one pointer per block is sent along, so
//! that the server uses the request where it lies.

use super::Job;
use super::error::Error;
use super::options::Options;
use super::symbol::Symbols;
use crate::input::{Content, Extra, InputObject, PointerTarget, Reading, StoredPointer};
use crate::variadic::sequences;
use clew_ir::{GlobalId, Program};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

const NO_SYMBOL: u32 = u32::MAX;

/// Marks an object that has to lie after those before it.
const ORDERED: u32 = 256;

/// Stands for the number of a stub where a block is a reading of volatile memory.
const READING: u32 = u32::MAX - 1;

/// The part of a stub's answer that is a place, and the bytes it then holds.
const VARIABLE: u32 = u32::MAX;
const HEAD_BYTES: usize = 32;

/// Bytes of a usual request.
const FIRST_BYTES: usize = 512;

/// Where the head of a request says how many may share a process.
const GROUP_AT: usize = 24;

/// The settings, sent once.
pub(super) fn settings(
    program: &Program,
    symbols: &Symbols,
    options: &Options,
    entry: u32,
    observe: &[GlobalId],
    library: &Path,
) -> Result<Vec<u8>, Error> {
    let limits = &options.limits;
    let heap = options.sanitize || super::frees(program);
    let memory = if options.sanitize { 0 } else { limits.memory };
    let (trace, observed) = (u64::from(limits.trace), observe.len() as u64);
    let library = library.as_os_str().as_bytes();
    let words = [
        memory,
        limits.file,
        limits.processes,
        trace,
        limits.reply,
        limits.output,
        u64::from(heap),
        u64::from(entry),
        observed,
        library.len() as u64,
    ];
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend(word.to_ne_bytes());
    }
    for &global in observe {
        let symbol = symbols.global(global).ok_or_else(|| unreachable_global(program, global))?;
        block(&mut bytes, program.globals[global].size, symbol, 0);
    }
    bytes.extend(library);
    Ok(bytes)
}

fn unreachable_global(program: &Program, global: GlobalId) -> Error {
    Error::Unsupported(format!("`{}` has no name outside its function", program.globals[global].name))
}

fn block(bytes: &mut Vec<u8>, size: u64, symbol: u32, part: u32) {
    bytes.extend(size.to_ne_bytes());
    bytes.extend(symbol.to_ne_bytes());
    bytes.extend(part.to_ne_bytes());
}

/// One request.
pub(super) fn request(
    program: &Program,
    symbols: &Symbols,
    options: &Options,
    time: Duration,
    job: &Job<'_>,
) -> Result<Vec<u8>, Error> {
    let input = job.input;
    let bytes = Vec::with_capacity(FIRST_BYTES);
    let mut encoder = Encoder { program, symbols, time, bytes, patches: Vec::new(), patch_count: 0 };
    encoder.bytes.resize(HEAD_BYTES, 0);
    let calls = input.earlier.iter().map(|call| (&call.arguments, &call.extra));
    let calls: Vec<_> = calls.chain([(&input.arguments, &input.extra)]).collect();
    let sequences = calls.iter().map(|(_, extra)| sequence(program, extra)).collect::<Result<Vec<_>, _>>()?;
    let mut arguments = Vec::new();
    for (number, ((own, extra), sequence)) in (0..).zip(calls.into_iter().zip(&sequences)) {
        let extra = extra.iter().map(|extra| &extra.content);
        arguments.extend(own.iter().chain([sequence]).chain(extra).map(|content| (NO_SYMBOL, number, content)));
    }
    let mut globals = Vec::new();
    for (global, content) in &input.globals {
        globals.push((encoder.settable(*global)?, 0, content));
    }
    let choice = job.mutant.map(|(mutant, most)| Content {
        bytes: [mutant.to_ne_bytes(), most.to_ne_bytes()].concat(),
        pointers: Vec::new(),
    });
    globals.extend(choice.iter().map(|content| (symbols.choice(), 0, content)));
    let residue = |object: &InputObject| object.residue.map_or(0, |residue| u32::from(residue) + 1);
    let order = |object: &InputObject| if object.ordered { ORDERED } else { 0 };
    let place = |object: &InputObject| residue(object) | order(object);
    let objects: Vec<_> = input.objects.iter().map(|object| (NO_SYMBOL, place(object), &object.content)).collect();
    let readings: Vec<Content> = input.readings.iter().map(|reading| encoded(program, reading)).collect();
    let mut stubs: Vec<_> = readings.iter().map(|content| (READING, 0, content)).collect();
    let set = |(global, content): &(GlobalId, Content)| at_place(program, PointerTarget::Global(*global, 0), content);
    let set: Vec<Vec<Content>> = input.stubs.iter().map(|call| call.globals.iter().map(set).collect()).collect();
    for (call, set) in input.stubs.iter().zip(&set) {
        let number = options.stubs.iter().position(|&stub| stub == call.function);
        let number = number.ok_or_else(|| Error::Unsupported("the input answers a call of no stub".to_owned()))?;
        stubs.push((number as u32, 0, &call.result));
        stubs.extend(call.outputs.iter().map(|(param, content)| (number as u32, *param as u32 + 1, content)));
        stubs.extend(set.iter().map(|content| (number as u32, VARIABLE, content)));
    }
    let sections = [&arguments, &globals, &objects, &stubs];
    for (place, section) in sections.into_iter().enumerate() {
        encoder.section(place as u32, section)?;
    }
    let counts = sections.map(Vec::len);
    Ok(encoder.finish(counts))
}

/// Says in the first of several requests that so many of them may share a process.
pub(super) fn set_group(request: &mut [u8], count: u32) {
    request[GROUP_AT..GROUP_AT + 4].copy_from_slice(&count.to_ne_bytes());
}

/// A reading as a pointer to the place and the bytes it holds.
fn encoded(program: &Program, reading: &Reading) -> Content {
    at_place(program, reading.place, &Content { bytes: reading.bytes.clone(), pointers: Vec::new() })
}

/// A pointer to a place, and what it then holds.
fn at_place(program: &Program, place: PointerTarget, content: &Content) -> Content {
    let width = program.target.pointer_bytes();
    let mut bytes = vec![0; width as usize];
    bytes.extend(&content.bytes);
    let held = content.pointers.iter().map(|stored| StoredPointer { at: stored.at + width, ..*stored });
    Content { bytes, pointers: [StoredPointer { at: 0, target: place }].into_iter().chain(held).collect() }
}

/// The number of the sequence of types that a call passes after the last parameter.
fn sequence(program: &Program, extra: &[Extra]) -> Result<Content, Error> {
    let types: Vec<_> = extra.iter().map(|extra| extra.ty).collect();
    let number = if types.is_empty() { Some(0) } else { sequences(program).iter().position(|known| *known == types) };
    let number = number.ok_or_else(|| Error::Unsupported("variable arguments of these types".to_owned()))?;
    Ok(Content { bytes: (number as u32).to_ne_bytes().to_vec(), pointers: Vec::new() })
}

struct Encoder<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    time: Duration,
    bytes: Vec<u8>,
    patches: Vec<u8>,
    patch_count: u32,
}

impl Encoder<'_> {
    fn settable(&self, global: GlobalId) -> Result<u32, Error> {
        let node = &self.program.globals[global];
        if node.is_const && node.init.is_some() {
            return Err(Error::Unsupported(format!("`{}` is const and cannot be set", node.name)));
        }
        self.symbols.global(global).ok_or_else(|| unreachable_global(self.program, global))
    }

    fn section(&mut self, place: u32, blocks: &[(u32, u32, &Content)]) -> Result<(), Error> {
        for (symbol, part, content) in blocks {
            block(&mut self.bytes, content.bytes.len() as u64, *symbol, *part);
        }
        self.bytes.extend(std::iter::repeat_n(0, blocks.len() * 8));
        for (index, (_, _, content)) in blocks.iter().enumerate() {
            self.bytes.extend(&content.bytes);
            self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
            for pointer in &content.pointers {
                self.patch(place, index as u32, pointer)?;
            }
        }
        Ok(())
    }

    fn patch(&mut self, place: u32, index: u32, pointer: &StoredPointer) -> Result<(), Error> {
        let (kind, target, offset) = match pointer.target {
            PointerTarget::Object(object, offset) => (0, object as u32, offset),
            PointerTarget::Global(global, offset) => {
                let symbol = self.symbols.global(global);
                (1, symbol.ok_or_else(|| unreachable_global(self.program, global))?, offset)
            }
            PointerTarget::Function(function) => {
                let name = &self.program.functions[function].name;
                let missing = || Error::Unsupported(format!("the address of `{name}` is not known"));
                (1, self.symbols.function(function).ok_or_else(missing)?, 0)
            }
        };
        self.patches.extend(place.to_ne_bytes());
        self.patches.extend(index.to_ne_bytes());
        self.patches.extend(pointer.at.to_ne_bytes());
        self.patches.extend(u32::to_ne_bytes(kind));
        self.patches.extend(target.to_ne_bytes());
        self.patches.extend(offset.to_ne_bytes());
        self.patch_count += 1;
        Ok(())
    }

    fn finish(mut self, [arguments, globals, objects, stubs]: [usize; 4]) -> Vec<u8> {
        self.bytes.append(&mut self.patches);
        let size = (self.bytes.len() - HEAD_BYTES) as u32;
        let [arguments, globals, objects, stubs] = [arguments, globals, objects, stubs].map(|count| count as u32);
        let milliseconds = u32::try_from(self.time.as_millis()).unwrap_or(u32::MAX);
        let head = [size, arguments, globals, objects, self.patch_count, stubs, 1, milliseconds];
        for (index, word) in head.into_iter().enumerate() {
            self.bytes[index * 4..index * 4 + 4].copy_from_slice(&word.to_ne_bytes());
        }
        self.bytes
    }
}

/// How the server says a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawEnding {
    Returned,
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Refused,
    Stopped,
}

/// One response.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) ending: RawEnding,
    /// Whether other tests ran in the same process.
    pub(super) shared: bool,
    pub(super) truncated: bool,
    pub(super) trace: Vec<u32>,
    pub(super) result_bytes: usize,
    /// Result, objects and observed globals, their addresses, and what stubs were called with, one after the other.
    pub(super) reply: Vec<u8>,
    pub(super) output: Vec<u8>,
}

impl Response {
    pub(super) fn read(from: &mut impl Read) -> io::Result<Response> {
        let mut head = [0; 40];
        from.read_exact(&mut head)?;
        let word = |at: usize| u32::from_ne_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let long = |at: usize| {
            let (first, second) = (u64::from(word(at)), u64::from(word(at + 4)));
            if cfg!(target_endian = "little") { first | second << 32 } else { first << 32 | second }
        };
        let code = word(4) as i32;
        let ending = match word(0) {
            0 => RawEnding::Returned,
            1 => RawEnding::Exited(code),
            2 => RawEnding::Signalled(code),
            3 => RawEnding::TimedOut,
            5 => RawEnding::Stopped,
            _ => RawEnding::Refused,
        };
        let trace = read_bytes(from, u64::from(word(12)) * 4)?;
        let trace = trace.chunks_exact(4).map(|c| u32::from_ne_bytes([c[0], c[1], c[2], c[3]])).collect();
        let reply = read_bytes(from, long(24))?;
        let output = read_bytes(from, long(32))?;
        let (truncated, shared) = (word(8) != 0, word(20) != 0);
        Ok(Response { ending, shared, truncated, trace, result_bytes: word(16) as usize, reply, output })
    }
}

fn read_bytes(from: &mut impl Read, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count as usize];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
