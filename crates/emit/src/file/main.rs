//! The program's `main`, which a test file has beside its own.
//!
//! It gets another name by a macro. Only a function called `main` returns 0 where its end is reached without `return`: one
//! that may end so keeps its name in C, and only the assembler calls it otherwise; then the test file's own `main` has
//! another name in C.

use super::File;
use crate::{Suite, spell};
use clew_ir::CType;

/// The declaration that renames the program's `main` for the assembler only, if it may end without `return`.
pub(super) fn declared(suite: &Suite<'_>, name: &str) -> Option<String> {
    let program = suite.program;
    let main = &program.functions[program.function("main")?];
    let home = suite.unit;
    if !main.is_defined() || main.span.unit != home || ends_with_return(program.sources.text(main.span)) {
        return None;
    }
    let CType::Function { returns, params, variadic } = program.ctypes.get(main.ty) else { return None };
    let params = params.iter().map(|param| spell::declare(&program.ctypes, *param, "")).collect::<Option<Vec<_>>>()?;
    let params = if params.is_empty() && !variadic { "void".to_owned() } else { params.join(", ") };
    let returns = spell::declare(&program.ctypes, *returns, "")?;
    // The types must be known before the source.
    let is_known = |word: &str| matches!(word, "" | "int" | "char" | "const" | "void" | "unsigned");
    let mut words = params.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_plain = returns == "int" && words.all(is_known);
    is_plain.then(|| format!("extern int main({params}) __asm__(\"{name}\");"))
}

/// Whether the last statement of a function is `return`, as far as can be told at a glance.
fn ends_with_return(text: &str) -> bool {
    let Some(body) = text.trim_end().strip_suffix('}') else { return true };
    let Some(body) = body.trim_end().strip_suffix(';') else { return false };
    let last = body.rfind([';', '{', '}']).map_or(body, |at| &body[at + 1..]);
    last.trim_start().starts_with("return")
}

/// What follows the tests, with another name for the `main` in it where the program's keeps its own.
pub(super) fn renamed(file: &File<'_>, text: String) -> String {
    if file.declared_main.is_none() {
        return text;
    }
    let name = file.names.clone().take("run_all_tests");
    text.replacen(
        "\nint main(void)\n",
        &format!("\nextern int {name}(void) __asm__(\"main\");\n\nint {name}(void)\n"),
        1,
    )
}

#[cfg(test)]
mod tests {
    use super::ends_with_return;

    #[test]
    fn the_last_statement_is_looked_at() {
        assert!(ends_with_return("main(void) { puts(\"x\"); return 0; }"));
        assert!(ends_with_return("main() {return f(1);\n}\n"));
        for text in ["main() { }", "main() { puts(0); }", "main() { if (x) return 1; }", "main() { while (1) {} }"] {
            assert!(!ends_with_return(text), "{text}");
        }
    }
}
