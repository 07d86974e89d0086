//! Which goals there are: properties of a function, and code on a line.

mod calls;

use super::Asked;
use crate::suite;
use clew_ir::contract::print::Printer;
use clew_ir::contract::{AssertionKind, Behavior, BehaviorSet, Clause, LoopContract, Predicate, Rejected};
use clew_ir::{Callee, CheckKind, Function, FunctionId, Inst, InstKind, LocalKind, LoopId, Operand, Program, Span};
use clew_prove::termination::decrease_of;
use clew_prove::{Goal, Point, Site, Wanted};
use std::collections::BTreeMap;

/// Functions of verification tools whose call says that something is wrong.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Whether the call of a function says that something is wrong.
fn is_error(name: &str) -> bool {
    ERRORS.contains(&name) || clew_library::lookup(name).is_some_and(|row| row.header == "assert.h")
}

/// Why nothing can be said of the behaviors of a function.
const NOT_ASSUMED: &str = "an `assumes` clause of the function cannot be used";

/// Which properties are asked for.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Further postconditions.
    pub ensures: Vec<(String, Clause)>,
    /// Whether every check of what C leaves undefined is a property too.
    pub checks: bool,
}

/// The properties of a function: its postconditions, and the assertions and loop invariants in it and in what it calls.
pub fn properties(program: &Program, id: FunctionId, selection: &Selection) -> Vec<Asked> {
    let function = &program.functions[id];
    let mut asked = postconditions(program, function, selection);
    let reach = clew_analyze::reach::reach(program, id);
    let own = |callee: &&FunctionId| program.functions[**callee].is_defined() && !program.models.contains(callee);
    for &callee in reach.functions.iter().filter(own) {
        asked.extend(assertions(program, callee));
        asked.extend(invariants(program, callee));
        asked.extend(rejected(program, callee));
        asked.extend(not_checked(program, callee));
        asked.extend(variants(program, callee));
        if selection.checks {
            asked.extend(checks(program, callee));
            asked.extend(calls::preconditions(program, callee));
        }
    }
    unique(&mut asked);
    asked
}

fn postconditions(program: &Program, function: &Function, selection: &Selection) -> Vec<Asked> {
    let contract = &function.contract;
    let ask = |name: String, assumes: &[Clause], clause: &Clause, text: Option<&str>| {
        let assumes: Vec<Predicate> = assumes.iter().map(|clause| clause.predicate.clone()).collect();
        let wanted = Wanted::Fails { assumes, predicate: clause.predicate.clone() };
        let text = text.map_or_else(|| suite::source(program, clause.span), str::to_owned);
        Asked { id: name, span: clause.span, text, goal: Ok(Goal { site: Site::Return, wanted }) }
    };
    let mut asked = Vec::new();
    for clause in &contract.ensures {
        asked.push(ask(clause.name.clone().unwrap_or_else(|| "ensures".to_owned()), &[], clause, None));
    }
    let rejects_assumes = contract.rejected.iter().any(|rejected| rejected.clause == "assumes");
    for behavior in &contract.behaviors {
        for clause in &behavior.ensures {
            let id = clause.name.clone().unwrap_or_else(|| behavior.name.clone());
            let one = ask(id, &behavior.assumes, clause, None);
            asked.push(if rejects_assumes { Asked { goal: Err(NOT_ASSUMED.to_owned()), ..one } } else { one });
        }
    }
    let assumed = |behavior: &Behavior| behavior.assumes.iter().map(|clause| clause.predicate.clone()).collect();
    let of_behaviors = contract.behaviors.iter().filter_map(|it| Some((it.assigns.as_ref()?, assumed(it))));
    for (assigns, assumes) in contract.assigns.iter().map(|it| (it, Vec::new())).chain(of_behaviors) {
        let is_known = assumes.is_empty() || !rejects_assumes;
        let wanted = Wanted::Changes { assumes, places: assigns.places.clone() };
        let goal = Goal { site: Site::Return, wanted };
        let goal = if is_known { Ok(goal) } else { Err(NOT_ASSUMED.to_owned()) };
        let text = suite::source(program, assigns.span);
        asked.push(Asked { id: "assigns".to_owned(), span: assigns.span, text, goal });
    }
    asked.extend(behavior_sets(program, function, rejects_assumes));
    for (text, clause) in &selection.ensures {
        asked.push(ask("ensures".to_owned(), &[], clause, Some(text)));
    }
    for rejected in contract.rejected.iter().filter(|rejected| rejected.clause == "ensures") {
        let goal = Err(format!("the clause cannot be used: {}", rejected.reason));
        asked.push(Asked {
            id: "ensures".to_owned(),
            span: rejected.span,
            text: suite::source(program, rejected.span),
            goal,
        });
    }
    asked
}

/// That behaviors are complete, or disjoint: wherever the function returns, as many of them applied on entry as there should.
fn behavior_sets(program: &Program, function: &Function, rejects_assumes: bool) -> Vec<Asked> {
    let contract = &function.contract;
    let applies = |name: &String| {
        let behavior = contract.behaviors.iter().find(|behavior| behavior.name == *name);
        let assumes = behavior.into_iter().flat_map(|behavior| &behavior.assumes);
        Predicate::And(assumes.map(|clause| clause.predicate.clone()).collect())
    };
    let ask = |set: &BehaviorSet, id: &str, wrong: Predicate| {
        let wanted = Wanted::Fails { assumes: vec![wrong], predicate: Predicate::Const(false) };
        let goal = Goal { site: Site::Return, wanted };
        let goal = if rejects_assumes { Err(NOT_ASSUMED.to_owned()) } else { Ok(goal) };
        Asked { id: id.to_owned(), span: set.span, text: suite::source(program, set.span), goal }
    };
    let complete = contract.complete.iter().map(|set| {
        let some = Predicate::Or(set.names.iter().map(applies).collect());
        ask(set, "complete", Predicate::Not(Box::new(some)))
    });
    let disjoint = contract.disjoint.iter().map(|set| {
        let pairs = set.names.iter().enumerate().flat_map(|(at, one)| {
            set.names[at + 1..].iter().map(|other| Predicate::And(vec![applies(one), applies(other)]))
        });
        ask(set, "disjoint", Predicate::Or(pairs.collect()))
    });
    complete.chain(disjoint).collect()
}

/// What loops of one function assign: that is read and not looked at.
fn not_checked(program: &Program, id: FunctionId) -> Vec<Asked> {
    let ask = |span: Span| {
        let (id, goal) = ("loop assigns".to_owned(), Err("`loop assigns` is not checked".to_owned()));
        Asked { text: id.clone(), id, span, goal }
    };
    let loops = program.functions[id].contract.loops.iter();
    loops.filter_map(|about| about.assigns.as_ref()).map(|assigns| ask(assigns.span)).collect()
}

/// Measures of the loops of one function: each decreases wherever a turn ends, and was not negative when it began.
fn variants(program: &Program, id: FunctionId) -> Vec<Asked> {
    let function = &program.functions[id];
    let ask = |about: &LoopContract| {
        let variant = about.variant.as_ref()?;
        let latch = function.loops[about.target].latch;
        let end = Point { function: id, block: latch, position: function.blocks[latch].insts.len() };
        let goal = variant.before.as_ref().map(|before| {
            let predicate = decrease_of(before, &variant.term, None);
            Goal { site: Site::Points(vec![end]), wanted: Wanted::Fails { assumes: Vec::new(), predicate } }
        });
        let text = format!("loop variant {}", Printer::new(program, function).term(&variant.term));
        let goal = goal.map_err(|why| format!("`loop variant` is not checked: {why}"));
        Some(Asked { id: "loop variant".to_owned(), span: about.span, text, goal })
    };
    function.contract.loops.iter().filter_map(ask).collect()
}

/// Clauses of the body of one function that could not be taken in: nothing is known of them.
fn rejected(program: &Program, id: FunctionId) -> Vec<Asked> {
    let is_property = |clause: &str| {
        matches!(clause, "assert" | "check" | "assigns" | "complete behaviors" | "disjoint behaviors")
            || clause.starts_with("loop ")
    };
    let rejected = program.functions[id].contract.rejected.iter().filter(|rejected| is_property(&rejected.clause));
    let ask = |rejected: &Rejected| Asked {
        id: rejected.clause.clone(),
        span: rejected.span,
        text: suite::source(program, rejected.span),
        goal: Err(format!("the clause cannot be used: {}", rejected.reason)),
    };
    rejected.map(ask).collect()
}

/// Assertions of the contract and of C in one function.
fn assertions(program: &Program, id: FunctionId) -> Vec<Asked> {
    let function = &program.functions[id];
    let mut marks: BTreeMap<Span, Vec<Point>> = BTreeMap::new();
    let mut asked = Vec::new();
    for (point, inst) in instructions(id, function) {
        match &inst.kind {
            InstKind::Check { check, .. } if function.checks[*check].kind == CheckKind::Assertion => {
                marks.entry(function.checks[*check].span).or_default().push(point);
            }
            InstKind::Call { callee: Callee::Direct(callee), .. } if is_error(&program.functions[*callee].name) => {
                let goal = Goal { site: Site::Points(vec![point]), wanted: Wanted::Arrival };
                let is_assert = !ERRORS.contains(&program.functions[*callee].name.as_str());
                let text = suite::source(program, inst.span);
                let text = asserted(&text).filter(|_| is_assert).unwrap_or(text);
                asked.push(Asked { id: "assert".to_owned(), span: inst.span, text, goal: Ok(goal) });
            }
            _ => {}
        }
    }
    for assertion in function.contract.assertions.iter().filter(|it| it.kind != AssertionKind::Admit) {
        let goal = match marks.iter().find(|(mark, _)| holds(**mark, assertion.span)) {
            _ if !assertion.behaviors.is_empty() => Err("assertions for one behavior are not supported".to_owned()),
            None => Err("no code passes it".to_owned()),
            Some((_, points)) => {
                let predicate = assertion.clause.predicate.clone();
                Ok(Goal {
                    site: Site::Points(points.clone()),
                    wanted: Wanted::Fails { assumes: Vec::new(), predicate },
                })
            }
        };
        asked.push(Asked {
            id: assertion.clause.name.clone().unwrap_or_else(|| "assert".to_owned()),
            span: assertion.clause.span,
            text: suite::source(program, assertion.clause.span),
            goal,
        });
    }
    asked.sort_by_key(|asked| asked.span);
    asked
}

/// The `assert` that a call was expanded from, as it was written: its first argument is that text, as a string.
fn asserted(call: &str) -> Option<String> {
    let (_, arguments) = call.split_once('(')?;
    let mut literal = arguments.trim_start().strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match literal.next()? {
            '"' => return Some(format!("assert({text})")),
            '\\' => text.push(literal.next()?),
            other => text.push(other),
        }
    }
}

/// Invariants of the loops of one function: each holds wherever control comes to the head of its loop.
fn invariants(program: &Program, id: FunctionId) -> Vec<Asked> {
    let function = &program.functions[id];
    let of_loops = function.contract.loops.iter().flat_map(|about| about.invariants.iter().map(move |it| (about, it)));
    let ask = |(about, clause): (&LoopContract, &Clause)| {
        let head = Point { function: id, block: function.loops[about.target].head, position: 0 };
        let wanted = Wanted::Fails { assumes: Vec::new(), predicate: clause.predicate.clone() };
        Asked {
            id: clause.name.clone().unwrap_or_else(|| "invariant".to_owned()),
            span: clause.span,
            text: suite::source(program, clause.span),
            goal: Ok(Goal { site: Site::Points(vec![head]), wanted }),
        }
    };
    of_loops.map(ask).collect()
}

/// Whether one span lies in the other: several comments in a row are one annotation.
fn holds(mark: Span, annotation: Span) -> bool {
    mark.unit == annotation.unit && annotation.start <= mark.start && mark.end <= annotation.end
}

/// Checks of what C leaves undefined in one function.
fn checks(program: &Program, id: FunctionId) -> Vec<Asked> {
    let function = &program.functions[id];
    let wanted = function.checks.iter().filter(|(_, check)| check.kind != CheckKind::Assertion);
    let ask = |(check, data): (clew_ir::CheckId, &clew_ir::Check)| Asked {
        id: kind_name(data.kind).to_owned(),
        span: data.span,
        text: suite::source(program, data.span),
        goal: Ok(Goal { site: Site::Check(id, check), wanted: Wanted::Arrival }),
    };
    wanted.map(ask).collect()
}

fn kind_name(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Overflow => "overflow",
        CheckKind::Division => "division",
        CheckKind::Shift => "shift",
        CheckKind::Access => "access",
        CheckKind::Index => "index",
        CheckKind::PointerArithmetic => "pointer-arithmetic",
        CheckKind::PointerDifference => "pointer-difference",
        CheckKind::FloatToInt => "float-to-int",
        CheckKind::FunctionPointer => "function-pointer",
        CheckKind::ArraySize => "array-size",
        CheckKind::VariableArgument => "variable-argument",
        CheckKind::Unreachable => "unreachable",
        CheckKind::MissingReturn => "missing-return",
        CheckKind::Unsequenced => "unsequenced",
        CheckKind::Representation => "representation",
        CheckKind::Leak => "leak",
        CheckKind::Assertion => "assertion",
    }
}

/// All instructions of a function with where they are.
fn instructions(id: FunctionId, function: &Function) -> impl Iterator<Item = (Point, &Inst)> {
    function.blocks.iter().flat_map(move |(block, data)| {
        let at = move |(position, inst)| (Point { function: id, block, position }, inst);
        data.insts.iter().enumerate().map(at)
    })
}

/// Gives goals with one name numbers.
fn unique(asked: &mut [Asked]) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    asked.iter().for_each(|one| *counts.entry(one.id.clone()).or_default() += 1);
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for one in asked.iter_mut().filter(|one| counts[&one.id] > 1) {
        let number = seen.entry(one.id.clone()).or_default();
        *number += 1;
        one.id = format!("{}#{number}", one.id);
    }
}

/// Where the code of a line begins: in each block of each function, the first instruction that stands on it.
pub fn points_on(program: &Program, file: &str, line: u32) -> Vec<(Point, Span)> {
    let mut points = Vec::new();
    for (id, function) in program.functions.iter() {
        for (block, data) in function.blocks.iter() {
            let spans = data.insts.iter().map(|inst| inst.span).chain([data.terminator.span]);
            let on_line = |span: &Span| is_on(program, *span, file, line);
            // Parameters have their values once they are stored.
            let stored = data.insts.iter().take_while(|inst| stores_parameter(function, inst)).count();
            if let Some((position, span)) = spans.enumerate().skip(stored).find(|(_, span)| on_line(span)) {
                points.push((Point { function: id, block, position }, span));
            }
        }
    }
    points
}

/// Whether an instruction brings an argument into the variable of its parameter.
fn stores_parameter(function: &Function, inst: &Inst) -> bool {
    match inst.kind {
        InstKind::Store { to: Operand::Local(local), value: Operand::Temp(value), .. } => {
            matches!(function.locals[local].kind, LocalKind::Param(_))
                && function.params.iter().any(|param| param.temp == value)
        }
        _ => false,
    }
}

fn is_on(program: &Program, span: Span, file: &str, line: u32) -> bool {
    program.sources.locate(span).is_some_and(|place| place.line == line && same_file(&place.file, file))
}

/// Whether a path of the preprocessor is the file the user names.
fn same_file(place: &str, file: &str) -> bool {
    let real = |path: &str| std::fs::canonicalize(path).ok();
    place == file || real(place).is_some_and(|place| real(file) == Some(place))
}

/// A loop by its number in the function, counted from 1, or by the line it begins on.
pub fn loop_named(program: &Program, id: FunctionId, name: &str) -> Option<LoopId> {
    let loops = &program.functions[id].loops;
    if let Some(line) = name.strip_prefix('@') {
        let line: u32 = line.parse().ok()?;
        return loops.iter().find(|(_, item)| suite::line(program, item.span) == line).map(|(id, _)| id);
    }
    let number: usize = name.parse().ok()?;
    loops.ids().nth(number.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::asserted;

    #[test]
    fn assertions_are_named_as_written() {
        let named = |call| asserted(call).unwrap_or_default();
        assert_eq!(named("__assert_fail ( \"x >= y\" , \"1.c\", 22, f)"), "assert(x >= y)");
        assert_eq!(
            named(r#"fail("c == '\\n' && !strcmp(s, \"a\")", "1.c")"#),
            r#"assert(c == '\n' && !strcmp(s, "a"))"#
        );
        assert_eq!(asserted("reach_error()"), None);
        assert_eq!(asserted("fail(1)"), None);
    }
}
