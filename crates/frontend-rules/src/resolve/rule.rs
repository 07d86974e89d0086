//! Rules: variables, patterns, arities.

use super::data::builtin_literal;
use super::{Meaning, Resolver, builtin};
use crate::message::Span;
use crate::spec::{Args, Builtin, Callee, Condition, Expr, FunctionId, Root, Rule, RuleId};
use crate::syntax::{self, ExprId};
use rustc_hash::FxHashMap;

/// What stands for a name that is not known; an expression with a mistake is never used.
const UNKNOWN: Expr = Expr::Var(u32::MAX);

/// The variables of a rule so far.
#[derive(Debug, Default)]
pub(super) struct Scope {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Scope {
    fn add(&mut self, name: &str) -> u32 {
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        if name != "_" {
            self.numbers.insert(name.to_owned(), number);
        }
        number
    }
}

/// What an expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is evaluated: its variables are known.
    Value,
    /// It is matched: its variables are fresh.
    Pattern,
}

impl Resolver<'_> {
    /// Resolves the rules of all functions.
    pub(super) fn rules(&mut self) {
        let mut labels: FxHashMap<String, Span> = FxHashMap::default();
        for (index, function) in self.tree.functions.iter().enumerate() {
            for (number, rule) in function.rules.iter().enumerate() {
                let resolved = self.rule(FunctionId(index as u32), number + 1, rule);
                if labels.insert(resolved.label.clone(), resolved.name_span).is_some() {
                    let text = format!("two rules are labelled `{}`; give each its own label", resolved.label);
                    self.error(resolved.name_span, text);
                }
                let id = RuleId(self.spec.rules.len() as u32);
                self.spec.rules.push(resolved);
                self.spec.functions[index].rules.push(id);
            }
        }
    }

    fn rule(&mut self, function: FunctionId, number: usize, rule: &syntax::Rule) -> Rule {
        let mut scope = Scope::default();
        // The head is written last, and its variables are known first.
        self.head(function, rule, &mut scope);
        let mut conditions = Vec::new();
        for (left, pattern) in &rule.conditions {
            self.check_left(*left);
            let left = self.expression(*left, &mut scope, Use::Value);
            let pattern = self.expression(*pattern, &mut scope, Use::Pattern);
            self.check_left_recursion(function, left);
            conditions.push(Condition { left, pattern });
        }
        self.next = rule.head + 1;
        let result = self.expression(rule.result, &mut scope, Use::Value);
        self.check_left_recursion(function, result);
        let name = &self.spec.functions[function.index()].name;
        let label = match rule.label {
            Some(label) => self.spelled(label.span).trim().to_owned(),
            None => format!("{name}.r{number}"),
        };
        let name_span = rule.label.map_or(self.tree.exprs[rule.head].span, |label| label.span);
        Rule { function, label, variables: scope.names, conditions, result, span: rule.span, name_span }
    }

    /// The left-hand side of a rule: the function, applied to distinct variables.
    fn head(&mut self, function: FunctionId, rule: &syntax::Rule, scope: &mut Scope) {
        let (name, arity) = {
            let function = &self.spec.functions[function.index()];
            (function.name.clone(), function.arity)
        };
        let head = &self.tree.exprs[rule.head];
        let found = self.spelled(head.head.span);
        if found != name || head.is_operator {
            self.error(
                head.span,
                format!("this rule of `{name}` rewrites `{found}`; its left-hand side must be `({name} ...)`"),
            );
        }
        if head.args.len() != arity {
            let text = format!("`{name}` has {arity} arguments in its first rule and {} here", head.args.len());
            self.error(head.span, text);
        }
        for arg in &head.args {
            let arg = &self.tree.exprs[*arg];
            let name = self.spelled(arg.head.span);
            if !arg.args.is_empty() || arg.is_operator || self.meanings.contains_key(name) {
                self.error(
                    arg.span,
                    "a parameter must be a variable; match it in a condition such as `n -> (S p)` instead",
                );
            } else if scope.numbers.contains_key(name) {
                self.error(arg.span, format!("the parameter `{name}` is named twice; parameters must be distinct"));
            }
            scope.add(name);
        }
    }

    /// The left-hand side of a condition is a variable or a call.
    fn check_left(&mut self, left: ExprId) {
        let left = &self.tree.exprs[left];
        if !left.is_operator && matches!(self.meanings.get(self.spelled(left.head.span)), Some(Meaning::Con(_))) {
            self.error(left.span, "the left-hand side of a condition must be a variable or a call, not a constructor");
        }
    }

    /// A rule that calls its own function with its own parameters never ends.
    fn check_left_recursion(&mut self, function: FunctionId, root: Root) {
        let arity = self.spec.functions[function.index()].arity;
        let unchanged = |args: Args| {
            let args = self.spec.args(args);
            args.len() == arity && args.iter().zip(0..).all(|(arg, slot)| self.spec.expr(*arg) == Expr::Var(slot))
        };
        let calls: Vec<_> =
            self.spec.calls(root).filter(|(_, callee, args)| *callee == function && unchanged(*args)).collect();
        for (id, ..) in calls {
            let name = self.spec.functions[function.index()].name.clone();
            let span = self.spec.spans[id.index()];
            self.error(span, format!("left recursion: `{name}` calls itself with the same arguments and never ends"));
        }
    }

    /// Resolves the expression whose root is a node of the tree.
    pub(super) fn expression(&mut self, root: ExprId, scope: &mut Scope, usage: Use) -> Root {
        let first = self.spec.exprs.len() as u32;
        let shift = |id: ExprId, next: ExprId| crate::spec::ExprId((id - next) as u32 + first);
        let next = self.next;
        let known = scope.names.len() as u32;
        for id in next..=root {
            let node = &self.tree.exprs[id];
            let args: Vec<_> = node.args.iter().map(|arg| shift(*arg, next)).collect();
            let resolved = self.node(node, &args, scope, usage, known);
            self.spec.exprs.push(resolved);
            self.spec.spans.push(node.span);
        }
        self.next = root + 1;
        Root { first: crate::spec::ExprId(first), last: shift(root, next) }
    }

    fn node(
        &mut self,
        node: &syntax::Expr,
        args: &[crate::spec::ExprId],
        scope: &mut Scope,
        usage: Use,
        known: u32,
    ) -> Expr {
        let first = self.spec.args.len() as u32;
        self.spec.args.extend(args);
        let range = Args { first, len: args.len() as u32 };
        let name = self.spelled(node.head.span);
        if node.is_operator {
            return self.operator(node, name, range, usage);
        }
        match self.meanings.get(name) {
            Some(Meaning::Con(con)) => {
                let con = *con;
                self.check_arity(node, self.spec.constructors[con.index()].fields.len(), args.len());
                Expr::Con(con, range)
            }
            Some(Meaning::Function(function)) => {
                let function = *function;
                if usage == Use::Pattern {
                    let text = format!("`{name}` is a function; a pattern is made of constructors and fresh variables");
                    self.error(node.head.span, text);
                }
                self.check_arity(node, self.spec.functions[function.index()].arity, args.len());
                Expr::Call(Callee::Function(function), range)
            }
            None if self.spec.options.integers && builtin_literal(name) && args.is_empty() => {
                let value = name.parse().unwrap_or_else(|_| {
                    self.error(node.span, format!("`{name}` is no 32-bit integer; the largest is {}", i32::MAX));
                    0
                });
                Expr::Int(value)
            }
            None => self.variable(node, name, scope, usage, known),
        }
    }

    fn operator(&mut self, node: &syntax::Expr, name: &str, args: Args, usage: Use) -> Expr {
        let operator = builtin(name).unwrap_or(Builtin::Equal);
        if usage == Use::Pattern {
            self.error(node.head.span, "a pattern has no operators; it is made of constructors and fresh variables");
        } else if operator != Builtin::Equal && !self.spec.options.integers {
            let text = format!("`{name}` needs built-in integers; read the specification with integers (`--integers`)");
            self.error(node.head.span, text);
        }
        let has_truth = self.meanings.contains_key("True") && self.meanings.contains_key("False");
        if operator.is_comparison() && !has_truth {
            let text = format!("`{name}` gives `True` or `False`; declare `data bool = True | False.`");
            self.error(node.head.span, text);
        }
        Expr::Call(Callee::Builtin(operator), args)
    }

    fn variable(&mut self, node: &syntax::Expr, name: &str, scope: &mut Scope, usage: Use, known: u32) -> Expr {
        if !node.args.is_empty() {
            let text = format!("there is no constructor or function `{name}`; declare it, or check the spelling");
            self.error(node.head.span, text);
            return UNKNOWN;
        }
        let number = scope.numbers.get(name).copied();
        match (usage, number) {
            (Use::Value, Some(number)) => Expr::Var(number),
            (Use::Value, None) => {
                self.error(
                    node.span,
                    format!("the variable `{name}` is unbound; no parameter or pattern before it binds it"),
                );
                UNKNOWN
            }
            (Use::Pattern, None) => Expr::Var(scope.add(name)),
            (Use::Pattern, Some(number)) => {
                let text = if number >= known {
                    format!("the variable `{name}` stands twice in this pattern; patterns must be linear")
                } else {
                    format!(
                        "the variable `{name}` is bound already; a pattern needs fresh variables (compare with `==`)"
                    )
                };
                self.error(node.span, text);
                Expr::Var(number)
            }
        }
    }

    fn check_arity(&mut self, node: &syntax::Expr, expected: usize, found: usize) {
        if expected != found {
            let name = self.spelled(node.head.span);
            let plural = if expected == 1 { "argument" } else { "arguments" };
            self.error(node.span, format!("`{name}` takes {expected} {plural}, not {found}"));
        }
    }
}
