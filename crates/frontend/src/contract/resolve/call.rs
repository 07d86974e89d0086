//! Calls: the built-ins of ACSL, and the user's predicates and logic functions, which are unfolded.

use super::term::converted;
use super::{Bound, Family, Resolver};
use crate::contract::scope::Site;
use crate::contract::snapshot;
use crate::contract::syntax::{Definition, Expr, ExprKind, Problem};
use crate::contract::types;
use clew_ir::contract::{
    Access, Builtin, CompareOp, FloatClass, Fold, Label, PlaceKind, Predicate, Sort, Term, TermKind, Variable,
};

/// What unfolding a definition gives.
enum Unfolded {
    Predicate(Predicate),
    Term(Term),
}

impl Resolver<'_> {
    /// A call used as a predicate.
    pub(super) fn call_predicate(
        &mut self,
        expr: &Expr,
        name: &str,
        labels: &[String],
        args: &[Expr],
    ) -> Result<Predicate, Problem> {
        let access = match name {
            "\\valid" => Some(Access::Write),
            "\\valid_read" => Some(Access::Read),
            "\\initialized" => Some(Access::Initialized),
            "\\freeable" => Some(Access::Freeable),
            "\\fresh" => Some(Access::Fresh),
            _ => None,
        };
        if let Some(access) = access {
            let predicate = self.memory(expr, access, args)?;
            return self.at_labels(predicate, labels, expr);
        }
        match name {
            "\\separated" => {
                let pointers = args.iter().map(|arg| self.pointer(arg)).collect::<Result<Vec<_>, _>>()?;
                Ok(Predicate::Separated(pointers))
            }
            "\\old" => {
                let [inner] = self.arguments(expr, args)?;
                self.predicate_at(inner, Label::Pre)
            }
            "\\at" => {
                let [inner, label] = self.arguments(expr, args)?;
                let label = self.label_of(label)?;
                self.predicate_at(inner, label)
            }
            "\\is_finite" => self.class(expr, FloatClass::Finite, args),
            "\\is_infinite" => self.class(expr, FloatClass::Infinite, args),
            "\\is_NaN" => self.class(expr, FloatClass::Nan, args),
            _ => match float_comparison(name) {
                Some(op) => self.compare_floats(expr, op, args),
                None => self.other_predicate(expr, name, labels, args),
            },
        }
    }

    fn other_predicate(
        &mut self,
        expr: &Expr,
        name: &str,
        labels: &[String],
        args: &[Expr],
    ) -> Result<Predicate, Problem> {
        if self.definitions.is_predicate(name, args.len()) {
            return match self.unfold(expr, name, labels, args)? {
                Unfolded::Predicate(predicate) => Ok(predicate),
                Unfolded::Term(_) => Err(Problem::new(&expr.at, format!("`{name}` is no predicate"))),
            };
        }
        let term = self.call_term(expr, name, labels, args)?;
        let number = self.number(term, expr)?;
        self.compare(CompareOp::Ne, number, Term::integer(0), expr)
    }

    fn at_labels(&self, predicate: Predicate, labels: &[String], at: &Expr) -> Result<Predicate, Problem> {
        match labels.first().map(|label| self.label(label)) {
            None | Some(Label::Here) => Ok(predicate),
            Some(label) if snapshot::is_copied(&label) => {
                Err(Problem::new(&at.at, "what pointers lead to is not kept at a label of the program"))
            }
            Some(label) => Ok(Predicate::At(Box::new(predicate), label)),
        }
    }

    fn memory(&mut self, expr: &Expr, access: Access, args: &[Expr]) -> Result<Predicate, Problem> {
        let mut parts = Vec::new();
        for arg in args {
            let pointer = self.pointer(arg)?;
            parts.push(Predicate::Memory { access, pointer });
        }
        match parts.len() {
            0 => Err(Problem::new(&expr.at, "expected a pointer in brackets")),
            1 => Ok(parts.remove(0)),
            _ => Ok(Predicate::And(parts)),
        }
    }

    /// A pointer, or a set of pointers.
    fn pointer(&mut self, arg: &Expr) -> Result<Term, Problem> {
        let term = self.term(arg)?;
        match self.family(term.sort) {
            Family::Pointer(_) => Ok(term),
            _ => {
                let found = self.sort_name(term.sort);
                Err(Problem::new(&arg.at, format!("expected a pointer, found {found}"))
                    .with_help("put `&` before a variable"))
            }
        }
    }

    fn class(&mut self, expr: &Expr, class: FloatClass, args: &[Expr]) -> Result<Predicate, Problem> {
        let [arg] = self.arguments(expr, args)?;
        Ok(Predicate::Class { class, a: self.c_float(arg)? })
    }

    fn compare_floats(&mut self, expr: &Expr, op: CompareOp, args: &[Expr]) -> Result<Predicate, Problem> {
        let [a, b] = self.arguments(expr, args)?;
        Ok(Predicate::CompareFloat { op, a: self.c_float(a)?, b: self.c_float(b)? })
    }

    fn c_float(&mut self, arg: &Expr) -> Result<Term, Problem> {
        let term = self.term(arg)?;
        match self.family(term.sort) {
            Family::CFloat => Ok(term),
            _ => Err(Problem::new(&arg.at, format!("expected a float of C, found {}", self.sort_name(term.sort)))),
        }
    }

    fn arguments<'e, const N: usize>(&self, expr: &Expr, args: &'e [Expr]) -> Result<[&'e Expr; N], Problem> {
        let found: Vec<&Expr> = args.iter().collect();
        found.try_into().map_err(|found: Vec<&Expr>| {
            Problem::new(&expr.at, format!("expected {N} arguments, found {}", found.len()))
        })
    }

    /// A call used as a term.
    pub(super) fn call_term(
        &mut self,
        expr: &Expr,
        name: &str,
        labels: &[String],
        args: &[Expr],
    ) -> Result<Term, Problem> {
        match name {
            "\\old" => {
                let [inner] = self.arguments(expr, args)?;
                self.term_at(inner, Label::Pre)
            }
            "\\at" => {
                let [inner, label] = self.arguments(expr, args)?;
                let label = self.label_of(label)?;
                self.term_at(inner, label)
            }
            "\\abs" => self.numeric(expr, Builtin::Abs, args, 1),
            "\\min" | "\\max" | "\\sum" | "\\product" | "\\numof" if args.len() == 3 => self.fold(expr, name, args),
            "\\min" => self.numeric(expr, Builtin::Min, args, 2),
            "\\max" => self.numeric(expr, Builtin::Max, args, 2),
            "\\sqrt" => self.reals(expr, Builtin::Sqrt, args, 1),
            "\\pow" => self.reals(expr, Builtin::Pow, args, 2),
            "\\block_length" => self.of_block(expr, Builtin::BlockLength, args),
            "\\offset" => self.of_block(expr, Builtin::OffsetInBlock, args),
            "\\elements" => self.of_block(expr, Builtin::Elements, args),
            "\\base_addr" => self.of_block(expr, Builtin::BaseAddress, args),
            _ if self.definitions.get(name, args.len()).is_some() => match self.unfold(expr, name, labels, args)? {
                Unfolded::Term(term) => Ok(term),
                Unfolded::Predicate(predicate) => {
                    Ok(Term { kind: TermKind::Truth(Box::new(predicate)), sort: Sort::Integer })
                }
            },
            _ if is_predicate_builtin(name) => {
                let predicate = self.call_predicate(expr, name, labels, args)?;
                Ok(Term { kind: TermKind::Truth(Box::new(predicate)), sort: Sort::Integer })
            }
            _ if name.starts_with('\\') => Err(Problem::new(&expr.at, format!("`{name}` is not supported"))),
            _ => Err(Problem::new(&expr.at, format!("`{name}` is no predicate or function of the logic"))
                .with_help("functions of C cannot be called in a contract")),
        }
    }

    fn numeric(&mut self, expr: &Expr, builtin: Builtin, args: &[Expr], count: usize) -> Result<Term, Problem> {
        let mut terms = self.numbers(expr, args, count)?;
        let sort = if terms.iter().any(|term| term.sort == Sort::Real) { Sort::Real } else { Sort::Integer };
        for term in &mut terms {
            if term.sort != sort {
                *term = converted(term.clone(), sort);
            }
        }
        Ok(Term { kind: TermKind::Call(builtin, terms), sort })
    }

    fn reals(&mut self, expr: &Expr, builtin: Builtin, args: &[Expr], count: usize) -> Result<Term, Problem> {
        let terms = self.numbers(expr, args, count)?.into_iter();
        let terms = terms.map(|term| if term.sort == Sort::Real { term } else { converted(term, Sort::Real) });
        Ok(Term { kind: TermKind::Call(builtin, terms.collect()), sort: Sort::Real })
    }

    fn numbers(&mut self, expr: &Expr, args: &[Expr], count: usize) -> Result<Vec<Term>, Problem> {
        if args.len() != count {
            return Err(Problem::new(&expr.at, format!("expected {count} arguments, found {}", args.len())));
        }
        args.iter()
            .map(|arg| {
                let term = self.term(arg)?;
                self.number(term, arg)
            })
            .collect()
    }

    fn of_block(&mut self, expr: &Expr, builtin: Builtin, args: &[Expr]) -> Result<Term, Problem> {
        let [arg] = self.arguments(expr, args)?;
        let pointer = self.pointer(arg)?;
        let sort = match builtin {
            Builtin::BaseAddress => Sort::C(types::char_pointer(self.program)),
            _ => Sort::Integer,
        };
        Ok(Term { kind: TermKind::Call(builtin, vec![pointer]), sort })
    }

    /// `\sum(low, high, \lambda integer i; body)`
    fn fold(&mut self, expr: &Expr, name: &str, args: &[Expr]) -> Result<Term, Problem> {
        let [low, high, function] = self.arguments(expr, args)?;
        let ExprKind::Lambda(declared, body) = &*function.kind else {
            return Err(Problem::new(&function.at, "expected `\\lambda`"));
        };
        let [low, high] = [low, high].map(|bound| {
            let term = self.term(bound)?;
            self.integer(term, bound)
        });
        let sort = types::sort(self.program, &declared.ty)?;
        let variable = self.variable(&declared.name, sort);
        self.bound.push((declared.name.clone(), Bound::Variable(variable.clone())));
        let result = self.fold_body(name, body);
        self.bound.pop();
        let body = result?;
        let fold = match name {
            "\\sum" => Fold::Sum,
            "\\product" => Fold::Product,
            "\\numof" => Fold::Count,
            "\\min" => Fold::Min,
            _ => Fold::Max,
        };
        let sort = body.sort;
        let (low, high) = (Box::new(low?), Box::new(high?));
        Ok(Term { kind: TermKind::Fold { fold, variable, low, high, body: Box::new(body) }, sort })
    }

    /// `\numof` counts where a predicate holds; the others take numbers.
    fn fold_body(&mut self, name: &str, body: &Expr) -> Result<Term, Problem> {
        if name == "\\numof" {
            let predicate = self.predicate(body)?;
            return Ok(Term { kind: TermKind::Truth(Box::new(predicate)), sort: Sort::Integer });
        }
        let term = self.term(body)?;
        self.number(term, body)
    }

    /// Replaces a defined name by its body.
    ///
    /// Arguments are put in for the parameters. Where the body is read in another state than the arguments, those that
    /// depend on the state are bound by `\let` outside of it.
    fn unfold(&mut self, expr: &Expr, name: &str, labels: &[String], args: &[Expr]) -> Result<Unfolded, Problem> {
        let definition = self.definitions.get(name, args.len()).expect("only defined names are unfolded").clone();
        if self.unfolding.iter().any(|(it, params)| it == name && *params == definition.params.len()) {
            return Err(Problem::new(&expr.at, format!("`{name}` is recursive, which is not supported")));
        }
        if definition.params.len() != args.len() {
            let (wanted, found) = (definition.params.len(), args.len());
            return Err(Problem::new(&expr.at, format!("`{name}` takes {wanted} arguments, found {found}")));
        }
        let mut bound = Vec::new();
        let mut lets: Vec<(Variable, Term)> = Vec::new();
        for (param, arg) in definition.params.iter().zip(args) {
            let term = self.term(arg)?;
            let sort = types::sort(self.program, &param.ty)?;
            let term = self.argument(term, sort, arg)?;
            if definition.labels.is_empty() && labels.is_empty() || is_stable(&term) {
                bound.push((param.name.clone(), Bound::Term(term)));
            } else {
                let variable = self.variable(&param.name, term.sort);
                bound.push((param.name.clone(), Bound::Variable(variable.clone())));
                lets.push((variable, term));
            }
        }
        let state = labels.first().map(|label| self.label(label)).filter(|label| *label != Label::Here);
        if labels.iter().any(|label| snapshot::is_copied(&self.label(label))) || snapshot::is_copied(&self.state) {
            let problem = Problem::new(&expr.at, format!("`{name}` cannot be read at a label of the program"));
            return Err(problem.with_help("write out what it means"));
        }
        let actual = labels.iter().map(|label| self.label(label)).chain(std::iter::repeat(Label::Here));
        let named = definition.labels.iter().cloned().zip(actual).collect();
        let body = self.body(&definition, bound, named).map_err(|problem| {
            // The definition stands elsewhere; the call is what the user asked about.
            let message = if problem.message.starts_with("in ") {
                problem.message
            } else {
                format!("in the definition of `{name}`: {}", problem.message)
            };
            Problem { at: expr.at.clone(), message, help: problem.help }
        })?;
        Ok(wrapped(body, state.filter(|_| definition.labels.len() <= 1), lets))
    }

    /// The body of a definition, resolved in its own scope.
    fn body(
        &mut self,
        definition: &Definition,
        bound: Vec<(String, Bound)>,
        labels: Vec<(String, Label)>,
    ) -> Result<Unfolded, Problem> {
        let outer = (
            std::mem::replace(&mut self.bound, bound),
            std::mem::replace(&mut self.labels, labels),
            std::mem::replace(&mut self.site, Site::Global),
        );
        self.unfolding.push((definition.name.clone(), definition.params.len()));
        let body = match &definition.result {
            None => self.predicate(&definition.body).map(Unfolded::Predicate),
            Some(result) => self.result_term(definition, result).map(Unfolded::Term),
        };
        self.unfolding.pop();
        (self.bound, self.labels, self.site) = outer;
        body
    }

    fn result_term(
        &mut self,
        definition: &Definition,
        result: &crate::contract::syntax::TypeName,
    ) -> Result<Term, Problem> {
        let term = self.term(&definition.body)?;
        let sort = types::sort(self.program, result)?;
        self.argument(term, sort, &definition.body)
    }

    /// An argument as its parameter's type wants it. Pointers and C numbers are taken as they are.
    fn argument(&mut self, term: Term, sort: Sort, at: &Expr) -> Result<Term, Problem> {
        match (self.family(sort), self.family(term.sort)) {
            (Family::Integer | Family::Real, _) | (Family::CInteger, Family::Integer) => self.cast_to(term, sort, at),
            (Family::CFloat, Family::Real | Family::Integer) => self.cast_to(term, sort, at),
            (Family::Pointer(_), Family::Pointer(_)) => Ok(term),
            (Family::Pointer(_), _) => self.cast_to(term, sort, at),
            (wanted, found) if wanted == found => Ok(term),
            (Family::CInteger | Family::CFloat, Family::CInteger | Family::CFloat) => self.cast_to(term, sort, at),
            _ => {
                let (found, wanted) = (self.sort_name(term.sort), self.sort_name(sort));
                Err(Problem::new(&at.at, format!("expected {wanted}, found {found}")))
            }
        }
    }
}

fn at(term: Term, label: Label) -> Term {
    let sort = term.sort;
    Term { kind: TermKind::At(Box::new(term), label), sort }
}

/// The body in its state, with the arguments bound outside.
fn wrapped(body: Unfolded, state: Option<Label>, lets: Vec<(Variable, Term)>) -> Unfolded {
    match body {
        Unfolded::Predicate(body) => {
            let body = match state {
                Some(label) => Predicate::At(Box::new(body), label),
                None => body,
            };
            Unfolded::Predicate(lets.into_iter().rev().fold(body, |body, (variable, value)| Predicate::Let {
                variable,
                value: Box::new(value),
                body: Box::new(body),
            }))
        }
        Unfolded::Term(body) => {
            let body = match state {
                Some(label) => at(body, label),
                None => body,
            };
            Unfolded::Term(lets.into_iter().rev().fold(body, |body, (variable, value)| {
                let sort = body.sort;
                Term { kind: TermKind::Let { variable, value: Box::new(value), body: Box::new(body) }, sort }
            }))
        }
    }
}

/// Whether a term has the same value in every state.
fn is_stable(term: &Term) -> bool {
    match &term.kind {
        TermKind::Integer(_) | TermKind::Real(_) | TermKind::Null | TermKind::Variable(_) => true,
        TermKind::Value(place) => matches!(place.kind, PlaceKind::Param(_)),
        TermKind::Address(place) => {
            matches!(place.kind, PlaceKind::Param(_) | PlaceKind::Local(_) | PlaceKind::Global(_))
        }
        TermKind::Convert(a) | TermKind::Cast(a) | TermKind::Unary(_, a) => is_stable(a),
        TermKind::Binary(_, a, b) | TermKind::Offset(a, b) => is_stable(a) && is_stable(b),
        _ => false,
    }
}

/// `\eq_float`, `\lt_double` and the like.
fn float_comparison(name: &str) -> Option<CompareOp> {
    let rest = name.strip_suffix("_float").or_else(|| name.strip_suffix("_double"))?;
    Some(match rest {
        "\\eq" => CompareOp::Eq,
        "\\ne" => CompareOp::Ne,
        "\\lt" => CompareOp::Lt,
        "\\le" => CompareOp::Le,
        "\\gt" => CompareOp::Gt,
        "\\ge" => CompareOp::Ge,
        _ => return None,
    })
}

fn is_predicate_builtin(name: &str) -> bool {
    let known = ["\\valid", "\\valid_read", "\\initialized", "\\freeable", "\\fresh", "\\separated", "\\is_finite"];
    known.contains(&name) || matches!(name, "\\is_infinite" | "\\is_NaN") || float_comparison(name).is_some()
}
