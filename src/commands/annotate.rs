//! `clew prove --annotate`: source files with the loop invariants that carry proofs, in ACSL.
//!
//! A comment goes before the keyword of each loop that has such invariants or a measure, and no contract of its own: `loop
//! invariant` for each, `loop assigns` where what the turns change is known, and `loop variant`. Everything else of the file stays as it is. A loop whose
//! keyword a macro hides is left out, and said.

use super::goals::{Pursued, is_number};
use crate::terminal::Terminal;
use clew_ir::contract::print::Printer;
use clew_ir::{LoopKind, Program};
use clew_prove::{Carried, Proof, Verdict, assigned};
use clew_session::output::{self, MARK};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is said of one loop.
#[derive(Default)]
struct Note {
    keyword: &'static str,
    clauses: Vec<String>,
}

/// Notes by file, line and column.
type Notes = BTreeMap<String, BTreeMap<(u32, u32), Note>>;

/// Writes the annotated files to a folder.
pub(super) fn annotate(program: &Program, pursued: &[Pursued], out: &Path, terminal: Terminal) {
    for (file, notes) in notes(program, pursued) {
        let name = Path::new(&file).file_name().unwrap_or_default();
        let target = out.join(name);
        let written = std::fs::read_to_string(&file).map_err(|error| error.to_string()).and_then(|text| {
            let (text, missed) = annotated(&text, &notes);
            missed.iter().for_each(|line| terminal.say(&format!("line {line}: the loop is not annotated: no keyword")));
            let head = format!("/* {MARK}: {} with the loop invariants of its proofs. */\n", name.display());
            std::fs::create_dir_all(out).map_err(|error| error.to_string())?;
            output::write(&target, head + &text).map_err(|error| error.to_string())
        });
        match written {
            Ok(()) => terminal.say(&format!("annotated: {}", target.display())),
            Err(error) => terminal.error(&error),
        }
    }
}

/// The loops that have invariants which carry proofs, and no contract.
fn notes(program: &Program, pursued: &[Pursued]) -> Notes {
    let mut notes = Notes::new();
    for one in pursued {
        let function = &program.functions[one.function];
        let printer = Printer::new(program, function);
        let mut by_loop: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for answer in &one.answers {
            if let Verdict::Infeasible(Proof::Inductive(carried)) = &answer.verdict {
                for Carried { target, invariant } in carried {
                    by_loop.entry(*target).or_default().insert(printer.predicate(invariant));
                }
            }
        }
        let mut variants: BTreeMap<_, String> = BTreeMap::new();
        for answer in &one.answers {
            if let Verdict::Infeasible(Proof::Ranked(ranking)) = &answer.verdict
                && ranking.function == one.function
                && let Some(target) = function.loops.ids().find(|it| function.loops[*it].span == answer.asked.span)
            {
                for Carried { target, invariant } in &ranking.carried {
                    by_loop.entry(*target).or_default().insert(printer.predicate(invariant));
                }
                by_loop.entry(target).or_default();
                // ACSL has no word for several measures that count in their order.
                if let [variant] = &ranking.variant[..]
                    && is_number(program, function, variant)
                {
                    variants.insert(target, printer.term(variant));
                }
            }
        }
        for (target, invariants) in by_loop {
            let has_contract = function.contract.loops.iter().any(|about| about.target == target);
            let Some(place) = program.sources.locate(function.loops[target].span).filter(|_| !has_contract) else {
                continue;
            };
            let mut clauses: Vec<String> = invariants.iter().map(|text| format!("loop invariant {text};")).collect();
            if let Some(places) = assigned(program, one.function, target) {
                let places = if places.is_empty() { "\\nothing".to_owned() } else { places.join(", ") };
                clauses.push(format!("loop assigns {places};"));
            }
            clauses.extend(variants.get(&target).map(|variant| format!("loop variant {variant};")));
            if clauses.is_empty() {
                continue;
            }
            let keyword = match function.loops[target].kind {
                LoopKind::While => "while",
                LoopKind::DoWhile => "do",
                LoopKind::For => "for",
            };
            notes.entry(place.file).or_default().insert((place.line, place.column), Note { keyword, clauses });
        }
    }
    notes
}

/// A text with notes before the keywords of loops, and the lines of those that have none where they should.
fn annotated(text: &str, notes: &BTreeMap<(u32, u32), Note>) -> (String, Vec<u32>) {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut missed = Vec::new();
    for ((line, column), note) in notes.iter().rev() {
        let found = lines.get_mut(*line as usize - 1).and_then(|written| {
            let at = *column as usize - 1;
            written.get(at..).is_some_and(|rest| rest.starts_with(note.keyword)).then_some((written, at))
        });
        let Some((written, at)) = found else {
            missed.push(*line);
            continue;
        };
        let indent: String = written.chars().take_while(|letter| letter.is_whitespace()).collect();
        let comment = format!("/*@ {}\n{indent}*/\n{indent}", note.clauses.join(&format!("\n{indent}  @ ")));
        written.insert_str(at, &comment);
    }
    (lines.join("\n"), missed)
}

#[cfg(test)]
mod tests {
    use super::{Note, annotated};
    use std::collections::BTreeMap;

    #[test]
    fn comments_stand_before_keywords() {
        let note = || Note { keyword: "while", clauses: vec!["loop invariant x;".into(), "loop assigns i;".into()] };
        let notes = BTreeMap::from([((2, 3), note()), ((3, 1), note())]);
        let (text, missed) = annotated("{\n  while (i < n)\nLOOP\n}", &notes);
        assert_eq!(text, "{\n  /*@ loop invariant x;\n    @ loop assigns i;\n  */\n  while (i < n)\nLOOP\n}");
        assert_eq!(missed, [3]);
    }
}
