//! Expressions: calls.
//!
//! As in gcc on x86-64, the callee is evaluated first and then the arguments from right to left. Aggregates are passed
//! by the address of an object that nothing changes before the callee has copied it.

use super::body::Body;
use super::types::Shape;
use clew_ir::{Callee, CheckKind, FunctionId, GlobalId, GlobalKind, InstKind, Operand, Program, TerminatorKind};
use clew_library::{Requirement, Undefined};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclFlags, DeclId, DeclKind, ExprId, ExprKind, ExprList};
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    pub(crate) fn call(&mut self, expr: ExprId, callee: ExprId, args: ExprList) -> Operand {
        let checked = self.checked;
        let callee = self.behind_commas(callee);
        let direct = self.called_decl(callee);
        if let Some(what) = direct.and_then(|decl| self.missing_builtin(decl)) {
            return self.lost(&what, self.type_at(expr));
        }
        let ty = self.type_at(callee);
        let function = match self.unit.kind(ty) {
            TypeKind::Pointer(function) => function,
            _ => ty,
        };
        let target = match direct {
            Some(decl) => self.symbol(decl),
            None => self.value(callee),
        };
        let target = match target {
            Operand::Function(function) if direct.is_some() => Callee::Direct(function),
            pointer => Callee::Indirect(pointer),
        };
        let returns = self.type_at(expr);
        let slot = self.unit.is_aggregate(returns).then(|| Operand::Local(self.hidden(returns)));
        let mut operands = self.arguments(&checked.tast[args], self.named_params(function));
        if let Some(slot) = slot {
            operands.insert(0, slot);
        }
        let is_own = direct.is_some_and(|decl| checked.tast[decl].body.is_some());
        let result = self.emit_call((target, is_own), operands, function, returns);
        if direct.is_some_and(|decl| checked.tast[decl].flags.contains(DeclFlags::NORETURN)) {
            self.builder.terminate(TerminatorKind::Unreachable { check: None });
        }
        slot.unwrap_or(result)
    }

    /// Emits a call of C function type `function`; gives the scalar result, null if there is none. A function that has a
    /// body is the program's own, whatever its name.
    fn emit_call(
        &mut self,
        (callee, is_own): (Callee, bool),
        args: Vec<Operand>,
        function: TypeId,
        returns: TypeId,
    ) -> Operand {
        let check = match callee {
            Callee::Direct(id) => {
                let kind = library_check(self.unit.program, id, &args).filter(|_| !is_own);
                kind.map(|kind| self.builder.check(kind))
            }
            Callee::Indirect(_) => Some(self.builder.check(CheckKind::FunctionPointer)),
        };
        let ty = self.unit.ctype(function);
        let may_lose = matches!(callee, Callee::Direct(id) if !is_own && may_lose(self.unit.program, id, &args));
        match self.unit.shape(returns) {
            Shape::Scalar(scalar) => {
                let call = |dest| InstKind::Call { dest: Some(dest), callee, args, ty, check };
                let result = self.builder.define(scalar, call);
                if may_lose {
                    // What it demands of its argument has the check of the call.
                    let check = self.builder.check(CheckKind::Leak);
                    self.emit(InstKind::Check { holds: Operand::int(1, 1), check });
                }
                result
            }
            _ => {
                self.emit(InstKind::Call { dest: None, callee, args, ty, check });
                Operand::Null
            }
        }
    }

    /// Calls a function by name with operands that are already right.
    pub(crate) fn call_function(&mut self, function: FunctionId, ty: TypeId, args: Vec<Operand>) -> Operand {
        let returns = match self.unit.kind(ty) {
            TypeKind::Function(id) => self.checked.types.signature(id).ret,
            _ => ty,
        };
        self.emit_call((Callee::Direct(function), false), args, ty, returns)
    }

    /// What is called by `(first, f)(x)`: `f`, after what comes before it.
    fn behind_commas(&mut self, mut callee: ExprId) -> ExprId {
        while let ExprKind::Comma { lhs, rhs } = self.checked.tast[callee].kind {
            self.comma_left(callee, lhs);
            callee = rhs;
        }
        callee
    }

    /// The function a callee names, if it is not called through a pointer.
    fn called_decl(&self, mut callee: ExprId) -> Option<DeclId> {
        let tast = &self.checked.tast;
        loop {
            match tast[callee].kind {
                ExprKind::Decl(decl) if tast[decl].kind == DeclKind::Function => return Some(decl),
                ExprKind::Convert { kind: Conversion::FunctionDecay, operand }
                | ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand } => callee = operand,
                _ => return None,
            }
        }
    }

    /// What to say about a builtin that has no function behind it.
    fn missing_builtin(&self, decl: DeclId) -> Option<String> {
        let name = self.unit.name(decl);
        let is_builtin = name.starts_with("__builtin_") || name.starts_with("__sync_") || name.starts_with("__atomic_");
        let is_missing =
            is_builtin && self.checked.tast[decl].body.is_none() && rucc_sema::library_name(name).is_none();
        is_missing.then(|| format!("`{name}`"))
    }

    /// How many parameters a function type names.
    fn named_params(&self, function: TypeId) -> usize {
        match self.unit.kind(function) {
            TypeKind::Function(id) => self.checked.types.signature(id).params.len(),
            _ => 0,
        }
    }

    fn arguments(&mut self, args: &[ExprId], named: usize) -> Vec<Operand> {
        self.demand_order(args);
        let with_effects = args.iter().filter(|&&arg| self.has_effects(arg)).count();
        let mut operands: Vec<Operand> = Vec::with_capacity(args.len() + 1);
        for (index, &arg) in args.iter().enumerate().rev() {
            let ty = self.type_at(arg);
            let value = self.value(arg);
            // A caller reads what lies behind a pointer even for a callee without a body.
            let is_behind_pointer = matches!(value, Operand::Temp(_));
            let own_copy = is_behind_pointer || index >= named || with_effects > usize::from(self.has_effects(arg));
            operands.push(if self.unit.is_aggregate(ty) && own_copy { self.copied(value, ty) } else { value });
        }
        operands.reverse();
        operands
    }

    /// The address of a fresh copy of an aggregate.
    pub(crate) fn copied(&mut self, from: Operand, ty: TypeId) -> Operand {
        let copy = Operand::Local(self.hidden(ty));
        self.copy(copy, from, self.unit.size(ty), true);
        copy
    }
}

/// What calling a function of the library may break.
fn library_check(program: &Program, callee: FunctionId, args: &[Operand]) -> Option<CheckKind> {
    let row = clew_library::lookup(&program.functions[callee].name)?;
    if row.effects.writes.is_empty() && row.requires.iter().all(|requirement| is_met(program, *requirement, args)) {
        return (row.effects.allocates && row.is_known()).then_some(CheckKind::Leak);
    }
    Some(match row.undefined()? {
        Undefined::Access => CheckKind::Access,
        Undefined::Overflow => CheckKind::Overflow,
        Undefined::Division => CheckKind::Division,
    })
}

/// Whether arguments meet a requirement by their form: a literal is a string.
fn is_met(program: &Program, requirement: Requirement, args: &[Operand]) -> bool {
    let (Requirement::NotNull(argument) | Requirement::Text(argument)) = requirement else { return false };
    let is_within = |id: GlobalId, at: i64| {
        let global = &program.globals[id];
        global.kind == GlobalKind::Literal && u64::try_from(at).is_ok_and(|at| at < global.size)
    };
    matches!(args.get(usize::from(argument)), Some(Operand::Global(id, at)) if is_within(*id, *at))
}

/// Whether a call of the library may lose an object although its check is about something else.
fn may_lose(program: &Program, callee: FunctionId, args: &[Operand]) -> bool {
    let row = clew_library::lookup(&program.functions[callee].name);
    let allocates = row.is_some_and(|row| row.effects.allocates && row.is_known());
    allocates && library_check(program, callee, args) != Some(CheckKind::Leak)
}
