//! Objectives in words, for people.

use crate::dataflow::Variable;
use crate::evaluation::Evaluation;
use crate::label::Label;
use crate::objective::{Flavour, Goal, Objective, Site, Turns};
use clew_ir::{
    CType, CheckKind, ConditionId, DecisionId, ENTRY, Formula, Function, Program, Span, TerminatorKind, Type,
};
use std::collections::BTreeSet;

/// What an objective asks for, as the continuation of "the test ...": "takes the true side of `i < n` at line 7".
pub fn describe(program: &Program, labels: &[Label], objective: &Objective) -> String {
    described(program, labels, objective, true)
}

/// The same without numbers of lines, which other changes of the source change: "takes the true side of `i < n`".
pub fn describe_without_lines(program: &Program, labels: &[Label], objective: &Objective) -> String {
    described(program, labels, objective, false)
}

fn described(program: &Program, labels: &[Label], objective: &Objective, lines: bool) -> String {
    let words = Words { program, function: &program.functions[objective.function], lines };
    let at = words.at(objective.span);
    let text = words.text(objective.span);
    match &objective.goal {
        Goal::Block(block) if *block == ENTRY => format!("enters `{}`", words.function.name),
        Goal::Block(_) if lines => format!("runs line {}: `{text}`", words.line(objective.span)),
        Goal::Block(_) => format!("runs `{text}`"),
        Goal::Call(_) => format!("makes the call `{text}`{at}"),
        Goal::Outcome(_, outcome) if text.is_empty() => format!("takes the {outcome} side of the branch{at}"),
        Goal::Outcome(_, outcome) => format!("takes the {outcome} side of `{text}`{at}"),
        // Class files may come without their source.
        Goal::Result(_, result) if text.is_empty() => format!("makes the decision{at} {result}"),
        Goal::Result(_, result) => format!("makes the decision `{text}`{at} {result}"),
        Goal::Arm(decision, number) => {
            format!("goes to {} of `switch ({text})`{at}", arm(program, words.function, *decision, *number))
        }
        Goal::Evaluation(_, evaluation) => {
            format!("evaluates `{text}`{at} with {}", words.evaluation(evaluation))
        }
        Goal::Independence(condition, flavour) => {
            let decision = &words.function.decisions[words.function.conditions[*condition].decision];
            let whole = words.text(decision.span);
            if matches!(decision.formula, Some(Formula::Atom(_))) {
                return format!("takes both sides of `{text}`{at}");
            }
            let how = match flavour {
                Flavour::UniqueCause => "by itself",
                Flavour::Masking => "with the others masked",
            };
            format!("shows that `{text}` decides `{whole}` {how}{at}")
        }
        Goal::Mutant(_, mutant) => {
            format!("tells `{text}`{at} from `{}`", words.formula(mutant))
        }
        Goal::Definition(variable, site) => {
            format!("uses the value `{}` gets{}", words.variable(*variable), words.site(*site))
        }
        Goal::Flow(variable, site, _, taken) => {
            let name = words.variable(*variable);
            let side = match taken {
                None => String::new(),
                Some(0) => ", deciding true".to_owned(),
                Some(1) => ", deciding false".to_owned(),
                Some(other) => format!(", going to arm {other}"),
            };
            format!("uses{at} (`{text}`) the value `{name}` gets{}{side}", words.site(*site))
        }
        Goal::Turns(_, turns) => {
            let often = match turns {
                Turns::Zero => "not at all",
                Turns::One => "once",
                Turns::Many => "more than once",
            };
            format!("runs the loop{at} {often}")
        }
        Goal::Label(label) if lines => format!("{}, {}", at.trim_start(), labels[*label].what),
        Goal::Label(label) => labels[*label].what.clone(),
        Goal::Failure(check) => {
            let kind = words.function.checks[*check].kind;
            if kind == CheckKind::Leak {
                return format!("loses what `{text}`{at} allocates");
            }
            format!("makes `{text}`{at} undefined: {}", failure(kind))
        }
    }
}

struct Words<'p> {
    program: &'p Program,
    function: &'p Function,
    /// Whether lines are told.
    lines: bool,
}

impl Words<'_> {
    fn line(&self, span: Span) -> u32 {
        self.program.sources.locate(span).map_or(0, |place| place.line)
    }

    /// Where something stands: " at line 7".
    fn at(&self, span: Span) -> String {
        if self.lines { format!(" at line {}", self.line(span)) } else { String::new() }
    }

    fn text(&self, span: Span) -> String {
        text(self.program, span)
    }

    fn condition(&self, condition: ConditionId) -> String {
        self.text(self.function.conditions[condition].span)
    }

    fn evaluation(&self, evaluation: &Evaluation) -> String {
        let parts = evaluation.iter().map(|(condition, outcome)| format!("`{}` {outcome}", self.condition(*condition)));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn formula(&self, formula: &Formula) -> String {
        let inner = |formula: &Formula| match formula {
            Formula::And(..) | Formula::Or(..) => format!("({})", self.formula(formula)),
            _ => self.formula(formula),
        };
        match formula {
            Formula::Atom(condition) => self.condition(*condition),
            Formula::Not(a) => format!("!({})", self.formula(a)),
            Formula::And(a, b) => format!("{} && {}", inner(a), inner(b)),
            Formula::Or(a, b) => format!("{} || {}", inner(a), inner(b)),
            Formula::Const(value) => i32::from(*value).to_string(),
        }
    }

    fn variable(&self, variable: Variable) -> &str {
        match variable {
            Variable::Local(local) => &self.function.locals[local].name,
            Variable::Global(global) => &self.program.globals[global].name,
        }
    }

    fn site(&self, site: Site) -> String {
        match site {
            Site::Entry => " on entry".to_owned(),
            Site::At(point) => {
                let span = self.function.blocks[point.block].insts[point.index as usize].span;
                if span == self.function.span { " on entry".to_owned() } else { self.at(span) }
            }
        }
    }
}

/// The source of a span on one line, shortened.
pub(crate) fn text(program: &Program, span: Span) -> String {
    const MOST: usize = 60;
    let text = program.sources.written(span);
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST - 3).chain("...".chars()).collect() }
}

/// An arm of a `switch`: `case IDLE`, `case 3`, `case 1 ... 5` or `the default`.
pub fn arm(program: &Program, function: &Function, decision: DecisionId, arm: u32) -> String {
    let switches = function.blocks.values().find_map(|block| match &block.terminator.kind {
        TerminatorKind::Switch { on, decision: Some(id), cases, .. } if *id == decision => Some((on, cases)),
        _ => None,
    });
    let Some((on, cases)) = switches else { return "an arm".to_owned() };
    let Type::Int(width) = on.ty(function) else { return "an arm".to_owned() };
    let signed = |bits: u128| (bits << (128 - u32::from(width))) as i128 >> (128 - u32::from(width));
    let named = |value: i128| enumerator(program, function, decision, value).unwrap_or_else(|| value.to_string());
    match cases.get(arm as usize) {
        None => "the default".to_owned(),
        Some(case) if case.low == case.high => format!("case {}", named(signed(case.low))),
        Some(case) => format!("case {} ... {}", named(signed(case.low)), named(signed(case.high))),
    }
}

/// The name of a number, if it is the only one of an enumeration with that number that cases behind a decision have.
fn enumerator(program: &Program, function: &Function, decision: DecisionId, number: i128) -> Option<String> {
    let body = Span { start: function.decisions[decision].span.end, ..function.span };
    let mut words = program.sources.text(body).split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut named = BTreeSet::new();
    while words.any(|word| word == "case") {
        named.extend(words.find(|word| !word.is_empty()));
    }
    let enumerators = program.ctypes.types.values().filter_map(|ty| match ty {
        CType::Enum { enumerators, .. } => Some(enumerators),
        _ => None,
    });
    let is_meant = |(name, value): &&(String, i128)| *value == number && named.contains(name.as_str());
    let mut found: BTreeSet<&String> = enumerators.flatten().filter(is_meant).map(|(name, _)| name).collect();
    found.pop_first().filter(|_| found.is_empty()).cloned()
}

/// What it means that a check fails.
fn failure(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Overflow => "the result overflows",
        CheckKind::Division => "division by zero or overflow",
        CheckKind::Shift => "the shift amount is out of range",
        CheckKind::Access => "invalid access",
        CheckKind::Index => "the index is out of bounds",
        CheckKind::PointerArithmetic => "the pointer leaves its object",
        CheckKind::PointerDifference => "the pointers belong to different objects",
        CheckKind::FloatToInt => "the number does not fit the integer type",
        CheckKind::FunctionPointer => "the pointer leads to no such function",
        CheckKind::ArraySize => "the array has no elements",
        CheckKind::VariableArgument => "there is no such argument",
        CheckKind::Unreachable => "control comes here",
        CheckKind::MissingReturn => "no result was returned",
        CheckKind::Unsequenced => "a variable is changed twice, or changed and read, in no order",
        CheckKind::Representation => "a `_Bool` is neither 0 nor 1",
        CheckKind::Leak => "what it allocates is lost",
        CheckKind::Assertion => "the assertion does not hold",
    }
}
