//! Inline assembly.
//!
//! Templates that only align code, stop the compiler from reordering, or hide from it where a value comes from compute
//! nothing. Of x86 (in the syntax of AT&T) the instructions are known for which C programs write assembly though they only
//! compute: swapped bytes, rotations, products of double width, atomic additions and exchanges, and plain arithmetic
//! between them. Registers are slots; operands that are tied to each other or to one register share a slot. Flags are not
//! followed, so whatever reads them is not supported, and neither is what this file does not name.

use super::body::Body;
use super::place::LValue;
use clew_ir::{CheckKind, InstKind, Operand, Type};
use clew_scalar::{BinaryOp, TernaryOp, UnaryOp};
use rucc_sema::{AsmId, AsmOperand, StrId};

/// The instructions that are understood, without the letter for their width.
const KNOWN: [&str; 20] = [
    "bswap", "rol", "ror", "shl", "sal", "shr", "sar", "add", "sub", "and", "or", "xor", "not", "neg", "mov", "xchg",
    "xadd", "cmpxchg", "mul", "imul",
];

/// An operand of the statement.
struct Held {
    name: String,
    width: u8,
    seat: Seat,
}

/// Where an operand is.
#[derive(Clone, Copy)]
enum Seat {
    Slot(usize),
    Memory(LValue),
}

/// A register: what it holds, and its letter in constraints if it is a certain one.
struct Slot {
    value: Option<Operand>,
    letter: Option<char>,
}

/// The operands and registers of one statement.
#[derive(Default)]
struct Machine {
    held: Vec<Held>,
    slots: Vec<Slot>,
}

/// What an instruction reads or writes.
#[derive(Clone, Copy)]
enum Argument {
    Constant(i128),
    /// A register: the width of its operand, and the width that the text asks for.
    Slot(usize, u8, u8),
    Memory(LValue),
    /// Behind the pointer in a slot.
    Behind(usize),
}

impl Body<'_, '_> {
    /// Lowers a statement of assembly.
    pub(crate) fn assembly(&mut self, asm: AsmId) {
        let node = self.checked.tast[asm];
        let template = self.asm_text(node.template);
        let lines: Vec<&str> = template.split(['\n', ';']).map(str::trim).filter(|line| !is_idle(line)).collect();
        let is_known_machine = lines.is_empty() || cfg!(target_arch = "x86_64");
        let has_labels = !self.checked.tast[node.labels].is_empty();
        if has_labels || !is_known_machine || self.run_assembly(asm, &lines).is_none() {
            self.unsupported("inline assembly");
        }
    }

    fn asm_text(&self, text: StrId) -> String {
        self.checked.tast[text].elements.iter().filter_map(|&unit| char::from_u32(unit)).collect()
    }

    /// Does what the lines say, and gives the outputs their values; `None` if something is not understood.
    fn run_assembly(&mut self, asm: AsmId, lines: &[&str]) -> Option<()> {
        let checked = self.checked;
        let node = checked.tast[asm];
        let (outputs, inputs) = (&checked.tast[node.outputs], &checked.tast[node.inputs]);
        let mut machine = Machine::default();
        let mut places = Vec::new();
        for output in outputs {
            places.push(self.hold_output(&mut machine, output, lines.is_empty())?);
        }
        for input in inputs {
            self.hold_input(&mut machine, input, outputs, lines.is_empty())?;
        }
        for line in lines {
            self.instruction(&mut machine, line)?;
        }
        for ((number, output), (place, before)) in outputs.iter().enumerate().zip(places) {
            let Seat::Slot(slot) = machine.held[number].seat else { continue };
            match machine.slots[slot].value {
                value if value == before && self.asm_text(output.constraint).starts_with('+') => {}
                value => {
                    let value = value?;
                    let fits = |ty: Type| ty == self.type_of(value);
                    self.unit.scalar(place.ty).is_none_or(fits).then_some(())?;
                    self.store(&place, value);
                }
            }
        }
        Some(())
    }

    /// Adds an output; gives its place, and what it holds before if the assembly may ask.
    fn hold_output(
        &mut self,
        machine: &mut Machine,
        output: &AsmOperand,
        is_idle: bool,
    ) -> Option<(LValue, Option<Operand>)> {
        let constraint = self.asm_text(output.constraint);
        let place = self.place(output.value);
        let width = self.asm_width(&place);
        if output.memory || is_memory(&constraint) {
            let seat = Seat::Memory(place);
            machine.held.push(Held { name: self.asm_name(output), width, seat });
            return Some((place, None));
        }
        (!constraint.contains('@')).then_some(())?;
        let is_read = constraint.starts_with('+') && !is_idle;
        let before = is_read.then(|| self.read(&place));
        machine.hold(self.asm_name(output), width, before, letter(&constraint));
        Some((place, before))
    }

    fn hold_input(
        &mut self,
        machine: &mut Machine,
        input: &AsmOperand,
        outputs: &[AsmOperand],
        is_idle: bool,
    ) -> Option<()> {
        let constraint = self.asm_text(input.constraint);
        let name = self.asm_name(input);
        let tied: Option<usize> = constraint.parse().ok();
        if input.memory || is_memory(&constraint) {
            let place = self.place(input.value);
            machine.held.push(Held { name, width: self.asm_width(&place), seat: Seat::Memory(place) });
            return Some(());
        }
        if is_idle && tied.is_none() && !self.has_effects(input.value) {
            machine.hold(name, 0, None, None);
            return Some(());
        }
        let value = self.value(input.value);
        let width = match self.type_of(value) {
            Type::Int(width) => width,
            _ => 0,
        };
        let Some(number) = tied else {
            machine.hold(name, width, Some(value), letter(&constraint));
            return Some(());
        };
        let is_alike = machine.held.get(number)?.width == width
            && (width > 0 || self.type_at(input.value) == self.type_at(outputs.get(number)?.value));
        let seat = machine.held[number].seat;
        let Seat::Slot(slot) = seat else { return None };
        is_alike.then_some(())?;
        machine.slots[slot].value = Some(value);
        machine.held.push(Held { name, width, seat });
        Some(())
    }

    fn asm_name(&self, operand: &AsmOperand) -> String {
        operand.name.map_or_else(String::new, |name| self.checked.names.resolve(name).to_owned())
    }

    /// The width of the integer in a place; nothing is computed with what is none.
    fn asm_width(&self, place: &LValue) -> u8 {
        match self.unit.scalar(place.ty) {
            Some(Type::Int(width)) if place.bits.is_none() => width,
            _ => 0,
        }
    }

    /// Does what one line says.
    fn instruction(&mut self, machine: &mut Machine, line: &str) -> Option<()> {
        let line = line.strip_prefix("lock").map_or(line, str::trim_start);
        if line.is_empty() {
            return Some(());
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let arguments: Vec<&str> = rest.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
        let arguments: Vec<Argument> = arguments.iter().map(|text| machine.argument(text)).collect::<Option<_>>()?;
        let (base, width) = named(word)?;
        let of_arguments = || arguments.iter().rev().find_map(Argument::width).filter(|width| *width > 0);
        let width = width.or_else(of_arguments)?;
        match arguments.as_slice() {
            [one] => self.with_one(machine, base, one, width),
            [from, to] => self.with_two(machine, base, (from, to), width),
            _ => None,
        }
    }

    fn with_one(&mut self, machine: &mut Machine, base: &str, argument: &Argument, width: u8) -> Option<()> {
        let op = match base {
            "bswap" if width >= 32 => UnaryOp::ByteSwap,
            "not" => UnaryOp::Not,
            "neg" => UnaryOp::Neg,
            "mul" if width >= 32 => return self.double_product(machine, argument, width),
            "rol" | "ror" | "shl" | "sal" | "shr" | "sar" => {
                return self.with_two(machine, base, (&Argument::Constant(1), argument), width);
            }
            _ => return None,
        };
        let value = self.read_argument(machine, argument, width)?;
        let value = self.unary(op, value, None);
        self.write_argument(machine, argument, value, width)
    }

    fn with_two(
        &mut self,
        machine: &mut Machine,
        base: &str,
        (from, to): (&Argument, &Argument),
        width: u8,
    ) -> Option<()> {
        let op = match base {
            "mov" => {
                let value = self.read_argument(machine, from, width)?;
                return self.write_argument(machine, to, value, width);
            }
            "rol" | "ror" | "shl" | "sal" | "shr" | "sar" => {
                return self.shift_argument(machine, base, (from, to), width);
            }
            "xchg" | "xadd" => {
                let (a, b) = (self.read_argument(machine, from, width)?, self.read_argument(machine, to, width)?);
                let a = if base == "xadd" { self.binary(BinaryOp::Add, a, b, None) } else { a };
                self.write_argument(machine, from, b, width)?;
                return self.write_argument(machine, to, a, width);
            }
            "cmpxchg" => return self.exchange_if_same(machine, (from, to), width),
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "imul" => BinaryOp::Mul,
            _ => return None,
        };
        let is_zero = base == "xor" && matches!((from, to), (Argument::Slot(a, ..), Argument::Slot(b, ..)) if a == b);
        let value = if is_zero {
            Operand::int(width, 0)
        } else {
            let (a, b) = (self.read_argument(machine, to, width)?, self.read_argument(machine, from, width)?);
            self.binary(op, a, b, None)
        };
        self.write_argument(machine, to, value, width)
    }

    /// Shifts and rotations; of the count, only the bits count that are below the width.
    fn shift_argument(
        &mut self,
        machine: &mut Machine,
        base: &str,
        (from, to): (&Argument, &Argument),
        width: u8,
    ) -> Option<()> {
        // Narrow shifts take five bits of the count, which may be more than the width.
        let is_plain =
            width >= 32 || matches!(from, Argument::Constant(count) if (0..i128::from(width)).contains(count));
        is_plain.then_some(())?;
        let count = self.read_argument(machine, from, 8)?;
        let count = self.resize(count, width, false);
        let mask = |body: &mut Self, count| {
            body.binary(BinaryOp::And, count, Operand::int(width, u128::from(width) - 1), None)
        };
        let count = mask(self, count);
        let value = self.read_argument(machine, to, width)?;
        let shifted = |body: &mut Self, op, count| body.binary(op, value, count, None);
        let value = match base {
            "shl" | "sal" => shifted(self, BinaryOp::Shl, count),
            "shr" => shifted(self, BinaryOp::LShr, count),
            "sar" => shifted(self, BinaryOp::AShr, count),
            _ => {
                let rest = self.unary(UnaryOp::Neg, count, None);
                let rest = mask(self, rest);
                let (left, right) = if base == "rol" { (count, rest) } else { (rest, count) };
                let (left, right) = (shifted(self, BinaryOp::Shl, left), shifted(self, BinaryOp::LShr, right));
                self.binary(BinaryOp::Or, left, right, None)
            }
        };
        self.write_argument(machine, to, value, width)
    }

    /// `mul`: the register `a` times the argument, the upper half in the register `d`.
    fn double_product(&mut self, machine: &mut Machine, argument: &Argument, width: u8) -> Option<()> {
        let (a, d) = (machine.register('a')?, machine.register('d')?);
        let x = self.read_argument(machine, &Argument::Slot(a, width, width), width)?;
        let y = self.read_argument(machine, argument, width)?;
        let (x, y) = (self.resize(x, 2 * width, false), self.resize(y, 2 * width, false));
        let product = self.binary(BinaryOp::Mul, x, y, None);
        let upper = self.binary(BinaryOp::LShr, product, Operand::int(2 * width, u128::from(width)), None);
        for (slot, half) in [(a, product), (d, upper)] {
            let half = self.resize(half, width, false);
            self.write_argument(machine, &Argument::Slot(slot, width, width), half, width)?;
        }
        Some(())
    }

    /// `cmpxchg`: the place takes the new value if it holds what the register `a` does, which gets what it held.
    fn exchange_if_same(&mut self, machine: &mut Machine, (new, at): (&Argument, &Argument), width: u8) -> Option<()> {
        let a = Argument::Slot(machine.register('a')?, width, width);
        let (old, new) = (self.read_argument(machine, &a, width)?, self.read_argument(machine, new, width)?);
        let held = self.read_argument(machine, at, width)?;
        let is_same = self.binary(BinaryOp::Eq, held, old, None);
        let select = |dest| InstKind::Ternary { dest, op: TernaryOp::Select, a: is_same, b: new, c: held };
        let value = self.builder.define(Type::Int(width), select);
        self.write_argument(machine, at, value, width)?;
        self.write_argument(machine, &a, held, width)
    }

    /// The value of an argument, an integer of that width.
    fn read_argument(&mut self, machine: &Machine, argument: &Argument, width: u8) -> Option<Operand> {
        let value = match argument {
            Argument::Constant(number) => Operand::int(width, *number as u128),
            Argument::Slot(slot, ..) => machine.slots[*slot].value?,
            Argument::Memory(place) => self.read(place),
            Argument::Behind(slot) => {
                let from = machine.slots[*slot].value.filter(|value| self.type_of(*value) == Type::Pointer)?;
                let check = Some(self.builder.check(CheckKind::Access));
                let load = |dest| InstKind::Load { dest, from, volatile: false, raw: false, check };
                self.builder.define(Type::Int(width), load)
            }
        };
        match (self.type_of(value), value) {
            (Type::Int(own), _) if own >= width => Some(self.resize(value, width, false)),
            (Type::Int(_), Operand::Const(_)) => Some(self.resize(value, width, true)),
            _ => None,
        }
    }

    fn write_argument(&mut self, machine: &mut Machine, argument: &Argument, value: Operand, width: u8) -> Option<()> {
        match argument {
            Argument::Constant(_) => return None,
            Argument::Slot(slot, own, _) => {
                // What is written to 32 bits of a register clears those above; fewer bits leave the others.
                (*own == width || (width == 32 && *own == 64)).then_some(())?;
                machine.slots[*slot].value = Some(self.resize(value, *own, false));
            }
            Argument::Memory(place) => {
                (self.asm_width(place) == width).then_some(())?;
                self.store(place, value);
            }
            Argument::Behind(slot) => {
                let to = machine.slots[*slot].value.filter(|value| self.type_of(*value) == Type::Pointer)?;
                let check = Some(self.builder.check(CheckKind::Access));
                self.builder.emit(InstKind::Store { to, value, volatile: false, check });
            }
        }
        Some(())
    }
}

impl Machine {
    /// Adds an operand in a register.
    fn hold(&mut self, name: String, width: u8, value: Option<Operand>, letter: Option<char>) {
        let same = letter.and_then(|letter| self.register(letter));
        let slot = same.unwrap_or(self.slots.len());
        match same {
            Some(slot) => self.slots[slot].value = value.or(self.slots[slot].value),
            None => self.slots.push(Slot { value, letter }),
        }
        self.held.push(Held { name, width, seat: Seat::Slot(slot) });
    }

    /// The slot that is a certain register.
    fn register(&self, letter: char) -> Option<usize> {
        self.slots.iter().position(|slot| slot.letter == Some(letter))
    }

    /// What a text of the template denotes.
    fn argument(&self, text: &str) -> Option<Argument> {
        if let Some(number) = text.strip_prefix('$') {
            return constant(number).map(Argument::Constant);
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            return match self.argument(inner)? {
                Argument::Slot(slot, ..) => Some(Argument::Behind(slot)),
                _ => None,
            };
        }
        if let Some(register) = text.strip_prefix("%%") {
            let (letter, width) = machine_register(register)?;
            let slot = self.register(letter)?;
            let held = self.held.iter().find(|held| matches!(held.seat, Seat::Slot(other) if other == slot))?;
            return Some(Argument::Slot(slot, held.width, width));
        }
        let (number, width) = self.operand(text.strip_prefix('%')?)?;
        let held = &self.held[number];
        Some(match &held.seat {
            Seat::Slot(slot) => Argument::Slot(*slot, held.width, width.unwrap_or(held.width)),
            Seat::Memory(place) => Argument::Memory(*place),
        })
    }

    /// The number of an operand such as `0`, `k0` or `[name]`, and the width its letter asks for.
    fn operand(&self, text: &str) -> Option<(usize, Option<u8>)> {
        let (letter, rest) = match text.chars().next()? {
            letter @ ('b' | 'w' | 'k' | 'q') => (Some(letter), &text[1..]),
            _ => (None, text),
        };
        let number = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => self.held.iter().position(|held| held.name == name)?,
            None => rest.parse().ok().filter(|number| *number < self.held.len())?,
        };
        let width = letter.map(|letter| match letter {
            'b' => 8,
            'w' => 16,
            'k' => 32,
            _ => 64,
        });
        Some((number, width))
    }
}

impl Argument {
    /// The width it has of itself.
    fn width(&self) -> Option<u8> {
        match self {
            Argument::Slot(_, _, width) => Some(*width),
            _ => None,
        }
    }
}

/// An instruction without the letter of its width, and that width.
fn named(word: &str) -> Option<(&str, Option<u8>)> {
    if KNOWN.contains(&word) {
        return Some((word, None));
    }
    let (base, letter) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let width = match letter {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    KNOWN.contains(&base).then_some((base, Some(width)))
}

/// The letter that a register has in constraints, and its width.
fn machine_register(name: &str) -> Option<(char, u8)> {
    let (stem, width) = match (name.as_bytes().first()?, name.len()) {
        (b'r', 3) => (&name[1..2], 64),
        (b'e', 3) => (&name[1..2], 32),
        (_, 2) if name.ends_with('x') => (&name[..1], 16),
        (_, 2) if name.ends_with('l') => (&name[..1], 8),
        _ => return None,
    };
    let letter = stem.chars().next().filter(|letter| "abcd".contains(*letter))?;
    Some((letter, width))
}

/// The register that a constraint asks for, if it is a certain one.
fn letter(constraint: &str) -> Option<char> {
    let mut letters = constraint.chars().filter(|letter| !"=+&%".contains(*letter));
    letters.next().filter(|letter| "abcdSD".contains(*letter))
}

/// Whether a constraint allows nothing but memory.
fn is_memory(constraint: &str) -> bool {
    constraint.trim_start_matches(['=', '+', '&', '%']) == "m"
}

fn constant(text: &str) -> Option<i128> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let number = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.ok().map(|number| sign * number)
}

/// Whether a line of assembly computes nothing.
fn is_idle(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    matches!(word, "" | "nop" | "pause" | "mfence" | "lfence" | "sfence" | ".p2align" | ".align" | ".balign")
}
