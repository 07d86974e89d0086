//! Terms: constants, variables, arithmetic, casts, pointers.

use super::predicate::is_predicate;
use super::{Bound, Family, Resolver};
use crate::contract::scope;
use crate::contract::syntax::{Binary, Expr, ExprKind, Problem, TypeName, Unary};
use crate::contract::types;
use clew_ir::contract::{BinaryOp, Sort, Term, TermKind, UnaryOp};

impl Resolver<'_> {
    /// The term an expression means.
    pub(crate) fn term(&mut self, expr: &Expr) -> Result<Term, Problem> {
        self.count(expr)?;
        match &*expr.kind {
            ExprKind::Integer(value) => Ok(Term::integer(*value)),
            ExprKind::Real { digits, suffix } => Ok(self.real(digits, *suffix)),
            ExprKind::Name(name) => self.name(expr, name),
            ExprKind::Named(_, inner) => self.term(inner),
            ExprKind::Call { name, labels, args } => self.call_term(expr, name, labels, args),
            ExprKind::Unary(Unary::Address, of) => self.address(of),
            ExprKind::Unary(Unary::Neg, a) => self.unary(UnaryOp::Neg, a),
            ExprKind::Unary(Unary::BitNot, a) => self.unary(UnaryOp::BitNot, a),
            ExprKind::Unary(Unary::Plus, a) => {
                let term = self.term(a)?;
                self.number(term, a)
            }
            ExprKind::Binary(op, a, b) if !is_predicate(expr) => self.arithmetic(expr, *op, a, b),
            ExprKind::Conditional(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            ExprKind::Cast(ty, a) => self.cast(expr, ty, a),
            ExprKind::SizeofType(ty) => {
                let sort = types::sort(self.program, ty)?;
                self.size_of(sort, expr)
            }
            ExprKind::SizeofExpr(a) => {
                let sort = match self.place(a) {
                    Ok(place) => Sort::C(place.ty),
                    Err(_) => self.term(a)?.sort,
                };
                self.size_of(sort, expr)
            }
            ExprKind::Range(low, high) => self.range(low.as_ref(), high.as_ref()),
            ExprKind::Let(name, value, body) => self.let_term(name, value, body),
            ExprKind::Member(base, _) | ExprKind::Index(base, _) if state_of(base).is_some() => self.moved(expr, base),
            ExprKind::Unary(Unary::Deref, _) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Arrow(..) => {
                let place = self.place(expr)?;
                Ok(self.value(place))
            }
            ExprKind::EveryIndex(_) => Err(Problem::new(&expr.at, "`[*]` has a meaning only in a domain")),
            ExprKind::Lambda(..) => {
                Err(Problem::new(&expr.at, "`\\lambda` is supported only inside `\\sum` and the like"))
            }
            ExprKind::Unary(Unary::Not, _) | ExprKind::Binary(..) | ExprKind::Chain(..) | ExprKind::Quantified(..) => {
                let predicate = self.predicate(expr)?;
                Ok(Term { kind: TermKind::Truth(Box::new(predicate)), sort: Sort::Integer })
            }
        }
    }

    fn real(&mut self, digits: &str, suffix: Option<char>) -> Term {
        let real = Term { kind: TermKind::Real(digits.to_owned()), sort: Sort::Real };
        match suffix {
            None => real,
            Some(suffix) => {
                let ty = types::floating(self.program, suffix);
                Term { kind: TermKind::Cast(Box::new(real)), sort: Sort::C(ty) }
            }
        }
    }

    fn name(&mut self, expr: &Expr, name: &str) -> Result<Term, Problem> {
        match name {
            "\\true" => return Ok(Term::integer(1)),
            "\\false" => return Ok(Term::integer(0)),
            "\\null" => {
                let sort = Sort::C(types::void_pointer(&mut self.program.ctypes));
                return Ok(Term { kind: TermKind::Null, sort });
            }
            "\\result" => {
                let place = self.place(expr)?;
                return Ok(self.value(place));
            }
            _ if name.starts_with('\\') => {
                return Err(Problem::new(&expr.at, format!("`{name}` is not supported")));
            }
            _ => {}
        }
        match self.bound(name).cloned() {
            Some(Bound::Variable(variable)) => {
                return Ok(Term { sort: variable.sort, kind: TermKind::Variable(variable) });
            }
            Some(Bound::Term(term)) => return Ok(term),
            Some(Bound::Predicate(body)) => {
                let predicate = self.predicate(&body)?;
                return Ok(Term { kind: TermKind::Truth(Box::new(predicate)), sort: Sort::Integer });
            }
            None => {}
        }
        if let Some(place) = scope::lookup(self.program, &self.site, name) {
            let place = self.variable_place(place, &expr.at)?;
            return Ok(self.value(place));
        }
        let constant = scope::enumerator(self.program, name).or_else(|| self.definitions.constants.get(name).copied());
        if let Some(value) = constant {
            return Ok(Term::integer(value));
        }
        if self.definitions.get(name, 0).is_some() {
            return self.call_term(expr, name, &[], &[]);
        }
        Err(self.unknown_name(expr, name))
    }

    fn address(&mut self, of: &Expr) -> Result<Term, Problem> {
        let place = self.place(of)?;
        let sort = self.pointer_sort(place.ty);
        Ok(Term { kind: TermKind::Address(place), sort })
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Result<Term, Problem> {
        let term = self.term(a)?;
        let term = match op {
            UnaryOp::Neg => self.number(term, a)?,
            UnaryOp::BitNot => self.integer(term, a)?,
        };
        if let (UnaryOp::Neg, TermKind::Integer(value)) = (op, &term.kind)
            && let Some(negative) = value.checked_neg()
        {
            return Ok(Term::integer(negative));
        }
        let sort = term.sort;
        Ok(Term { kind: TermKind::Unary(op, Box::new(term)), sort })
    }

    fn arithmetic(&mut self, expr: &Expr, op: Binary, a: &Expr, b: &Expr) -> Result<Term, Problem> {
        let (left, right) = (self.term(a)?, self.term(b)?);
        match (op, self.family(left.sort), self.family(right.sort)) {
            (Binary::Add, Family::Pointer(_), _) => return self.offset(left, right, b),
            (Binary::Add, _, Family::Pointer(_)) => return self.offset(right, left, a),
            (Binary::Sub, Family::Pointer(_), Family::Pointer(_)) => {
                let kind = TermKind::Distance(Box::new(left), Box::new(right));
                return Ok(Term { kind, sort: Sort::Integer });
            }
            (Binary::Sub, Family::Pointer(_), _) => {
                let right = self.integer(right, b)?;
                let kind = TermKind::Unary(UnaryOp::Neg, Box::new(right));
                return self.offset(left, Term { kind, sort: Sort::Integer }, b);
            }
            _ => {}
        }
        let op = match op {
            Binary::Add => BinaryOp::Add,
            Binary::Sub => BinaryOp::Sub,
            Binary::Mul => BinaryOp::Mul,
            Binary::Div => BinaryOp::Div,
            Binary::Rem => BinaryOp::Rem,
            Binary::Shl => BinaryOp::Shl,
            Binary::Shr => BinaryOp::Shr,
            Binary::BitAnd => BinaryOp::BitAnd,
            Binary::BitOr => BinaryOp::BitOr,
            _ => BinaryOp::BitXor,
        };
        let (left, right) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => self.unified(left, right, expr)?,
            _ => (self.integer(left, a)?, self.integer(right, b)?),
        };
        let sort = left.sort;
        Ok(Term { kind: TermKind::Binary(op, Box::new(left), Box::new(right)), sort })
    }

    fn offset(&mut self, pointer: Term, by: Term, at: &Expr) -> Result<Term, Problem> {
        let by = self.integer(by, at)?;
        let sort = pointer.sort;
        Ok(Term { kind: TermKind::Offset(Box::new(pointer), Box::new(by)), sort })
    }

    /// Both terms as integers, or both as reals if one is.
    pub(super) fn unified(&mut self, a: Term, b: Term, at: &Expr) -> Result<(Term, Term), Problem> {
        let (a, b) = (self.number(a, at)?, self.number(b, at)?);
        Ok(match (a.sort, b.sort) {
            (Sort::Integer, Sort::Real) => (converted(a, Sort::Real), b),
            (Sort::Real, Sort::Integer) => (a, converted(b, Sort::Real)),
            _ => (a, b),
        })
    }

    /// The term as an integer or a real.
    pub(super) fn number(&mut self, term: Term, at: &Expr) -> Result<Term, Problem> {
        match self.family(term.sort) {
            Family::Integer | Family::Real => Ok(term),
            Family::CInteger => Ok(converted(term, Sort::Integer)),
            Family::CFloat => Ok(converted(term, Sort::Real)),
            Family::Pointer(_) | Family::Other => {
                let found = self.sort_name(term.sort);
                Err(Problem::new(&at.at, format!("expected a number, found {found}")))
            }
        }
    }

    /// The term as an integer.
    pub(super) fn integer(&mut self, term: Term, at: &Expr) -> Result<Term, Problem> {
        let number = self.number(term, at)?;
        if number.sort == Sort::Integer {
            return Ok(number);
        }
        Err(Problem::new(&at.at, "expected an integer, found a real"))
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Result<Term, Problem> {
        let condition = Box::new(self.predicate(condition)?);
        let (a, b) = (self.term(then)?, self.term(otherwise)?);
        let (a, b) = match (self.family(a.sort), self.family(b.sort)) {
            (Family::Pointer(_), Family::Pointer(_)) => (a, b),
            _ => self.unified(a, b, otherwise)?,
        };
        let sort = a.sort;
        Ok(Term { kind: TermKind::If { condition, then: Box::new(a), otherwise: Box::new(b) }, sort })
    }

    fn cast(&mut self, expr: &Expr, ty: &TypeName, a: &Expr) -> Result<Term, Problem> {
        let term = self.term(a)?;
        let sort = types::sort(self.program, ty)?;
        self.cast_to(term, sort, expr)
    }

    /// A cast, which is no node where it changes nothing.
    pub(super) fn cast_to(&mut self, term: Term, sort: Sort, at: &Expr) -> Result<Term, Problem> {
        if term.sort == sort {
            return Ok(term);
        }
        match (self.family(sort), self.family(term.sort)) {
            (Family::Integer, Family::Real | Family::CFloat) => {
                Err(Problem::new(&at.at, "a real does not become an integer by a cast")
                    .with_help("cast to a C type, which truncates"))
            }
            (Family::Integer, _) => self.integer(term, at),
            (Family::Real, _) => {
                let number = self.number(term, at)?;
                Ok(if number.sort == Sort::Integer { converted(number, Sort::Real) } else { number })
            }
            (Family::Pointer(_), _) if term.kind == TermKind::Integer(0) => Ok(Term { kind: TermKind::Null, sort }),
            (Family::Other, _) | (_, Family::Other) => {
                let (from, to) = (self.sort_name(term.sort), self.sort_name(sort));
                Err(Problem::new(&at.at, format!("{from} cannot be cast to {to}")))
            }
            _ => Ok(Term { kind: TermKind::Cast(Box::new(term)), sort }),
        }
    }

    fn size_of(&mut self, sort: Sort, at: &Expr) -> Result<Term, Problem> {
        let size = match sort {
            Sort::C(ty) => self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()),
            Sort::Integer | Sort::Real => None,
        };
        match size {
            Some(size) => Ok(Term::integer(i128::from(size))),
            None => Err(Problem::new(&at.at, format!("{} has no size", self.sort_name(sort)))),
        }
    }

    fn range(&mut self, low: Option<&Expr>, high: Option<&Expr>) -> Result<Term, Problem> {
        let mut bound = |expr: Option<&Expr>| match expr {
            None => Ok(None),
            Some(expr) => {
                let term = self.term(expr)?;
                Ok(Some(Box::new(self.integer(term, expr)?)))
            }
        };
        let (low, high) = (bound(low)?, bound(high)?);
        Ok(Term { kind: TermKind::Range { low, high }, sort: Sort::Integer })
    }

    fn let_term(&mut self, name: &str, value: &Expr, body: &Expr) -> Result<Term, Problem> {
        let value = self.term(value)?;
        let variable = self.variable(name, value.sort);
        self.bound.push((name.to_owned(), Bound::Variable(variable.clone())));
        let body = self.term(body);
        self.bound.pop();
        let body = body?;
        let sort = body.sort;
        Ok(Term { kind: TermKind::Let { variable, value: Box::new(value), body: Box::new(body) }, sort })
    }

    /// `\old(s).x` is `\old(s.x)`, and so for elements.
    fn moved(&mut self, expr: &Expr, base: &Expr) -> Result<Term, Problem> {
        let ExprKind::Call { name, labels, args } = &*base.kind else {
            return Err(Problem::new(&expr.at, "expected a state"));
        };
        let mut args = args.clone();
        let inner = match &*expr.kind {
            ExprKind::Member(_, member) => ExprKind::Member(args[0].clone(), member.clone()),
            ExprKind::Index(_, index) => {
                // The index is read in the current state, so only a base that is a pointer can be moved.
                let base = self.term(base)?;
                let index = self.term(index)?;
                let pointer = self.offset(base, index, expr)?;
                let place = self.deref(pointer, expr)?;
                return Ok(self.value(place));
            }
            _ => return Err(Problem::new(&expr.at, "expected a member")),
        };
        args[0] = Expr::new(expr.at.clone(), inner);
        self.call_term(expr, name, labels, &args)
    }
}

/// Whether an expression is read in another state.
fn state_of(expr: &Expr) -> Option<&str> {
    match &*expr.kind {
        ExprKind::Call { name, args, .. } if matches!(name.as_str(), "\\old" | "\\at") && !args.is_empty() => {
            Some(name)
        }
        _ => None,
    }
}

/// The same number in another sort.
pub(super) fn converted(term: Term, sort: Sort) -> Term {
    Term { kind: TermKind::Convert(Box::new(term)), sort }
}
