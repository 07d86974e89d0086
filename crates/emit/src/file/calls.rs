//! What a test says of the calls of mocks: how many, and what they give.

use super::mocks::{Count, Feed, Mock, parameters};
use super::subject::Subject;
use super::test::Body;
use crate::assertion::Assertion;
use crate::framework::fill;
use crate::pointer::address;
use crate::{literal, spell};
use clew_execute::{Content, StubCall};
use clew_ir::{CType, CTypeId, GlobalId, Program};

/// Whether the library may call mocks: how often it does, and with what, is then its own affair.
fn library_calls_back(program: &Program, subject: &Subject<'_>) -> bool {
    subject.reached.functions.iter().any(|id| {
        let row = clew_library::lookup(&program.functions[*id].name);
        row.is_some_and(|row| row.is_known() && row.effects.calls_back)
    })
}

impl Body<'_> {
    /// Tells the mocks what to give in this test.
    pub(super) fn feed_mocks(&mut self) -> Option<()> {
        let file = self.file;
        let concerned: Vec<&Mock> = file.mocks.iter().filter(|mock| self.subject.may_call(mock.function)).collect();
        if !concerned.is_empty() {
            self.lines.extend(file.calls.as_ref().map(|calls| format!("{}();", calls.forget)));
            self.forget_order();
        }
        for mock in concerned {
            let calls = self.test.input.stubs.iter().filter(|call| call.function == mock.function);
            let calls: Vec<&StubCall> = calls.collect();
            let is_own = self.subject.mocked.contains(&mock.function);
            self.expect_calls(mock, if is_own { calls.len() } else { 0 });
            if !calls.is_empty() && is_own {
                self.feed_mock(mock, &calls)?;
            }
        }
        Some(())
    }

    /// Says how often a mock will be called, unless that was said of all that will not be.
    fn expect_calls(&mut self, mock: &Mock, number: usize) {
        let Some(Count { expected, calls }) = &mock.count else { return };
        if self.file.calls.is_none() {
            self.lines.push(format!("{calls} = 0;"));
        }
        if number > 0 || self.file.calls.is_none() {
            self.lines.push(format!("{expected} = {number};"));
        }
    }

    fn feed_mock(&mut self, mock: &Mock, calls: &[&StubCall]) -> Option<()> {
        let mut values = Vec::new();
        if let Some(returns) = mock.returns.filter(|_| !matches!(mock.feed, Feed::Failures(_))) {
            for call in calls {
                let mut initial = self.initial();
                let value = initial.write("", returns, &call.result, 0)?;
                values.push(initial.nested(returns, value));
            }
        }
        match &mock.feed {
            Feed::Nothing => {}
            Feed::Failures(fails) => {
                let items = calls.iter().flat_map(|call| call.result.bytes.iter().map(u8::to_string));
                let items: Vec<String> = items.collect();
                self.lines.push(format!("{fails} = (unsigned char []){{{}}};", items.join(", ")));
            }
            Feed::Framework(queue) => {
                let queued = values.iter().map(|value| fill(queue, &[("function", &mock.name), ("value", value)]));
                self.lines.extend(queued);
            }
            Feed::Variables { gives, writes, sets } => {
                if let Some(returns) = mock.returns {
                    let ty = spell::declare(&self.program.ctypes, returns, "[]")?;
                    self.lines.push(format!("{gives} = ({ty}){{{}}};", values.join(", ")));
                }
                for (param, variable) in writes {
                    self.feed_writes(mock, calls, *param, variable)?;
                }
                for (global, variable) in sets {
                    let items = calls.iter().map(|call| self.set(call, *global)).collect::<Option<Vec<_>>>()?;
                    self.lines.push(format!("{variable} = (struct {} []){{{}}};", self.file.written, items.join(", ")));
                }
            }
        }
        Some(())
    }

    fn feed_writes(&mut self, mock: &Mock, calls: &[&StubCall], param: usize, variable: &str) -> Option<()> {
        if param == parameters(self.program, mock.function) {
            let items: Vec<String> = calls.iter().map(|call| errno(call, param)).collect();
            self.lines.push(format!("{variable} = (int []){{{}}};", items.join(", ")));
            return Some(());
        }
        let items = calls.iter().map(|call| self.written(call, param)).collect::<Option<Vec<_>>>()?;
        self.lines.push(format!("{variable} = (struct {} []){{{}}};", self.file.written, items.join(", ")));
        Some(())
    }

    /// What a call writes through a parameter: where it is, and its size.
    fn written(&self, call: &StubCall, param: usize) -> Option<String> {
        let Some((_, content)) = call.outputs.iter().find(|(position, _)| *position == param) else {
            return Some("{\"\", 0}".to_owned());
        };
        let ctypes = &self.program.ctypes;
        let CType::Function { params, .. } = ctypes.get(self.program.functions[call.function].ty) else { return None };
        if param > params.len() {
            return self.raw(content);
        }
        let CType::Pointer(pointee) = *ctypes.get(*params.get(param)?) else { return None };
        self.held(pointee, content)
    }

    /// What a call sets a variable to, likewise.
    fn set(&self, call: &StubCall, global: GlobalId) -> Option<String> {
        let Some((_, content)) = call.globals.iter().find(|(other, _)| *other == global) else {
            return Some("{\"\", 0}".to_owned());
        };
        self.held(self.program.globals[global].ty, content)
    }

    /// Something of a type, or an array of that.
    fn held(&self, pointee: CTypeId, content: &Content) -> Option<String> {
        let ctypes = &self.program.ctypes;
        let (bytes, size) = (content.bytes.len() as u64, ctypes.size_of(pointee, self.program.target.pointer_bytes()));
        let ty = |dimension: &str| spell::declare(ctypes, spell::unqualified(ctypes, pointee), dimension);
        let braced = |value: String| if value.starts_with('{') { value } else { format!("{{{value}}}") };
        match size {
            Some(size) if size == bytes => {
                let mut initial = self.initial();
                let value = initial.write("", pointee, content, 0)?;
                Some(format!("{{&({}){}, {bytes}}}", ty("")?, braced(initial.nested(pointee, value))))
            }
            Some(size) if size > 0 && bytes % size == 0 => {
                let mut initial = self.initial();
                let value = initial.array("", pointee, bytes / size, content, 0)?;
                let value = initial.nested_array(pointee, value);
                Some(format!("{{({}){}, {bytes}}}", ty(&format!("[{}]", bytes / size))?, braced(value)))
            }
            _ => self.raw(content),
        }
    }

    /// What is written where nothing is known of its type: a number if it is as large as one, otherwise bytes, or
    /// pointers if there are some among them. Pointers at odd places have no such spelling.
    fn raw(&self, content: &Content) -> Option<String> {
        if !content.pointers.is_empty() {
            return self.raw_pointers(content);
        }
        let items: Vec<String> = content.bytes.iter().map(u8::to_string).collect();
        Some(match <[u8; 4]>::try_from(content.bytes.as_slice()) {
            Ok(bytes) => format!("{{&(int){{{}}}, 4}}", i32::from_ne_bytes(bytes)),
            Err(_) => format!("{{(unsigned char []){{{}}}, {}}}", items.join(", "), items.len()),
        })
    }

    fn raw_pointers(&self, content: &Content) -> Option<String> {
        let ctypes = &self.program.ctypes;
        let void = ctypes.types.iter().find(|(_, ty)| matches!(ty, CType::Void)).map(|(id, _)| id)?;
        let width = self.program.target.pointer_bytes() as usize;
        let is_even = content.pointers.iter().all(|pointer| pointer.at.is_multiple_of(width as u64));
        if !is_even || !content.bytes.len().is_multiple_of(width) {
            return None;
        }
        let items = content.bytes.chunks(width).enumerate().map(|(index, word)| {
            match content.pointers.iter().find(|pointer| pointer.at == (index * width) as u64) {
                Some(pointer) => {
                    let address = address(self.program, &self.objects, &self.renamed, pointer.target, void);
                    format!("(void *){address}")
                }
                None => format!("(void *){:#x}uL", literal::integer(word)),
            }
        });
        Some(format!("{{(void *[]){{{}}}, {}}}", items.collect::<Vec<_>>().join(", "), content.bytes.len()))
    }

    /// Assertions that mocks were called as often as the test says, and with what.
    pub(super) fn check_calls(&mut self) {
        let subject = self.subject;
        if library_calls_back(self.program, subject) {
            return;
        }
        let counted = self.file.mocks.iter().filter(|mock| mock.count.is_some());
        let (own, others): (Vec<&Mock>, Vec<&Mock>) = counted
            .filter(|mock| subject.may_call(mock.function))
            .partition(|mock| subject.mocked.contains(&mock.function));
        let conditions: Vec<String> = match &self.file.calls {
            Some(calls) if others.is_empty() && own.len() > 1 => vec![format!("{}()", calls.done)],
            _ => {
                let counts = own.iter().filter_map(|mock| mock.count.as_ref());
                counts.map(|Count { expected, calls }| format!("{calls} == {expected}")).collect()
            }
        };
        let holds = |condition: String| Assertion::Holds { condition, note: None };
        self.assert(&conditions.into_iter().map(holds).collect::<Vec<_>>());
        self.check_order();
        self.check_arguments();
    }
}

/// The number that a call of a stub sets `errno` to.
fn errno(call: &StubCall, position: usize) -> String {
    let content = call.outputs.iter().find(|(other, _)| *other == position).map(|(_, content)| content);
    let bytes = content.and_then(|content| content.bytes.first_chunk());
    bytes.map_or(0, |bytes| i32::from_ne_bytes(*bytes)).to_string()
}
