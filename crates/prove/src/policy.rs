//! The heuristics of goals and proofs as a table: how the searches share their effort, what invariants are looked for.
//!
//! `clew policy` lists the rows; `--tune prove.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. `scripts/ablation`
//! measures what each row is worth. Verdicts are right for every value in a row's range: rows decide what is tried, in which
//! order and for how long.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "prove" {
        // Merged states and single ones.
        MAX_REFUSALS = 3, 1 => 1_000_000,
            "Times that the solver's answer for one goal may turn out not to lead there.",
            INHERITED;
        MAX_MERGE_PARTNERS = 16, 0 => 1_000_000,
            "States at one place with which a new one may be merged: the latest.",
            INHERITED;
        EFFORT_OF_QUESTION = 64, 0 => 1_000_000,
            "What a question to the solver costs, in instructions.",
            INHERITED;
        EFFORT_OF_MERGE = 8, 0 => 1_000_000,
            "What it costs to try to merge two states, in instructions for each object.",
            INHERITED;
        MERGED_HEAD_START = 20_000, 0 => 1_000_000_000,
            "Effort that merged states have for themselves at first.",
            INHERITED;
        SINGLE_HEAD_START = 200_000, 0 => 1_000_000_000,
            "Effort that states have one by one before any are merged, where calls of functions are compared.",
            "two calls of `min_nb` on lists up to 4: 0.3 s of processor time for 2.0 and more";
        MERGED_LEAD_SHARE = 8, 1 => 1_000_000,
            "Merged states may be ahead of the other searches by one part of so many of the effort so far: what the solver knows of one path is little use for the next.",
            INHERITED;
        MAX_SINGLE_STATES = 20_000, 1 => 1_000_000_000,
            "States that go their way one by one and are kept.",
            INHERITED;
        COST_UNKNOWN_FUNCTION = 16, 0 => 1_000_000,
            "What a state costs whose function the map of distances does not show.",
            INHERITED;
        COST_OF_TURN = 8, 0 => 1_000_000,
            "What a turn of a loop costs that is still to be made.",
            INHERITED;
        MAX_DEMAND_INSTRUCTIONS = 32, 1 => 1_000_000,
            "Instructions of which one condition may be computed that is demanded of the arguments.",
            INHERITED;
        MAX_LABELLED_VALUES = 256, 1 => 1_000_000,
            "Values of an argument that may be tried one by one.",
            INHERITED;

        TURNS_BEFORE_STEP = 2, 1 => 1_000_000,
            "Turns of a loop after which a single state also makes many more in one step.",
            "docs/decisions/loops.md";
        EXTRA_STEPS = 2_000_000, 1 => 1_000_000_000,
            "Steps the solver may spend on one question about a state after such a step.",
            "a bound on work";
        MAX_TURN_ENDS = 4, 0 => 1_000_000,
            "Branches of such a turn at which the loop may end that are looked at.",
            "a bound on work";

        // Backward search.
        MAX_BACKWARD_PATHS = 4_000, 1 => 1_000_000_000,
            "Partial paths of one goal that may wait.",
            INHERITED;
        EFFORT_OF_PASS = 32, 0 => 1_000_000,
            "What it costs to go back over a block, in instructions.",
            INHERITED;
        BACKWARD_STEPS = 1_000_000, 1 => 1_000_000_000,
            "Steps the solver may spend on one question of backward search.",
            INHERITED;
        EFFORT_OF_FOLLOWING = 1_000, 0 => 1_000_000,
            "What it costs to follow an input that was found backwards, in instructions.",
            INHERITED;

        // Abstract interpretation.
        MAX_EVALUATIONS = 256, 1 => 1_000_000,
            "Evaluations of one decision that are looked at.",
            INHERITED;
        EXCLUDE_SHARE = 8, 1 => 1_000_000,
            "One analysis may take one part of so many of the time left.",
            INHERITED;
        EXCLUDE_MILLISECONDS = 150, 0 => 1_000_000,
            "Milliseconds it may take when none are left.",
            INHERITED;

        // Induction.
        MAX_FORGOTTEN_PARTS = 64, 1 => 1_000_000,
            "Parts of a variable that may be forgotten.",
            INHERITED;
        INDUCTION_SHARE = 4, 1 => 1_000_000,
            "A proof by induction may take one part of so many of the time left.",
            INHERITED;
        INDUCTION_STEPS = 2_000_000, 1 => 1_000_000_000,
            "Steps the solver may spend on one question of induction: one that is too hard costs the others no time.",
            INHERITED;
        GUESS_STEPS = 1_000_000, 1 => 1_000_000_000,
            "The same where invariants are guessed, most of which are wrong.",
            INHERITED;

        MAX_REFUTING_MODELS = 4, 0 => 1_000_000,
            "Models that showed that an invariant may fail, by which others are looked at without a question.",
            "a bound on work";

        // Invariants that are found.
        SEARCH_HEAD_START = 400, 0 => 1_000_000,
            "Milliseconds of work that the search has before invariants are looked for.",
            INHERITED;
        SEARCH_HEAD_START_SHARE = 8, 1 => 1_000_000,
            "One part of so many of the time is the most that this may be.",
            INHERITED;
        MAX_VARIABLES = 8, 1 => 64,
            "Variables looked at together.",
            INHERITED;
        MAX_CANDIDATES = 160, 0 => 1_000_000,
            "Candidates for one loop.",
            INHERITED;
        MAX_LATER = 48, 0 => 1_000_000,
            "Candidates for one loop that only concern states in which a turn was made.",
            "docs/decisions/proofs.md";
        MAX_FEWER_ATTEMPTS = 12, 0 => 1_000_000,
            "Attempts at a proof with fewer invariants.",
            INHERITED;
        INVENT_SHARE = 3, 1 => 1_000_000,
            "Finding invariants may take one part of so many of the time left.",
            INHERITED;
        MAX_MONOMIALS = 60, 1 => 10_000,
            "Monomials of the equations looked for.",
            INHERITED;
        MAX_COEFFICIENT = 10_000, 1 => 1_000_000_000,
            "The greatest coefficient that is believed.",
            INHERITED;
        SPARE_SAMPLES = 4, 0 => 1_000_000,
            "Samples that there must be more than monomials.",
            INHERITED;
        MAX_EQUATIONS = 12, 1 => 1_000_000,
            "Equations that are candidates.",
            INHERITED;
        MAX_CONDITIONS = 32, 0 => 1_000_000,
            "Conditions of the program that are looked at.",
            INHERITED;
        MAX_IMPLICATIONS = 80, 0 => 1_000_000,
            "Implications that are candidates.",
            INHERITED;
        MAX_CONDITION_DEPTH = 6, 1 => 1_000_000,
            "How deep expressions are read.",
            INHERITED;
        FAR_BOUND = 300, 0 => 1_000_000_000,
            "Extreme values beyond which a bound is taken for chance.",
            INHERITED;
        NEAR_BOUND = 8, 0 => 1_000_000_000,
            "The same for bounds of what is left of multiples.",
            INHERITED;
        MAX_BOUNDS = 70, 0 => 1_000_000,
            "Bounds that are candidates.",
            INHERITED;
        SAMPLE_RUNS = 24, 1 => 1_000_000,
            "Runs from the beginning that give samples.",
            INHERITED;
        SAMPLE_STEPS = 2_500, 1 => 1_000_000_000,
            "Instructions of one such run.",
            INHERITED;
        MAX_SAMPLE_VISITS = 24, 1 => 1_000_000,
            "Visits of one loop head in one run.",
            INHERITED;

        // Questions about all inputs.
        SOLUTIONS_EFFORT = 2_000_000, 1 => 1_000_000_000,
            "Effort on the states that come to a goal, where all of them are wanted.",
            INHERITED;
        DOMAIN_EFFORT = 20_000, 1 => 1_000_000_000,
            "Effort on domains, which are sound with less.",
            INHERITED;
        COUNT_QUESTIONS = 20_000, 1 => 1_000_000_000,
            "Questions to the solver for one component of a case.",
            INHERITED;
        MAX_SINGLE_SOLUTIONS = 2_000, 0 => 1_000_000_000,
            "Solutions that are excluded one by one, where boxes cannot be counted.",
            INHERITED;

        ALL_PATHS_EFFORT = 60_000, 1 => 1_000_000_000,
            "Effort on running every path to its end, to see that everything ends.",
            INHERITED;
        TERMINATION_SHARE = 4, 1 => 1_000_000,
            "One of so many parts of the time that is left goes to one attempt.",
            INHERITED;
        MAX_MEASURE_PARTS = 4, 1 => 100,
            "Measures of one ranking, compared in order.",
            "a bound on work";
        MAX_RANKINGS = 12, 1 => 1_000_000,
            "Rankings of a loop that a proof is tried for.",
            "a bound on work";
        MAX_ENDLESS_RUNS = 4, 1 => 1_000_000,
            "Runs of which it is asked whether their conditions hold for ever.",
            "a bound on work";
        MAX_ENDLESS_CONDITIONS = 60, 1 => 1_000_000,
            "Conditions of one such run.",
            "a bound on work";
        MAX_ENDLESS_ATTEMPTS = 12, 1 => 1_000_000,
            "Attempts to leave out conditions that a turn does not keep.",
            "a bound on work";
        ENDLESS_STEPS = 20_000, 1 => 1_000_000_000,
            "Instructions of a path that does not end which are followed.",
            "a bound on work";
        MAX_RANKED_VARIABLES = 7, 1 => 1_000_000,
            "Variables that measures are made of.",
            "a bound on work";
        MAX_MAGNITUDES = 8, 0 => 1_000_000,
            "Measures of which absolute values are looked at.",
            "a bound on work";
    }
}
