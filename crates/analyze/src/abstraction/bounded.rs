//! Parameters of which the contract says what may be accessed behind them: `\valid(p + (low..high))`.
//!
//! Under such a precondition no access between these elements fails. Their bounds are forms over what the parameters were
//! given, so that the octagon and the templates can tell whether an access stays between them. Only parameters that keep
//! their values count; what else the precondition says only leaves fewer inputs.

use super::contract::{self, ClauseReader};
use super::form::Form;
use super::state::State;
use super::unbounded::{Keeping, is_plain, only_accessed};
use crate::policy;
use clew_ir::contract::{Access, Clause, PlaceKind, Predicate, Sort, Term, TermKind};
use clew_ir::{CType, FunctionId, LocalId, Program};
use std::collections::BTreeMap;

/// Bytes that may be accessed behind a pointer.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// Where they begin, counted from the pointer.
    pub(crate) begin: Form,
    /// Where they end: the first that does not belong to them.
    pub(crate) end: Form,
    /// Whether they may be written.
    pub(crate) is_writable: bool,
    /// Whether there are no others: a range from the first element on says how many there are, if the precondition does
    /// not look behind pointers itself.
    pub(crate) is_whole: bool,
}

/// The variables of a function that hold such parameters, under a precondition.
pub(crate) fn bounded(program: &Program, id: FunctionId, requires: &[Clause]) -> BTreeMap<LocalId, Vec<Stretch>> {
    let mut found: BTreeMap<LocalId, Vec<Stretch>> = BTreeMap::new();
    let mut looks_behind = false;
    let mut todo: Vec<&Predicate> =
        program.functions[id].contract.requires.iter().chain(requires).map(|clause| &clause.predicate).collect();
    while let Some(stated) = todo.pop() {
        match stated {
            Predicate::And(parts) => todo.extend(parts),
            Predicate::Memory { access: access @ (Access::Read | Access::Write), pointer } => {
                if let Some((position, stretch)) = stretch(program, id, pointer, *access == Access::Write)
                    && let Some(local) =
                        only_accessed(program, id, position, Keeping::Stays, policy::MAX_PARAMETER_DEPTH.size())
                {
                    found.entry(local).or_default().push(stretch);
                }
            }
            other => looks_behind |= !is_plain(other),
        }
    }
    for stretches in found.values_mut() {
        let is_only = stretches.len() == 1 && !looks_behind;
        stretches.iter_mut().for_each(|stretch| stretch.is_whole &= is_only);
    }
    found
}

/// The parameter, by its position, and the bytes behind it that a term names.
fn stretch(program: &Program, id: FunctionId, pointer: &Term, is_writable: bool) -> Option<(usize, Stretch)> {
    let reading = ClauseReader { program, function: id, is_now: false };
    let number = |term: &Term| contract::form(reading, &mut State::default(), term);
    let mut is_whole = false;
    let (base, low, high) = match &pointer.kind {
        TermKind::Offset(base, by) => match &by.kind {
            TermKind::Range { low: Some(low), high: Some(high) } => {
                is_whole = number(low)? == Form::constant(0);
                (base.as_ref(), number(low)?, number(high)?)
            }
            _ => (base.as_ref(), number(by)?, number(by)?),
        },
        _ => (pointer, Form::constant(0), Form::constant(0)),
    };
    let TermKind::Value(place) = &base.kind else { return None };
    let (PlaceKind::Param(position), Sort::C(ty)) = (&place.kind, base.sort) else { return None };
    let CType::Pointer(to) = program.ctypes.get(ty) else { return None };
    let size = i128::from(program.ctypes.size_of(*to, u64::from(program.target.pointer_width) / 8)?);
    let end = Form { constant: high.constant + 1, ..high }.times(size)?;
    Some((*position as usize, Stretch { begin: low.times(size)?, end, is_writable, is_whole }))
}
