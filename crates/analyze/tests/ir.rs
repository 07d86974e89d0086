//! Facts about programs as text: what abstract interpretation excludes, what is reached, dominators, distances.
//!
//! `; ask: facts f0` lists what no run does, `; ask: ranges f0 b4` the values of variables where control comes to a block,
//! `; ask: reach f0` the functions and globals that a call can come to, `; ask: dominators f0` the immediate dominator of
//! each block, `; ask: distance f0 b3` the branches to be decided on the way from each block to a block.

use std::path::Path;

use clew_analyze::distance::Map;
use clew_analyze::dominators::Dominators;
use clew_analyze::facts::{self, Options};
use clew_analyze::graph::Graph;
use clew_analyze::reach::reach;
use clew_ir::{BlockId, FunctionId, Program};

#[test]
fn facts_are_what_files_say() {
    clew_testing::ask_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir"), "ir", answer);
}

fn answer(text: &str, question: &str) -> Vec<String> {
    let program = clew_ir::text::parse(text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    let words: Vec<&str> = question.split(' ').collect();
    let function = FunctionId::new(number(words[1], "f"));
    let block = || BlockId::new(number(words[2], "b"));
    match words[0] {
        "facts" => excluded(&program, function),
        "ranges" => ranges(&program, function, block()),
        "reach" => reached(&program, function),
        "dominators" => dominators(&program, function),
        "distance" => distances(&program, function, block()),
        other => panic!("unknown question {other}"),
    }
}

fn number(word: &str, prefix: &str) -> u32 {
    let number = word.strip_prefix(prefix).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{word} is not {prefix} and a number"))
}

fn excluded(program: &Program, function: FunctionId) -> Vec<String> {
    let facts = facts::facts(program, function, &Options::default());
    let blocks = facts.unreachable.iter().map(|(id, block)| format!("f{} b{} unreachable", id.index(), block.index()));
    let ways = facts.never_taken.iter();
    let ways = ways.map(|(id, block, way)| format!("f{} b{} way {way} never taken", id.index(), block.index()));
    let checks = facts.never_fails.iter().map(|(id, check)| format!("f{} k{} never fails", id.index(), check.index()));
    let returns = (!facts.returns).then(|| "never returns".to_owned());
    blocks.chain(ways).chain(checks).chain(returns).collect()
}

fn ranges(program: &Program, function: FunctionId, block: BlockId) -> Vec<String> {
    let facts = facts::facts(program, function, &Options::default());
    let name = |local| &program.functions[function].locals[local].name;
    let known = facts.ranges.get(&block).into_iter().flatten();
    known.map(|range| format!("{} in {}..{}", name(range.local), range.least, range.most)).collect()
}

fn reached(program: &Program, function: FunctionId) -> Vec<String> {
    let reach = reach(program, function);
    let functions = reach.functions.iter().map(|id| format!("calls {}", program.functions[*id].name));
    let globals = reach.globals.iter().map(|id| format!("uses {}", program.globals[*id].name));
    functions.chain(globals).collect()
}

fn dominators(program: &Program, function: FunctionId) -> Vec<String> {
    let graph = Graph::new(&program.functions[function]);
    let dominators = Dominators::new(&graph);
    let blocks = program.functions[function].blocks.ids();
    let known = blocks.filter_map(|block| Some((block, dominators.immediate(block)?)));
    known.map(|(block, by)| format!("b{} by b{}", block.index(), by.index())).collect()
}

fn distances(program: &Program, function: FunctionId, target: BlockId) -> Vec<String> {
    let map = Map::new(program, function);
    let distances = map.distances(&[(function, target)].into());
    let blocks = program.functions[function].blocks.ids();
    let distance = |block| map.distance(&distances, function, block).map_or("no way".to_owned(), |far| far.to_string());
    blocks.map(|block| format!("b{}: {}", block.index(), distance(block))).collect()
}
