//! A control-flow graph as SVG, readable in light and dark.

use super::layout::{LINE, Layout, NodeBox, layout};
use super::{Drawing, Edge, Look};
use std::fmt::Write;

const STYLE: &str = "<style>
  svg { background: #fff } rect { fill: #f6f8fa; stroke: #57606a; rx: 6 } text { font: 12px monospace; fill: #1f2328 }
  path { fill: none; stroke: #57606a } .true { stroke: #1a7f37 } .false { stroke: #cf222e } .label { font-size: 10px; fill: #57606a }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117 } rect { fill: #161b22; stroke: #8b949e }
    text { fill: #e6edf3 } path { stroke: #8b949e } .true { stroke: #3fb950 } .false { stroke: #f85149 } .label { fill: #8b949e } }
</style>
";

const HEAD: &str = "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">
  <path d=\"M0,0 L8,4 L0,8 z\" style=\"fill: #57606a; stroke: none\"/></marker></defs>
";

pub(super) fn draw(drawing: &Drawing, look: Option<&Look<'_>>) -> String {
    let layout = layout(drawing);
    let (width, height) = (layout.width, layout.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{}</title>\n{}{HEAD}",
        escape(&drawing.name),
        if look.is_some() { "" } else { STYLE },
    );
    let mut lane = 0;
    for edge in &drawing.edges {
        lane += usize::from(edge.to <= edge.from);
        let class = match look {
            Some(look) => format!("edge {}", (look.edge)(drawing.nodes[edge.from].block, edge.arm)),
            None if matches!(edge.label.as_str(), "true" | "false") => edge.label.clone(),
            None => "plain".to_owned(),
        };
        edge_path(&mut out, &layout, edge, lane, &class);
    }
    for (node, place) in drawing.nodes.iter().zip(&layout.places) {
        let NodeBox { x, y, width, height } = place;
        let class = look.map_or("", |look| (look.node)(node.block));
        let line = node.line.map_or_else(String::new, |line| format!(" data-line=\"{line}\""));
        let _ = writeln!(out, "<g class=\"node {class}\"{line}>");
        let _ = writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
        for (number, line) in node.lines.iter().enumerate() {
            let (x, y) = (x + 10.0, y + 18.0 + LINE * number as f64);
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(line));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// A curve down to a later node, or round the right side to an earlier one.
fn edge_path(out: &mut String, layout: &Layout, edge: &Edge, lane: usize, class: &str) {
    let (from, to) = (layout.places[edge.from], layout.places[edge.to]);
    let shift = match edge.label.as_str() {
        "true" => -0.2,
        "false" => 0.2,
        _ => 0.0,
    };
    let (x1, y1) = (from.x + from.width * (0.5 + shift), from.y + from.height);
    let beside = if edge.label == "true" { (x1 - 5.0, y1 + 13.0) } else { (x1 + 5.0, y1 + 13.0) };
    let (path, label_at) = if edge.to > edge.from {
        let (x2, y2) = (to.x + to.width / 2.0, to.y);
        let middle = (y1 + y2) / 2.0;
        (format!("M{x1:.1},{y1:.1} C{x1:.1},{middle:.1} {x2:.1},{middle:.1} {x2:.1},{y2:.1}"), beside)
    } else {
        let side = layout.width - 10.0 - 14.0 * (lane - 1) as f64;
        let (x2, y2) = (to.x + to.width, to.y + to.height / 2.0);
        let bottom = y1 + 16.0;
        let path = format!(
            "M{x1:.1},{y1:.1} C{x1:.1},{bottom:.1} {side:.1},{bottom:.1} {side:.1},{y1:.1} \
             L{side:.1},{y2:.1} L{x2:.1},{y2:.1}"
        );
        (path, beside)
    };
    let _ = writeln!(out, "<path class=\"{class}\" marker-end=\"url(#head)\" d=\"{path}\"/>");
    if !edge.label.is_empty() {
        let (x, y) = label_at;
        let anchor = if edge.label == "true" { "end" } else { "start" };
        let _ = writeln!(
            out,
            "<text class=\"label\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape(&edge.label)
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
