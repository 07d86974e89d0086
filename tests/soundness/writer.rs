//! Random small C programs: loops, arrays, pointers, structures, floats and calls, two small inputs, and places that leave
//! marks. Where a block begins, some programs note the values of their variables. Every other program claims invariants of
//! its loops, true or not. Every third one allocates and frees, and has pointers to what is gone.

use clew_testing::Random;

/// Places that leave a mark in one program.
const MARKS: u32 = 6;

/// What notes are made of: where, `x`, `y`, `c`, `u`, and what `p` leads to.
pub(crate) const NOTE: usize = 6;

/// Notes that one execution can make.
pub(crate) const NOTES: usize = 64;

/// What `p` leads to, without a branch: 1 is `x`, 2 is `y`, 0 is `t`.
const TARGET: &str = "(p == &x) + 2 * (p == &y)";

/// What every program begins with.
const PRELUDE: &str = "struct pair { int m, n; };
static void note(int at, int x, int y, int c, int u, int p) {
    if (count < 64) {
        notes[count][0] = at; notes[count][1] = x; notes[count][2] = y;
        notes[count][3] = c; notes[count][4] = u; notes[count][5] = p;
        count++;
    }
}
static int twice(int v) {
    int s = 0;
    for (int i = 0; i < v; i++)
        s += 2;
    return s;
}
static int put(int *where, int v) {
    if (v > 2)
        *where = v & 7;
    return *where + 1;
}
int f(int a, int b) {
    int x = 1, y = a, t[4] = {0, 1, 2, 3}, *p = &x;
    unsigned char c = 3;
    unsigned u = 5;
    double d = a;
    struct pair s = {a, 2}, r = {1, b}, *q = &s;
    marks = 0;
    count = 0;
";

/// What programs that allocate have besides.
const HEAP: &str = "void *malloc(unsigned long);
void free(void *);
static int *kept;
static void drop(int *where) {
    free(where);
}
static int lend(int v) {
    int own = v;
    kept = &own;
    return *kept;
}
";

/// What they do.
const ON_HEAP: &[&str] = &[
    "h = malloc(8);",
    "h = malloc(4);",
    "k = h;",
    "h = k;",
    "h = t;",
    "h = 0;",
    "h[0] = x;",
    "h[1] = y;",
    "h[b & 1] = 5;",
    "h[b & 1] = h[b & 1] + 1;",
    "x = h[0];",
    "y = h[1];",
    "h[1] = h[0];",
    "k[0] = 2;",
    "x = k[0] + *h;",
    "free(h);",
    "{ struct pair o; o.m = b; if (x > 2) o.n = 1; s = o; y = s.n; }",
    "{ int o; if (y > 2) o = a; x = o; }",
    "drop(k);",
    "x = lend(a);",
    "h = kept;",
    "{ int own = 3; k = &own; *k = 4; }",
    "if (h) { *h = 1; x = *h; }",
    "while (y > 0 && *h < 3) { *h = *h + 1; y--; }",
    "for (int j = 0; j < b; j++) { h = malloc(8); *h = j; k = h; }",
];

/// Writes one program.
pub(crate) struct Writer {
    random: Random,
    text: String,
    marks: u32,
    loops: u32,
    notes: u32,
    claims: bool,
    allocates: bool,
}

impl Writer {
    /// A program with the function `f` of two integers. It is the same for the same seed.
    pub(crate) fn program(seed: u64) -> String {
        let random = Random(seed * 7919 + 13);
        let (claims, allocates) = (seed % 2 == 1, seed % 3 == 2);
        let mut writer = Writer { random, text: String::new(), marks: 0, loops: 0, notes: 0, claims, allocates };
        writer.text += &format!("unsigned marks;\nint count, notes[{NOTES}][{NOTE}];\n");
        if allocates {
            writer.text += HEAP;
        }
        writer.text += PRELUDE;
        if allocates {
            writer.line(1, "int *h = malloc(8), *k = t;");
        }
        for _ in 0..5 {
            writer.statement(1);
        }
        writer.text += "    return x;\n}\n";
        writer.text
    }

    /// Notes what variables hold, at the beginning of a block.
    fn note(&mut self, depth: usize) {
        if self.random.below(2) == 0 {
            let line = format!("note({}, x, y, c, (int)u, {TARGET});", self.notes);
            self.notes += 1;
            self.line(depth, &line);
        }
    }

    fn indent(&mut self, depth: usize) {
        self.text += &"    ".repeat(depth);
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.indent(depth);
        self.text += line;
        self.text.push('\n');
    }

    fn mark(&mut self, depth: usize) {
        if self.marks < MARKS {
            let line = format!("marks |= {}u;", 1 << self.marks);
            self.marks += 1;
            self.line(depth, &line);
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(11) {
            8 => "s.m".to_owned(),
            9 => "q->n".to_owned(),
            10 => "(int)d".to_owned(),
            0 => self.random.below(10).to_string(),
            1 => format!("t[{} & 3]", self.random.pick(&["x", "y", "a", "(int)u"])),
            2 => "*p".to_owned(),
            3 => "(int)(u & 15)".to_owned(),
            _ => self.random.pick(&["x", "y", "a", "b", "c"]).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.random.below(9) {
            7 => format!("twice({a} & 15)"),
            8 => format!("put({}, {a})", self.random.pick(&["p", "&y", "&s.n", "&t[2]"])),
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("({a} & 7) * {b}"),
            3 => format!("{a} % {}", 2 + self.random.below(4)),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} < {b} ? {a} : {b})"),
            _ => a,
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(), self.value());
        let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let first = format!("{a} {op} {b}");
        match self.random.below(8) {
            4 => format!("d {op} {}.5", self.random.below(8)),
            6..=7 => self.linear(op),
            0 => format!("{first} && {} > {}", self.value(), self.random.below(6)),
            1 => format!("{first} || {} == {}", self.value(), self.random.below(6)),
            _ => first,
        }
    }

    /// A comparison of multiples and sums of three variables.
    fn linear(&mut self, op: &str) -> String {
        let variable = |random: &mut Random| random.pick(&["x", "y", "a", "b", "c", "(int)(u & 255)"]);
        let (first, second, third) =
            (variable(&mut self.random), variable(&mut self.random), variable(&mut self.random));
        let (factor, rest) = (1 + self.random.below(4), self.random.below(9));
        match self.random.below(3) {
            0 => format!("{first} {op} {factor} * {second} + {rest}"),
            1 => format!("{factor} * {first} - {second} {op} {rest}"),
            _ => format!("{first} + {second} {op} {third} - {rest}"),
        }
    }

    /// Variables go on by constants.
    fn steps(&mut self, depth: usize) {
        for variable in ["x", "y", "c", "u"] {
            if self.random.below(2) == 0 {
                let line = format!("{variable} {} {};", self.random.pick(&["+=", "-="]), 1 + self.random.below(4));
                self.line(depth, &line);
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.allocates && self.random.below(2) == 0 {
            let line = self.random.pick(ON_HEAP);
            return self.line(depth, line);
        }
        match self.random.below(if depth > 3 { 9 } else { 14 }) {
            6 => {
                let line = format!("d = {};", self.random.pick(&["d * 0.5", "d + a", "x", "(float)b / 3", "-d"]));
                self.line(depth, &line);
            }
            7 => {
                let line = format!("{} = {};", self.random.pick(&["s.m", "q->n", "q->m"]), self.expression());
                self.line(depth, &line);
            }
            8 => {
                let line = format!("q = {};", self.random.pick(&["&s", "&r"]));
                self.line(depth, &line);
            }
            0..=1 => {
                let target = self.random.pick(&["x", "y", "c"]);
                let line = format!("{target} = {};", self.expression());
                self.line(depth, &line);
            }
            2 => {
                let line = format!("t[{} & 3] = {};", self.value(), self.expression());
                self.line(depth, &line);
            }
            3 => {
                let line = format!("p = {};", self.random.pick(&["&x", "&y", "&t[1]", "&t[a & 3]"]));
                self.line(depth, &line);
            }
            4 => {
                let line = format!("*p = {};", self.expression());
                self.line(depth, &line);
            }
            5 => {
                let line = format!("u = u * 3 + (unsigned){};", self.value());
                self.line(depth, &line);
            }
            9..=11 => self.choice(depth),
            _ => self.repetition(depth),
        }
    }

    fn choice(&mut self, depth: usize) {
        let head = format!("if ({}) {{", self.condition());
        self.line(depth, &head);
        self.note(depth + 1);
        self.statement(depth + 1);
        self.mark(depth + 1);
        self.line(depth, "} else {");
        self.note(depth + 1);
        self.statement(depth + 1);
        self.line(depth, "}");
    }

    /// Claims something of every turn of a loop.
    fn claim(&mut self, depth: usize, number: u32) {
        for _ in 0..self.random.below(4) {
            let variable = self.random.pick(&["x", "y", "c", "x + y", "x - y", "y - 2 * x", "marks", "s.m"]);
            let op = self.random.pick(&["<=", ">=", "=="]);
            let (factor, rest) = (self.random.below(5), self.random.below(12));
            let claim = match self.random.below(4) {
                0 => format!("0 <= i{number} <= {rest}"),
                1 => format!("{variable} {op} {rest}"),
                2 => format!("{variable} {op} {factor} * i{number} + {}", self.random.pick(&["1", "3", "a", "b"])),
                _ => self.linear(op),
            };
            self.line(depth, &format!("//@ loop invariant {claim};"));
        }
    }

    fn repetition(&mut self, depth: usize) {
        let number = self.loops;
        self.loops += 1;
        if self.claims {
            self.claim(depth, number);
        }
        let bound = self.random.pick(&["a", "b", "3", "(x & 3)", "a + b"]);
        let extra = if self.random.below(3) == 0 { format!(" && {}", self.condition()) } else { String::new() };
        let head = format!("for (int i{number} = 0; i{number} < {bound}{extra}; i{number}++) {{");
        self.line(depth, &head);
        self.note(depth + 1);
        if self.random.below(2) == 0 {
            self.steps(depth + 1);
        } else {
            self.statement(depth + 1);
        }
        if self.random.below(3) == 0 {
            let leave = format!("if ({}) break;", self.condition());
            self.line(depth + 1, &leave);
        }
        self.line(depth, "}");
        self.note(depth);
        let after = format!("if ({}) {{", self.condition());
        self.line(depth, &after);
        self.mark(depth + 1);
        self.line(depth, "}");
    }
}
