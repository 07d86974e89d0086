//! What merging needs to know of a function's graph: an order of its blocks, and the loops around each.

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_ir::{BlockId, Function};

/// Facts about the graph of one function.
#[derive(Debug)]
pub(super) struct Shape {
    /// Position of each block in reverse postorder.
    position: Vec<u32>,
    /// Heads of the natural loops around each block, the outermost first.
    around: Vec<Vec<BlockId>>,
}

impl Shape {
    pub(super) fn new(function: &Function) -> Shape {
        let graph = Graph::new(function);
        let mut loops = natural_loops(&graph, &Dominators::new(&graph));
        // Of two nested loops the outer one has more blocks.
        loops.sort_by_key(|item| std::cmp::Reverse(item.blocks.len()));
        let blocks = || function.blocks.ids();
        let heads =
            |block: BlockId| loops.iter().filter(move |item| item.blocks.contains(&block)).map(|item| item.head);
        let around = blocks().map(|block| heads(block).collect()).collect();
        let position = blocks().map(|block| graph.position(block).unwrap_or(u32::MAX / 2)).collect();
        Shape { position, around }
    }

    pub(super) fn position(&self, block: BlockId) -> u32 {
        self.position[block.index()]
    }

    /// Heads of the loops around a block, the outermost first.
    pub(super) fn around(&self, block: BlockId) -> &[BlockId] {
        &self.around[block.index()]
    }
}
