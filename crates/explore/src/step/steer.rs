//! Steering: a path that has been long in a loop goes where something is left to be covered, without being asked.
//!
//! What lies behind hundreds of states of a machine is reached by paths of hundreds of turns. To leave each turn open, end
//! the path, and take it up again for the next one costs as many tests as there are states, each as long as all before it.
//! So a long path takes a branch at once that covers something by itself, and stays in its loop for the next turn. The way
//! its model would have gone is left open like any other. A path takes no branch twice for that reason.

use clew_execute::Event;

use super::branch::Way;
use crate::constraints::Answer;
use crate::strategy::evaluation;
use crate::value::Scalar;
use crate::{Explorer, FIRST_STEPS, Path};

/// What a path has taken for the sake of objectives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steered {
    /// Iterations begun when it last did.
    at: Option<u32>,
    /// The branches: the events of their ways.
    taken: imbl::OrdSet<Event>,
}

impl Steered {
    /// Whether the path took a branch.
    pub(crate) fn has_begun(&self) -> bool {
        self.at.is_some()
    }

    /// Whether the path took a branch in the running iteration or the one before.
    pub(crate) fn is_recent(&self, turns: u32) -> bool {
        self.at.is_some_and(|at| turns <= at + 1)
    }
}

impl Explorer<'_> {
    /// The way that a long path goes instead of the one its model goes, if there is one.
    pub(super) fn steered(&mut self, path: &mut Path, ways: &[Way], taken: usize) -> Option<usize> {
        let is_wanted = |way: &Way| way.event.is_some_and(|event| self.wants(path, way, event));
        let goes_there = is_wanted(&ways[taken]);
        let wanted = (0..ways.len()).find(|index| !goes_there && is_wanted(&ways[*index]));
        let wanted = wanted.filter(|index| self.turn_to(path, &ways[*index]));
        if goes_there || wanted.is_some() {
            // What it was asked for is not in vain, though it counts only when the path ends.
            self.questions_at_news = self.constraints.questions();
            path.state.steered.at = Some(path.state.turns);
            path.state.steered.taken.extend(ways[wanted.unwrap_or(taken)].event);
            return wanted;
        }
        // Loops in models of the library do not count as iterations.
        let stays = ways.len() == 2
            && ways[taken].event.is_some()
            && path.state.steered.is_recent(path.state.turns)
            && self.is_exit(path, ways[1 - taken].to, ways[taken].to);
        (stays && self.turn_to(path, &ways[1 - taken])).then(|| 1 - taken)
    }

    /// Whether taking a branch covers something by itself that the path did not take it for before.
    fn wants(&self, path: &Path, way: &Way, event: Event) -> bool {
        let Some(goals) = self.goals.as_ref().filter(|_| !path.state.steered.taken.contains(&event)) else {
            return false;
        };
        match event {
            Event::Switch { function, decision, arm } => goals.wants_arm(function, decision, arm),
            Event::Condition { function, .. } => {
                goals.wants_block(function, way.to)
                    || goals.wants_evaluation(function, &evaluation(self.program, &path.state.path, event))
            }
        }
    }

    /// Gives the path an input that goes a way, if there is one.
    pub(super) fn turn_to(&mut self, path: &mut Path, way: &Way) -> bool {
        let Scalar::Term(when) = way.when else { return false };
        let near = path.model.clone();
        let usual = self.constraints.set_patience(FIRST_STEPS);
        let answer = self.solve(&mut path.state.clone(), Some(when), &near);
        self.constraints.set_patience(usual);
        let Answer::Sat(model) = answer else { return false };
        path.model = model;
        true
    }
}
