//! Objectives about data flow: all-defs and all-uses (Rapps, Weyuker 1985).

use super::Stating;
use crate::dataflow::{Pair, Variable, accesses, pairs};
use crate::label::Point;
use crate::objective::{Goal, Site};
use clew_ir::Span;

impl Stating<'_> {
    pub(super) fn flows(&mut self) {
        for pair in self.pairs() {
            let span = self.span(pair.usage);
            let flow = |taken| Goal::Flow(pair.variable, pair.definition, pair.usage, taken);
            if pair.decides {
                let successors = self.function.blocks[pair.usage.block].terminator.kind.successors().len() as u32;
                (0..successors).for_each(|taken| self.state(flow(Some(taken)), span));
            } else {
                self.state(flow(None), span);
            }
        }
    }

    pub(super) fn definitions(&mut self) {
        let mut definitions: Vec<(Variable, Site)> =
            self.pairs().into_iter().map(|pair| (pair.variable, pair.definition)).collect();
        definitions.sort_unstable();
        definitions.dedup();
        for (variable, site) in definitions {
            let span = match site {
                Site::Entry => self.function.span,
                Site::At(point) => self.span(point),
            };
            self.state(Goal::Definition(variable, site), span);
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        pairs(self.id, self.function, &accesses(self.program, self.function))
    }

    fn span(&self, point: Point) -> Span {
        self.function.blocks[point.block].insts[point.index as usize].span
    }
}
