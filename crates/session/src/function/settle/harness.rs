//! A function beside its mutants, and functions that compare them.

use super::copy::{about, alias, copied, read};
use super::undefined::undefined;
use crate::ctext::spell;
use crate::function::Request;
use crate::globals::observed_globals;
use crate::policy;
use crate::relation::subject::{Shape, Subject};
use crate::relation::syntax::{Operand, Word};
use clew_execute::{Input, PointerTarget};
use clew_frontend::{Diagnostic, Loaded, contract};
use clew_ir::contract::Clause;
use clew_ir::{CType, FunctionId, GlobalId, GlobalKind, ParamKind, Program};
use clew_mutation::Mutant;
use clew_prove::{Goal, Site, Verdict, Wanted, pursue};
use clew_symbolic::Precondition;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The function beside its mutants.
pub(super) struct Pair {
    pub(super) loaded: Loaded,
    /// Whether arrays that could be longer are not.
    pub(super) is_bounded: bool,
    /// What holds of lengths, as ACSL.
    pub(super) bounds: Vec<String>,
    /// Numbers of elements that are inputs.
    pub(super) extents: Vec<String>,
    /// Which arrays there are, as ACSL, where only names say it.
    pub(super) guessed: Vec<String>,
}

/// A function and the texts of its mutants.
pub(super) struct Copies {
    text: String,
    loaded: Loaded,
    /// Whether variables have the numbers that they have in the program under test.
    are_alike: bool,
}

impl Copies {
    /// Reads the mutants at some positions behind the function.
    pub(super) fn load(request: &Request<'_, '_>, mutants: &[Mutant], alive: &[usize]) -> Result<Copies, String> {
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
        let loaded = read(request, &text)?;
        let are_alike = are_alike(program, &loaded.program);
        Ok(Copies { text, loaded, are_alike })
    }

    /// What a mutant does on inputs of tests that C leaves undefined: the first of them, and what.
    pub(super) fn fails(&self, request: &Request<'_, '_>, number: u32, inputs: &[Input]) -> Option<(usize, String)> {
        let name = &request.program.functions[request.function].name;
        let copy = self.loaded.program.function(&alias(name, number)).filter(|_| self.are_alike)?;
        undefined(&self.loaded.program, copy, &inputs.iter().collect::<Vec<_>>())
    }

    /// Puts functions beside them that compare the mutants with these numbers. Tests have these inputs.
    pub(super) fn pair(self, request: &Request<'_, '_>, numbers: &[u32], inputs: &[Input]) -> Result<Pair, String> {
        let Copies { mut text, loaded: mut plain, .. } = self;
        let program = request.program;
        let name = &program.functions[request.function].name;
        let own = plain.program.function(name).ok_or_else(|| "it cannot be read again".to_owned())?;
        let mut may_write = false;
        let copies = numbers.iter().filter_map(|number| plain.program.function(&alias(name, *number)));
        let copies: Vec<FunctionId> = copies.collect();
        let mut written = BTreeSet::new();
        for id in copies.into_iter().chain([own]) {
            let about = about(&plain.program, id)?;
            may_write |= about.by_pointer;
            written.extend(about.globals);
        }
        let harness = Harness::new(request, &mut plain, (own, inputs), may_write, &written)?;
        for &number in numbers {
            harness.write(&mut text, name, number);
        }
        harness.write_room(&mut text, name);
        let mut loaded = read(request, &text)?;
        if !request.precondition.clauses.is_empty() && !are_alike(program, &loaded.program) {
            return Err("its precondition cannot be read again".to_owned());
        }
        let Harness { bounds, extents, guessed, .. } = harness;
        let is_bounded = !guessed.is_empty() || !bounds.is_empty() && !has_room(request, &mut loaded);
        Ok(Pair { loaded, is_bounded, bounds, extents, guessed })
    }
}

/// What a function looks like. Of pointers of which nobody says how many elements they lead to it is taken for granted that
/// there are a few, or as many as in the inputs of tests: these are said in ACSL.
fn sized(
    loaded: &mut Loaded,
    (own, inputs): (FunctionId, &[Input]),
    clauses: &[Clause],
) -> (Result<Subject, Box<Diagnostic>>, Vec<String>) {
    let mut operands = Vec::new();
    loop {
        let subject = Subject::new(loaded, own, clauses.to_vec(), &operands);
        let Err(refused) = &subject else {
            let said = operands.iter().filter_map(|it: &Operand| {
                let last = it.extent.as_ref()?.parse::<u64>().ok()?.checked_sub(1)?;
                Some(format!("\\valid({} + (0 .. {last}))", it.name.text))
            });
            let said = said.collect();
            return (subject, said);
        };
        let params = &loaded.program.functions[own].params;
        let is_meant = |name: &str| {
            let is_known = operands.iter().any(|it: &Operand| it.name.text == name);
            !is_known && !name.is_empty() && refused.message.starts_with(&format!("parameter `{name}` "))
        };
        let meant = params.iter().position(|param| is_meant(&param.name));
        let Some(index) = meant.filter(|_| refused.message.ends_with("an unknown number of elements")) else {
            return (subject, Vec::new());
        };
        let number = inputs.iter().filter_map(|input| elements(input, index)).max().unwrap_or(0);
        let name = Word { text: params[index].name.clone(), at: 0..0 };
        let known = number.clamp(policy::MAX_SETTLED_LENGTH.get(), policy::MAX_KNOWN_ELEMENTS.get());
        operands.push(Operand { name, extent: Some(known.to_string()) });
    }
}

/// How many elements an argument leads to in an input.
fn elements(input: &Input, index: usize) -> Option<u64> {
    match input.arguments.get(index)?.pointers.first()?.target {
        PointerTarget::Object(object, 0) => Some(input.objects.get(object)?.count),
        _ => None,
    }
}

/// Whether the variables of a program have the same numbers in another one.
pub(super) fn are_alike(program: &Program, other: &Program) -> bool {
    program.globals.iter().all(|(id, global)| other.globals.get(id).is_some_and(|it| it.name == global.name))
}

pub(super) fn harness_name(name: &str, number: u32) -> String {
    format!("clew_{number}_is_{name}")
}

fn room_name(name: &str) -> String {
    format!("clew_room_of_{name}")
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
    /// Numbers of elements that are inputs, of arrays that are only read, too.
    extents: Vec<String>,
    guessed: Vec<String>,
}

impl Harness {
    fn new(
        request: &Request<'_, '_>,
        loaded: &mut Loaded,
        (own, inputs): (FunctionId, &[Input]),
        may_write: bool,
        written: &BTreeSet<GlobalId>,
    ) -> Result<Harness, String> {
        let clauses = loaded.program.functions[own].contract.requires.clone();
        let clauses = [clauses, request.precondition.clauses.clone()].concat();
        let (subject, sized) = sized(loaded, (own, inputs), &clauses);
        let extents = subject.iter().flat_map(extents).collect();
        let subject = may_write.then_some(subject).transpose().map_err(|refused| refused.message)?;
        let mut guessed = subject.as_ref().map_or_else(Vec::new, |subject| subject.guessed.clone());
        guessed.extend(sized.into_iter().filter(|_| subject.is_some()));
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
            let most = extent.parse::<u32>().unwrap_or(policy::MAX_SETTLED_LENGTH.small());
            if extent.parse::<u32>().is_err() {
                bounds.push(format!("{extent} <= {}", policy::MAX_SETTLED_LENGTH.get()));
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
        let all = observed_globals(program, own);
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
        Ok(Harness { parameters, arguments: arguments.join(", "), result, arrays, globals, bounds, extents, guessed })
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
            // What is only read may not be written, not even with what it is.
            let back = format!(
                "{{ clew_one_{array}[clew_c] = {array}[clew_c]; \
                 if ({array}[clew_c] != clew_old_{array}[clew_c]) {array}[clew_c] = clew_old_{array}[clew_c]; }}"
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

/// The parameters that say how many elements arrays have.
fn extents(subject: &Subject) -> BTreeSet<String> {
    let extents = subject.slots.iter().filter_map(|slot| match &slot.shape {
        Shape::Array { extent, .. } => Some(extent.clone()),
        Shape::Scalar | Shape::Opaque => None,
    });
    extents.filter(|extent| subject.position(extent).is_some()).collect()
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
    let verdicts = pursue(
        &loaded.program,
        room,
        &precondition,
        &super::config(request, policy::MUTANT_WORK.millis()),
        &goals,
        &mut |_, _| true,
    );
    verdicts.is_ok_and(|verdicts| verdicts.iter().all(|verdict| matches!(verdict, Verdict::Infeasible(_))))
}
