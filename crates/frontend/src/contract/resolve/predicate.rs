//! Predicates: connectives, comparisons, quantifiers.

use super::{Bound, Family, Resolver, bounds};
use crate::contract::syntax::{Binary, Declared, Expr, ExprKind, Problem, Unary};
use crate::contract::types;
use clew_ir::contract::{Binder, CompareOp, Predicate, Quantifier, Sort, Term, TermKind};

impl Resolver<'_> {
    /// The predicate an expression means.
    pub(crate) fn predicate(&mut self, expr: &Expr) -> Result<Predicate, Problem> {
        self.count(expr)?;
        match &*expr.kind {
            ExprKind::Name(name) if name == "\\true" => Ok(Predicate::Const(true)),
            ExprKind::Name(name) if name == "\\false" => Ok(Predicate::Const(false)),
            ExprKind::Name(name) => match self.bound(name) {
                Some(Bound::Predicate(body)) => {
                    let body = body.clone();
                    self.predicate(&body)
                }
                None if self.definitions.is_predicate(name, 0) => self.call_predicate(expr, name, &[], &[]),
                _ => self.truth_of(expr),
            },
            ExprKind::Named(_, body) => self.predicate(body),
            ExprKind::Unary(Unary::Not, a) => Ok(Predicate::Not(Box::new(self.predicate(a)?))),
            ExprKind::Binary(op, a, b) => self.connective(expr, *op, a, b),
            ExprKind::Chain(first, rest) => self.chain(first, rest),
            ExprKind::Conditional(condition, then, otherwise) => Ok(Predicate::If {
                condition: Box::new(self.predicate(condition)?),
                then: Box::new(self.predicate(then)?),
                otherwise: Box::new(self.predicate(otherwise)?),
            }),
            ExprKind::Quantified(quantifier, declared, body) => self.quantified(*quantifier, declared, body),
            ExprKind::Let(name, value, body) => self.let_predicate(name, value, body),
            ExprKind::Call { name, labels, args } => self.call_predicate(expr, name, labels, args),
            _ => self.truth_of(expr),
        }
    }

    /// A term used as a predicate: it is not zero, or not null.
    fn truth_of(&mut self, expr: &Expr) -> Result<Predicate, Problem> {
        let term = self.term(expr)?;
        if let TermKind::Truth(predicate) = term.kind {
            return Ok(*predicate);
        }
        let zero = match self.family(term.sort) {
            Family::Pointer(_) => Term { kind: TermKind::Null, sort: term.sort },
            _ => Term::integer(0),
        };
        self.compare(CompareOp::Ne, term, zero, expr)
    }

    fn connective(&mut self, expr: &Expr, op: Binary, a: &Expr, b: &Expr) -> Result<Predicate, Problem> {
        if !matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff) {
            return self.truth_of(expr);
        }
        let (a, b) = (self.predicate(a)?, self.predicate(b)?);
        Ok(match op {
            Binary::And => {
                let mut parts = conjuncts(a);
                parts.extend(conjuncts(b));
                Predicate::And(parts)
            }
            Binary::Or => {
                let mut parts = disjuncts(a);
                parts.extend(disjuncts(b));
                Predicate::Or(parts)
            }
            Binary::Xor => Predicate::Xor(Box::new(a), Box::new(b)),
            Binary::Implies => Predicate::Implies(Box::new(a), Box::new(b)),
            _ => Predicate::Iff(Box::new(a), Box::new(b)),
        })
    }

    fn chain(&mut self, first: &Expr, rest: &[(CompareOp, Expr)]) -> Result<Predicate, Problem> {
        let mut left = self.term(first)?;
        let mut parts = Vec::new();
        for (op, expr) in rest {
            let right = self.term(expr)?;
            parts.push(self.compare(*op, left, right.clone(), expr)?);
            left = right;
        }
        let single = parts.len() == 1;
        Ok(if single { parts.remove(0) } else { Predicate::And(parts) })
    }

    /// Compares pointers with pointers, everything else as integers or reals.
    pub(super) fn compare(&mut self, op: CompareOp, a: Term, b: Term, at: &Expr) -> Result<Predicate, Problem> {
        let (a, b) = match (self.family(a.sort), self.family(b.sort)) {
            (Family::Pointer(_), Family::Pointer(_)) => (a, b),
            (Family::Pointer(_), _) => {
                let sort = a.sort;
                (a, self.null_for(b, sort, at)?)
            }
            (_, Family::Pointer(_)) => (self.null_for(a, b.sort, at)?, b),
            _ => self.unified(a, b, at)?,
        };
        Ok(Predicate::Compare { op, a, b })
    }

    /// The constant 0 compared with a pointer is the null pointer.
    fn null_for(&self, term: Term, sort: Sort, at: &Expr) -> Result<Term, Problem> {
        match term.kind {
            TermKind::Integer(0) => Ok(Term { kind: TermKind::Null, sort }),
            _ => Err(Problem::new(&at.at, "a pointer is compared with a number")),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, declared: &[Declared], body: &Expr) -> Result<Predicate, Problem> {
        let outside = self.bound.len();
        let mut variables = Vec::new();
        for declared in declared {
            let sort = types::sort(self.program, &declared.ty)?;
            let variable = self.variable(&declared.name, sort);
            self.bound.push((declared.name.clone(), Bound::Variable(variable.clone())));
            variables.push(variable);
        }
        let body = self.predicate(body);
        self.bound.truncate(outside);
        let body = body?;
        let ranges = bounds::of(quantifier, &variables, &body, &self.program.ctypes);
        let binders =
            variables.into_iter().zip(ranges).map(|(variable, (low, high))| Binder { variable, low, high }).collect();
        Ok(Predicate::Quantified { quantifier, binders, body: Box::new(body) })
    }

    /// A name may stand for a term or for a predicate; a predicate is put in wherever the name is used.
    fn let_predicate(&mut self, name: &str, value: &Expr, body: &Expr) -> Result<Predicate, Problem> {
        if is_predicate(value) {
            self.bound.push((name.to_owned(), Bound::Predicate(value.clone())));
            let body = self.predicate(body);
            self.bound.pop();
            return body;
        }
        let value = self.term(value)?;
        let variable = self.variable(name, value.sort);
        self.bound.push((name.to_owned(), Bound::Variable(variable.clone())));
        let body = self.predicate(body);
        self.bound.pop();
        Ok(Predicate::Let { variable, value: Box::new(value), body: Box::new(body?) })
    }
}

/// Whether an expression can only be a predicate.
pub(super) fn is_predicate(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Chain(..) | ExprKind::Quantified(..) | ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Binary(op, ..) => {
            matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff)
        }
        ExprKind::Name(name) => matches!(name.as_str(), "\\true" | "\\false"),
        ExprKind::Call { name, .. } => name.starts_with("\\valid") || name == "\\separated" || name == "\\initialized",
        ExprKind::Named(..) => true,
        _ => false,
    }
}

fn conjuncts(predicate: Predicate) -> Vec<Predicate> {
    match predicate {
        Predicate::And(parts) => parts,
        other => vec![other],
    }
}

fn disjuncts(predicate: Predicate) -> Vec<Predicate> {
    match predicate {
        Predicate::Or(parts) => parts,
        other => vec![other],
    }
}
