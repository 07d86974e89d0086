//! Random functions of C and their instrumented twins.
//!
//! A text is written twice at once: plainly, for `clew`, and with a call of `ev` at every place of interest, for
//! enumeration. Functions have pointers to objects that may be shared, locals that escape, calls of functions that
//! `clew` sees no body of, unions, structures, arrays, static variables, loops of all kinds with connectives, `switch`
//! that falls through, `goto`, and calls of the C library. Half of the programs are prone to undefined behaviour.

use crate::site::{Formula, Site, SiteId, What};
use clew_testing::Random;

/// The numbers an input consists of, in this order.
pub(crate) const DIMENSIONS: [&str; 10] = ["a", "b", "*p", "*q", "alias", "g", "how", "calls", "a_1", "b_1"];

/// Where the pattern of aliases stands in an input.
pub(crate) const ALIAS: usize = 4;

/// What the plain text begins with.
const PLAIN: &str = "#include <string.h>\n#include <stdlib.h>\nstruct pair { int m, n; };\nunion word { unsigned w; \
    unsigned char c[4]; };\nint g;\nint *keep;\nint ext(int);\nint extp(int *);\nvoid clew_label(int);\n";

/// What both have besides.
const SHARED: &str = "static int put(int *where, int v)
{
    if (v > 1)
        *where = v & 3;
    return *where + 1;
}
static int twice(int v)
{
    int sum = 0;
    for (int i = 0; i < v; i++)
        sum += 2;
    return sum;
}
";

/// A function under test.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// All inputs, as rows of [`DIMENSIONS`].
    pub(crate) inputs: Vec<Vec<i64>>,
    /// Whether these are all inputs that the contract allows: no function without a body is called, and there is no
    /// structure of the input.
    pub(crate) is_whole: bool,
    /// Whether a static variable remembers calls.
    pub(crate) has_state: bool,
    pub(crate) has_pointers: bool,
    pub(crate) sites: std::ops::Range<SiteId>,
    /// Postconditions: line and what the result is compared with.
    pub(crate) ensures: Vec<(usize, &'static str, i32)>,
}

/// A program, twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) plain: String,
    pub(crate) twin: String,
    pub(crate) sites: Vec<Site>,
    pub(crate) functions: Vec<Function>,
}

/// A piece of text, twice.
#[derive(Clone, Debug, Default)]
struct Both {
    plain: String,
    twin: String,
}

impl Both {
    fn same(text: impl Into<String>) -> Both {
        let plain = text.into();
        Both { twin: plain.clone(), plain }
    }
}

/// An expression.
#[derive(Clone, Debug)]
struct Term {
    both: Both,
    is_literal: bool,
    is_compound: bool,
}

/// What a function has.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    pointers: bool,
    /// A pointer to a structure whose members the other pointers may lead to.
    pairs: bool,
    global: bool,
    external: bool,
    state: bool,
    library: bool,
    aggregates: bool,
    floats: bool,
    /// Indices, divisors and shifts are not kept in range.
    prone: bool,
}

pub(crate) struct Writer {
    random: Random,
    program: Program,
    features: Features,
    line: usize,
    name: String,
    loops: usize,
    /// Counters that are in scope.
    counters: Vec<String>,
    condition: Option<SiteId>,
    has_out: bool,
    budget: usize,
}

/// A program with some functions. It is the same for the same seed.
pub(crate) fn program(seed: u64, functions: usize) -> Program {
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(0x9e37_79b9) + 77),
        program: Program::default(),
        features: Features::default(),
        line: 1,
        name: String::new(),
        loops: 0,
        counters: Vec::new(),
        condition: None,
        has_out: false,
        budget: 0,
    };
    writer.both(Both { plain: format!("{PLAIN}{SHARED}"), twin: SHARED.to_owned() });
    for number in 0..functions {
        writer.function(number, seed % 2 == 1);
    }
    writer.program
}

impl Writer {
    fn both(&mut self, both: Both) {
        self.line += both.plain.matches('\n').count();
        self.program.plain += &both.plain;
        self.program.twin += &both.twin;
    }

    fn write(&mut self, depth: usize, plain: &str, twin: &str) {
        let indent = "    ".repeat(depth);
        self.both(Both { plain: format!("{indent}{plain}\n"), twin: format!("{indent}{twin}\n") });
    }

    fn site(&mut self, text: &str, what: What) -> SiteId {
        self.program.sites.push(Site { line: self.line, text: text.to_owned(), what });
        self.program.sites.len() - 1
    }

    /// The twin's word that something happens.
    fn event(&mut self, text: &str, what: What) -> String {
        format!("ev({}, 0, 0, 0)", self.site(text, what))
    }

    /// A line with a statement; its text is what the criterion for statements may name.
    fn statement_line(&mut self, depth: usize, both: &Both) {
        let here = self.event(&both.plain, What::Line);
        self.write(depth, &both.plain, &format!("{here}; {}", both.twin));
    }

    fn function(&mut self, number: usize, prone: bool) {
        self.name = format!("f{number}");
        self.loops = 0;
        self.has_out = false;
        self.budget = 12;
        let first = self.program.sites.len();
        let (features, inputs) = self.choose(prone);
        self.features = features;
        let ensures = self.head();
        self.declarations();
        while self.budget > 0 {
            self.statement(1);
        }
        if self.has_out {
            self.write(0, "out:;", "out:;");
        }
        let result = self.expression();
        let line =
            Both { plain: format!("return {};", result.both.plain), twin: format!("return {};", result.both.twin) };
        self.statement_line(1, &line);
        self.write(0, "}", "}");
        self.driver();
        self.program.functions.push(Function {
            name: self.name.clone(),
            inputs,
            is_whole: !features.external && !features.pairs,
            has_state: features.state,
            has_pointers: features.pointers,
            sites: first..self.program.sites.len(),
            ensures,
        });
    }

    /// What a function has, and its inputs: all combinations of few values.
    fn choose(&mut self, prone: bool) -> (Features, Vec<Vec<i64>>) {
        let mut some = |chance: i32| self.random.below(chance) == 0;
        let mut features = Features {
            pointers: some(3),
            pairs: some(2),
            global: some(3),
            external: some(4),
            state: false,
            library: some(3),
            aggregates: some(2),
            floats: some(5),
            prone,
        };
        // Earlier calls are enumerated where there is nothing else.
        features.state = !features.pointers && !features.global && !features.external && some(3);
        features.external &= !features.pointers;
        features.pairs &= features.pointers;
        let is_narrow = features.pointers || features.external;
        let mut values: Vec<Vec<i64>> =
            if is_narrow { vec![vec![0, 1, 2], vec![0, 1]] } else { vec![vec![-1, 0, 1, 2, 3], vec![0, 1, 2]] };
        let given = |is: bool, values: &[i64]| if is { values.to_vec() } else { vec![0] };
        values.push(given(features.pointers, &[0, 1]));
        values.push(given(features.pointers, &[0, 1]));
        let patterns: &[i64] = match (features.pairs, features.global) {
            (true, true) => &[0, 1, 2, 4, 5],
            (true, false) => &[0, 1, 4, 5],
            (false, true) => &[0, 1, 2, 3],
            (false, false) => &[0, 1],
        };
        values.push(given(features.pointers, patterns));
        values.push(given(features.global, &[0, 1]));
        values.push(given(features.external, &[0, 1, 2, 3]));
        let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
        for dimension in &values {
            let longer = |row: &Vec<i64>| dimension.iter().map(|value| [row.as_slice(), &[*value]].concat()).collect();
            rows = rows.iter().flat_map::<Vec<Vec<i64>>, _>(longer).collect();
        }
        let mut inputs: Vec<Vec<i64>> = rows.iter().map(|row| [row.as_slice(), &[0, 0, 0]].concat()).collect();
        if features.state {
            let pairs = rows.iter().flat_map(|row| rows.iter().map(move |earlier| (row, earlier)));
            inputs.extend(pairs.map(|(row, earlier)| [row.as_slice(), &[1, earlier[0], earlier[1]]].concat()));
        }
        (features, inputs)
    }

    /// The contract and the head of the function; gives the postconditions.
    fn head(&mut self) -> Vec<(usize, &'static str, i32)> {
        let features = self.features;
        let mut clauses = vec!["requires -1 <= a <= 3;".to_owned(), "requires b <= 2;".to_owned()];
        if features.pointers || features.external {
            clauses = vec!["requires 0 <= a <= 2;".to_owned(), "requires b <= 1;".to_owned()];
        }
        if features.pointers {
            clauses.extend(["p", "q"].map(|name| format!("requires \\valid({name}) && 0 <= *{name} <= 1;")));
        }
        if features.pairs {
            clauses.push("requires \\valid(ps) && 0 <= ps->m <= 1 && 0 <= ps->n <= 1;".to_owned());
        }
        if features.global {
            clauses.push("requires 0 <= g <= 1;".to_owned());
        }
        let mut ensures = Vec::new();
        self.write(0, "/*@", "");
        for clause in &clauses {
            self.write(1, clause, "");
        }
        for _ in 0..2 {
            let (op, number) = (self.random.pick(&["!=", "<=", ">=", "<"]), self.random.below(8) - 1);
            ensures.push((self.line, op, number));
            self.write(1, &format!("ensures \\result {op} {number};"), "");
        }
        self.write(0, "*/", "");
        if features.state {
            self.program.twin += &format!("static int st_{} = 1;\n", self.name);
        }
        let params = match (features.pointers, features.pairs) {
            (true, true) => ", int *p, int *q, struct pair *ps",
            (true, false) => ", int *p, int *q",
            (false, _) => "",
        };
        let head = format!("int {}(int a, unsigned char b{params})", self.name);
        self.write(0, &head, &head);
        self.write(0, "{", "{");
        ensures
    }

    /// Declares a variable with a value.
    fn declare(&mut self, text: &str, name: &str) {
        let defined = self.event(text, What::Define { variable: name.to_owned() });
        self.write(1, text, &format!("{text} {defined};"));
    }

    fn declarations(&mut self) {
        let features = self.features;
        if features.state {
            self.write(1, &format!("static int st_{} = 1;", self.name), "");
        }
        self.declare("int x = 1;", "x");
        self.declare("int y = 0;", "y");
        self.declare("unsigned w = 5;", "w");
        self.declare("signed char k = -1;", "k");
        self.declare("int t[4] = {0, 1, 2, 3};", "t");
        self.declare("int *pl = &x;", "pl");
        if features.aggregates {
            self.declare("struct pair s = {1, 2};", "s");
            self.declare("struct pair r = {0, 3};", "r");
            self.declare("struct pair *sp = &s;", "sp");
            self.declare("union word u = {1};", "u");
        }
        if features.library {
            self.declare("char buf[6] = \"12\";", "buf");
        }
        if features.floats {
            self.declare("double d = 1.5;", "d");
        }
        if features.external {
            self.write(1, "keep = 0;", "keep = 0;");
        }
    }

    /// A read of a variable, or of a part of one.
    fn read(&mut self, variable: &str, both: Both, is_signed: bool, is_scalar: bool) -> Term {
        let condition = self.condition;
        let site = self.site(&both.plain, What::Use { variable: variable.to_owned(), is_signed, condition });
        let value = if is_scalar { format!("(long long)({})", both.twin) } else { "0".to_owned() };
        let twin = format!("(ev({site}, {value}, 0, {}), {})", i32::from(!is_scalar), both.twin);
        Term { both: Both { plain: both.plain, twin }, is_literal: false, is_compound: false }
    }

    fn scalar(&mut self, name: &str) -> Term {
        self.read(name, Both::same(name), !matches!(name, "b" | "w"), true)
    }

    fn literal(&mut self, bound: i32) -> Term {
        let number = self.random.below(bound);
        Term { both: Both::same(number.to_string()), is_literal: true, is_compound: false }
    }

    /// What a pointer leads to.
    fn behind(&mut self, pointer: &str) -> Term {
        let term = self.read(pointer, Both::same(pointer), true, false);
        let both = Both { plain: format!("*{}", term.both.plain), twin: format!("*{}", term.both.twin) };
        Term { both, is_literal: false, is_compound: false }
    }

    fn index(&mut self) -> Both {
        if self.random.below(3) == 0 {
            return Both::same(self.random.below(4).to_string());
        }
        let name = self.name_of_int();
        let of = self.scalar(&name);
        if self.features.prone && self.random.below(3) == 0 {
            return of.both;
        }
        let three = Term { both: Both::same("3"), is_literal: true, is_compound: false };
        self.operation("&", of, three, false).both
    }

    fn element(&mut self, array: &str) -> Term {
        let index = self.index();
        let both = Both { plain: format!("{array}[{}]", index.plain), twin: format!("{array}[{}]", index.twin) };
        self.read(array, both, true, false)
    }

    fn name_of_int(&mut self) -> String {
        if let (0, Some(counter)) = (self.random.below(4), self.counters.last()) {
            return counter.clone();
        }
        self.random.pick(&["x", "y", "a"]).to_owned()
    }

    /// A simple value.
    fn value(&mut self) -> Term {
        let features = self.features;
        loop {
            return match self.random.below(16) {
                0..=2 => self.literal(6),
                3 => self.element("t"),
                4 => self.behind("pl"),
                5 => self.scalar("b"),
                6 => self.scalar("k"),
                7 => self.scalar("w"),
                8 if features.pairs => self.member("ps"),
                8 | 9 if features.pointers => {
                    let name = self.random.pick(&["p", "q"]);
                    self.behind(name)
                }
                10 | 11 if features.global => self.scalar("g"),
                10 | 11 if features.state => {
                    let name = format!("st_{}", self.name);
                    self.scalar(&name)
                }
                12 if features.aggregates => {
                    let name = self.random.pick(&["s.m", "s.n", "r.n"]);
                    self.read(&name[..1], Both::same(name), true, false)
                }
                13 if features.aggregates => self.member("sp"),
                14 if features.aggregates => {
                    let name = self.random.pick(&["u.c[1]", "u.c[0]", "u.c[3]"]);
                    self.read("u", Both::same(name), false, false)
                }
                10..=14 => continue,
                _ => {
                    let name = self.name_of_int();
                    self.scalar(&name)
                }
            };
        }
    }

    /// A member of the structure that a pointer leads to.
    fn member(&mut self, pointer: &str) -> Term {
        let read = self.read(pointer, Both::same(pointer), true, false);
        let member = self.random.pick(&["m", "n"]);
        let (plain, twin) = (format!("{pointer}->{member}"), format!("{}->{member}", read.both.twin));
        Term { both: Both { plain, twin }, ..read }
    }

    fn wrapped(term: &Term) -> Both {
        match term.is_compound {
            true => Both { plain: format!("({})", term.both.plain), twin: format!("({})", term.both.twin) },
            false => term.both.clone(),
        }
    }

    fn operation(&mut self, op: &'static str, left: Term, right: Term, is_outcome: bool) -> Term {
        let right = if left.is_literal && right.is_literal { self.scalar("a") } else { right };
        let (l, r) = (Self::wrapped(&left), Self::wrapped(&right));
        let plain = format!("{} {op} {}", l.plain, r.plain);
        let literals = [left.is_literal, right.is_literal];
        let site = self.site(&plain, What::Operation { op, literals, is_outcome });
        let ty = if matches!(op, "<<" | ">>") { "__typeof__(+l_)" } else { "__typeof__(l_ + r_)" };
        let twin = format!(
            "({{ __auto_type l_ = ({}); __auto_type r_ = ({}); ev({site}, (long long)({ty})l_, (long long)({ty})r_, \
             (({ty})-1 > 0)); l_ {op} r_; }})",
            l.twin, r.twin
        );
        Term { both: Both { plain, twin }, is_literal: false, is_compound: true }
    }

    fn call(&mut self, plain: String, twin: String) -> Term {
        let made = self.event(&plain, What::Call);
        let twin = format!("({made}, {twin})");
        Term { both: Both { plain, twin }, is_literal: false, is_compound: false }
    }

    /// A call of a function with a number as its argument.
    fn call_of(&mut self, name: &str, argument: &Term) -> Term {
        let (plain, twin) = (&argument.both.plain, &argument.both.twin);
        self.call(format!("{name}({plain})"), format!("{name}({twin})"))
    }

    fn library_call(&mut self) -> Term {
        let text = match self.random.below(4) {
            0 => "strlen(buf)",
            1 => "strspn(buf, \"012\")",
            2 => {
                let of = self.value();
                let (plain, twin) = (format!("abs({})", of.both.plain), format!("abs({})", of.both.twin));
                return Term { both: Both { plain, twin }, is_literal: false, is_compound: false };
            }
            _ => return self.call("atoi(buf)".to_owned(), "atoi(buf)".to_owned()),
        };
        let call = self.call(text.to_owned(), text.to_owned());
        let both = Both { plain: format!("(int){}", call.both.plain), twin: format!("(int){}", call.both.twin) };
        Term { both, ..call }
    }

    fn expression(&mut self) -> Term {
        let left = self.value();
        let small = |writer: &mut Writer, term: Term, mask: &str| {
            let mask = Term { both: Both::same(mask), is_literal: true, is_compound: false };
            writer.operation("&", term, mask, false)
        };
        match self.random.below(14) {
            0 | 1 => {
                let right = self.value();
                let op = self.random.pick(&["+", "-"]);
                self.operation(op, left, right, false)
            }
            2 => {
                let right = self.value();
                let left = small(self, left, "7");
                self.operation("*", left, right, false)
            }
            3 => {
                let right =
                    if self.features.prone && self.random.below(2) == 0 { self.value() } else { self.literal(3) };
                let right = if right.is_literal { Term { both: Both::same("3"), ..right } } else { right };
                let op = self.random.pick(&["%", "/"]);
                self.operation(op, left, right, false)
            }
            4 => {
                let right = self.value();
                let op = self.random.pick(&["^", "|", "&"]);
                self.operation(op, left, right, false)
            }
            5 => {
                let right = self.literal(4);
                let left = small(self, left, "15");
                let op = self.random.pick(&["<<", ">>"]);
                self.operation(op, left, right, false)
            }
            6 => {
                let argument = small(self, left, "3");
                self.call_of("twice", &argument)
            }
            7 => {
                let target = self.random.pick(&["&y", "&t[2]", "pl"]);
                let argument = small(self, left, "7");
                let (plain, twin) = (&argument.both.plain, &argument.both.twin);
                self.call(format!("put({target}, {plain})"), format!("put({target}, {twin})"))
            }
            8 | 9 if self.features.external => {
                if self.random.below(3) == 0 {
                    let target = self.random.pick(&["&x", "&t[1]", "pl", "t"]);
                    return self.call(format!("extp({target})"), format!("extp({target})"));
                }
                self.call_of("ext", &left)
            }
            8..=10 if self.features.library => self.library_call(),
            11 if self.features.prone => {
                let big = Term { both: Both::same("1000000000"), is_literal: true, is_compound: false };
                self.operation("*", left, big, false)
            }
            _ => left,
        }
    }

    /// An atomic condition.
    fn atom(&mut self, decision: SiteId) -> (Formula, Both) {
        let site = self.site("", What::Condition { decision });
        let before = self.condition.replace(site);
        let term = match self.random.below(10) {
            0 => self.value_of_truth(),
            1 if self.features.pointers && self.features.aggregates => {
                Term { both: Both::same("p == q"), is_literal: false, is_compound: true }
            }
            1 => Term { both: Both::same("pl == &x"), is_literal: false, is_compound: true },
            2 if self.features.library && self.random.below(2) == 0 => {
                let text = self.random.pick(&["strcmp(buf, \"12\")", "memcmp(buf, \"13\", 2)"]);
                self.call(text.to_owned(), text.to_owned())
            }
            2 if self.features.library => {
                let of = self.value();
                let three = Term { both: Both::same("3"), is_literal: true, is_compound: false };
                let offset = self.operation("&", of, three, false);
                let (plain, twin) = (&offset.both.plain, &offset.both.twin);
                let call = self.call(format!("strchr(buf, '0' + ({plain}))"), format!("strchr(buf, '0' + ({twin}))"));
                let (plain, twin) = (format!("{} != 0", call.both.plain), format!("{} != 0", call.both.twin));
                Term { both: Both { plain, twin }, ..call }
            }
            2 if self.features.floats => {
                let number = self.random.below(4);
                let read = self.read("d", Both::same("d"), true, false);
                let (plain, twin) = (format!("d > {number}.25"), format!("{} > {number}.25", read.both.twin));
                Term { both: Both { plain, twin }, ..read }
            }
            _ => {
                let (left, right) = (self.expression(), self.value());
                let right = if left.is_literal { self.scalar("a") } else { right };
                let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                self.operation(op, left, right, true)
            }
        };
        self.condition = before;
        self.program.sites[site].text.clone_from(&term.both.plain);
        let twin = format!("cond({site}, ({}) != 0)", term.both.twin);
        (Formula::Atom(site), Both { plain: term.both.plain, twin })
    }

    fn value_of_truth(&mut self) -> Term {
        loop {
            let value = self.value();
            if !value.is_literal {
                return value;
            }
        }
    }

    fn formula(&mut self, decision: SiteId, depth: usize) -> (Formula, Both, bool) {
        if depth == 0 || self.random.below(2) == 0 {
            let (formula, both) = self.atom(decision);
            if self.random.below(5) > 0 {
                return (formula, both, false);
            }
            let both = Both { plain: format!("!({})", both.plain), twin: format!("!({})", both.twin) };
            return (Formula::Not(Box::new(formula)), both, false);
        }
        let (left, l, _) = self.joined(decision, depth - 1);
        let (right, r, _) = self.joined(decision, depth - 1);
        let (op, formula): (_, fn(Box<Formula>, Box<Formula>) -> Formula) =
            if self.random.below(2) == 0 { ("&&", Formula::And) } else { ("||", Formula::Or) };
        let both = Both { plain: format!("{} {op} {}", l.plain, r.plain), twin: format!("{} {op} {}", l.twin, r.twin) };
        (formula(Box::new(left), Box::new(right)), both, true)
    }

    /// An operand of a connective, in parentheses where it is one itself.
    fn joined(&mut self, decision: SiteId, depth: usize) -> (Formula, Both, bool) {
        let (formula, both, is_joined) = self.formula(decision, depth);
        if !is_joined {
            return (formula, both, false);
        }
        (formula, Both { plain: format!("({})", both.plain), twin: format!("({})", both.twin) }, false)
    }

    /// A decision on the line being written.
    fn decision(&mut self) -> Both {
        let here = self.event("", What::Line);
        let site = self.site("", What::Decision { formula: Formula::Atom(0) });
        let (formula, both, _) = self.formula(site, 2);
        self.program.sites[site].what = What::Decision { formula };
        self.program.sites[site].text.clone_from(&both.plain);
        Both { plain: both.plain, twin: format!("cond({site}, ({here}, {}))", both.twin) }
    }

    /// `name = value;` with the twin's word of it.
    fn assigned(&mut self, target: &str, variable: &str, value: &Term) -> Both {
        let defined = self.event(target, What::Define { variable: variable.to_owned() });
        Both {
            plain: format!("{target} = {};", value.both.plain),
            twin: format!("{target} = {}; {defined};", value.both.twin),
        }
    }

    fn assignment(&mut self, depth: usize) {
        let value = self.expression();
        let features = self.features;
        let line = match self.random.below(14) {
            0 => {
                let index = self.index();
                let defined = self.event("t", What::Define { variable: "t".to_owned() });
                Both {
                    plain: format!("t[{}] = {};", index.plain, value.both.plain),
                    twin: format!("t[{}] = {}; {defined};", index.twin, value.both.twin),
                }
            }
            1 if features.pairs => {
                let member = self.member("ps");
                Both {
                    plain: format!("{} = {};", member.both.plain, value.both.plain),
                    twin: format!("{} = {};", member.both.twin, value.both.twin),
                }
            }
            1 | 2 => {
                let name = if features.pointers { self.random.pick(&["p", "q", "pl"]) } else { "pl" };
                let pointer = self.behind(name);
                Both {
                    plain: format!("{} = {};", pointer.both.plain, value.both.plain),
                    twin: format!("{} = {};", pointer.both.twin, value.both.twin),
                }
            }
            3 => {
                let target = self.random.pick(&["&x", "&y", "&t[1]", "&t[3]"]);
                let defined = self.event("pl", What::Define { variable: "pl".to_owned() });
                Both { plain: format!("pl = {target};"), twin: format!("pl = {target}; {defined};") }
            }
            4 if features.aggregates => {
                let target = self.random.pick(&["s.m", "r.n", "u.w", "u.c[1]"]);
                self.assigned(target, &target[..1], &value)
            }
            5 if features.aggregates => {
                let target = self.random.pick(&["&s", "&r"]);
                let defined = self.event("sp", What::Define { variable: "sp".to_owned() });
                Both { plain: format!("sp = {target};"), twin: format!("sp = {target}; {defined};") }
            }
            6 if features.aggregates => {
                let defined = self.event("s", What::Define { variable: "s".to_owned() });
                let used = self.event("r", What::Use { variable: "r".to_owned(), is_signed: false, condition: None });
                Both { plain: "s = r;".to_owned(), twin: format!("{used}; s = r; {defined};") }
            }
            5 | 6 if features.external => {
                let target = self.random.pick(&["&x", "&y", "&t[0]", "0"]);
                let defined = self.event("keep", What::Define { variable: "keep".to_owned() });
                Both { plain: format!("keep = {target};"), twin: format!("keep = {target}; {defined};") }
            }
            7 if features.global => self.assigned("g", "g", &value),
            7 if features.state => {
                let name = format!("st_{}", self.name);
                self.assigned(&name, &name, &value)
            }
            8 if features.library => self.buffer(&value),
            9 if features.floats => {
                let text = self.random.pick(&["d = d * 0.5;", "d = d + x;", "d = y;", "d = -d;"]);
                Both::same(text)
            }
            10 => self.assigned("w", "w", &value),
            11 => self.assigned("k", "k", &value),
            _ => {
                let name = self.random.pick(&["x", "y"]);
                self.assigned(name, name, &value)
            }
        };
        self.statement_line(depth, &line);
    }

    /// Something done to the characters of `buf`.
    fn buffer(&mut self, value: &Term) -> Both {
        let digit = |text: &str| format!("'0' + (({text}) & 3)");
        let (plain, twin) = (digit(&value.both.plain), digit(&value.both.twin));
        match self.random.below(5) {
            0 => {
                let defined = self.event("buf", What::Define { variable: "buf".to_owned() });
                Both { plain: format!("buf[0] = {plain};"), twin: format!("buf[0] = {twin}; {defined};") }
            }
            1 => {
                let index = self.index();
                let defined = self.event("buf", What::Define { variable: "buf".to_owned() });
                Both {
                    plain: format!("buf[{}] = 0;", index.plain),
                    twin: format!("buf[{}] = 0; {defined};", index.twin),
                }
            }
            2 => {
                let made = self.event("strcpy(buf, \"3\")", What::Call);
                Both { plain: "strcpy(buf, \"3\");".to_owned(), twin: format!("{made}; strcpy(buf, \"3\");") }
            }
            3 => {
                let made = self.event("memset(buf, '1', 3)", What::Call);
                Both { plain: "memset(buf, '1', 3);".to_owned(), twin: format!("{made}; memset(buf, '1', 3);") }
            }
            _ => {
                let made = self.event("memcpy(t, &x, sizeof x)", What::Call);
                Both { plain: "memcpy(t, &x, sizeof x);".to_owned(), twin: format!("{made}; memcpy(t, &x, sizeof x);") }
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        match self.random.below(if depth > 3 { 8 } else { 18 }) {
            0..=5 => self.assignment(depth),
            6 => {
                // What labels compute is no part of the program.
                let (left, right) =
                    (self.random.pick(&["x", "y", "k", "*pl"]), self.random.pick(&["a", "b", "w", "2"]));
                let label = format!("clew_label({left} < {right})");
                let site = self.site(&label, What::Label);
                self.write(depth, &format!("{label};"), &format!("cond({site}, {left} < {right});"));
            }
            7 => {
                let (name, op, number) =
                    (self.random.pick(&["x", "y", "k"]), self.random.pick(&["!=", "<=", ">="]), self.random.below(6));
                let text = format!("assert {name} {op} {number};");
                let site = self.site(&text, What::Assertion);
                self.write(depth, &format!("//@ {text}"), &format!("cond({site}, {name} {op} {number});"));
                self.assignment(depth);
            }
            8..=11 => self.choice(depth),
            12 => self.ternary(depth),
            13 => self.switch(depth),
            14 => self.jump(depth),
            _ => self.repetition(depth),
        }
    }

    fn choice(&mut self, depth: usize) {
        let decision = self.decision();
        self.write(depth, &format!("if ({}) {{", decision.plain), &format!("if ({}) {{", decision.twin));
        self.statement(depth + 1);
        if self.random.below(2) == 0 {
            self.write(depth, "} else {", "} else {");
            self.statement(depth + 1);
        }
        self.write(depth, "}", "}");
    }

    fn ternary(&mut self, depth: usize) {
        let name = self.random.pick(&["x", "y"]);
        let defined = self.event(name, What::Define { variable: name.to_owned() });
        if self.random.below(3) == 0 {
            // A connective for its value.
            let decision = self.decision();
            let is_decision = decision.plain.contains("&&") || decision.plain.contains("||");
            if is_decision {
                let line = Both {
                    plain: format!("{name} = {};", decision.plain),
                    twin: format!("{name} = {}; {defined};", decision.twin),
                };
                return self.statement_line(depth, &line);
            }
            self.write(depth, &format!("if ({})", decision.plain), &format!("if ({})", decision.twin));
            return self.write(depth + 1, ";", ";");
        }
        let decision = self.decision();
        self.write(depth, &format!("{name} = {}", decision.plain), &format!("{name} = {}", decision.twin));
        for (mark, end) in [("?", ""), (":", ";")] {
            let value = self.expression();
            let here = self.event(&value.both.plain, What::Line);
            let twin_end = if end.is_empty() { String::new() } else { format!("; {defined};") };
            self.write(
                depth + 1,
                &format!("{mark} {}{end}", value.both.plain),
                &format!("{mark} ({here}, {}){twin_end}", value.both.twin),
            );
        }
    }

    fn switch(&mut self, depth: usize) {
        let here = self.event("", What::Line);
        let site = self.site("", What::Switch { cases: Vec::new() });
        let on = self.expression();
        self.program.sites[site].text.clone_from(&on.both.plain);
        self.write(
            depth,
            &format!("switch ({}) {{", on.both.plain),
            &format!(
                "switch (({{ {here}; __auto_type v_ = ({}); ev({site}, (long long)v_, 0, 0); v_; }})) {{",
                on.both.twin
            ),
        );
        let mut cases = Vec::new();
        let first = self.random.below(3);
        for number in 0..2 + self.random.below(2) {
            let case = i64::from(first + number * (1 + self.random.below(2)));
            if cases.contains(&case) {
                continue;
            }
            cases.push(case);
            let head = format!("case {case}: ;");
            self.write(depth, &head, &head);
            if self.random.below(4) > 0 {
                self.statement(depth + 1);
                if self.random.below(3) > 0 {
                    self.write(depth + 1, "break;", "break;");
                }
            }
        }
        if self.random.below(2) == 0 {
            self.write(depth, "default: ;", "default: ;");
            self.statement(depth + 1);
        } else {
            self.write(depth + 1, ";", ";");
        }
        self.write(depth, "}", "}");
        self.program.sites[site].what = What::Switch { cases };
    }

    /// Leaves early, by `goto` or `return`.
    fn jump(&mut self, depth: usize) {
        let decision = self.decision();
        self.write(depth, &format!("if ({}) {{", decision.plain), &format!("if ({}) {{", decision.twin));
        if self.random.below(2) == 0 {
            self.has_out = true;
            self.statement_line(depth + 1, &Both::same("goto out;"));
        } else {
            let value = self.expression();
            let line =
                Both { plain: format!("return {};", value.both.plain), twin: format!("return {};", value.both.twin) };
            self.statement_line(depth + 1, &line);
        }
        self.write(depth, "}", "}");
    }

    fn repetition(&mut self, depth: usize) {
        let counter = format!("i{}", self.loops);
        self.loops += 1;
        match self.random.below(3) {
            0 => self.counting(depth, &counter),
            1 => self.conditional(depth, &counter, false),
            _ => self.conditional(depth, &counter, true),
        }
    }

    fn body(&mut self, depth: usize, counter: &str) {
        self.counters.push(counter.to_owned());
        self.statement(depth);
        if self.random.below(4) == 0 {
            let decision = self.decision();
            self.write(depth, &format!("if ({})", decision.plain), &format!("if ({})", decision.twin));
            let word = self.random.pick(&["break;", "continue;"]);
            self.write(depth + 1, word, word);
        }
        self.counters.pop();
    }

    fn counting(&mut self, depth: usize, counter: &str) {
        let bound = self.random.pick(&["2", "b", "3", "a"]);
        let entered = self.site("", What::Enter);
        let turned = self.event("", What::Turn { of: entered });
        let define = |writer: &mut Writer| writer.event(counter, What::Define { variable: counter.to_owned() });
        let (first, step) = (define(self), define(self));
        let here = self.event("", What::Line);
        let decision = self.site("", What::Decision { formula: Formula::Atom(0) });
        let condition = self.site("", What::Condition { decision });
        self.condition = Some(condition);
        let (left, right) = (self.scalar(counter), self.bound(bound));
        let test = self.operation("<", left, right, true);
        self.condition = None;
        for site in [decision, condition] {
            self.program.sites[site].text.clone_from(&test.both.plain);
        }
        self.program.sites[decision].what = What::Decision { formula: Formula::Atom(condition) };
        let plain = format!("for (int {counter} = 0; {}; {counter}++) {{", test.both.plain);
        let used = self.event(
            &format!("{counter}++"),
            What::Use { variable: counter.to_owned(), is_signed: true, condition: None },
        );
        let twin = format!(
            "ev({entered}, 0, 0, 0); for (int {counter} = ({first}, 0); cond({decision}, ({here}, cond({condition}, {}))); \
             {used}, {counter}++, {step}) {{ {turned};",
            test.both.twin
        );
        self.write(depth, &plain, &twin);
        self.body(depth + 1, counter);
        self.write(depth, "}", "}");
    }

    fn bound(&mut self, text: &str) -> Term {
        match text {
            "a" | "b" => self.scalar(text),
            _ => Term { both: Both::same(text), is_literal: true, is_compound: false },
        }
    }

    /// A `while` or `do` whose condition has a counter among others.
    fn conditional(&mut self, depth: usize, counter: &str, is_do: bool) {
        let defined = self.event(counter, What::Define { variable: counter.to_owned() });
        let text = format!("int {counter} = 0;");
        self.write(depth, &text, &format!("{text} {defined};"));
        let entered = self.site("", What::Enter);
        let turned = self.event("", What::Turn { of: entered });
        if is_do {
            self.write(depth, "do {", &format!("ev({entered}, 0, 0, 0); do {{ {turned};"));
        } else {
            let decision = self.counted(counter);
            let twin = format!("ev({entered}, 0, 0, 0); while ({}) {{ {turned};", decision.twin);
            self.write(depth, &format!("while ({}) {{", decision.plain), &twin);
        }
        let used = self.event(
            &format!("{counter}++"),
            What::Use { variable: counter.to_owned(), is_signed: true, condition: None },
        );
        let defined = self.event(counter, What::Define { variable: counter.to_owned() });
        let line = Both { plain: format!("{counter}++;"), twin: format!("{used}; {counter}++; {defined};") };
        self.statement_line(depth + 1, &line);
        self.body(depth + 1, counter);
        if is_do {
            let decision = self.counted(counter);
            self.write(depth, &format!("}} while ({});", decision.plain), &format!("}} while ({});", decision.twin));
        } else {
            self.write(depth, "}", "}");
        }
    }

    /// A decision with a counter, which ends most loops.
    fn counted(&mut self, counter: &str) -> Both {
        let here = self.event("", What::Line);
        let decision = self.site("", What::Decision { formula: Formula::Atom(0) });
        let condition = self.site("", What::Condition { decision });
        self.condition = Some(condition);
        let (left, right) =
            (self.scalar(counter), Term { is_literal: true, is_compound: false, both: Both::same("3") });
        let test = self.operation("<", left, right, true);
        self.condition = None;
        self.program.sites[condition].text.clone_from(&test.both.plain);
        let count = (
            Formula::Atom(condition),
            Both { plain: test.both.plain, twin: format!("cond({condition}, {})", test.both.twin) },
        );
        let (other, text, _) = self.joined(decision, 1);
        let (op, join): (_, fn(Box<Formula>, Box<Formula>) -> Formula) =
            if self.random.below(5) == 0 { ("||", Formula::Or) } else { ("&&", Formula::And) };
        let ((a, l), (b, r)) = if self.random.below(2) == 0 { (count, (other, text)) } else { ((other, text), count) };
        let both = Both { plain: format!("{} {op} {}", l.plain, r.plain), twin: format!("{} {op} {}", l.twin, r.twin) };
        self.program.sites[decision].what = What::Decision { formula: join(Box::new(a), Box::new(b)) };
        self.program.sites[decision].text.clone_from(&both.plain);
        Both { plain: both.plain, twin: format!("cond({decision}, ({here}, {}))", both.twin) }
    }

    /// The twin's function that sets an input up and calls the function.
    fn driver(&mut self) {
        let (name, features) = (&self.name, self.features);
        let arguments = match (features.pointers, features.pairs) {
            (true, true) => ", p, q, ps",
            (true, false) => ", p, q",
            (false, _) => "",
        };
        let reset = if features.state { format!("st_{name} = 1;") } else { String::new() };
        self.program.twin += &format!(
            "static int call_{name}(const long long *v) {{
    int po = (int)v[2], qo = (int)v[3]; g = (int)v[5]; keep = 0; how = (int)v[6]; externals = 0; {reset}
    struct pair pair = {{(int)v[3], (int)v[2]}}, *ps = &pair;
    int *p = v[4] == 2 ? &g : v[4] == 4 ? &ps->m : &po;
    int *q = v[4] == 1 ? &po : v[4] == 3 ? &g : v[4] == 5 ? &ps->n : &qo; (void)p; (void)q;
    if (v[7]) {name}((int)v[8], (unsigned char)v[9]{arguments});
    log_->count = 0;
    return {name}((int)v[0], (unsigned char)v[1]{arguments});
}}\n"
        );
    }
}
