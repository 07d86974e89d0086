//! The body of a method: blocks of bytecode become blocks of the program.
//!
//! Local variables are variables of the function, one for each kind of value that a slot holds. The operand stack is
//! followed while lowering: its entries are operands. Where control leaves a block, what is left on the stack is stored in
//! variables of its own, which the next block reads; all ways into a block have a stack of the same shape.

use super::throw::{Handler, Unwind};
use super::{BranchSite, Code, Diagnostic, Lower, Lowering};
use crate::class::{Method, lines};
use crate::descriptor::{JavaType, Signature};
use crate::types::Kind;
use crate::world::ClassId;
use cafebabe::attributes::{AttributeData, BootstrapMethodEntry, CodeData};
use cafebabe::bytecode::Opcode;
use clew_ir::build::Builder;
use clew_ir::{
    BlockId, Case, CheckKind, FunctionId, InstKind, Local, LocalId, LocalKind, Operand, Span, TempId, TerminatorKind,
    Type,
};
use clew_scalar::BinaryOp;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// An entry of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) value: Operand,
}

/// A method while its body is being made.
pub(super) struct Body<'l, 'c> {
    pub(super) lowering: &'l mut Lowering,
    pub(super) builder: Builder,
    pub(super) class: ClassId,
    pub(super) method: Method,
    pub(super) bootstrap: &'c [BootstrapMethodEntry<'c>],
    pub(super) stack: Vec<Entry>,
    /// Offset of the instruction that is being lowered.
    pub(super) at: usize,
    pub(super) returns: Option<Kind>,
    pub(super) handlers: Vec<Handler>,
    pub(super) unwinds: BTreeMap<Vec<usize>, Unwind>,
    pub(super) sites: Vec<BranchSite>,
    pub(super) switches: BTreeMap<u32, u32>,
    /// Conditional jumps that decide nothing.
    pub(super) idle: BTreeSet<usize>,
    /// Conditional jumps that are taken where their condition is true.
    pub(super) turned: BTreeSet<usize>,
    /// Where each instruction begins: the block, and the position in it.
    places: BTreeMap<u32, (BlockId, usize)>,
    /// What is known to be an object: the receiver, and what code has just made.
    pub(super) objects: BTreeSet<TempId>,
    /// The receiver, if its slot holds nothing else.
    pub(super) receiver: Option<Operand>,
    /// The function that is being made.
    pub(super) function: FunctionId,
    variables: BTreeMap<(u16, Kind), LocalId>,
    spilled: BTreeMap<(usize, Kind), LocalId>,
    /// The blocks that begin at an offset, with the kinds on the stack there.
    blocks: BTreeMap<usize, (BlockId, Vec<Kind>)>,
    work: VecDeque<usize>,
    /// Lines by the offsets at which they begin, in order.
    lines: Vec<(u32, u32)>,
    /// The line that a span was made for last, and that span.
    spanned: (u32, Span),
}

impl Lowering {
    /// Makes the body of a method.
    pub(super) fn method_body(&mut self, id: FunctionId, class: ClassId, name: &str, descriptor: &str) {
        let method = self.world.get(class).class.method(name, descriptor).cloned();
        let method = method.expect("only methods that exist are asked for");
        if self.lambda_body(id, class, &method) || self.intrinsic_body(id, class, &method) {
            return;
        }
        let parsed = self.world.code(class);
        let lowered = parsed.and_then(|parsed| {
            parsed.with_code(name, descriptor, |code, bootstrap| self.code(id, class, &method, code, bootstrap))
        });
        if let Err(error) = lowered {
            self.unsupported_body(id, class, &method, &error.to_string());
        }
    }

    /// A body that is not supported at all.
    pub(super) fn unsupported_body(&mut self, id: FunctionId, class: ClassId, method: &Method, what: &str) {
        let mut builder = Builder::new(self.program.functions[id].clone());
        let what = format!("{what} ({})", builder.function.name);
        self.diagnose(class, method, 0, &what);
        builder.emit(InstKind::Unsupported { what });
        builder.terminate(TerminatorKind::Unreachable { check: None });
        self.program.functions[id] = builder.finish();
    }

    pub(super) fn diagnose(&mut self, class: ClassId, method: &Method, line: u32, what: &str) {
        let class = self.world.get(class).class.name.replace('/', ".");
        let method = format!("{}{}", method.name, method.descriptor);
        self.diagnostics.push(Diagnostic { class, method, line, what: what.to_owned() });
    }

    fn code(
        &mut self,
        id: FunctionId,
        class: ClassId,
        method: &Method,
        code: &CodeData<'_>,
        bootstrap: &[BootstrapMethodEntry<'_>],
    ) {
        let signature = Signature::parse(&method.descriptor).expect("descriptors of loaded classes were parsed");
        let mut function = self.program.functions[id].clone();
        let lines = lines(code);
        if let Some(span) = self.span_of(class, &lines) {
            (function.span, function.body) = (span, span);
        }
        name_parameters(&mut function, method.is_static, code, &signature.params);
        let handlers = Handler::all(code);
        let without = Body::without_code(self, Builder::new(function), class, method);
        let mut body = Body { function: id, bootstrap, handlers, lines, ..without };
        body.lower(code);
        let Body { builder, lines, mut sites, mut switches, places, .. } = body;
        let mut function = builder.finish();
        super::decision::recover(&mut function, &mut sites, &mut switches, code, &lines);
        self.program.functions[id] = function;
        if self.world.get(class).is_own {
            let (branches, assertions) = (branches(code), assertions(code));
            let compares_references = compares_references(code);
            let code = Code { branches, conditions: sites, switches, places, lines, compares_references, assertions };
            self.code.insert(id, code);
        }
    }
}

impl Lowering {
    /// The lines of a method, from the first to the last.
    fn span_of(&mut self, class: ClassId, lines: &[(u32, u32)]) -> Option<Span> {
        let data = self.world.get(class);
        if !data.is_own {
            return None;
        }
        let class = Arc::clone(&data.class);
        let numbers = || lines.iter().map(|(_, line)| *line);
        let mut span_of = |line| self.sources.line(&mut self.program, &class.name, class.source.as_deref(), line);
        let (first, last) = (span_of(numbers().min()?), span_of(numbers().max()?));
        Some(Span { end: last.end, ..first })
    }
}

impl<'l> Body<'l, '_> {
    /// A method that no bytecode makes.
    pub(super) fn without_code(lowering: &'l mut Lowering, builder: Builder, class: ClassId, method: &Method) -> Self {
        let signature = Signature::parse(&method.descriptor).expect("descriptors of loaded classes were parsed");
        Body {
            lowering,
            builder,
            class,
            method: method.clone(),
            bootstrap: &[],
            stack: Vec::new(),
            at: 0,
            returns: signature.returns.as_ref().map(Kind::of),
            handlers: Vec::new(),
            unwinds: BTreeMap::new(),
            sites: Vec::new(),
            switches: BTreeMap::new(),
            idle: BTreeSet::new(),
            turned: BTreeSet::new(),
            places: BTreeMap::new(),
            objects: BTreeSet::new(),
            receiver: None,
            function: FunctionId::new(0),
            variables: BTreeMap::new(),
            spilled: BTreeMap::new(),
            blocks: BTreeMap::new(),
            work: VecDeque::new(),
            lines: Vec::new(),
            spanned: (0, Span::NONE),
        }
    }
}

impl Body<'_, '_> {
    fn lower(&mut self, code: &CodeData<'_>) {
        let Some(bytecode) = &code.bytecode else { return };
        self.receive();
        self.know_receiver(code);
        self.idle = super::flow::idle(&bytecode.opcodes, &self.lines);
        self.turned = super::flow::turned(&bytecode.opcodes, &self.lines, &self.idle);
        let first = self.block_at(0, &[]);
        self.builder.jump(first);
        let leaders = leaders(code);
        while let Some(start) = self.work.pop_front() {
            self.begin(start);
            let index = bytecode.get_opcode_index(start).unwrap_or(bytecode.opcodes.len());
            let mut ended = false;
            for (position, (at, opcode)) in bytecode.opcodes.iter().enumerate().skip(index) {
                if *at != start && leaders.contains(at) {
                    self.fall_into(*at);
                    ended = true;
                    break;
                }
                self.at = *at;
                self.builder.span = self.span();
                if let Some(block) = self.builder.current() {
                    self.places.insert(*at as u32, (block, self.builder.function.blocks[block].insts.len()));
                }
                let next = bytecode.opcodes.get(position + 1).map(|(at, _)| *at);
                if let Err(what) = self.instruction(opcode, next) {
                    self.refuse(&what);
                }
                if self.builder.current().is_none() {
                    ended = true;
                    break;
                }
            }
            if !ended {
                self.refuse("code that runs off its end");
            }
        }
    }

    /// Ends the block in something that is not supported.
    pub(super) fn refuse(&mut self, what: &str) {
        let line = self.line();
        let (class, method) = (self.class, self.method.clone());
        self.lowering.diagnose(class, &method, line, what);
        let name = &self.builder.function.name;
        let what = format!("{what} ({name}, line {line})");
        self.builder.emit(InstKind::Unsupported { what });
        self.builder.terminate(TerminatorKind::Unreachable { check: None });
    }

    /// Stores the arguments in the local variables.
    fn receive(&mut self) {
        let params: Vec<(Operand, Type)> = self
            .builder
            .function
            .params
            .iter()
            .map(|param| param.temp)
            .map(|temp| (Operand::Temp(temp), self.builder.function.temps[temp].ty))
            .collect();
        let mut slot = 0;
        for (value, ty) in params {
            let kind = kind_of(ty);
            let to = self.variable(slot, kind);
            self.builder.emit(InstKind::Store { to, value, volatile: false, check: None });
            slot += 1 + u16::from(kind.is_wide());
        }
    }

    /// The receiver is an object, and where nothing else is stored in its slot, reading that gives it.
    fn know_receiver(&mut self, code: &CodeData<'_>) {
        let stores = |opcode: &Opcode<'_>| matches!(opcode, Opcode::Astore(0));
        let mut opcodes = code.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes);
        if !self.method.is_static && !opcodes.any(|(_, opcode)| stores(opcode)) {
            let this = self.builder.function.params.first().map(|this| this.temp);
            self.receiver = this.map(Operand::Temp);
            self.objects.extend(this);
        }
    }

    /// The variable of a slot for a kind of values.
    pub(super) fn variable(&mut self, slot: u16, kind: Kind) -> Operand {
        let known = self.variables.get(&(slot, kind)).copied();
        let id = known.unwrap_or_else(|| self.local(format!("v{slot}"), kind));
        self.variables.insert((slot, kind), id);
        Operand::Local(id)
    }

    pub(super) fn local(&mut self, name: String, kind: Kind) -> LocalId {
        let ty = self.lowering.types.of_kind(kind);
        let size = kind.ty().bytes(64);
        let local = Local { name, ty, size, align: size, kind: LocalKind::Hidden, span: Span::NONE };
        self.builder.function.locals.push(local)
    }

    fn spill(&mut self, depth: usize, kind: Kind) -> Operand {
        let known = self.spilled.get(&(depth, kind)).copied();
        let id = known.unwrap_or_else(|| self.local(format!("s{depth}"), kind));
        self.spilled.insert((depth, kind), id);
        Operand::Local(id)
    }

    /// The block that begins at an offset, entered with a stack of this shape.
    fn block_at(&mut self, at: usize, shape: &[Kind]) -> BlockId {
        if let Some((block, _)) = self.blocks.get(&at) {
            return *block;
        }
        let block = self.builder.block();
        self.blocks.insert(at, (block, shape.to_vec()));
        self.work.push_back(at);
        block
    }

    /// Begins the block at an offset: the stack is what was stored.
    fn begin(&mut self, at: usize) {
        let (block, shape) = self.blocks[&at].clone();
        self.builder.switch_to(block);
        self.at = at;
        self.builder.span = self.span();
        self.stack.clear();
        for (depth, kind) in shape.into_iter().enumerate() {
            let from = self.spill(depth, kind);
            let value = self.load(from, kind.ty());
            self.stack.push(Entry { kind, value });
        }
    }

    /// The block at an offset, to be entered with the present stack, which is stored for it.
    pub(super) fn target(&mut self, at: usize) -> Lower<BlockId> {
        let shape: Vec<Kind> = self.stack.iter().map(|entry| entry.kind).collect();
        if let Some((block, known)) = self.blocks.get(&at) {
            let block = *block;
            if *known != shape {
                return Err("operand stacks of different shapes".to_owned());
            }
            self.store_stack();
            return Ok(block);
        }
        self.store_stack();
        Ok(self.block_at(at, &shape))
    }

    fn store_stack(&mut self) {
        for (depth, entry) in self.stack.clone().into_iter().enumerate() {
            let to = self.spill(depth, entry.kind);
            self.builder.emit(InstKind::Store { to, value: entry.value, volatile: false, check: None });
        }
    }

    /// The block of a handler, entered with the exception alone on the stack.
    pub(super) fn handler_block(&mut self, at: usize, exception: Operand) -> BlockId {
        let to = self.spill(0, Kind::Reference);
        self.builder.emit(InstKind::Store { to, value: exception, volatile: false, check: None });
        self.block_at(at, &[Kind::Reference])
    }

    fn fall_into(&mut self, at: usize) {
        match self.target(at) {
            Ok(block) => self.builder.jump(block),
            Err(what) => self.refuse(&what),
        }
    }

    fn instruction(&mut self, opcode: &Opcode<'_>, next: Option<usize>) -> Lower {
        if self.stack_instruction(opcode)? || self.arithmetic(opcode)? || self.conversion(opcode)? {
            return Ok(());
        }
        if self.array_instruction(opcode)? || self.object_instruction(opcode)? || self.call_instruction(opcode)? {
            return Ok(());
        }
        self.flow(opcode, next)
    }

    /// The line of the instruction that is being lowered.
    pub(super) fn line(&self) -> u32 {
        let next = self.lines.partition_point(|(at, _)| *at as usize <= self.at);
        next.checked_sub(1).map_or(0, |index| self.lines[index].1)
    }

    /// Where the instruction stands that is being lowered. Nobody is shown sources of the JDK.
    fn span(&mut self) -> Span {
        let line = self.line();
        let data = self.lowering.world.get(self.class);
        if line == 0 || !data.is_own {
            return Span::NONE;
        }
        if self.spanned.0 != line {
            let class = Arc::clone(&data.class);
            let Lowering { sources, program, .. } = &mut *self.lowering;
            self.spanned = (line, sources.line(program, &class.name, class.source.as_deref(), line));
        }
        self.spanned.1
    }

    pub(super) fn push(&mut self, kind: Kind, value: Operand) {
        self.stack.push(Entry { kind, value });
    }

    pub(super) fn pop_any(&mut self) -> Lower<Entry> {
        self.stack.pop().ok_or_else(|| "an empty operand stack".to_owned())
    }

    pub(super) fn pop(&mut self, kind: Kind) -> Lower<Operand> {
        let entry = self.pop_any()?;
        if entry.kind == kind { Ok(entry.value) } else { Err(format!("{:?} where {kind:?} is expected", entry.kind)) }
    }

    pub(super) fn load(&mut self, from: Operand, ty: Type) -> Operand {
        self.builder.define(ty, |dest| InstKind::Load { dest, from, volatile: false, raw: false, check: None })
    }

    pub(super) fn store(&mut self, to: Operand, value: Operand) {
        self.builder.emit(InstKind::Store { to, value, volatile: false, check: None });
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let ty = match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Ult
            | BinaryOp::Ule
            | BinaryOp::Slt
            | BinaryOp::Sle
            | BinaryOp::FloatEq
            | BinaryOp::FloatLt
            | BinaryOp::FloatLe => Type::Int(1),
            _ => a.ty(&self.builder.function),
        };
        self.builder.define(ty, |dest| InstKind::Binary { dest, op, a, b, check: None })
    }

    /// A place so many bytes behind a pointer.
    pub(super) fn offset(&mut self, base: Operand, bytes: Operand) -> Operand {
        self.builder.define(Type::Pointer, |dest| InstKind::Offset { dest, base, bytes, check: None })
    }

    pub(super) fn field_place(&mut self, base: Operand, at: u64) -> Operand {
        if at == 0 { base } else { self.offset(base, Operand::int(64, u128::from(at))) }
    }

    /// What every input fulfils, by what Java guarantees.
    pub(super) fn assume(&mut self, holds: Operand) {
        let check = self.builder.check(CheckKind::ArraySize);
        self.builder.emit(InstKind::Check { holds, check });
    }

    /// Ends the block by a switch over class numbers.
    pub(super) fn branch(&mut self, on: Operand, then: BlockId, otherwise: BlockId) {
        self.builder.terminate(TerminatorKind::Branch { on, condition: None, then, otherwise });
    }
}

/// Names parameters as the source does, if the class file says how.
fn name_parameters(function: &mut clew_ir::Function, is_static: bool, code: &CodeData<'_>, params: &[JavaType]) {
    let tables = code.attributes.iter().filter_map(|attribute| match &attribute.data {
        AttributeData::LocalVariableTable(entries) => Some(entries),
        _ => None,
    });
    let entries: Vec<_> = tables.flatten().filter(|entry| entry.start_pc == 0).collect();
    let mut slot = u16::from(!is_static);
    let first = usize::from(!is_static);
    for (position, ty) in params.iter().enumerate() {
        if let Some(entry) = entries.iter().find(|entry| entry.index == slot) {
            function.params[first + position].name = entry.name.to_string();
        }
        slot += 1 + u16::from(Kind::of(ty).is_wide());
    }
}

/// Offsets of conditional jumps and switches, in order.
fn branches(code: &CodeData<'_>) -> Vec<u32> {
    let opcodes = code.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes);
    let is_branch = |opcode: &Opcode<'_>| {
        !matches!(opcode, Opcode::Goto(_) | Opcode::Jsr(_)) && !super::flow::jumps(opcode).is_empty()
    };
    opcodes.filter(|(_, opcode)| is_branch(opcode)).map(|(at, _)| *at as u32).collect()
}

/// Whether code asks if two references are the same.
fn compares_references(code: &CodeData<'_>) -> bool {
    let mut opcodes = code.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes);
    opcodes.any(|(_, opcode)| matches!(opcode, Opcode::IfAcmpeq(_) | Opcode::IfAcmpne(_)))
}

/// Offsets of instructions that make an `AssertionError`.
fn assertions(code: &CodeData<'_>) -> Vec<u32> {
    let opcodes = code.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes);
    let is_made = |opcode: &Opcode<'_>| matches!(opcode, Opcode::New(name) if *name == "java/lang/AssertionError");
    opcodes.filter(|(_, opcode)| is_made(opcode)).map(|(at, _)| *at as u32).collect()
}

/// Offsets at which control may arrive otherwise than from the instruction before.
fn leaders(code: &CodeData<'_>) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = code.exception_table.iter().map(|entry| usize::from(entry.handler_pc)).collect();
    for (at, opcode) in code.bytecode.iter().flat_map(|bytecode| &bytecode.opcodes) {
        found.extend(super::flow::jumps(opcode).into_iter().map(|jump| super::flow::destination(*at, jump)));
    }
    found
}

/// The kind of values of a type of the program.
pub(super) fn kind_of(ty: Type) -> Kind {
    match ty {
        Type::Int(64) => Kind::Long,
        Type::Int(_) => Kind::Int,
        Type::Float(clew_scalar::Format::SINGLE) => Kind::Float,
        Type::Float(_) => Kind::Double,
        Type::Pointer => Kind::Reference,
    }
}

/// A case of a switch for one value.
pub(super) fn case(value: i32, target: BlockId) -> Case {
    let bits = u128::from(value as u32);
    Case { low: bits, high: bits, target }
}
