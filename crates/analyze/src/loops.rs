//! Natural loops: what goes round, whether written as a loop statement or with `goto`.

use crate::dominators::Dominators;
use crate::graph::Graph;
use clew_ir::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// The blocks of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalLoop {
    /// The block every iteration passes.
    pub head: BlockId,
    /// Blocks that lead back to the head.
    pub latches: Vec<BlockId>,
    /// All blocks, the head included.
    pub blocks: BTreeSet<BlockId>,
}

/// The natural loops of a graph, ordered by head; loops with one head are one. Cycles without a dominating head
/// (irreducible flow) are not among them.
pub fn natural_loops(graph: &Graph, dominators: &Dominators) -> Vec<NaturalLoop> {
    let mut latches: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for &block in graph.order() {
        for &next in graph.successors(block) {
            if dominators.dominates(next, block) {
                latches.entry(next).or_default().push(block);
            }
        }
    }
    latches.into_iter().map(|(head, latches)| collect(graph, head, latches)).collect()
}

impl NaturalLoop {
    /// The blocks in the order of a turn, if all turns that lead back to the head go the same way.
    pub fn only_way(&self, graph: &Graph) -> Option<Vec<BlockId>> {
        let mut blocks = vec![self.head];
        let mut at = self.head;
        loop {
            let mut inside = graph.successors(at).iter().filter(|next| self.blocks.contains(next));
            let (next, None) = (inside.next()?, inside.next()) else { return None };
            if *next == self.head {
                return Some(blocks);
            }
            if blocks.contains(next) {
                return None;
            }
            blocks.push(*next);
            at = *next;
        }
    }
}

/// The blocks that reach a latch without passing the head.
fn collect(graph: &Graph, head: BlockId, latches: Vec<BlockId>) -> NaturalLoop {
    let mut blocks = BTreeSet::from([head]);
    let mut work = latches.clone();
    while let Some(block) = work.pop() {
        if blocks.insert(block) {
            work.extend_from_slice(graph.predecessors(block));
        }
    }
    NaturalLoop { head, latches, blocks }
}
