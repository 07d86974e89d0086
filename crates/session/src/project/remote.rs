//! A project tested by many machines that take work from a queue.
//!
//! The coordinator (`coordinate`) puts an [`Order`] for each file into the queue. A worker ([`serve`]) that takes one
//! reads the file, reports which functions are to be tested, puts them back as smaller orders and tests the first of these.
//! While others are idle, it puts back what it has not begun. Results come back as [`Report`]s with a parcel each; the
//! coordinator is the only one who writes the journal, so that no result counts twice.
//!
//! An order is done only when all its results are in the queue. Of a worker that is lost, the queue gives the order to
//! another; what was reported already is tested again and its second result left out. The queue itself is an
//! [`Exchange`], which crates/cluster has on NATS.
//!
//! Of a long exploration that goes on in parts, the worker that tests the function puts orders into the queue to help it with
//! those; they come behind everything else, so that idle workers take them.
//!
//! The machines have the sources at the same place. The hash of the file is compared before it is read, and the keys of its
//! functions, which cover headers and options, before they are tested.

mod coordinate;
pub mod serve;

use crate::function::parts::Task;
pub use coordinate::Commission;
pub(super) use coordinate::run;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A function of a file and its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Hash of all that its result depends on.
    pub key: String,
}

/// Some functions of a file to be tested.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// What the run is called: the same after its coordinator was started again.
    pub run: String,
    /// Tells starts of the coordinator apart.
    pub start: String,
    /// The program of clew that may work on it.
    pub tool: String,
    /// Where the coordinator was started.
    pub at: PathBuf,
    /// Its arguments, without those about the queue.
    pub words: Vec<String>,
    /// Seconds that a function may take.
    pub seconds: f64,
    /// The file.
    pub file: PathBuf,
    /// SHA-256 of the file.
    pub source: String,
    /// The keys of functions whose results are there already.
    pub known: BTreeMap<String, String>,
    /// The functions; `None` if it is to be found out which there are.
    pub functions: Option<Vec<Named>>,
    /// Functions of the file that took long before, the longest first: each is an order of its own.
    pub long: Vec<String>,
    /// A worker that failed at it.
    pub avoid: Option<String>,
    /// How often a worker would not do it.
    pub declined: u32,
    /// Parts of the exploration of its only function that are to be run for the worker that tests it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Help>,
}

/// Parts of an exploration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Help {
    /// Tells orders to the same end apart.
    pub number: usize,
    /// All its tasks.
    pub tasks: Vec<Task>,
}

impl Order {
    /// A name by which the queue knows an order that it has already.
    pub fn id(&self) -> String {
        let content = serde_json::to_vec(self).expect("an order is made of strings and numbers");
        crate::hash::sha256(&content)
    }
}

/// What a worker reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The worker.
    pub worker: String,
    /// The file, as the project names it.
    pub file: String,
    /// What there is to report.
    pub news: News,
}

/// What there is to report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum News {
    /// What a file asks for.
    Functions {
        /// The functions that are asked for.
        asked: Vec<String>,
        /// Those to be tested.
        open: Vec<Named>,
    },
    /// A result; its parcel follows.
    Done,
    /// The order was given to the worker after another was lost.
    TakenOver,
    /// Something the reader should know.
    Note(String),
}

impl Report {
    /// The bytes of the report with those of a parcel.
    pub fn bytes(&self, parcel: &[u8]) -> Vec<u8> {
        let mut out = serde_json::to_vec(self).expect("a report is made of strings and numbers");
        out.push(b'\n');
        out.extend(parcel);
        out
    }

    /// The report that some bytes are, and its parcel.
    pub fn read(bytes: &[u8]) -> Option<(Report, &[u8])> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        Some((serde_json::from_slice(&bytes[..end]).ok()?, &bytes[end + 1..]))
    }
}

/// A sign of life of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pulse {
    /// The worker.
    pub worker: String,
    /// Its program of clew.
    pub tool: String,
    /// The functions it is at, with the seconds since it began.
    pub at: Vec<(String, f64)>,
    /// Why it takes no work, if it does not.
    pub trouble: Option<String>,
}

/// Why a run cannot go on.
#[derive(Clone, Debug)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// What coordinator and workers have in common. A queue that does not answer is waited for; a fault is what waiting does
/// not cure.
pub trait Exchange: Send + Sync {
    /// Puts an order into the queue, unless one with this name is known.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn submit(&self, run: &str, id: &str, order: &[u8]) -> Result<(), Fault>;

    /// Takes an order, if one comes in time.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, Fault>;

    /// How many workers wait for an order.
    fn idle(&self) -> usize;

    /// Sends a report to the coordinator of a run.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn report(&self, run: &str, id: &str, report: &[u8]) -> Result<(), Fault>;

    /// The next reports of a run, as many as come in time.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn reports(&self, run: &str, wait: Duration) -> Result<Vec<Box<dyn Lease>>, Fault>;

    /// How many orders of a run are in the queue, those included that somebody is at; `None` if it does not answer.
    fn orders(&self, run: &str) -> Option<u64>;

    /// Takes something that one worker is to be at; `None` if another is.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn claim(&self, run: &str, name: &str) -> Result<Option<Box<dyn Hold>>, Fault>;

    /// Keeps something under a name for all workers of a run.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn keep(&self, run: &str, name: &str, content: &[u8]) -> Result<(), Fault>;

    /// What is kept under a name.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn kept(&self, run: &str, name: &str) -> Result<Option<Vec<u8>>, Fault>;

    /// Keeps it no longer.
    fn discard(&self, run: &str, name: &str);

    /// Shows that the worker lives.
    fn pulse(&self, pulse: &Pulse);

    /// The signs of life since the last call.
    fn pulses(&self) -> Vec<Pulse>;

    /// Removes the orders of a run that nobody has taken.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn withdraw(&self, run: &str) -> Result<(), Fault>;

    /// Removes all that is kept of a run.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn forget(&self, run: &str) -> Result<(), Fault>;
}

/// Something taken from the queue, which another gets unless it is said to be done.
pub trait Lease {
    /// Its content.
    fn content(&self) -> &[u8];

    /// How often somebody took it, this time included.
    fn deliveries(&self) -> u64;

    /// Takes it from the queue for good.
    ///
    /// # Errors
    /// When the queue cannot be used.
    fn done(self: Box<Self>) -> Result<(), Fault>;
}

/// A claim, which lapses when it is dropped, or when nothing is heard of its worker.
pub trait Hold {}

/// A word that no other process makes, wherever it runs.
pub fn unique() -> String {
    let mut bytes = vec![0; 16];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if read.is_err() {
        bytes.extend(format!("{} {:?}", std::process::id(), Instant::now()).into_bytes());
    }
    crate::hash::sha256(&bytes)[..16].to_owned()
}

/// What the workers of a run did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Crew {
    /// The workers by their names.
    pub workers: BTreeMap<String, Share>,
    /// Functions that were tested again by another worker: file, name, and why.
    pub retried: Vec<(String, String, String)>,
    /// Orders that another worker took over from one that was lost.
    pub taken_over: u64,
    /// Results that were there already.
    pub repeated: u64,
    /// What workers had trouble with.
    pub troubles: BTreeSet<String>,
}

/// What a worker did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// Functions whose results count.
    pub functions: usize,
    /// Seconds that they took.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::{Named, News, Report};

    #[test]
    fn reports_are_read_back_with_their_parcel() {
        let named = |name: &str| Named { name: name.to_owned(), key: "key".to_owned() };
        let news = News::Functions { asked: vec!["f".to_owned(), "g".to_owned()], open: vec![named("g")] };
        let report = Report { worker: "one".to_owned(), file: "a.c".to_owned(), news };
        let bytes = report.bytes(b"parcel\nof lines");
        let (read, parcel) = Report::read(&bytes).unwrap();
        assert_eq!(parcel, b"parcel\nof lines");
        assert!(matches!(read.news, News::Functions { asked, open } if asked.len() == 2 && open == [named("g")]));
        assert!(Report::read(b"no report").is_none());
    }
}
