//! The C library, as far as programs that compute need it.
//!
//! A program calls a library function by declaring it without a body; [`routine`] finds the function of that name in the
//! tables of the modules below, one per header or family. A routine reads its arguments from a [`Call`], works on the
//! program's memory and gives the bits of its result. What C forbids (null, out of bounds, overlap, ...) is a
//! [`Trouble`], which the machine reports at the call. Functions that need the machine itself (`qsort`, `setjmp`,
//! `exit`, ...) are [`Control`]s and live there.
//!
//! To add a function: give it a row in `clew_library`, write it in the module of its header, and add a line to that
//! module's `TABLE`. Aliases are a matter of the row.
//!
//! What this does not do: files of the host, processes, threads, real time, other locales than "C".

mod arguments;
mod ctype;
mod decimal;
mod environment;
mod file;
mod heap;
mod library;
mod math;
mod memory;
mod number;
mod parse;
mod printf;
mod random;
mod scanf;
mod stdio;
mod string;
mod time;

pub(crate) use arguments::Arguments;
pub(crate) use file::StandardStreams;
pub(crate) use library::{Library, SavedJump, external_object, external_objects};

use crate::io::Io;
use crate::memory::{Fault, Memory, OutOfMemory};
use clew_scalar::Value;

/// A library function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Routine {
    /// One that works on memory and the library's state alone.
    Plain(Plain),
    /// One that needs the machine.
    Control(Control),
}

/// Gives the bits of the result, `None` for `void`.
pub(crate) type Plain = fn(&mut Call<'_>) -> Reply;
pub(crate) type Reply = Result<Option<u128>, Trouble>;
type Table = &'static [(&'static str, Plain)];

/// A library function that needs the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    AtExit,
    BinarySearch,
    Exit,
    LongJump,
    Sort,
    SetJump,
}

/// Why a library function did not return.
#[derive(Debug)]
pub(crate) enum Trouble {
    Fault(Fault),
    Precondition(String),
    Unsupported(String),
    OutOfMemory,
    Abort,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

impl From<OutOfMemory> for Trouble {
    fn from(_: OutOfMemory) -> Trouble {
        Trouble::OutOfMemory
    }
}

const TABLES: &[Table] = &[
    ctype::TABLE,
    environment::TABLE,
    heap::TABLE,
    math::TABLE,
    memory::TABLE,
    number::TABLE,
    printf::TABLE,
    random::TABLE,
    scanf::TABLE,
    stdio::TABLE,
    string::TABLE,
    time::TABLE,
];

const CONTROLS: &[(&str, Control)] = &[
    ("_exit", Control::Exit),
    ("atexit", Control::AtExit),
    ("bsearch", Control::BinarySearch),
    ("exit", Control::Exit),
    ("longjmp", Control::LongJump),
    ("qsort", Control::Sort),
    ("setjmp", Control::SetJump),
];

/// The library function of that name; builtins and aliases are the functions they stand for.
pub(crate) fn routine(name: &str) -> Option<Routine> {
    let plain = clew_library::plain(name);
    registered(plain).or_else(|| registered(clew_library::lookup(plain)?.name))
}

/// The routine that a table below registers under a name.
fn registered(plain: &str) -> Option<Routine> {
    if let Some((_, control)) = CONTROLS.iter().find(|(known, _)| *known == plain) {
        return Some(Routine::Control(*control));
    }
    let found = |table: &Table| table.iter().find(|(known, _)| *known == plain).map(|entry| entry.1);
    TABLES.iter().find_map(found).map(Routine::Plain)
}

/// Whether a library function of that name returns a second time when `longjmp` is called.
pub(crate) fn is_setjmp(name: &str) -> bool {
    matches!(routine(name), Some(Routine::Control(Control::SetJump)))
}

/// A call of a library function.
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    pub(crate) args: &'a [Value],
    pub(crate) memory: &'a mut Memory,
    pub(crate) library: &'a mut Library,
    pub(crate) io: &'a mut dyn Io,
}

impl Call<'_> {
    fn value(&self, index: usize) -> Result<Value, Trouble> {
        self.args.get(index).copied().ok_or_else(|| Trouble::Precondition("too few arguments".to_owned()))
    }

    /// An argument as an address or unsigned number.
    fn address(&self, index: usize) -> Result<u64, Trouble> {
        self.value(index).map(|value| value.bits as u64)
    }

    /// An argument as a number of bytes.
    fn size(&self, index: usize) -> Result<usize, Trouble> {
        self.address(index).map(|size| size as usize)
    }

    /// An argument as a signed number.
    fn int(&self, index: usize) -> Result<i64, Trouble> {
        self.value(index).map(|value| value.signed() as i64)
    }

    /// An argument as a character.
    fn byte(&self, index: usize) -> Result<u8, Trouble> {
        self.address(index).map(|number| number as u8)
    }

    /// The string an argument points to, copied.
    fn string(&self, index: usize) -> Result<Vec<u8>, Trouble> {
        Ok(self.memory.string(self.address(index)?, usize::MAX)?.to_vec())
    }

    fn pointer_bytes(&self) -> usize {
        self.memory.target().pointer_bytes() as usize
    }

    fn store_pointer(&mut self, address: u64, pointer: u64) -> Result<(), Trouble> {
        let bytes = self.pointer_bytes();
        Ok(self.memory.store_number(address, bytes, u128::from(pointer))?)
    }

    fn set_errno(&mut self, code: i32) -> Result<(), Trouble> {
        let address = self.library.errno(self.memory)?;
        Ok(self.memory.store(address, code.to_le_bytes())?)
    }
}

/// A result of integer type.
fn int(number: i64) -> Reply {
    Ok(Some(number as i128 as u128))
}

/// A result that is an address or unsigned number.
fn address(number: u64) -> Reply {
    Ok(Some(u128::from(number)))
}

fn nothing(_: &mut Call<'_>) -> Reply {
    Ok(None)
}

fn zero(_: &mut Call<'_>) -> Reply {
    Ok(Some(0))
}

#[cfg(test)]
mod tests {
    use super::{CONTROLS, TABLES};

    #[test]
    fn every_routine_has_a_row() {
        let tables = TABLES.iter().flat_map(|table| table.iter()).map(|(name, _)| *name);
        for name in tables.chain(CONTROLS.iter().map(|(name, _)| *name)) {
            assert!(clew_library::lookup(name).is_some(), "`{name}` has no row in crates/library");
        }
    }
}
