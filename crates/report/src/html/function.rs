//! One function of the report.

use super::data::{FindingView, FunctionPage, Gauge, MutantsView, ObjectiveView, TestView, Values};
use super::source::Sources;
use super::{Subject, decision, picture, walk};
use clew_coverage::{Criterion, Mark, Trace, Verdict};
use clew_ir::{BlockId, ENTRY, FunctionId, InstKind, Program, Span};
use clew_session::suite::mutants::MutantCases;
use clew_session::suite::objective::{because, counts};
use clew_session::suite::{self, FindingCase};
use clew_session::suite::{FunctionSuite, TestCase};
use clew_session::{Outcome, ReplayedFinding};
use std::collections::{BTreeMap, BTreeSet};

/// Tests that a page holds of one function; `suite.json` has them all.
const MOST_TESTS: usize = 4_000;
/// Surviving mutants that a page holds of one function.
const MOST_MUTANTS: usize = 1_000;
/// Tests listed for one objective.
const MOST_COVERING: usize = 64;

/// `most_bytes` is the room that its tests have on the page.
pub(super) fn page<'a>(subject: &Subject<'a, '_>, sources: &mut Sources<'_>, most_bytes: usize) -> FunctionPage<'a> {
    let (outcome, suite) = (subject.outcome, subject.suite);
    let program = sources.program;
    let traces: Vec<Trace> = outcome.tests.iter().map(|test| walk::trace(program, subject.function, test)).collect();
    let functions = functions(subject, &traces, program);
    functions.iter().for_each(|function| sources.show(*function));
    let (file, line) = sources.place(program.functions[subject.function].span).unwrap_or_default();
    let proof = outcome.proof(suite.k).map(Verdict::Infeasible);
    let taken = picture::taken(&traces);
    let ledger = outcome.ledger.as_ref();
    let graph = |id: &FunctionId| picture::graph(program, *id, &taken, ledger, proof.is_some());
    let mut blocks = Blocks::new(program, &functions, sources);
    let tests = tests(suite, &traces, &mut blocks, most_bytes);
    FunctionPage {
        name: &suite.name,
        file,
        line,
        k: suite.k,
        stop: &suite.stop,
        refuted: suite.refuted_prefixes,
        open: suite.open_prefixes,
        proof: proof.as_ref().and_then(because),
        criteria: gauges(outcome),
        flavour: decision::flavour(ledger),
        findings: findings(subject, sources),
        branches: suite.branches.iter().map(|at| (at.line, at.text.as_str(), at.function.as_str())).collect(),
        left_out: suite.tests.len() - tests.len(),
        tests,
        blocks: blocks.places,
        objectives: objectives(outcome, suite, sources),
        decisions: decision::tables(&functions, &traces, ledger, sources),
        graphs: functions.iter().filter_map(graph).collect(),
        mutants: suite.mutants.as_ref().map(mutants),
    }
}

/// The functions shown: those with objectives or entered by a test, as far as they are the user's.
fn functions(subject: &Subject<'_, '_>, traces: &[Trace], program: &Program) -> Vec<FunctionId> {
    let entered = traces.iter().flatten().filter_map(|mark| match mark {
        Mark::Enter(function) => Some(*function),
        _ => None,
    });
    let asked = subject.outcome.ledger.iter().flat_map(|ledger| ledger.entries());
    let mut all: BTreeSet<FunctionId> = entered.chain(asked.map(|(_, objective, _)| objective.function)).collect();
    all.remove(&subject.function);
    all.retain(|id| !program.is_library(*id));
    std::iter::once(subject.function).chain(all).collect()
}

fn mutants(cases: &MutantCases) -> MutantsView<'_> {
    let alive = cases.list.iter().filter(|case| case.killed_by.is_empty());
    let shown =
        alive.map(|case| (case.line, case.operator.as_str(), case.text.as_str(), case.by.as_str(), case.reached));
    MutantsView { all: cases.all, killed: cases.killed, alive: shown.take(MOST_MUTANTS).collect() }
}

fn gauges(outcome: &Outcome<'_>) -> Vec<Gauge> {
    let meaning =
        |name: &str| Criterion::all().find(|criterion| criterion.name() == name).map_or("", Criterion::meaning);
    let counts = outcome.ledger.iter().flat_map(counts);
    counts
        .map(|count| Gauge {
            name: count.criterion,
            meaning: meaning(count.criterion),
            objectives: count.objectives,
            covered: count.covered,
            infeasible: count.infeasible,
            unknown: count.unknown,
        })
        .collect()
}

fn findings<'a>(subject: &Subject<'a, '_>, sources: &mut Sources<'_>) -> Vec<FindingView<'a>> {
    let program = sources.program;
    let (outcome, cases) = (subject.outcome, &subject.suite.findings);
    let mut views = Vec::new();
    for cause in clew_session::finding::causes(&outcome.findings) {
        let place = |one: &ReplayedFinding| one.finding.failure.span;
        let Some(at) = outcome.findings.iter().position(|one| std::ptr::eq(one, cause.first)) else { continue };
        let also = cause.others.iter().map(|other| {
            let span = place(other);
            (sources.place(span).map_or(0, |(file, _)| file), suite::line(program, span))
        });
        let also: BTreeSet<_> = also.collect();
        let native = suite::shown(cause.first);
        let view = finding(&cases[at], place(cause.first), native, sources);
        views.push(FindingView { also: also.into_iter().collect(), ..view });
    }
    // What optimisation changes comes after the failing checks, and is about the function as a whole.
    let home = program.functions[subject.function].span;
    for case in cases.iter().skip(outcome.findings.len()) {
        views.push(finding(case, home, case.native.clone().unwrap_or_default(), sources));
    }
    views
}

fn finding<'a>(case: &'a FindingCase, span: Span, native: String, sources: &mut Sources<'_>) -> FindingView<'a> {
    FindingView {
        what: &case.what,
        function: &case.function,
        file: sources.place(span).map_or(0, |(file, _)| file),
        line: case.line,
        text: &case.text,
        inputs: Values(&case.inputs),
        native,
        requires: case.requires.as_deref(),
        also: Vec::new(),
    }
}

/// The first tests, as many as a page has room for.
fn tests<'a>(suite: &'a FunctionSuite, traces: &[Trace], blocks: &mut Blocks, most_bytes: usize) -> Vec<TestView<'a>> {
    let view = |(test, trace): (&'a TestCase, &Trace)| TestView {
        id: test.id,
        purpose: &test.purpose,
        inputs: Values(&test.inputs),
        calls: test.calls,
        path: &test.path,
        ending: &test.ending,
        result: &test.result,
        outputs: Values(&test.outputs),
        divergence: &test.divergence,
        blocks: blocks.visited(trace),
    };
    let mut left = most_bytes;
    let mut fits = |view: &TestView<'_>| {
        let bytes = serde_json::to_vec(view).map_or(0, |text| text.len());
        let fits = bytes <= left;
        left = left.saturating_sub(bytes);
        fits
    };
    suite.tests.iter().zip(traces).take(MOST_TESTS).map(view).take_while(|view| fits(view)).collect()
}

fn objectives<'a>(
    outcome: &Outcome<'_>,
    suite: &'a FunctionSuite,
    sources: &mut Sources<'_>,
) -> Vec<ObjectiveView<'a>> {
    let spans = outcome.ledger.iter().flat_map(|ledger| ledger.entries()).map(|(_, objective, _)| objective.span);
    let views = suite.objectives.iter().zip(spans).map(|(case, span)| ObjectiveView {
        criterion: &case.criterion,
        file: sources.place(span).map_or(0, |(file, _)| file),
        line: case.line,
        what: &case.what,
        verdict: &case.verdict,
        because: case.explanation(),
        tests: &case.tests[..case.tests.len().min(MOST_COVERING)],
        count: case.tests.len(),
    });
    views.collect()
}

/// The blocks of the functions shown, with the lines they stand on.
struct Blocks {
    places: Vec<(usize, Vec<u32>)>,
    numbers: BTreeMap<(FunctionId, BlockId), usize>,
    /// Blocks of which only the beginning was run.
    begun: BTreeMap<usize, usize>,
}

impl Blocks {
    fn new(program: &Program, functions: &[FunctionId], sources: &mut Sources<'_>) -> Blocks {
        let mut blocks = Blocks { places: Vec::new(), numbers: BTreeMap::new(), begun: BTreeMap::new() };
        for &function in functions {
            for block in program.functions[function].blocks.ids() {
                let place = lines(program, function, block, sources);
                blocks.numbers.insert((function, block), blocks.places.len());
                blocks.places.push(place);
            }
        }
        blocks
    }

    /// Positions of the blocks a trace runs through. Where functions did not return, their last block may not have been
    /// run to its end: of it only the first line counts.
    fn visited(&mut self, trace: &Trace) -> Vec<usize> {
        let mut visited = BTreeSet::new();
        let mut stack: Vec<(FunctionId, BlockId)> = Vec::new();
        let done = |at: &(FunctionId, BlockId), visited: &mut BTreeSet<usize>| {
            visited.extend(self.numbers.get(at));
        };
        for mark in trace {
            match *mark {
                Mark::Enter(function) => stack.push((function, ENTRY)),
                Mark::Block(to) => {
                    if let Some(last) = stack.last_mut() {
                        done(last, &mut visited);
                        last.1 = to;
                    }
                }
                Mark::Leave => stack.pop().iter().for_each(|last| done(last, &mut visited)),
                Mark::Label(_) => {}
            }
        }
        let cut: Vec<usize> = stack.iter().filter_map(|at| self.numbers.get(at).copied()).collect();
        visited.extend(cut.into_iter().map(|block| self.beginning(block)));
        visited.into_iter().collect()
    }

    fn beginning(&mut self, block: usize) -> usize {
        let (file, lines) = self.places[block].clone();
        let next = self.places.len();
        let number = *self.begun.entry(block).or_insert(next);
        if number == next {
            self.places.push((file, lines.into_iter().take(1).collect()));
        }
        number
    }
}

/// The lines of a block, in the order they are run.
fn lines(program: &Program, function: FunctionId, block: BlockId, sources: &mut Sources<'_>) -> (usize, Vec<u32>) {
    let data = &program.functions[function];
    let home = sources.place(data.span).map_or(0, |(file, _)| file);
    let block = &data.blocks[block];
    let silent = |kind: &InstKind| matches!(kind, InstKind::Begin { .. } | InstKind::End { .. });
    let insts = block.insts.iter().filter(|inst| !silent(&inst.kind)).map(|inst| inst.span);
    let own = |span: &Span| !span.is_none() && *span != data.span;
    let mut lines = Vec::new();
    for (file, line) in insts.chain([block.terminator.span]).filter(own).filter_map(|span| sources.place(span)) {
        if file == home && !lines.contains(&line) {
            lines.push(line);
        }
    }
    (home, lines)
}
