//! How tests are compiled and what bounds each of them.

use crate::blobs::Shelf;
use clew_ir::{FunctionId, GlobalId};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How the program is compiled and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The compiler and its leading words.
    pub compiler: Vec<String>,
    /// Flags of the user's build.
    pub flags: Vec<String>,
    /// Where the compiler is run; `None` for the current directory.
    pub directory: Option<PathBuf>,
    /// Further sources, objects and libraries to link.
    pub link: Vec<PathBuf>,
    /// Whether to build with the address and undefined-behaviour sanitizers.
    pub sanitize: bool,
    /// Number of servers that run tests side by side, at least 1.
    pub jobs: usize,
    /// Globals whose bytes are reported after each test.
    pub observe: Vec<GlobalId>,
    /// Flags under which the compiler calls hooks before readings of volatile memory; none where these are not served.
    pub readings: Vec<String>,
    /// Functions without a body whose results come from the input.
    pub stubs: Vec<FunctionId>,
    /// Those among them that allocate, and only fail where the input says so.
    pub allocations: Vec<FunctionId>,
    /// What bounds each test.
    pub limits: Limits,
    /// When a compiler that is not done is ended.
    pub deadline: Option<Instant>,
    /// A folder where libraries are kept for other processes that test the same program in the same way.
    pub kept: Option<PathBuf>,
    /// Where libraries are shared with other machines, besides that folder.
    pub shelf: Option<Shelf>,
}

/// What bounds one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processor time; four times as much may pass on the clock.
    pub time: Duration,
    /// Address space in bytes; not enforced with sanitizers, which reserve terabytes.
    pub memory: u64,
    /// Size of any file written.
    pub file: u64,
    /// Processes besides the test's own.
    pub processes: u64,
    /// Words of the trace: a condition takes one, a `switch` five.
    pub trace: u32,
    /// Bytes of result, objects and observed globals together.
    pub reply: u64,
    /// Bytes of standard output and error that are kept.
    pub output: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            compiler: vec!["cc".to_owned()],
            flags: Vec::new(),
            directory: None,
            link: Vec::new(),
            sanitize: false,
            jobs: 1,
            observe: Vec::new(),
            readings: Vec::new(),
            stubs: Vec::new(),
            allocations: Vec::new(),
            limits: Limits::default(),
            deadline: None,
            kept: None,
            shelf: None,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(1),
            memory: 1 << 30,
            file: 1 << 20,
            processes: 16,
            trace: 1 << 20,
            reply: 64 << 20,
            output: 1 << 16,
        }
    }
}
