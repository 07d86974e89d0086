//! Steering: a path that has been long in a loop goes where something is left to be covered, without being asked.
//!
//! What lies behind hundreds of states of the program is reached by paths of hundreds of turns. To leave each turn open, end
//! the path, and take it up again for the next one costs as many tests as there are states, each as long as all before it.
//! So a long path takes a branch at once that covers something by itself, and stays in its loop for the next turn. The way
//! its model would have gone is left open like any other. A path takes no branch twice for that reason.

use clew_execute::Event;

use crate::Search;
use crate::policy;
use crate::strategy::evaluation;
use clew_symbolic::Path;
use clew_symbolic::constraints::Answer;
use clew_symbolic::stepped::Way;
use clew_symbolic::value::Scalar;

impl Search<'_> {
    /// The way that a long path goes instead of the one its model goes, if there is one.
    pub(crate) fn steered(&mut self, path: &mut Path, ways: &[Way], taken: usize) -> Option<usize> {
        let is_wanted = |way: &Way| way.event.is_some_and(|event| self.wants(path, way, event));
        let goes_there = is_wanted(&ways[taken]);
        let wanted = (0..ways.len()).find(|index| !goes_there && is_wanted(&ways[*index]));
        let wanted = wanted.filter(|index| self.turn_to(path, &ways[*index]));
        if goes_there || wanted.is_some() {
            // What it was asked for is not in vain, though it counts only when the path ends.
            self.stagnation.note_questions(self.stepper.constraints.questions());
            path.state.steering.at = Some(path.state.record.turns);
            path.state.steering.taken.extend(ways[wanted.unwrap_or(taken)].event);
            return wanted;
        }
        // Loops in models of the library do not count as iterations.
        let stays = ways.len() == 2
            && ways[taken].event.is_some()
            && path.state.steering.is_recent(path.state.record.turns)
            && self.is_exit(path, ways[1 - taken].to, ways[taken].to);
        (stays && self.turn_to(path, &ways[1 - taken])).then(|| 1 - taken)
    }

    /// Whether taking a branch covers something by itself that the path did not take it for before.
    fn wants(&self, path: &Path, way: &Way, event: Event) -> bool {
        let Some(goals) = self.ledger.as_ref().filter(|_| !path.state.steering.taken.contains(&event)) else {
            return false;
        };
        match event {
            Event::Switch { function, decision, arm } => goals.wants_arm(function, decision, arm),
            Event::Condition { function, .. } => {
                goals.wants_block(function, way.to)
                    || goals
                        .wants_evaluation(function, &evaluation(self.stepper.program, &path.state.record.events, event))
            }
        }
    }

    /// Gives the path an input that goes a way, if there is one.
    pub(crate) fn turn_to(&mut self, path: &mut Path, way: &Way) -> bool {
        let Scalar::Term(when) = way.when else { return false };
        let answer =
            self.stepper.solve_within(policy::FIRST_STEPS.get(), &mut path.state.clone(), Some(when), &path.model);
        let Answer::Sat(model) = answer else { return false };
        path.model = model;
        true
    }
}
