//! The condition of a path: a list of terms that grows at the end and is shared by the paths that begin with it.
//!
//! Copying costs nothing, a term is kept once, and what two conditions have in common is found in the time it takes to
//! walk back over what they have not.

use std::rc::Rc;

use clew_solver::term::TermId;
use imbl::OrdSet;

/// What must hold of the input, in the order it was met.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    last: Option<Rc<Link>>,
    terms: OrdSet<TermId>,
}

#[derive(Debug)]
struct Link {
    term: TermId,
    before: Option<Rc<Link>>,
    /// Terms up to this one.
    length: usize,
    /// Of all terms up to this one, in order.
    digest: u64,
}

impl Condition {
    /// Adds a term, unless it is there.
    pub fn push_back(&mut self, term: TermId) {
        if self.terms.insert(term).is_none() {
            let length = self.len() + 1;
            let digest = mixed(self.digest(), term);
            self.last = Some(Rc::new(Link { term, before: self.last.take(), length, digest }));
        }
    }

    /// The term added last.
    pub fn last(&self) -> Option<TermId> {
        self.last.as_ref().map(|link| link.term)
    }

    /// Whether a term was added.
    pub fn contains(&self, term: TermId) -> bool {
        self.terms.contains(&term)
    }

    /// The terms that were made after another one, oldest first.
    pub fn since(&self, term: TermId) -> Vec<TermId> {
        self.terms.range(term..).copied().collect()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.length)
    }

    /// A number that conditions with the same terms in the same order share.
    pub fn digest(&self) -> u64 {
        self.last.as_ref().map_or(0, |link| link.digest)
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The condition without its last terms, which are given.
    pub fn without(&self, rest: &[TermId]) -> Condition {
        let mut shorter = self.clone();
        for term in rest.iter().rev() {
            let link = shorter.last.take().expect("the terms are those of the condition");
            debug_assert_eq!(link.term, *term, "the terms are the last ones");
            shorter.last.clone_from(&link.before);
            shorter.terms.remove(term);
        }
        shorter
    }

    /// How many terms this condition shares with another at the beginning, and its own terms after those.
    pub fn beyond(&self, other: &Condition) -> (usize, Vec<TermId>) {
        let (mut own, mut theirs) = (self.last.as_ref(), other.last.as_ref());
        let mut rest = Vec::new();
        loop {
            let (here, there) = (own.map_or(0, |link| link.length), theirs.map_or(0, |link| link.length));
            let same = match (own, theirs) {
                (Some(own), Some(theirs)) => Rc::ptr_eq(own, theirs),
                (own, theirs) => own.is_none() && theirs.is_none(),
            };
            if same {
                rest.reverse();
                return (here, rest);
            }
            if here >= there {
                rest.extend(own.map(|link| link.term));
                own = own.and_then(|link| link.before.as_ref());
            }
            if there >= here {
                theirs = theirs.and_then(|link| link.before.as_ref());
            }
        }
    }
}

/// Mixes a term into a digest, after the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(digest: u64, term: TermId) -> u64 {
    let mut mixed = digest.rotate_left(23) ^ (term.index() as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Long lists are taken apart link by link: the compiler's way would recurse.
impl Drop for Condition {
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(link) = last {
            last = Rc::into_inner(link).and_then(|mut link| link.before.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;
    use clew_solver::term::Terms;

    #[test]
    fn conditions_know_what_they_share() {
        let mut terms = Terms::new();
        let vars: Vec<_> = (0..6).map(|n| terms.int_var(format!("b{n}"), 1)).collect();
        let mut one = Condition::default();
        vars[..3].iter().for_each(|var| one.push_back(*var));
        let mut other = one.clone();
        assert_eq!(one.beyond(&other), (3, vec![]));
        one.push_back(vars[3]);
        other.push_back(vars[4]);
        other.push_back(vars[5]);
        other.push_back(vars[0]);
        assert_eq!((one.len(), other.len()), (4, 5));
        assert_eq!(one.beyond(&other), (3, vec![vars[3]]));
        assert_eq!(other.beyond(&one), (3, vec![vars[4], vars[5]]));
        assert_eq!(one.beyond(&Condition::default()).1.len(), 4);
        assert_eq!(one.without(&[vars[3]]).beyond(&other), (3, vec![]));
        assert!(other.contains(vars[0]) && !other.contains(vars[3]));
    }

    #[test]
    fn long_conditions_can_be_dropped() {
        let mut terms = Terms::new();
        let mut condition = Condition::default();
        (0..200_000).for_each(|n| condition.push_back(terms.int_var(format!("b{n}"), 1)));
        drop(condition);
    }
}
