//! How far it is from a block to the nearest target: branches to be decided on the way, calls included.
//!
//! A block from which no target can be reached has no distance; that is an exact exclusion, since every edge and every
//! call is followed: calls through pointers lead to every function that can be reached at all. Functions without a body
//! are taken not to call back, as exploration takes them.
//!
//! All blocks of all functions are one graph, numbered throughout: an edge of a function costs a branch where there is a
//! choice, a call costs one. Distances are measured in it from the targets backwards, nearest first, and what can be
//! reached at all forwards, so that each block is looked at once; programs have thousands of functions that may call each
//! other through pointers, and both is asked for often.

use crate::reach::reach;
use clew_ir::{BlockId, Callee, ENTRY, Function, FunctionId, InstKind, Program, TerminatorKind};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The number of a block among those of all functions.
type Node = u32;

/// The functions a search may come through, ready for distances to be measured.
#[derive(Clone, Debug)]
pub struct Map {
    /// The number of the first block of each function.
    first: BTreeMap<FunctionId, Node>,
    blocks: Vec<BlockFacts>,
    /// Blocks that go to each block.
    before: Lists,
    /// Blocks each block goes to, in its function.
    after: Lists,
    /// Entries of the functions that each block calls by name.
    calls: Lists,
    /// Blocks that call the function of which this block is the entry.
    callers: Lists,
    /// Blocks that call through pointers, which may lead to any function of the map.
    indirect: Vec<Node>,
    /// Branches from each block to the end of its function.
    out: Vec<Option<u32>>,
}

/// What is known of a block by itself.
#[derive(Clone, Copy, Debug)]
struct BlockFacts {
    is_entry: bool,
    calls_indirectly: bool,
}

/// A list of blocks for each block, one behind the other.
#[derive(Clone, Debug)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<Node>,
}

/// Distances of blocks to the nearest target.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    from: Vec<Option<u32>>,
}

/// Blocks that can be reached from others.
#[derive(Clone, Debug)]
pub struct Ahead {
    is_reached: Vec<bool>,
}

impl Map {
    /// The functions that a function under test can reach.
    pub fn new(program: &Program, start: FunctionId) -> Map {
        let reached = reach(program, start).functions;
        let defined = |id: &FunctionId| program.functions[*id].is_defined();
        let (mut first, mut next) = (BTreeMap::new(), 0);
        for id in reached.into_iter().filter(defined) {
            first.insert(id, next);
            next += u32::try_from(program.functions[id].blocks.len()).expect("fewer than 2^32 blocks");
        }
        let mut edges = Edges::default();
        for (id, base) in &first {
            edges.function(&program.functions[*id], *base, &first);
        }
        let count = edges.blocks.len();
        let turned = |pairs: &[(Node, Node)]| pairs.iter().map(|(from, to)| (*to, *from)).collect::<Vec<_>>();
        let before = Lists::new(count, &turned(&edges.inside));
        let indirect = (0..).zip(&edges.blocks).filter(|(_, place)| place.calls_indirectly).map(|(node, _)| node);
        let mut map = Map {
            after: Lists::new(count, &edges.inside),
            callers: Lists::new(count, &turned(&edges.calls)),
            calls: Lists::new(count, &edges.calls),
            indirect: indirect.collect(),
            before,
            out: Vec::new(),
            first,
            blocks: edges.blocks,
        };
        map.out = map.measure(edges.returns.into_iter(), false);
        map
    }

    /// Whether the map shows a function. Pointers of the input may lead to others.
    pub fn shows(&self, function: FunctionId) -> bool {
        self.first.contains_key(&function)
    }

    /// Branches from a block to the end of its function.
    pub fn out(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        self.out[self.node(function, block)?]
    }

    /// Measures all distances to the nearest of some blocks.
    pub fn distances(&self, targets: &BTreeSet<(FunctionId, BlockId)>) -> Distances {
        let sources = targets.iter().filter_map(|(function, block)| self.node(*function, *block));
        Distances { from: self.measure(sources.map(|node| node as Node), true) }
    }

    /// The distance from a block, `None` if no target can be reached from it without leaving its function.
    pub fn distance(&self, distances: &Distances, function: FunctionId, block: BlockId) -> Option<u32> {
        distances.from.get(self.node(function, block)?).copied().flatten()
    }

    /// Finds what can be reached from some blocks without leaving their functions, themselves included.
    pub fn ahead(&self, starts: impl Iterator<Item = (FunctionId, BlockId)>) -> Ahead {
        let mut is_reached = vec![false; self.blocks.len()];
        let mut work: Vec<Node> = Vec::new();
        let mut reach = |node: Node, work: &mut Vec<Node>| {
            if !std::mem::replace(&mut is_reached[node as usize], true) {
                work.push(node);
            }
        };
        starts
            .filter_map(|(function, block)| self.node(function, block))
            .for_each(|node| reach(node as Node, &mut work));
        let mut calls_any = false;
        while let Some(node) = work.pop() {
            self.after.of(node).iter().chain(self.calls.of(node)).for_each(|next| reach(*next, &mut work));
            if self.blocks[node as usize].calls_indirectly && !std::mem::replace(&mut calls_any, true) {
                self.first.values().for_each(|entry| reach(*entry, &mut work));
            }
        }
        Ahead { is_reached }
    }

    /// Whether a block is among those that can be reached.
    pub fn is_ahead(&self, ahead: &Ahead, function: FunctionId, block: BlockId) -> bool {
        self.node(function, block).is_some_and(|node| ahead.is_reached[node])
    }

    fn node(&self, function: FunctionId, block: BlockId) -> Option<usize> {
        self.first.get(&function).map(|first| *first as usize + block.index())
    }

    /// Branches from each block to the nearest source, through calls if they count.
    fn measure(&self, sources: impl Iterator<Item = Node>, through_calls: bool) -> Vec<Option<u32>> {
        let mut near = Near { distance: vec![None; self.blocks.len()], queue: VecDeque::new() };
        sources.for_each(|node| near.reach(node, 0, false));
        let mut calls_any = through_calls;
        while let Some((node, here)) = near.queue.pop_front() {
            if near.distance[node as usize] != Some(here) {
                continue;
            }
            for &before in self.before.of(node) {
                let is_choice = self.after.of(before).len() > 1;
                near.reach(before, here + u32::from(is_choice), is_choice);
            }
            if through_calls && self.blocks[node as usize].is_entry {
                self.callers.of(node).iter().for_each(|caller| near.reach(*caller, here + 1, true));
                // The first entry that is met is the nearest one that a pointer may lead to.
                if std::mem::take(&mut calls_any) {
                    self.indirect.iter().for_each(|caller| near.reach(*caller, here + 1, true));
                }
            }
        }
        near.distance
    }
}

/// Distances while they are measured: the queue has the nearest blocks first, those of one distance before those of the
/// next.
struct Near {
    distance: Vec<Option<u32>>,
    queue: VecDeque<(Node, u32)>,
}

impl Near {
    fn reach(&mut self, node: Node, distance: u32, is_farther: bool) {
        let known = &mut self.distance[node as usize];
        if known.is_none_or(|known| distance < known) {
            *known = Some(distance);
            match is_farther {
                true => self.queue.push_back((node, distance)),
                false => self.queue.push_front((node, distance)),
            }
        }
    }
}

/// The edges of a map being made.
#[derive(Default)]
struct Edges {
    blocks: Vec<BlockFacts>,
    inside: Vec<(Node, Node)>,
    calls: Vec<(Node, Node)>,
    /// Blocks that return.
    returns: Vec<Node>,
}

impl Edges {
    fn function(&mut self, function: &Function, base: Node, first: &BTreeMap<FunctionId, Node>) {
        for (id, block) in function.blocks.iter() {
            let node = base + id.index() as Node;
            let mut place = BlockFacts { is_entry: id == ENTRY, calls_indirectly: false };
            for inst in &block.insts {
                match inst.kind {
                    InstKind::Call { callee: Callee::Direct(callee), .. } => {
                        self.calls.extend(first.get(&callee).map(|entry| (node, *entry)));
                    }
                    InstKind::Call { callee: Callee::Indirect(_), .. } => place.calls_indirectly = true,
                    _ => {}
                }
            }
            if let TerminatorKind::Return(_) = block.terminator.kind {
                self.returns.push(node);
            }
            let next = block.terminator.kind.successors();
            self.inside.extend(next.into_iter().map(|next| (node, base + next.index() as Node)));
            self.blocks.push(place);
        }
    }
}

impl Lists {
    /// Lists of pairs by their first part.
    fn new(count: usize, pairs: &[(Node, Node)]) -> Lists {
        let mut ends = vec![0; count];
        pairs.iter().for_each(|(from, _)| ends[*from as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            // For now, where the list begins: it ends where its last item was put.
            sum += std::mem::replace(end, sum);
        }
        let mut items = vec![0; pairs.len()];
        for (from, to) in pairs {
            let at = &mut ends[*from as usize];
            items[*at as usize] = *to;
            *at += 1;
        }
        Lists { ends, items }
    }

    fn of(&self, node: Node) -> &[Node] {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[node as usize] as usize]
    }
}
