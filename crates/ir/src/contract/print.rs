//! Contracts written back as ACSL.
//!
//! What is printed means the same as what was read, not the same letters: definitions are unfolded, names are those of
//! the program, `\old(x)` is `\at(x, Pre)`. Conversions between sorts are implicit in ACSL and are not shown.
//! A bound variable gets a number behind its name where the name would capture another. Parentheses follow ACSL's precedence, in which comparisons bind tighter than `&`, `^` and `|`.

use super::visit::Node;
use super::{
    Access, Assigned, Assigns, BinaryOp, Binder, Builtin, Clause, CompareOp, Contract, FloatClass, Fold, Label, Place,
    PlaceKind, Predicate, Quantifier, Sort, Term, TermKind, UnaryOp, Variable,
};
use crate::ctype::{CType, CTypeId, CTypes};
use crate::function::Function;
use crate::program::Program;
use std::collections::BTreeSet;

/// How tightly a piece of text holds together, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Binding,
    Conditional,
    Iff,
    Implies,
    Or,
    Xor,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Compare,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// Writes the terms of one function.
#[derive(Clone, Debug)]
pub struct Printer<'a> {
    program: &'a Program,
    function: &'a Function,
    /// Numbers of the variables of the clause being printed whose names would capture others.
    captures: BTreeSet<u32>,
}

impl<'a> Printer<'a> {
    /// A printer for what is said of `function`.
    pub fn new(program: &'a Program, function: &'a Function) -> Printer<'a> {
        Printer { program, function, captures: BTreeSet::new() }
    }

    /// The clauses of a contract, one per line, without comment marks.
    pub fn contract(&self, contract: &Contract) -> String {
        let mut lines = self.clauses("requires", &contract.requires);
        lines.extend(contract.assigns.as_ref().map(|assigns| self.assigns(assigns)));
        lines.extend(self.clauses("ensures", &contract.ensures));
        for behavior in &contract.behaviors {
            lines.push(format!("behavior {}:", behavior.name));
            let mut inner = self.clauses("assumes", &behavior.assumes);
            inner.extend(self.clauses("requires", &behavior.requires));
            inner.extend(behavior.assigns.as_ref().map(|assigns| self.assigns(assigns)));
            inner.extend(self.clauses("ensures", &behavior.ensures));
            lines.extend(inner.iter().map(|line| format!("  {line}")));
        }
        lines.extend(contract.complete.iter().map(|set| format!("complete behaviors {};", set.names.join(", "))));
        lines.extend(contract.disjoint.iter().map(|set| format!("disjoint behaviors {};", set.names.join(", "))));
        lines.join("\n")
    }

    fn clauses(&self, word: &str, clauses: &[Clause]) -> Vec<String> {
        clauses.iter().map(|clause| format!("{word} {};", self.clause(clause))).collect()
    }

    /// A clause without its keyword.
    pub fn clause(&self, clause: &Clause) -> String {
        let text = self.predicate(&clause.predicate);
        match &clause.name {
            Some(name) => format!("{name}: {text}"),
            None => text,
        }
    }

    fn assigns(&self, assigns: &Assigns) -> String {
        let one = |assigned: &Assigned| {
            let place = self.place(&assigned.place);
            match &assigned.from {
                None => place,
                Some(from) => format!("{place} \\from {}", self.places(from)),
            }
        };
        match assigns.places.as_slice() {
            [] => "assigns \\nothing;".to_owned(),
            places => format!("assigns {};", places.iter().map(one).collect::<Vec<_>>().join(", ")),
        }
    }

    fn places(&self, places: &[Place]) -> String {
        match places {
            [] => "\\nothing".to_owned(),
            places => places.iter().map(|place| self.place(place)).collect::<Vec<_>>().join(", "),
        }
    }

    /// A predicate.
    pub fn predicate(&self, predicate: &Predicate) -> String {
        self.knowing(Node::Predicate(predicate)).whole_predicate(predicate)
    }

    /// A term.
    pub fn term(&self, term: &Term) -> String {
        self.knowing(Node::Term(term)).whole_term(term)
    }

    /// A place.
    pub fn place(&self, place: &Place) -> String {
        self.knowing(Node::Place(place)).place_text(place).1
    }

    /// A printer that knows which names of a clause need numbers.
    fn knowing(&self, clause: Node<'_>) -> Printer<'a> {
        let mut printer = Printer::new(self.program, self.function);
        printer.find_captures(clause, &mut Vec::new());
        printer
    }

    fn find_captures<'n>(&mut self, node: Node<'n>, scope: &mut Vec<&'n str>) {
        let outside = scope.len();
        for variable in bound_by(node) {
            if scope.contains(&variable.name.as_str()) || self.is_program_name(&variable.name) {
                self.captures.insert(variable.number);
            }
            scope.push(&variable.name);
        }
        for part in node.parts() {
            self.find_captures(part, scope);
        }
        scope.truncate(outside);
    }

    fn is_program_name(&self, name: &str) -> bool {
        self.function.params.iter().any(|param| param.name == name)
            || self.function.locals.values().any(|local| local.name == name)
            || self.program.globals.values().any(|global| global.name == name)
    }

    fn variable(&self, variable: &Variable) -> String {
        if self.captures.contains(&variable.number) {
            format!("{}_{}", variable.name, variable.number)
        } else {
            variable.name.clone()
        }
    }

    fn whole_predicate(&self, predicate: &Predicate) -> String {
        self.predicate_at(predicate, Level::Binding)
    }

    fn whole_term(&self, term: &Term) -> String {
        self.term_at(term, Level::Binding)
    }

    fn predicate_at(&self, predicate: &Predicate, outer: Level) -> String {
        let (level, text) = match predicate {
            Predicate::Const(true) => (Level::Postfix, "\\true".to_owned()),
            Predicate::Const(false) => (Level::Postfix, "\\false".to_owned()),
            Predicate::Compare { op, a, b } => (Level::Compare, self.compare(*op, a, b)),
            Predicate::CompareFloat { op, a, b } => (Level::Postfix, self.compare_float(*op, a, b)),
            Predicate::Class { class, a } => {
                (Level::Postfix, format!("{}({})", class_word(*class), self.whole_term(a)))
            }
            Predicate::Not(a) => (Level::Unary, format!("!{}", self.predicate_at(a, Level::Unary))),
            Predicate::And(parts) => (Level::And, self.conjunction(parts)),
            Predicate::Or(parts) => (Level::Or, self.joined(parts, " || ", Level::Xor, "\\false")),
            Predicate::Xor(a, b) => (Level::Xor, self.infix(a, "^^", b, Level::And, Level::And)),
            Predicate::Implies(a, b) => (Level::Implies, self.infix(a, "==>", b, Level::Or, Level::Implies)),
            Predicate::Iff(a, b) => (Level::Iff, self.infix(a, "<==>", b, Level::Implies, Level::Implies)),
            Predicate::If { condition, then, otherwise } => {
                let parts = [condition, then, otherwise].map(|part| self.predicate_at(part, Level::Iff));
                (Level::Conditional, format!("{} ? {} : {}", parts[0], parts[1], parts[2]))
            }
            Predicate::Quantified { quantifier, binders, body } => {
                (Level::Binding, format!("{} {}", self.quantifier(*quantifier, binders), self.whole_predicate(body)))
            }
            Predicate::Let { variable, value, body } => {
                let value = self.term_at(value, Level::Conditional);
                (Level::Binding, format!("\\let {} = {value}; {}", self.variable(variable), self.whole_predicate(body)))
            }
            Predicate::At(a, label) => {
                (Level::Postfix, format!("\\at({}, {})", self.whole_predicate(a), label_word(label)))
            }
            Predicate::Memory { access, pointer } => {
                (Level::Postfix, format!("{}({})", access_word(*access), self.whole_term(pointer)))
            }
            Predicate::Separated(pointers) => (Level::Postfix, format!("\\separated({})", self.terms(pointers))),
        };
        parenthesized(text, level, outer)
    }

    fn infix(&self, a: &Predicate, word: &str, b: &Predicate, left: Level, right: Level) -> String {
        format!("{} {word} {}", self.predicate_at(a, left), self.predicate_at(b, right))
    }

    fn joined(&self, parts: &[Predicate], word: &str, level: Level, empty: &str) -> String {
        match parts {
            [] => empty.to_owned(),
            parts => parts.iter().map(|part| self.predicate_at(part, level)).collect::<Vec<_>>().join(word),
        }
    }

    fn compare(&self, op: CompareOp, a: &Term, b: &Term) -> String {
        format!("{} {} {}", self.term_at(a, Level::Shift), compare_word(op), self.term_at(b, Level::Shift))
    }

    fn compare_float(&self, op: CompareOp, a: &Term, b: &Term) -> String {
        let name = match op {
            CompareOp::Eq => "eq",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        };
        let is_float = matches!(a.sort, Sort::C(ty) if self.spell(ty, "") == "float");
        format!(
            "\\{name}_{}({}, {})",
            if is_float { "float" } else { "double" },
            self.whole_term(a),
            self.whole_term(b)
        )
    }

    /// A conjunction, with `a <= b && b < c` written as `a <= b < c`.
    fn conjunction(&self, parts: &[Predicate]) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut last: Option<(CompareOp, &Term)> = None;
        for part in parts {
            match (part, last) {
                (Predicate::Compare { op, a, b }, Some((before, middle))) if middle == a && chains(before, *op) => {
                    let more = format!(" {} {}", compare_word(*op), self.term_at(b, Level::Shift));
                    texts.last_mut().expect("the chain has a beginning").push_str(&more);
                }
                _ => texts.push(self.predicate_at(part, Level::BitOr)),
            }
            last = match part {
                Predicate::Compare { op, b, .. } => Some((*op, b)),
                _ => None,
            };
        }
        if texts.is_empty() { "\\true".to_owned() } else { texts.join(" && ") }
    }

    fn quantifier(&self, quantifier: Quantifier, binders: &[Binder]) -> String {
        let word = match quantifier {
            Quantifier::ForAll => "\\forall",
            Quantifier::Exists => "\\exists",
        };
        let one = |binder: &Binder| self.declared(&binder.variable.sort, &self.variable(&binder.variable));
        format!("{word} {};", binders.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    fn declared(&self, sort: &Sort, name: &str) -> String {
        match sort {
            Sort::Integer => format!("integer {name}"),
            Sort::Real => format!("real {name}"),
            Sort::C(ty) => self.spell(*ty, name),
        }
    }

    fn spell(&self, ty: CTypeId, name: &str) -> String {
        spell(&self.program.ctypes, ty, name)
    }

    fn terms(&self, terms: &[Term]) -> String {
        terms.iter().map(|term| self.whole_term(term)).collect::<Vec<_>>().join(", ")
    }

    fn term_at(&self, term: &Term, outer: Level) -> String {
        let (level, text) = match &term.kind {
            TermKind::Integer(value) if *value < 0 => (Level::Unary, value.to_string()),
            TermKind::Integer(value) => (Level::Postfix, value.to_string()),
            TermKind::Real(digits) => (Level::Postfix, digits.clone()),
            TermKind::Variable(variable) => (Level::Postfix, self.variable(variable)),
            TermKind::Value(place) => self.place_text(place),
            TermKind::Address(place) => self.address(place, term.sort),
            TermKind::Null => (Level::Postfix, "\\null".to_owned()),
            TermKind::Convert(a) => return self.term_at(a, outer),
            TermKind::Cast(a) => (Level::Unary, self.cast(term.sort, a)),
            TermKind::Unary(UnaryOp::Neg, a) => (Level::Unary, format!("-{}", self.term_at(a, Level::Postfix))),
            TermKind::Unary(UnaryOp::BitNot, a) => (Level::Unary, format!("~{}", self.term_at(a, Level::Unary))),
            TermKind::Binary(op, a, b) => self.binary(*op, a, b),
            TermKind::Offset(a, b) => self.binary(BinaryOp::Add, a, b),
            TermKind::Distance(a, b) => self.binary(BinaryOp::Sub, a, b),
            TermKind::Range { low, high } => (Level::Postfix, format!("({})", self.range(low, high))),
            TermKind::If { condition, then, otherwise } => {
                let condition = self.predicate_at(condition, Level::Iff);
                let [then, otherwise] = [then, otherwise].map(|part| self.term_at(part, Level::Iff));
                (Level::Conditional, format!("{condition} ? {then} : {otherwise}"))
            }
            TermKind::Truth(a) => return self.predicate_at(a, outer),
            TermKind::Let { variable, value, body } => {
                let value = self.term_at(value, Level::Conditional);
                (Level::Binding, format!("\\let {} = {value}; {}", self.variable(variable), self.whole_term(body)))
            }
            TermKind::At(a, label) => (Level::Postfix, format!("\\at({}, {})", self.whole_term(a), label_word(label))),
            TermKind::Call(builtin, args) => {
                (Level::Postfix, format!("{}({})", builtin_word(*builtin), self.terms(args)))
            }
            TermKind::Fold { fold, variable, low, high, body } => {
                let bounds = format!("{}, {}", self.whole_term(low), self.whole_term(high));
                let function = format!("\\lambda integer {}; {}", self.variable(variable), self.whole_term(body));
                (Level::Postfix, format!("{}({bounds}, {function})", fold_word(*fold)))
            }
        };
        parenthesized(text, level, outer)
    }

    fn cast(&self, sort: Sort, a: &Term) -> String {
        format!("({}){}", self.declared(&sort, "").trim_end(), self.term_at(a, Level::Unary))
    }

    fn binary(&self, op: BinaryOp, a: &Term, b: &Term) -> (Level, String) {
        let (word, level, right) = match op {
            BinaryOp::Add => ("+", Level::Sum, Level::Product),
            BinaryOp::Sub => ("-", Level::Sum, Level::Product),
            BinaryOp::Mul => ("*", Level::Product, Level::Unary),
            BinaryOp::Div => ("/", Level::Product, Level::Unary),
            BinaryOp::Rem => ("%", Level::Product, Level::Unary),
            BinaryOp::Shl => ("<<", Level::Shift, Level::Sum),
            BinaryOp::Shr => (">>", Level::Shift, Level::Sum),
            BinaryOp::BitAnd => ("&", Level::BitAnd, Level::Compare),
            BinaryOp::BitXor => ("^", Level::BitXor, Level::BitAnd),
            BinaryOp::BitOr => ("|", Level::BitOr, Level::BitXor),
        };
        (level, format!("{} {word} {}", self.term_at(a, level), self.term_at(b, right)))
    }

    fn range(&self, low: &Option<Box<Term>>, high: &Option<Box<Term>>) -> String {
        let bound = |bound: &Option<Box<Term>>| bound.as_ref().map(|term| self.term_at(term, Level::Shift));
        let (low, high) = (bound(low), bound(high));
        format!("{} .. {}", low.unwrap_or_default(), high.unwrap_or_default()).trim().to_owned()
    }

    /// `&place`, or the bare name of an array that decays to its first element.
    fn address(&self, place: &Place, sort: Sort) -> (Level, String) {
        let ctypes = &self.program.ctypes;
        if let (CType::Array { of, .. }, Sort::C(pointer)) = (ctypes.get(place.ty), sort)
            && matches!(ctypes.get(pointer), CType::Pointer(to) if ctypes.resolve(*to) == ctypes.resolve(*of))
        {
            return self.place_text(place);
        }
        let (level, text) = self.place_text(place);
        (Level::Unary, format!("&{}", parenthesized(text, level, Level::Unary)))
    }

    fn place_text(&self, place: &Place) -> (Level, String) {
        let text = match &place.kind {
            PlaceKind::Param(index) => self.function.params[*index as usize].name.clone(),
            PlaceKind::Local(local) => self.function.locals[*local].name.clone(),
            PlaceKind::Global(global) => self.program.globals[*global].name.clone(),
            PlaceKind::Result => "\\result".to_owned(),
            PlaceKind::Operand(_) => "an argument".to_owned(),
            PlaceKind::Deref(pointer) => match &pointer.kind {
                TermKind::Offset(base, index) => {
                    format!("{}[{}]", self.term_at(base, Level::Postfix), self.index(index))
                }
                _ => return (Level::Unary, format!("*{}", self.term_at(pointer, Level::Unary))),
            },
            PlaceKind::Field(of, index) => self.member(of, *index),
            PlaceKind::Index(of, index) => format!("{}[{}]", self.postfix(of), self.index(index)),
        };
        (Level::Postfix, text)
    }

    fn postfix(&self, place: &Place) -> String {
        let (level, text) = self.place_text(place);
        parenthesized(text, level, Level::Postfix)
    }

    fn index(&self, index: &Term) -> String {
        match &index.kind {
            TermKind::Range { low, high } => self.range(low, high),
            _ => self.whole_term(index),
        }
    }

    /// A member; those of an anonymous structure are named as if they were the outer one's.
    fn member(&self, of: &Place, index: u32) -> String {
        let name = self.member_name(of, index);
        let mut base = of;
        while let PlaceKind::Field(outer, index) = &base.kind
            && self.member_name(outer, *index).is_empty()
        {
            base = outer;
        }
        match &base.kind {
            PlaceKind::Deref(pointer) if !matches!(pointer.kind, TermKind::Offset(..)) => {
                format!("{}->{name}", self.term_at(pointer, Level::Postfix))
            }
            _ => format!("{}.{name}", self.postfix(base)),
        }
    }

    fn member_name(&self, of: &Place, index: u32) -> &str {
        match self.program.ctypes.get(of.ty) {
            CType::Record(record) => &self.program.ctypes.records[*record].fields[index as usize].name,
            _ => unreachable!("only structures and unions have members"),
        }
    }
}

/// The C spelling of a declaration of `name`, or of the bare type if the name is empty.
pub fn spell(ctypes: &CTypes, ty: CTypeId, name: &str) -> String {
    let spaced = |base: &str| if name.is_empty() { base.to_owned() } else { format!("{base} {name}") };
    match &ctypes.types[ty] {
        CType::Void => spaced("void"),
        CType::Bool => spaced("_Bool"),
        CType::Int { name: base, .. } => spaced(base),
        CType::Float { kind, .. } => spaced(match kind {
            crate::ctype::FloatKind::Float => "float",
            crate::ctype::FloatKind::Double => "double",
            crate::ctype::FloatKind::LongDouble => "long double",
            crate::ctype::FloatKind::Other(base) => base,
        }),
        CType::Enum { tag, .. } => spaced(&format!("enum {}", tag.as_deref().unwrap_or("<anonymous>"))),
        CType::Record(record) => {
            let record = &ctypes.records[*record];
            let word = if record.is_union { "union" } else { "struct" };
            spaced(&format!("{word} {}", record.tag.as_deref().unwrap_or("<anonymous>")))
        }
        CType::Typedef { name: base, .. } | CType::Unsupported(base) => spaced(base),
        CType::Pointer(to) => {
            let derived = matches!(ctypes.types[*to], CType::Array { .. } | CType::Function { .. });
            spell(ctypes, *to, &if derived { format!("(*{name})") } else { format!("*{name}") })
        }
        CType::Array { of, len } => {
            spell(ctypes, *of, &format!("{name}[{}]", len.map(|len| len.to_string()).unwrap_or_default()))
        }
        CType::Function { returns, params, variadic } => {
            let mut params: Vec<String> = params.iter().map(|param| spell(ctypes, *param, "")).collect();
            params.extend(variadic.then(|| "...".to_owned()));
            spell(ctypes, *returns, &format!("{name}({})", params.join(", ")))
        }
        CType::Qualified { of, is_const, is_volatile, is_restrict } => {
            let words = [(is_const, "const"), (is_volatile, "volatile"), (is_restrict, "restrict")];
            let words: Vec<&str> = words.iter().filter(|(set, _)| **set).map(|(_, word)| *word).collect();
            match ctypes.types[*of] {
                CType::Pointer(_) => spell(ctypes, *of, format!("{} {name}", words.join(" ")).trim_end()),
                _ => format!("{} {}", words.join(" "), spell(ctypes, *of, name)),
            }
        }
    }
}

/// The variables a node binds.
fn bound_by(node: Node<'_>) -> Vec<&Variable> {
    match node {
        Node::Predicate(Predicate::Quantified { binders, .. }) => binders.iter().map(|it| &it.variable).collect(),
        Node::Predicate(Predicate::Let { variable, .. }) => vec![variable],
        Node::Term(Term { kind: TermKind::Let { variable, .. } | TermKind::Fold { variable, .. }, .. }) => {
            vec![variable]
        }
        _ => Vec::new(),
    }
}

fn parenthesized(text: String, level: Level, outer: Level) -> String {
    if level < outer { format!("({text})") } else { text }
}

/// Whether ACSL allows the two comparisons in one chain.
fn chains(first: CompareOp, second: CompareOp) -> bool {
    let up = |op| matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Eq);
    let down = |op| matches!(op, CompareOp::Gt | CompareOp::Ge | CompareOp::Eq);
    (up(first) && up(second)) || (down(first) && down(second))
}

fn compare_word(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

fn class_word(class: FloatClass) -> &'static str {
    match class {
        FloatClass::Finite => "\\is_finite",
        FloatClass::Infinite => "\\is_infinite",
        FloatClass::Nan => "\\is_NaN",
    }
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::Write => "\\valid",
        Access::Read => "\\valid_read",
        Access::Initialized => "\\initialized",
        Access::Freeable => "\\freeable",
        Access::Fresh => "\\fresh",
    }
}

fn builtin_word(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Abs => "\\abs",
        Builtin::Min => "\\min",
        Builtin::Max => "\\max",
        Builtin::Sqrt => "\\sqrt",
        Builtin::Pow => "\\pow",
        Builtin::BlockLength => "\\block_length",
        Builtin::OffsetInBlock => "\\offset",
        Builtin::Elements => "\\elements",
        Builtin::BaseAddress => "\\base_addr",
    }
}

fn fold_word(fold: Fold) -> &'static str {
    match fold {
        Fold::Sum => "\\sum",
        Fold::Product => "\\product",
        Fold::Count => "\\numof",
        Fold::Min => "\\min",
        Fold::Max => "\\max",
    }
}

fn label_word(label: &Label) -> &str {
    match label {
        Label::Here => "Here",
        Label::Pre => "Pre",
        Label::Post => "Post",
        Label::LoopEntry => "LoopEntry",
        Label::LoopCurrent => "LoopCurrent",
        Label::Init => "Init",
        Label::C(name) => name,
    }
}
