//! Relations by name, as options give them: `permute(a, b, c)`, `permute(v[0..n]) -> class`, `round-trip(decode)`.
//!
//! `v[0..n]` are the `n` elements of `v`; `v[0..n-1]`, as ACSL writes it, are the same. Behind `->` stands what becomes of
//! the output; without it, it stays the same.

use clew_frontend::Diagnostic;
use clew_frontend::diagnostic::Place;
use std::ops::Range;

/// A name in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub at: Range<usize>,
}

/// What a relation speaks of: a parameter, perhaps with its number of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The parameter.
    pub name: Word,
    /// How many elements, in C.
    pub extent: Option<String>,
}

/// What is done to the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are permuted.
    Permute,
    /// Two of them are exchanged.
    Swap,
    /// They change their sign.
    Negate,
    /// One number is added to all of them.
    Shift,
    /// All of them are multiplied by one positive number.
    Scale,
    /// The output is the input of a second call, which changes nothing any more.
    Idempotent,
    /// The same, and it gives back the input.
    Involutive,
    /// Another function gives back the input.
    RoundTrip,
    /// Both orders of calling give the same.
    Commutes,
    /// A greater input does not give a smaller result.
    Monotone,
    /// Another function gives the same.
    Equivalent,
}

/// The names of relations, with what they are called in messages.
pub const KINDS: [(&str, Kind); 12] = [
    ("permute", Kind::Permute),
    ("swap", Kind::Swap),
    ("negate", Kind::Negate),
    ("shift", Kind::Shift),
    ("scale", Kind::Scale),
    ("idempotent", Kind::Idempotent),
    ("involutive", Kind::Involutive),
    ("round-trip", Kind::RoundTrip),
    ("inverse", Kind::RoundTrip),
    ("commutes", Kind::Commutes),
    ("monotone", Kind::Monotone),
    ("equivalent", Kind::Equivalent),
];

/// What becomes of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// It stays the same.
    Unchanged,
    /// An array moves as the input does.
    Moved,
    /// An array has the same elements, in some order.
    Class,
    /// The result is a position that moves along.
    Index,
    /// The result changes its sign; a monotone function falls.
    Negated,
    /// The same number is added to the result.
    Shifted,
    /// The result is multiplied by the same number.
    Scaled,
}

const OUTPUTS: [(&str, Output); 9] = [
    ("unchanged", Output::Unchanged),
    ("invariant", Output::Unchanged),
    ("same", Output::Moved),
    ("class", Output::Class),
    ("index", Output::Index),
    ("negated", Output::Negated),
    ("falling", Output::Negated),
    ("shifted", Output::Shifted),
    ("scaled", Output::Scaled),
];

/// A relation as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The whole text.
    pub text: String,
    /// What is done to the inputs.
    pub kind: Kind,
    /// Where its name stands.
    pub at: Range<usize>,
    /// What is between the parentheses.
    pub operands: Vec<Operand>,
    /// What becomes of the output.
    pub output: Output,
    /// The array of which that is said.
    pub output_of: Option<Word>,
}

impl Relation {
    /// What is wrong at a place of the text.
    pub fn error(&self, at: &Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
        error(&self.text, at, message.into())
    }

    /// A name for the harness.
    pub fn label(&self) -> &'static str {
        match self.kind {
            Kind::Permute => "permute",
            Kind::Swap => "swap",
            Kind::Negate => "negate",
            Kind::Shift => "shift",
            Kind::Scale => "scale",
            Kind::Idempotent => "idempotent",
            Kind::Involutive => "involutive",
            Kind::RoundTrip => "round_trip",
            Kind::Commutes => "commutes",
            Kind::Monotone => "monotone",
            Kind::Equivalent => "equivalent",
        }
    }
}

fn error(text: &str, at: &Range<usize>, message: String) -> Box<Diagnostic> {
    let place = Place::Text { origin: "--symmetry".to_owned(), text: text.to_owned(), range: at.clone() };
    Box::new(Diagnostic::error(place, message))
}

/// Reads a relation.
///
/// # Errors
/// When the text is none.
pub fn parse(text: &str) -> Result<Relation, Box<Diagnostic>> {
    let (head, tail) = match text.split_once("->") {
        Some((head, tail)) => (head, Some((tail, head.len() + 2))),
        None => (text, None),
    };
    let name = word(head.split('(').next().unwrap_or_default(), 0);
    let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name.text) else {
        let known: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
        let mut unknown = error(text, &name.at, format!("there is no relation `{}`", name.text));
        unknown.help = Some(format!("there are {}; or write it in C: `--relation NAME`", known.join(", ")));
        return Err(unknown);
    };
    let operands = operands(text, head, name.at.end)?;
    let (output, output_of) = match tail {
        None => (Output::Unchanged, None),
        Some((tail, at)) => output(text, tail, at)?,
    };
    let relation = Relation { text: text.to_owned(), kind: *kind, at: name.at, operands, output, output_of };
    check_number(&relation)?;
    Ok(relation)
}

/// Whether there are as many operands as the relation wants.
fn check_number(relation: &Relation) -> Result<(), Box<Diagnostic>> {
    let number = relation.operands.len();
    let (fits, wanted) = match relation.kind {
        Kind::Permute => (number >= 1, "the parameters that are permuted"),
        Kind::Swap => (number == 2, "two parameters"),
        Kind::Negate | Kind::Shift | Kind::Scale => (number >= 1, "a parameter"),
        Kind::Idempotent | Kind::Involutive => (number <= 1, "at most one parameter"),
        Kind::RoundTrip | Kind::Commutes | Kind::Equivalent => (number == 1, "a function"),
        Kind::Monotone => (number == 1, "one parameter"),
    };
    if fits { Ok(()) } else { Err(relation.error(&relation.at, format!("this relation wants {wanted}"))) }
}

/// A word without the spaces around it.
fn word(text: &str, start: usize) -> Word {
    let before = text.len() - text.trim_start().len();
    let text = text.trim();
    Word { text: text.to_owned(), at: start + before..start + before + text.len() }
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What is between the parentheses that follow the name.
fn operands(text: &str, head: &str, after: usize) -> Result<Vec<Operand>, Box<Diagnostic>> {
    let rest = head[after..].trim_end();
    let opening = rest.len() - rest.trim_start().len();
    let rest = rest.trim_start();
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return Err(error(text, &(after..head.trim_end().len().max(after + 1)), "expected `(...)`".to_owned()));
    };
    let mut start = after + opening + 1;
    let mut all = Vec::new();
    for piece in inner.split(',').filter(|_| !inner.trim().is_empty()) {
        all.push(operand(text, piece, start)?);
        start += piece.len() + 1;
    }
    Ok(all)
}

/// A parameter, perhaps with a range.
fn operand(text: &str, piece: &str, start: usize) -> Result<Operand, Box<Diagnostic>> {
    let name = word(piece.split('[').next().unwrap_or_default(), start);
    if !is_name(&name.text) {
        let at = if name.text.is_empty() { start..start + piece.len().max(1) } else { name.at };
        return Err(error(text, &at, "expected the name of a parameter".to_owned()));
    }
    let Some((_, range)) = piece.split_once('[') else { return Ok(Operand { name, extent: None }) };
    let whole = word(piece, start).at;
    let Some(range) = range.trim().strip_suffix(']') else {
        return Err(error(text, &whole, "expected `]`".to_owned()));
    };
    let high = match range.split_once("..") {
        Some((low, high)) if low.trim() == "0" && !high.trim().is_empty() => high.trim(),
        _ => return Err(error(text, &whole, "expected a range that begins at 0, such as `v[0..n]`".to_owned())),
    };
    let squeezed: String = high.chars().filter(|c| !c.is_whitespace()).collect();
    let extent = squeezed.strip_suffix("-1").unwrap_or(&squeezed).to_owned();
    if !is_name(&extent) && extent.parse::<u32>().is_err() {
        let message = "the number of elements is a parameter or a number".to_owned();
        return Err(error(text, &whole, message));
    }
    Ok(Operand { name, extent: Some(extent) })
}

/// What stands behind the arrow.
fn output(text: &str, tail: &str, start: usize) -> Result<(Output, Option<Word>), Box<Diagnostic>> {
    let name = word(tail.split('(').next().unwrap_or_default(), start);
    let Some((_, output)) = OUTPUTS.iter().find(|(known, _)| *known == name.text) else {
        let known: Vec<&str> = OUTPUTS.iter().map(|(known, _)| *known).collect();
        let mut unknown = error(text, &name.at, format!("an output cannot be `{}`", name.text));
        unknown.help = Some(format!("it can be {}", known.join(", ")));
        return Err(unknown);
    };
    let after = name.at.end - start;
    let inner = tail[after..].trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let open = tail[after..].find('(').map_or(0, |at| start + after + at + 1);
    match inner.map(|inner| word(inner, open)) {
        Some(of) if !is_name(&of.text) => Err(error(text, &of.at, "expected the name of a parameter".to_owned())),
        of => Ok((*output, of)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Output, parse};

    #[test]
    fn relations_are_read() {
        let relation = parse("permute(v[0..n], w[0 .. n-1]) -> same(w)").expect("it is one");
        assert_eq!((relation.kind, relation.output), (Kind::Permute, Output::Moved));
        let extents: Vec<_> = relation.operands.iter().map(|it| it.extent.as_deref()).collect();
        assert_eq!(extents, [Some("n"), Some("n")]);
        assert_eq!(relation.output_of.expect("it is named").at, 38..39);
        assert!(parse("idempotent").expect("it is one").operands.is_empty());
    }

    #[test]
    fn mistakes_are_pointed_at() {
        for (text, range) in [
            ("permutes(a)", 0..8),
            ("permute(a, 1b)", 11..13),
            ("permute(v[1..n])", 8..15),
            ("swap(a)", 0..4),
            ("permute(a, b) -> moved", 17..22),
        ] {
            let diagnostic = parse(text).expect_err("it is none");
            let clew_frontend::diagnostic::Place::Text { range: found, .. } = diagnostic.place else { panic!() };
            assert_eq!(found, range, "{text}");
        }
    }
}
