//! Values of options that the engine has a list of: their names, and what the help says of them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clew_emit::Framework;
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

/// Reads the name of a format of another tool.
pub(super) fn form() -> impl TypedValueParser<Value = Form> {
    let value = |form: Form| PossibleValue::new(form.name()).help(form.description());
    PossibleValuesParser::new(Form::ALL.map(value))
        .try_map(|name| Form::ALL.into_iter().find(|form| form.name() == name).ok_or("not the name of a format"))
}
