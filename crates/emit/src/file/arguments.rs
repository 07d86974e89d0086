//! What a test says of the arguments that mocks were called with.
//!
//! They are asserted in the order of the calls, one by one. Where a mock is called very often, the numbers that a parameter
//! had are a list, and a loop looks at them.

use super::test::Body;
use crate::assertion::{Assertion, Change};
use crate::spell;
use clew_ir::{CType, CTypeId, FunctionId};
use std::collections::BTreeMap;

/// Calls of a mock whose arguments are asserted one by one.
const MOST_SINGLE: usize = 8;

/// What is asserted of a parameter in all calls of a mock.
#[derive(Default)]
struct Column {
    /// The array of structures that keeps the arguments, and the member for the parameter.
    log: String,
    member: String,
    ty: Option<CTypeId>,
    assertions: Vec<Assertion>,
}

impl Body<'_> {
    /// Assertions about what mocks were called with. A pointer that ran out of its object may have come to another one,
    /// which says nothing.
    pub(super) fn check_arguments(&mut self) {
        let (mut single, mut columns) = (Vec::new(), BTreeMap::<(FunctionId, usize), Column>::new());
        let mut numbers: BTreeMap<FunctionId, usize> = BTreeMap::new();
        let addresses = self.addresses();
        let observed = &self.test.observation.calls;
        for call in observed {
            let mock = self.file.mocks.iter().find(|mock| mock.function == call.function);
            let Some(log) = mock.and_then(|mock| mock.log.as_ref()) else { continue };
            let CType::Function { params, .. } = self.program.ctypes.get(self.program.functions[call.function].ty)
            else {
                continue;
            };
            let number = numbers.entry(call.function).or_default();
            let mut answers = self.test.input.stubs.iter().filter(|answer| answer.function == call.function);
            let leads = answers.nth(*number).map_or(&[][..], |answer| &answer.leads);
            let is_single = observed.iter().filter(|other| other.function == call.function).nth(MOST_SINGLE).is_none();
            for ((position, bytes), (_, member)) in call.arguments.iter().zip(&log.members) {
                let lead = leads.iter().find(|(other, _)| other == position).map(|(_, target)| *target);
                let is_pointer = matches!(self.program.ctypes.get(params[*position]), CType::Pointer(_));
                let known = if is_pointer { addresses.only(lead) } else { addresses.clone() };
                let (program, masks, addresses) = (self.program, &self.subject.masks, &known);
                let change =
                    Change { program, masks, before: None, after: bytes, addresses, known: None, unwritten: &[] };
                let place = format!("{}[{number}].{member}", log.name);
                let assertions = change.assertions(&place, params[*position], 0);
                if is_single {
                    single.extend(assertions);
                    continue;
                }
                let column = columns.entry((call.function, *position)).or_default();
                (column.log, column.member) = (log.name.clone(), member.clone());
                column.ty = Some(params[*position]);
                column.assertions.extend(assertions);
            }
            *number += 1;
        }
        drop(addresses);
        self.assert(&single);
        for ((function, _), column) in columns {
            self.check_column(&column, numbers[&function]);
        }
    }

    /// Assertions about one parameter of very many calls: a loop over a list if all of them are numbers.
    fn check_column(&mut self, column: &Column, calls: usize) {
        let Column { log, member, ty, assertions } = column;
        let numbers = assertions.iter().map(|assertion| match assertion {
            Assertion::Integer { expected, signed, bits, .. } => Some((expected.as_str(), *signed, *bits)),
            _ => None,
        });
        let numbers = numbers.collect::<Option<Vec<_>>>().filter(|numbers| numbers.len() == calls);
        let ctypes = &self.program.ctypes;
        let list = self.names.take(&format!("expected_{member}"));
        let declared = ty.and_then(|ty| spell::declare(ctypes, spell::unqualified(ctypes, ty), &format!("{list}[]")));
        let (Some(numbers), Some(declared)) = (numbers, declared) else { return self.assert(assertions) };
        let Some((_, signed, bits)) = numbers.first().copied() else { return };
        let at = self.names.take("at");
        let items: Vec<&str> = numbers.iter().map(|(expected, ..)| *expected).collect();
        let (actual, expected) = (format!("{log}[{at}].{member}"), format!("{list}[{at}]"));
        let assertion = Assertion::Integer { actual, expected, signed, bits };
        self.lines.extend([
            format!("const {declared} = {{{}}};", items.join(", ")),
            format!("int {at};"),
            format!("for ({at} = 0; {at} < {calls}; {at}++)"),
            format!("    {}", self.file.dialect.assertions().spell(&assertion)),
        ]);
    }
}
