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
    list: List,
    terms: OrdSet<TermId>,
}

/// The terms of a condition in their order. Keeping one costs next to nothing.
#[derive(Clone, Debug, Default)]
pub struct List(Option<Rc<Link>>);

impl List {
    fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    fn digest(&self) -> u64 {
        self.0.as_ref().map_or(0, |link| link.digest)
    }
}

/// The same terms in the same order. Digests tell most of those apart that are not.
impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        if (self.length(), self.digest()) != (other.length(), other.digest()) {
            return false;
        }
        let (mut own, mut theirs) = (self.0.as_ref(), other.0.as_ref());
        while let (Some(a), Some(b)) = (own, theirs) {
            if Rc::ptr_eq(a, b) {
                return true;
            }
            if a.term != b.term {
                return false;
            }
            (own, theirs) = (a.before.as_ref(), b.before.as_ref());
        }
        true
    }
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
            let digest = mixed(self.list.digest(), term);
            self.list.0 = Some(Rc::new(Link { term, before: self.list.0.take(), length, digest }));
        }
    }

    /// The term added last.
    pub fn last(&self) -> Option<TermId> {
        self.list.0.as_ref().map(|link| link.term)
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
        self.list.length()
    }

    /// The terms in their order.
    pub fn list(&self) -> &List {
        &self.list
    }

    /// A number that conditions with the same terms in the same order share, and few others.
    pub fn digest(&self) -> u64 {
        self.list.digest()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.list.0.is_none()
    }

    /// The condition without its last terms, which are given.
    pub fn without(&self, rest: &[TermId]) -> Condition {
        let mut shorter = self.clone();
        for term in rest.iter().rev() {
            let link = shorter.list.0.take().expect("the terms are those of the condition");
            debug_assert_eq!(link.term, *term, "the terms are the last ones");
            shorter.list.0.clone_from(&link.before);
            shorter.terms.remove(term);
        }
        shorter
    }

    /// How many terms this condition shares with another at the beginning, and its own terms after those.
    pub fn beyond(&self, other: &Condition) -> (usize, Vec<TermId>) {
        let (mut own, mut theirs) = (self.list.0.as_ref(), other.list.0.as_ref());
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
impl Drop for List {
    fn drop(&mut self) {
        let mut last = self.0.take();
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
    fn lists_of_the_same_terms_in_the_same_order_are_equal() {
        let mut terms = Terms::new();
        let vars: Vec<_> = (0..4).map(|n| terms.int_var(format!("b{n}"), 1)).collect();
        let of = |order: &[usize]| {
            let mut condition = Condition::default();
            order.iter().for_each(|index| condition.push_back(vars[*index]));
            condition
        };
        assert_eq!(of(&[0, 1, 2]).list(), of(&[0, 1, 2]).list());
        assert_eq!(of(&[]).list(), of(&[]).list());
        let same = of(&[3, 1]);
        assert_eq!(same.clone().list(), same.list());
        for other in [&[0, 2, 1][..], &[0, 1], &[0, 1, 3], &[3, 1, 2], &[]] {
            assert_ne!(of(&[0, 1, 2]).list(), of(other).list(), "{other:?}");
        }
    }

    #[test]
    fn long_conditions_can_be_dropped() {
        let mut terms = Terms::new();
        let mut condition = Condition::default();
        (0..200_000).for_each(|n| condition.push_back(terms.int_var(format!("b{n}"), 1)));
        drop(condition);
    }
}
