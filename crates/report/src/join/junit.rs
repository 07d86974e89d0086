//! JUnit's XML: the test suites of all documents, one after the other, and their sums.

use crate::interchange::xml_head;
use std::fmt::Write;

/// The document of some documents.
pub(super) fn join(texts: &[String]) -> String {
    let (mut tests, mut failures, mut body) = (0, 0, String::new());
    for text in texts {
        let Some((_, rest)) = text.split_once("<testsuites ") else { continue };
        let Some((attributes, rest)) = rest.split_once(">\n") else { continue };
        let Some((suites, _)) = rest.rsplit_once("</testsuites>") else { continue };
        tests += number(attributes, "tests");
        failures += number(attributes, "failures");
        body.push_str(suites);
    }
    let mut out = xml_head();
    let _ = writeln!(out, "<testsuites name=\"clew\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
    out + &body + "</testsuites>\n"
}

/// The number of an attribute.
fn number(attributes: &str, name: &str) -> u64 {
    let value = attributes.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    value.and_then(|(value, _)| value.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn suites_follow_each_other() {
        let document = |name: &str, tests: u32| {
            format!(
                "<?xml?>\n<testsuites name=\"clew\" tests=\"{tests}\" failures=\"1\" errors=\"0\">\n  <testsuite name=\"{name}\">\n  </testsuite>\n</testsuites>\n"
            )
        };
        let joined = join(&[document("f", 2), document("g", 3)]);
        assert!(joined.contains("tests=\"5\" failures=\"2\""), "{joined}");
        assert_eq!(joined.matches("<testsuite ").count(), 2);
        assert!(joined.ends_with("  </testsuite>\n</testsuites>\n"), "{joined}");
    }
}
