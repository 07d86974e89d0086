//! The commands of a script and what they act on.

use rustc_hash::FxHashMap;

use super::expression::Expr;
use super::sexpr::{Sexpr, SexprId, Sexprs};
use super::sort::{ROUNDING_WIDTH, Sort, SortDefinition};
use super::{Error, Options, print};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::solver::{Answer, AssertionId, Core, Solver};
use crate::term::{self, TermId};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Definition {
    /// A declared or defined constant, or a named term.
    Constant(Expr),
    /// A defined function: its parameters as variables, and its body over them.
    Function { parameters: Vec<(Sort, TermId)>, sort: Sort, body: TermId },
}

/// The names bound by the `let`s around a term.
#[derive(Default)]
pub(super) struct Locals<'a> {
    bound: Vec<&'a str>,
    values: FxHashMap<&'a str, Vec<Expr>>,
}

impl<'a> Locals<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&Expr> {
        self.values.get(name)?.last()
    }

    pub(super) fn bind(&mut self, bindings: impl Iterator<Item = (&'a str, Expr)>) {
        for (name, value) in bindings {
            self.bound.push(name);
            self.values.entry(name).or_default().push(value);
        }
    }

    pub(super) fn unbind(&mut self, count: usize) {
        for name in self.bound.drain(self.bound.len() - count..) {
            self.values.get_mut(name).and_then(Vec::pop).expect("every bound name has a value");
        }
    }
}

/// What a `pop` undoes, beside the solver's own.
struct Scope<'a> {
    names: Vec<&'a str>,
    sorts: Vec<&'a str>,
    declared: usize,
    assertions: usize,
}

/// What the last `check-sat` found.
enum Last {
    Nothing,
    Sat(Model),
    Unsat(Vec<String>),
    Unknown,
}

/// The response to a command.
#[derive(Default)]
pub(super) struct Response {
    pub(super) text: Option<String>,
    pub(super) exit: bool,
}

impl Response {
    fn text(text: impl Into<String>) -> Response {
        Response { text: Some(text.into()), exit: false }
    }
}

/// A script being run.
pub(super) struct Script<'a> {
    pub(super) sexprs: Sexprs<'a>,
    pub(super) solver: Solver,
    pub(super) definitions: FxHashMap<&'a str, Definition>,
    pub(super) sorts: FxHashMap<&'a str, SortDefinition<'a>>,
    pub(super) locals: Locals<'a>,
    /// The last name given by `:named`, and where.
    pub(super) last_name: Option<(SexprId, &'a str)>,
    /// Values the standard leaves open, by what they belong to.
    unspecified: FxHashMap<String, TermId>,
    /// Declared constants in order, for models.
    declared: Vec<(&'a str, Sort, TermId)>,
    /// Names of assertions, in order; those without are not reported in cores.
    assertions: Vec<(AssertionId, Option<&'a str>)>,
    scopes: Vec<Scope<'a>>,
    last: Last,
    print_success: bool,
    options: &'a Options,
}

impl<'a> Script<'a> {
    pub(super) fn new(text: &'a str, options: &'a Options) -> Script<'a> {
        Script {
            sexprs: Sexprs::new(text),
            solver: Solver::new(options.config.clone()),
            definitions: FxHashMap::default(),
            sorts: FxHashMap::default(),
            locals: Locals::default(),
            last_name: None,
            unspecified: FxHashMap::default(),
            declared: Vec::new(),
            assertions: Vec::new(),
            scopes: Vec::new(),
            last: Last::Nothing,
            print_success: false,
            options,
        }
    }

    pub(super) fn next_command(&mut self) -> Result<Option<SexprId>, Error> {
        self.sexprs.read()
    }

    /// Whether a command only asks.
    pub(super) fn is_query(&self, command: SexprId) -> bool {
        let name = self.sexprs.child(command, 0).and_then(|head| self.sexprs.symbol(head));
        name.is_some_and(|name| name.starts_with("check-") || name.starts_with("get-") || name == "echo")
    }

    pub(super) fn execute(&mut self, command: SexprId) -> Result<Response, Error> {
        let parts = self.sexprs.children(command).to_vec();
        let Some(name) = parts.first().and_then(|&head| self.sexprs.symbol(head)) else {
            return Err(self.sexprs.error(command, "expected a command"));
        };
        let arguments = &parts[1..];
        let response = match name {
            "declare-const" | "declare-fun" | "define-fun" | "define-const" | "define-sort" => {
                self.declaration(command, name, arguments)?
            }
            "assert" => self.assertion(command, arguments)?,
            "push" | "pop" => self.levels(command, name, arguments)?,
            "check-sat" | "check-sat-assuming" => return self.check(command, name, arguments),
            "get-model" | "get-value" | "get-unsat-core" => return self.answer_about(command, name, arguments),
            "set-option" => {
                let is_true = arguments.get(1).and_then(|&value| self.sexprs.symbol(value)) == Some("true");
                match arguments.first().map(|&key| self.sexprs.get(key)) {
                    Some(Sexpr::Keyword(":print-success")) => self.print_success = is_true,
                    Some(Sexpr::Keyword(":produce-unsat-cores")) => self.solver.set_fine_cores(is_true),
                    _ => {}
                }
                None
            }
            "set-logic" | "set-info" => None,
            "echo" => match arguments {
                &[text] => match self.sexprs.get(text) {
                    Sexpr::Text(text) => return Ok(Response::text(format!("\"{text}\""))),
                    _ => return Err(self.sexprs.error(text, "expected a string")),
                },
                _ => return Err(self.sexprs.error(command, "expected (echo string)")),
            },
            "reset" | "reset-assertions" => {
                self.reset(name == "reset");
                None
            }
            "get-info" | "get-option" => return Ok(Response::text("unsupported")),
            "exit" => return Ok(Response { text: None, exit: true }),
            _ => return Err(self.sexprs.error(command, format!("command `{name}` is not supported"))),
        };
        let text = response.or_else(|| self.print_success.then(|| "success".to_string()));
        Ok(Response { text, exit: false })
    }

    /// Everything forgotten; `reset-assertions` keeps global declarations in theory, but declarations are not global
    /// unless asked for, and that is not supported.
    fn reset(&mut self, options_too: bool) {
        self.solver = Solver::new(self.options.config.clone());
        self.definitions.clear();
        self.sorts.clear();
        self.unspecified.clear();
        self.declared.clear();
        self.assertions.clear();
        self.scopes.clear();
        self.last = Last::Nothing;
        self.print_success &= !options_too;
    }

    fn declaration(&mut self, command: SexprId, name: &str, arguments: &[SexprId]) -> Result<Option<String>, Error> {
        let symbol = arguments.first().and_then(|&symbol| self.sexprs.symbol(symbol));
        let Some(symbol) = symbol else { return Err(self.sexprs.error(command, "expected a name")) };
        match (name, &arguments[1..]) {
            ("declare-const", &[sort]) => self.declare(arguments[0], symbol, sort)?,
            ("declare-fun", &[parameters, sort]) => match self.sexprs.get(parameters) {
                Sexpr::List { len: 0, .. } => self.declare(arguments[0], symbol, sort)?,
                Sexpr::List { .. } => {
                    return Err(self.sexprs.error(parameters, "uninterpreted functions are not supported"));
                }
                _ => return Err(self.sexprs.error(parameters, "expected a list of sorts")),
            },
            ("define-const", &[sort, body]) => self.define_function(arguments[0], symbol, None, sort, body)?,
            ("define-fun", &[parameters, sort, body]) => {
                self.define_function(arguments[0], symbol, Some(parameters), sort, body)?;
            }
            ("define-sort", &[parameters, body]) => self.define_sort(arguments[0], symbol, parameters, body)?,
            _ => return Err(self.sexprs.error(command, format!("`{name}` has another form"))),
        }
        Ok(None)
    }

    fn declare(&mut self, at: SexprId, symbol: &'a str, sort: SexprId) -> Result<(), Error> {
        let sort = self.sort(sort)?;
        self.check_new(at, symbol)?;
        let term = self.fresh(symbol, sort);
        self.declared.push((symbol, sort, term));
        self.define(at, symbol, Definition::Constant(Expr::Term(sort, term)))
    }

    /// A variable that can only have values of its sort.
    fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let term = self.solver.terms_mut().declare(name, sort.of_terms());
        if sort == Sort::RoundingMode {
            let terms = self.solver.terms_mut();
            let count = terms.int(ROUNDING_WIDTH, super::sort::ROUNDINGS.len() as u128);
            let in_range = terms.binary(clew_scalar::BinaryOp::Ult, term, count);
            let id = self.solver.assert(in_range);
            self.assertions.push((id, None));
        }
        term
    }

    fn define_function(
        &mut self,
        at: SexprId,
        symbol: &'a str,
        parameters: Option<SexprId>,
        sort: SexprId,
        body: SexprId,
    ) -> Result<(), Error> {
        let expected = self.sort(sort)?;
        self.check_new(at, symbol)?;
        let parameters = match parameters {
            Some(list) => self.parameters(list)?,
            None => Vec::new(),
        };
        let bound = parameters.iter().map(|&(name, sort, term)| (name, Expr::Term(sort, term)));
        self.locals.bind(bound);
        let value = self.expression(body);
        self.locals.unbind(parameters.len());
        let (value, name_in_body) = (value?, self.last_name.take());
        if let (Some((name, _)), false) = (name_in_body, parameters.is_empty()) {
            return Err(self.sexprs.error(name, "a term that depends on parameters cannot be named"));
        }
        let Expr::Term(found, term) = value else { return Err(self.sexprs.error(body, "expected a term")) };
        if found != expected {
            return Err(self.sexprs.error(body, format!("expected a {expected}, found a {found}")));
        }
        let definition = if parameters.is_empty() {
            Definition::Constant(value)
        } else {
            let parameters = parameters.into_iter().map(|(_, sort, term)| (sort, term)).collect();
            Definition::Function { parameters, sort: found, body: term }
        };
        self.define(at, symbol, definition)
    }

    fn parameters(&mut self, list: SexprId) -> Result<Vec<(&'a str, Sort, TermId)>, Error> {
        let mut parameters = Vec::new();
        for parameter in self.sexprs.children(list).to_vec() {
            let &[name, sort] = self.sexprs.children(parameter) else {
                return Err(self.sexprs.error(parameter, "expected (name sort)"));
            };
            let Some(name) = self.sexprs.symbol(name) else { return Err(self.sexprs.error(name, "expected a name")) };
            let sort = self.sort(sort)?;
            parameters.push((name, sort, self.solver.terms_mut().declare(name, sort.of_terms())));
        }
        Ok(parameters)
    }

    fn define_sort(&mut self, at: SexprId, symbol: &'a str, parameters: SexprId, body: SexprId) -> Result<(), Error> {
        let names: Option<Vec<&'a str>> =
            self.sexprs.children(parameters).iter().map(|&name| self.sexprs.symbol(name)).collect();
        let Some(names) = names else { return Err(self.sexprs.error(parameters, "expected a list of names")) };
        if self.sorts.contains_key(symbol) {
            return Err(self.sexprs.error(at, format!("sort `{symbol}` is already defined")));
        }
        self.sorts.insert(symbol, SortDefinition { parameters: names, body });
        if let Some(scope) = self.scopes.last_mut() {
            scope.sorts.push(symbol);
        }
        Ok(())
    }

    fn check_new(&self, at: SexprId, symbol: &str) -> Result<(), Error> {
        match self.definitions.contains_key(symbol) {
            true => Err(self.sexprs.error(at, format!("`{symbol}` is already defined"))),
            false => Ok(()),
        }
    }

    pub(super) fn define(&mut self, at: SexprId, symbol: &'a str, definition: Definition) -> Result<(), Error> {
        self.check_new(at, symbol)?;
        self.definitions.insert(symbol, definition);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(symbol);
        }
        Ok(())
    }

    /// A value the standard leaves open, the same for the same key.
    pub(super) fn unspecified(&mut self, key: String, sort: term::Sort) -> TermId {
        if let Some(&term) = self.unspecified.get(&key) {
            return term;
        }
        let term = self.solver.terms_mut().declare(key.clone(), sort);
        self.unspecified.insert(key, term);
        term
    }

    fn assertion(&mut self, command: SexprId, arguments: &[SexprId]) -> Result<Option<String>, Error> {
        let &[body] = arguments else { return Err(self.sexprs.error(command, "expected (assert term)")) };
        self.last_name = None;
        let condition = self.condition(body)?;
        let is_named = self.sexprs.child(body, 0).and_then(|head| self.sexprs.symbol(head)) == Some("!");
        let name = self.last_name.take().filter(|_| is_named).map(|(_, name)| name);
        let id = self.solver.assert(condition);
        self.assertions.push((id, name));
        self.last = Last::Nothing;
        Ok(None)
    }

    fn levels(&mut self, command: SexprId, name: &str, arguments: &[SexprId]) -> Result<Option<String>, Error> {
        let count = match arguments {
            [] => 1,
            &[count] => self.numeral(count)?,
            _ => return Err(self.sexprs.error(command, format!("expected ({name} numeral)"))),
        };
        self.last = Last::Nothing;
        if name == "push" {
            for _ in 0..count.min(1 << 20) {
                self.push();
            }
        } else if count <= self.scopes.len() as u128 {
            for _ in 0..count {
                self.pop();
            }
        } else {
            return Err(self.sexprs.error(command, format!("only {} levels are open", self.scopes.len())));
        }
        Ok(None)
    }

    fn push(&mut self) {
        self.solver.push();
        self.scopes.push(Scope {
            names: Vec::new(),
            sorts: Vec::new(),
            declared: self.declared.len(),
            assertions: self.assertions.len(),
        });
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("the caller has counted the levels");
        self.solver.pop();
        for name in scope.names {
            self.definitions.remove(name);
        }
        for name in scope.sorts {
            self.sorts.remove(name);
        }
        self.declared.truncate(scope.declared);
        self.assertions.truncate(scope.assertions);
        let alive = self.solver.terms().len();
        self.unspecified.retain(|_, term| term.index() < alive);
    }

    fn check(&mut self, command: SexprId, name: &str, arguments: &[SexprId]) -> Result<Response, Error> {
        let mut assumptions = Vec::new();
        if let (&[list], "check-sat-assuming") = (arguments, name) {
            for literal in self.sexprs.children(list).to_vec() {
                assumptions.push((literal, self.condition(literal)?));
            }
        } else if !arguments.is_empty() || name == "check-sat-assuming" {
            return Err(self.sexprs.error(command, format!("`{name}` has another form")));
        }
        let terms: Vec<TermId> = assumptions.iter().map(|&(_, term)| term).collect();
        let answer = self.solver.check_assuming(&terms, &self.options.budget);
        let (last, word) = match answer {
            Answer::Sat(model) => (Last::Sat(model), "sat"),
            Answer::Unsat(core) => (Last::Unsat(self.core_names(&core, &assumptions)), "unsat"),
            Answer::Unknown(_) => (Last::Unknown, "unknown"),
        };
        self.last = last;
        Ok(Response::text(word))
    }

    fn core_names(&self, core: &Core, assumptions: &[(SexprId, TermId)]) -> Vec<String> {
        let used = self.assertions.iter().filter(|(id, _)| core.assertions.contains(id));
        let names = used.filter_map(|(_, name)| name.map(print::symbol));
        let literals = core.assumptions.iter().map(|&index| self.literal_text(assumptions[index].0));
        names.chain(literals).collect()
    }

    /// A literal of `check-sat-assuming` as it was written.
    fn literal_text(&self, id: SexprId) -> String {
        match (self.sexprs.symbol(id), self.sexprs.children(id)) {
            (Some(name), _) => print::symbol(name),
            (None, &[_, negated]) => format!("(not {})", self.literal_text(negated)),
            _ => "assumption".to_string(),
        }
    }

    fn answer_about(&mut self, command: SexprId, name: &str, arguments: &[SexprId]) -> Result<Response, Error> {
        match (name, arguments) {
            ("get-unsat-core", []) => match &self.last {
                Last::Unsat(names) => Ok(Response::text(format!("({})", names.join(" ")))),
                _ => Err(self.sexprs.error(command, "the last answer was not unsat")),
            },
            ("get-model", []) => {
                let Last::Sat(model) = &self.last else {
                    return Err(self.sexprs.error(command, "the last answer was not sat"));
                };
                Ok(Response::text(print::model(self.solver.terms(), model, &self.declared)))
            }
            ("get-value", &[list]) => self.values(command, list),
            _ => Err(self.sexprs.error(command, format!("`{name}` has another form"))),
        }
    }

    fn values(&mut self, command: SexprId, list: SexprId) -> Result<Response, Error> {
        let Last::Sat(model) = &self.last else {
            return Err(self.sexprs.error(command, "the last answer was not sat"));
        };
        let model = model.clone();
        let mut evaluator = Evaluator::new();
        let mut pairs = Vec::new();
        for id in self.sexprs.children(list).to_vec() {
            let Expr::Term(sort, term) = self.expression(id)? else {
                return Err(self.sexprs.error(id, "expected a term"));
            };
            let value = print::value(self.solver.terms(), &mut evaluator, &model, sort, term);
            pairs.push(format!("({} {value})", self.sexprs.source(id)));
        }
        Ok(Response::text(format!("({})", pairs.join("\n "))))
    }
}
