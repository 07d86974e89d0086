//! One unit into the program.

use super::link::Linker;
use crate::diagnostic::Diagnostic;
use crate::preprocess::Preprocessed;
use crate::unit::Checked;
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program, RecordId, Span, UnitId};
use rucc_sema::{DeclId, DeclKind, Definition, LabelId, StrId};
use rucc_types::{TypeId, TypeKind};
use rustc_hash::FxHashMap;

/// The state of lowering one unit.
pub(crate) struct UnitLowering<'a> {
    pub(crate) program: &'a mut Program,
    pub(crate) linker: &'a mut Linker,
    pub(crate) checked: &'a Checked,
    pub(crate) source: &'a Preprocessed,
    pub(crate) id: UnitId,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Functions and variables seen so far.
    pub(crate) functions: FxHashMap<DeclId, FunctionId>,
    pub(crate) globals: FxHashMap<DeclId, GlobalId>,
    pub(crate) literals: FxHashMap<StrId, GlobalId>,
    /// Numbers that stand for the addresses of labels, program-wide unique.
    pub(crate) labels: FxHashMap<LabelId, u64>,
    pub(crate) ctypes: FxHashMap<TypeId, CTypeId>,
    pub(crate) records: FxHashMap<rucc_types::RecordId, RecordId>,
    /// Definitions in system headers that something mentioned and that are not yet lowered.
    pub(crate) pending: Vec<DeclId>,
    /// Comments of the unit that hold assertions, in order.
    pub(crate) assertions: Vec<Span>,
    /// Whether labels and the entries of loops are marked, for contracts that read values there.
    pub(crate) marks_labels: bool,
}

impl<'a> UnitLowering<'a> {
    pub(crate) fn new(
        program: &'a mut Program,
        linker: &'a mut Linker,
        checked: &'a Checked,
        source: &'a Preprocessed,
        id: UnitId,
    ) -> UnitLowering<'a> {
        UnitLowering {
            program,
            linker,
            checked,
            source,
            id,
            diagnostics: Vec::new(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            literals: FxHashMap::default(),
            labels: FxHashMap::default(),
            ctypes: FxHashMap::default(),
            records: FxHashMap::default(),
            pending: Vec::new(),
            assertions: Vec::new(),
            marks_labels: false,
        }
    }

    /// Lowers every definition. Functions of system headers are lowered only if something mentions them.
    pub(crate) fn lower(&mut self) {
        let checked = self.checked;
        self.typedefs();
        if self.has_contracts() {
            self.assertions = crate::contract::assertion_comments(self.id, &self.source.unit);
            self.marks_labels = crate::contract::mentions_labels(&self.source.unit);
        }
        for &decl in checked.tast.top_level() {
            match checked.tast[decl].kind {
                DeclKind::Object if checked.tast[decl].state != Definition::Declared => {
                    self.global(decl);
                }
                DeclKind::Function if checked.tast[decl].body.is_some() && !self.in_system_header(decl) => {
                    self.function(decl);
                    self.define_function(decl);
                }
                _ => {}
            }
        }
        while let Some(decl) = self.pending.pop() {
            self.define_function(decl);
        }
        if !checked.errors.is_empty() {
            self.drop_broken_functions();
        }
    }

    /// Lowering follows the types of the tree, which do not fit together where the source is wrong.
    fn drop_broken_functions(&mut self) {
        for id in self.program.functions.ids() {
            let function = &self.program.functions[id];
            let is_own = function.is_defined() && function.span.unit == self.id;
            if is_own && !clew_ir::verify::verify_function(self.program, id).is_empty() {
                let stub = self.stub(function.clone(), "it has errors");
                self.program.functions[id] = stub;
            }
        }
    }

    /// Keeps the names of types for contracts, which may mention any of them, and of records without a tag, which have
    /// no other.
    fn typedefs(&mut self) {
        let checked = self.checked;
        let has_contracts = self.has_contracts();
        for alias in checked.types.aliases() {
            if !has_contracts && !self.is_untagged(alias.of) {
                continue;
            }
            let of = self.ctype(alias.of);
            let name = checked.names.resolve(alias.name).to_owned();
            self.linker.intern(&mut self.program.ctypes, CType::Typedef { name, of });
        }
    }

    /// Only a file with contracts has macros.
    fn has_contracts(&self) -> bool {
        !self.source.macros.is_empty()
    }

    fn is_untagged(&self, ty: TypeId) -> bool {
        match self.checked.types.kind(ty) {
            TypeKind::Record(id) => self.checked.types.record_info(id).tag.is_none(),
            TypeKind::Enum(id) => self.checked.types.enum_info(id).tag.is_none(),
            _ => false,
        }
    }

    pub(crate) fn in_system_header(&self, decl: DeclId) -> bool {
        let span = self.checked.tast.definition_span(decl);
        !span.is_dummy() && self.source.is_system(span.lo)
    }

    /// The span in the program of a span of the tree.
    pub(crate) fn span(&self, span: rucc_diag::Span) -> Span {
        if span.is_dummy() { Span::NONE } else { Span { unit: self.id, start: span.lo, end: span.hi } }
    }

    /// Notes that something at `span` is not supported.
    pub(crate) fn unsupported(&mut self, what: &str, span: Span) {
        self.diagnostics.push(Diagnostic::unsupported(span, format!("{what} is not supported")));
    }

    /// The name of a declaration; empty if it has none.
    pub(crate) fn name(&self, decl: DeclId) -> &'a str {
        let checked = self.checked;
        checked.tast[decl].name.map_or("", |name| checked.names.resolve(name))
    }

    /// The number that stands for the address of a label.
    pub(crate) fn label_number(&mut self, label: LabelId) -> u64 {
        let next = (u64::from(self.id.raw()) << 20) + self.labels.len() as u64 + 1;
        *self.labels.entry(label).or_insert(next)
    }
}
