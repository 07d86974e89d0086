//! What the page knows, as JSON. Lists that grow with the suite are kept short: tuples instead of objects.

use clew_session::suite::Step;
use clew_session::suite::value::Typed;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Everything.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    pub(super) version: &'static str,
    pub(super) functions: Vec<FunctionPage<'a>>,
    pub(super) files: Vec<File>,
}

/// A source file, or the parts of it that matter.
#[derive(Debug, Serialize)]
pub(super) struct File {
    pub(super) name: String,
    /// First line and text of each stretch.
    pub(super) stretches: Vec<(u32, Vec<String>)>,
}

/// One tested function.
#[derive(Debug, Serialize)]
pub(super) struct FunctionPage<'a> {
    pub(super) name: &'a str,
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) k: Option<u32>,
    pub(super) stop: &'a str,
    pub(super) refuted: u64,
    pub(super) open: u64,
    /// Why what no test reaches cannot be reached, if that is proved.
    pub(super) proof: Option<String>,
    pub(super) criteria: Vec<Gauge>,
    /// The flavour of MC/DC of the truth tables.
    pub(super) flavour: &'static str,
    pub(super) findings: Vec<FindingView<'a>>,
    /// Line, text and function of each branch.
    pub(super) branches: Vec<(u32, &'a str, &'a str)>,
    /// File and lines of each block.
    pub(super) blocks: Vec<(usize, Vec<u32>)>,
    pub(super) tests: Vec<TestView<'a>>,
    /// Tests that are not in the page, for there are too many.
    pub(super) left_out: usize,
    pub(super) objectives: Vec<ObjectiveView<'a>>,
    pub(super) decisions: Vec<DecisionView>,
    pub(super) graphs: Vec<Graph>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mutants: Option<MutantsView<'a>>,
}

/// How good the tests are.
#[derive(Debug, Serialize)]
pub(super) struct MutantsView<'a> {
    pub(super) all: usize,
    pub(super) killed: usize,
    /// Those that survive: line, kind of change, what is replaced, by what, and whether a test comes there.
    pub(super) alive: Vec<(u32, &'a str, &'a str, &'a str, bool)>,
}

/// How far a criterion is reached.
#[derive(Debug, Serialize)]
pub(super) struct Gauge {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) objectives: usize,
    pub(super) covered: usize,
    pub(super) infeasible: usize,
    pub(super) unknown: usize,
}

/// Elements of a list that a page shows; `suite.json` has them all.
const MOST_ELEMENTS: usize = 128;

/// Values as a page holds them: long lists only begin.
#[derive(Debug)]
pub(super) struct Values<'a>(pub(super) &'a [Typed]);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view =
            |typed: &Typed| serde_json::json!({ "name": typed.name, "type": typed.ty, "value": begun(&typed.value) });
        serializer.collect_seq(self.0.iter().map(view))
    }
}

/// A value of which long lists only begin.
fn begun(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut shown: Vec<Value> = items.iter().take(MOST_ELEMENTS).map(begun).collect();
            let left = items.len() - shown.len();
            shown.extend((left > 0).then(|| Value::String(format!("... {left} more"))));
            Value::Array(shown)
        }
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), begun(member))).collect(),
        plain => plain.clone(),
    }
}

/// A failing check.
#[derive(Debug, Serialize)]
pub(super) struct FindingView<'a> {
    pub(super) what: &'a str,
    pub(super) function: &'a str,
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) text: &'a str,
    pub(super) inputs: Values<'a>,
    pub(super) native: String,
    pub(super) requires: Option<&'a str>,
    /// Further places of the same cause: file and line.
    pub(super) also: Vec<(usize, u32)>,
}

/// One test.
#[derive(Debug, Serialize)]
pub(super) struct TestView<'a> {
    pub(super) id: usize,
    pub(super) purpose: &'a [String],
    pub(super) inputs: Values<'a>,
    /// How often it calls the function, if several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calls: Option<usize>,
    pub(super) path: &'a [Step],
    pub(super) ending: &'a str,
    pub(super) result: &'a Option<serde_json::Value>,
    pub(super) outputs: Values<'a>,
    pub(super) divergence: &'a Option<String>,
    /// Positions of the blocks it ran through.
    pub(super) blocks: Vec<usize>,
}

/// One objective.
#[derive(Debug, Serialize)]
pub(super) struct ObjectiveView<'a> {
    pub(super) criterion: &'a str,
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) what: &'a str,
    pub(super) verdict: &'a str,
    pub(super) because: Option<String>,
    /// The first tests that cover it, and how many do.
    pub(super) tests: &'a [u32],
    pub(super) count: usize,
}

/// The truth table of a decision.
#[derive(Debug, Serialize)]
pub(super) struct DecisionView {
    pub(super) function: String,
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

/// A condition of a decision.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub(super) text: String,
    /// The rows that together show that it decides.
    pub(super) pair: Option<(usize, usize)>,
    /// The verdict on its independence, where that was asked for, with its reason.
    pub(super) verdict: Option<&'static str>,
    pub(super) because: Option<String>,
}

/// An evaluation that was seen.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// `T`, `F` or `-` for each condition.
    pub(super) cells: String,
    /// `T` or `F`.
    pub(super) result: char,
    /// The first tests that show it, and how many do.
    pub(super) tests: Vec<u32>,
    pub(super) count: usize,
}

/// The picture of a function.
#[derive(Debug, Serialize)]
pub(super) struct Graph {
    pub(super) function: String,
    pub(super) svg: String,
}
