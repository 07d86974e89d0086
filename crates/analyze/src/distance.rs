//! How far it is from a block to the nearest target: branches to be decided on the way, calls included.
//!
//! A block from which no target can be reached has no distance; that is an exact exclusion, since every edge and every
//! call is followed: calls through pointers lead to every function that can be reached at all. Functions without a body
//! are taken not to call back, as exploration takes them.

use crate::graph::Graph;
use crate::reach::reach;
use clew_ir::{BlockId, Callee, ENTRY, Function, FunctionId, InstKind, Program, TerminatorKind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The functions a search may come through, ready for distances to be measured.
#[derive(Clone, Debug)]
pub struct Map {
    functions: BTreeMap<FunctionId, Place>,
}

/// One function of a map.
#[derive(Clone, Debug)]
struct Place {
    graph: Graph,
    /// The functions each block may call.
    calls: Vec<Vec<FunctionId>>,
    /// Branches from each block to the end of the function.
    out: Vec<Option<u32>>,
}

/// Distances of blocks to the nearest target.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    functions: BTreeMap<FunctionId, Vec<Option<u32>>>,
}

impl Map {
    /// The functions that a function under test can reach.
    pub fn new(program: &Program, start: FunctionId) -> Map {
        let reached = reach(program, start);
        let defined = |id: &FunctionId| program.functions[*id].is_defined();
        let reached: BTreeSet<FunctionId> = reached.functions.into_iter().filter(defined).collect();
        let all: Vec<FunctionId> = reached.iter().copied().collect();
        let place = |id: FunctionId| {
            let function = &program.functions[id];
            let graph = Graph::new(function);
            let calls = function.blocks.ids().map(|block| callees(program, function, block, &all)).collect();
            let ends =
                function.blocks.iter().filter(|(_, block)| matches!(block.terminator.kind, TerminatorKind::Return(_)));
            let out = measure(&graph, ends.map(|(id, _)| (id, 0)));
            (id, Place { graph, calls, out })
        };
        Map { functions: reached.iter().map(|&id| place(id)).collect() }
    }

    /// Whether the map shows a function. Pointers of the input may lead to others.
    pub fn shows(&self, function: FunctionId) -> bool {
        self.functions.contains_key(&function)
    }

    /// Branches from a block to the end of its function.
    pub fn out(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        self.functions.get(&function).and_then(|place| place.out[block.index()])
    }

    /// Measures all distances to the nearest of some blocks.
    pub fn distances(&self, targets: &BTreeSet<(FunctionId, BlockId)>) -> Distances {
        let mut entries: BTreeMap<FunctionId, u32> = BTreeMap::new();
        loop {
            let mut distances = Distances::default();
            for (&id, place) in &self.functions {
                let own = targets.range((id, ENTRY)..).take_while(|(function, _)| *function == id);
                let own = own.map(|(_, block)| (*block, 0));
                let through = (0..).zip(&place.calls).filter_map(|(block, calls)| {
                    let nearest = calls.iter().filter_map(|callee| entries.get(callee)).min()?;
                    Some((BlockId::new(block), nearest + 1))
                });
                distances.functions.insert(id, measure(&place.graph, own.chain(through)));
            }
            let found: BTreeMap<FunctionId, u32> =
                distances.functions.iter().filter_map(|(&id, all)| Some((id, all[ENTRY.index()]?))).collect();
            if found == entries {
                return distances;
            }
            entries = found;
        }
    }
}

impl Distances {
    /// The distance from a block, `None` if no target can be reached from it without leaving its function.
    pub fn from(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        self.functions.get(&function).and_then(|all| all[block.index()])
    }
}

/// Branches from each block to the nearest source, whose own distance is given.
fn measure(graph: &Graph, sources: impl Iterator<Item = (BlockId, u32)>) -> Vec<Option<u32>> {
    let mut distance: Vec<Option<u32>> = vec![None; graph.len()];
    let mut queue: VecDeque<BlockId> = VecDeque::new();
    for (block, own) in sources {
        if distance[block.index()].is_none_or(|known| own < known) {
            distance[block.index()] = Some(own);
            queue.push_back(block);
        }
    }
    while let Some(block) = queue.pop_front() {
        let here = distance[block.index()].expect("queued blocks have a distance");
        for &before in graph.predecessors(block) {
            let cost = here + u32::from(graph.successors(before).len() > 1);
            if distance[before.index()].is_none_or(|known| cost < known) {
                distance[before.index()] = Some(cost);
                queue.push_back(before);
            }
        }
    }
    distance
}

/// The functions a block may call; `all` are those a pointer may lead to.
fn callees(program: &Program, function: &Function, block: BlockId, all: &[FunctionId]) -> Vec<FunctionId> {
    let mut callees = Vec::new();
    for inst in &function.blocks[block].insts {
        match inst.kind {
            InstKind::Call { callee: Callee::Direct(id), .. } if program.functions[id].is_defined() => callees.push(id),
            InstKind::Call { callee: Callee::Indirect(_), .. } => callees.extend_from_slice(all),
            _ => {}
        }
    }
    callees
}
