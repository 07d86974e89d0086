//! Lines of generated code that are no longer than people like to read.
//!
//! A line is broken behind a comma, or at another space; where a string has no space at hand, it becomes two, which C joins.
//! Directives stay as they are, and so do lines whose words are too long by themselves.

/// Columns of a line.
const MOST_COLUMNS: usize = 120;

/// Breaks the long lines of a text of C or C++.
pub(crate) fn wrapped(text: &str) -> String {
    let is_long = |line: &str| line.chars().count() > MOST_COLUMNS && !line.starts_with('#') && !line.ends_with('\\');
    if !text.lines().any(is_long) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 50);
    let mut goes_on = false;
    for line in text.split_inclusive('\n') {
        if !goes_on && is_long(line.trim_end_matches('\n')) {
            wrap(line, &mut out)
        } else {
            out.push_str(line)
        }
        goes_on = line.trim_end_matches('\n').ends_with('\\');
    }
    out
}

fn wrap(line: &str, out: &mut String) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let more = match &line[indent..] {
        rest if rest.starts_with("//") => format!("{:indent$}// ", ""),
        rest if rest.starts_with("/*") => " ".repeat(indent + 3),
        // Further lines of a comment stand there already.
        _ if indent == 3 => " ".repeat(indent),
        _ => " ".repeat(indent + 4),
    };
    let mut rest = line.to_owned();
    while rest.trim_end().chars().count() > MOST_COLUMNS {
        let Some(end) = last_break(&rest, indent.max(more.len())) else { break };
        let (at, is_string) = (end.at, end.is_string);
        out.push_str(rest[..at].trim_end_matches(' '));
        out.push_str(if is_string { "\"\n" } else { "\n" });
        let start = if is_string { "\"" } else { "" };
        let behind = if is_string { &rest[at..] } else { rest[at..].trim_start_matches(' ') };
        rest = format!("{more}{start}{behind}");
    }
    out.push_str(&rest);
}

/// Where a line may end.
#[derive(Clone, Copy)]
struct Break {
    at: usize,
    /// Whether it is inside of a string.
    is_string: bool,
}

/// The best place to end a line that begins with some columns of no use.
fn last_break(line: &str, from: usize) -> Option<Break> {
    let (mut comma, mut space, mut text) = (None, None, None);
    let mut quote: Option<char> = None;
    let mut chars = line.char_indices().enumerate().peekable();
    while let Some((column, (at, c))) = chars.next() {
        // A quote that ends the string there takes a column as well.
        if column >= MOST_COLUMNS - 1 {
            break;
        }
        let is_useful = column > from + 1;
        match (quote, c) {
            (Some(_), '\\') => {
                if is_useful && quote == Some('"') {
                    text = Some(at);
                }
                // What is escaped, with all digits of a number.
                chars.next();
                while chars.next_if(|(_, (_, c))| c.is_ascii_hexdigit()).is_some() {}
            }
            (Some(open), c) if c == open => quote = None,
            (Some('"'), _) if is_useful => text = Some(at),
            (Some(_), _) => {}
            (None, '"' | '\'') if !is_comment(line) => quote = Some(c),
            (None, ' ') if is_useful && line[..at].ends_with(',') => comma = Some(at),
            (None, ' ') if is_useful => space = Some(at),
            _ => {}
        }
    }
    let plain = comma.max(space.filter(|at| comma.is_none_or(|comma| comma < at / 2)));
    match (plain, text) {
        (Some(at), _) => Some(Break { at, is_string: false }),
        (None, Some(at)) => Some(Break { at, is_string: true }),
        (None, None) => None,
    }
}

/// Whether a line is a comment: quotes in it are none.
fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    // A second line of a comment begins with three spaces, statements with four.
    text.starts_with("/*") || text.starts_with("//") || line.len() - text.len() == 3
}

#[cfg(test)]
mod tests {
    use super::{MOST_COLUMNS, wrapped};

    #[track_caller]
    fn check(line: &str) -> String {
        let text = wrapped(line);
        assert!(text.lines().all(|line| line.chars().count() <= MOST_COLUMNS), "{text}");
        text
    }

    #[test]
    fn lists_are_broken_behind_commas() {
        let items: Vec<String> = (0..60).map(|number| number.to_string()).collect();
        let line = format!("    f({});\n", items.join(", "));
        let text = check(&line);
        assert_eq!(text.split_whitespace().collect::<String>(), line.split_whitespace().collect::<String>());
        assert!(text.lines().skip(1).all(|line| line.starts_with("        ")), "{text}");
    }

    #[test]
    fn strings_become_several() {
        let line = format!("    char s[400] = \"{}\\\"\\x07{}\";\n", "ab\\n".repeat(60), "x".repeat(100));
        let text = check(&line);
        let joined = text.replace("\"\n        \"", "").replace("=\n        ", "= ");
        assert_eq!(joined, line);
    }

    #[test]
    fn quotes_in_comments_are_no_strings() {
        let text = check(&format!("/* isn't {} */\n", "word ".repeat(40)));
        assert!(text.lines().count() > 1 && !text.contains('"'), "{text}");
        let directive = format!("#define X {}\n", "word ".repeat(40));
        assert_eq!(wrapped(&directive), directive);
        let directive = format!("#define X \\\n    {}\n", "word ".repeat(40));
        assert_eq!(wrapped(&directive), directive);
    }
}
