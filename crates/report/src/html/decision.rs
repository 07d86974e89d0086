//! Truth tables: how each decision was evaluated, by which tests, and which pair of evaluations shows that a condition
//! decides.

use super::data::{Column, DecisionView, Row};
use super::source::Sources;
use clew_coverage::evaluation::{self, Evaluation};
use clew_coverage::objective::{Flavour, Goal};
use clew_coverage::{Criterion, Ledger, Trace};
use clew_ir::{ConditionId, DecisionId, Formula, FunctionId, Program};
use clew_session::suite::{self, objective};

/// Tests listed for one row.
const MOST_TESTS: usize = 64;

/// The flavours of MC/DC that were asked for; unique cause where none was.
fn flavours(asked: Option<&Ledger<'_>>) -> Vec<Criterion> {
    let asks = |criterion: &Criterion| {
        asked.is_some_and(|ledger| ledger.entries().any(|(_, objective, _)| objective.criterion == *criterion))
    };
    let asked: Vec<Criterion> = [Criterion::McdcUnique, Criterion::McdcMasking].into_iter().filter(asks).collect();
    if asked.is_empty() { vec![Criterion::McdcUnique] } else { asked }
}

/// The decisions of some functions, by what the tests showed.
pub(super) fn tables(
    functions: &[FunctionId],
    traces: &[Trace],
    asked: Option<&Ledger<'_>>,
    sources: &mut Sources<'_>,
) -> Vec<DecisionView> {
    let program = sources.program;
    let mut shown = Ledger::new(program, functions, &flavours(asked)[..1]);
    for (number, trace) in (0..).zip(traces) {
        shown.record(number, trace);
    }
    let mut views = Vec::new();
    for &function in functions {
        for (id, decision) in program.functions[function].decisions.iter() {
            let Some(formula) = decision.formula.as_ref() else { continue };
            let table = Table { program, shown: &shown, asked, function, decision: id, formula };
            if let Some((file, line)) = sources.place(decision.span)
                && let Some((columns, rows)) = table.fill()
            {
                let (text, function) =
                    (suite::source(program, decision.span), program.functions[function].name.clone());
                views.push(DecisionView { function, file, line, text, columns, rows });
            }
        }
    }
    views
}

struct Table<'a, 'p> {
    program: &'p Program,
    shown: &'a Ledger<'p>,
    asked: Option<&'a Ledger<'p>>,
    function: FunctionId,
    decision: DecisionId,
    formula: &'p Formula,
}

impl Table<'_, '_> {
    /// Columns and rows; `None` if no test evaluates the decision.
    fn fill(&self) -> Option<(Vec<Column>, Vec<Row>)> {
        let seen = self.shown.evaluations(self.function, self.decision)?;
        let conditions = evaluation::conditions(self.formula);
        let evaluations: Vec<&Evaluation> = seen.keys().collect();
        let rows = seen.iter().map(|(way, tests)| Row {
            cells: conditions.iter().map(|condition| letter(evaluation::outcome(way, *condition))).collect(),
            result: letter(evaluation::result(self.formula, way)),
            tests: tests.iter().take(MOST_TESTS).map(|test| test + 1).collect(),
            count: tests.len(),
        });
        let columns = conditions.iter().map(|condition| self.column(*condition, &evaluations)).collect();
        Some((columns, rows.collect()))
    }

    fn column(&self, condition: ConditionId, rows: &[&Evaluation]) -> Column {
        let span = self.program.functions[self.function].conditions[condition].span;
        let about = |ledger: &Ledger<'_>| {
            let is_about = |goal: &Goal| matches!(goal, Goal::Independence(id, _) if *id == condition);
            let mut entries = ledger.entries();
            let found =
                entries.find(|(_, objective, _)| objective.function == self.function && is_about(&objective.goal));
            found.map(|(id, objective, verdict)| (id, objective.goal.clone(), verdict.clone()))
        };
        let row = |wanted: &Evaluation| rows.iter().position(|row| *row == wanted);
        let pair = about(self.shown).and_then(|(id, ..)| self.shown.pair(id));
        let verdict = self.asked.and_then(about).map(|(_, _, verdict)| verdict);
        Column {
            text: suite::source(self.program, span),
            pair: pair.and_then(|(a, b)| Some((row(a)?, row(b)?))),
            verdict: verdict.as_ref().map(objective::name),
            because: verdict.as_ref().and_then(objective::because),
        }
    }
}

fn letter(outcome: Option<bool>) -> char {
    match outcome {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    }
}

/// The name of a flavour, as reports have it.
pub(super) fn flavour(asked: Option<&Ledger<'_>>) -> &'static str {
    match flavours(asked)[0] {
        Criterion::McdcMasking => flavour_name(Flavour::Masking),
        _ => flavour_name(Flavour::UniqueCause),
    }
}

fn flavour_name(flavour: Flavour) -> &'static str {
    match flavour {
        Flavour::UniqueCause => "unique cause",
        Flavour::Masking => "masking",
    }
}
