//! `clew solutions` and `clew domain`: all inputs that reach a goal, and what values their parts have.

use super::goals::{self, Prepared};
use super::reach::{self, Target};
use crate::cli::{DomainArguments, GoalArguments, SolutionsArguments, SummaryForm};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_frontend::Loaded;
use clew_ir::{FunctionId, Program};
use clew_prove::questions::{CellDomain, Domains, Solutions};
use clew_session::Error;
use clew_session::goals::{Asked, questions};
use clew_session::suite::{self, value};
use clew_solver::domain::int::IntDomain;
use clew_symbolic::config::Errors;
use serde::Serialize;
use serde_json::Value as Json;

/// All solutions of goals, for tools.
#[derive(Serialize)]
struct SolutionsSummary {
    goals: Vec<GoalSolutions>,
}

#[derive(Serialize)]
struct GoalSolutions {
    id: String,
    function: String,
    line: u32,
    /// In decimal digits: it may be larger than what other tools take for a number.
    count: String,
    /// Whether there are no more.
    exact: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
    solutions: Vec<Vec<value::Typed>>,
}

/// The domains of inputs, for tools.
#[derive(Serialize)]
struct DomainsSummary {
    goals: Vec<GoalDomains>,
}

#[derive(Serialize)]
struct GoalDomains {
    id: String,
    function: String,
    line: u32,
    infeasible: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
    inputs: Vec<InputDomain>,
}

#[derive(Serialize)]
struct InputDomain {
    name: String,
    /// The smallest value after propagation.
    low: Json,
    /// The largest.
    high: Json,
    /// Values lie this far apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// The smallest value that occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<Json>,
    /// The largest value that occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest: Option<Json>,
}

pub(super) fn solutions(arguments: &SolutionsArguments, terminal: Terminal) -> Result<Status, Status> {
    let (mut loaded, targets) = targets(&arguments.target, &arguments.how, terminal)?;
    let (mut said, mut status) = (Vec::new(), Status::Fine);
    for (function, asked) in targets {
        let prepared = prepare(&mut loaded, function, &arguments.how, terminal)?;
        let goal = asked.goal.clone().expect("the goals of the command line are goals");
        let solutions = prepared.with(&loaded, |request| questions::solutions(request, &asked, &goal, arguments.limit));
        let solutions = solutions.map_err(|error| refuse(&loaded.program, function, &error, terminal))?;
        status = worse(status, solutions.number == 0, !solutions.doubts.is_empty());
        tell_solutions(&loaded.program, function, &asked, &solutions, terminal);
        let listed = solutions.listed.iter().map(|one| value::inputs(&loaded.program, function, &one.input));
        said.push(GoalSolutions {
            id: asked.id.clone(),
            function: loaded.program.functions[function].name.clone(),
            line: suite::line(&loaded.program, asked.span),
            count: solutions.number.to_string(),
            exact: solutions.doubts.is_empty(),
            reasons: solutions.doubts.iter().cloned().collect(),
            solutions: listed.collect(),
        });
    }
    print(&arguments.how, &SolutionsSummary { goals: said }, terminal);
    Ok(status)
}

pub(super) fn domain(arguments: &DomainArguments, terminal: Terminal) -> Result<Status, Status> {
    let (mut loaded, targets) = targets(&arguments.target, &arguments.how, terminal)?;
    let (mut said, mut status) = (Vec::new(), Status::Fine);
    for (function, asked) in targets {
        let prepared = prepare(&mut loaded, function, &arguments.how, terminal)?;
        let goal = asked.goal.clone().expect("the goals of the command line are goals");
        let domains = prepared.with(&loaded, |request| questions::domains(request, &asked, &goal, arguments.exact));
        let domains = domains.map_err(|error| refuse(&loaded.program, function, &error, terminal))?;
        status = worse(status, domains.is_empty, arguments.exact && !domains.doubts.is_empty());
        tell_domains(&loaded.program, function, &asked, &domains, arguments.exact, terminal);
        said.push(GoalDomains {
            id: asked.id.clone(),
            function: loaded.program.functions[function].name.clone(),
            line: suite::line(&loaded.program, asked.span),
            infeasible: domains.is_empty,
            reasons: domains.doubts.iter().cloned().collect(),
            inputs: domains.cells.iter().filter_map(input_domain).collect(),
        });
    }
    print(&arguments.how, &DomainsSummary { goals: said }, terminal);
    Ok(status)
}

fn targets(
    target: &crate::cli::TargetArguments,
    how: &GoalArguments,
    terminal: Terminal,
) -> Result<(Loaded, Vec<(FunctionId, Asked)>), Status> {
    let Target { loaded, asked } = reach::target(target, how, terminal)?;
    Ok((loaded, asked))
}

fn prepare(
    loaded: &mut Loaded,
    function: FunctionId,
    how: &GoalArguments,
    terminal: Terminal,
) -> Result<Prepared, Status> {
    goals::prepare(loaded, function, Errors::AssumeAbsent, how, terminal)
}

fn refuse(program: &Program, function: FunctionId, error: &Error, terminal: Terminal) -> Status {
    terminal.error(&format!("cannot look at `{}`: {error}", program.functions[function].name));
    Status::BadInput
}

/// A goal that nothing reaches comes first, then what is not known.
fn worse(status: Status, is_empty: bool, is_doubtful: bool) -> Status {
    match (is_empty, is_doubtful) {
        (true, false) => Status::Findings,
        (_, true) if status == Status::Fine => Status::Limit,
        _ => status,
    }
}

fn print(how: &GoalArguments, summary: &impl Serialize, terminal: Terminal) {
    if how.summary == Some(SummaryForm::Json) {
        let text = serde_json::to_string(summary).expect("a summary is made of strings and numbers");
        terminal.print(&format!("{text}\n"));
    }
}

fn heading(program: &Program, asked: &Asked, terminal: Terminal) -> String {
    let line = format!("line {}", suite::line(program, asked.span));
    let name = if asked.id == line { String::new() } else { format!("{}  ", asked.id) };
    format!("{}{line}: {}", terminal.paint(Paint::Bold, &name), asked.text)
}

fn tell_solutions(program: &Program, function: FunctionId, asked: &Asked, solutions: &Solutions, terminal: Terminal) {
    let number = grouped(solutions.number);
    let inputs = if solutions.number == 1 { "input" } else { "inputs" };
    let said = match (solutions.number, solutions.doubts.is_empty()) {
        (0, true) => terminal.paint(Paint::Yellow, "no input reaches it"),
        (_, true) => terminal.paint(Paint::Green, &format!("{number} {inputs}")),
        (_, false) => {
            let reasons: Vec<&str> = solutions.doubts.iter().map(String::as_str).collect();
            terminal.paint(Paint::Yellow, &format!("at least {number} {inputs}: {}", reasons.join("; ")))
        }
    };
    terminal.say(&format!("{}  {said}", heading(program, asked, terminal)));
    for explored in &solutions.listed {
        terminal.say(&format!("    {}", suite::describe_input(program, function, &explored.input)));
    }
    if (solutions.listed.len() as u128) < solutions.number && !solutions.listed.is_empty() {
        terminal.say(&terminal.paint(Paint::Dim, "    ... (--limit lists more)"));
    }
    if solutions.refused > 0 {
        let refused = format!("{} inputs went another way than predicted when executed", solutions.refused);
        terminal.say(&format!("    {}", terminal.paint(Paint::Red, &refused)));
    }
}

fn tell_domains(
    program: &Program,
    function: FunctionId,
    asked: &Asked,
    domains: &Domains,
    exact: bool,
    terminal: Terminal,
) {
    let said = if domains.is_empty { terminal.paint(Paint::Yellow, "no input reaches it") } else { String::new() };
    terminal.say(&format!("{}  {said}", heading(program, asked, terminal)));
    let name = &program.functions[function].name;
    if domains.cells.is_empty() && !domains.is_empty {
        terminal.say(&format!("    `{name}` has no input of integers on the way"));
    }
    for cell in &domains.cells {
        let Some(domain) = &cell.domain else { continue };
        let (low, high) = ends(cell, domain);
        let step = if domain.stride() > 1 { format!(" step {}", domain.stride()) } else { String::new() };
        let exactly = match cell.extremes {
            [Some(least), Some(greatest)] => format!("  exactly {least}..{greatest}"),
            _ if exact => "  smallest and largest are not known".to_owned(),
            _ => String::new(),
        };
        let of = if exact && !domains.doubts.is_empty() { " of what was run" } else { "" };
        terminal.say(&format!("    {} in {low}..{high}{step}{exactly}{of}", cell.name));
    }
    if exact && !domains.doubts.is_empty() {
        let reasons: Vec<&str> = domains.doubts.iter().map(String::as_str).collect();
        terminal.say(&terminal.paint(Paint::Dim, &format!("    {}", reasons.join("; "))));
    }
}

/// The ends of a domain in the order of its type.
fn ends(cell: &CellDomain, domain: &IntDomain) -> (i128, i128) {
    if cell.is_signed {
        (domain.signed_min(), domain.signed_max())
    } else {
        (domain.unsigned_min() as i128, domain.unsigned_max() as i128)
    }
}

fn input_domain(cell: &CellDomain) -> Option<InputDomain> {
    let domain = cell.domain.as_ref()?;
    let (low, high) = ends(cell, domain);
    Some(InputDomain {
        name: cell.name.clone(),
        low: number(low),
        high: number(high),
        step: (domain.stride() > 1).then(|| domain.stride().to_string()),
        least: cell.extremes[0].map(number),
        greatest: cell.extremes[1].map(number),
    })
}

/// A number for tools: in digits where it is beyond what they take for one.
fn number(number: i128) -> Json {
    match i64::try_from(number) {
        Ok(small) => Json::from(small),
        Err(_) => Json::from(number.to_string()),
    }
}

/// A number in groups of three digits.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped() {
        assert_eq!([0, 999, 1953, 4_782_969].map(grouped), ["0", "999", "1,953", "4,782,969"]);
    }
}
