//! Relations on every input of a domain, or on inputs at random, by a native program.

use super::super::source;
use super::counterexample::{described_digits, pins, tell};
use super::{Session, Settled, Title, callees};
use crate::cli::Floats;
use crate::status::Status;
use clew_frontend::{Loaded, contract};
use clew_ir::FunctionId;
use clew_session::relation::driver::{Driver, End, MOST_INPUTS, Mode, Plan, Tried};
use clew_session::relation::subject::Subject;
use clew_session::relation::syntax::Relation;
use clew_session::relation::{Check, Harness};
use std::collections::BTreeSet;
use std::time::Instant;

/// The confidence that is named where no rate of failure is given.
const USUAL_QUALITY: f64 = 0.99;

impl Session<'_> {
    /// Tries the checks of a relation by name.
    pub(super) fn natively(&mut self, loaded: &Loaded, harness: &Harness, relation: &Relation) -> Result<(), Status> {
        let subject = &harness.called[0];
        let length = self.arguments.relations.length;
        for check in &harness.checks {
            let called = &harness.called;
            let plan =
                Plan { loaded, subject, harness: Some(harness), check: Some(check), called, length, mutants: None };
            let mut settled = Settled::new(&subject.name, &relation.text, &check.what);
            settled.notes.extend(harness.notes.iter().cloned());
            let meaning = super::meaning(relation, harness);
            let pins = self.try_natively(&plan, settled, meaning)?;
            if !pins.is_empty() {
                let mut other = self.with_harness(loaded, subject.id, relation, harness)?;
                self.write_pinned(&mut other, (harness, check), &pins)?;
            }
        }
        Ok(())
    }

    /// Writes the test of the last relation, which was violated natively by an input.
    fn write_pinned(
        &mut self,
        loaded: &mut Loaded,
        (harness, check): (&Harness, &Check),
        pins: &[String],
    ) -> Result<(), Status> {
        let own = source::function(&loaded.program, &harness.called[0].name, self.terminal)?;
        let id = source::function(&loaded.program, &check.name, self.terminal)?;
        let mut precondition = self.of_harness(loaded, id, own, harness)?;
        for pin in pins {
            let clause = contract::precondition(loaded, id, pin);
            precondition.clauses.push(self.refuse(loaded, clause)?);
        }
        let answer = self.ask(loaded, id, &precondition)?;
        let settled = self.settled.last().expect("it was just tried").clone();
        self.write(loaded, id, &answer, &settled)
    }

    /// Tries a relation in C.
    pub(super) fn in_c_natively(
        &mut self,
        loaded: &mut Loaded,
        id: FunctionId,
        title: &Title,
        effects: BTreeSet<String>,
    ) -> Result<(), Status> {
        let clauses = self.clauses(loaded, id)?;
        let subject = Subject::new(loaded, id, clauses, &[]);
        let subject = self.refuse(loaded, subject)?;
        let called = callees(loaded, id);
        let length = self.arguments.relations.length;
        let plan =
            Plan { loaded, subject: &subject, harness: None, check: None, called: &called, length, mutants: None };
        let mut settled = Settled::new(&title.function, &title.relation, &title.relation);
        settled.notes.extend(effects);
        settled.notes.extend(subject.guessed.iter().map(|text| format!("takes for granted, by names: {text}")));
        self.try_natively(&plan, settled, None).map(drop)
    }

    /// Tries a relation; gives the input that violates it, as preconditions, where one does and floats are not among it.
    fn try_natively(
        &mut self,
        plan: &Plan<'_>,
        mut settled: Settled,
        meaning: Option<String>,
    ) -> Result<Vec<String>, Status> {
        let start = Instant::now();
        let mut driver = self.refuse(plan.loaded, Driver::build(plan))?;
        driver.by_length = self.arguments.relations.floats == Floats::Interval;
        let mode = self.mode(&driver)?;
        let seconds = self.how().budget().seconds().clamp(1.0, 1e6).ceil() as u32;
        let tried = self.refuse(plan.loaded, driver.run(mode, &driver.ranges(), seconds))?;
        self.judge(plan, &driver, mode, &tried, &mut settled);
        if settled.verdict == "holds" && mode == Mode::All {
            settled.notes.extend(meaning);
        }
        let pins = match &tried.end {
            End::Violated(digits) if driver.digits.iter().all(|digit| digit.float.is_none()) => pins(plan, digits),
            _ => Vec::new(),
        };
        settled.seconds = start.elapsed().as_secs_f64();
        self.tell(&settled);
        self.settled.push(settled);
        Ok(pins)
    }

    /// All inputs, or so many.
    fn mode(&self, driver: &Driver) -> Result<Mode, Status> {
        let asked = &self.arguments.relations;
        if asked.exhaustive {
            let size = driver.size();
            if size > MOST_INPUTS {
                let number = if size == u128::MAX { "too many".to_owned() } else { format!("{size}") };
                self.terminal.error(&format!(
                    "the domain has {number} inputs, more than {MOST_INPUTS}: `--domain 'x=0..99'` makes it smaller, `--random N` draws some"
                ));
                return Err(Status::BadInput);
            }
            return Ok(Mode::All);
        }
        let wanted = self.rate.zip(asked.quality).map(|(rate, quality)| number(rate, quality));
        let count = asked.random.or(wanted).unwrap_or(1);
        Ok(Mode::Random(count, self.how().seed))
    }

    fn judge(&self, plan: &Plan<'_>, driver: &Driver, mode: Mode, tried: &Tried, settled: &mut Settled) {
        settled.tried = Some((tried.inputs, tried.rejected));
        let (inputs, rejected) = (tried.inputs, tried.rejected);
        if tried.undefined > 0 {
            settled.notes.insert(format!("{} inputs make a call undefined and are left out", tried.undefined));
        }
        let outside = if rejected > 0 { format!(", {rejected} outside of the precondition") } else { String::new() };
        let digits = match &tried.end {
            End::Holds if inputs == 0 => {
                settled.reason = Some("the precondition allows no input, or each makes a call undefined".to_owned());
                return;
            }
            End::Holds => {
                settled.verdict = "holds";
                if let Mode::Random(..) = mode {
                    settled.how = Some(format!("{inputs} inputs at random{outside}"));
                    settled.notes.insert(self.confidence(inputs));
                } else {
                    settled.how = Some(format!("all {inputs} inputs{outside}"));
                }
                return;
            }
            End::Time(digits) => {
                let at = described_digits(plan, (&driver.digits, digits)).join(", ");
                settled.reason = Some(format!("time, after {inputs} inputs; it stopped at {at}"));
                return;
            }
            End::Violated(digits) => {
                settled.verdict = "violated";
                settled.how = Some(format!("input {inputs}"));
                digits
            }
            End::NotClosed(digits) => {
                settled.verdict = "not-closed";
                settled.reason = Some("the function is called outside of its precondition".to_owned());
                digits
            }
        };
        settled.input = described_digits(plan, (&driver.digits, digits));
        settled.calls = tell(driver, digits);
    }

    /// What so many inputs without a violation say.
    fn confidence(&self, inputs: u64) -> String {
        let number = inputs as f64;
        match self.rate {
            Some(rate) => format!(
                "if a fault showed on the part {rate} of all inputs, {inputs} inputs would have shown it with probability {:.6}",
                1.0 - (1.0 - rate).powf(number)
            ),
            None => format!(
                "a fault that shows on the part {:.3e} of all inputs, or more, would have been shown with probability {USUAL_QUALITY}",
                1.0 - (1.0 - USUAL_QUALITY).powf(1.0 / number)
            ),
        }
    }
}

/// The least number of inputs for a quality, from q = 1 - (1 - p)^N.
pub(super) fn number(rate: f64, quality: f64) -> u64 {
    if rate <= 0.0 || quality >= 1.0 {
        return u64::MAX;
    }
    ((1.0 - quality).ln() / (1.0 - rate).ln()).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_of_the_stop_rule() {
        assert_eq!(number(0.133, 0.9995), 54);
        assert_eq!(number(0.1275, 0.9995), 56);
        assert_eq!(number(0.0374, 0.9995), 200);
    }
}
