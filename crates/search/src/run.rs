//! Running a path: step by step, to its end or until it makes way for others.

use clew_symbolic::Path;
use clew_symbolic::effects::Failing;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::stepped::{Step, Stepped};

use crate::Search;
use crate::policy;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// It went to another block, the only one that comes next.
    Jump,
    /// Anything else.
    Other,
}

impl Search<'_> {
    /// Runs a path to its end; `None` if it heads for objectives and has been long on its way, so that others have
    /// their turn first.
    pub(crate) fn run_path(&mut self, path: &mut Path) -> Option<PathEnd> {
        let (steps, conditions) = (path.state.steps, path.state.condition.len());
        let (objects, questions) = (path.state.inputs.objects.len(), self.stepper.constraints.questions());
        self.absorb();
        self.open.begin();
        let mut idle = 0;
        loop {
            match self.step(path) {
                Err(end) => return Some(end),
                Ok(Advance::Jump) if idle >= policy::MAX_IDLE_JUMPS.small() => return Some(PathEnd::Unended),
                Ok(Advance::Jump) => idle += 1,
                Ok(Advance::Other) => idle = 0,
            }
            let long = path.state.steps - steps
                > (steps / policy::PAUSE_SHARE.get()).max(policy::PAUSE_AFTER_STEPS.get())
                || path.state.condition.len() - conditions > policy::PAUSE_AFTER_CONDITIONS.size()
                || path.state.inputs.objects.len() - objects > policy::PAUSE_AFTER_OBJECTS.size()
                || self.stepper.constraints.questions() - questions > policy::PAUSE_AFTER_QUESTIONS.get();
            if long && self.stepper.config.is_directed() {
                return None;
            }
        }
    }

    /// Runs one instruction, or goes on to another block.
    pub(crate) fn step(&mut self, path: &mut Path) -> Step<Advance> {
        let result = self.advance(path);
        self.absorb();
        result
    }

    fn advance(&mut self, path: &mut Path) -> Step<Advance> {
        let most = self.most_steps(path);
        match self.stepper.step(path, most)? {
            Stepped::Executed(at) => {
                let goals = self.ledger.as_ref();
                let wants = |label| goals.is_some_and(|goals| goals.wants_label(label));
                self.stepper.labels_after(path, at, wants)?;
                Ok(Advance::Other)
            }
            Stepped::Went => {
                self.accelerate(path);
                Ok(Advance::Jump)
            }
            Stepped::Branches(ways) => {
                self.absorb();
                self.choose(path, &ways);
                self.accelerate(path);
                Ok(Advance::Other)
            }
        }
    }

    /// Takes what the last step brought about: forks are open branches, failures findings.
    pub(crate) fn absorb(&mut self) {
        if self.stepper.effects.is_empty() {
            return;
        }
        let effects = std::mem::take(&mut self.stepper.effects);
        for open in effects.forks {
            if open.entry.is_none_or(|entry| self.entered.insert(entry)) {
                self.open.push(open);
            }
        }
        for Failing { finding, .. } in effects.failures {
            let key = (finding.failure.function, finding.failure.check);
            if let Some(goals) = &mut self.ledger {
                goals.record_failure(u32::MAX, key.0, key.1);
            }
            self.findings.failures.insert(key, finding);
        }
        self.unfinished.checks.extend(effects.undecided);
        self.unfinished.limits.extend(effects.limits);
        self.unfinished.labels.extend(effects.limited);
    }

    /// Instructions a path may have: more of them where a search for objectives has no test, or where the path did something
    /// asked for and others did not.
    pub(crate) fn most_steps(&self, path: &Path) -> u64 {
        let config = &self.stepper.config;
        let is_long = path.state.steps >= config.limits.steps && config.is_directed();
        let times = match (self.tally.is_enough(), path.state.record.pending.1) {
            _ if !is_long => 1,
            (true, false) => 1,
            (false, _) | (true, true) => policy::LENGTH_FACTOR.get(),
        };
        config.limits.steps.saturating_mul(times)
    }
}
