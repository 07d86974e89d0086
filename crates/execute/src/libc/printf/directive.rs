//! Reading a directive: flags, width, precision, length, conversion.

use super::super::{Call, Trouble};
use super::Source;
use clew_ir::Target;
use clew_scalar::{Type, Value};

/// How wide an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Length {
    Default,
    Char,
    Short,
    Long,
    LongLong,
    Max,
    Size,
    LongDouble,
}

/// A conversion with all it says.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    pub(super) length: Length,
    pub(super) conversion: u8,
}

impl Directive {
    /// Reads the directive behind a `%`; gives what follows it.
    pub(super) fn read<'f>(
        text: &'f [u8],
        source: &mut Source,
        call: &mut Call<'_>,
    ) -> Result<(Directive, &'f [u8]), Trouble> {
        let mut directive = Directive {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Default,
            conversion: 0,
        };
        let mut rest = directive.read_flags(text);
        let (width, after) = number(rest, source, call)?;
        rest = after;
        if let Some(width) = width {
            directive.left |= width < 0;
            directive.width = width.unsigned_abs() as usize;
        }
        if let Some((b'.', after)) = rest.split_first() {
            let (precision, after) = number(after, source, call)?;
            rest = after;
            directive.precision = usize::try_from(precision.unwrap_or(0)).ok();
        }
        let (length, after) = read_length(rest);
        directive.length = length;
        match after.split_first() {
            Some((&conversion, after)) => {
                directive.conversion = conversion;
                Ok((directive, after))
            }
            None => Err(Trouble::Precondition("the format ends inside a directive".to_owned())),
        }
    }

    fn read_flags<'f>(&mut self, mut text: &'f [u8]) -> &'f [u8] {
        while let Some((&byte, after)) = text.split_first() {
            match byte {
                b'-' => self.left = true,
                b'+' => self.plus = true,
                b' ' => self.space = true,
                b'#' => self.alternate = true,
                b'0' => self.zero = true,
                // Grouping does nothing in the "C" locale.
                b'\'' | b'I' => {}
                _ => break,
            }
            text = after;
        }
        text
    }

    /// Bits of the integer the directive speaks of.
    pub(super) fn integer_width(&self, target: Target) -> u8 {
        match self.length {
            Length::Char => 8,
            Length::Short => 16,
            Length::Default => target.int_width,
            Length::Long => target.long_width,
            Length::LongLong | Length::Max | Length::LongDouble => 64,
            Length::Size => target.pointer_width,
        }
    }

    /// An argument as that integer. One that was passed narrower has zeros above, as in the register it came in.
    pub(super) fn narrow(&self, value: Value, target: Target) -> Value {
        Value::new(Type::Int(self.integer_width(target)), value.bits)
    }

    /// Appends a text padded with spaces to the width.
    pub(super) fn pad(&self, text: &[u8], out: &mut Vec<u8>) {
        self.pad_number(&[], text, false, out);
    }

    /// Appends a prefix and a text, padded to the width with spaces, or zeros in between.
    pub(super) fn pad_number(&self, prefix: &[u8], text: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + text.len());
        let fill = |out: &mut Vec<u8>, byte: u8| out.resize(out.len() + missing, byte);
        if !self.left && !zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(prefix);
        if !self.left && zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(text);
        if self.left {
            fill(out, b' ');
        }
    }

    /// The sign of a number, as the flags want it.
    pub(super) fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }
}

/// A decimal number or `*`, if there is one.
fn number<'f>(text: &'f [u8], source: &mut Source, call: &mut Call<'_>) -> Result<(Option<i64>, &'f [u8]), Trouble> {
    if let Some((b'*', after)) = text.split_first() {
        let value = source.next(call)?;
        return Ok((Some(value.signed() as i64), after));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if text.get(digits) == Some(&b'$') {
        return Err(Trouble::Unsupported("numbered arguments in a format".to_owned()));
    }
    let number = text[..digits]
        .iter()
        .fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Ok(((digits > 0).then_some(number), &text[digits..]))
}

/// A length modifier, and what follows it.
pub(in super::super) fn read_length(text: &[u8]) -> (Length, &[u8]) {
    let (length, size) = match text {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q', ..] => (Length::LongLong, 1),
        [b'j', ..] => (Length::Max, 1),
        [b'z' | b'Z' | b't', ..] => (Length::Size, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::Default, 0),
    };
    (length, &text[size..])
}
