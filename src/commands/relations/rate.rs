//! How likely a random input shows a fault: measured by mutants, for the rule that says when to stop (Gotlieb, "A symmetry
//! based stop rule", QSIC 2006).
//!
//! The rate p is the mean, over all mutants, of the part of the inputs on which a mutant violates the relation; equivalent
//! mutants count. Its interval is that of the mean if the mutants are a sample of all faults. Not here: whether the faults
//! of a programmer are as visible as mutants, which nobody knows.

use super::Session;
use super::native::number;
use crate::cli::Rate;
use crate::status::Status;
use crate::terminal::Paint;
use clew_frontend::Loaded;
use clew_ir::FunctionId;
use clew_mutation::{Mutant, Mutants, Operator, Set};
use clew_session::relation::driver::{Driver, Plan, Violations};
use clew_session::relation::syntax::Relation;
use clew_session::relation::{self, Options};
use serde::Serialize;

/// Tries of all mutants together up to which every input of the domain is tried.
const MOST_TRIES: u128 = 1_000_000_000;

/// Inputs that are drawn for each mutant otherwise.
const DRAWN: u64 = 20_000;

/// The quality for which numbers of inputs are told where none is given.
const QUALITY: f64 = 0.9995;

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    /// The function that was changed.
    pub(super) specimen: String,
    /// The part of the inputs on which a mutant violates the relation, in the mean, and its interval of 95 %.
    pub(super) rate: f64,
    low: f64,
    high: f64,
    /// Inputs tried with each mutant, and whether these are all.
    inputs: u64,
    is_exhaustive: bool,
    /// The same for each kind of change, with the number of inputs that the quality asks for.
    operators: Vec<Kind>,
    /// Mutants for which there was no time.
    unmeasured: usize,
    mutants: Vec<Shown>,
}

/// A kind of change.
#[derive(Debug, Serialize)]
struct Kind {
    operator: &'static str,
    mutants: usize,
    rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<u64>,
}

/// A mutant.
#[derive(Debug, Serialize)]
struct Shown {
    operator: &'static str,
    line: u32,
    text: String,
    by: String,
    tried: u64,
    undefined: u64,
    violated: u64,
}

impl Session<'_> {
    /// Measures the rate, if that is asked for, and says it.
    pub(super) fn measure(
        &mut self,
        loaded: &mut Loaded,
        function: FunctionId,
        relation: &Relation,
    ) -> Result<(), Status> {
        let asked = &self.arguments.relations;
        let set = match asked.rate {
            Some(Rate::Given(rate)) => {
                return {
                    self.rate = Some(rate);
                    Ok(())
                };
            }
            Some(Rate::Mutants) => Set::Telling,
            Some(Rate::Exchanged) => Set::Exchanged,
            None => return Ok(()),
        };
        let specimen = match &asked.specimen {
            Some(name) => super::super::source::function(&loaded.program, name, self.terminal)?,
            None => function,
        };
        let clauses = self.clauses(loaded, specimen)?;
        let options = Options { length: asked.length, whole_group: asked.whole_group };
        let harness = relation::harness(loaded, specimen, clauses, relation, options);
        let harness = self.refuse(loaded, harness)?.joined(&loaded.program);
        let mutants = Mutants::in_set(&loaded.program, &[specimen], set);
        let plan = Plan {
            loaded,
            subject: &harness.called[0],
            harness: Some(&harness),
            check: harness.checks.last(),
            called: &harness.called,
            length: asked.length,
            mutants: Some(&mutants),
        };
        let driver = self.refuse(loaded, Driver::build(&plan))?;
        let is_exhaustive = driver.size().saturating_mul(mutants.list.len() as u128) <= MOST_TRIES;
        let drawn = (!is_exhaustive).then_some((DRAWN, self.how().seed));
        let seconds = self.how().time.unwrap_or(60.0).clamp(1.0, 1e6).ceil() as u32;
        let counted = self.refuse(loaded, driver.measure(drawn, seconds))?;
        if counted.is_empty() {
            self.terminal.error(&format!("no mutant of `{}` could be measured", harness.called[0].name));
            return Err(Status::BadInput);
        }
        let quality = asked.quality.unwrap_or(QUALITY);
        let measured = measured(loaded, &mutants.list, &counted, (is_exhaustive, quality));
        self.rate = Some(measured.rate);
        self.say_rate(&measured, quality);
        self.measured.push(measured);
        Ok(())
    }

    fn say_rate(&self, measured: &Measured, quality: f64) {
        let Measured { specimen, rate, low, high, inputs, .. } = measured;
        let visible = measured.mutants.iter().filter(|mutant| mutant.violated > 0).count();
        let all = if measured.is_exhaustive { "all " } else { "" };
        let name = self.terminal.paint(Paint::Bold, specimen);
        self.terminal.say(&format!(
            "{name}  p = {rate:.4} ({low:.4} to {high:.4}): the mean over {} mutants, each on {all}{inputs} inputs; {visible} of them violate the relation",
            measured.mutants.len()
        ));
        let inputs = |n: &Option<u64>| n.map_or_else(|| "no number of inputs".to_owned(), |n| format!("N = {n}"));
        for kind in &measured.operators {
            self.terminal.say(&format!(
                "    {} mutants, {}: {:.4}, {}",
                kind.mutants,
                kind.operator,
                kind.rate,
                inputs(&kind.inputs)
            ));
        }
        let whole = inputs(&inputs_for(*rate, quality));
        self.terminal.say(&format!("    {whole} for q = {quality}, if faults are as visible as the average mutant"));
        if measured.unmeasured > 0 {
            self.terminal.say(&format!("    no time for {} mutants: `--time` gives more", measured.unmeasured));
        }
    }
}

fn inputs_for(rate: f64, quality: f64) -> Option<u64> {
    (rate > 0.0).then(|| number(rate, quality))
}

/// The means of what was counted.
fn measured(
    loaded: &Loaded,
    mutants: &[Mutant],
    counted: &[Violations],
    (is_exhaustive, quality): (bool, f64),
) -> Measured {
    let known: Vec<(&Mutant, &Violations)> = counted
        .iter()
        .filter_map(|counted| Some((mutants.iter().find(|mutant| mutant.number == counted.mutant)?, counted)))
        .collect();
    let part = |counted: &Violations| counted.violated as f64 / (counted.tried + counted.undefined).max(1) as f64;
    let mean = |parts: &[f64]| parts.iter().sum::<f64>() / parts.len().max(1) as f64;
    let parts: Vec<f64> = known.iter().map(|(_, counted)| part(counted)).collect();
    let (rate, number) = (mean(&parts), parts.len() as f64);
    let variance = parts.iter().map(|part| (part - rate).powi(2)).sum::<f64>() / (number - 1.0).max(1.0);
    let wide = 1.96 * (variance / number).sqrt();
    let operators = Operator::ALL.iter().filter_map(|operator| {
        let own: Vec<f64> =
            known.iter().filter(|(mutant, _)| mutant.operator == *operator).map(|(_, counted)| part(counted)).collect();
        let rate = mean(&own);
        let kind = Kind { operator: operator.name(), mutants: own.len(), rate, inputs: inputs_for(rate, quality) };
        (!own.is_empty()).then_some(kind)
    });
    let sources = &loaded.program.sources;
    let shown = known.iter().map(|(mutant, counted)| Shown {
        operator: mutant.operator.name(),
        line: sources.locate(mutant.span).map_or(0, |place| place.line),
        text: sources.written(mutant.span),
        by: mutant.text.clone(),
        tried: counted.tried,
        undefined: counted.undefined,
        violated: counted.violated,
    });
    Measured {
        specimen: mutants.first().map_or_else(String::new, |it| loaded.program.functions[it.function].name.clone()),
        rate,
        low: (rate - wide).max(0.0),
        high: (rate + wide).min(1.0),
        inputs: known.iter().map(|(_, counted)| counted.tried + counted.undefined).max().unwrap_or(0),
        is_exhaustive,
        operators: operators.collect(),
        unmeasured: mutants.len() - known.len(),
        mutants: shown.collect(),
    }
}
