//! One path with values only, where the first path is too long to be run with variables.
//!
//! Ciphers, hashes and transforms compute for long before they branch; with variables their terms grow and each check is a
//! question. Run with the values of the first model, such a function has a test after as many instructions as it
//! executes. The path is a path like any other: its condition says which values the input has.

use std::rc::Rc;

use clew_scalar::Value;
use clew_solver::model::Model;
use clew_solver::term::TermId;

use crate::value::{Scalar, Val};
use crate::{Explored, Explorer, Next, Path};

/// Instructions the path may take: more than others, for each is cheap.
const MOST_STEPS: u64 = 5_000_000;

/// The share of the time left that it may take.
const SHARE: u32 = 2;

impl Explorer<'_> {
    /// Whether no path has come to an end yet, although one was on its way for long.
    pub(crate) fn has_no_path(&self) -> bool {
        self.config.is_directed() && self.tally.tests == 0 && !self.has_quantified_clauses()
    }

    /// Runs the first path once more, with the values that its model gives to whatever it looks at.
    pub(crate) fn run_settled(&mut self, mut path: Path, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        (path.state.repeats, path.state.settled) = (true, true);
        self.fix_values(&mut path);
        let deadline = self.config.deadline;
        self.config.deadline = deadline.part(SHARE);
        let mut end = None;
        while end.is_none() && path.state.steps < MOST_STEPS {
            end = self.run(&mut path);
        }
        let was_late = self.late();
        self.config.deadline = deadline;
        match end {
            Some(end) if !was_late => self.finish(path, end, found),
            _ => Next::Continue,
        }
    }

    /// Has the path go on with the values that its variables have now.
    pub(crate) fn fix_values(&mut self, path: &mut Path) {
        self.keep_values(path);
        let model = Rc::clone(&path.model);
        path.state.replace_values(&mut |val| match val {
            Val::Scalar(Scalar::Term(term)) => Val::Scalar(self.present(&model, term)),
            other => other,
        });
    }

    /// The value of a new part of the input, which it keeps.
    pub(crate) fn present_part(&mut self, path: &mut Path, val: Val) -> Val {
        let Val::Scalar(Scalar::Term(term)) = val else { return val };
        let model = Rc::clone(&path.model);
        let value = self.present(&model, term);
        let terms = self.constraints.terms();
        let constant = value.term(terms);
        let equal = terms.same(term, constant);
        path.state.condition.push_back(equal);
        Val::Scalar(value)
    }

    /// The value that a term has under a model.
    fn present(&mut self, model: &Rc<Model>, term: TermId) -> Scalar {
        let bits = self.constraints.value(model, term);
        Scalar::Known(Value::new(self.constraints.terms().ty(term), bits))
    }
}
