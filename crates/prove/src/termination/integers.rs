//! A function of which only integers are left: what its memory holds is forgotten.
//!
//! Whether a loop ends mostly depends on counters and pointers that are variables of the function. Here these are kept: variables
//! of integer type and pointers that are only read and written whole. A pointer is its address, an integer like the others;
//! arithmetic on it does not wrap around, for that is undefined. What memory, callees and floats give is any value, what
//! is written elsewhere is left out. Each execution of the function is one of what is left, so that a loop that ends there
//! ends.
//!
//! What is left has no pointers, so that each of its loops can be cut (`induction`). It has no more turns to show than that:
//! inputs for which a loop does not end are looked for in the function itself.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::contract::visit::Node;
use clew_ir::contract::{Contract, PlaceKind, Predicate, TermKind};
use clew_ir::{
    Block, CType, CTypeId, CTypes, Callee, Check, CheckId, CheckKind, Function, FunctionId, Inst, InstKind, LocalId,
    Operand, ParamKind, Program, Span, TempId, Terminator, TerminatorKind, Type,
};
use clew_library::verifier;
use clew_scalar::{BinaryOp, Conversion};

/// A program with one function made so.
pub(super) struct Integers {
    pub(super) program: Program,
    /// The variables that are kept.
    pub(super) kept: BTreeSet<LocalId>,
    /// The function in whose calls those have been changed that may come back to the function. It is given the same arguments.
    pub(super) own_call: FunctionId,
}

/// The program with one function made so, which calls these others and itself for ever at most; `None` if it contains what may
/// do anything.
pub(super) fn integers(program: &Program, id: FunctionId, others: &[FunctionId]) -> Option<Integers> {
    let mut left = program.clone();
    let address = address_type(&mut left);
    let own_call = own_call(&mut left);
    let function = &program.functions[id];
    let (kept, made) = (kept(program, function), function.clone());
    let mut maker = Maker { program, id, others, function, kept, address, own_call, made, any: BTreeMap::new() };
    maker.types();
    for block in function.blocks.ids() {
        let data = maker.block(&mut left, &function.blocks[block])?;
        maker.made.blocks[block] = data;
    }
    let (mut made, kept) = (maker.made, maker.kept);
    made.contract = contract(program, &function.contract);
    left.functions[id] = made;
    Some(Integers { program: left, kept, own_call })
}

/// Whether a predicate speaks of nothing but integer variables and constants.
pub(super) fn is_plain(program: &Program, predicate: &Predicate) -> bool {
    let is_other = &mut |node: Node<'_>| match node {
        Node::Place(place) => match &place.kind {
            PlaceKind::Param(_) | PlaceKind::Local(_) => !matches!(program.ctypes.get(place.ty), CType::Int { .. }),
            _ => true,
        },
        Node::Term(term) => matches!(term.kind, TermKind::Address(_) | TermKind::Call(..)),
        Node::Predicate(_) => false,
    };
    !Node::Predicate(predicate).any(is_other)
}

/// What is left of a contract.
fn contract(program: &Program, contract: &Contract) -> Contract {
    let requires = contract.requires.iter().filter(|clause| is_plain(program, &clause.predicate));
    Contract { requires: requires.cloned().collect(), ..Contract::default() }
}

/// The unsigned integer type as wide as pointers.
fn address_type(program: &mut Program) -> CTypeId {
    let width = program.target.pointer_width;
    let is_it = |ty: &CType| matches!(ty, CType::Int { width: own, signed: false, .. } if *own == width);
    let found = program.ctypes.types.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id);
    found.unwrap_or_else(|| program.ctypes.types.push(CType::Int { width, signed: false, name: "unsigned long" }))
}

/// Whether values of a type are kept.
fn is_scalar(ctypes: &CTypes, ty: CTypeId) -> bool {
    match ctypes.get(ty) {
        CType::Int { width, .. } => *width <= 64,
        CType::Bool | CType::Enum { .. } | CType::Pointer(_) => true,
        _ => false,
    }
}

/// The variables that are kept: scalars that are only read and written whole.
fn kept(program: &Program, function: &Function) -> BTreeSet<LocalId> {
    let locals = function.locals.iter().filter(|(_, local)| is_scalar(&program.ctypes, local.ty));
    let mut kept: BTreeSet<LocalId> = locals.map(|(id, _)| id).collect();
    let is_whole = |local: LocalId, ty: Type| {
        program.ctypes.size_of(function.locals[local].ty, program.target.pointer_bytes())
            == Some(ty.bytes(program.target.pointer_width))
    };
    for inst in function.blocks.values().flat_map(|block| &block.insts) {
        let others = match &inst.kind {
            InstKind::Load { dest, from: Operand::Local(local), volatile: false, .. }
                if is_whole(*local, function.temps[*dest].ty) =>
            {
                Vec::new()
            }
            InstKind::Store { to: Operand::Local(local), value, volatile: false, .. }
                if is_whole(*local, value.ty(function)) =>
            {
                vec![*value]
            }
            InstKind::Copy { to: Operand::Local(to), from: Operand::Local(from), size, .. }
                if function.locals[*to].size == *size && function.locals[*from].size == *size =>
            {
                Vec::new()
            }
            kind => kind.operands(),
        };
        for operand in others {
            if let Operand::Local(local) = operand {
                kept.remove(&local);
            }
        }
    }
    // A copy of what is not kept is not kept.
    loop {
        let lost = |inst: &Inst| match inst.kind {
            InstKind::Copy { to: Operand::Local(to), from, .. } => {
                let is_kept = matches!(from, Operand::Local(from) if kept.contains(&from));
                (kept.contains(&to) && !is_kept).then_some(to)
            }
            _ => None,
        };
        match function.blocks.values().flat_map(|block| &block.insts).find_map(lost) {
            Some(local) => drop(kept.remove(&local)),
            None => return kept,
        }
    }
}

struct Maker<'p> {
    program: &'p Program,
    id: FunctionId,
    others: &'p [FunctionId],
    function: &'p Function,
    kept: BTreeSet<LocalId>,
    /// The type that pointers get.
    address: CTypeId,
    own_call: FunctionId,
    made: Function,
    /// Functions that give any value, by width.
    any: BTreeMap<u8, FunctionId>,
}

impl Maker<'_> {
    fn width(&self) -> u8 {
        self.program.target.pointer_width
    }

    /// Makes integers of all pointers.
    fn types(&mut self) {
        let width = self.width();
        for (_, temp) in self.made.temps.iter_mut().filter(|(_, temp)| temp.ty == Type::Pointer) {
            temp.ty = Type::Int(width);
        }
        for (_, local) in self.made.locals.iter_mut() {
            if matches!(self.program.ctypes.get(local.ty), CType::Pointer(_)) {
                local.ty = self.address;
            }
        }
        for param in &mut self.made.params {
            if self.function.temps[param.temp].ty == Type::Pointer {
                (param.ty, param.kind) = (self.address, ParamKind::Scalar);
            }
        }
        self.made.returns = None;
    }

    /// An operand that is an integer now.
    fn operand(&self, operand: Operand) -> Option<Operand> {
        match operand {
            Operand::Temp(temp) => matches!(self.made.temps[temp].ty, Type::Int(_)).then_some(operand),
            Operand::Const(value) => matches!(value.ty, clew_scalar::Type::Int(_)).then_some(operand),
            Operand::Null => Some(Operand::int(self.width(), 0)),
            Operand::Local(_) | Operand::Global(..) | Operand::Function(_) => None,
        }
    }

    fn block(&mut self, left: &mut Program, block: &Block) -> Option<Block> {
        let mut insts = Vec::new();
        for inst in &block.insts {
            self.inst(left, inst, &mut insts)?;
        }
        let on = |this: &Self, on: Operand| this.operand(on);
        let kind = match &block.terminator.kind {
            // Control ends in the call before, or nowhere.
            TerminatorKind::Return(_) | TerminatorKind::Unreachable { .. } => TerminatorKind::Return(None),
            TerminatorKind::Branch { on: by, .. } => {
                on(self, *by)?;
                block.terminator.kind.clone()
            }
            TerminatorKind::Switch { on: by, .. } => {
                on(self, *by)?;
                block.terminator.kind.clone()
            }
            TerminatorKind::Jump(_) => block.terminator.kind.clone(),
        };
        Some(Block { insts, terminator: Terminator { kind, span: block.terminator.span } })
    }

    /// Adds what is left of an instruction; `None` if it may do anything.
    fn inst(&mut self, left: &mut Program, inst: &Inst, insts: &mut Vec<Inst>) -> Option<()> {
        if matches!(inst.kind, InstKind::Unsupported { .. }) {
            return None;
        }
        if let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind
            && (*callee == self.id || self.others.contains(callee))
        {
            self.call_itself(left, args, inst.span, insts);
        }
        let before = insts.len();
        let is_made = match self.integer(inst, insts) {
            Some(Some(kind)) => {
                insts.push(Inst { kind, span: inst.span });
                true
            }
            Some(None) => true,
            None => false,
        };
        if is_made {
            return Some(());
        }
        insts.truncate(before);
        match inst.kind.dest().filter(|dest| matches!(self.made.temps[*dest].ty, Type::Int(_))) {
            Some(dest) => self.any_value(left, dest, inst.span, insts),
            None => {
                if let InstKind::Store { to: Operand::Local(local), value, .. } = &inst.kind
                    && self.kept.contains(local)
                {
                    let (to, value) = (Operand::Local(*local), self.any_of(left, *value, inst.span, insts));
                    let kind = InstKind::Store { to, value, volatile: false, check: None };
                    insts.push(Inst { kind, span: inst.span });
                }
            }
        }
        Some(())
    }

    /// The call of the function by itself, or of one that may call it, as one that changes nothing.
    fn call_itself(&mut self, left: &mut Program, args: &[Operand], span: Span, insts: &mut Vec<Inst>) {
        let mut given = Vec::new();
        for arg in args {
            given.push(self.operand(*arg).unwrap_or_else(|| self.any_of(left, *arg, span, insts)));
        }
        let (callee, ty) = (Callee::Direct(self.own_call), left.functions[self.own_call].ty);
        insts.push(Inst { kind: InstKind::Call { dest: None, callee, args: given, ty, check: None }, span });
    }

    /// Any value in the place of an operand.
    fn any_of(&mut self, left: &mut Program, operand: Operand, span: Span, insts: &mut Vec<Inst>) -> Operand {
        let width = operand.ty(self.function).scalar(self.width()).width();
        let dest = self.made.temps.push(clew_ir::Temp { ty: Type::Int(width) });
        self.any_value(left, dest, span, insts);
        Operand::Temp(dest)
    }

    /// Gives a temporary any value.
    fn any_value(&mut self, left: &mut Program, dest: TempId, span: Span, insts: &mut Vec<Inst>) {
        let Type::Int(width) = self.made.temps[dest].ty else { return };
        let whole = [8, 16, 32, 64, 128].into_iter().find(|whole| *whole >= width).unwrap_or(128);
        let callee = *self.any.entry(whole).or_insert_with(|| giver(left, whole));
        let ty = left.functions[callee].ty;
        let call = |dest| InstKind::Call {
            dest: Some(dest),
            callee: Callee::Direct(callee),
            args: Vec::new(),
            ty,
            check: None,
        };
        if whole == width {
            insts.push(Inst { kind: call(dest), span });
            return;
        }
        let wide = self.made.temps.push(clew_ir::Temp { ty: Type::Int(whole) });
        insts.push(Inst { kind: call(wide), span });
        let kind = InstKind::Convert { dest, op: Conversion::Truncate(width), a: Operand::Temp(wide), check: None };
        insts.push(Inst { kind, span });
    }

    /// An instruction on integers in the place of one, `Some(None)` if there is nothing to do; `None` if what it does is not
    /// known.
    fn integer(&mut self, inst: &Inst, insts: &mut Vec<Inst>) -> Option<Option<InstKind>> {
        let binary = |op, dest, a, b| InstKind::Binary { dest, op, a, b, check: None };
        Some(Some(match &inst.kind {
            InstKind::Unary { dest, op, a, check } => {
                InstKind::Unary { dest: self.result(*dest)?, op: *op, a: self.operand(*a)?, check: *check }
            }
            InstKind::Binary { dest, op, a, b, check } => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                InstKind::Binary { dest: self.result(*dest)?, op: *op, a, b, check: *check }
            }
            InstKind::Ternary { dest, op, a, b, c } => {
                let (a, b, c) = (self.operand(*a)?, self.operand(*b)?, self.operand(*c)?);
                InstKind::Ternary { dest: self.result(*dest)?, op: *op, a, b, c }
            }
            InstKind::Convert { dest, op, a, check } => {
                InstKind::Convert { dest: self.result(*dest)?, op: *op, a: self.operand(*a)?, check: *check }
            }
            InstKind::PointerToInt { dest, a } | InstKind::IntToPointer { dest, a } => {
                binary(BinaryOp::Or, *dest, self.operand(*a)?, Operand::int(self.width(), 0))
            }
            InstKind::Distance { dest, a, b, .. } => binary(BinaryOp::Sub, *dest, self.operand(*a)?, self.operand(*b)?),
            InstKind::Offset { dest, base, bytes, .. } => {
                let (base, bytes) = (self.operand(*base)?, self.operand(*bytes)?);
                return self.moved(*dest, base, bytes, inst.span, insts);
            }
            InstKind::Store { to: Operand::Local(local), value, .. } if self.kept.contains(local) => {
                let value = self.operand(*value)?;
                InstKind::Store { to: Operand::Local(*local), value, volatile: false, check: None }
            }
            InstKind::Copy { to: Operand::Local(to), from: Operand::Local(from), .. }
                if self.kept.contains(to) && self.kept.contains(from) =>
            {
                inst.kind.clone()
            }
            InstKind::Load { from: Operand::Local(local), .. }
            | InstKind::Begin { local }
            | InstKind::End { local }
                if self.kept.contains(local) =>
            {
                inst.kind.clone()
            }
            InstKind::Check { holds, check } if !self.is_mark(*check) => {
                InstKind::Check { holds: self.operand(*holds)?, check: *check }
            }
            InstKind::Call { dest: None, callee: Callee::Direct(callee), args, ty, .. }
                if verifier::assumes(&self.program.functions[*callee].name) =>
            {
                let args = args.iter().map(|arg| self.operand(*arg)).collect::<Option<_>>()?;
                InstKind::Call { dest: None, callee: Callee::Direct(*callee), args, ty: *ty, check: None }
            }
            _ => return None,
        }))
    }

    /// A temporary that is an integer now.
    fn result(&self, dest: TempId) -> Option<TempId> {
        matches!(self.made.temps[dest].ty, Type::Int(_)).then_some(dest)
    }

    /// Whether a check only marks a place, or is about memory.
    fn is_mark(&self, check: CheckId) -> bool {
        matches!(self.function.checks[check].kind, CheckKind::Assertion | CheckKind::Leak)
    }

    /// `dest = base + bytes`, which is greater than `base` if `bytes` is positive, and smaller if that is negative.
    fn moved(
        &mut self,
        dest: TempId,
        base: Operand,
        bytes: Operand,
        span: Span,
        insts: &mut Vec<Inst>,
    ) -> Option<Option<InstKind>> {
        let check = self.made.checks.push(Check { kind: CheckKind::PointerArithmetic, span });
        let mut truth = || self.made.temps.push(clew_ir::Temp { ty: Type::Int(1) });
        let (is_back, is_less, holds) = (truth(), truth(), truth());
        let zero = Operand::int(self.program.target.pointer_width, 0);
        let mut push = |kind| insts.push(Inst { kind, span });
        let binary = |dest, op, a, b| InstKind::Binary { dest, op, a, b, check: None };
        push(binary(dest, BinaryOp::Add, base, bytes));
        push(binary(is_back, BinaryOp::Slt, bytes, zero));
        push(binary(is_less, BinaryOp::Ult, Operand::Temp(dest), base));
        push(binary(holds, BinaryOp::Eq, Operand::Temp(is_back), Operand::Temp(is_less)));
        push(InstKind::Check { holds: Operand::Temp(holds), check });
        Some(None)
    }
}

/// A function without a body that gives nothing.
fn own_call(program: &mut Program) -> FunctionId {
    let returns = program.ctypes.types.push(CType::Void);
    let ty = program.ctypes.types.push(CType::Function { returns, params: Vec::new(), variadic: true });
    program.functions.push(Function::declare("__VERIFIER_nondet_call", ty))
}

/// A function without a body that gives any integer of a width.
fn giver(program: &mut Program, width: u8) -> FunctionId {
    let is_it = |ty: &CType| matches!(ty, CType::Int { width: own, signed: false, .. } if *own == width);
    let found = program.ctypes.types.iter().find(|(_, ty)| is_it(ty)).map(|(id, _)| id);
    let returns =
        found.unwrap_or_else(|| program.ctypes.types.push(CType::Int { width, signed: false, name: "unsigned" }));
    let ty = program.ctypes.types.push(CType::Function { returns, params: Vec::new(), variadic: false });
    let mut function = Function::declare(format!("__VERIFIER_nondet_{width}"), ty);
    function.returns = Some(Type::Int(width));
    program.functions.push(function)
}
