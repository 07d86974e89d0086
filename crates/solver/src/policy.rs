//! The solver's heuristics as a table: every constant that decides how far a layer goes, and none that answers depend on.
//!
//! `clew policy` lists the rows; `--tune solver.NAME=VALUE` and `CLEW_TUNE` change them, for experiments. `scripts/ablation`
//! measures what each row is worth. Answers are right for every value in a row's range. The order in which layers have their
//! turn is in `solver/turn.rs`.

/// The default was chosen before the table existed.
const INHERITED: &str = "inherited";

clew_policy::table! {
    /// The heuristics of the solver.
    pub static POLICY = "solver" {
        // Layers, 1 for on.
        USE_REPAIR = 1, 0 => 1, "A small change of the last model is tried.", "ablation: off, work 1.209 in the mean, 1.026 in sum";
        USE_ORDER = 1, 0 => 1, "Circles of comparisons are looked for.", "ablation: off, no difference";
        USE_EQUATE = 1, 0 => 1, "Equations are put into the other assertions.", "ablation: off, work 1.023 in the mean, 0.936 in sum";
        USE_RESIDUE = 1, 0 => 1, "Equations with products are tried on the lowest bits.", "ablation: off, no difference";
        USE_ALGEBRA = 1, 0 => 1, "Products are refuted by polynomial consequences.", "new: proofs of loop invariants, nothing else measured";
        USE_LABELLING = 1, 0 => 1, "Inputs are labelled near the last model.", "ablation: off, work 1.057 in the mean, 0.800 in sum";
        USE_LABELLING_NEAR_ZERO = 1, 0 => 1, "Inputs are labelled near zero.", "ablation: off, work 0.988 in the mean, 0.861 in sum";
        USE_LABELLING_SCATTERED = 1, 0 => 1, "Inputs of large circuits are labelled near scattered points.", "ablation: off, work 1.020 in the mean, 1.043 in sum";
        USE_PROBING = 1, 0 => 1, "Open conditions and signs are tried both ways.", "ablation: off, work 0.993 in the mean, 0.993 in sum";
        USE_RELAXATION = 1, 0 => 1, "Linear programs are made.", INHERITED;
        USE_LOCAL_SEARCH = 1, 0 => 1, "Local search is made.", INHERITED;
        USE_PLAIN_FIRST = 1, 0 => 1, "Small circuits go to the plain SAT solver before labelling has all its steps.", "docs/decisions/back-end.md";
        USE_LIGHT_FIRST = 1, 0 => 1, "Goals without heavy operators go to the back end before the heavy layers.", INHERITED;
        USE_INTEGERS_FIRST = 1, 0 => 1, "Goals without floats go to the back end before the others.", "docs/decisions/back-end.md: 124 ms before, 3 ms after";

        // Turns: how far the layers go, and which circuits are small. A gate is one of the estimate of a part's weight.
        LABEL_STEPS_FLOATS = 2_000, 0 => 1_000_000,
            "Propagators that labelling may run in the first turn where there are floats.",
            INHERITED;
        LABEL_STEPS_INTEGERS = 1_000, 300 => 1_000_000,
            "The same where there are only integers: half of the gates, but no more than this.",
            INHERITED;
        LABEL_STEPS_LEAST = 300, 0 => 300,
            "The same at least; also what labelling has before the plain SAT solver where circuits are small.",
            INHERITED;
        LABEL_STEPS_PER_INPUT = 20, 0 => 10_000,
            "Steps of labelling added for each input.",
            INHERITED;
        LABEL_STEPS_PER_COMBINATION = 48, 0 => 10_000,
            "Steps of labelling added for each combination of values where tables are read: few, and heavy as circuits.",
            INHERITED;
        MAX_COMBINATIONS = 1_024, 0 => 1_000_000,
            "Combinations of values, at most, that labelling is given steps for.",
            INHERITED;
        HEAVY_LABEL_FACTOR = 8, 1 => 1_000,
            "Labelling has so many times the steps, from the second turn on, where circuits are too heavy for the first.",
            INHERITED;
        PROBE_STEPS_LEAST = 400, 0 => 1_000_000,
            "Steps of probing at least; it has twice those of labelling, and half of them where circuits are medium or small.",
            INHERITED;
        MAX_GATES_SMALL = 1_200, 0 => 1_000_000,
            "Integers with no more gates go to the plain SAT solver before anything takes long.",
            INHERITED;
        MAX_GATES_MEDIUM = 4_000, 0 => 1_000_000,
            "Integers with more gates are labelled near zero, and their light goals blasted, before their circuits are made.",
            INHERITED;
        MAX_GATES_LARGE = 5_000, 0 => 1_000_000,
            "Integers with no more gates go to the back end before relaxation and local search.",
            INHERITED;
        MAX_GATES_FIRST_TURN = 20_000, 1 => 10_000_000,
            "Parts with no more gates go to the back end in the first turn; four times as many in each later one.",
            INHERITED;
        ZERO_LABEL_DIVISOR = 8, 1 => 1_000_000,
            "Labelling of floats near zero has the steps of labelling divided by this.",
            INHERITED;
        WALK_STEPS = 20_000, 0 => 10_000_000,
            "Terms that local search may compute in the first turn.",
            INHERITED;
        WALK_STEPS_SHORT = 2_000, 0 => 10_000_000,
            "The same before the back end, where that comes first.",
            INHERITED;
        WALK_STEPS_MAX = 10_000_000, 1 => 1_000_000_000,
            "Terms that local search may compute in any turn.",
            INHERITED;
        TURN_CONFLICTS = 500, 1 => 1_000_000,
            "Conflicts of the back end in the first turn.",
            INHERITED;
        TURN_GROWTH_BITS = 2, 1 => 8,
            "Each turn has two to this power times the steps of the one before.",
            INHERITED;

        // The back end as a layer.
        MAX_GATES_OPERATOR = 1_000, 0 => 1_000_000,
            "Goals without an operator of more gates go to the back end first; the others once a model fails them.",
            INHERITED;
        MAX_GATES_LIGHT_GOALS = 16_000, 0 => 10_000_000,
            "Such goals go there before the heavy layers if they have no more gates together.",
            INHERITED;
        MAX_ENCODED_GATES = 3_000, 0 => 10_000_000,
            "The same, and no more gates than this are left once constants have been put in.",
            INHERITED;
        LIGHT_CONFLICTS = 100, 0 => 1_000_000,
            "Conflicts of the back end for such goals: most refutations of theirs take none.",
            INHERITED;
        RESTART_GATES = 8_192, 1 => 1 << 40,
            "The back end begins anew when it has more gates than this and than RESTART_GROWTH times those in use.",
            INHERITED;
        RESTART_GROWTH = 4, 1 => 1_000,
            "See RESTART_GATES.",
            INHERITED;
        MAX_LISTED_INDEX_BITS = 8, 0 => 12,
            "Arrays with indices of at most so many bits are compared at each index.",
            INHERITED;
        MAX_REMAINDER_CELLS = 131_072, 0 => 1 << 30,
            "Circuits of float remainders have at most so many subtractor cells.",
            INHERITED;
        MAX_PARITY_SUMMANDS = 256, 0 => 100_000,
            "Summands of a sum modulo two that are compared to cancel each other.",
            INHERITED;
        PLAIN_CLAUSES = 100_000, 0 => 10_000_000,
            "More clauses than this are for CaDiCaL alone, not for the plain SAT solver.",
            "docs/decisions/back-end.md";
        PLAIN_CONFLICTS = 100, 0 => 1_000_000,
            "Conflicts of the plain SAT solver in a query before CaDiCaL takes over.",
            "docs/decisions/back-end.md: nine queries in ten need fewer than 63";
        PLAIN_VISITS = 40_000, 0 => 1 << 40,
            "Clauses the plain SAT solver may look at in a query before CaDiCaL takes over.",
            INHERITED;
        PLAIN_LEARNED = 2_000, 0 => 10_000_000,
            "The plain SAT solver is given up for good once it has learned more clauses.",
            INHERITED;
        PLAIN_DECAY_PERCENT = 95, 1 => 99,
            "Activity of variables of the plain SAT solver that is left after a conflict.",
            INHERITED;

        // Propagation.
        MAX_CHANGES = 40, 1 => 65_000,
            "Changes of a term's domain by one fixpoint that its users are told of; slow convergence is cut off.",
            INHERITED;
        MAX_FIELD_VALUES = 16, 0 => 64,
            "A slice of a chain of choices starts with its values where there are at most so many.",
            INHERITED;
        MAX_FIELD_CHOICES = 64, 0 => 100_000,
            "Choices of such a chain that are looked into.",
            INHERITED;
        MAX_SHARE_VALUES = 16, 0 => 1_000_000,
            "Labelling decides on a share of an input that has at most so many values.",
            INHERITED;
        MAX_PROBED_CONDITIONS = 32, 0 => 100_000,
            "Conditions of choices that are tried both ways.",
            INHERITED;
        MAX_PROBED_SIGNS = 16, 0 => 100_000,
            "Signs that are tried both ways.",
            INHERITED;
        TABLE_ENTRIES_PER_STEP = 16, 1 => 100_000,
            "Entries of a table that a propagator looks at for the price of a step.",
            INHERITED;
        MAX_SHIFT_AMOUNTS = 8, 1 => 128,
            "Shifts by at most so many possible amounts are joined; bounds serve otherwise.",
            INHERITED;

        // Repair of the last model.
        REPAIR_UNMET = 6, 0 => 1_000,
            "Conditions unmet at first; more are for the other layers.",
            INHERITED;
        REPAIR_CHANGES = 4, 0 => 1_000,
            "Inputs changed.",
            INHERITED;
        REPAIR_TRIALS = 12, 0 => 100_000,
            "Changes tried.",
            INHERITED;
        REPAIR_PROPOSALS = 6, 1 => 1_000,
            "Changes proposed for a condition.",
            INHERITED;
        REPAIR_WISHES = 48, 0 => 100_000,
            "Terms followed down from a condition to the changes.",
            INHERITED;
        REPAIR_ENTRIES = 2, 0 => 1_000,
            "Entries of a table that are wished for.",
            INHERITED;

        // Refutation by comparisons, equations and residues.
        ORDER_GOALS = 4_000, 0 => 10_000_000,
            "Goals among which circles of comparisons are looked for.",
            INHERITED;
        ORDER_TERMS = 256, 0 => 1_000_000,
            "Terms whose own operands are compared with them.",
            INHERITED;
        ORDER_STARTS = 32, 0 => 1_000_000,
            "Comparisons that domains imply from which circles are looked for.",
            INHERITED;
        EQUATE_GOALS = 1_000, 0 => 10_000_000,
            "Goals into which equations are put.",
            INHERITED;
        CASCADE_TERMS = 1_000, 0 => 10_000_000,
            "Terms into which the equations that others bring about are put.",
            INHERITED;
        CASCADE_ROUNDS = 8, 0 => 1_000,
            "Rounds of that.",
            INHERITED;
        RESIDUE_BITS = 6, 0 => 16,
            "Lowest bits on which equations with products are tried.",
            INHERITED;
        RESIDUE_STEPS = 4_000, 0 => 100_000_000,
            "Values tried on them.",
            INHERITED;
        RESIDUE_EQUATIONS = 24, 0 => 1_000,
            "Equations tried together.",
            INHERITED;
        RESIDUE_TERMS = 48, 0 => 1_000,
            "Terms of these equations.",
            INHERITED;

        // Local search.
        WALK_STAGNATION = 60, 1 => 1_000_000,
            "Rounds without an improvement before local search begins anew.",
            INHERITED;
        WALK_PROPOSALS = 6, 1 => 1_000,
            "Inversions tried from an unmet condition in a round.",
            INHERITED;
        WALK_CANDIDATES = 6, 1 => 1_000,
            "Random points of which the best one is where a search among floats begins anew.",
            INHERITED;
        WALK_VARIED = 4, 0 => 1_000,
            "Inputs of an unmet condition that pattern search varies in a round.",
            INHERITED;
        WALK_STRIDE = 3, 0 => 10,
            "Pattern search begins with a stride of two to this power exponents.",
            INHERITED;
        WALK_LINKS = 4_000_000, 0 => 1 << 32,
            "Links from inputs to the terms that depend on them; local search leaves problems with more.",
            INHERITED;
        WALK_VISITS = 1_000_000, 0 => 1 << 32,
            "Terms visited to find links.",
            INHERITED;
        WALK_TERMS = 200_000, 0 => 1 << 32,
            "Terms that local search takes on.",
            INHERITED;

        // Algebra.
        ALGEBRA_TERMS = 400, 0 => 100_000,
            "Terms of a part whose polynomials are looked at.",
            "new: proofs of loop invariants, nothing else measured";
        ALGEBRA_CASES = 24, 1 => 100_000,
            "Cases into which choices and disjunctions divide it.",
            "new: proofs of loop invariants, nothing else measured";
        ALGEBRA_ROWS = 120, 0 => 100_000,
            "Inequalities looked at together.",
            "new: proofs of loop invariants, nothing else measured";
        ALGEBRA_COLUMNS = 60, 0 => 100_000,
            "Monomials of a linear program.",
            "new: proofs of loop invariants, nothing else measured";
        ALGEBRA_MONOMIALS = 48, 1 => 100_000,
            "Monomials of one polynomial.",
            "new: proofs of loop invariants, nothing else measured";
        ALGEBRA_PRODUCTS = 60, 0 => 100_000,
            "Products of equations and monomials.",
            "new: proofs of loop invariants, nothing else measured";

        // Linear reasoning.
        RELAX_TERMS = 2_000, 0 => 10_000_000,
            "Terms of a part that is relaxed.",
            INHERITED;
        RELAX_ROWS = 200, 0 => 100_000,
            "Inequalities of a relaxation.",
            INHERITED;
        RELAX_COLUMNS = 100, 0 => 100_000,
            "Monomials of a relaxation.",
            INHERITED;
        RELAX_MONOMIALS = 64, 1 => 100_000,
            "Monomials of one polynomial.",
            INHERITED;
        RELAX_DEGREE = 4, 1 => 100,
            "Degree of a monomial.",
            INHERITED;
        SIMPLEX_PIVOTS = 400, 0 => 1_000_000,
            "Pivots of the exact simplex method.",
            INHERITED;
        APPROXIMATE_PIVOTS = 20, 0 => 100_000,
            "Pivots of the floating-point simplex method, for each row and column.",
            INHERITED;
        NARROW_ROUNDS = 16, 0 => 100_000,
            "Rounds of narrowing ranges by linear inequalities.",
            INHERITED;
        POLYHEDRON_ROWS = 200, 0 => 100_000,
            "Inequalities that a projection keeps.",
            INHERITED;

        // Simplification.
        TABLE_ENTRIES_LEAST = 8, 2 => 100_000,
            "Choices among constants by one index, at least, that become a table.",
            INHERITED;
        POLYNOMIAL_OPERATORS = 32, 0 => 10_000,
            "Operators of a sum or product that is brought to normal form.",
            INHERITED;
        POLYNOMIAL_MONOMIALS = 16, 1 => 10_000,
            "Monomials of its normal form.",
            INHERITED;
        SLICE_DEPTH = 6, 0 => 100,
            "Operators through which a slice is pushed down.",
            INHERITED;
    }
}
