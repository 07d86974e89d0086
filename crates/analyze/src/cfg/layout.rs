//! Where the nodes of a graph go: layers by longest path, centred.
//!
//! Nodes come in reverse postorder, so an edge to an earlier node is a back edge and does not push its target down.
//! Within a layer nodes keep the order of the average position of those above them (the barycentre heuristic of Sugiyama
//! et al. 1981, one pass).

use super::Drawing;

/// Width of one character and height of one line, in pixels.
pub(super) const CHARACTER: f64 = 7.3;
pub(super) const LINE: f64 = 16.0;
const GAP: f64 = 36.0;
const LAYER_GAP: f64 = 44.0;
const MARGIN: f64 = 24.0;

/// A box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeBox {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Places of the nodes, and the size of the whole.
pub(super) struct Layout {
    pub(super) places: Vec<NodeBox>,
    pub(super) width: f64,
    pub(super) height: f64,
}

pub(super) fn layout(drawing: &Drawing) -> Layout {
    let layers = ordered(drawing, layers(drawing));
    let mut places: Vec<NodeBox> = drawing.nodes.iter().map(|node| size(&node.lines)).collect();
    let width_of = |layer: &[usize], places: &[NodeBox]| {
        layer.iter().map(|node| places[*node].width).sum::<f64>() + GAP * layer.len().saturating_sub(1) as f64
    };
    let widest = layers.iter().map(|layer| width_of(layer, &places)).fold(0.0, f64::max);
    let mut y = MARGIN;
    for layer in &layers {
        let mut x = MARGIN + (widest - width_of(layer, &places)) / 2.0;
        for &node in layer {
            (places[node].x, places[node].y) = (x, y);
            x += places[node].width + GAP;
        }
        y += layer.iter().map(|node| places[*node].height).fold(0.0, f64::max) + LAYER_GAP;
    }
    let loops = drawing.edges.iter().filter(|edge| edge.to <= edge.from).count() as f64;
    Layout { places, width: widest + 2.0 * MARGIN + 14.0 * loops, height: y - LAYER_GAP + MARGIN }
}

fn size(lines: &[String]) -> NodeBox {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f64;
    NodeBox { width: longest * CHARACTER + 20.0, height: lines.len() as f64 * LINE + 12.0, ..NodeBox::default() }
}

/// The nodes of each layer: one below the lowest of those that lead to them.
fn layers(drawing: &Drawing) -> Vec<Vec<usize>> {
    let mut depth = vec![0; drawing.nodes.len()];
    for edge in &drawing.edges {
        if edge.to > edge.from {
            depth[edge.to] = depth[edge.to].max(depth[edge.from] + 1);
        }
    }
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |deepest| deepest + 1)];
    depth.iter().enumerate().for_each(|(node, depth)| layers[*depth].push(node));
    layers
}

/// Layers with their nodes in the order of the average position of those above them.
fn ordered(drawing: &Drawing, mut layers: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut position = vec![0.0; drawing.nodes.len()];
    for layer in &mut layers {
        let average = |node: usize| {
            let above: Vec<f64> = drawing
                .edges
                .iter()
                .filter(|edge| edge.to == node && edge.from < node)
                .map(|edge| position[edge.from])
                .collect();
            above.iter().sum::<f64>() / above.len().max(1) as f64
        };
        let mut keyed: Vec<(f64, usize)> = layer.iter().map(|node| (average(*node), *node)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        *layer = keyed.into_iter().map(|(_, node)| node).collect();
        let middle = layer.len() as f64 / 2.0;
        layer.iter().enumerate().for_each(|(index, node)| position[*node] = index as f64 + 0.5 - middle);
    }
    layers
}
