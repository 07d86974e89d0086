//! What class initialisation leaves in static fields, as a JVM shows it.
//!
//! Running the initialisers of all classes that a program uses costs more than the program itself, and many need the JVM.
//! So a JVM is asked: it gives the values of static fields together with the objects they lead to, as far as code of the
//! program can read them.

use crate::descriptor::JavaType;
use std::fmt;

/// Somebody who knows static fields.
pub trait Statics: fmt::Debug {
    /// Reads static fields, and the fields of objects that are of interest, each by its class and its name.
    ///
    /// # Errors
    /// Why nobody knows.
    fn read(&mut self, statics: &[FieldName], fields: &[FieldName]) -> Result<Snapshot, String>;
}

/// A field: the internal name of its class, and its own.
pub type FieldName = (String, String);

/// Values of static fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The values, in the order of the question.
    pub statics: Vec<Shown>,
    /// The objects they lead to.
    pub objects: Vec<ShownObject>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A number, by its bits.
    Bits(u64),
    /// `null`
    Null,
    /// An object of the snapshot.
    Object(usize),
    /// The object of a class, by the name of the class.
    Class(String),
    /// A string that equals no other object, in UTF-16 code units.
    Literal(Vec<u16>),
    /// Something that was not shown.
    Unknown,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownObject {
    /// An object of a class with the fields that were asked for.
    Fields(String, Vec<(FieldName, Shown)>),
    /// An array of numbers: the type of its elements, and their bytes.
    Numbers(JavaType, Vec<u8>),
    /// An array of references: its class, and its elements.
    References(String, Vec<Shown>),
}
