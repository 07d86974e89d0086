//! Sampled operands of the C types against the C compiler: `oracle.c`, compiled once per run, answers every request.
//!
//! Only on x86-64 Linux, where `long double` is x87 extended and the C library has `_Float128`.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, Value, eval, float, int};

use crate::random::{Operands as _, Random};

const FORMATS: [Format; 4] = [Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD];
const WIDTHS: [u8; 5] = [8, 16, 32, 64, 128];
const MODES: [(char, Rounding); 4] =
    [('n', Rounding::NearestEven), ('u', Rounding::Up), ('d', Rounding::Down), ('z', Rounding::Zero)];

/// The compiled oracle.
fn oracle() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scalar/oracle.c");
        let binary = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("scalar-oracle");
        let mut compiler = Command::new("cc");
        compiler.args(["-std=gnu11", "-O1", "-frounding-math", "-ffp-contract=off", "-o"]);
        let status = compiler.arg(&binary).args([source, "-lm"]).status().expect("a C compiler named cc");
        assert!(status.success(), "the oracle does not compile");
        binary
    })
}

/// What we answer to a request.
enum Answer {
    Text(String),
    Value(Value),
    /// A float whose sign and payload do not count if it is NaN, nor its sign if it is zero and `signed` is false.
    Loose {
        value: Value,
        signed_zero: bool,
    },
}

/// Requests with our own answers, compared with the oracle's all at once.
#[derive(Default)]
struct Batch {
    requests: String,
    answers: Vec<Answer>,
}

impl Batch {
    fn ask(&mut self, request: &str, answer: Answer) {
        self.requests += request;
        self.requests.push('\n');
        self.answers.push(answer);
    }

    fn apply(&mut self, op: &str, mode: char, operands: &[Value], answer: Answer) {
        let mut request = format!("apply {op} {} {mode}", operands[0].ty);
        for index in 0..3 {
            request += &format!(" {:x}", operands.get(index).map_or(0, |operand| image(*operand)));
        }
        self.ask(&request, answer);
    }

    fn compare(self) {
        let mut child = Command::new(oracle())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the compiled oracle starts");
        let mut stdin = child.stdin.take().expect("a pipe was asked for");
        let requests = self.requests.clone();
        let writer = std::thread::spawn(move || stdin.write_all(requests.as_bytes()));
        let output = child.wait_with_output().expect("the oracle ends");
        writer.join().expect("the writer does not panic").expect("the oracle reads everything");
        let replies = String::from_utf8(output.stdout).expect("plain text");
        assert_eq!(replies.lines().count(), self.answers.len(), "the oracle answers every request");
        for ((request, reply), answer) in self.requests.lines().zip(replies.lines()).zip(self.answers) {
            answer.check(request, reply);
        }
    }
}

impl Answer {
    fn check(self, request: &str, reply: &str) {
        let parse = |ty| from_image(ty, u128::from_str_radix(reply, 16).expect("a hexadecimal image"));
        match self {
            Answer::Text(text) => assert_eq!(text, reply, "{request}"),
            Answer::Value(value) => {
                let expected = parse(value.ty);
                assert_eq!(value.bits, expected.bits, "{request}: we say {value}, C says {expected}");
            }
            Answer::Loose { value, signed_zero } => {
                let expected = parse(value.ty);
                let same = value.bits == expected.bits
                    || value.is_nan() && expected.is_nan()
                    || !signed_zero && value.is_zero() && expected.is_zero();
                assert!(same, "{request}: we say {value}, C says {expected}");
            }
        }
    }
}

/// The bytes in memory, as a number.
fn image(value: Value) -> u128 {
    if value.ty != Type::Float(Format::EXTENDED) {
        return value.bits;
    }
    let mut bytes = [0; 16];
    bytes[..10].copy_from_slice(&float::to_x87_bytes(value.bits));
    u128::from_le_bytes(bytes)
}

fn from_image(ty: Type, image: u128) -> Value {
    if ty != Type::Float(Format::EXTENDED) {
        return Value::new(ty, image);
    }
    let mut bytes = [0; 10];
    bytes.copy_from_slice(&image.to_le_bytes()[..10]);
    Value::new(ty, float::from_x87_bytes(bytes))
}

const INTEGER_OPS: [(&str, BinaryOp); 19] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("udiv", BinaryOp::UDiv),
    ("urem", BinaryOp::URem),
    ("sdiv", BinaryOp::SDiv),
    ("srem", BinaryOp::SRem),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("shl", BinaryOp::Shl),
    ("lshr", BinaryOp::LShr),
    ("ashr", BinaryOp::AShr),
    ("eq", BinaryOp::Eq),
    ("ne", BinaryOp::Ne),
    ("ult", BinaryOp::Ult),
    ("ule", BinaryOp::Ule),
    ("slt", BinaryOp::Slt),
    ("sle", BinaryOp::Sle),
];

/// Does C leave the operation undefined, or does the processor trap?
fn undefined(op: BinaryOp, width: u8, a: u128, b: u128) -> bool {
    match op {
        BinaryOp::UDiv | BinaryOp::URem => b == 0,
        BinaryOp::SDiv | BinaryOp::SRem => b == 0 || int::signed_div_overflows(width, a, b),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => int::shift_too_far(width, b),
        _ => false,
    }
}

type Predicate = fn(u8, u128, u128) -> bool;

#[test]
fn integers() {
    let mut random = Random(20);
    let mut batch = Batch::default();
    let predicates: [(&str, Predicate); 6] = [
        ("signed_add_overflows", int::signed_add_overflows),
        ("signed_sub_overflows", int::signed_sub_overflows),
        ("signed_mul_overflows", int::signed_mul_overflows),
        ("unsigned_add_overflows", int::unsigned_add_overflows),
        ("unsigned_sub_overflows", int::unsigned_sub_overflows),
        ("unsigned_mul_overflows", int::unsigned_mul_overflows),
    ];
    for width in WIDTHS {
        for _ in 0..600 {
            let (a, b) = (random.int(width), random.int(width));
            let x = Value::int(width, a);
            for (name, op) in INTEGER_OPS {
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
                let y = Value::int(width, if shift { b % u128::from(width) } else { b });
                if !undefined(op, width, a, y.bits) {
                    batch.apply(name, 'n', &[x, y], Answer::Value(eval::binary(op, x, y)));
                }
            }
            for (name, predicate) in predicates {
                let claim = Value::bool(predicate(width, a, b));
                batch.apply(name, 'n', &[x, Value::int(width, b)], Answer::Value(claim));
            }
        }
    }
    batch.compare();
}

#[test]
fn integer_conversions() {
    let mut random = Random(21);
    let mut batch = Batch::default();
    for width in WIDTHS {
        for _ in 0..300 {
            let x = Value::int(width, random.int(width));
            let mut convert = |name: &str, mode, conversion| {
                batch.apply(name, mode, &[x], Answer::Value(eval::convert(conversion, x)));
            };
            convert("sext_i128", 'n', Conversion::SignExtend(128));
            convert("zext_i128", 'n', Conversion::ZeroExtend(128));
            convert("trunc_i8", 'n', Conversion::Truncate(8));
            if width <= 32 {
                convert("sext_i32", 'n', Conversion::SignExtend(32));
            }
            for format in FORMATS {
                // The compiler's library converts 128-bit integers without regard to the rounding mode.
                for (mode, rounding) in &MODES[..if width == 128 { 1 } else { 4 }] {
                    convert(&format!("signed_to_{format}"), *mode, Conversion::SignedToFloat(format, *rounding));
                    convert(&format!("unsigned_to_{format}"), *mode, Conversion::UnsignedToFloat(format, *rounding));
                }
            }
        }
    }
    batch.compare();
}

/// Which NaN the compiled code gives is our rule, except that of two NaN operands it may take either, and that the
/// software of binary128 has a rule of its own.
fn nan_counts(format: Format, operands: &[Value]) -> bool {
    format != Format::QUAD && operands.iter().filter(|operand| operand.is_nan()).count() < 2
}

#[test]
fn float_arithmetic() {
    let mut random = Random(22);
    let mut batch = Batch::default();
    for format in FORMATS {
        for _ in 0..1_500 {
            let [x, y, z] = [0; 3].map(|_| Value::float(format, random.float(format)));
            let (mode, rounding) = MODES[random.below(4) as usize];
            let exact_answer = |value, operands: &[Value]| {
                if nan_counts(format, operands) {
                    Answer::Value(value)
                } else {
                    Answer::Loose { value, signed_zero: true }
                }
            };
            let strict = [
                ("add", BinaryOp::FloatAdd(rounding)),
                ("sub", BinaryOp::FloatSub(rounding)),
                ("mul", BinaryOp::FloatMul(rounding)),
                ("div", BinaryOp::FloatDiv(rounding)),
                ("eq", BinaryOp::FloatEq),
                ("lt", BinaryOp::FloatLt),
                ("le", BinaryOp::FloatLe),
            ];
            for (name, op) in strict {
                batch.apply(name, mode, &[x, y], exact_answer(eval::binary(op, x, y), &[x, y]));
            }
            let fused = eval::ternary(TernaryOp::FloatFma(rounding), x, y, z);
            batch.apply("fma", mode, &[x, y, z], Answer::Loose { value: fused, signed_zero: true });
            let root = eval::unary(UnaryOp::FloatSqrt(rounding), x);
            batch.apply("sqrt", mode, &[x], Answer::Loose { value: root, signed_zero: true });
            library_answers(&mut batch, x, y);
        }
    }
    batch.compare();
}

/// Exact operators that the C library computes. It takes either of two zeros for the lesser and turns signalling NaNs
/// into quiet results, and some versions give a zero remainder by a subnormal number the wrong sign (IEEE 754-2008,
/// 5.3.1 gives it the dividend's).
fn library_answers(batch: &mut Batch, x: Value, y: Value) {
    let loose = |op| Answer::Loose { value: eval::binary(op, x, y), signed_zero: op == BinaryOp::FloatMod };
    batch.apply("fmod", 'n', &[x, y], loose(BinaryOp::FloatMod));
    batch.apply("remainder", 'n', &[x, y], loose(BinaryOp::FloatRem));
    if !is_signalling(x) && !is_signalling(y) {
        batch.apply("fmin", 'n', &[x, y], loose(BinaryOp::FloatMin));
        batch.apply("fmax", 'n', &[x, y], loose(BinaryOp::FloatMax));
    }
}

fn is_signalling(value: Value) -> bool {
    value.is_nan() && value.ty.format().is_some_and(|format| value.bits & format.quiet_bit() == 0)
}

#[test]
fn float_integral_values_and_classes() {
    let mut random = Random(23);
    let mut batch = Batch::default();
    for format in FORMATS {
        for _ in 0..800 {
            let x = Value::float(format, random.float(format));
            let (mode, rounding) = MODES[random.below(4) as usize];
            let integral = [
                ("rint", mode, rounding),
                ("floor", 'n', Rounding::Down),
                ("ceil", 'n', Rounding::Up),
                ("trunc", 'n', Rounding::Zero),
                ("round", 'n', Rounding::NearestAway),
            ];
            for (name, mode, rounding) in integral {
                let value = eval::unary(UnaryOp::FloatRoundToIntegral(rounding), x);
                batch.apply(name, mode, &[x], Answer::Loose { value, signed_zero: true });
            }
            let classes = [
                ("isnan", UnaryOp::FloatIsNan),
                ("isinf", UnaryOp::FloatIsInfinite),
                ("isnormal", UnaryOp::FloatIsNormal),
            ];
            for (name, op) in classes {
                batch.apply(name, 'n', &[x], Answer::Value(eval::unary(op, x)));
            }
        }
    }
    batch.compare();
}

#[test]
fn float_conversions() {
    let mut random = Random(24);
    let mut batch = Batch::default();
    for from in FORMATS {
        for _ in 0..1_000 {
            let x = Value::float(from, random.float(from));
            let (mode, rounding) = MODES[random.below(4) as usize];
            for to in FORMATS {
                let value = eval::convert(Conversion::FloatToFloat(to, rounding), x);
                let machine = from != Format::QUAD && to != Format::QUAD && from != to;
                let answer = if machine { Answer::Value(value) } else { Answer::Loose { value, signed_zero: true } };
                // A copy within one format makes nothing quiet.
                if from != to {
                    batch.apply(&format!("to_{to}"), mode, &[x], answer);
                }
            }
            for width in WIDTHS {
                let zero = Rounding::Zero;
                if float::float_to_int_in_range(from, width, true, zero, x.bits) {
                    let value = eval::convert(Conversion::FloatToSigned(width, zero), x);
                    batch.apply(&format!("to_i{width}"), 'n', &[x], Answer::Value(value));
                }
                if float::float_to_int_in_range(from, width, false, zero, x.bits) {
                    let value = eval::convert(Conversion::FloatToUnsigned(width, zero), x);
                    batch.apply(&format!("to_u{width}"), 'n', &[x], Answer::Value(value));
                }
            }
        }
    }
    batch.compare();
}

/// A magnitude to print: any float, one a double can have, or one near the exponents where `%g` changes its form. Far
/// exponents of extended floats have thousands of digits, so there are few of them.
fn printable(random: &mut Random, format: Format) -> u128 {
    let bits = match random.below(if format == Format::EXTENDED { 20 } else { 3 }) {
        0 => random.float(format),
        1..8 => {
            let text = format!("{}.{}e{}", random.below(10), random.below(1000), random.below(24) as i64 - 6);
            float::parse(format, Rounding::NearestEven, &text).expect("a number")
        }
        _ => float::convert(Format::DOUBLE, format, Rounding::NearestEven, random.float(Format::DOUBLE)),
    };
    format.magnitude(bits)
}

#[test]
fn printed_floats() {
    let mut random = Random(25);
    let mut batch = Batch::default();
    for (format, letter) in [(Format::DOUBLE, ""), (Format::EXTENDED, "L")] {
        for _ in 0..500 {
            let x = Value::float(format, printable(&mut random, format));
            let precision = random.below(25) as usize;
            let bits = x.bits;
            let mut print = |flags: &str, verb: &str, text: String| {
                let request = format!("print {} %{flags}{letter}{verb} {:x}", x.ty, image(x));
                batch.ask(&request, Answer::Text(text));
            };
            print(&format!(".{precision}"), "e", float::to_exponential(format, bits, precision, false));
            print(&format!(".{precision}"), "f", float::to_fixed(format, bits, precision, false));
            print(&format!(".{precision}"), "g", float::to_general(format, bits, precision, false));
            print(&format!("#.{precision}"), "g", float::to_general(format, bits, precision, true));
            print("#.0", "e", float::to_exponential(format, bits, 0, true));
            print("#.0", "f", float::to_fixed(format, bits, 0, true));
            print(".17", "g", float::to_general(format, bits, 17, false));
            print("", "a", float::to_hexadecimal_float(format, bits, None, false));
            print(&format!(".{precision}"), "a", float::to_hexadecimal_float(format, bits, Some(precision), false));
            print("#.0", "a", float::to_hexadecimal_float(format, bits, Some(0), true));
        }
    }
    batch.compare();
}

/// A decimal or hexadecimal text, sometimes exactly half way between two floats.
fn number_text(random: &mut Random, format: Format) -> String {
    let near = Value::float(Format::DOUBLE, Format::DOUBLE.magnitude(random.float(Format::DOUBLE)));
    match random.below(4) {
        0 => format!("0x{:x}.{:x}p{}", random.next(), random.wide(), random.below(400) as i64 - 200),
        1 if near.is_nan() => "nan".to_owned(),
        1 => float::to_fixed(Format::DOUBLE, near.bits, 1100, false),
        2 => {
            let (low, exponent) = (random.wide() >> (128 - format.significand), random.below(300) as i64 - 150);
            format!("0x{low:x}8p{exponent}")
        }
        _ => format!("{}.{}e{}", random.next(), random.next(), random.below(9_900) as i64 - 4_950),
    }
}

#[test]
fn parsed_floats() {
    let mut random = Random(26);
    let mut batch = Batch::default();
    for format in FORMATS {
        for _ in 0..400 {
            let text = number_text(&mut random, format);
            let bits = float::parse(format, Rounding::NearestEven, &text).expect("a number");
            let request = format!("parse {format} {text}");
            batch.ask(&request, Answer::Value(Value::float(format, bits)));
        }
    }
    batch.compare();
}
