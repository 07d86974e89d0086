//! The heuristics of sessions as a table, and the tables of all engines that a session uses.
//!
//! `clew policy` lists the rows; `--tune session.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. Verdicts are right
//! for every value in a row's range: rows decide what is tried and for how long.

use clew_policy::Table;

/// The tables of all engines that decide results of a session.
pub const TABLES: &[&Table] = &[
    &clew_solver::policy::POLICY,
    &clew_analyze::policy::POLICY,
    &clew_symbolic::policy::POLICY,
    &clew_prove::policy::POLICY,
    &clew_search::policy::POLICY,
    &POLICY,
];

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "session" {
        MUTANT_WORK = 1_000, 1 => 1_000_000,
            "Work on one survivor, in milliseconds.",
            INHERITED;
        ALL_LENGTHS_SHARE = 4, 1 => 1_000_000,
            "One of so many parts of that goes to arrays of all lengths, once short ones have shown nothing.",
            INHERITED;
        MAX_SURVIVORS = 1_024, 0 => 1_000_000,
            "Survivors that are settled; of more, none is.",
            "a bound on work";
        MAX_SETTLED_LENGTH = 12, 1 => 4_096,
            "Elements of arrays up to which survivors are compared.",
            "a bound on work";
        MAX_KNOWN_ELEMENTS = 64, 1 => 4_096,
            "Elements of an array of which only the inputs of tests say how many there are, at most.",
            "a bound on work";
        MAX_UNDEFINED_RUNS = 64, 0 => 1_000_000,
            "Inputs that are interpreted to see whether a mutant is undefined.",
            "a bound on work";
        UNDEFINED_STEPS = 200_000, 1 => 1_000_000_000,
            "Instructions of one such run.",
            "a bound on work";
        MAX_IMPROVED_TESTS = 256, 0 => 1_000_000,
            "Tests up to which inputs are changed.",
            "a bound on work";
        MAX_CANDIDATES = 600, 0 => 1_000_000_000,
            "Inputs that are tried instead of the one of a test.",
            "a bound on work";
        MAX_MUTANT_RUNS = 8_000, 0 => 1_000_000_000,
            "Runs of mutants for one function.",
            "a bound on work";
        MAX_REFUSED_CANDIDATES = 3, 1 => 1_000_000,
            "Refusals in a row after which no more inputs are tried.",
            "a bound on work";
        ADDED_TESTS_SHARE = 5, 1 => 1_000_000,
            "One of so many tests may be added for mutants.",
            INHERITED;
        MAX_FOUND_PATHS = 128, 1 => 1_000_000,
            "Paths that are candidates for further tests.",
            "a bound on work";
        MAX_SLOW_CANDIDATES = 4, 1 => 1_000_000,
            "Candidates that run too long after which no more are tried.",
            "a bound on work";
        MAX_CHANGED_PARTS = 24, 1 => 1_000_000,
            "Parts of an input that are changed.",
            "a bound on work";
        VALUE_ROUNDS = 3, 0 => 1_000_000,
            "Times that telling values are tried for one test.",
            "a bound on work";
        PURSUIT_SHARE = 3, 1 => 1_000_000,
            "One of so many parts of the time that is left goes to proofs for single objectives.",
            INHERITED;
        MAX_PURSUED_EVALUATIONS = 256, 1 => 4_096,
            "Evaluations of a decision that are goals of their own.",
            "a bound on work";
        MAX_MUTANT_BUILDS = 6, 1 => 1_000_000,
            "Builds of mutants, each without those that did not compile before.",
            "a bound on work";
        UNENDED_AT_ONCE = 2, 1 => 1_000_000,
            "Inputs of paths without an end that are executed together.",
            INHERITED;
        FIRST_AT_ONCE = 16, 1 => 1_000_000,
            "Inputs that are executed together at first.",
            INHERITED;
        SLOW_AT_ONCE = 4, 1 => 1_000_000,
            "Inputs that are executed together where they take long.",
            INHERITED;
        FINDINGS_AT_ONCE = 16, 1 => 1_000_000,
            "Findings that are executed together.",
            INHERITED;
        MAX_BATCH = 256, 1 => 1_000_000,
            "Paths that are handed to native execution together.",
            INHERITED;
        MAX_UNSUPPORTED_OBSERVED = 64, 0 => 1_000_000_000,
            "Inputs that are executed although exploration does not know all they do.",
            INHERITED;
        MAX_INFERRED_BLOCKS = 64, 1 => 1_000_000,
            "Blocks followed from the entry for preconditions that the source suggests.",
            "a bound on work";
        GOAL_RETRY = 300, 1 => 1_000_000,
            "Work on what may be the case only where inputs overlap, in milliseconds.",
            INHERITED;
    }
}
