//! `clew test --queue`: what workers of a queue are told, and what is said of them.

use super::project;
use crate::cli::TestArguments;
use crate::commands::worker;
use crate::terminal::{Paint, Terminal};
use clew_cluster::tool;
use clew_session::project::remote::{Commission, Crew, Exchange};
use clew_session::project::shard::Durations;
use std::ffi::OsString;
use std::time::Duration;

/// Notes of a kind that are shown; `project.json` has them all.
const MOST_SHOWN: usize = 20;
/// The lease of what a coordinator takes from the queue; orders are taken by workers only.
const LEASE: Duration = Duration::from_secs(30);

/// Says what the workers of a queue did, and what had to be done again.
pub(super) fn say(crew: &Crew, terminal: Terminal) {
    let note = terminal.paint(Paint::Yellow, "note:");
    for (file, function, why) in crew.retried.iter().take(MOST_SHOWN) {
        let what = if function.is_empty() { file.clone() } else { format!("{file}: {function}") };
        terminal.say(&format!("{note} {what} was tried again after {why}"));
    }
    let (retried, more) = (crew.retried.len(), crew.retried.len().saturating_sub(MOST_SHOWN));
    if more > 0 {
        terminal.say(&format!("{note} {more} more were tried again"));
    }
    terminal.say(&format!(
        "{} workers; {retried} functions tried again, {} orders of lost workers given to others, {} results left out that \
         were there already",
        crew.workers.len(),
        crew.taken_over,
        crew.repeated
    ));
}

/// A queue and what its workers are told.
pub(super) struct Queued {
    exchange: Box<dyn Exchange>,
    tool: String,
    words: Vec<String>,
    durations: Durations,
}

impl Queued {
    pub(super) fn new(arguments: &TestArguments, terminal: Terminal) -> Result<Option<Queued>, String> {
        let Some(url) = &arguments.project.queue else { return Ok(None) };
        let tool = tool::identity().map_err(|error| format!("the program of this process cannot be read: {error}"))?;
        let exchange = worker::connect(url, &tool, LEASE, terminal)?;
        let words =
            project::launch().map_err(|error| format!("the program of this process is not known: {error}"))?.arguments;
        let words = words.into_iter().map(OsString::into_string).collect::<Result<Vec<String>, OsString>>();
        let words = words.map_err(|word| format!("{} is not UTF-8", word.display()))?;
        let durations = arguments.project.durations.as_deref().map(project::durations).transpose()?.unwrap_or_default();
        Ok(Some(Queued { exchange, tool, words: without_queue(words), durations }))
    }

    pub(super) fn commission(&self) -> Commission<'_> {
        Commission { exchange: &*self.exchange, tool: &self.tool, words: &self.words, durations: &self.durations }
    }
}

/// The words without the queue, which may hold a secret, and without what the coordinator alone reads.
fn without_queue(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                kept.push(word);
                kept.extend(words);
                break;
            }
            "--queue" | "--durations" => drop(words.next()),
            text if text.starts_with("--queue=") || text.starts_with("--durations=") => {}
            _ => kept.push(word),
        }
    }
    kept
}
