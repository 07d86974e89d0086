//! The `scanf` family.

use super::parse;
use super::printf::{Length, Source, read_length};
use super::{Call, Plain, Reply, Trouble, int};
use crate::machine::to_memory;
use clew_scalar::{Format, Type};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("fscanf", |call| from_file(call, false)),
    ("scanf", |call| from_stdin(call, false)),
    ("sscanf", |call| from_string(call, false)),
    ("vfscanf", |call| from_file(call, true)),
    ("vscanf", |call| from_stdin(call, true)),
    ("vsscanf", |call| from_string(call, true)),
];

const EOF: i64 = -1;

fn from_string(call: &mut Call<'_>, list: bool) -> Reply {
    let text = call.string(0)?;
    let (count, _) = scan(call, 1, list, &text)?;
    int(count)
}

fn from_file(call: &mut Call<'_>, list: bool) -> Reply {
    let file = call.address(0)?;
    from_stream(call, file, 1, list)
}

fn from_stdin(call: &mut Call<'_>, list: bool) -> Reply {
    let file = call.library.files.standard_input();
    from_stream(call, file, 0, list)
}

/// Reads all that is left of the stream and gives back what was not used.
fn from_stream(call: &mut Call<'_>, file: u64, format: usize, list: bool) -> Reply {
    let mut text = Vec::new();
    while let Some(byte) = super::stdio::read(call, file)? {
        text.push(byte);
    }
    let (count, used) = scan(call, format, list, &text)?;
    if let Some(file) = call.library.files.get(file) {
        for &byte in text[used.min(text.len())..].iter().rev() {
            file.push_back(byte);
        }
    }
    int(count)
}

/// Matches a format against a text; gives the number of items stored (or `EOF`) and how much of the text was used.
fn scan(call: &mut Call<'_>, format: usize, list: bool, text: &[u8]) -> Result<(i64, usize), Trouble> {
    let mut source = Source::after(call, format, list)?;
    let format = call.string(format)?;
    let mut scanner = Scanner { text, at: 0, stored: 0, matched: false };
    let mut rest = &format[..];
    while let Some((&byte, after)) = rest.split_first() {
        let going_on = match byte {
            b'%' => {
                let (directive, after) = Directive::read(after)?;
                rest = after;
                scanner.convert(call, &directive, &mut source)?
            }
            byte if is_space(byte) => {
                rest = after;
                scanner.skip_spaces();
                true
            }
            byte => {
                rest = after;
                scanner.literal(byte)
            }
        };
        if !going_on {
            let ended = scanner.at >= text.len() && !scanner.matched;
            return Ok((if ended { EOF } else { scanner.stored }, scanner.at));
        }
    }
    Ok((scanner.stored, scanner.at))
}

/// A conversion of a `scanf` format.
struct Directive<'f> {
    suppressed: bool,
    width: Option<usize>,
    length: Length,
    conversion: u8,
    /// Of `%[`, the set between the brackets.
    set: &'f [u8],
}

impl<'f> Directive<'f> {
    fn read(text: &'f [u8]) -> Result<(Directive<'f>, &'f [u8]), Trouble> {
        let suppressed = text.first() == Some(&b'*');
        let text = &text[usize::from(suppressed)..];
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width =
            text[..digits].iter().fold(0_usize, |number, digit| number.saturating_mul(10) + usize::from(digit - b'0'));
        let (length, text) = read_length(&text[digits..]);
        let Some((&conversion, mut text)) = text.split_first() else {
            return Err(Trouble::Precondition("the format ends inside a directive".to_owned()));
        };
        let mut set: &[u8] = &[];
        if conversion == b'[' {
            let first = usize::from(text.first() == Some(&b'^'));
            // A bracket that comes first belongs to the set.
            let end = text.iter().skip(first + 1).position(|&byte| byte == b']').map(|at| at + first + 1);
            let end = end.ok_or_else(|| Trouble::Precondition("the set of `%[` has no end".to_owned()))?;
            set = &text[..end];
            text = &text[end + 1..];
        }
        Ok((Directive { suppressed, width: (digits > 0).then_some(width), length, conversion, set }, text))
    }

    /// Whether a byte belongs to the set of `%[`.
    fn admits(&self, byte: u8) -> bool {
        let (negated, set) = match self.set.split_first() {
            Some((b'^', rest)) => (true, rest),
            _ => (false, self.set),
        };
        let mut found = false;
        let mut at = 0;
        while at < set.len() {
            if at + 2 < set.len() && set[at + 1] == b'-' {
                found |= (set[at]..=set[at + 2]).contains(&byte);
                at += 3;
            } else {
                found |= set[at] == byte;
                at += 1;
            }
        }
        found != negated
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    stored: i64,
    /// Whether any conversion succeeded, stored or not.
    matched: bool,
}

impl Scanner<'_> {
    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    fn literal(&mut self, byte: u8) -> bool {
        let same = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(same);
        same
    }

    /// Does a conversion; `false` ends the scan.
    fn convert(
        &mut self,
        call: &mut Call<'_>,
        directive: &Directive<'_>,
        source: &mut Source,
    ) -> Result<bool, Trouble> {
        if !matches!(directive.conversion, b'c' | b'[' | b'n') {
            self.skip_spaces();
        }
        match directive.conversion {
            b'%' => return Ok(self.literal(b'%')),
            b'n' => {
                let place = source.next(call)?.bits as u64;
                let width = integer_width(directive.length, call);
                call.memory.store_number(place, usize::from(width / 8), self.at as u128)?;
                return Ok(true);
            }
            _ if self.at >= self.text.len() => return Ok(false),
            _ => {}
        }
        match directive.conversion {
            b'd' | b'u' => self.integer(call, directive, source, 10),
            b'i' => self.integer(call, directive, source, 0),
            b'o' => self.integer(call, directive, source, 8),
            b'x' | b'X' | b'p' => self.integer(call, directive, source, 16),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.floating(call, directive, source),
            b's' => self.run(call, directive, source, |byte| !is_space(byte), true),
            b'[' => self.run(call, directive, source, |byte| directive.admits(byte), true),
            b'c' => {
                let width = directive.width.unwrap_or(1);
                let enough = self.text.len() - self.at >= width;
                Ok(enough && self.run(call, directive, source, |_| true, false)?)
            }
            other => Err(Trouble::Precondition(format!("unknown conversion `%{}`", char::from(other)))),
        }
    }

    fn window(&self, directive: &Directive<'_>) -> &[u8] {
        let rest = &self.text[self.at..];
        &rest[..rest.len().min(directive.width.unwrap_or(usize::MAX))]
    }

    fn integer(
        &mut self,
        call: &mut Call<'_>,
        directive: &Directive<'_>,
        source: &mut Source,
        base: i64,
    ) -> Result<bool, Trouble> {
        let read = parse::integer(self.window(directive), base).expect("the base is one of C's");
        if read.length == 0 {
            return Ok(false);
        }
        let bits = if read.negative { read.magnitude.wrapping_neg() } else { read.magnitude };
        let width = if directive.conversion == b'p' {
            8 * call.pointer_bytes() as u8
        } else {
            integer_width(directive.length, call)
        };
        self.finish(call, directive, source, read.length, |call, place| {
            Ok(call.memory.store_number(place, usize::from(width / 8), bits)?)
        })
    }

    fn floating(
        &mut self,
        call: &mut Call<'_>,
        directive: &Directive<'_>,
        source: &mut Source,
    ) -> Result<bool, Trouble> {
        let format = match directive.length {
            Length::Long => Format::DOUBLE,
            Length::LongDouble => Format::EXTENDED,
            _ => Format::SINGLE,
        };
        let read = parse::float(format, self.window(directive));
        if read.length == 0 {
            return Ok(false);
        }
        let bytes = usize::from(format.width().div_ceil(8));
        let bits = to_memory(Type::Float(format), read.bits);
        self.finish(call, directive, source, read.length, |call, place| {
            Ok(call.memory.store_number(place, bytes, bits)?)
        })
    }

    fn run(
        &mut self,
        call: &mut Call<'_>,
        directive: &Directive<'_>,
        source: &mut Source,
        admits: impl Fn(u8) -> bool,
        terminated: bool,
    ) -> Result<bool, Trouble> {
        let limit = directive.width.unwrap_or(if terminated { usize::MAX } else { 1 });
        let rest = &self.text[self.at..];
        let length = rest.iter().take(limit).take_while(|&&byte| admits(byte)).count();
        if length == 0 {
            return Ok(false);
        }
        let mut bytes = rest[..length].to_vec();
        if terminated {
            bytes.push(0);
        }
        self.finish(call, directive, source, length, |call, place| Ok(call.memory.write(place, &bytes)?))
    }

    fn finish(
        &mut self,
        call: &mut Call<'_>,
        directive: &Directive<'_>,
        source: &mut Source,
        length: usize,
        store: impl FnOnce(&mut Call<'_>, u64) -> Result<(), Trouble>,
    ) -> Result<bool, Trouble> {
        self.at += length;
        self.matched = true;
        if !directive.suppressed {
            let place = source.next(call)?.bits as u64;
            store(call, place)?;
            self.stored += 1;
        }
        Ok(true)
    }
}

fn integer_width(length: Length, call: &Call<'_>) -> u8 {
    let target = call.memory.target();
    match length {
        Length::Char => 8,
        Length::Short => 16,
        Length::Default => target.int_width,
        Length::Long => target.long_width,
        Length::Size => target.pointer_width,
        Length::LongLong | Length::Max | Length::LongDouble => 64,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}
