//! Numbers that are bits: what the source masks or shifts is written in hexadecimal, as an engineer does.
//!
//! Which places hold bits is read off the tokens of the functions that a test can come to: a name that stands next to
//! `&`, `|`, `^`, `<<` or `>>` between two operands, or behind `~`. So do registers at fixed addresses.

use clew_ir::{FunctionId, Program};
use std::collections::BTreeSet;

/// The names of places that hold bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks(BTreeSet<String>);

impl Masks {
    /// Those of some functions.
    pub(super) fn of(program: &Program, functions: &BTreeSet<FunctionId>) -> Masks {
        let own = functions.iter().filter(|id| !program.models.contains(id) && !program.is_library(**id));
        let mut names = BTreeSet::new();
        own.for_each(|id| find(program.sources.text(program.functions[*id].span), &mut names));
        Masks(names)
    }

    /// A constant as the place it belongs to has it.
    pub(super) fn spell(&self, place: &str, constant: String) -> String {
        let holds_bits = place.trim_start_matches('&').starts_with("at_0x") || self.0.contains(last(place));
        let digits = constant.trim_end_matches(['u', 'L']);
        match digits.parse::<u128>() {
            Ok(number) if holds_bits && number > 9 => format!("{number:#x}{}", &constant[digits.len()..]),
            _ => constant,
        }
    }
}

/// The member or variable that a place is, without indices.
fn last(place: &str) -> &str {
    let name = place.rsplit(['.', '>', ' ', '&', '*', '(']).next().unwrap_or(place);
    name.split('[').next().unwrap_or(name).trim_end_matches(')')
}

/// Adds the names in a text of C that stand next to operators on bits.
fn find(text: &str, names: &mut BTreeSet<String>) {
    let tokens = tokens(text);
    let is_name = |token: &str| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_operand =
        |token: &str| is_name(token) || token.starts_with(|c: char| c.is_ascii_digit() || ")]".contains(c));
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| tokens[before]);
        let is_binary = before.is_some_and(|before| is_operand(before) && before != "return");
        let takes_bits = match *token {
            "&" | "|" | "^" | "<<" | ">>" | "&=" | "|=" | "^=" | "<<=" | ">>=" => is_binary,
            "~" => true,
            _ => false,
        };
        if takes_bits {
            names.extend(before.filter(|before| is_binary && is_name(before)).map(str::to_owned));
            // How far something is shifted is a number.
            let is_shift = token.starts_with("<<") || token.starts_with(">>");
            names.extend(operand(&tokens[index + 1..]).filter(|_| !is_shift).map(str::to_owned));
        }
    }
}

/// The member or variable at the beginning of some tokens, unless it is called.
fn operand<'t>(tokens: &[&'t str]) -> Option<&'t str> {
    let is_name = |token: &str| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let (mut at, mut name) = (0, *tokens.first().filter(|token| is_name(token))?);
    while let (Some(&("." | "->")), Some(member)) = (tokens.get(at + 1), tokens.get(at + 2)) {
        (at, name) = (at + 2, member);
    }
    (tokens.get(at + 1) != Some(&"(")).then_some(name)
}

/// The tokens of a text, roughly: words, and operators of which those on bits are whole.
fn tokens(text: &str) -> Vec<&str> {
    const OPERATORS: [&str; 14] =
        ["<<=", ">>=", "&&", "||", "&=", "|=", "^=", "<<", ">>", "<=", ">=", "->", "==", "!="];
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map_or(0, |it| it.len());
        let (token, after) = rest.split_at(word.max(operator).max(first.len_utf8()));
        found.push(token);
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Masks, find};

    fn check(text: &str, expected: &[&str]) {
        let mut names = Default::default();
        find(text, &mut names);
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn what_is_masked_holds_bits() {
        check("if (status & 1u) return f(&x, a && b);", &["status"]);
        check("u->SR |= 1 << n; p[i] >> 3; return &y;", &["SR"]);
        check("a = ~mask & s.flags ^ q;", &["flags", "mask", "q"]);
        check("return (x & g(3)) << by;", &["x"]);
    }

    #[test]
    fn bits_are_hexadecimal() {
        let masks = Masks(["status".to_owned(), "SR".to_owned()].into());
        let spell = |place: &str, constant: &str| masks.spell(place, constant.to_owned());
        assert_eq!(spell("status", "128u"), "0x80u");
        assert_eq!(spell("status", "8u"), "8u");
        assert_eq!(spell("u[2].SR", "4294967295uL"), "0xffffffffuL");
        assert_eq!(spell("count", "128u"), "128u");
        assert_eq!(spell("&at_0x40011000.DR", "32u"), "0x20u");
        assert_eq!(spell("status", "-128"), "-128");
    }
}
