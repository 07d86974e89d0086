//! What the result of a function depends on, as a hash.
//!
//! The preprocessed text of the function and of every function it can reach by name, and all text of the unit outside
//! functions (types, variables, contracts, prototypes), line markers and blanks left out; the options; the version of
//! clew. So an edit of one function leaves the keys of those that do not reach it alone, wherever they stand in the file.

use crate::hash::hex;
use crate::settings::PRECONDITION;
use clew_ir::{FunctionId, GlobalId, InstKind, Operand, Program, Span, Symbol, TerminatorKind};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The hashes of a program's functions.
#[derive(Debug)]
pub struct Keys {
    /// Hash of everything outside functions, and of the options.
    common: [u8; 32],
    /// Hash of the text of each function.
    own: Vec<[u8; 32]>,
    /// What each function names.
    named: Vec<Names>,
    /// What each global's initial value names.
    named_by_global: Vec<Names>,
}

/// What something names.
#[derive(Debug, Default)]
struct Names {
    functions: Vec<FunctionId>,
    globals: Vec<GlobalId>,
}

impl Keys {
    /// Hashes the functions of a program; `options` is a text of all options that bear on results.
    pub fn new(program: &Program, options: &str) -> Keys {
        let mut common = Sha256::new();
        common.update(env!("CARGO_PKG_VERSION"));
        common.update(options);
        for (unit, source) in program.sources.units.iter() {
            let mut spans: Vec<Span> =
                program.functions.values().filter(|it| it.is_defined()).map(|it| it.span).collect();
            spans.retain(|span| span.unit == unit);
            spans.sort_unstable();
            let mut at = 0;
            for span in spans {
                hash_text(&mut common, &source.text[at..(span.start as usize).max(at)]);
                at = at.max(span.end as usize);
            }
            hash_text(&mut common, &source.text[at..]);
        }
        let own = program.functions.values().map(|function| {
            let mut hash = Sha256::new();
            hash.update(&function.name);
            hash_text(&mut hash, program.sources.text(function.span));
            hash.finalize().into()
        });
        Keys {
            common: common.finalize().into(),
            own: own.collect(),
            named: program.functions.ids().map(|id| named(program, id)).collect(),
            named_by_global: program.globals.ids().map(|id| named_by_global(program, id)).collect(),
        }
    }

    /// The key of a function.
    pub fn of(&self, function: FunctionId) -> String {
        let mut hash = Sha256::new();
        hash.update(self.common);
        hash.update(self.own[function.index()]);
        let reached: BTreeSet<[u8; 32]> = self.reached(function).into_iter().map(|id| self.own[id.index()]).collect();
        reached.iter().for_each(|own| hash.update(own));
        hex(&hash.finalize()[..16])
    }

    /// The functions that can be reached by name.
    pub(super) fn reached(&self, start: FunctionId) -> Vec<FunctionId> {
        let mut functions = vec![false; self.named.len()];
        let mut globals = vec![false; self.named_by_global.len()];
        let mut reached = Vec::new();
        let mut work = vec![Symbol::Function(start)];
        while let Some(symbol) = work.pop() {
            let (seen, names) = match symbol {
                Symbol::Function(id) => (&mut functions[id.index()], &self.named[id.index()]),
                Symbol::Global(id) => (&mut globals[id.index()], &self.named_by_global[id.index()]),
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            if let Symbol::Function(id) = symbol {
                reached.push(id);
            }
            work.extend(names.functions.iter().map(|&id| Symbol::Function(id)));
            work.extend(names.globals.iter().map(|&id| Symbol::Global(id)));
        }
        reached
    }
}

/// Text without line markers and blanks at the ends of lines.
fn hash_text(hash: &mut Sha256, text: &str) {
    let is_marker =
        |line: &str| line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_marker(line)) {
        hash.update(line);
        hash.update("\n");
    }
}

fn named(program: &Program, id: FunctionId) -> Names {
    let mut names = Names::default();
    let mut note = |operand: Operand| match operand {
        Operand::Function(id) => names.functions.push(id),
        Operand::Global(id, _) => names.globals.push(id),
        _ => {}
    };
    for block in program.functions[id].blocks.values() {
        for inst in &block.insts {
            inst.kind.operands().into_iter().for_each(&mut note);
            match inst.kind {
                InstKind::Call { callee: clew_ir::Callee::Direct(id), .. } => note(Operand::Function(id)),
                InstKind::Call { callee: clew_ir::Callee::Indirect(operand), .. } => note(operand),
                _ => {}
            }
        }
        if let TerminatorKind::Return(Some(operand)) = block.terminator.kind {
            note(operand);
        }
    }
    // A precondition in C bears on the results of its function.
    names.functions.extend(program.function(&format!("{}{PRECONDITION}", program.functions[id].name)));
    names
}

fn named_by_global(program: &Program, id: GlobalId) -> Names {
    let mut names = Names::default();
    for relocation in &program.globals[id].relocations {
        match relocation.symbol {
            Symbol::Function(id) => names.functions.push(id),
            Symbol::Global(id) => names.globals.push(id),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::Keys;
    use clew_frontend::{Preprocessed, load_preprocessed};

    fn keys(text: &str, options: &str) -> Vec<String> {
        let program = load_preprocessed(vec![Preprocessed::plain("a.c", text)]).program;
        let keys = Keys::new(&program, options);
        ["f", "g"].map(|name| keys.of(program.function(name).unwrap())).to_vec()
    }

    #[test]
    fn only_what_is_reached_matters() {
        let text = "struct s { int x; };\nint g(int a) { return a; }\nint f(int a) { return g(a) + 1; }\n";
        let old = keys(text, "k=1");
        let below = keys(&text.replace("+ 1", "+ 2"), "k=1");
        assert!(old[0] != below[0] && old[1] == below[1], "the callee does not depend on the caller");
        let above = keys(&text.replace("return a;", "return -a;"), "k=1");
        assert!(old[0] != above[0] && old[1] != above[1], "the caller depends on the callee");
        assert_eq!(old, keys(&format!("\n\n{text}\n"), "k=1"), "places do not matter");
        assert_ne!(old, keys(&text.replace("int x", "long x"), "k=1"), "types do");
        assert_ne!(old, keys(text, "k=2"), "options do");
    }
}
