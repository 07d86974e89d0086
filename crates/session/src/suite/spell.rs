//! Values of a suite as a reader of C writes them, on one line.
//!
//! Members that are zero are left out, the single object behind a pointer has no braces of its own, characters are text.

use super::value::Typed;
use crate::ctext::literal;
use serde_json::Value as Json;

/// `name = value`.
pub(super) fn equation(typed: &Typed) -> String {
    let value = match (&typed.value, text(typed)) {
        (_, Some(text)) => text,
        (Json::Array(elements), _) if typed.name.starts_with('*') && elements.len() == 1 => value(&elements[0]),
        (whole, _) => value(whole),
    };
    format!("{} = {value}", typed.name)
}

/// Whether a pointer leads to what is named after it.
pub(super) fn goes_without_saying(typed: &Typed) -> bool {
    typed.value.as_str().and_then(|value| value.strip_prefix("&*")) == Some(&typed.name)
}

/// An array of characters as text, if it is some.
fn text(typed: &Typed) -> Option<String> {
    let is_text = typed.ty.trim_start_matches("const ").starts_with("char[");
    let elements = typed.value.as_array().filter(|_| is_text)?;
    let bytes: Option<Vec<u8>> = elements.iter().map(|element| u8::try_from(element.as_i64()?).ok()).collect();
    literal::string(&bytes?)
}

fn value(value: &Json) -> String {
    match value {
        Json::Null => "NULL".to_owned(),
        // What a pointer leads to is named after it.
        Json::String(text) => text.strip_prefix("&*").filter(|name| !name.contains('+')).unwrap_or(text).to_owned(),
        Json::Array(elements) => braces(elements.iter().map(self::value)),
        Json::Object(members) => {
            let told = members.iter().filter(|(_, member)| !is_zero(member));
            braces(told.map(|(name, member)| format!(".{name} = {}", self::value(member))))
        }
        _ => value.to_string(),
    }
}

fn braces(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", parts.join(", ")) }
}

fn is_zero(value: &Json) -> bool {
    match value {
        Json::Null => true,
        // Floats, and many elements of which one is told.
        Json::String(text) => {
            let is_many = |(one, _): (&str, &str)| one.chars().all(|c| "[]0,".contains(c));
            text == "0x0p+0" || text.split_once(" ×").is_some_and(is_many)
        }
        Json::Array(elements) => elements.iter().all(is_zero),
        Json::Object(members) => members.values().all(is_zero),
        _ => value.as_i64() == Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Typed, equation, goes_without_saying};
    use serde_json::json;

    fn check(name: &str, ty: &str, value: serde_json::Value, expected: &str) {
        assert_eq!(equation(&Typed { name: name.to_owned(), ty: ty.to_owned(), value }), expected);
    }

    #[test]
    fn pointers_to_what_has_their_name_are_plain() {
        let pointer = |value: &str| Typed { name: "p".to_owned(), ty: "node *".to_owned(), value: value.into() };
        assert!(goes_without_saying(&pointer("&*p")));
        assert!(!goes_without_saying(&pointer("&*q")) && !goes_without_saying(&pointer("&*p+4")));
    }

    #[test]
    fn values_are_spelled_as_in_c() {
        check("x", "int", json!(-3), "x = -3");
        check("p", "node *", json!(null), "p = NULL");
        check("p", "node *", json!("&*p+4"), "p = &*p+4");
        check("q", "node *", json!("&*p"), "q = p");
        check("*a", "int[2]", json!([1, 2]), "*a = {1, 2}");
        check("*a", "int[0]", json!([]), "*a = {0}");
        check("*s", "const char[3]", json!([104, 10, 0]), "*s = \"h\\n\"");
        check("*s", "char[2]", json!([104, -1]), "*s = {104, -1}");
        check("*p", "node[1]", json!([{"key": 3, "next": null, "room": [0, 0]}]), "*p = {.key = 3}");
        check("*p", "node[1]", json!([{"key": 0, "all": "0 × 4096", "rows": "[0,0] × 64"}]), "*p = {0}");
    }
}
