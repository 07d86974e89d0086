//! Operators of the Core theory.

use super::Error;
use super::expression::{Expr, Operator};
use super::script::Script;
use super::sort::{Element, Sort};
use crate::term::TermId;

/// The result of an operator, or `None` when it does not take such operands.
pub(super) type Applied = Result<Option<(Sort, TermId)>, Error>;

impl<'a> Script<'a> {
    pub(super) fn core(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        if !operator.indices.is_empty() {
            return Ok(None);
        }
        match operator.name {
            "=" => self.chain(operator, operands),
            "distinct" => self.distinct(operator, operands),
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
    fn comparable(&self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Result<Option<Vec<TermId>>, Error> {
        let sort = operands.first().map(Expr::sort);
        if let Some(Sort::Array(_, Element::Float(_))) = sort {
            // Elements are held as bits, and bits tell NaNs apart.
            return Err(self.sexprs.error(operator.id, "equality of arrays of floats is not supported"));
        }
        let same = operands.iter().all(|operand| Some(operand.sort()) == sort);
        let terms = operands.iter().filter_map(|operand| match operand {
            Expr::Term(_, term) => Some(*term),
            Expr::Real(_) => None,
        });
        let terms: Vec<TermId> = terms.collect();
        Ok((same && terms.len() == operands.len() && terms.len() >= 2).then_some(terms))
    }

    fn chain(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let Some(compared) = self.comparable(operator, operands)? else { return Ok(None) };
        let terms = self.solver.terms_mut();
        let mut result = terms.bool(true);
        for pair in compared.windows(2) {
            let equal = terms.same(pair[0], pair[1]);
            result = terms.and(result, equal);
        }
        Ok(Some((Sort::Bool, result)))
    }

    fn distinct(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let Some(compared) = self.comparable(operator, operands)? else { return Ok(None) };
        let terms = self.solver.terms_mut();
        let mut result = terms.bool(true);
        for (position, &a) in compared.iter().enumerate() {
            for &b in &compared[position + 1..] {
                let equal = terms.same(a, b);
                let differ = terms.not(equal);
                result = terms.and(result, differ);
            }
        }
        Ok(Some((Sort::Bool, result)))
    }
}
