//! The pursuit of goals: states are run on in the order of the program, merged where they meet, and looked at wherever a
//! goal stands; in turns with that, one by one without merging (`near`), and backwards from the goals (`backward_round`).
//! Whichever answers first has answered.

mod accelerate;
mod all_paths;
mod backward_round;
pub(crate) mod collect;
mod cut;
mod seek;

mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::{BlockId, Function, FunctionId, Operand, Terminator, TerminatorKind};

use super::backward::Backward;
use super::demands::demands;
use super::frontier::{Allowed, ProgramOrder, Rounds, Shapes, Waiting};
use super::heading::{Heading, Standing, standing};
use super::near::Near;
use super::property::{watches_unwritten, words};
use super::{merge, property};
use crate::cut::Cut;
use crate::goal::{Goal, Point, Site};
use crate::policy;
use clew_solver::model::Model;
use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::step::go;
use clew_symbolic::stepped::Step;
use clew_symbolic::value::Scalar;
use clew_symbolic::{Explored, Path, Resume, Stepper};

/// Goals on the way to their verdicts.
pub(super) struct Pursuit<'e, 'p> {
    stepper: &'e mut Stepper<'p>,
    start: Path,
    goals: &'e [Goal],
    /// By goal: what is known of it.
    progress: Vec<GoalProgress>,
    /// Goals by the instruction at which they stand.
    at: BTreeMap<Point, Vec<usize>>,
    frontier: Frontier,
    met: Met,
    /// States run on one by one.
    near: Near,
    /// Whether that is what is being done.
    is_near: bool,
    /// The ways in which the function is entered that were left open: by merged states, and by single ones.
    entered: [BTreeSet<u32>; 2],
    /// The search backwards, once it has begun.
    backward: Option<Backward>,
    effort: Effort,
    /// Loops that are cut at their heads; empty unless a proof by induction is tried.
    cuts: Vec<Cut>,
    /// Whether accesses through pointers are blurred there.
    blurs: bool,
    /// What showed last that an invariant may fail in the state that is looked at: it may do so for others.
    refuting: Vec<Rc<Model>>,
    /// States that have come to the goal, where all of them are wanted: each input is in one of them.
    cases: Option<Vec<Path>>,
}

/// What is known of a goal.
#[derive(Default)]
struct GoalProgress {
    /// An input that reaches it, if one was found.
    reached: Option<Explored>,
    /// Why it may be reached all the same.
    doubts: BTreeSet<String>,
    /// How often an answer of the solver did not lead there.
    refusals: u32,
    /// The way there, computed on demand.
    heading: Option<Heading>,
    /// Whether the search backwards refuted every path.
    is_refuted: bool,
}

/// Merged states, where they wait.
struct Frontier {
    shapes: Shapes,
    waiting: BTreeMap<ProgramOrder, Vec<Waiting>>,
    /// States that want more turns.
    parked: Vec<Waiting>,
    /// Turns that loops may make now.
    allowed: Allowed,
}

/// Limits met.
#[derive(Default)]
struct Met {
    /// Whatever made the search incomplete since it was last asked for whom that matters.
    limits: BTreeSet<String>,
    /// Limits met before anything ran: they concern every goal, however it is searched for.
    began: BTreeSet<Limit>,
    /// The limit by which the search was cut off.
    cut_by: Option<Limit>,
}

/// What was spent.
struct Effort {
    /// On merged states, on single ones, and on the search backwards.
    spent: [u64; 3],
    /// Instructions run, and what merging costs in instructions.
    instructions: u64,
    /// The effort of merged states at which the other searches catch up.
    catches_up_at: u64,
}

/// Who hears of inputs found, and says whether they were confirmed.
type Found<'f> = dyn FnMut(usize, &Explored) -> bool + 'f;

impl<'e, 'p> Pursuit<'e, 'p> {
    pub(super) fn new(
        stepper: &'e mut Stepper<'p>,
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
        let program = stepper.program;
        stepper.recording.unwritten |= watches_unwritten(stepper);
        let mut pursuit = Pursuit {
            stepper,
            start,
            goals,
            progress: goals.iter().map(|_| GoalProgress::default()).collect(),
            at,
            frontier: Frontier {
                shapes: Shapes::default(),
                waiting: BTreeMap::new(),
                parked: Vec::new(),
                allowed: Allowed::in_round(0, None, 0),
            },
            met: Met::default(),
            near: Near::new(program, function),
            is_near: false,
            entered: [const { BTreeSet::new() }; 2],
            backward: None,
            effort: Effort { spent: [0; 3], instructions: 0, catches_up_at: policy::MERGED_HEAD_START.get() },
            cuts: Vec::new(),
            blurs: false,
            refuting: Vec::new(),
            cases: None,
        };
        pursuit.touch_globals(function);
        pursuit.met.began = pursuit.stepper.effects.limits.clone();
        pursuit
    }

    /// Makes the globals known before paths fork, so that all name them alike.
    fn touch_globals(&mut self, function: FunctionId) {
        let guard = self.start.state.guard.then(|| self.start.state.frame().function);
        for function in std::iter::once(function).chain(guard) {
            for global in clew_analyze::reach::reach(self.stepper.program, function).globals {
                // A global that cannot be touched gives its reason where the program touches it.
                let _ = self.stepper.global(&mut self.start, global);
            }
        }
    }

    /// Runs until every goal is reached, nothing is left, or a limit is met.
    pub(super) fn run(&mut self, found: &mut Found<'_>) {
        let start = self.beginning();
        self.near.head_for(self.stepper.program, self.goals.iter());
        if self.begin_near(start.clone()) {
            return;
        }
        let is_first = self.stepper.config.compares && !self.near.is_incomplete;
        if is_first && self.catch_up_near(policy::SINGLE_HEAD_START.get(), found) {
            return;
        }
        self.frontier.parked.push(start);
        let bound = self.stepper.config.bound;
        let asked = self.inner_turns();
        for round in 0.. {
            self.frontier.allowed = Allowed::in_round(round, bound, asked);
            for state in std::mem::take(&mut self.frontier.parked) {
                self.wait(state);
            }
            while let Some(state) = self.next() {
                if self.is_over() {
                    return self.wait(state);
                }
                self.measured(state, found);
                if self.catch_up(found) {
                    return;
                }
            }
            let bounded = bound.is_some_and(|bound| self.frontier.allowed == Allowed { outer: bound, inner: bound });
            if self.frontier.parked.is_empty() || bounded {
                return;
            }
        }
    }

    /// The state in which everything begins.
    fn beginning(&self) -> Waiting {
        Waiting { path: self.start.clone(), rounds: vec![Rounds::default(); self.start.state.frames.len()] }
    }

    /// The next state in the order of the program.
    fn next(&mut self) -> Option<Waiting> {
        let mut first = self.frontier.waiting.first_entry()?;
        let state = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        state
    }

    /// Lets single states begin with what the goals demand of the arguments; says whether that is impossible.
    fn begin_near(&mut self, mut start: Waiting) -> bool {
        let function = start.path.state.outermost().function;
        let targets = self.near.targets_in(function).unwrap_or_default();
        if !targets.is_empty() {
            for demand in demands(self.stepper, &start.path, function, &targets) {
                let taken = match demand {
                    Scalar::Known(truth) if truth.bits == 1 => Ok(()),
                    Scalar::Known(_) => Err(PathEnd::Contradiction),
                    Scalar::Term(term) => self.stepper.assume(&mut start.path, term),
                };
                match taken {
                    Ok(()) => {}
                    Err(PathEnd::Contradiction) => return self.near_is_done(),
                    Err(_) => {
                        self.near.is_incomplete = true;
                        return false;
                    }
                }
            }
        }
        self.near.push(start, None);
        false
    }

    /// Lets the other searches have as much effort as merged states; says whether all is known by that.
    fn catch_up(&mut self, found: &mut Found<'_>) -> bool {
        if self.effort.spent[0] < self.effort.catches_up_at || !self.cuts.is_empty() {
            return false;
        }
        self.effort.catches_up_at = self.effort.spent[0] + self.effort.spent[0] / policy::MERGED_LEAD_SHARE.get();
        if !self.near.is_incomplete && self.catch_up_near(self.effort.spent[0], found) {
            return true;
        }
        self.catch_up_backward(found);
        false
    }

    /// Runs single states on until they have had so much effort; says whether none is left, so that all is known.
    fn catch_up_near(&mut self, effort: u64, found: &mut Found<'_>) -> bool {
        // What single states could not do says nothing about the merged ones.
        let (limits, of_explorer) =
            (std::mem::take(&mut self.met.limits), std::mem::take(&mut self.stepper.effects.limits));
        self.is_near = true;
        let mut open = usize::MAX;
        while self.effort.spent[1] < effort && !self.is_over() {
            let wanted = (0..self.goals.len()).filter(|goal| self.is_open(*goal)).count();
            if wanted < open {
                let goals = (0..self.goals.len()).filter(|goal| self.progress[*goal].reached.is_none());
                self.near.head_for(self.stepper.program, goals.map(|goal| &self.goals[goal]));
                open = wanted;
            }
            match self.near.pop() {
                Some(state) if accelerate::has_skipped(&state) => self.run_extra(state, found),
                Some(state) => self.measured(state, found),
                None => break,
            }
        }
        self.is_near = false;
        let met = !self.met.limits.is_empty() || !self.stepper.effects.limits.is_empty();
        self.near.is_incomplete |= met;
        (self.met.limits, self.stepper.effects.limits) = (limits, of_explorer);
        self.near_is_done()
    }

    /// Whether the single states have all come to their ends.
    fn near_is_done(&self) -> bool {
        self.near.is_empty() && !self.near.is_incomplete && self.met.began.is_empty()
    }

    /// Runs a state on and counts what it costs.
    fn measured(&mut self, state: Waiting, found: &mut Found<'_>) {
        let cost = |this: &Self| {
            this.effort.instructions + this.stepper.constraints.questions() * policy::EFFORT_OF_QUESTION.get()
        };
        let (before, standing) = (cost(self), standing(&state.path.state));
        self.advance(state, found);
        self.effort.spent[usize::from(self.is_near)] += cost(self) - before + 1;
        if !self.is_near {
            self.attribute(&standing);
        }
    }

    /// Limits met by a state that stood there make goals doubtful to which it leads, and no others.
    fn attribute(&mut self, standing: &Standing) {
        let mut limits = std::mem::take(&mut self.met.limits);
        limits.extend(std::mem::take(&mut self.stepper.effects.limits).into_iter().map(words));
        if limits.is_empty() {
            return;
        }
        for goal in 0..self.goals.len() {
            if self.is_open(goal) && !limits.is_subset(&self.progress[goal].doubts) && self.may_reach(goal, standing) {
                self.progress[goal].doubts.extend(limits.iter().cloned());
            }
        }
    }

    /// Whether there is a way to a goal.
    fn may_reach(&mut self, goal: usize, standing: &Standing) -> bool {
        let map = &self.near.map;
        let heading = self.progress[goal]
            .heading
            .get_or_insert_with(|| Heading::new(self.stepper.program, map, std::iter::once(&self.goals[goal])));
        !heading.is_shown(map) || heading.distance(map, standing).is_some()
    }

    /// The most turns that goals ask of loops inside others.
    fn inner_turns(&self) -> u32 {
        let program = self.stepper.program;
        let turns = self.goals.iter().map(|goal| match goal.site {
            Site::Turns(function, target, turns) if program.functions[function].loops[target].parent.is_some() => turns,
            _ => 0,
        });
        turns.max().unwrap_or(0)
    }

    fn is_over(&mut self) -> bool {
        self.met.cut_by = self.stepper.cut_by();
        self.met.cut_by.is_some() || (0..self.goals.len()).all(|goal| !self.is_open(goal))
    }

    fn is_open(&self, goal: usize) -> bool {
        self.progress[goal].reached.is_none()
            && !self.progress[goal].is_refuted
            && self.progress[goal].refusals < policy::MAX_REFUSALS.small()
    }

    /// Puts a state where it waits, merged with one that waits there already.
    fn wait(&mut self, mut state: Waiting) {
        if !self.is_of_use(&state) {
            return;
        }
        if self.is_near {
            let allowed = self.stepper.config.bound.map(|bound| Allowed { outer: bound, inner: bound });
            return self.near.push(state, allowed);
        }
        if !self.frontier.allowed.permits(&state) {
            self.frontier.parked.push(state);
            return;
        }
        let place = state.place(self.stepper.program, &mut self.frontier.shapes);
        let waiting = self.frontier.waiting.entry(place).or_default();
        for other in waiting.iter_mut().rev().take(policy::MAX_MERGE_PARTNERS.size()) {
            self.effort.instructions += 1;
            if merge::cannot_merge(&other.path.state, &state.path.state) {
                continue;
            }
            self.effort.instructions += policy::EFFORT_OF_MERGE.get() * other.path.state.memory.len() as u64;
            if let Some(path) = merge::merged(self.stepper, &other.path, &state.path) {
                other.path = path;
                return;
            }
        }
        state.path.state.record.events.clear();
        waiting.push(state);
    }

    /// Runs a state on to the end of its block.
    fn advance(&mut self, mut state: Waiting, found: &mut Found<'_>) {
        let program = self.stepper.program;
        self.makes_many_turns(&state);
        loop {
            if !self.comes_by(&mut state) {
                return;
            }
            self.arrivals(&state.path, found);
            if !self.passes_cuts(&mut state) {
                return;
            }
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
                if self.blurred(path, function, inst) {
                    return Ok(());
                }
                self.stepper.instruction(path, function, inst)
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
        self.effort.instructions += 1;
        if path.state.steps > self.stepper.config.limits.steps { Err(PathEnd::Limit(Limit::Steps)) } else { Ok(()) }
    }

    /// Takes up what an instruction left open because it went on with one value of many.
    fn left_open(&mut self, rounds: &[Rounds]) {
        while let Some(mut open) = self.stepper.effects.forks.pop() {
            if open.entry.is_some_and(|entry| !self.entered[usize::from(self.is_near)].insert(entry)) {
                continue;
            }
            debug_assert!(matches!(open.resume, Resume::Again), "only branches resume elsewhere");
            match self.stepper.solve(Rc::make_mut(&mut open.state), Some(open.when), &open.model) {
                Answer::Unsat => {}
                Answer::Unknown => drop(self.met.limits.insert(words(Limit::Solver))),
                Answer::Sat(model) => {
                    // What was left open may stand where the path came by before, in calls that have ended since.
                    let mut rounds = rounds.to_vec();
                    rounds.resize(open.state.frames.len(), Rounds::default());
                    self.wait(Waiting { path: Path { state: Rc::unwrap_or_clone(open.state), model }, rounds });
                }
            }
        }
    }

    fn terminator(&mut self, state: Waiting, function: &Function, terminator: &Terminator, found: &mut Found<'_>) {
        let path = &state.path;
        let ways = match &terminator.kind {
            TerminatorKind::Jump(target) => Ok(vec![(Scalar::bool(true), *target)]),
            TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => {
                let ways = self.stepper.ways(&mut path.clone(), terminator);
                ways.map(|ways| ways.all.iter().map(|way| (way.when, way.to)).collect())
            }
            TerminatorKind::Return(value) => return self.leave(state, *value, found),
            TerminatorKind::Unreachable { check } => {
                let mut path = state.path;
                let end = match check {
                    Some(check) => self.stepper.demand(
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

    /// Sends a state one way out of its block, if some input goes there.
    fn way(&mut self, state: &Waiting, function: &Function, when: Scalar, to: BlockId, found: &mut Found<'_>) {
        let mut path = state.path.clone();
        match when {
            Scalar::Known(truth) if truth.bits == 0 => return,
            Scalar::Known(_) => {}
            Scalar::Term(term) => match self.stepper.solve(&mut path.state, Some(term), &state.path.model) {
                Answer::Sat(model) => path.model = model,
                Answer::Unsat => return,
                Answer::Unknown => drop(self.met.limits.insert(words(Limit::Solver))),
            },
        }
        let mut rounds = state.rounds.clone();
        let frame = path.state.frame();
        let (id, from) = (frame.function, frame.block);
        let shape = self.frontier.shapes.of(self.stepper.program, id);
        rounds.last_mut().expect("a running state has an activation").pass(&shape, from, to);
        if !self.turns_made(&path, function, to, found) {
            return;
        }
        go(&mut path, function, to, None);
        self.wait(Waiting { path, rounds });
    }

    /// Looks at goals that ask for so many turns of a loop which the state leaves; says whether the state goes on.
    fn turns_made(&mut self, path: &Path, function: &Function, to: BlockId, found: &mut Found<'_>) -> bool {
        if path.state.guard {
            return true;
        }
        let frame = path.state.frame();
        for (index, goal) in self.goals.iter().enumerate() {
            if let Site::Turns(id, target, turns) = goal.site
                && id == frame.function
                && function.loops[target].exit == to
                && frame.loops.contains(&(target, turns))
                && self.is_open(index)
            {
                match &mut self.cases {
                    Some(cases) => {
                        cases.push(path.clone());
                        return false;
                    }
                    None => self.seek(index, path, None, found),
                }
            }
        }
        true
    }

    fn leave(&mut self, mut state: Waiting, value: Option<Operand>, found: &mut Found<'_>) {
        match self.stepper.leave(&mut state.path, value) {
            Ok(()) => {
                state.rounds.pop();
                self.wait(state);
            }
            Err(end) => self.finish(&state.path, &end, found),
        }
    }

    /// Looks at the goals that stand where a state stands.
    fn arrivals(&mut self, path: &Path, found: &mut Found<'_>) {
        if self.cases.is_some() || path.state.guard {
            return;
        }
        let frame = path.state.frame();
        let point = Point { function: frame.function, block: frame.block, position: frame.next };
        self.refuting.clear();
        for goal in self.at.get(&point).cloned().unwrap_or_default() {
            if self.is_open(goal) {
                self.seek(goal, path, None, found);
            }
        }
    }

    /// Looks at the goals that stand where a path ends.
    fn finish(&mut self, path: &Path, end: &PathEnd, found: &mut Found<'_>) {
        self.failures(found);
        self.met.limits.extend(property::reason(end));
        if self.cases.is_some() {
            return self.returns(path, end);
        }
        for (index, goal) in self.goals.iter().enumerate() {
            match (&goal.site, end) {
                (Site::Return, PathEnd::Returned(result)) if self.is_open(index) => {
                    self.seek(index, path, *result, found);
                }
                (Site::Check(function, check), PathEnd::Failed(failure))
                    if (*function, *check) == (failure.function, failure.check) && self.is_open(index) =>
                {
                    let meetings = self.stepper.meetings(&path.state, &path.model);
                    self.candidate(index, &path.model, &meetings, found);
                }
                _ => {}
            }
        }
    }

    /// Looks at the goals whose check was seen to fail.
    fn failures(&mut self, found: &mut Found<'_>) {
        for failing in std::mem::take(&mut self.stepper.effects.failures) {
            let failure = &failing.finding.failure;
            let site = Site::Check(failure.function, failure.check);
            for (index, goal) in self.goals.iter().enumerate() {
                if goal.site == site && self.is_open(index) {
                    self.candidate(index, &failing.model, &failing.meetings, found);
                }
            }
        }
    }
}
