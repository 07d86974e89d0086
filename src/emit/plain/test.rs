//! One test as a C function.

use super::{File, Row, globals, skip_reason, test_name};
use crate::emit::Test;
use crate::emit::check::{array_checks, checks};
use crate::emit::initial::{Initial, definition};
use crate::emit::literal;
use crate::emit::names::Names;
use crate::emit::pointer::{Form, Object};
use crate::emit::spell;
use clew_execute::{Content, Ending, InputObject, PointerTarget, StoredPointer, StubCall};
use clew_ir::{CType, CTypeId, GlobalId, Param, ParamKind, Program, Symbol};

/// Writes the function of a test.
pub(super) fn write(file: &mut File<'_>, index: usize) -> Row {
    let test = &file.suite.tests[index];
    let function = file.names.take(&test_name(index + 1, &test.name));
    let mut skip = skip_reason(&test.observation.ending);
    let mut comment = vec![format!("Test {}: {}", index + 1, test.name)];
    comment.extend(test.comment.iter().cloned());
    let body = Body::write(file, test);
    if body.is_none() {
        skip = Some("cannot be written in C".to_owned());
    }
    comment.extend(skip.iter().map(|reason| format!("Not called: {reason}.")));
    file.comment(&comment);
    let lines = body.unwrap_or_default().iter().map(|line| format!("    {line}\n")).collect::<String>();
    file.out.push_str(&format!("static void {function}(void)\n{{\n{lines}}}\n"));
    Row { function, skip }
}

struct Body<'a> {
    file: &'a File<'a>,
    program: &'a Program,
    test: &'a Test,
    names: Names,
    objects: Vec<Object>,
    lines: Vec<String>,
}

impl Body<'_> {
    fn write(file: &File<'_>, test: &Test) -> Option<Vec<String>> {
        let mut body = Body {
            file,
            program: file.suite.program,
            test,
            names: file.names.clone(),
            objects: Vec::new(),
            lines: Vec::new(),
        };
        body.objects = test.input.objects.iter().map(|object| body.object(object)).collect();
        body.declare_objects()?;
        body.set_globals()?;
        body.feed_mocks()?;
        let call = body.call()?;
        body.result(&call);
        body.check_objects();
        body.check_globals();
        Some(body.lines)
    }

    /// How an object is declared.
    fn object(&mut self, object: &InputObject) -> Object {
        let program = self.program;
        let element_size = program.ctypes.size_of(object.element, program.target.pointer_bytes()).unwrap_or(0);
        let spelled = spell::declare(&program.ctypes, object.element, "").is_some();
        let fits = element_size > 0 && element_size * object.count == object.content.bytes.len() as u64;
        let form = match (spelled && fits && !has_flexible_tail(program, object.element), self.file.frees) {
            (false, _) => Form::Bytes,
            (true, true) => Form::Heap,
            (true, false) if object.count == 1 => Form::Single,
            (true, false) => Form::Array,
        };
        Object { name: self.names.take(&object.name), element: object.element, element_size, form }
    }

    fn declare_objects(&mut self) -> Option<()> {
        for (object, given) in self.objects.iter().zip(&self.test.input.objects) {
            if object.form == Form::Heap {
                let element = spell::unqualified(&self.program.ctypes, object.element);
                let declared = spell::declare(&self.program.ctypes, element, &format!("*{}", object.name))?;
                self.lines.push(format!("{declared} = __builtin_malloc({});", given.content.bytes.len().max(1)));
            }
        }
        let mut later = Vec::new();
        for index in 0..self.objects.len() {
            later.extend(self.declare_object(index)?);
        }
        self.lines.extend(later);
        Some(())
    }

    /// Declares an object or fills an allocated one; gives the assignments that must follow.
    fn declare_object(&mut self, index: usize) -> Option<Vec<String>> {
        let object = &self.objects[index];
        let given = &self.test.input.objects[index];
        let declared = if object.form == Form::Heap { usize::MAX } else { index };
        let mut initial = Initial { program: self.program, objects: &self.objects, declared, later: Vec::new() };
        let (name, count) = (&object.name, given.count);
        let content = &given.content;
        match object.form {
            Form::Single => {
                let value = initial.write(name, object.element, content, 0)?;
                self.lines.push(definition(self.program, object.element, name, &value)?);
            }
            Form::Array => {
                let value = initial.array(name, object.element, count, content, 0)?;
                let dimensioned = format!("{name}[{}]", count.max(1));
                let declared = definition(self.program, object.element, &dimensioned, &value)?;
                let note = if count == 0 { " /* no element of it may be accessed */" } else { "" };
                self.lines.push(declared + note);
            }
            Form::Heap if count > 0 => {
                let value = initial.array(name, object.element, count, content, 0)?;
                let declared = definition(self.program, object.element, &format!("content[{count}]"), &value)?;
                let copy = format!("    __builtin_memcpy({name}, content, sizeof content);");
                self.lines.extend(["{".to_owned(), format!("    const {declared}"), copy, "}".to_owned()]);
            }
            Form::Heap => {}
            Form::Bytes if content.pointers.is_empty() => {
                let items: Vec<String> = content.bytes.iter().map(u8::to_string).collect();
                let items = if items.is_empty() { "0".to_owned() } else { items.join(", ") };
                let aligned = "__attribute__((aligned(16)))";
                self.lines
                    .push(format!("unsigned char {name}[{}] {aligned} = {{{items}}};", content.bytes.len().max(1)));
            }
            Form::Bytes => return None,
        }
        Some(initial.later)
    }

    fn set_globals(&mut self) -> Option<()> {
        for (id, content) in &self.test.input.globals {
            if !globals::is_reachable(self.file, *id) {
                return None;
            }
            let global = &self.program.globals[*id];
            let name = &global.name;
            let value = self.initial().write(name, global.ty, content, 0)?;
            match self.program.ctypes.get(global.ty) {
                CType::Array { .. } => {
                    let ty = spell::unqualified(&self.program.ctypes, global.ty);
                    let declared = definition(self.program, ty, "content", &value)?;
                    let copy = format!("    __builtin_memcpy((void *)&{name}, content, sizeof {name});");
                    self.lines.extend(["{".to_owned(), format!("    const {declared}"), copy, "}".to_owned()]);
                }
                CType::Record(_) => {
                    let ty =
                        spell::declare(&self.program.ctypes, spell::unqualified(&self.program.ctypes, global.ty), "")?;
                    self.lines.push(format!("{name} = ({ty}){value};"));
                }
                _ => self.lines.push(format!("{name} = {value};")),
            }
        }
        Some(())
    }

    /// Tells the mocks what to give in this test.
    fn feed_mocks(&mut self) -> Option<()> {
        for mock in &self.file.mocks {
            let calls: Vec<&StubCall> =
                self.test.input.stubs.iter().filter(|call| call.function == mock.function).collect();
            self.lines.push(format!("{} = {};", mock.left, calls.len()));
            let function = &self.program.functions[mock.function].name;
            if let (Some(returns), false) = (mock.returns, calls.is_empty()) {
                let mut values = Vec::new();
                for call in &calls {
                    values.push(self.initial().write("", returns, &call.result, 0)?);
                }
                let array = self.names.take(&format!("{function}_gives"));
                let name = format!("{array}[]");
                self.lines.push(definition(self.program, returns, &name, &format!("{{{}}}", values.join(", ")))?);
                self.lines.push(format!("{} = {array};", mock.next));
            }
            for (param, next) in &mock.writes {
                self.feed_writes(&calls, *param, next)?;
            }
        }
        Some(())
    }

    /// Tells a mock what to write through a parameter, call by call.
    fn feed_writes(&mut self, calls: &[&StubCall], param: usize, next: &str) -> Option<()> {
        let mut items = Vec::new();
        for call in calls {
            let Some((_, content)) = call.outputs.iter().find(|(position, _)| *position == param) else {
                items.push("{NULL, 0}".to_owned());
                continue;
            };
            let ty = self.written_type(call, param)?;
            let name = self.names.take(&format!("{next}_value"));
            self.lines.push(self.written_value(&name, ty, content)?);
            items.push(format!("{{&{name}, {}}}", content.bytes.len()));
        }
        let array = self.names.take(&format!("{next}_all"));
        let (structure, items) = (&self.file.written, items.join(", "));
        let items = if items.is_empty() { "{NULL, 0}".to_owned() } else { items };
        self.lines.push(format!("const struct {structure} {array}[] = {{{items}}};"));
        self.lines.push(format!("{next} = {array};"));
        Some(())
    }

    /// What a parameter points to.
    fn written_type(&self, call: &StubCall, param: usize) -> Option<CTypeId> {
        let ctypes = &self.program.ctypes;
        let CType::Function { params, .. } = ctypes.get(self.program.functions[call.function].ty) else { return None };
        let CType::Pointer(pointee) = *ctypes.get(*params.get(param)?) else { return None };
        Some(pointee)
    }

    /// The declaration of a value that a mock writes: of its type, or bytes.
    fn written_value(&self, name: &str, ty: CTypeId, content: &Content) -> Option<String> {
        let size = self.program.ctypes.size_of(ty, self.program.target.pointer_bytes());
        if size == Some(content.bytes.len() as u64) {
            let value = self.initial().write(name, ty, content, 0)?;
            return definition(self.program, ty, name, &value);
        }
        let items: Vec<String> = content.bytes.iter().map(u8::to_string).collect();
        content.pointers.is_empty().then(|| format!("unsigned char {name}[] = {{{}}};", items.join(", ")))
    }

    /// A writer of initialisers for what comes after all objects.
    fn initial(&self) -> Initial<'_> {
        Initial { program: self.program, objects: &self.objects, declared: usize::MAX, later: Vec::new() }
    }

    /// The call, after declarations of the arguments passed as structures.
    fn call(&mut self) -> Option<String> {
        let function = &self.program.functions[self.file.suite.function];
        let params: Vec<&Param> = function.params.iter().filter(|param| param.kind != ParamKind::ReturnSlot).collect();
        let mut arguments = Vec::new();
        for (param, content) in params.into_iter().zip(&self.test.input.arguments) {
            let value = self.initial().write("", param.ty, content, 0)?;
            if matches!(self.program.ctypes.get(param.ty), CType::Record(_)) {
                let name = self.names.take(&param.name);
                self.lines.push(definition(self.program, param.ty, &name, &value)?);
                arguments.push(name);
            } else {
                arguments.push(value);
            }
        }
        Some(format!("{}({})", self.file.called(), arguments.join(", ")))
    }

    fn result(&mut self, call: &str) {
        let program = self.program;
        if self.test.observation.ending == Ending::Stopped {
            let failures = &self.file.failures;
            self.lines.push(format!("if (setjmp({}) == 0) {{", self.file.stop));
            self.lines.extend([format!("    {call};"), format!("    {failures}++; /* it was not to return */")]);
            return self.lines.push("}".to_owned());
        }
        let CType::Function { returns, .. } = program.ctypes.get(program.functions[self.file.suite.function].ty) else {
            unreachable!("the type of a function is a function type")
        };
        if matches!(program.ctypes.get(*returns), CType::Void) {
            return self.lines.push(format!("{call};"));
        }
        let ty = spell::unqualified(&program.ctypes, *returns);
        let declared = spell::declare(&program.ctypes, ty, "result");
        let declared = declared.unwrap_or_else(|| format!("__typeof__({call}) result"));
        self.lines.push(format!("{declared} = {call};"));
        let found = checks(program, "result", ty, &self.test.observation.result, 0);
        if found.is_empty() {
            self.lines.push("(void)result;".to_owned());
        }
        self.lines.extend(found);
    }

    /// Checks of the objects the call changed. An object that may be freed is not looked at.
    fn check_objects(&mut self) {
        let after = &self.test.observation.objects;
        for ((object, given), after) in self.objects.iter().zip(&self.test.input.objects).zip(after) {
            let found = match object.form {
                Form::Heap => Vec::new(),
                Form::Bytes if given.content.bytes == *after => Vec::new(),
                Form::Bytes => byte_checks(&object.name, after),
                Form::Single | Form::Array => changed_elements(self.program, object, given, after),
            };
            self.lines.extend(found);
        }
    }

    fn check_globals(&mut self) {
        for (&id, after) in self.file.suite.observed.iter().zip(&self.test.observation.globals) {
            if !globals::is_reachable(self.file, id) {
                continue;
            }
            let global = &self.program.globals[id];
            let set = self.test.input.globals.iter().find(|(set, _)| *set == id);
            let before = set.map_or_else(|| initial_content(self.program, id), |(_, content)| content.clone());
            if is_changed(self.program, &before, after, 0, global.size) {
                self.lines.extend(checks(self.program, &global.name, global.ty, after, 0));
            }
        }
    }
}

/// Whether a record ends in an array without a length.
fn has_flexible_tail(program: &Program, ty: CTypeId) -> bool {
    let CType::Record(record) = program.ctypes.get(ty) else { return false };
    let last = program.ctypes.records[*record].fields.last();
    last.is_some_and(|field| matches!(program.ctypes.get(field.ty), CType::Array { len: None | Some(0), .. }))
}

/// Checks of an array of numbers as a whole, or of those elements that changed.
fn changed_elements(program: &Program, object: &Object, given: &InputObject, after: &[u8]) -> Vec<String> {
    let size = object.element_size;
    let changed: Vec<u64> = (0..given.count)
        .filter(|index| is_changed(program, &given.content, after, index * size, (index + 1) * size))
        .collect();
    let is_number = literal::constant(&program.ctypes, object.element, 0).is_some();
    if object.form == Form::Array && is_number && !changed.is_empty() {
        return array_checks(program, &object.name, object.element, given.count, after);
    }
    let place = |index: u64| match object.form {
        Form::Single => object.name.clone(),
        _ => format!("{}[{index}]", object.name),
    };
    let element = |index: u64| checks(program, &place(index), object.element, after, index * size);
    changed.into_iter().flat_map(element).collect()
}

fn byte_checks(name: &str, after: &[u8]) -> Vec<String> {
    let items: Vec<String> = after.iter().map(u8::to_string).collect();
    let list = format!("    static const unsigned char expected[] = {{{}}};", items.join(", "));
    vec!["{".to_owned(), list, format!("    CHECK_ALL({name}, expected);"), "}".to_owned()]
}

/// Whether bytes differ. Of a stored pointer only becoming null counts: its address differs from run to run.
fn is_changed(program: &Program, before: &Content, after: &[u8], start: u64, end: u64) -> bool {
    let width = program.target.pointer_bytes();
    let differs = |at: u64| before.bytes.get(at as usize) != after.get(at as usize);
    let mut at = start;
    while at < end {
        if before.pointers.iter().any(|pointer| pointer.at == at) {
            if (at..at + width).all(|at| after.get(at as usize) == Some(&0)) {
                return true;
            }
            at += width;
        } else if differs(at) {
            return true;
        } else {
            at += 1;
        }
    }
    false
}

/// What a global holds when the program starts.
fn initial_content(program: &Program, id: GlobalId) -> Content {
    let global = &program.globals[id];
    let mut bytes = global.init.clone().unwrap_or_default();
    bytes.resize(global.size as usize, 0);
    let pointers = global.relocations.iter().map(|relocation| StoredPointer {
        at: relocation.offset,
        target: match relocation.symbol {
            Symbol::Global(target) => PointerTarget::Global(target, relocation.addend),
            Symbol::Function(target) => PointerTarget::Function(target),
        },
    });
    Content { bytes, pointers: pointers.collect() }
}
