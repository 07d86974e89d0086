//! The objectives of a criterion.
//!
//! One function per criterion; each reads the IR of a function and states what is to be seen. Objectives that the shape
//! of the code alone excludes (a `do` loop without an iteration) are not stated.

mod boundary;
mod float;
mod flow;
mod mutation;
mod written;

use crate::criterion::Criterion;
use crate::evaluation;
use crate::label::{Label, Point};
use crate::objective::{Flavour, Goal, Objective, Turns};
use clew_ir::{
    Callee, ConditionId, ENTRY, Formula, Function, FunctionId, InstKind, LoopKind, Operand, Program, Span,
    TerminatorKind,
};

/// Evaluations of one decision that are stated one by one.
const MOST_EVALUATIONS: usize = 4096;

/// Objectives and the labels they refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The objectives, in order of criterion, function and place.
    pub objectives: Vec<Objective>,
    /// The labels.
    pub labels: Vec<Label>,
    /// Decisions with too many evaluations to state one by one.
    pub skipped: Vec<Span>,
}

/// The objectives of some criteria for some functions, which have bodies.
pub fn objectives(program: &Program, functions: &[FunctionId], criteria: &[Criterion]) -> Generated {
    let mut generated = Generated::default();
    for &criterion in criteria {
        for &id in functions {
            let function = &program.functions[id];
            let marks = marks(program, function);
            let mut stating = Stating { program, id, function, criterion, marks, generated: &mut generated };
            stating.all();
        }
    }
    generated
}

/// The objectives of one criterion for one function, being stated.
struct Stating<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    criterion: Criterion,
    /// Where labels of the user's stand: what is inside them is no part of the program under test.
    marks: Vec<Span>,
    generated: &'a mut Generated,
}

impl Stating<'_> {
    fn all(&mut self) {
        match self.criterion {
            Criterion::Statement => self.statements(),
            Criterion::Decision => self.decisions(),
            Criterion::Condition => self.conditions(),
            Criterion::ConditionDecision => {
                self.conditions();
                self.decisions();
            }
            Criterion::MultipleCondition => self.evaluations(),
            Criterion::McdcUnique => self.independence(Flavour::UniqueCause),
            Criterion::McdcMasking => self.independence(Flavour::Masking),
            Criterion::AllDefs => self.definitions(),
            Criterion::AllUses => self.flows(),
            Criterion::WeakMutation => self.mutants(),
            Criterion::Boundary => self.boundaries(),
            Criterion::Loop => self.loops(),
            Criterion::Function => self.state(Goal::Block(ENTRY), self.function.span),
            Criterion::Call => self.calls(),
            Criterion::Error => self.failures(),
            Criterion::FloatExceptions => self.float_exceptions(),
            Criterion::User => self.user_labels(),
            // Paths are not stated one by one: the exploration counts them.
            Criterion::KPath => {}
        }
    }

    fn state(&mut self, goal: Goal, span: Span) {
        if self.is_in_mark(span) {
            return;
        }
        self.generated.objectives.push(Objective { criterion: self.criterion, function: self.id, goal, span });
    }

    fn is_in_mark(&self, span: Span) -> bool {
        let covers = |mark: &Span| mark.unit == span.unit && mark.start <= span.start && span.end <= mark.end;
        self.criterion != Criterion::User && self.marks.iter().any(covers)
    }

    fn state_label(&mut self, label: Label) {
        let span = label.span;
        if self.is_in_mark(span) {
            return;
        }
        self.generated.labels.push(label);
        self.state(Goal::Label(self.generated.labels.len() - 1), span);
    }

    /// Every block that holds code the user wrote.
    fn statements(&mut self) {
        for (id, block) in self.function.blocks.iter() {
            let silent = |kind: &InstKind| matches!(kind, InstKind::Begin { .. } | InstKind::End { .. });
            let mut spans = block.insts.iter().filter(|inst| !silent(&inst.kind)).map(|inst| inst.span);
            let end = match block.terminator.kind {
                TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => None,
                _ => Some(block.terminator.span),
            };
            let own = |span: &Span| !span.is_none() && *span != self.function.span;
            if let Some(span) = spans.by_ref().chain(end).find(own) {
                self.state(Goal::Block(id), span);
            }
        }
    }

    fn decisions(&mut self) {
        for (id, decision) in self.function.decisions.iter() {
            match &decision.formula {
                Some(formula) if self.branches_on(formula) => {
                    [true, false].into_iter().for_each(|result| self.state(Goal::Result(id, result), decision.span));
                }
                Some(_) => {}
                None => self.arms(id, decision.span),
            }
        }
    }

    fn arms(&mut self, id: clew_ir::DecisionId, span: Span) {
        let arms = self.function.blocks.values().find_map(|block| match &block.terminator.kind {
            TerminatorKind::Switch { decision: Some(decision), cases, .. } if *decision == id => Some(cases.len() + 1),
            _ => None,
        });
        (0..arms.unwrap_or(0)).for_each(|arm| self.state(Goal::Arm(id, arm as u32), span));
    }

    /// Whether a branch of the code asks for some condition of a formula; conditions the front end folded have none.
    fn branches_on(&self, formula: &Formula) -> bool {
        evaluation::conditions(formula).into_iter().any(|condition| self.has_branch(condition))
    }

    fn has_branch(&self, id: ConditionId) -> bool {
        self.function.blocks.values().any(|block| {
            matches!(block.terminator.kind, TerminatorKind::Branch { condition: Some(condition), .. } if condition == id)
        })
    }

    fn conditions(&mut self) {
        for (id, condition) in self.function.conditions.iter() {
            if self.has_branch(id) {
                [true, false].into_iter().for_each(|outcome| self.state(Goal::Outcome(id, outcome), condition.span));
            }
        }
    }

    fn evaluations(&mut self) {
        for (id, decision) in self.function.decisions.iter() {
            let Some(formula) = &decision.formula else {
                self.arms(id, decision.span);
                continue;
            };
            if !self.branches_on(formula) {
                continue;
            }
            match evaluation::completions(formula, &[], MOST_EVALUATIONS) {
                None => self.generated.skipped.push(decision.span),
                Some(mut all) => {
                    all.sort_unstable();
                    all.into_iter().for_each(|way| self.state(Goal::Evaluation(id, way), decision.span));
                }
            }
        }
    }

    fn independence(&mut self, flavour: Flavour) {
        for (id, condition) in self.function.conditions.iter() {
            if self.has_branch(id) {
                self.state(Goal::Independence(id, flavour), condition.span);
            }
        }
        let switches = self.function.decisions.iter().filter(|(_, decision)| decision.formula.is_none());
        for (id, decision) in switches {
            self.arms(id, decision.span);
        }
    }

    fn loops(&mut self) {
        for (id, item) in self.function.loops.iter() {
            if item.kind != LoopKind::DoWhile {
                self.state(Goal::Turns(id, Turns::Zero), item.span);
            }
            self.state(Goal::Turns(id, Turns::One), item.span);
            self.state(Goal::Turns(id, Turns::Many), item.span);
        }
    }

    fn calls(&mut self) {
        for (point, inst) in points(self.id, self.function) {
            if matches!(inst.kind, InstKind::Call { .. }) {
                self.state(Goal::Call(point), inst.span);
            }
        }
    }

    fn failures(&mut self) {
        // Assertions of the contract are properties to prove, not something C leaves undefined.
        let undefined = self.function.checks.iter().filter(|(_, check)| check.kind != clew_ir::CheckKind::Assertion);
        for (id, check) in undefined {
            self.state(Goal::Failure(id), check.span);
        }
    }

    /// Calls of `pc_label(predicate, id)`, and what comments became.
    fn user_labels(&mut self) {
        for (at, inst) in points(self.id, self.function) {
            let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { continue };
            if let (true, Some(&predicate)) = (is_mark(self.program, *callee), args.first())
                && let clew_ir::Type::Int(width) = predicate.ty(self.function)
            {
                let zero = Operand::int(width, 0);
                let holds = clew_ir::Expr::binary(clew_scalar::BinaryOp::Ne, predicate.into(), zero.into());
                let what = label_words(self.program.sources.text(inst.span));
                self.state_label(Label { at, holds, span: inst.span, what });
            }
        }
    }
}

/// Whether a function marks a label.
fn is_mark(program: &Program, function: FunctionId) -> bool {
    clew_library::verifier::is_label(&program.functions[function].name)
}

/// The calls that mark labels.
fn marks(program: &Program, function: &Function) -> Vec<Span> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    let marks = insts.filter(
        |inst| matches!(inst.kind, InstKind::Call { callee: Callee::Direct(callee), .. } if is_mark(program, callee)),
    );
    marks.map(|inst| inst.span).collect()
}

/// A label in words: a comment's by its name and predicate, a call as it stands.
fn label_words(call: &str) -> String {
    let comment = call.strip_prefix("clew_label(!!(").and_then(|rest| rest.rsplit_once("), \""));
    match comment {
        Some((predicate, id)) => format!("label {}: `{predicate}` holds", id.trim_end_matches("\")")),
        None => format!("`{call}` holds"),
    }
}

/// The instructions of a function with their places.
fn points(function: FunctionId, body: &Function) -> impl Iterator<Item = (Point, &clew_ir::Inst)> {
    body.blocks.iter().flat_map(move |(block, data)| {
        (0..).zip(&data.insts).map(move |(index, inst)| (Point { function, block, index }, inst))
    })
}
