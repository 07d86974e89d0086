//! Where widening stops.

use clew_ir::{Function, Operand};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Values at which bounds stop first, ascending.
pub(crate) type Thresholds = Rc<[u128]>;

/// Fewer and fewer of the values, but for the extreme ones: with hundreds of constants, stopping at each would take too
/// long.
pub(crate) fn thinned(values: &Thresholds, width: u8, skipped: usize) -> Thresholds {
    const ENDS: usize = 8;
    let ends = [0, values.partition_point(|value| *value < 1 << (width - 1)), values.len()];
    let kept =
        |index: usize| ends.iter().any(|end| index.abs_diff(*end) <= ENDS) || index.is_multiple_of(skipped.div_ceil(4));
    values.iter().enumerate().filter(|(index, _)| kept(*index)).map(|(_, value)| *value).collect()
}

/// Values at which bounds of growing integers stop first: constants of the function and their neighbours, and the
/// borders of signed numbers.
pub(crate) fn thresholds(function: &Function, width: u8) -> Thresholds {
    let mask = u128::MAX >> (128 - u32::from(width));
    let border = 1u128 << (width - 1);
    let mut values = BTreeSet::from([0, 1, border - 1, border, mask - 1, mask]);
    for block in function.blocks.values() {
        for operand in block.insts.iter().flat_map(|inst| inst.kind.operands()) {
            if let Operand::Const(value) = operand
                && matches!(value.ty, clew_scalar::Type::Int(_))
            {
                let signed = value.signed() as u128;
                values.extend([signed.wrapping_sub(1) & mask, signed & mask, signed.wrapping_add(1) & mask]);
            }
        }
    }
    values.into_iter().collect()
}
