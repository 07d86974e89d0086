//! Terminators: where control goes, and what is left open.

use std::rc::Rc;

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_coverage::Mark;
use clew_execute::Event;
use clew_ir::{BlockId, Case, ConditionId, DecisionId, Function, FunctionId, Operand, Terminator, TerminatorKind};
use clew_scalar::BinaryOp;
use clew_solver::clock;
use clew_solver::term::TermId;

use super::Step;
use crate::ending::{Limit, PathEnd};
use crate::kpath;
use crate::state::State;
use crate::value::{self, Scalar};
use crate::{Explorer, Open, Path, Resume};

/// Iterations beyond k after which a path is led out of its loops.
const PATIENCE: u32 = 8;

/// Iterations after which a path that heads for objectives is led out of its loops.
const DIRECTED_PATIENCE: u32 = 24;

/// Iterations of a loop in a model of the library that paths may have when all paths are asked for.
const MODEL_TURNS: u32 = 12;

/// What leaving a branch open costs on the clock of work: the first one out of a block, and each of the others.
const LEFT_OPEN: u64 = 4_000;
const LEFT_BESIDE: u64 = 1_000;

/// What tells an open branch from all others: the path condition, what the branch adds to it, where it leads, and the
/// number of branches before.
pub(crate) type Key = (u64, TermId, FunctionId, BlockId, usize);

/// One way out of a block.
pub(super) struct Way {
    /// What must hold of the input to go there.
    pub(super) when: Scalar,
    pub(super) to: BlockId,
    pub(super) event: Option<Event>,
}

impl Explorer<'_> {
    pub(super) fn terminator(&mut self, path: &mut Path, function: &Function, terminator: &Terminator) -> Step {
        match &terminator.kind {
            TerminatorKind::Jump(target) => {
                go(path, function, *target, None);
                Ok(())
            }
            TerminatorKind::Branch { on, condition, then, otherwise } => {
                let on = self.scalar(path, *on)?;
                let ways = self.branch_ways(path, on, *condition, (*then, *otherwise));
                self.choose(path, function, *condition, ways)
            }
            TerminatorKind::Switch { on, decision, cases, default } => {
                let ways = self.switch_ways(path, *on, *decision, cases, *default)?;
                self.choose(path, function, None, ways)
            }
            TerminatorKind::Return(value) => self.leave(path, *value),
            TerminatorKind::Unreachable { check } => match check {
                Some(check) => self.demand(path, Scalar::bool(false), *check, terminator.span, "control comes here"),
                None => Err(PathEnd::Unsupported { what: "code without an end".to_owned(), span: terminator.span }),
            },
        }
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

    /// Goes the way the current model goes and leaves the others open.
    fn choose(&mut self, path: &mut Path, function: &Function, condition: Option<ConditionId>, ways: Vec<Way>) -> Step {
        let taken = ways
            .iter()
            .position(|way| match way.when {
                Scalar::Known(value) => value.bits == 1,
                Scalar::Term(term) => self.constraints.holds(&path.model, term),
            })
            .expect("the ways out of a block cover all inputs");
        if self.is_certain(path, &ways[taken]) {
            go(path, function, ways[taken].to, ways[taken].event);
            return Ok(());
        }
        let is_long = self.config.is_directed() && path.state.turns > DIRECTED_PATIENCE && !path.state.repeats;
        let steered = if is_long && !path.state.machines.is_empty() { self.steered(path, &ways, taken) } else { None };
        let homeward = if path.state.homeward { self.way_home(path, &ways, taken) } else { None };
        let taken = steered.or(homeward).unwrap_or_else(|| self.way_out(path, function, condition, &ways, taken));
        let mut state = None;
        for (index, way) in ways.iter().enumerate().rev() {
            if let (true, Scalar::Term(when)) = (index != taken, way.when) {
                self.leave_open(path, &mut state, function, condition, way, when);
            }
        }
        let way = &ways[taken];
        if let Scalar::Term(when) = way.when {
            path.state.condition.push_back(when);
            self.note_reason(path, when, way.event);
        }
        go(path, function, way.to, way.event);
        Ok(())
    }

    /// Whether the condition of a path that heads for objectives says already that it goes this way: no input of the path
    /// goes another, and nothing is left open. Where all paths are asked for, refuted prefixes are counted and explained.
    fn is_certain(&self, path: &Path, way: &Way) -> bool {
        let is_open = self.config.explain || !self.config.is_directed();
        matches!(way.when, Scalar::Term(when) if !is_open && path.state.condition.contains(when))
    }

    /// The way that leads a path which heads for its end there with fewer branches than the one its model goes.
    fn way_home(&mut self, path: &mut Path, ways: &[Way], taken: usize) -> Option<usize> {
        let id = path.state.frame().function;
        let out = |way: &Way| self.open.way_out(id, way.to);
        let usual = out(&ways[taken]).unwrap_or(u32::MAX);
        let shorter = (0..ways.len()).filter_map(|index| Some((out(&ways[index])?, index)));
        let (_, best) = shorter.filter(|(way, _)| *way < usual).min()?;
        self.turn_to(path, &ways[best]).then_some(best)
    }

    /// A path far beyond k, or long in one loop while heading for objectives, leaves its loops as soon as it can: it is
    /// not asked for, and could go on for very long. The way not taken is left open like any other.
    fn way_out(
        &mut self,
        path: &mut Path,
        function: &Function,
        condition: Option<ConditionId>,
        ways: &[Way],
        taken: usize,
    ) -> usize {
        let far = match self.config.bound {
            Some(k) => path.state.turns > k.saturating_add(PATIENCE),
            None => {
                let turns = path.state.turns;
                self.goals.is_some() && turns > DIRECTED_PATIENCE && !path.state.steered.is_recent(turns)
            }
        };
        if !far || ways.len() != 2 {
            return taken;
        }
        let other = &ways[1 - taken];
        let leaves = match self.config.bound {
            Some(_) => condition.is_some_and(|condition| kpath::leaves(function, condition, other.to)),
            None => self.leaves_loop(path, ways[taken].to, other.to),
        };
        let (true, Scalar::Term(when)) = (leaves, other.when) else { return taken };
        let near = path.model.clone();
        match self.solve(&mut path.state.clone(), Some(when), &near) {
            crate::constraints::Answer::Sat(model) => {
                let frame = path.state.frame();
                self.escapes.remove(&(frame.function, frame.block));
                path.model = model;
                1 - taken
            }
            _ => taken,
        }
    }

    /// Whether a branch stays in a loop on one side and leaves it on the other. Branches that often did not let the path
    /// out are asked ever more rarely.
    fn leaves_loop(&mut self, path: &Path, stay: BlockId, leave: BlockId) -> bool {
        let leaves = self.is_exit(path, stay, leave);
        let frame = path.state.frame();
        let tries = self.escapes.entry((frame.function, frame.block)).or_default();
        *tries += u32::from(leaves);
        leaves && (*tries < 16 || tries.is_power_of_two())
    }

    /// Whether a branch stays in a loop on one side and leaves it on the other.
    pub(super) fn is_exit(&mut self, path: &Path, stay: BlockId, leave: BlockId) -> bool {
        let frame = path.state.frame();
        let (id, from) = (frame.function, frame.block);
        let program = self.program;
        let loops = self.loops.entry(id).or_insert_with(|| {
            let graph = Graph::new(&program.functions[id]);
            natural_loops(&graph, &Dominators::new(&graph))
        });
        let mut blocks = loops.iter().map(|item| &item.blocks);
        blocks.any(|blocks| blocks.contains(&from) && blocks.contains(&stay) && !blocks.contains(&leave))
    }

    /// Leaves a way open. All ways out of a block have one copy of the state.
    fn leave_open(
        &mut self,
        path: &Path,
        state: &mut Option<Rc<State>>,
        function: &Function,
        condition: Option<ConditionId>,
        way: &Way,
        when: TermId,
    ) {
        let (frame, turns) = (path.state.frame(), path.state.turns);
        if path.state.repeats {
            return;
        }
        let is_model = self.program.models.contains(&frame.function);
        let apart = if is_model { Some(Limit::Library) } else { path.state.guard.then_some(Limit::Precondition) };
        let (bound, turns) = match apart {
            Some(Limit::Library) if self.goals.is_some() => (None, 0),
            Some(Limit::Library) => (Some(self.config.bound.unwrap_or(0).max(MODEL_TURNS)), 0),
            Some(_) => (self.config.bound.map(|k| k.max(MODEL_TURNS)), 0),
            None => (self.config.bound, turns),
        };
        let key = (path.state.condition.digest(), when, frame.function, way.to, path.state.path.len());
        // Where pointers of the input lead is not part of the condition.
        let tells = self.config.is_directed() && path.state.inputs.pointers.is_empty();
        if tells && self.left.contains(&key) {
            return;
        }
        if kpath::worth_flipping(function, frame, condition, way.to, bound, turns) {
            self.left.insert(key);
            clock::spend(if state.is_none() { LEFT_OPEN } else { LEFT_BESIDE });
            let state = Rc::clone(state.get_or_insert_with(|| Rc::new(path.state.clone())));
            self.open.push(Open::new(state, path.model.clone(), when, Resume::Go(way.to, way.event)));
        } else {
            // The bound that was asked for is no limit of ours; those of other loops are.
            self.limits.extend(apart);
        }
    }

    /// Notes why a term is part of the condition, where somebody wants to know.
    pub(crate) fn note_reason(&self, path: &mut Path, when: TermId, event: Option<Event>) {
        if self.config.explain {
            path.state.reasons.extend(event.map(|event| (when, event)));
        }
    }

    pub(crate) fn leave(&mut self, path: &mut Path, value: Option<Operand>) -> Step {
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
pub(crate) fn go(path: &mut Path, function: &Function, to: BlockId, event: Option<Event>) {
    let state = &mut path.state;
    state.path.extend(event);
    state.mark(Mark::Block(to));
    let frame = state.frame_mut();
    let begun = kpath::note_edge(function, frame, to);
    frame.temps.leave_block(function);
    frame.block = to;
    frame.next = 0;
    // Loops of library models are bounded on their own.
    if !function.span.is_none() {
        state.turns = state.turns.max(begun.unwrap_or(0));
    }
}

/// Whether a switched value falls into a case.
pub(crate) fn in_case(terms: &mut clew_solver::term::Terms, on: Scalar, case: &Case) -> Scalar {
    let width = on.ty(terms).width();
    let low = Scalar::int(width, case.low);
    if case.low == case.high {
        return value::binary(terms, BinaryOp::Eq, on, low);
    }
    let distance = value::binary(terms, BinaryOp::Sub, on, low);
    let span = Scalar::int(width, case.high.wrapping_sub(case.low));
    value::binary(terms, BinaryOp::Ule, distance, span)
}
