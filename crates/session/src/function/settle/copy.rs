//! The text of a function under another name, with changes, read behind its own file.

use super::PURE;
use crate::function::Request;
use clew_frontend::{Loaded, Options};
use clew_ir::{Callee, FunctionId, GlobalId, GlobalKind, Inst, InstKind, Operand, Program};
use clew_mutation::Mutant;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The file of a function with more text behind it.
pub(super) fn read(request: &Request<'_, '_>, text: &str) -> Result<Loaded, String> {
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

pub(super) fn alias(name: &str, number: u32) -> String {
    format!("clew_{number}_of_{name}")
}

/// The text of a mutant under another name.
pub(super) fn copied(program: &Program, function: FunctionId, mutant: &Mutant) -> Option<String> {
    let name = alias(&program.functions[function].name, mutant.number);
    copied_as(program, function, &name, &mutant.alone(program)?)
}

/// The text of a function under another name, from a text of its unit with changes inside its body.
pub(super) fn copied_as(program: &Program, function: FunctionId, name: &str, changed: &str) -> Option<String> {
    let data = &program.functions[function];
    let unit = &program.sources.units.get(data.body.unit)?.text;
    let after = unit.len().checked_sub(data.body.end as usize)?;
    let body = changed.get(data.body.start as usize..changed.len().checked_sub(after)?)?;
    let head = program.declaration(function);
    let head = head.rfind("*/").map_or(head, |end| &head[end + 2..]);
    let body = if body.starts_with('{') { body.to_owned() } else { format!("{{{body}}}") };
    let text = format!("{head}{body}");
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    Some(renamed(&text, &data.name, name))
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
pub(super) struct About {
    /// Whether it writes to places that are not named.
    pub(super) by_pointer: bool,
    /// Variables that it writes by name.
    pub(super) globals: BTreeSet<GlobalId>,
}

pub(super) fn about(program: &Program, id: FunctionId) -> Result<About, String> {
    let reach = clew_analyze::reach::reach(program, id);
    for &global in &reach.globals {
        let data = &program.globals[global];
        let is_static = matches!(data.kind, GlobalKind::StaticLocal(_)) && !data.is_const;
        if is_static && !clew_analyze::only_read::is_only_read(program, global) {
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
