//! Terms with variables that are bound and unbound again: nodes in one vector, a trail of bindings.
//!
//! Every operation is a loop. Going back to a [`Mark`] truncates the vectors, so nothing is freed piece by piece.

use crate::tree::{Item, Tree};
use clew_frontend_rules::spec::ConId;

/// Index of a node.
pub(crate) type Term = u32;

/// No term.
pub(crate) const NONE: Term = u32::MAX;

/// A node of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A variable: what it is bound to or [`NONE`], the place of that binding on the trail, and the number of its name.
    Var { to: Term, at: u32, name: u32 },
    /// A constructor: its arguments are a range of [`Store::args`].
    Con { con: ConId, first: u32, len: u32 },
    /// An integer.
    Int(i32),
}

/// A moment to which the store can go back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    nodes: u32,
    args: u32,
    trail: u32,
}

/// All terms of a search.
#[derive(Debug, Default)]
pub(crate) struct Store {
    nodes: Vec<Node>,
    args: Vec<Term>,
    trail: Vec<Term>,
    work: Vec<(Term, Term)>,
    /// Whether no variable can come to contain itself: the terms of ground evaluation are made from the inside.
    pub(crate) is_acyclic: bool,
}

impl Store {
    pub(crate) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len() as u32, args: self.args.len() as u32, trail: self.trail.len() as u32 }
    }

    /// Undoes everything since a moment.
    pub(crate) fn undo(&mut self, mark: Mark) {
        self.undo_bindings(mark.trail);
        self.nodes.truncate(mark.nodes as usize);
        self.args.truncate(mark.args as usize);
    }

    fn undo_bindings(&mut self, length: u32) {
        while self.trail.len() as u32 > length {
            let var = self.trail.pop().expect("the trail is longer than the mark");
            if let Some(Node::Var { to, .. }) = self.nodes.get_mut(var as usize) {
                *to = NONE;
            }
        }
    }

    /// How many bindings there are.
    pub(crate) fn bindings(&self) -> u32 {
        self.trail.len() as u32
    }

    fn push(&mut self, node: Node) -> Term {
        self.nodes.push(node);
        (self.nodes.len() - 1) as Term
    }

    pub(crate) fn var(&mut self, name: u32) -> Term {
        self.push(Node::Var { to: NONE, at: 0, name })
    }

    pub(crate) fn int(&mut self, value: i32) -> Term {
        self.push(Node::Int(value))
    }

    pub(crate) fn con(&mut self, con: ConId, args: &[Term]) -> Term {
        let first = self.keep(args);
        self.push(Node::Con { con, first, len: args.len() as u32 })
    }

    /// Keeps a list of terms; where it starts.
    pub(crate) fn keep(&mut self, args: &[Term]) -> u32 {
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        first
    }

    /// A term of a list that was kept.
    pub(crate) fn arg(&self, first: u32, index: u32) -> Term {
        self.args[(first + index) as usize]
    }

    /// What a term stands for.
    pub(crate) fn find(&self, mut term: Term) -> Term {
        while let Node::Var { to, .. } = self.nodes[term as usize]
            && to != NONE
        {
            term = to;
        }
        term
    }

    /// What a term stood for when there were so many bindings.
    pub(crate) fn find_then(&self, mut term: Term, bindings: u32) -> Term {
        while let Node::Var { to, at, .. } = self.nodes[term as usize]
            && to != NONE
            && at < bindings
        {
            term = to;
        }
        term
    }

    /// The node a term stands for.
    pub(crate) fn node(&self, term: Term) -> Node {
        self.nodes[self.find(term) as usize]
    }

    /// A node as it is.
    pub(crate) fn raw(&self, term: Term) -> Node {
        self.nodes[term as usize]
    }

    /// The outermost constructor of a term, if it is known.
    pub(crate) fn head(&self, term: Term) -> Option<ConId> {
        match self.node(term) {
            Node::Con { con, .. } => Some(con),
            _ => None,
        }
    }

    /// The integer a term is, if it is known.
    pub(crate) fn int_value(&self, term: Term) -> Option<i32> {
        match self.node(term) {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    fn bind(&mut self, var: Term, to_term: Term) {
        let place = self.trail.len() as u32;
        if let Node::Var { to, at, .. } = &mut self.nodes[var as usize] {
            (*to, *at) = (to_term, place);
        }
        self.trail.push(var);
    }

    /// Binds an unbound variable to a term that does not contain it.
    pub(crate) fn bind_fresh(&mut self, var: Term, term: Term) {
        self.bind(var, term);
    }

    /// Makes two terms equal; whether that is possible. If not, some variables may have been bound.
    pub(crate) fn unify(&mut self, left: Term, right: Term) -> bool {
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.push((left, right));
        let mut possible = true;
        while let Some((left, right)) = work.pop() {
            if !self.unify_step(left, right, &mut work) {
                possible = false;
                break;
            }
        }
        self.work = work;
        possible
    }

    fn unify_step(&mut self, left: Term, right: Term, work: &mut Vec<(Term, Term)>) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return true;
        }
        match (self.nodes[left as usize], self.nodes[right as usize]) {
            (Node::Var { .. }, Node::Var { .. }) => {
                self.bind(left.max(right), left.min(right));
                true
            }
            (Node::Var { .. }, _) => self.bind_checked(left, right),
            (_, Node::Var { .. }) => self.bind_checked(right, left),
            (Node::Int(one), Node::Int(other)) => one == other,
            (Node::Con { con, first, len }, Node::Con { con: other, first: others, .. }) if con == other => {
                work.extend((0..len).rev().map(|index| (self.arg(first, index), self.arg(others, index))));
                true
            }
            _ => false,
        }
    }

    fn bind_checked(&mut self, var: Term, term: Term) -> bool {
        if !self.is_acyclic && self.occurs(var, term) {
            return false;
        }
        self.bind(var, term);
        true
    }

    /// Whether an unbound variable occurs in a term.
    fn occurs(&self, var: Term, within: Term) -> bool {
        let mut work = vec![within];
        while let Some(term) = work.pop() {
            let term = self.find(term);
            if term == var {
                return true;
            }
            if let Node::Con { first, len, .. } = self.nodes[term as usize] {
                work.extend((0..len).map(|index| self.arg(first, index)));
            }
        }
        false
    }

    /// Whether two terms are equal, different, or may be either.
    pub(crate) fn compare(&mut self, left: Term, right: Term) -> Option<bool> {
        let before = self.trail.len() as u32;
        let possible = self.unify(left, right);
        let bound = self.trail.len() as u32 > before;
        self.undo_bindings(before);
        if !possible {
            Some(false)
        } else if bound {
            None
        } else {
            Some(true)
        }
    }

    /// The unbound variables of a term, each once, in the order they stand.
    pub(crate) fn variables(&self, term: Term, found: &mut Vec<Term>) {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let term = self.find(term);
            match self.nodes[term as usize] {
                Node::Var { .. } if !found.contains(&term) => found.push(term),
                Node::Con { first, len, .. } => work.extend((0..len).rev().map(|index| self.arg(first, index))),
                _ => {}
            }
        }
    }

    /// A copy of a term; variables get the number of their place in `variables`, which grows.
    pub(crate) fn tree(&self, term: Term, variables: &mut Vec<Term>) -> Tree {
        let mut items = Vec::new();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let term = self.find(term);
            items.push(match self.nodes[term as usize] {
                Node::Con { con, first, len } => {
                    work.extend((0..len).rev().map(|index| self.arg(first, index)));
                    Item::Con(con, len)
                }
                Node::Int(value) => Item::Int(value),
                Node::Var { .. } => {
                    let known = variables.iter().position(|var| *var == term);
                    Item::Var(known.unwrap_or_else(|| {
                        variables.push(term);
                        variables.len() - 1
                    }) as u32)
                }
            });
        }
        Tree { items }
    }

    /// A term that is a copy of a tree; variables are taken from `variables`.
    ///
    /// # Panics
    ///
    /// If the tree has calls.
    pub(crate) fn plant(&mut self, tree: &Tree, variables: &[Term]) -> Term {
        let mut done: Vec<Term> = Vec::new();
        for item in tree.items.iter().rev() {
            let term = match item {
                Item::Con(con, len) => {
                    let args: Vec<Term> = done.drain(done.len() - *len as usize..).rev().collect();
                    self.con(*con, &args)
                }
                Item::Int(value) => self.int(*value),
                Item::Var(number) => variables[*number as usize],
                Item::Call(..) => unreachable!("a call that is not evaluated is no term"),
            };
            done.push(term);
        }
        done.pop().expect("a tree has a node")
    }
}
