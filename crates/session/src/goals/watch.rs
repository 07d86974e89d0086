//! Variables of which the source knows nothing, and the instructions that change them: what a function under test does is noted
//! without adding a branch to it.

use clew_ir::contract::{self, CompareOp, Place, PlaceKind, Predicate, Sort, Term, TermKind};
use clew_ir::{
    BlockId, CType, CTypeId, ENTRY, Function, FunctionId, Inst, InstKind, Local, LocalId, LocalKind, Operand, Program,
    Span, Temp, Type,
};
use clew_prove::Point;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

/// Bits in which conditions are computed.
const WIDE: u8 = 128;

/// What is said of conditions that are not supported.
const SUPPORTED: &str = "conditions that are to hold together speak of variables, numbers, `+`, `-` and comparisons";

/// A variable that notes something; 0 when the function begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ghost {
    local: LocalId,
    ty: CTypeId,
    width: u8,
}

/// That a variable has a value.
pub(super) fn is(variable: Ghost, value: i128) -> Predicate {
    let place = Place { kind: PlaceKind::Local(variable.local), ty: variable.ty };
    let read = Term { kind: TermKind::Value(place), sort: Sort::C(variable.ty) };
    let read = Term { kind: TermKind::Convert(Box::new(read)), sort: Sort::Integer };
    Predicate::Compare { op: CompareOp::Eq, a: read, b: Term::integer(value) }
}

/// Instructions to be put into a block before one of its own, and whether the place behind them is where a goal stands.
struct Insertion {
    block: BlockId,
    position: usize,
    insts: Vec<Inst>,
    is_goal: bool,
}

/// A function to which instructions are added.
pub(super) struct Watch<'p> {
    program: &'p mut Program,
    id: FunctionId,
    insertions: Vec<Insertion>,
}

impl<'p> Watch<'p> {
    /// Begins to watch a function.
    pub(super) fn new(program: &'p mut Program, id: FunctionId) -> Result<Watch<'p>, String> {
        let mut all = program.functions[id].blocks.values();
        if all.any(|block| block.terminator.kind.successors().contains(&ENTRY)) {
            return Err("control comes back to the beginning of the function".to_owned());
        }
        Ok(Watch { program, id, insertions: Vec::new() })
    }

    /// The function as it was.
    pub(super) fn function(&self) -> &Function {
        &self.program.functions[self.id]
    }

    /// Makes a variable.
    pub(super) fn variable(&mut self, width: u8) -> Result<Ghost, String> {
        let is_it = |ty: &CType| matches!(ty, CType::Int { width: own, signed: false, .. } if *own == width);
        let types = &mut self.program.ctypes.types;
        let found = types.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id);
        let ty = found.unwrap_or_else(|| types.push(CType::Int { width, signed: false, name: "unsigned" }));
        let size = u64::from(width) / 8;
        let (name, kind, span) = (String::new(), LocalKind::Hidden, Span::NONE);
        let local = self.program.functions[self.id].locals.push(Local { name, ty, size, align: size, kind, span });
        let variable = Ghost { local, ty, width };
        self.at((ENTRY, 0), false, |code| {
            code.store(variable, Operand::int(width, 0));
            Ok(())
        })?;
        Ok(variable)
    }

    /// Adds instructions before the one at a position of a block, as they are numbered before anything is added.
    pub(super) fn at(
        &mut self,
        (block, position): (BlockId, usize),
        is_goal: bool,
        write: impl FnOnce(&mut Code<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut code = Code { program: self.program, id: self.id, insts: Vec::new() };
        write(&mut code)?;
        let insts = code.insts;
        self.insertions.push(Insertion { block, position, insts, is_goal });
        Ok(())
    }

    /// Puts all instructions in their places, and gives those where goals stand.
    pub(super) fn finish(mut self) -> Vec<Point> {
        self.insertions.sort_by_key(|it| (it.block, it.position));
        let function = &mut self.program.functions[self.id];
        let (mut points, mut last, mut added) = (Vec::new(), None, 0);
        for insertion in self.insertions {
            let block = insertion.block;
            if last != Some(block) {
                (last, added) = (Some(block), 0);
            }
            for inst in insertion.insts {
                function.insert(block, insertion.position + added, inst);
                added += 1;
            }
            if insertion.is_goal {
                points.push(Point { function: self.id, block, position: insertion.position + added });
            }
        }
        points
    }
}

/// Instructions being written.
pub(super) struct Code<'p> {
    program: &'p mut Program,
    id: FunctionId,
    insts: Vec<Inst>,
}

impl Code<'_> {
    fn dest(&mut self, width: u8) -> clew_ir::TempId {
        self.program.functions[self.id].temps.push(Temp { ty: Type::Int(width) })
    }

    fn push(&mut self, kind: InstKind) {
        self.insts.push(Inst { kind, span: Span::NONE });
    }

    /// What a variable holds.
    pub(super) fn load(&mut self, variable: Ghost) -> Operand {
        self.load_from(Operand::Local(variable.local), variable.width)
    }

    fn load_from(&mut self, from: Operand, width: u8) -> Operand {
        let dest = self.dest(width);
        self.push(InstKind::Load { dest, from, volatile: false, raw: true, check: None });
        Operand::Temp(dest)
    }

    /// Writes a variable.
    pub(super) fn store(&mut self, variable: Ghost, value: Operand) {
        self.push(InstKind::Store { to: Operand::Local(variable.local), value, volatile: false, check: None });
    }

    /// Sets a flag if something is true.
    pub(super) fn set(&mut self, flag: Ghost, truth: Operand) -> Result<(), String> {
        let old = self.load(flag);
        let next = self.select(truth, Operand::int(flag.width, 1), old, flag.width);
        self.store(flag, next);
        Ok(())
    }

    /// `op a, b` with a result of a width.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand, width: u8) -> Operand {
        let dest = self.dest(width);
        self.push(InstKind::Binary { dest, op, a, b, check: None });
        Operand::Temp(dest)
    }

    /// `a ? b : c`
    pub(super) fn select(&mut self, a: Operand, b: Operand, c: Operand, width: u8) -> Operand {
        let dest = self.dest(width);
        self.push(InstKind::Ternary { dest, op: TernaryOp::Select, a, b, c });
        Operand::Temp(dest)
    }

    fn not(&mut self, a: Operand) -> Operand {
        let dest = self.dest(1);
        self.push(InstKind::Unary { dest, op: UnaryOp::Not, a, check: None });
        Operand::Temp(dest)
    }

    /// Whether a predicate holds.
    pub(super) fn truth(&mut self, predicate: &Predicate) -> Result<Operand, String> {
        match predicate {
            Predicate::Const(truth) => Ok(Operand::int(1, u128::from(*truth))),
            Predicate::Not(a) => {
                let a = self.truth(a)?;
                Ok(self.not(a))
            }
            Predicate::And(parts) => self.all_of(BinaryOp::And, parts, 1),
            Predicate::Or(parts) => self.all_of(BinaryOp::Or, parts, 0),
            Predicate::Implies(a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let not = self.not(a);
                Ok(self.binary(BinaryOp::Or, not, b, 1))
            }
            Predicate::Compare { op, a, b } if a.sort == Sort::Integer => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (op, a, b) = match op {
                    CompareOp::Eq => (BinaryOp::Eq, a, b),
                    CompareOp::Ne => (BinaryOp::Ne, a, b),
                    CompareOp::Lt => (BinaryOp::Slt, a, b),
                    CompareOp::Le => (BinaryOp::Sle, a, b),
                    CompareOp::Gt => (BinaryOp::Slt, b, a),
                    CompareOp::Ge => (BinaryOp::Sle, b, a),
                };
                Ok(self.binary(op, a, b, 1))
            }
            _ => Err(SUPPORTED.to_owned()),
        }
    }

    fn all_of(&mut self, op: BinaryOp, parts: &[Predicate], empty: u128) -> Result<Operand, String> {
        let mut all = Operand::int(1, empty);
        for part in parts {
            let truth = self.truth(part)?;
            all = self.binary(op, all, truth, 1);
        }
        Ok(all)
    }

    /// The value of a term. Sums of less than 2^60 values of 64 bits do not wrap around.
    fn term(&mut self, term: &Term) -> Result<Operand, String> {
        match &term.kind {
            TermKind::Integer(number) if number.unsigned_abs() < 1 << 66 => Ok(Operand::int(WIDE, *number as u128)),
            TermKind::Convert(inner) => self.value(inner),
            TermKind::Unary(contract::UnaryOp::Neg, a) => {
                let a = self.term(a)?;
                Ok(self.binary(BinaryOp::Sub, Operand::int(WIDE, 0), a, WIDE))
            }
            TermKind::Binary(op @ (contract::BinaryOp::Add | contract::BinaryOp::Sub), a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let op = if *op == contract::BinaryOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                Ok(self.binary(op, a, b, WIDE))
            }
            _ => Err(SUPPORTED.to_owned()),
        }
    }

    /// The value of a variable.
    fn value(&mut self, term: &Term) -> Result<Operand, String> {
        let place = match &term.kind {
            TermKind::Value(place) => place,
            TermKind::At(inner, contract::Label::Pre) => match &inner.kind {
                TermKind::Value(place @ Place { kind: PlaceKind::Param(_), .. }) => place,
                _ => return Err(SUPPORTED.to_owned()),
            },
            _ => return Err(SUPPORTED.to_owned()),
        };
        let &CType::Int { width, signed, .. } = self.program.ctypes.get(place.ty) else {
            return Err(SUPPORTED.to_owned());
        };
        let narrow = match place.kind {
            PlaceKind::Local(local) => self.load_from(Operand::Local(local), width),
            PlaceKind::Global(global) => self.load_from(Operand::Global(global, 0), width),
            PlaceKind::Param(position) => Operand::Temp(self.program.functions[self.id].params[position as usize].temp),
            _ => return Err(SUPPORTED.to_owned()),
        };
        if width > 64 {
            return Err(SUPPORTED.to_owned());
        }
        let dest = self.dest(WIDE);
        let op = if signed { Conversion::SignExtend(WIDE) } else { Conversion::ZeroExtend(WIDE) };
        self.push(InstKind::Convert { dest, op, a: narrow, check: None });
        Ok(Operand::Temp(dest))
    }
}
