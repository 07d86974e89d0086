//! Arguments of `clew test`, in groups, and the request they stand for.

use super::java::JavaArguments;
use super::names::EmitName;
use super::{EFFORT, INPUTS, OUTPUT, PROJECTS, RUNS, SourceArguments, SummaryForm, WANTED, names};
use clap::{Args, ValueEnum};
use clew_coverage::Criterion;
use clew_emit::Framework;
use clew_emit::directory::{Binary, Layout};
use clew_frontend::Options;
use clew_jvm::junit::framework::Framework as JavaFramework;
use clew_report::interchange::Form;
use clew_session::finding::Kind;
use clew_session::project::shard::Share;
use clew_session::request::{Execution, Inputs, Role, Scope, TestRequest, Wanted};
use clew_session::settings::{Budget, Settings};
use clew_session::{Optimised, Refine};
use clew_symbolic::config::{Alias, Allocations, Assumptions, Errors, Globals};
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `clew test`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    #[command(flatten)]
    pub(crate) java: JavaArguments,
    #[command(flatten)]
    pub(crate) wanted: WantedArguments,
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) effort: EffortArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
    #[command(flatten)]
    pub(crate) project: ProjectArguments,
    /// Further flags for the compiler.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

/// What is wanted.
#[derive(Clone, Debug, Args)]
pub(crate) struct WantedArguments {
    /// The function to test; may be repeated. Default: every function of the files.
    #[arg(long, short = 'f', value_name = "NAME", help_heading = WANTED)]
    pub(crate) function: Vec<String>,
    /// What to cover, several separated by commas: statement, decision (or branch), condition, condition-decision, mcc,
    /// mcdc (or mcdc-unique), mcdc-masking, k-path, all-defs, all-uses, weak-mutation, boundary, loop, function, call,
    /// error, float-exceptions, user, strong-mutation (each mutant killed or proved equivalent). Default: decision; with `-k`, k-path. All paths there are: `-c path`.
    #[arg(long, short = 'c', value_name = "CRITERION", value_delimiter = ',', help_heading = WANTED)]
    pub(crate) criterion: Vec<Wish>,
    /// What tells paths apart: the outcome of each condition, or that of each decision as a whole, `&&` and `||` included.
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = WANTED)]
    pub(crate) conditions: ConditionsName,
    /// Whose objectives count. Default: with `--function` those of the function's file that it can reach, otherwise and in
    /// projects those of each function by itself.
    #[arg(long, value_enum, help_heading = WANTED)]
    pub(crate) scope: Option<ScopeName>,
    /// The most iterations of a loop that paths should have. Default: any number.
    #[arg(short = 'k', long = "k", value_name = "K", help_heading = WANTED)]
    pub(crate) bound: Option<u32>,
    /// The most calls that a test makes of a function which remembers earlier ones in static variables of functions, its own
    /// or those it calls, where a criterion other than k-path is to be satisfied.
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = WANTED)]
    pub(crate) calls: u32,
    /// A suite that exists already, as its directory or `suite.json`: only what its tests leave open is looked for.
    #[arg(long, value_name = "SUITE", requires = "criterion", help_heading = WANTED)]
    pub(crate) given: Option<PathBuf>,
    /// Leave out tests that cover nothing the others do not, and order the rest by value.
    #[arg(long, requires = "criterion", help_heading = WANTED)]
    pub(crate) minimise: bool,
    /// Draw so many inputs evenly from those that the precondition allows, instead of looking for some.
    #[arg(long, value_name = "N", conflicts_with_all = ["criterion", "given", "per_path"], help_heading = WANTED)]
    pub(crate) random: Option<u64>,
    /// Draw so many inputs of each path, evenly from those that take it (path-oriented random testing).
    #[arg(long, value_name = "N", conflicts_with_all = ["criterion", "given"], help_heading = WANTED)]
    pub(crate) per_path: Option<u64>,
    /// Cut each integer into so many ranges of one length for that. Default: boxes are halved as far as it helps.
    #[arg(long, value_name = "K", requires = "per_path", hide_short_help = true, help_heading = WANTED)]
    pub(crate) ranges: Option<u32>,
    /// The most elements of an array whose number is an input that is drawn.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "random", hide_short_help = true, help_heading = WANTED)]
    pub(crate) length: u32,
}

/// What inputs may be.
#[derive(Clone, Debug, Args)]
pub(crate) struct InputArguments {
    /// What an input may be, such as 'x=0..10' or 'a[*]=-100..100'; may be repeated.
    #[arg(long, value_name = "DOMAIN", allow_hyphen_values = true, help_heading = INPUTS)]
    pub(crate) domain: Vec<String>,
    /// A further precondition in ACSL, such as 'x < y'; may be repeated.
    #[arg(long, value_name = "PREDICATE", allow_hyphen_values = true, help_heading = INPUTS)]
    pub(crate) requires: Vec<String>,
    /// Take preconditions for granted that the source suggests: array parameters, lengths of buffers, first assertions.
    #[arg(long, value_enum, value_name = "WHAT", help_heading = INPUTS)]
    pub(crate) assume: Option<AssumeName>,
    /// A function of the program that takes the same parameters and returns 0 for inputs that are not allowed. Default
    /// for a function `f`: `f_precond`, if there is one.
    #[arg(long, value_name = "NAME", requires = "function", help_heading = INPUTS)]
    pub(crate) precondition: Option<String>,
    /// What a read sees where several of the writes before it may have gone to the same place.
    #[arg(long, value_enum, default_value_t = AliasName::Merge, help_heading = INPUTS)]
    pub(crate) alias: AliasName,
    /// What to do about inputs that make the program undefined.
    #[arg(long, value_enum, default_value_t = ErrorsName::Report, help_heading = INPUTS)]
    pub(crate) errors: ErrorsName,
    /// What globals have on entry.
    #[arg(long, value_enum, default_value_t = GlobalsName::Input, help_heading = INPUTS)]
    pub(crate) globals: GlobalsName,
    /// Take the results of this function from the input instead of running it, whether it is of the C library or has a body
    /// (but not if it is static); may be repeated.
    #[arg(long, value_name = "NAME", help_heading = INPUTS)]
    pub(crate) stub: Vec<String>,
    /// Do not stub this function without a body: paths that call it are lost; may be repeated.
    #[arg(long, value_name = "NAME", help_heading = INPUTS)]
    pub(crate) real: Vec<String>,
    /// Whether `malloc`, `calloc` and `realloc` may fail: the input then says which calls do. Default: they may where a
    /// criterion is to be satisfied, and succeed where all paths are wanted
    #[arg(long, value_enum, help_heading = INPUTS)]
    pub(crate) malloc: Option<MallocName>,
    /// What becomes of verdicts that take something for granted of the environment (docs/trust.md).
    #[arg(long, value_enum, default_value_t = AssumptionsName::Named, help_heading = INPUTS)]
    pub(crate) assumptions: AssumptionsName,
    /// A C file whose functions stand in for functions without a body while paths are explored; may be repeated.
    #[arg(long, value_name = "FILE.c", help_heading = INPUTS)]
    pub(crate) model: Vec<PathBuf>,
}

/// How far to go.
#[derive(Clone, Debug, Args)]
pub(crate) struct EffortArguments {
    /// Stop after so many tests of a function. Default: 2000 where all paths are wanted, no limit for other criteria.
    #[arg(long, value_name = "N", help_heading = EFFORT)]
    pub(crate) tests: Option<u64>,
    /// Stop after so many seconds per function, a safety net. Default: 60, or with `--effort` ten times as much and 60.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) time: Option<f64>,
    /// Stop after as much work per function as takes about so many seconds: what is found depends neither on the machine
    /// nor on what else it does.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) effort: Option<f64>,
    /// Seed of every random choice.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EFFORT)]
    pub(crate) seed: u64,
}

/// What is written.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArguments {
    /// Where the suite goes; nothing of yours is overwritten.
    #[arg(long, short = 'o', value_name = "DIR", default_value = "clew-out", help_heading = OUTPUT)]
    pub(crate) out: PathBuf,
    /// The test frameworks to write for, separated by commas; for methods of Java one, by default junit5.
    #[arg(long, value_parser = names::emit(), value_name = "FRAMEWORK", value_delimiter = ',', default_value = "plain", help_heading = OUTPUT)]
    pub(crate) emit: Vec<EmitName>,
    /// Whose tests share a test program. Default: those of a file, and of each function in a share of a project (`--shard`).
    #[arg(long, value_enum, value_name = "WHOSE", help_heading = OUTPUT)]
    pub(crate) binary: Option<BinaryName>,
    /// Have tests say in which order different functions without a body are called, too.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) call_order: bool,
    /// Files for other tools, separated by commas.
    #[arg(long, value_parser = names::form(), value_name = "FORM", value_delimiter = ',', help_heading = OUTPUT)]
    pub(crate) export: Vec<Form>,
    /// The property of Test-Comp that exported suites name, a `.prp` file.
    #[arg(long, value_name = "FILE.prp", help_heading = OUTPUT)]
    pub(crate) property: Option<PathBuf>,
    /// Do not build and run the test code that was written.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_verify: bool,
    /// End with code 1 if there are findings; add 8 to the code if verdicts rest on assumptions. Both may be given,
    /// separated by commas.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', help_heading = OUTPUT)]
    pub(crate) deny: Vec<DenyName>,
    /// The findings to tell, separated by commas: those of memory, division, overflow (of signed arithmetic) or other.
    /// `suite.json` has all of them. Default: all.
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',', help_heading = OUTPUT)]
    pub(crate) findings: Vec<KindName>,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM", help_heading = OUTPUT)]
    pub(crate) summary: Option<SummaryForm>,
    /// Show each test (values, path, ending), and why each refuted prefix has no input.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,
    /// Print what the command spent its time on: wall-clock and processor time of each phase.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) profile: bool,
}

/// How tests are run.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExecutionArguments {
    /// Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer.
    #[arg(long, help_heading = RUNS)]
    pub(crate) sanitize: bool,
    /// Whose tests are run in an optimised build (`-O2`), too: another path or output there is a finding. Not in projects,
    /// unless for all.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = OptimisedName::Floats, help_heading = RUNS)]
    pub(crate) optimised: OptimisedName,
    /// Whether to measure the tests by the mutants of the function that they kill: until each is killed (first), with every
    /// test that kills it (all), or never. Where they are measured, inputs are chosen that kill more. Default: never.
    #[arg(long, value_enum, value_name = "WHETHER", help_heading = RUNS)]
    pub(crate) mutants: Option<MutantsName>,
    /// Which inputs tests have: as they were found, or small ones along the same paths, with values that can be told apart
    /// where all would be zero, and such that mutants are killed where these are measured. Default: telling where a criterion other than k-path is to be satisfied, in projects found.
    #[arg(long, value_enum, value_name = "WHICH", help_heading = RUNS)]
    pub(crate) values: Option<ValuesName>,
}

impl ExecutionArguments {
    /// What is done with mutants and inputs; `None` leaves it to the role.
    fn refine(&self, is_project: bool, settle: bool) -> Option<Refine> {
        if self.mutants.is_none() && self.values.is_none() && !settle {
            return None;
        }
        let is_project = is_project && !settle;
        let measured = match self.mutants.unwrap_or(if settle { MutantsName::First } else { MutantsName::Never }) {
            MutantsName::Never => None,
            MutantsName::First => Some(false),
            MutantsName::All => Some(true),
        };
        let telling = self.values.map_or(!is_project, |values| values == ValuesName::Telling);
        Some(Refine { measured, telling, settle })
    }
}

/// Projects.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProjectArguments {
    /// Test every function of every file, each file by itself and each function in a directory of its own; implied by
    /// `--database` without files. Functions that did not change since the last run cost nothing.
    #[arg(long, help_heading = PROJECTS)]
    pub(crate) project: bool,
    /// Functions of a project tested side by side, or tests of a file run side by side. Default: as many as there are
    /// processors.
    #[arg(long, short = 'j', value_name = "N", help_heading = PROJECTS)]
    pub(crate) jobs: Option<usize>,
    /// Go on with a project's run that was interrupted: functions that a limit cut off are not tried again.
    #[arg(long, help_heading = PROJECTS)]
    pub(crate) resume: bool,
    /// Of a project, only the functions with lines that changed since this revision of git, or whose file includes a header
    /// that changed.
    #[arg(long, value_name = "REV", help_heading = PROJECTS)]
    pub(crate) changed_since: Option<String>,
    /// Domains, preconditions and budgets of functions. Default: `clew.toml`, if there is one.
    #[arg(long, value_name = "FILE", help_heading = PROJECTS)]
    pub(crate) config: Option<PathBuf>,
    /// Only share I of N of a project's functions, by their names: N runs on N machines test each function once. `clew merge`
    /// joins what they made.
    #[arg(long, value_name = "I/N", group = "share", help_heading = PROJECTS)]
    pub(crate) shard: Option<Share>,
    /// The `project.json` of an earlier run, by whose durations shards are balanced, the same one for every shard; with
    /// `--queue`, what took longest begins first.
    #[arg(long, value_name = "FILE", requires = "share", help_heading = PROJECTS)]
    pub(crate) durations: Option<PathBuf>,
    /// A directory or an http:// URL where results and built libraries are shared with other runs and machines.
    #[arg(long, value_name = "DIR|URL", help_heading = PROJECTS)]
    pub(crate) cache: Option<String>,
    /// Take results from the cache, and put none there.
    #[arg(long, requires = "cache", help_heading = PROJECTS)]
    pub(crate) cache_read_only: bool,
    /// A queue from which `clew worker` on other machines takes the functions, such as nats://HOST; see docs/cluster.md.
    #[arg(long, value_name = "URL", group = "share", conflicts_with = "cache", help_heading = PROJECTS)]
    pub(crate) queue: Option<String>,
    /// Test functions for another process of clew.
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}

impl OutputArguments {
    /// The frameworks for functions of C.
    pub(crate) fn frameworks(&self) -> Vec<Framework> {
        let for_c = |name: &EmitName| match name {
            EmitName::C(framework) => Some(*framework),
            EmitName::Java(_) => None,
        };
        self.emit.iter().filter_map(for_c).collect()
    }

    /// The framework for methods of Java.
    pub(crate) fn java_framework(&self) -> JavaFramework {
        let for_java = |name: &EmitName| match name {
            EmitName::C(_) => None,
            EmitName::Java(framework) => Some(*framework),
        };
        self.emit.iter().find_map(for_java).unwrap_or_default()
    }
}

impl TestArguments {
    /// What is asked, with what `clew.toml` says.
    pub(crate) fn request(&self, settings: Settings) -> TestRequest {
        let flags: Vec<String> = settings.flags.iter().chain(&self.cc_flags).cloned().collect();
        let TestArguments { wanted, effort, output, execution, project, .. } = self;
        let mut forms: Vec<String> = output.export.iter().map(|form| form.name().to_owned()).collect();
        if self.shared_code().is_none() {
            // The result of a function has its test code.
            forms.extend(output.emit.iter().map(|framework| framework.name().to_owned()));
            forms.extend(output.no_verify.then(|| "not-verified".to_owned()));
            forms.extend(output.call_order.then(|| "call-order".to_owned()));
            forms.push("test-code".to_owned());
        }
        let property = output.property.iter().map(|path| path.display().to_string());
        TestRequest {
            sources: Options {
                library: true,
                stubs: self.inputs.stub.clone(),
                models: self.inputs.model.clone(),
                ..self.source.options(&flags)
            },
            wanted: Wanted {
                findings: output.findings.iter().map(|kind| (*kind).into()).collect(),
                ..wanted.request(output.explain, settings.of("").budget.k)
            },
            inputs: self.inputs.request(),
            budget: Budget { time: effort.time, effort: effort.effort, k: wanted.bound, tests: effort.tests },
            seed: effort.seed,
            execution: Execution {
                sanitize: execution.sanitize,
                optimised: execution.optimised.into(),
                refine: execution.refine(project.worker, wanted.wants_mutants()),
                jobs: project.jobs(),
            },
            settings,
            role: if project.worker { Role::Project } else { Role::Person },
            forms: forms.into_iter().chain(property).collect(),
        }
    }

    /// How test code is laid out. Where a suite is replaced that was given, its tests stay.
    pub(crate) fn layout(&self) -> Layout {
        let OutputArguments { out, call_order, .. } = &self.output;
        let is_replaced = |given: &PathBuf| {
            let given = if given.is_dir() { Some(given.as_path()) } else { given.parent() };
            given.is_some_and(|given| given.canonicalize().ok() == out.canonicalize().ok())
        };
        let keeps_given = self.wanted.given.as_ref().is_some_and(is_replaced);
        let (frameworks, binary) = (self.output.frameworks(), self.binary().into());
        Layout { frameworks, binary, call_order: *call_order, keeps_given }
    }

    /// Whose tests share a program. What is in a share of a project is joined function by function.
    fn binary(&self) -> BinaryName {
        let usual = if self.project.shard.is_some() { BinaryName::Function } else { BinaryName::File };
        self.output.binary.unwrap_or(usual)
    }

    /// What decides how the test code of a file looks that its functions share; `None` if each has its own.
    pub(crate) fn shared_code(&self) -> Option<String> {
        let Layout { frameworks, binary, call_order, .. } = self.layout();
        let names: Vec<&str> = frameworks.iter().map(|framework| framework.name()).collect();
        let is_shared = binary != Binary::Function;
        is_shared.then(|| format!("{names:?} {binary:?} {call_order} {}", self.output.no_verify))
    }

    /// Whether a whole project is to be tested.
    pub(crate) fn is_project(&self) -> bool {
        let ProjectArguments { project, resume, changed_since, shard, cache, queue, .. } = &self.project;
        let is_shared = shard.is_some() || cache.is_some() || queue.is_some();
        *project || *resume || is_shared || changed_since.is_some() || self.source.files.is_empty()
    }
}

/// What `--criterion` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// A criterion whose objectives are in the code.
    Of(Criterion),
    /// Every mutant killed, or proved to be the same function.
    StrongMutation,
}

impl FromStr for Wish {
    type Err = String;

    fn from_str(text: &str) -> Result<Wish, String> {
        match text {
            "strong-mutation" => Ok(Wish::StrongMutation),
            _ => text.parse().map(Wish::Of),
        }
    }
}

impl WantedArguments {
    /// Whether every mutant is to be killed.
    fn wants_mutants(&self) -> bool {
        self.criterion.contains(&Wish::StrongMutation)
    }

    /// `bound` is the one of the settings.
    fn request(&self, explain: bool, bound: Option<u32>) -> Wanted {
        let is_bounded = self.bound.or(bound).is_some();
        let named = |wish: &Wish| match wish {
            Wish::Of(criterion) => Some(*criterion),
            Wish::StrongMutation => None,
        };
        let mut criteria: Vec<Criterion> = self.criterion.iter().filter_map(named).collect();
        if criteria.is_empty() && (!is_bounded || self.wants_mutants()) {
            criteria.push(Criterion::Decision);
        }
        Wanted {
            functions: self.function.clone(),
            criteria,
            whole: self.conditions == ConditionsName::Whole,
            scope: self.scope.map(Into::into),
            calls: self.calls,
            given: self.given.clone(),
            minimise: self.minimise,
            explain,
            random: self.random,
            per_path: self.per_path,
            ranges: self.ranges,
            findings: Vec::new(),
        }
    }
}

impl InputArguments {
    fn request(&self) -> Inputs {
        Inputs {
            domains: self.domain.clone(),
            requires: self.requires.clone(),
            assume_inferred: self.assume == Some(AssumeName::Inferred),
            precondition: self.precondition.clone(),
            alias: self.alias.into(),
            errors: self.errors.into(),
            globals: self.globals.into(),
            stub: self.stub.clone(),
            real: self.real.clone(),
            allocations: self.malloc.map(Into::into),
            assumptions: self.assumptions.into(),
        }
    }
}

impl ProjectArguments {
    /// How much is done side by side.
    fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.unwrap_or_else(processors).max(1)
    }
}

/// What is told by the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DenyName {
    /// Inputs that make the program undefined, and tests that optimisation changes.
    Findings,
    /// Verdicts that take something for granted of the environment (docs/trust.md).
    Assumptions,
}

/// Whose tests share a test program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BinaryName {
    /// Those of one function.
    Function,
    /// Those of all functions of a source file.
    File,
    /// Those of all files, besides: `make check_all_tests` (frameworks whose tests have a `main` in C).
    Project,
}

/// Which findings are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindName {
    /// Accesses of memory that must not be, and calls of what is no such function.
    Memory,
    /// Divisions without a result.
    Division,
    /// Signed arithmetic whose result is not representable.
    Overflow,
    /// Everything else that C leaves undefined.
    Other,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Kind {
        match name {
            KindName::Memory => Kind::Memory,
            KindName::Division => Kind::Division,
            KindName::Overflow => Kind::Overflow,
            KindName::Other => Kind::Other,
        }
    }
}

/// What tells paths apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConditionsName {
    /// The outcome of each condition.
    #[default]
    Each,
    /// The result of each decision.
    Whole,
}

/// Whose objectives count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeName {
    /// Those of the function under test alone; if it decides nothing, also those of functions that are always inlined into
    /// it.
    Function,
    /// Those of the functions of its file that it can reach.
    File,
    /// Those of all functions that it can reach.
    Program,
}

/// What to do about inputs that make the program undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorsName {
    /// Find one for each check, and report it.
    Report,
    /// Leave them out.
    AssumeAbsent,
}

/// Whose tests are run in an optimised build, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptimisedName {
    /// No function's.
    Never,
    /// Those of functions that compute with floats.
    Floats,
    /// All functions'.
    Always,
}

/// How tests are measured by mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MutantsName {
    /// Not at all.
    Never,
    /// Each mutant is run until a test kills it.
    First,
    /// Each mutant is run under all tests that come to its place.
    All,
}

/// Which inputs tests have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValuesName {
    /// As they were found.
    Found,
    /// Small ones, and then such that mutants are killed.
    Telling,
}

/// What becomes of verdicts that take something for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumptionsName {
    /// They are given, and name what they assume.
    Named,
    /// They are unknown instead.
    Strict,
}

impl From<AssumptionsName> for Assumptions {
    fn from(name: AssumptionsName) -> Assumptions {
        match name {
            AssumptionsName::Named => Assumptions::Named,
            AssumptionsName::Strict => Assumptions::Rejected,
        }
    }
}

/// What is taken for granted besides contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumeName {
    /// What the source suggests.
    Inferred,
}

/// Whether allocations may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MallocName {
    /// They never fail, except for sizes no machine has.
    Succeeds,
    /// Each call may fail.
    MayFail,
}

/// What globals have on entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlobalsName {
    /// Any value: they are inputs, except of `main`.
    Input,
    /// Their initial values.
    Initial,
}

/// What a read sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AliasName {
    /// One path for all of them.
    Merge,
    /// One path for each feasible alias relation.
    Split,
}

impl From<BinaryName> for Binary {
    fn from(name: BinaryName) -> Binary {
        match name {
            BinaryName::Function => Binary::Function,
            BinaryName::File => Binary::File,
            BinaryName::Project => Binary::Project,
        }
    }
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Scope {
        match name {
            ScopeName::Function => Scope::Function,
            ScopeName::File => Scope::File,
            ScopeName::Program => Scope::Program,
        }
    }
}

impl From<ErrorsName> for Errors {
    fn from(name: ErrorsName) -> Errors {
        match name {
            ErrorsName::Report => Errors::Report,
            ErrorsName::AssumeAbsent => Errors::AssumeAbsent,
        }
    }
}

impl From<OptimisedName> for Optimised {
    fn from(name: OptimisedName) -> Optimised {
        match name {
            OptimisedName::Never => Optimised::Never,
            OptimisedName::Floats => Optimised::Floats,
            OptimisedName::Always => Optimised::Always,
        }
    }
}

impl From<MallocName> for Allocations {
    fn from(name: MallocName) -> Allocations {
        match name {
            MallocName::Succeeds => Allocations::Succeed,
            MallocName::MayFail => Allocations::MayFail,
        }
    }
}

impl From<GlobalsName> for Globals {
    fn from(name: GlobalsName) -> Globals {
        match name {
            GlobalsName::Input => Globals::Input,
            GlobalsName::Initial => Globals::Initial,
        }
    }
}

impl From<AliasName> for Alias {
    fn from(name: AliasName) -> Alias {
        match name {
            AliasName::Merge => Alias::Merge,
            AliasName::Split => Alias::Split,
        }
    }
}
