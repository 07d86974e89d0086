//! Tests at random: inputs drawn from the domain or from each path, and how that went.

use crate::cli::{Floats, TestArguments};
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_frontend::Loaded;
use clew_ir::FunctionId;
use clew_search::sample::Drawn as PathDrawn;
use clew_session::relation::draw::{self, Drawn};
use clew_session::request::TestRequest;
use clew_session::test::Tested;
use clew_symbolic::Precondition;

/// Draws inputs of functions from their domains, if that is asked.
pub(super) fn draw(
    loaded: &mut Loaded,
    functions: &[FunctionId],
    preconditions: &[Precondition],
    request: &TestRequest,
    arguments: &TestArguments,
    terminal: Terminal,
) -> Result<Vec<Drawn>, Status> {
    let Some(count) = request.wanted.random else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (function, precondition) in functions.iter().zip(preconditions) {
        if precondition.function.is_some() {
            terminal.error(
                "inputs that a function in C allows cannot be drawn from a domain: `--per-path` draws from paths",
            );
            return Err(Status::BadInput);
        }
        let by_length = arguments.wanted.floats == Floats::Interval;
        let how = draw::Wanted { count, seed: request.seed, length: arguments.wanted.length, by_length };
        let drawn = draw::inputs(loaded, *function, precondition.clauses.clone(), how);
        all.push(drawn.map_err(|diagnostic| terminal.refuse(&diagnostic, &loaded.program.sources))?);
    }
    Ok(all)
}

/// Says how inputs were drawn.
pub(super) fn report(tested: &Tested<'_>, drawn: Option<&Drawn>, terminal: Terminal) {
    let Ok(outcome) = &tested.result else { return };
    if let Some(drawn) = drawn {
        let lost = match outcome.drawn_lost {
            0 => String::new(),
            lost => format!("; {lost} could not be followed or executed"),
        };
        let (number, rejected) = (drawn.inputs.len(), drawn.rejected);
        terminal.say(&format!("  {number} inputs at random, {rejected} draws rejected by the precondition{lost}"));
        for guess in &drawn.guessed {
            terminal.say(&terminal.paint(Paint::Dim, &format!("    * takes for granted, by names: {guess}")));
        }
    }
    outcome.draws.iter().for_each(|path| terminal.say(&format!("  {}", sentence(path))));
}

/// How the inputs of one path were drawn.
fn sentence(drawn: &PathDrawn) -> String {
    let PathDrawn { path, draws, accepted, boxes, refuted, .. } = drawn;
    let inputs = drawn.inputs.map_or_else(String::new, |inputs| format!(" of {inputs}"));
    let even = match (drawn.chi_square, drawn.probability()) {
        (Some((statistic, freedom)), Some(probability)) => {
            format!("; chi-square {statistic:.1} with {freedom} degrees of freedom, p = {probability:.3}")
        }
        _ => String::new(),
    };
    let kept = if drawn.kept > 0 { format!("; {} parts of the input kept", drawn.kept) } else { String::new() };
    format!(
        "path {path}: {accepted} inputs{inputs} in {draws} draws, {} rejected; {boxes} boxes, {refuted} refuted{even}{kept}",
        draws - accepted
    )
}
