//! The pursuit of goals: states are run on in the order of the program, merged where they meet, and looked at wherever a
//! goal stands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::{BlockId, Case, Function, FunctionId, Operand, Terminator, TerminatorKind};
use clew_solver::model::Model;

use super::frontier::{Allowed, Place, Rounds, Shapes, Waiting};
use super::property::words;
use super::{Goal, Point, Proof, Site, Verdict, Wanted, property};
use crate::constraints::Answer;
use crate::ending::{Limit, PathEnd};
use crate::step::{Step, branch};
use crate::value::{self, Scalar, Val};
use crate::{Explored, Explorer, Path, Resume};

/// Times that the solver's answer for one goal may turn out not to lead there.
const MOST_REFUSALS: u32 = 3;

/// Goals on the way to their verdicts.
pub(super) struct Pursuit<'e, 'p> {
    explorer: &'e mut Explorer<'p>,
    start: Path,
    goals: &'e [Goal],
    /// By goal: an input that reaches it, if one was found.
    reached: Vec<Option<Explored>>,
    /// By goal: why it may be reached all the same.
    doubts: Vec<BTreeSet<String>>,
    /// By goal: how often an answer of the solver did not lead there.
    refusals: Vec<u32>,
    /// Goals by the instruction at which they stand.
    at: BTreeMap<Point, Vec<usize>>,
    shapes: Shapes,
    frontier: BTreeMap<Place, Vec<Waiting>>,
    /// States that want more turns.
    parked: Vec<Waiting>,
    /// Turns that loops may make now.
    allowed: Allowed,
    /// Whatever makes the search incomplete for all goals.
    limits: BTreeSet<String>,
}

/// Who hears of inputs found, and says whether they were confirmed.
type Found<'f> = dyn FnMut(usize, &Explored) -> bool + 'f;

impl<'e, 'p> Pursuit<'e, 'p> {
    pub(super) fn new(
        explorer: &'e mut Explorer<'p>,
        function: FunctionId,
        start: Path,
        goals: &'e [Goal],
    ) -> Pursuit<'e, 'p> {
        let mut at: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
        for (index, goal) in goals.iter().enumerate() {
            if let Site::Points(points) = &goal.site {
                points.iter().for_each(|point| at.entry(*point).or_default().push(index));
            }
        }
        let mut pursuit = Pursuit {
            explorer,
            start,
            goals,
            reached: vec![None; goals.len()],
            doubts: vec![BTreeSet::new(); goals.len()],
            refusals: vec![0; goals.len()],
            at,
            shapes: Shapes::default(),
            frontier: BTreeMap::new(),
            parked: Vec::new(),
            allowed: Allowed::in_round(0, None, 0),
            limits: BTreeSet::new(),
        };
        pursuit.touch_globals(function);
        pursuit
    }

    /// Makes the globals known before paths fork, so that all name them alike.
    fn touch_globals(&mut self, function: FunctionId) {
        let reach = clew_analyze::reach::reach(self.explorer.program, function);
        for global in reach.globals {
            // A global that cannot be touched gives its reason where the program touches it.
            let _ = self.explorer.global(&mut self.start, global);
        }
    }

    /// Runs until every goal is reached, nothing is left, or a limit is met.
    pub(super) fn run(&mut self, found: &mut Found<'_>) {
        let path = self.start.clone();
        self.parked.push(Waiting { path, rounds: vec![Rounds::default()] });
        let bound = self.explorer.config.bound;
        let asked = self.inner_turns();
        for round in 0.. {
            self.allowed = Allowed::in_round(round, bound, asked);
            for state in std::mem::take(&mut self.parked) {
                self.wait(state);
            }
            while let Some((_, states)) = self.frontier.pop_first() {
                for state in states {
                    if self.is_over() {
                        return;
                    }
                    self.advance(state, found);
                }
            }
            let bounded = bound.is_some_and(|bound| self.allowed == Allowed { outer: bound, inner: bound });
            if self.parked.is_empty() || bounded {
                return;
            }
        }
    }

    /// The most turns that goals ask of loops inside others.
    fn inner_turns(&self) -> u32 {
        let program = self.explorer.program;
        let turns = self.goals.iter().map(|goal| match goal.site {
            Site::Turns(function, target, turns) if program.functions[function].loops[target].parent.is_some() => turns,
            _ => 0,
        });
        turns.max().unwrap_or(0)
    }

    fn is_over(&mut self) -> bool {
        if self.explorer.late() {
            self.limits.insert(words(Limit::Time));
            return true;
        }
        (0..self.goals.len()).all(|goal| !self.is_open(goal))
    }

    fn is_open(&self, goal: usize) -> bool {
        self.reached[goal].is_none() && self.refusals[goal] < MOST_REFUSALS
    }

    /// What is known of each goal.
    pub(super) fn verdicts(self) -> Vec<Verdict> {
        let mut limits = self.limits;
        limits.extend(self.explorer.limits.iter().copied().map(words));
        let proof = if self.parked.is_empty() && self.frontier.is_empty() {
            Proof::AllPaths
        } else {
            Proof::Bounded(self.allowed.inner.min(self.allowed.outer))
        };
        let verdict = |(goal, (reached, doubts)): (&Goal, (Option<Explored>, BTreeSet<String>))| {
            let mut reasons: BTreeSet<String> = limits.union(&doubts).cloned().collect();
            if let Site::Check(function, check) = goal.site
                && self.explorer.undecided.contains(&(function, check))
            {
                reasons.insert(words(Limit::Solver));
            }
            match reached {
                Some(explored) => Verdict::Reached(Box::new(explored)),
                None if reasons.is_empty() => Verdict::Infeasible(proof),
                None => Verdict::Unknown(reasons),
            }
        };
        self.goals.iter().zip(self.reached.into_iter().zip(self.doubts)).map(verdict).collect()
    }

    /// Puts a state where it waits, merged with one that waits there already.
    fn wait(&mut self, mut state: Waiting) {
        if !self.allowed.permits(&state) {
            self.parked.push(state);
            return;
        }
        let place = state.place(self.explorer.program, &mut self.shapes);
        let waiting = self.frontier.entry(place).or_default();
        for other in waiting.iter_mut() {
            if let Some(path) = self.explorer.merged(&mut self.shapes, &other.path, &state.path) {
                other.path = path;
                return;
            }
        }
        state.path.state.path.clear();
        waiting.push(state);
    }

    /// Runs a state on to the end of its block.
    fn advance(&mut self, mut state: Waiting, found: &mut Found<'_>) {
        let program = self.explorer.program;
        loop {
            self.arrivals(&state.path, found);
            let frame = state.path.state.frame();
            let function = &program.functions[frame.function];
            let block = &function.blocks[frame.block];
            let Some(inst) = block.insts.get(frame.next) else {
                return self.terminator(state, function, &block.terminator, found);
            };
            let depth = state.path.state.frames.len();
            state.path.state.frame_mut().next += 1;
            let result = self.counted(&mut state.path).and_then(|()| {
                let path = &mut state.path;
                self.explorer.instruction(path, function, inst)
            });
            self.left_open(&state.rounds[..depth]);
            self.failures(found);
            if let Err(end) = result {
                return self.finish(&state.path, &end, found);
            }
            state.rounds.resize(state.path.state.frames.len(), Rounds::default());
        }
    }

    fn counted(&mut self, path: &mut Path) -> Step {
        path.state.steps += 1;
        if path.state.steps > self.explorer.config.steps { Err(PathEnd::Limit(Limit::Steps)) } else { Ok(()) }
    }

    /// Takes up what an instruction left open because it went on with one value of many.
    fn left_open(&mut self, rounds: &[Rounds]) {
        while let Some(mut open) = self.explorer.open.pop(None) {
            debug_assert!(matches!(open.resume, Resume::Again), "only branches resume elsewhere");
            match self.explorer.solve(&mut open.state, Some(open.when), &open.model) {
                Answer::Unsat => {}
                Answer::Unknown => drop(self.limits.insert(words(Limit::Solver))),
                Answer::Sat(model) => {
                    self.wait(Waiting { path: Path { state: open.state, model }, rounds: rounds.to_vec() });
                }
            }
        }
    }

    fn terminator(&mut self, state: Waiting, function: &Function, terminator: &Terminator, found: &mut Found<'_>) {
        let path = &state.path;
        let ways = match &terminator.kind {
            TerminatorKind::Jump(target) => Ok(vec![(Scalar::bool(true), *target)]),
            TerminatorKind::Branch { on, then, otherwise, .. } => self.branch(path, *on, (*then, *otherwise)),
            TerminatorKind::Switch { on, cases, default, .. } => self.switch(path, *on, cases, *default),
            TerminatorKind::Return(value) => return self.leave(state, *value, found),
            TerminatorKind::Unreachable { check } => {
                let mut path = state.path;
                let end = match check {
                    Some(check) => self.explorer.demand(
                        &mut path,
                        Scalar::bool(false),
                        *check,
                        terminator.span,
                        "control comes here",
                    ),
                    None => Err(PathEnd::Unsupported { what: "code without an end".to_owned(), span: terminator.span }),
                };
                return self.finish(&path, &end.expect_err("a false demand ends the path"), found);
            }
        };
        match ways {
            Ok(ways) => ways.into_iter().for_each(|(when, to)| self.way(&state, function, when, to, found)),
            Err(end) => self.finish(&state.path, &end, found),
        }
    }

    fn branch(&mut self, path: &Path, on: Operand, targets: (BlockId, BlockId)) -> Step<Vec<(Scalar, BlockId)>> {
        let on = self.explorer.scalar(&mut path.clone(), on)?;
        let not = value::not(self.explorer.constraints.terms(), on);
        Ok(vec![(on, targets.0), (not, targets.1)])
    }

    fn switch(&mut self, path: &Path, on: Operand, cases: &[Case], default: BlockId) -> Step<Vec<(Scalar, BlockId)>> {
        let on = self.explorer.scalar(&mut path.clone(), on)?;
        let terms = self.explorer.constraints.terms();
        let mut none = Scalar::bool(true);
        let mut ways = Vec::new();
        for case in cases {
            let when = branch::in_case(terms, on, case);
            let not = value::not(terms, when);
            none = value::and(terms, none, not);
            ways.push((when, case.target));
        }
        ways.push((none, default));
        Ok(ways)
    }

    /// Sends a state one way out of its block, if some input goes there.
    fn way(&mut self, state: &Waiting, function: &Function, when: Scalar, to: BlockId, found: &mut Found<'_>) {
        let mut path = state.path.clone();
        match when {
            Scalar::Known(truth) if truth.bits == 0 => return,
            Scalar::Known(_) => {}
            Scalar::Term(term) => match self.explorer.solve(&mut path.state, Some(term), &state.path.model) {
                Answer::Sat(model) => path.model = model,
                Answer::Unsat => return,
                Answer::Unknown => drop(self.limits.insert(words(Limit::Solver))),
            },
        }
        let mut rounds = state.rounds.clone();
        let frame = path.state.frame();
        let (id, from) = (frame.function, frame.block);
        let shape = self.shapes.of(self.explorer.program, id);
        rounds.last_mut().expect("a running state has an activation").pass(&shape, from, to);
        self.turns_made(&path, function, to, found);
        branch::go(&mut path, function, to, None);
        self.wait(Waiting { path, rounds });
    }

    /// Looks at goals that ask for so many turns of a loop which the state leaves.
    fn turns_made(&mut self, path: &Path, function: &Function, to: BlockId, found: &mut Found<'_>) {
        let frame = path.state.frame();
        for (index, goal) in self.goals.iter().enumerate() {
            if let Site::Turns(id, target, turns) = goal.site
                && id == frame.function
                && function.loops[target].exit == to
                && frame.loops.contains(&(target, turns))
                && self.is_open(index)
            {
                self.seek(index, path, None, found);
            }
        }
    }

    fn leave(&mut self, mut state: Waiting, value: Option<Operand>, found: &mut Found<'_>) {
        match self.explorer.leave(&mut state.path, value) {
            Ok(()) => {
                state.rounds.pop();
                self.wait(state);
            }
            Err(end) => self.finish(&state.path, &end, found),
        }
    }

    /// Looks at the goals that stand where a state stands.
    fn arrivals(&mut self, path: &Path, found: &mut Found<'_>) {
        let frame = path.state.frame();
        let point = Point { function: frame.function, block: frame.block, position: frame.next };
        for goal in self.at.get(&point).cloned().unwrap_or_default() {
            if self.is_open(goal) {
                self.seek(goal, path, None, found);
            }
        }
    }

    /// Looks at the goals that stand where a path ends.
    fn finish(&mut self, path: &Path, end: &PathEnd, found: &mut Found<'_>) {
        self.limits.extend(property::reason(end));
        for (index, goal) in self.goals.iter().enumerate() {
            match (&goal.site, end) {
                (Site::Return, PathEnd::Returned(result)) if self.is_open(index) => {
                    self.seek(index, path, *result, found);
                }
                (Site::Check(function, check), PathEnd::Failed(failure))
                    if (*function, *check) == (failure.function, failure.check) && self.is_open(index) =>
                {
                    self.candidate(index, &path.model, found);
                }
                _ => {}
            }
        }
    }

    /// Looks at the goals whose check was seen to fail.
    fn failures(&mut self, found: &mut Found<'_>) {
        for (failure, model) in std::mem::take(&mut self.explorer.failing) {
            let site = Site::Check(failure.function, failure.check);
            for (index, goal) in self.goals.iter().enumerate() {
                if goal.site == site && self.is_open(index) {
                    self.candidate(index, &model, found);
                }
            }
        }
    }

    /// Asks whether some input of a state is what a goal wants.
    fn seek(&mut self, goal: usize, path: &Path, result: Option<Val>, found: &mut Found<'_>) {
        let wanted: &Wanted = &self.goals[goal].wanted;
        let mut path = path.clone();
        match self.explorer.wanted(&mut path, wanted, result) {
            Ok(Scalar::Known(truth)) if truth.bits == 0 => {}
            Ok(Scalar::Known(_)) => self.candidate(goal, &path.model, found),
            Ok(Scalar::Term(term)) => {
                let near = Rc::clone(&path.model);
                match self.explorer.solve(&mut path.state, Some(term), &near) {
                    Answer::Unsat => {}
                    Answer::Unknown => drop(self.doubts[goal].insert(words(Limit::Solver))),
                    Answer::Sat(model) => self.candidate(goal, &model, found),
                }
            }
            Err(PathEnd::Contradiction) => {}
            Err(end) => {
                let reason = property::reason(&end).unwrap_or_else(|| "the property cannot be evaluated".to_owned());
                self.doubts[goal].insert(reason);
            }
        }
    }

    /// Follows an input that should reach a goal, and has it executed.
    fn candidate(&mut self, goal: usize, model: &Rc<Model>, found: &mut Found<'_>) {
        let explored = self.explorer.follow(&self.start, &self.goals[goal], model);
        if let Some(explored) = explored.as_ref().filter(|explored| found(goal, explored)) {
            self.reached[goal] = Some(explored.clone());
            return;
        }
        self.refusals[goal] += 1;
        self.doubts[goal].insert(match explored {
            Some(_) => "the execution of an input went another way than predicted".to_owned(),
            None => "an input that should lead there does not".to_owned(),
        });
    }
}
