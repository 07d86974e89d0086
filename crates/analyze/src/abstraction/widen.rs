//! Where widening stops.

use clew_ir::{Function, InstKind, Operand};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Values at which bounds stop first, ascending.
pub(crate) type Thresholds = Rc<[u128]>;

/// The values of a function for integers of one width.
#[derive(Debug)]
pub(crate) struct Stops {
    /// All of them, ascending.
    values: Vec<u128>,
    /// The least and the greatest constant that each variable is given: the states of a machine lie between them.
    stored: BTreeSet<u128>,
}

/// Fewer and fewer of the values, but for the extreme ones: with hundreds of constants, stopping at each would take too
/// long.
pub(crate) fn thinned(stops: &Stops, width: u8, skipped: usize) -> Thresholds {
    const ENDS: usize = 8;
    let Stops { values, stored } = stops;
    let ends = [0, values.partition_point(|value| *value < 1 << (width - 1)), values.len()];
    let kept =
        |index: usize| ends.iter().any(|end| index.abs_diff(*end) <= ENDS) || index.is_multiple_of(skipped.div_ceil(4));
    let kept = values.iter().enumerate().filter(|(index, value)| kept(*index) || stored.contains(value));
    kept.map(|(_, value)| *value).collect()
}

/// Values at which bounds of growing integers stop first: constants of the function and their neighbours, and the
/// borders of signed numbers.
pub(crate) fn stops(function: &Function, width: u8) -> Stops {
    let mask = u128::MAX >> (128 - u32::from(width));
    let border = 1u128 << (width - 1);
    let mut values = BTreeSet::from([0, 1, border - 1, border, mask - 1, mask]);
    let mut stored: Vec<(Operand, BTreeSet<i128>)> = Vec::new();
    for inst in function.blocks.values().flat_map(|block| &block.insts) {
        for operand in inst.kind.operands() {
            if let Operand::Const(value) = operand
                && matches!(value.ty, clew_scalar::Type::Int(_))
            {
                let signed = value.signed() as u128;
                values.extend([signed.wrapping_sub(1) & mask, signed & mask, signed.wrapping_add(1) & mask]);
            }
        }
        if let InstKind::Store { to, value: Operand::Const(value), .. } = inst.kind
            && matches!(value.ty, clew_scalar::Type::Int(_))
        {
            // Members behind pointers are one variable here.
            let to = if let Operand::Temp(_) = to { Operand::Null } else { to };
            match stored.iter_mut().find(|(other, _)| *other == to) {
                Some((_, known)) => drop(known.insert(value.signed())),
                None => stored.push((to, BTreeSet::from([value.signed()]))),
            }
        }
    }
    let extremes = stored.iter().flat_map(|(_, known)| [known.first(), known.last()]).flatten();
    Stops { stored: extremes.map(|value| *value as u128 & mask).collect(), values: values.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::{Stops, thinned};

    #[test]
    fn extremes_of_what_is_stored_are_kept() {
        let stops = Stops { values: (0..600).collect(), stored: [7, 199].into() };
        let few = thinned(&stops, 32, 1 << 10);
        assert!(few.contains(&199) && few.contains(&599) && !few.contains(&200) && !few.contains(&300));
    }
}
