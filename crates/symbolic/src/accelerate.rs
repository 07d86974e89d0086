//! Loop acceleration: many turns of a loop as one step.
//!
//! A path that stands at the head of a loop, after a turn along some blocks, may go along the same blocks again, any number
//! of times. What that does is computed here where it has a closed form: one turn is run from unknown values
//! ([`turn::Turn`]), what it adds to each variable is summed up ([`recurrence`]) to polynomials of the number of turns
//! ([`sequence::Sequence`]), and what the turn needs to go that way must be the case in every turn ([`throughout`]): its branches, that no
//! signed operator overflows, that conversions keep values. These conditions are part of the question, so that the step is
//! exact for all inputs it is taken with. The number of turns is a variable of the question like those of the input.
//!
//! This is path acceleration (Kroening, Lewis and Weissenbacher 2013: under-approximating loops for fast counterexample
//! detection), with polynomials of degree three and without quantifiers. Nothing is left out by it: the turns can still be
//! made one by one.

mod count;
mod polynomial;
mod recurrence;
mod sequence;
mod throughout;
mod turn;

use std::rc::Rc;

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_ir::{BlockId, FunctionId, LoopId};
use clew_scalar::{BinaryOp, Conversion};
use clew_solver::term::{Sort, TermId};

use crate::path::Path;
use crate::policy;
use crate::state::{Skip, State};
use crate::stepper::Stepper;
use crate::value::{Scalar, Val};
use polynomial::{Atom, Polynomial};
use recurrence::{Solution, solve};
use sequence::{MOST_TURN_BITS, TURN_BITS};
use throughout::Throughout;
use turn::{Demand, Turn, Variable};

/// A path after some more turns of a loop.
#[derive(Clone, Debug)]
pub struct Accelerated {
    /// Where it stands: at the head of the loop again.
    pub state: State,
    /// What must hold for it to come there.
    pub when: TermId,
    /// By branch in the turn: what makes the next turn another one there.
    pub ends: Vec<TermId>,
}

/// A turn and what it comes to when it is made again and again.
struct Repeated {
    variables: Vec<Variable>,
    results: Vec<Polynomial>,
    demands: Vec<Demand>,
    branches: Vec<usize>,
    events: usize,
    solution: Solution,
}

impl Stepper<'_> {
    /// What a path does that goes along these blocks from the head of a loop, where it stands, back to the head, again and
    /// again: some number of times, and as it has done just now. `None` if that has no closed form.
    pub fn accelerate(&mut self, path: &Path, blocks: &[BlockId]) -> Option<Accelerated> {
        let repeated = self.repeated(path, blocks)?;
        let number = path.state.record.skips.len() as u32;
        let turns = self.constraints.terms().shared_var("turns", Sort::int(TURN_BITS), number);
        self.after(path, &repeated, turns)
    }

    /// The same for as many turns as can be made at once: until one of the branches on the way goes elsewhere. The number is
    /// a function of the values that variables have now.
    pub fn run_through(&mut self, path: &Path, blocks: &[BlockId]) -> Option<Accelerated> {
        let repeated = self.repeated(path, blocks)?;
        let terms = self.constraints.terms();
        let mut least: Option<TermId> = None;
        for branch in &repeated.branches {
            let Demand::Holds(comparison, truth) = &repeated.demands[*branch] else { continue };
            if let Some(turns) = count::turns(terms, &repeated.solution, comparison, *truth)? {
                least = Some(least.map_or(turns, |least| {
                    let is_less = terms.binary(BinaryOp::Ult, turns, least);
                    terms.select(is_less, turns, least)
                }));
            }
        }
        let least = least?;
        let bound = terms.int(count::BITS, 1 << MOST_TURN_BITS);
        let is_below = terms.binary(BinaryOp::Ult, least, bound);
        let turns = terms.convert(Conversion::Truncate(TURN_BITS), least);
        let mut accelerated = self.after(path, &repeated, turns)?;
        let terms = self.constraints.terms();
        accelerated.when = terms.and(is_below, accelerated.when);
        Some(accelerated)
    }

    /// The blocks of a turn of the loop at whose head a path stands that has just made its first turns of it, if all turns
    /// go the same way.
    pub fn turn_ahead(&mut self, path: &Path) -> Option<Rc<[BlockId]>> {
        let frame = path.state.frame();
        let function = &self.program.functions[frame.function];
        let is_first = |item: &LoopId| function.loops[*item].head == frame.block;
        let begun = frame.loops.iter().find(|(item, _)| is_first(item)).map(|(_, begun)| *begun);
        if frame.next != 0 || begun != Some(policy::FIRST_TURNS.small()) {
            return None;
        }
        self.only_turn(frame.function, frame.block)
    }

    /// The blocks of a turn of the loop with this head, if all turns go the same way.
    pub fn only_turn(&mut self, function: FunctionId, head: BlockId) -> Option<Rc<[BlockId]>> {
        let turns = self.caches.turns.entry(function).or_insert_with(|| {
            let graph = Graph::new(&self.program.functions[function]);
            let loops = natural_loops(&graph, &Dominators::new(&graph));
            loops.iter().filter_map(|item| Some((item.head, item.only_way(&graph)?.into()))).collect()
        });
        turns.get(&head).cloned()
    }

    /// Makes the rest of the turns of a loop in one step, if that is what the input of the path does; says whether it did.
    pub fn skip_turns(&mut self, path: &mut Path, blocks: &[BlockId]) -> bool {
        let Some(accelerated) = self.run_through(path, blocks) else { return false };
        let does = self.constraints.holds(&path.model, accelerated.when);
        if does {
            path.state = accelerated.state;
            path.state.condition.push_back(accelerated.when);
        }
        does
    }

    /// A turn along blocks, if it has a closed form.
    fn repeated(&mut self, path: &Path, blocks: &[BlockId]) -> Option<Repeated> {
        let state = &path.state;
        // Where single accesses are noted, each of them counts.
        if !state.writes.is_empty() || !state.external.havocked.is_empty() {
            return None;
        }
        let function = &self.program.functions[state.frame().function];
        let has_events = !self.program.models.contains(&state.frame().function);
        let terms = self.constraints.terms();
        let turn = Turn::run(function, path, terms, blocks)?;
        let results: Vec<_> = (0..turn.variables.len()).map(|number| turn.result(number).clone()).collect();
        let Turn { variables, demands, branches, events, .. } = turn;
        let solution = solve(&results, &variables)?;
        Some(Repeated { variables, results, demands, branches, events: if has_events { events } else { 0 }, solution })
    }

    /// What a path comes to that makes so many turns.
    fn after(&mut self, path: &Path, repeated: &Repeated, turns: TermId) -> Option<Accelerated> {
        let Repeated { variables, demands, solution, .. } = repeated;
        let terms = self.constraints.terms();
        let mut throughout = Throughout { terms, solution, turns };
        let mut all = Vec::new();
        for demand in demands {
            all.push(throughout.demand(demand)?);
        }
        let ends = repeated.branches.iter().filter_map(|branch| match &demands[*branch] {
            Demand::Holds(comparison, truth) => throughout.ends(comparison, *truth),
            Demand::Fits(..) | Demand::Keeps(..) => None,
        });
        let ends: Vec<TermId> = ends.collect();
        for (variable, assumed) in &solution.assumed {
            let Variable { width, entry, .. } = variables[*variable];
            let (entry, assumed) = (entry.term(terms), sequence::polynomial(terms, width, assumed));
            all.push(terms.eq(entry, assumed));
        }
        let (one, bound) = (terms.int(TURN_BITS, 1), terms.int(TURN_BITS, 1 << MOST_TURN_BITS));
        all.push(terms.binary(BinaryOp::Ule, one, turns));
        all.push(terms.binary(BinaryOp::Ult, turns, bound));
        let start = terms.bool(true);
        let when = all.into_iter().fold(start, |when, condition| terms.and(when, condition));
        Some(Accelerated { state: self.state_after(path, repeated, turns), when, ends })
    }

    /// The state of a path that makes so many turns.
    fn state_after(&mut self, path: &Path, repeated: &Repeated, turns: TermId) -> State {
        let mut state = path.state.clone();
        let terms = self.constraints.terms();
        for (number, variable) in repeated.variables.iter().enumerate() {
            let is_kept = repeated.results[number] == Polynomial::atom(Atom::Entry(number));
            if !is_kept {
                let after = repeated.solution.after(terms, number, variable, turns);
                let value = Scalar::of(terms, after);
                state.memory.get_mut(variable.object).replace(variable.at, Val::Scalar(value));
            }
        }
        let marks = state.record.trace.as_ref().map_or(0, imbl::Vector::len);
        let events = state.record.events.len();
        let head = (path.state.frame().function, path.state.frame().block);
        state.record.skips.push_back(Skip { events, marks, head, each: repeated.events, turns });
        state
    }
}
