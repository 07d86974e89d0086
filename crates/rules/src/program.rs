//! A specification as a program of C: what the rules say, in the language that everything else of clew reads.
//!
//! A term is a structure with the tag of its constructor and pointers to its arguments. A rule is a function that gives `NULL` where it
//! does not fire; a function of the specification tries its rules in the order written. A precondition says which terms have the type
//! of each parameter. What is written is straight lines of code without nested expressions, so terms may be deep.

mod rule;
mod types;

use crate::program::types::Predicates;
use clew_frontend_rules::spec::{Builtin, Callee, ConId, Expr, Function, FunctionId, RuleId, Spec, Type};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// The tag of built-in integers.
const INTEGER: &str = "CON_int";

/// How deep the terms are that preconditions allow, unless the user says otherwise.
const DEPTH: usize = 5;

/// A specification with what its parts are called in C.
struct Program<'a> {
    spec: &'a Spec,
    text: &'a str,
    constructors: Vec<String>,
    functions: Vec<String>,
    rules: Vec<String>,
}

/// The program; `text` is the text of the specification, `file` its name, `mark` what the first line of a generated file has.
pub fn program(spec: &Spec, text: &str, file: &str, mark: &str) -> String {
    let program = Program {
        spec,
        text,
        constructors: unique(spec.constructors.iter().map(|con| con.name.as_str()), &["int"]),
        functions: unique(spec.functions.iter().map(|function| function.name.as_str()), &[]),
        rules: unique(spec.rules.iter().map(|rule| rule.label.as_str()), &[]),
    };
    let mut out = format!(
        "/* {mark} from {}: its rules as a program of C.\n   A call gives NULL where it has no value. Rules are tried in the order \
        written; the first that gives a value is taken. */\n#include <stdlib.h>\n\n/* How deep the terms are that \
        preconditions allow. */\n#ifndef TERM_DEPTH\n#define TERM_DEPTH {DEPTH}\n#endif\n\n",
        commented(file)
    );
    program.terms(&mut out);
    program.builders(&mut out);
    program.operators(&mut out);
    let mut predicates = Predicates::default();
    let preconditions: String = spec
        .functions
        .iter()
        .zip(&program.functions)
        .map(|(function, name)| program.precondition(function, name, &mut predicates))
        .collect();
    program.predicates(&mut predicates, &mut out);
    for id in spec.function_ids() {
        let _ = writeln!(out, "{};", program.head(id));
    }
    for id in spec.function_ids() {
        program.function(id, &mut out);
    }
    out + &preconditions
}

/// Names as identifiers of C, each once and none of those that are taken.
fn unique<'a>(names: impl Iterator<Item = &'a str>, taken: &[&str]) -> Vec<String> {
    let mut seen: FxHashSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    let mut give = |name: &str| {
        let plain = identifier(name);
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|name| !seen.contains(name)).unwrap_or(plain);
        seen.insert(free.clone());
        free
    };
    names.map(&mut give).collect()
}

/// A name with what C does not allow in identifiers replaced; it is written behind a prefix.
fn identifier(name: &str) -> String {
    let clean = |character: char| match character {
        c if c.is_ascii_alphanumeric() || c == '_' => c.to_string(),
        '.' => "_".to_owned(),
        c => format!("_u{:x}", u32::from(c)),
    };
    name.chars().map(clean).collect()
}

/// A text as it may stand in a comment of C.
fn commented(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace("\\\n", "\n")
}

impl Program<'_> {
    /// The structure of terms, and one term for each constructor without arguments.
    fn terms(&self, out: &mut String) {
        let most = self.spec.constructors.iter().map(|con| con.fields.len()).max().unwrap_or(0).max(1);
        let integers = self.spec.options.integers;
        out.push_str("enum constructor {\n");
        for name in &self.constructors {
            let _ = writeln!(out, "    CON_{name},");
        }
        let value = if integers { "    int value;\n" } else { "" };
        let _ = writeln!(
            out,
            "{}}};\n\nstruct term {{\n    enum constructor constructor;\n{value}    const struct term *args[{most}];\n}};\n",
            if integers { format!("    {INTEGER},\n") } else { String::new() }
        );
    }

    /// A function for each constructor that makes a term of it.
    fn builders(&self, out: &mut String) {
        for (con, name) in self.spec.constructors.iter().zip(&self.constructors) {
            let count = con.fields.len();
            let _ = write!(out, "const struct term *make_{name}({})\n{{\n", parameters("a", count));
            if count == 0 {
                let _ = writeln!(
                    out,
                    "    static const struct term term = {{ .constructor = CON_{name} }};\n    return &term;\n}}\n"
                );
                continue;
            }
            let _ = writeln!(out, "    if ({})\n        return NULL;", any_null("a", count));
            out.push_str(&allocation(&format!("CON_{name}")));
            for number in 0..count {
                let _ = writeln!(out, "    term->args[{number}] = a{number};");
            }
            out.push_str("    return term;\n}\n\n");
        }
        if self.spec.options.integers {
            let _ = writeln!(
                out,
                "const struct term *make_int(int value)\n{{\n{}    term->value = value;\n    return term;\n}}\n",
                allocation(INTEGER)
            );
        }
    }

    /// Equality, and the operators that occur.
    fn operators(&self, out: &mut String) {
        let occurs = |operator| {
            self.spec.exprs.iter().any(|expr| matches!(expr, Expr::Call(Callee::Builtin(one), _) if *one == operator))
        };
        out.push_str(&self.equality());
        let Some((yes, no)) = self.spec.truth.map(|(yes, no)| (self.constructor(yes), self.constructor(no))) else {
            return;
        };
        for (operator, name, result) in OPERATORS.iter().filter(|(operator, _, _)| occurs(*operator)) {
            let result = if operator.is_comparison() {
                format!("{result} ? make_{yes}() : make_{no}()")
            } else {
                format!("make_int((int)({result}))")
            };
            let _ = writeln!(
                out,
                "static const struct term *{name}(const struct term *a, const struct term *b)\n{{\n    if (!a || !b)\n        \
                return NULL;\n    return {result};\n}}\n"
            );
        }
    }

    /// Whether two terms are the same.
    fn equality(&self) -> String {
        let value = if self.spec.options.integers { " || a->value != b->value" } else { "" };
        format!(
            "int same(const struct term *a, const struct term *b)\n{{\n    if (!a || !b)\n        return a == b;\n    \
            if (a->constructor != b->constructor{value})\n        return 0;\n    \
            for (unsigned i = 0; i < sizeof a->args / sizeof *a->args; i++)\n        \
            if (!same(a->args[i], b->args[i]))\n            return 0;\n    return 1;\n}}\n\n"
        )
    }

    fn constructor(&self, con: ConId) -> &str {
        &self.constructors[con.index()]
    }

    /// The first line of a function.
    fn head(&self, id: FunctionId) -> String {
        let arity = self.spec.functions[id.index()].arity;
        format!("const struct term *rewrite_{}({})", self.functions[id.index()], parameters("a", arity))
    }

    /// A function with its rules.
    fn function(&self, id: FunctionId, out: &mut String) {
        let function = &self.spec.functions[id.index()];
        for rule in &function.rules {
            self.rule(*rule, out);
        }
        let _ = write!(out, "\n{}\n{{\n", self.head(id));
        if function.arity > 0 {
            let _ = writeln!(out, "    if ({})\n        return NULL;", any_null("a", function.arity));
        }
        for (number, rule) in function.rules.iter().enumerate() {
            let call = format!("rule_{}({})", self.rules[rule.index()], listed("a", function.arity));
            let _ = match number {
                0 => writeln!(out, "    const struct term *result = {call};"),
                _ => writeln!(out, "    if (!result)\n        result = {call};"),
            };
        }
        out.push_str("    return result;\n}\n");
    }

    /// The function that says which arguments are terms of the types of the parameters.
    fn precondition(&self, function: &Function, name: &str, predicates: &mut Predicates) -> String {
        let mut test =
            |(number, ty): (usize, &Type)| predicates.test(self.spec, ty, &format!("a{number}"), "TERM_DEPTH");
        let tests: Vec<String> = function.params.iter().enumerate().map(&mut test).collect();
        let all = types::all(&tests);
        let parameters = parameters("a", function.arity);
        format!("\nint rewrite_{name}_precond({parameters})\n{{\n    return {all};\n}}\n")
    }

    /// What a rule says, as it was written.
    fn words(&self, rule: RuleId) -> String {
        let span = self.spec.rules[rule.index()].span;
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let label = &self.spec.rules[rule.index()].label;
        let unlabelled = text.strip_prefix(label.as_str()).map_or(text, |rest| rest.trim_start_matches(['>', '⟩']));
        commented(&format!("<{label}> {}", unlabelled.trim_end_matches([';', '.']).trim()))
    }
}

/// Operators, the functions that they are in C, and their results.
const OPERATORS: [(Builtin, &str, &str); 6] = [
    (Builtin::Equal, "equal", "same(a, b)"),
    (Builtin::Add, "add", "(unsigned)a->value + (unsigned)b->value"),
    (Builtin::Subtract, "subtract", "(unsigned)a->value - (unsigned)b->value"),
    (Builtin::Multiply, "multiply", "(unsigned)a->value * (unsigned)b->value"),
    (Builtin::Less, "less", "a->value < b->value"),
    (Builtin::LessEqual, "less_equal", "a->value <= b->value"),
];

/// The lines that allocate a term.
fn allocation(tag: &str) -> String {
    format!(
        "    struct term *term = calloc(1, sizeof *term);\n    if (!term)\n        abort();\n    term->constructor = {tag};\n"
    )
}

/// Parameters that are terms.
fn parameters(prefix: &str, count: usize) -> String {
    if count == 0 {
        return "void".to_owned();
    }
    (0..count).map(|number| format!("const struct term *{prefix}{number}")).collect::<Vec<_>>().join(", ")
}

/// Numbered names, separated by commas.
fn listed(prefix: &str, count: usize) -> String {
    (0..count).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>().join(", ")
}

/// That one of some terms has no value.
fn any_null(prefix: &str, count: usize) -> String {
    (0..count).map(|number| format!("!{prefix}{number}")).collect::<Vec<_>>().join(" || ")
}
