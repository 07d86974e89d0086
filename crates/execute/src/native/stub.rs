//! Stubs: functions that take their results, and what they write, from the input.
//!
//! The stubbed name gets another assembler name in every unit, so that a stub may stand for a function of the C library
//! that the fork server itself calls. The stub is defined under that name, with a C name of its own and with parameters
//! that are passed as those of the original are. A function that never returns stops the test instead.
//!
//! After the places behind the parameters comes `errno`, where the program looks at it, and then those behind further
//! arguments, if every call passes nothing but pointers there, as `sscanf` wants it.
//!
//! A function with a body that was left out keeps its name, as a weak symbol that compilers do not see through, and the
//! linker leads all that names it to the stub.

use super::error::BuildError;
use super::harness::{returns_void, spell};
use super::options::Options;
use crate::observation::Call;
use clew_ir::{
    CALLBACK, CType, CTypeId, Callee, Function, FunctionId, Global, GlobalKind, InstKind, Linkage, Program, Type,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What programs for verification tools call where they must not come.
const FAILURES: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Functions without a body of which the callers say that they do not return: every call ends its block, and control
/// cannot go on from there.
pub fn never_returns(program: &Program) -> BTreeSet<FunctionId> {
    let mentions = || program.functions.values().map(Function::mentions);
    let goes_on: BTreeSet<FunctionId> = mentions().flat_map(|mentions| &mentions.calls).copied().collect();
    let ends: BTreeSet<FunctionId> = mentions().flat_map(|mentions| &mentions.last_calls).copied().collect();
    let without_body = |id: &FunctionId| !program.functions[*id].is_defined();
    let ends = ends.into_iter().filter(|id| !goes_on.contains(id)).filter(without_body);
    let failures = FAILURES.iter().filter_map(|name| program.function(name)).filter(without_body);
    ends.chain(failures).collect()
}

/// How many arguments after the parameters a function may write behind: the most of any call, if all are pointers.
pub fn extra_places(program: &Program, id: FunctionId) -> usize {
    let CType::Function { returns, params, variadic: true } = program.ctypes.get(program.functions[id].ty) else {
        return 0;
    };
    let fixed = params.len() + usize::from(matches!(program.ctypes.get(*returns), CType::Record(_)));
    let mut most = 0;
    let calls = |function: &&Function| function.mentions().callees().any(|callee| callee == id);
    for function in program.functions.values().filter(calls) {
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { continue };
            let extra = args.get(fixed..).filter(|_| *callee == id).unwrap_or_default();
            if extra.iter().any(|arg| arg.ty(function) != Type::Pointer) {
                return 0;
            }
            most = most.max(extra.len());
        }
    }
    most
}

/// The parameters of a stub of which the arguments are noted, call by call: all scalars, with their sizes.
fn noted(program: &Program, id: FunctionId) -> impl Iterator<Item = (usize, usize)> {
    let ctypes = &program.ctypes;
    let CType::Function { params, .. } = ctypes.get(program.functions[id].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let is_noted = move |ty: CTypeId| match *ctypes.get(ty) {
        CType::Pointer(pointee) => !ctypes.is_va_list_record(pointee),
        CType::Int { .. } | CType::Bool | CType::Enum { .. } | CType::Float { .. } => true,
        _ => false,
    };
    let sized = move |ty: CTypeId| ctypes.size_of(ty, program.target.pointer_bytes()).map(|size| size as usize);
    let params = params.iter().enumerate().filter(move |(_, ty)| is_noted(**ty));
    params.filter_map(move |(index, ty)| Some((index, sized(*ty)?)))
}

/// What stubs were called with, as far as it was noted whole.
pub(super) fn calls(program: &Program, stubs: &[FunctionId], mut noted_bytes: &[u8]) -> Vec<Call> {
    let mut calls = Vec::new();
    while let Some((number, rest)) = noted_bytes.split_first_chunk() {
        let Some(&function) = stubs.get(u32::from_ne_bytes(*number) as usize) else { break };
        noted_bytes = rest;
        let mut arguments = Vec::new();
        for (parameter, size) in noted(program, function) {
            let Some((bytes, rest)) = noted_bytes.split_at_checked(size) else { return calls };
            noted_bytes = rest;
            arguments.push((parameter, bytes.to_vec()));
        }
        calls.push(Call { function, arguments });
    }
    calls
}

/// The text before a unit that gives stubbed functions another assembler name.
pub(super) fn renames(program: &Program, stubs: &[FunctionId]) -> String {
    let rename = |id: &FunctionId| {
        let function = &program.functions[*id];
        let name = &function.name;
        if name.starts_with(CALLBACK) {
            return String::new();
        }
        if function.is_left_out() {
            return format!("#pragma weak {name}\n");
        }
        format!("#pragma redefine_extname {name} {}\n", symbol(program, *id))
    };
    stubs.iter().map(rename).collect()
}

/// The options with flags that keep the compiler from knowing better what a stubbed function does, and have the linker
/// take stubs for functions with a body.
pub(super) fn flags(program: &Program, options: &Options) -> Options {
    let mut options = options.clone();
    let names = options.stubs.iter().map(|id| format!("-fno-builtin-{}", program.functions[*id].name));
    let names: Vec<String> = names.collect();
    options.flags.extend(names);
    let left_out = options.stubs.iter().filter(|id| program.functions[**id].is_left_out());
    let led = left_out.map(|id| format!("-Wl,--defsym={}={}", program.functions[*id].name, symbol(program, *id)));
    let led: Vec<String> = led.collect();
    options.flags.extend(led);
    options
}

/// The assembler name of a stubbed function. Headers may have chosen one already, which then stays.
fn symbol(program: &Program, id: FunctionId) -> String {
    let name = &program.functions[id].name;
    let chosen = program.sources.units.values().find_map(|unit| chosen(&unit.text, name));
    chosen.unwrap_or_else(|| format!("__clew_instead_of_{name}"))
}

/// The assembler name that a declaration in preprocessed text gives to a function, as those of large files do:
/// `int fseeko(...) __asm__("" "fseeko64");`.
fn chosen(text: &str, name: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).filter(|(at, _)| !text[..*at].ends_with(is_part)).find_map(|(at, _)| {
        let (_, rest) = parenthesised(&text[at + name.len()..])?;
        let rest = rest.trim_start();
        let rest = ["__asm__", "__asm", "asm"].iter().find_map(|word| rest.strip_prefix(word))?;
        let (label, _) = parenthesised(rest)?;
        Some(label.split('"').skip(1).step_by(2).collect())
    })
}

/// What stands between a parenthesis at the beginning of a text and its partner, and what follows.
fn parenthesised(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('(')?;
    let mut depth = 1;
    let end = text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    Some((&text[..end], &text[end + 1..]))
}

/// Whether a variable is declared and nothing defines it, so that tests must.
pub fn is_missing(global: &Global) -> bool {
    let is_library = clew_library::VARIABLES.contains(&global.name.as_str());
    let is_variable = global.kind == GlobalKind::Variable && global.linkage == Linkage::External;
    global.init.is_none() && is_variable && global.size > 0 && !is_library
}

/// The definitions of all stubs.
pub(super) fn definitions(
    program: &Program,
    stubs: &[FunctionId],
    allocations: &[FunctionId],
) -> Result<String, BuildError> {
    let mut out = String::from(
        "extern const void *__clew_stub(unsigned, unsigned long, void **, unsigned);\nextern void __clew_stop(void);\n\
        extern void __clew_note(const void *, unsigned long);\n",
    );
    let endless = never_returns(program);
    for (number, stub) in stubs.iter().enumerate() {
        if allocations.contains(stub) {
            allocation(&mut out, program, number, *stub)?;
        } else {
            definition(&mut out, program, number, *stub, endless.contains(stub))?;
        }
    }
    Ok(out)
}

/// A function that allocates: it fails where the input says so, and otherwise does what the real one does.
fn allocation(out: &mut String, program: &Program, number: usize, id: FunctionId) -> Result<(), BuildError> {
    let CType::Function { params, .. } = program.ctypes.get(program.functions[id].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let types = params.iter().map(|param| spell(&program.ctypes, *param)).collect::<Result<Vec<_>, _>>()?;
    let declared: Vec<String> = types.iter().enumerate().map(|(index, ty)| format!("{ty} a{index}")).collect();
    let passed: Vec<String> = (0..types.len()).map(|index| format!("a{index}")).collect();
    let (declared, passed) = (declared.join(", "), passed.join(", "));
    let (name, symbol) = (&program.functions[id].name, symbol(program, id));
    let _ = writeln!(out, "void *__clew_real_{number}({declared}) __asm__(\"{name}\");");
    let _ = writeln!(out, "void *__clew_stub_{number}({declared}) __asm__(\"{symbol}\");");
    let _ = writeln!(out, "void *__clew_stub_{number}({declared}) {{");
    let _ = writeln!(out, "    const unsigned char *fails = __clew_stub({number}u, 1, 0, 0);");
    let _ = writeln!(out, "    return *fails ? 0 : __clew_real_{number}({passed});\n}}");
    Ok(())
}

fn definition(
    out: &mut String,
    program: &Program,
    number: usize,
    id: FunctionId,
    endless: bool,
) -> Result<(), BuildError> {
    let CType::Function { returns, params, variadic } = program.ctypes.get(program.functions[id].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let is_void = returns_void(program, id);
    let ty = if is_void { "void".to_owned() } else { spell(&program.ctypes, *returns)? };
    let (mut declared, mut places) = (Vec::new(), Vec::new());
    for (index, param) in params.iter().enumerate() {
        declared.push(format!("{} a{index}", spell(&program.ctypes, *param)?));
        let is_pointer = matches!(program.ctypes.get(*param), CType::Pointer(_));
        places.push(if is_pointer { format!("(void *)a{index}") } else { "0".to_owned() });
    }
    let has_errno = program.globals.values().any(Global::is_errno);
    places.push(if has_errno { "__errno_location()" } else { "0" }.to_owned());
    let mut list = String::new();
    let extra = extra_places(program, id);
    if *variadic && declared.is_empty() {
        // Without a prototype, all arguments are given as if they were declared.
        declared.extend((0..extra).map(|index| format!("void *e{index}")));
        places.extend((0..extra).map(|index| format!("e{index}")));
    } else if *variadic {
        declared.push("...".to_owned());
        let _ = writeln!(list, "    __builtin_va_list list;\n    __builtin_va_start(list, a{});", params.len() - 1);
        for index in 0..extra {
            let _ = writeln!(list, "    void *e{index} = __builtin_va_arg(list, void *);");
            places.push(format!("e{index}"));
        }
        list.push_str("    __builtin_va_end(list);\n");
    }
    let callback = Some(&program.functions[id].name).filter(|name| name.starts_with(CALLBACK));
    let name = callback.map_or_else(|| format!("__clew_stub_{number}"), Clone::clone);
    let head = format!("{ty} {name}({})", declared.join(", "));
    if callback.is_none() {
        let _ = writeln!(out, "{head} __asm__(\"{}\");", symbol(program, id));
    }
    if is_void && clew_library::verifier::is_label(&program.functions[id].name) {
        let _ = writeln!(out, "{head} {{\n}}");
        return Ok(());
    }
    let _ = writeln!(out, "{head} {{\n{list}    void *places[] = {{{}}};", places.join(", "));
    let _ = writeln!(out, "    unsigned number = {number}u;\n    __clew_note(&number, sizeof number);");
    for (index, _) in noted(program, id) {
        let _ = writeln!(out, "    __clew_note(&a{index}, sizeof a{index});");
    }
    let count = places.len();
    if is_void {
        let _ = writeln!(out, "    __clew_stub({number}u, 0, places, {count}u);");
    } else {
        let _ = writeln!(
            out,
            "    {ty} result;\n    const void *given = __clew_stub({number}u, sizeof result, places, {count}u);"
        );
        out.push_str("    __builtin_memcpy(&result, given, sizeof result);\n");
    }
    if endless {
        out.push_str("    __clew_stop();\n");
    } else if clew_library::verifier::assumes(&program.functions[id].name) && !params.is_empty() {
        out.push_str("    if (!a0)\n        __clew_stop();\n");
    }
    out.push_str(if is_void { "}\n" } else { "    return result;\n}\n" });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn declarations_choose_names() {
        let text = "int my_open(void);\nextern int open (const char *, int (*)(void)) __asm__ (\"\" \"open64\") ;\nint f(void) { return open(0, 0); }";
        assert_eq!(chosen(text, "open").as_deref(), Some("open64"));
        assert_eq!(chosen(text, "my_open"), None);
        assert_eq!(chosen(text, "f"), None);
    }
}
