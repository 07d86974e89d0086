//! Operators of arrays.

use super::Error;
use super::core::Applied;
use super::expression::{Expr, Operator};
use super::script::Script;
use super::sexpr::SexprId;
use super::sort::Sort;

impl<'a> Script<'a> {
    pub(super) fn array(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        if !operator.indices.is_empty() {
            return Ok(None);
        }
        let terms = self.solver.terms_mut();
        match (operator.name, operands) {
            ("select", &[Expr::Term(Sort::Array(index_sort, element), array), Expr::Term(given, index)])
                if given == index_sort.sort() =>
            {
                Ok(Some((element.sort(), terms.read(array, index))))
            }
            (
                "store",
                &[
                    Expr::Term(sort @ Sort::Array(index_sort, element), array),
                    Expr::Term(given, index),
                    Expr::Term(given_value, value),
                ],
            ) if given == index_sort.sort() && given_value == element.sort() => {
                Ok(Some((sort, terms.write(array, index, value))))
            }
            _ => Ok(None),
        }
    }

    /// `((as const sort) value)`.
    pub(super) fn qualified(&mut self, head: SexprId, parts: &[SexprId], operands: Vec<Expr>) -> Result<Expr, Error> {
        let &[_, name, sort_id] = parts else { return Err(self.sexprs.error(head, "expected (as const sort)")) };
        let sort = self.sort(sort_id)?;
        match (self.sexprs.symbol(name), sort, &operands[..]) {
            (Some("const"), Sort::Array(index, element), &[Expr::Term(given, value)]) if given == element.sort() => {
                let terms = self.solver.terms_mut();
                Ok(Expr::Term(sort, terms.const_array(index.of_terms(), value)))
            }
            _ => Err(self.sexprs.error(head, "expected (as const sort) applied to an element of that array sort")),
        }
    }
}
