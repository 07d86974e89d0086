//! Seeds: inputs that are run before the solver is asked anything, where floats are among them.
//!
//! Code about floats branches near landmarks of the format and near its own constants, many of which are written as the
//! upper word of a double (fdlibm). A seed gives each float such a value: zeros, ones, infinities, NaN, extremes, and the
//! program's constants with their neighbours; further floats and integers take turns. Random ones of all magnitudes
//! follow. A seed is run with its values, which asks the solver nothing; those that cover something are then run
//! symbolically and leave their branches open. What seeds do not cover is left to the search, as without them.

use std::collections::BTreeSet;
use std::rc::Rc;

use clew_ir::{FunctionId, InstKind, Operand, Program};
use clew_scalar::{Conversion, Format, Rounding, Type, Value, eval};
use clew_solver::model::Model;
use clew_solver::term::{Sort, Terms, VarId};

use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path, Stepper};

use crate::policy;
use crate::{Next, Search};

/// Values of integers among the inputs, in turns.
const INTEGERS: [i128; 8] = [0, 1, 2, -1, 3, 50, -50, 100_000];

impl Search<'_> {
    /// Runs seeds from the beginning of all paths.
    pub(crate) fn run_seeds(
        &mut self,
        start: &Path,
        function: FunctionId,
        found: &mut dyn FnMut(Explored) -> Next,
    ) -> Next {
        // Inputs are drawn from whole paths: that of a seed which runs with its values has one input only.
        let is_drawn = self.sampling.is_some();
        if is_drawn || !self.stepper.config.is_directed() || self.stepper.has_quantified_clauses() {
            return Next::Continue;
        }
        let (mut steps, mut good) = (0, Vec::new());
        for model in seeds(self.stepper.program, function, self.stepper.constraints.terms(), self.stepper.config.seed) {
            if self.has_covered_all() || steps > policy::SEED_STEPS.get() || self.stepper.late() {
                break;
            }
            let model = Rc::new(model);
            let before = self.tally.tests;
            if is_allowed(&mut self.stepper, start, &model)
                && self.run_seed(start, &model, &mut steps, found) == Next::Stop
            {
                return Next::Stop;
            }
            good.extend((self.tally.tests > before).then_some(model));
        }
        self.run_symbolically(start, good, found)
    }

    fn has_covered_all(&self) -> bool {
        self.ledger.as_ref().is_none_or(|goals| goals.open() == 0)
    }

    /// Runs one seed with its values.
    fn run_seed(
        &mut self,
        start: &Path,
        model: &Rc<Model>,
        steps: &mut u64,
        found: &mut dyn FnMut(Explored) -> Next,
    ) -> Next {
        let mut path = Path { state: start.state.clone(), model: Rc::clone(model) };
        path.state.repeats = true;
        keep_values(&mut self.stepper, &mut path);
        path.state.replace_values(&mut |val| match val {
            Val::Scalar(Scalar::Term(term)) => {
                let bits = self.stepper.constraints.value(model, term);
                Val::Scalar(Scalar::Known(Value::new(self.stepper.constraints.terms().ty(term), bits)))
            }
            other => other,
        });
        let end = self.run_path(&mut path);
        *steps += path.state.steps;
        end.map_or(Next::Continue, |end| self.finish(path, end, found))
    }

    /// Runs the seeds that covered something once more, leaving their branches open.
    fn run_symbolically(
        &mut self,
        start: &Path,
        seeds: Vec<Rc<Model>>,
        found: &mut dyn FnMut(Explored) -> Next,
    ) -> Next {
        let mut steps = 0;
        for model in seeds {
            if self.has_covered_all() || steps > policy::SEED_SYMBOLIC_STEPS.get() || self.stepper.late() {
                break;
            }
            let mut path = Path { state: start.state.clone(), model };
            let end = self.run_path(&mut path);
            steps += path.state.steps;
            let next = match end {
                Some(end) => self.finish(path, end, found),
                None => self.park(path),
            };
            if next == Next::Stop {
                return Next::Stop;
            }
        }
        Next::Continue
    }
}

/// Whether a seed meets the precondition.
fn is_allowed(stepper: &mut Stepper<'_>, start: &Path, model: &Rc<Model>) -> bool {
    let (_, conditions) = start.state.condition.beyond(&Default::default());
    conditions.iter().all(|term| stepper.constraints.holds(model, *term))
}

/// Demands that all variables have the values they have now.
fn keep_values(stepper: &mut Stepper<'_>, path: &mut Path) {
    for index in 0..stepper.constraints.terms().vars().len() {
        let var = &stepper.constraints.terms().vars()[index];
        let (var, sort) = (var.term, var.sort);
        let Sort::Scalar(ty) = sort else { continue };
        let bits = stepper.constraints.value(&path.model, var);
        let terms = stepper.constraints.terms();
        let value = terms.constant(Value::new(ty, bits));
        let equal = terms.same(var, value);
        path.state.condition.push_back(equal);
    }
}

/// The seeds of a function; none if it has no floats among its inputs.
fn seeds(program: &Program, function: FunctionId, terms: &Terms, number: u64) -> Vec<Model> {
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
    let mut models: Vec<Model> = rows.iter().enumerate().map(model).collect();
    let mut random = Random(number);
    models.extend((0..policy::RANDOM_SEEDS.size()).map(|_| {
        let mut model = Model::new();
        floats.iter().for_each(|(var, format)| model.set(*var, random.float(*format)));
        integers.iter().for_each(|(var, ty)| model.set(*var, random.integer(*ty)));
        model
    }));
    models
}

/// Random values, the same each time (SplitMix, Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A float: half of them of any magnitude, half near one, where most code makes its differences.
    fn float(&mut self, format: Format) -> Value {
        let bits = u128::from(self.next()) << 64 | u128::from(self.next());
        let number = (self.next() % 4096) as f64 / 64.0 - 16.0;
        let bits = if self.next().is_multiple_of(2) {
            bits >> (128 - u32::from(format.width()))
        } else {
            nearest(format, number)
        };
        Value::new(Type::Float(format), if format.is_nan(bits) { format.canonical_nan() } else { bits })
    }

    /// An integer: small ones, and those of all magnitudes.
    fn integer(&mut self, ty: Type) -> Value {
        let bits = u128::from(self.next()) << 64 | u128::from(self.next());
        let shift = self.next() % u64::from(ty.width());
        let value = Value::int(ty.width(), bits).bits >> shift;
        let small = Value::int(ty.width(), (self.next() % 64) as u128).bits;
        Value::new(ty, if self.next().is_multiple_of(2) { value } else { small })
    }
}

/// Which value each float has: for one float, each of its values; for several, each value of each with the first few of
/// the others, which are equal among themselves or not.
fn choices(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = Vec::new();
    let pairs = if lengths.len() == 1 { 1 } else { policy::MAX_PAIRED_VALUES.size() };
    let longest = lengths.iter().copied().max().unwrap_or(0);
    for choice in 0..longest {
        for (moving, length) in lengths.iter().enumerate().filter(|(_, length)| choice < **length) {
            debug_assert!(choice < *length, "filtered");
            for other in 0..pairs {
                let others = |(position, length): (usize, &usize)| match position == moving {
                    true => choice,
                    false => (other + 3 * choice) % policy::MAX_PAIRED_VALUES.size().min(*length),
                };
                rows.push(lengths.iter().enumerate().map(others).collect());
            }
        }
    }
    rows.truncate(policy::MAX_SEEDS.size());
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
