//! Memory at fixed addresses, such as the registers of embedded hardware.
//!
//! `(USART *)0x40011000` leads to a variable in all but name. It becomes a global that nothing defines, so what it holds is
//! part of the input, and tests can map and name it. Parts of one such variable may be addressed by themselves; where two
//! overlap in another way, the second address stays a number, behind which nothing is known. Where a program does more with
//! the address of a scalar than read and write there, it may mean an array ([`grow`]).

use std::collections::BTreeSet;

use super::link::Linker;
use super::unit::UnitLowering;
use clew_ir::{CType, Global, GlobalId, GlobalKind, InstKind, Linkage, Operand, Program, Span, Symbol, TerminatorKind};
use rucc_types::TypeId;

/// Addresses of the first page are sentinels, and no system maps them.
const PAGE: u64 = 0x1000;

/// Addresses from here on are sentinels such as -1, or the system's.
const MOST: u64 = 0x7fff_ffff_f000;

impl UnitLowering<'_> {
    /// The variable at a fixed address to which a pointer of a type leads, and where in it.
    pub(crate) fn register(&mut self, address: u64, pointer: TypeId) -> Option<(GlobalId, i64)> {
        let pointee = self.pointee(pointer)?;
        let size = self.layout(pointee).map(|layout| layout.size).filter(|size| *size > 0)?;
        let end = address.checked_add(size)?;
        let is_sentinel = address < PAGE || end > MOST.min(self.least_sentinel());
        if is_sentinel || !address.is_multiple_of(self.align(pointee)) {
            return None;
        }
        let overlapping = self.linker.registers.range(..end).next_back().map(|(start, id)| (*start, *id));
        if let Some((start, id)) = overlapping.filter(|(start, id)| start + self.program.globals[*id].size > address) {
            let is_part = start <= address && end <= start + self.program.globals[id].size;
            return is_part.then_some((id, (address - start) as i64));
        }
        let id = self.new_register(address, pointee, size);
        self.linker.registers.insert(address, id);
        Some((id, 0))
    }

    /// Where the last page of the address space begins.
    fn least_sentinel(&self) -> u64 {
        let width = self.program.target.pointer_width;
        u64::MAX >> (64 - width) & !(PAGE - 1)
    }

    fn new_register(&mut self, address: u64, pointee: TypeId, size: u64) -> GlobalId {
        let ty = self.ctype(pointee);
        // Tests write what the program may only read.
        let ty = match self.program.ctypes.types[ty] {
            CType::Qualified { of, is_volatile: true, is_restrict, .. } => {
                self.intern(CType::Qualified { of, is_const: false, is_volatile: true, is_restrict })
            }
            CType::Qualified { of, .. } => of,
            _ => ty,
        };
        let global = Global {
            name: format!("at_{address:#x}"),
            linkage: Linkage::Internal,
            ty,
            size,
            align: self.align(pointee),
            kind: GlobalKind::Variable,
            is_const: false,
            is_volatile: self.is_volatile(pointee),
            address: Some(address),
            init: None,
            relocations: Vec::new(),
            // No declaration introduces it.
            span: Span { unit: self.id, start: 0, end: 0 },
        };
        self.program.globals.push(global)
    }
}

/// Makes arrays, up to the next variable or the end of the page, of scalars at fixed addresses to which pointers lead.
pub(crate) fn grow(program: &mut Program, linker: &mut Linker) {
    let starts: Vec<u64> = linker.registers.keys().copied().collect();
    let pointed = pointed(program);
    for (&start, &id) in &linker.registers.clone() {
        let global = &program.globals[id];
        let page_end = (start / PAGE + 1) * PAGE;
        let next = starts.iter().copied().find(|other| *other > start).map_or(page_end, |other| other.min(page_end));
        let length = (next - start) / global.size;
        let is_scalar = !matches!(program.ctypes.get(global.ty), CType::Record(_) | CType::Array { .. });
        if is_scalar && length > 1 && pointed.contains(&id) {
            let array = CType::Array { of: global.ty, len: Some(length) };
            program.globals[id].size *= length;
            program.globals[id].ty = linker.intern(&mut program.ctypes, array);
        }
    }
}

/// Globals whose addresses functions do more with than read and write there, or variables hold.
fn pointed(program: &Program) -> BTreeSet<GlobalId> {
    let mut pointed = BTreeSet::new();
    let mut note = |operand: Operand| {
        if let Operand::Global(id, _) = operand {
            pointed.insert(id);
        }
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. } => {}
                InstKind::Store { value, .. } => note(*value),
                kind => kind.operands().into_iter().for_each(&mut note),
            }
        }
        if let TerminatorKind::Return(Some(operand)) = block.terminator.kind {
            note(operand);
        }
    }
    let relocations = program.globals.values().flat_map(|global| &global.relocations);
    pointed.extend(relocations.filter_map(|relocation| match relocation.symbol {
        Symbol::Global(id) => Some(id),
        Symbol::Function(_) => None,
    }));
    pointed
}
