//! Formats of the printf and scanf families that the models understand.
//!
//! A program whose calls use other formats, or formats that are no literals, gets a mock instead of the model.

/// A family of functions with formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Text from values.
    Print,
    /// Values from text.
    Scan,
}

/// Whether the models understand a format.
pub fn is_understood(family: Family, format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        match directive(family, &rest[at + 1..]) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// What follows a directive that is understood.
fn directive(family: Family, text: &[u8]) -> Option<&[u8]> {
    let (before, conversions): (&[u8], &[u8]) = match family {
        Family::Print => (b"-+ #0123456789.*hljztq", b"diuxXocs%"),
        Family::Scan => (b"0123456789*hljzt", b"diuxXocsn%["),
    };
    let end = text.iter().position(|byte| !before.contains(byte))?;
    let is_wide = text[..end].contains(&b'l') && matches!(text[end], b'c' | b's' | b'[');
    let after = &text[end + 1..];
    match text[end] {
        _ if is_wide => None,
        b'[' => set(after),
        conversion => conversions.contains(&conversion).then_some(after),
    }
}

/// What follows a set of characters in brackets, of which the first may be the closing one.
fn set(text: &[u8]) -> Option<&[u8]> {
    let first = usize::from(text.first() == Some(&b'^')) + 1;
    let end = text.get(first..)?.iter().position(|byte| *byte == b']')?;
    text.get(first + end + 1..)
}

#[cfg(test)]
mod tests {
    use super::{Family, is_understood};

    #[test]
    fn integers_and_strings_are_understood_floats_are_not() {
        for format in ["", "plain", "%d%%", "%-08.3lx", "%*.*s", "%c"] {
            assert!(is_understood(Family::Print, format.as_bytes()), "{format}");
        }
        for format in ["%f", "%", "%p", "%ls", "%n", "%5"] {
            assert!(!is_understood(Family::Print, format.as_bytes()), "{format}");
        }
        for format in ["%d %2u", "%[^]a]%n", "%*s"] {
            assert!(is_understood(Family::Scan, format.as_bytes()), "{format}");
        }
        for format in ["%lf", "%[abc", "%lc"] {
            assert!(!is_understood(Family::Scan, format.as_bytes()), "{format}");
        }
    }
}
