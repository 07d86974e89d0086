//! The control-flow graph of a function: edges both ways, and reverse postorder.

use clew_ir::{BlockId, ENTRY, Function};

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
        let successors: Vec<Vec<BlockId>> =
            function.blocks.values().map(|block| block.terminator.kind.successors()).collect();
        let order = reverse_postorder(&successors);
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
