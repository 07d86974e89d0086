//! What the tests of all crates share: random numbers, folders, results to be compared, judges that may be missing.
//!
//! Only tests depend on it, and it depends on nothing of clew.

mod asked;
mod random;
mod results;

pub use asked::ask_files;
pub use random::{Number, Random};
pub use results::results;
use std::path::{Path, PathBuf};

/// Options of `clew` that give each function so much work, counted in seconds of a machine of today, and a limit on the
/// clock that only a machine in trouble meets: results are the same however busy the machine is.
pub fn effort(seconds: &str) -> [&str; 4] {
    ["--effort", seconds, "--time", "3600"]
}

/// A new, empty folder for a test: `below` is `env!("CARGO_TARGET_TMPDIR")`, `suite` the name of the test file.
pub fn folder(below: &str, suite: &str, test: &str) -> PathBuf {
    let path = Path::new(below).join(suite).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder can be made");
    path
}

/// Says that a tool which judges results is not installed. What it judges is left out; in CI that is a failure, for nobody
/// would notice.
///
/// # Panics
/// Where `CI` is set.
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
pub fn missing(tool: &str) {
    let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
    assert!(!in_ci, "{tool} is not installed, and in CI every judge must be asked; ./scripts/test installs it");
    eprintln!("{tool} is not installed: what it judges is left out; ./scripts/test installs it");
}
