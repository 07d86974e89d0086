//! Random functions of C and their instrumented twins.
//!
//! A text is written twice at once: plainly, for `clew`, and with a call of `ev` at every place of interest, for
//! enumeration. Functions have pointers to objects that may be shared, locals that escape, calls of functions that
//! `clew` sees no body of, unions, structures, arrays, static variables, loops of all kinds with connectives, `switch`
//! that falls through, `goto`, and calls of the C library. Half of the programs are prone to undefined behaviour.

mod expression;
mod statement;

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

/// How two formulas become one.
type Join = fn(Box<Formula>, Box<Formula>) -> Formula;

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
