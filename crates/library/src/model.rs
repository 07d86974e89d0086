//! Models: functions of the C library written in C.
//!
//! The files in `models/` hold one model per function, each under a line `//= name`; helpers of models begin with
//! `clew_`. The model of an alias is the model of the function under the other name. Native execution calls the real
//! functions, so models do exactly what the GNU C library does in the "C" locale.

use crate::{How, functions};
use std::collections::{BTreeMap, BTreeSet};

/// The models, by file.
const FILES: [&str; 6] = [
    include_str!("models/string.c"),
    include_str!("models/memory.c"),
    include_str!("models/ctype.c"),
    include_str!("models/stdlib.c"),
    include_str!("models/wide.c"),
    include_str!("models/stdio.c"),
];

/// Declarations that all models may rely on: functions that the engine runs itself.
pub const PRELUDE: &str = include_str!("models/prelude.c");

/// The texts of all models.
#[derive(Clone, Debug)]
pub struct Models {
    sections: BTreeMap<&'static str, &'static str>,
    /// Aliases with the names of the models that they have.
    aliases: BTreeMap<String, &'static str>,
}

/// All models.
pub fn models() -> Models {
    let parts = FILES.iter().flat_map(|file| file.split("\n//= ").skip(1));
    let sections: BTreeMap<_, _> = parts.map(|part| part.split_once('\n').expect("a model follows its name")).collect();
    let modelled = functions().filter(|row| row.how == How::Model);
    let aliases = modelled.flat_map(|row| row.names().into_iter().map(move |name| (name, row.name)));
    let aliases = aliases.filter(|(name, own)| name != own).collect();
    Models { sections, aliases }
}

impl Models {
    /// Whether a function has a model.
    pub fn contains(&self, name: &str) -> bool {
        self.sections.contains_key(name) || self.aliases.contains_key(name)
    }

    /// The names under which models stand in the files.
    pub fn sections(&self) -> impl Iterator<Item = &'static str> {
        self.sections.keys().copied()
    }

    /// The models of some functions, with all they call, as C text without the prelude. A function for which `skip` holds
    /// gets no model; it is only declared.
    pub fn text(&self, wanted: &[&str], skip: &dyn Fn(&str) -> bool) -> String {
        let (mut needed, mut declared) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        while let Some(name) = open.pop() {
            let Some(text) = self.model(&name) else { continue };
            declared.insert(name.clone());
            if !skip(&name) && needed.insert(name) {
                open.extend(identifiers(&text).map(str::to_owned));
            }
        }
        if needed.is_empty() {
            return String::new();
        }
        let prototypes = declared.iter().filter_map(|name| prototype(name, &self.model(name)?));
        let definitions = needed.iter().filter_map(|name| self.model(name));
        prototypes.chain(definitions).collect()
    }

    /// The text of one model.
    fn model(&self, name: &str) -> Option<String> {
        if let Some(text) = self.sections.get(name) {
            return Some((*text).to_owned());
        }
        let own = self.aliases.get(name)?;
        Some(renamed(self.sections.get(own)?, own, name))
    }
}

/// The declaration of a function that a text defines.
fn prototype(name: &str, text: &str) -> Option<String> {
    let call = format!("{name}(");
    let is_head = |line: &&str| !line.starts_with(char::is_whitespace) && line.contains(&call);
    let line = text.lines().find(is_head)?;
    let start = text.find(line)?;
    let head = text[start..].split('{').next()?;
    Some(format!("{};\n", head.trim_end()))
}

/// A text with another name in the place of a function's.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + from.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(&rest[..at]);
        out.push_str(if is_word(before) || is_word(after) { from } else { to });
        rest = &rest[at + from.len()..];
    }
    out + rest
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::models;

    #[test]
    fn models_bring_what_they_call() {
        let text = models().text(&["strspn"], &|_| false);
        for part in ["size_t strspn(const char *s, const char *accept);", "char *strchr(const char *s, int wanted) {"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        let text = models().text(&["strspn"], &|name| name == "strlen");
        assert!(text.contains("size_t strlen(const char *s);") && !text.contains("size_t strlen(const char *s) {"));
        assert_eq!(models().text(&["strlen"], &|_| true), "");
    }

    #[test]
    fn aliases_have_the_model_under_their_name() {
        let text = models().text(&["index"], &|_| false);
        assert!(text.contains("char *index(const char *s, int wanted) {") && !text.contains("strchr"), "{text}");
    }
}
