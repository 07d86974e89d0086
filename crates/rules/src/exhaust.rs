//! All arguments of a function up to a size, each with its oracle: agreement of an implementation on all of them is a
//! proof up to that size.

use crate::evaluate;
use crate::index::Index;
use crate::objective::Test;
use crate::values::Values;
use clew_frontend_rules::spec::{FunctionId, Spec, Type};

/// All tests of a function up to a size.
#[derive(Clone, Debug)]
pub struct Exhausted {
    /// The tests.
    pub tests: Vec<Test>,
    /// Whether these are all terms of that size: none was left out for their number, and no type has integers.
    pub is_all: bool,
}

/// Tests of a function with all arguments that together have at most a size, at most so many.
pub fn exhaust(spec: &Spec, function: FunctionId, size: usize, most: usize, steps: u64) -> Exhausted {
    let index = Index::new(spec);
    let mut values = Values::new(spec);
    let data = &spec.functions[function.index()];
    let types: Vec<Type> = data.params.iter().map(|ty| values.concrete(ty, data.type_params)).collect();
    let mut found = Exhausted { tests: Vec::new(), is_all: types.iter().all(|ty| !values.has_integers(ty)) };
    for size in 0..=size {
        let tuples = values.tuples(&types, size, most + 1 - found.tests.len());
        for args in tuples {
            if found.tests.len() == most {
                found.is_all = false;
                return found;
            }
            let evaluation = evaluate::call(spec, &index, function, &args, steps);
            found.is_all &= evaluation.is_complete;
            found.tests.push(Test {
                function,
                rule: evaluation.fired.first().copied().unwrap_or(data.rules[0]),
                abstract_args: args.clone(),
                demands: Vec::new(),
                names: Vec::new(),
                abstract_result: evaluation.results.first().cloned(),
                args,
                results: evaluation.results,
                is_complete: evaluation.is_complete,
                fired: evaluation.fired,
            });
        }
    }
    found
}
