//! The constraint store: a domain for every term, kept consistent by propagators, undone by a trail.
//!
//! Posting an assertion activates its subterms (each becomes a *cell* with a domain), makes the assertion true, and runs
//! the propagators of `propagate` from a queue until nothing changes: a cell's propagator relates its domain to those
//! of its operands, in all directions, and runs again when one of them changes. Posting is incremental; undoing a level
//! restores every domain and forgets the cells that came after.
//!
//! Bounds can creep (`x < y`, `y < x` at 64 bits), so the changes of one cell wake others only a limited number of
//! times per propagation. What is left is then no fixpoint, which is sound. Every change notes its cause, so that a
//! conflict can name the assertions it rests on ([`Store::explain_conflict`]).
//!
//! Arrays have no domains: their cells are opaque, and so is what is read from them.

mod domain;
mod explain;
mod field;
mod handle;
mod probe;
mod revise;

use crate::policy;
use std::collections::VecDeque;

use crate::clock;
use crate::domain::Conflict;
use crate::term::{Mark, Node, Sort, TermId, Terms};
use clew_scalar::{BinaryOp, Conversion};
use field::Fields;

pub(crate) use domain::Domain;
pub(crate) use explain::Explanation;

/// A cell: an index into the cells of a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot(u32);

impl Slot {
    const NONE: Slot = Slot(u32::MAX);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The end of a list of uses.
const NO_USE: u32 = u32::MAX;

/// A term in the store.
#[derive(Clone, Copy, Debug)]
struct Cell {
    term: TermId,
    node: Node,
    operands: [Slot; 3],
    /// Whether the cell is `Eq` of two `FloatToBits`, whose operands are then the floats themselves.
    identity: bool,
    /// Head of the list of cells that have this one as an operand.
    first_use: u32,
    /// Changes since propagation began.
    changes: u16,
    queued: bool,
}

#[derive(Clone, Copy, Debug)]
struct Use {
    user: Slot,
    next: u32,
}

/// Why a domain changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// The search tried something.
    Decision,
    /// The cell is an assertion, the one of the level.
    Assertion(u32),
    /// The propagator of a cell.
    Cell(Slot),
    /// The contrary was refuted, for the reason with this number.
    Refuted(u32),
}

#[derive(Clone, Copy, Debug)]
struct Change {
    slot: Slot,
    old: Domain,
    cause: Cause,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    cells: usize,
    uses: usize,
    trail: usize,
    reasons: usize,
}

/// Domains of terms.
#[derive(Default)]
pub(crate) struct Store {
    /// By term; [`Slot::NONE`] where the term is not active.
    slots: Vec<Slot>,
    cells: Vec<Cell>,
    domains: Vec<Domain>,
    uses: Vec<Use>,
    trail: Vec<Change>,
    levels: Vec<Level>,
    /// The assertions that refuted something, by number.
    reasons: Vec<Vec<u32>>,
    queue: VecDeque<Slot>,
    fields: Fields,
    /// Cells that changed since propagation began.
    touched: Vec<Slot>,
    /// Propagators run since the store was made.
    steps: u64,
    /// Where the last conflict was found, and who found it.
    failed: Option<(Slot, Cause)>,
}

impl Store {
    /// Propagators run so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of open levels.
    pub(crate) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Opens a level.
    pub(crate) fn open(&mut self) {
        self.levels.push(Level {
            cells: self.cells.len(),
            uses: self.uses.len(),
            trail: self.trail.len(),
            reasons: self.reasons.len(),
        });
    }

    /// Undoes everything since there were so many levels.
    pub(crate) fn undo(&mut self, levels: usize) {
        let Some(&level) = self.levels.get(levels) else { return };
        self.levels.truncate(levels);
        self.reasons.truncate(level.reasons);
        for change in self.trail.drain(level.trail..).rev() {
            self.domains[change.slot.index()] = change.old;
        }
        for index in (level.cells..self.cells.len()).rev() {
            let cell = self.cells[index];
            self.slots[cell.term.index()] = Slot::NONE;
            for operand in distinct(cell.operands).rev() {
                let head = &mut self.cells[operand.index()].first_use;
                *head = self.uses[*head as usize].next;
            }
        }
        self.cells.truncate(level.cells);
        self.domains.truncate(level.cells);
        self.uses.truncate(level.uses);
    }

    /// Posts an assertion at a new level; `number` names it in explanations.
    pub(crate) fn post(&mut self, terms: &Terms, assertion: TermId, number: usize) -> Result<(), Conflict> {
        self.open();
        let first = self.cells.len();
        let root = self.activate(terms, assertion);
        for index in first..self.cells.len() {
            self.wake(Slot(index as u32));
        }
        self.change(root, Domain::TRUE, Cause::Assertion(number as u32))?;
        self.propagate(terms)
    }

    /// What is known about a term, active or not.
    pub(crate) fn range(&mut self, terms: &Terms, term: TermId) -> Result<Domain, Conflict> {
        let levels = self.levels();
        self.open();
        let first = self.cells.len();
        let slot = self.activate(terms, term);
        for index in first..self.cells.len() {
            self.wake(Slot(index as u32));
        }
        let result = self.propagate(terms).map(|()| self.domains[slot.index()]);
        self.undo(levels);
        result
    }

    /// Narrows a cell by decision, at a new level.
    pub(crate) fn decide(&mut self, terms: &Terms, slot: Slot, domain: Domain) -> Result<(), Conflict> {
        self.open();
        self.change(slot, domain, Cause::Decision)?;
        self.propagate(terms)
    }

    /// Forgets the places of released terms; their cells have been undone.
    pub(crate) fn release(&mut self, mark: Mark) {
        debug_assert!(self.cells.iter().all(|cell| cell.term.index() < mark.terms()), "no released term is active");
        self.slots.truncate(mark.terms());
        self.fields.release(mark);
    }

    /// The cell of a term, if it is active.
    pub(crate) fn slot(&self, term: TermId) -> Option<Slot> {
        self.slots.get(term.index()).copied().filter(|&slot| slot != Slot::NONE)
    }

    /// What is known about a cell.
    pub(crate) fn domain(&self, slot: Slot) -> &Domain {
        &self.domains[slot.index()]
    }

    /// Makes cells of a term and everything below it, operands first.
    fn activate(&mut self, terms: &Terms, root: TermId) -> Slot {
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), Slot::NONE);
        }
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let before = stack.len();
            if self.slots[term.index()] == Slot::NONE {
                let (operands, _) = relevant_operands(terms, term);
                stack.extend(operands.filter(|operand| self.slots[operand.index()] == Slot::NONE));
            }
            if stack.len() == before {
                stack.pop();
                if self.slots[term.index()] == Slot::NONE {
                    self.add_cell(terms, term);
                }
            }
        }
        self.slots[root.index()]
    }

    fn add_cell(&mut self, terms: &Terms, term: TermId) {
        let slot = Slot(u32::try_from(self.cells.len()).expect("a store holds fewer than 2^32 cells"));
        let mut operands = [Slot::NONE; 3];
        let (terms_below, identity) = relevant_operands(terms, term);
        for (place, operand) in operands.iter_mut().zip(terms_below) {
            *place = self.slots[operand.index()];
        }
        for operand in distinct(operands) {
            let head = &mut self.cells[operand.index()].first_use;
            self.uses.push(Use { user: slot, next: *head });
            *head = (self.uses.len() - 1) as u32;
        }
        let node = terms.node(term);
        self.cells.push(Cell { term, node, operands, identity, first_use: NO_USE, changes: 0, queued: false });
        let domain = self.fields.domain(terms, term).unwrap_or_else(|| Domain::of_node(terms, term));
        self.domains.push(domain);
        self.slots[term.index()] = slot;
    }

    /// Runs propagators until nothing changes or patience ends.
    fn propagate(&mut self, terms: &Terms) -> Result<(), Conflict> {
        let mut result = Ok(());
        while let Some(slot) = self.queue.pop_front() {
            self.cells[slot.index()].queued = false;
            self.steps += 1;
            clock::spend(clock::PROPAGATOR);
            if let Err(conflict) = self.revise(terms, slot) {
                self.failed = Some((slot, Cause::Cell(slot)));
                result = Err(conflict);
                break;
            }
        }
        self.settle();
        result
    }

    /// Leaves the queue and the counters of changes empty.
    fn settle(&mut self) {
        for slot in std::mem::take(&mut self.queue) {
            self.cells[slot.index()].queued = false;
        }
        while let Some(slot) = self.touched.pop() {
            self.cells[slot.index()].changes = 0;
        }
    }

    /// Narrows a cell to what both domains allow, and wakes who must know.
    fn change(&mut self, slot: Slot, domain: Domain, cause: Cause) -> Result<(), Conflict> {
        let narrowed = self.domains[slot.index()].meet(&domain);
        let Ok(narrowed) = narrowed else {
            self.failed = Some((slot, cause));
            self.settle();
            return Err(Conflict);
        };
        self.replace(slot, narrowed, cause);
        Ok(())
    }

    /// Sets the domain of a cell, known to be narrower than before.
    fn replace(&mut self, slot: Slot, domain: Domain, cause: Cause) {
        let old = self.domains[slot.index()];
        if old == domain {
            return;
        }
        self.trail.push(Change { slot, old, cause });
        self.domains[slot.index()] = domain;
        let cell = &mut self.cells[slot.index()];
        if cell.changes == 0 {
            self.touched.push(slot);
        }
        cell.changes = cell.changes.saturating_add(1);
        if cell.changes <= policy::MAX_CHANGES.get().min(65_000) as u16 {
            self.wake_around(slot);
        }
    }

    fn wake_around(&mut self, slot: Slot) {
        self.wake(slot);
        let mut at = self.cells[slot.index()].first_use;
        while at != NO_USE {
            let Use { user, next } = self.uses[at as usize];
            self.wake(user);
            at = next;
        }
    }

    fn wake(&mut self, slot: Slot) {
        let cell = &mut self.cells[slot.index()];
        let has_propagator = !matches!(cell.node, Node::Const(_) | Node::Var(_));
        if has_propagator && !cell.queued {
            cell.queued = true;
            self.queue.push_back(slot);
        }
    }
}

/// The operands a cell's propagator relates, and whether the cell is an identity of floats.
fn relevant_operands(terms: &Terms, term: TermId) -> (impl Iterator<Item = TermId> + use<>, bool) {
    let identity = identity_operands(terms, term);
    let operands = match identity {
        Some((x, y)) => [Some(x), Some(y), None],
        None => {
            let mut operands = [None; 3];
            for (place, operand) in operands.iter_mut().zip(terms.operands(term)) {
                *place = Some(operand);
            }
            operands
        }
    };
    (operands.into_iter().flatten(), identity.is_some())
}

/// The floats of an `Eq` of two `FloatToBits`.
fn identity_operands(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    let Node::Binary(BinaryOp::Eq, a, b) = terms.node(term) else { return None };
    match (terms.node(a), terms.node(b)) {
        (Node::Convert(Conversion::FloatToBits, x), Node::Convert(Conversion::FloatToBits, y)) => {
            (terms.sort(x) == terms.sort(y)).then_some((x, y))
        }
        _ => None,
    }
}

/// The operands that are there, each once.
fn distinct(operands: [Slot; 3]) -> impl DoubleEndedIterator<Item = Slot> {
    let is_first = move |&at: &usize| operands[at] != Slot::NONE && !operands[..at].contains(&operands[at]);
    (0..operands.len()).filter(is_first).map(move |at| operands[at])
}

/// Whether a term is an array.
fn is_array(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort(term), Sort::Array { .. })
}
