//! The beginning of every path: arguments, globals, precondition.

use clew_ir::contract::visit::Node;
use clew_ir::contract::{self, Access, CompareOp, Predicate, Quantifier, Term};
use clew_ir::{FunctionId, ParamKind, Span};
use clew_scalar::BinaryOp;
use clew_solver::model::Model;
use clew_solver::term::{Sort, TermId};
use std::rc::Rc;

use crate::constraints::Answer;
use crate::contract::resized;
use crate::ending::{Limit, PathEnd};
use crate::input::{InputObject, Root, name_in_call};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::path::Path;
use crate::precondition::{Precondition, Unusable};
use crate::scope::Scope;
use crate::state::State;
use crate::step::entry::Entry;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    /// The state in which the function is called, with an input that satisfies the clauses of the precondition. Its function,
    /// if there is one, is left to the driver.
    ///
    /// # Errors
    /// If no such input is found.
    pub fn start(&mut self, function: FunctionId, precondition: &Precondition) -> Result<Path, Unusable> {
        let mut path = Path { state: State::new(), model: Rc::new(Model::new()) };
        let scope = self.arguments(&mut path, function).map_err(|end| unusable(&end, Span::NONE))?;
        self.required.universals.scope = scope.clone();
        // What a precondition in C takes for granted is not known before it has run.
        self.required.entry = precondition.function.is_none().then(|| Entry {
            function,
            precondition: precondition.clone(),
            parameters: path.state.inputs.pointers.len() as u32,
        });
        self.required.entered.clear();
        let program = self.program;
        let rejected = program.functions[function].contract.rejected.iter();
        if let Some(rejected) = rejected.into_iter().find(|rejected| rejected.clause == "requires") {
            let reason = format!("a clause of the precondition cannot be used: {}", rejected.reason);
            return Err(Unusable { reason, span: rejected.span, limit: None });
        }
        let required = self.require_contract(&mut path, &scope, function, precondition);
        required.map_err(|(end, span)| unusable(&end, span))?;
        match self.solve(&mut path.state, None, &path.model.clone()) {
            Answer::Sat(model) => path.model = model,
            Answer::Unsat => return Err(contradictory(Span::NONE)),
            Answer::Unknown => {
                let reason = "the solver could not find an input that satisfies the precondition".to_owned();
                return Err(Unusable { reason, span: Span::NONE, limit: Some(Limit::Solver) });
            }
        }
        Ok(path)
    }

    /// Takes the precondition for granted where the function is called; otherwise gives the clause that ends the path.
    pub fn require_contract(
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
            self.required.origins.extend(terms.into_iter().map(|term| (term, span)));
        }
        Ok(())
    }

    /// Makes the arguments and enters the function.
    pub fn arguments(&mut self, path: &mut Path, id: FunctionId) -> Step<Scope> {
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
        if self.recording.trace {
            path.state.record.trace.get_or_insert_default();
        }
        path.state.enter(self.program, id, &args, Rc::new([]), None);
        Ok(scope)
    }

    /// The object that holds a parameter on entry.
    fn parameter(&mut self, path: &mut Path, position: usize, name: &str, ty: clew_ir::CTypeId, size: u64) -> ObjectId {
        let name = if name.is_empty() { format!("arg{position}") } else { name.to_owned() };
        let calls = path.state.inputs.calls;
        let name = if self.recording.call_names { name_in_call(&name, calls) } else { name };
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
                self.required.universals.predicates.push((predicate.clone(), span));
                Ok(())
            }
            _ => match self.contract(path, scope).predicate(predicate)? {
                Scalar::Known(truth) if truth.bits == 1 => Ok(()),
                Scalar::Known(_) => Err(PathEnd::Contradiction),
                Scalar::Term(term) => self.assume(path, term),
            },
        }
    }

    /// `p == q`: makes one pointer of the input lead where the other one does; says whether it could.
    fn require_same(&mut self, path: &mut Path, scope: &Scope, predicate: &Predicate) -> Step<bool> {
        let Some((a, b)) = equal_pointers(predicate) else { return Ok(false) };
        match (self.contract(path, scope).c_value(a)?, self.contract(path, scope).c_value(b)?) {
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
        let Val::Pointer(Pointer { base: Base::Input(number), offset }) = self.contract(path, scope).c_value(base)?
        else {
            return Ok(());
        };
        let null = path.state.inputs.pointers[number as usize].null;
        let not_null = self.constraints.terms().not(null);
        self.assume(path, not_null)?;
        let said = &mut path.state.inputs.pointers[number as usize].access;
        if *said != Some(Access::Write) {
            *said = Some(access);
        }
        let (Some(high), Some(0), None) = (high, offset.bits(), pointer_target(path, number)) else {
            self.resolved(path, Pointer { base: Base::Input(number), offset })?;
            return self.require_elements(path, scope, access, pointer);
        };
        let high = self.contract(path, scope).integer(high)?;
        self.fix_count(path, number, high)
    }

    /// That what is behind a pointer is there. What else is said of memory is not looked at.
    fn require_elements(&mut self, path: &mut Path, scope: &Scope, access: Access, pointer: &Term) -> Step {
        match self.contract(path, scope).validity(access, pointer) {
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

    /// Whether some input of the path satisfies a term.
    fn possible(&mut self, path: &Path, term: TermId) -> bool {
        !matches!(self.constraints.solve(&path.state, Some(term), &path.model), Answer::Unsat)
    }

    /// Makes the number of elements behind a pointer `high + 1`, or none where that is negative.
    fn fix_count(&mut self, path: &mut Path, number: u32, high: Scalar) -> Step {
        let name = format!("dim({})", path.state.inputs.pointers[number as usize].name);
        let width = self.program.target.pointer_width;
        self.require_room(path, high)?;
        let word = resized(self.constraints.terms(), high, width);
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
}

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
    Unusable { reason: "no input satisfies the precondition".to_owned(), span, limit: None }
}

fn unusable(end: &PathEnd, span: Span) -> Unusable {
    let (reason, limit) = match end {
        PathEnd::Contradiction => return contradictory(span),
        PathEnd::Unsupported { what, .. } => (format!("{what} is not supported"), None),
        PathEnd::Limit(limit) => {
            (format!("the precondition was not evaluated within the limits: {}", limit.name()), Some(*limit))
        }
        other => (format!("the precondition cannot be evaluated: {other:?}"), None),
    };
    Unusable { reason, span, limit }
}
