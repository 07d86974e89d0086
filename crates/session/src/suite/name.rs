//! The name of a test, from what it is for: `test_parse_returns_minus_22_for_negative_length`.
//!
//! It says how the call ends and on which condition. The condition is the one that the objectives of the test are about,
//! or else the last one on its path. Comparisons are told in words; what is left of an expression is its identifiers.

use super::source;
use crate::ctext::{identifier, literal};
use clew_execute::{Ending, Event, Observation};
use clew_ir::{CType, FunctionId, Param, Program, TerminatorKind};

/// The longest name of a test, without that of its function.
const LONGEST: usize = 56;

/// What a test is named after.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'t> {
    /// The function under test.
    pub function: FunctionId,
    /// The objectives the test was made for, in words.
    pub purpose: &'t [String],
    /// What was observed.
    pub observation: &'t Observation,
}

/// The name that a test should have.
pub fn name(program: &Program, deed: &Deed<'_>) -> String {
    let outcome = ending(deed.observation).or_else(|| returned(program, deed));
    let words = [outcome, telling(program, deed).map(|event| reason(program, event))];
    let words = identifier(&words.into_iter().flatten().collect::<Vec<_>>().join(" ")).to_lowercase();
    let mut short: String = words.chars().take(LONGEST).collect();
    if short.len() < words.len() {
        // A name that is cut ends with a whole word.
        short.truncate(short.rfind('_').unwrap_or(short.len()));
    }
    let function = &program.functions[deed.function].name;
    format!("test_{function}_{short}").trim_end_matches('_').to_owned()
}

/// How a call ends that does not return.
fn ending(observation: &Observation) -> Option<String> {
    match observation.ending {
        Ending::Returned | Ending::Sanitizer(_) => None,
        Ending::Stopped => Some("stops".to_owned()),
        Ending::Exited(status) => Some(format!("exits with {status}")),
        Ending::Signalled(6) => Some("aborts".to_owned()),
        Ending::Signalled(_) => Some("crashes".to_owned()),
        Ending::TimedOut => Some("runs on".to_owned()),
    }
}

/// `returns 3`, of a small integer, a letter, a truth value, a null pointer or the name of a number.
fn returned(program: &Program, deed: &Deed<'_>) -> Option<String> {
    let ctypes = &program.ctypes;
    let CType::Function { returns, .. } = ctypes.get(program.functions[deed.function].ty) else { return None };
    let bytes = &deed.observation.result;
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let value = literal::integer(bytes);
    let value = match ctypes.is_signed(*returns) {
        true => literal::sign_extend(bytes.len() as u8 * 8, value),
        false => value as i128,
    };
    match ctypes.get(*returns) {
        CType::Int { name: "char", .. } => {
            let letter = u8::try_from(value).ok().filter(u8::is_ascii_graphic);
            if let Some(letter) = letter {
                return letter.is_ascii_alphanumeric().then(|| format!("returns {}", char::from(letter)));
            }
        }
        CType::Enum { enumerators, .. } => {
            let named = enumerators.iter().find(|(_, number)| *number == value);
            return named.map(|(name, _)| format!("returns {name}"));
        }
        CType::Pointer(_) => return (value == 0).then(|| "returns null".to_owned()),
        CType::Bool => return Some(format!("returns {}", value != 0)),
        CType::Int { .. } => {}
        _ => return None,
    }
    let minus = if value < 0 { "minus " } else { "" };
    (value.abs() <= 9999).then(|| format!("returns {minus}{}", value.abs()))
}

/// The branch that says most about a test: the last one that its purposes quote, one that leaves no loop before others;
/// or else the last one.
fn telling<'t>(program: &Program, deed: &Deed<'t>) -> Option<&'t Event> {
    let path = || deed.observation.path.iter().rev();
    let is_quoted = |event: &Event| deed.purpose.iter().any(|purpose| quotes(program, purpose, event));
    let inside = path().find(|event| is_quoted(event) && !leaves_loop(program, event));
    inside.or_else(|| path().find(|event| is_quoted(event))).or_else(|| path().next())
}

/// Whether a purpose speaks of a branch: of the condition with that outcome, of the decision that it is part of, or of the
/// arm of the `switch`.
fn quotes(program: &Program, purpose: &str, event: &Event) -> bool {
    match *event {
        Event::Condition { function, condition, outcome } => {
            let body = &program.functions[function];
            let text = source(program, body.conditions[condition].span);
            let whole = source(program, body.decisions[body.conditions[condition].decision].span);
            let is_contrary = purpose.ends_with(if outcome { "` false" } else { "` true" })
                || purpose.contains(if outcome { " the false side of `" } else { " the true side of `" });
            let is_part = text != whole && purpose.contains(&format!("`{whole}`"));
            is_part || !is_contrary && purpose.contains(&format!("`{text}`"))
        }
        Event::Switch { function, decision, arm } => {
            let body = &program.functions[function];
            let text = source(program, body.decisions[decision].span);
            let arm = clew_coverage::words::arm(program, body, decision, arm);
            purpose.contains(&format!("{arm} of `switch ({text})`"))
        }
    }
}

/// Whether a branch leads straight out of a loop.
fn leaves_loop(program: &Program, event: &Event) -> bool {
    let Event::Condition { function, condition: own, outcome } = *event else { return false };
    let body = &program.functions[function];
    let to = body.blocks.values().find_map(|block| match block.terminator.kind {
        TerminatorKind::Branch { condition: Some(condition), then, otherwise, .. } if condition == own => {
            Some(if outcome { then } else { otherwise })
        }
        _ => None,
    });
    to.is_some_and(|to| body.loops.values().any(|item| item.exit == to))
}

/// What a name says of a branch: `for negative length`, `if c is tab`.
fn reason(program: &Program, event: &Event) -> String {
    match *event {
        Event::Condition { function, condition, outcome } => {
            let body = &program.functions[function];
            let text = source(program, body.conditions[condition].span);
            let (name, is_given) = match stripped(&text).strip_prefix('!') {
                Some(inner) => (stripped(inner), !outcome),
                None => (stripped(&text), outcome),
            };
            let is_pointer = |param: &Param| param.name == name && is_pointer(program, param);
            match (body.params.iter().any(is_pointer), is_given) {
                (true, true) => format!("if {name} is not null"),
                (true, false) => format!("for null {name}"),
                (false, _) => told(&text, outcome),
            }
        }
        Event::Switch { function, decision, arm } => {
            let text = spoken(&source(program, program.functions[function].decisions[decision].span));
            let arm = clew_coverage::words::arm(program, &program.functions[function], decision, arm);
            match arm.strip_prefix("case ") {
                Some(value) => format!("if {text} is {}", spoken(&value.replace("...", " to "))),
                None if arm == "the default" => format!("for other {text}"),
                None => format!("if {text} is {}", arm.trim_start_matches("the ")),
            }
        }
    }
}

fn is_pointer(program: &Program, param: &Param) -> bool {
    matches!(program.ctypes.get(param.ty), CType::Pointer(_))
}

/// Comparisons, each with its contrary; those that begin like another come first.
const COMPARISONS: [(&str, &str); 6] = [("<=", ">"), (">=", "<"), ("==", "!="), ("!=", "=="), ("<", ">="), (">", "<=")];

/// A condition that is true or false, in words.
fn told(text: &str, outcome: bool) -> String {
    let text = stripped(text);
    if let Some(inner) = text.strip_prefix('!').filter(|inner| !inner.starts_with('=') && comparison(inner).is_none()) {
        return told(inner, !outcome);
    }
    let Some((left, sign, right)) = comparison(text) else {
        let not = if outcome { "" } else { "not " };
        return format!("if {not}{}", spoken(text));
    };
    let contrary = || COMPARISONS.iter().find(|(other, _)| *other == sign).map_or(sign, |(_, contrary)| contrary);
    let sign = if outcome { sign } else { contrary() };
    let subject = spoken(left);
    match (sign, stripped(right)) {
        ("<", "0") => format!("for negative {subject}"),
        (">", "0") => format!("for positive {subject}"),
        (">=", "0") => format!("if {subject} is not negative"),
        ("<=", "0") => format!("if {subject} is not positive"),
        ("==", "NULL") => format!("for null {subject}"),
        ("!=", "NULL") => format!("if {subject} is not null"),
        (sign, right) => format!("if {subject} {} {}", verb(sign), spoken(right)),
    }
}

fn verb(sign: &str) -> &'static str {
    match sign {
        "==" => "is",
        "!=" => "is not",
        "<" => "below",
        "<=" => "at most",
        ">" => "above",
        _ => "at least",
    }
}

/// A text without parentheses around all of it.
fn stripped(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closes_early = inner.bytes().any(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        depth < 0
    });
    if closes_early { text } else { stripped(inner) }
}

/// The sides of the only comparison outside parentheses, if no other operator stands above it.
fn comparison(text: &str) -> Option<(&str, &'static str, &str)> {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut found) = (0usize, 0, None);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            // A quote that a character or string begins is skipped with it.
            quote @ (b'\'' | b'"') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            _ if depth > 0 => {}
            b'?' | b',' => return None,
            _ if ["&&", "||", "->", "<<", ">>"].iter().any(|sign| bytes[at..].starts_with(sign.as_bytes())) => {
                if matches!(bytes[at], b'&' | b'|') {
                    return None;
                }
                at += 1;
            }
            _ => {
                let sign = COMPARISONS.iter().find(|(sign, _)| bytes[at..].starts_with(sign.as_bytes()));
                if let Some((sign, _)) = sign {
                    if found.is_some() {
                        return None;
                    }
                    found = Some((at, *sign));
                    at += sign.len() - 1;
                } else if bytes[at] == b'=' {
                    return None;
                }
            }
        }
        at += 1;
    }
    let (at, sign) = found?;
    Some((&text[..at], sign, &text[at + sign.len()..]))
}

/// Operators as words, longest first.
const OPERATORS: [(&str, &str); 19] = [
    ("<=", "at most"),
    (">=", "at least"),
    ("==", "is"),
    ("!=", "is not"),
    ("&&", "and"),
    ("||", "or"),
    (" & ", "and"),
    (" | ", "or"),
    ("->", " "),
    ("<<", "shl"),
    (">>", "shr"),
    ("<", "below"),
    (">", "above"),
    ("!", "not"),
    ("%", "mod"),
    ("+", "plus"),
    ("/", "by"),
    ("-", "minus"),
    ("~", "inverted"),
];

/// Characters that have a name.
const CHARACTERS: [(&str, &str); 36] = [
    ("'\\t'", "tab"),
    ("' '", "space"),
    ("'\\0'", "nul"),
    ("'\\n'", "newline"),
    ("'\\r'", "return"),
    ("'\\\\'", "backslash"),
    ("'\\''", "quote"),
    ("'\"'", "double quote"),
    ("'.'", "dot"),
    ("','", "comma"),
    ("':'", "colon"),
    ("';'", "semicolon"),
    ("'!'", "exclamation mark"),
    ("'?'", "question mark"),
    ("'#'", "hash"),
    ("'$'", "dollar"),
    ("'%'", "percent"),
    ("'&'", "ampersand"),
    ("'|'", "bar"),
    ("'('", "opening parenthesis"),
    ("')'", "closing parenthesis"),
    ("'['", "opening bracket"),
    ("']'", "closing bracket"),
    ("'{'", "opening brace"),
    ("'}'", "closing brace"),
    ("'*'", "star"),
    ("'+'", "plus"),
    ("'-'", "minus"),
    ("'/'", "slash"),
    ("'<'", "less"),
    ("'>'", "greater"),
    ("'='", "equals"),
    ("'@'", "at"),
    ("'^'", "caret"),
    ("'_'", "underscore"),
    ("'~'", "tilde"),
];

/// An expression in words, as far as it has some.
fn spoken(text: &str) -> String {
    CHARACTERS.iter().chain(&OPERATORS).fold(text.to_owned(), |text, (sign, word)| match text.contains(sign) {
        true => text.replace(sign, &format!(" {word} ")),
        false => text,
    })
}

#[cfg(test)]
mod tests {
    use super::{comparison, told};
    use crate::ctext::identifier;

    #[test]
    fn conditions_are_told_in_words() {
        let told = |text: &str, outcome| identifier(&told(text, outcome));
        assert_eq!(told("length < 0", true), "for_negative_length");
        assert_eq!(told("length < 0", false), "if_length_is_not_negative");
        assert_eq!(told("!(p->next != NULL)", true), "for_null_p_next");
        assert_eq!(told("a[i] <= 2.5f", false), "if_a_i_above_2_5f");
        assert_eq!(told(r"c == '\t'", true), "if_c_is_tab");
        assert_eq!(told("s[i] == '<'", true), "if_s_i_is_less");
        assert_eq!(told("!found", false), "if_found");
        assert_eq!(told("(x & 3)", false), "if_not_x_and_3");
    }

    #[test]
    fn only_one_comparison_is_turned_around() {
        assert_eq!(comparison("a < b"), Some(("a ", "<", " b")));
        assert_eq!(comparison("p->a >= f(b < c)"), Some(("p->a ", ">=", " f(b < c)")));
        assert_eq!(comparison("a << 2"), None);
        assert_eq!(comparison("(a < b) == c"), Some(("(a < b) ", "==", " c")));
        for none in ["a < b == c", "a && b < c", "a = b", "a ? b < c : d", "'<'"] {
            assert_eq!(comparison(none), None, "{none}");
        }
    }
}
