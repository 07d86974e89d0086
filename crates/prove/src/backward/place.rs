//! Places of a program that hold scalars, and what instructions may do to them: for the search backwards from goals.
//!
//! A temporary is a place; so is a scalar cell of a variable, or of what a parameter points to as long as nothing changes
//! the parameter. Everything else in memory has no name here: what is read from there may be anything, and what is
//! written there may be any place whose address got about.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::{
    Callee, Function, FunctionId, GlobalId, InstKind, LocalId, Operand, Program, TempId, TerminatorKind, Type,
};

/// What an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    /// What a parameter of the function under test points to, by its position.
    Pointee(usize),
}

/// Something that holds a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Temp(FunctionId, TempId),
    Cell { base: Base, at: i64, ty: Type },
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Exact(Base, i64),
    /// Somewhere in the object.
    Within(Base),
    Unknown,
}

/// Places that may hold anything after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lost {
    /// Cells that overlap these bytes.
    Bytes(Base, i64, u64),
    Object(Base),
    /// What parameters point to.
    Pointees,
    /// What pointers may lead to, but for what is in one object.
    Reachable {
        except: Option<Base>,
    },
}

impl Lost {
    /// Whatever a pointer may lead to.
    const ANYTHING: Lost = Lost::Reachable { except: None };
}

/// What is known of a program for the sake of one function under test.
#[derive(Debug)]
pub(super) struct Places {
    root: FunctionId,
    /// Temporaries by what they are the address of.
    addresses: BTreeMap<(FunctionId, TempId), Address>,
    /// Variables whose address goes where stores through pointers may find it.
    escaped: BTreeSet<(FunctionId, LocalId)>,
    /// What calls of a function may change.
    changes: BTreeMap<FunctionId, Vec<Lost>>,
    constant: BTreeSet<GlobalId>,
    pointer_width: u8,
}

impl Places {
    pub(super) fn new(program: &Program, root: FunctionId, functions: &BTreeSet<FunctionId>) -> Places {
        let constant = program.globals.iter().filter(|(_, it)| it.is_const || program.ctypes.is_const(it.ty));
        let mut places = Places {
            root,
            addresses: BTreeMap::new(),
            escaped: BTreeSet::new(),
            changes: BTreeMap::new(),
            constant: constant.map(|(id, _)| id).collect(),
            pointer_width: program.target.pointer_width,
        };
        for &id in functions {
            places.find_addresses(&program.functions[id], id);
        }
        for &id in functions {
            places.find_escapes(&program.functions[id], id);
        }
        places.find_changes(program, functions);
        places
    }

    /// What calls may change: what the function does itself, and what those do that it calls.
    fn find_changes(&mut self, program: &Program, functions: &BTreeSet<FunctionId>) {
        let own = |id: &FunctionId| (*id, self.changed_by(&program.functions[*id], *id));
        let mut changes: BTreeMap<FunctionId, BTreeSet<Lost>> = functions.iter().map(own).collect();
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for &id in functions {
                for callee in callees(&program.functions[id]) {
                    let more = changes.get(&callee).cloned().unwrap_or_else(|| [Lost::ANYTHING].into());
                    let known = changes.get_mut(&id).expect("every function was looked at");
                    if known.contains(&Lost::ANYTHING) || more.is_subset(known) {
                        continue;
                    }
                    known.extend(more);
                    if known.contains(&Lost::ANYTHING) {
                        *known = [Lost::ANYTHING].into();
                    }
                    is_new = true;
                }
            }
        }
        self.changes = changes.into_iter().map(|(id, lost)| (id, lost.into_iter().collect())).collect();
    }

    /// Where an operand leads.
    pub(super) fn address(&self, function: FunctionId, operand: Operand) -> Address {
        match operand {
            Operand::Local(local) => Address::Exact(Base::Local(function, local), 0),
            Operand::Global(global, at) => Address::Exact(Base::Global(global), at),
            Operand::Temp(temp) => self.addresses.get(&(function, temp)).copied().unwrap_or(Address::Unknown),
            _ => Address::Unknown,
        }
    }

    fn find_addresses(&mut self, function: &Function, id: FunctionId) {
        let parameters = if id == self.root { super::super::demands::unchanged(function) } else { Vec::new() };
        let position = |local: LocalId| {
            let (_, temp) = parameters.iter().find(|(known, _)| *known == local)?;
            function.params.iter().position(|param| param.temp == *temp)
        };
        // Definitions come before uses in the order of dominance, which need not be that of the blocks.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for kind in function.blocks.values().flat_map(|block| &block.insts).map(|inst| &inst.kind) {
                let (dest, address) = match *kind {
                    InstKind::Offset { dest, base, bytes, .. } => (dest, self.moved(id, base, bytes)),
                    InstKind::Load { dest, from: Operand::Local(local), volatile: false, .. }
                        if function.temps[dest].ty == Type::Pointer =>
                    {
                        (dest, position(local).map_or(Address::Unknown, |at| Address::Exact(Base::Pointee(at), 0)))
                    }
                    _ => continue,
                };
                changed |= self.addresses.insert((id, dest), address) != Some(address);
            }
        }
    }

    fn moved(&self, function: FunctionId, base: Operand, bytes: Operand) -> Address {
        let by = match bytes {
            Operand::Const(value) => i64::try_from(value.signed()).ok(),
            _ => None,
        };
        match (self.address(function, base), by) {
            (Address::Exact(base, at), Some(by)) => {
                at.checked_add(by).map_or(Address::Within(base), |at| Address::Exact(base, at))
            }
            (Address::Exact(base, _) | Address::Within(base), _) => Address::Within(base),
            (Address::Unknown, _) => Address::Unknown,
        }
    }

    fn find_escapes(&mut self, function: &Function, id: FunctionId) {
        let mut out: Vec<Operand> = Vec::new();
        for block in function.blocks.values() {
            for kind in block.insts.iter().map(|inst| &inst.kind) {
                match kind {
                    InstKind::Load { .. } | InstKind::Fill { .. } | InstKind::Copy { .. } => {}
                    InstKind::Store { value, .. } => out.push(*value),
                    InstKind::Offset { bytes, .. } => out.push(*bytes),
                    other => out.extend(other.operands()),
                }
            }
            if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
                out.push(value);
            }
        }
        for operand in out {
            if let Address::Exact(Base::Local(_, local), _) | Address::Within(Base::Local(_, local)) =
                self.address(id, operand)
            {
                self.escaped.insert((id, local));
            }
        }
    }

    /// What the instructions of a function change for others.
    fn changed_by(&self, function: &Function, id: FunctionId) -> BTreeSet<Lost> {
        if !function.is_defined() {
            return [Lost::ANYTHING].into();
        }
        let own = |lost: &Lost| matches!(lost, Lost::Bytes(Base::Local(..), ..) | Lost::Object(Base::Local(..)));
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        let mut all = BTreeSet::new();
        for inst in insts {
            let callee_is_looked_at = matches!(inst.kind, InstKind::Call { callee: Callee::Direct(_), .. });
            if !callee_is_looked_at {
                all.extend(self.lost(function, id, &inst.kind).into_iter().filter(|lost| !own(lost)));
            }
        }
        all
    }

    /// Cells that an instruction changes or may change, the one it writes exactly included.
    pub(super) fn lost(&self, function: &Function, id: FunctionId, kind: &InstKind) -> Vec<Lost> {
        match kind {
            InstKind::Store { to, value, .. } => {
                let bytes = value.ty(function).bytes(self.pointer_width);
                self.written(id, *to, bytes)
            }
            InstKind::Fill { to, size, .. } | InstKind::Copy { to, size, .. } => self.written(id, *to, *size),
            InstKind::Begin { local } | InstKind::End { local } => vec![Lost::Object(Base::Local(id, *local))],
            InstKind::Call { callee: Callee::Direct(callee), .. } => {
                self.changes.get(callee).cloned().unwrap_or_else(|| vec![Lost::ANYTHING])
            }
            InstKind::Call { .. }
            | InstKind::VaStart { .. }
            | InstKind::VaArg { .. }
            | InstKind::VaCopy { .. }
            | InstKind::VaEnd { .. }
            | InstKind::Release { .. }
            | InstKind::Unsupported { .. } => vec![Lost::ANYTHING],
            _ => Vec::new(),
        }
    }

    fn written(&self, id: FunctionId, to: Operand, bytes: u64) -> Vec<Lost> {
        match self.address(id, to) {
            Address::Exact(base, at) => [Lost::Bytes(base, at, bytes)].into_iter().chain(others(base)).collect(),
            Address::Within(base) => [Lost::Object(base)].into_iter().chain(others(base)).collect(),
            Address::Unknown => vec![Lost::ANYTHING],
        }
    }

    /// Whether pointers whose target is not known may lead into an object.
    fn is_reachable(&self, base: Base) -> bool {
        match base {
            Base::Local(function, local) => self.escaped.contains(&(function, local)),
            Base::Global(global) => !self.constant.contains(&global),
            Base::Pointee(_) => true,
        }
    }

    /// Whether a loss concerns a place.
    pub(super) fn covers(&self, lost: &Lost, place: Place) -> bool {
        let Place::Cell { base, at, ty } = place else { return false };
        match *lost {
            Lost::Bytes(other, from, bytes) => {
                let size = ty.bytes(self.pointer_width) as i128;
                let (from, at) = (i128::from(from), i128::from(at));
                base == other && at < from + i128::from(bytes) && from < at + size
            }
            Lost::Object(other) => base == other,
            Lost::Pointees => matches!(base, Base::Pointee(_)),
            Lost::Reachable { except } => except != Some(base) && self.is_reachable(base),
        }
    }
}

/// What else may be written where an object is: a parameter may point to a global, or to what another points to.
fn others(base: Base) -> Option<Lost> {
    match base {
        Base::Local(..) => None,
        Base::Global(_) => Some(Lost::Pointees),
        Base::Pointee(_) => Some(Lost::Reachable { except: Some(base) }),
    }
}

/// The functions that a function calls by name.
pub(super) fn callees(function: &Function) -> BTreeSet<FunctionId> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    insts
        .filter_map(|inst| match inst.kind {
            InstKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
            _ => None,
        })
        .collect()
}
