//! The ways out of blocks: which one a path goes, and which are left open.

use std::rc::Rc;

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_ir::{BlockId, ConditionId, Function};
use clew_solver::clock;
use clew_solver::term::TermId;
use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::Limit;
use clew_symbolic::state::State;
use clew_symbolic::step;
use clew_symbolic::stepped::{Way, Ways};
use clew_symbolic::value::Scalar;
use clew_symbolic::{Open, Path, Resume, kpath};

use crate::Search;
use crate::policy;

/// What leaving a branch open costs on the clock of work: the first one out of a block, and each of the others.
const LEFT_OPEN: u64 = 4_000;
const LEFT_BESIDE: u64 = 1_000;

impl Search<'_> {
    /// Goes the way the current model goes, or one that the search prefers, and leaves the others open.
    pub(crate) fn choose(&mut self, path: &mut Path, ways: &Ways) {
        let taken = self.stepper.taken(path, ways);
        let function = &self.stepper.program.functions[path.state.frame().function];
        let (condition, all) = (ways.condition, &ways.all);
        if self.is_certain(path, &all[taken]) {
            return step::go(path, function, all[taken].to, all[taken].event);
        }
        let is_long = self.stepper.config.is_directed()
            && path.state.record.turns > policy::EXIT_AFTER_TURNS_DIRECTED.small()
            && !path.state.repeats;
        let steered = if is_long && !path.state.steering.state_variables.is_empty() {
            self.steered(path, all, taken)
        } else {
            None
        };
        let toward_exit = if path.state.steering.toward_exit { self.shortest_exit(path, all, taken) } else { None };
        let taken = steered.or(toward_exit).unwrap_or_else(|| self.way_out(path, function, condition, all, taken));
        self.absorb();
        let mut state = None;
        for (index, way) in all.iter().enumerate().rev() {
            if let (true, Scalar::Term(when)) = (index != taken, way.when) {
                self.leave_open(path, &mut state, function, condition, way, when);
            }
        }
        self.stepper.take(path, ways, taken);
    }

    /// Whether the condition of a path that heads for objectives says already that it goes this way: no input of the path
    /// goes another, and nothing is left open. Where all paths are asked for, refuted prefixes are counted and explained.
    fn is_certain(&self, path: &Path, way: &Way) -> bool {
        let is_open = self.stepper.config.explain || !self.stepper.config.is_directed();
        matches!(way.when, Scalar::Term(when) if !is_open && path.state.condition.contains(when))
    }

    /// The way that leads a path which heads for its end there with fewer branches than the one its model goes.
    fn shortest_exit(&mut self, path: &mut Path, ways: &[Way], taken: usize) -> Option<usize> {
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
        let far = match self.stepper.config.bound {
            Some(k) => path.state.record.turns > k.saturating_add(policy::EXIT_AFTER_TURNS.small()),
            None => {
                let turns = path.state.record.turns;
                self.ledger.is_some()
                    && turns > policy::EXIT_AFTER_TURNS_DIRECTED.small()
                    && !path.state.steering.is_recent(turns)
            }
        };
        if !far || ways.len() != 2 {
            return taken;
        }
        let other = &ways[1 - taken];
        let leaves = match self.stepper.config.bound {
            Some(_) => condition.is_some_and(|condition| kpath::leaves(function, condition, other.to)),
            None => self.leaves_loop(path, ways[taken].to, other.to),
        };
        let (true, Scalar::Term(when)) = (leaves, other.when) else { return taken };
        let near = path.model.clone();
        match self.stepper.solve(&mut path.state.clone(), Some(when), &near) {
            Answer::Sat(model) => {
                let frame = path.state.frame();
                self.branching.escapes.remove(&(frame.function, frame.block));
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
        let tries = self.branching.escapes.entry((frame.function, frame.block)).or_default();
        *tries += u32::from(leaves);
        leaves && (*tries < 16 || tries.is_power_of_two())
    }

    /// Whether a branch stays in a loop on one side and leaves it on the other.
    pub(crate) fn is_exit(&mut self, path: &Path, stay: BlockId, leave: BlockId) -> bool {
        let frame = path.state.frame();
        let (id, from) = (frame.function, frame.block);
        let program = self.stepper.program;
        let loops = self.branching.loops.entry(id).or_insert_with(|| {
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
        let (frame, turns) = (path.state.frame(), path.state.record.turns);
        if path.state.repeats {
            return;
        }
        let is_model = self.stepper.program.models.contains(&frame.function);
        let own_limit = if is_model { Some(Limit::Library) } else { path.state.guard.then_some(Limit::Precondition) };
        let (bound, turns) = match own_limit {
            Some(Limit::Library) if self.ledger.is_some() => (None, 0),
            Some(Limit::Library) => {
                (Some(self.stepper.config.bound.unwrap_or(0).max(policy::MAX_MODEL_TURNS.small())), 0)
            }
            Some(_) => (self.stepper.config.bound.map(|k| k.max(policy::MAX_MODEL_TURNS.small())), 0),
            None => (self.stepper.config.bound, turns),
        };
        let key = (path.state.condition.digest(), when, frame.function, way.to, path.state.record.events.len());
        // Where pointers of the input lead is not part of the condition.
        let tells = self.stepper.config.is_directed() && path.state.inputs.pointers.is_empty();
        if tells && self.branching.is_left_open(&key, path.state.condition.list()) {
            return;
        }
        if kpath::worth_flipping(function, frame, condition, way.to, bound, turns) {
            self.branching.note(key, path.state.condition.list());
            clock::spend(if state.is_none() { LEFT_OPEN } else { LEFT_BESIDE });
            let state = Rc::clone(state.get_or_insert_with(|| Rc::new(path.state.clone())));
            self.open.push(Open::new(state, path.model.clone(), when, Resume::Go(way.to, way.event)));
        } else {
            // The bound that was asked for is no limit of ours; those of other loops are.
            self.unfinished.limits.extend(own_limit);
        }
    }
}
