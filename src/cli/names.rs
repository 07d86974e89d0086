//! Values of options that the engine has a list of: their names, and what the help says of them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clew_emit::Framework;
use clew_jvm::junit::framework::Framework as JavaFramework;
use clew_report::interchange::Form;

/// Reads the name of a test framework.
pub(super) fn framework() -> impl TypedValueParser<Value = Framework> {
    let value = |framework: Framework| {
        PossibleValue::new(framework.name()).aliases(framework.alias()).help(framework.description())
    };
    PossibleValuesParser::new(Framework::ALL.map(value)).try_map(|name| {
        let is_named = |framework: &Framework| framework.name() == name || framework.alias() == Some(&name);
        Framework::ALL.into_iter().find(is_named).ok_or("not the name of a framework")
    })
}

/// A test framework, for C or for Java.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmitName {
    /// One for functions of C.
    C(Framework),
    /// One for methods of Java.
    Java(JavaFramework),
}

impl EmitName {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EmitName::C(framework) => framework.name(),
            EmitName::Java(framework) => framework.name(),
        }
    }
}

/// Reads the name of a test framework for C or for Java.
pub(super) fn emit() -> impl TypedValueParser<Value = EmitName> {
    let for_c = Framework::ALL
        .map(|framework| PossibleValue::new(framework.name()).aliases(framework.alias()).help(framework.description()));
    let for_java =
        JavaFramework::ALL.map(|framework| PossibleValue::new(framework.name()).help(framework.description()));
    PossibleValuesParser::new(for_c.into_iter().chain(for_java)).try_map(|name| {
        let is_named = |framework: &Framework| framework.name() == name || framework.alias() == Some(&name);
        let for_c = Framework::ALL.into_iter().find(is_named).map(EmitName::C);
        let for_java = JavaFramework::ALL.into_iter().find(|framework| framework.name() == name).map(EmitName::Java);
        for_c.or(for_java).ok_or("not the name of a framework")
    })
}

/// Reads the name of a format of another tool.
pub(super) fn form() -> impl TypedValueParser<Value = Form> {
    let value = |form: Form| PossibleValue::new(form.name()).help(form.description());
    PossibleValuesParser::new(Form::ALL.map(value))
        .try_map(|name| Form::ALL.into_iter().find(|form| form.name() == name).ok_or("not the name of a format"))
}
