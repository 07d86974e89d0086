//! An input of a function: everything that decides how one execution goes.
//!
//! An input is a set of contents: one per parameter, one per global that is set before the call, and one per object that
//! pointers among them lead to. A content is the bytes of an object plus the pointers stored in it, kept symbolic so that
//! every engine can give them addresses of its own.

use clew_ir::{CTypeId, FunctionId, GlobalId};
use serde::{Deserialize, Serialize};

/// An input of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Calls of the function before the one that is observed, in the same process.
    pub earlier: Vec<EarlierCall>,
    /// One content per C parameter, in order.
    pub arguments: Vec<Content>,
    /// What is passed after the last parameter.
    pub extra: Vec<Extra>,
    /// Globals set before the first call; the others keep their initial value.
    pub globals: Vec<(GlobalId, Content)>,
    /// Objects that exist only for the test.
    pub objects: Vec<InputObject>,
    /// What functions without a body gave, call by call.
    pub stubs: Vec<StubCall>,
    /// What volatile memory held whenever it was read, for places where that is not just what was there: all readings of
    /// these, in their order.
    pub readings: Vec<Reading>,
    /// Where pointers lead that lie in objects and globals afterwards, each with the place where it lies: all that are
    /// known to lead into objects and globals of the input. `None` if nothing is known of that.
    pub after: Option<Vec<(PointerTarget, PointerTarget)>>,
    /// What holds nothing that C defines afterwards.
    pub unwritten: Unwritten,
    /// Objects that the calls free: what has their addresses afterwards may be something else.
    pub freed: Vec<usize>,
}

/// Memory that was never written, or to which memory was copied that never was: executions differ in what they find there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwritten {
    /// Places in objects and globals of the input, with their sizes.
    pub places: Vec<(PointerTarget, u64)>,
    /// Places in the result, with their sizes.
    pub result: Vec<(u64, u64)>,
}

impl Input {
    /// Everything that is set before the calls or given by stubs.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        let earlier = self.earlier.iter().flat_map(|call| passed(&call.arguments, &call.extra));
        let arguments = earlier.chain(passed(&self.arguments, &self.extra));
        let globals = self.globals.iter().map(|(_, content)| content);
        let objects = self.objects.iter().map(|object| &object.content);
        let written = self.stubs.iter().flat_map(|call| &call.outputs).map(|(_, content)| content);
        let set = self.stubs.iter().flat_map(|call| &call.globals).map(|(_, content)| content);
        let given = self.stubs.iter().map(|call| &call.result).chain(written).chain(set);
        arguments.chain(globals).chain(objects).chain(given)
    }
}

/// What a call is given.
fn passed<'a>(arguments: &'a [Content], extra: &'a [Extra]) -> impl Iterator<Item = &'a Content> {
    arguments.iter().chain(extra.iter().map(|extra| &extra.content))
}

/// A call of the function under test before the one that is observed, of which nothing matters but what it leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierCall {
    /// One content per C parameter, in order.
    pub arguments: Vec<Content>,
    /// What is passed after the last parameter.
    pub extra: Vec<Extra>,
}

/// An argument after the last parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extra {
    /// The type in which it is passed.
    pub ty: CTypeId,
    /// Its bytes.
    pub content: Content,
}

/// An object that exists only for the test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputObject {
    /// A name for people, such as `t1` for what parameter `t1` points to.
    pub name: String,
    /// Type of its elements.
    pub element: CTypeId,
    /// Number of elements.
    pub count: u64,
    /// Its bytes.
    pub content: Content,
    /// What its address is modulo [`RESIDUES`], where the path depends on it.
    pub residue: Option<u8>,
    /// Whether the path depends on its lying after the objects before it and before those after it.
    pub ordered: bool,
}

/// Addresses of objects matter modulo this number, at most.
pub const RESIDUES: u8 = 16;

/// The bytes of an object and the pointers stored in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The bytes, zero where a pointer is stored.
    pub bytes: Vec<u8>,
    /// Pointers other than null, in ascending order of offset.
    pub pointers: Vec<StoredPointer>,
}

/// A pointer stored in a [`Content`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPointer {
    /// Where it is stored.
    pub at: u64,
    /// Where it leads.
    pub target: PointerTarget,
}

/// Where a stored pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointerTarget {
    /// Into an object of [`Input::objects`], by index, plus bytes.
    Object(usize, i64),
    /// Into a global, plus bytes.
    Global(GlobalId, i64),
    /// To a function.
    Function(FunctionId),
}

/// A reading of volatile memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// What was read.
    pub place: PointerTarget,
    /// The bytes it then held.
    pub bytes: Vec<u8>,
}

/// What one call of a function without a body gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StubCall {
    /// The function called.
    pub function: FunctionId,
    /// What it returned; empty for `void`.
    pub result: Content,
    /// What it wrote through pointer arguments: the position of the parameter, and the bytes.
    pub outputs: Vec<(usize, Content)>,
    /// Variables that it set.
    pub globals: Vec<(GlobalId, Content)>,
    /// Where pointers lead that it was called with, as far as that is known: the position of the parameter, and the
    /// place.
    pub leads: Vec<(usize, PointerTarget)>,
    /// Whether it is an allocation that may fail: its result is one byte, which is 1 if it did; otherwise the real
    /// function is called.
    pub is_allocation: bool,
}
