//! Hash-consed terms: the language every part of the solver speaks.
//!
//! A term is a small integer into an arena; equal terms have equal ids, and operands always have smaller ids than the
//! terms built on them, so ascending order of ids is a topological order and no walk needs recursion. Operators are
//! exactly those of `clew_scalar`; on top of them come slices (`Extract`, `Concat`), arrays and tables of constants
//! (`Lookup`).
//!
//! Conventions:
//! - A boolean is `Int(1)`; `Not`, `And`, `Or` serve both readings.
//! - All NaNs of a format are one value. Constants hold the canonical one, and `FloatToBits` of a NaN is its encoding.
//!   The identity of floats (`=` of SMT-LIB: NaN equals NaN, `+0` differs from `-0`) is therefore `Eq` of the two
//!   `FloatToBits` and needs no node of its own; see [`Terms::same`].
//! - The constructors ([`Terms::binary`] and its sisters) simplify; [`Terms::intern`] builds the node as it stands. The
//!   simplified form never contains `Truncate` (it is an `Extract`), `Ne`, `Ule`, `Sle` (negations of `Eq`, `Ult`,
//!   `Slt`), `FloatSub` by a constant, nor an operator whose operands are all constants.
//!
//! Memory: [`Terms::mark`] and [`Terms::release`] drop everything created since the mark. The solver does so on `pop`:
//! terms and variables created inside a scope die with it.

mod build;
mod display;
mod node;
mod sort;
mod substitute;
mod table;

use std::hash::{Hash, Hasher};

use clew_scalar::{Type, Value};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

pub(crate) use build::mask;
pub use node::{Node, Operands};
pub use sort::Sort;
use table::Tables;
pub use table::{Table, TableId};

/// A term: an index into [`Terms`].
///
/// A term lives until its arena is released to a mark before it; its index is given again then. Debug builds tell a dead term
/// from the one that has its index, and panic when it is used.
#[derive(Clone, Copy)]
pub struct TermId {
    index: u32,
    /// How often the arena had been released when the term was made.
    #[cfg(debug_assertions)]
    generation: u32,
}

impl TermId {
    /// Stands where there is no term.
    const FILLER: TermId = TermId {
        index: 0,
        #[cfg(debug_assertions)]
        generation: 0,
    };

    /// Position in the arena; operands come before the terms built on them.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl std::fmt::Debug for TermId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TermId({})", self.index)
    }
}

impl PartialEq for TermId {
    fn eq(&self, other: &TermId) -> bool {
        self.index == other.index
    }
}

impl Eq for TermId {}

impl PartialOrd for TermId {
    fn partial_cmp(&self, other: &TermId) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TermId {
    fn cmp(&self, other: &TermId) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}

impl Hash for TermId {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.index.hash(hasher);
    }
}

/// The generation of each term of an arena; nothing in release builds.
#[derive(Clone, Debug, Default)]
struct Generations {
    #[cfg(debug_assertions)]
    of_terms: Vec<u32>,
    #[cfg(debug_assertions)]
    current: u32,
}

impl Generations {
    /// The term that is made next, at an index.
    fn make(&mut self, index: usize) -> TermId {
        let index = u32::try_from(index).expect("an arena holds fewer than 2^32 terms");
        #[cfg(debug_assertions)]
        self.of_terms.push(self.current);
        TermId {
            index,
            #[cfg(debug_assertions)]
            generation: self.current,
        }
    }

    /// The term at an index.
    fn at(&self, index: usize) -> TermId {
        TermId {
            index: index as u32,
            #[cfg(debug_assertions)]
            generation: self.of_terms[index],
        }
    }

    fn release(&mut self, terms: usize) {
        #[cfg(debug_assertions)]
        {
            self.of_terms.truncate(terms);
            self.current += 1;
        }
        let _ = terms;
    }

    /// Panics, in debug builds, when a term has died.
    #[inline]
    fn check(&self, term: TermId) {
        #[cfg(debug_assertions)]
        assert!(
            self.of_terms.get(term.index()) == Some(&term.generation),
            "{term:?} died with its scope: terms that outlive a scope are made before it is opened"
        );
        let _ = term;
    }
}

/// A variable: an index into the variables of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);

impl VarId {
    /// Position in the order of declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable at a position in the order of declaration.
    pub fn from_index(index: usize) -> VarId {
        VarId(u32::try_from(index).expect("there are fewer than 2^32 variables"))
    }
}

/// A free variable of the problem.
#[derive(Clone, Debug)]
pub struct Var {
    /// Name for people; two variables may share one.
    pub name: String,
    /// Scalar type or array sort.
    pub sort: Sort,
    /// The term that stands for the variable.
    pub term: TermId,
}

/// A point in the life of an arena, for [`Terms::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    terms: u32,
    vars: u32,
    tables: u32,
}

impl Mark {
    /// Number of terms that are older than the mark.
    pub fn terms(self) -> usize {
        self.terms as usize
    }

    /// Number of variables that are older than the mark.
    pub fn vars(self) -> usize {
        self.vars as usize
    }
}

/// The arena of terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    generations: Generations,
    /// Sort of each node, parallel to `nodes`.
    sorts: Vec<Sort>,
    /// Variables below each node, parallel to `nodes`; see [`Terms::reach`].
    reaches: Vec<u64>,
    vars: Vec<Var>,
    tables: Tables,
    /// Every node of the arena, found by its hash.
    table: HashTable<TermId>,
    /// Variables that callers share by name, sort and number.
    shared: FxHashMap<(String, Sort, u32), TermId>,
    /// Constructors build nodes as they stand.
    raw: bool,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// An empty arena whose constructors do not simplify: for tests of the simplifier, and to look at a problem as it
    /// was stated.
    pub fn raw() -> Terms {
        Terms { raw: true, ..Terms::default() }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a term.
    pub fn node(&self, term: TermId) -> Node {
        self.generations.check(term);
        self.nodes[term.index()]
    }

    /// The operands of a term.
    pub fn operands(&self, term: TermId) -> Operands {
        self.nodes[term.index()].operands()
    }

    /// The terms, each after its operands.
    pub(crate) fn all(&self) -> impl Iterator<Item = TermId> {
        (0..self.nodes.len()).map(|index| self.generations.at(index))
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.generations.check(term);
        self.sorts[term.index()]
    }

    /// The variables a term depends on, as a set of 64 classes, by the rest of their number: terms whose sets have nothing in
    /// common have no variable in common.
    pub(crate) fn reach(&self, term: TermId) -> u64 {
        self.reaches[term.index()]
    }

    /// The class of a variable in such a set.
    pub(crate) fn reach_of(&self, var: VarId) -> u64 {
        self.reach(self.var(var).term)
    }

    /// The type of a scalar term.
    ///
    /// # Panics
    /// On an array.
    pub fn ty(&self, term: TermId) -> Type {
        match self.sort(term) {
            Sort::Scalar(ty) => ty,
            Sort::Array { .. } => panic!("an array has no scalar type"),
        }
    }

    /// The width in bits of a scalar term.
    pub fn width(&self, term: TermId) -> u8 {
        self.ty(term).width()
    }

    /// The value of a constant term.
    pub fn value(&self, term: TermId) -> Option<Value> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The bits of a constant term.
    pub fn bits(&self, term: TermId) -> Option<u128> {
        self.value(term).map(|value| value.bits)
    }

    /// The variables, in the order of declaration.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// One variable.
    pub fn var(&self, var: VarId) -> &Var {
        &self.vars[var.index()]
    }

    /// The table of the entries, which are integers of a width.
    ///
    /// # Panics
    /// If there are no entries, or they are conditions.
    pub fn table(&mut self, width: u8, entries: &[u128]) -> TableId {
        assert!(width > 1 && !entries.is_empty(), "a table has entries, and they are no conditions");
        self.tables.intern(width, entries)
    }

    /// The entries of a table.
    pub fn entries(&self, table: TableId) -> &Table {
        self.tables.get(table)
    }

    /// Declares a variable and gives the term that stands for it.
    pub fn declare(&mut self, name: impl Into<String>, sort: Sort) -> TermId {
        let var = VarId::from_index(self.vars.len());
        let term = self.append(Node::Var(var), sort);
        self.vars.push(Var { name: name.into(), sort, term });
        term
    }

    /// The variable of that name, sort and number, declared when it is first asked for. Callers that look at one thing
    /// again and again, each time from the beginning, get the same variables each time.
    pub fn shared_var(&mut self, name: &str, sort: Sort, number: u32) -> TermId {
        let key = (name.to_owned(), sort, number);
        if let Some(&term) = self.shared.get(&key) {
            return term;
        }
        let term = self.declare(name, sort);
        self.shared.insert(key, term);
        term
    }

    /// The variable of that name, sort and number, if it has been asked for.
    pub fn find_shared(&self, name: &str, sort: Sort, number: u32) -> Option<TermId> {
        self.shared.get(&(name.to_owned(), sort, number)).copied()
    }

    /// The term of a node as it stands, without any simplification.
    ///
    /// # Panics
    /// When the operands do not fit the operator: that is a mistake of the caller.
    pub fn intern(&mut self, node: Node) -> TermId {
        debug_assert!(!matches!(node, Node::Var(_)), "variables come from `declare`");
        let hash = hash_of(&node);
        let found = self.table.find(hash, |&term| self.nodes[term.index()] == node);
        match found {
            Some(&term) => term,
            None => {
                let sort = sort::of_node(self, &node);
                self.append(node, sort)
            }
        }
    }

    /// A point to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            terms: u32::try_from(self.nodes.len()).expect("an arena holds fewer than 2^32 terms"),
            vars: VarId::from_index(self.vars.len()).0,
            tables: self.tables.len(),
        }
    }

    /// Drops every term and variable created since the mark. Their ids will be given again.
    pub fn release(&mut self, mark: Mark) {
        for index in mark.terms()..self.nodes.len() {
            let entry = self.table.find_entry(hash_of(&self.nodes[index]), |term| term.index() == index);
            entry.expect("every node is in the table").remove();
        }
        self.nodes.truncate(mark.terms());
        self.generations.release(mark.terms());
        self.sorts.truncate(mark.terms());
        self.reaches.truncate(mark.terms());
        self.vars.truncate(mark.vars());
        self.tables.truncate(mark.tables);
        self.shared.retain(|_, term| term.index() < mark.terms());
    }

    fn append(&mut self, node: Node, sort: Sort) -> TermId {
        let term = self.generations.make(self.nodes.len());
        let hash = hash_of(&node);
        let reach = match node {
            Node::Var(var) => 1 << (var.index() % 64),
            _ => node.operands().iter().fold(0, |reach, operand| reach | self.reaches[operand.index()]),
        };
        self.nodes.push(node);
        self.sorts.push(sort);
        self.reaches.push(reach);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, term, |term| hash_of(&nodes[term.index()]));
        term
    }
}

fn hash_of(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}
