//! Loads and stores on abstract states.

use super::cell::{Key, Object};
use super::state::State;
use super::value::{Abs, Targets};
use clew_ir::{Program, Type};
use clew_scalar::Value;

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
    let Type::Int(width) = ty else { return None };
    let relocated = data.relocations.iter().any(|item| item.offset < at + bytes && at < item.offset + 16);
    if !constant || relocated || program.target.big_endian || at + bytes > data.size {
        return None;
    }
    let image = data.init.as_ref()?;
    let byte = |index: u64| image.get(index as usize).copied().unwrap_or(0);
    let bits = (0..bytes).rev().fold(0_u128, |bits, index| bits << 8 | u128::from(byte(at + index)));
    Some(Abs::constant(Value::int(width, bits)))
}

/// Writes a value; gives the cells that changed.
pub(crate) fn store(
    state: &mut State,
    to: &Targets,
    bytes: u64,
    value: Option<&Abs>,
    exposed: &Exposed<'_>,
) -> Vec<Key> {
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

impl State {
    /// All cells and variables of relations.
    pub(crate) fn known_keys(&self) -> impl Iterator<Item = Key> {
        let related = self.octagon.keys().iter().copied().chain(self.rows.keys());
        self.cells.keys().copied().chain(related).collect::<Vec<_>>().into_iter()
    }

    /// Forgets the cells that overlap a range; relations of the cell that begins there are left to the caller.
    fn clear_cells(&mut self, object: Object, at: u64, bytes: u64) -> Vec<Key> {
        let kept = self.octagon.keys().contains(&(object, at)).then(|| self.octagon.clone());
        let gone = self.clear(object, at, bytes);
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
