//! The parts of an input that hold a number, and values for them.

use clew_execute::{Content, Input};
use clew_ir::{CType, CTypeId, FunctionId, InstKind, Operand, ParamKind, Program};
use std::collections::BTreeSet;

/// Parts of one input at most.
const MOST: usize = 2048;

/// Where a content stands in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Home {
    Argument(usize),
    Global(usize),
    Object(usize),
    Stub(usize),
    Output(usize, usize),
}

/// What a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Truth,
    Number { signed: bool },
    Float,
}

/// A part of an input that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    home: Home,
    at: usize,
    bytes: usize,
    kind: Kind,
}

/// A pointer of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    home: Home,
    at: u64,
}

impl Pointer {
    /// Makes it null.
    pub(super) fn cut(&self, input: &mut Input) {
        if let Some(content) = content_mut(input, self.home) {
            content.pointers.retain(|stored| stored.at != self.at);
        }
    }
}

fn homes(input: &Input) -> Vec<Home> {
    let outputs = input.stubs.iter().enumerate().flat_map(|(call, stub)| {
        let outputs = (0..stub.outputs.len()).map(move |output| Home::Output(call, output));
        std::iter::once(Home::Stub(call)).chain(outputs)
    });
    let arguments = (0..input.arguments.len()).map(Home::Argument);
    let globals = (0..input.globals.len()).map(Home::Global);
    arguments.chain(globals).chain((0..input.objects.len()).map(Home::Object)).chain(outputs).collect()
}

fn content(input: &Input, home: Home) -> Option<&Content> {
    match home {
        Home::Argument(index) => input.arguments.get(index),
        Home::Global(index) => input.globals.get(index).map(|(_, content)| content),
        Home::Object(index) => input.objects.get(index).map(|object| &object.content),
        Home::Stub(index) => input.stubs.get(index).map(|call| &call.result),
        Home::Output(index, output) => input.stubs.get(index)?.outputs.get(output).map(|(_, content)| content),
    }
}

fn content_mut(input: &mut Input, home: Home) -> Option<&mut Content> {
    match home {
        Home::Argument(index) => input.arguments.get_mut(index),
        Home::Global(index) => input.globals.get_mut(index).map(|(_, content)| content),
        Home::Object(index) => input.objects.get_mut(index).map(|object| &mut object.content),
        Home::Stub(index) => input.stubs.get_mut(index).map(|call| &mut call.result),
        Home::Output(index, output) => input.stubs.get_mut(index)?.outputs.get_mut(output).map(|(_, content)| content),
    }
}

/// The pointers of an input that may become null: not arguments, which compilers and readers expect to lead somewhere.
pub(super) fn pointers(input: &Input) -> Vec<Pointer> {
    let stored = |home: Home| {
        let stored = content(input, home).into_iter().flat_map(|content| &content.pointers);
        stored.map(move |stored| Pointer { home, at: stored.at })
    };
    let is_argument = |home: &Home| matches!(home, Home::Argument(_));
    homes(input).into_iter().filter(|home| !is_argument(home)).flat_map(stored).take(MOST).collect()
}

/// The parts of an input that hold numbers.
pub(super) fn parts(program: &Program, function: FunctionId, input: &Input) -> Vec<Part> {
    let mut finder = Finder { program, parts: Vec::new() };
    let params = program.functions[function].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    for (index, param) in params.enumerate().take(input.arguments.len()) {
        finder.add(Home::Argument(index), param.ty, 0);
    }
    for (index, (global, _)) in input.globals.iter().enumerate() {
        finder.add(Home::Global(index), program.globals[*global].ty, 0);
    }
    for (index, object) in input.objects.iter().enumerate() {
        let size = finder.size(object.element);
        (0..object.count).for_each(|element| finder.add(Home::Object(index), object.element, element * size));
    }
    for (index, call) in input.stubs.iter().enumerate().filter(|(_, call)| !call.is_allocation) {
        finder.stub(index, call.function, &call.outputs);
    }
    finder.parts.retain(|part| {
        content(input, part.home).is_some_and(|content| {
            let inside = part.at + part.bytes <= content.bytes.len();
            inside
                && !content
                    .pointers
                    .iter()
                    .any(|stored| stored.at < (part.at + part.bytes) as u64 && part.at as u64 <= stored.at)
        })
    });
    finder.parts
}

struct Finder<'p> {
    program: &'p Program,
    parts: Vec<Part>,
}

impl Finder<'_> {
    fn size(&self, ty: CTypeId) -> u64 {
        self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()).unwrap_or(0)
    }

    fn stub(&mut self, index: usize, function: FunctionId, outputs: &[(usize, Content)]) {
        let CType::Function { returns, params, .. } = self.program.ctypes.get(self.program.functions[function].ty)
        else {
            return;
        };
        let (returns, params) = (*returns, params.clone());
        self.add(Home::Stub(index), returns, 0);
        for (output, (position, content)) in outputs.iter().enumerate() {
            let Some(CType::Pointer(to)) = params.get(*position).map(|ty| self.program.ctypes.get(*ty)) else {
                continue;
            };
            let (to, size) = (*to, self.size(*to).max(1));
            (0..content.bytes.len() as u64 / size).for_each(|element| {
                self.add(Home::Output(index, output), to, element * size);
            });
        }
    }

    fn add(&mut self, home: Home, ty: CTypeId, at: u64) {
        if self.parts.len() >= MOST {
            return;
        }
        let bytes = self.size(ty) as usize;
        let mut push = |kind| self.parts.push(Part { home, at: at as usize, bytes, kind });
        match self.program.ctypes.get(ty) {
            CType::Bool => push(Kind::Truth),
            CType::Int { .. } | CType::Enum { .. } if bytes <= 8 => {
                push(Kind::Number { signed: self.program.ctypes.is_signed(ty) });
            }
            CType::Float { .. } if matches!(bytes, 4 | 8) => push(Kind::Float),
            CType::Array { of, len } => {
                let (of, len, size) = (*of, len.unwrap_or(0), self.size(*of));
                (0..len.min(MOST as u64)).for_each(|index| self.add(home, of, at + index * size));
            }
            CType::Record(record) => {
                let record = &self.program.ctypes.records[*record];
                let fields: Vec<(CTypeId, u64)> = record
                    .fields
                    .iter()
                    .filter(|field| field.bits.is_none())
                    .map(|field| (field.ty, field.offset))
                    .take(if record.is_union { 1 } else { usize::MAX })
                    .collect();
                fields.into_iter().for_each(|(ty, offset)| self.add(home, ty, at + offset));
            }
            _ => {}
        }
    }
}

impl Part {
    /// Its value, as bits.
    pub(super) fn get(&self, input: &Input) -> u128 {
        let bytes = content(input, self.home).and_then(|content| content.bytes.get(self.at..self.at + self.bytes));
        bytes.unwrap_or_default().iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))
    }

    /// Gives it a value.
    pub(super) fn set(&self, input: &mut Input, value: u128) {
        let bytes =
            content_mut(input, self.home).and_then(|content| content.bytes.get_mut(self.at..self.at + self.bytes));
        for (index, byte) in bytes.into_iter().flatten().enumerate() {
            *byte = (value >> (8 * index)) as u8;
        }
    }

    fn mask(&self) -> u128 {
        (1 << (8 * self.bytes)) - 1
    }

    fn signed(&self, value: u128) -> i128 {
        let shift = 128 - 8 * self.bytes as u32;
        (value as i128) << shift >> shift
    }

    /// Smaller values, the smallest first.
    pub(super) fn smaller(&self, now: u128) -> Vec<u128> {
        let Kind::Number { signed } = self.kind else { return Vec::new() };
        let value = if signed { self.signed(now) } else { now as i128 };
        let size = value.unsigned_abs();
        let mut sizes: Vec<u128> = (1..=16).chain((5..64).map(|bit| 1 << bit)).chain([100, 1000, size / 2]).collect();
        sizes.retain(|other| *other < size);
        sizes.sort_unstable();
        sizes.dedup();
        let both = |size: u128| {
            let other = if value < 0 { size } else { size.wrapping_neg() & self.mask() };
            let same = if value < 0 { size.wrapping_neg() & self.mask() } else { size };
            if signed { vec![same, other] } else { vec![same] }
        };
        sizes.into_iter().flat_map(both).collect()
    }

    /// A value that tells one part from another: the number of the part at first, then others.
    pub(super) fn telling(&self, number: u128, round: u64, seed: u64) -> u128 {
        let mixed = |salt: u64| {
            let mut mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_add(salt);
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 27
        };
        match (self.kind, round) {
            (Kind::Truth, _) => u128::from(mixed(round) & 1),
            (Kind::Float, _) => {
                let value = number as f64 + 0.5 * (1 + round) as f64;
                if self.bytes == 4 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
            }
            (Kind::Number { .. }, 0) => number & (self.mask() >> 1),
            (Kind::Number { .. }, 1) => u128::from(mixed(1) % 251 + 1) & self.mask(),
            (Kind::Number { .. }, _) => u128::from(mixed(round)) & self.mask(),
        }
    }

    /// A number a little greater than one: by three, or two, so that neighbours differ.
    pub(super) fn beyond(&self, now: u128, number: u128) -> Option<u128> {
        matches!(self.kind, Kind::Number { .. }).then(|| now.wrapping_add(2 + number % 2) & self.mask())
    }

    /// Values at and next to others.
    pub(super) fn near(&self, values: &[u128]) -> BTreeSet<u128> {
        if self.kind != Kind::Float {
            return self.near_numbers(values);
        }
        // Of numbers, floats of the same size are their bits.
        let width = self.mask();
        let bits = values.iter().filter(|value| **value <= width);
        bits.flat_map(|value| [*value, value + 1, value.saturating_sub(1)]).filter(|value| *value <= width).collect()
    }

    fn near_numbers(&self, values: &[u128]) -> BTreeSet<u128> {
        let Kind::Number { .. } = self.kind else { return BTreeSet::new() };
        let around = |value: &u128| [*value, value.wrapping_add(1), value.wrapping_sub(1)].map(|it| it & self.mask());
        values.iter().flat_map(around).collect()
    }
}

/// The constants that a function compares and computes with.
pub(super) fn constants(program: &Program, function: FunctionId) -> Vec<u128> {
    const MOST_CONSTANTS: usize = 32;
    let insts = program.functions[function].blocks.values().flat_map(|block| &block.insts);
    let computing = insts.filter(|inst| matches!(inst.kind, InstKind::Binary { .. }));
    let operands = computing.flat_map(|inst| inst.kind.operands());
    let constants: BTreeSet<u128> = operands
        .filter_map(|operand| match operand {
            Operand::Const(value) => Some(value.bits),
            _ => None,
        })
        .collect();
    constants.into_iter().take(MOST_CONSTANTS).collect()
}
