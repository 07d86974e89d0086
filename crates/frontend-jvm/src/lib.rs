//! Class files become a program.
//!
//! A method of a class on a [`ClassPath`] is lowered together with everything it may call, the classes of the JDK included,
//! into the same intermediate form that C becomes ([`lower`]). How objects, classes, exceptions and initialisation are
//! expressed there is said in `docs/decisions/jvm.md`.
//!
//! Architecture invariant: only this crate names the reader of class files.

mod class;
mod descriptor;
mod jimage;
mod lower;
mod path;
mod snapshot;
mod source;
mod types;
mod world;

pub use class::{Class, Constant, Field, Malformed, Method, Nested};
pub use descriptor::{JavaType, Signature, source_name};
pub use lower::{BranchSite, Code, Diagnostic, Failure, NUMBER_AT};
pub use path::{ClassPath, PathError};
pub use snapshot::{FieldName, Shown, ShownObject, Snapshot, Statics};
pub use types::{CLASS_AT, HEADER_BYTES, LENGTH_AT};

use clew_ir::{FunctionId, GlobalId, Program};
use lower::{Key, Lowering};
use source::Sources;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use world::World;

/// A method under test as a program.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The function that tests call: it has the parameters of the method, the receiver first, and returns the number of the
    /// class of the exception that the method throws, 0 if it throws none.
    pub entry: FunctionId,
    /// The method itself.
    pub method: FunctionId,
    /// The variable that holds the result of the method after it returned.
    pub result: Option<GlobalId>,
    /// The class of the method.
    pub class: Arc<Class>,
    /// The method as its class declares it.
    pub declaration: Method,
    /// Names of classes by their numbers.
    pub classes: BTreeMap<u32, String>,
    /// Names of classes of which `new C()` gives an object with zeros in its fields and does nothing else, and which code of
    /// the same package can say.
    pub plain: BTreeSet<String>,
    /// Names of classes that code of the same package can name, and whether that of other packages can, too.
    pub named: BTreeMap<String, bool>,
    /// What code of a subclass needs, for classes of which objects of unknown subclasses may come in.
    pub extensions: BTreeMap<String, Extension>,
    /// Whether code outside of the JDK asks if two references are the same.
    pub compares_references: bool,
    /// Names of interfaces.
    pub interfaces: BTreeSet<String>,
    /// The components of records, in order.
    pub records: BTreeMap<String, Vec<(String, JavaType)>>,
    /// Names of all supertypes of each class, itself included.
    pub supertypes: BTreeMap<String, BTreeSet<String>>,
    /// What lies where in objects: the class that declares the field, its name and its type, by offset.
    pub fields: BTreeMap<u64, FieldAt>,
    /// Classes outside of the JDK whose initialisation the program takes for done, by their names.
    pub initialised: Vec<String>,
    /// The methods outside of the JDK, with their branches.
    pub methods: Vec<MethodCode>,
    /// The methods of unknown implementations: functions without a body.
    pub mocks: Vec<FunctionId>,
    /// What is not supported.
    pub diagnostics: Vec<Diagnostic>,
    /// Places where the JVM throws exceptions by itself, numbered from 1, if that was asked for.
    pub failures: Vec<Failure>,
    /// The variable that holds the number of the last such place control came to, 0 for none.
    pub last_failure: Option<GlobalId>,
}

impl Lowered {
    /// Whether a class is a subtype of another, both by their names.
    pub fn is_subtype(&self, one: &str, other: &str) -> bool {
        self.supertypes.get(one).is_some_and(|all| all.contains(other))
    }
}

impl Lowered {
    /// Whether a type is an interface or `Object`, whose implementations share no fields.
    pub fn has_no_fields(&self, class: &str) -> bool {
        class == world::OBJECT || self.interfaces.contains(class)
    }
}

/// What code of a subclass needs to know of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The types of the parameters of constructors that subclasses in the same package can call, and whether others can.
    pub constructors: Vec<(Vec<JavaType>, bool)>,
    /// Methods that subclasses in the same package may override, the inherited ones included.
    pub methods: Vec<Method>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldAt {
    /// Internal name of the class that declares it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: JavaType,
    /// Whether code of the same package can write it.
    pub is_writable: bool,
    /// Whether code of other packages can write it, too.
    pub is_public: bool,
}

/// The code of a method outside of the JDK.
#[derive(Clone, Debug)]
pub struct MethodCode {
    /// Its function.
    pub function: FunctionId,
    /// Internal name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its instructions.
    pub code: Code,
}

/// Why a method cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The class cannot be loaded.
    Class(String),
    /// The class has no such method; these are there.
    NoMethod(String, Vec<String>),
    /// Several methods have the name.
    Ambiguous(String, Vec<String>),
    /// The method has no body.
    NoCode(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Class(reason) => f.write_str(reason),
            Error::NoMethod(name, known) => write!(f, "no method `{name}`; there are: {}", known.join(", ")),
            Error::Ambiguous(name, known) => {
                write!(f, "several methods `{name}`; say which one with its descriptor: {}", known.join(", "))
            }
            Error::NoCode(name) => write!(f, "method `{name}` has no code of its own"),
        }
    }
}

impl std::error::Error for Error {}

/// Lowers a method of a class, given by its internal name; the method by its name, or by its name and descriptor.
///
/// # Errors
/// If there is no such class or method.
pub fn lower(path: &Rc<ClassPath>, sources: Vec<PathBuf>, class: &str, method: &str) -> Result<Lowered, Error> {
    lower_with(path, &Options { sources, ..Options::default() }, class, method)
}

/// How methods are lowered.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders of Java sources.
    pub sources: Vec<PathBuf>,
    /// Who knows static fields; then no class is initialised by the program itself.
    pub statics: Option<Rc<RefCell<dyn Statics>>>,
    /// Whether places are noted where the JVM throws exceptions by itself.
    pub failures: bool,
}

/// The same with options.
///
/// # Errors
/// If there is no such class or method.
pub fn lower_with(path: &Rc<ClassPath>, options: &Options, class: &str, method: &str) -> Result<Lowered, Error> {
    let mut lowering = Lowering::new(World::new(Rc::clone(path)), Sources::new(options.sources.clone()));
    lowering.shown_by.clone_from(&options.statics);
    if options.failures {
        lowering.note_failures();
    }
    lowering.world.load(world::OBJECT).map_err(Error::Class)?;
    let id = lowering.world.load(class).map_err(Error::Class)?;
    let data = lowering.world.get(id).class.clone();
    let declaration = choose(&data, method)?.clone();
    let (entry, function) = lowering.entry(id, &declaration);
    lowering.finish();
    // The names of its parameters are known now.
    let names: Vec<String> = lowering.program.functions[function].params.iter().map(|p| p.name.clone()).collect();
    let params = &mut lowering.program.functions[entry].params;
    let skipped = names.len() - params.len();
    params.iter_mut().zip(&names[skipped..]).for_each(|(param, name)| param.name.clone_from(name));
    Ok(lowered(lowering, entry, function, data, declaration))
}

fn lowered(
    lowering: Lowering,
    entry: FunctionId,
    method: FunctionId,
    class: Arc<Class>,
    declaration: Method,
) -> Lowered {
    let world = &lowering.world;
    let classes = world.ids().map(|id| (id.0, world.get(id).class.name.clone())).collect();
    let field = |((owner, name), offset): (&(world::ClassId, String), &u64)| {
        let data = &world.get(*owner).class;
        let field = data.fields.iter().find(|field| field.name == *name && !field.is_static)?;
        let is_writable = !field.is_private && !field.is_final;
        let is_public = is_writable && field.is_public && data.is_public;
        let (class, ty) = (data.name.clone(), field.ty.clone());
        Some((*offset, FieldAt { class, name: name.clone(), ty, is_writable, is_public }))
    };
    let fields = lowering.offsets.iter().filter_map(field).collect();
    let code = |(key, function): (&Key, &FunctionId)| {
        let Key::Method(owner, name, descriptor) = key else { return None };
        let data = world.get(*owner);
        (data.is_own && !lowering.program.models.contains(function)).then(|| MethodCode {
            function: *function,
            class: data.class.name.clone(),
            name: name.clone(),
            descriptor: descriptor.clone(),
            code: lowering.code.get(function).cloned().unwrap_or_default(),
        })
    };
    let methods = lowering.functions.iter().filter_map(code).collect();
    let diagnostics = lowering.diagnostics.clone();
    let mocks = lowering.functions.iter().filter(|(key, _)| matches!(key, Key::Mock(..)));
    let mocks = mocks.map(|(_, function)| *function).collect();
    let is_initialised = |data: &&world::Loaded| {
        lowering.shown_by.is_some() && data.is_own && data.class.method("<clinit>", "()V").is_some()
    };
    let initialised = world.ids().map(|id| world.get(id)).filter(is_initialised);
    let initialised = initialised.map(|data| data.class.name.clone()).collect();
    let result = lowering.result;
    let plain = world.ids().map(|id| &world.get(id).class).filter(|class| is_plain(class));
    let plain = plain.map(|class| class.name.clone()).collect();
    let named = world.ids().filter_map(|id| Some((world.get(id).class.name.clone(), world.is_named(id)?))).collect();
    let extensions = world.ids().filter_map(|id| extension(world, id)).collect();
    let compares_references = lowering.code.values().any(|code| code.compares_references);
    let interfaces = world.ids().map(|id| &world.get(id).class).filter(|class| class.is_interface);
    let interfaces = interfaces.map(|class| class.name.clone()).collect();
    let records = world.ids().map(|id| &world.get(id).class).filter(|class| is_record(class));
    let records = records.map(|class| (class.name.clone(), components(class))).collect();
    let supertypes = world.ids().map(|id| (world.get(id).class.name.clone(), world.supertypes(id))).collect();
    Lowered {
        plain,
        named,
        extensions,
        compares_references,
        interfaces,
        records,
        supertypes,
        entry,
        method,
        result,
        class,
        declaration,
        classes,
        fields,
        methods,
        mocks,
        initialised,
        diagnostics,
        last_failure: lowering.failures.as_ref().map(|failures| failures.last),
        failures: lowering.failures.map(|failures| failures.places).unwrap_or_default(),
        program: lowering.program,
    }
}

/// What code of a subclass needs, by the name of a class of which a subclass is unknown.
fn extension(world: &World, id: world::ClassId) -> Option<(String, Extension)> {
    let base = world.base_of_other(id)?;
    let class = &world.get(base).class;
    let is_constructor = |method: &&Method| method.name == "<init>" && !method.is_private;
    let constructors = class.methods.iter().filter(is_constructor).filter_map(|method| {
        let signature = Signature::parse(&method.descriptor)?;
        Some((signature.params, method.is_public || method.is_protected))
    });
    let (mut seen, mut methods) = (BTreeSet::new(), Vec::new());
    for owner in world.chain(base).into_iter().chain(world.above(base)) {
        for method in &world.get(owner).class.methods {
            let is_new = !method.name.starts_with('<') && seen.insert((&method.name, &method.descriptor));
            if is_new && !method.is_static && !method.is_private && !method.is_final {
                methods.push(method.clone());
            }
        }
    }
    Some((class.name.clone(), Extension { constructors: constructors.collect(), methods }))
}

/// The methods that a text names, such as `com.acme.Foo.bar`, `com.acme.Foo.bar(int,long)`, or `com.acme.Foo` for all with
/// code: the internal name of the class, and name and descriptor of the method.
///
/// # Errors
/// If there is no such class or method.
pub fn methods_named(path: &Rc<ClassPath>, text: &str) -> Result<Vec<(String, String)>, Error> {
    let mut world = World::new(Rc::clone(path));
    let (full, params) = text.split_once('(').map_or((text, None), |(name, rest)| (name, Some(format!("({rest}"))));
    if params.is_none()
        && let Some(class) = class_named(&mut world, full)
    {
        let methods = class.methods.iter().filter(|method| is_testable(&class, method));
        return Ok(methods.map(|method| (class.name.clone(), full_name(method))).collect());
    }
    let (class, method) = full.rsplit_once('.').unwrap_or(("", full));
    let class = class_named(&mut world, class)
        .ok_or_else(|| Error::Class(format!("no class `{class}` on the class path (for method `{text}`)")))?;
    let method = if method == class.name.rsplit(['/', '$']).next().unwrap_or_default() { "<init>" } else { method };
    let wanted = format!("{method}{}", params.unwrap_or_default());
    let chosen = choose(&class, &wanted)?;
    Ok(vec![(class.name.clone(), full_name(chosen))])
}

fn is_record(class: &Class) -> bool {
    class.superclass.as_deref() == Some("java/lang/Record")
}

fn components(class: &Class) -> Vec<(String, JavaType)> {
    let fields = class.fields.iter().filter(|field| !field.is_static);
    fields.map(|field| (field.name.clone(), field.ty.clone())).collect()
}

/// A method of a class: the internal name of the class, and name and descriptor of the method.
pub type MethodName = (String, String);

/// The methods outside of the JDK with code on a line of a source file; a lambda stands in a method of its own.
pub fn methods_on(path: &Rc<ClassPath>, entries: usize, file: &Path, line: u32) -> Vec<MethodName> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut found = Vec::new();
    for class in path.classes_of(entries) {
        let Ok((class, _)) = path.class(&class) else { continue };
        let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
        let is_there = file.parent().is_none_or(|folder| {
            let depth = Path::new(package).components().count();
            folder.as_os_str().is_empty() || folder.components().count() < depth || folder.ends_with(package)
        });
        if class.source != name || !is_there {
            continue;
        }
        let Ok(parsed) = path.code(&class) else { continue };
        let on_line = |method: &&Method| {
            parsed
                .lines(&method.name, &method.descriptor)
                .is_ok_and(|lines| lines.iter().any(|(_, other)| *other == line))
        };
        found.extend(class.methods.iter().filter(on_line).map(|method| (class.name.clone(), full_name(method))));
    }
    found
}

/// All methods with code of the first entries of a class path, and why classes cannot be read.
pub fn all_methods(path: &Rc<ClassPath>, entries: usize) -> (Vec<(String, String)>, Vec<String>) {
    let mut world = World::new(Rc::clone(path));
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    for name in path.classes_of(entries) {
        if name.ends_with("module-info") || name.ends_with("package-info") {
            continue;
        }
        match world.load(&name) {
            Ok(id) => {
                let class = &world.get(id).class;
                let methods = class.methods.iter().filter(|method| is_testable(class, method));
                found.extend(methods.map(|method| (name.clone(), full_name(method))));
            }
            Err(error) => broken.push(error),
        }
    }
    (found, broken)
}

/// Begins the names of methods that are preconditions of others: `clew$requires$` and the name of the method, `init` for a
/// constructor.
pub const REQUIRES: &str = "clew$requires$";

/// Begins the names of methods that call another one and assert its postconditions.
pub const ENSURES: &str = "clew$ensures$";

/// The methods that assert postconditions of methods.
pub fn contracts_of(path: &ClassPath, methods: &[MethodName]) -> Vec<MethodName> {
    let contract = |(class, method): &MethodName| {
        let (name, descriptor) = method.split_at(method.find('(')?);
        let params = descriptor.split_inclusive(')').next()?;
        let wanted = (format!("{ENSURES}{name}"), format!("{params}V"));
        let (class, _) = path.class(class).ok()?;
        class.method(&wanted.0, &wanted.1).map(|method| (class.name.clone(), full_name(method)))
    };
    methods.iter().filter_map(contract).collect()
}

/// Whether tests can call a method: the JVM alone makes the constants of an enumeration.
fn is_testable(class: &Class, method: &Method) -> bool {
    let makes_constants = class.is_enum && method.name == "<init>";
    let is_contract = method.name.starts_with(REQUIRES) || method.name.starts_with(ENSURES);
    !makes_constants
        && !is_contract
        && !method.is_abstract
        && !method.is_native
        && !method.is_synthetic
        && method.name != "<clinit>"
}

/// Whether `new C()` does nothing but make an object.
fn is_plain(class: &Class) -> bool {
    let constructor = class.method("<init>", "()V");
    let is_root = class.superclass.as_deref() == Some(world::OBJECT);
    let initialises = class.method("<clinit>", "()V").is_some();
    is_root
        && !class.is_abstract
        && !initialises
        && constructor.is_some_and(|m| m.is_plain_constructor && !m.is_private)
}

fn full_name(method: &Method) -> String {
    format!("{}{}", method.name, method.descriptor)
}

/// The class of a name as Java spells it: the last parts may be nested classes.
fn class_named(world: &mut World, name: &str) -> Option<Arc<Class>> {
    let mut internal = name.replace('.', "/");
    loop {
        if let Ok(id) = world.load(&internal) {
            return Some(world.get(id).class.clone());
        }
        let at = internal.rfind('/')?;
        internal.replace_range(at..=at, "$");
    }
}

/// The method that a name, or a name and a descriptor, means.
fn choose<'c>(class: &'c Class, wanted: &str) -> Result<&'c Method, Error> {
    let usable = class.methods.iter().filter(|method| method.name != "<clinit>");
    let named: Vec<&Method> = usable.clone().filter(|method| is_meant(method, wanted)).collect();
    match named[..] {
        [] => Err(Error::NoMethod(wanted.to_owned(), usable.map(full_name).collect())),
        [one] if one.is_abstract || one.is_native => Err(Error::NoCode(wanted.to_owned())),
        [one] => Ok(one),
        _ => Err(Error::Ambiguous(wanted.to_owned(), named.into_iter().map(full_name).collect())),
    }
}

/// Whether a text means a method: its name, with its descriptor or the types of its parameters where somebody says them.
fn is_meant(method: &Method, wanted: &str) -> bool {
    let Some(signature) = Signature::parse(&method.descriptor) else { return false };
    let types: Vec<String> = signature.params.iter().map(ToString::to_string).collect();
    let simple: Vec<&str> = types.iter().map(|ty| ty.rsplit('.').next().unwrap_or(ty)).collect();
    let spelled = wanted.replace(' ', "");
    method.name == wanted
        || full_name(method) == wanted
        || spelled == format!("{}({})", method.name, types.join(","))
        || spelled == format!("{}({})", method.name, simple.join(","))
}
