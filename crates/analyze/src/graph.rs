//! The control-flow graph of a function: edges both ways, and reverse postorder.

use clew_ir::{BlockId, ENTRY, Function};
use std::collections::BTreeSet;

/// Edges between the blocks of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    /// Blocks that can be reached, each before its successors except along back edges.
    order: Vec<BlockId>,
    /// Position in `order` of each block that can be reached.
    position: Vec<Option<u32>>,
}

impl Graph {
    /// The graph of a defined function.
    pub fn new(function: &Function) -> Graph {
        let successors = successors(function);
        let order = reverse_postorder(&successors);
        Graph::ordered(successors, order)
    }

    /// The same with loops before what comes after them: whoever runs blocks in this order is done with a loop first.
    pub fn loops_first(function: &Function) -> Graph {
        let successors = successors(function);
        let exits: BTreeSet<BlockId> = function.loops.values().map(|item| item.exit).collect();
        let later = |next: &Vec<BlockId>| {
            let mut visited: Vec<BlockId> = next.iter().rev().copied().collect();
            visited.sort_by_key(|block| !exits.contains(block));
            visited
        };
        let order = reverse_postorder(&successors.iter().map(later).collect::<Vec<_>>());
        Graph::ordered(successors, order)
    }

    fn ordered(successors: Vec<Vec<BlockId>>, order: Vec<BlockId>) -> Graph {
        let mut position = vec![None; successors.len()];
        order.iter().zip(0..).for_each(|(block, at)| position[block.index()] = Some(at));
        let mut predecessors = vec![Vec::new(); successors.len()];
        for &block in &order {
            successors[block.index()].iter().for_each(|next| predecessors[next.index()].push(block));
        }
        Graph { successors, predecessors, order, position }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Where control goes from a block, in order of outcome.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// The blocks that can be reached and go to a block; one that goes there twice stands twice.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The blocks that can be reached from the entry, in reverse postorder.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// Position of a block in reverse postorder, if it can be reached.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.position[block.index()]
    }
}

fn successors(function: &Function) -> Vec<Vec<BlockId>> {
    function.blocks.values().map(|block| block.terminator.kind.successors()).collect()
}

/// Depth first without recursion.
fn reverse_postorder(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    if successors.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; successors.len()];
    seen[ENTRY.index()] = true;
    let mut stack: Vec<(BlockId, usize)> = vec![(ENTRY, 0)];
    let mut order = Vec::new();
    while let Some((block, next)) = stack.last_mut() {
        match successors[block.index()].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
