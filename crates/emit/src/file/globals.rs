//! The program's variables, put back before every test.

use super::{File, comment};
use crate::names::Names;
use crate::spell;
use clew_execute::native::{fixed, is_missing};
use clew_execute::{Content, PointerTarget};
use clew_ir::{CType, CTypeId, CTypes, Global, GlobalId, GlobalKind, Linkage, Program, UnitId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes the function that puts back what tests may change, if there is anything; gives its name.
pub(super) fn write(file: &mut File<'_>) -> Option<String> {
    let program = file.suite.program;
    let changing: Vec<&Global> = changing(file).into_iter().map(|id| &program.globals[id]).collect();
    let home = home(file);
    // The linker takes an `errno` for the library's, which is another in every thread, and refuses.
    let is_refused = |global: &&Global| is_own_errno(global) && global.span.unit == home;
    let refused = program.globals.values().filter(is_refused).filter(|global| !changing.contains(global));
    for global in changing.iter().copied().chain(refused).filter(|global| is_missing(global)) {
        let _ = writeln!(file.out, "\n/* Nothing defines it. */\n{};", room(program, global, &mut file.names));
    }
    write_fixed(file, &changing);
    let is_named = |global: &Global| is_missing(global) || global.is_errno() || global.address.is_some();
    let elsewhere = |global: &&&Global| global.span.unit != home && !is_named(global);
    for global in changing.iter().filter(elsewhere) {
        let declared = spell::declare(&program.ctypes, global.ty, &global.name).unwrap_or_default();
        let _ = writeln!(file.out, "\nextern {declared};");
    }
    if changing.is_empty() || file.dialect.forks() || file.remembers() {
        return None;
    }
    let restore = file.names.take("restore_variables");
    let linkage = if file.dialect.expects_endings() { "" } else { "static " };
    file.out
        .push_str(&comment(&["Puts the program's variables back; the first call notes what they hold.".to_owned()]));
    let (mut kept, mut save, mut load) = (String::new(), String::new(), String::new());
    for global in changing {
        let name = &global.name;
        let (first, place) = (format!("first_{name}"), place(program, global));
        let size = size(global);
        let _ = writeln!(kept, "    static unsigned char {first}[{size}];");
        let _ = writeln!(save, "        __builtin_memcpy({first}, {place}, {size});");
        let _ = writeln!(load, "        __builtin_memcpy({place}, {first}, {size});");
    }
    let _ = write!(
        file.out,
        "{linkage}void {restore}(void)\n{{\n    static int called;\n{kept}    if (!called++) {{\n{save}    }} else {{\n\
        {load}    }}\n}}\n"
    );
    Some(restore)
}

/// Names the variables at fixed addresses, and maps memory there before anything else is done.
fn write_fixed(file: &mut File<'_>, globals: &[&Global]) {
    let pages = fixed::pages(globals.iter().copied());
    if pages.is_empty() {
        return;
    }
    file.out.push_str("\n/* The program expects them at fixed addresses. */\n#include <sys/mman.h>\n");
    file.out.push_str("#ifndef MAP_ANONYMOUS\n#define MAP_ANONYMOUS 0x20\n#endif\n");
    for global in globals {
        if let Some(address) = global.address {
            let pointer = pointer_to(&file.suite.program.ctypes, global.ty);
            let _ = writeln!(file.out, "#define {} (*({pointer}){address:#x})", global.name);
        }
    }
    let map = file.names.take("map_fixed_addresses");
    let list: Vec<String> = pages.iter().map(|page| format!("{page:#x}")).collect();
    let _ = write!(
        file.out,
        "\n__attribute__((constructor)) static void {map}(void)\n{{\n    \
        static const unsigned long pages[] = {{{}}};\n    \
        for (unsigned long i = 0; i < sizeof pages / sizeof *pages; i++) {{\n        \
        if (mmap((void *)pages[i], {PAGE}, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==\n            \
        MAP_FAILED) {{\n            __builtin_trap();\n        }}\n    }}\n}}\n",
        list.join(", "),
        PAGE = fixed::PAGE
    );
}

/// The spelling of the type of pointers to a type.
fn pointer_to(ctypes: &CTypes, ty: CTypeId) -> String {
    let is_array = matches!(ctypes.get(ty), CType::Array { .. });
    spell::declare(ctypes, ty, if is_array { "(*)" } else { "*" }).unwrap_or_default()
}

/// The definition of a variable that nothing defines. A constant one gets room that tests may write to.
fn room(program: &Program, global: &Global, names: &mut Names<'_>) -> String {
    let (name, size) = (&global.name, global.size);
    if global.is_const {
        let room = names.take(&format!("{name}_room"));
        let align = global.align.max(16);
        return format!("unsigned char {room}[{size}] __asm__(\"{name}\") __attribute__((aligned({align})))");
    }
    spell::declare(&program.ctypes, global.ty, name).unwrap_or_default()
}

/// The size of a global in C; its declaration may leave it out if nothing defines it.
pub(super) fn size(global: &Global) -> String {
    if global.is_const { global.size.to_string() } else { format!("sizeof {}", global.name) }
}

/// The address of a global as a pointer to what may be written.
pub(super) fn place(program: &Program, global: &Global) -> String {
    let is_qualified = matches!(program.ctypes.types[global.ty], CType::Qualified { .. } | CType::Typedef { .. });
    match program.ctypes.get(global.ty) {
        _ if is_qualified => format!("(void *)&{}", global.name),
        CType::Array { of, .. } => match program.ctypes.types[*of] {
            CType::Int { .. } | CType::Float { .. } => global.name.clone(),
            _ => format!("(void *){}", global.name),
        },
        _ => format!("&{}", global.name),
    }
}

/// Variables the function reaches by name, or tests give to it.
fn changing(file: &File<'_>) -> BTreeSet<GlobalId> {
    let program = file.suite.program;
    let mut globals: BTreeSet<GlobalId> = file.reached_globals().collect();
    for test in file.suite.tests() {
        globals.extend(test.input.globals.iter().map(|(global, _)| *global));
        globals.extend(test.input.contents().flat_map(targets));
    }
    let may_change = |global: &Global| !global.is_const || is_missing(global);
    globals.retain(|global| may_change(&program.globals[*global]) && is_reachable(file, *global));
    globals
}

fn targets(content: &Content) -> impl Iterator<Item = GlobalId> + '_ {
    content.pointers.iter().filter_map(|pointer| match pointer.target {
        PointerTarget::Global(global, _) => Some(global),
        _ => None,
    })
}

fn home(file: &File<'_>) -> UnitId {
    file.suite.unit
}

/// Whether the test file can name a global.
pub(super) fn is_reachable(file: &File<'_>, global: GlobalId) -> bool {
    let global = &file.suite.program.globals[global];
    let spelled = || spell::declare(&file.suite.program.ctypes, global.ty, "").is_some();
    let here = (global.span.unit == home(file) && global.address.is_none()) || global.is_errno();
    let is_hidden = global.is_errno() && has_own_errno(file.suite.program);
    let visible = here || global.address.is_some() && spelled() || global.linkage == Linkage::External && spelled();
    // Numbers of the C library may be set, such as `optind`; what its pointers lead to the test file needs itself.
    let is_number = matches!(file.suite.program.ctypes.get(global.ty), CType::Int { .. });
    let is_library = global.linkage == Linkage::External && is_number;
    let is_there = global.init.is_some() || is_missing(global) || global.address.is_some() || is_library;
    global.kind == GlobalKind::Variable && is_there && global.size > 0 && visible && !is_hidden
}

/// Whether a program declares a variable `errno`, as programs did before there were threads, which is not the library's.
pub(super) fn has_own_errno(program: &Program) -> bool {
    program.globals.values().any(is_own_errno)
}

fn is_own_errno(global: &Global) -> bool {
    global.name == "errno" && !global.is_errno()
}
