//! `clew prove` of relations between calls: by proof, on every input of a domain, or on some at random.

use super::goals::{config, describe, joined};
use crate::cli::{GoalArguments, ProveArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_emit::directory::{self, function_code};
use clew_emit::{Framework, project};
use clew_execute::Ending;
use clew_frontend::{Loaded, contract};
use clew_ir::contract::Clause;
use clew_ir::{CheckKind, FunctionId, ParamKind};
use clew_prove::Verdict;
use clew_report::html::relations;
use clew_session::goals::collect::{Selection, properties};
use clew_session::goals::{self, Answered, Asked};
use clew_session::relation::driver::Plan;
use clew_session::relation::subject::Subject;
use clew_session::relation::syntax::{Output, Relation, parse};
use clew_session::relation::{self, Harness, Options};
use clew_session::{self as session, Natives, Request, output, select};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Allocations, Errors};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

mod clauses;
mod counterexample;
mod native;
mod rate;

/// Where harnesses go in the output directory.
const FOLDER: &str = "relations";

/// What came of one relation, or of one generator of its group.
#[derive(Clone, Debug, Serialize)]
struct Settled {
    /// The function, or the relation in C.
    function: String,
    /// The relation as it was written.
    relation: String,
    /// What was checked of it.
    check: String,
    /// `proved`, `holds`, `violated`, `not-closed` or `unknown`.
    verdict: &'static str,
    /// How it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<String>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The input that violates it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    input: Vec<String>,
    /// The calls on that input, with their results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<String>,
    /// Inputs tried, and inputs that the precondition does not allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<(u64, u64)>,
    /// What is taken for granted, and what the verdict means.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    notes: BTreeSet<String>,
    seconds: f64,
}

impl Settled {
    fn new(function: &str, relation: &str, check: &str) -> Settled {
        Settled {
            function: function.to_owned(),
            relation: relation.to_owned(),
            check: check.to_owned(),
            verdict: "unknown",
            how: None,
            reason: None,
            input: Vec::new(),
            calls: Vec::new(),
            tried: None,
            notes: BTreeSet::new(),
            seconds: 0.0,
        }
    }
}

impl Settled {
    /// The same for the report.
    fn shown(&self) -> relations::Relation<'_> {
        relations::Relation {
            function: &self.function,
            relation: &self.relation,
            check: &self.check,
            verdict: self.verdict,
            why: self.how.as_deref().or(self.reason.as_deref()),
            input: &self.input,
            calls: &self.calls,
            notes: self.notes.iter().map(String::as_str).collect(),
        }
    }
}

/// What a relation in C is shown as.
struct Title {
    function: String,
    relation: String,
}

/// What a run has so far.
struct Session<'a> {
    arguments: &'a ProveArguments,
    terminal: Terminal,
    settled: Vec<Settled>,
    /// The part of all inputs on which a fault would show, and how it was measured.
    rate: Option<f64>,
    measured: Vec<rate::Measured>,
    /// The test code written, by framework.
    targets: Vec<(Framework, project::Target)>,
}

/// Whether functions that are asked for have relations in C, found by their names.
pub(super) fn are_found(loaded: &Loaded, arguments: &ProveArguments) -> bool {
    let is_asked = arguments.function.iter().any(|name| !relation::named(&loaded.program, name).is_empty());
    let are_clauses = !arguments.function.is_empty() && !contract::relational_clauses(&loaded.program).is_empty();
    (is_asked || are_clauses) && arguments.ensures.is_empty() && !arguments.checks
}

/// Says which relations functions suggest.
pub(super) fn suggest(loaded: &Loaded, functions: &[FunctionId], terminal: Terminal) -> Result<Status, Status> {
    let mut found = false;
    for id in functions {
        for text in relation::suggestions(&loaded.program, *id) {
            found = true;
            terminal.print(&format!("{}  --symmetry '{text}'\n", loaded.program.functions[*id].name));
        }
    }
    if !found {
        terminal.say("names and types suggest no relation");
    }
    Ok(Status::Fine)
}

/// Settles all relations that are asked for.
pub(super) fn run(loaded: &mut Loaded, arguments: &ProveArguments, terminal: Terminal) -> Result<Status, Status> {
    let (settled, measured, targets) = (Vec::new(), Vec::new(), Vec::new());
    let mut session = Session { arguments, terminal, settled, rate: None, measured, targets };
    for name in &arguments.function {
        let function = super::source::function(&loaded.program, name, terminal)?;
        for text in &arguments.relations.symmetry {
            session.symmetry(loaded, function, text)?;
        }
    }
    let named = arguments.function.iter().flat_map(|name| relation::named(&loaded.program, name));
    let mut relations: Vec<FunctionId> = named.filter(|_| arguments.relations.symmetry.is_empty()).collect();
    for name in &arguments.relations.relation {
        relations
            .push(relation::in_c(&loaded.program, name).map_err(|it| terminal.refuse(&it, &loaded.program.sources))?);
    }
    for id in relations {
        let name = loaded.program.functions[id].name.clone();
        session.in_c(loaded, id, &Title { function: name.clone(), relation: name })?;
    }
    if !arguments.relations.are_asked_for() {
        session.relational_clauses(loaded)?;
    }
    session.finish()
}

impl Session<'_> {
    fn refuse<T>(&self, loaded: &Loaded, result: Result<T, Box<clew_frontend::Diagnostic>>) -> Result<T, Status> {
        result.map_err(|diagnostic| self.terminal.refuse(&diagnostic, &loaded.program.sources))
    }

    fn how(&self) -> &GoalArguments {
        &self.arguments.how
    }

    /// What holds of the inputs of a function: its contract, and what the options say.
    fn clauses(&self, loaded: &mut Loaded, function: FunctionId) -> Result<Vec<Clause>, Status> {
        let own = loaded.program.functions[function].contract.requires.clone();
        let more = select::precondition(loaded, function, &self.how().domain, &self.how().requires);
        Ok([own, self.refuse(loaded, more)?.clauses].concat())
    }

    /// A relation by name.
    fn symmetry(&mut self, loaded: &mut Loaded, function: FunctionId, text: &str) -> Result<(), Status> {
        let relation = self.refuse(loaded, parse(text))?;
        self.measure(loaded, function, &relation)?;
        let clauses = self.clauses(loaded, function)?;
        let asked = &self.arguments.relations;
        let is_random = asked.random.is_some() || asked.quality.is_some();
        let options = Options { length: asked.length, whole_group: asked.whole_group || is_random };
        let harness = relation::harness(loaded, function, clauses, &relation, options);
        let harness = self.refuse(loaded, harness)?;
        if asked.exhaustive || is_random {
            return self.natively(loaded, &harness, &relation);
        }
        let other = self.with_harness(loaded, function, &relation, &harness)?;
        self.proved(loaded, other, &relation, &harness)
    }

    /// Writes the harness beside the tests, and loads it in place of the source of the function.
    fn with_harness(
        &self,
        loaded: &Loaded,
        function: FunctionId,
        relation: &Relation,
        harness: &Harness,
    ) -> Result<Loaded, Status> {
        let name = &loaded.program.functions[function].name;
        let stem = relation.text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect::<String>();
        let stem = format!("{name}_{}", stem.trim_matches('_'));
        let what = format!("{name}: {}", relation.text.replace("*/", "* /"));
        self.with_text(loaded, function, (&stem, &what), &harness.text(str::to_owned))
    }

    /// Writes text behind the source of a function, in a file beside the tests, and loads that in place of the source.
    fn with_text(
        &self,
        loaded: &Loaded,
        function: FunctionId,
        (stem, what): (&str, &str),
        text: &str,
    ) -> Result<Loaded, Status> {
        let failed = |error: output::WriteError| {
            self.terminal.error(&error.to_string());
            Status::BadInput
        };
        let folder = self.how().out.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(|error| failed(output::WriteError::Io(folder.clone(), error)))?;
        let unit = loaded.program.functions[function].span.unit;
        let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
        let source =
            build.map_or_else(|| PathBuf::from(&loaded.program.sources.units[unit].path), clew_frontend::Build::path);
        let source = std::fs::canonicalize(&source).unwrap_or(source);
        let include = directory::named_from(&folder, &source);
        let path = folder.join(format!("{stem}.c"));
        let text = format!("/* {}: {what} */\n#include \"{include}\"\n{text}", output::MARK);
        output::write(&path, text).map_err(failed)?;
        let mut options = self.arguments.source.options(&self.how().cc_flags);
        options.library = true;
        if let Some(build) = build.filter(|_| options.database.is_some()) {
            options.cc = Some(build.compiler.join(" "));
            options.passthrough = build.flags.clone();
            options.database = None;
        }
        let same = |file: &PathBuf| std::fs::canonicalize(file).is_ok_and(|file| file == source);
        options.files.retain(|file| !same(file));
        options.files.insert(0, path);
        super::source::load_with(&options, self.terminal)
    }

    /// Proves the checks of a harness.
    fn proved(
        &mut self,
        plain: &Loaded,
        mut loaded: Loaded,
        relation: &Relation,
        harness: &Harness,
    ) -> Result<(), Status> {
        let subject = &harness.called[0];
        let own = super::source::function(&loaded.program, &subject.name, self.terminal)?;
        for check in &harness.checks {
            let start = Instant::now();
            let id = super::source::function(&loaded.program, &check.name, self.terminal)?;
            let mut precondition = self.of_harness(&mut loaded, id, own, harness)?;
            let answer = self.ask(&mut loaded, id, &precondition)?;
            let mut settled = Settled::new(&subject.name, &relation.text, &check.what);
            settled.notes.extend(harness.notes.iter().cloned());
            settled.notes.extend(answer.assumptions.iter().map(|it| format!("assumes: {it}")));
            match &answer.verdict {
                Verdict::Infeasible(proof) => {
                    settled.verdict = "proved";
                    let length = harness.length.map_or_else(String::new, |length| format!(", up to length {length}"));
                    settled.how = Some(format!("{}{length}", describe(proof)));
                    settled.notes.extend(meaning(relation, harness));
                    settled.notes.extend(undefined(&loaded, id));
                }
                Verdict::Unknown(reasons) => settled.reason = Some(joined(reasons)),
                Verdict::Reached(_) => {
                    let plan = Plan {
                        loaded: plain,
                        subject,
                        harness: Some(harness),
                        check: Some(check),
                        called: &harness.called,
                        length: self.arguments.relations.length,
                        mutants: None,
                    };
                    let found = counterexample::found(&plan, &loaded, id, &answer);
                    settled.verdict = found.verdict;
                    settled.input = found.input;
                    settled.calls = found.calls;
                    let mut shown = answer;
                    if !found.pins.is_empty() {
                        for pin in &found.pins {
                            let clause = contract::precondition(&mut loaded, id, pin);
                            precondition.clauses.extend(clause.ok());
                        }
                        let smaller = self.ask(&mut loaded, id, &precondition)?;
                        if matches!(smaller.verdict, Verdict::Reached(_)) {
                            shown = smaller;
                        }
                    }
                    if settled.verdict == "violated" {
                        self.write(&loaded, id, &shown, &settled)?;
                    } else {
                        settled.reason = Some("a call lies outside of the precondition".to_owned());
                    }
                }
            }
            settled.seconds = start.elapsed().as_secs_f64();
            self.tell(&settled);
            self.settled.push(settled);
        }
        Ok(())
    }

    /// What holds of the inputs of a harness.
    fn of_harness(
        &self,
        loaded: &mut Loaded,
        id: FunctionId,
        own: FunctionId,
        harness: &Harness,
    ) -> Result<Precondition, Status> {
        let more = select::precondition(loaded, id, &self.how().domain, &self.how().requires);
        let mut precondition = self.refuse(loaded, more)?;
        for text in &harness.bounds {
            let clause = contract::precondition(loaded, id, text);
            precondition.clauses.push(self.refuse(loaded, clause)?);
        }
        precondition.clauses.extend(loaded.program.functions[own].contract.requires.iter().cloned());
        Ok(precondition)
    }

    /// Asks whether a check can return something else than that the relation holds.
    fn ask(&self, loaded: &mut Loaded, id: FunctionId, precondition: &Precondition) -> Result<Answered, Status> {
        let holds = contract::postcondition(loaded, id, &format!("\\result == {}", relation::HOLDS));
        let mut selection = Selection::default();
        selection.ensures.push(("the relation holds".to_owned(), self.refuse(loaded, holds)?));
        let asked = properties(&loaded.program, id, &selection);
        let asked = asked.into_iter().filter(|asked| asked.span.is_none()).take(1).collect();
        self.pursue(loaded, id, precondition, asked).map(|mut answers| answers.remove(0))
    }

    fn pursue(
        &self,
        loaded: &Loaded,
        id: FunctionId,
        precondition: &Precondition,
        asked: Vec<Asked>,
    ) -> Result<Vec<Answered>, Status> {
        let mut config = config(&loaded.program, id, Errors::AssumeAbsent, self.how());
        config.compares = true;
        config.stubbing.allocations = Allocations::Succeed;
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        let precondition = precondition.clone();
        let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
        goals::run(&request, asked).map_err(|error| {
            self.terminal.error(&format!("cannot look at `{}`: {error}", loaded.program.functions[id].name));
            Status::BadInput
        })
    }

    /// A relation in C.
    fn in_c(&mut self, loaded: &mut Loaded, id: FunctionId, title: &Title) -> Result<(), Status> {
        let asked = &self.arguments.relations;
        let mut effects = self.refuse(loaded, relation::effects::notes(&loaded.program, id))?;
        effects.extend(relation::effects::memory(&loaded.program, id));
        if asked.exhaustive || asked.random.is_some() || asked.quality.is_some() {
            return self.in_c_natively(loaded, id, title, effects);
        }
        let mut selection = Selection::default();
        if relation::gives_truth(&loaded.program, id) {
            let clause = contract::postcondition(loaded, id, "\\result != 0");
            selection.ensures.push(("the relation holds".to_owned(), self.refuse(loaded, clause)?));
        }
        let asked = properties(&loaded.program, id, &selection);
        let name = loaded.program.functions[id].name.clone();
        if asked.is_empty() {
            self.terminal.error(&format!("`{name}` asserts nothing and returns nothing: there is nothing to prove"));
            return Err(Status::BadInput);
        }
        let more = select::precondition(loaded, id, &self.how().domain, &self.how().requires);
        let mut precondition = self.refuse(loaded, more)?;
        let guard = select::guard(&loaded.program, id, self.how().precondition.as_deref());
        precondition.function = self.refuse(loaded, guard)?;
        for answer in self.pursue(loaded, id, &precondition, asked)? {
            let mut settled = Settled::new(&title.function, &title.relation, &asserted(&answer.asked.text));
            settled.notes.extend(effects.iter().cloned());
            settled.notes.extend(answer.assumptions.iter().map(|it| format!("assumes: {it}")));
            match &answer.verdict {
                Verdict::Infeasible(proof) => {
                    settled.verdict = "proved";
                    settled.how = Some(describe(proof));
                    settled.notes.extend(undefined(loaded, id));
                }
                Verdict::Unknown(reasons) => settled.reason = Some(joined(reasons)),
                Verdict::Reached(explored) => {
                    settled.verdict = "violated";
                    settled.input = vec![session::suite::describe_input(&loaded.program, id, &explored.input)];
                    settled.calls = self.calls_of(loaded, id, &answer);
                    self.write(loaded, id, &answer, &settled)?;
                }
            }
            settled.seconds = answer.elapsed.as_secs_f64();
            self.tell(&settled);
            self.settled.push(settled);
        }
        Ok(())
    }

    /// The calls that a relation in C makes on an input, as far as they can be told.
    fn calls_of(&self, loaded: &mut Loaded, id: FunctionId, answer: &Answered) -> Vec<String> {
        let Ok(clauses) = self.clauses(loaded, id) else { return Vec::new() };
        let Ok(subject) = Subject::new(loaded, id, clauses, &[]) else { return Vec::new() };
        let called = callees(loaded, id);
        let length = self.arguments.relations.length;
        let plan =
            Plan { loaded, subject: &subject, harness: None, check: None, called: &called, length, mutants: None };
        counterexample::found(&plan, loaded, id, answer).calls
    }

    /// Writes the test of a violated relation: it fails as long as the relation is violated.
    fn write(&mut self, loaded: &Loaded, id: FunctionId, answer: &Answered, settled: &Settled) -> Result<(), Status> {
        let (Verdict::Reached(explored), Some(observation)) = (&answer.verdict, &answer.observation) else {
            return Ok(());
        };
        let mut observation = observation.clone();
        let mut purpose = vec![format!("{} of {}", settled.relation, settled.function)];
        if let Some(first) = observation.result.first_mut() {
            // Wanted is what the harness returns where the relation holds; a relation in C may say it by any number.
            *first = 1;
        }
        observation.ending = Ending::Returned;
        purpose.push("fails as long as the relation is violated".to_owned());
        purpose.extend(settled.calls.iter().map(|call| call.trim().to_owned()));
        let test = clew_emit::Test {
            name: format!("test_{}", loaded.program.functions[id].name),
            lines: purpose,
            undefined: None,
            addressed: explored.addressed,
            diverged: false,
            input: explored.input.clone(),
            observation,
        };
        let observed = session::observed_globals(&loaded.program, id);
        for framework in self.frameworks() {
            let directory = self.directory(framework);
            let written = std::fs::create_dir_all(&directory)
                .map_err(|error| output::WriteError::Io(directory.clone(), error))
                .and_then(|()| {
                    function_code(loaded, id, &observed, std::slice::from_ref(&test), framework, &directory)
                });
            // Such a test fails, so it is not verified.
            let code = written.map_err(|error| {
                self.terminal.error(&error.to_string());
                Status::BadInput
            })?;
            self.targets.extend(code.into_iter().map(|(target, _)| (framework, target)));
        }
        Ok(())
    }

    fn frameworks(&self) -> Vec<Framework> {
        self.arguments.relations.emit.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn directory(&self, framework: Framework) -> PathBuf {
        let out = &self.how().out;
        if self.frameworks().len() > 1 { out.join(framework.name()) } else { out.clone() }
    }

    /// Says what came of a relation.
    fn tell(&self, settled: &Settled) {
        let (paint, mark) = match settled.verdict {
            "proved" | "holds" => (Paint::Green, "✓"),
            "violated" => (Paint::Red, "✗"),
            _ => (Paint::Yellow, "?"),
        };
        let more =
            settled.how.iter().map(|how| format!(" ({how})")).chain(settled.reason.iter().map(|it| format!(": {it}")));
        let verdict = format!("{}{}", settled.verdict, more.collect::<String>());
        let what = if settled.check.starts_with(&settled.relation) {
            String::new()
        } else {
            format!("{}: ", settled.relation)
        };
        self.terminal.say(&format!(
            "{} {}  {what}{}  {}  {}",
            self.terminal.paint(paint, mark),
            self.terminal.paint(Paint::Bold, &settled.function),
            settled.check,
            self.terminal.paint(paint, &verdict),
            self.terminal.paint(Paint::Dim, &format!("{:.2} s", settled.seconds)),
        ));
        if !settled.input.is_empty() {
            self.terminal.say(&format!("    with {}", settled.input.join(", ")));
        }
        settled.calls.iter().for_each(|call| self.terminal.say(&format!("      {call}")));
        for note in &settled.notes {
            self.terminal.say(&self.terminal.paint(Paint::Dim, &format!("    * {note}")));
        }
    }

    /// Writes what builds the tests, prints the summary, gives the status.
    fn finish(self) -> Result<Status, Status> {
        let mut frameworks = BTreeSet::new();
        for framework in self.frameworks() {
            let own = self.targets.iter().filter(|(of, _)| *of == framework);
            let targets: Vec<project::Target> = own.map(|(_, target)| target.clone()).collect();
            if targets.is_empty() {
                continue;
            }
            frameworks.insert(framework);
            let directory = self.directory(framework);
            self.put(&directory.join("Makefile"), &project::makefile(framework, &targets))?;
            self.put(&directory.join("CMakeLists.txt"), &project::cmake(framework, &targets))?;
        }
        let out = &self.how().out;
        if frameworks.len() > 1 {
            let all: Vec<Framework> = frameworks.iter().copied().collect();
            self.put(&out.join("Makefile"), &project::makefile_of(&all))?;
        }
        self.report()?;
        if !frameworks.is_empty() {
            self.terminal.say(&format!("tests in {}; run them: make -C {} check", out.display(), out.display()));
        }
        if self.how().summary == Some(SummaryForm::Json) {
            let text = serde_json::json!({ "relations": self.settled, "rates": self.measured });
            self.terminal.print(&format!("{text}\n"));
        }
        let is = |wanted: &str| self.settled.iter().any(|settled| settled.verdict == wanted);
        Ok(match (is("violated"), is("unknown") || is("not-closed")) {
            (true, _) => Status::Findings,
            (_, true) => Status::Limit,
            _ => Status::Fine,
        })
    }

    /// Writes the report, which shows the calls of violated relations side by side.
    fn report(&self) -> Result<(), Status> {
        let (out, path) = (&self.how().out, self.how().out.join("report.html"));
        std::fs::create_dir_all(out).map_err(|error| {
            self.terminal.error(&output::WriteError::Io(out.clone(), error).to_string());
            Status::BadInput
        })?;
        let shown: Vec<relations::Relation<'_>> = self.settled.iter().map(Settled::shown).collect();
        self.put(&path, &relations::html(&shown))?;
        if self.settled.iter().any(|settled| settled.verdict == "violated") {
            self.terminal.say(&format!("calls side by side: {}", path.display()));
        }
        Ok(())
    }

    fn put(&self, path: &Path, text: &str) -> Result<(), Status> {
        output::write(path, text).map_err(|error| {
            self.terminal.error(&error.to_string());
            Status::BadInput
        })
    }
}

/// What a proof says nothing of, if anything that is called can be undefined.
fn undefined(loaded: &Loaded, id: FunctionId) -> Option<String> {
    let program = &loaded.program;
    let reached = clew_analyze::reach::reach(program, id).functions;
    let has_checks =
        reached.iter().any(|id| program.functions[*id].checks.iter().any(|(_, it)| it.kind != CheckKind::Assertion));
    has_checks
        .then(|| "inputs that make a call undefined are left out; `--checks` without relations finds them".to_owned())
}

/// What an assertion says, where its macro is already expanded.
fn asserted(text: &str) -> String {
    let quoted = || text.split_once('"')?.1.split_once('"').map(|(inner, _)| inner.to_owned());
    if text.starts_with("__assert") { quoted().unwrap_or_else(|| text.to_owned()) } else { text.to_owned() }
}

/// The functions with a body that a function calls, as far as their calls can be told.
fn callees(loaded: &mut Loaded, id: FunctionId) -> Vec<Subject> {
    let all: BTreeSet<FunctionId> = loaded.program.functions[id].mentions().callees().collect();
    let is_own = |id: &FunctionId| loaded.program.functions[*id].is_defined() && !loaded.program.models.contains(id);
    let own: Vec<FunctionId> = all.into_iter().filter(is_own).collect();
    let subject = |id: FunctionId| {
        let is_plain = loaded.program.functions[id].params.iter().all(|it| it.kind == ParamKind::Scalar);
        if is_plain { Subject::of_callee(loaded, id).ok() } else { None }
    };
    own.into_iter().filter_map(subject).collect()
}

/// What a verdict means for a group of which only generators are tried.
fn meaning(relation: &Relation, harness: &Harness) -> Option<String> {
    if !harness.by_generators {
        return None;
    }
    let why = match relation.output {
        Output::Class => "being a permutation of each other is transitive",
        Output::Moved => "the output is moved by the same permutation, a homomorphism",
        Output::Index => "a position moves with its element, a homomorphism",
        _ => "the output stays the same, the trivial homomorphism",
    };
    Some(format!(
        "holds for all permutations: (1 2) and (1 2 ... k) generate them, the domain is closed under both, and {why}"
    ))
}
