//! Decisions of the source, found again in conditional jumps.
//!
//! Compilers turn `a && b` into two jumps that share a target. Two decisions are one where the second is all that the code
//! behind one side of the first does, nobody else comes to it, and its other side leads where one of the second's does. A nested
//! `if` looks the same but for the table of lines, which has an entry where a statement begins; without a table, each
//! jump stays a decision of its own.

use super::BranchSite;
use super::flow::{destination, jumps};
use cafebabe::attributes::CodeData;
use cafebabe::bytecode::Opcode;
use clew_ir::{
    Arena, ConditionId, Decision, DecisionKind, Formula, Function, Id, Inst, InstKind, Operand, Temp, TerminatorKind,
    Type,
};
use clew_scalar::UnaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// A decision while others are added to it.
struct Node {
    formula: Formula,
    /// Where its first condition begins to be computed.
    start: usize,
    /// Where it leads when it is true, and when it is false.
    exits: [usize; 2],
}

/// How control comes to instructions.
struct Flow {
    /// Where blocks begin.
    starts: BTreeSet<usize>,
    /// How often code leads to an instruction.
    ways: BTreeMap<usize, usize>,
    /// Where blocks begin that do more than compute a condition.
    acting: BTreeSet<usize>,
}

/// Makes decisions of the conditions of a function that belong together.
pub(super) fn recover(
    function: &mut Function,
    sites: &mut [BranchSite],
    switches: &mut BTreeMap<u32, u32>,
    code: &CodeData<'_>,
    lines: &[(u32, u32)],
) {
    let Some(bytecode) = &code.bytecode else { return };
    let flow = Flow::of(code, &bytecode.opcodes);
    let mut nodes = nodes(sites, &bytecode.opcodes, &flow);
    let is_inside = |start: usize| {
        !lines.is_empty() && !flow.acting.contains(&start) && !lines.iter().any(|(at, _)| *at as usize == start)
    };
    let mut flipped = BTreeSet::new();
    while let Some((first, second)) = pair(&nodes, &flow, &is_inside) {
        let second = nodes.remove(&second).expect("it was just found");
        let first = nodes.get_mut(&first).expect("it was just found");
        join(first, second, &mut flipped);
    }
    for condition in flipped {
        flip(function, sites, condition);
    }
    install(function, nodes, switches);
}

impl Flow {
    fn of(code: &CodeData<'_>, opcodes: &[(usize, Opcode<'_>)]) -> Flow {
        let handlers = code.exception_table.iter().map(|entry| usize::from(entry.handler_pc));
        let mut flow = Flow { starts: handlers.collect(), ways: BTreeMap::new(), acting: BTreeSet::new() };
        flow.acting.clone_from(&flow.starts);
        // The first block is what code begins with, whether a jump leads there or not; control comes to it from outside.
        flow.starts.insert(0);
        *flow.ways.entry(0).or_default() += 1;
        let nexts = opcodes.iter().skip(1).map(|(at, _)| Some(*at)).chain([None]);
        for ((at, opcode), next) in opcodes.iter().zip(nexts) {
            let jumps = jumps(opcode);
            for to in jumps.iter().map(|jump| destination(*at, *jump)) {
                flow.starts.insert(to);
                *flow.ways.entry(to).or_default() += 1;
            }
            let Some(next) = next else { continue };
            if !jumps.is_empty() || ends(opcode) {
                flow.starts.insert(next);
            }
            if !ends(opcode) {
                *flow.ways.entry(next).or_default() += 1;
            }
        }
        let mut is_copied = false;
        for (at, opcode) in opcodes {
            if acts(opcode) && !is_copied {
                flow.acting.extend(flow.start_of(*at));
            }
            is_copied = copies(opcode);
        }
        flow
    }

    fn start_of(&self, at: usize) -> Option<usize> {
        self.starts.range(..=at).next_back().copied()
    }
}

/// Whether control does not go on behind an instruction.
fn ends(opcode: &Opcode<'_>) -> bool {
    matches!(
        opcode,
        Opcode::Goto(_)
            | Opcode::Tableswitch(_)
            | Opcode::Lookupswitch(_)
            | Opcode::Return
            | Opcode::Ireturn
            | Opcode::Lreturn
            | Opcode::Freturn
            | Opcode::Dreturn
            | Opcode::Areturn
            | Opcode::Athrow
    )
}

/// Whether an instruction changes something, as statements do; an assignment inside of an expression copies its value before.
fn acts(opcode: &Opcode<'_>) -> bool {
    matches!(
        opcode,
        Opcode::Istore(_)
            | Opcode::Lstore(_)
            | Opcode::Fstore(_)
            | Opcode::Dstore(_)
            | Opcode::Astore(_)
            | Opcode::Putfield(_)
            | Opcode::Putstatic(_)
            | Opcode::Pop
            | Opcode::Pop2
    )
}

fn copies(opcode: &Opcode<'_>) -> bool {
    matches!(opcode, Opcode::Dup | Opcode::DupX1 | Opcode::DupX2 | Opcode::Dup2 | Opcode::Dup2X1 | Opcode::Dup2X2)
}

/// Each condition as a decision of its own, by the offset of its first jump.
fn nodes(sites: &[BranchSite], opcodes: &[(usize, Opcode<'_>)], flow: &Flow) -> BTreeMap<u32, Node> {
    let mut nodes = BTreeMap::new();
    for (index, site) in sites.iter().enumerate() {
        let at = opcodes.partition_point(|(at, _)| *at < site.offset as usize);
        let (Some((_, opcode)), Some((through, _))) = (opcodes.get(at), opcodes.get(at + 1)) else { continue };
        let (Some(jump), Some(start)) = (jumps(opcode).first().copied(), flow.start_of(site.offset as usize)) else {
            continue;
        };
        let to = destination(site.offset as usize, jump);
        let exits = if site.true_on_jump { [to, *through] } else { [*through, to] };
        nodes.insert(site.offset, Node { formula: Formula::Atom(Id::new(index as u32)), start, exits });
    }
    nodes
}

/// Two decisions that are one.
fn pair(nodes: &BTreeMap<u32, Node>, flow: &Flow, is_inside: &impl Fn(usize) -> bool) -> Option<(u32, u32)> {
    let by_start: BTreeMap<usize, u32> = nodes.iter().map(|(key, node)| (node.start, *key)).collect();
    nodes.iter().find_map(|(key, node)| {
        let side = |side: usize| {
            let second = *by_start.get(&node.exits[side])?;
            let other = node.exits[1 - side];
            let next = &nodes[&second];
            let is_joined = second != *key && next.exits[0] != next.exits[1] && next.exits.contains(&other);
            // All ways to the second come from the first.
            let is_private =
                flow.ways.get(&next.start).copied().unwrap_or(0) == ways_to(&node.formula, node, next.start);
            (is_joined && other != next.start && is_private && is_inside(next.start)).then_some((*key, second))
        };
        side(0).or_else(|| side(1))
    })
}

/// How many jumps of a decision lead to one of its sides: as many as there are ways to that result.
fn ways_to(formula: &Formula, node: &Node, to: usize) -> usize {
    let wanted = node.exits[0] == to;
    count(formula, wanted)
}

fn count(formula: &Formula, wanted: bool) -> usize {
    match formula {
        Formula::Atom(_) => 1,
        Formula::Not(inner) => count(inner, !wanted),
        // The first alone makes it false; both make it true, and then the last jump decides.
        Formula::And(left, right) if !wanted => count(left, false) + count(right, false),
        Formula::Or(left, right) if wanted => count(left, true) + count(right, true),
        Formula::And(_, right) | Formula::Or(_, right) => count(right, wanted),
        Formula::Const(_) => 0,
    }
}

/// Adds a decision to the one before it.
fn join(first: &mut Node, second: Node, flipped: &mut BTreeSet<ConditionId>) {
    let on_true = first.exits[0] == second.start;
    let other = first.exits[usize::from(on_true)];
    let mut left = std::mem::replace(&mut first.formula, Formula::Const(false));
    let stays_false = other == second.exits[1];
    // `a && b` where the second is asked when the first is true, and the other side is the false one.
    if on_true != stays_false {
        left = negated(left, flipped);
    }
    let (left, right) = (Box::new(left), Box::new(second.formula));
    first.formula = if stays_false { Formula::And(left, right) } else { Formula::Or(left, right) };
    first.exits = second.exits;
}

/// The negation of a formula, of which conditions have the opposite sense.
fn negated(formula: Formula, flipped: &mut BTreeSet<ConditionId>) -> Formula {
    match formula {
        Formula::Atom(condition) => {
            if !flipped.remove(&condition) {
                flipped.insert(condition);
            }
            Formula::Atom(condition)
        }
        Formula::And(left, right) => Formula::Or(Box::new(negated(*left, flipped)), Box::new(negated(*right, flipped))),
        Formula::Or(left, right) => Formula::And(Box::new(negated(*left, flipped)), Box::new(negated(*right, flipped))),
        other => Formula::Not(Box::new(other)),
    }
}

/// Has a condition be true where it was false.
fn flip(function: &mut Function, sites: &mut [BranchSite], wanted: ConditionId) {
    let site = &mut sites[wanted.index()];
    site.true_on_jump = !site.true_on_jump;
    let ends =
        |kind: &TerminatorKind| matches!(kind, TerminatorKind::Branch { condition, .. } if *condition == Some(wanted));
    let Some(block) = function.blocks.iter().find(|(_, block)| ends(&block.terminator.kind)).map(|(id, _)| id) else {
        return;
    };
    let opposite = function.temps.push(Temp { ty: Type::Int(1) });
    let block = &mut function.blocks[block];
    let TerminatorKind::Branch { on, then, otherwise, .. } = &mut block.terminator.kind else { return };
    let a = std::mem::replace(on, Operand::Temp(opposite));
    std::mem::swap(then, otherwise);
    let kind = InstKind::Unary { dest: opposite, op: UnaryOp::Not, a, check: None };
    let span = block.terminator.span;
    block.insts.push(Inst { kind, span });
}

/// The conditions of a formula, in order.
fn conditions(formula: &Formula) -> Vec<ConditionId> {
    match formula {
        Formula::Atom(condition) => vec![*condition],
        Formula::Not(inner) => conditions(inner),
        Formula::And(left, right) | Formula::Or(left, right) => [conditions(left), conditions(right)].concat(),
        Formula::Const(_) => Vec::new(),
    }
}

/// Gives a function its decisions, in the order of their code.
fn install(function: &mut Function, nodes: BTreeMap<u32, Node>, switches: &mut BTreeMap<u32, u32>) {
    let old = std::mem::replace(&mut function.decisions, Arena::new());
    let mut renumbered = BTreeMap::new();
    let mut nodes: Vec<(u32, Option<Node>)> = nodes.into_iter().map(|(at, node)| (at, Some(node))).collect();
    nodes.extend(switches.keys().map(|at| (*at, None)));
    nodes.sort_by_key(|(at, _)| *at);
    for (at, node) in nodes {
        let Some(node) = node else {
            let before = Id::new(switches[&at]);
            let new = function.decisions.push(old[before].clone());
            renumbered.insert(before, new);
            switches.insert(at, new.raw());
            continue;
        };
        let conditions = conditions(&node.formula);
        let of = |condition: &ConditionId| old[function.conditions[*condition].decision].clone();
        let last = conditions.last().map_or(DecisionKind::If, |last| of(last).kind);
        let Some(first) = conditions.first().map(of) else { continue };
        let id = function.decisions.push(Decision { kind: last, span: first.span, formula: Some(node.formula) });
        conditions.iter().for_each(|condition| function.conditions[*condition].decision = id);
    }
    for (_, block) in function.blocks.iter_mut() {
        if let TerminatorKind::Switch { decision: Some(decision), .. } = &mut block.terminator.kind
            && let Some(new) = renumbered.get(decision)
        {
            *decision = *new;
        }
    }
}
