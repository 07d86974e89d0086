//! A model of the path condition becomes a concrete input.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use clew_execute::{
    Content, EarlierCall, Extra, Input, InputObject as ConcreteObject, PointerTarget, Reading, StoredPointer, StubCall,
    Unwritten,
};
use clew_ir::{CALLBACK, CType, CTypeId, Function, FunctionId, Program};
use clew_scalar::{Format, Type};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::term::Terms;

use super::{InputPointer, Inputs, Leaf, Passed, Root, StubAnswer, VolatileReading, element_type, plain_name};
use crate::encoding;
use crate::memory::{Extent, Memory, ObjectId, Origin};
use crate::value::{Base, Pointer, Scalar, Val};

/// The input that a model describes. What the path did not look at is zero.
pub fn concrete(program: &Program, terms: &Terms, memory: &Memory, inputs: &Inputs, model: &Model) -> Input {
    let builder = Builder {
        program,
        terms,
        memory,
        inputs,
        model,
        numbers: numbers(inputs),
        evaluator: RefCell::new(Evaluator::new()),
        unseen: RefCell::new(Vec::new()),
        targets: RefCell::new(BTreeMap::new()),
    };
    // A function without parameters is called as often as any other.
    let earlier = vec![EarlierCall::default(); inputs.calls as usize];
    let mut input = Input { earlier, ..Input::default() };
    let mut arguments = BTreeMap::new();
    for object in inputs.objects.iter() {
        let content = builder.content(object.object, object.element);
        match object.root {
            Root::Parameter(position) => drop(arguments.insert(position, content)),
            Root::Global(global) => input.globals.push((global, content)),
            Root::Extra => input.extra.push(Extra { ty: object.element, content }),
            Root::Earlier(call, passed) => {
                let call = &mut input.earlier[call as usize];
                match passed {
                    Passed::Parameter(_) => call.arguments.push(content),
                    Passed::Extra => call.extra.push(Extra { ty: object.element, content }),
                }
            }
            Root::Stub => {}
            Root::Behind(_) => input.objects.push(builder.terminated(
                ConcreteObject {
                    name: plain_name(&object.name, inputs.calls),
                    element: object.element,
                    count: builder.count(object.object),
                    content,
                    residue: inputs.residues.get(&object.object).map(|residue| builder.bits(*residue) as u8),
                    ordered: inputs.ordered.contains(&object.object),
                },
                object.object,
            )),
        }
    }
    input.stubs = inputs.stubs.iter().map(|answer| builder.stub(answer)).collect();
    for (call, answer) in input.stubs.iter_mut().zip(inputs.stubs.iter()) {
        let leads = answer.given.iter().filter_map(|(position, pointer)| Some((*position, builder.led_to(*pointer)?)));
        call.leads = leads.collect();
    }
    input.readings = builder.readings();
    input.after = Some(builder.after());
    input.unwritten = builder.unwritten();
    input.freed = builder.freed();
    input.arguments = arguments.into_values().collect();
    input.objects.append(&mut builder.unseen.borrow_mut());
    input.globals.sort_by_key(|(global, _)| *global);
    without_unreached(input)
}

/// The input without objects that nothing leads to: the path looked at them only to see where a pointer leads.
fn without_unreached(mut input: Input) -> Input {
    let mut reached = vec![false; input.objects.len()];
    let results =
        input.stubs.iter().flat_map(|call| call.outputs.iter().map(|(_, content)| content).chain([&call.result]));
    let set = input.stubs.iter().flat_map(|call| call.globals.iter().map(|(_, content)| content));
    let globals = input.globals.iter().map(|(_, content)| content);
    let extra = input.extra.iter().map(|extra| &extra.content);
    let earlier = input.earlier.iter().flat_map(|call| {
        let extra = call.extra.iter().map(|extra| &extra.content);
        call.arguments.iter().chain(extra)
    });
    let mut work: Vec<&Content> =
        input.arguments.iter().chain(extra).chain(earlier).chain(globals).chain(results).chain(set).collect();
    while let Some(content) = work.pop() {
        for pointer in &content.pointers {
            if let PointerTarget::Object(object, _) = pointer.target
                && !std::mem::replace(&mut reached[object], true)
            {
                work.push(&input.objects[object].content);
            }
        }
    }
    if reached.iter().all(|reached| *reached) {
        return input;
    }
    let kept = |object: usize| reached[..object].iter().filter(|reached| **reached).count();
    let is_reached = |target: &PointerTarget| !matches!(target, PointerTarget::Object(object, _) if !reached[*object]);
    let mut after = input.after.take().unwrap_or_default();
    after.retain(|(place, target)| is_reached(place) && is_reached(target));
    input.unwritten.places.retain(|(place, _)| is_reached(place));
    input.freed.retain(|object| reached[*object]);
    input.freed.iter_mut().for_each(|object| *object = kept(*object));
    let mut numbers = reached.iter();
    input.objects.retain(|_| *numbers.next().expect("every object has an entry"));
    let mut leads = Vec::new();
    let mut results = Vec::new();
    for call in &mut input.stubs {
        call.leads.retain(|(_, target)| is_reached(target));
        leads.extend(call.leads.iter_mut().map(|(_, target)| target));
        results.extend(call.outputs.iter_mut().map(|(_, content)| content).chain([&mut call.result]));
        results.extend(call.globals.iter_mut().map(|(_, content)| content));
    }
    let globals = input.globals.iter_mut().map(|(_, content)| content);
    let objects = input.objects.iter_mut().map(|object| &mut object.content);
    let extra = input.extra.iter_mut().map(|extra| &mut extra.content);
    let earlier = input.earlier.iter_mut().flat_map(|call| {
        let extra = call.extra.iter_mut().map(|extra| &mut extra.content);
        call.arguments.iter_mut().chain(extra)
    });
    let contents = input.arguments.iter_mut().chain(extra).chain(earlier).chain(globals).chain(objects).chain(results);
    let pointers = contents.flat_map(|content| &mut content.pointers).map(|pointer| &mut pointer.target);
    let readings = input.readings.iter_mut().map(|reading| &mut reading.place);
    let places = after.iter_mut().flat_map(|(place, target)| [place, target]);
    let unwritten = input.unwritten.places.iter_mut().map(|(place, _)| place);
    for target in pointers.chain(readings).chain(leads).chain(places).chain(unwritten) {
        if let PointerTarget::Object(object, _) = target {
            *object = kept(*object);
        }
    }
    input.after = Some(after);
    input
}

/// Numbers of the objects that exist only for the test.
fn numbers(inputs: &Inputs) -> BTreeMap<ObjectId, usize> {
    let behind = inputs.objects.iter().filter(|object| matches!(object.root, Root::Behind(_)));
    behind.enumerate().map(|(number, object)| (object.object, number)).collect()
}

struct Builder<'a> {
    program: &'a Program,
    terms: &'a Terms,
    memory: &'a Memory,
    inputs: &'a Inputs,
    model: &'a Model,
    numbers: BTreeMap<ObjectId, usize>,
    evaluator: RefCell<Evaluator>,
    /// Objects behind pointers that are not null and that nothing looked behind; numbered after the others.
    unseen: RefCell<Vec<ConcreteObject>>,
    /// Where pointers of the input lead, by their number, as far as contents were made of them.
    targets: RefCell<BTreeMap<u32, PointerTarget>>,
}

impl Builder<'_> {
    fn bits(&self, scalar: Scalar) -> u128 {
        match scalar {
            Scalar::Known(value) => value.bits,
            Scalar::Term(term) => {
                encoding::bits_of_input(self.terms, &mut self.evaluator.borrow_mut(), self.model, term)
            }
        }
    }

    /// The bytes of a scalar in memory.
    fn image(&self, scalar: Scalar) -> [u8; 16] {
        let bits = self.bits(scalar);
        if scalar.ty(self.terms) != Type::Float(Format::EXTENDED) {
            return bits.to_le_bytes();
        }
        let mut image = [0; 16];
        image[..10].copy_from_slice(&clew_scalar::float::to_x87_bytes(bits));
        image
    }

    /// Number of elements of an object.
    fn count(&self, object: ObjectId) -> u64 {
        match self.memory.get(object).extent {
            Extent::Bytes(_) => 1,
            Extent::Elements { count, .. } => self.bits(count) as u64,
        }
    }

    /// An array of constant characters without a stated size ends in a zero, as a reader expects of text, though the path has
    /// not looked there.
    fn terminated(&self, mut object: ConcreteObject, id: ObjectId) -> ConcreteObject {
        let ctypes = &self.program.ctypes;
        let is_text =
            ctypes.is_const(object.element) && matches!(ctypes.get(object.element), CType::Int { name: "char", .. });
        let is_open = matches!(self.memory.get(id).extent, Extent::Elements { fixed: false, .. });
        if is_text && is_open && object.content.bytes.last() != Some(&0) {
            object.count += 1;
            object.content.bytes.push(0);
        }
        object
    }

    /// What a stub gives.
    fn stub(&self, answer: &StubAnswer) -> StubCall {
        let content = |object: ObjectId| {
            let element = self.inputs.object(object).expect("a stub gives an input object").element;
            self.content(object, element)
        };
        let failure = |fails: bool| Content { bytes: vec![u8::from(fails)], pointers: Vec::new() };
        StubCall {
            function: answer.function,
            result: answer.fails.map(failure).or(answer.result.map(content)).unwrap_or_default(),
            is_allocation: answer.fails.is_some(),
            outputs: answer.outputs.iter().map(|(position, object)| (*position, content(*object))).collect(),
            globals: answer.globals.iter().map(|(global, object)| (*global, content(*object))).collect(),
            leads: Vec::new(),
        }
    }

    /// The pointers that lie in objects and globals at the end of the path, as far as they lead to some.
    fn after(&self) -> Vec<(PointerTarget, PointerTarget)> {
        let width = self.program.target.pointer_bytes();
        let mut found = Vec::new();
        for (id, object) in self.memory.iter() {
            let is_there = matches!(object.origin, Origin::Global(_)) || self.numbers.contains_key(&id);
            for (at, bytes, val) in object.cells().filter(|_| is_there) {
                if let Val::Pointer(pointer) = val
                    && bytes == width
                    && let (Some(place), Some(target)) = (self.place(id, at as i64), self.led_to(pointer))
                {
                    found.push((place, target));
                }
            }
        }
        found
    }

    /// What holds nothing that C defines at the end of the path.
    fn unwritten(&self) -> Unwritten {
        let gaps = |object: ObjectId, at, size| self.memory.get(object).gaps(at, size);
        let places = self.inputs.unwritten.iter().flat_map(|((object, at), size)| {
            gaps(*object, *at, *size).into_iter().map(|(at, size)| (self.place(*object, at as i64), size))
        });
        let result = self.inputs.result.and_then(|object| Some((object, self.memory.get(object).extent.size()?)));
        Unwritten {
            places: places.filter_map(|(place, size)| Some((place?, size))).collect(),
            result: result.map(|(object, size)| gaps(object, 0, size)).unwrap_or_default(),
        }
    }

    /// The objects whose life has ended.
    fn freed(&self) -> Vec<usize> {
        let ended = self.numbers.iter().filter(|(object, _)| !self.memory.get(**object).alive);
        ended.map(|(_, number)| *number).collect()
    }

    /// Where a pointer leads, if that is to an object or a global of the input.
    fn led_to(&self, pointer: Pointer) -> Option<PointerTarget> {
        let offset = self.bits(pointer.offset) as i64;
        let start = match pointer.base {
            Base::Object(object) => self.place(object, 0)?,
            Base::Input(number) => *self.targets.borrow().get(&number)?,
            Base::Absolute | Base::Function(_) => return None,
        };
        match start {
            PointerTarget::Object(object, at) => Some(PointerTarget::Object(object, at + offset)),
            PointerTarget::Global(global, at) => Some(PointerTarget::Global(global, at + offset)),
            PointerTarget::Function(_) => None,
        }
    }

    /// A place in an object, as the input says it.
    fn place(&self, object: ObjectId, at: i64) -> Option<PointerTarget> {
        match self.memory.get(object).origin {
            Origin::Global(global) => Some(PointerTarget::Global(global, at)),
            _ => Some(PointerTarget::Object(*self.numbers.get(&object)?, at)),
        }
    }

    /// The readings of volatile memory, without those of places that never change by themselves.
    fn readings(&self) -> Vec<Reading> {
        let place = |reading: &VolatileReading| (reading.object, reading.at);
        let changes = |reading: &&VolatileReading| self.bits(reading.value) != self.bits(reading.was);
        let changing: BTreeSet<_> = self.inputs.readings.iter().filter(changes).map(place).collect();
        let readings = self.inputs.readings.iter().filter(|reading| changing.contains(&place(reading)));
        readings.filter_map(|reading| self.reading(reading)).collect()
    }

    fn reading(&self, reading: &VolatileReading) -> Option<Reading> {
        let place = self.place(reading.object, reading.at as i64)?;
        let size = usize::from(reading.value.ty(self.terms).width()).div_ceil(8);
        Some(Reading { place, bytes: self.image(reading.value)[..size].to_vec() })
    }

    fn content(&self, object: ObjectId, element: CTypeId) -> Content {
        let size = self.program.ctypes.size_of(element, self.program.target.pointer_bytes()).unwrap_or(0);
        let mut content = Content { bytes: vec![0; (size * self.count(object)) as usize], pointers: Vec::new() };
        let size = content.bytes.len() as u64;
        let is_there = |leaf: &&Leaf| leaf.object == object && leaf.at + leaf.bytes <= size;
        for leaf in self.inputs.leaves.iter().filter(is_there) {
            match leaf.val {
                Val::Scalar(scalar) => {
                    let bytes = self.image(scalar);
                    let range = leaf.at as usize..(leaf.at + leaf.bytes) as usize;
                    content.bytes[range].copy_from_slice(&bytes[..leaf.bytes as usize]);
                }
                Val::Pointer(pointer) => {
                    let number = self.number(pointer).to_le_bytes();
                    let range = leaf.at as usize..(leaf.at + leaf.bytes) as usize;
                    content.bytes[range].copy_from_slice(&number[..leaf.bytes as usize]);
                    if let Some(target) = self.target(pointer) {
                        content.pointers.push(StoredPointer { at: leaf.at, target });
                    }
                }
            }
        }
        content.pointers.sort_by_key(|pointer| pointer.at);
        content
    }

    /// The number that a pointer of the input is; zero if it leads somewhere.
    fn number(&self, pointer: Pointer) -> u128 {
        let Base::Input(number) = pointer.base else { return 0 };
        self.inputs.pointers[number as usize].number.map_or(0, |term| self.bits(Scalar::Term(term)))
    }

    /// Where a pointer of the input leads; `None` for null and other numbers.
    fn target(&self, pointer: Pointer) -> Option<PointerTarget> {
        let Base::Input(number) = pointer.base else { unreachable!("leaves hold pointers as they were on entry") };
        let target = self.target_of(&self.inputs.pointers[number as usize])?;
        self.targets.borrow_mut().insert(number, target);
        Some(target)
    }

    fn target_of(&self, pointer: &InputPointer) -> Option<PointerTarget> {
        let null = self.evaluator.borrow_mut().value(self.terms, self.model, pointer.null).bits == 1;
        let is_function = matches!(self.program.ctypes.get(pointer.pointee), CType::Function { .. });
        // A function that is neither called nor compared does not matter.
        let is_idle = is_function && pointer.function.is_none() && !pointer.compared;
        if null || is_idle || pointer.number.is_some() {
            return None;
        }
        match pointer.target {
            Some(object) => self.place(object, self.bits(pointer.at) as i64),
            None => pointer.function.map(PointerTarget::Function).or_else(|| self.somewhere(pointer)),
        }
    }

    /// A place for a pointer to lead to that is only compared: a function of its type or any, or an object without
    /// elements.
    fn somewhere(&self, pointer: &InputPointer) -> Option<PointerTarget> {
        let (program, ctypes) = (self.program, &self.program.ctypes);
        if let CType::Function { .. } = ctypes.get(pointer.pointee) {
            let own = |id: &FunctionId| !program.models.contains(id);
            let defined = || program.functions.iter().filter(|(id, function)| function.is_defined() && own(id));
            let fits = |(_, function): &(FunctionId, &Function)| ctypes.get(function.ty) == ctypes.get(pointer.pointee);
            let stub = || program.functions.iter().find(|both| both.1.name.starts_with(CALLBACK) && fits(both));
            let fitting = defined().find(fits).or_else(stub);
            return fitting.or_else(|| defined().next()).map(|(id, _)| PointerTarget::Function(id));
        }
        let bytes = || ctypes.types.iter().find(|(_, ty)| matches!(ty, CType::Int { width: 8, .. })).map(|(id, _)| id);
        let element = element_type(ctypes, pointer.container.unwrap_or(pointer.pointee)).or_else(bytes)?;
        let count = pointer.fixed.map_or(0, |count| self.bits(count) as u64);
        let size = ctypes.size_of(element, program.target.pointer_bytes()).unwrap_or(0);
        let content = Content { bytes: vec![0; (size * count) as usize], pointers: Vec::new() };
        let mut unseen = self.unseen.borrow_mut();
        unseen.push(ConcreteObject {
            name: plain_name(&pointer.name, self.inputs.calls),
            element,
            count,
            content,
            residue: None,
            ordered: false,
        });
        Some(PointerTarget::Object(self.numbers.len() + unseen.len() - 1, 0))
    }
}
