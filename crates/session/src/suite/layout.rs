//! The lines of `suite.json`: each test on one, what is around it indented.
//!
//! A path has thousands of steps; a line for each would make the file three times as long and no easier to read.

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

/// Lists and objects inside so many others are on one line.
const DEPTH: usize = 4;

/// Indents the outer levels.
#[derive(Default)]
pub(super) struct Lines {
    outer: PrettyFormatter<'static>,
    depth: usize,
}

/// Passes a call on to one of the two ways of writing.
macro_rules! by_depth {
    ($self:ident, $method:ident($($argument:expr),*)) => {
        if $self.depth > DEPTH { CompactFormatter.$method($($argument),*) } else { $self.outer.$method($($argument),*) }
    };
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self, begin_array(writer))
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let result = by_depth!(self, end_array(writer));
        self.depth -= 1;
        result
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self, begin_array_value(writer, first))
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, end_array_value(writer))
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        by_depth!(self, begin_object(writer))
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let result = by_depth!(self, end_object(writer));
        self.depth -= 1;
        result
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        by_depth!(self, begin_object_key(writer, first))
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, begin_object_value(writer))
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        by_depth!(self, end_object_value(writer))
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use serde::Serialize;

    #[test]
    fn inner_levels_are_on_one_line() {
        let value = serde_json::json!({"a": [{"b": [{"c": [1, {"d": []}]}, 2]}]});
        let mut text = Vec::new();
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Lines::default())).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\n        {\"c\":[1,{\"d\":[]}]},\n"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
