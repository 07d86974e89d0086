//! Pictures of a control-flow graph, with source lines on the nodes.

mod layout;
mod svg;

use crate::graph::Graph;
use clew_ir::{BlockId, Function, FunctionId, Program, Span, TerminatorKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A control-flow graph ready to be drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    name: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Classes by which a page paints a graph.
pub struct Look<'a> {
    /// The class of a block.
    pub node: &'a dyn Fn(BlockId) -> &'static str,
    /// The class of an edge: the block it leaves, and which way out.
    pub edge: &'a dyn Fn(BlockId, usize) -> &'static str,
}

#[derive(Clone, Debug)]
struct Node {
    block: BlockId,
    /// The first source line of the block.
    line: Option<u32>,
    /// Such as `b3, line 12` and the source text of the condition it ends with.
    lines: Vec<String>,
}

#[derive(Clone, Debug)]
struct Edge {
    /// Positions in `nodes`.
    from: usize,
    to: usize,
    /// Which way out of the block.
    arm: usize,
    /// Such as `true` or `case 3`.
    label: String,
}

impl Drawing {
    /// The graph of a function; blocks that cannot be reached are left out.
    pub fn new(program: &Program, id: FunctionId) -> Drawing {
        let function = &program.functions[id];
        let graph = Graph::new(function);
        let nodes = graph.order().iter().map(|&block| node(program, function, block)).collect();
        let mut edges = Vec::new();
        for (from, &block) in graph.order().iter().enumerate() {
            for (arm, (label, target)) in labelled(&function.blocks[block].terminator.kind).into_iter().enumerate() {
                let to = graph.position(target).expect("a successor can be reached") as usize;
                edges.push(Edge { from, to, arm, label });
            }
        }
        Drawing { name: function.name.clone(), nodes, edges }
    }

    /// As Graphviz text.
    pub fn dot(&self) -> String {
        let mut out = format!("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", escape(&self.name));
        for node in &self.nodes {
            let text: String = node.lines.iter().map(|line| escape(line) + "\\l").collect();
            let _ = writeln!(out, "  b{} [label=\"{text}\"];", node.block.raw());
        }
        for edge in &self.edges {
            let (from, to) = (self.nodes[edge.from].block.raw(), self.nodes[edge.to].block.raw());
            let _ = writeln!(out, "  b{from} -> b{to} [label=\"{}\"];", escape(&edge.label));
        }
        out.push_str("}\n");
        out
    }

    /// As a picture that stands for itself.
    pub fn svg(&self) -> String {
        svg::draw(self, None)
    }

    /// As a picture for a page whose style knows the classes.
    pub fn svg_with(&self, look: &Look<'_>) -> String {
        svg::draw(self, Some(look))
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn node(program: &Program, function: &Function, block: BlockId) -> Node {
    let data = &function.blocks[block];
    let spans = data.insts.iter().map(|inst| inst.span).chain([data.terminator.span]);
    let lines: BTreeSet<u32> = spans.filter_map(|span| program.sources.locate(span)).map(|at| at.line).collect();
    let mut text = vec![match (lines.first(), lines.last()) {
        (Some(first), Some(last)) if first != last => format!("b{}  lines {first}-{last}", block.raw()),
        (Some(line), _) => format!("b{}  line {line}", block.raw()),
        _ => format!("b{}", block.raw()),
    }];
    text.extend(decided(function, &data.terminator.kind).map(|span| shortened(&program.sources.written(span))));
    Node { block, line: lines.first().copied(), lines: text }
}

/// The expression that decides where control goes.
fn decided(function: &Function, kind: &TerminatorKind) -> Option<Span> {
    match kind {
        TerminatorKind::Branch { condition, .. } => condition.map(|condition| function.conditions[condition].span),
        TerminatorKind::Switch { decision, .. } => decision.map(|decision| function.decisions[decision].span),
        _ => None,
    }
}

/// One line of at most forty characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The ways out of a block with their names.
fn labelled(kind: &TerminatorKind) -> Vec<(String, BlockId)> {
    match kind {
        TerminatorKind::Branch { then, otherwise, .. } => {
            vec![("true".to_owned(), *then), ("false".to_owned(), *otherwise)]
        }
        TerminatorKind::Switch { cases, default, .. } => {
            let name = |case: &clew_ir::Case| match case.low == case.high {
                true => format!("case {}", case.low),
                false => format!("case {} ... {}", case.low, case.high),
            };
            let cases = cases.iter().map(|case| (name(case), case.target));
            cases.chain([("default".to_owned(), *default)]).collect()
        }
        other => other.successors().into_iter().map(|target| (String::new(), target)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Look};
    use clew_ir::{Id, text};

    const PROGRAM: &str = "target pointer=64 int=32 long=64 char=signed endian=little
        ctype %0 = void ctype %1 = function %0 ()
        function f0 \"f\" external %1 -> void {
          b0: jump b1
          b1: branch i1 1 ? b2 : b3
          b2: jump b1
          b3: return
        }";

    #[test]
    fn dot_has_every_edge() {
        let dot = Drawing::new(&text::parse(PROGRAM).unwrap(), Id::new(0)).dot();
        for edge in ["b0 -> b1", "b1 -> b2 [label=\"true\"]", "b1 -> b3 [label=\"false\"]", "b2 -> b1"] {
            assert!(dot.contains(edge), "{edge} is missing in\n{dot}");
        }
    }

    #[test]
    fn a_look_gives_classes_instead_of_a_style() {
        let drawing = Drawing::new(&text::parse(PROGRAM).unwrap(), Id::new(0));
        let svg = drawing.svg_with(&Look {
            node: &|block| if block == Id::new(2) { "unknown" } else { "covered" },
            edge: &|from, arm| if (from, arm) == (Id::new(1), 0) { "unknown" } else { "covered" },
        });
        assert!(!svg.contains("<style>"));
        assert_eq!(svg.matches("class=\"node unknown\"").count(), 1);
        assert_eq!(svg.matches("class=\"edge covered\"").count(), 3);
    }

    #[test]
    fn svg_is_one_element_with_every_node() {
        let svg = Drawing::new(&text::parse(PROGRAM).unwrap(), Id::new(0)).svg();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<rect ").count(), 4);
    }
}
