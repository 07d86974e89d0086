//! Seeds: inputs that are run before the solver is asked anything, where floats are among them.
//!
//! Code about floats branches near landmarks of the format and near its own constants, many of which are written as the
//! upper word of a double (fdlibm). A seed gives each float such a value: zeros, ones, infinities, NaN, extremes, and the
//! program's constants with their neighbours; further floats and integers take turns. A seed is run along its path
//! without leaving branches open; if it covers something, it is run again and leaves them. What seeds do not cover is left
//! to the search, as without them.

use std::collections::BTreeSet;
use std::rc::Rc;

use clew_ir::{FunctionId, InstKind, Operand, Program};
use clew_scalar::{Conversion, Format, Rounding, Type, Value, eval};
use clew_solver::model::Model;
use clew_solver::term::{Sort, Terms, VarId};

use crate::{Explored, Explorer, Next, Path};

/// Seeds tried at most.
const MOST_SEEDS: usize = 480;

/// Instructions all seeds together may take.
const MOST_STEPS: u64 = 150_000;

/// Values with which the others are paired where there are several floats.
const PAIRED: usize = 10;

/// Values of integers among the inputs, in turns.
const INTEGERS: [i128; 8] = [0, 1, 2, -1, 3, 50, -50, 100_000];

impl Explorer<'_> {
    /// Runs seeds from the beginning of all paths.
    pub(crate) fn run_seeds(
        &mut self,
        start: &Path,
        function: FunctionId,
        found: &mut dyn FnMut(Explored) -> Next,
    ) -> Next {
        if !self.config.is_directed() || self.has_quantified_clauses() {
            return Next::Continue;
        }
        let mut steps = 0;
        for model in seeds(self.program, function, self.constraints.terms()) {
            let done = self.goals.as_ref().is_none_or(|goals| goals.open() == 0);
            if done || steps > MOST_STEPS || self.late() {
                break;
            }
            let model = Rc::new(model);
            if start
                .state
                .condition
                .beyond(&Default::default())
                .1
                .iter()
                .any(|term| !self.constraints.holds(&model, *term))
            {
                continue;
            }
            let (next, taken) = self.run_seed(start, &model, found);
            steps += taken;
            if next == Next::Stop {
                return Next::Stop;
            }
        }
        Next::Continue
    }

    /// Runs one seed, twice if it covers something; also gives the number of instructions.
    fn run_seed(&mut self, start: &Path, model: &Rc<Model>, found: &mut dyn FnMut(Explored) -> Next) -> (Next, u64) {
        let mut path = Path { state: start.state.clone(), model: Rc::clone(model) };
        path.state.repeats = true;
        let Some(end) = self.run(&mut path) else { return (Next::Continue, path.state.steps) };
        let (steps, before) = (path.state.steps, self.tests);
        if self.finish(path, end, found) == Next::Stop {
            return (Next::Stop, steps);
        }
        if self.tests == before {
            return (Next::Continue, steps);
        }
        let mut again = Path { state: start.state.clone(), model: Rc::clone(model) };
        let next = match self.run(&mut again) {
            Some(end) => self.finish(again, end, found),
            None => self.park(again),
        };
        (next, 2 * steps)
    }
}

/// The seeds of a function; none if it has no floats among its inputs.
fn seeds(program: &Program, function: FunctionId, terms: &Terms) -> Vec<Model> {
    let (mut floats, mut integers) = (Vec::new(), Vec::new());
    for (index, var) in terms.vars().iter().enumerate() {
        match var.sort {
            Sort::Scalar(Type::Float(format)) => floats.push((VarId::from_index(index), format)),
            Sort::Scalar(ty) => integers.push((VarId::from_index(index), ty)),
            Sort::Array { .. } => {}
        }
    }
    if floats.is_empty() {
        return Vec::new();
    }
    let constants = constants(program, function);
    let values: Vec<Vec<Value>> = floats.iter().map(|(_, format)| values(*format, &constants)).collect();
    let rows = choices(&values.iter().map(Vec::len).collect::<Vec<_>>());
    let model = |(number, row): (usize, &Vec<usize>)| {
        let mut model = Model::new();
        for (((var, _), values), choice) in floats.iter().zip(&values).zip(row) {
            model.set(*var, values[*choice]);
        }
        for (turn, (var, ty)) in integers.iter().enumerate() {
            let value = INTEGERS[(number + turn) % INTEGERS.len()];
            model.set(*var, Value::new(*ty, Value::int(ty.width(), value as u128).bits));
        }
        model
    };
    rows.iter().enumerate().map(model).collect()
}

/// Which value each float has: for one float, each of its values; for several, each value of each with the first few of
/// the others, which are equal among themselves or not.
fn choices(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = Vec::new();
    let pairs = if lengths.len() == 1 { 1 } else { PAIRED };
    let longest = lengths.iter().copied().max().unwrap_or(0);
    for choice in 0..longest {
        for (moving, length) in lengths.iter().enumerate().filter(|(_, length)| choice < **length) {
            debug_assert!(choice < *length, "filtered");
            for other in 0..pairs {
                let others = |(position, length): (usize, &usize)| match position == moving {
                    true => choice,
                    false => (other + 3 * choice) % PAIRED.min(*length),
                };
                rows.push(lengths.iter().enumerate().map(others).collect());
            }
        }
    }
    rows.truncate(MOST_SEEDS);
    rows
}

/// The values a float takes, landmarks first, none twice.
fn values(format: Format, constants: &BTreeSet<Value>) -> Vec<Value> {
    let landmarks =
        [1.0, 0.0, -1.0, 2.0, 0.5, 3.0, -0.5, -2.0, 1e10, -1e10, 0.1, -0.0, 1e-10, 1e5, -1e5, 20.0, 100.0, 1e3];
    let mut bits: Vec<u128> = landmarks.iter().map(|number| nearest(format, *number)).collect();
    let extremes = [
        Format::infinity,
        Format::max_finite,
        Format::min_normal,
        Format::min_subnormal,
        |format: Format, negative| format.min_normal(negative) - 1,
    ];
    bits.insert(1, format.infinity(false));
    bits.insert(2, format.canonical_nan());
    bits.extend(extremes.iter().flat_map(|extreme| [extreme(format, false), extreme(format, true)]));
    for constant in constants {
        bits.extend(near_constant(format, *constant));
    }
    let mut seen = BTreeSet::new();
    bits.retain(|bits| seen.insert(*bits));
    bits.into_iter().map(|bits| Value::new(Type::Float(format), bits)).collect()
}

/// A constant of the program as values of a float, with neighbours: by its number, or by its bits as upper word.
fn near_constant(format: Format, constant: Value) -> Vec<u128> {
    let around = |bits: u128| [bits, bits - 1, bits + 1, bits | format.sign_mask()];
    match constant.ty {
        Type::Float(_) => {
            let convert = Conversion::FloatToFloat(format, Rounding::NearestEven);
            let bits = format.magnitude(eval::convert(convert, constant).bits);
            if format.is_normal(bits) { around(bits).to_vec() } else { Vec::new() }
        }
        Type::Int(width) if width == 32 && format.width() >= 32 => {
            let below = u32::from(format.width()) - 32;
            let bits = constant.bits << below;
            let plausible = constant.bits < 1 << 31 && format.is_normal(bits);
            let next = bits + (1 << below);
            if plausible { [&around(bits)[..], &[next, next | format.sign_mask()]].concat() } else { Vec::new() }
        }
        Type::Int(_) => Vec::new(),
    }
}

fn nearest(format: Format, number: f64) -> u128 {
    let double = Value::new(Type::Float(Format::DOUBLE), u128::from(number.to_bits()));
    if format == Format::DOUBLE {
        return double.bits;
    }
    eval::convert(Conversion::FloatToFloat(format, Rounding::NearestEven), double).bits
}

/// The constants in the code that a function can reach.
fn constants(program: &Program, function: FunctionId) -> BTreeSet<Value> {
    let reach = clew_analyze::reach::reach(program, function);
    let blocks = reach.functions.iter().flat_map(|id| program.functions[*id].blocks.values());
    let operands = blocks.flat_map(|block| &block.insts).filter(|inst| !matches!(inst.kind, InstKind::Store { .. }));
    let constants = operands.flat_map(|inst| inst.kind.operands()).filter_map(|operand| match operand {
        Operand::Const(value) => Some(value),
        _ => None,
    });
    constants.collect()
}

#[cfg(test)]
mod tests {
    use super::{choices, near_constant, values};
    use clew_scalar::{Format, Value};
    use std::collections::BTreeSet;

    #[test]
    fn upper_words_become_doubles() {
        let found = near_constant(Format::DOUBLE, Value::int(32, 0x3ff0_0000));
        let one = u128::from(1f64.to_bits());
        assert!([one, one - 1, one + 1, u128::from((-1f64).to_bits())].iter().all(|bits| found.contains(bits)));
        assert!(near_constant(Format::DOUBLE, Value::int(32, 5)).is_empty());
    }

    #[test]
    fn landmarks_are_there_once() {
        let found = values(Format::SINGLE, &BTreeSet::new());
        let distinct: BTreeSet<_> = found.iter().collect();
        assert_eq!(distinct.len(), found.len());
        assert!(found.iter().any(|value| value.as_f32().is_nan()));
        assert!(found.iter().any(|value| value.bits == 0x8000_0000));
    }

    #[test]
    fn every_value_of_every_float_has_its_turn() {
        let rows = choices(&[3, 12]);
        assert!((0..3).all(|choice| rows.iter().any(|row| row[0] == choice)));
        assert!((0..12).all(|choice| rows.iter().any(|row| row[1] == choice)));
        assert_eq!(choices(&[4]), vec![vec![0], vec![1], vec![2], vec![3]]);
    }
}
