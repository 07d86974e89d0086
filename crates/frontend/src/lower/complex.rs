//! Complex numbers: two scalars in memory, the real one first.
//!
//! Products follow C's Annex G as gcc's runtime does. Quotients are left to the runtime function compilers call for
//! them.

use super::body::Body;
use super::place::{LValue, Reach};
use clew_ir::{CType, Callee, Function, InstKind, Operand, Type};
use clew_scalar::{BinaryOp as Op, Conversion as Convert, Format, Rounding, UnaryOp as Unary, Value};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    /// The type of one half.
    fn half_type(&self, ty: TypeId) -> TypeId {
        match self.unit.kind(ty) {
            TypeKind::Complex(part) => part,
            _ => ty,
        }
    }

    fn half_place(&mut self, address: Operand, ty: TypeId, imaginary: bool, reach: Reach) -> LValue {
        let half = self.half_type(ty);
        let offset = if imaginary { self.unit.size(half) as i64 } else { 0 };
        let address = self.offset_const(address, offset);
        self.place_at(address, half, reach)
    }

    /// `__real__ x` and `__imag__ x` as a place.
    pub(crate) fn half(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> LValue {
        let whole = self.type_at(operand);
        if self.unit.is_complex(whole) {
            let place = self.place(operand);
            return self.half_place(place.address, whole, op == UnaryOp::Imag, place.reach);
        }
        let place = self.hidden_place(ty);
        let value = self.value(operand);
        let value = if op == UnaryOp::Imag { self.zero(self.type_of(value)) } else { value };
        self.write(&place, value);
        place
    }

    /// Both halves of the complex number at an address.
    pub(crate) fn halves(&mut self, address: Operand, ty: TypeId) -> (Operand, Operand) {
        let real = self.half_place(address, ty, false, Reach::Safe);
        let imag = self.half_place(address, ty, true, Reach::Safe);
        (self.read(&real), self.read(&imag))
    }

    /// A new complex number; gives its address.
    fn complex_of(&mut self, real: Operand, imag: Operand, ty: TypeId) -> Operand {
        let address = Operand::Local(self.hidden(ty));
        for (imaginary, value) in [(false, real), (true, imag)] {
            let place = self.half_place(address, ty, imaginary, Reach::Safe);
            self.write(&place, value);
        }
        address
    }

    pub(crate) fn make_complex(&mut self, real: ExprId, imag: ExprId, ty: TypeId) -> Operand {
        let real = self.value(real);
        let imag = self.value(imag);
        self.complex_of(real, imag, ty)
    }

    pub(crate) fn complex_constant(&mut self, value: Const, ty: TypeId) -> Operand {
        let Some(half) = self.unit.scalar(self.half_type(ty)) else { return self.lost("this constant", ty) };
        let scalar = half.scalar(self.pointer_width());
        let (real, imag) = match value {
            Const::Complex { real, imag } => (super::data::float_bits(real), super::data::float_bits(imag)),
            Const::ComplexInt { real, imag } => (real as u128, imag as u128),
            _ => return self.lost("this constant", ty),
        };
        let mask = u128::MAX >> (128 - u32::from(scalar.width()));
        let constant = |bits: u128| Operand::Const(Value { ty: scalar, bits: bits & mask });
        self.complex_of(constant(real), constant(imag), ty)
    }

    /// Minus, and `~` for the conjugate.
    pub(crate) fn complex_unary(&mut self, op: UnaryOp, value: Operand, ty: TypeId) -> Operand {
        let (real, imag) = self.halves(value, ty);
        let negate = negation(self.type_of(real));
        let real = if op == UnaryOp::Minus { self.unary(negate, real, None) } else { real };
        let imag = self.unary(negate, imag, None);
        self.complex_of(real, imag, ty)
    }

    pub(crate) fn complex_binary(&mut self, op: BinaryOp, a: Operand, b: Operand, of: TypeId, ty: TypeId) -> Operand {
        let half = self.half_type(of);
        let (ar, ai) = self.halves(a, of);
        let (br, bi) = self.halves(b, of);
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let real = self.arithmetic(op, half, ar, br, half);
                let imag = self.arithmetic(op, half, ai, bi, half);
                self.complex_of(real, imag, of)
            }
            BinaryOp::Mul => self.complex_product((ar, ai), (br, bi), of),
            BinaryOp::Div => self.complex_quotient([ar, ai, br, bi], of),
            BinaryOp::Eq | BinaryOp::Ne => {
                let real = self.compare(BinaryOp::Eq, half, ar, br);
                let imag = self.compare(BinaryOp::Eq, half, ai, bi);
                let same = self.binary(Op::And, real, imag, None);
                let truth = if op == BinaryOp::Eq { same } else { self.unary(Unary::Not, same, None) };
                self.truth_as(truth, ty)
            }
            _ => self.lost("this operator on complex numbers", ty),
        }
    }

    /// One operand is a real number that the tree converted: like gcc, leave its imaginary half out.
    pub(crate) fn mixed_binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Option<Operand> {
        let (left, right) = (self.real_part_of(lhs), self.real_part_of(rhs));
        if left.is_some() == right.is_some() || !self.unit.is_complex(ty) {
            return None;
        }
        let supported =
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) || (op == BinaryOp::Div && right.is_some());
        if !supported {
            return None;
        }
        let half = self.half_type(ty);
        let a = self.value(left.unwrap_or(lhs));
        let b = self.value(right.unwrap_or(rhs));
        let (real, imag) = if let Some(expr) = left {
            let a = self.convert(a, self.type_at(expr), half);
            let (br, bi) = self.halves(b, ty);
            let imag = match op {
                BinaryOp::Add => bi,
                BinaryOp::Sub => self.unary(negation(self.type_of(bi)), bi, None),
                _ => self.arithmetic(op, half, a, bi, half),
            };
            (self.arithmetic(op, half, a, br, half), imag)
        } else {
            let b = self.convert(b, self.type_at(right?), half);
            let (ar, ai) = self.halves(a, ty);
            let imag = match op {
                BinaryOp::Add | BinaryOp::Sub => ai,
                _ => self.arithmetic(op, half, ai, b, half),
            };
            (self.arithmetic(op, half, ar, b, half), imag)
        };
        Some(self.complex_of(real, imag, ty))
    }

    /// The real expression behind a conversion to a complex type.
    fn real_part_of(&self, expr: ExprId) -> Option<ExprId> {
        match self.checked.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
                self.unit.scalar(self.type_at(operand)).map(|_| operand)
            }
            _ => None,
        }
    }

    fn complex_product(&mut self, (a, b): (Operand, Operand), (c, d): (Operand, Operand), ty: TypeId) -> Operand {
        let half = self.half_type(ty);
        let (real, imag, products) = self.plain_product([a, b, c, d], half);
        let result = self.complex_of(real, imag, ty);
        if self.unit.is_float(half) {
            let nan_real = self.unary(Unary::FloatIsNan, real, None);
            let nan_imag = self.unary(Unary::FloatIsNan, imag, None);
            let both = self.binary(Op::And, nan_real, nan_imag, None);
            let (recover, done) = (self.builder.block(), self.builder.block());
            self.reach(recover);
            self.reach(done);
            self.branch_hidden(both, recover, done);
            if self.open(recover) {
                self.recover_infinities([a, b, c, d], products, result, ty);
                self.jump(done);
            }
            self.open(done);
        }
        result
    }

    /// `(a + bi) * (c + di)` by the school formula, and its four products.
    fn plain_product(&mut self, [a, b, c, d]: [Operand; 4], half: TypeId) -> (Operand, Operand, [Operand; 4]) {
        let mut times = |a, b| self.arithmetic(BinaryOp::Mul, half, a, b, half);
        let products @ [ac, bd, ad, bc] = [times(a, c), times(b, d), times(a, d), times(b, c)];
        let real = self.arithmetic(BinaryOp::Sub, half, ac, bd, half);
        let imag = self.arithmetic(BinaryOp::Add, half, ad, bc, half);
        (real, imag, products)
    }

    /// C Annex G.5.1: a product of which both halves came out as NaN is an infinity if an operand was infinite or a
    /// partial product overflowed.
    fn recover_infinities(&mut self, parts: [Operand; 4], products: [Operand; 4], result: Operand, ty: TypeId) {
        let half = self.half_type(ty);
        let [a, b, c, d] = parts;
        let left = self.any_infinite(&[a, b]);
        let right = self.any_infinite(&[c, d]);
        let overflowed = self.any_infinite(&products);
        let mut boxed = [a, b, c, d];
        for (index, part) in boxed.iter_mut().enumerate() {
            let (own, other) = if index < 2 { (left, right) } else { (right, left) };
            let unit = self.unit_or_zero(*part);
            let unboxed = self.zero_if_nan(*part);
            let inside = self.binary(Op::Or, other, overflowed, None);
            let outside = self.select(inside, unboxed, *part);
            *part = self.select(own, unit, outside);
        }
        let (real, imag, _) = self.plain_product(boxed, half);
        let operands = self.binary(Op::Or, left, right, None);
        let recovered = self.binary(Op::Or, operands, overflowed, None);
        let infinity = self.infinity(half);
        for (imaginary, value) in [(false, real), (true, imag)] {
            let place = self.half_place(result, ty, imaginary, Reach::Safe);
            let old = self.read(&place);
            let scaled = self.arithmetic(BinaryOp::Mul, half, infinity, value, half);
            let new = self.select(recovered, scaled, old);
            self.write(&place, new);
        }
    }

    fn any_infinite(&mut self, values: &[Operand]) -> Operand {
        let mut any = Operand::int(1, 0);
        for &value in values {
            let infinite = self.unary(Unary::FloatIsInfinite, value, None);
            any = self.binary(Op::Or, any, infinite, None);
        }
        any
    }

    /// One for an infinity and zero for anything else, with the sign of the value.
    fn unit_or_zero(&mut self, value: Operand) -> Operand {
        let Type::Float(format) = self.type_of(value) else { return value };
        let infinite = self.unary(Unary::FloatIsInfinite, value, None);
        let one = Convert::SignedToFloat(format, Rounding::NearestEven);
        let one = self.convert_op(one, Operand::int(32, 1), None);
        let zero = self.zero(Type::Float(format));
        let magnitude = self.select(infinite, one, zero);
        self.with_sign_of(magnitude, value)
    }

    /// A zero with the sign of the value, if that is a NaN.
    fn zero_if_nan(&mut self, value: Operand) -> Operand {
        let nan = self.unary(Unary::FloatIsNan, value, None);
        let zero = self.zero(self.type_of(value));
        let zero = self.with_sign_of(zero, value);
        self.select(nan, zero, value)
    }

    fn infinity(&mut self, ty: TypeId) -> Operand {
        match self.unit.scalar(ty) {
            Some(Type::Float(format)) => {
                let bits = ((1u128 << format.exponent) - 1) << (format.significand - 1);
                Operand::Const(Value { ty: clew_scalar::Type::Float(format), bits })
            }
            _ => Operand::Null,
        }
    }

    /// Calls `__divdc3` or the like.
    fn complex_quotient(&mut self, parts: [Operand; 4], ty: TypeId) -> Operand {
        let name = match self.type_of(parts[0]) {
            Type::Float(Format::SINGLE) => "__divsc3",
            Type::Float(Format::DOUBLE) => "__divdc3",
            Type::Float(Format::EXTENDED) => "__divxc3",
            Type::Float(Format::QUAD) => "__divtc3",
            _ => return self.lost("a quotient of complex integers", ty),
        };
        let result = Operand::Local(self.hidden(ty));
        let half = self.unit.ctype(self.half_type(ty));
        let returns = self.unit.ctype(ty);
        let function = CType::Function { returns, params: vec![half; 4], variadic: false };
        let mut args = vec![result];
        args.extend(parts);
        self.call_runtime(name, function, args);
        result
    }

    /// Calls a function of the compiler's runtime that gives no scalar.
    pub(crate) fn call_runtime(&mut self, name: &str, function: CType, args: Vec<Operand>) {
        let ty = self.unit.linker.intern(&mut self.unit.program.ctypes, function);
        let callee = match self.unit.linker.functions.get(name) {
            Some(&known) => known,
            None => {
                let new = self.unit.program.functions.push(Function::declare(name, ty));
                self.unit.linker.functions.insert(name.to_owned(), new);
                new
            }
        };
        self.emit(InstKind::Call { dest: None, callee: Callee::Direct(callee), args, ty, check: None });
    }

    pub(crate) fn convert_complex(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        let (from_half, to_half) = (self.half_type(from), self.half_type(to));
        let (real, imag) = if self.unit.is_complex(from) {
            self.halves(value, from)
        } else {
            let Some(scalar) = self.unit.scalar(from) else { return self.lost("this conversion", to) };
            (value, self.zero(scalar))
        };
        let real = self.convert(real, from_half, to_half);
        if !self.unit.is_complex(to) {
            return real;
        }
        let imag = self.convert(imag, from_half, to_half);
        self.complex_of(real, imag, to)
    }
}

fn negation(ty: Type) -> Unary {
    if matches!(ty, Type::Float(_)) { Unary::FloatNeg } else { Unary::Neg }
}
