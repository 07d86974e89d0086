//! Volatile memory that changes by itself in a test: what each reading of it gives.

use super::test::Body;
use crate::pointer::{self, Object};
use crate::{MARK, Test, literal, spell};
use clew_execute::native::readings::HOOKS;
use clew_execute::{PointerTarget, Reading};
use clew_ir::{CTypeId, Program};
use clew_symbolic::input::leaf::{self, Wanted};

/// The file that tests with such memory include.
pub const HEADER: &str = "readings.h";

/// The text of that file.
pub fn header() -> String {
    format!("/* {MARK}. Changes are lost when it is generated again. */\n{HOOKS}{}", include_str!("readings.h"))
}

/// Whether tests need that file.
pub fn are_needed<'t>(mut tests: impl Iterator<Item = &'t Test>) -> bool {
    tests.any(|test| !test.input.readings.is_empty())
}

impl Body<'_> {
    /// Says what readings of volatile memory give.
    pub(super) fn say_readings(&mut self) -> Option<()> {
        if !are_needed(self.file.suite.tests()) {
            return Some(());
        }
        self.lines.push("clew_will_read_nothing();".to_owned());
        let mut rest: Vec<&Reading> = self.test.input.readings.iter().collect();
        while let Some(&Reading { place, ref bytes }) = rest.first().copied() {
            let size = bytes.len();
            let is_here = |reading: &Reading| reading.place == place && reading.bytes.len() == size;
            let (here, others) = rest.into_iter().partition::<Vec<_>, _>(|reading| is_here(reading));
            rest = others;
            let line = self.reading(place, size as u64, &here)?;
            self.lines.push(line);
        }
        Some(())
    }

    /// The statement that says what readings of one place give.
    fn reading(&self, place: PointerTarget, size: u64, readings: &[&Reading]) -> Option<String> {
        let (program, ctypes) = (self.program, &self.program.ctypes);
        let (ty, at) = home(program, &self.objects, place)?;
        let wanted = Some(Wanted { at, bytes: size, pointer: false });
        let ty = spell::unqualified(ctypes, leaf::covering(ctypes, program.target, ty, at, wanted)?.ty);
        let bits = readings.iter().map(|reading| literal::bits(ctypes, ty, &reading.bytes));
        let values = bits.map(|bits| literal::constant(ctypes, ty, bits)).collect::<Option<Vec<String>>>()?;
        let place = pointer::address(program, &self.objects, &self.renamed, place, ty);
        let values: Vec<String> = values.into_iter().map(|value| self.subject.masks.spell(&place, value)).collect();
        let array = spell::declare(ctypes, ty, "[]")?;
        let count = values.len();
        Some(format!("clew_will_read({place}, {size}, ({array}){{{}}}, {count});", values.join(", ")))
    }
}

/// The type of what a place is in, and where in it the place is.
fn home(program: &Program, objects: &[Object], place: PointerTarget) -> Option<(CTypeId, u64)> {
    match place {
        PointerTarget::Global(global, at) => Some((program.globals[global].ty, at as u64)),
        PointerTarget::Object(index, at) => {
            let object = &objects[index];
            Some((object.element, (at as u64).checked_rem(object.element_size)?))
        }
        PointerTarget::Function(_) => None,
    }
}
