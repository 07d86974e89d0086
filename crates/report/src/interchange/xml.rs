//! Text that is safe inside XML.

/// Replaces what XML gives a meaning, and drops what it cannot hold.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The beginning of a document.
pub(super) fn head() -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{}\n", super::xml_mark())
}
