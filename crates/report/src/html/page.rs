//! The page: style and script of our own around the data.

use super::data::Report;
use clew_session::output::MARK;

const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");
/// The script in the order of its parts: what others build on comes first.
const SCRIPT: [&str; 7] = [
    include_str!("page/base.js"),
    include_str!("page/overview.js"),
    include_str!("page/source.js"),
    include_str!("page/decisions.js"),
    include_str!("page/tests.js"),
    include_str!("page/details.js"),
    include_str!("page/main.js"),
];

/// The whole page; the mark stands in its first line.
pub(super) fn html(report: &Report<'_>) -> String {
    let json = serde_json::to_string(report).expect("a report is made of strings, numbers and lists");
    // Nothing in the data may end the script element or begin a comment in it.
    let json = json.replace('<', "\\u003c");
    let title = match report.functions.as_slice() {
        [one] => one.name.to_owned(),
        many => format!("{} functions", many.len()),
    };
    format!(
        "<!doctype html><!-- {MARK} {version} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>clew: {title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"data\">{json}</script>\n<script>\n\"use strict\";\n{script}</script>\n\
         </body>\n</html>\n",
        version = report.version,
        script = SCRIPT.concat(),
    )
}
