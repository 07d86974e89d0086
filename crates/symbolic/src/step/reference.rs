//! Aliases that show in what is read after a write.
//!
//! Where references of the input may lead to one object (`Config::references`), as in Java, a read of a part of an input
//! object that was written in another one of its type may see that write. The path on which both are one object is left
//! open, as it is where the program compares the references ([`super::alias`]). What C lets overlap is the matter of
//! [`super::overlap`].

use super::access::CheckedPlace;
use super::alias::Use;
use crate::input::Root;
use crate::memory::ObjectId;
use crate::value::{Base, Pointer, Scalar};
use crate::{Path, Stepper};

impl Stepper<'_> {
    /// Leaves open that a read sees what was written in another object of the input.
    pub(super) fn relate_objects(&mut self, path: &Path, place: &CheckedPlace, bytes: u64) {
        if !self.config.references || self.leads(path, place.object).is_none() {
            return;
        }
        let at = place.offset.bits().and_then(|at| u64::try_from(at).ok());
        let others = path.state.inputs.objects.iter().filter(|other| {
            other.object != place.object
                && matches!(other.root, Root::Behind(_))
                && is_written(path, other.object, at, bytes)
        });
        let others: Vec<ObjectId> = others.map(|other| other.object).collect();
        for other in others {
            let [one, two] = [place.object, other].map(|object| self.beginning(object));
            self.may_alias(path, one, two, Use::Equality);
        }
    }

    fn beginning(&self, object: ObjectId) -> Pointer {
        Pointer { base: Base::Object(object), offset: Scalar::int(self.program.target.pointer_width, 0) }
    }
}

/// Whether the program wrote an object of the input where an access of so many bytes may lie: anywhere if that is not known.
fn is_written(path: &Path, object: ObjectId, at: Option<u64>, bytes: u64) -> bool {
    let overlaps = |start: u64, size: u64| at.is_none_or(|at| start < at + bytes && at < start + size);
    let is_original = |start: u64, size: u64, val| {
        let mut leaves = path.state.inputs.leaves.iter();
        leaves.any(|leaf| leaf.object == object && leaf.at == start && leaf.bytes == size && leaf.val == val)
    };
    let mut cells = path.state.memory.get(object).cells();
    cells.any(|(start, size, val)| overlaps(start, size) && !is_original(start, size, val))
}
