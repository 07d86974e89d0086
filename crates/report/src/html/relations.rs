//! The page of relations: what became of each, and of those that are violated the calls side by side.
//!
//! It needs no script, and holds no times, so that the same results give the same bytes.

use crate::interchange::xml::escape;
use clew_session::output::MARK;
use std::fmt::Write;

const STYLE: &str = concat!(include_str!("page/style.css"), include_str!("page/relations.css"));

/// What came of a relation, or of one generator of its group.
#[derive(Clone, Debug)]
pub struct Relation<'a> {
    /// The function, or the relation in C.
    pub function: &'a str,
    /// The relation as it was written.
    pub relation: &'a str,
    /// What was checked of it.
    pub check: &'a str,
    /// `proved`, `holds`, `violated`, `not-closed` or `unknown`.
    pub verdict: &'a str,
    /// How that is known, or why not.
    pub why: Option<&'a str>,
    /// The input that violates it.
    pub input: &'a [String],
    /// The calls on that input, with their results.
    pub calls: &'a [String],
    /// What is taken for granted, and what the verdict means.
    pub notes: Vec<&'a str>,
}

/// The text of `report.html`.
pub fn html(relations: &[Relation<'_>]) -> String {
    let count = |verdicts: &[&str]| relations.iter().filter(|it| verdicts.contains(&it.verdict)).count();
    let (held, violated) = (count(&["proved", "holds"]), count(&["violated"]));
    let open = relations.len() - held - violated;
    let mut page = format!(
        "<!doctype html><!-- {MARK} {version} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>clew: relations</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main class=\"relations\">\n<h1>Relations between calls</h1>\n\
         <p>{held} hold, {violated} are violated, {open} are open.</p>\n",
        version = env!("CARGO_PKG_VERSION"),
    );
    relations.iter().for_each(|relation| section(relation, &mut page));
    page + "</main>\n</body>\n</html>\n"
}

fn section(relation: &Relation<'_>, page: &mut String) {
    let verdict = escape(relation.verdict);
    let why = relation.why.map_or_else(String::new, |why| format!(" ({})", escape(why)));
    let _ = write!(
        page,
        "<section class=\"{verdict}\">\n<h2><code>{}</code> <code>{}</code></h2>\n<p>{}</p>\n\
         <p class=\"verdict\"><strong>{verdict}</strong>{why}</p>\n",
        escape(relation.function),
        escape(relation.relation),
        escape(relation.check),
    );
    if !relation.input.is_empty() {
        let _ = writeln!(page, "<p>with <code>{}</code></p>", escape(&relation.input.join(", ")));
    }
    if !relation.calls.is_empty() {
        let heads = (1..=relation.calls.len()).map(|number| format!("<th>call {number}</th>"));
        let cells = relation.calls.iter().map(|call| format!("<td>{}</td>", told(call)));
        let (heads, cells) = (heads.collect::<String>(), cells.collect::<String>());
        let _ = writeln!(page, "<table class=\"calls\">\n<tr>{heads}</tr>\n<tr>{cells}</tr>\n</table>");
    }
    if !relation.notes.is_empty() {
        let notes = relation.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note)));
        let _ = writeln!(page, "<ul>\n{}</ul>", notes.collect::<String>());
    }
    page.push_str("</section>\n");
}

/// A call with its result, and what it left in arrays, each on a line.
fn told(call: &str) -> String {
    let mut parts = call.trim().split("; ");
    let first = parts.next().unwrap_or_default();
    let (called, result) = first.rsplit_once(" = ").unwrap_or((first, ""));
    let result = if result.is_empty() { String::new() } else { format!("<br><strong>= {}</strong>", escape(result)) };
    let left: String = parts.map(|part| format!("<br><strong>{}</strong>", escape(part))).collect();
    format!("<code>{}</code>{result}{left}", escape(called))
}

#[cfg(test)]
mod tests {
    use super::{Relation, html};

    #[test]
    fn calls_stand_side_by_side() {
        let calls = ["f(1, 0) = 0".to_owned(), "f(0, 1) = 1; v = {2}".to_owned()];
        let relation = Relation {
            function: "f",
            relation: "permute(a, b) -> same",
            check: "called with (b, a)",
            verdict: "violated",
            why: None,
            input: &["a = 1".to_owned(), "b = 0".to_owned()],
            calls: &calls,
            notes: vec!["takes x < 3 for granted"],
        };
        let page = html(&[relation]);
        assert!(page.contains("<tr><td><code>f(1, 0)</code><br><strong>= 0</strong></td><td><code>f(0, 1)</code><br><strong>= 1</strong><br><strong>v = {2}</strong></td></tr>"), "{page}");
        assert!(page.contains("permute(a, b) -&gt; same") && page.contains("x &lt; 3"), "{page}");
        assert!(page.contains("0 hold, 1 are violated, 0 are open"), "{page}");
    }
}
