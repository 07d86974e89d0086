//! Several goals that one execution must reach, and whole paths as goals.
//!
//! The function is watched: variables of which the source knows nothing note what has happened, in instructions that are put
//! where it happens. A conjunction has a flag for each of its parts, and is reached where the last of them is set; so the
//! parts may come in any order, and lines in loops count whichever turn they are reached in. A path has a counter of the outcomes
//! that came as they should. What is executed is the program of the user, not this one: no branch is added.
//!
//! Conditions become instructions on integers of 128 bits, so that nothing wraps around: they may speak of variables,
//! numbers, sums and comparisons.

use super::watch::{Ghost, Watch, is};
use clew_analyze::dominators::Dominators;
use clew_analyze::graph::Graph;
use clew_analyze::loops::natural_loops;
use clew_ir::contract::Predicate;
use clew_ir::{Block, BlockId, Condition, ConditionId, Function, FunctionId, LoopId, Operand, Program, TerminatorKind};
use clew_prove::{Goal, Site, Wanted};
use clew_scalar::BinaryOp;
use std::collections::BTreeSet;

/// Watches a function for some goals at once, and gives the goal that an execution reaches all of them.
///
/// # Errors
/// With the reason, if a part stands elsewhere or cannot be watched.
pub fn together(program: &mut Program, function: FunctionId, parts: &[Goal]) -> Result<Goal, String> {
    let mut watch = Watch::new(program, function)?;
    let mut flags = Vec::new();
    for part in parts {
        let flag = watch.variable(8)?;
        flags.push(flag);
        match (&part.site, &part.wanted) {
            (Site::Points(points), Wanted::Arrival | Wanted::Holds(_)) => {
                for point in points {
                    if point.function != function {
                        return Err("the parts of a conjunction stand in one function".to_owned());
                    }
                    let holds = match &part.wanted {
                        Wanted::Holds(predicate) => Some(predicate),
                        _ => None,
                    };
                    watch.at((point.block, point.position), true, |code| {
                        let truth = match holds {
                            Some(predicate) => code.truth(predicate)?,
                            None => Operand::int(1, 1),
                        };
                        code.set(flag, truth)
                    })?;
                }
            }
            (Site::Turns(holder, target, turns), Wanted::Arrival) if *holder == function => {
                turns_made(&mut watch, *target, *turns, flag)?;
            }
            _ => return Err("the parts of a conjunction are lines, conditions and turns of one function".to_owned()),
        }
    }
    let points = watch.finish();
    let all = flags.iter().map(|flag| is(*flag, 1)).collect();
    Ok(Goal { site: Site::Points(points), wanted: Wanted::Holds(Predicate::And(all)) })
}

/// Sets a flag where a loop is left after so many turns.
fn turns_made(watch: &mut Watch<'_>, target: LoopId, turns: u32, flag: Ghost) -> Result<(), String> {
    let data = watch.function();
    let (body, exit) = (data.loops[target].body, data.loops[target].exit);
    if !is_left_at(data, target) {
        return Err("a loop in a conjunction is left at its end, and in no other way".to_owned());
    }
    let counter = watch.variable(32)?;
    watch.at((body, 0), false, |code| {
        let made = code.load(counter);
        let more = code.binary(BinaryOp::Add, made, Operand::int(32, 1), 32);
        code.store(counter, more);
        Ok(())
    })?;
    watch.at((exit, 0), true, |code| {
        let made = code.load(counter);
        let is_it = code.binary(BinaryOp::Eq, made, Operand::int(32, turns.into()), 1);
        code.set(flag, is_it)?;
        code.store(counter, Operand::int(32, 0));
        Ok(())
    })
}

/// Whether control comes to the place behind a loop from the loop alone, and leaves the loop for good where it goes elsewhere.
fn is_left_at(function: &Function, target: LoopId) -> bool {
    let graph = Graph::new(function);
    let loops = natural_loops(&graph, &Dominators::new(&graph));
    let (head, exit) = (function.loops[target].head, function.loops[target].exit);
    let Some(inside) = loops.into_iter().find(|it| it.head == head).map(|it| it.blocks) else { return false };
    let goes_back = |from: BlockId| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                work.extend(graph.successors(block));
            }
        }
        seen.contains(&head)
    };
    let outside = |block: &&BlockId| !inside.contains(block) && **block != exit;
    let others = inside.iter().flat_map(|block| graph.successors(*block)).filter(outside);
    graph.predecessors(exit).iter().all(|from| inside.contains(from)) && !others.copied().any(goes_back)
}

/// The outcome of a condition that a path has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOutcome {
    /// Whether it is true.
    pub is_true: bool,
    /// Its line.
    pub line: u32,
    /// Its column, where the line has several.
    pub column: Option<u32>,
}

/// Reads `+3 -7:12`: outcomes of conditions by line, and by column where that is needed. `...` at the end leaves open how the
/// path goes on.
pub fn outcomes(text: &str) -> Option<(Vec<NamedOutcome>, bool)> {
    let (text, is_open) = match text.trim().strip_suffix("...") {
        Some(rest) => (rest, true),
        None => (text.trim(), false),
    };
    let outcome = |word: &str| {
        let (sign, place) = word.split_at_checked(1)?;
        let is_true = match sign {
            "+" => true,
            "-" => false,
            _ => return None,
        };
        let (line, column) = match place.split_once(':') {
            Some((line, column)) => (line, Some(column.parse().ok()?)),
            None => (place, None),
        };
        Some(NamedOutcome { is_true, line: line.parse().ok()?, column })
    };
    Some((text.split_whitespace().map(outcome).collect::<Option<_>>()?, is_open))
}

/// Watches a function for one path: the outcomes of its own conditions, in order. Where the path is not open, the function
/// returns after them.
///
/// # Errors
/// With the reason, if an outcome names no condition, or several.
pub fn whole_path(
    program: &mut Program,
    function: FunctionId,
    outcomes: &[NamedOutcome],
    is_open: bool,
) -> Result<Goal, String> {
    let named: Vec<_> = outcomes.iter().map(|it| named(program, function, *it)).collect::<Result<_, _>>()?;
    let mut watch = Watch::new(program, function)?;
    let counter = watch.variable(32)?;
    let done = u128::try_from(named.len()).unwrap_or(u128::MAX);
    for (block, condition, on) in branches(watch.function()) {
        let end = watch.function().blocks[block].insts.len();
        watch.at((block, end), is_open, |code| {
            let count = code.load(counter);
            // What comes after the end of an open path does not matter; anything else that is not as it should be ends it.
            let ended = code.binary(BinaryOp::Eq, count, Operand::int(32, done), 1);
            let rest = if is_open { Operand::int(32, done) } else { Operand::int(32, LOST) };
            let mut next = code.select(ended, rest, Operand::int(32, LOST), 32);
            let own = named.iter().enumerate().filter(|(_, (asked, _))| *asked == condition);
            for (at, (_, is_true)) in own {
                let is_here = code.binary(BinaryOp::Eq, count, Operand::int(32, at as u128), 1);
                let goes_so = code.binary(BinaryOp::Eq, on, Operand::int(1, u128::from(*is_true)), 1);
                let both = code.binary(BinaryOp::And, is_here, goes_so, 1);
                next = code.select(both, Operand::int(32, at as u128 + 1), next, 32);
            }
            code.store(counter, next);
            Ok(())
        })?;
    }
    if !is_open {
        for block in returns(watch.function()) {
            let end = watch.function().blocks[block].insts.len();
            watch.at((block, end), true, |_| Ok(()))?;
        }
    }
    let points = watch.finish();
    Ok(Goal { site: Site::Points(points), wanted: Wanted::Holds(is(counter, done as i128)) })
}

/// The number of a path that has gone another way.
const LOST: u128 = u32::MAX as u128;

/// Where conditions are decided, and by what.
fn branches(function: &Function) -> Vec<(BlockId, ConditionId, Operand)> {
    let branch = |(block, data): (BlockId, &Block)| match data.terminator.kind {
        TerminatorKind::Branch { condition: Some(condition), on, .. } => Some((block, condition, on)),
        _ => None,
    };
    function.blocks.iter().filter_map(branch).collect()
}

/// Where the function returns.
fn returns(function: &Function) -> Vec<BlockId> {
    let blocks = function.blocks.iter();
    blocks
        .filter(|(_, data)| matches!(data.terminator.kind, TerminatorKind::Return(_)))
        .map(|(block, _)| block)
        .collect()
}

/// The condition that an outcome names.
fn named(program: &Program, function: FunctionId, outcome: NamedOutcome) -> Result<(ConditionId, bool), String> {
    let place = |condition: &Condition| program.sources.locate(condition.span);
    let is_it = |condition: &Condition| {
        place(condition).is_some_and(|place| {
            place.line == outcome.line && outcome.column.is_none_or(|column| column == place.column)
        })
    };
    let mut found = program.functions[function].conditions.iter().filter(|(_, condition)| is_it(condition));
    match (found.next(), found.next()) {
        (Some((condition, _)), None) => Ok((condition, outcome.is_true)),
        (None, _) => Err(format!("no condition of the function stands on line {}", outcome.line)),
        (Some(_), Some(_)) => {
            let columns = program.functions[function].conditions.values().filter(|it| is_it(it)).filter_map(place);
            let columns: Vec<String> = columns.map(|place| format!("{}:{}", place.line, place.column)).collect();
            Err(format!("line {} has several conditions: {}", outcome.line, columns.join(", ")))
        }
    }
}
