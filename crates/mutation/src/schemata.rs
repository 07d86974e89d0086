//! All mutants in one text.

use crate::mutant::{Form, Mutant, Mutants};
use clew_ir::source::wrap::{Wrap, wrapped};
use clew_ir::{Program, Span};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The variable that says which mutant is selected and how much work it may do, each as four bytes.
pub const CHOICE: &str = "__clew_choice";

/// The variable of the environment that selects a mutant by its number.
pub const SELECTED: &str = "CLEW_MUTANT";

/// The variable of the environment that names the file to which the original writes the places that it comes to.
pub const PLACES: &str = "CLEW_PLACES";

/// `O_WRONLY | O_CREAT | O_APPEND` of Linux.
const APPENDING: &str = "02101";

/// The texts of all units, with every mutant in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The texts, in the order of the units.
    pub texts: Vec<String>,
}

/// What a wrap is for.
enum Use<'m> {
    /// A place with its mutants.
    Place(Vec<&'m Mutant>),
    /// A condition, which counts as work.
    Work,
}

impl Mutants {
    /// The text of every unit; `None` where conditions are no whole expressions.
    pub fn texts(&self, program: &Program) -> Option<Rewritten> {
        self.texts_with(program, |is_first| self.prologue(is_first))
    }

    /// The same as texts that stand alone: the variable [`SELECTED`] of the environment selects a mutant, and without one
    /// the places that a run comes to are written to the file that [`PLACES`] names.
    pub fn selected_by_environment(&self, program: &Program) -> Option<Rewritten> {
        self.texts_with(program, |_| self.alone())
    }

    fn texts_with(&self, program: &Program, prologue: impl Fn(bool) -> String) -> Option<Rewritten> {
        let mut wraps: BTreeMap<(Span, Form), Use<'_>> = BTreeMap::new();
        for mutant in &self.list {
            let entry = wraps.entry((mutant.span, mutant.form)).or_insert_with(|| Use::Place(Vec::new()));
            if let Use::Place(mutants) = entry {
                mutants.push(mutant);
            }
        }
        let functions = program.functions.iter().filter(|(id, _)| !program.models.contains(id));
        let conditions = functions.flat_map(|(_, function)| function.conditions.values());
        let spans = conditions.map(|condition| condition.span).filter(|span| !span.is_none());
        let mut all: Vec<(Span, u8, Use<'_>)> = spans.map(|span| (span, 0, Use::Work)).collect();
        all.sort_by_key(|(span, ..)| *span);
        all.dedup_by_key(|(span, ..)| *span);
        all.extend(wraps.into_iter().map(|((span, form), mutants)| (span, 1 + form as u8, mutants)));
        all.sort_by_key(|(span, rank, _)| (span.start, Reverse(span.end), *rank));
        let texts = program.sources.units.iter().map(|(id, unit)| {
            let own = all.iter().filter(|(span, ..)| span.unit == id);
            let wraps = own.map(|(span, _, what)| wrap(*span, what)).collect();
            wrapped(unit, &prologue(id.index() == 0), wraps).ok()
        });
        Some(Rewritten { texts: texts.collect::<Option<_>>()? })
    }

    /// What texts begin with that stand alone. No headers: the texts have some already expanded.
    fn alone(&self) -> String {
        let bytes = self.list.len() + 1;
        format!(
            "# 1 \"<mutants>\"\n\
             extern char *getenv(const char *);\n\
             extern int open(const char *, int, ...);\n\
             extern int dprintf(int, const char *, ...);\n\
             static unsigned __clew_mutant;\n\
             static unsigned char __clew_seen[{bytes}];\n\
             __attribute__((constructor, unused)) static void __clew_begin(void) {{\n\
             \x20   const char *word = getenv(\"{SELECTED}\");\n\
             \x20   while (word && *word >= '0' && *word <= '9')\n\
             \x20       __clew_mutant = __clew_mutant * 10 + (unsigned)(*word++ - '0');\n}}\n\
             __attribute__((unused)) static void __clew_at(unsigned place) {{\n\
             \x20   static int file = -2;\n\
             \x20   if (__clew_mutant != 0 || __clew_seen[place]) return;\n\
             \x20   __clew_seen[place] = 1;\n\
             \x20   if (file == -2) file = getenv(\"{PLACES}\") ? open(getenv(\"{PLACES}\"), {APPENDING}, 0600) : -1;\n\
             \x20   if (file >= 0) dprintf(file, \"%u\\n\", place);\n}}\n\
             __attribute__((unused)) static int __clew_is(unsigned mutant) {{ return __clew_mutant == mutant; }}\n\
             __attribute__((unused)) static void __clew_count(void) {{}}\n"
        )
    }

    fn prologue(&self, is_first: bool) -> String {
        let bytes = self.list.len() + 1;
        let choice = if is_first {
            "__attribute__((visibility(\"default\"))) struct __clew_choice __clew_choice = { 0, 0xffffffffu };\n"
        } else {
            "extern struct __clew_choice __clew_choice;\n"
        };
        format!(
            "# 1 \"<mutants>\"\n\
             struct __clew_choice {{ unsigned mutant, most; }};\n{choice}\
             extern int __clew_condition(unsigned, int);\n\
             static unsigned __clew_work;\n\
             static unsigned char __clew_seen[{bytes}];\n\
             static void __clew_at(unsigned place) {{\n\
             \x20   if (__clew_choice.mutant == 0 && !__clew_seen[place]) {{\n\
             \x20       __clew_seen[place] = 1;\n\
             \x20       __clew_condition(place, 0);\n    }}\n}}\n\
             static int __clew_is(unsigned mutant) {{ return __clew_choice.mutant == mutant; }}\n\
             static void __clew_count(void) {{ if (++__clew_work > __clew_choice.most) __builtin_trap(); }}\n"
        )
    }
}

fn wrap(span: Span, what: &Use<'_>) -> Wrap {
    let (before, after) = match what {
        Use::Work => ("(__clew_count(), (".to_owned(), "))".to_owned()),
        Use::Place(mutants) => around(mutants),
    };
    Wrap { start: span.start, end: span.end, before, after }
}

fn around(mutants: &[&Mutant]) -> (String, String) {
    let first = mutants[0];
    let place = first.place;
    let chosen = |mutant: &&Mutant| format!("__clew_is({}u) ? ({}) : ", mutant.number, mutant.code);
    let chosen: String = mutants.iter().map(chosen).collect();
    match first.form {
        Form::Statement => (format!("{{ __clew_at({place}u); if (!__clew_is({}u)) ", first.number), " }".to_owned()),
        Form::Effect => {
            (format!("(__clew_at({place}u), __clew_is({}u) ? (void)0 : (void)(", first.number), "))".to_owned())
        }
        Form::Truth => (format!("(__clew_at({place}u), {chosen}!!("), "))".to_owned()),
        Form::Value => (format!("(__clew_at({place}u), {chosen}("), "))".to_owned()),
    }
}

impl Mutant {
    /// The text of its unit with this change alone.
    pub fn alone(&self, program: &Program) -> Option<String> {
        let text = &program.sources.units.get(self.span.unit)?.text;
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let code = match self.form {
            Form::Statement => ";".to_owned(),
            Form::Effect => "(void)0".to_owned(),
            Form::Truth | Form::Value => format!("({})", self.code),
        };
        Some(format!("{}{code}{}", text.get(..start)?, text.get(end..)?))
    }
}
