//! Types of the JVM, as descriptors write them.

use std::fmt;

/// A type of Java.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JavaType {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// A class or interface by its internal name, such as `java/lang/String`.
    Class(String),
    /// An array of this type.
    Array(Box<JavaType>),
}

/// The parameters of a method and its result; `None` for `void`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Types of the parameters, without the receiver.
    pub params: Vec<JavaType>,
    /// The result.
    pub returns: Option<JavaType>,
}

impl JavaType {
    /// The type of a whole field descriptor, such as `[I` or `Ljava/lang/String;`.
    pub fn parse(descriptor: &str) -> Option<JavaType> {
        let (ty, rest) = JavaType::first(descriptor)?;
        rest.is_empty().then_some(ty)
    }

    /// The type that a constant of kind class names: an internal name, or the descriptor of an array.
    pub fn of_class_constant(name: &str) -> JavaType {
        match name.starts_with('[').then(|| JavaType::parse(name)).flatten() {
            Some(array) => array,
            None => JavaType::Class(name.to_owned()),
        }
    }

    fn first(text: &str) -> Option<(JavaType, &str)> {
        let rest = text.get(1..)?;
        let ty = match text.as_bytes()[0] {
            b'Z' => JavaType::Boolean,
            b'B' => JavaType::Byte,
            b'C' => JavaType::Char,
            b'S' => JavaType::Short,
            b'I' => JavaType::Int,
            b'J' => JavaType::Long,
            b'F' => JavaType::Float,
            b'D' => JavaType::Double,
            b'L' => {
                let (name, rest) = rest.split_once(';')?;
                return Some((JavaType::Class(name.to_owned()), rest));
            }
            b'[' => {
                let (of, rest) = JavaType::first(rest)?;
                return Some((JavaType::Array(Box::new(of)), rest));
            }
            _ => return None,
        };
        Some((ty, rest))
    }

    /// Whether values are references.
    pub fn is_reference(&self) -> bool {
        matches!(self, JavaType::Class(_) | JavaType::Array(_))
    }

    /// Bytes a value takes in fields and arrays of the intermediate form.
    pub fn bytes(&self) -> u64 {
        match self {
            JavaType::Boolean | JavaType::Byte => 1,
            JavaType::Char | JavaType::Short => 2,
            JavaType::Int | JavaType::Float => 4,
            _ => 8,
        }
    }

    /// The descriptor.
    pub fn descriptor(&self) -> String {
        match self {
            JavaType::Boolean => "Z".to_owned(),
            JavaType::Byte => "B".to_owned(),
            JavaType::Char => "C".to_owned(),
            JavaType::Short => "S".to_owned(),
            JavaType::Int => "I".to_owned(),
            JavaType::Long => "J".to_owned(),
            JavaType::Float => "F".to_owned(),
            JavaType::Double => "D".to_owned(),
            JavaType::Class(name) => format!("L{name};"),
            JavaType::Array(of) => format!("[{}", of.descriptor()),
        }
    }

    /// The name by which the class of such an object is known: an internal name, or the descriptor of an array.
    pub fn class_name(&self) -> String {
        match self {
            JavaType::Class(name) => name.clone(),
            other => other.descriptor(),
        }
    }
}

impl fmt::Display for JavaType {
    /// As Java source spells it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JavaType::Boolean => f.write_str("boolean"),
            JavaType::Byte => f.write_str("byte"),
            JavaType::Char => f.write_str("char"),
            JavaType::Short => f.write_str("short"),
            JavaType::Int => f.write_str("int"),
            JavaType::Long => f.write_str("long"),
            JavaType::Float => f.write_str("float"),
            JavaType::Double => f.write_str("double"),
            JavaType::Class(name) => f.write_str(&source_name(name)),
            JavaType::Array(of) => write!(f, "{of}[]"),
        }
    }
}

/// An internal name as Java source spells it, such as `java.util.Map.Entry`.
pub fn source_name(internal: &str) -> String {
    internal.replace(['/', '$'], ".")
}

impl Signature {
    /// The signature of a method descriptor, such as `(I[J)V`.
    pub fn parse(descriptor: &str) -> Option<Signature> {
        let (params, result) = descriptor.strip_prefix('(')?.split_once(')')?;
        let mut found = Vec::new();
        let mut rest = params;
        while !rest.is_empty() {
            let (ty, after) = JavaType::first(rest)?;
            found.push(ty);
            rest = after;
        }
        let returns = if result == "V" { None } else { Some(JavaType::parse(result)?) };
        Some(Signature { params: found, returns })
    }
}

#[cfg(test)]
mod tests {
    use super::{JavaType, Signature};

    #[test]
    fn descriptors_are_read_and_spelled() {
        let signature = Signature::parse("(I[[JLjava/util/Map$Entry;)Z").unwrap();
        let spelled: Vec<String> = signature.params.iter().map(ToString::to_string).collect();
        assert_eq!(spelled, ["int", "long[][]", "java.util.Map.Entry"]);
        assert_eq!(signature.returns, Some(JavaType::Boolean));
        assert_eq!(signature.params[1].descriptor(), "[[J");
    }

    #[test]
    fn broken_descriptors_are_refused() {
        for broken in ["", "I", "(", "(I", "(Q)V", "(L)V", "()", "([)V", "(Ljava/lang/String)V"] {
            assert_eq!(Signature::parse(broken), None, "{broken}");
        }
    }
}
