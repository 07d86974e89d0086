//! Parts of a long exploration, which workers share through the queue.
//!
//! Whoever has claimed a part runs it; a claim lapses when nothing is heard of the worker. What comes of a part is kept by
//! the queue. If two workers run the same part after all, they find the same.

use crate::function::parts::Task;
use crate::project::remote::{Exchange, Fault, Hold};
use crate::project::wire::{Answer, Job, part_file};
use std::collections::BTreeSet;
use std::time::Duration;

/// Time before it is looked again what others have done.
const PAUSE: Duration = Duration::from_millis(200);

/// An exploration that goes on in parts.
pub(super) struct Exploration<'a> {
    pub(super) exchange: &'a dyn Exchange,
    pub(super) run: String,
    /// Tells it from others of the run.
    pub(super) name: String,
    /// The function, and how the process that runs parts is told of its file.
    pub(super) function: String,
    pub(super) job: Job,
    pub(super) tasks: Vec<Task>,
    /// Whether another worker tests the function.
    pub(super) helps: bool,
    /// The task that is claimed here.
    pub(super) claimed: Option<(usize, Box<dyn Hold>)>,
    /// Tasks of which it is known that they are done.
    pub(super) done: BTreeSet<usize>,
}

impl Exploration<'_> {
    /// What the process that runs parts is to do.
    pub(super) fn next(&mut self) -> Result<Answer, Fault> {
        if let Some(number) = self.claim()? {
            return Ok(Answer::Run(number, self.tasks[number]));
        }
        if self.helps || self.done.len() == self.tasks.len() {
            return Ok(Answer::Over);
        }
        std::thread::sleep(PAUSE);
        Ok(Answer::Wait)
    }

    /// Claims a task that nobody is at, and keeps that one until it is done. Who helps begins at the end.
    pub(super) fn claim(&mut self) -> Result<Option<usize>, Fault> {
        if let Some((number, _)) = &self.claimed {
            return Ok(Some(*number));
        }
        let mut numbers: Vec<usize> = (0..self.tasks.len()).filter(|number| !self.done.contains(number)).collect();
        if self.helps {
            numbers.reverse();
        }
        for number in numbers {
            if let Some(found) = self.exchange.kept(&self.run, &self.content(number))? {
                self.take_over(number, &found);
            } else if let Some(hold) = self.exchange.claim(&self.run, &self.content(number))? {
                self.claimed = Some((number, hold));
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Writes down what another worker found, where it is wanted.
    fn take_over(&mut self, number: usize, found: &[u8]) {
        if !self.helps {
            // What is not there is found again by the process that wants it.
            let _ = std::fs::write(part_file(&self.job, &self.function, number), found);
        }
        self.done.insert(number);
    }

    /// Gives what came of a task to the others.
    pub(super) fn put(&mut self, number: usize) -> Result<(), Fault> {
        let file = part_file(&self.job, &self.function, number);
        if let Ok(found) = std::fs::read(&file) {
            self.exchange.keep(&self.run, &self.content(number), &found)?;
        }
        self.claimed = None;
        self.done.insert(number);
        Ok(())
    }

    /// Nobody needs any more what came of the tasks.
    pub(super) fn forget(self) {
        (0..self.tasks.len()).for_each(|number| self.exchange.discard(&self.run, &self.content(number)));
    }

    /// The name of what comes of a task.
    fn content(&self, number: usize) -> String {
        format!("{}-{number}", self.name)
    }
}
