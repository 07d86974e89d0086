//! The graphs that are gone back over: dominators, regions between a block and its dominator, calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::reach::reach;
use clew_ir::{BlockId, Callee, ENTRY, Function, FunctionId, InstKind, Operand, Program};

use super::place::callees;
use crate::goal::{Goal, Point, Site, Wanted};

/// The blocks that control may pass between a block and its immediate dominator.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub(super) blocks: BTreeSet<BlockId>,
    /// Whether control that is in it leaves it only to the block.
    pub(super) is_closed: bool,
}

/// The graph of one function.
#[derive(Debug)]
struct Chart {
    graph: Graph,
    dominators: Dominators,
    regions: BTreeMap<BlockId, Rc<Region>>,
    /// Edges from the entry to each block.
    distance: Vec<u32>,
}

/// The functions that a function under test reaches.
#[derive(Debug)]
pub(super) struct Flow {
    root: FunctionId,
    functions: BTreeSet<FunctionId>,
    charts: BTreeMap<FunctionId, Chart>,
    /// Where each function is called by name.
    calls: BTreeMap<FunctionId, Vec<Point>>,
    /// Whether some function calls through pointers.
    is_indirect: bool,
    /// From which functions paths back are followed.
    allowed: BTreeMap<FunctionId, bool>,
}

impl Flow {
    pub(super) fn new(program: &Program, root: FunctionId) -> Flow {
        let functions: BTreeSet<FunctionId> =
            reach(program, root).functions.into_iter().filter(|id| program.functions[*id].is_defined()).collect();
        let mut calls: BTreeMap<FunctionId, Vec<Point>> = BTreeMap::new();
        let mut is_indirect = false;
        for &function in &functions {
            for (block, data) in program.functions[function].blocks.iter() {
                for (position, inst) in data.insts.iter().enumerate() {
                    match inst.kind {
                        InstKind::Call { callee: Callee::Direct(callee), .. } => {
                            calls.entry(callee).or_default().push(Point { function, block, position });
                        }
                        InstKind::Call { callee: Callee::Indirect(_), .. } => is_indirect = true,
                        _ => {}
                    }
                }
            }
        }
        Flow { root, functions, charts: BTreeMap::new(), calls, is_indirect, allowed: BTreeMap::new() }
    }

    pub(super) fn functions(&self) -> &BTreeSet<FunctionId> {
        &self.functions
    }

    /// The points at which a goal stands, if the paths back from all of them are followed.
    pub(super) fn leads_back<'g>(&mut self, program: &Program, goal: &'g Goal) -> Option<&'g [Point]> {
        let (Site::Points(points), Wanted::Arrival) = (&goal.site, &goal.wanted) else { return None };
        let known = points.iter().all(|point| self.allows(program, point.function));
        (known && !points.is_empty()).then_some(points)
    }

    /// Whether paths back from a function are followed: each function on them runs once at a time, and is called by name.
    fn allows(&mut self, program: &Program, function: FunctionId) -> bool {
        if let Some(known) = self.allowed.get(&function) {
            return *known;
        }
        let allowed = self.is_plain(program, function);
        self.allowed.insert(function, allowed);
        allowed
    }

    fn is_plain(&mut self, program: &Program, function: FunctionId) -> bool {
        if self.is_indirect || !self.functions.contains(&function) {
            return false;
        }
        let mut above = BTreeSet::from([function]);
        let mut work = vec![function];
        while let Some(callee) = work.pop() {
            for call in self.calls(callee) {
                if above.insert(call.function) {
                    work.push(call.function);
                }
            }
        }
        let recurs = above.iter().any(|id| reaches_itself(program, *id));
        above.iter().for_each(|id| self.chart(&program.functions[*id], *id));
        let loops_to_entry = above.iter().any(|id| !self.charts[id].graph.predecessors(ENTRY).is_empty());
        !recurs && !loops_to_entry
    }

    fn chart(&mut self, function: &Function, id: FunctionId) {
        self.charts.entry(id).or_insert_with(|| Chart::new(function));
    }

    /// Where a function other than the one under test is called.
    pub(super) fn calls(&self, function: FunctionId) -> &[Point] {
        if function == self.root { &[] } else { self.calls.get(&function).map_or(&[], Vec::as_slice) }
    }

    /// Whether the graph has a way from the entry to a block.
    pub(super) fn is_reached(&self, function: FunctionId, block: BlockId) -> bool {
        self.charts[&function].graph.position(block).is_some()
    }

    pub(super) fn dominator(&self, function: FunctionId, block: BlockId) -> Option<BlockId> {
        self.charts[&function].dominators.immediate(block)
    }

    /// The blocks from which control comes to a block.
    pub(super) fn predecessors(&self, function: FunctionId, block: BlockId) -> Vec<BlockId> {
        let all: BTreeSet<BlockId> = self.charts[&function].graph.predecessors(block).iter().copied().collect();
        all.into_iter().collect()
    }

    /// Edges from the entry of a function to a block.
    pub(super) fn distance(&self, function: FunctionId, block: BlockId) -> u32 {
        self.charts[&function].distance[block.index()]
    }

    pub(super) fn region(&mut self, function: FunctionId, block: BlockId) -> Rc<Region> {
        let chart = self.charts.get_mut(&function).expect("functions gone back over have a chart");
        if let Some(known) = chart.regions.get(&block) {
            return Rc::clone(known);
        }
        let region = Rc::new(chart.between(block));
        chart.regions.insert(block, Rc::clone(&region));
        region
    }
}

impl Chart {
    fn new(function: &Function) -> Chart {
        let graph = Graph::new(function);
        let dominators = Dominators::new(&graph);
        let mut distance = vec![u32::MAX; graph.len()];
        distance[ENTRY.index()] = 0;
        let mut work = VecDeque::from([ENTRY]);
        while let Some(block) = work.pop_front() {
            for next in graph.successors(block) {
                if distance[next.index()] == u32::MAX {
                    distance[next.index()] = distance[block.index()] + 1;
                    work.push_back(*next);
                }
            }
        }
        Chart { graph, dominators, regions: BTreeMap::new(), distance }
    }

    /// The blocks on ways from the immediate dominator of a block to it, both left out; the block itself is among them if
    /// it lies on a cycle.
    fn between(&self, block: BlockId) -> Region {
        let Some(dominator) = self.dominators.immediate(block) else { return Region::default() };
        let mut blocks = BTreeSet::new();
        let mut work = self.graph.predecessors(block).to_vec();
        while let Some(before) = work.pop() {
            if before != dominator && blocks.insert(before) {
                work.extend_from_slice(self.graph.predecessors(before));
            }
        }
        let inside = |to: &BlockId| *to == block || blocks.contains(to);
        let is_closed =
            blocks.iter().filter(|it| **it != block).all(|it| self.graph.successors(*it).iter().all(inside));
        Region { blocks, is_closed }
    }
}

/// Whether a function may be called while it runs.
fn reaches_itself(program: &Program, id: FunctionId) -> bool {
    let takes_address = |function: &Function| {
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.flat_map(|inst| inst.kind.operands()).any(|operand| operand == Operand::Function(id))
    };
    let below = reach(program, id).functions;
    below.iter().any(|other| {
        let other = &program.functions[*other];
        callees(other).contains(&id) || takes_address(other)
    })
}
