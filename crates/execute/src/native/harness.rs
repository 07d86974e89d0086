//! The C text appended to each unit: calls of the functions under test, addresses of symbols; stubs are in `stub`.
//!
//! It stands in the unit itself, where `static` functions and variables have names. Types are spelled as little as
//! possible: every pointer is passed as `void *`, and the result's type is asked of the compiler.

use super::error::BuildError;
use super::options::Options;
use super::symbol::{Symbols, is_unavailable};
use crate::variadic::sequences;
use clew_ir::{
    CType, CTypeId, CTypes, FloatKind, FunctionId, Global, GlobalId, GlobalKind, InstKind, Linkage, ParamKind, Program,
    UnitId,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text for all units.
pub(super) struct Harness<'a> {
    program: &'a Program,
    options: &'a Options,
    symbols: &'a Symbols,
    /// The variable that selects a mutant.
    choice: Option<&'a str>,
    /// The functions that can be called: number, unit, and the text of the call.
    calls: BTreeMap<FunctionId, Result<(usize, UnitId, String), BuildError>>,
}

impl<'a> Harness<'a> {
    /// Prepares to call functions.
    pub(super) fn new(
        program: &'a Program,
        functions: &[FunctionId],
        options: &'a Options,
        symbols: &'a Symbols,
        choice: Option<&'a str>,
    ) -> Harness<'a> {
        let numbered = functions.iter().enumerate();
        let calls = numbered.map(|(number, &function)| {
            let text = call(program, number, function);
            (function, text.map(|text| (number, home(program, function), text)))
        });
        Harness { program, options, symbols, choice, calls: calls.collect() }
    }

    /// The numbers of the functions, or why there is none.
    pub(super) fn entries(self) -> BTreeMap<FunctionId, Result<u32, BuildError>> {
        let entry = |(function, call): (FunctionId, Result<(usize, UnitId, String), BuildError>)| {
            (function, call.map(|(number, ..)| number as u32))
        };
        self.calls.into_iter().map(entry).collect()
    }

    /// The text for one unit.
    pub(super) fn text(&self, unit: UnitId) -> Result<String, BuildError> {
        let mut out = String::from("\n# 1 \"<harness>\"\n");
        if self.program.globals.values().any(Global::is_errno) {
            out.push_str("extern int *__errno_location(void);\n");
        }
        if unit.index() == 0 {
            out.push_str(&super::stub::definitions(self.program, &self.options.stubs, &self.options.allocations)?);
        }
        self.addresses(&mut out, unit);
        self.calls(&mut out, unit);
        weaken(&mut out, self.program, &self.options.stubs);
        if unit.index() == 0 {
            self.dispatch(&mut out);
        }
        Ok(out)
    }

    fn addresses(&self, out: &mut String, unit: UnitId) {
        let index = unit.index();
        let here = || self.symbols.names.iter().enumerate().filter(|(_, symbol)| symbol.unit == unit);
        for (number, symbol) in here().filter(|(_, symbol)| symbol.is_elsewhere) {
            // It may have been declared in another scope.
            let name = &symbol.name;
            let _ = writeln!(out, "extern char __clew_elsewhere_{number}[] __asm__(\"{name}\") __attribute__((weak));");
        }
        let _ = writeln!(
            out,
            "{VISIBLE}void *__clew_address_{index}(unsigned __clew_number) {{\n    switch (__clew_number) {{"
        );
        for (number, symbol) in here() {
            let expression = match symbol.is_elsewhere {
                true => format!("__clew_elsewhere_{number}"),
                false => format!("(void *)&{}", symbol.name),
            };
            let _ = writeln!(out, "    case {number}: return {expression};");
        }
        if let Some(choice) = self.choice.filter(|_| index == 0) {
            let _ = writeln!(out, "    case {}: return &{choice};", self.symbols.choice());
        }
        out.push_str("    }\n    return 0;\n}\n");
    }

    fn calls(&self, out: &mut String, unit: UnitId) {
        self.emit_inline(out, unit);
        let _ = writeln!(out, "{VISIBLE}extern void __clew_result(const void *, unsigned long);");
        let here = || {
            let callable = self.calls.values().filter_map(|call| call.as_ref().ok());
            callable.filter(move |(_, home, _)| *home == unit)
        };
        here().for_each(|(_, _, text)| out.push_str(text));
        let index = unit.index();
        let _ = writeln!(out, "{VISIBLE}void __clew_call_{index}(unsigned function, unsigned char **arguments) {{");
        out.push_str("    switch (function) {\n");
        for (number, ..) in here() {
            let _ = writeln!(out, "    case {number}: __clew_run_{number}(arguments); break;");
        }
        out.push_str("    }\n}\n");
        let own_malloc = |function: &clew_ir::Function| function.name == "malloc" && function.span.unit == unit;
        if self.program.functions.values().any(|function| function.is_defined() && own_malloc(function)) {
            let _ = writeln!(out, "{VISIBLE}void *__clew_allocate(unsigned long size) {{ return malloc(size); }}");
        }
    }

    /// Has the compiler emit functions that are only `inline`, whose real definition may stand in no unit we have.
    /// After a `static` definition the declaration says nothing new.
    fn emit_inline(&self, out: &mut String, unit: UnitId) {
        let is_whole = self.program.sources.units.len() == 1;
        for (id, node) in self.program.functions.iter() {
            let is_tested = self.calls.get(&id).is_some_and(Result::is_ok) && home(self.program, id) == unit;
            let is_own = node.is_defined() && !self.program.models.contains(&id);
            if is_tested || is_whole && is_own && node.linkage == Linkage::Inline {
                let name = &node.name;
                let _ = writeln!(out, "extern __typeof__({name}) {name};");
            }
        }
    }

    /// Asks every unit.
    fn dispatch(&self, out: &mut String) {
        let units: Vec<usize> = self.program.sources.units.ids().map(|unit| unit.index()).collect();
        for index in units.iter().filter(|&&index| index != 0) {
            let _ = writeln!(out, "{VISIBLE}extern void *__clew_address_{index}(unsigned);");
            let _ = writeln!(out, "{VISIBLE}extern void __clew_call_{index}(unsigned, unsigned char **);");
        }
        let _ = writeln!(out, "{VISIBLE}void *__clew_address(unsigned symbol) {{\n    void *address = 0;");
        for index in &units {
            let _ = writeln!(out, "    if (!address) address = __clew_address_{index}(symbol);");
        }
        out.push_str("    return address;\n}\n");
        let _ = writeln!(out, "{VISIBLE}void __clew_call(unsigned function, unsigned char **arguments) {{");
        for index in &units {
            let _ = writeln!(out, "    __clew_call_{index}(function, arguments);");
        }
        out.push_str("}\n");
        storage(out, self.program);
        super::fixed::write_mapping(out, self.program);
    }
}

/// What the server and other units look for stays visible whatever the flags and pragmas of the unit.
const VISIBLE: &str = "__attribute__((visibility(\"default\"))) ";

/// The unit the function under test stands in.
pub(super) fn home(program: &Program, function: FunctionId) -> UnitId {
    let unit = program.functions[function].span.unit;
    if program.sources.units.get(unit).is_some() { unit } else { UnitId::new(0) }
}

/// Lets functions without a body be missing: a test that calls one crashes, the others are none the worse.
fn weaken(out: &mut String, program: &Program, stubs: &[FunctionId]) {
    let compilers_own = |name: &str| ["__builtin_", "__atomic_", "__sync_"].iter().any(|start| name.starts_with(start));
    for (id, function) in program.functions.iter() {
        if !function.is_defined() && !stubs.contains(&id) && !compilers_own(&function.name) {
            let _ = writeln!(out, "#pragma weak {}", function.name);
        }
    }
    for (_, global) in undefined(program) {
        let _ = writeln!(out, "#pragma weak {}", global.name);
    }
}

/// Variables that are declared and defined elsewhere.
fn undefined(program: &Program) -> impl Iterator<Item = (GlobalId, &Global)> {
    let globals = program.globals.iter();
    let is_elsewhere = |global: &Global| global.init.is_none() && global.address.is_none();
    globals.filter(move |(_, global)| is_elsewhere(global) && global.kind == GlobalKind::Variable)
}

/// Room for variables that no unit defines, by their assembler names: the C names may be out of scope. The linker is
/// told to prefer the definitions of the C library.
fn storage(out: &mut String, program: &Program) {
    for (id, global) in undefined(program).filter(|(_, global)| global.size > 0) {
        let (number, size, align, name) = (id.index(), global.size, global.align.max(16), &global.name);
        let _ = writeln!(out, "{VISIBLE}extern char __clew_room_{number}[{size}] __asm__(\"{name}\");");
        let _ = writeln!(out, "__attribute__((weak, aligned({align}))) char __clew_room_{number}[{size}];");
    }
}

/// Names that mean another place in every thread of the C library, which a variable of a program cannot be.
const OF_THREADS: [&str; 3] = ["errno", "__h_errno", "__resp"];

/// The names of the variables that [`storage`] makes room for and that the C library may define.
pub(super) fn rooms(program: &Program) -> Vec<&str> {
    let named = undefined(program).filter(|(_, global)| global.size > 0).map(|(_, global)| global.name.as_str());
    named.filter(|name| !OF_THREADS.contains(name)).collect()
}

/// The function that calls a function under test.
fn call(program: &Program, number: usize, id: FunctionId) -> Result<String, BuildError> {
    let function = &program.functions[id];
    if is_unavailable(program, id) {
        return Err(BuildError::Unsupported(format!("`{}` is declared as unavailable", function.name)));
    }
    let mut out = format!("static void __clew_run_{number}(unsigned char **__clew_from) {{\n");
    let params: Vec<CTypeId> = c_params(program, id);
    for (index, ty) in params.iter().enumerate() {
        let ty = spell(&program.ctypes, *ty)?;
        let _ = writeln!(out, "    {ty} __clew_a{index};");
        let _ = writeln!(out, "    __builtin_memcpy(&__clew_a{index}, __clew_from[{index}], sizeof __clew_a{index});");
    }
    let arguments: Vec<String> = (0..params.len()).map(|index| format!("__clew_a{index}")).collect();
    let called = |extra: &[String]| format!("{}({})", function.name, [&arguments, extra].concat().join(", "));
    if reads_list(function) {
        let _ = writeln!(out, "    switch (*(unsigned *)__clew_from[{}]) {{", params.len());
        for (sequence, types) in sequences(program).iter().enumerate() {
            let passed = |(index, ty): (usize, &CTypeId)| {
                let ty = spell(&program.ctypes, *ty)?;
                Ok(format!("*({ty} *)__clew_from[{}]", params.len() + 1 + index))
            };
            let extra = types.iter().enumerate().map(passed).collect::<Result<Vec<_>, BuildError>>()?;
            let _ = writeln!(out, "    case {sequence}: {{");
            invoke(&mut out, &called(&extra), returns_void(program, id));
            out.push_str("    break; }\n");
        }
        out.push_str("    }\n");
    } else {
        invoke(&mut out, &called(&[]), returns_void(program, id));
    }
    out.push_str("}\n");
    Ok(out)
}

/// The statements that make a call and hand on its result.
fn invoke(out: &mut String, call: &str, is_void: bool) {
    if is_void {
        let _ = writeln!(out, "    {call};");
    } else {
        let _ = writeln!(out, "    __typeof__({call}) __clew_value = {call};");
        out.push_str("    __clew_result(&__clew_value, sizeof __clew_value);\n");
    }
}

/// Whether a function reads arguments after its last parameter.
fn reads_list(function: &clew_ir::Function) -> bool {
    let mut insts = function.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::VaStart { .. }))
}

/// The C types of the parameters, without the place of an aggregate result.
pub(super) fn c_params(program: &Program, id: FunctionId) -> Vec<CTypeId> {
    let params = program.functions[id].params.iter();
    params.filter(|param| param.kind != ParamKind::ReturnSlot).map(|param| param.ty).collect()
}

pub(super) fn returns_void(program: &Program, id: FunctionId) -> bool {
    match program.ctypes.get(program.functions[id].ty) {
        CType::Function { returns, .. } => matches!(program.ctypes.get(*returns), CType::Void),
        _ => unreachable!("the type of a function is a function type"),
    }
}

/// A type that is passed as the given one is.
pub(super) fn spell(ctypes: &CTypes, ty: CTypeId) -> Result<String, BuildError> {
    let record_name = typedef_of_record(ctypes, ty);
    match ctypes.get(ty) {
        CType::Bool => Ok("_Bool".to_owned()),
        CType::Int { name, .. } => Ok((*name).to_owned()),
        CType::Float { kind, .. } => Ok(spell_float(*kind).to_owned()),
        CType::Enum { underlying, .. } => spell(ctypes, *underlying),
        CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => Ok("void *".to_owned()),
        CType::Record(record) => {
            let record = &ctypes.records[*record];
            let keyword = if record.is_union { "union" } else { "struct" };
            match (&record.tag, record_name) {
                (Some(tag), _) => Ok(format!("{keyword} {tag}")),
                (None, Some(name)) => Ok(name),
                (None, None) => Err(BuildError::Unsupported(format!("a value of a {keyword} without a name"))),
            }
        }
        CType::Unsupported(spelling) => match record_name {
            Some(name) => Ok(name),
            None if spelling.contains("vector") => {
                Err(BuildError::Unsupported(format!("a value of type `{spelling}`")))
            }
            None => Ok(spelling.clone()),
        },
        CType::Void | CType::Typedef { .. } | CType::Qualified { .. } => {
            Err(BuildError::Unsupported("a value of type void".to_owned()))
        }
    }
}

pub(super) fn spell_float(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Other(name) => name,
    }
}

/// A name given to the type: on the way to it, or anywhere in the program.
fn typedef_of_record(ctypes: &CTypes, ty: CTypeId) -> Option<String> {
    let mut named = ty;
    let mut found = None;
    loop {
        match &ctypes.types[named] {
            CType::Typedef { name, of } => {
                found = Some(name.clone());
                named = *of;
            }
            CType::Qualified { of, .. } => named = *of,
            _ => break,
        }
    }
    let elsewhere = || {
        ctypes.types.values().find_map(|other| match other {
            CType::Typedef { name, of } if *of == named => Some(name.clone()),
            _ => None,
        })
    };
    found.or_else(elsewhere)
}
