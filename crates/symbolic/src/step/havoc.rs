//! Where a function without a body may write, and what it may have written besides.
//!
//! Through an argument it writes the rest of the array that the argument leads into, as far as that is not too long, or, where
//! the argument says nothing of types, the variable that it leads to. Of an object of the input it writes what was looked
//! at: the rest is as the input says anyway. What is beyond that, and what is behind pointers that the function can
//! find in what it is given, is noted: a value that nothing wrote there may be one of the function's.

use clew_ir::{CType, CTypeId, CTypes, GlobalKind};

use crate::ending::Limit;
use crate::memory::{Background, Extent, Object, ObjectId, Origin};
use crate::path::Path;
use crate::policy;
use crate::stepper::Stepper;
use crate::value::Val;

/// Where a stub may write, and what.
pub(super) struct WriteTarget {
    pub target: ObjectId,
    pub at: u64,
    pub element: CTypeId,
    pub count: u64,
    /// Bytes of one element.
    pub size: u64,
}

/// Elements of one type that lie in a row.
struct Row {
    element: CTypeId,
    /// Bytes of one element.
    size: u64,
    /// Bytes of all, from where the argument leads to.
    bytes: u64,
}

impl Stepper<'_> {
    /// Where a stub may write through an argument.
    pub(super) fn stub_place(&mut self, path: &mut Path, pointee: CTypeId, arg: Val) -> Option<WriteTarget> {
        let (target, at) = self.led_to(path, arg)?;
        let object = path.state.memory.get(target);
        if !object.alive || !self.is_changeable(object) || is_closed(&self.program.ctypes, pointee) {
            return None;
        }
        let row = self.row(path, pointee, target, at)?;
        let is_input = is_of_input(object);
        let wanted = if is_input { looked_at(object, at, &row) } else { row.bytes / row.size };
        let count = wanted.min(policy::MAX_HAVOCKED_ELEMENTS.get()).min(policy::MAX_HAVOCKED_BYTES.get() / row.size);
        let place = WriteTarget { target, at, element: row.element, count, size: row.size };
        if row.size > policy::MAX_HAVOCKED_BYTES.get() {
            self.effects.limits.insert(Limit::Stubs);
        }
        if count < wanted && is_known(object, at + count * row.size) {
            path.state.external.havocked.insert(target);
        }
        // What the input gives anyway need not be written as long as nothing was looked at.
        (count > 0 && (!is_input || self.is_written(path, &place))).then_some(place)
    }

    /// The elements that an argument leads to.
    fn row(&self, path: &Path, pointee: CTypeId, target: ObjectId, at: u64) -> Option<Row> {
        let ctypes = &self.program.ctypes;
        let pointer_bytes = self.program.target.pointer_bytes();
        let element = crate::input::element_type(ctypes, pointee)?;
        let size = ctypes.size_of(element, pointer_bytes).filter(|size| *size > 0)?;
        let object = path.state.memory.get(target);
        let rest = match object.extent {
            Extent::Elements { fixed: false, .. } => u64::MAX,
            extent => extent.size().map_or(u64::MAX, |bytes| bytes.saturating_sub(at)),
        };
        let says_nothing = matches!(ctypes.get(pointee), CType::Void);
        if let Some(variable) =
            self.type_at(path, target, at).map(|ty| flat(ctypes, ty)).filter(|_| says_nothing && at == 0)
            && let Some(size) = ctypes.size_of(variable, pointer_bytes).filter(|size| *size > 0)
        {
            return Some(Row { element: variable, size, bytes: rest });
        }
        let row = match object.origin {
            Origin::Local(function, local) => {
                row_in(ctypes, pointer_bytes, self.program.functions[function].locals[local].ty, at, element)
            }
            Origin::Global(global) => row_in(ctypes, pointer_bytes, self.program.globals[global].ty, at, element),
            Origin::Input(number) => {
                let own = path.state.inputs.objects[number as usize].element;
                match ctypes.size_of(own, pointer_bytes).filter(|own| *own > 0) {
                    Some(_) if is_same(ctypes, pointer_bytes, flat(ctypes, own), flat(ctypes, element)) => {
                        Some(u64::MAX)
                    }
                    Some(bytes) => row_in(ctypes, pointer_bytes, own, at % bytes, element),
                    None => None,
                }
            }
            Origin::Allocated(_) if size > 1 && object.has_cells(at, rest) => None,
            Origin::Allocated(_) => Some(rest),
        };
        let one = if size == 1 && !is_of_input(object) { rest } else { size };
        Some(Row { element, size, bytes: row.unwrap_or(one).min(rest) })
    }

    /// Whether an object may be written to.
    fn is_changeable(&self, object: &Object) -> bool {
        let Origin::Global(global) = object.origin else { return true };
        let global = &self.program.globals[global];
        !global.is_const && global.kind != GlobalKind::Literal
    }

    /// Notes what a stub can find through its arguments.
    pub(super) fn show(&mut self, path: &mut Path, arguments: &[((usize, Option<CTypeId>), Val)]) {
        let ctypes = &self.program.ctypes;
        let mut open: Vec<ObjectId> = Vec::new();
        for ((_, pointee), arg) in arguments {
            let (Some(pointee), Some((target, _))) = (*pointee, self.led_to(path, *arg)) else { continue };
            if !ctypes.is_const(pointee) && self.is_changeable(path.state.memory.get(target)) {
                path.state.external.escaped.insert(target);
            }
            open.push(target);
        }
        let given = open.clone();
        let mut found = open.clone();
        while let Some(object) = open.pop() {
            let behind = path.state.memory.get(object).cells().filter_map(|(_, _, val)| self.led_to(path, val));
            for (target, _) in behind.collect::<Vec<_>>() {
                if !found.contains(&target) {
                    found.push(target);
                    open.push(target);
                }
            }
        }
        for target in found.into_iter().filter(|target| !given.contains(target)) {
            let object = path.state.memory.get(target);
            if !self.is_changeable(object) {
                continue;
            }
            if is_known(object, 0) {
                path.state.external.havocked.insert(target);
            }
            path.state.external.escaped.insert(target);
        }
    }
}

/// Whether a stub cannot write through a pointer to a type: it is constant, or only its name is known.
fn is_closed(ctypes: &CTypes, pointee: CTypeId) -> bool {
    ctypes.is_const(pointee) || crate::input::is_opaque(ctypes, pointee)
}

/// Whether what no cell of an object covers is part of the input.
fn is_of_input(object: &Object) -> bool {
    object.background == Background::Input || matches!(object.extent, Extent::Elements { .. })
}

/// Whether something is known of an object from an offset on.
fn is_known(object: &Object, from: u64) -> bool {
    object.cells().any(|(at, bytes, _)| at + bytes > from)
        || matches!(object.background, Background::Filled(_) | Background::Image(_))
}

/// How many elements of a row there are up to the last that was looked at.
fn looked_at(object: &Object, at: u64, row: &Row) -> u64 {
    let end = object.cells().map(|(start, bytes, _)| start + bytes).max().unwrap_or(0);
    let bytes = end.saturating_sub(at).min(row.bytes);
    match object.extent {
        // There may be no room for more.
        Extent::Elements { element, fixed: true, .. } if element != row.size => bytes / row.size,
        Extent::Bytes(_) => bytes / row.size,
        Extent::Elements { .. } => bytes.div_ceil(row.size),
    }
}

/// Bytes from an offset to the end of the elements of a type that lie there in a row.
fn row_in(ctypes: &CTypes, pointer_bytes: u64, ty: CTypeId, at: u64, element: CTypeId) -> Option<u64> {
    if is_same(ctypes, pointer_bytes, flat(ctypes, ty), flat(ctypes, element)) {
        return ctypes.size_of(ty, pointer_bytes)?.checked_sub(at);
    }
    match ctypes.get(ty) {
        CType::Array { of, .. } => {
            let bytes = ctypes.size_of(*of, pointer_bytes).filter(|bytes| *bytes > 0)?;
            row_in(ctypes, pointer_bytes, *of, at % bytes, element)
        }
        CType::Record(record) => ctypes.records[*record].fields.iter().find_map(|field| {
            let bytes = ctypes.size_of(field.ty, pointer_bytes)?;
            let is_here = field.bits.is_none() && field.offset <= at && at < field.offset + bytes;
            is_here.then(|| row_in(ctypes, pointer_bytes, field.ty, at - field.offset, element)).flatten()
        }),
        _ => None,
    }
}

/// The type of the elements of an array, however deep.
fn flat(ctypes: &CTypes, mut ty: CTypeId) -> CTypeId {
    while let CType::Array { of, .. } = ctypes.get(ty) {
        ty = *of;
    }
    ty
}

/// Whether values of two types are alike: the same type, or numbers of the same size.
fn is_same(ctypes: &CTypes, pointer_bytes: u64, a: CTypeId, b: CTypeId) -> bool {
    let is_number =
        |ty| matches!(ctypes.get(ty), CType::Bool | CType::Int { .. } | CType::Enum { .. } | CType::Float { .. });
    ctypes.get(a) == ctypes.get(b)
        || is_number(a) && is_number(b) && ctypes.size_of(a, pointer_bytes) == ctypes.size_of(b, pointer_bytes)
}
