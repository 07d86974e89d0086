//! A small program for tests of contracts:
//!
//! ```c
//! enum colour { RED, BLUE = 5 };
//! struct point { int x; struct { short lo, hi; }; int tags[4]; struct point *next; };
//! int g, table[10];
//! int f(int *a, int n, unsigned char u, double d, float h, struct point *p, void *v, char grid[2][3]);
//! void done(int n) { int i; { int k; } while (i < n) { int j; } }
//! ```

use clew_ir::{
    Block, CType, CTypeId, Field, FloatKind, Function, FunctionId, Global, GlobalKind, Linkage, Local, LocalKind, Loop,
    LoopKind, Param, ParamKind, Program, Record, Span, Target, Temp, Type, Unit, UnitId,
};
use clew_scalar::Format;

/// The text of the program, in which contracts may be put at `@`.
const TEXT: &str = "CONTRACT void done(int n) { int i; { int k; INNER } BEFORE while (i < n) { int j; BODY } AFTER }";

/// The program, and its function `f`.
pub(crate) fn program() -> (Program, FunctionId) {
    let mut program = Program::new(Target::LP64);
    let int = ctype(&mut program, CType::Int { width: 32, signed: true, name: "int" });
    let short = ctype(&mut program, CType::Int { width: 16, signed: true, name: "short" });
    let byte = ctype(&mut program, CType::Int { width: 8, signed: false, name: "unsigned char" });
    let double = ctype(&mut program, CType::Float { kind: FloatKind::Double, format: Format::DOUBLE, size: 8 });
    let float = ctype(&mut program, CType::Float { kind: FloatKind::Float, format: Format::SINGLE, size: 4 });
    let void = ctype(&mut program, CType::Void);
    let enumerators = vec![("RED".to_owned(), 0), ("BLUE".to_owned(), 5)];
    ctype(&mut program, CType::Enum { tag: Some("colour".to_owned()), underlying: int, enumerators, is_closed: false });
    ctype(&mut program, CType::Typedef { name: "word".to_owned(), of: short });
    let point = point(&mut program, int, short);
    let [pa, pp, pv] = [int, point, void].map(|ty| ctype(&mut program, CType::Pointer(ty)));
    let row = ctype(&mut program, CType::Array { of: byte, len: Some(3) });
    let pg = ctype(&mut program, CType::Pointer(row));
    let table = ctype(&mut program, CType::Array { of: int, len: Some(10) });
    global(&mut program, "g", int);
    global(&mut program, "table", table);
    let params = [("a", pa), ("n", int), ("u", byte), ("d", double), ("h", float), ("p", pp), ("v", pv), ("grid", pg)];
    let f = function(&mut program, "f", int, &params);
    done(&mut program, void, int);
    (program, f)
}

/// The program with `contract` put at a mark of the text of `done`, and that function.
pub(crate) fn with_text(mark: &str, contract: &str) -> (Program, FunctionId) {
    let (mut program, _) = program();
    let text = TEXT.replacen(mark, contract, 1);
    let done = program.function("done").unwrap();
    let at = |needle: &str| text.find(needle).unwrap() as u32;
    let span = |start: u32, end: u32| Span { unit: UnitId::new(0), start, end };
    let (body, end) = (at("{ int i"), text.len() as u32);
    let function = &mut program.functions[done];
    function.span = span(at("void done"), end);
    function.body = span(body, end);
    let names: Vec<String> = function.locals.values().map(|local| local.name.clone()).collect();
    for (id, name) in function.locals.ids().collect::<Vec<_>>().into_iter().zip(names) {
        let start = at(&format!("int {name}")) + 4;
        function.locals[id].span = span(start, start + 1);
    }
    // Where copies for labels are made.
    function.blocks.push(Block::empty());
    let last = function.loops.ids().next().unwrap();
    let loop_end = text.rfind("} ").map_or(end, |at| at as u32 + 1);
    function.loops[last].span = span(at("while"), loop_end);
    program.sources.units.push(Unit { path: "t.c".to_owned(), text, ..Unit::default() });
    (program, done)
}

fn ctype(program: &mut Program, ty: CType) -> CTypeId {
    program.ctypes.types.push(ty)
}

fn field(name: &str, ty: CTypeId, offset: u64) -> Field {
    Field { name: name.to_owned(), ty, offset, bits: None }
}

fn record(program: &mut Program, tag: Option<&str>, size: u64, fields: Vec<Field>) -> CTypeId {
    let tag = tag.map(str::to_owned);
    let record = Record { tag, is_union: false, is_complete: true, size, align: 8, fields };
    let record = program.ctypes.records.push(record);
    ctype(program, CType::Record(record))
}

fn point(program: &mut Program, int: CTypeId, short: CTypeId) -> CTypeId {
    let inner = record(program, None, 4, vec![field("lo", short, 0), field("hi", short, 2)]);
    let tags = ctype(program, CType::Array { of: int, len: Some(4) });
    let point =
        record(program, Some("point"), 32, vec![field("x", int, 0), field("", inner, 4), field("tags", tags, 8)]);
    let next = ctype(program, CType::Pointer(point));
    let CType::Record(id) = program.ctypes.types[point] else { unreachable!("just made") };
    program.ctypes.records[id].fields.push(field("next", next, 24));
    point
}

fn global(program: &mut Program, name: &str, ty: CTypeId) {
    program.globals.push(Global {
        name: name.to_owned(),
        linkage: Linkage::External,
        ty,
        size: 4,
        align: 4,
        kind: GlobalKind::Variable,
        is_const: false,
        is_volatile: false,
        address: None,
        init: None,
        relocations: Vec::new(),
        span: Span::NONE,
    });
}

fn function(program: &mut Program, name: &str, returns: CTypeId, params: &[(&str, CTypeId)]) -> FunctionId {
    let types = params.iter().map(|(_, ty)| *ty).collect();
    let ty = ctype(program, CType::Function { returns, params: types, variadic: false });
    let mut function = Function::declare(name, ty);
    for (name, ty) in params {
        let temp = function.temps.push(Temp { ty: Type::Int(32) });
        function.params.push(Param { name: (*name).to_owned(), ty: *ty, temp, kind: ParamKind::Scalar });
    }
    program.functions.push(function)
}

fn done(program: &mut Program, void: CTypeId, int: CTypeId) {
    let id = function(program, "done", void, &[("n", int)]);
    let function = &mut program.functions[id];
    for (name, kind) in [("n", LocalKind::Param(0)), ("i", LocalKind::Variable), ("k", LocalKind::Variable)] {
        function.locals.push(Local { name: name.to_owned(), ty: int, size: 4, align: 4, kind, span: Span::NONE });
    }
    let (name, kind) = ("j".to_owned(), LocalKind::Variable);
    function.locals.push(Local { name, ty: int, size: 4, align: 4, kind, span: Span::NONE });
    let block = clew_ir::ENTRY;
    function.loops.push(Loop {
        kind: LoopKind::While,
        decision: None,
        head: block,
        body: block,
        latch: block,
        exit: block,
        parent: None,
        span: Span::NONE,
    });
}
