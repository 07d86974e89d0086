//! One function body.

use super::global::Variable;
use super::renumber::renumber;
use super::scope::Scope;
use super::tidy::tidy;
use super::types::Shape;
use super::unit::UnitLowering;
use crate::unit::{Checked, catch};
use clew_ir::build::Builder;
use clew_ir::{
    BlockId, Function, FunctionId, InstKind, Local, LocalId, LocalKind, LoopId, Operand, ParamKind, Span,
    TerminatorKind, Type,
};
use rucc_sema::{CaseId, DeclId, ExprId, LabelId, StmtId};
use rucc_types::{TypeId, TypeKind, VlaId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of lowering one function.
pub(crate) struct Body<'u, 'a> {
    pub(crate) unit: &'u mut UnitLowering<'a>,
    pub(crate) checked: &'a Checked,
    pub(crate) builder: Builder,
    pub(crate) function: FunctionId,
    pub(crate) returns: TypeId,
    pub(crate) return_slot: Option<Operand>,
    pub(crate) variables: FxHashMap<DeclId, Variable>,
    /// Values computed once and meant again by another mention of the same expression: sizes of variable-length
    /// arrays, and the condition of `a ?: b`.
    pub(crate) known: FxHashMap<ExprId, LocalId>,
    /// Comma expressions whose left side was evaluated ahead of its turn.
    pub(crate) come_first: FxHashSet<ExprId>,
    pub(crate) labels: FxHashMap<LabelId, BlockId>,
    pub(crate) cases: FxHashMap<CaseId, BlockId>,
    /// Blocks of the `default` labels of the switches around, innermost last.
    pub(crate) defaults: Vec<BlockId>,
    pub(crate) scopes: Vec<Scope>,
    /// Loop statements around, innermost last.
    pub(crate) loops: Vec<LoopId>,
    /// Labels whose address was taken, and the block all computed gotos go through.
    pub(crate) computed: Option<(LocalId, BlockId)>,
    /// Blocks some terminator leads to.
    pub(crate) reached: FxHashSet<BlockId>,
    /// Variables that are written whole where they are declared, and whose declaration control cannot skip.
    pub(crate) initialised: FxHashSet<LocalId>,
    /// Sizes of variable-length array types that have a name, evaluated where the name was declared.
    pub(crate) named_sizes: FxHashSet<VlaId>,
    /// Where the statements lowered so far end in the text.
    pub(crate) passed: u32,
}

impl UnitLowering<'_> {
    /// Lowers the definition of a function, unless another unit defined it before.
    pub(crate) fn define_function(&mut self, decl: DeclId) {
        let checked = self.checked;
        let id = self.function(decl);
        let (Some(body), TypeKind::Function(signature)) = (checked.tast[decl].body, self.kind(checked.tast[decl].ty))
        else {
            return;
        };
        if self.program.functions[id].is_defined() {
            return self.defined_twice(decl, self.program.functions[id].span);
        }
        let ty = self.ctype(checked.tast[decl].ty);
        let mut function = Function::declare(self.program.functions[id].name.clone(), ty);
        function.linkage = self.program.functions[id].linkage;
        function.body = self.span(checked.tast.stmt_span(body));
        function.span = self.span(checked.tast.definition_span(decl).to(checked.tast.stmt_span(body)));
        self.set_signature(&mut function, decl);
        let returns = checked.types.signature(signature).ret;
        let stub = function.clone();
        let lowered = catch(|| {
            let mut lowering = Body::new(self, function, id, returns);
            lowering.enter(decl);
            lowering.passed = lowering.builder.function.body.start;
            lowering.statement(body);
            lowering.leave(body);
            lowering.finish()
        });
        self.program.functions[id] = lowered.unwrap_or_else(|message| self.stub(stub, &message));
    }

    /// A function that could not be lowered at all.
    pub(crate) fn stub(&mut self, function: Function, reason: &str) -> Function {
        let what = format!("`{}` ({reason})", function.name);
        self.unsupported(&what, function.span);
        let mut empty = Function::declare(function.name, function.ty);
        empty.linkage = function.linkage;
        empty.returns = function.returns;
        empty.params = function.params;
        empty.variadic = function.variadic;
        empty.temps = function.temps;
        empty.span = function.span;
        empty.body = function.body;
        let mut builder = Builder::new(empty);
        builder.emit(InstKind::Unsupported { what });
        builder.terminate(TerminatorKind::Unreachable { check: None });
        builder.finish()
    }
}

impl<'u, 'a> Body<'u, 'a> {
    fn new(unit: &'u mut UnitLowering<'a>, function: Function, id: FunctionId, returns: TypeId) -> Body<'u, 'a> {
        let checked = unit.checked;
        Body {
            unit,
            checked,
            builder: Builder::new(function),
            function: id,
            returns,
            return_slot: None,
            variables: FxHashMap::default(),
            known: FxHashMap::default(),
            come_first: FxHashSet::default(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            defaults: Vec::new(),
            scopes: vec![Scope::function()],
            loops: Vec::new(),
            computed: None,
            reached: FxHashSet::default(),
            initialised: FxHashSet::default(),
            named_sizes: FxHashSet::default(),
            passed: 0,
        }
    }

    /// Stores the arguments into the variables of the parameters.
    fn enter(&mut self, decl: DeclId) {
        let checked = self.checked;
        self.builder.span = self.builder.function.span;
        let params = self.builder.function.params.clone();
        let params = match params.split_first() {
            Some((slot, rest)) if slot.kind == ParamKind::ReturnSlot => {
                self.return_slot = Some(Operand::Temp(slot.temp));
                rest
            }
            _ => &params[..],
        };
        let TypeKind::Function(signature) = self.unit.kind(checked.tast[decl].ty) else { return };
        let arrives = &checked.types.signature(signature).params;
        let names = &checked.tast[checked.tast[decl].params];
        for (index, &name) in names.iter().enumerate() {
            let local = self.local(name, LocalKind::Param(index as u32));
            let Some(param) = params.get(index) else { continue };
            let argument = Operand::Temp(param.temp);
            let ty = checked.tast[name].ty;
            if param.kind == ParamKind::Aggregate {
                self.copy(Operand::Local(local), argument, self.unit.size(ty), false);
            } else {
                // A definition in the old style receives promoted arguments.
                let value = self.convert(argument, arrives[index], ty);
                self.store_hidden(local, value);
            }
        }
        for &name in names {
            self.parameter_sizes(name);
        }
    }

    /// Makes the local of a declared variable.
    pub(crate) fn local(&mut self, decl: DeclId, kind: LocalKind) -> LocalId {
        let checked = self.checked;
        let node = &checked.tast[decl];
        let local = Local {
            name: self.unit.name(decl).to_owned(),
            ty: self.unit.ctype(node.ty),
            size: self.unit.size(node.ty).max(checked.tast.extent(decl)),
            align: node.alignment.map_or_else(|| self.unit.align(node.ty), u64::from),
            kind,
            span: self.unit.span(checked.tast.decl_span(decl)),
        };
        let id = self.builder.function.locals.push(local);
        self.variables.insert(decl, Variable::Local(id));
        id
    }

    /// A local of the front end's own, for a value of the type.
    pub(crate) fn hidden(&mut self, ty: TypeId) -> LocalId {
        let local = Local {
            name: String::new(),
            ty: self.unit.ctype(ty),
            size: self.unit.size(ty),
            align: self.unit.align(ty),
            kind: LocalKind::Hidden,
            span: self.builder.span,
        };
        self.builder.function.locals.push(local)
    }

    /// What control does after the last statement.
    fn leave(&mut self, body: StmtId) {
        let end = self.checked.tast.stmt_span(body).hi;
        if !self.checked.tast.stmt_span(body).is_dummy() {
            self.builder.span = Span { unit: self.unit.id, start: end.saturating_sub(1), end };
        }
        if self.builder.current().is_some() {
            let is_main = self.builder.function.name == "main";
            let value = match self.unit.shape(self.returns) {
                Shape::Scalar(Type::Int(width)) if is_main => Some(Operand::int(width, 0)),
                _ => None,
            };
            self.builder.terminate(TerminatorKind::Return(value));
        }
    }

    fn finish(mut self) -> Function {
        self.close_computed_gotos();
        let mut function = self.builder.finish();
        tidy(&mut function, &self.initialised, &self.unit.program.ctypes);
        renumber(&mut function);
        function
    }

    /// The place of an expression in the program.
    pub(crate) fn expr_span(&self, expr: ExprId) -> Span {
        self.unit.span(self.checked.tast.expr_span(expr))
    }

    /// Runs `work` with everything it emits standing at `expr`.
    pub(crate) fn at<T>(&mut self, expr: ExprId, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.builder.span;
        let span = self.expr_span(expr);
        if !span.is_none() {
            self.builder.span = span;
        }
        let result = work(self);
        self.builder.span = outer;
        result
    }

    /// Emits an instruction.
    pub(crate) fn emit(&mut self, inst: InstKind) {
        self.builder.emit(inst);
    }

    pub(crate) fn type_at(&self, expr: ExprId) -> TypeId {
        self.checked.tast[expr].ty
    }
}
