//! C becomes the program one expects: blocks, conditions, decisions, loops, checks, linkage, diagnostics.

use clew_frontend::{Loaded, Preprocessed, Severity, diagnostic::Place, load_preprocessed};
use clew_ir::{Formula, Function, GlobalKind, InstKind, Linkage, Operand, Program};

fn load(texts: &[&str]) -> Loaded {
    let units =
        texts.iter().enumerate().map(|(index, text)| Preprocessed::plain(&format!("{index}.c"), text)).collect();
    let loaded = load_preprocessed(units);
    assert_eq!(clew_ir::verify::verify(&loaded.program), []);
    loaded
}

fn lower(text: &str) -> Program {
    let loaded = load(&[text]);
    assert_eq!(loaded.diagnostics, []);
    loaded.program
}

fn function<'a>(program: &'a Program, name: &str) -> &'a Function {
    &program.functions[program.function(name).expect("the program has the function")]
}

/// The text form of a function without tables and source positions.
fn code(program: &Program, name: &str) -> String {
    let id = program.function(name).expect("the program has the function");
    let text = clew_ir::text::print_function(program, id);
    let blocks = text.lines().skip_while(|line| !line.trim_start().starts_with("b0:"));
    blocks.map(|line| line.split(" @").next().unwrap_or(line).trim_end()).collect::<Vec<_>>().join("\n")
}

/// A decision's formula, its conditions spelled as in the source.
fn spelled(program: &Program, function: &Function, formula: &Formula) -> String {
    match formula {
        Formula::Atom(condition) => program.sources.text(function.conditions[*condition].span).to_owned(),
        Formula::Not(inner) => format!("!{}", spelled(program, function, inner)),
        Formula::And(left, right) => {
            format!("({} && {})", spelled(program, function, left), spelled(program, function, right))
        }
        Formula::Or(left, right) => {
            format!("({} || {})", spelled(program, function, left), spelled(program, function, right))
        }
        Formula::Const(value) => value.to_string(),
    }
}

fn decisions(program: &Program, name: &str) -> Vec<String> {
    let function = function(program, name);
    let formula = |formula: &Option<Formula>| formula.as_ref().map(|formula| spelled(program, function, formula));
    function
        .decisions
        .values()
        .map(|decision| {
            format!("{:?} {}", decision.kind, formula(&decision.formula).unwrap_or_default()).trim().to_owned()
        })
        .collect()
}

#[test]
fn arithmetic_carries_its_checks() {
    let program = lower("int f(int a, unsigned b, int *p) { return a / 3 + (int)(b << a) + p[a]; }");
    assert_eq!(
        code(&program, "f"),
        "  b0:
    store l0, t0
    store l1, t1
    store l2, t2
    t3: i32 = load l0
    t4: i32 = sdiv t3, i32 3 !k0
    t5: i32 = load l1
    t6: i32 = load l0
    t7: i32 = shl t5, t6 !k1
    t8: i32 = add t4, t7 !k2
    t9: ptr = load l2
    t10: i32 = load l0
    t11: i64 = sext t10
    t12: i64 = mul t11, i64 4
    t13: ptr = offset t9, t12 !k3
    t14: i32 = load t13 !k4
    t15: i32 = add t8, t14 !k5
    return t15
}"
    );
}

#[test]
fn decisions_come_apart_into_conditions() {
    let program = lower(
        "int g(int); int f(int a, int b) {
            if (a > 1 && (!b || __builtin_expect(!!(a == b), 0))) a = b ? 1 : g(a) && b;
            while (a < 3) a++;
            for (; 1 && b; ) b--;
            do a--; while (!(a || b));
            switch (a) { case 1: return 2; }
            return a == b || !(a & 1);
        }",
    );
    assert_eq!(
        decisions(&program, "f"),
        [
            "If (a > 1 && (!b || !!a == b))",
            "Ternary b",
            "Value (g(a) && b)",
            "While a < 3",
            "For (true && b)",
            "DoWhile !(a || b)",
            "Switch",
            "Value (a == b || !a & 1)",
        ]
    );
}

#[test]
fn constants_decide_nothing() {
    let program = lower("int f(int a) { if (sizeof a == 4) a = 1 ? a : 7; while (1) { if (0) return 9; return a; } }");
    assert_eq!(decisions(&program, "f"), Vec::<String>::new());
    assert_eq!(function(&program, "f").loops.len(), 1);
}

#[test]
fn numbers_follow_the_source_although_arguments_are_evaluated_from_the_right() {
    let program = lower("int g(int, int); int f(int a, int b) { return g(a && b, a || b); }");
    assert_eq!(decisions(&program, "f"), ["Value (a && b)", "Value (a || b)"]);
}

#[test]
fn loops_know_their_blocks() {
    let program =
        lower("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } return s; }");
    let f = function(&program, "f");
    let (_, item) = f.loops.iter().next().expect("there is a loop");
    assert!(f.blocks[item.head].terminator.kind.successors().contains(&item.body));
    assert!(f.blocks[item.head].terminator.kind.successors().contains(&item.exit));
    assert_eq!(f.blocks[item.latch].terminator.kind.successors(), [item.head]);
    assert!(item.decision.is_some());
}

#[test]
fn only_reads_that_may_come_before_a_write_are_checked() {
    let program = lower("int f(int a) { int b = a, c; if (a) c = 1; return b + c; }");
    let f = function(&program, "f");
    let checked = f.checks.values().map(|check| program.sources.text(check.span)).collect::<Vec<_>>();
    assert_eq!(checked, ["c", "b + c"]);
}

#[test]
fn units_are_linked() {
    let one = "extern int shared; static int own = 1; int common; int twice(int); int f(void) { return twice(shared + own + common); }";
    let two = "int shared = 3; static int own = 2; int common; static int helper(int x) { return x; } int twice(int x) { static int own; return helper(x) + own++ + common; }";
    let loaded = load(&[one, two]);
    assert_eq!(loaded.diagnostics, []);
    let program = &loaded.program;
    let named = |name: &str| program.globals.values().filter(|global| global.name == name).collect::<Vec<_>>();
    assert_eq!(named("shared").len(), 1);
    assert_eq!(named("shared")[0].init.as_deref(), Some(&[3][..]));
    assert_eq!(named("common").len(), 1);
    assert_eq!(named("own").len(), 3);
    assert_eq!(named("own").iter().filter(|own| matches!(own.kind, GlobalKind::StaticLocal(_))).count(), 1);
    assert!(function(program, "twice").is_defined());
    assert_eq!(function(program, "helper").linkage, Linkage::Internal);
}

#[test]
fn weak_functions_nobody_defines_have_no_address() {
    let text =
        "__attribute__((weak)) void hook(int); int f(void) { if (hook) hook(1); return 0; } void (*p)(int) = hook;";
    let program = lower(text);
    let f = function(&program, "f");
    let compares_null = f
        .blocks
        .values()
        .flat_map(|block| &block.insts)
        .any(|inst| matches!(inst.kind, InstKind::Binary { a: Operand::Null, b: Operand::Null, .. }));
    assert!(compares_null);
    assert!(program.globals.values().all(|global| global.relocations.is_empty()));
}

#[test]
fn unsupported_code_costs_only_its_place() {
    let loaded = load(&["int f(int a) { if (a) __asm__(\"cpuid\"); return a; } int g(void) { return 1; }"]);
    assert_eq!(loaded.diagnostics.len(), 1);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Unsupported);
    assert!(!loaded.has_errors());
    let lost = |name: &str| {
        let insts = function(&loaded.program, name).blocks.values().flat_map(|block| &block.insts);
        insts.filter(|inst| matches!(inst.kind, InstKind::Unsupported { .. })).count()
    };
    assert_eq!((lost("f"), lost("g")), (1, 0));
}

#[test]
fn functions_inside_of_others_are_not_supported() {
    let loaded = load(&["int f(int n) { int g(int k) { return n + k; } if (n > 3) return g(n); return 0; }"]);
    assert_eq!(loaded.diagnostics.len(), 1);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Unsupported);
    assert!(code(&loaded.program, "f").contains("unsupported"));
}

#[test]
fn errors_stand_at_their_place() {
    let loaded = load(&["int f(void) {\n  return undeclared;\n}\nint g(void) { return 1 }\n"]);
    assert!(loaded.has_errors());
    let lines: Vec<u32> = loaded
        .diagnostics
        .iter()
        .filter_map(|diagnostic| match diagnostic.place {
            Place::Span(span) => loaded.program.sources.locate(span).map(|location| location.line),
            _ => None,
        })
        .collect();
    assert!(lines.contains(&2) && lines.contains(&4), "{:?}", loaded.diagnostics);
}

#[test]
fn static_data_holds_bytes_and_addresses() {
    let text = "struct s { short a; int b : 3, c : 5; char *p; double d; }; int x[4];
        struct s v = { -2, 1, -1, (char *)&x[2], 0.5 }; int *q = x + 1; char t[4] = \"ab\"; float z = -0.0f;";
    let program = lower(text);
    let named = |name: &str| program.globals.values().find(|global| global.name == name).expect("it is defined");
    let v = named("v");
    assert_eq!(&v.init.as_deref().expect("it has bytes")[..5], [0xfe, 0xff, 0xf9, 0, 0]);
    assert_eq!(v.init.as_deref().expect("it has bytes")[22..], [0xe0, 0x3f]);
    assert_eq!(v.relocations.iter().map(|r| (r.offset, r.addend)).collect::<Vec<_>>(), [(8, 8)]);
    assert_eq!(named("q").relocations[0].addend, 4);
    assert_eq!(named("t").init.as_deref(), Some(&b"ab"[..]));
    assert_eq!(named("z").init.as_deref(), Some(&[0, 0, 0, 0x80][..]));
    assert_eq!(named("x").init.as_deref(), Some(&[][..]));
}

#[test]
fn what_is_printed_reads_back() {
    let text = "struct list { struct list *next; unsigned v : 9; }; typedef enum { A, B = 4 } e;
        static const char *names[] = { \"a\", \"b\" }; double half(float x) { return x / 2; }
        e pick(struct list l, int n, ...) { char buffer[n]; buffer[0] = names[1][0]; return l.next->v ? A : buffer[0]; }";
    let mut program = lower(text);
    let printed = clew_ir::text::print(&program);
    program.sources = clew_ir::Sources::default();
    assert_eq!(clew_ir::text::parse(&printed).expect("the text form is well formed"), program);
}

#[test]
fn a_name_is_defined_once() {
    let loaded = load(&["int v = 1, t; int f(void) { return v; }", "int v = 2, t; int f(void) { return t; }"]);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["`v` is defined twice", "`f` is defined twice"]);
}

#[test]
fn checks_of_unreachable_code_are_dropped() {
    let program = lower("_Noreturn void stop(void); int f(int a) { stop(), a++; return a * 2; }");
    assert!(function(&program, "f").checks.is_empty());
}

#[test]
fn subscripts_of_parts_stay_inside() {
    let text = "struct s { int a[3]; int b; int last[1]; }; int f(struct s *p, int m[2][3], int i) {
        int *end = &p->a[i]; return p->a[i] + p->last[i] + m[i][2] + m[1][i] + *end; }";
    let program = lower(text);
    let f = function(&program, "f");
    let is_index = |check: &&clew_ir::Check| check.kind == clew_ir::CheckKind::Index;
    let checked = f.checks.values().filter(is_index).map(|check| program.sources.text(check.span)).collect::<Vec<_>>();
    assert_eq!(checked, ["p->a[i]", "p->a[i]", "m[1][i]"]);
    let bounds =
        code(&program, "f").lines().filter(|line| line.contains("ult")).map(str::trim).collect::<Vec<_>>().len();
    assert_eq!(bounds, 3);
}

/// The operators of an expression in the order in which they are computed, loads left out.
fn operators(program: &Program, name: &str) -> Vec<String> {
    let code = code(program, name);
    let computed = code.lines().filter(|line| line.contains(" = ") && !line.contains(" = load "));
    computed.map(|line| line.trim().to_owned()).collect()
}

/// `v1 * v2 * v3 + v4` is evaluated from the left, by one operator at a time.
#[test]
fn fp_normalize() {
    let program = lower("double e(double v1, double v2, double v3, double v4) { return v1 * v2 * v3 + v4; }");
    let found = operators(&program, "e");
    assert_eq!(found, ["t6: f64 = fmul t4, t5", "t8: f64 = fmul t6, t7", "t10: f64 = fadd t8, t9"]);
}

/// A call inside an expression is a step of its own: `v1 * v2 * f() + v3`.
#[test]
fn norm_expr() {
    let program =
        lower("unsigned f(void); unsigned e(unsigned v1, unsigned v2, unsigned v3) { return v1 * v2 * f() + v3; }");
    let found = operators(&program, "e");
    assert_eq!(
        found,
        ["t5: i32 = mul t3, t4", "t6: i32 = call f1 %2 ()", "t7: i32 = mul t5, t6", "t9: i32 = add t7, t8"]
    );
}
