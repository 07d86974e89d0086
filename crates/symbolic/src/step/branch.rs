//! Terminators: where control may go.

use clew_coverage::Mark;
use clew_execute::Event;
use clew_ir::{BlockId, Case, ConditionId, DecisionId, Function, Operand, Terminator, TerminatorKind};
use clew_scalar::BinaryOp;
use clew_solver::term::TermId;

use crate::ending::PathEnd;
use crate::kpath;
use crate::path::Path;
use crate::stepped::{Step, Stepped, Way, Ways};
use crate::stepper::Stepper;
use crate::value::{self, Scalar};

impl Stepper<'_> {
    pub(super) fn terminator(
        &mut self,
        path: &mut Path,
        function: &Function,
        terminator: &Terminator,
    ) -> Step<Stepped> {
        match &terminator.kind {
            TerminatorKind::Jump(target) => {
                go(path, function, *target, None);
                Ok(Stepped::Went)
            }
            TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => {
                self.ways(path, terminator).map(Stepped::Branches)
            }
            TerminatorKind::Return(value) => self.leave(path, *value).map(|()| Stepped::Went),
            TerminatorKind::Unreachable { check } => match check {
                Some(check) => self
                    .demand(path, Scalar::bool(false), *check, terminator.span, "control comes here")
                    .map(|()| Stepped::Went),
                None => Err(PathEnd::Unsupported { what: "code without an end".to_owned(), span: terminator.span }),
            },
        }
    }

    /// The ways out of a block that ends with a branch or a switch.
    ///
    /// # Errors
    /// The end of the path, if what decides cannot be read.
    pub fn ways(&mut self, path: &mut Path, terminator: &Terminator) -> Step<Ways> {
        match &terminator.kind {
            TerminatorKind::Branch { on, condition, then, otherwise } => {
                let on = self.scalar(path, *on)?;
                let all = self.branch_ways(path, on, *condition, (*then, *otherwise));
                Ok(Ways { condition: *condition, all })
            }
            TerminatorKind::Switch { on, decision, cases, default } => {
                let all = self.switch_ways(path, *on, *decision, cases, *default)?;
                Ok(Ways { condition: None, all })
            }
            _ => unreachable!("only branches and switches have several ways out"),
        }
    }

    /// The way that the input of a path goes.
    pub fn taken(&mut self, path: &Path, ways: &Ways) -> usize {
        let goes = |way: &Way| match way.when {
            Scalar::Known(value) => value.bits == 1,
            Scalar::Term(term) => self.constraints.holds(&path.model, term),
        };
        ways.all.iter().position(goes).expect("the ways out of a block cover all inputs")
    }

    /// Goes one of the ways out of a block, with the inputs that go there; the present one must.
    pub fn take(&mut self, path: &mut Path, ways: &Ways, taken: usize) {
        let way = &ways.all[taken];
        if let Scalar::Term(when) = way.when {
            path.state.condition.push_back(when);
            self.note_reason(path, when, way.event);
        }
        let function = &self.program.functions[path.state.frame().function];
        go(path, function, way.to, way.event);
    }

    fn branch_ways(
        &mut self,
        path: &Path,
        on: Scalar,
        condition: Option<ConditionId>,
        (then, otherwise): (BlockId, BlockId),
    ) -> Vec<Way> {
        let function = path.state.frame().function;
        let condition = condition.filter(|_| !self.program.models.contains(&function));
        let event = |outcome| condition.map(|condition| Event::Condition { function, condition, outcome });
        let not = value::not(self.constraints.terms(), on);
        vec![Way { when: on, to: then, event: event(true) }, Way { when: not, to: otherwise, event: event(false) }]
    }

    fn switch_ways(
        &mut self,
        path: &mut Path,
        on: Operand,
        decision: Option<DecisionId>,
        cases: &[Case],
        default: BlockId,
    ) -> Step<Vec<Way>> {
        let on = self.scalar(path, on)?;
        let function = path.state.frame().function;
        let decision = decision.filter(|_| !self.program.models.contains(&function));
        let event = |arm: usize| decision.map(|decision| Event::Switch { function, decision, arm: arm as u32 });
        let terms = self.constraints.terms();
        let mut none = Scalar::bool(true);
        let mut ways = Vec::new();
        for (arm, case) in cases.iter().enumerate() {
            let when = in_case(terms, on, case);
            let not = value::not(terms, when);
            none = value::and(terms, none, not);
            ways.push(Way { when, to: case.target, event: event(arm) });
        }
        ways.push(Way { when: none, to: default, event: event(cases.len()) });
        Ok(ways)
    }

    /// Notes why a term is part of the condition, if reasons are recorded.
    pub fn note_reason(&self, path: &mut Path, when: TermId, event: Option<Event>) {
        if self.config.explain {
            path.state.record.reasons.extend(event.map(|event| (when, event)));
        }
    }

    /// Ends the running activation.
    ///
    /// # Errors
    /// The end of the path, if that was the last one, or its result is missing.
    pub fn leave(&mut self, path: &mut Path, value: Option<Operand>) -> Step {
        let value = value.map(|value| self.operand(path, value)).transpose()?;
        let frame = path.state.leave();
        if path.state.frames.is_empty() {
            self.report_lost(path, value);
            return Err(PathEnd::Returned(value));
        }
        if path.state.guard && path.state.frames.len() == 1 {
            return self.admit(path, value);
        }
        match (frame.dest, value) {
            (Some(dest), Some(value)) => self.define(path, dest, value),
            (Some(_), None) => Err(PathEnd::Unsupported {
                what: "a result that was not returned".to_owned(),
                span: clew_ir::Span::NONE,
            }),
            (None, _) => Ok(()),
        }
    }
}

/// Continues in a block.
pub fn go(path: &mut Path, function: &Function, to: BlockId, event: Option<Event>) {
    let state = &mut path.state;
    state.record.events.extend(event);
    state.mark(Mark::Block(to));
    let frame = state.frame_mut();
    let begun = kpath::note_edge(function, frame, to);
    frame.temps.leave_block(function);
    frame.block = to;
    frame.next = 0;
    // Loops of library models are bounded on their own.
    if !function.span.is_none() {
        state.record.turns = state.record.turns.max(begun.unwrap_or(0));
    }
}

/// Whether a switched value falls into a case.
pub fn in_case(terms: &mut clew_solver::term::Terms, on: Scalar, case: &Case) -> Scalar {
    let width = on.ty(terms).width();
    let low = Scalar::int(width, case.low);
    if case.low == case.high {
        return value::binary(terms, BinaryOp::Eq, on, low);
    }
    let distance = value::binary(terms, BinaryOp::Sub, on, low);
    let span = Scalar::int(width, case.high.wrapping_sub(case.low));
    value::binary(terms, BinaryOp::Ule, distance, span)
}
