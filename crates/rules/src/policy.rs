//! The heuristics of narrowing over rules as a table.
//!
//! `clew policy` lists the rows; `--tune rules.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. Verdicts are right for
//! every value in a row's range: rows decide what is tried and for how long.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "rules" {
        MAX_INDEX_PATH = 6, 1 => 64,
            "Constructors on the longest way to one by which rules are told apart.",
            INHERITED;
        MAX_INDEX_MISSES = 400, 1 => 1_000_000,
            "Ways in which a rule can fail that are told apart.",
            INHERITED;
        NEWEST_STATES = 24, 0 => 1_000_000,
            "Earlier goals that a goal is compared with.",
            INHERITED;
        MAX_SUBSUMED_CALLS = 24, 0 => 1_000_000,
            "Calls of a goal up to which it is compared.",
            INHERITED;
        MAX_SUBSUMPTION_WORK = 2_000, 0 => 1_000_000_000,
            "Terms that are compared for one goal.",
            "a bound on work";
        SELECTION_WINDOW = 32, 1 => 1_000_000,
            "Calls that are left among which the next one is chosen.",
            INHERITED;
        MAX_RESULTS = 64, 1 => 1_000_000,
            "Results of a call that are listed.",
            "a bound on work";
        CONCRETE_ATTEMPTS = 20, 1 => 1_000_000,
            "Random terms drawn that do not fit, after which no more are drawn.",
            "a bound on work";
        WARNING_STEPS = 4_000, 1 => 1_000_000_000,
            "Steps of each question about a warning.",
            "a bound on work";
    }
}
