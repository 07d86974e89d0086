//! Pointers that are moved on in their cells, `c = *p++`: what was known behind them is known still, so many bytes before.

use super::cell::Key;
use super::engine::Engine;
use super::reads::{Reads, Writing};
use super::transfer::Walk;
use super::value::Targets;
use clew_ir::{InstKind, Operand, TempId};

/// What is known once a pointer has moved on.
pub(crate) struct Step {
    reads: Reads,
    /// Temporaries that hold what the cell held before, with the bytes by which it has moved since.
    holders: Vec<(TempId, (Key, i128))>,
}

impl<'p> Engine<'p> {
    /// What is known behind the pointer in a cell if the value about to be stored there moves it on.
    pub(crate) fn stepped(&self, walk: &Walk<'p>, to: &Targets, key: Key, value: Operand) -> Option<Step> {
        let by = distance(walk, key, value)?;
        let exposed = |object| self.exposed(object);
        let reads = walk.state.reads.moved(key, by, &Writing { to, exposed: &exposed, cells: &walk.state.cells });
        Some(Step { reads, holders: holders(walk, key, by) })
    }
}

impl Walk<'_> {
    /// Takes over what is known behind a pointer that has moved on.
    pub(crate) fn step(&mut self, step: Step) {
        self.state.reads.extend(step.reads);
        self.behind.extend(step.holders);
    }
}

/// The bytes by which a value that is about to be stored moves on the pointer in that cell.
fn distance(walk: &Walk<'_>, key: Key, value: Operand) -> Option<i128> {
    let Operand::Temp(temp) = value else { return None };
    let Some(InstKind::Offset { base: Operand::Temp(base), bytes: Operand::Const(by), .. }) = walk.defined.get(&temp)
    else {
        return None;
    };
    (walk.loaded.get(base) == Some(&key)).then(|| by.signed())
}

/// The temporaries that hold what a cell holds, or held before, once it has moved on by some bytes.
fn holders(walk: &Walk<'_>, key: Key, by: i128) -> Vec<(TempId, (Key, i128))> {
    let now = walk.loaded.iter().filter(|(_, known)| **known == key).map(|(temp, _)| (*temp, (key, by)));
    let before = walk.behind.iter().filter(|(_, (known, _))| *known == key);
    now.chain(before.map(|(temp, (_, earlier))| (*temp, (key, earlier + by)))).collect()
}
