//! How far it is from a block to the nearest target: branches to be decided on the way, calls included.
//!
//! A block from which no target can be reached has no distance; that is an exact exclusion, since every edge and every
//! call is followed: calls through pointers lead to every function that can be reached at all. Functions without a body
//! are taken not to call back, as exploration takes them.
//!
//! Distances in a function depend on how far it is from the entries of those it calls. They are measured function by
//! function, and again where that came nearer, until nothing changes; programs have thousands of functions that may call
//! each other through pointers.

use crate::graph::Graph;
use crate::reach::reach;
use clew_ir::{BlockId, Callee, ENTRY, Function, FunctionId, InstKind, Program, TerminatorKind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The functions a search may come through, ready for distances to be measured.
#[derive(Clone, Debug)]
pub struct Map {
    functions: BTreeMap<FunctionId, Place>,
    /// The functions that call each one by name.
    callers: BTreeMap<FunctionId, Vec<FunctionId>>,
    /// The functions that call through pointers.
    indirect: Vec<FunctionId>,
}

/// One function of a map.
#[derive(Clone, Debug)]
struct Place {
    graph: Graph,
    /// What each block may call.
    calls: Vec<Calls>,
    /// Branches from each block to the end of the function.
    out: Vec<Option<u32>>,
}

/// What a block may call.
#[derive(Clone, Debug, Default)]
struct Calls {
    direct: Vec<FunctionId>,
    /// Whether it calls through a pointer, which may lead to any function of the map.
    indirect: bool,
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
        let place = |id: FunctionId| {
            let function = &program.functions[id];
            let graph = Graph::new(function);
            let calls = function.blocks.ids().map(|block| calls(program, function, block)).collect();
            let ends =
                function.blocks.iter().filter(|(_, block)| matches!(block.terminator.kind, TerminatorKind::Return(_)));
            let out = measure(&graph, ends.map(|(id, _)| (id, 0)));
            (id, Place { graph, calls, out })
        };
        let functions: BTreeMap<FunctionId, Place> = reached.iter().map(|&id| place(id)).collect();
        let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        for (id, place) in &functions {
            let callees: BTreeSet<FunctionId> = place.calls.iter().flat_map(|calls| calls.direct.clone()).collect();
            callees.into_iter().for_each(|callee| callers.entry(callee).or_default().push(*id));
        }
        let is_indirect = |(_, place): &(&FunctionId, &Place)| place.calls.iter().any(|calls| calls.indirect);
        let indirect = functions.iter().filter(is_indirect).map(|(id, _)| *id).collect();
        Map { functions, callers, indirect }
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
        let mut distances = Distances::default();
        let mut entries = Entries::default();
        let mut work: BTreeSet<FunctionId> = targets.iter().map(|(function, _)| *function).collect();
        while let Some(id) = work.pop_first() {
            let Some(place) = self.functions.get(&id) else { continue };
            let own = targets.range((id, ENTRY)..).take_while(|(function, _)| *function == id);
            let own = own.map(|(_, block)| (*block, 0));
            let through = (0..).zip(&place.calls).filter_map(|(block, calls)| {
                let any = entries.nearest.filter(|_| calls.indirect);
                let nearest =
                    calls.direct.iter().filter_map(|callee| entries.known.get(callee).copied()).chain(any).min()?;
                Some((BlockId::new(block), nearest + 1))
            });
            let measured = measure(&place.graph, own.chain(through));
            let entry = measured[ENTRY.index()];
            distances.functions.insert(id, measured);
            let Some(entry) = entry.filter(|entry| entries.known.get(&id).is_none_or(|known| entry < known)) else {
                continue;
            };
            entries.known.insert(id, entry);
            work.extend(self.callers.get(&id).into_iter().flatten());
            if entries.nearest.is_none_or(|nearest| entry < nearest) {
                entries.nearest = Some(entry);
                work.extend(&self.indirect);
            }
        }
        distances
    }
}

/// How far it is from the entries of functions.
#[derive(Default)]
struct Entries {
    known: BTreeMap<FunctionId, u32>,
    /// The least of all.
    nearest: Option<u32>,
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

fn calls(program: &Program, function: &Function, block: BlockId) -> Calls {
    let mut calls = Calls::default();
    for inst in &function.blocks[block].insts {
        match inst.kind {
            InstKind::Call { callee: Callee::Direct(id), .. } if program.functions[id].is_defined() => {
                calls.direct.push(id);
            }
            InstKind::Call { callee: Callee::Indirect(_), .. } => calls.indirect = true,
            _ => {}
        }
    }
    calls
}
