//! Variable arguments: a `va_list` object holds a handle to a cursor kept here.

use clew_scalar::{Type, Value};
use std::rc::Rc;

/// Makes a handle recognisable among the bytes of a `va_list`.
const MARK: u64 = 0x5a00;

/// All `va_list`s in use.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    cursors: Vec<Option<Cursor>>,
    free: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Cursor {
    values: Rc<[Value]>,
    next: usize,
}

impl Arguments {
    /// A cursor before the first of the values.
    pub(crate) fn start(&mut self, values: Rc<[Value]>) -> u64 {
        self.add(Cursor { values, next: 0 })
    }

    /// A second cursor at the place of another.
    pub(crate) fn copy(&mut self, handle: u64) -> u64 {
        let cursor = self.cursor(handle).cloned().unwrap_or_else(|| Cursor { values: Rc::from([]), next: 0 });
        self.add(cursor)
    }

    /// The next value, if there is one.
    pub(crate) fn next(&mut self, handle: u64) -> Option<Value> {
        let cursor = self.cursor(handle)?;
        let value = cursor.values.get(cursor.next).copied()?;
        cursor.next += 1;
        Some(value)
    }

    pub(crate) fn end(&mut self, handle: u64) {
        if let Some(index) = Arguments::index(handle)
            && self.cursors.get_mut(index).is_some_and(|cursor| cursor.take().is_some())
        {
            self.free.push(index);
        }
    }

    /// Whether an argument that was passed as one type may be read as another: C allows signed for unsigned and pointers
    /// for pointers, so the machine type must agree in width and kind.
    pub(crate) fn fits(passed: Type, read: Type) -> bool {
        passed.width() == read.width() && passed.is_float() == read.is_float()
    }

    fn add(&mut self, cursor: Cursor) -> u64 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.cursors.push(None);
            self.cursors.len() - 1
        });
        self.cursors[index] = Some(cursor);
        (index as u64) << 16 | MARK
    }

    fn index(handle: u64) -> Option<usize> {
        (handle & 0xffff == MARK).then_some((handle >> 16) as usize)
    }

    fn cursor(&mut self, handle: u64) -> Option<&mut Cursor> {
        self.cursors.get_mut(Arguments::index(handle)?)?.as_mut()
    }
}
