//! The program's variables, saved once and put back before every test.

use super::File;
use crate::emit::spell;
use clew_ir::{Global, GlobalId, GlobalKind, Linkage, UnitId};
use std::fmt::Write;

/// Writes the functions that save and restore, if there is anything to save.
pub(super) fn write(file: &mut File<'_>) {
    let program = file.suite.program;
    let changing: Vec<&Global> =
        program.globals.values().filter(|global| !global.is_const && is_named(file, global)).collect();
    if changing.is_empty() {
        return;
    }
    let (save, restore, copy) =
        (file.names.take("save_variables"), file.names.take("restore_variables"), file.names.take("copy_bytes"));
    file.comment(&["The program's variables, put back before every test.".to_owned()]);
    let mut saving = String::new();
    let mut restoring = String::new();
    for global in changing {
        let name = &global.name;
        if clew_execute::native::is_missing(global) {
            let declared = spell::declare(&program.ctypes, spell::unqualified(&program.ctypes, global.ty), name);
            let _ = writeln!(file.out, "{};", declared.unwrap_or_default());
        } else if global.span.unit != home(file) {
            let declared = spell::declare(&program.ctypes, global.ty, name).unwrap_or_default();
            let _ = writeln!(file.out, "extern {declared};");
        }
        let saved = file.names.take(&format!("saved_{name}"));
        let _ = writeln!(file.out, "static unsigned char {saved}[sizeof {name}];");
        let _ = writeln!(saving, "    {copy}({saved}, (const void *)&{name}, sizeof {name});");
        let _ = writeln!(restoring, "    {copy}((void *)&{name}, {saved}, sizeof {name});");
    }
    let _ = write!(
        file.out,
        r#"
static void {copy}(unsigned char *to, const unsigned char *from, unsigned long size)
{{
    while (size-- > 0)
        *to++ = *from++;
}}

static void {save}(void)
{{
{saving}}}

static void {restore}(void)
{{
{restoring}}}
"#
    );
    file.save = Some((save, restore));
}

fn home(file: &File<'_>) -> UnitId {
    file.suite.program.functions[file.suite.function].span.unit
}

/// Whether the test file can name a global.
pub(super) fn is_reachable(file: &File<'_>, global: GlobalId) -> bool {
    is_named(file, &file.suite.program.globals[global])
}

fn is_named(file: &File<'_>, global: &Global) -> bool {
    let spelled = || spell::declare(&file.suite.program.ctypes, global.ty, "").is_some();
    let here = global.span.unit == home(file);
    let visible = here || global.linkage == Linkage::External && spelled();
    let is_there = global.init.is_some() || clew_execute::native::is_missing(global);
    global.kind == GlobalKind::Variable && is_there && global.size > 0 && visible
}
