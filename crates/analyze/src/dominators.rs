//! Dominators: who must be passed to get where.
//!
//! Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): immediate dominators by iteration over
//! reverse postorder.

use crate::graph::Graph;
use clew_ir::BlockId;

/// The immediate dominator of every block that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// By position in reverse postorder; the entry dominates itself.
    immediate: Vec<u32>,
    position: Vec<Option<u32>>,
    order: Vec<BlockId>,
}

impl Dominators {
    /// The dominators of a graph.
    pub fn new(graph: &Graph) -> Dominators {
        let order = graph.order().to_vec();
        let mut immediate: Vec<Option<u32>> = vec![None; order.len()];
        if let Some(entry) = immediate.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (at, &block) in order.iter().enumerate().skip(1) {
                let known = graph.predecessors(block).iter().filter_map(|before| graph.position(*before));
                let known = known.filter(|before| immediate[*before as usize].is_some());
                let common = known.reduce(|a, b| meet(&immediate, a, b));
                changed |= immediate[at] != common;
                immediate[at] = common;
            }
        }
        let immediate = immediate.into_iter().map(|at| at.expect("every block of the order can be reached")).collect();
        let size = order.iter().map(|block| block.index() + 1).max().unwrap_or(0);
        let mut position = vec![None; size];
        order.iter().zip(0..).for_each(|(block, at)| position[block.index()] = Some(at));
        Dominators { immediate, position, order }
    }

    fn at(&self, block: BlockId) -> Option<u32> {
        self.position.get(block.index()).copied().flatten()
    }

    /// The immediate dominator; `None` for the entry and for blocks that cannot be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let at = self.at(block)?;
        (at > 0).then(|| self.order[self.immediate[at as usize] as usize])
    }

    /// Whether every way to `block` passes `dominator`. A block dominates itself.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        let (Some(target), Some(mut at)) = (self.at(dominator), self.at(block)) else { return false };
        while at > target {
            at = self.immediate[at as usize];
        }
        at == target
    }
}

/// The nearest common dominator of two positions.
fn meet(immediate: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    let up = |at: u32| immediate[at as usize].expect("only processed blocks are met");
    while a != b {
        if a > b {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Dominators;
    use crate::graph::Graph;
    use clew_ir::{BlockId, Function, Id, text};

    fn function(body: &str) -> Function {
        let text = format!(
            "target pointer=64 int=32 long=64 char=signed endian=little
             ctype %0 = void ctype %1 = function %0 ()
             function f0 \"f\" external %1 -> void {{ {body} }}"
        );
        text::parse(&text).unwrap().functions[Id::new(0)].clone()
    }

    fn b(number: u32) -> BlockId {
        Id::new(number)
    }

    #[test]
    fn of_a_loop_with_a_branch() {
        let function = function(
            "b0: jump b1
             b1: branch i1 1 ? b2 : b5
             b2: branch i1 1 ? b3 : b4
             b3: jump b1
             b4: jump b1
             b5: return
             b6: jump b5",
        );
        let dominators = Dominators::new(&Graph::new(&function));
        let immediate: Vec<_> = (0..7).map(|number| dominators.immediate(b(number))).collect();
        assert_eq!(immediate, [None, Some(b(0)), Some(b(1)), Some(b(2)), Some(b(2)), Some(b(1)), None]);
        assert!(dominators.dominates(b(1), b(4)) && !dominators.dominates(b(3), b(4)));
        assert!(!dominators.dominates(b(0), b(6)), "b6 cannot be reached");
    }

    #[test]
    fn of_irreducible_flow() {
        let function = function(
            "b0: branch i1 1 ? b1 : b2
             b1: jump b2
             b2: branch i1 1 ? b1 : b3
             b3: return",
        );
        let dominators = Dominators::new(&Graph::new(&function));
        assert_eq!(dominators.immediate(b(1)), Some(b(0)));
        assert_eq!(dominators.immediate(b(2)), Some(b(0)));
        assert_eq!(dominators.immediate(b(3)), Some(b(2)));
    }
}
