//! Each rewrite, stated as an equation in `rewrites.smt2`: simplified it is `true`, as stated it holds for all values.

use clew_scalar::Value;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::smtlib::{Options, load};
use clew_solver::solver::{Config, Solver};
use clew_solver::term::{Node, TermId, Terms, VarId};

/// The equations of the file with their lines, read with or without simplification.
fn equations(raw: bool) -> (Solver, Vec<(String, TermId)>) {
    let text = std::fs::read_to_string("tests/rewrites.smt2").expect("the equations are there");
    let lines = text.lines().filter(|line| line.starts_with("(assert")).map(str::to_string);
    let options = Options { config: Config { raw, ..Config::default() }, ..Options::default() };
    let solver = load(&text, &options).expect("the equations are well formed");
    let assertions = solver.assertions().to_vec();
    let equations: Vec<(String, TermId)> = lines.zip(assertions).collect();
    (solver, equations)
}

/// The variables below a term.
fn vars(terms: &Terms, root: TermId) -> Vec<VarId> {
    let below = terms.reachable(&[root]).into_iter();
    below.filter_map(|term| if let Node::Var(var) = terms.node(term) { Some(var) } else { None }).collect()
}

#[test]
fn rewrites_happen() {
    let (solver, equations) = equations(false);
    assert!(equations.len() > 150, "the equations are found");
    for (line, equation) in equations {
        let is_true = solver.terms().bits(equation) == Some(1);
        assert!(is_true, "not rewritten: {line}\n{}", solver.terms().describe(&[equation]));
    }
}

#[test]
fn rewrites_hold_for_all_values() {
    let (solver, equations) = equations(true);
    let terms = solver.terms();
    let mut evaluator = Evaluator::new();
    for (line, equation) in equations {
        let vars = vars(terms, equation);
        let widths: Vec<u8> = vars.iter().map(|&var| terms.width(terms.var(var).term)).collect();
        for code in 0..1u64 << widths.iter().sum::<u8>() {
            let (mut model, mut rest) = (Model::new(), code);
            for (&var, &width) in vars.iter().zip(&widths) {
                model.set(var, Value::new(terms.ty(terms.var(var).term), u128::from(rest)));
                rest >>= width;
            }
            evaluator.reset();
            assert!(evaluator.is_true(terms, &model, equation), "wrong: {line}\n{}", model.describe(terms));
        }
    }
}
