//! The heuristics of the search as a table: which open branch is next, when a path makes way for others, what is kept.
//!
//! `clew policy` lists the rows; `--tune search.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. `scripts/ablation`
//! measures what each row is worth. Verdicts are right for every value in a row's range: rows decide what is tried, in which
//! order and for how long.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "search" {
        // Loops.
        EXIT_AFTER_TURNS = 8, 1 => 1_000_000,
            "Turns of a loop beyond k after which a path is led out of it.",
            INHERITED;
        EXIT_AFTER_TURNS_DIRECTED = 24, 1 => 1_000_000,
            "Turns of a loop after which a path that heads for objectives is led out of it.",
            INHERITED;
        MAX_MODEL_TURNS = 12, 1 => 1_000_000,
            "Turns of a loop in a model of the library that a path may make where all paths are asked for.",
            INHERITED;
        SAME_TURNS = 3, 1 => 1_000_000,
            "Turns of a loop along the same blocks after which a step is made of more of them.",
            "docs/decisions/loops.md";
        MAX_TURN_BLOCKS = 48, 1 => 1_000_000,
            "Blocks of a turn that is made a step of.",
            "a bound on work";
        MAX_TURN_ENDS = 4, 1 => 1_000_000,
            "Branches of such a turn at which the loop may end that are looked at.",
            "a bound on work";
        MAX_IDLE_JUMPS = 10_000, 100 => 1_000_000_000,
            "Jumps in a row, without an instruction or a branch, after which a path is known to go round for ever.",
            INHERITED;

        // Long searches in parts.
        DEAL_FROM = 10_000, 1 => 1_000_000_000,
            "Milliseconds of work that a search must have before it to go on in parts after a while.",
            "docs/decisions/parts.md";
        DEAL_AFTER = 2_000, 1 => 1_000_000_000,
            "Milliseconds of work in which nothing new was covered before it does.",
            "docs/decisions/parts.md";
        DEAL_LEAST = 32, 1 => 1_000_000,
            "Open branches that there must be.",
            "docs/decisions/parts.md";
        DEAL_PARTS = 8, 1 => 1_000,
            "How many parts there are.",
            "docs/decisions/parts.md";

        // Steps of one path before others have their turn.
        PAUSE_AFTER_STEPS = 10_000, 100 => 1_000_000_000,
            "Instructions after which a path that heads for objectives makes way for others.",
            INHERITED;
        PAUSE_SHARE = 8, 1 => 1_000_000,
            "The same for a path that has executed many: one of so many of those.",
            INHERITED;
        PAUSE_AFTER_CONDITIONS = 400, 1 => 1_000_000,
            "Conditions that a path adds before it makes way for others.",
            INHERITED;
        PAUSE_AFTER_OBJECTS = 24, 1 => 1_000_000,
            "Objects of the input that a path creates before it makes way: along a list that nothing ends there is always another one.",
            INHERITED;
        PAUSE_AFTER_QUESTIONS = 80, 1 => 1_000_000,
            "Questions that a path asks before it makes way for others.",
            INHERITED;
        LENGTH_FACTOR = 24, 1 => 1_000_000,
            "So many times the usual length of a path is executed natively as it is, while there is no test yet or the path did something that is asked for.",
            INHERITED;

        // Open branches: which one is next.
        OLDEST_EVERY = 8, 1 => 1_000_000,
            "Every so many turns the oldest open branch comes first.",
            INHERITED;
        FARTHEST_EVERY = 4, 1 => 1_000_000,
            "Every so many turns the interrupted path that has come farthest goes on.",
            INHERITED;
        COST_NEAR = 4, 0 => 1_000_000,
            "What a branch costs whose own block matters, though it leads away from all targets.",
            INHERITED;
        COST_FAR = 16, 0 => 1_000_000,
            "What a branch costs in a function that only a pointer of the input leads to, or whose path has to end well for what it did before.",
            INHERITED;
        COST_UNREAD = 1_000, 0 => 1_000_000,
            "What a branch costs that leads to nothing asked for, as long as it is not known whether its path did something before.",
            INHERITED;
        MAX_SPARE_BRANCHES = 256, 0 => 1_000_000,
            "Branches kept that lead to nothing asked for.",
            INHERITED;
        MAX_TRACES_READ = 16, 0 => 1_000_000,
            "Paths that are read in search of one that did something asked for and did not end.",
            INHERITED;
        MAX_BRANCHES = 200_000, 1 => 1_000_000_000,
            "Branches kept.",
            INHERITED;
        RECOST_BATCH = 64, 1 => 1_000_000,
            "With more open branches, costs are computed anew after one change for so many of them, not after each.",
            INHERITED;
        MAX_NEW_STATES = 1_000, 0 => 1_000_000,
            "States of the program in which a branch comes first.",
            INHERITED;
        MAX_DOUBTS = 20_000_000, 1 => 1_000_000_000,
            "Objectives times marks on the way to open branches that are looked at; beyond, all are in doubt.",
            INHERITED;
        MAX_FUTILE_STATES = 4, 1 => 1_000_000,
            "So many branches in new states that lead to nothing new let branches of steered paths come first.",
            INHERITED;
        MAX_INDEPENDENT_TRIES = 64, 0 => 1_000_000,
            "Open branches taken up in search of a test that does not depend on where objects lie, when there is another one.",
            INHERITED;
        FAR_BRANCHES_FIRST = 6, 0 => 1_000_000,
            "Open branches taken up before every other one is chosen for being near to the end of its path.",
            INHERITED;
        FIRST_STEPS = 200_000, 1 => 1_000_000_000,
            "Steps the solver may spend on an open branch at first.",
            INHERITED;

        // Stagnation.
        EFFORT_OF_BRANCH = 4, 0 => 1_000_000,
            "Effort of an open branch that is tried.",
            INHERITED;
        EFFORT_OF_QUESTION = 1, 0 => 1_000_000,
            "Effort of a question to the solver.",
            INHERITED;
        STAGNATION_LIMIT = 250, 1 => 1_000_000_000,
            "Effort without anything new after which a search first pauses.",
            INHERITED;
        STAGNATION_GROWTH = 8, 2 => 1_000_000,
            "How many times as much effort a search has after each pause.",
            INHERITED;
        UNENDED_AFTER = 6, 0 => 1_000_000,
            "Open branches tried while no path ends, before some are taken that bring a path to its end which did something asked for.",
            INHERITED;
        UNENDED_EVERY = 3, 1 => 1_000_000,
            "Every so many-th branch is then one of these.",
            INHERITED;

        // Abstract interpretation.
        EXCLUDE_AFTER_PATHS = 24, 0 => 1_000_000,
            "Paths run before abstract interpretation is asked what is out of reach.",
            INHERITED;
        EXCLUDE_AFTER_QUESTIONS = 400, 0 => 1_000_000,
            "Questions to the solver after which it is asked in any case.",
            INHERITED;
        EXCLUDE_FACTOR_UNTESTED = 8, 1 => 1_000_000,
            "So many times as many of both, as long as there is no test.",
            INHERITED;

        // What is kept.
        MAX_UNDEFINED_STEPS = 1 << 20, 0 => 1_000_000_000,
            "Steps of all traces of paths into something undefined that are kept.",
            INHERITED;
        MAX_UNENDED_PATHS = 16, 0 => 1_000_000,
            "Paths without an end that are handed over.",
            INHERITED;
        MAX_UNENDED_READ = 256, 0 => 1_000_000,
            "Open branches that are looked at for them.",
            INHERITED;
        MAX_UNENDED_MARKS = 2_000_000, 0 => 1_000_000_000_000,
            "Marks of the traces that are read for them.",
            "fixAfterInsertion of a red-black tree with 74,000 open branches: 17 s after its 20 s were over without it";
        SHORT_TRACE = 4_096, 0 => 1_000_000_000,
            "Marks of a trace that are read whenever a path makes way for others.",
            INHERITED;
        MAX_FAMILIES = 1_000, 0 => 1_000_000,
            "Families of refuted prefixes that are explained; where prefixes are kept, prefixes.",
            INHERITED;
        MAX_CUT_OFF = 256, 0 => 1_000_000,
            "Paths cut off that are kept.",
            INHERITED;
        MAX_GIVEN_RUNS = 256, 1 => 1_000_000,
            "Runs of one input that was given.",
            INHERITED;

        // Seeds.
        MAX_SEEDS = 480, 0 => 1_000_000,
            "Seeds of landmarks and constants.",
            INHERITED;
        RANDOM_SEEDS = 2_000, 0 => 1_000_000,
            "Random seeds.",
            INHERITED;
        SEED_STEPS = 3_000_000, 0 => 1_000_000_000,
            "Instructions all seeds together may take, run with their values.",
            INHERITED;
        SEED_SYMBOLIC_STEPS = 150_000, 0 => 1_000_000_000,
            "Instructions those that cover something may take, run symbolically.",
            INHERITED;
        MAX_PAIRED_VALUES = 10, 1 => 1_000_000,
            "Values with which the others are paired where there are several floats.",
            INHERITED;

        // Sequences of calls.
        MAX_STATES_ALIKE = 8, 1 => 1_000_000,
            "States gone on from for one number of calls where many variables are remembered, or not all is known.",
            INHERITED;
        MAX_CALL_STATES = 2_000, 1 => 1_000_000,
            "States gone on from.",
            INHERITED;
        MAX_STATIC_BYTES = 4_096, 1 => 1_000_000,
            "Bytes of a static variable that are looked at one by one.",
            INHERITED;
        CALL_EVERY = 4, 1 => 1_000_000,
            "Every so many turns a further call comes before branches that lead to something asked for.",
            INHERITED;

        // Even samples of paths.
        MAX_BOXES = 4_096, 1 => 1_000_000,
            "Boxes that a domain is cut into.",
            INHERITED;
        MAX_COUNTED_POINTS = 1 << 16, 1 => 1_000_000_000,
            "Points of a domain that is counted.",
            INHERITED;
        PILOT_DRAWS = 64, 1 => 1_000_000,
            "Draws that tell whether the boxes are fine enough.",
            INHERITED;
        PILOT_ACCEPTED = 48, 1 => 1_000_000,
            "How many of them are to be accepted.",
            INHERITED;
        DRAWS_PER_INPUT = 1_000, 1 => 1_000_000_000,
            "Draws of one path for each input that is wanted.",
            INHERITED;
        EXTRA_DRAWS = 200_000, 0 => 1_000_000_000,
            "Draws of one path besides.",
            INHERITED;
    }
}
