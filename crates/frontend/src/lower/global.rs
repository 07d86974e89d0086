//! Functions and variables as the program knows them.

use super::types::Shape;
use super::unit::UnitLowering;
use crate::diagnostic::Diagnostic;
use clew_ir::{
    Arena, CType, Function, FunctionId, Global, GlobalId, GlobalKind, Linkage, LocalId, OPEN_BYTES, Param, ParamKind,
    Span, Temp, Type,
};
use rucc_sema::{DeclFlags, DeclId, Definition, StrId};
use rucc_types::TypeKind;

impl UnitLowering<'_> {
    /// The function a declaration denotes.
    pub(crate) fn function(&mut self, decl: DeclId) -> FunctionId {
        if let Some(&id) = self.functions.get(&decl) {
            return id;
        }
        let id = self.declare_function(decl);
        self.functions.insert(decl, id);
        let node = &self.checked.tast[decl];
        if node.body.is_some() && self.in_system_header(decl) {
            self.pending.push(decl);
        }
        if node.flags.contains(DeclFlags::WEAK) {
            self.linker.weak.insert(id);
        }
        if let Some(alias) = node.alias {
            let target = self.checked.tast[alias].elements.iter().filter_map(|&unit| char::from_u32(unit)).collect();
            self.linker.aliases.push((id, target));
        }
        id
    }

    fn declare_function(&mut self, decl: DeclId) -> FunctionId {
        let checked = self.checked;
        let node = &checked.tast[decl];
        let spelled = self.name(decl);
        let name = rucc_sema::library_name(spelled).unwrap_or(spelled);
        let linkage = if node.linkage != rucc_sema::Linkage::External {
            Linkage::Internal
        } else if node.body.is_some() && !node.inline.emits() {
            Linkage::Inline
        } else {
            Linkage::External
        };
        if let (Linkage::External, Some(&id)) = (linkage, self.linker.functions.get(name)) {
            return id;
        }
        let mut function = Function::declare(name, self.ctype(node.ty));
        function.span = self.span(checked.tast.decl_span(decl));
        self.set_signature(&mut function, decl);
        function.linkage = linkage;
        if linkage != Linkage::External {
            return self.program.functions.push(function);
        }
        let id = self.program.functions.push(function);
        self.linker.functions.insert(name.to_owned(), id);
        id
    }

    /// Fills in what callers see of a function.
    pub(crate) fn set_signature(&mut self, function: &mut Function, decl: DeclId) {
        let checked = self.checked;
        let TypeKind::Function(id) = self.kind(checked.tast[decl].ty) else { return };
        let signature = checked.types.signature(id);
        function.variadic = signature.variadic || (!signature.prototyped && checked.tast[decl].body.is_none());
        function.temps = Arena::new();
        function.params.clear();
        function.returns = None;
        match self.shape(signature.ret) {
            Shape::Scalar(ty) => function.returns = Some(ty),
            Shape::Aggregate => {
                let ty = self.ctype(signature.ret);
                let temp = function.temps.push(Temp { ty: Type::Pointer });
                function.params.push(Param { name: String::new(), ty, temp, kind: ParamKind::ReturnSlot });
            }
            Shape::None | Shape::Unsupported => {}
        }
        let names = &checked.tast[checked.tast[decl].params];
        for (index, &param) in signature.params.iter().enumerate() {
            let name = names.get(index).map_or("", |&decl| self.name(decl)).to_owned();
            let (scalar, kind) = match self.shape(param) {
                Shape::Scalar(ty) => (ty, ParamKind::Scalar),
                _ => (Type::Pointer, ParamKind::Aggregate),
            };
            let temp = function.temps.push(Temp { ty: scalar });
            function.params.push(Param { name, ty: self.ctype(param), temp, kind });
        }
    }

    /// The variable with static storage a declaration denotes.
    pub(crate) fn global(&mut self, decl: DeclId) -> GlobalId {
        self.global_of(decl, GlobalKind::Variable)
    }

    /// The same, with what it is if it is new.
    pub(crate) fn global_of(&mut self, decl: DeclId, kind: GlobalKind) -> GlobalId {
        if let Some(&id) = self.globals.get(&decl) {
            return id;
        }
        let checked = self.checked;
        let node = &checked.tast[decl];
        let name = self.name(decl).to_owned();
        let external = node.linkage == rucc_sema::Linkage::External;
        let known = if external { self.linker.globals.get(&name).copied() } else { None };
        let id = known.unwrap_or_else(|| {
            let mut global = self.declared_global(decl, kind);
            global.linkage = if external { Linkage::External } else { Linkage::Internal };
            self.give_length(&mut global);
            self.program.globals.push(global)
        });
        if external {
            self.linker.globals.insert(name, id);
        }
        // The id is known before the initialiser is read: the initialiser may mention the variable itself.
        self.globals.insert(decl, id);
        if node.state != Definition::Declared {
            self.define_global(decl, id);
        }
        id
    }

    /// Gives an array a length that its declaration leaves out. A definition with another length takes its place.
    fn give_length(&mut self, global: &mut Global) {
        let CType::Array { of, len: None } = *self.program.ctypes.get(global.ty) else { return };
        let element = self.program.ctypes.size_of(of, self.program.target.pointer_bytes()).unwrap_or(0);
        if global.size == 0 && (1..=OPEN_BYTES).contains(&element) {
            let length = OPEN_BYTES / element;
            global.ty = self.intern(CType::Array { of, len: Some(length) });
            global.size = length * element;
        }
    }

    fn declared_global(&mut self, decl: DeclId, kind: GlobalKind) -> Global {
        let checked = self.checked;
        let node = &checked.tast[decl];
        Global {
            name: self.name(decl).to_owned(),
            linkage: Linkage::External,
            ty: self.ctype(node.ty),
            size: self.size(node.ty).max(checked.tast.extent(decl)),
            align: node.alignment.map_or_else(|| self.align(node.ty), u64::from),
            kind,
            is_const: self.is_const(node.ty),
            is_volatile: self.is_volatile(node.ty),
            address: None,
            init: None,
            relocations: Vec::new(),
            span: self.span(checked.tast.decl_span(decl)),
        }
    }

    fn define_global(&mut self, decl: DeclId, id: GlobalId) {
        let node = &self.checked.tast[decl];
        if self.program.globals[id].init.is_some() && node.init.is_none() {
            return;
        }
        if node.init.is_some() && !self.linker.initialised.insert(id) {
            return self.defined_twice(decl, self.program.globals[id].span);
        }
        let kind = self.program.globals[id].kind;
        let linkage = self.program.globals[id].linkage;
        let mut global = self.declared_global(decl, kind);
        global.linkage = linkage;
        let data = self.initial_data(decl, global.size);
        global.init = Some(data.bytes);
        global.relocations = data.relocations;
        self.program.globals[id] = global;
    }

    /// Reports a second definition in another unit.
    pub(crate) fn defined_twice(&mut self, decl: DeclId, first: Span) {
        if self.checked.tast[decl].flags.contains(DeclFlags::WEAK) {
            return;
        }
        let span = self.span(self.checked.tast.definition_span(decl));
        let message = format!("`{}` is defined twice", self.name(decl));
        self.diagnostics.push(Diagnostic::error(span, message).with_label(first, "first defined here"));
    }

    /// The array a string literal denotes.
    pub(crate) fn literal(&mut self, string: StrId, ty: rucc_types::TypeId) -> GlobalId {
        if let Some(&id) = self.literals.get(&string) {
            return id;
        }
        let bytes = self.checked.tast[string].bytes(&self.checked.target);
        let global = Global {
            name: format!(".str{}.{}", self.id.raw(), self.literals.len()),
            linkage: Linkage::Internal,
            ty: self.ctype(ty),
            size: bytes.len() as u64,
            align: self.align(ty),
            kind: GlobalKind::Literal,
            is_const: true,
            is_volatile: false,
            address: None,
            init: Some(bytes),
            relocations: Vec::new(),
            span: Span::NONE,
        };
        let id = self.program.globals.push(global);
        self.literals.insert(string, id);
        id
    }
}

/// Where a variable of a function lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// In a local of its own.
    Local(LocalId),
    /// In an object whose address a local holds (variable-length arrays).
    Behind(LocalId),
    /// In a global.
    Global(GlobalId),
}
