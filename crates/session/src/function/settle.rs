//! Mutants that survive: killed by an input found for them, proved to be the same function, or unknown.
//!
//! A mutant is put beside the function under another name, and a third function calls both on the same input, one after
//! the other, and compares what they leave. An input on which they differ is tried natively. That there is none is a proof
//! only if no check of the mutant can fail either: a mutant that does something undefined is not the same function.
//!
//! Looked at are functions that give a number or nothing, and that only compute: no calls of what has no body, no
//! allocations, no volatile memory, nothing that is remembered. What they write behind pointers must be arrays of numbers
//! whose lengths the precondition says; arrays of any length are compared up to a length, which is no proof.

use super::Request;
use super::patience::Patience;
use crate::ctext::spell;
use crate::relation::subject::{Shape, Subject};
use clew_execute::{Input, PointerTarget};
use clew_frontend::{Loaded, Options, contract};
use clew_ir::{CType, Callee, FunctionId, GlobalId, GlobalKind, Inst, InstKind, Operand, ParamKind, Program};
use clew_mutation::Mutant;
use clew_prove::{Goal, Site, Verdict, Wanted, pursue};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Assumptions, Config, Errors, Limits, Mode, Validity};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// Work for one mutant, and a safety net on the clock.
const WORK: Duration = Duration::from_millis(1_000);
const NET: Duration = Duration::from_secs(20);

/// Mutants that are looked at.
const MOST: usize = 256;

/// Elements of an array that is written.
const LENGTH: u32 = 12;

/// Headers of functions that only compute.
const PURE: [&str; 2] = ["math.h", "ctype.h"];

/// What is known of a mutant that no test killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is the same function.
    Equivalent,
    /// Not known, and why.
    Unknown(String),
}

/// Settles mutants by position. `kills` runs an input that should kill one, and says whether it did and is a test now.
pub(super) fn settle(
    request: &Request<'_, '_>,
    mutants: &[Mutant],
    alive: &[usize],
    kills: &mut dyn FnMut(usize, &Input) -> Tried,
) -> Vec<(usize, Settled)> {
    let all = |reason: String| alive.iter().map(|&index| (index, Settled::Unknown(reason.clone()))).collect();
    if alive.len() > MOST {
        return all(format!("more than {MOST} mutants survive"));
    }
    let pair = match Pair::load(request, mutants, alive) {
        Ok(pair) => pair,
        Err(reason) => return all(reason),
    };
    let Pair { mut loaded, is_bounded, bounds } = pair;
    let mut settled = Vec::new();
    let patience = Patience::new(request.config.limits.deadline);
    for &index in alive {
        if patience.is_over() {
            settled.push((index, Settled::Unknown("time".to_owned())));
            continue;
        }
        let known = one(request, &mut loaded, &bounds, mutants[index].number, &mut |input| kills(index, input));
        match known {
            Ok(true) if is_bounded => {
                let reason = format!("no difference for arrays of at most {LENGTH} elements");
                settled.push((index, Settled::Unknown(reason)));
            }
            Ok(true) => settled.push((index, Settled::Equivalent)),
            Ok(false) => {}
            Err(reason) => settled.push((index, Settled::Unknown(reason))),
        }
    }
    settled
}

/// What came of an input that should kill a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It is a test now, or another test kills the mutant already.
    Killed,
    /// It does not kill it.
    Same,
    /// It kills it, but cannot become a test.
    Lost,
}

/// The function beside its mutants.
struct Pair {
    loaded: Loaded,
    /// Whether arrays that could be longer are not.
    is_bounded: bool,
    /// What holds of lengths, as ACSL.
    bounds: Vec<String>,
}

impl Pair {
    fn load(request: &Request<'_, '_>, mutants: &[Mutant], alive: &[usize]) -> Result<Pair, String> {
        let program = request.program;
        if !request.natives.readings().is_empty() || program.functions[request.function].name == "main" {
            return Err("its input is more than what it is called with".to_owned());
        }
        let mut text = String::new();
        for &index in alive {
            let copy = copied(program, request.function, &mutants[index]);
            text += &copy.ok_or_else(|| "its text cannot be copied".to_owned())?;
            text.push('\n');
        }
        let mut plain = read(request, &text)?;
        let name = &program.functions[request.function].name;
        let own = plain.program.function(name).ok_or_else(|| "it cannot be read again".to_owned())?;
        let mut may_write = false;
        let copies = alive.iter().map(|index| alias(name, mutants[*index].number));
        let copies: Vec<FunctionId> = copies.filter_map(|name| plain.program.function(&name)).collect();
        let mut written = BTreeSet::new();
        for id in copies.iter().copied().chain([own]) {
            let about = about(&plain.program, id)?;
            may_write |= about.by_pointer;
            written.extend(about.globals);
        }
        let harness = Harness::new(request, &mut plain, own, may_write, &written)?;
        for &index in alive {
            harness.write(&mut text, name, mutants[index].number);
        }
        harness.write_room(&mut text, name);
        let mut loaded = read(request, &text)?;
        let same = |id: GlobalId| loaded.program.globals.get(id).map(|it| &it.name) == Some(&program.globals[id].name);
        if !request.precondition.clauses.is_empty() && !program.globals.iter().all(|(id, _)| same(id)) {
            return Err("its precondition cannot be read again".to_owned());
        }
        let is_bounded = !harness.bounds.is_empty() && !has_room(request, &mut loaded);
        Ok(Pair { loaded, is_bounded, bounds: harness.bounds })
    }
}

/// The file of a function with more text behind it.
fn read(request: &Request<'_, '_>, text: &str) -> Result<Loaded, String> {
    let unit = request.program.functions[request.function].span.unit;
    let builds = request.natives.builds();
    let build = builds.get(unit.index()).and_then(Option::as_ref).ok_or_else(|| "there is no compiler".to_owned())?;
    let source = std::fs::canonicalize(build.path()).map_err(|error| error.to_string())?;
    let folder = Folder::new()?;
    let path = folder.0.join("mutants.c");
    let include = source.display().to_string();
    if include.contains(['"', '\\', '\n']) {
        return Err("its file has a name that cannot be included".to_owned());
    }
    std::fs::write(&path, format!("#include \"{include}\"\n{text}")).map_err(|error| error.to_string())?;
    let options = Options {
        cc: Some(build.compiler.join(" ")),
        passthrough: build.flags.clone(),
        library: true,
        ..Options::file(path)
    };
    let loaded = clew_frontend::load(&options).map_err(|_| "it cannot be read again".to_owned())?;
    match loaded.has_errors() {
        true => Err("it cannot be read beside its mutants".to_owned()),
        false => Ok(loaded),
    }
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("clew-mutants-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| error.to_string())?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn alias(name: &str, number: u32) -> String {
    format!("clew_{number}_of_{name}")
}

fn harness_name(name: &str, number: u32) -> String {
    format!("clew_{number}_is_{name}")
}

fn room_name(name: &str) -> String {
    format!("clew_room_of_{name}")
}

/// The text of a mutant under another name.
fn copied(program: &Program, function: FunctionId, mutant: &Mutant) -> Option<String> {
    let data = program.functions.get(function).filter(|data| data.body.unit == mutant.span.unit)?;
    let unit = &program.sources.units.get(data.body.unit)?.text;
    let changed = mutant.alone(program)?;
    let after = unit.len().checked_sub(data.body.end as usize)?;
    let body = changed.get(data.body.start as usize..changed.len().checked_sub(after)?)?;
    let head = program.declaration(function);
    let head = head.rfind("*/").map_or(head, |end| &head[end + 2..]);
    let body = if body.starts_with('{') { body.to_owned() } else { format!("{{{body}}}") };
    let text = format!("{head}{body}");
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    Some(renamed(&text, &data.name, &alias(&data.name, mutant.number)))
}

/// A text with an identifier exchanged, but not in literals, nor where it names a member.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => {
                let mut is_escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, c)| {
                    let closes = *c == first && !is_escaped;
                    is_escaped = *c == '\\' && !is_escaped;
                    closes
                });
                close.map_or(rest.len(), |(at, _)| at + 1)
            }
            first if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        let before = out.trim_end();
        let is_member = before.ends_with('.') || before.ends_with("->");
        let word = &rest[..end];
        out.push_str(if word == from && !is_member { to } else { word });
        rest = &rest[end..];
    }
    out
}

/// What a function does besides computing.
struct About {
    /// Whether it writes to places that are not named.
    by_pointer: bool,
    /// Variables that it writes by name.
    globals: BTreeSet<GlobalId>,
}

fn about(program: &Program, id: FunctionId) -> Result<About, String> {
    let reach = clew_analyze::reach::reach(program, id);
    for &global in &reach.globals {
        let data = &program.globals[global];
        if matches!(data.kind, GlobalKind::StaticLocal(_)) && !data.is_const {
            return Err(format!("it remembers `{}` from one call to the next", data.name));
        }
    }
    let mut about = About { by_pointer: false, globals: BTreeSet::new() };
    for &callee in &reach.functions {
        let function = &program.functions[callee];
        if !function.is_defined() || program.models.contains(&callee) {
            let row = clew_library::lookup(&function.name);
            if row.is_none_or(|row| !PURE.contains(&row.header)) {
                return Err(format!("it calls `{}`", function.name));
            }
            continue;
        }
        for block in function.blocks.values() {
            for inst in &block.insts {
                about.note(program, callee, inst)?;
            }
        }
    }
    Ok(about)
}

impl About {
    fn note(&mut self, program: &Program, id: FunctionId, inst: &Inst) -> Result<(), String> {
        match &inst.kind {
            InstKind::Load { volatile: true, .. } | InstKind::Store { volatile: true, .. } => {
                return Err("it uses volatile memory".to_owned());
            }
            InstKind::Store { to, .. } | InstKind::Copy { to, .. } | InstKind::Fill { to, .. } => {
                match root(program, id, *to) {
                    Some(Operand::Local(_)) => {}
                    Some(Operand::Global(global, _)) => drop(self.globals.insert(global)),
                    _ => self.by_pointer = true,
                }
            }
            InstKind::Call { callee: Callee::Indirect(_), .. } => return Err("it calls by pointer".to_owned()),
            InstKind::Allocate { .. } | InstKind::VaStart { .. } => {
                return Err("it has objects of changing size".to_owned());
            }
            InstKind::Unsupported { what } => return Err(format!("it contains {what}")),
            _ => {}
        }
        Ok(())
    }
}

/// The object that an address leads into, if that can be seen.
fn root(program: &Program, id: FunctionId, mut place: Operand) -> Option<Operand> {
    loop {
        let Operand::Temp(temp) = place else { return Some(place) };
        let insts = program.functions[id].blocks.values().flat_map(|block| &block.insts);
        let mut assigned = insts.filter(|inst| inst.kind.dest() == Some(temp));
        place = match (&assigned.next()?.kind, assigned.next()) {
            (InstKind::Offset { base, .. }, None) => *base,
            _ => return None,
        };
    }
}

/// How a function is compared with another one.
struct Harness {
    parameters: String,
    /// The names of the parameters, for calls.
    arguments: String,
    /// The type and name of the result.
    result: Option<(String, bool)>,
    /// Arrays that may be written: the name, a declaration of a copy called `@`, and how many elements there are.
    arrays: Vec<(String, String, String)>,
    /// Variables that may be written.
    globals: Vec<String>,
    bounds: Vec<String>,
}

impl Harness {
    fn new(
        request: &Request<'_, '_>,
        loaded: &mut Loaded,
        own: FunctionId,
        may_write: bool,
        written: &BTreeSet<GlobalId>,
    ) -> Result<Harness, String> {
        let clauses = loaded.program.functions[own].contract.requires.clone();
        let clauses = [clauses, request.precondition.clauses.clone()].concat();
        let subject = may_write.then(|| Subject::new(loaded, own, clauses, &[])).transpose();
        let subject = subject.map_err(|refused| refused.message)?;
        let program = &loaded.program;
        let function = &program.functions[own];
        let CType::Function { returns, variadic, .. } = program.ctypes.get(function.ty) else {
            return Err("its type is not known".to_owned());
        };
        let is_whole = |ty| matches!(program.ctypes.get(ty), CType::Int { .. } | CType::Bool | CType::Enum { .. });
        let is_float = matches!(program.ctypes.get(*returns), CType::Float { .. });
        let is_void = matches!(program.ctypes.get(*returns), CType::Void);
        if *variadic || !(is_void || is_float || is_whole(*returns)) {
            return Err("its result is no number".to_owned());
        }
        let named = |index: usize, name: &str| if name.is_empty() { format!("clew_{index}") } else { name.to_owned() };
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            if param.kind == ParamKind::ReturnSlot {
                return Err("its result is no number".to_owned());
            }
            let name = named(index, &param.name);
            let spelled = spell::parameter(&program.ctypes, param.ty, &name);
            parameters.push(spelled.ok_or_else(|| "a type of it has no name".to_owned())?);
            arguments.push(name);
        }
        let result = (!is_void).then(|| spell::declare(&program.ctypes, *returns, "@")).flatten();
        let mut arrays = Vec::new();
        let mut bounds = Vec::new();
        for slot in subject.iter().flat_map(|subject| &subject.slots) {
            let Shape::Array { element, extent, .. } = &slot.shape else { continue };
            if !is_whole(*element) {
                return Err(format!("`{}` leads to something else than whole numbers", slot.name));
            }
            let most = extent.parse::<u32>().unwrap_or(LENGTH);
            if extent.parse::<u32>().is_err() {
                bounds.push(format!("{extent} <= {LENGTH}"));
            }
            let copy = spell::declare(&program.ctypes, *element, &format!("@[{}]", most.max(1)));
            let copy = copy.ok_or_else(|| "a type of it has no name".to_owned())?;
            arrays.push((slot.name.clone(), copy, extent.clone()));
        }
        let reached = clew_analyze::reach::reach(program, own).globals;
        let leads_away = |id: &GlobalId| {
            let data = &program.globals[*id];
            !data.is_const && !is_flat(program, data.ty)
        };
        if may_write && reached.iter().any(leads_away) {
            return Err("it writes where variables lead".to_owned());
        }
        let all = super::observed_globals(program, own);
        let changed = if may_write { all.into_iter().collect() } else { written.clone() };
        let flat = changed.iter().all(|id| {
            let data = &program.globals[*id];
            is_flat(program, data.ty) && data.kind == GlobalKind::Variable && !data.span.is_none()
        });
        if !flat || parameters.iter().any(|it| it.contains("clew_c")) {
            return Err("it writes variables that are no whole numbers".to_owned());
        }
        let globals = changed.iter().map(|id| program.globals[*id].name.clone()).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let result = result.map(|declaration| (declaration, is_float));
        Ok(Harness { parameters, arguments: arguments.join(", "), result, arrays, globals, bounds })
    }

    /// Writes a function that says whether arrays are no longer than what is compared.
    fn write_room(&self, text: &mut String, name: &str) {
        let bounds = self.bounds.iter().map(|bound| format!(" && {bound}")).collect::<String>();
        let parameters = &self.parameters;
        let _ = write!(text, "int {}({parameters})\n{{\n    return 1{bounds};\n}}\n", room_name(name));
    }

    /// Writes the function that compares.
    fn write(&self, text: &mut String, name: &str, number: u32) {
        let mut body = String::from("    long long clew_c;\n");
        let mut rest = String::new();
        for (array, copy, extent) in &self.arrays {
            for role in ["old", "one"] {
                let _ = writeln!(body, "    {};", copy.replace('@', &format!("clew_{role}_{array}")));
            }
            let _ = writeln!(rest, "    {}", each(extent, &format!("clew_old_{array}[clew_c] = {array}[clew_c];")));
        }
        for global in &self.globals {
            let _ = writeln!(body, "    __typeof__({global}) clew_old_{global}, clew_one_{global};");
            let _ = writeln!(rest, "    {}", moved(&format!("clew_old_{global}"), global));
        }
        for role in ["clew_one", "clew_two"] {
            if let Some((result, _)) = &self.result {
                let _ = writeln!(body, "    {};", result.replace('@', role));
            }
        }
        let assign = |role: &str| self.result.as_ref().map_or_else(String::new, |_| format!("{role} = "));
        let arguments = &self.arguments;
        let _ = writeln!(rest, "    {}{name}({arguments});", assign("clew_one"));
        for (array, _, extent) in &self.arrays {
            let back = format!(
                "{{ clew_one_{array}[clew_c] = {array}[clew_c]; {array}[clew_c] = clew_old_{array}[clew_c]; }}"
            );
            let _ = writeln!(rest, "    {}", each(extent, &back));
        }
        for global in &self.globals {
            let _ = writeln!(rest, "    {}", moved(&format!("clew_one_{global}"), global));
            let _ = writeln!(rest, "    {}", moved(global, &format!("clew_old_{global}")));
        }
        let _ = writeln!(rest, "    {}{}({arguments});", assign("clew_two"), alias(name, number));
        match &self.result {
            Some((_, true)) => {
                rest += "    if (__builtin_memcmp(&clew_one, &clew_two, sizeof clew_one) != 0) return 0;\n";
            }
            Some((_, false)) => rest += "    if (clew_one != clew_two) return 0;\n",
            None => {}
        }
        for (array, _, extent) in &self.arrays {
            let differs = format!("if (clew_one_{array}[clew_c] != {array}[clew_c]) return 0;");
            let _ = writeln!(rest, "    {}", each(extent, &differs));
        }
        for global in &self.globals {
            let differs = format!("__builtin_memcmp(&clew_one_{global}, (void *)&{global}, sizeof {global}) != 0");
            let _ = writeln!(rest, "    if ({differs}) return 0;");
        }
        let harness = harness_name(name, number);
        let _ = write!(text, "int {harness}({})\n{{\n{body}{rest}    return 1;\n}}\n", self.parameters);
    }
}

fn each(extent: &str, statement: &str) -> String {
    format!("for (clew_c = 0; clew_c < (long long)({extent}); clew_c++) {statement}")
}

fn moved(to: &str, from: &str) -> String {
    format!("__builtin_memcpy((void *)&{to}, (void *)&{from}, sizeof {to});")
}

/// Whether a type is a whole number, or an array of them.
fn is_flat(program: &Program, ty: clew_ir::CTypeId) -> bool {
    match program.ctypes.get(ty) {
        CType::Int { .. } | CType::Bool | CType::Enum { .. } => true,
        CType::Array { of, .. } => is_flat(program, *of),
        _ => false,
    }
}

/// Whether the mutant of that number is the same function, or was killed.
fn one(
    request: &Request<'_, '_>,
    loaded: &mut Loaded,
    bounds: &[String],
    number: u32,
    kills: &mut dyn FnMut(&Input) -> Tried,
) -> Result<bool, String> {
    let name = &request.program.functions[request.function].name;
    let find = |loaded: &Loaded, name: &str| {
        loaded.program.function(name).ok_or_else(|| "it cannot be read beside its mutants".to_owned())
    };
    let (harness, copy) = (find(loaded, &harness_name(name, number))?, find(loaded, &alias(name, number))?);
    let own = find(loaded, name)?;
    let mut precondition = request.precondition.clone();
    if let Some(function) = precondition.function {
        precondition.function = Some(find(loaded, &request.program.functions[function].name)?);
    }
    for bound in bounds {
        precondition.clauses.push(contract::precondition(loaded, harness, bound).map_err(|it| it.message)?);
    }
    let contract = &loaded.program.functions[own].contract;
    if contract.rejected.iter().any(|rejected| rejected.clause == "requires") {
        return Err("its precondition cannot be read again".to_owned());
    }
    precondition.clauses.extend(contract.requires.iter().cloned());
    let holds = contract::postcondition(loaded, harness, "\\result == 1").map_err(|it| it.message)?;
    let wanted = Wanted::Fails { assumes: Vec::new(), predicate: holds.predicate };
    let mut goals = vec![Goal { site: Site::Return, wanted }];
    let checks = loaded.program.functions[copy].checks.iter();
    goals.extend(checks.map(|(check, _)| Goal { site: Site::Check(copy, check), wanted: Wanted::Arrival }));
    let config = config(request);
    let (mut was_killed, mut is_lost) = (false, false);
    let mut found = |goal: usize, explored: &clew_symbolic::Explored| {
        let Some(input) = translated(&loaded.program, request.program, &explored.input) else {
            is_lost = true;
            return false;
        };
        match kills(&input) {
            Tried::Killed => was_killed = true,
            Tried::Lost => is_lost = true,
            Tried::Same => {}
        }
        was_killed || goal > 0
    };
    let verdicts = pursue(&loaded.program, harness, &precondition, &config, &goals, &mut found);
    if was_killed {
        return Ok(false);
    }
    if is_lost {
        return Err("an input kills it that cannot be followed".to_owned());
    }
    verdict(request, loaded, (harness, &precondition), &verdicts.map_err(|error| error.reason)?)
}

/// How goals are pursued.
fn config(request: &Request<'_, '_>) -> Config {
    let net = Patience::new(request.config.limits.deadline).within(NET);
    let limits = Limits { deadline: Deadline::after(net).or_work(WORK), ..Limits::default() };
    Config {
        mode: Mode::Goal,
        criteria: Vec::new(),
        errors: Errors::Report,
        validity: Validity::Demanded,
        scope: Vec::new(),
        limits,
        calls: 1,
        explain: false,
        ..request.config.clone()
    }
}

/// Whether the precondition allows no arrays longer than what is compared.
fn has_room(request: &Request<'_, '_>, loaded: &mut Loaded) -> bool {
    let name = &request.program.functions[request.function].name;
    let (Some(room), Some(own)) = (loaded.program.function(&room_name(name)), loaded.program.function(name)) else {
        return false;
    };
    let mut precondition = Precondition { function: None, ..request.precondition.clone() };
    precondition.clauses.extend(loaded.program.functions[own].contract.requires.iter().cloned());
    let Ok(holds) = contract::postcondition(loaded, room, "\\result == 1") else { return false };
    let wanted = Wanted::Fails { assumes: Vec::new(), predicate: holds.predicate };
    let mut goals = vec![Goal { site: Site::Return, wanted }];
    let checks = loaded.program.functions[room].checks.iter();
    goals.extend(checks.map(|(check, _)| Goal { site: Site::Check(room, check), wanted: Wanted::Arrival }));
    let verdicts = pursue(&loaded.program, room, &precondition, &config(request), &goals, &mut |_, _| true);
    verdicts.is_ok_and(|verdicts| verdicts.iter().all(|verdict| matches!(verdict, Verdict::Infeasible(_))))
}

/// Whether verdicts are a proof.
fn verdict(
    request: &Request<'_, '_>,
    loaded: &Loaded,
    (harness, precondition): (FunctionId, &Precondition),
    verdicts: &[Verdict],
) -> Result<bool, String> {
    for (goal, verdict) in verdicts.iter().enumerate() {
        match verdict {
            Verdict::Infeasible(clew_prove::Proof::Bounded(turns)) => {
                return Err(format!("no difference where loops make at most {turns} turns"));
            }
            Verdict::Infeasible(_) => {}
            Verdict::Reached(_) if goal > 0 => return Err("it may do what C leaves undefined".to_owned()),
            Verdict::Reached(_) => return Err("an input that should kill it does not".to_owned()),
            Verdict::Unknown(reasons) => {
                return Err(reasons.iter().next().cloned().unwrap_or_else(|| "not decided".to_owned()));
            }
        }
    }
    let is_strict = request.config.assumptions == Assumptions::Rejected;
    let assumed =
        crate::infer::of_function(&loaded.program, harness, &precondition.clauses, super::overlap::overlap(request));
    match assumed.into_iter().next().filter(|_| is_strict) {
        Some(assumption) => Err(format!("the same only if {assumption}")),
        None => Ok(true),
    }
}

/// An input of the function that compares, as one of the function under test.
fn translated(from: &Program, to: &Program, input: &Input) -> Option<Input> {
    if !input.earlier.is_empty() || !input.stubs.is_empty() || !input.readings.is_empty() || !input.extra.is_empty() {
        return None;
    }
    let to_objects = |target: &PointerTarget| matches!(target, PointerTarget::Object(..));
    if !input.contents().all(|content| content.pointers.iter().all(|pointer| to_objects(&pointer.target))) {
        return None;
    }
    let mut other = Input { after: None, ..input.clone() };
    other.unwritten.places.clear();
    other.unwritten.result.clear();
    for (global, _) in &mut other.globals {
        let name = &from.globals[*global].name;
        let mut same = to.globals.iter().filter(|(_, data)| data.name == *name && data.kind == GlobalKind::Variable);
        *global = same.next()?.0;
        if same.next().is_some() {
            return None;
        }
    }
    Some(other)
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn names_are_exchanged_where_they_name_the_function() {
        let text = "int f(int f2) { return f(f2) + s.f + p->f + \"f\"[0] + 'f' + ff; }";
        let other = "int g(int f2) { return g(f2) + s.f + p->f + \"f\"[0] + 'f' + ff; }";
        assert_eq!(renamed(text, "f", "g"), other);
    }
}
