//! One object: bytes, which of them were written, and where it comes from.

use super::written::Written;
use super::{Contents, KEPT_BYTES};
use clew_ir::{FunctionId, GlobalId, LocalId};

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A variable with static storage.
    Global(GlobalId),
    /// A variable of an activation.
    Local(FunctionId, LocalId),
    /// Made by `alloca` or for a variable-length array.
    Stack(FunctionId),
    /// Made by `malloc` and its family.
    Heap,
    /// Made by the library, such as `stdout`.
    Library(&'static str),
    /// Prepared by whoever runs the program, numbered by them.
    Input(u32),
}

impl Origin {
    /// Whether `free` may be given the object. Whoever prepares an object may let the program free it.
    pub fn is_freeable(self) -> bool {
        matches!(self, Origin::Heap | Origin::Input(_))
    }

    /// Whether the object dies with its activation.
    pub fn is_stack(self) -> bool {
        matches!(self, Origin::Local(..) | Origin::Stack(_))
    }
}

/// A run of bytes.
#[derive(Clone, Debug)]
pub struct Object {
    /// Upper half of the addresses that name it; changes when it dies.
    pub(super) tag: u32,
    pub(super) read_only: bool,
    live: bool,
    pub(super) bytes: Vec<u8>,
    pub(super) written: Written,
    /// Its address.
    pub(super) base: u64,
    /// Where it comes from; of the last one, where the slot is free.
    pub(super) origin: Origin,
}

impl Object {
    /// What no address names.
    pub(super) fn nothing() -> Object {
        Object::with_tag(u32::MAX)
    }

    /// A free slot whose next object has that tag.
    pub(super) fn with_tag(tag: u32) -> Object {
        Object {
            tag,
            read_only: false,
            live: false,
            bytes: Vec::new(),
            written: Written::default(),
            base: 0,
            origin: Origin::Heap,
        }
    }

    pub(super) fn begin(&mut self, base: u64, size: usize, origin: Origin, contents: Contents) {
        if self.bytes.capacity() < size {
            self.bytes = vec![0; size];
        } else {
            self.bytes.clear();
            self.bytes.resize(size, 0);
        }
        self.written.begin(size, contents);
        self.base = base;
        self.origin = origin;
        self.live = true;
        self.read_only = false;
    }

    pub(super) fn end(&mut self) {
        self.live = false;
        self.bytes.clear();
        if self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
            self.written = Written::default();
        }
    }

    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Its address.
    pub fn address(&self) -> u64 {
        self.base
    }

    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Its size in bytes.
    #[expect(clippy::len_without_is_empty, reason = "an object is not a collection")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Its bytes, written or not.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the byte at an offset was written.
    pub fn is_written(&self, offset: usize) -> bool {
        self.written.first_missing(offset, 1).is_none()
    }
}
