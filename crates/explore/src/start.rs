//! The beginning of every path: arguments, globals, precondition.

use clew_ir::contract::visit::Node;
use clew_ir::contract::{self, Access, Clause, CompareOp, Predicate, Quantifier, Term};
use clew_ir::{FunctionId, ParamKind, Span};
use clew_scalar::BinaryOp;
use clew_solver::model::Model;
use clew_solver::term::Sort;
use std::fmt;
use std::rc::Rc;

use crate::constraints::Answer;
use crate::contract::Scope;
use crate::ending::{Limit, PathEnd};
use crate::input::{InputObject, Root, name_in_call};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::state::State;
use crate::step::Step;
use crate::value::{Base, Pointer, Scalar, Val};
use crate::{Explorer, Path};

/// What must hold of an input, beyond the function's own contract.
#[derive(Clone, Debug, Default)]
pub struct Precondition {
    /// Further clauses, such as domains given as options.
    pub clauses: Vec<Clause>,
    /// A function of the program that takes the same parameters and returns 0 for inputs that are not allowed.
    pub function: Option<FunctionId>,
}

/// Why a precondition cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// What is the matter.
    pub reason: String,
    /// The clause; [`Span::NONE`] if it is the conjunction of all.
    pub span: Span,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unusable {}

/// The parts of the precondition that are looked at again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Universals {
    /// Names of the parameters.
    scope: Scope,
    /// Universally quantified clauses and where they are written.
    predicates: Vec<(Predicate, Span)>,
}

impl Explorer<'_> {
    /// Where the parameters of the function under test are.
    pub(crate) fn parameters(&self) -> Scope {
        self.universals.scope.clone()
    }

    /// The state in which the function is called, with an input that satisfies the precondition.
    pub(crate) fn start(&mut self, function: FunctionId, precondition: &Precondition) -> Result<Path, Unusable> {
        let mut path = Path { state: State::new(), model: Rc::new(Model::new()) };
        let scope = self.arguments(&mut path, function).map_err(|end| unusable(&end, Span::NONE))?;
        self.universals.scope = scope.clone();
        let program = self.program;
        let rejected = program.functions[function].contract.rejected.iter();
        if let Some(rejected) = rejected.into_iter().find(|rejected| rejected.clause == "requires") {
            let reason = format!("a clause of the precondition cannot be used: {}", rejected.reason);
            return Err(Unusable { reason, span: rejected.span });
        }
        let required = self.require_contract(&mut path, &scope, function, precondition);
        required.map_err(|(end, span)| unusable(&end, span))?;
        match self.solve(&mut path.state, None, &path.model.clone()) {
            Answer::Sat(model) => path.model = model,
            Answer::Unsat => return Err(contradictory(Span::NONE)),
            Answer::Unknown => {
                let reason = "the solver could not find an input that satisfies the precondition".to_owned();
                return Err(Unusable { reason, span: Span::NONE });
            }
        }
        match precondition.function {
            Some(guard) => self.admitted(path, guard),
            None => Ok(path),
        }
    }

    /// Takes the precondition for granted where the function is called; otherwise gives the clause that ends the path.
    pub(crate) fn require_contract(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        function: FunctionId,
        precondition: &Precondition,
    ) -> Result<(), (PathEnd, Span)> {
        let program = self.program;
        let clauses = program.functions[function].contract.requires.iter().chain(&precondition.clauses);
        let mut parts: Vec<(&Predicate, Span)> = Vec::new();
        clauses.for_each(|clause| conjuncts(&clause.predicate, clause.span, &mut parts));
        // What bounds the variables of quantifiers comes before them, wherever it is written, and that pointers are equal before
        // anything looks behind them.
        parts.sort_by_key(|(part, _)| (has_quantifier(part), equal_pointers(part).is_none()));
        for (part, span) in parts {
            let before = path.state.condition.clone();
            self.require(path, scope, part, span).map_err(|end| (end, span))?;
            let (_, terms) = path.state.condition.beyond(&before);
            self.origins.extend(terms.into_iter().map(|term| (term, span)));
        }
        Ok(())
    }

    /// Makes the arguments and enters the function.
    pub(crate) fn arguments(&mut self, path: &mut Path, id: FunctionId) -> Step<Scope> {
        let function = &self.program.functions[id];
        let mut scope = Scope::default();
        let mut args = Vec::new();
        let mut position = 0;
        for param in &function.params {
            let Some(size) = self.program.ctypes.size_of(param.ty, self.program.target.pointer_bytes()) else {
                let what = format!("the type of parameter `{}`", param.name);
                return Err(PathEnd::Unsupported { what, span: Span::NONE });
            };
            if param.kind == ParamKind::ReturnSlot {
                let slot =
                    path.state.memory.add(Origin::Allocated(Span::NONE), Extent::Bytes(size), Background::Unwritten);
                path.state.inputs.result = Some(slot);
                args.push(Val::Pointer(self.start_of(slot)));
                scope.params.push(None);
                continue;
            }
            let object = self.parameter(path, position, &param.name, param.ty, size);
            position += 1;
            scope.params.push(Some(object));
            args.push(match param.kind {
                ParamKind::Aggregate => Val::Pointer(self.start_of(object)),
                _ => {
                    let ty = function.temps[param.temp].ty;
                    let start = Scalar::int(self.program.target.pointer_width, 0);
                    self.read(path, object, start, ty, Span::NONE)?
                }
            });
        }
        if self.goals.is_some() {
            path.state.trace.get_or_insert_default();
        }
        path.state.enter(self.program, id, &args, Rc::new([]), None);
        Ok(scope)
    }

    /// The object that holds a parameter on entry.
    fn parameter(&mut self, path: &mut Path, position: usize, name: &str, ty: clew_ir::CTypeId, size: u64) -> ObjectId {
        let name = if name.is_empty() { format!("arg{position}") } else { name.to_owned() };
        let calls = path.state.inputs.calls;
        let name = if self.earlier.is_some() { name_in_call(&name, calls) } else { name };
        let origin = Origin::Input(path.state.inputs.objects.len() as u32);
        let object = path.state.memory.add(origin, Extent::Bytes(size), Background::Input);
        let root = Root::Parameter(position);
        path.state.inputs.objects.push_back(InputObject { object, name, element: ty, root });
        object
    }

    /// Takes a predicate for granted.
    fn require(&mut self, path: &mut Path, scope: &Scope, predicate: &Predicate, span: Span) -> Step {
        if self.require_same(path, scope, predicate)? {
            return Ok(());
        }
        match predicate {
            Predicate::Memory { access, pointer } => self.require_valid(path, scope, *access, pointer),
            Predicate::Quantified { quantifier: Quantifier::ForAll, .. } => {
                self.universals.predicates.push((predicate.clone(), span));
                Ok(())
            }
            _ => match self.predicate(path, scope, predicate)? {
                Scalar::Known(truth) if truth.bits == 1 => Ok(()),
                Scalar::Known(_) => Err(PathEnd::Contradiction),
                Scalar::Term(term) => self.assume(path, term),
            },
        }
    }

    /// `p == q`: makes one pointer of the input lead where the other one does; says whether it could.
    fn require_same(&mut self, path: &mut Path, scope: &Scope, predicate: &Predicate) -> Step<bool> {
        let Some((a, b)) = equal_pointers(predicate) else { return Ok(false) };
        match (self.c_value(path, scope, a)?, self.c_value(path, scope, b)?) {
            (Val::Pointer(a), Val::Pointer(b)) => Ok(self.lead(path, a, b)? || self.lead(path, b, a)?),
            _ => Ok(false),
        }
    }

    /// `\valid(p + (low .. high))`: the object behind `p` has exactly `high + 1` elements; `\valid(p)`: at least one.
    fn require_valid(&mut self, path: &mut Path, scope: &Scope, access: Access, pointer: &Term) -> Step {
        let (base, high) = match pointer.as_block() {
            Some((base, _, high)) => (base, high),
            None => (pointer, None),
        };
        let Val::Pointer(Pointer { base: Base::Input(number), offset }) = self.c_value(path, scope, base)? else {
            return Ok(());
        };
        let null = path.state.inputs.pointers[number as usize].null;
        let not_null = self.constraints.terms().not(null);
        self.assume(path, not_null)?;
        let (Some(high), Some(0), None) = (high, offset.bits(), pointer_target(path, number)) else {
            self.resolved(path, Pointer { base: Base::Input(number), offset })?;
            return self.require_elements(path, scope, access, pointer);
        };
        let high = self.integer(path, scope, high)?;
        self.fix_count(path, number, high)
    }

    /// That what is behind a pointer is there. What else is said of memory is not looked at.
    fn require_elements(&mut self, path: &mut Path, scope: &Scope, access: Access, pointer: &Term) -> Step {
        match self.validity(path, scope, access, pointer) {
            Ok(Scalar::Term(valid)) => self.assume(path, valid),
            Ok(Scalar::Known(truth)) if truth.bits == 0 => Err(PathEnd::Contradiction),
            Ok(Scalar::Known(_)) | Err(PathEnd::Unsupported { .. }) => Ok(()),
            Err(end) => Err(end),
        }
    }

    /// No object has more elements than a signed word can count.
    fn require_room(&mut self, path: &mut Path, high: Scalar) -> Step {
        let terms = self.constraints.terms();
        let (own, word) = (high.ty(terms).width(), self.program.target.pointer_width);
        if own <= word {
            return Ok(());
        }
        let most = Scalar::int(own, (1 << (word - 1)) - 2);
        match crate::value::binary(terms, BinaryOp::Sle, high, most) {
            Scalar::Known(truth) if truth.bits == 1 => Ok(()),
            Scalar::Known(_) => Err(PathEnd::Contradiction),
            Scalar::Term(fits) => self.assume(path, fits),
        }
    }

    /// Makes the number of elements behind a pointer `high + 1`, or none where that is negative.
    fn fix_count(&mut self, path: &mut Path, number: u32, high: Scalar) -> Step {
        let name = format!("dim({})", path.state.inputs.pointers[number as usize].name);
        let width = self.program.target.pointer_width;
        self.require_room(path, high)?;
        let word = self.word_of(high);
        let terms = self.constraints.terms();
        let count = path.state.inputs.variable(terms, &name, Sort::int(width));
        let one = Scalar::int(width, 1);
        let wanted = crate::value::binary(terms, BinaryOp::Add, word, one);
        let negative = crate::value::binary(terms, BinaryOp::Slt, wanted, Scalar::int(width, 0));
        let wanted = match negative {
            Scalar::Term(negative) if self.possible(path, negative) => {
                let terms = self.constraints.terms();
                let (zero, wanted) = (terms.int(width, 0), wanted.term(terms));
                Scalar::Term(terms.select(negative, zero, wanted))
            }
            Scalar::Known(truth) if truth.bits == 1 => Scalar::int(width, 0),
            _ => wanted,
        };
        path.state.inputs.low.push_back(count);
        path.state.inputs.pointers[number as usize].fixed = Some(Scalar::Term(count));
        let terms = self.constraints.terms();
        let wanted = wanted.term(terms);
        let equal = terms.eq(count, wanted);
        self.assume(path, equal)
    }

    /// Whether the precondition has clauses that must be instantiated on the way.
    pub(crate) fn has_quantified_clauses(&self) -> bool {
        !self.universals.predicates.is_empty()
    }

    /// Whether some input of the path satisfies a term.
    fn possible(&mut self, path: &Path, term: clew_solver::term::TermId) -> bool {
        !matches!(self.constraints.solve(&path.state, Some(term), &path.model), Answer::Unsat)
    }

    /// An input that takes the path and satisfies the whole precondition, quantified clauses included.
    pub(crate) fn solve(
        &mut self,
        state: &mut State,
        extra: Option<clew_solver::term::TermId>,
        near: &Rc<Model>,
    ) -> Answer {
        if let Some(extra) = extra {
            state.condition.push_back(extra);
        }
        let mut near = Rc::clone(near);
        let mut path = Path { state: std::mem::take(state), model: Rc::clone(&near) };
        let answer = loop {
            match self.constraints.solve(&path.state, None, &near) {
                Answer::Sat(model) => near = model,
                other => break other,
            }
            path.model = Rc::clone(&near);
            match self.instantiate(&mut path) {
                Ok(true) => near = Rc::clone(&path.model),
                Ok(false) => break Answer::Sat(Rc::clone(&path.model)),
                Err(PathEnd::Contradiction) => break Answer::Unsat,
                Err(_) => break Answer::Unknown,
            }
        };
        *state = path.state;
        answer
    }

    /// Instantiates the quantified clauses for the values their bounds have now; says whether there were new instances.
    fn instantiate(&mut self, path: &mut Path) -> Step<bool> {
        let universals = self.universals.clone();
        let mut any = false;
        for (index, (predicate, _)) in universals.predicates.iter().enumerate() {
            let Predicate::Quantified { binders, body, .. } = predicate else {
                unreachable!("only quantified clauses are kept here")
            };
            any |= self.instances(path, &universals.scope, index, &mut Vec::new(), binders, body)?;
        }
        Ok(any)
    }

    fn instances(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        clause: usize,
        chosen: &mut Vec<i128>,
        binders: &[clew_ir::contract::Binder],
        body: &Predicate,
    ) -> Step<bool> {
        let Some((binder, rest)) = binders.split_first() else {
            return self.instance(path, scope, clause, chosen, body);
        };
        let (low, high) = self.bounds(path, scope, binder)?;
        let (low, high) = (self.signed(path, low), self.signed(path, high));
        if high.saturating_sub(low) > MOST_INSTANCES {
            return Err(PathEnd::Limit(Limit::Elements));
        }
        let mut any = false;
        for number in low..=high {
            chosen.push(number);
            let scope = scope.with(binder.variable.number, crate::contract::constant(number));
            any |= self.instances(path, &scope, clause, chosen, rest, body)?;
            chosen.pop();
        }
        Ok(any)
    }

    fn instance(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        clause: usize,
        chosen: &[i128],
        body: &Predicate,
    ) -> Step<bool> {
        let key = (clause, chosen.to_vec());
        if path.state.instantiated.contains(&key) {
            return Ok(false);
        }
        path.state.instantiated.insert(key);
        match self.predicate(path, scope, body)? {
            Scalar::Known(truth) if truth.bits == 1 => Ok(true),
            Scalar::Known(_) => Err(PathEnd::Contradiction),
            Scalar::Term(term) => {
                self.origins.entry(term).or_insert(self.universals.predicates[clause].1);
                self.assume(path, term).map(|()| true)
            }
        }
    }

    /// A logic integer under the model of a path.
    fn signed(&mut self, path: &Path, integer: Scalar) -> i128 {
        let value = match integer {
            Scalar::Known(value) => value,
            Scalar::Term(term) => {
                let bits = self.constraints.value(&path.model, term);
                clew_scalar::Value::new(integer.ty(self.constraints.terms()), bits)
            }
        };
        value.signed()
    }
}

/// Instances of one quantifier beyond which the exploration gives up.
const MOST_INSTANCES: i128 = 100_000;

/// The parts of which all must hold.
fn conjuncts<'a>(predicate: &'a Predicate, span: Span, parts: &mut Vec<(&'a Predicate, Span)>) {
    match predicate {
        Predicate::And(inner) => inner.iter().for_each(|part| conjuncts(part, span, parts)),
        _ => parts.push((predicate, span)),
    }
}

/// The pointers that a predicate says are equal.
fn equal_pointers(predicate: &Predicate) -> Option<(&Term, &Term)> {
    match predicate {
        Predicate::Compare { op: CompareOp::Eq, a, b } => {
            matches!((a.sort, b.sort), (contract::Sort::C(_), contract::Sort::C(_))).then_some((a, b))
        }
        _ => None,
    }
}

/// Whether a quantifier has to be looked at to evaluate a predicate.
fn has_quantifier(predicate: &Predicate) -> bool {
    Node::Predicate(predicate).any(&mut |node| matches!(node, Node::Predicate(Predicate::Quantified { .. })))
}

fn pointer_target(path: &Path, number: u32) -> Option<ObjectId> {
    path.state.inputs.pointers[number as usize].target
}

fn contradictory(span: Span) -> Unusable {
    Unusable { reason: "no input satisfies the precondition".to_owned(), span }
}

fn unusable(end: &PathEnd, span: Span) -> Unusable {
    match end {
        PathEnd::Contradiction => contradictory(span),
        PathEnd::Unsupported { what, .. } => Unusable { reason: format!("{what} is not supported"), span },
        other => Unusable { reason: format!("the precondition cannot be evaluated: {other:?}"), span },
    }
}
