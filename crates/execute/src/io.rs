//! What a program reads and writes.

/// A standard output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// `stdout`
    Out,
    /// `stderr`
    Err,
}

/// The outside world of a running program.
pub trait Io {
    /// Takes what the program prints.
    fn write(&mut self, stream: Stream, bytes: &[u8]);

    /// Gives the next bytes of standard input, at most as many as fit; zero at its end.
    fn read(&mut self, buffer: &mut [u8]) -> usize;
}

/// Keeps what is printed, gives what was put in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// Standard output so far.
    pub out: Vec<u8>,
    /// Standard error so far.
    pub err: Vec<u8>,
    /// Standard input that was not yet read.
    pub input: std::collections::VecDeque<u8>,
}

impl Io for Captured {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out => self.out.extend_from_slice(bytes),
            Stream::Err => self.err.extend_from_slice(bytes),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.input.len());
        for (place, byte) in buffer.iter_mut().zip(self.input.drain(..count)) {
            *place = byte;
        }
        count
    }
}
