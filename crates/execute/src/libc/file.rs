//! Streams: standard input and output, and temporary files kept in memory.

use crate::io::{Io, Stream};
use std::collections::BTreeMap;

/// Addresses of the objects behind the standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StandardStreams {
    /// `stdin`
    pub(crate) input: u64,
    /// `stdout`
    pub(crate) output: u64,
    /// `stderr`
    pub(crate) error: u64,
}

/// All open streams, by the address of their `FILE`.
#[derive(Debug)]
pub(super) struct Files {
    streams: StandardStreams,
    open: BTreeMap<u64, File>,
}

/// A stream.
#[derive(Debug)]
pub(super) struct File {
    kind: Kind,
    pub(super) at_end: bool,
    pub(super) error: bool,
    /// Bytes given back by `ungetc`, the next one last.
    pushed_back: Vec<u8>,
}

#[derive(Debug)]
enum Kind {
    Input,
    Output(Stream),
    /// A file in memory.
    Temporary {
        bytes: Vec<u8>,
        position: usize,
    },
}

impl Files {
    pub(super) fn new(streams: StandardStreams) -> Files {
        let open = [
            (streams.input, File::new(Kind::Input)),
            (streams.output, File::new(Kind::Output(Stream::Out))),
            (streams.error, File::new(Kind::Output(Stream::Err))),
        ];
        Files { streams, open: open.into() }
    }

    /// Writes to `stdout`, if it is open.
    pub(super) fn standard_output(&mut self, io: &mut dyn Io, bytes: &[u8]) -> bool {
        self.open.get_mut(&self.streams.output).is_some_and(|file| file.write(io, bytes))
    }

    /// The address of `stdin`.
    pub(super) fn standard_input(&self) -> u64 {
        self.streams.input
    }

    /// The number of a stream's descriptor.
    pub(super) fn descriptor(&self, address: u64) -> i64 {
        let standard = [self.streams.input, self.streams.output, self.streams.error];
        standard.iter().position(|&stream| stream == address).map_or(3, |index| index as i64)
    }

    pub(super) fn get(&mut self, address: u64) -> Option<&mut File> {
        self.open.get_mut(&address)
    }

    pub(super) fn open_temporary(&mut self, address: u64) {
        self.open.insert(address, File::new(Kind::Temporary { bytes: Vec::new(), position: 0 }));
    }

    pub(super) fn close(&mut self, address: u64) -> bool {
        self.open.remove(&address).is_some()
    }
}

impl File {
    fn new(kind: Kind) -> File {
        File { kind, at_end: false, error: false, pushed_back: Vec::new() }
    }

    /// Writes and says whether that was possible.
    pub(super) fn write(&mut self, io: &mut dyn Io, bytes: &[u8]) -> bool {
        match &mut self.kind {
            Kind::Output(stream) => io.write(*stream, bytes),
            Kind::Temporary { bytes: contents, position } => {
                let end = *position + bytes.len();
                if contents.len() < end {
                    contents.resize(end, 0);
                }
                contents[*position..end].copy_from_slice(bytes);
                *position = end;
            }
            Kind::Input => {
                self.error = true;
                return false;
            }
        }
        true
    }

    /// The next byte, if there is one.
    pub(super) fn read(&mut self, io: &mut dyn Io) -> Option<u8> {
        if let Some(byte) = self.pushed_back.pop() {
            return Some(byte);
        }
        let byte = match &mut self.kind {
            Kind::Input => {
                let mut buffer = [0];
                (io.read(&mut buffer) == 1).then_some(buffer[0])
            }
            Kind::Temporary { bytes, position } => {
                let byte = bytes.get(*position).copied();
                *position += usize::from(byte.is_some());
                byte
            }
            Kind::Output(_) => {
                self.error = true;
                return None;
            }
        };
        self.at_end |= byte.is_none();
        byte
    }

    pub(super) fn push_back(&mut self, byte: u8) {
        self.at_end = false;
        self.pushed_back.push(byte);
    }

    /// Where the next byte is read or written, of a file that has places.
    pub(super) fn position(&self) -> Option<usize> {
        match &self.kind {
            Kind::Temporary { position, .. } => Some(position.saturating_sub(self.pushed_back.len())),
            _ => None,
        }
    }

    /// Moves to a place counted from the start (0), the current place (1) or the end (2).
    pub(super) fn seek(&mut self, offset: i64, whence: i64) -> bool {
        let current = self.position();
        let Kind::Temporary { bytes, position } = &mut self.kind else { return false };
        let base = match whence {
            0 => 0,
            1 => current.unwrap_or(0),
            2 => bytes.len(),
            _ => return false,
        };
        let Some(target) = (base as i64).checked_add(offset).filter(|target| *target >= 0) else { return false };
        *position = target as usize;
        self.pushed_back.clear();
        self.at_end = false;
        true
    }
}
