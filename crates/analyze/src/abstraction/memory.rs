//! Loads and stores on abstract states.

use super::cell::{Key, Object};
use super::reads::Writing;
use super::state::State;
use super::value::{Abs, Targets};
use clew_ir::{Program, Relocation, Symbol, Type};
use clew_scalar::Value;
use clew_solver::domain::int::IntDomain;

/// What may be reached through unknown pointers.
pub(crate) type Exposed<'a> = dyn Fn(Object) -> bool + 'a;

/// What a load may give.
pub(crate) fn load(program: &Program, state: &State, from: &Targets, ty: Type) -> Abs {
    if from.any || !from.functions.is_empty() || from.objects.is_empty() {
        return Abs::top(ty);
    }
    let mut result: Option<Abs> = None;
    for (object, offset) in &from.objects {
        let Some(at) = offset.value().and_then(|at| u64::try_from(at).ok()) else { return Abs::top(ty) };
        let value = load_at(program, state, (*object, at), ty);
        result = match result {
            None => Some(value),
            Some(known) => known.join(&value),
        };
        if result.is_none() {
            return Abs::top(ty);
        }
    }
    result.unwrap_or_else(|| Abs::top(ty))
}

fn load_at(program: &Program, state: &State, key: Key, ty: Type) -> Abs {
    let bytes = ty.bytes(program.target.pointer_width);
    match state.cells.get(&key) {
        Some((size, abs)) if *size == bytes && abs.fits(ty) => abs.clone(),
        Some(_) => Abs::top(ty),
        None => constant(program, key, ty, bytes).unwrap_or_else(|| Abs::top(ty)),
    }
}

/// What a constant global holds.
fn constant(program: &Program, (object, at): Key, ty: Type, bytes: u64) -> Option<Abs> {
    let Object::Global(global) = object else { return None };
    let data = &program.globals[global];
    let constant = data.is_const || program.ctypes.is_const(data.ty);
    if !constant || program.target.big_endian || at + bytes > data.size {
        return None;
    }
    let image = data.init.as_ref()?;
    let mut relocated = data.relocations.iter().filter(|item| item.offset < at + bytes && at < item.offset + 16);
    match (ty, relocated.next()) {
        (Type::Int(width), None) => {
            let byte = |index: u64| image.get(index as usize).copied().unwrap_or(0);
            let bits = (0..bytes).rev().fold(0_u128, |bits, index| bits << 8 | u128::from(byte(at + index)));
            Some(Abs::constant(Value::int(width, bits)))
        }
        (Type::Pointer, _) => data.relocations.iter().find(|item| item.offset == at).map(|item| address(program, item)),
        _ => None,
    }
}

/// What a stored address leads to.
fn address(program: &Program, item: &Relocation) -> Abs {
    let width = program.target.pointer_width;
    let mask = u128::MAX >> (128 - u32::from(width));
    Abs::Pointer(match item.symbol {
        Symbol::Global(global) => {
            let offset = IntDomain::singleton(width, item.addend as i128 as u128 & mask);
            Targets::object(Object::Global(global), offset)
        }
        Symbol::Function(function) => Targets::function(function),
    })
}

/// Writes a value; gives the cells that changed.
pub(crate) fn store(
    state: &mut State,
    to: &Targets,
    bytes: u64,
    value: Option<&Abs>,
    exposed: &Exposed<'_>,
) -> Vec<Key> {
    let State { reads, cells, passed, .. } = state;
    reads.written(&Writing { to, exposed, cells });
    passed.written(to, exposed);
    if let Some((object, at)) = to.place() {
        let Some(value) = value else { return state.clear(object, at, bytes) };
        let mut changed = state.clear_cells(object, at, bytes);
        changed.push((object, at));
        state.cells.insert((object, at), (bytes, value.clone()));
        return changed;
    }
    let mut changed = Vec::new();
    if to.any {
        let gone: Vec<Key> = state.known_keys().filter(|key| exposed(key.0)).collect();
        state.forget(&|key| gone.contains(key));
        changed.extend(gone);
    }
    for (object, offset) in &to.objects {
        let (low, high) = (offset.unsigned_min(), offset.unsigned_max());
        let size = u64::try_from(high - low).unwrap_or(u64::MAX).saturating_add(bytes);
        changed.extend(state.weaken(*object, u64::try_from(low).unwrap_or(0), size, bytes, value));
    }
    changed
}

/// Copies what is known of some bytes of one object to others; gives the cells that changed.
pub(crate) fn copy(state: &mut State, to: &Targets, from: &Targets, bytes: u64, exposed: &Exposed<'_>) -> Vec<Key> {
    let inside = |(object, at): Key, key: &Key, size: u64| {
        key.0 == object && key.1 >= at && key.1.saturating_add(size) <= at.saturating_add(bytes)
    };
    let known: Vec<(u64, (u64, Abs))> = match from.place() {
        Some(source) => {
            let cells = state.cells.iter().filter(|(key, (size, _))| inside(source, key, *size));
            cells.map(|(key, cell)| (key.1 - source.1, cell.clone())).collect()
        }
        None => Vec::new(),
    };
    let mut changed = store(state, to, bytes, None, exposed);
    if let Some((object, at)) = to.place() {
        for (by, cell) in known {
            state.cells.insert((object, at + by), cell);
            changed.push((object, at + by));
        }
    }
    changed
}

/// Sets some bytes of an object whose scalars are known; gives the cells that changed.
pub(crate) fn fill(
    program: &Program,
    state: &mut State,
    to: &Targets,
    (byte, bytes): (u8, u64),
    exposed: &Exposed<'_>,
) -> Vec<Key> {
    let mut changed = store(state, to, bytes, None, exposed);
    let Some((object, start)) = to.place() else { return changed };
    for (at, ty) in object.scalars(program) {
        let size = ty.bytes(program.target.pointer_width);
        let bits = (0..size.min(16)).fold(0_u128, |bits, _| bits << 8 | u128::from(byte));
        let value = match ty {
            Type::Pointer if byte == 0 => Abs::Pointer(Targets::null()),
            Type::Pointer => continue,
            other => Abs::constant(Value::new(other.scalar(program.target.pointer_width), bits)),
        };
        if at >= start && at + size <= start.saturating_add(bytes) {
            state.cells.insert((object, at), (size, value));
            changed.push((object, at));
        }
    }
    changed
}

impl State {
    /// All cells and variables of relations.
    pub(crate) fn known_keys(&self) -> impl Iterator<Item = Key> {
        self.cells.keys().copied().chain(self.related_keys()).collect::<Vec<_>>().into_iter()
    }

    /// The variables of relations.
    pub(crate) fn related_keys(&self) -> impl Iterator<Item = Key> {
        let related = self.octagon.keys().iter().copied().chain(self.rows.keys());
        related.chain(self.equalities.keys().iter().copied()).collect::<Vec<_>>().into_iter()
    }

    /// Forgets the cells that overlap a range; relations of the cell that begins there are left to the caller.
    fn clear_cells(&mut self, object: Object, at: u64, bytes: u64) -> Vec<Key> {
        let kept = self.octagon.keys().contains(&(object, at)).then(|| self.octagon.clone());
        let mut equalities = self.equalities.clone();
        let gone = self.clear(object, at, bytes);
        equalities.forget(&|key| *key != (object, at) && gone.contains(key));
        self.equalities = equalities;
        if let Some(mut octagon) = kept {
            octagon.forget(|key| *key != (object, at) && gone.contains(key));
            self.octagon = octagon;
        }
        gone
    }

    /// A store that may or may not hit: the cell that may be hit exactly has the old or the new value, others are lost.
    fn weaken(&mut self, object: Object, at: u64, range: u64, bytes: u64, value: Option<&Abs>) -> Vec<Key> {
        let exact = self.cells.get(&(object, at)).filter(|(size, _)| *size == bytes && range == bytes).cloned();
        let gone = self.clear(object, at, range);
        if let (Some((_, old)), Some(value)) = (exact, value)
            && let Some(joined) = old.join(value)
        {
            self.cells.insert((object, at), (bytes, joined));
        }
        gone
    }
}
