//! Functions on bytes and on the heap.

use crate::Function;
use crate::row::Requirement::{Disjoint, Heap, NotNull, Readable, Writable};
use crate::row::{Operation, Returned, Size, Write};

const fn bytes(name: &'static str) -> Function {
    Function::new(name, "string.h")
}

const fn heap(name: &'static str) -> Function {
    Function::new(name, "stdlib.h")
}

const THIRD: Size = Size::Argument(2);

pub(super) const ROWS: &[Function] = &[
    heap("malloc").engine(Operation::Malloc).allocates().sets_errno().returns(Returned::ObjectOrNull),
    heap("calloc").engine(Operation::Calloc).allocates().sets_errno().returns(Returned::ObjectOrNull),
    heap("realloc")
        .engine(Operation::Realloc)
        .allocates()
        .frees(0)
        .sets_errno()
        .returns(Returned::ObjectOrNull)
        .requires(&[Heap(0)]),
    heap("reallocarray").allocates().frees(0).sets_errno().returns(Returned::ObjectOrNull).requires(&[Heap(0)]).model(),
    heap("free").also(&["cfree"]).engine(Operation::Free).frees(0).requires(&[Heap(0)]).returns(Returned::Nothing),
    heap("aligned_alloc").also(&["memalign"]).allocates().sets_errno().returns(Returned::ObjectOrNull),
    heap("valloc").allocates().sets_errno().returns(Returned::ObjectOrNull),
    heap("posix_memalign").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target)]),
    Function::new("malloc_usable_size", "malloc.h").returns(Returned::Any),
    bytes("memcpy")
        .also(&["__memcpy_chk"])
        .engine(Operation::CopyBytes)
        .writes(&[Write(0, THIRD)])
        .requires(&[Writable(0, THIRD), Readable(1, THIRD), Disjoint(0, 1)])
        .returns(Returned::Argument(0)),
    bytes("memmove")
        .also(&["__memmove_chk"])
        .engine(Operation::MoveBytes)
        .writes(&[Write(0, THIRD)])
        .requires(&[Writable(0, THIRD), Readable(1, THIRD)])
        .returns(Returned::Argument(0)),
    bytes("memset")
        .also(&["__memset_chk"])
        .engine(Operation::FillBytes)
        .writes(&[Write(0, THIRD)])
        .requires(&[Writable(0, THIRD)])
        .returns(Returned::Argument(0)),
    bytes("mempcpy")
        .also(&["__mempcpy", "__mempcpy_chk"])
        .model()
        .writes(&[Write(0, THIRD)])
        .requires(&[Writable(0, THIRD), Readable(1, THIRD), Disjoint(0, 1)])
        .returns(Returned::Into(0)),
    bytes("bcopy")
        .model()
        .writes(&[Write(1, THIRD)])
        .requires(&[Readable(0, THIRD), Writable(1, THIRD)])
        .returns(Returned::Nothing),
    bytes("bzero")
        .also(&["explicit_bzero"])
        .model()
        .writes(&[Write(0, Size::Argument(1))])
        .requires(&[Writable(0, Size::Argument(1))])
        .returns(Returned::Nothing),
    bytes("memcmp").also(&["bcmp"]).model().requires(&[Readable(0, THIRD), Readable(1, THIRD)]),
    bytes("memchr").model().requires(&[Readable(0, Size::Unknown)]).returns(Returned::IntoOrNull(0)),
    bytes("memrchr").model().requires(&[Readable(0, THIRD)]).returns(Returned::IntoOrNull(0)),
    bytes("rawmemchr").model().requires(&[Readable(0, Size::Unknown)]).returns(Returned::Into(0)),
    bytes("memccpy")
        .model()
        .writes(&[Write(0, Size::Unknown)])
        .requires(&[Writable(0, Size::Unknown), Readable(1, Size::Unknown)])
        .returns(Returned::IntoOrNull(0)),
    bytes("memmem")
        .model()
        .requires(&[Readable(0, Size::Argument(1)), Readable(2, Size::Argument(3))])
        .returns(Returned::IntoOrNull(0)),
    bytes("swab").model().writes(&[Write(1, THIRD)]).requires(&[NotNull(0), NotNull(1)]).returns(Returned::Nothing),
];
