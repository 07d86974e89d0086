//! Whether an execution went as predicted.

use crate::observation::{Event, Observation};
use std::fmt;

/// The first place where the observed path leaves the predicted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Index into both paths.
    pub at: usize,
    /// What was predicted there; `None` where the predicted path is over.
    pub predicted: Option<Event>,
    /// What was observed there; `None` where the observed path is over.
    pub observed: Option<Event>,
}

/// Compares all branches of a predicted path with those observed. Both must be equal; of a truncated
/// observation, what there is.
///
/// # Errors
///
/// The first difference.
pub fn agrees(mut predicted: impl Iterator<Item = Event>, observed: &Observation) -> Result<(), Divergence> {
    let mut path = observed.events();
    for at in 0.. {
        match (predicted.next(), path.next()) {
            (None, None) => break,
            (_, None) if observed.truncated => break,
            (predicted, observed) if predicted == observed => {}
            (predicted, observed) => return Err(Divergence { at, predicted, observed }),
        }
    }
    Ok(())
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at step {}: predicted ", self.at)?;
        step(f, self.predicted)?;
        write!(f, ", observed ")?;
        step(f, self.observed)
    }
}

fn step(f: &mut fmt::Formatter<'_>, event: Option<Event>) -> fmt::Result {
    match event {
        None => write!(f, "the end"),
        Some(Event::Condition { function, condition, outcome }) => {
            write!(f, "condition {} of function {} {outcome}", condition.index(), function.index())
        }
        Some(Event::Switch { function, decision, arm }) => {
            write!(f, "arm {arm} of switch {} of function {}", decision.index(), function.index())
        }
    }
}

impl std::error::Error for Divergence {}
