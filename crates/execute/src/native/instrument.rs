//! The preprocessed text with a probe around every condition and every `switch` expression.
//!
//! Text is only inserted, at the two ends of a span, so that spans inside one another work out and every line stays
//! where its marker says. A condition becomes its truth value, which is all that the operators around it look at; a
//! `switch` expression keeps its promoted type, on which the meaning of the case labels hangs.

use super::error::BuildError;
use super::probe::{Probe, ProbeKind};
use clew_ir::{Program, Span, UnitId};
use std::cmp::Reverse;

/// Declares the probes.
const PROLOGUE: &str = concat!(
    "# 1 \"<probes>\"\n",
    "extern int __clew_condition(unsigned, int);\n",
    "extern void __clew_switch(unsigned, unsigned long long, unsigned long long);\n",
);

/// The instrumented text of a unit.
pub(super) fn instrument(program: &Program, unit: UnitId, probes: &[Probe]) -> Result<String, BuildError> {
    let source = &program.sources.units[unit];
    let numbered = probes.iter().enumerate();
    let mut inside: Vec<(usize, &Probe)> = numbered.filter(|(_, probe)| probe.span.unit == unit).collect();
    inside.sort_by_key(|(number, probe)| (probe.span.start, Reverse(probe.span.end), *number));
    let mut writer = Writer { text: &source.text, at: 0, out: PROLOGUE.to_owned(), open: Vec::new() };
    if !source.text.starts_with('#') {
        writer.out.push_str(&format!("# 1 \"{}\"\n", source.path));
    }
    for (number, probe) in inside {
        if !writer.open(probe.span, wrap(number, probe)) {
            return Err(broken(program, probe.span));
        }
    }
    writer.close_until(u32::MAX);
    writer.copy_to(source.text.len());
    Ok(writer.out)
}

fn broken(program: &Program, span: Span) -> BuildError {
    let place = program.sources.locate(span).map(|place| format!("{}:{}: ", place.file, place.line));
    let text = program.sources.text(span);
    BuildError::Unsupported(format!("{}`{text}` is not a whole expression", place.unwrap_or_default()))
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// End and closing text of the spans around the current place, outermost first.
    open: Vec<(u32, String)>,
}

impl Writer<'_> {
    /// Begins a span inside those still open; `false` if it reaches beyond them.
    fn open(&mut self, span: Span, (before, after): (String, String)) -> bool {
        self.close_until(span.start);
        if self.open.last().is_some_and(|(end, _)| *end < span.end) {
            return false;
        }
        self.copy_to(span.start as usize);
        self.out.push_str(&before);
        self.open.push((span.end, after));
        true
    }

    /// Closes the spans that end at or before `offset`.
    fn close_until(&mut self, offset: u32) {
        while let Some((end, after)) = self.open.pop_if(|(end, _)| *end <= offset) {
            self.copy_to(end as usize);
            self.out.push_str(&after);
        }
    }

    fn copy_to(&mut self, offset: usize) {
        self.out.push_str(&self.text[self.at..offset]);
        self.at = offset;
    }
}

/// What goes before and after the expression of a probe.
fn wrap(number: usize, probe: &Probe) -> (String, String) {
    match &probe.kind {
        ProbeKind::Condition(_) => (format!("(__clew_condition({number}u, ("), ") ? 1 : 0))".to_owned()),
        ProbeKind::Shared(_) => (
            format!("(__extension__ ({{ __auto_type __clew_v{number} = (0, ("),
            format!(")); __clew_condition({number}u, __clew_v{number} ? 1 : 0); __clew_v{number}; }}))"),
        ),
        ProbeKind::Switch(switch) => {
            let value = format!("__clew_v{number}");
            let high = if switch.width > 64 {
                format!("(unsigned long long)((unsigned __int128){value} >> 64)")
            } else {
                "0".to_owned()
            };
            let report = format!("__clew_switch({number}u, (unsigned long long){value}, {high})");
            (
                format!("(__extension__ ({{ __auto_type {value} = ("),
                // Adding zero promotes, which makes a value of what may be a bit-field.
                format!(") + 0; {report}; {value}; }}))"),
            )
        }
    }
}
