//! What a block does to places: their contents after it as functions of their contents before it.
//!
//! A block is run forward once, on variables that stand for the places. Going back over it then is one substitution in
//! whatever is demanded behind it. What the block computes in ways that are not followed (through pointers, by calls) is
//! unknown: each time the block is passed, another variable stands for it.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::{Block, BlockId, Function, FunctionId, InstKind, Operand, TempId, TerminatorKind, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use clew_solver::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::place::{Address, Lost, Place, Places};
use clew_symbolic::step::{branch, check};
use clew_symbolic::value::{self, Scalar};

/// Variables that stand for places.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_place: BTreeMap<Place, TermId>,
    by_term: BTreeMap<TermId, Place>,
}

impl Names {
    /// The variable of a place that holds a scalar.
    pub(super) fn of(&mut self, terms: &mut Terms, place: Place, ty: clew_scalar::Type) -> TermId {
        if let Some(term) = self.by_place.get(&place) {
            return *term;
        }
        let term = terms.scalar_var(format!("before {}", self.by_place.len()), ty);
        self.by_place.insert(place, term);
        self.by_term.insert(term, place);
        term
    }

    /// The variable of a place, if something spoke of it.
    pub(super) fn known(&self, place: Place) -> Option<TermId> {
        self.by_place.get(&place).copied()
    }

    /// The places of which some terms speak.
    pub(super) fn in_terms(&self, terms: &Terms, roots: &[TermId]) -> BTreeSet<Place> {
        terms.reachable(roots).iter().filter_map(|term| self.by_term.get(term)).copied().collect()
    }
}

/// What the first instructions of a block do.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// Contents after them, over contents before them.
    after: BTreeMap<Place, Scalar>,
    /// Places that may hold anything, unless `after` says otherwise.
    lost: Vec<Lost>,
    /// What holds where nothing undefined happens.
    holds: Vec<TermId>,
    /// Variables that stand for what is not followed.
    unknown: Vec<TermId>,
    /// What each way out of the block demands.
    ways: Vec<Option<Scalar>>,
}

impl Summary {
    /// Whether a place may hold something else afterwards.
    pub(super) fn changes(&self, places: &Places, place: Place) -> bool {
        self.after.contains_key(&place) || self.lost.iter().any(|lost| places.covers(lost, place))
    }

    /// What control demands to go to a block, over contents before the instructions; `None` if nothing is known.
    pub(super) fn way_to(&self, terms: &mut Terms, block: &Block, to: impl Fn(BlockId) -> bool) -> Option<Scalar> {
        let targets = block.terminator.kind.successors();
        let ways = targets.into_iter().zip(&self.ways).filter(|(target, _)| to(*target));
        let mut any = Scalar::bool(false);
        for (_, way) in ways {
            any = value::binary(terms, BinaryOp::Or, any, (*way)?);
        }
        Some(any)
    }

    /// What must hold before the instructions for terms to hold after them, with `way` over contents before them.
    pub(super) fn before(
        &self,
        terms: &mut Terms,
        places: &Places,
        names: &Names,
        demanded: &[TermId],
        way: Option<Scalar>,
    ) -> Vec<TermId> {
        let mut renewed: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &unknown in &self.unknown {
            renewed.insert(unknown, fresh(terms, unknown));
        }
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        for place in names.in_terms(terms, demanded) {
            let variable = names.by_place[&place];
            let value = match self.after.get(&place) {
                Some(value) => {
                    let term = value.term(terms);
                    terms.substitute_all(term, &mut renewed)
                }
                None if self.changes(places, place) => fresh(terms, variable),
                None => continue,
            };
            known.insert(variable, value);
        }
        let mut all: Vec<TermId> = demanded.iter().map(|term| terms.substitute_all(*term, &mut known)).collect();
        let way = way.map(|way| way.term(terms));
        for term in self.holds.iter().copied().chain(way) {
            all.push(terms.substitute_all(term, &mut renewed));
        }
        all
    }
}

/// The type of scalars that places of a type hold; `None` for pointers.
pub(super) fn scalar_type(ty: Type) -> Option<clew_scalar::Type> {
    match ty {
        Type::Int(width) => Some(clew_scalar::Type::Int(width)),
        Type::Float(format) => Some(clew_scalar::Type::Float(format)),
        Type::Pointer => None,
    }
}

/// Another variable of the type of a term.
pub(super) fn fresh(terms: &mut Terms, like: TermId) -> TermId {
    let ty = terms.ty(like);
    terms.scalar_var("unknown", ty)
}

/// A block on its way to a summary.
pub(super) struct Run<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) places: &'a Places,
    pub(super) names: &'a mut Names,
    pub(super) function: &'a Function,
    pub(super) id: FunctionId,
    pub(super) summary: Summary,
}

impl Run<'_> {
    /// Runs the first instructions of a block, and its terminator if they are all.
    pub(super) fn run(mut self, block: &Block, count: usize) -> Summary {
        for inst in &block.insts[..count] {
            self.instruction(&inst.kind);
        }
        if count == block.insts.len() {
            self.summary.ways = self.ways(&block.terminator.kind);
        }
        self.summary
    }

    fn instruction(&mut self, kind: &InstKind) {
        let result = self.result(kind);
        let stored = match kind {
            InstKind::Store { to, value, .. } => self.cell(*to, value.ty(self.function)).zip(self.operand(*value)),
            _ => None,
        };
        for lost in self.places.lost(self.function, self.id, kind) {
            self.summary.after.retain(|place, _| !self.places.covers(&lost, *place));
            if !self.summary.lost.contains(&lost) {
                self.summary.lost.push(lost);
            }
        }
        if let Some((place, value)) = stored {
            self.summary.after.insert(place, value);
        }
        if let Some(dest) = kind.dest() {
            self.define(dest, result);
        }
    }

    fn define(&mut self, dest: TempId, result: Option<Scalar>) {
        let place = Place::Temp(self.id, dest);
        let Some(ty) = scalar_type(self.function.temps[dest].ty) else { return };
        let value = result.filter(|result| result.ty(self.terms) == ty).unwrap_or_else(|| self.unknown(ty));
        self.summary.after.insert(place, value);
    }

    fn unknown(&mut self, ty: clew_scalar::Type) -> Scalar {
        let term = self.terms.scalar_var("unknown", ty);
        self.summary.unknown.push(term);
        Scalar::Term(term)
    }

    /// The place of a scalar at an address that is known exactly.
    fn cell(&self, at: Operand, ty: Type) -> Option<Place> {
        let Address::Exact(base, at) = self.places.address(self.id, at) else { return None };
        scalar_type(ty).map(|_| Place::Cell { base, at, ty })
    }

    /// What a place holds now.
    fn read(&mut self, place: Place, ty: Type) -> Option<Scalar> {
        if let Some(value) = self.summary.after.get(&place) {
            return Some(*value);
        }
        let ty = scalar_type(ty)?;
        if !self.summary.changes(self.places, place) {
            return Some(Scalar::Term(self.names.of(self.terms, place, ty)));
        }
        let value = self.unknown(ty);
        self.summary.after.insert(place, value);
        Some(value)
    }

    fn operand(&mut self, operand: Operand) -> Option<Scalar> {
        match operand {
            Operand::Const(value) => Some(Scalar::Known(value)),
            Operand::Temp(temp) => self.read(Place::Temp(self.id, temp), self.function.temps[temp].ty),
            _ => None,
        }
    }

    fn result(&mut self, kind: &InstKind) -> Option<Scalar> {
        match *kind {
            InstKind::Unary { op, a, check, .. } => {
                let a = self.operand(a)?;
                if op == UnaryOp::Neg && check.is_some() {
                    let ok = check::no_negation_overflow(self.terms, a);
                    self.given(ok);
                }
                Some(value::unary(self.terms, op, a))
            }
            InstKind::Binary { op, a, b, check, .. } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                if check.is_some() {
                    self.defined(op, a, b);
                }
                Some(value::binary(self.terms, op, a, b))
            }
            InstKind::Ternary { op, a, b, c, .. } => {
                let (a, b, c) = (self.operand(a)?, self.operand(b)?, self.operand(c)?);
                Some(value::ternary(self.terms, op, a, b, c))
            }
            InstKind::Convert { op, a, check, .. } => {
                let a = self.operand(a)?;
                if let (Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..), Some(_)) = (op, check) {
                    let ok = check::float_fits(self.terms, op, a);
                    self.given(ok);
                }
                Some(value::convert(self.terms, op, a))
            }
            InstKind::Load { dest, from, volatile: false, .. } => {
                let ty = self.function.temps[dest].ty;
                let place = self.cell(from, ty)?;
                self.read(place, ty)
            }
            _ => None,
        }
    }

    /// That an operator is defined for its operands.
    fn defined(&mut self, op: BinaryOp, a: Scalar, b: Scalar) {
        let ok = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => check::no_overflow(self.terms, op, a, b),
            BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => check::divisible(self.terms, op, a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => check::shiftable(self.terms, b),
            _ => return,
        };
        self.given(ok);
    }

    fn given(&mut self, ok: Scalar) {
        let term = ok.term(self.terms);
        self.summary.holds.push(term);
    }

    /// What each way out demands, as far as it is known.
    fn ways(&mut self, terminator: &TerminatorKind) -> Vec<Option<Scalar>> {
        match terminator {
            TerminatorKind::Jump(_) => vec![Some(Scalar::bool(true))],
            TerminatorKind::Branch { on, .. } => {
                let on = self.operand(*on);
                vec![on, on.map(|on| value::not(self.terms, on))]
            }
            TerminatorKind::Switch { on, cases, .. } => {
                let Some(on) = self.operand(*on) else { return vec![None; cases.len() + 1] };
                let mut none = Scalar::bool(true);
                let mut ways = Vec::new();
                for case in cases {
                    let when = branch::in_case(self.terms, on, case);
                    let not = value::not(self.terms, when);
                    none = value::and(self.terms, none, not);
                    ways.push(Some(when));
                }
                ways.push(Some(none));
                ways
            }
            TerminatorKind::Return(_) | TerminatorKind::Unreachable { .. } => Vec::new(),
        }
    }
}
