//! Globals in memory, at their initial values.

use crate::libc::{StandardStreams, external_object, external_objects};
use crate::memory::{Contents, Memory, Origin};
use clew_ir::{Global, GlobalId, Linkage, Program, Symbol};
use rustc_hash::FxHashMap;

/// Memory as a program finds it.
pub(super) struct Loaded {
    pub(super) memory: Memory,
    pub(super) streams: StandardStreams,
    /// Addresses of globals.
    pub(super) globals: Vec<u64>,
}

/// Makes the objects of all globals.
///
/// # Panics
/// If they do not fit the target's address space.
pub(super) fn load(program: &Program) -> Loaded {
    let mut memory = Memory::new(program.target, u64::MAX);
    let mut addresses: Vec<u64> =
        program.globals.iter().map(|(id, global)| allocate(&mut memory, id, global)).collect();
    let streams = external_objects(&mut memory).expect("globals fit the address space");
    link(program, &mut addresses);
    for (id, global) in program.globals.iter() {
        fill(program, &mut memory, &addresses, streams, id, global);
    }
    Loaded { memory, streams, globals: addresses }
}

fn allocate(memory: &mut Memory, id: GlobalId, global: &Global) -> u64 {
    let contents = if global.init.is_some() { Contents::Zero } else { Contents::Unwritten };
    memory.allocate(global.size, global.align, Origin::Global(id), contents).expect("globals fit the address space")
}

/// Lets declarations denote the definition of the same name, if there is one.
fn link(program: &Program, addresses: &mut [u64]) {
    let mut defined: FxHashMap<&str, u64> = FxHashMap::default();
    for (id, global) in program.globals.iter() {
        if global.init.is_some() && global.linkage == Linkage::External {
            defined.insert(&global.name, addresses[id.index()]);
        }
    }
    for (id, global) in program.globals.iter() {
        if global.init.is_none()
            && let Some(&address) = defined.get(global.name.as_str())
        {
            addresses[id.index()] = address;
        }
    }
}

fn fill(
    program: &Program,
    memory: &mut Memory,
    addresses: &[u64],
    streams: StandardStreams,
    id: GlobalId,
    global: &Global,
) {
    let address = addresses[id.index()];
    let Some(init) = &global.init else {
        if let Some(mut bytes) = external_object(&global.name, streams, program.target) {
            bytes.resize(global.size as usize, 0);
            memory.write(address, &bytes).expect("the object was made for these bytes");
        }
        return;
    };
    let init = &init[..init.len().min(global.size as usize)];
    memory.write(address, init).expect("the object was made for these bytes");
    for relocation in &global.relocations {
        let target = match relocation.symbol {
            Symbol::Global(symbol) => addresses[symbol.index()],
            Symbol::Function(symbol) => Memory::function_address(program.target, symbol.raw()),
        };
        let pointer = target.wrapping_add(relocation.addend as u64);
        let bytes = program.target.pointer_bytes() as usize;
        memory
            .store_number(address + relocation.offset, bytes, u128::from(pointer))
            .expect("a relocation lies inside its global");
    }
    if global.is_const {
        memory.protect(address, true);
    }
}
