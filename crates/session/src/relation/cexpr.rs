//! Preconditions as C: what a native program can evaluate.
//!
//! Integers of the logic become `long long`, or `__int128` where a parameter has 64 bits or something is multiplied.
//! That pointers lead to so many elements is no question: the program makes them so. What has no form in C is refused.

use super::subject::{Shape, Subject};
use clew_ir::contract::{
    BinaryOp, Binder, Builtin, CompareOp, Place, PlaceKind, Predicate, Quantifier, Term, TermKind, UnaryOp,
};
use clew_ir::{CType, Program};

/// Writes the clauses of one function.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    /// The program.
    pub program: &'a Program,
    /// The parameters.
    pub subject: &'a Subject,
}

/// What has no form in C.
pub type Unwritable = String;

impl Writer<'_> {
    /// A predicate as an expression of C.
    ///
    /// # Errors
    /// When it has no form in C.
    pub fn predicate(&self, predicate: &Predicate) -> Result<String, Unwritable> {
        let pair = |a: &Predicate, op: &str, b: &Predicate| -> Result<String, Unwritable> {
            Ok(format!("(!!{} {op} !!{})", self.predicate(a)?, self.predicate(b)?))
        };
        match predicate {
            Predicate::Const(value) => Ok(u8::from(*value).to_string()),
            Predicate::Compare { op, a, b } | Predicate::CompareFloat { op, a, b } => {
                Ok(format!("({} {} {})", self.term(a)?, compare(*op), self.term(b)?))
            }
            Predicate::Not(a) => Ok(format!("(!{})", self.predicate(a)?)),
            Predicate::And(all) => self.several(all, "&&", "1"),
            Predicate::Or(all) => self.several(all, "||", "0"),
            Predicate::Xor(a, b) => pair(a, "!=", b),
            Predicate::Iff(a, b) => pair(a, "==", b),
            Predicate::Implies(a, b) => Ok(format!("(!{} || {})", self.predicate(a)?, self.predicate(b)?)),
            Predicate::If { condition, then, otherwise } => {
                let (condition, then) = (self.predicate(condition)?, self.predicate(then)?);
                Ok(format!("({condition} ? {then} : {})", self.predicate(otherwise)?))
            }
            Predicate::Quantified { quantifier, binders, body } => self.quantified(*quantifier, binders, body),
            Predicate::Memory { .. } | Predicate::Separated(_) => Ok("1".to_owned()),
            _ => Err("this kind of predicate".to_owned()),
        }
    }

    fn several(&self, all: &[Predicate], op: &str, none: &str) -> Result<String, Unwritable> {
        let parts: Vec<String> = all.iter().map(|one| self.predicate(one)).collect::<Result<_, _>>()?;
        Ok(if parts.is_empty() { none.to_owned() } else { format!("({})", parts.join(&format!(" {op} "))) })
    }

    /// Loops over the binders, as a statement expression.
    fn quantified(&self, quantifier: Quantifier, binders: &[Binder], body: &Predicate) -> Result<String, Unwritable> {
        let is_all = quantifier == Quantifier::ForAll;
        let (start, found, negation) = if is_all { (1, 0, "!") } else { (0, 1, "") };
        let mut loops = String::new();
        for binder in binders {
            let unbounded = || "a quantifier without bounds".to_owned();
            let low = self.term(binder.low.as_ref().ok_or_else(unbounded)?)?;
            let high = self.term(binder.high.as_ref().ok_or_else(unbounded)?)?;
            let name = variable(binder.variable.number);
            loops += &format!("for (long long {name} = {low}; {name} <= {high}; {name}++) ");
        }
        let body = self.predicate(body)?;
        Ok(format!("({{ int clew_holds = {start}; {loops}if ({negation}{body}) clew_holds = {found}; clew_holds; }})"))
    }

    /// A term as an expression of C.
    ///
    /// # Errors
    /// When it has no form in C.
    pub fn term(&self, term: &Term) -> Result<String, Unwritable> {
        match &term.kind {
            TermKind::Integer(value) if i64::try_from(*value).is_ok_and(|it| it > i64::MIN) => Ok(format!("{value}LL")),
            TermKind::Integer(value) if u64::try_from(*value).is_ok() => Ok(format!("(__int128){value}ULL")),
            TermKind::Integer(value) if *value == i128::from(i64::MIN) => Ok(format!("({}LL - 1)", value + 1)),
            TermKind::Real(digits) => Ok(digits.clone()),
            TermKind::Variable(it) => Ok(variable(it.number)),
            TermKind::Value(place) => self.place(place),
            TermKind::Convert(of) => self.converted(of),
            TermKind::Unary(UnaryOp::Neg, a) => Ok(format!("(-{})", self.term(a)?)),
            TermKind::Unary(UnaryOp::BitNot, a) => Ok(format!("(~{})", self.term(a)?)),
            TermKind::Binary(op, a, b) => Ok(format!("({} {} {})", self.term(a)?, binary(*op), self.term(b)?)),
            TermKind::Truth(predicate) => self.predicate(predicate),
            TermKind::If { condition, then, otherwise } => {
                let (condition, then) = (self.predicate(condition)?, self.term(then)?);
                Ok(format!("({condition} ? {then} : {})", self.term(otherwise)?))
            }
            TermKind::Call(Builtin::Elements, of) => match of.first() {
                Some(Term { kind: TermKind::Value(Place { kind: PlaceKind::Param(index), .. }), .. }) => {
                    self.extent(*index)
                }
                _ => Err("the number of elements of this".to_owned()),
            },
            TermKind::Offset(base, by) => Ok(format!("({} + {})", self.term(base)?, self.term(by)?)),
            TermKind::Null => Ok("(void *)0".to_owned()),
            _ => Err("this kind of term".to_owned()),
        }
    }

    /// A C value as an integer or a real.
    fn converted(&self, of: &Term) -> Result<String, Unwritable> {
        let inner = self.term(of)?;
        let clew_ir::contract::Sort::C(ty) = of.sort else { return Ok(inner) };
        Ok(match self.program.ctypes.get(ty) {
            CType::Float { .. } => inner,
            CType::Int { width: 64.., .. } => format!("(__int128){inner}"),
            _ => format!("(long long){inner}"),
        })
    }

    fn place(&self, place: &Place) -> Result<String, Unwritable> {
        match &place.kind {
            PlaceKind::Param(index) => {
                let slot = self.subject.slots.get(*index as usize);
                slot.map(|slot| slot.name.clone()).ok_or_else(|| "this parameter".to_owned())
            }
            PlaceKind::Deref(pointer) => Ok(format!("(*{})", self.term(pointer)?)),
            PlaceKind::Index(array, index) => Ok(format!("{}[{}]", self.place(array)?, self.term(index)?)),
            PlaceKind::Global(id) => Ok(self.program.globals[*id].name.clone()),
            _ => Err("what is read here".to_owned()),
        }
    }

    fn extent(&self, index: u32) -> Result<String, Unwritable> {
        match self.subject.slots.get(index as usize).map(|slot| &slot.shape) {
            Some(Shape::Array { extent, .. }) => Ok(format!("(long long)({extent})")),
            _ => Err("the number of elements of this".to_owned()),
        }
    }
}

fn variable(number: u32) -> String {
    format!("clew_q{number}")
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}
