//! Terms of SMT-LIB to terms of the solver.
//!
//! The walk keeps its own stacks of tasks and values: an application waits for its operands, a `let` for its bound
//! values. Operators are applied in `core`, `bitvector`, `floating` and `array`.

use clew_scalar::Value;

use super::Error;
use super::real::Real;
use super::script::{Definition, Script};
use super::sexpr::{Sexpr, SexprId};
use super::sort::{ROUNDING_WIDTH, ROUNDINGS, Sort};
use crate::term::TermId;

/// A value of the walk: a sorted term, or a literal that is not one.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Term(Sort, TermId),
    Real(Real),
}

impl Expr {
    pub(super) fn sort(&self) -> Sort {
        match self {
            Expr::Term(sort, _) => *sort,
            Expr::Real(_) => Sort::Real,
        }
    }
}

/// An operator: its name, its indices, and where it stands.
pub(super) struct Operator<'a, 'b> {
    pub(super) id: SexprId,
    pub(super) name: &'a str,
    pub(super) indices: &'b [SexprId],
}

enum Task {
    Evaluate(SexprId),
    /// Applies the head of a list to the last values.
    Apply(SexprId),
    /// Binds the variables of a `let` to the last values.
    Bind(SexprId),
    /// Ends the scope of so many bindings.
    Unbind(usize),
    /// Records the name given by an annotation to the last value.
    Annotate(SexprId),
}

impl<'a> Script<'a> {
    /// The meaning of a term.
    pub(super) fn expression(&mut self, root: SexprId) -> Result<Expr, Error> {
        let mut tasks = vec![Task::Evaluate(root)];
        let mut values: Vec<Expr> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Evaluate(id) => self.evaluate(id, &mut tasks, &mut values)?,
                Task::Apply(id) => {
                    let count = self.sexprs.children(id).len() - 1;
                    let mut operands = values.split_off(values.len() - count);
                    if !self.is_choice(id) {
                        operands.iter_mut().for_each(|operand| self.tabulate(operand));
                    }
                    let value = self.application(id, operands)?;
                    values.push(value);
                }
                Task::Bind(id) => {
                    let names = self.binding_names(id)?;
                    let mut bound = values.split_off(values.len() - names.len());
                    bound.iter_mut().for_each(|value| self.tabulate(value));
                    self.locals.bind(names.into_iter().zip(bound));
                }
                Task::Unbind(count) => self.locals.unbind(count),
                Task::Annotate(id) => {
                    let value = values.last().expect("an annotated term has a value").clone();
                    self.annotate(id, value)?;
                }
            }
        }
        let mut value = values.pop().expect("a walk leaves one value");
        self.tabulate(&mut value);
        Ok(value)
    }

    /// Is this an application of `ite`, whose last operand may be the rest of a chain?
    fn is_choice(&self, id: SexprId) -> bool {
        self.sexprs.symbol(self.sexprs.children(id)[0]) == Some("ite")
    }

    /// Turns a complete chain of choices among constants into a lookup.
    fn tabulate(&mut self, value: &mut Expr) {
        if let Expr::Term(_, term) = value {
            *term = self.solver.terms_mut().tabulated(*term);
        }
    }

    /// A term that must be a boolean.
    pub(super) fn condition(&mut self, id: SexprId) -> Result<TermId, Error> {
        match self.expression(id)? {
            Expr::Term(Sort::Bool, term) => Ok(term),
            other => Err(self.sexprs.error(id, format!("expected a Bool, found a {}", other.sort()))),
        }
    }

    fn evaluate(&mut self, id: SexprId, tasks: &mut Vec<Task>, values: &mut Vec<Expr>) -> Result<(), Error> {
        if !matches!(self.sexprs.get(id), Sexpr::List { .. }) {
            let value = self.atom(id)?;
            values.push(value);
            return Ok(());
        }
        let children = self.sexprs.children(id);
        let Some(&head) = children.first() else { return Err(self.sexprs.error(id, "expected a term")) };
        match self.sexprs.symbol(head) {
            Some("let") => self.open_let(id, tasks),
            Some("!") => match children.get(1) {
                Some(&inner) => {
                    tasks.push(Task::Annotate(id));
                    tasks.push(Task::Evaluate(inner));
                    Ok(())
                }
                None => Err(self.sexprs.error(id, "an annotation needs a term")),
            },
            Some("_") => {
                let value = self.indexed_constant(id)?;
                values.push(value);
                Ok(())
            }
            Some(word @ ("forall" | "exists" | "match" | "lambda")) => {
                Err(self.sexprs.error(head, format!("`{word}` is not supported: only quantifier-free logics are")))
            }
            _ => {
                tasks.push(Task::Apply(id));
                tasks.extend(children[1..].iter().rev().map(|&child| Task::Evaluate(child)));
                Ok(())
            }
        }
    }

    fn open_let(&self, id: SexprId, tasks: &mut Vec<Task>) -> Result<(), Error> {
        let &[_, bindings, body] = self.sexprs.children(id) else {
            return Err(self.sexprs.error(id, "expected (let ((name term) ...) term)"));
        };
        let names = self.binding_names(id)?;
        tasks.extend([Task::Unbind(names.len()), Task::Evaluate(body), Task::Bind(id)]);
        for &binding in self.sexprs.children(bindings).iter().rev() {
            tasks.push(Task::Evaluate(self.sexprs.children(binding)[1]));
        }
        Ok(())
    }

    /// The names a `let` binds; checks the form of its bindings.
    fn binding_names(&self, id: SexprId) -> Result<Vec<&'a str>, Error> {
        let bindings = self.sexprs.children(id)[1];
        let mut names = Vec::new();
        for &binding in self.sexprs.children(bindings) {
            match *self.sexprs.children(binding) {
                [name, _] if self.sexprs.symbol(name).is_some() => names.extend(self.sexprs.symbol(name)),
                _ => return Err(self.sexprs.error(binding, "expected (name term)")),
            }
        }
        if names.is_empty() {
            return Err(self.sexprs.error(bindings, "expected ((name term) ...)"));
        }
        Ok(names)
    }

    /// Takes note of `:named`; other attributes mean nothing here.
    fn annotate(&mut self, id: SexprId, value: Expr) -> Result<(), Error> {
        let children = self.sexprs.children(id).to_vec();
        for pair in children[2..].windows(2) {
            if self.sexprs.get(pair[0]) == Sexpr::Keyword(":named") {
                let Some(name) = self.sexprs.symbol(pair[1]) else {
                    return Err(self.sexprs.error(pair[1], "expected a name"));
                };
                self.define(pair[1], name, Definition::Constant(value.clone()))?;
                self.last_name = Some((pair[1], name));
            }
        }
        Ok(())
    }

    fn atom(&mut self, id: SexprId) -> Result<Expr, Error> {
        match self.sexprs.get(id) {
            Sexpr::Symbol(name) => self.named(id, name),
            Sexpr::Numeral(text) | Sexpr::Decimal(text) => Ok(Expr::Real(Real::parse(text))),
            Sexpr::Hexadecimal(digits) => self.literal(id, digits, 16, digits.len() as u128 * 4),
            Sexpr::Binary(digits) => self.literal(id, digits, 2, digits.len() as u128),
            _ => Err(self.sexprs.error(id, "expected a term")),
        }
    }

    fn literal(&mut self, id: SexprId, digits: &str, radix: u32, width: u128) -> Result<Expr, Error> {
        let width = self.checked_width(id, width)?;
        let bits = u128::from_str_radix(digits, radix).expect("the digits of a literal fit its width");
        Ok(Expr::Term(Sort::BitVec(width), self.solver.terms_mut().int(width, bits)))
    }

    fn named(&mut self, id: SexprId, name: &'a str) -> Result<Expr, Error> {
        if let Some(value) = self.locals.get(name) {
            return Ok(value.clone());
        }
        match self.definitions.get(name) {
            Some(Definition::Constant(value)) => return Ok(value.clone()),
            Some(Definition::Function { .. }) => {
                return Err(self.sexprs.error(id, format!("`{name}` is a function and needs arguments")));
            }
            None => {}
        }
        if let Some(code) = ROUNDINGS.iter().position(|&(_, short, long)| name == short || name == long) {
            return Ok(Expr::Term(Sort::RoundingMode, self.solver.terms_mut().int(ROUNDING_WIDTH, code as u128)));
        }
        match name {
            "true" | "false" => Ok(Expr::Term(Sort::Bool, self.solver.terms_mut().bool(name == "true"))),
            _ => Err(self.sexprs.error(id, format!("unknown symbol `{name}`"))),
        }
    }

    /// `(_ bv5 32)`, `(_ +oo 8 24)` and the like.
    fn indexed_constant(&mut self, id: SexprId) -> Result<Expr, Error> {
        let children = self.sexprs.children(id).to_vec();
        let name = children.get(1).and_then(|&name| self.sexprs.symbol(name));
        match (name, &children[1..]) {
            (Some(name), &[_, exponent, significand]) => {
                let format = self.format(id, exponent, significand)?;
                let bits = match name {
                    "+oo" => format.infinity(false),
                    "-oo" => format.infinity(true),
                    "+zero" => format.zero(false),
                    "-zero" => format.zero(true),
                    "NaN" => format.canonical_nan(),
                    _ => return Err(self.sexprs.error(id, format!("unknown symbol `{name}`"))),
                };
                let term = self.solver.terms_mut().constant(Value::float(format, bits));
                Ok(Expr::Term(Sort::Float(format), term))
            }
            (Some(name), &[at, width]) if name.starts_with("bv") => {
                let width = self.width(width)?;
                match name[2..].parse::<u128>() {
                    Ok(bits) if bits == Value::int(width, bits).bits => {
                        Ok(Expr::Term(Sort::BitVec(width), self.solver.terms_mut().int(width, bits)))
                    }
                    _ => Err(self.sexprs.error(at, format!("`{name}` is not a number of {width} bits"))),
                }
            }
            _ => Err(self.sexprs.error(id, "unknown indexed symbol")),
        }
    }

    /// A list whose operands have been evaluated.
    fn application(&mut self, id: SexprId, operands: Vec<Expr>) -> Result<Expr, Error> {
        let head = self.sexprs.children(id)[0];
        if let Some(name) = self.sexprs.symbol(head) {
            if matches!(self.definitions.get(name), Some(Definition::Function { .. })) {
                return self.call(id, name, &operands);
            }
            return self.operator(&Operator { id, name, indices: &[] }, operands);
        }
        let parts = self.sexprs.children(head).to_vec();
        match parts.first().and_then(|&word| self.sexprs.symbol(word)) {
            Some("_") => match parts.get(1).and_then(|&name| self.sexprs.symbol(name)) {
                Some(name) => self.operator(&Operator { id, name, indices: &parts[2..] }, operands),
                None => Err(self.sexprs.error(head, "expected an indexed operator")),
            },
            Some("as") => self.qualified(head, &parts, operands),
            _ => Err(self.sexprs.error(head, "expected an operator")),
        }
    }

    fn operator(&mut self, operator: &Operator<'a, '_>, operands: Vec<Expr>) -> Result<Expr, Error> {
        if let Some(real) = self.real_operator(operator, &operands)? {
            return Ok(Expr::Real(real));
        }
        let result = match operator.name {
            name if name.starts_with("fp") || name.starts_with("to_fp") => self.floating(operator, &operands)?,
            "select" | "store" => self.array(operator, &operands)?,
            name if name.starts_with("bv") => self.bitvector(operator, &operands)?,
            "concat" | "extract" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" | "repeat" => {
                self.slice(operator, &operands)?
            }
            _ => self.core(operator, &operands)?,
        };
        match result {
            Some((sort, term)) => Ok(Expr::Term(sort, term)),
            None => Err(self.misfit(operator, &operands)),
        }
    }

    fn real_operator(&self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Result<Option<Real>, Error> {
        match (operator.name, operands) {
            ("-", [Expr::Real(x)]) => Ok(Some(x.clone().negate())),
            ("/", [Expr::Real(x), Expr::Real(y)]) => match x.clone().divide(y) {
                Some(quotient) => Ok(Some(quotient)),
                None => Err(self.sexprs.error(operator.id, "this quotient of reals is not supported")),
            },
            _ => Ok(None),
        }
    }

    /// The error for an operator that is unknown or does not take these operands.
    fn misfit(&self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Error {
        let sorts: Vec<String> = operands.iter().map(|operand| operand.sort().to_string()).collect();
        let sorts = if sorts.is_empty() { "no operands".into() } else { sorts.join(" ") };
        self.sexprs.error(operator.id, format!("no operator `{}` takes {sorts}", operator.name))
    }

    /// A defined function applied to arguments.
    fn call(&mut self, id: SexprId, name: &str, operands: &[Expr]) -> Result<Expr, Error> {
        let Some(Definition::Function { parameters, sort, body }) = self.definitions.get(name).cloned() else {
            unreachable!("only functions are called");
        };
        let mut replacements = Vec::with_capacity(operands.len());
        for (&(expected, parameter), operand) in parameters.iter().zip(operands) {
            match operand {
                Expr::Term(sort, term) if *sort == expected => replacements.push((parameter, *term)),
                _ => return Err(self.sexprs.error(id, format!("`{name}` takes a {expected} here"))),
            }
        }
        if parameters.len() != operands.len() {
            return Err(self.sexprs.error(id, format!("`{name}` takes {} arguments", parameters.len())));
        }
        let term = self.solver.terms_mut().substitute(body, &replacements);
        Ok(Expr::Term(sort, term))
    }
}
