//! One test as a C function.

use super::subject::Subject;
use super::{File, comment, globals, mocks, objects};
use crate::assertion::{Assertion, Change};
use crate::expectation::{ALARM, Expectation};
use crate::express::is_expressible;
use crate::framework::{Case, Plan};
use crate::initial::{Initial, definition};
use crate::list::{digested, extended, listed};
use crate::names::Names;
use crate::pointer::{Addresses, Form, Object, Renamed, address};
use crate::{Test, spell};
use clew_execute::native::is_missing;
use clew_execute::{Content, Extra, InputObject, PointerTarget, StoredPointer};
use clew_ir::{CType, Global, GlobalId, Param, ParamKind, Program, Symbol};
use std::collections::BTreeMap;

/// A variable of which more parts are set is set as a whole.
const MOST_PARTS: usize = 4;

/// A variable that takes more characters as a whole is set by parts where these take less.
const LONG_WHOLE: usize = 2_000;

/// So many calls with the same arguments make a loop.
const MOST_REPEATED: usize = 5;

/// The function of a test.
pub(super) fn write(file: &File<'_>, plan: &Plan<'_>, case: &Case, (subject, test): (&Subject<'_>, &Test)) -> String {
    let mut lines = test.lines.clone();
    if let Expectation::Skipped(reason) = &case.expectation {
        lines.push(format!("Not called: {reason}."));
    }
    let comment = if lines.is_empty() { "\n".to_owned() } else { comment(&lines) };
    let lines = body(file, subject, test, &case.expectation).unwrap_or_default();
    let lines: String = lines.into_iter().map(|line| format!("    {}\n", extended(line))).collect();
    format!("{comment}{}{lines}{}", file.dialect.open(plan, case), file.dialect.close())
}

/// Whether C can say what a test needs.
pub(super) fn can_be_written(file: &File<'_>, subject: &Subject<'_>, test: &Test) -> bool {
    body(file, subject, test, &Expectation::Returns).is_some()
}

fn body(file: &File<'_>, subject: &Subject<'_>, test: &Test, expectation: &Expectation) -> Option<Vec<String>> {
    let program = file.suite.program;
    let mut names = file.names.inner();
    let objects = objects::objects(program, &test.input, subject.frees, &mut names);
    let renamed = mocks::renamed(file);
    let lines = objects::declare(program, &objects, &renamed, &subject.masks, &test.input)?;
    let mut body = Body { file, subject, program, test, names, objects, renamed, lines };
    body.set_globals()?;
    body.feed_mocks()?;
    body.say_readings()?;
    body.earlier_calls()?;
    let call = body.call(&test.input.arguments, &test.input.extra)?;
    match expectation {
        Expectation::Exits(_) | Expectation::Raises(_) => body.ends(&call, expectation),
        Expectation::Skipped(_) => body.lines.push(format!("{call};")),
        Expectation::Stops => body.stops(&call),
        Expectation::Returns => {
            body.result(&call);
            body.check_calls();
            body.check_objects();
            body.check_globals();
        }
    }
    Some(body.lines)
}

/// The body of a test being written.
pub(super) struct Body<'a> {
    pub(super) file: &'a File<'a>,
    pub(super) subject: &'a Subject<'a>,
    pub(super) program: &'a Program,
    pub(super) test: &'a Test,
    pub(super) names: Names<'a>,
    pub(super) objects: Vec<Object>,
    pub(super) renamed: Renamed,
    pub(super) lines: Vec<String>,
}

impl Body<'_> {
    fn set_globals(&mut self) -> Option<()> {
        for (id, content) in &self.test.input.globals {
            if !globals::is_reachable(self.file, *id) {
                return None;
            }
            let global = &self.program.globals[*id];
            let (name, ctypes) = (&global.name, &self.program.ctypes);
            if !is_expressible(self.program, global.ty, 1, content) {
                self.set_bytes(global, content);
                continue;
            }
            let before = known_content(self.program, *id);
            let parts = self.initial().assignments(name, global.ty, content, &before, 0);
            let is_constant = global.is_const || !objects::is_assignable(self.program, global.ty);
            let value = self.initial().write(name, global.ty, content, 0);
            let whole = value.as_ref().map_or(0, String::len);
            let is_short = |parts: &Vec<String>| {
                let written: usize = parts.iter().map(String::len).sum();
                parts.len() <= MOST_PARTS || whole > LONG_WHOLE && written < whole
            };
            if let Some(parts) = parts.filter(|parts| !is_constant && is_short(parts)) {
                self.lines.extend(parts);
                continue;
            }
            let value = value?;
            let ty = spell::declare(ctypes, spell::unqualified(ctypes, global.ty), "");
            let ty = ty.unwrap_or_else(|| format!("__typeof__({name})"));
            self.lines.push(match ctypes.get(global.ty) {
                CType::Array { of, .. } => {
                    let is_volatile = matches!(ctypes.types[*of], CType::Qualified { is_volatile: true, .. });
                    let plain = if is_volatile { "(void *)" } else { "" };
                    let literal = if value.starts_with('{') { value } else { format!("{{{value}}}") };
                    let (place, size) = (globals::place(self.program, global), globals::size(global));
                    format!("__builtin_memcpy({place}, {plain}({ty}){literal}, {size});")
                }
                _ if is_constant => {
                    let (place, value) =
                        (globals::place(self.program, global), self.initial().nested(global.ty, value));
                    format!("__builtin_memcpy({place}, ({ty} []){{{value}}}, sizeof {name});")
                }
                _ => format!("{name} = ({ty}){value};"),
            });
        }
        Some(())
    }

    /// Sets a variable byte by byte: it holds something else than its type says.
    fn set_bytes(&mut self, global: &Global, content: &Content) {
        let (place, size) = (globals::place(self.program, global), content.bytes.len());
        let items = objects::bytes(content);
        self.lines.push(format!("__builtin_memcpy({place}, (unsigned char [{size}]){{{items}}}, {size});"));
        for StoredPointer { at, target } in &content.pointers {
            let target = address(self.program, &self.objects, &self.renamed, *target, global.ty);
            let pointer = format!("(void *[]){{(void *)({target})}}");
            self.lines.push(format!("__builtin_memcpy((char *){place} + {at}, {pointer}, sizeof(void *));"));
        }
    }

    /// A writer of initialisers for what comes after all objects.
    pub(super) fn initial(&self) -> Initial<'_> {
        Initial {
            program: self.program,
            objects: &self.objects,
            renamed: &self.renamed,
            masks: &self.subject.masks,
            declared: None,
            later: Vec::new(),
        }
    }

    /// The calls before the one that is observed.
    fn earlier_calls(&mut self) -> Option<()> {
        let earlier = self.test.input.earlier.iter();
        let calls = earlier.map(|earlier| self.call(&earlier.arguments, &earlier.extra)).collect::<Option<Vec<_>>>()?;
        for same in calls.chunk_by(|one, other| one == other) {
            if same.len() < MOST_REPEATED {
                self.lines.extend(same.iter().map(|call| format!("{call};")));
                continue;
            }
            let count = self.names.take("call");
            self.lines.push(format!("int {count};"));
            self.lines.push(format!("for ({count} = 0; {count} < {}; {count}++)", same.len()));
            self.lines.push(format!("    {};", same[0]));
        }
        Some(())
    }

    /// A call, after declarations of the arguments passed as structures.
    fn call(&mut self, given: &[Content], extra: &[Extra]) -> Option<String> {
        let function = &self.program.functions[self.subject.function];
        let params: Vec<&Param> = function.params.iter().filter(|param| param.kind != ParamKind::ReturnSlot).collect();
        let mut arguments = Vec::new();
        for (param, content) in params.into_iter().zip(given) {
            let value = self.initial().write(&param.name, param.ty, content, 0)?;
            if matches!(self.program.ctypes.get(param.ty), CType::Record(_)) {
                let name = self.names.take(&param.name);
                self.lines.push(definition(self.program, param.ty, &name, &value)?);
                arguments.push(name);
            } else {
                arguments.push(value);
            }
        }
        for extra in extra {
            arguments.push(self.initial().write("", extra.ty, &extra.content, 0)?);
        }
        let called = self.subject.through.clone().unwrap_or_else(|| self.file.called(self.subject.function));
        Some(format!("{called}({})", arguments.join(", ")))
    }

    /// A call that does not return: the framework expects that of the test, or a process of its own makes the call.
    fn ends(&mut self, call: &str, expectation: &Expectation) {
        let alarm = (*expectation == Expectation::Raises(ALARM)).then(|| "alarm(1); /* it runs on */".to_owned());
        if self.file.dialect.expects_endings() {
            self.lines.extend(alarm);
            return self.lines.push(format!("{call};"));
        }
        self.lines.extend(["int status = 0;", "fflush(stdout);", "if (fork() == 0) {"].map(str::to_owned));
        let caught = expectation.caught();
        self.lines
            .extend(caught.map(|signal| format!("    signal({signal}, exit); /* counters of coverage are kept */")));
        let ended = expectation.uncaught().filter(|_| self.file.dialect.catches_signals());
        self.lines
            .extend(ended.map(|signal| format!("    signal({signal}, SIG_DFL); /* not the framework's handler */")));
        self.lines.extend(alarm.map(|alarm| format!("    {alarm}")));
        self.lines.push(format!("    {call};"));
        self.lines.extend(["    _exit(0);", "}", "wait(&status);"].map(str::to_owned));
        let condition = expectation.condition().expect("only calls that do not return come here");
        self.assert(&[Assertion::Holds { condition, note: None }]);
    }

    /// A call that ends in a mock of a function that does not return.
    fn stops(&mut self, call: &str) {
        self.lines.extend([format!("if (setjmp({}) == 0) {{", self.file.stop), format!("    {call};")]);
        let assertion = Assertion::Holds { condition: "0".to_owned(), note: Some("it was not to return") };
        self.lines.push(format!("    {}", self.file.dialect.assertions().spell(&assertion)));
        self.lines.push("}".to_owned());
    }

    pub(super) fn assert(&mut self, assertions: &[Assertion]) {
        for assertion in assertions {
            if let Assertion::Array { declared, .. } = assertion {
                self.lines.push(declared.clone());
            }
            self.lines.push(self.file.dialect.assertions().spell(assertion));
        }
    }

    pub(super) fn addresses(&self) -> Addresses<'_> {
        Addresses::new(self.program, &self.objects, &self.test.input, self.subject.observed, &self.test.observation)
    }

    fn result(&mut self, call: &str) {
        let program = self.program;
        let CType::Function { returns, .. } = program.ctypes.get(program.functions[self.subject.function].ty) else {
            unreachable!("the type of a function is a function type")
        };
        if matches!(program.ctypes.get(*returns), CType::Void) || self.test.observation.result.is_empty() {
            return self.lines.push(format!("{call};"));
        }
        let ty = spell::unqualified(&program.ctypes, *returns);
        let addresses = self.addresses();
        let after = &self.test.observation.result;
        let (masks, unwritten) = (&self.subject.masks, &*self.test.input.unwritten.result);
        let change = Change { program, masks, before: None, after, addresses: &addresses, known: None, unwritten };
        let assertions = change.assertions("result", ty, 0);
        if assertions.is_empty() {
            return self.lines.push(format!("{call};"));
        }
        let declared = spell::declare(&program.ctypes, ty, "result");
        let declared = declared.unwrap_or_else(|| format!("__typeof__({call}) result"));
        self.lines.push(format!("{declared} = {call};"));
        self.assert(&assertions);
    }

    /// Assertions about the objects the call changed; where it gives no result and changed none, about those it might have
    /// changed. An object that may be freed is not looked at.
    fn check_objects(&mut self) {
        let (addresses, program, masks) = (self.addresses(), self.program, &self.subject.masks);
        let after = &self.test.observation.objects;
        let known: Vec<Option<BTreeMap<u64, PointerTarget>>> =
            (0..after.len()).map(|index| self.known(PointerTarget::Object(index, 0))).collect();
        let unwritten: Vec<Vec<(u64, u64)>> =
            (0..after.len()).map(|index| self.unwritten(PointerTarget::Object(index, 0))).collect();
        let objects = || self.objects.iter().zip(&self.test.input.objects).zip(after);
        let changed =
            objects().zip(&known).zip(&unwritten).flat_map(|((((object, given), after), known), unwritten)| {
                let (before, known) = (Some(&given.content), known.as_ref());
                let change = Change { program, masks, before, after, addresses: &addresses, known, unwritten };
                object_assertions(change, object, given)
            });
        let mut assertions: Vec<Assertion> = changed.collect();
        if assertions.is_empty() && self.test.observation.result.is_empty() {
            let may_change = |object: &Object, given: &InputObject| {
                let is_plain = given.content.pointers.is_empty() && given.content.bytes.len() <= MOST_UNCHANGED;
                is_plain && !program.ctypes.is_const(object.element)
            };
            let unchanged = objects().zip(&unwritten).filter(|(((object, given), _), _)| may_change(object, given));
            assertions.extend(unchanged.flat_map(|(((object, given), after), unwritten)| {
                let change =
                    Change { program, masks, before: None, after, addresses: &addresses, known: None, unwritten };
                object_assertions(change, object, given)
            }));
        }
        self.assert(&assertions);
    }

    /// Where pointers lead that lie in an object or a global afterwards, by their offset, if that is known.
    fn known(&self, holder: PointerTarget) -> Option<BTreeMap<u64, PointerTarget>> {
        let after = self.test.input.after.as_ref()?;
        Some(after.iter().filter_map(|(place, target)| Some((within(*place, holder)?, *target))).collect())
    }

    /// Places in an object or a global, with their sizes, that hold nothing that C defines afterwards.
    fn unwritten(&self, holder: PointerTarget) -> Vec<(u64, u64)> {
        let places = &self.test.input.unwritten.places;
        places.iter().filter_map(|(place, size)| Some((within(*place, holder)?, *size))).collect()
    }

    fn check_globals(&mut self) {
        let addresses = self.addresses();
        let mut assertions = Vec::new();
        for (&id, after) in self.subject.observed.iter().zip(&self.test.observation.globals) {
            if !globals::is_reachable(self.file, id) {
                continue;
            }
            let global = &self.program.globals[id];
            let set = self.test.input.globals.iter().find(|(set, _)| *set == id);
            let before = set.map_or_else(|| initial_content(self.program, id), |(_, content)| content.clone());
            let (program, masks) = (self.program, &self.subject.masks);
            let known = self.known(PointerTarget::Global(id, 0));
            let (addresses, known, unwritten) =
                (&addresses, known.as_ref(), &*self.unwritten(PointerTarget::Global(id, 0)));
            let change = Change { program, masks, before: Some(&before), after, addresses, known, unwritten };
            assertions.extend(change.assertions(&global.name, global.ty, 0));
        }
        self.assert(&assertions);
    }
}

/// Where a place lies in an object or a global.
fn within(place: PointerTarget, holder: PointerTarget) -> Option<u64> {
    match (place, holder) {
        (PointerTarget::Object(a, at), PointerTarget::Object(b, _)) if a == b => Some(at as u64),
        (PointerTarget::Global(a, at), PointerTarget::Global(b, _)) if a == b => Some(at as u64),
        _ => None,
    }
}

/// Objects that nothing changed are looked at if they have no more bytes than this.
const MOST_UNCHANGED: usize = 32;

fn object_assertions(change: Change<'_>, object: &Object, given: &InputObject) -> Vec<Assertion> {
    match object.form {
        Form::Heap | Form::HeapBytes => Vec::new(),
        Form::Single => change.assertions(&object.name, object.element, 0),
        Form::Array | Form::Placed(_) | Form::Ordered(_) => {
            change.array_assertions(&object.name, object.element, given.count)
        }
        Form::Bytes if given.content.bytes == change.after => Vec::new(),
        Form::Bytes if !change.is_written(0, change.after.len() as u64) => Vec::new(),
        Form::Bytes if change.addresses.overlap(change.after, 0, change.after.len() as u64) => Vec::new(),
        Form::Bytes => {
            let items: Vec<String> = change.after.iter().map(u8::to_string).collect();
            let items = listed(&items);
            if let Some(condition) = digested(&object.name, &items, change.after) {
                return vec![Assertion::Holds { condition, note: None }];
            }
            let expected = format!("expected_{}", object.name);
            let declared = format!("const unsigned char {expected}[] = {{{items}}};");
            vec![Assertion::Array { actual: object.name.clone(), expected, declared, signed: false, bits: 8 }]
        }
    }
}

/// What a global is known to hold before a test sets it: nothing of a variable of the C library, such as `optind`.
fn known_content(program: &Program, id: GlobalId) -> Content {
    let global = &program.globals[id];
    let is_library = global.init.is_none() && !is_missing(global) && !global.is_errno() && global.address.is_none();
    if is_library { Content::default() } else { initial_content(program, id) }
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
