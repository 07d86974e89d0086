//! Constants of enumerations that no lowered code mentions.
//!
//! The program keeps the types it uses; `enum { LIMIT = 100 };` leaves nothing behind but the number 100 in the code. Its
//! names are read from the text instead. A value that is not plain arithmetic on numbers and earlier constants leaves
//! its name, and those counted on from it, unknown.

use super::ctext::{Word, Words};
use super::syntax::{Binary, Expr, ExprKind, Unary};
use super::{lex, parse};
use std::collections::{BTreeMap, BTreeSet};

/// The constants of a text with their values. A name with two meanings has none.
pub(super) fn constants(text: &str) -> BTreeMap<String, i128> {
    let mut found = BTreeMap::new();
    let mut words = Words { text, position: 0 };
    while let Some(word) = words.next() {
        if word == Word::Name("enum") && enters_list(&mut words) {
            list(&mut words, &mut found);
        }
    }
    found.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Whether a brace follows, after a tag and attributes.
fn enters_list(words: &mut Words<'_>) -> bool {
    loop {
        match words.next() {
            Some(Word::Name("__attribute__")) => words.skip_brackets(),
            Some(Word::Name(_) | Word::Punct(b':')) => {}
            Some(Word::Punct(b'{')) => return true,
            _ => return false,
        }
    }
}

fn list(words: &mut Words<'_>, found: &mut BTreeMap<String, Option<i128>>) {
    let mut next = Some(0);
    while let Some(Word::Name(name)) = words.next() {
        let mut end = words.next();
        if end == Some(Word::Name("__attribute__")) {
            words.skip_brackets();
            end = words.next();
        }
        if end == Some(Word::Punct(b'=')) {
            let start = words.position;
            end = skip_value(words);
            next = value(&words.text[start..words.position - 1], found);
        }
        found.entry(name.to_owned()).and_modify(|known| *known = known.filter(|_| *known == next)).or_insert(next);
        next = next.and_then(|value| value.checked_add(1));
        if end != Some(Word::Punct(b',')) {
            return;
        }
    }
}

/// Skips to the comma or brace that ends a value.
fn skip_value<'a>(words: &mut Words<'a>) -> Option<Word<'a>> {
    let mut depth = 0;
    loop {
        let word = words.next()?;
        match word {
            Word::Punct(b'(') => depth += 1,
            Word::Punct(b')') => depth -= 1,
            Word::Punct(b',' | b'}') if depth == 0 => return Some(word),
            _ => {}
        }
    }
}

fn value(text: &str, known: &BTreeMap<String, Option<i128>>) -> Option<i128> {
    let tokens = lex::tokens(text, 0, &BTreeMap::new()).ok()?;
    evaluate(&parse::expression(&tokens, &BTreeSet::new()).ok()?, known)
}

fn evaluate(expr: &Expr, known: &BTreeMap<String, Option<i128>>) -> Option<i128> {
    match &*expr.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Name(name) => *known.get(name)?,
        ExprKind::Unary(Unary::Neg, a) => evaluate(a, known)?.checked_neg(),
        ExprKind::Unary(Unary::Plus, a) => evaluate(a, known),
        ExprKind::Unary(Unary::BitNot, a) => Some(!evaluate(a, known)?),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (evaluate(a, known)?, evaluate(b, known)?);
            match op {
                Binary::Add => a.checked_add(b),
                Binary::Sub => a.checked_sub(b),
                Binary::Mul => a.checked_mul(b),
                Binary::Div => a.checked_div(b),
                Binary::Rem => a.checked_rem(b),
                Binary::Shl => u32::try_from(b).ok().filter(|by| *by < 64).and_then(|by| a.checked_shl(by)),
                Binary::Shr => u32::try_from(b).ok().filter(|by| *by < 64).map(|by| a >> by),
                Binary::BitAnd => Some(a & b),
                Binary::BitOr => Some(a | b),
                Binary::BitXor => Some(a ^ b),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::constants;

    #[test]
    fn values() {
        let text =
            "enum { A, B = 5, C, D = (B << 2) | 1, E = sizeof(int), F, G = -1 } x; enum t y; enum z { A = 3, H };";
        let found: Vec<String> = constants(text).iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(found, ["B=5", "C=6", "D=21", "G=-1", "H=4"]);
    }
}
