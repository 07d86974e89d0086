//! The values of the temporaries of one activation, as far as code may still read them.
//!
//! They are copied with the activation at every branch, so the fewer the better: when control leaves a block, only those
//! stay that other blocks read ([`clew_ir::Liveness`]), and in a long block those go that it has read for the last time.

use clew_ir::{Function, TempId};

use crate::packed::Packed;
use crate::value::Val;

/// So many are kept before those are looked for that are not needed any more.
const FEW: usize = 16;

/// Values by temporaries, in their order.
#[derive(Clone, Debug, Default)]
pub struct Temps(Vec<(TempId, Packed)>);

impl Temps {
    /// The value of a temporary, if it has one.
    pub fn get(&self, temp: TempId) -> Option<Val> {
        self.place(temp).ok().map(|at| self.0[at].1.val())
    }

    /// Gives a temporary its value.
    pub fn set(&mut self, temp: TempId, val: Val) {
        let val = val.into();
        match self.place(temp) {
            Ok(at) => self.0[at].1 = val,
            Err(at) => self.0.insert(at, (temp, val)),
        }
    }

    /// Control leaves a block.
    pub(crate) fn leave_block(&mut self, function: &Function) {
        if !self.0.is_empty() {
            self.0.retain(|(temp, _)| function.liveness().is_live_out(*temp));
        }
    }

    /// Forgets what no instruction reads from one of the running block on, if there are many.
    pub(crate) fn tidy(&mut self, function: &Function, at: usize) {
        if self.0.len() >= FEW {
            self.0.retain(|(temp, _)| function.liveness().is_read_from(*temp, at));
        }
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = (TempId, Val)> {
        self.0.iter().map(|(temp, val)| (*temp, val.val()))
    }

    /// Replaces every value.
    pub fn replace(&mut self, mut name: impl FnMut(Val) -> Val) {
        self.0.iter_mut().for_each(|(_, val)| *val = name(val.val()).into());
    }

    fn place(&self, temp: TempId) -> Result<usize, usize> {
        match self.0.last() {
            Some((last, _)) if *last < temp => Err(self.0.len()),
            _ => self.0.binary_search_by_key(&temp, |(temp, _)| *temp),
        }
    }
}

impl FromIterator<(TempId, Val)> for Temps {
    fn from_iter<T: IntoIterator<Item = (TempId, Val)>>(vals: T) -> Temps {
        let mut temps = Temps::default();
        vals.into_iter().for_each(|(temp, val)| temps.set(temp, val));
        temps
    }
}
