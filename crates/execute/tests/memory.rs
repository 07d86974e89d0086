//! Objects, addresses and written bytes, on 64-bit and 32-bit targets.

use clew_execute::memory::{Contents, Fault, Memory, Origin};
use clew_ir::Target;

const BOTH: [Target; 2] = [Target::LP64, Target::ILP32];

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory.allocate(size, 16, Origin::Heap, Contents::Unwritten).expect("there is room")
}

#[test]
fn bytes_are_read_as_written() {
    for target in BOTH {
        let mut memory = Memory::new(target, 1 << 20);
        let object = heap(&mut memory, 100);
        memory.store(object + 60, 0x0123_4567_89ab_cdef_u64.to_le_bytes()).expect("it is inside");
        assert_eq!(memory.load(object + 62).map(u32::from_le_bytes), Ok(0x4567_89ab));
        assert!(matches!(memory.load::<4>(object + 57), Err(Fault::Unwritten(place)) if place.offset == 57));
        assert!(matches!(memory.load::<8>(object + 61), Err(Fault::Unwritten(place)) if place.offset == 68));
        assert_eq!(memory.load_raw::<1>(object), Ok([0]));
    }
}

#[test]
fn bounds_are_exact() {
    for target in BOTH {
        let mut memory = Memory::new(target, 1 << 20);
        let object = heap(&mut memory, 7);
        let neighbour = heap(&mut memory, 7);
        assert_ne!(object, neighbour);
        assert_eq!(memory.store(object + 6, [1]), Ok(()));
        assert!(matches!(memory.store(object + 6, [1, 2]), Err(Fault::OutOfBounds(place)) if place.offset == 6));
        assert!(memory.store(object + 7, [1]).is_err());
        assert!(memory.store(object.wrapping_sub(1), [1]).is_err());
        assert!(memory.may_move(object, object + 7) && !memory.may_move(object, object + 8));
        assert!(memory.same_object(object, object + 7) && !memory.same_object(object, neighbour));
        assert_eq!(memory.load::<1>(0), Err(Fault::Null { address: 0 }));
    }
}

#[test]
fn dead_objects_are_found_out() {
    let mut memory = Memory::new(Target::LP64, 1 << 20);
    let first = heap(&mut memory, 8);
    memory.store(first, [1]).expect("it is inside");
    memory.free(first).expect("it is alive");
    assert_eq!(memory.load::<1>(first), Err(Fault::Dead { origin: Some(Origin::Heap) }));
    assert_eq!(memory.free(first), Err(Fault::DoubleFree));
    // The slot is used again under another generation.
    let second = heap(&mut memory, 8);
    assert_eq!(second as u32, first as u32);
    assert_ne!(second, first);
    assert_eq!(memory.load::<1>(first), Err(Fault::Dead { origin: None }));
}

#[test]
fn memory_is_given_back() {
    for target in BOTH {
        let mut memory = Memory::new(target, 1000);
        for _ in 0..10_000 {
            let object = heap(&mut memory, 600);
            assert_eq!(memory.bytes_in_use(), 600);
            memory.free(object).expect("it is alive");
        }
        heap(&mut memory, 600);
        assert!(memory.allocate(600, 16, Origin::Heap, Contents::Zero).is_err());
    }
}

#[test]
fn copies_keep_what_was_not_written() {
    for target in BOTH {
        let mut memory = Memory::new(target, 1 << 20);
        let (from, to) = (heap(&mut memory, 200), heap(&mut memory, 200));
        memory.fill(to, 9, 200).expect("it is inside");
        memory.write(from + 3, &[1, 2, 3]).expect("it is inside");
        memory.copy(to + 100, from, 10).expect("both are inside");
        assert_eq!(memory.read(to + 103, 3), Ok(&[1, 2, 3][..]));
        assert!(memory.read(to + 102, 1).is_err() && memory.read(to + 106, 1).is_err());
        assert_eq!(memory.read(to + 110, 90), Ok(&[9; 90][..]));
        memory.copy(to + 101, to + 100, 10).expect("overlap is allowed");
        assert_eq!(memory.read(to + 104, 3), Ok(&[1, 2, 3][..]));
        assert!(memory.read(to + 103, 1).is_err());
    }
}

#[test]
fn strings_end_inside_their_object() {
    let mut memory = Memory::new(Target::LP64, 1 << 20);
    let object = memory.allocate(4, 1, Origin::Heap, Contents::Zero).expect("there is room");
    memory.write(object, b"abc").expect("it is inside");
    assert_eq!(memory.string(object, usize::MAX), Ok(&b"abc"[..]));
    assert_eq!(memory.string(object, 2), Ok(&b"ab"[..]));
    memory.write(object, b"abcd").expect("it is inside");
    assert!(matches!(memory.string(object, usize::MAX), Err(Fault::OutOfBounds(_))));
    assert_eq!(memory.string(object, 4), Ok(&b"abcd"[..]));
}

#[test]
fn constants_are_not_written() {
    let mut memory = Memory::new(Target::LP64, 1 << 20);
    let object = memory.allocate(4, 1, Origin::Heap, Contents::Zero).expect("there is room");
    memory.protect(object, true);
    assert!(matches!(memory.store(object, [1]), Err(Fault::ReadOnly(_))));
    assert_eq!(memory.load(object), Ok([0_u8; 4]));
}

#[test]
fn big_endian_numbers() {
    let target = Target { big_endian: true, ..Target::ILP32 };
    let mut memory = Memory::new(target, 1 << 20);
    let object = heap(&mut memory, 8);
    memory.store_number(object, 4, 0x0102_0304).expect("it is inside");
    assert_eq!(memory.load(object), Ok([1_u8, 2, 3, 4]));
    assert_eq!(memory.load_number(object + 1, 2, false), Ok(0x0203));
}
