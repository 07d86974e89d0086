//! A function under test, as its test file sees it.

use super::File;
use super::mocks;
use super::objects;
use crate::framework::Case;
use crate::mask::Masks;
use crate::{Subject as Given, Test};
use clew_analyze::reach::{Reach, reach};
use clew_ir::{Function, FunctionId, GlobalId, Program, Span};
use std::collections::BTreeSet;

/// A function under test.
pub(super) struct Subject<'a> {
    pub(super) function: FunctionId,
    pub(super) observed: &'a [GlobalId],
    pub(super) tests: &'a [Test],
    /// What it can come to.
    pub(super) reached: Reach,
    /// The functions without a body that its tests speak of.
    pub(super) mocked: BTreeSet<FunctionId>,
    /// Whether it may free the objects of a test.
    pub(super) frees: bool,
    /// The places that hold bits.
    pub(super) masks: Masks,
    /// The pointer through which tests call it, if not by its name.
    pub(super) through: Option<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn of(program: &Program, given: &Given<'a>) -> Subject<'a> {
        let Given { function, observed, tests } = *given;
        let reached = reach(program, function);
        Subject {
            function,
            observed,
            tests,
            mocked: mocks::needed(program, tests, &reached),
            frees: objects::may_be_freed(program, tests, &reached),
            masks: Masks::of(program, &reached.functions),
            reached,
            through: None,
        }
    }

    /// Whether a call of it may come to a mock.
    pub(super) fn may_call(&self, mock: FunctionId) -> bool {
        self.mocked.contains(&mock) || self.reached.functions.contains(&mock)
    }

    /// What stands before the body of the function, since the declaration before it.
    pub(super) fn declaration<'p>(&self, program: &'p Program) -> &'p str {
        program.declaration(self.function)
    }

    /// Whether some declaration of the function says that it is deprecated.
    pub(super) fn is_deprecated(&self, program: &Program) -> bool {
        self.is_declared(program, &["deprecated"])
    }

    /// Whether the compiler must be kept from simplifying it for the inputs of its tests.
    pub(super) fn needs_distance(&self, file: &File<'_>, cases: &[Case]) -> bool {
        // Headers say of functions what does not hold of their mocks: that they have no effects here, or give new objects.
        let is_simple = cases.iter().all(|case| case.expectation.is_certain());
        let has_mocks = file.mocks.iter().any(|mock| self.may_call(mock.function));
        (!is_simple || has_mocks) && !self.must_be_inlined(file.suite.program)
    }

    /// Whether the function must be inlined, and so cannot be kept apart: now, or, as the name of a macro in front of it
    /// says, in an optimised build.
    fn must_be_inlined(&self, program: &Program) -> bool {
        let declaration = self.declaration(program);
        let body = &program.functions[self.function].body;
        let start = body.start.saturating_sub(declaration.len() as u32);
        let written = program.sources.written(Span { start, end: body.start, ..*body }).to_lowercase();
        let words = ["always_inline", "force_inline", "forceinline"];
        declaration.contains("always_inline") || words.iter().any(|word| written.contains(word))
    }

    /// Whether some declaration says what does not hold under test: that the function changes nothing, though it does or
    /// has mocks count calls, or that its result is a new object, though mocks give those of the test.
    pub(super) fn is_misjudged(&self, file: &File<'_>) -> bool {
        let is_changed = |test: &Test| {
            let mut objects = test.input.objects.iter().zip(&test.observation.objects);
            objects.any(|(given, after)| given.content.pointers.is_empty() && given.content.bytes != *after)
        };
        let has_effects = !file.mocks.is_empty() || self.tests.iter().any(is_changed);
        let claims = ["(pure)", "__pure__", "(const)", "__const__", "((malloc", "__malloc__"];
        has_effects && self.is_declared(file.suite.program, &claims)
    }

    /// Whether some declaration of the function contains one of some words.
    fn is_declared(&self, program: &Program, words: &[&str]) -> bool {
        let Function { name, span, .. } = &program.functions[self.function];
        let text = program.sources.units.get(span.unit).map_or("", |unit| &unit.text);
        let mut places = text.match_indices(name.as_str()).map(|(at, _)| at);
        let has_one = |text: &str| words.iter().any(|word| text.contains(word));
        has_one(text)
            && places.any(|at| {
                let start = text[..at].rfind([';', '}']).unwrap_or(0);
                let end = text[at..].find([';', '{']).map_or(text.len(), |end| at + end);
                has_one(&text[start..end])
            })
    }
}
