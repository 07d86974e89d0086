//! The preprocessed text with a probe around every condition and every `switch` expression.
//!
//! A condition becomes its truth value, which is all that the operators around it look at; a
//! `switch` expression keeps its promoted type, on which the meaning of the case labels hangs.

use super::error::BuildError;
use super::probe::{Probe, ProbeKind};
use clew_ir::source::wrap::{Wrap, wrapped};
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
    let numbered = probes.iter().enumerate();
    let mut inside: Vec<(usize, &Probe)> = numbered.filter(|(_, probe)| probe.span.unit == unit).collect();
    inside.sort_by_key(|(number, probe)| (probe.span.start, Reverse(probe.span.end), *number));
    let wraps = inside.iter().map(|(number, probe)| {
        let (before, after) = wrap(*number, probe);
        Wrap { start: probe.span.start, end: probe.span.end, before, after }
    });
    let text = wrapped(&program.sources.units[unit], PROLOGUE, wraps.collect());
    text.map_err(|position| broken(program, inside[position].1.span))
}

fn broken(program: &Program, span: Span) -> BuildError {
    let place = program.sources.locate(span).map(|place| format!("{}:{}: ", place.file, place.line));
    let text = program.sources.text(span);
    BuildError::Unsupported(format!("{}`{text}` is not a whole expression", place.unwrap_or_default()))
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
