//! Functions run on the real machine: paths, results, limits.

mod hostile;
mod inputs;
mod paths;
mod speed;
mod subject;
