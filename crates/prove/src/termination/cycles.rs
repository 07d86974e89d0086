//! What may go on without end in a function and in what it calls.

use std::collections::{BTreeMap, BTreeSet};

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::{NaturalLoop, natural_loops};
use clew_analyze::reach::reach;
use clew_ir::{BlockId, Callee, ENTRY, Function, FunctionId, InstKind, Loop, LoopId, Program};

/// Something that may go on without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// A loop.
    Loop(FunctionId, LoopId),
    /// Functions that call each other, or one that calls itself.
    Calls(Vec<FunctionId>),
    /// Control flow that goes back and is not a loop as C writes it.
    Jumps(FunctionId),
}

/// What may go on without end in a function and in what it calls, models of the library left out.
pub fn cycles(program: &Program, function: FunctionId) -> Vec<Cycle> {
    let mut found = Vec::new();
    let is_own = |id: &FunctionId| program.functions[*id].is_defined() && !program.models.contains(id);
    let reached = reach(program, function).functions;
    for id in reached.iter().copied().filter(is_own) {
        let data = &program.functions[id];
        let graph = Graph::new(data);
        let loops = natural_loops(&graph, &Dominators::new(&graph));
        let is_it = |item: &NaturalLoop, it: &Loop| item.head == it.head && item.latches == [it.latch];
        let goes_round = |target: &LoopId| loops.iter().any(|item| is_it(item, &data.loops[*target]));
        found.extend(data.loops.ids().filter(goes_round).map(|target| Cycle::Loop(id, target)));
        let is_written = |item: &NaturalLoop| data.loops.values().any(|it| is_it(item, it));
        if !loops.iter().all(is_written) || goes_back_otherwise(data, &loops) {
            found.push(Cycle::Jumps(id));
        }
    }
    // Models of the library call functions that they are given.
    let defined: Vec<FunctionId> = reached.into_iter().filter(|id| program.functions[*id].is_defined()).collect();
    for mut functions in calls(program, &defined) {
        functions.sort_by_key(|id| !is_own(id));
        found.extend(is_own(&functions[0]).then_some(Cycle::Calls(functions)));
    }
    found
}

/// Whether control can go round without passing the head of a loop.
fn goes_back_otherwise(function: &Function, loops: &[NaturalLoop]) -> bool {
    let is_back = |from: BlockId, to: BlockId| loops.iter().any(|it| it.head == to && it.latches.contains(&from));
    // Blocks on the way from the entry, each with the successors still to be looked at.
    let ways = |block: BlockId| function.blocks[block].terminator.kind.successors();
    let (mut open, mut done) = (BTreeSet::from([ENTRY]), BTreeSet::new());
    let mut way = vec![(ENTRY, ways(ENTRY))];
    while let Some((block, left)) = way.last_mut() {
        let block = *block;
        let Some(next) = left.pop() else {
            open.remove(&block);
            done.insert(block);
            way.pop();
            continue;
        };
        if is_back(block, next) || done.contains(&next) {
            continue;
        }
        if !open.insert(next) {
            return true;
        }
        way.push((next, ways(next)));
    }
    false
}

/// Functions that call each other, each set once.
fn calls(program: &Program, functions: &[FunctionId]) -> Vec<Vec<FunctionId>> {
    let called: BTreeMap<FunctionId, BTreeSet<FunctionId>> = callees(program, functions);
    let reached = |from: FunctionId| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(id) = work.pop() {
            work.extend(called[&id].iter().copied().filter(|next| seen.insert(*next)));
        }
        seen
    };
    let closures: Vec<(FunctionId, BTreeSet<FunctionId>)> = functions.iter().map(|id| (*id, reached(*id))).collect();
    let mut found: Vec<Vec<FunctionId>> = Vec::new();
    for (id, seen) in closures.iter().filter(|(id, seen)| seen.contains(id)) {
        let calls_back = |other: &&FunctionId| closures.iter().any(|(from, seen)| from == *other && seen.contains(id));
        let cycle = seen.iter().filter(calls_back).copied().collect();
        if !found.contains(&cycle) {
            found.push(cycle);
        }
    }
    found
}

/// Which of some functions each of them calls: a pointer may lead to any whose address is taken.
fn callees(program: &Program, functions: &[FunctionId]) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
    let known: BTreeSet<FunctionId> = functions.iter().copied().collect();
    let mentions = |id: &FunctionId| program.functions[*id].mentions();
    let taken: BTreeSet<FunctionId> = functions.iter().flat_map(|id| mentions(id).functions.iter().copied()).collect();
    let of = |id: &FunctionId| {
        let mut insts = program.functions[*id].blocks.values().flat_map(|block| &block.insts);
        let by_pointer = insts.any(|inst| matches!(inst.kind, InstKind::Call { callee: Callee::Indirect(_), .. }));
        let pointers = taken.iter().copied().filter(|_| by_pointer);
        let called = mentions(id).callees().chain(pointers).filter(|id| known.contains(id)).collect();
        (*id, called)
    };
    functions.iter().map(of).collect()
}

/// Whether control may leave a loop without leaving the program.
pub(super) fn has_way_out(program: &Program, function: FunctionId, target: LoopId) -> bool {
    let data = &program.functions[function];
    let blocks = blocks(data, target);
    let leaves =
        |block: &BlockId| data.blocks[*block].terminator.kind.successors().iter().any(|next| !blocks.contains(next));
    blocks.iter().any(leaves)
}

/// The blocks of a loop.
pub(super) fn blocks(function: &Function, target: LoopId) -> BTreeSet<BlockId> {
    let graph = Graph::new(function);
    let loops = natural_loops(&graph, &Dominators::new(&graph));
    let own = loops.into_iter().find(|item| item.head == function.loops[target].head);
    own.map(|item| item.blocks).unwrap_or_default()
}
