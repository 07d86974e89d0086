//! Reading terms and predicates.
//!
//! Precedence climbing over ACSL's table (ACSL 1.20, figure 2.4), in which comparisons chain and bind tighter than `&`.
//! Quantifiers and `\let` reach as far to the right as they can, and may stand wherever an operand may.

use super::Parser;
use crate::contract::lex::TokenKind;
use crate::contract::syntax::{Binary, Declared, Expr, ExprKind, Problem, Unary};
use clew_ir::contract::{CompareOp, Quantifier};

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 100;

/// How many operators of one level may follow each other.
const MAX_OPERATORS: usize = 250;

/// The binary operators, loosest first; comparisons are level [`COMPARISONS`].
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("<==>", Binary::Iff)],
    &[("==>", Binary::Implies)],
    &[("||", Binary::Or)],
    &[("^^", Binary::Xor)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[],
    &[("<<", Binary::Shl), (">>", Binary::Shr)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

const COMPARISONS: usize = 8;

const COMPARE_OPS: &[(&str, CompareOp)] = &[
    ("==", CompareOp::Eq),
    ("!=", CompareOp::Ne),
    ("<=", CompareOp::Le),
    (">=", CompareOp::Ge),
    ("<", CompareOp::Lt),
    (">", CompareOp::Gt),
];

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expr(&mut self) -> Result<Expr, Problem> {
        self.depth += 1;
        let expr = if self.depth > MAX_DEPTH {
            Err(Problem::new(&self.peek().at, "the contract is nested too deeply"))
        } else {
            self.named()
        };
        self.depth -= 1;
        expr
    }

    /// `name: expr`, or a conditional.
    fn named(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        if self.is_ahead(1, ":")
            && !self.in_conditional
            && let TokenKind::Name(name) = &self.peek().kind
            && !name.starts_with('\\')
        {
            let name = name.clone();
            self.position += 2;
            let body = self.expr()?;
            return Ok(Expr::new(self.since(start), ExprKind::Named(name, body)));
        }
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let outer = std::mem::replace(&mut self.in_conditional, true);
        let then = self.expr();
        self.in_conditional = outer;
        let then = then?;
        self.expect(":")?;
        let otherwise = self.expr()?;
        Ok(Expr::new(self.since(start), ExprKind::Conditional(condition, then, otherwise)))
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Problem> {
        if level == COMPARISONS {
            return self.comparison();
        }
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let start = self.peek().at.start;
        let mut left = self.binary(level + 1)?;
        let mut count = 0;
        while let Some((word, op)) = operators.iter().find(|(word, _)| self.is(word)) {
            count += 1;
            if count > MAX_OPERATORS {
                return Err(Problem::new(&self.peek().at, "the expression is too long"));
            }
            self.advance();
            // `==>` groups to the right.
            let right = if *word == "==>" { self.nested(Self::implication)? } else { self.binary(level + 1)? };
            left = Expr::new(self.since(start), ExprKind::Binary(*op, left, right));
        }
        if self.is("-->") || self.is("<-->") {
            return Err(Problem::new(&self.peek().at, "bitwise implication is not supported"));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Expr, Problem> {
        self.binary(1)
    }

    /// `a < b <= c`: comparisons in one direction chain.
    fn comparison(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        let first = self.binary(COMPARISONS + 1)?;
        let mut rest: Vec<(CompareOp, Expr)> = Vec::new();
        while let Some((_, op)) = COMPARE_OPS.iter().find(|(word, _)| self.is(word)) {
            let at = self.peek().at.clone();
            self.advance();
            let one_way = |ops: &[CompareOp]| ops.contains(op) && rest.iter().all(|(before, _)| ops.contains(before));
            let up = one_way(&[CompareOp::Lt, CompareOp::Le, CompareOp::Eq]);
            let down = one_way(&[CompareOp::Gt, CompareOp::Ge, CompareOp::Eq]);
            if !rest.is_empty() && !up && !down {
                return Err(Problem::new(&at, "comparisons chain only in one direction")
                    .with_help("put `&&` between the comparisons"));
            }
            rest.push((*op, self.binary(COMPARISONS + 1)?));
        }
        if rest.is_empty() { Ok(first) } else { Ok(Expr::new(self.since(start), ExprKind::Chain(first, rest))) }
    }

    fn unary(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        let operators = [
            ("-", Unary::Neg),
            ("+", Unary::Plus),
            ("~", Unary::BitNot),
            ("!", Unary::Not),
            ("*", Unary::Deref),
            ("&", Unary::Address),
        ];
        if let Some((_, op)) = operators.iter().find(|(word, _)| self.is(word)) {
            self.advance();
            let operand = self.nested(Self::unary)?;
            return Ok(Expr::new(self.since(start), ExprKind::Unary(*op, operand)));
        }
        if self.is("(") && self.is_type_ahead(1) {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")")?;
            let operand = self.nested(Self::unary)?;
            return Ok(Expr::new(self.since(start), ExprKind::Cast(ty, operand)));
        }
        if self.accept("sizeof") {
            return self.sizeof(start);
        }
        match &self.peek().kind {
            TokenKind::Name(name) if name == "\\forall" => self.quantified(Quantifier::ForAll),
            TokenKind::Name(name) if name == "\\exists" => self.quantified(Quantifier::Exists),
            TokenKind::Name(name) if name == "\\let" => self.binding(),
            TokenKind::Name(name) if name == "\\lambda" => self.lambda(),
            _ => self.postfix(),
        }
    }

    /// Counts the depth of operators that call themselves without brackets.
    fn nested(&mut self, read: fn(&mut Self) -> Result<Expr, Problem>) -> Result<Expr, Problem> {
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            Err(Problem::new(&self.peek().at, "the contract is nested too deeply"))
        } else {
            read(self)
        };
        self.depth -= 1;
        result
    }

    fn sizeof(&mut self, start: u32) -> Result<Expr, Problem> {
        if self.is("(") && self.is_type_ahead(1) {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")")?;
            return Ok(Expr::new(self.since(start), ExprKind::SizeofType(ty)));
        }
        let operand = self.nested(Self::unary)?;
        Ok(Expr::new(self.since(start), ExprKind::SizeofExpr(operand)))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Result<Expr, Problem> {
        let start = self.advance().at.start;
        let binders = self.binders()?;
        self.expect(";")?;
        let body = self.expr()?;
        Ok(Expr::new(self.since(start), ExprKind::Quantified(quantifier, binders, body)))
    }

    /// `integer i, j, int *p`
    fn binders(&mut self) -> Result<Vec<Declared>, Problem> {
        let mut binders = Vec::new();
        loop {
            let ty = self.type_name()?;
            let name = self.name("a variable")?;
            binders.push(Declared { name, ty: ty.clone() });
            while self.is(",") && !self.is_type_ahead(1) {
                self.advance();
                let mut ty = ty.clone();
                ty.pointers = 0;
                while self.accept("*") {
                    ty.pointers += 1;
                }
                let name = self.name("a variable")?;
                binders.push(Declared { name, ty });
            }
            if !self.accept(",") {
                return Ok(binders);
            }
        }
    }

    fn binding(&mut self) -> Result<Expr, Problem> {
        let start = self.advance().at.start;
        let name = self.name("a variable")?;
        self.expect("=")?;
        let value = self.expr()?;
        self.expect(";")?;
        let body = self.expr()?;
        Ok(Expr::new(self.since(start), ExprKind::Let(name, value, body)))
    }

    fn lambda(&mut self) -> Result<Expr, Problem> {
        let start = self.advance().at.start;
        let ty = self.type_name()?;
        let name = self.name("a variable")?;
        self.expect(";")?;
        let body = self.expr()?;
        Ok(Expr::new(self.since(start), ExprKind::Lambda(Declared { name, ty }, body)))
    }

    fn postfix(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        let mut expr = self.primary()?;
        loop {
            let kind = if self.accept("[") {
                if self.is("*") && self.is_ahead(1, "]") {
                    self.position += 2;
                    ExprKind::EveryIndex(expr)
                } else {
                    let index = self.range_or_expr()?;
                    self.expect("]")?;
                    ExprKind::Index(expr, index)
                }
            } else if self.accept(".") {
                ExprKind::Member(expr, self.name("a member")?)
            } else if self.accept("->") {
                ExprKind::Arrow(expr, self.name("a member")?)
            } else {
                return Ok(expr);
            };
            expr = Expr::new(self.since(start), kind);
        }
    }

    fn primary(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        let kind = match &self.peek().kind {
            TokenKind::Integer(value) => ExprKind::Integer(*value),
            TokenKind::Real { digits, suffix } => ExprKind::Real { digits: digits.clone(), suffix: *suffix },
            TokenKind::Name(name) => {
                let name = name.clone();
                self.advance();
                return self.name_or_call(start, name);
            }
            TokenKind::Punct("(") => {
                self.advance();
                let outer = std::mem::replace(&mut self.in_conditional, false);
                let inner = self.range_or_expr();
                self.in_conditional = outer;
                let inner = inner?;
                self.expect(")")?;
                return Ok(Expr { at: self.since(start), ..inner });
            }
            TokenKind::Punct("{") => return Err(Problem::new(&self.peek().at, "sets in braces are not supported")),
            _ => return Err(self.unexpected("a term or predicate")),
        };
        self.advance();
        Ok(Expr::new(self.since(start), kind))
    }

    fn name_or_call(&mut self, start: u32, name: String) -> Result<Expr, Problem> {
        let labels = self.labels()?;
        let mut args = Vec::new();
        if !self.accept("(") {
            let kind = if labels.is_empty() { ExprKind::Name(name) } else { ExprKind::Call { name, labels, args } };
            return Ok(Expr::new(self.since(start), kind));
        }
        let outer = std::mem::replace(&mut self.in_conditional, false);
        while !self.is(")") {
            args.push(self.range_or_expr()?);
            if !self.accept(",") {
                break;
            }
        }
        self.in_conditional = outer;
        self.expect(")")?;
        Ok(Expr::new(self.since(start), ExprKind::Call { name, labels, args }))
    }

    /// An expression, or `low .. high` with either bound absent.
    pub(super) fn range_or_expr(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().at.start;
        let low = if self.is("..") { None } else { Some(self.expr()?) };
        if !self.accept("..") {
            return low.ok_or_else(|| self.unexpected("a term"));
        }
        let high =
            if self.is(")") || self.is("]") || self.is(",") || self.at_end() { None } else { Some(self.expr()?) };
        Ok(Expr::new(self.since(start), ExprKind::Range(low, high)))
    }
}
