//! Objectives about values, data flow and loops as questions to abstract interpretation.
//!
//! A label is a predicate at a point. A flow is a watch: the definition turns it on, every other definition of the
//! variable turns it off, and the use must come while it is on. What is known to never happen is infeasible. So is what
//! can only be covered where control never passes in an execution that C defines.

use clew_analyze::facts::Facts;
use clew_analyze::question::{InstPosition, Question, Watch, never};
use clew_coverage::dataflow::{AccessKind, Variable};
use clew_coverage::objective::{Goal, Objective, Site, Turns};
use clew_coverage::{Ledger, Proof, Verdict, evaluation, place};
use clew_ir::{BlockId, Callee, ConditionId, DecisionId, FunctionId, InstKind, Program};

use super::{Proved, exclude};
use clew_symbolic::Precondition;
use clew_symbolic::config::Config;

/// Says of open objectives that never happen that they are infeasible, and gives them with their proofs. Of the time
/// until the deadline, it takes a part.
pub fn ask(ledger: &mut Ledger<'_>, function: FunctionId, precondition: &Precondition, config: &Config) -> Vec<Proved> {
    let open = || ledger.entries().filter(|(_, _, verdict)| **verdict == Verdict::Open);
    let asking = |objective| Asking { ledger, under_test: function, objective };
    let (ids, mut questions): (Vec<_>, Vec<_>) =
        open().filter_map(|(id, objective, _)| Some((id, asking(objective).question()?))).unzip();
    for passage in open().flat_map(|(_, objective, _)| asking(objective).passages()) {
        if !questions[ids.len()..].contains(&passage) {
            questions.push(passage);
        }
    }
    let excluded = never(ledger.program(), function, &super::options(precondition, config), &questions);
    let mut facts = Facts::default();
    let mut proved = Vec::new();
    for index in excluded {
        match (&questions[index], ids.get(index)) {
            (Question::Passes { function, block, way: None }, _) => drop(facts.unreachable.insert((*function, *block))),
            (Question::Passes { function, block, way: Some(way) }, _) => {
                facts.never_taken.insert((*function, *block, *way));
            }
            (question, Some(id)) => proved.push((*id, proof(question))),
            (_, None) => unreachable!("the questions after those of objectives are about passages"),
        }
    }
    proved.iter().for_each(|(id, proof)| ledger.decide(*id, Verdict::Infeasible(proof.clone())));
    proved.extend(exclude(ledger, &facts));
    proved
}

fn proof(question: &Question) -> Proof {
    let fact = match question {
        Question::Holds { .. } => "the predicate never holds there",
        Question::Watched { .. } => "the value never comes there",
        Question::Turns { .. } => "the loop never makes so many turns",
        Question::Passes { .. } => "control never comes there",
    };
    Proof::Fact(format!("abstract interpretation: {fact}"))
}

/// An objective about to become a question.
struct Asking<'a, 'p> {
    ledger: &'a Ledger<'p>,
    /// The function under test.
    under_test: FunctionId,
    objective: &'a Objective,
}

impl Asking<'_, '_> {
    fn question(&self) -> Option<Question> {
        let function = self.objective.function;
        match &self.objective.goal {
            Goal::Label(label) => {
                let label = &self.ledger.labels()[*label];
                let at = (label.at.function, label.at.block, label.at.index);
                Some(Question::Holds { at, holds: label.holds.clone() })
            }
            Goal::Flow(variable, site, point, taken) => {
                let at: InstPosition = (function, point.block, point.index);
                let watch = self.watch(*variable, *site)?;
                Some(Question::Watched { watch, at: vec![(at, taken.map(|taken| taken as usize))] })
            }
            Goal::Definition(variable, site) => {
                let uses = self.ledger.accesses(function, *variable);
                let uses = uses.filter(|(_, access)| matches!(access.kind, AccessKind::Use { .. }));
                let at = uses.map(|(block, access)| ((function, block, access.index), None)).collect();
                Some(Question::Watched { watch: self.watch(*variable, *site)?, at })
            }
            Goal::Turns(id, turns) => {
                let turns = match turns {
                    Turns::Zero => 0,
                    Turns::One => 1,
                    Turns::Many => 2,
                };
                Some(Question::Turns { function, id: *id, turns })
            }
            _ => None,
        }
    }

    /// Where control must pass for the objective to be covered; nothing in functions without loops, of which the paths
    /// say as much.
    fn passages(&self) -> Vec<Question> {
        let id = self.objective.function;
        let function = &self.ledger.program().functions[id];
        let passes = |block: BlockId, way: Option<usize>| Question::Passes { function: id, block, way };
        let outcomes = |condition: ConditionId| {
            let block = place::branch(function, condition);
            block.into_iter().flat_map(move |block| [0, 1].map(|way| passes(block, Some(way))))
        };
        let decided = |decision: DecisionId| {
            let formula = function.decisions[decision].formula.as_ref();
            formula.into_iter().flat_map(evaluation::conditions).flat_map(outcomes).collect()
        };
        if function.loops.is_empty() {
            return Vec::new();
        }
        match &self.objective.goal {
            Goal::Block(block) => vec![passes(*block, None)],
            Goal::Call(point) => vec![passes(point.block, None)],
            Goal::Flow(_, site, point, way) => {
                let used = passes(point.block, way.map(|way| way as usize));
                place::site(*site).map(|block| passes(block, None)).into_iter().chain([used]).collect()
            }
            Goal::Definition(_, site) => place::site(*site).map(|block| passes(block, None)).into_iter().collect(),
            Goal::Outcome(condition, _) | Goal::Independence(condition, _) => {
                decided(function.conditions[*condition].decision)
            }
            Goal::Result(decision, _) | Goal::Evaluation(decision, _) | Goal::Mutant(decision, _) => decided(*decision),
            Goal::Arm(decision, arm) => {
                let block = place::switch(function, *decision);
                block.map(|block| passes(block, Some(*arm as usize))).into_iter().collect()
            }
            Goal::Turns(..) | Goal::Label(_) | Goal::Failure(_) => Vec::new(),
        }
    }

    /// On while a variable has the value that a definition gave it; `None` if code outside the activation has a say in
    /// that.
    fn watch(&self, variable: Variable, site: Site) -> Option<Watch> {
        let function = self.objective.function;
        let once = || function == self.under_test && is_entered_once(self.ledger.program(), function);
        if matches!(variable, Variable::Global(_)) && !once() {
            return None;
        }
        let mut watch = Watch { function, on_entry: site == Site::Entry, on: [].into(), off: [].into() };
        for (block, access) in self.ledger.accesses(function, variable) {
            let here = (block, access.index);
            let defines = matches!(site, Site::At(point) if (point.block, point.index) == here);
            match access.kind {
                AccessKind::Use { .. } => continue,
                AccessKind::Define if defines => watch.on.insert(here),
                AccessKind::Define | AccessKind::Forget => watch.off.insert(here),
            };
        }
        Some(watch)
    }
}

/// Whether a function under test is never called again from inside itself.
fn is_entered_once(program: &Program, function: FunctionId) -> bool {
    let reached = clew_analyze::reach::reach(program, function).functions;
    let insts = reached.iter().flat_map(|id| program.functions[*id].blocks.values()).flat_map(|block| &block.insts);
    insts.into_iter().all(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => *callee != function,
        InstKind::Call { callee: Callee::Indirect(_), .. } => false,
        _ => true,
    })
}
