//! What a compiler says on its error channel, as diagnostics.
//!
//! gcc and clang both write `file:line:column: severity: message`; the lines of source and carets below it are dropped,
//! since we draw our own. Lines of another shape that say `error` are kept as diagnostics without a place.

use crate::diagnostic::{Diagnostic, Place, Severity};
use clew_ir::Location;

/// The messages of a compiler's output, in order.
pub fn parse(output: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in output.lines() {
        match diagnostic(line) {
            Some(note) if note.severity == Severity::Note && !found.is_empty() => {
                let text = match &note.place {
                    Place::File(at) => format!("{}:{}: {}", at.file, at.line, note.message),
                    _ => note.message,
                };
                found.last_mut().expect("just seen to be there").notes.push(text);
            }
            Some(diagnostic) => found.push(diagnostic),
            None => {}
        }
    }
    found
}

fn diagnostic(line: &str) -> Option<Diagnostic> {
    let kinds = [
        (": fatal error: ", Severity::Error),
        (": error: ", Severity::Error),
        (": warning: ", Severity::Warning),
        (": note: ", Severity::Note),
    ];
    let (at, word, severity) = kinds
        .iter()
        .filter_map(|(word, severity)| line.find(word).map(|at| (at, *word, *severity)))
        .min_by_key(|(at, ..)| *at)?;
    let message = line[at + word.len()..].trim();
    Some(Diagnostic::new(severity, place(&line[..at]), message))
}

/// `file`, `file:line` or `file:line:column`; the name of a program is no place.
fn place(text: &str) -> Place {
    let mut parts = text.rsplitn(3, ':');
    let numbers = (parts.next().and_then(number), parts.next().and_then(number), parts.next());
    match numbers {
        (Some(column), Some(line), Some(file)) => Place::File(Location { file: file.to_owned(), line, column }),
        (Some(line), ..) => {
            let file = text.rsplit_once(':').map_or(text, |(file, _)| file);
            Place::File(Location { file: file.to_owned(), line, column: 0 })
        }
        _ => Place::Nowhere,
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::diagnostic::{Place, Severity};

    #[test]
    fn messages_of_gcc() {
        let said = "In file included from a.c:1:\na.h:3:10: fatal error: b.h: No such file or directory\n    3 | x\n\
                    compilation terminated.\na.c:7: warning: odd\na.c:2:1: note: see here\ncc: error: unrecognized\n";
        let found = parse(said);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].severity, found[0].message.as_str()), (Severity::Error, "b.h: No such file or directory"));
        assert!(matches!(&found[0].place, Place::File(at) if at.line == 3 && at.column == 10 && at.file == "a.h"));
        assert_eq!(found[1].notes, ["a.c:2: see here"]);
        assert_eq!(found[2].place, Place::Nowhere);
    }
}
