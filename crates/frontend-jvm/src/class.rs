//! One class file: what others need to know of it, and the code of its methods.
//!
//! The reader is `cafebabe`; only this crate names it. A [`Class`] owns a summary; the code of its methods is parsed when the
//! first of them is asked for ([`Parsed`]), since most classes of a class path are only looked at.

use crate::descriptor::{JavaType, Signature};
use cafebabe::attributes::{AttributeData, AttributeInfo, BootstrapMethodEntry, CodeData, InnerClassAccessFlags};
use cafebabe::constant_pool::LiteralConstant;
use cafebabe::{ClassAccessFlags, FieldAccessFlags, MethodAccessFlags, ParseOptions};
use self_cell::self_cell;
use std::fmt;
use std::sync::Arc;

/// A class as its file declares it.
#[derive(Clone, Debug)]
pub struct Class {
    /// Internal name, such as `java/lang/String`.
    pub name: String,
    /// Internal name of the superclass; `None` for `java/lang/Object`.
    pub superclass: Option<String>,
    /// Internal names of the interfaces it implements directly.
    pub interfaces: Vec<String>,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Whether it has no objects of its own: an interface or an abstract class.
    pub is_abstract: bool,
    /// Whether it has no subclasses.
    pub is_final: bool,
    /// Whether it is public.
    pub is_public: bool,
    /// Whether it is an enumeration, or the class of one of its constants.
    pub is_enum: bool,
    /// How code names it, if it stands inside of another class.
    pub nested: Option<Nested>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Its methods.
    pub methods: Vec<Method>,
    /// The name of its source file, without a folder.
    pub source: Option<String>,
    /// Version of the class file format.
    pub major: u16,
    bytes: Arc<[u8]>,
}

/// Where a class stands that is inside of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nested {
    /// Internal name of the class around it, and whether it is public there; `None` where code of other classes has no name for it:
    /// it is private, local or anonymous.
    pub outer: Option<(String, bool)>,
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: JavaType,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is private.
    pub is_private: bool,
    /// Whether it is public.
    pub is_public: bool,
    /// Whether it is final.
    pub is_final: bool,
    /// The value a static field has before the class is initialised.
    pub constant: Option<Constant>,
}

/// A constant of the constant pool.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer of any narrow type.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// A string, in UTF-16 code units.
    Text(Vec<u16>),
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name; `<init>` for constructors.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether it is private.
    pub is_private: bool,
    /// Whether it is public.
    pub is_public: bool,
    /// Whether it is protected.
    pub is_protected: bool,
    /// Whether it cannot be overridden.
    pub is_final: bool,
    /// Whether it has no body.
    pub is_abstract: bool,
    /// Whether its body is in a native library.
    pub is_native: bool,
    /// Whether the compiler made it.
    pub is_synthetic: bool,
    /// Whether it is a constructor without parameters that does nothing but call the one of `Object`.
    pub is_plain_constructor: bool,
}

impl Method {
    /// Whether it has a name and a descriptor.
    pub fn is(&self, name: &str, descriptor: &str) -> bool {
        self.name == name && self.descriptor == descriptor
    }
}

/// Why a class file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// Oldest and newest class file versions that are read: Java 1.1 to 25.
const VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

impl Class {
    /// Reads a class file.
    ///
    /// # Errors
    /// If the bytes are no class file of a known version.
    pub fn read(bytes: impl Into<Arc<[u8]>>) -> Result<Class, Malformed> {
        let bytes = bytes.into();
        let parsed = parse(&bytes, false)?;
        let (name, superclass) = (parsed.this_class.to_string(), parsed.super_class.as_ref().map(ToString::to_string));
        if superclass.is_none() && name != "java/lang/Object" && !parsed.access_flags.contains(ClassAccessFlags::MODULE)
        {
            return Err(Malformed("the class has no superclass".to_owned()));
        }
        let source = parsed.attributes.iter().find_map(|attribute| match &attribute.data {
            AttributeData::SourceFile(name) => Some(name.to_string()),
            _ => None,
        });
        let flags = parsed.access_flags;
        Ok(Class {
            name,
            superclass,
            interfaces: parsed.interfaces.iter().map(ToString::to_string).collect(),
            is_interface: flags.contains(ClassAccessFlags::INTERFACE),
            is_abstract: flags.intersects(ClassAccessFlags::INTERFACE | ClassAccessFlags::ABSTRACT),
            is_final: flags.contains(ClassAccessFlags::FINAL),
            is_public: flags.contains(ClassAccessFlags::PUBLIC),
            is_enum: flags.contains(ClassAccessFlags::ENUM),
            nested: nested(&parsed),
            fields: parsed.fields.iter().map(field).collect::<Result<_, _>>()?,
            methods: parsed.methods.iter().map(method).collect::<Result<_, _>>()?,
            source,
            major: parsed.major_version,
            bytes: bytes.clone(),
        })
    }

    /// A class that is in no file: arrays, and objects that stand for unknown implementations.
    pub fn made(name: &str, superclass: &str, interfaces: Vec<String>) -> Class {
        Class {
            name: name.to_owned(),
            superclass: Some(superclass.to_owned()),
            interfaces,
            is_interface: false,
            is_abstract: false,
            is_final: true,
            is_public: true,
            is_enum: false,
            nested: None,
            fields: Vec::new(),
            methods: Vec::new(),
            source: None,
            major: *VERSIONS.end(),
            bytes: Arc::new([]),
        }
    }

    /// A public method that is in no file.
    pub(crate) fn made_method(name: &str, descriptor: &str) -> Method {
        Method {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            is_static: false,
            is_private: false,
            is_public: true,
            is_protected: false,
            is_final: true,
            is_abstract: false,
            is_native: false,
            is_synthetic: true,
            is_plain_constructor: false,
        }
    }

    /// A field that is in no file.
    pub(crate) fn made_field(name: String, ty: JavaType) -> Field {
        Field { name, ty, is_static: false, is_private: true, is_public: false, is_final: true, constant: None }
    }

    /// The bytes of the class file.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// The method of a name and a descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.is(name, descriptor))
    }
}

type ClassFile<'a> = cafebabe::ClassFile<'a>;

self_cell!(
    /// A class file with the code of all its methods.
    struct File {
        owner: Arc<[u8]>,
        #[not_covariant]
        dependent: ClassFile,
    }
);

/// The code of the methods of a class.
pub(crate) struct Parsed(File);

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.with_dependent(|_, file| write!(f, "the code of {}", file.this_class))
    }
}

impl Parsed {
    /// Parses the code of a class.
    ///
    /// # Errors
    /// If it is malformed.
    pub(crate) fn of(class: &Class) -> Result<Parsed, Malformed> {
        File::try_new(Arc::clone(&class.bytes), |bytes| parse(bytes, true)).map(Parsed)
    }

    /// Where the lines of a method begin.
    ///
    /// # Errors
    /// If it has no code.
    pub(crate) fn lines(&self, name: &str, descriptor: &str) -> Result<Vec<(u32, u32)>, Malformed> {
        self.with_code(name, descriptor, |code, _| lines(code))
    }

    /// Hands the code of a method to `use_code`, with the bootstrap methods of the class.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn with_code<T>(
        &self,
        name: &str,
        descriptor: &str,
        use_code: impl FnOnce(&CodeData<'_>, &[BootstrapMethodEntry<'_>]) -> T,
    ) -> Result<T, Malformed> {
        self.0.with_dependent(|_, file| {
            let bootstrap = file.attributes.iter().find_map(|attribute| match &attribute.data {
                AttributeData::BootstrapMethods(entries) => Some(entries.as_slice()),
                _ => None,
            });
            Ok(use_code(code_of(file, name, descriptor)?, bootstrap.unwrap_or_default()))
        })
    }
}

/// Where the lines of a method begin: offset and line, in order of the offsets.
pub(crate) fn lines(code: &CodeData<'_>) -> Vec<(u32, u32)> {
    let tables = code.attributes.iter().filter_map(|attribute| match &attribute.data {
        AttributeData::LineNumberTable(entries) => Some(entries),
        _ => None,
    });
    let entries = tables.flatten().map(|entry| (u32::from(entry.start_pc), u32::from(entry.line_number)));
    let mut lines: Vec<(u32, u32)> = entries.collect();
    lines.sort_unstable();
    lines
}

fn code_of<'f, 'a>(file: &'f ClassFile<'a>, name: &str, descriptor: &str) -> Result<&'f CodeData<'a>, Malformed> {
    let is_it = |method: &&cafebabe::MethodInfo<'_>| method.name == name && method.descriptor.to_string() == descriptor;
    let method = file.methods.iter().find(is_it).ok_or_else(|| Malformed("the method is missing".to_owned()))?;
    let code = method.attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    });
    code.ok_or_else(|| Malformed("the method has no code".to_owned()))
}

fn parse(bytes: &[u8], with_code: bool) -> Result<ClassFile<'_>, Malformed> {
    let mut options = ParseOptions::default();
    options.parse_bytecode(with_code);
    // The reader may overflow on sizes that no compiler writes.
    let parsed = std::panic::catch_unwind(|| cafebabe::parse_class_with_options(bytes, &options));
    let parsed = parsed.map_err(|_| Malformed("sizes in the class file contradict each other".to_owned()))?;
    let parsed = parsed.map_err(|error| Malformed(error.to_string()))?;
    if !VERSIONS.contains(&parsed.major_version) {
        return Err(Malformed(format!("class file version {} is not known", parsed.major_version)));
    }
    Ok(parsed)
}

/// What the table of inner classes says of the class itself.
fn nested(file: &ClassFile<'_>) -> Option<Nested> {
    let tables = file.attributes.iter().filter_map(|attribute| match &attribute.data {
        AttributeData::InnerClasses(entries) => Some(entries),
        _ => None,
    });
    let own = tables.flatten().find(|entry| entry.inner_class_info == *file.this_class.to_string())?;
    let is_named = own.inner_name.is_some() && !own.access_flags.contains(InnerClassAccessFlags::PRIVATE);
    let is_public = own.access_flags.contains(InnerClassAccessFlags::PUBLIC);
    let outer = own.outer_class_info.as_ref().filter(|_| is_named).map(|outer| (outer.to_string(), is_public));
    Some(Nested { outer })
}

fn field(field: &cafebabe::FieldInfo<'_>) -> Result<Field, Malformed> {
    let descriptor = field.descriptor.to_string();
    let ty = JavaType::parse(&descriptor).ok_or_else(|| Malformed(format!("bad descriptor `{descriptor}`")))?;
    let flags = field.access_flags;
    Ok(Field {
        name: field.name.to_string(),
        ty,
        is_static: flags.contains(FieldAccessFlags::STATIC),
        is_private: flags.contains(FieldAccessFlags::PRIVATE),
        is_public: flags.contains(FieldAccessFlags::PUBLIC),
        is_final: flags.contains(FieldAccessFlags::FINAL),
        constant: field.attributes.iter().find_map(constant_value),
    })
}

fn constant_value(attribute: &AttributeInfo<'_>) -> Option<Constant> {
    match &attribute.data {
        AttributeData::ConstantValue(literal) => Some(Constant::of(literal)),
        _ => None,
    }
}

impl Constant {
    /// The constant that the reader found.
    pub(crate) fn of(literal: &LiteralConstant<'_>) -> Constant {
        match literal {
            LiteralConstant::Integer(value) => Constant::Int(*value),
            LiteralConstant::Long(value) => Constant::Long(*value),
            LiteralConstant::Float(value) => Constant::Float(value.to_bits()),
            LiteralConstant::Double(value) => Constant::Double(value.to_bits()),
            LiteralConstant::String(text) => Constant::Text(text.encode_utf16().collect()),
            LiteralConstant::StringBytes(bytes) => Constant::Text(modified_utf8(bytes)),
        }
    }
}

/// The UTF-16 code units of modified UTF-8, which encodes surrogates one by one.
fn modified_utf8(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    let mut at = 0;
    let next = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0) & 0x3f);
    while let Some(&first) = bytes.get(at) {
        let first = u16::from(first);
        let (unit, length) = match first {
            0..0x80 => (first, 1),
            0x80..0xe0 => ((first & 0x1f) << 6 | next(at + 1), 2),
            _ => ((first & 0x0f) << 12 | next(at + 1) << 6 | next(at + 2), 3),
        };
        units.push(unit);
        at += length;
    }
    units
}

/// Whether code is `aload_0; invokespecial; return`.
fn is_empty_constructor(attribute: &AttributeInfo<'_>) -> bool {
    matches!(&attribute.data, AttributeData::Code(code) if matches!(code.code, [0x2a, 0xb7, _, _, 0xb1]))
}

fn method(method: &cafebabe::MethodInfo<'_>) -> Result<Method, Malformed> {
    let descriptor = method.descriptor.to_string();
    if Signature::parse(&descriptor).is_none() {
        return Err(Malformed(format!("bad descriptor `{descriptor}`")));
    }
    let flags = method.access_flags;
    Ok(Method {
        name: method.name.to_string(),
        descriptor,
        is_static: flags.contains(MethodAccessFlags::STATIC),
        is_private: flags.contains(MethodAccessFlags::PRIVATE),
        is_public: flags.contains(MethodAccessFlags::PUBLIC),
        is_protected: flags.contains(MethodAccessFlags::PROTECTED),
        is_final: flags.contains(MethodAccessFlags::FINAL),
        is_abstract: flags.contains(MethodAccessFlags::ABSTRACT),
        is_native: flags.contains(MethodAccessFlags::NATIVE),
        is_synthetic: flags.contains(MethodAccessFlags::SYNTHETIC),
        is_plain_constructor: method.name == "<init>" && method.attributes.iter().any(is_empty_constructor),
    })
}
