//! The control-flow graph of a function with what became of its edges.

use super::data::Graph;
use clew_analyze::cfg::{Drawing, Look};
use clew_coverage::objective::Goal;
use clew_coverage::{Ledger, Mark, Trace, Verdict};
use clew_ir::{BlockId, ENTRY, FunctionId, Program, TerminatorKind};
use std::collections::BTreeSet;

/// Blocks beyond which a picture helps nobody.
const MOST_BLOCKS: usize = 400;

/// The edges that were taken; entries have no origin.
pub(super) type Taken = BTreeSet<(FunctionId, Option<BlockId>, BlockId)>;

/// The edges that tests took.
pub(super) fn taken(traces: &[Trace]) -> Taken {
    let mut taken = Taken::new();
    for trace in traces {
        let mut stack: Vec<(FunctionId, BlockId)> = Vec::new();
        for mark in trace {
            match *mark {
                Mark::Enter(function) => {
                    taken.insert((function, None, ENTRY));
                    stack.push((function, ENTRY));
                }
                Mark::Block(to) => {
                    if let Some((function, from)) = stack.last_mut() {
                        taken.insert((*function, Some(*from), to));
                        *from = to;
                    }
                }
                Mark::Leave => drop(stack.pop()),
                Mark::Label(_) => {}
            }
        }
    }
    taken
}

/// The picture of a function; `proved` if what no test takes cannot be taken.
pub(super) fn graph(
    program: &Program,
    function: FunctionId,
    taken: &Taken,
    ledger: Option<&Ledger<'_>>,
    proved: bool,
) -> Option<Graph> {
    let data = &program.functions[function];
    if data.blocks.len() > MOST_BLOCKS {
        return None;
    }
    let reached: BTreeSet<BlockId> = taken.iter().filter(|(of, ..)| *of == function).map(|(.., to)| *to).collect();
    let excluded = excluded(program, function, ledger);
    let verdict = |is_taken: bool, is_excluded: bool| match (is_taken, is_excluded || proved) {
        (true, _) => "covered",
        (false, true) => "infeasible",
        (false, false) => "unknown",
    };
    let look = Look {
        node: &|block| verdict(reached.contains(&block), false),
        edge: &|from, arm| {
            let to = data.blocks[from].terminator.kind.successors()[arm];
            verdict(taken.contains(&(function, Some(from), to)), excluded.contains(&(from, arm)))
        },
    };
    Some(Graph { function: data.name.clone(), svg: Drawing::new(program, function).svg_with(&look) })
}

/// The edges that the ledger knows to be infeasible: the block they leave and which way out.
fn excluded(program: &Program, function: FunctionId, ledger: Option<&Ledger<'_>>) -> BTreeSet<(BlockId, usize)> {
    let infeasible = ledger
        .into_iter()
        .flat_map(Ledger::entries)
        .filter(|(_, objective, verdict)| objective.function == function && matches!(verdict, Verdict::Infeasible(_)));
    let blocks = &program.functions[function].blocks;
    infeasible
        .filter_map(|(_, objective, _)| match objective.goal {
            Goal::Outcome(asked, outcome) => {
                let asks = |kind: &TerminatorKind| matches!(kind, TerminatorKind::Branch { condition: Some(id), .. } if *id == asked);
                let block = blocks.iter().find(|(_, block)| asks(&block.terminator.kind))?.0;
                Some((block, usize::from(!outcome)))
            }
            Goal::Arm(asked, arm) => {
                let asks = |kind: &TerminatorKind| matches!(kind, TerminatorKind::Switch { decision: Some(id), .. } if *id == asked);
                let block = blocks.iter().find(|(_, block)| asks(&block.terminator.kind))?.0;
                Some((block, arm as usize))
            }
            _ => None,
        })
        .collect()
}
