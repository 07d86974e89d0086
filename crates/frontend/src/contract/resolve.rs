//! From contracts as written to contracts as data: names looked up, types known, conversions explicit.
//!
//! The rules are those of ACSL 1.20, section 2.2: C integers take part in arithmetic as unbounded integers, C floats as
//! reals; a term used as a predicate means "not zero"; arrays decay to pointers. A named predicate or logic function is
//! replaced by its body with the arguments put in; recursion is refused.
//!
//! Families of nodes have a file each: [`predicate`], [`term`], [`place`], [`call`] (built-ins and definitions) and
//! [`bounds`] (the range of a quantified variable).

use super::scope::Site;
use super::syntax::{Assigned, At, Definition, Expr, ExprKind, Problem};
use super::{snapshot, types};
use clew_ir::contract::visit::Node;
use clew_ir::contract::{self, Label, Place, PlaceKind, Predicate, Sort, Term, TermKind, Variable};
use clew_ir::{CType, LocalKind, Program};
use std::collections::BTreeMap;

mod bounds;
mod call;
mod place;
mod predicate;
mod term;

/// What names mean besides variables.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// Predicates and logic functions; those of one name have different numbers of parameters.
    named: BTreeMap<String, Vec<Definition>>,
    /// Constants of enumerations the program does not keep.
    pub(crate) constants: BTreeMap<String, i128>,
}

impl Definitions {
    /// Adds a definition, unless there is one like it: a header read by several units defines the same thing in each.
    pub(crate) fn add(&mut self, definition: &Definition) {
        let known = self.named.entry(definition.name.clone()).or_default();
        if known.iter().all(|other| other.params.len() != definition.params.len()) {
            known.push(definition.clone());
        }
    }

    /// The definition of a name with so many parameters, or else any of that name.
    fn get(&self, name: &str, params: usize) -> Option<&Definition> {
        let known = self.named.get(name)?;
        known.iter().find(|definition| definition.params.len() == params).or(known.first())
    }

    fn is_predicate(&self, name: &str, params: usize) -> bool {
        self.get(name, params).is_some_and(|definition| definition.result.is_none())
    }
}

/// How many nodes the unfolding of definitions may make in one clause.
const MAX_NODES: u32 = 20_000;

/// Resolves the expressions of one clause.
pub(crate) struct Resolver<'a> {
    program: &'a mut Program,
    definitions: &'a Definitions,
    site: Site,
    /// Where the clause stands, also while a definition is unfolded.
    home: Site,
    /// The state in which variables are read.
    state: Label,
    /// Names bound by quantifiers, `\let` and definitions, innermost last.
    bound: Vec<(String, Bound)>,
    /// Labels of the definition being unfolded.
    labels: Vec<(String, Label)>,
    /// Definitions being unfolded.
    unfolding: Vec<(String, usize)>,
    next_variable: u32,
    nodes: u32,
}

/// What a bound name stands for.
#[derive(Clone, Debug)]
enum Bound {
    Variable(Variable),
    Term(Term),
    Predicate(Expr),
}

/// What can be done with a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Integer,
    Real,
    CInteger,
    CFloat,
    Pointer(clew_ir::CTypeId),
    Other,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(program: &'a mut Program, definitions: &'a Definitions, site: Site) -> Resolver<'a> {
        Resolver {
            program,
            definitions,
            home: site.clone(),
            site,
            state: Label::Here,
            bound: Vec::new(),
            labels: Vec::new(),
            unfolding: Vec::new(),
            next_variable: 0,
            nodes: 0,
        }
    }

    /// The integer an expression means.
    pub(crate) fn integer_term(&mut self, expr: &Expr) -> Result<Term, Problem> {
        let term = self.term(expr)?;
        self.integer(term, expr)
    }

    /// A place of an `assigns` clause.
    pub(crate) fn assigned(&mut self, assigned: &Assigned) -> Result<contract::Assigned, Problem> {
        let place = self.place(&assigned.place)?;
        let from = match &assigned.from {
            None => None,
            Some(from) => Some(from.iter().map(|expr| self.place(expr)).collect::<Result<Vec<_>, _>>()?),
        };
        Ok(contract::Assigned { place, from })
    }

    /// How many elements the array has that an expression denotes; `None` for a pointer. `integers` are names of integer
    /// variables that may occur in it.
    pub(crate) fn elements(&mut self, expr: &Expr, integers: &[String]) -> Result<Option<u64>, Problem> {
        let outside = self.bound.len();
        for name in integers {
            let variable = self.variable(name, Sort::Integer);
            self.bound.push((name.clone(), Bound::Variable(variable)));
        }
        let term = self.term(expr);
        self.bound.truncate(outside);
        let term = term?;
        if let TermKind::Address(place) = &term.kind
            && let CType::Array { len: Some(len), .. } = self.program.ctypes.get(place.ty)
        {
            return Ok(Some(*len));
        }
        match self.family(term.sort) {
            Family::Pointer(_) => Ok(None),
            _ => Err(Problem::new(&expr.at, format!("{} has no elements", self.sort_name(term.sort)))),
        }
    }

    fn count(&mut self, expr: &Expr) -> Result<(), Problem> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Problem::new(&expr.at, "the contract is too large once its definitions are unfolded"));
        }
        Ok(())
    }

    fn variable(&mut self, name: &str, sort: Sort) -> Variable {
        let number = self.next_variable;
        self.next_variable += 1;
        Variable { number, name: name.to_owned(), sort }
    }

    fn bound(&self, name: &str) -> Option<&Bound> {
        self.bound.iter().rev().find(|(it, _)| it == name).map(|(_, bound)| bound)
    }

    fn family(&self, sort: Sort) -> Family {
        match sort {
            Sort::Integer => Family::Integer,
            Sort::Real => Family::Real,
            Sort::C(ty) => match self.program.ctypes.get(ty) {
                CType::Bool | CType::Int { .. } | CType::Enum { .. } => Family::CInteger,
                CType::Float { .. } => Family::CFloat,
                CType::Pointer(to) => Family::Pointer(*to),
                _ => Family::Other,
            },
        }
    }

    fn sort_name(&self, sort: Sort) -> String {
        match sort {
            Sort::Integer => "an integer".to_owned(),
            Sort::Real => "a real".to_owned(),
            Sort::C(ty) => format!("`{}`", contract::print::spell(&self.program.ctypes, ty, "")),
        }
    }

    fn pointer_sort(&mut self, to: clew_ir::CTypeId) -> Sort {
        Sort::C(types::pointer_to(&mut self.program.ctypes, to))
    }

    /// A variable in the state being read.
    fn variable_place(&mut self, place: Place, at: &At) -> Result<Place, Problem> {
        if snapshot::is_copied(&self.state) {
            return snapshot::copy(self.program, &self.home, &self.state, place, at);
        }
        if let (Label::Pre, Site::Statement { function, .. }, PlaceKind::Local(local)) =
            (&self.state, &self.home, &place.kind)
        {
            let local = &self.program.functions[*function].locals[*local];
            if !matches!(local.kind, LocalKind::Param(_)) {
                return Err(Problem::new(at, format!("`{}` does not exist when the function is called", local.name)));
            }
        }
        Ok(place)
    }

    /// Reads something in another state; gives that state with it.
    fn in_state<T>(
        &mut self,
        label: Label,
        at: &At,
        read: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<(T, Label), Problem> {
        let label = snapshot::meant(&self.home, label, at)?;
        let outer = std::mem::replace(&mut self.state, label.clone());
        let result = read(self);
        self.state = outer;
        Ok((result?, label))
    }

    /// A predicate in another state.
    fn predicate_at(&mut self, inner: &Expr, label: Label) -> Result<Predicate, Problem> {
        let (predicate, label) = self.in_state(label, &inner.at, |this| this.predicate(inner))?;
        if snapshot::is_copied(&label) {
            snapshot::check(Node::Predicate(&predicate), &inner.at)?;
            return Ok(predicate);
        }
        Ok(Predicate::At(Box::new(predicate), label))
    }

    /// A term in another state.
    fn term_at(&mut self, inner: &Expr, label: Label) -> Result<Term, Problem> {
        let (term, label) = self.in_state(label, &inner.at, |this| this.term(inner))?;
        if snapshot::is_copied(&label) {
            snapshot::check(Node::Term(&term), &inner.at)?;
            return Ok(term);
        }
        let sort = term.sort;
        Ok(Term { kind: TermKind::At(Box::new(term), label), sort })
    }

    /// The state a label names.
    fn label(&self, name: &str) -> Label {
        if let Some((_, label)) = self.labels.iter().rev().find(|(it, _)| it == name) {
            return label.clone();
        }
        match name {
            "Here" => Label::Here,
            "Pre" | "Old" => Label::Pre,
            "Post" => Label::Post,
            "LoopEntry" => Label::LoopEntry,
            "LoopCurrent" => Label::LoopCurrent,
            "Init" => Label::Init,
            _ => Label::C(name.to_owned()),
        }
    }

    /// The label an argument of `\at` names.
    fn label_of(&self, expr: &Expr) -> Result<Label, Problem> {
        match &*expr.kind {
            ExprKind::Name(name) if !name.starts_with('\\') => Ok(self.label(name)),
            _ => Err(Problem::new(&expr.at, "expected a label")),
        }
    }
}

#[cfg(test)]
mod tests;
