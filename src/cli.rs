//! Arguments with their types; what they mean is up to the commands.

mod cluster;
mod diff;
mod examples;
mod goals;
mod java;
mod mutate;
mod names;
mod relations;
mod rules;
mod test;

use crate::status::Status;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clew_frontend::Options;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) use cluster::{ClusterCommand, MergeArguments, SlurmArguments, WorkerArguments};
pub(crate) use diff::DiffArguments;
pub(crate) use goals::{
    DomainArguments, GoalArguments, ProveArguments, ReachArguments, SolutionsArguments, TargetArguments,
};
pub(crate) use java::JavaArguments;
pub(crate) use mutate::MutateArguments;
pub(crate) use relations::{Rate, RelationArguments};
pub(crate) use rules::{PreferName, RulesArguments, RulesCriterion};
pub(crate) use test::{DenyName, GlobalsName, OutputArguments, TestArguments};

/// Constraint-based test generation for C.
#[derive(Debug, Parser)]
#[command(name = "clew", version, about, long_about = LONG, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// Change a heuristic, for experiments: a row of `clew policy`. Also read from CLEW_TUNE; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", global = true, hide_short_help = true)]
    pub(crate) tune: Vec<String>,
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
  1  a property is violated, a line cannot be reached, a test diverges or its code fails as it was written; with
     `clew test --deny findings` also any finding
  2  bad input: options, files, C that does not compile
  3  a limit of ours: unsupported C, time, steps, memory, a goal left unknown
  4  a mistake in clew
  +8 with `--deny assumptions`: a verdict takes something for granted (docs/trust.md); so 8, 9 or 11
`clew run` passes on the program's own status.";

/// What the groups of options are called.
const SOURCES: &str = "C sources and compiler";
const WANTED: &str = "What is wanted";
const RELATIONS: &str = "Relations between several calls (docs/relations.md)";
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
    /// Join suites and projects, such as the shards of one, into one project.
    #[command(after_long_help = examples::MERGE)]
    Merge(MergeArguments),
    /// Test functions for coordinators (`clew test --queue`) that put them into a queue.
    #[command(after_long_help = examples::WORKER)]
    Worker(WorkerArguments),
    /// Write files for schedulers of clusters.
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Find an input that reaches a line, or show that there is none.
    #[command(after_long_help = examples::REACH)]
    Reach(Box<ReachArguments>),
    /// Count all inputs that reach a goal, and list some of them.
    #[command(after_long_help = examples::SOLUTIONS)]
    Solutions(Box<SolutionsArguments>),
    /// Say which values each part of the inputs has that reach a goal.
    #[command(after_long_help = examples::DOMAIN)]
    Domain(Box<DomainArguments>),
    /// Prove the postconditions and assertions of functions, or find inputs that violate them.
    #[command(after_long_help = examples::PROVE)]
    Prove(Box<ProveArguments>),
    /// Write what an assessor asks for: criteria, gaps with their disposition, hashes, traces, gcov's measurement.
    #[command(after_long_help = examples::EVIDENCE)]
    Evidence(EvidenceArguments),
    /// Measure a suite: which mutants of the functions it tests survive.
    #[command(after_long_help = examples::MUTATE)]
    Mutate(MutateArguments),
    /// Compare two suites, or two versions of a source on the tests of one.
    #[command(after_long_help = examples::DIFF)]
    Diff(DiffArguments),
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
    /// Generate tests and oracles from a specification by rewriting rules (JSL).
    #[command(after_long_help = examples::RULES)]
    Rules(Box<RulesArguments>),
    /// List the heuristics: name, value, range, meaning, evidence. `--tune` changes them, for experiments.
    Policy,
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

impl SourceArguments {
    /// The front end's options.
    pub(crate) fn options(&self, cc_flags: &[String]) -> Options {
        let named = |path: PathBuf| if path.is_dir() { path.join("compile_commands.json") } else { path };
        Options {
            files: self.files.clone(),
            includes: self.include.clone(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            include_files: self.include_files.clone(),
            std: self.std.clone(),
            cc: self.cc.clone(),
            passthrough: self.flags.iter().chain(cc_flags).cloned().collect(),
            database: self.database.clone().map(named),
            ..Options::default()
        }
    }
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
