//! The library's own state and objects.

use super::arguments::Arguments;
use super::file::{Files, StandardStreams};
use super::random::Random;
use crate::code::Position;
use crate::memory::{Contents, Memory, Origin, OutOfMemory};
use clew_ir::{FunctionId, Target};
use std::collections::BTreeMap;

/// Bytes of a `FILE`.
pub(crate) const FILE_BYTES: u64 = 216;

/// What the library remembers between calls.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) arguments: Arguments,
    pub(crate) at_exit: Vec<FunctionId>,
    /// What `setjmp` saved, by the number it left in the buffer.
    pub(crate) jumps: Vec<(u64, SavedJump)>,
    pub(super) files: Files,
    pub(super) random: Random,
    /// Where `strtok` goes on.
    pub(super) token: u64,
    objects: BTreeMap<&'static str, u64>,
}

/// What `setjmp` saved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedJump {
    pub(crate) frame: usize,
    pub(crate) serial: u64,
    pub(crate) position: Position,
}

impl Library {
    pub(crate) fn new(streams: StandardStreams) -> Library {
        Library {
            arguments: Arguments::default(),
            at_exit: Vec::new(),
            jumps: Vec::new(),
            files: Files::new(streams),
            random: Random::new(1),
            token: 0,
            objects: BTreeMap::new(),
        }
    }

    /// The library's object of that name, made with these bytes when first asked for.
    pub(super) fn object(
        &mut self,
        memory: &mut Memory,
        name: &'static str,
        contents: impl FnOnce() -> Vec<u8>,
    ) -> Result<u64, OutOfMemory> {
        if let Some(&address) = self.objects.get(name) {
            return Ok(address);
        }
        let bytes = contents();
        let address = memory.allocate(bytes.len() as u64, 16, Origin::Library(name), Contents::Zero)?;
        memory.write(address, &bytes).expect("the object was made for these bytes");
        self.objects.insert(name, address);
        Ok(address)
    }

    /// The address of `errno`.
    pub(super) fn errno(&mut self, memory: &mut Memory) -> Result<u64, OutOfMemory> {
        self.object(memory, "errno", || vec![0; 4])
    }
}

/// Makes the objects behind `stdin`, `stdout` and `stderr`.
pub(crate) fn external_objects(memory: &mut Memory) -> Result<StandardStreams, OutOfMemory> {
    let mut file = |name: &'static str| memory.allocate(FILE_BYTES, 16, Origin::Library(name), Contents::Zero);
    Ok(StandardStreams { input: file("stdin")?, output: file("stdout")?, error: file("stderr")? })
}

/// The initial bytes of a variable that the library defines.
pub(crate) fn external_object(name: &str, streams: StandardStreams, target: Target) -> Option<Vec<u8>> {
    let pointer = |address: u64| {
        let mut bytes = address.to_le_bytes()[..target.pointer_bytes() as usize].to_vec();
        if target.big_endian {
            bytes.reverse();
        }
        bytes
    };
    match name {
        "stdin" | "_IO_2_1_stdin_" => Some(pointer(streams.input)),
        "stdout" | "_IO_2_1_stdout_" => Some(pointer(streams.output)),
        "stderr" | "_IO_2_1_stderr_" => Some(pointer(streams.error)),
        "environ" | "__environ" | "optarg" | "signgam" | "daylight" | "timezone" => Some(Vec::new()),
        "optind" | "opterr" => Some(vec![1]),
        _ => None,
    }
}
