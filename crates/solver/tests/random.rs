//! Random small problems against brute force: every engine, incrementally, with models evaluated and cores re-checked.
//!
//! Answers are right whatever the heuristics: `CLEW_TUNE` changes rows of the policy here, too (`scripts/ablation --check`).

#[path = "common/terms.rs"]
mod terms;

use clew_scalar::{Format, Type, Value};
use clew_solver::clock::Deadline;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::{ArrayValue, Model};
use clew_solver::solver::{Answer, Budget, Config, Engine, Solver};
use clew_solver::term::{Sort, TermId, Terms, VarId};
use terms::{Generator, Random, Shape, Step, build, count};

const TINY: Format = Format { exponent: 2, significand: 3 };
const SMALL: Format = Format { exponent: 3, significand: 2 };
/// The smallest format there is: 15 values.
const TINIEST: Format = Format { exponent: 2, significand: 2 };
/// Problems whose assignments have more bits than this are not enumerated.
const ENUMERATED: u32 = 12;
/// The same where arrays are over floats.
const ENUMERATED_ARRAYS: u32 = 17;

/// Bits of an assignment to all variables.
fn total_bits(terms: &Terms) -> u32 {
    let bits = |sort: Sort| match sort {
        Sort::Scalar(ty) => u32::from(ty.width()),
        Sort::Array { index, element } => u32::from(element.width()) << index.width(),
    };
    terms.vars().iter().map(|var| bits(var.sort)).sum()
}

/// The model that the bits of a number spell.
fn model_of(terms: &Terms, mut code: u64) -> Model {
    let mut model = Model::new();
    let mut take = |width: u8| {
        let bits = code & ((1 << width) - 1);
        code >>= width;
        u128::from(bits)
    };
    for (number, var) in terms.vars().iter().enumerate() {
        match var.sort {
            Sort::Scalar(ty) => model.set(VarId::from_index(number), Value::new(ty, take(ty.width()))),
            Sort::Array { index, element } => {
                let entries = (0..1u128 << index.width()).map(|at| (at, take(element.width()))).collect();
                model.set_array(VarId::from_index(number), ArrayValue { default: 0, entries });
            }
        }
    }
    model
}

/// Whether some assignment satisfies all goals.
fn enumerate(terms: &Terms, goals: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new();
    (0..1u64 << total_bits(terms)).any(|code| {
        evaluator.reset();
        let model = model_of(terms, code);
        goals.iter().all(|&goal| evaluator.is_true(terms, &model, goal))
    })
}

fn conditions(terms: &Terms, built: &[TermId]) -> Vec<TermId> {
    let is_open = |term: &TermId| terms.sort(*term) == Sort::Scalar(Type::BOOL) && terms.value(*term).is_none();
    built.iter().copied().filter(is_open).collect()
}

struct Case {
    recipe: Vec<Step>,
    /// Which conditions are asserted at each level: position, negated.
    levels: Vec<Vec<(usize, bool)>>,
}

fn case(random: &mut Random, shape: &Shape) -> Case {
    let recipe = Generator::recipe(random, shape);
    let levels = (0..1 + random.below(3))
        .map(|_| (0..1 + random.below(2)).map(|_| (random.below(1000), random.below(2) == 0)).collect())
        .collect();
    Case { recipe, levels }
}

/// Asserts level by level, checks at each, and compares with enumeration; then takes the levels back. False, and nothing
/// done, for a case without conditions or with too many assignments.
fn check(case: &Case, engine: Engine, enumerated: u32, unknown: &mut usize) -> bool {
    let mut solver = Solver::new(Config { engine, seed: 1, raw: false });
    let built = build(solver.terms_mut(), &case.recipe);
    let conditions = conditions(solver.terms(), &built);
    if conditions.is_empty() || total_bits(solver.terms()) > enumerated {
        return false;
    }
    let mut goals: Vec<TermId> = Vec::new();
    let mut feasible = vec![true];
    for level in &case.levels {
        solver.push();
        for &(position, negated) in level {
            let condition = conditions[position % conditions.len()];
            let goal = if negated { solver.terms_mut().not(condition) } else { condition };
            solver.assert(goal);
            goals.push(goal);
        }
        feasible.push(judge(&mut solver, &goals, unknown));
    }
    // Going back, the answers must be the same, from whatever the solver remembers.
    for level in case.levels.iter().rev() {
        let again = judge(&mut solver, &goals, unknown);
        assert_eq!(feasible.pop(), Some(again));
        solver.pop();
        goals.truncate(goals.len() - level.len());
    }
    true
}

/// The right answer, after the solver's has been compared with it.
fn judge(solver: &mut Solver, goals: &[TermId], unknown: &mut usize) -> bool {
    let expected = enumerate(solver.terms(), goals);
    let about = |solver: &Solver| solver.terms().describe(goals);
    match solver.check(&Budget { steps: Some(200_000), deadline: Deadline::default() }) {
        Answer::Sat(model) => {
            assert!(expected, "sat, but no assignment satisfies\n{}", about(solver));
            let mut evaluator = Evaluator::new();
            let holds = goals.iter().all(|&goal| evaluator.is_true(solver.terms(), &model, goal));
            assert!(holds, "the model does not hold\n{}\n{}", model.describe(solver.terms()), about(solver));
        }
        Answer::Unsat(core) => {
            assert!(!expected, "unsat, but an assignment satisfies\n{}", about(solver));
            let asserted = solver.assertions();
            let used: Vec<TermId> = core.assertions.iter().map(|id| asserted[id.index()]).collect();
            assert!(!enumerate(solver.terms(), &used), "the core {core:?} can be satisfied\n{}", about(solver));
        }
        Answer::Unknown(_) => *unknown += 1,
    }
    expected
}

/// So many problems for every engine.
fn run(seed: u64, default: usize, shape: &Shape) {
    run_up_to(ENUMERATED, seed, default, shape, |_| true);
}

/// So many problems that are wanted, with at most so many bits, for every engine.
fn run_up_to(enumerated: u32, seed: u64, default: usize, shape: &Shape, wanted: impl Fn(&[Step]) -> bool) {
    clew_policy::tune_from_environment(&[&clew_solver::policy::POLICY]).expect("CLEW_TUNE names rows of the solver");
    let mut random = Random(seed);
    let cases = count(default);
    for engine in [Engine::Auto, Engine::Sat, Engine::Propagation] {
        let mut unknown = 0;
        let mut random = Random(random.next());
        let mut left = cases;
        while left > 0 {
            let case = case(&mut random, shape);
            left -= usize::from(wanted(&case.recipe) && check(&case, engine, enumerated, &mut unknown));
        }
        assert!(engine == Engine::Propagation || unknown == 0, "{engine:?} left {unknown} undecided");
    }
}

#[test]
fn integer_problems_are_answered_right() {
    run(11, 400, &Shape { widths: vec![1, 2, 3, 4], formats: vec![], arrays: false, vars: 3, steps: 10 });
}

#[test]
fn wider_integer_problems_are_answered_right() {
    run(12, 100, &Shape { widths: vec![5, 6], formats: vec![], arrays: false, vars: 2, steps: 10 });
}

#[test]
fn float_problems_are_answered_right() {
    run(13, 200, &Shape { widths: vec![1, 3], formats: vec![TINY, SMALL], arrays: false, vars: 2, steps: 10 });
}

#[test]
fn array_problems_are_answered_right() {
    run(14, 100, &Shape { widths: vec![1, 2], formats: vec![], arrays: true, vars: 3, steps: 10 });
}

#[test]
fn problems_of_arrays_with_floats_are_answered_right() {
    let shape = Shape { widths: vec![1], formats: vec![TINIEST], arrays: true, vars: 3, steps: 10 };
    let compares = |recipe: &[Step]| recipe.iter().any(|step| matches!(step, Step::Same(a, _) if is_array(recipe, *a)));
    run_up_to(ENUMERATED_ARRAYS, 15, 60, &shape, compares);
}

/// Whether a step of a recipe makes an array.
fn is_array(recipe: &[Step], at: usize) -> bool {
    match recipe[at] {
        Step::Write(..) | Step::ConstArray(..) | Step::Var(Sort::Array { .. }) => true,
        Step::Ternary(clew_scalar::TernaryOp::Select, _, then, _) => is_array(recipe, then),
        _ => false,
    }
}
