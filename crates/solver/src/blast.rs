//! The complete back end: terms become gates, gates become clauses, a SAT solver answers.
//!
//! A [`Blaster`] keeps the gates of every term it has met. A query names the assertions that hold; each is one literal
//! that the SAT solver assumes, so learned clauses survive from query to query, and an assertion that comes back (after
//! a pop and a push, or built anew from the same variables) finds its gates and all that was learned about them.
//! Assertions that will hold for ever can be given as such ([`Blaster::assert_all`]), which lets the SAT solver simplify
//! with them, variables they define vanish (`binding`), and floats they bound get smaller circuits (`bounds`). What others
//! know of variables can be told with a query ([`Blaster::tell`]): where to begin the search, and bits that are known, which
//! are assumed as well.
//!
//! Answers are exact for every operator on integers, floats and arrays (`array` says how), with one exception:
//! remainders of floats whose exponents can differ by tens of thousands are not encoded, and the answer is
//! [`Limit::Remainder`]. A model is given as found; the caller evaluates it.
//!
//! Memory: gates are never removed one by one. When much more of them has been built than the last fresh start needed,
//! the next query starts afresh, SAT solver included. Only what is learned is lost.

mod array;
mod binding;
mod bounds;
mod encode;
mod exponent;
mod float;
mod gates;
mod int;
mod sat;

use crate::policy;
use clew_scalar::{Type, Value};

use crate::domain::int::KnownBits;
use crate::evaluate::{self, Evaluator};
use crate::model::Model;
use crate::term::{Mark, Node, Sort, TermId, Terms, VarId};

use binding::Meaning;
use encode::Encoder;
use gates::Lit;
pub use sat::Budget;
use sat::SatAnswer;

/// The answer to one query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All assertions hold in this model.
    Sat(Model),
    /// These assertions cannot hold together (with those asserted for ever).
    Unsat(Vec<TermId>),
    /// Not decided, and why.
    Unknown(Limit),
}

/// What stopped a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The conflicts of the budget were used up.
    Conflicts,
    /// The deadline passed.
    Time,
    /// A float remainder would need too large a circuit.
    Remainder,
    /// More different indices occur than an array compared with another has.
    Indices,
}

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The variable.
    pub var: VarId,
    /// The bits it is to be tried with first.
    pub near: u128,
    /// Bits it has in every model of the query, as others have found.
    pub known: KnownBits,
}

/// Terms as gates, and the SAT solver that holds them.
pub struct Blaster {
    encoder: Encoder,
    /// Asserted for ever.
    permanent: Vec<TermId>,
    /// What is known of variables in the next query.
    hints: Vec<Hint>,
    /// Variables whose known bits the last refutation rests on.
    blamed: Vec<VarId>,
    /// The next query starts afresh if there are more gates than this.
    most_gates: usize,
    restarts: u64,
    /// Conflicts of the SAT solvers that have been thrown away.
    past_conflicts: u64,
}

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster::new()
    }
}

impl std::fmt::Debug for Blaster {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Blaster").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// Counters over the life of a blaster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Gates built and not thrown away.
    pub gates: usize,
    /// Clauses given to the present SAT solver.
    pub clauses: usize,
    /// Conflicts met in all queries.
    pub conflicts: u64,
    /// How often everything was built afresh.
    pub restarts: u64,
}

impl Blaster {
    /// A blaster that has met no term.
    pub fn new() -> Blaster {
        Blaster {
            encoder: Encoder::new(),
            permanent: Vec::new(),
            hints: Vec::new(),
            blamed: Vec::new(),
            most_gates: policy::RESTART_GATES.size(),
            restarts: 0,
            past_conflicts: 0,
        }
    }

    /// Counters so far.
    pub fn statistics(&self) -> Statistics {
        let sat = &self.encoder.gates.sat;
        Statistics {
            gates: self.encoder.gates.len(),
            clauses: sat.clauses(),
            conflicts: self.past_conflicts + sat.conflicts(),
            restarts: self.restarts,
        }
    }

    /// Makes boolean terms hold in every later query. What is asserted together is understood together: a variable that
    /// one of them defines is replaced in all of them, and in every term met later.
    ///
    /// # Errors
    /// When a term cannot be encoded; then nothing is asserted.
    pub fn assert_all(&mut self, terms: &Terms, assertions: &[TermId]) -> Result<(), Limit> {
        let asserted = self.encoder.assert_all(terms, assertions);
        match asserted {
            Ok(()) => self.permanent.extend_from_slice(assertions),
            // Something may have been concluded from them already.
            Err(_) => self.throw_away(),
        }
        asserted
    }

    /// Forgets the terms created since the mark; call it when they are released. What was asserted for ever about them
    /// is taken back.
    pub fn release(&mut self, mark: Mark) {
        let before = self.permanent.len();
        self.permanent.retain(|assertion| assertion.index() < mark.terms());
        if self.permanent.len() < before {
            self.throw_away();
        }
        self.encoder.release(mark);
        self.hints.clear();
    }

    /// Tells the next query what is known of variables.
    pub fn tell(&mut self, hints: Vec<Hint>) {
        self.hints = hints;
    }

    /// The variables whose known bits the last refutation rests on, besides its core.
    pub fn blamed(&self) -> &[VarId] {
        &self.blamed
    }

    /// Can all these boolean terms hold together?
    pub fn check(&mut self, terms: &Terms, assertions: &[TermId], budget: &Budget) -> Answer {
        match self.query(terms, assertions, budget) {
            Ok(answer) => answer,
            Err(limit) => Answer::Unknown(limit),
        }
    }

    /// Can all these boolean terms hold together? `None` if more gates than so many would have to be written for that, or if
    /// something holds for ever.
    pub(crate) fn check_small(
        &mut self,
        terms: &Terms,
        assertions: &[TermId],
        most: usize,
        budget: &Budget,
    ) -> Option<Answer> {
        if !self.permanent.is_empty() {
            return None;
        }
        self.encoder.deadline = budget.deadline;
        let encoded = assertions.iter().map(|&assertion| self.encoder.condition(terms, assertion).ok());
        let lits: Vec<Lit> = encoded.collect::<Option<_>>()?;
        self.encoder.gates.is_small(lits, most).then(|| self.check(terms, assertions, budget))
    }

    /// Can all these boolean terms hold together? The lasting ones are asserted for ever; they should be the same in
    /// later calls, or more. A core of this query contains all of them.
    pub fn check_lasting(&mut self, terms: &Terms, lasting: &[TermId], assumed: &[TermId], budget: &Budget) -> Answer {
        if !lasting.starts_with(&self.permanent) {
            self.permanent.clear();
            self.throw_away();
        }
        self.encoder.deadline = budget.deadline;
        if let Err(limit) = self.assert_all(terms, &lasting[self.permanent.len()..]) {
            return Answer::Unknown(limit);
        }
        match self.check(terms, assumed, budget) {
            Answer::Unsat(core) => Answer::Unsat([lasting, &core].concat()),
            answer => answer,
        }
    }

    fn query(&mut self, terms: &Terms, assertions: &[TermId], budget: &Budget) -> Result<Answer, Limit> {
        let hints = std::mem::take(&mut self.hints);
        self.blamed.clear();
        let afresh = self.encoder.gates.len() > self.most_gates;
        if afresh {
            self.throw_away();
        }
        self.encoder.deadline = budget.deadline;
        self.restore_permanent(terms)?;
        let mut assumed = Vec::with_capacity(assertions.len());
        for &assertion in assertions {
            let lit = self.encoder.condition(terms, assertion)?;
            assumed.push(self.encoder.gates.emit(lit));
        }
        self.encoder.compare_arrays(terms)?;
        if afresh {
            self.most_gates =
                (policy::RESTART_GROWTH.size() * self.encoder.gates.len()).max(policy::RESTART_GATES.size());
        }
        let known = self.heed(terms, &hints);
        assumed.extend(known.iter().map(|&(_, literal)| literal));
        Ok(match self.encoder.gates.solve(&assumed, budget) {
            SatAnswer::Sat => Answer::Sat(self.model(terms)),
            SatAnswer::Unsat => {
                self.blame(&known);
                Answer::Unsat(self.core(assertions, &assumed))
            }
            SatAnswer::OutOfConflicts => Answer::Unknown(Limit::Conflicts),
            SatAnswer::OutOfTime => Answer::Unknown(Limit::Time),
        })
    }

    /// Passes on where the search is to begin; the known bits that make a difference, as literals.
    fn heed(&mut self, terms: &Terms, hints: &[Hint]) -> Vec<(VarId, i32)> {
        let mut found = Vec::new();
        for hint in hints {
            let inputs = self.encoder.variable(terms.var(hint.var).term).unwrap_or_default();
            let gates = &mut self.encoder.gates;
            for (place, input) in inputs.into_iter().enumerate() {
                if !gates.is_emitted(input) {
                    continue;
                }
                gates.suggest(input, hint.near >> place & 1 == 1);
                if hint.known.known() >> place & 1 == 1 && input.known().is_none() {
                    let literal = gates.emit(input);
                    found.push((hint.var, if hint.known.ones >> place & 1 == 1 { literal } else { -literal }));
                }
            }
        }
        found
    }

    fn blame(&mut self, known: &[(VarId, i32)]) {
        let sat = &mut self.encoder.gates.sat;
        let failed = known.iter().filter(|&&(_, literal)| sat.failed(literal)).map(|&(var, _)| var);
        self.blamed.extend(failed);
        self.blamed.dedup();
    }

    fn throw_away(&mut self) {
        self.past_conflicts += self.encoder.gates.sat.conflicts();
        self.encoder = Encoder::new();
        self.restarts += 1;
    }

    /// Asserts what holds for ever, if the present SAT solver does not know it yet.
    fn restore_permanent(&mut self, terms: &Terms) -> Result<(), Limit> {
        if self.encoder.is_empty() {
            self.encoder.assert_all(terms, &self.permanent)?;
        }
        Ok(())
    }

    fn core(&mut self, assertions: &[TermId], assumed: &[i32]) -> Vec<TermId> {
        let gates = &mut self.encoder.gates;
        let failed = assertions.iter().zip(assumed).filter(|&(_, &literal)| gates.sat.failed(literal));
        failed.map(|(&assertion, _)| assertion).collect()
    }

    /// The values of the variables the queries have seen: free ones as the SAT solver says, then those they define.
    fn model(&mut self, terms: &Terms) -> Model {
        let mut model = self.free_variables(terms);
        let mut evaluator = Evaluator::new();
        for &(variable, meaning) in &self.encoder.bindings.bound {
            let Node::Var(id) = terms.node(variable) else { unreachable!("only variables are bound") };
            let bits = match meaning {
                Meaning::Term(term) | Meaning::Bits(term) => evaluator.value(terms, &model, term).bits,
                Meaning::Truth(truth) => u128::from(truth),
            };
            model.set(id, evaluate::canonical(Value::new(terms.ty(variable), bits)));
        }
        model
    }

    fn free_variables(&mut self, terms: &Terms) -> Model {
        let mut model = Model::new();
        for (index, var) in terms.vars().iter().enumerate() {
            let id = VarId::from_index(index);
            match var.sort {
                Sort::Scalar(ty) => {
                    if let Some(value) = self.scalar(ty, var.term) {
                        model.set(id, value);
                    }
                }
                Sort::Array { .. } => {
                    if let Some(value) = self.encoder.array_value(var.term) {
                        model.set_array(id, value);
                    }
                }
            }
        }
        model
    }

    fn scalar(&mut self, ty: Type, term: TermId) -> Option<Value> {
        let lits = self.encoder.variable(term)?;
        let bits = self.encoder.gates.bits_value(&lits);
        Some(evaluate::canonical(Value::new(ty, bits)))
    }
}
