//! Operators of the Core theory.

use super::Error;
use super::expression::{Expr, Operator};
use super::script::Script;
use super::sort::Sort;
use crate::term::TermId;

/// The result of an operator, or `None` when it does not take such operands.
pub(super) type Applied = Result<Option<(Sort, TermId)>, Error>;

impl<'a> Script<'a> {
    pub(super) fn core(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        if !operator.indices.is_empty() {
            return Ok(None);
        }
        match operator.name {
            "=" => Ok(self.chain(operands)),
            "distinct" => Ok(self.distinct(operands)),
            "ite" => Ok(self.choice(operands)),
            _ => Ok(self.connective(operator.name, operands)),
        }
    }

    fn connective(&mut self, name: &str, operands: &[Expr]) -> Option<(Sort, TermId)> {
        let mut conditions = Vec::with_capacity(operands.len());
        for operand in operands {
            match operand {
                Expr::Term(Sort::Bool, term) => conditions.push(*term),
                _ => return None,
            }
        }
        let terms = self.solver.terms_mut();
        let result = match (name, &conditions[..]) {
            ("not", &[a]) => terms.not(a),
            ("and", [_, ..]) => conditions.into_iter().reduce(|a, b| terms.and(a, b))?,
            ("or", [_, ..]) => conditions.into_iter().reduce(|a, b| terms.or(a, b))?,
            ("xor", [_, _, ..]) => {
                conditions.into_iter().reduce(|a, b| terms.binary(clew_scalar::BinaryOp::Xor, a, b))?
            }
            // Implication associates to the right.
            ("=>", [_, _, ..]) => conditions.into_iter().rev().reduce(|b, a| terms.implies(a, b))?,
            _ => return None,
        };
        Some((Sort::Bool, result))
    }

    fn choice(&mut self, operands: &[Expr]) -> Option<(Sort, TermId)> {
        match *operands {
            [Expr::Term(Sort::Bool, condition), Expr::Term(sort, then), Expr::Term(other_sort, other)]
                if sort == other_sort =>
            {
                Some((sort, self.solver.terms_mut().select(condition, then, other)))
            }
            _ => None,
        }
    }

    /// Operands of one sort that can be compared.
    fn comparable(operands: &[Expr]) -> Option<Vec<TermId>> {
        let sort = operands.first().map(Expr::sort);
        let same = operands.iter().all(|operand| Some(operand.sort()) == sort);
        let terms = operands.iter().filter_map(|operand| match operand {
            Expr::Term(_, term) => Some(*term),
            Expr::Real(_) => None,
        });
        let terms: Vec<TermId> = terms.collect();
        (same && terms.len() == operands.len() && terms.len() >= 2).then_some(terms)
    }

    fn chain(&mut self, operands: &[Expr]) -> Option<(Sort, TermId)> {
        let compared = Self::comparable(operands)?;
        let terms = self.solver.terms_mut();
        let mut result = terms.bool(true);
        for pair in compared.windows(2) {
            let equal = terms.same(pair[0], pair[1]);
            result = terms.and(result, equal);
        }
        Some((Sort::Bool, result))
    }

    fn distinct(&mut self, operands: &[Expr]) -> Option<(Sort, TermId)> {
        let compared = Self::comparable(operands)?;
        let terms = self.solver.terms_mut();
        let mut result = terms.bool(true);
        for (position, &a) in compared.iter().enumerate() {
            for &b in &compared[position + 1..] {
                let equal = terms.same(a, b);
                let differ = terms.not(equal);
                result = terms.and(result, differ);
            }
        }
        Some((Sort::Bool, result))
    }
}
