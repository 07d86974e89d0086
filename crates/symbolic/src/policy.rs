//! The heuristics of symbolic execution as a table: how far questions, symbolic offsets, inputs and checks are taken.
//!
//! `clew policy` lists the rows; `--tune symbolic.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. `scripts/ablation`
//! measures what each row is worth. Verdicts are right for every value in a row's range: rows decide what is tried, in which
//! order and for how long.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of this engine.
    pub static POLICY = "symbolic" {
        // Questions to the solver.
        QUESTION_STEPS = 20_000_000, 1 => 1_000_000_000,
            "Steps the solver may spend on one question.",
            INHERITED;
        MAX_CORES = 8, 1 => 1_000_000,
            "Refutations remembered for one constraint.",
            INHERITED;
        LARGE_CORE = 32, 1 => 1_000_000,
            "Constraints beyond which a refutation is too special to be met again.",
            INHERITED;
        CORE_STEPS = 20_000, 0 => 1_000_000_000,
            "Steps the solver may spend on leaving one term out of a contradiction.",
            INHERITED;
        MAX_SHRUNK_CORE = 128, 0 => 1_000_000,
            "Contradictions of more terms are left as they are.",
            INHERITED;
        MAX_INSTANCES = 100_000, 1 => 1_000_000_000,
            "Instances of one quantifier beyond which the exploration gives up.",
            INHERITED;
        MAX_BOUND_VALUES = 64, 1 => 1_000_000,
            "Values that a bound of a quantifier may have.",
            INHERITED;
        MAX_ENCODING_DEPTH = 32, 1 => 1_000_000,
            "Choices and signs that are looked through.",
            INHERITED;

        // Loops in one step.
        FIRST_TURNS = 3, 2 => 1_000_000,
            "Turns that an input which is followed makes one by one before the others are made in one step.",
            "docs/decisions/loops.md";
        MAX_PRODUCTS = 24, 1 => 1_000_000,
            "Products in a polynomial that says what a turn makes of a variable.",
            "a bound on work";
        MAX_FACTORS = 4, 1 => 1_000_000,
            "Factors of such a product.",
            "a bound on work";

        // Counting and drawing.
        MAX_ENUMERATED_POINTS = 4_096, 1 => 1_000_000_000,
            "Points of a box that are evaluated one by one.",
            INHERITED;
        EVALUATIONS_PER_QUESTION = 64, 1 => 1_000_000,
            "Points that are evaluated at the cost of one question.",
            INHERITED;
        MAX_SHAVINGS = 48, 0 => 1_000_000,
            "Times that a part is shaved off an end of a domain, or tried to be.",
            INHERITED;
        LARGE_DOMAIN = 256, 1 => 1_000_000_000,
            "Domains with so many values are taken by how much their variables are used.",
            INHERITED;

        // Symbolic offsets.
        MAX_CHOICES = 256, 1 => 1_000_000,
            "Elements a symbolic offset may choose among.",
            INHERITED;
        MAX_CHOICES_DIRECTED = 32, 1 => 1_000_000,
            "The same in the search for objectives.",
            INHERITED;
        CHOICE_STEPS_DIRECTED = 20_000, 1 => 1_000_000_000,
            "Steps the solver may then spend on each of them.",
            INHERITED;
        MAX_UNASKED_OFFSETS = 16, 0 => 1_000_000,
            "Offsets that are taken for possible without asking the solver for each.",
            INHERITED;
        MAX_SPREAD_ACCESSES = 4, 0 => 1_000_000,
            "Accesses of a path that may choose among elements in the search for objectives: where what is read is an index again, as in sorting, values would become choices among choices.",
            INHERITED;
        LARGE_OBJECT = 1_024, 1 => 1_000_000_000,
            "Bytes beyond which an object is large.",
            INHERITED;
        MAX_VARIED_OFFSETS = 1 << 20, 1 => 1_000_000_000,
            "Offsets among which values far from each other are looked for.",
            INHERITED;
        MAX_TABLE_ENTRIES = 4_096, 1 => 1_000_000,
            "Entries a table may have.",
            INHERITED;
        MAX_GROWN_ELEMENTS = 16, 1 => 1_000_000,
            "Elements among which a symbolic offset may choose in an object that has as many as accesses need.",
            INHERITED;
        GROWN_FACTOR = 16, 1 => 1_000_000,
            "So many times as many, where the path needs it.",
            INHERITED;
        LONG_OBJECT = 256, 1 => 1_000_000,
            "Elements beyond which an object grows by more than an access needs; what is left over at the end of the path is taken back.",
            INHERITED;

        // Pointers of the input.
        MAX_CONTAINERS = 4, 0 => 1_000_000,
            "Structures that a pointer to a member is tried to lead into.",
            INHERITED;
        MAX_CALLEES = 6, 0 => 1_000_000,
            "Functions besides the first that a pointer of the input is tried to lead to.",
            INHERITED;
        MAX_ELEMENTS_BEFORE = 16, 0 => 1_000_000,
            "Elements that may lie before the one to which a pointer of the input leads.",
            INHERITED;
        STEADY_READINGS = 2, 0 => 1_000_000,
            "Readings of volatile memory that see what is there, unless the path demands something else.",
            INHERITED;

        // Functions without a body and the library.
        MAX_HAVOCKED_BYTES = 2_048, 1 => 1_000_000,
            "Bytes that a function without a body writes through one argument.",
            INHERITED;
        MAX_HAVOCKED_ELEMENTS = 1_024, 1 => 1_000_000,
            "Elements that it writes.",
            INHERITED;
        MAX_STRING_BYTES = 4_096, 1 => 1_000_000,
            "Bytes of an object in which the end of a string is looked for.",
            INHERITED;
        MAX_ALLOCATED_BYTES = 1 << 16, 1 => 1_000_000_000,
            "Bytes of an allocation whose size depends on the input, if so few are possible.",
            INHERITED;
        MAX_NEEDED_BYTES = 1 << 26, 1 => 1_000_000_000,
            "Bytes of such an allocation in any case.",
            INHERITED;
        FIRST_ALLOCATED_BYTES = 1 << 12, 1 => 1_000_000_000,
            "Bytes that are allocated at first, if so few are possible, and copied or set at once instead of very many.",
            INHERITED;
        MAX_COPIED_BYTES = 1 << 20, 1 => 1_000_000_000,
            "Bytes that are copied or set at once instead of more, if so few are possible.",
            INHERITED;
        MAX_FILLED_BYTES = 1 << 19, 1 => 1_000_000_000,
            "Bytes that are set one by one.",
            INHERITED;

        // Checks.
        MAX_VALUES_TRIED = 16, 1 => 1_000_000,
            "Values of one scalar that are tried where only known ones can be handled.",
            INHERITED;
        HASH_FACTOR = 1 << 24, 1 => 1_000_000_000,
            "Factors beyond which a product is taken for a hash.",
            INHERITED;
        MAX_HASHED_VARIABLES = 64, 0 => 1_000_000,
            "Variables that may be given their present values together.",
            INHERITED;
        MAX_CHECK_QUESTIONS = 12, 0 => 1_000_000,
            "Times that the search for other objectives asks whether one check can fail.",
            INHERITED;
        CHECK_STEPS = 40_000, 1 => 1_000_000_000,
            "Steps the solver may spend, while the search heads for other objectives, on an input that makes a check fail, or on one that makes it hold before the path is put off.",
            INHERITED;
        MAX_RANGE_DEPTH = 6, 0 => 1_000,
            "Operands inside each other that are looked at to see how large an operator can be.",
            INHERITED;

        // State variables and the k-path graph.
        MIN_COMPARED_VALUES = 3, 1 => 1_000_000,
            "Numbers that a state variable is compared with, at least.",
            INHERITED;
        MAX_STATE_VARIABLES = 8, 0 => 1_000_000,
            "State variables that a path notes.",
            INHERITED;
        MAX_GRAPH_STATES = 100_000, 1 => 1_000_000_000,
            "States of the walk through one function after which there is no number of paths.",
            INHERITED;
        MAX_DECISION_BLOCKS = 1_000, 1 => 1_000_000_000,
            "Blocks of one decision that are gone through.",
            INHERITED;

        MAX_OVERLAP_PLACES = 4, 1 => 1 << 20,
            "Written places of one object that a read is tried to meet.",
            "a bound on work";
        MAX_OVERLAP_PARTS = 8, 0 => 1 << 20,
            "Parts of a larger read that are looked at.",
            "a bound on work";
        MAX_MATH_PAIR_SAMPLES = 9, 1 => 9,
            "Samples tried for each argument of a mathematical function of two.",
            INHERITED;
        MAX_ALLOCATION_BYTES = 1 << 30, 4_096 => 1 << 40,
            "Bytes of an allocation of known size; larger ones are left open.",
            INHERITED;
        MAX_SEQUENCE_DEGREE = 4, 1 => 4,
            "Coefficients of the polynomials by which values of a loop are followed.",
            "docs/decisions/loops.md";
    }
}
