//! The classes a program uses, loaded by need, and what follows from their hierarchy.
//!
//! Every loaded class has a number, which is what the header of its objects holds; 0 is no class. Arrays are classes too,
//! and so is the unknown implementation of a type ([`World::load_other`]): an object of a class that is on no class path.

use crate::class::{Class, Field, Malformed, Method, Parsed};
use crate::descriptor::JavaType;
use crate::path::ClassPath;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The number of a loaded class, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassId(pub u32);

/// The root of all classes.
pub(crate) const OBJECT: &str = "java/lang/Object";

/// Ends the names of unknown implementations; no class of Java has it.
const OTHER: &str = "#other";

/// Part of the names of the classes of lambdas.
pub(crate) const LAMBDA: &str = "$$Lambda/";

/// Begins the names of the classes of primitive types, which have no objects but one of `Class`.
pub(crate) const PRIMITIVE: &str = "#";

/// A class in use.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// What its file says.
    pub class: Arc<Class>,
    /// Whether it is outside of the JDK.
    pub is_own: bool,
    /// All classes and interfaces it is a subtype of, itself included.
    supertypes: BTreeSet<ClassId>,
}

impl Loaded {
    /// Whether it stands for an implementation that is on no class path.
    pub(crate) fn is_other(&self) -> bool {
        self.class.name.ends_with(OTHER)
    }

    /// Whether its objects are functions that code makes, which no input holds.
    pub(crate) fn is_lambda(&self) -> bool {
        self.class.name.contains(LAMBDA)
    }

    /// Whether objects of just this class exist.
    pub(crate) fn is_concrete(&self) -> bool {
        !self.class.is_abstract
    }
}

/// All classes in use, and where others are found.
#[derive(Debug)]
pub(crate) struct World {
    path: Rc<ClassPath>,
    classes: Vec<Loaded>,
    by_name: BTreeMap<String, Result<ClassId, String>>,
    /// Classes being loaded, against hierarchies with a cycle.
    loading: Vec<String>,
}

impl World {
    /// A world without classes.
    pub(crate) fn new(path: Rc<ClassPath>) -> World {
        World { path, classes: Vec::new(), by_name: BTreeMap::new(), loading: Vec::new() }
    }

    /// The code of the methods of a class.
    ///
    /// # Errors
    /// If it is malformed.
    pub(crate) fn code(&self, id: ClassId) -> Result<Rc<Parsed>, Malformed> {
        self.path.code(&self.get(id).class)
    }

    /// The class of a number.
    pub(crate) fn get(&self, id: ClassId) -> &Loaded {
        &self.classes[id.0 as usize - 1]
    }

    /// All loaded classes in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (1..=self.classes.len() as u32).map(ClassId)
    }

    /// The class of an internal name, or of the descriptor of an array, if it is loaded.
    pub(crate) fn loaded(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name)?.as_ref().ok().copied()
    }

    /// Loads a class and its supertypes.
    ///
    /// # Errors
    /// Why it cannot be loaded.
    pub(crate) fn load(&mut self, name: &str) -> Result<ClassId, String> {
        if let Some(known) = self.by_name.get(name) {
            return known.clone();
        }
        if self.loading.iter().any(|other| other == name) {
            return Err(format!("class {name} is a superclass of itself"));
        }
        self.loading.push(name.to_owned());
        let result = self.load_new(name);
        self.loading.pop();
        self.by_name.insert(name.to_owned(), result.clone());
        result
    }

    fn load_new(&mut self, name: &str) -> Result<ClassId, String> {
        if name.starts_with('[') {
            return self.load_array(name);
        }
        if name.starts_with(PRIMITIVE) {
            return self.add(Class::made(name, OBJECT, Vec::new()), false);
        }
        if let Some(of) = name.strip_suffix(OTHER) {
            let of = self.load(of)?;
            let base = &self.get(of).class;
            let (superclass, interfaces) =
                if base.is_interface { (OBJECT, vec![base.name.clone()]) } else { (base.name.as_str(), Vec::new()) };
            let made = Class::made(name, superclass, interfaces);
            return self.add(made, false);
        }
        let (class, is_own) = self.path.class(name)?;
        self.add(class, is_own)
    }

    /// An array is a class without fields; one of references is a subtype of the arrays of supertypes that are loaded.
    fn load_array(&mut self, name: &str) -> Result<ClassId, String> {
        let element = JavaType::parse(&name[1..]).ok_or_else(|| format!("`{name}` is no type"))?;
        let mut supers = vec!["java/lang/Cloneable".to_owned(), "java/io/Serializable".to_owned()];
        if element.is_reference() {
            let id = self.load(&element.class_name())?;
            let above: Vec<ClassId> = self.get(id).supertypes.iter().copied().filter(|other| *other != id).collect();
            for other in above {
                let of = JavaType::of_class_constant(&self.get(other).class.name);
                supers.push(JavaType::Array(Box::new(of)).descriptor());
            }
        }
        self.add(Class::made(name, OBJECT, supers), false)
    }

    /// The class of objects that implement a type in a way nobody knows.
    ///
    /// # Errors
    /// Why the type cannot be loaded.
    pub(crate) fn load_other(&mut self, name: &str) -> Result<ClassId, String> {
        self.load(&format!("{name}{OTHER}"))
    }

    /// Adds a class that is in no file.
    ///
    /// # Errors
    /// Why its supertypes cannot be loaded.
    pub(crate) fn make(&mut self, class: Class) -> Result<ClassId, String> {
        let name = class.name.clone();
        let result = self.add(class, false);
        self.by_name.insert(name, result.clone());
        result
    }

    fn add(&mut self, class: impl Into<Arc<Class>>, is_own: bool) -> Result<ClassId, String> {
        let class = class.into();
        let mut supertypes = BTreeSet::new();
        for name in class.superclass.iter().chain(&class.interfaces) {
            let id = self.load(name)?;
            supertypes.extend(self.get(id).supertypes.iter().copied());
        }
        let id = ClassId(self.classes.len() as u32 + 1);
        supertypes.insert(id);
        self.classes.push(Loaded { class, is_own, supertypes });
        Ok(id)
    }

    /// The class, no interface, of which a class is the unknown subclass.
    pub(crate) fn base_of_other(&self, id: ClassId) -> Option<ClassId> {
        let base = self.loaded(self.get(id).class.name.strip_suffix(OTHER)?)?;
        (!self.get(base).class.is_interface).then_some(base)
    }

    /// All supertypes of a class, itself included.
    pub(crate) fn above(&self, id: ClassId) -> Vec<ClassId> {
        self.get(id).supertypes.iter().copied().collect()
    }

    /// Whether code of other packages can name a class; `None` if not even code of its own package can.
    pub(crate) fn is_named(&self, id: ClassId) -> Option<bool> {
        let name = &self.get(id).class.name;
        if name.contains(['#', '[']) { None } else { self.is_named_class(&self.get(id).class) }
    }

    fn is_named_class(&self, class: &Class) -> Option<bool> {
        let Some(nested) = &class.nested else { return Some(class.is_public) };
        let (outer, is_public) = nested.outer.as_ref()?;
        let (outer, _) = self.path.class(outer).ok()?;
        self.is_named_class(&outer).map(|around| around && *is_public)
    }

    /// Whether one class is a subtype of another.
    pub(crate) fn is_subtype(&self, one: ClassId, other: ClassId) -> bool {
        self.get(one).supertypes.contains(&other)
    }

    /// Names of all supertypes of a class, itself included.
    pub(crate) fn supertypes(&self, id: ClassId) -> BTreeSet<String> {
        self.get(id).supertypes.iter().map(|id| self.get(*id).class.name.clone()).collect()
    }

    /// Loaded classes that have objects and are subtypes of a class.
    pub(crate) fn concrete_subtypes(&self, id: ClassId) -> Vec<ClassId> {
        self.ids().filter(|other| self.is_subtype(*other, id) && self.get(*other).is_concrete()).collect()
    }

    /// Loads the subtypes of a type that the class path has outside of the JDK, itself excluded.
    pub(crate) fn load_own_subtypes(&mut self, name: &str) {
        let path = Rc::clone(&self.path);
        let children = path.children();
        let (mut found, mut work) = (BTreeSet::new(), vec![name]);
        while let Some(next) = work.pop() {
            for child in children.get(next).into_iter().flatten() {
                if found.insert(child.clone()) {
                    work.push(child);
                }
            }
        }
        for child in found {
            // What cannot be loaded has no objects here.
            let _ = self.load(&child);
        }
    }

    /// The chain of superclasses, beginning with the class itself.
    pub(crate) fn chain(&self, id: ClassId) -> Vec<ClassId> {
        let next = |id: &ClassId| self.get(*id).class.superclass.as_deref().and_then(|name| self.loaded(name));
        std::iter::successors(Some(id), next).collect()
    }

    /// The field that a reference to a field means, and the class that declares it.
    pub(crate) fn field(&self, id: ClassId, name: &str, descriptor: &str) -> Option<(ClassId, &Field)> {
        let all = self.chain(id).into_iter().chain(self.get(id).supertypes.iter().copied());
        all.into_iter().find_map(|class| {
            let mut fields = self.get(class).class.fields.iter();
            Some((class, fields.find(|field| field.name == name && field.ty.descriptor() == descriptor)?))
        })
    }

    /// The method that a reference to a method means, and the class that declares it.
    pub(crate) fn method(&self, id: ClassId, name: &str, descriptor: &str) -> Option<(ClassId, &Method)> {
        let declared = |class: ClassId| Some((class, self.get(class).class.method(name, descriptor)?));
        let own = self.chain(id).into_iter().find_map(declared);
        let inherited = || {
            let above = self.get(id).supertypes.iter().copied().filter_map(declared).collect::<Vec<_>>();
            self.most_specific(&above).or_else(|| above.first().copied())
        };
        let object = || declared(self.loaded(OBJECT)?);
        own.or_else(inherited).or_else(object)
    }

    /// The method with a body that a virtual call on an object of a class runs.
    pub(crate) fn select(&self, id: ClassId, name: &str, descriptor: &str) -> Option<(ClassId, &Method)> {
        let declared = |class: ClassId| {
            let method = self.get(class).class.method(name, descriptor)?;
            (!method.is_static && !method.is_private).then_some((class, method))
        };
        if let Some(found) = self.chain(id).into_iter().find_map(declared) {
            return (!found.1.is_abstract).then_some(found);
        }
        let above = self.get(id).supertypes.iter().copied().filter_map(declared).collect::<Vec<_>>();
        self.most_specific(&above)
    }

    /// The default method that no other one overrides.
    fn most_specific<'a>(&self, methods: &[(ClassId, &'a Method)]) -> Option<(ClassId, &'a Method)> {
        let overridden =
            |class: ClassId| methods.iter().any(|(other, _)| *other != class && self.is_subtype(*other, class));
        methods.iter().copied().find(|(class, method)| !method.is_abstract && !overridden(*class))
    }
}
