//! Random Java programs: numbers, arrays, objects, loops and exceptions. They end, by counted loops.

use std::fmt::Write as _;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

struct Generator {
    random: Random,
    text: String,
    /// Variables in scope with their types.
    scope: Vec<(String, &'static str)>,
    names: u32,
    callable: u32,
}

const TYPES: [&str; 5] = ["int", "long", "double", "float", "boolean"];

/// A class with a few public static methods.
pub(crate) fn program(class: &str, seed: u64) -> String {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
    let mut generator = Generator { random, text: String::new(), scope: Vec::new(), names: 0, callable: 0 };
    let _ = writeln!(generator.text, "public class {class} {{\n  static int shared = 3;");
    generator.text += "  static class Item { int count; long sum; Item next; Item(int count) { this.count = count; }\n";
    generator.text += "    int weight() { return count + 1; } }\n";
    generator.text +=
        "  static class Heavy extends Item { Heavy(int count) { super(count); } int weight() { return 3 * count; } }\n";
    for number in 0..6 {
        generator.method(number);
        generator.callable = number + 1;
    }
    generator.text + "}\n"
}

impl Generator {
    fn method(&mut self, number: u32) {
        self.scope = vec![("a".into(), "int"), ("b".into(), "long"), ("c".into(), "double"), ("d".into(), "int")];
        let _ = writeln!(self.text, "  public static long m{number}(int a, long b, double c, int d) {{");
        self.text +=
            "    int[] array = new int[8]; Item item = d > 1 ? new Heavy(d) : new Item(a); item.next = item;\n";
        for _ in 0..4 + self.random.below(4) {
            self.statement(2);
        }
        let result = self.expression("long", 2);
        let _ = writeln!(self.text, "    return {result} + array[3] + item.count + item.sum;\n  }}");
    }

    fn statement(&mut self, depth: u32) {
        let depth = depth.saturating_sub(1);
        let before = self.scope.len();
        match self.random.below(if depth == 0 { 5 } else { 10 }) {
            0 | 1 => {
                let ty = self.random.pick(&TYPES[..]);
                let (name, value) = (self.name(), self.expression(ty, 2));
                let _ = writeln!(self.text, "    {ty} {name} = {value};");
                self.scope.push((name, TYPES.iter().copied().find(|other| *other == ty).unwrap()));
                return;
            }
            2 => self.assign(),
            3 => {
                let (index, value) = (self.expression("int", 1), self.expression("int", 2));
                let _ = writeln!(self.text, "    array[({index}) & 7] = {value};");
            }
            4 => {
                let value = self.expression("int", 1);
                let target = self.random.pick(&["item.count", "item.next.count", "shared", "item.sum"]);
                let _ = writeln!(self.text, "    {target} += {value};");
            }
            5 | 6 => {
                let on = self.expression("boolean", 2);
                let _ = writeln!(self.text, "    if ({on}) {{");
                self.block(depth);
                self.text += "    } else {\n";
                self.block(depth);
                self.text += "    }\n";
            }
            7 => {
                let name = self.name();
                let _ =
                    writeln!(self.text, "    for (int {name} = 0; {name} < {}; {name}++) {{", 1 + self.random.below(5));
                self.block(depth);
                self.text += "    }\n";
            }
            8 => {
                let caught =
                    self.random.pick(&["ArithmeticException", "RuntimeException", "ArrayIndexOutOfBoundsException"]);
                self.text += "    try {\n";
                self.block(depth);
                let index = self.expression("int", 1);
                let _ = writeln!(self.text, "    shared += array[{index}];\n    }} catch ({caught} e) {{");
                self.block(depth);
                self.text += "    } finally { shared++; }\n";
            }
            _ => {
                let on = self.expression("int", 1);
                let _ = writeln!(self.text, "    switch (({on}) & 3) {{ case 0:");
                self.block(depth);
                self.text += "    break; case 2:\n";
                self.block(depth);
                self.text += "    default: shared ^= 5; }\n";
            }
        }
        self.scope.truncate(before);
    }

    fn block(&mut self, depth: u32) {
        let before = self.scope.len();
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth);
        }
        self.scope.truncate(before);
    }

    fn assign(&mut self) {
        let at = self.random.below(self.scope.len() as u64) as usize;
        let (name, ty) = self.scope[at].clone();
        let value = self.expression(ty, 2);
        let _ = writeln!(self.text, "    {name} = {value};");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn expression(&mut self, ty: &str, depth: u32) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match ty {
            "boolean" => self.condition(depth),
            "int" | "long" => self.integer(ty, depth),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "/", "%"]);
                let other = self.random.pick(&["int", "long", "double", "float"]);
                let (a, b) = (self.expression(ty, depth), self.expression(other, depth));
                format!("({ty}) (({a}) {op} ({b}))")
            }
        }
    }

    fn integer(&mut self, ty: &str, depth: u32) -> String {
        match self.random.below(8) {
            0 => format!("array[({}) & 7]", self.expression("int", depth)),
            1 => format!("({ty}) ({})", self.expression("double", depth)),
            2 => {
                let (on, a, b) =
                    (self.expression("boolean", depth), self.expression(ty, depth), self.expression(ty, depth));
                format!("(({on}) ? ({a}) : ({b}))")
            }
            3 => "item.weight()".to_owned(),
            4 if self.callable > 0 => {
                let called = self.random.below(u64::from(self.callable));
                let (a, b) = (self.expression("int", 1), self.expression("long", 0));
                format!("({ty}) m{called}(({a}) & 15, {b}, 1.5, 2)")
            }
            5 => {
                let narrow = self.random.pick(&["byte", "short", "char"]);
                format!("({narrow}) ({})", self.expression("int", depth))
            }
            _ => {
                let op = self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"]);
                let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
                format!("(({a}) {op} ({b}))")
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => format!("!({})", self.expression("boolean", depth)),
            1 => {
                let op = self.random.pick(&["&&", "||", "^"]);
                format!("(({}) {op} ({}))", self.expression("boolean", depth), self.expression("boolean", depth))
            }
            _ => {
                let ty = self.random.pick(&TYPES[..4]);
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("(({}) {op} ({}))", self.expression(ty, depth), self.expression(ty, depth))
            }
        }
    }

    fn leaf(&mut self, ty: &str) -> String {
        let fitting: Vec<String> =
            self.scope.iter().filter(|(_, other)| *other == ty).map(|(name, _)| name.clone()).collect();
        if !fitting.is_empty() && self.random.below(3) > 0 {
            return fitting[self.random.below(fitting.len() as u64) as usize].clone();
        }
        let constants: &[&str] = match ty {
            "int" => &["0", "1", "-1", "7", "100", "Integer.MAX_VALUE", "Integer.MIN_VALUE", "shared", "item.count"],
            "long" => &["0L", "1L", "-3L", "Long.MIN_VALUE", "1L << 40", "item.sum"],
            "double" => &["0.0", "1.5", "-2.5", "1e10", "Double.NaN"],
            "float" => &["0.0f", "0.5f", "-1.25f", "1e20f"],
            _ => &["true", "false", "item.next == item", "item instanceof Heavy"],
        };
        self.random.pick(constants).to_owned()
    }
}
