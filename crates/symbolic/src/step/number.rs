//! Pointers of the input that are numbers.
//!
//! Callbacks are given numbers in their `void *`, interfaces have sentinels such as `(void *)-1`, tables hash the pointers that
//! are their keys. Where the program computes with a pointer of the input that nothing has looked behind, the pointer is a
//! number: a variable of the input like any other, so that the path is exact. Where the program looks behind such a
//! pointer after all, the path is left, and taken up again from the first computation with a pointer that leads to an
//! object. Where the program only compares a pointer with a number at which nothing lies, the path goes on without that number, and
//! the pointer that is that number is left open.

use clew_ir::FunctionId;
use clew_scalar::BinaryOp;
use clew_solver::term::{Sort, TermId};

use super::pointer::is_sentinel;
use super::retype::is_open;
use crate::ending::{Limit, PathEnd};
use crate::input::InputPointer;
use crate::memory::ObjectId;
use crate::path::{Open, Path, Resume};
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    /// The number that a pointer of the input is, if it is one.
    pub(crate) fn as_number(&mut self, path: &Path, pointer: Pointer) -> Option<Scalar> {
        let Base::Input(number) = pointer.base else { return None };
        let term = path.state.inputs.pointers[number as usize].number?;
        Some(value::binary(self.constraints.terms(), BinaryOp::Add, Scalar::Term(term), pointer.offset))
    }

    /// The number that a pointer of the input is. If nothing has looked behind it, it is one from now on.
    pub(super) fn compute_with(&mut self, path: &mut Path, pointer: Pointer) -> Step<Option<Scalar>> {
        let Base::Input(number) = pointer.base else { return Ok(None) };
        if self.may_become_number(path, number) {
            self.keep_before(path, number);
            if path.state.inputs.pointers[number as usize].before.is_some() {
                self.make_number(path, number)?;
            }
        }
        Ok(self.as_number(path, pointer))
    }

    /// Whether nothing is known of a pointer but that it may be null.
    fn may_become_number(&self, path: &Path, number: u32) -> bool {
        let pointer = &path.state.inputs.pointers[number as usize];
        is_open(pointer) && is_whole(pointer) && !pointer.is_place && !self.is_decided(path, pointer.null)
    }

    /// Makes a pointer of the input a number, other than those it is known not to be.
    pub fn make_number(&mut self, path: &mut Path, number: u32) -> Step<TermId> {
        let width = self.program.target.pointer_width;
        let pointer = path.state.inputs.pointers[number as usize].clone();
        let terms = self.constraints.terms();
        let term = path.state.inputs.variable(terms, &format!("{} as a number", pointer.name), Sort::int(width));
        path.state.inputs.low.push_back(term);
        path.state.inputs.pointers[number as usize].number = Some(term);
        let zero = terms.int(width, 0);
        let is_zero = terms.eq(term, zero);
        let agrees = terms.eq(pointer.null, is_zero);
        self.assume(path, agrees)?;
        for bits in pointer.not {
            let terms = self.constraints.terms();
            let known = terms.int(width, bits);
            let equal = terms.eq(term, known);
            let differs = terms.not(equal);
            self.assume(path, differs)?;
        }
        Ok(term)
    }

    /// The program computes with the address of an object behind a pointer of the input: as long as it has accessed
    /// nothing there, the pointer may as well be a number, from before it looked.
    pub(super) fn number_instead(&mut self, path: &Path, object: ObjectId) -> Step {
        let Some(number) = self.leads(path, object) else { return Ok(()) };
        let pointer = &path.state.inputs.pointers[number as usize];
        let is_accessed =
            path.state.memory.get(object).cells().next().is_some() || path.state.least.contains_key(&object);
        let Some(before) = pointer.before.clone() else { return Ok(()) };
        if pointer.is_place || is_accessed || !is_whole(pointer) || !self.may_become_number(&before.path, number) {
            return Ok(());
        }
        if !before.numbered.replace(true) {
            let mut earlier = before.path.clone();
            earlier.state.inputs.pointers[number as usize].before = Some(before);
            self.make_number(&mut earlier, number)?;
            self.leave_again(earlier, None);
        }
        Err(PathEnd::Contradiction)
    }

    /// The program looks behind a pointer. If that is a number, another path goes on from the first computation with it,
    /// on which it leads somewhere.
    pub(super) fn leads_somewhere(&mut self, path: &Path, pointer: Pointer) -> Step {
        let mut is_left = false;
        for number in self.numbers_in(path, pointer) {
            let input = &path.state.inputs.pointers[number];
            let is_null = self.is_decided(path, input.null);
            let Some(before) = input.before.clone().filter(|_| !is_null) else { continue };
            is_left = true;
            if !before.placed.replace(true) {
                let mut earlier = before.path.clone();
                earlier.state.inputs.pointers[number].is_place = true;
                self.leave_again(earlier, None);
            }
        }
        if is_left { Err(PathEnd::Contradiction) } else { Ok(()) }
    }

    /// The pointers of the input that are numbers and of which a pointer is computed.
    fn numbers_in(&mut self, path: &Path, pointer: Pointer) -> Vec<usize> {
        let pointers = path.state.inputs.pointers.iter().enumerate();
        let numbers = pointers.filter_map(|(index, pointer)| Some((index, pointer.number?)));
        match (pointer.base, pointer.offset) {
            (Base::Input(number), _) => {
                numbers.map(|(index, _)| index).filter(|index| *index == number as usize).collect()
            }
            (Base::Absolute, Scalar::Term(term)) => {
                let numbers: Vec<(usize, TermId)> = numbers.collect();
                if numbers.is_empty() {
                    return Vec::new();
                }
                let parts = self.constraints.terms().reachable(&[term]);
                numbers.into_iter().filter(|(_, number)| parts.contains(number)).map(|(index, _)| index).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A function of the library that tests do not replace looks behind the pointers it is given.
    pub(super) fn given_away(&mut self, path: &Path, callee: FunctionId, args: &[Val]) -> Step {
        if self.program.functions[callee].is_defined() {
            return Ok(());
        }
        args.iter().try_for_each(|arg| match arg {
            Val::Pointer(pointer) => self.leads_somewhere(path, *pointer),
            Val::Scalar(_) => Ok(()),
        })
    }

    /// Whether two pointers are equal of which one is a number, where that tells.
    pub(super) fn equal_numbers(&mut self, path: &mut Path, a: Pointer, b: Pointer) -> Step<Option<Scalar>> {
        for (one, other) in [(a, b), (b, a)] {
            let number = match one.base {
                Base::Absolute if one.offset.bits() != Some(0) => Some(one.offset),
                _ => self.as_number(path, one),
            };
            let (Some(number), Base::Input(index)) = (number, other.base) else { continue };
            if let (Some(known), true) = (number.known(), self.as_number(path, other).is_none()) {
                if !is_sentinel(known) || other.offset.bits() != Some(0) || !self.may_become_number(path, index) {
                    continue;
                }
                self.leave_sentinel_open(path, index, known.bits)?;
                return Ok(Some(Scalar::bool(false)));
            }
            if let Some(other) = self.compute_with(path, other)? {
                return Ok(Some(value::binary(self.constraints.terms(), BinaryOp::Eq, number, other)));
            }
        }
        Ok(None)
    }

    /// Leaves open that a pointer of the input is a number at which nothing lies. From now on it is not.
    fn leave_sentinel_open(&mut self, path: &mut Path, number: u32, bits: u128) -> Step {
        let not = &mut path.state.inputs.pointers[number as usize].not;
        if not.insert(bits).is_some() || path.state.repeats {
            return Ok(());
        }
        if path.state.frames.last().is_none_or(|frame| frame.next == 0) {
            self.effects.limits.insert(Limit::Address);
            return Ok(());
        }
        let mut other = path.clone();
        other.state.step_back();
        other.state.inputs.pointers[number as usize].not.remove(&bits);
        let term = match self.make_number(&mut other, number) {
            Ok(term) => term,
            // It is null on this path.
            Err(PathEnd::Contradiction) => return Ok(()),
            Err(end) => return Err(end),
        };
        let terms = self.constraints.terms();
        let known = terms.int(self.program.target.pointer_width, bits);
        let when = terms.eq(term, known);
        self.leave_again(other, Some(when));
        Ok(())
    }

    /// Whether the order of two pointers is one of numbers: of one that nothing has looked behind, and of a number.
    pub(super) fn is_order_of_numbers(&mut self, path: &Path, (a, b): (Pointer, Pointer)) -> bool {
        let is_number = |pointer: Pointer| pointer.base == Base::Absolute && pointer.offset.bits() != Some(0);
        let may = |pointer: Pointer| match pointer.base {
            Base::Input(number) => {
                path.state.inputs.pointers[number as usize].number.is_some() || self.may_become_number(path, number)
            }
            _ => false,
        };
        is_number(a) && may(b) || may(a) && is_number(b)
    }

    /// Leaves a path open that goes on with the instruction at which it stands.
    fn leave_again(&mut self, path: Path, when: Option<TermId>) {
        let when = when.unwrap_or_else(|| self.constraints.terms().bool(true));
        let Path { state, model } = path;
        self.effects.forks.push(Open::new(state, model, when, Resume::Again));
    }
}

/// Whether a pointer of the input leads to the beginning of what its type says, if anywhere.
fn is_whole(pointer: &InputPointer) -> bool {
    pointer.container.is_none() && pointer.at.bits() == Some(0)
}
