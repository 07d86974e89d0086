//! What merging needs to know of a function's graph: an order of its blocks, the loops around each, and which
//! temporaries live from one block to another.

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_ir::{BlockId, Function, Operand, TempId, TerminatorKind};

/// Facts about the graph of one function.
#[derive(Debug)]
pub(super) struct Shape {
    /// Position of each block in reverse postorder.
    position: Vec<u32>,
    /// Heads of the natural loops around each block, the outermost first.
    around: Vec<Vec<BlockId>>,
    /// The block that defines each temporary.
    home: Vec<Option<BlockId>>,
    /// Whether a temporary is used outside of that block.
    travels: Vec<bool>,
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
        let mut shape = Shape { position, around, home: Vec::new(), travels: Vec::new() };
        shape.temporaries(function);
        shape
    }

    fn temporaries(&mut self, function: &Function) {
        self.home = vec![None; function.temps.len()];
        self.travels = vec![false; function.temps.len()];
        for (id, block) in function.blocks.iter() {
            block.insts.iter().filter_map(|inst| inst.kind.dest()).for_each(|temp| self.home[temp.index()] = Some(id));
        }
        for (id, block) in function.blocks.iter() {
            let used = block.insts.iter().flat_map(|inst| inst.kind.operands());
            for operand in used.chain(decides(&block.terminator.kind)) {
                if let Operand::Temp(temp) = operand {
                    self.travels[temp.index()] |= self.home[temp.index()] != Some(id);
                }
            }
        }
    }

    pub(super) fn position(&self, block: BlockId) -> u32 {
        self.position[block.index()]
    }

    /// Heads of the loops around a block, the outermost first.
    pub(super) fn around(&self, block: BlockId) -> &[BlockId] {
        &self.around[block.index()]
    }

    /// Whether the value of a temporary may still be used by an activation that stands in a block.
    pub(super) fn matters(&self, temp: TempId, block: BlockId, at_start: bool) -> bool {
        self.travels[temp.index()] || !at_start && self.home[temp.index()] == Some(block)
    }
}

/// What a terminator reads.
fn decides(kind: &TerminatorKind) -> Option<Operand> {
    match kind {
        TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => Some(*on),
        TerminatorKind::Return(value) => *value,
        TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => None,
    }
}
