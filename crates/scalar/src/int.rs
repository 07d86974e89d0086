//! Integer operators on raw bits of 1 to 128 bits, and the predicates of C's undefined behaviour.
//!
//! Each operator is written once, generic over the [`Word`] that holds the bits: `u128` for any width, `u64` for the
//! interpreter, whose integers are nearly always narrow. Operands have no bits above the width set, and neither do
//! results. Operators are total in the SMT-LIB way; see [`crate::BinaryOp`].

mod word;

pub use word::Word;

/// The bits of an integer of `width` bits.
#[inline]
pub fn mask<W: Word>(width: u8) -> W {
    debug_assert!(width >= 1 && width <= W::BITS, "width {width} does not fit the word");
    W::ONES.shr(u32::from(W::BITS - width))
}

/// The bits read as a two's complement number.
#[inline]
pub fn signed(width: u8, bits: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((bits << unused) as i128) >> unused
}

/// Copies of the sign bit above the width, up to the word's own.
#[inline]
pub fn extend_sign<W: Word>(width: u8, bits: W) -> W {
    let unused = u32::from(W::BITS - width);
    bits.shl(unused).sar(unused)
}

/// Wrapping sum.
#[inline]
pub fn add<W: Word>(width: u8, a: W, b: W) -> W {
    a.wrapping_add(b) & mask(width)
}

/// Wrapping difference.
#[inline]
pub fn sub<W: Word>(width: u8, a: W, b: W) -> W {
    a.wrapping_sub(b) & mask(width)
}

/// Wrapping product.
#[inline]
pub fn mul<W: Word>(width: u8, a: W, b: W) -> W {
    a.wrapping_mul(b) & mask(width)
}

/// Two's complement negation.
#[inline]
pub fn neg<W: Word>(width: u8, a: W) -> W {
    sub(width, W::ZERO, a)
}

/// Bitwise complement.
#[inline]
pub fn not<W: Word>(width: u8, a: W) -> W {
    a ^ mask(width)
}

/// Unsigned quotient; all ones when dividing by zero.
#[inline]
pub fn udiv<W: Word>(width: u8, a: W, b: W) -> W {
    if b == W::ZERO { mask(width) } else { a.unsigned_div(b) }
}

/// Unsigned remainder; the dividend when dividing by zero.
#[inline]
pub fn urem<W: Word>(_width: u8, a: W, b: W) -> W {
    if b == W::ZERO { a } else { a.unsigned_rem(b) }
}

/// Signed quotient truncated toward zero; `MIN / -1` wraps; `x / 0` is 1 for negative `x`, otherwise -1.
#[inline]
pub fn sdiv<W: Word>(width: u8, a: W, b: W) -> W {
    if b == W::ZERO {
        return if is_negative(width, a) { W::ONE } else { mask(width) };
    }
    extend_sign(width, a).signed_div(extend_sign(width, b)) & mask(width)
}

/// Signed remainder with the sign of the dividend; the dividend when dividing by zero.
#[inline]
pub fn srem<W: Word>(width: u8, a: W, b: W) -> W {
    if b == W::ZERO {
        return a;
    }
    extend_sign(width, a).signed_rem(extend_sign(width, b)) & mask(width)
}

/// Left shift; zero when the amount is the width or more.
#[inline]
pub fn shl<W: Word>(width: u8, a: W, amount: W) -> W {
    match shift_within(width, amount) {
        Some(amount) => a.shl(amount) & mask(width),
        None => W::ZERO,
    }
}

/// Logical right shift; zero when the amount is the width or more.
#[inline]
pub fn lshr<W: Word>(width: u8, a: W, amount: W) -> W {
    match shift_within(width, amount) {
        Some(amount) => a.shr(amount),
        None => W::ZERO,
    }
}

/// Arithmetic right shift; all sign bits when the amount is the width or more.
#[inline]
pub fn ashr<W: Word>(width: u8, a: W, amount: W) -> W {
    let amount = shift_within(width, amount).unwrap_or(u32::from(width) - 1);
    extend_sign(width, a).sar(amount) & mask(width)
}

/// Unsigned less.
#[inline]
pub fn ult<W: Word>(_width: u8, a: W, b: W) -> bool {
    a < b
}

/// Unsigned less or equal.
#[inline]
pub fn ule<W: Word>(_width: u8, a: W, b: W) -> bool {
    a <= b
}

/// Signed less.
#[inline]
pub fn slt<W: Word>(width: u8, a: W, b: W) -> bool {
    flip_sign(width, a) < flip_sign(width, b)
}

/// Signed less or equal.
#[inline]
pub fn sle<W: Word>(width: u8, a: W, b: W) -> bool {
    flip_sign(width, a) <= flip_sign(width, b)
}

/// Number of one bits.
#[inline]
pub fn count_ones<W: Word>(_width: u8, a: W) -> W {
    W::from_u32(a.count_ones())
}

/// Number of leading zero bits, the width for zero.
#[inline]
pub fn leading_zeros<W: Word>(width: u8, a: W) -> W {
    W::from_u32(a.leading_zeros() - u32::from(W::BITS - width))
}

/// Number of trailing zero bits, the width for zero.
#[inline]
pub fn trailing_zeros<W: Word>(width: u8, a: W) -> W {
    W::from_u32(a.trailing_zeros().min(u32::from(width)))
}

/// Bytes in reverse order.
///
/// # Panics
/// If the width is not a multiple of 8.
#[inline]
pub fn byte_swap<W: Word>(width: u8, a: W) -> W {
    assert!(width.is_multiple_of(8), "bytes are swapped in whole bytes, not in {width} bits");
    a.swap_bytes().shr(u32::from(W::BITS - width))
}

/// Is the highest bit set?
#[inline]
pub fn is_negative<W: Word>(width: u8, a: W) -> bool {
    a.shr(u32::from(width) - 1) != W::ZERO
}

/// The least signed number: only the highest bit set.
#[inline]
pub fn signed_min<W: Word>(width: u8) -> W {
    W::ONE.shl(u32::from(width) - 1)
}

/// Does the signed sum overflow?
#[inline]
pub fn signed_add_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    let sum = a.wrapping_add(b);
    is_negative(width, ((a ^ sum) & (b ^ sum)) & mask(width))
}

/// Does the signed difference overflow?
#[inline]
pub fn signed_sub_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    let difference = a.wrapping_sub(b);
    is_negative(width, ((a ^ b) & (a ^ difference)) & mask(width))
}

/// Does the signed product overflow?
#[inline]
pub fn signed_mul_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    match extend_sign(width, a).checked_signed_mul(extend_sign(width, b)) {
        Some(product) => extend_sign(width, product) != product,
        None => true,
    }
}

/// Does the signed negation overflow (of the least number)?
#[inline]
pub fn signed_neg_overflows<W: Word>(width: u8, a: W) -> bool {
    a == signed_min(width)
}

/// Does the signed quotient overflow (`MIN / -1`)? The same for the remainder, which C leaves undefined with it.
#[inline]
pub fn signed_div_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    a == signed_min(width) && b == mask(width)
}

/// Does the unsigned sum wrap?
#[inline]
pub fn unsigned_add_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    add(width, a, b) < a
}

/// Does the unsigned difference wrap?
#[inline]
pub fn unsigned_sub_overflows<W: Word>(_width: u8, a: W, b: W) -> bool {
    a < b
}

/// Does the unsigned product wrap?
#[inline]
pub fn unsigned_mul_overflows<W: Word>(width: u8, a: W, b: W) -> bool {
    a.checked_unsigned_mul(b).is_none_or(|product| product > mask(width))
}

/// Is the shift amount, read as unsigned, the width or more (which C leaves undefined)?
#[inline]
pub fn shift_too_far<W: Word>(width: u8, amount: W) -> bool {
    amount >= W::from_u32(u32::from(width))
}

#[inline]
fn shift_within<W: Word>(width: u8, amount: W) -> Option<u32> {
    (!shift_too_far(width, amount)).then(|| amount.to_u32())
}

/// Turns signed order into unsigned order.
#[inline]
fn flip_sign<W: Word>(width: u8, a: W) -> W {
    a ^ signed_min(width)
}
