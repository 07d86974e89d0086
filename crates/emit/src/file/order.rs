//! The order of the calls of different mocks, where it is asked for: each notes its name, and a test compares the names.

use super::test::Body;
use super::{File, comment};
use crate::assertion::Assertion;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Calls of which a test says the order.
const MOST_CALLS: usize = 64;

/// Bytes that names take in a test program.
const ROOM: usize = 4096;

/// The names of what a test file needs for it.
#[derive(Debug)]
pub(super) struct Order {
    /// Notes a call.
    pub(super) note: String,
    /// Forgets all calls.
    forget: String,
    /// Says whether calls were made in an order.
    were: String,
}

/// Writes what mocks and tests call.
pub(super) fn write(file: &mut File<'_>) -> Order {
    let mut take = |name: &str| file.names.take(name);
    let (made, count) = (take("calls_made"), take("bytes_of_calls"));
    let order = Order { note: take("note_call"), forget: take("forget_calls"), were: take("calls_were") };
    let Order { note, forget, were } = &order;
    file.out.push_str(&comment(&["The names of the functions above that were called, in their order.".to_owned()]));
    let _ = write!(
        file.out,
        "static char {made}[{ROOM}];\nstatic unsigned {count};\n\nstatic void {note}(const char *name)\n{{\n    \
        while (*name && {count} < sizeof {made} - 2)\n        {made}[{count}++] = *name++;\n    \
        {made}[{count}++] = ' ';\n    {made}[{count}] = 0;\n}}\n\n\
        __attribute__((unused)) static void {forget}(void)\n{{\n    {made}[{count} = 0] = 0;\n}}\n\n\
        __attribute__((unused)) static int {were}(const char *names)\n{{\n    unsigned at = 0;\n    \
        while (names[at] && names[at] == {made}[at])\n        at++;\n    return names[at] == {made}[at];\n}}\n"
    );
    order
}

impl Body<'_> {
    /// Forgets calls of earlier tests.
    pub(super) fn forget_order(&mut self) {
        self.lines.extend(self.file.order.as_ref().map(|order| format!("{}();", order.forget)));
    }

    /// The assertion that calls of different functions were made in an order. Where there are very many, nothing is said.
    pub(super) fn check_order(&mut self) {
        let Some(order) = &self.file.order else { return };
        let noted: BTreeSet<_> =
            self.file.mocks.iter().filter(|mock| mock.is_noted).map(|mock| mock.function).collect();
        let of = |function| noted.contains(&function);
        let observed = self.test.observation.calls.iter().map(|call| call.function).filter(|id| of(*id));
        let observed: Vec<_> = observed.collect();
        let answered = self.test.input.stubs.iter().filter(|call| of(call.function)).count();
        let is_varied = observed.windows(2).any(|pair| pair[0] != pair[1]);
        if !is_varied || observed.len() > MOST_CALLS || observed.len() != answered {
            return;
        }
        let names = observed.iter().map(|id| format!("{} ", self.program.functions[*id].name));
        let names: String = names.collect();
        if names.len() + 2 < ROOM {
            let condition = format!("{}(\"{names}\")", order.were);
            self.assert(&[Assertion::Holds { condition, note: None }]);
        }
    }
}
