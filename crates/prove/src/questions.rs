//! Questions about all inputs that reach a goal: how many there are, and what values each part of them has.
//!
//! The states that come to the goal are collected (`Pursuit::collect`); each input is in one of them. What an input is
//! made of are its *cells*: the scalars of parameters, globals and what pointers lead to, as far as a way to the goal reads
//! them. Parameters count though nothing reads them; a cell that one way reads is brought into the others where it exists
//! there too. The size of an array that the contract leaves open is no cell: of such an array the elements count that a way
//! reads. So what is counted does not depend on how the states were merged.
//!
//! Domains are sound: what may still come to the goal (turns of a loop that were not run) is part of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::{CType, CTypeId, FunctionId, Program};
use clew_scalar::BinaryOp;
use clew_solver::domain::int::IntDomain;
use clew_solver::model::Model;
use clew_solver::term::{Sort, TermId, VarId};
use clew_symbolic::config::Config;
use clew_symbolic::constraints::Answer;
use clew_symbolic::constraints::count::{self, Counted};
use clew_symbolic::input::{Root, leaf};
use clew_symbolic::memory::{Background, Extent, ObjectId};
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path, Precondition, Stepper, Unusable};

use super::confirm;
use super::pursue::Pursuit;
use super::pursue::collect::Collected;
use crate::goal::Goal;
use crate::policy;
use crate::question::{for_goals, start, stepper};

/// The inputs that reach a goal.
#[derive(Clone, Debug, Default)]
pub struct Solutions {
    /// So many, or at least so many.
    pub number: u128,
    /// Why there may be more; empty if there are not.
    pub doubts: BTreeSet<String>,
    /// Some of them, executed, as many as were wanted.
    pub listed: Vec<Explored>,
    /// Inputs that should have been listed, and whose execution went another way.
    pub refused: usize,
}

/// A cell of the input with its values.
#[derive(Clone, Debug)]
pub struct CellDomain {
    /// What C calls it.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// Whether its values have a sign.
    pub is_signed: bool,
    /// Values that include all it has; `None` if it is a float or no input reaches the goal.
    pub domain: Option<IntDomain>,
    /// The smallest and the largest value it has, where that was asked and is known.
    pub extremes: [Option<i128>; 2],
}

/// The values of all cells.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// By cell, parameters first.
    pub cells: Vec<CellDomain>,
    /// Whether there is no input at all, for certain.
    pub is_empty: bool,
    /// Why smallest and largest values are not known for certain; empty if they are.
    pub doubts: BTreeSet<String>,
}

/// A cell: the object it is part of, and where.
type CellName = (String, u64);

/// A cell as one path knows it.
struct Cell {
    term: TermId,
    bytes: u64,
    ty: Option<CTypeId>,
    name: String,
    order: (usize, u64),
}

/// A function and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function whose inputs are looked for.
    pub function: FunctionId,
    /// What its inputs satisfy.
    pub precondition: &'a Precondition,
    /// How.
    pub config: &'a Config,
    /// What the inputs reach.
    pub goal: &'a Goal,
}

/// Counts the inputs that reach a goal, and lists some of them. `found` executes one and says whether it went as predicted.
///
/// # Errors
/// If the precondition cannot be used.
pub fn solutions(
    subject: Subject<'_>,
    limit: usize,
    found: &mut dyn FnMut(&Explored) -> bool,
) -> Result<Solutions, Unusable> {
    let goals = [subject.goal.clone()];
    let mut stepper = stepper(subject.program, subject.function, for_goals(subject.config, &goals));
    let start = start(&mut stepper, subject.function, subject.precondition)?;
    let Collected { mut cases, left, limits } =
        Pursuit::new(&mut stepper, subject.function, start.clone(), &goals).collect(policy::SOLUTIONS_EFFORT.get());
    let mut solutions = Solutions { doubts: limits, ..Solutions::default() };
    if !left.is_empty() {
        solutions.doubts.insert("more turns of loops lead there perhaps".to_owned());
    }
    know_the_same(&mut stepper, &mut cases);
    for mut case in cases {
        let wanted = limit.saturating_sub(solutions.listed.len());
        let (counted, models) = count_case(&mut stepper, &mut case, wanted);
        let sum = solutions.number.checked_add(counted.number);
        solutions.number = sum.unwrap_or(u128::MAX);
        if !counted.is_exact || sum.is_none() {
            solutions.doubts.insert("not all of them were counted".to_owned());
        }
        for model in models {
            let meetings = stepper.meetings(&case.state, &model);
            let explored = confirm::follow(&mut stepper, &start, subject.goal, (&model, &meetings));
            match explored.filter(|explored| found(explored)) {
                Some(explored) => solutions.listed.push(explored),
                None => solutions.refused += 1,
            }
        }
    }
    if solutions.refused > 0 {
        solutions.doubts.insert("the execution of an input went another way than predicted".to_owned());
    }
    Ok(solutions)
}

/// The values of each cell of the inputs that reach a goal, after propagation; and, if asked, the smallest and the largest
/// that they have.
///
/// # Errors
/// If the precondition cannot be used.
pub fn domains(subject: Subject<'_>, exact: bool) -> Result<Domains, Unusable> {
    let goals = [subject.goal.clone()];
    let mut stepper = stepper(subject.program, subject.function, for_goals(subject.config, &goals));
    let start = start(&mut stepper, subject.function, subject.precondition)?;
    let effort = if exact { policy::SOLUTIONS_EFFORT.get() } else { policy::DOMAIN_EFFORT.get() };
    let Collected { mut cases, mut left, limits } =
        Pursuit::new(&mut stepper, subject.function, start.clone(), &goals).collect(effort);
    let mut domains = Domains { doubts: limits, ..Domains::default() };
    if !domains.doubts.is_empty() {
        // What was lost may have any input.
        left.push(start);
    } else if !left.is_empty() {
        domains.doubts.insert("more turns of loops lead there perhaps".to_owned());
    }
    domains.is_empty = cases.is_empty() && left.is_empty();
    know_the_same(&mut stepper, &mut cases);
    let reached = cases.len();
    let mut cells: BTreeMap<CellName, (Cell, CellDomain)> = BTreeMap::new();
    for (number, path) in cases.iter().chain(&left).enumerate() {
        for (name, cell) in self::cells(&stepper, path) {
            widen(&mut stepper, path, &mut cells, name, cell, exact && number < reached);
        }
    }
    let mut cells: Vec<(Cell, CellDomain)> = cells.into_values().collect();
    cells.sort_by_key(|(cell, _)| cell.order);
    domains.cells = cells.into_iter().map(|(_, domain)| domain).collect();
    Ok(domains)
}

/// Adds the values that a cell has on one path.
fn widen(
    stepper: &mut Stepper<'_>,
    path: &Path,
    cells: &mut BTreeMap<CellName, (Cell, CellDomain)>,
    name: CellName,
    cell: Cell,
    exact: bool,
) {
    let Some(ty) = cell.ty else { return };
    let is_integer = matches!(stepper.constraints.terms().sort(cell.term), Sort::Scalar(clew_scalar::Type::Int(_)));
    let is_signed = is_signed(stepper.program, ty);
    let range = if is_integer { stepper.constraints.shaved(&path.state, cell.term) } else { None };
    let extremes = if exact && is_integer {
        let width = stepper.constraints.terms().width(cell.term);
        let number = |bits: u128| if is_signed { signed(bits, width) } else { bits as i128 };
        stepper.constraints.extremes(&path.state, cell.term, is_signed).map(|end| end.map(number))
    } else {
        [None; 2]
    };
    let new = CellDomain { name: cell.name.clone(), ty, is_signed, domain: range, extremes };
    match cells.get_mut(&name) {
        None => drop(cells.insert(name, (cell, new))),
        Some((_, known)) => {
            known.domain = match (known.domain.take(), new.domain) {
                (Some(one), Some(other)) if one.width() == other.width() => Some(one.join(&other)),
                (one, other) => one.or(other),
            };
            if exact {
                let [low, high] = known.extremes;
                known.extremes = [
                    low.zip(new.extremes[0]).map(|(one, other)| one.min(other)),
                    high.zip(new.extremes[1]).map(|(one, other)| one.max(other)),
                ];
            }
        }
    }
}

fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    (bits << unused) as i128 >> unused
}

fn is_signed(program: &Program, ty: CTypeId) -> bool {
    match program.ctypes.get(ty) {
        CType::Int { signed, .. } => *signed,
        CType::Enum { underlying, .. } => is_signed(program, *underlying),
        _ => false,
    }
}

/// The scalar cells that a path knows.
fn cells(stepper: &Stepper<'_>, path: &Path) -> Vec<(CellName, Cell)> {
    let program = stepper.program;
    let inputs = &path.state.inputs;
    let mut cells = Vec::new();
    for leaf in inputs.leaves.iter() {
        let Val::Scalar(Scalar::Term(term)) = leaf.val else { continue };
        let Some((order, object)) = inputs.objects.iter().enumerate().find(|(_, it)| it.object == leaf.object) else {
            continue;
        };
        let size = program.ctypes.size_of(object.element, program.target.pointer_bytes()).unwrap_or(1).max(1);
        let index = leaf.at / size;
        let part = leaf::covering(&program.ctypes, program.target, object.element, leaf.at % size, None);
        let is_behind = matches!(object.root, Root::Behind(_));
        let path_in = part.as_ref().map(|part| part.path.clone()).unwrap_or_default();
        let name =
            if is_behind { format!("{}[{index}]{path_in}", object.name) } else { format!("{}{path_in}", object.name) };
        let rank = if matches!(object.root, Root::Parameter(_)) { 0 } else { 1_000_000 };
        let ty = part.map(|part| part.ty);
        let cell = Cell { term, bytes: leaf.bytes, ty, name, order: (rank + order, leaf.at) };
        cells.push(((called(object.root, &object.name), leaf.at), cell));
    }
    cells
}

/// What tells an object of the input from others on every path.
fn called(root: Root, name: &str) -> String {
    let kind = match root {
        Root::Parameter(_) => "parameter",
        Root::Global(_) => "global",
        Root::Behind(_) => "behind",
        Root::Extra => "extra",
        Root::Earlier(..) => "earlier",
        Root::Stub => "stub",
    };
    format!("{kind} {name}")
}

/// Makes paths know the same cells, where they have them.
fn know_the_same(stepper: &mut Stepper<'_>, cases: &mut [Path]) {
    let mut known: BTreeMap<CellName, u64> = BTreeMap::new();
    for case in cases.iter() {
        known.extend(cells(stepper, case).into_iter().map(|(name, cell)| (name, cell.bytes)));
    }
    for case in cases {
        let own: BTreeSet<CellName> = cells(stepper, case).into_iter().map(|(name, _)| name).collect();
        let objects: BTreeMap<String, ObjectId> =
            case.state.inputs.objects.iter().map(|it| (called(it.root, &it.name), it.object)).collect();
        for ((name, at), bytes) in known.iter().filter(|(name, _)| !own.contains(*name)) {
            if let Some(object) = objects.get(name)
                && has(stepper, case, *object, at + bytes)
            {
                // A cell that cannot be looked at does not count, as if nothing read it.
                let _ = stepper.materialise(case, *object, *at, None);
            }
        }
        let near = Rc::clone(&case.model);
        if let Answer::Sat(model) = stepper.solve(&mut case.state, None, &near) {
            case.model = model;
        }
    }
}

/// Whether an object has so many bytes on all inputs of a path, and they are still those of the input.
fn has(stepper: &mut Stepper<'_>, path: &Path, object: ObjectId, end: u64) -> bool {
    let object = path.state.memory.get(object);
    if !object.alive || object.background != Background::Input {
        return false;
    }
    match object.extent {
        Extent::Bytes(size) => end <= size,
        Extent::Elements { element, count: Scalar::Known(count), .. } => end <= element * count.bits as u64,
        Extent::Elements { element, count: Scalar::Term(count), .. } => {
            let count = stepper.constraints.range(&path.state, count).and_then(|range| range.value());
            count.is_some_and(|count| u128::from(end) <= u128::from(element) * count)
        }
    }
}

/// Counts the inputs of one case.
fn count_case(stepper: &mut Stepper<'_>, case: &mut Path, wanted: usize) -> (Counted, Vec<Rc<Model>>) {
    fix_sizes(stepper, case);
    let cells = cell_variables(stepper, case);
    if !stepper.has_open_instances(case)
        && let Some(counted) = stepper.constraints.count(&case.state, &cells, wanted, policy::COUNT_QUESTIONS.get())
    {
        let terms = stepper.constraints.terms();
        let models = counted.points.iter().map(|point| count::at(terms, &case.model, point)).collect();
        return (counted, models);
    }
    one_by_one(stepper, case, &cells, wanted)
}

/// The variables that tell inputs of a case apart.
fn cell_variables(stepper: &mut Stepper<'_>, case: &Path) -> BTreeSet<VarId> {
    let roots: Vec<TermId> = cells(stepper, case).into_iter().map(|(_, cell)| cell.term).collect();
    let terms = stepper.constraints.terms();
    let mut cells = count::variables(terms, &roots);
    // Whether a pointer is null is part of the input, if the way depends on it.
    let conditions: Vec<TermId> = case.state.condition.beyond(&Default::default()).1;
    let asked = count::variables(terms, &conditions);
    for pointer in case.state.inputs.pointers.iter() {
        cells.extend(count::variables(terms, &[pointer.null]).into_iter().filter(|var| asked.contains(var)));
    }
    cells
}

/// Gives the sizes of arrays their smallest values, where every input has one of that size that differs in nothing else: of
/// these arrays, what is read counts.
fn fix_sizes(stepper: &mut Stepper<'_>, case: &mut Path) {
    for low in case.state.inputs.low.clone() {
        let [Some(least), _] = stepper.constraints.extremes(&case.state, low, false) else { continue };
        if !stepper.constraints.suffices(&case.state, low, least) {
            continue;
        }
        let terms = stepper.constraints.terms();
        let least = terms.int(terms.width(low), least);
        let is_least = terms.eq(low, least);
        // The condition has such inputs, so this only chooses among them.
        let _ = stepper.assume(case, is_least);
    }
}

/// Counts by excluding what was found, one by one.
fn one_by_one(
    stepper: &mut Stepper<'_>,
    case: &mut Path,
    cells: &BTreeSet<VarId>,
    wanted: usize,
) -> (Counted, Vec<Rc<Model>>) {
    let mut models = Vec::new();
    let mut counted = Counted { is_exact: true, ..Counted::default() };
    let mut state = case.state.clone();
    let mut near: Rc<Model> = Rc::clone(&case.model);
    loop {
        near = match stepper.solve(&mut state, None, &near) {
            Answer::Sat(model) => model,
            Answer::Unsat => return (counted, models),
            Answer::Unknown => break,
        };
        counted.number += 1;
        let terms = stepper.constraints.terms();
        let cells: Vec<(VarId, TermId)> = cells.iter().map(|var| (*var, terms.var(*var).term)).collect();
        if models.len() < wanted {
            models.push(Rc::clone(&near));
        }
        let mut other = terms.bool(false);
        for (var, cell) in cells {
            let value = near.value(terms, var);
            let found = terms.constant(value);
            let same = terms.same(cell, found);
            let differs = terms.not(same);
            other = terms.binary(BinaryOp::Or, other, differs);
        }
        state.condition.push_back(other);
        if counted.number >= policy::MAX_SINGLE_SOLUTIONS.size() as u128 || stepper.late() {
            break;
        }
    }
    counted.is_exact = false;
    (counted, models)
}
