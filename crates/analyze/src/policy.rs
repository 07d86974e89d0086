//! The heuristics of abstract interpretation as a table: when it widens, what a state remembers, how far code is read.
//!
//! `clew policy` lists the rows; `--tune analyze.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. `scripts/ablation`
//! measures what each row is worth. Verdicts are right for every value in a row's range: rows decide what is tried, in which
//! order and for how long.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "analyze" {
        // The fixpoint.
        WIDEN_AFTER_VISITS = 3, 1 => 1_000_000,
            "Visits of a loop's head after which it is widened.",
            INHERITED;
        MAX_REPETITIONS = 2, 0 => 1_000_000,
            "Fixpoints after the first, for forms that it found compared.",
            INHERITED;
        DESCENDING_PASSES = 2, 0 => 1_000_000,
            "Descending passes.",
            INHERITED;
        MAX_CALL_DEPTH = 6, 0 => 1_000,
            "Calls inside each other beyond which a callee is not entered.",
            INHERITED;
        MAX_ALIAS_ROUNDS = 3, 0 => 1_000_000,
            "Analyses after which pointers of the input are not told apart any more.",
            INHERITED;
        MAX_RUNS_PER_BLOCK = 40, 1 => 1_000_000,
            "Times that each block of a large function may be run.",
            INHERITED;

        // The state.
        MAX_SCALARS = 32, 0 => 1_000_000,
            "Scalars of an object beyond which they are not told apart.",
            INHERITED;
        MAX_CASES = 32, 1 => 1_000_000,
            "Cases into which a predicate may split a state.",
            INHERITED;
        MAX_INPUT_OBJECTS = 24, 0 => 1_000_000,
            "Objects of the input.",
            INHERITED;
        MAX_POINTER_DEPTH = 3, 0 => 1_000,
            "Pointers behind each other that are followed.",
            INHERITED;
        MAX_EQUAL_CELLS = 12, 0 => 1_000,
            "Cells in one system of equalities modulo the word.",
            INHERITED;
        MAX_FORM_CELLS = 4, 1 => 1_000,
            "Cells of a linear form.",
            INHERITED;
        MAX_PROVEN_ACCESSES = 12, 0 => 1_000_000,
            "Accesses remembered that did not fail.",
            INHERITED;
        MAX_READS = 8, 0 => 1_000_000,
            "Reads of memory that are remembered.",
            INHERITED;
        MAX_ORDERS = 12, 0 => 1_000_000,
            "Comparisons that are remembered.",
            INHERITED;
        MAX_SHAPES = 16, 0 => 1_000,
            "Shapes of templates; one and its opposite are two.",
            INHERITED;
        MAX_SHAPES_BEFORE_STEPS = 8, 0 => 1_000,
            "Shapes after which steps give no more of them.",
            INHERITED;
        MAX_LINEAR_PROGRAMS = 20_000, 0 => 1_000_000_000,
            "Linear programs that one analysis may solve.",
            INHERITED;

        // How far code is read.
        MAX_CONDITION_DEPTH = 8, 0 => 1_000,
            "Instructions that a condition is followed back.",
            INHERITED;
        MAX_ADDRESS_DEPTH = 4, 0 => 1_000,
            "Instructions that may compute the address of an access.",
            INHERITED;
        MAX_READ_DEPTH = 4, 0 => 1_000,
            "Instructions that may compute the address of a read.",
            INHERITED;
        MAX_PARAMETER_DEPTH = 4, 0 => 1_000,
            "Calls through which a parameter is followed.",
            INHERITED;
        MAX_VALUES_TRIED = 64, 0 => 1_000_000,
            "Values of an integer that are tried one by one.",
            INHERITED;

        // Questions.
        MAX_ANALYSES = 4, 1 => 1_000_000,
            "What all questions together may cost, in multiples of the blocks that an analysis may run.",
            INHERITED;
        RUNS_PER_BLOCK = 15, 1 => 1_000_000,
            "Times that an analysis runs each block, as a rule.",
            INHERITED;
        MIN_ANALYSES = 8, 0 => 1_000_000,
            "Analyses for one question each that must be affordable for any to be made: of a large function, few would help little.",
            INHERITED;
        MAX_QUESTION_ROUNDS = 3, 0 => 1_000_000,
            "Times that questions are asked anew with what was learned.",
            INHERITED;

        MAX_MODULAR_FACTOR = 65_536, 1 => 1 << 62,
            "Multiples of cells beyond which equalities bound nothing.",
            INHERITED;
    }
}
