//! One rule as a function of C: conditions in order, each left with `NULL` where it fails, then the result.

use super::{INTEGER, OPERATORS, Program, unique};
use clew_frontend_rules::spec::{Args, Callee, Condition, Expr, ExprId, Root, RuleId};
use std::fmt::Write as _;

/// What is known while a rule is written.
struct Lines<'a> {
    /// The lines so far.
    out: &'a mut String,
    /// What its variables are called.
    variables: Vec<String>,
    /// Which of them are read.
    is_read: Vec<bool>,
    /// How many terms have a name of their own.
    terms: usize,
}

impl Lines<'_> {
    /// Gives a term a name.
    fn term(&mut self, value: &str) -> String {
        let name = format!("t{}", self.terms);
        self.terms += 1;
        let _ = writeln!(self.out, "    const struct term *{name} = {value};");
        name
    }
}

impl Program<'_> {
    /// Writes the function of a rule.
    pub(super) fn rule(&self, id: RuleId, out: &mut String) {
        let rule = &self.spec.rules[id.index()];
        let arity = self.spec.functions[rule.function.index()].arity;
        let variables: Vec<String> = unique(rule.variables.iter().map(String::as_str), &[])
            .into_iter()
            .map(|name| format!("v_{name}"))
            .collect();
        let heads: Vec<String> = variables[..arity].iter().map(|name| format!("const struct term *{name}")).collect();
        let parameters = if heads.is_empty() { "void".to_owned() } else { heads.join(", ") };
        let name = &self.rules[id.index()];
        let _ = write!(out, "\n/* {} */\nstatic const struct term *rule_{name}({parameters})\n{{\n", self.words(id));
        let mut lines = Lines { out, is_read: self.read_variables(id), variables, terms: 0 };
        for slot in (0..arity).filter(|slot| !lines.is_read[*slot]).collect::<Vec<_>>() {
            let _ = writeln!(lines.out, "    (void){};", lines.variables[slot]);
        }
        for condition in &rule.conditions {
            self.condition(condition, &mut lines);
        }
        let result = self.value(rule.result, &mut lines);
        let _ = writeln!(lines.out, "    return {result};\n}}");
    }

    /// Which variables of a rule occur where something is evaluated.
    fn read_variables(&self, id: RuleId) -> Vec<bool> {
        let mut is_read = vec![false; self.spec.rules[id.index()].variables.len()];
        for root in self.spec.evaluated(id) {
            for (_, node) in self.spec.nodes(root) {
                if let Expr::Var(slot) = node {
                    is_read[slot as usize] = true;
                }
            }
        }
        is_read
    }

    /// Writes the lines that give an expression its value; says what that is.
    fn value(&self, root: Root, lines: &mut Lines<'_>) -> String {
        let mut names: Vec<String> = Vec::new();
        for (_, node) in self.spec.nodes(root) {
            let of = |args: Args, names: &[String]| {
                let name = |arg: &ExprId| names[(arg.0 - root.first.0) as usize].clone();
                self.spec.args(args).iter().map(name).collect::<Vec<_>>().join(", ")
            };
            let name = match node {
                Expr::Var(slot) => lines.variables[slot as usize].clone(),
                Expr::Int(value) => lines.term(&format!("make_int({})", literal(value))),
                Expr::Con(con, args) => lines.term(&format!("make_{}({})", self.constructor(con), of(args, &names))),
                Expr::Call(Callee::Function(function), args) => {
                    lines.term(&format!("rewrite_{}({})", self.functions[function.index()], of(args, &names)))
                }
                Expr::Call(Callee::Builtin(operator), args) => {
                    let name = OPERATORS.iter().find(|(one, _, _)| *one == operator).map_or("", |(_, name, _)| *name);
                    lines.term(&format!("{name}({})", of(args, &names)))
                }
            };
            names.push(name);
        }
        names.pop().unwrap_or_default()
    }

    /// Writes the lines of a condition: its left-hand side, and what its pattern demands of it.
    fn condition(&self, condition: &Condition, lines: &mut Lines<'_>) {
        let value = self.value(condition.left, lines);
        let mut work = vec![(condition.pattern.last, value, true)];
        while let Some((node, value, is_outermost)) = work.pop() {
            match self.spec.expr(node) {
                Expr::Var(slot) => bind(slot as usize, &value, is_outermost, lines),
                Expr::Con(con, args) => {
                    let value = if is_outermost { value } else { lines.term(&value) };
                    let name = self.constructor(con);
                    let _ = writeln!(
                        lines.out,
                        "    if (!{value} || {value}->constructor != CON_{name})\n        return NULL;"
                    );
                    let inner = self.spec.args(args).iter().enumerate().rev();
                    work.extend(inner.map(|(number, arg)| (*arg, format!("{value}->args[{number}]"), false)));
                }
                Expr::Int(number) => {
                    let value = if is_outermost { value } else { lines.term(&value) };
                    let number = literal(number);
                    let _ = writeln!(
                        lines.out,
                        "    if (!{value} || {value}->constructor != {INTEGER} || {value}->value != {number})\n        return NULL;"
                    );
                }
                Expr::Call(..) => {}
            }
        }
    }
}

/// Gives a variable of a pattern its value. What a call gives must be there even if nobody reads it.
fn bind(slot: usize, value: &str, is_outermost: bool, lines: &mut Lines<'_>) {
    if is_outermost {
        let _ = writeln!(lines.out, "    if (!{value})\n        return NULL;");
    }
    if lines.is_read[slot] {
        let _ = writeln!(lines.out, "    const struct term *{} = {value};", lines.variables[slot]);
    }
}

/// An integer of 32 bits as it is written in C.
fn literal(value: i32) -> String {
    if value == i32::MIN { format!("({} - 1)", value + 1) } else { value.to_string() }
}
