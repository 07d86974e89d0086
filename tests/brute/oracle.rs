//! What runs cover, counted from the events of the twin by the definitions of `docs/criteria.md`, in the words of `clew`.

use crate::site::{Ending, Event, Formula, Run, Site, SiteId, What, shortened};
use std::collections::{BTreeMap, BTreeSet};

/// An evaluation of a decision: conditions with their outcomes, in order.
type Evaluation = Vec<(SiteId, bool)>;

/// Criterion and words of an objective.
pub(crate) type Key = (&'static str, String);

/// What some runs did.
#[derive(Default)]
pub(crate) struct Shown {
    /// Objectives with the positions of runs that cover them; of a pair, the later one.
    pub(crate) covered: BTreeMap<Key, BTreeSet<usize>>,
    /// Lines that were run, by a statement or the condition that stands there.
    pub(crate) ran: BTreeMap<SiteId, usize>,
    /// Assertions that did not hold.
    pub(crate) violated: BTreeMap<SiteId, usize>,
    /// Lines that were run, in whatever run.
    pub(crate) passed: BTreeSet<SiteId>,
    /// Assertions that did not hold before something undefined happened.
    pub(crate) violated_before: BTreeSet<SiteId>,
    /// Lines at which something undefined happened.
    pub(crate) undefined: BTreeMap<usize, usize>,
    evaluations: BTreeMap<SiteId, BTreeSet<Evaluation>>,
}

/// Looks at some runs of one function.
pub(crate) fn shown<'a>(sites: &[Site], name: &str, runs: impl Iterator<Item = (usize, &'a Run)>) -> Shown {
    let mut shown = Shown::default();
    for (number, run) in runs {
        shown.passed.extend(run.events.iter().map(|event| event.site));
        match run.ending {
            Ending::Returned(_) => {
                let mut reading = Reading { sites, number, shown: &mut shown, state: State::default() };
                reading.cover("function", format!("enters `{name}`"));
                run.events.iter().for_each(|event| reading.event(event));
                reading.end();
            }
            Ending::Undefined => {
                let is_assertion = |event: &&Event| matches!(sites[event.site].what, What::Assertion);
                let failing = run.events.iter().filter(is_assertion).filter(|event| event.values[0] == 0);
                shown.violated_before.extend(failing.map(|event| event.site));
                let lines = run.events.iter().rev().map(|event| &sites[event.site]);
                if let Some(line) = lines.filter(|site| matches!(site.what, What::Line)).map(|site| site.line).next() {
                    shown.undefined.entry(line).or_insert(number);
                }
            }
            Ending::Long => {}
        }
    }
    shown
}

/// What is remembered in the middle of a run.
#[derive(Default)]
struct State {
    defined: BTreeMap<String, usize>,
    /// Reads on which the outcome of a condition depends.
    deciding: Vec<(SiteId, String)>,
    evaluations: BTreeMap<SiteId, Evaluation>,
    turns: BTreeMap<SiteId, u32>,
}

struct Reading<'a> {
    sites: &'a [Site],
    number: usize,
    shown: &'a mut Shown,
    state: State,
}

impl Reading<'_> {
    fn cover(&mut self, criterion: &'static str, what: String) {
        self.shown.covered.entry((criterion, what)).or_default().insert(self.number);
    }

    fn event(&mut self, event: &Event) {
        let site = &self.sites[event.site];
        let (line, text) = (site.line, shortened(&site.text));
        let truth = event.values[0] != 0;
        match &site.what {
            What::Line => drop(self.shown.ran.entry(event.site).or_insert(self.number)),
            What::Define { variable } => drop(self.state.defined.insert(variable.clone(), line)),
            What::Use { variable, is_signed, condition } => {
                self.used(line, &text, variable, *condition);
                if !event.is_unsigned {
                    self.signs(line, &text, event.values[0], *is_signed);
                }
            }
            What::Condition { decision } => self.condition(event.site, *decision, truth),
            What::Decision { formula } => self.decision(event.site, formula, truth),
            What::Operation { op, literals, is_outcome } => {
                let numbers = Numbers::of(event);
                for change in numbers.mutants(op, *literals) {
                    self.cover("weak-mutation", format!("at line {line}, `{text}` {change} would differ"));
                }
                if *is_outcome {
                    for place in numbers.places(op) {
                        self.cover("boundary", format!("at line {line}, `{text}` is compared {place}"));
                    }
                }
            }
            What::Switch { cases } => {
                let value = event.values[0];
                let arm = if cases.contains(&value) { format!("case {value}") } else { "the default".to_owned() };
                for criterion in ["decision", "condition-decision", "mcc", "mcdc-unique", "mcdc-masking"] {
                    self.cover(criterion, format!("goes to {arm} of `switch ({text})` at line {line}"));
                }
            }
            What::Call => self.cover("call", format!("makes the call `{text}` at line {line}")),
            What::Enter => {
                self.leave(event.site);
                self.state.turns.insert(event.site, 0);
            }
            What::Turn { of } => *self.state.turns.entry(*of).or_default() += 1,
            What::Label if truth => self.cover("user", format!("at line {line}, `{text}` holds")),
            What::Assertion if !truth => drop(self.shown.violated.entry(event.site).or_insert(self.number)),
            What::Label | What::Assertion => {}
        }
    }

    fn end(&mut self) {
        let open: Vec<SiteId> = self.state.turns.keys().copied().collect();
        open.into_iter().for_each(|site| self.leave(site));
    }

    fn leave(&mut self, site: SiteId) {
        let Some(turns) = self.state.turns.remove(&site) else { return };
        let often = match turns {
            0 => "not at all",
            1 => "once",
            _ => "more than once",
        };
        self.cover("loop", format!("runs the loop at line {} {often}", self.sites[site].line));
    }

    fn used(&mut self, line: usize, text: &str, variable: &str, condition: Option<SiteId>) {
        let from = match self.state.defined.get(variable) {
            Some(line) => format!("at line {line}"),
            None => "on entry".to_owned(),
        };
        let flow = format!("uses at line {line} (`{text}`) the value `{variable}` gets {from}");
        self.cover("all-defs", format!("uses the value `{variable}` gets {from}"));
        self.cover("all-uses", flow.clone());
        self.state.deciding.extend(condition.map(|condition| (condition, flow)));
    }

    fn signs(&mut self, line: usize, text: &str, value: i64, is_signed: bool) {
        if value < 0 && is_signed {
            self.cover("weak-mutation", format!("at line {line}, `{text}` with its absolute value would differ"));
        }
        if value != 0 {
            self.cover("weak-mutation", format!("at line {line}, `{text}` negated would differ"));
        }
    }

    fn condition(&mut self, id: SiteId, decision: SiteId, outcome: bool) {
        let site = &self.sites[id];
        let what = format!("takes the {outcome} side of `{}` at line {}", shortened(&site.text), site.line);
        self.cover("condition", what.clone());
        self.cover("condition-decision", what);
        self.shown.ran.entry(id).or_insert(self.number);
        for (condition, flow) in std::mem::take(&mut self.state.deciding) {
            match condition == id {
                true => self.cover("all-uses", format!("{flow}, deciding {outcome}")),
                false => self.state.deciding.push((condition, flow)),
            }
        }
        self.state.evaluations.entry(decision).or_default().push((id, outcome));
    }

    fn decision(&mut self, id: SiteId, formula: &Formula, result: bool) {
        let evaluation = self.state.evaluations.remove(&id).unwrap_or_default();
        assert_eq!(value(formula, &evaluation), Some(result), "the twin tells what C computes");
        let (line, text) = (self.sites[id].line, shortened(&self.sites[id].text));
        let what = format!("makes the decision `{text}` at line {line} {result}");
        self.cover("decision", what.clone());
        self.cover("condition-decision", what);
        let name = |condition: SiteId| shortened(&self.sites[condition].text);
        let parts: Vec<String> = evaluation.iter().map(|(id, outcome)| format!("`{}` {outcome}", name(*id))).collect();
        self.cover("mcc", format!("evaluates `{text}` at line {line} with {}", parts.join(", ")));
        for mutant in mutants(formula) {
            if value(&mutant, &evaluation).is_some_and(|changed| changed != result) {
                let words = self.words(&mutant);
                self.cover("weak-mutation", format!("tells `{text}` at line {line} from `{words}`"));
            }
        }
        self.independence(id, formula, &evaluation, result);
        self.shown.evaluations.entry(id).or_default().insert(evaluation);
    }

    fn independence(&mut self, id: SiteId, formula: &Formula, evaluation: &Evaluation, result: bool) {
        let (line, whole) = (self.sites[id].line, shortened(&self.sites[id].text));
        let earlier = self.shown.evaluations.get(&id).cloned().unwrap_or_default();
        for &(condition, outcome) in evaluation {
            let text = shortened(&self.sites[condition].text);
            let words = |how: &str| match formula {
                Formula::Atom(_) => format!("takes both sides of `{text}` at line {line}"),
                _ => format!("shows that `{text}` decides `{whole}` {how} at line {line}"),
            };
            for other in &earlier {
                let differs = other.contains(&(condition, !outcome)) && value(formula, other) == Some(!result);
                if differs && evaluation.iter().all(|(id, own)| *id == condition || !other.contains(&(*id, !own))) {
                    self.cover("mcdc-unique", words("by itself"));
                }
                if differs && decides(formula, evaluation, condition) && decides(formula, other, condition) {
                    self.cover("mcdc-masking", words("with the others masked"));
                }
            }
        }
    }

    fn words(&self, formula: &Formula) -> String {
        let inner = |formula: &Formula| match formula {
            Formula::And(..) | Formula::Or(..) => format!("({})", self.words(formula)),
            _ => self.words(formula),
        };
        match formula {
            Formula::Atom(condition) => shortened(&self.sites[*condition].text),
            Formula::Not(a) => format!("!({})", self.words(a)),
            Formula::And(a, b) => format!("{} && {}", inner(a), inner(b)),
            Formula::Or(a, b) => format!("{} || {}", inner(a), inner(b)),
        }
    }
}

/// The value of a formula as far as an evaluation settles it.
fn value(formula: &Formula, evaluation: &Evaluation) -> Option<bool> {
    match formula {
        Formula::Atom(id) => evaluation.iter().find(|(other, _)| other == id).map(|(_, outcome)| *outcome),
        Formula::Not(a) => value(a, evaluation).map(|value| !value),
        Formula::And(a, b) => match (value(a, evaluation), value(b, evaluation)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Formula::Or(a, b) => match (value(a, evaluation), value(b, evaluation)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
    }
}

/// Whether the result is not the same with one condition flipped.
fn decides(formula: &Formula, evaluation: &Evaluation, condition: SiteId) -> bool {
    let flipped = evaluation.iter().map(|&(id, outcome)| (id, outcome != (id == condition))).collect();
    value(formula, &flipped) != value(formula, evaluation)
}

/// A formula with one connective exchanged, or one condition negated.
fn mutants(formula: &Formula) -> Vec<Formula> {
    let boxed = |formula: &Formula| Box::new(formula.clone());
    let both = |a: &Formula, b: &Formula, join: fn(Box<Formula>, Box<Formula>) -> Formula| {
        let left = mutants(a).into_iter().map(|changed| join(Box::new(changed), boxed(b)));
        let right = mutants(b).into_iter().map(|changed| join(boxed(a), Box::new(changed)));
        left.chain(right).collect::<Vec<_>>()
    };
    match formula {
        Formula::Atom(_) => vec![Formula::Not(boxed(formula))],
        Formula::Not(a) => mutants(a).into_iter().map(|changed| Formula::Not(Box::new(changed))).collect(),
        Formula::And(a, b) => [vec![Formula::Or(a.clone(), b.clone())], both(a, b, Formula::And)].concat(),
        Formula::Or(a, b) => [vec![Formula::And(a.clone(), b.clone())], both(a, b, Formula::Or)].concat(),
    }
}

/// The operands of an operator, as 32 bits.
struct Numbers {
    a: i64,
    b: i64,
    is_unsigned: bool,
}

impl Numbers {
    fn of(event: &Event) -> Numbers {
        let [a, b] = event.values;
        Numbers { a, b, is_unsigned: event.is_unsigned }
    }

    /// Where the left operand lies, next to the right one. `==` and `!=` do not tell signed from unsigned: either order will do.
    fn places(&self, op: &str) -> BTreeSet<&'static str> {
        let place = |distance: i64| match distance {
            0 => Some("on its border"),
            -1 => Some("just below its border"),
            1 => Some("just above its border"),
            _ => None,
        };
        let signed = i64::from(self.a as i32) - i64::from(self.b as i32);
        let unsigned = i64::from(self.a as u32) - i64::from(self.b as u32);
        let other = matches!(op, "==" | "!=").then_some([signed, unsigned]).into_iter().flatten();
        other.chain([self.a - self.b]).filter_map(place).collect()
    }

    /// What an operator gives; `None` where nothing is claimed.
    fn apply(&self, op: &str) -> Option<i64> {
        let (a, b) = (self.a, self.b);
        let fit = |value: i64| if self.is_unsigned { i64::from(value as u32) } else { i64::from(value as i32) };
        Some(match op {
            "+" => fit(a.wrapping_add(b)),
            "-" => fit(a.wrapping_sub(b)),
            "*" => fit(a.wrapping_mul(b)),
            "/" => fit(a.checked_div(b)?),
            "%" => fit(a.checked_rem(b)?),
            "&" => a & b,
            "|" => a | b,
            "^" => fit(a ^ b),
            "<" => i64::from(a < b),
            "<=" => i64::from(a <= b),
            ">" => i64::from(a > b),
            ">=" => i64::from(a >= b),
            "==" => i64::from(a == b),
            "!=" => i64::from(a != b),
            _ => return None,
        })
    }

    /// The changes of the operator, or of a literal, that would give another value.
    fn mutants(&self, op: &str, literals: [bool; 2]) -> Vec<String> {
        let Some(original) = self.apply(op) else { return Vec::new() };
        let others: &[&str] = match op {
            "+" | "-" | "*" | "/" | "%" => &["+", "-", "*", "/", "%"],
            "&" | "|" | "^" => &["&", "|", "^"],
            "<" | "<=" => &["<", "<=", "==", "!="],
            ">" | ">=" => &[">", ">=", "==", "!="],
            // Equality does not tell signed from unsigned.
            _ => &["==", "!="],
        };
        let kills = |other: &&&str| {
            let divides = matches!(**other, "/" | "%");
            (divides && self.b == 0) || self.apply(other).is_some_and(|changed| changed != original)
        };
        let mut all: Vec<String> =
            others.iter().filter(|other| **other != op).filter(kills).map(|other| format!("with `{other}`")).collect();
        for (step, name) in [(1, "+1"), (-1, "-1")] {
            let changed =
                |a: i64, b: i64| Numbers { a, b, ..*self }.apply(op).is_some_and(|changed| changed != original);
            let kills =
                (literals[0] && changed(self.a + step, self.b)) || (literals[1] && changed(self.a, self.b + step));
            if kills && self.a + step >= 0 && self.b + step >= 0 {
                all.push(format!("with the constant {name}"));
            }
        }
        all
    }
}

/// Line, text and outcome of each condition of a run, in order; `None` if a loop makes more than so many turns.
pub(crate) fn path(sites: &[Site], run: &Run, most: u32) -> Option<Vec<(usize, String, bool)>> {
    let (mut turns, mut path) = (BTreeMap::new(), Vec::new());
    for event in &run.events {
        let site = &sites[event.site];
        match site.what {
            What::Enter => drop(turns.insert(event.site, 0)),
            What::Turn { of } => {
                let count = turns.entry(of).or_insert(0);
                *count += 1;
                if *count > most {
                    return None;
                }
            }
            What::Condition { .. } => path.push((site.line, shortened(&site.text), event.values[0] != 0)),
            _ => {}
        }
    }
    Some(path)
}
