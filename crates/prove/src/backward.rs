//! Search backwards from a goal, for functions whose paths are too many to run them forward, merged or not.
//!
//! A partial path is the end of a path: it stands at the beginning of a block, with what must hold there for control to go
//! on to the goal (a weakest precondition, by substitution: `summary`). Going back over an edge adds what the edge
//! demands. Where paths join, a region between the join and the block that dominates it is passed at once if it changes
//! nothing the demands speak of and always leads to the join: only what concerns the goal multiplies paths. Loops are
//! unrolled backwards, one turn at a time, and only if they change something that matters; calls may change whatever
//! their functions write.
//!
//! A partial path is refuted early: its demands are taken back to the entry along the dominators, over each region that
//! may change something with that something unknown (the over-approximation of the w operator), and put to the solver
//! together with the precondition. Nothing is lost by this, so if all partial paths are refuted no input reaches the
//! goal. Whatever the solver finds instead is an input to be followed forward. Partial paths near the entry go first.
//!
//! After JAUT (Charreteur and Gotlieb 2010), which explores bytecode backwards from the goal, and the w operator (Denmat,
//! Gotlieb and Ducassé 2007). Not done: goals at returns, turns of loops or checks, predicates at points, functions that
//! may run inside themselves, cells that pointers other than unchanged parameters lead to (they may hold anything).

mod entry;
mod flow;
mod place;
mod summary;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::{BlockId, ENTRY, FunctionId};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use self::flow::Flow;
use self::place::Places;
use self::summary::{Names, Run, Summary, fresh};
use crate::goal::{Goal, Point};
use crate::policy;
use clew_symbolic::constraints::Answer;
use clew_symbolic::{Path, Stepper};

/// The end of a path to a goal: what must hold where a block begins.
#[derive(Clone, Debug)]
struct Partial {
    function: FunctionId,
    block: BlockId,
    demands: Vec<TermId>,
    /// Blocks gone back over.
    length: u32,
}

/// The search for one goal.
#[derive(Debug, Default)]
struct Search {
    /// By promise, then by age.
    waiting: BTreeMap<(u32, u64), Partial>,
    next: u64,
    /// Whether a partial path was given up that is not refuted.
    is_stuck: bool,
}

/// What came of a step backwards.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Inputs to be followed.
    pub(super) inputs: Vec<Rc<Model>>,
    /// Whether every path to the goal is refuted.
    pub(super) is_refuted: bool,
}

/// Searches backwards.
#[derive(Debug)]
pub(super) struct Backward {
    root: FunctionId,
    flow: Flow,
    places: Places,
    names: Names,
    summaries: BTreeMap<Point, Rc<Summary>>,
    /// By goal; `None` where there is nothing to be done.
    searches: Vec<Option<Search>>,
    /// Blocks gone back over, as effort.
    effort: u64,
}

impl Backward {
    pub(super) fn new(stepper: &mut Stepper<'_>, root: FunctionId, goals: &[Goal]) -> Backward {
        let program = stepper.program;
        let mut flow = Flow::new(program, root);
        let is_of_use = goals.iter().any(|goal| flow.leads_back(program, goal).is_some());
        let none = BTreeSet::new();
        let places = Places::new(program, root, if is_of_use { flow.functions() } else { &none });
        let searches = goals.iter().map(|_| None).collect();
        let mut backward =
            Backward { root, flow, places, names: Names::default(), summaries: BTreeMap::new(), searches, effort: 0 };
        for (index, goal) in goals.iter().enumerate() {
            backward.searches[index] = backward.search(stepper, goal);
        }
        backward
    }

    /// What was spent, in instructions, apart from questions.
    pub(super) fn effort(&self) -> u64 {
        self.effort
    }

    /// Whether something is left to be done for a goal.
    pub(super) fn is_open(&self, goal: usize) -> bool {
        self.searches[goal].as_ref().is_some_and(|search| !search.waiting.is_empty())
    }

    /// Where the search for a goal begins; `None` if it is of no kind that can be searched for.
    fn search(&mut self, stepper: &mut Stepper<'_>, goal: &Goal) -> Option<Search> {
        let points = self.flow.leads_back(stepper.program, goal)?;
        let mut search = Search::default();
        for point in points {
            if !self.flow.is_reached(point.function, point.block) {
                continue;
            }
            let before = self.summary(stepper, *point);
            let demands = before.before(stepper.constraints.terms(), &self.places, &self.names, &[], None);
            self.keep(&mut search, Partial { function: point.function, block: point.block, demands, length: 0 });
        }
        Some(search)
    }

    /// Goes back from the most promising partial path of a goal.
    pub(super) fn step(&mut self, stepper: &mut Stepper<'_>, start: &Path, goal: usize) -> Found {
        let mut found = Found::default();
        let Some(mut search) = self.searches[goal].take() else { return found };
        if let Some((_, partial)) = search.waiting.pop_first() {
            let usual = stepper.constraints.limit_steps(policy::BACKWARD_STEPS.get());
            match self.is_possible(stepper, start, &partial, &mut found) {
                true if self.is_at_entry(&partial) => search.is_stuck = true,
                true => {
                    for longer in self.longer(stepper, &partial) {
                        self.keep(&mut search, longer);
                    }
                }
                false => {}
            }
            stepper.constraints.limit_steps(usual);
        }
        found.is_refuted = search.waiting.is_empty() && !search.is_stuck;
        self.searches[goal] = Some(search);
        found
    }

    fn keep(&self, search: &mut Search, partial: Partial) {
        if search.waiting.len() >= policy::MAX_BACKWARD_PATHS.size() {
            search.is_stuck = true;
            return;
        }
        let promise = self.flow.distance(partial.function, partial.block).saturating_add(partial.length);
        search.waiting.insert((promise, search.next), partial);
        search.next += 1;
    }

    fn is_at_entry(&self, partial: &Partial) -> bool {
        (partial.function, partial.block) == (self.root, ENTRY)
    }

    /// What a block does up to a point.
    fn summary(&mut self, stepper: &mut Stepper<'_>, point: Point) -> Rc<Summary> {
        if let Some(known) = self.summaries.get(&point) {
            return Rc::clone(known);
        }
        let function = &stepper.program.functions[point.function];
        let run = Run {
            terms: stepper.constraints.terms(),
            places: &self.places,
            names: &mut self.names,
            function,
            id: point.function,
            summary: Summary::default(),
        };
        let summary = Rc::new(run.run(&function.blocks[point.block], point.position));
        self.summaries.insert(point, Rc::clone(&summary));
        summary
    }

    /// What a whole block does.
    fn whole(&mut self, stepper: &mut Stepper<'_>, function: FunctionId, block: BlockId) -> Rc<Summary> {
        let position = stepper.program.functions[function].blocks[block].insts.len();
        self.summary(stepper, Point { function, block, position })
    }

    /// The partial paths that are one block longer, or one region.
    fn longer(&mut self, stepper: &mut Stepper<'_>, partial: &Partial) -> Vec<Partial> {
        if partial.block == ENTRY {
            let calls = self.flow.calls(partial.function).to_vec();
            return calls.into_iter().filter_map(|call| self.out(stepper, partial, call)).collect();
        }
        let Some(dominator) = self.flow.dominator(partial.function, partial.block) else { return Vec::new() };
        let region = self.flow.region(partial.function, partial.block);
        let before = if region.is_closed && !self.matters(stepper, partial, &region.blocks) {
            vec![dominator]
        } else {
            self.flow.predecessors(partial.function, partial.block)
        };
        let skipped = before == [dominator];
        before
            .into_iter()
            .filter_map(|block| self.over(stepper, partial, block, skipped.then_some(&region.blocks)))
            .collect()
    }

    /// Whether a region may change something that is spoken of.
    fn matters(&mut self, stepper: &mut Stepper<'_>, partial: &Partial, region: &BTreeSet<BlockId>) -> bool {
        let spoken = self.names.in_terms(stepper.constraints.terms(), &partial.demands);
        region.iter().any(|block| {
            let summary = self.whole(stepper, partial.function, *block);
            spoken.iter().any(|place| summary.changes(&self.places, *place))
        })
    }

    /// Goes back over a block from which control comes directly, or through a region; `None` if that is contradictory.
    fn over(
        &mut self,
        stepper: &mut Stepper<'_>,
        partial: &Partial,
        block: BlockId,
        through: Option<&BTreeSet<BlockId>>,
    ) -> Option<Partial> {
        self.effort += policy::EFFORT_OF_PASS.get();
        let summary = self.whole(stepper, partial.function, block);
        let data = &stepper.program.functions[partial.function].blocks[block];
        let leads = |to: BlockId| to == partial.block || through.is_some_and(|region| region.contains(&to));
        let terms = stepper.constraints.terms();
        let way = summary.way_to(terms, data, leads);
        let demands = summary.before(terms, &self.places, &self.names, &partial.demands, way);
        Some(Partial { block, demands: simplified(stepper, demands)?, length: partial.length + 1, ..*partial })
    }

    /// Goes back from the entry of a function to before one of its calls.
    fn out(&mut self, stepper: &mut Stepper<'_>, partial: &Partial, call: Point) -> Option<Partial> {
        self.effort += policy::EFFORT_OF_PASS.get();
        let demands = self.at_call(stepper, partial, call);
        let summary = self.summary(stepper, call);
        let demands = summary.before(stepper.constraints.terms(), &self.places, &self.names, &demands, None);
        let demands = simplified(stepper, demands)?;
        Some(Partial { function: call.function, block: call.block, demands, length: partial.length + 1 })
    }

    /// Whether an input may take a partial path, as far as can be seen without looking into what comes before it.
    fn is_possible(&mut self, stepper: &mut Stepper<'_>, start: &Path, partial: &Partial, found: &mut Found) -> bool {
        let mut whole = partial.clone();
        while !self.is_at_entry(&whole) {
            let Some(longer) = self.hurried(stepper, &whole) else { return false };
            match longer {
                Some(longer) => whole = longer,
                None => break,
            }
        }
        match self.asked(stepper, start, &whole.demands) {
            Answer::Unsat => return false,
            Answer::Unknown => {}
            Answer::Sat(model) => found.inputs.push(model),
        }
        true
    }

    /// The partial path taken back to what dominates its beginning, with all unknown that may change in between; `None`
    /// inside if there is no one such place, outside if that is contradictory.
    fn hurried(&mut self, stepper: &mut Stepper<'_>, partial: &Partial) -> Option<Option<Partial>> {
        if partial.block == ENTRY {
            let [call] = *self.flow.calls(partial.function) else { return Some(None) };
            return self.out(stepper, partial, call).map(Some);
        }
        let Some(dominator) = self.flow.dominator(partial.function, partial.block) else { return Some(None) };
        let region = self.flow.region(partial.function, partial.block);
        let spoken = self.names.in_terms(stepper.constraints.terms(), &partial.demands);
        let summaries: Vec<Rc<Summary>> =
            region.blocks.iter().map(|block| self.whole(stepper, partial.function, *block)).collect();
        let terms = stepper.constraints.terms();
        let mut replaced = Vec::new();
        for place in spoken {
            if summaries.iter().any(|summary| summary.changes(&self.places, place))
                && let Some(name) = self.names.known(place)
            {
                replaced.push((name, fresh(terms, name)));
            }
        }
        let demands = partial.demands.iter().map(|term| terms.substitute(*term, &replaced)).collect();
        self.over(stepper, &Partial { demands, ..*partial }, dominator, Some(&region.blocks)).map(Some)
    }
}

/// The demands without those that always hold; `None` if one never does.
fn simplified(stepper: &mut Stepper<'_>, demands: Vec<TermId>) -> Option<Vec<TermId>> {
    let terms = stepper.constraints.terms();
    let mut left: Vec<TermId> = Vec::new();
    for demand in demands {
        match terms.bits(demand) {
            Some(0) => return None,
            Some(_) => {}
            None if left.contains(&demand) => {}
            None => left.push(demand),
        }
    }
    Some(left)
}
