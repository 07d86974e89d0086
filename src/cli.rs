//! Arguments with their types; what they mean is up to the commands.

mod examples;
mod goals;

use crate::status::Status;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clew::settings::Settings;
use clew_coverage::Criterion;
use clew_solver::clock::Deadline;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use goals::{GoalArguments, ProveArguments, ReachArguments};

/// Constraint-based test generation for C.
#[derive(Debug, Parser)]
#[command(name = "clew", version, about, long_about = LONG, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const LONG: &str = "Constraint-based test generation for C.

Give clew a C file; it gives back tests that cover what was asked, a verdict with a reason for every objective, and
runnable test code.

Begin with `clew test FILE.c`, then look at clew-out/report.html and run `make -C clew-out check`.

Exit codes:
  0  fine
  1  findings: a check fails, a property is violated, a line cannot be reached, a test diverges, optimisation changes one
  2  bad input: options, files, C that does not compile
  3  a limit of ours: unsupported C, time, steps, memory, a goal left unknown
  4  a mistake in clew
`clew run` passes on the program's own status.";

/// What the groups of options are called.
const SOURCES: &str = "C sources and compiler";
const WANTED: &str = "What is wanted";
const INPUTS: &str = "What inputs may be";
const EFFORT: &str = "How far to go";
const OUTPUT: &str = "What is written";
const RUNS: &str = "How tests are run";
const PROJECTS: &str = "Projects";

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// When a person is watching and NO_COLOR is not set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate, run and write tests for functions.
    #[command(after_long_help = examples::TEST)]
    Test(Box<TestArguments>),
    /// Find an input that reaches a line, or show that there is none.
    #[command(after_long_help = examples::REACH)]
    Reach(Box<ReachArguments>),
    /// Prove the postconditions and assertions of functions, or find inputs that violate them.
    #[command(after_long_help = examples::PROVE)]
    Prove(Box<ProveArguments>),
    /// Write what an assessor asks for: criteria, gaps with their disposition, hashes, traces, gcov's measurement.
    #[command(after_long_help = examples::EVIDENCE)]
    Evidence(EvidenceArguments),
    /// Interpret `main` exactly as C runs, and stop where the program is undefined.
    #[command(after_long_help = examples::RUN)]
    Run(RunArguments),
    /// Print the intermediate form of a program.
    #[command(after_long_help = examples::IR)]
    Ir(IrArguments),
    /// Draw the control-flow graph of a function.
    #[command(after_long_help = examples::CFG)]
    Cfg(CfgArguments),
    /// Decide an SMT-LIB problem (QF_BV, QF_FP, QF_BVFP, QF_ABV, QF_ABVFP).
    #[command(after_long_help = examples::SOLVE)]
    Solve(SolveArguments),
}

/// Which C files to read, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct SourceArguments {
    /// C files; together they are one program. With `--database` alone: all files it names.
    #[arg(required_unless_present = "database", value_name = "FILE.c")]
    pub(crate) files: Vec<PathBuf>,
    /// Directory to look for headers in.
    #[arg(short = 'I', value_name = "DIR", action = clap::ArgAction::Append, help_heading = SOURCES)]
    pub(crate) include: Vec<PathBuf>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = SOURCES)]
    pub(crate) define: Vec<String>,
    /// Undefine a macro.
    #[arg(short = 'U', value_name = "NAME", help_heading = SOURCES)]
    pub(crate) undefine: Vec<String>,
    /// Read this header first.
    #[arg(long = "include", value_name = "FILE.h", help_heading = SOURCES)]
    pub(crate) include_files: Vec<PathBuf>,
    /// The C standard, such as c99 or gnu17.
    #[arg(long, value_name = "STD", help_heading = SOURCES)]
    pub(crate) std: Option<String>,
    /// The compiler, possibly with flags ("gcc -m32").
    #[arg(long, value_name = "CC", help_heading = SOURCES)]
    pub(crate) cc: Option<String>,
    /// Take flags from this compile_commands.json, or the one in this directory.
    #[arg(short = 'p', long = "database", value_name = "PATH", help_heading = SOURCES)]
    pub(crate) database: Option<PathBuf>,
    /// A further flag for the compiler; may be repeated.
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true, help_heading = SOURCES)]
    pub(crate) flags: Vec<String>,
}

/// Arguments of `clew evidence`.
#[derive(Debug, Args)]
pub(crate) struct EvidenceArguments {
    /// The directory `clew test` wrote.
    #[arg(value_name = "DIR", default_value = "clew-out")]
    pub(crate) directory: PathBuf,
    /// Do not build and run the tests under gcov.
    #[arg(long)]
    pub(crate) no_measure: bool,
}

/// Arguments of `clew run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// Instructions after which to stop.
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    pub(crate) steps: u64,
    /// Also look at what compilers leave alone: pointers that leave their object without being used, floats out of the
    /// integer's range.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not look at these checks, for programs that rely on what C leaves undefined.
    #[arg(long, value_enum, value_name = "CHECK", value_delimiter = ',')]
    pub(crate) without: Vec<CheckName>,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) args: Vec<String>,
}

/// A kind of check that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckName {
    /// Signed overflow.
    Overflow,
    /// Shift amounts.
    Shift,
    /// Declared array bounds inside an object.
    Index,
    /// Pointers that leave their object.
    PointerArithmetic,
    /// Differences of pointers to different objects.
    PointerDifference,
    /// Reads of memory that was never written.
    Uninitialised,
    /// Floats out of the integer's range.
    FloatToInt,
}

/// Arguments of `clew ir`.
#[derive(Debug, Args)]
pub(crate) struct IrArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// Print this function only.
    #[arg(long, short = 'f', value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Print numbers instead: functions, instructions, and what is not supported.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Further flags for the compiler.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

/// Arguments of `clew cfg`.
#[derive(Debug, Args)]
pub(crate) struct CfgArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The function to draw.
    #[arg(long, short = 'f', value_name = "NAME")]
    pub(crate) function: String,
    /// As Graphviz text (the default).
    #[arg(long, conflicts_with = "svg")]
    pub(crate) dot: bool,
    /// As a picture.
    #[arg(long)]
    pub(crate) svg: bool,
    /// Further flags for the compiler.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

/// Arguments of `clew solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// The problem; `-` is standard input.
    #[arg(value_name = "FILE.smt2")]
    pub(crate) file: PathBuf,
    /// Which layers may decide.
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub(crate) engine: EngineName,
    /// Say how often each layer answered.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Steps of each check-sat.
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// Seconds of the whole run, a safety net.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time: Option<f64>,
    /// Seed of every random choice.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Layers of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// All of them.
    Auto,
    /// Propagation and search only.
    Cp,
    /// Bit-blasting only.
    Sat,
}

/// Arguments of `clew test`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestArguments {
    #[command(flatten)]
    pub(crate) source: SourceArguments,
    /// The function to test; may be repeated. Default: every function of the files.
    #[arg(long, short = 'f', value_name = "NAME", help_heading = WANTED)]
    pub(crate) function: Vec<String>,
    /// What to cover, several separated by commas: statement, decision (or branch), condition, condition-decision, mcc,
    /// mcdc (or mcdc-unique), mcdc-masking, k-path, all-defs, all-uses, weak-mutation, boundary, loop, function, call,
    /// error, float-exceptions, user. Default: k-path, all paths within k.
    #[arg(long, short = 'c', value_name = "CRITERION", value_delimiter = ',', help_heading = WANTED)]
    pub(crate) criterion: Vec<Criterion>,
    /// Whose objectives count. Default: with `--function` those of the function's file that it can reach, otherwise and in
    /// projects those of each function by itself.
    #[arg(long, value_enum, help_heading = WANTED)]
    pub(crate) scope: Option<ScopeName>,
    /// The most iterations of a loop that paths should have. Default: all paths.
    #[arg(short = 'k', long = "k", value_name = "K", help_heading = WANTED)]
    pub(crate) bound: Option<u32>,
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
    /// Stop after so many tests of a function.
    #[arg(long, value_name = "N", help_heading = EFFORT)]
    pub(crate) tests: Option<u64>,
    /// Stop after so many seconds per function, a safety net. Default: 60, or with `--effort` ten times as much and 60.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) time: Option<f64>,
    /// Stop after as much work per function as takes about so many seconds: what is found depends neither on the machine
    /// nor on what else it does.
    #[arg(long, value_name = "SECONDS", help_heading = EFFORT)]
    pub(crate) effort: Option<f64>,
    /// Where the suite goes; nothing of yours is overwritten.
    #[arg(long, short = 'o', value_name = "DIR", default_value = "clew-out", help_heading = OUTPUT)]
    pub(crate) out: PathBuf,
    /// The test frameworks to write for, separated by commas.
    #[arg(long, value_enum, value_name = "FRAMEWORK", value_delimiter = ',', default_value = "plain", help_heading = OUTPUT)]
    pub(crate) emit: Vec<clew::emit::Framework>,
    /// Files for other tools, separated by commas.
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',', help_heading = OUTPUT)]
    pub(crate) export: Vec<clew::interchange::Form>,
    /// The property of Test-Comp that exported suites name, a `.prp` file.
    #[arg(long, value_name = "FILE.prp", help_heading = OUTPUT)]
    pub(crate) property: Option<PathBuf>,
    /// Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer.
    #[arg(long, help_heading = RUNS)]
    pub(crate) sanitize: bool,
    /// Whose tests are run in an optimised build (`-O2`), too: another path or output there is a finding. Not in projects,
    /// unless for all.
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = OptimisedName::Floats, help_heading = RUNS)]
    pub(crate) optimised: OptimisedName,
    /// Print the summary to standard output in this form.
    #[arg(long, value_enum, value_name = "FORM", help_heading = OUTPUT)]
    pub(crate) summary: Option<SummaryForm>,
    /// Show each test (values, path, ending), and why each refuted prefix has no input.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,
    /// Seed of every random choice.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EFFORT)]
    pub(crate) seed: u64,
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
    /// What that file says.
    #[arg(skip)]
    pub(crate) settings: Settings,
    /// Test functions for another process of clew.
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
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
    /// A C file whose functions stand in for functions without a body while paths are explored; may be repeated.
    #[arg(long, value_name = "FILE.c", help_heading = INPUTS)]
    pub(crate) model: Vec<PathBuf>,
    /// Further flags for the compiler.
    #[arg(last = true, value_name = "CC FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

impl TestArguments {
    /// The arguments as they hold for a function.
    pub(crate) fn of_function(&self, name: &str) -> TestArguments {
        let budget = self.settings.of(name).budget;
        TestArguments {
            bound: self.bound.or(budget.k),
            tests: self.tests.or(budget.tests),
            time: self.time.or(budget.time),
            effort: self.effort.or(budget.effort),
            ..self.clone()
        }
    }

    /// Seconds per function: with a limit on work, so many that only a machine in trouble needs them.
    pub(crate) fn seconds(&self) -> f64 {
        let safe = |effort: f64| 60.0 + 10.0 * effort;
        self.time.unwrap_or_else(|| self.effort.map_or(60.0, safe)).clamp(0.0, 1e9)
    }

    /// When to stop with a function that is begun now by this thread.
    pub(crate) fn deadline(&self) -> Deadline {
        let deadline = Deadline::after(Duration::from_secs_f64(self.seconds()));
        let or_work = |effort: f64| deadline.or_work(Duration::from_secs_f64(effort.clamp(0.0, 1e9)));
        self.effort.map_or(deadline, or_work)
    }

    /// How much is done side by side.
    pub(crate) fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.unwrap_or_else(processors).max(1)
    }

    /// Whether a whole project is to be tested.
    pub(crate) fn is_project(&self) -> bool {
        self.project || self.resume || self.changed_since.is_some() || self.source.files.is_empty()
    }
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

/// Forms of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryForm {
    /// One JSON object.
    Json,
}

/// Reads the command line; help and mistakes are printed here.
pub(crate) fn parse() -> Result<Arguments, Status> {
    Arguments::try_parse_from(long_words(std::env::args_os())).map_err(|error| {
        let asked = !error.use_stderr();
        let _ = error.print();
        if asked { Status::Fine } else { Status::BadInput }
    })
}

/// Compilers spell some long options with one dash; before `--` we take both spellings.
fn long_words(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut ours = true;
    let spelled = |word: OsString| {
        ours &= word != "--";
        match word.to_str() {
            Some(text) if ours && (text.starts_with("-std=") || text == "-include") => format!("-{text}").into(),
            _ => word,
        }
    };
    words.map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::{Arguments, long_words};
    use clap::CommandFactory;

    #[test]
    fn compiler_spellings_are_understood() {
        let words = ["clew", "-std=c99", "-include", "a.h", "--", "-std=c11"].map(Into::into);
        assert_eq!(long_words(words.into_iter()), ["clew", "--std=c99", "--include", "a.h", "--", "-std=c11"]);
    }

    #[test]
    fn definitions_are_consistent() {
        Arguments::command().debug_assert();
    }
}
