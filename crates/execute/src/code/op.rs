//! The ops of decoded functions.

use super::{Position, Slot};

/// One step of a function. `d` is the slot of the result, `a` and `b` those of operands, `w` their width in bits.
///
/// Names ending in `Checked` fail where C leaves the result undefined.
#[rustfmt::skip] // One op per line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Move { d: Slot, a: Slot },
    MoveWide { d: Slot, a: Slot },
    Add { w: u8, d: Slot, a: Slot, b: Slot },
    Sub { w: u8, d: Slot, a: Slot, b: Slot },
    Mul { w: u8, d: Slot, a: Slot, b: Slot },
    UDiv { w: u8, d: Slot, a: Slot, b: Slot },
    SDiv { w: u8, d: Slot, a: Slot, b: Slot },
    URem { w: u8, d: Slot, a: Slot, b: Slot },
    SRem { w: u8, d: Slot, a: Slot, b: Slot },
    And { d: Slot, a: Slot, b: Slot },
    Or { d: Slot, a: Slot, b: Slot },
    Xor { d: Slot, a: Slot, b: Slot },
    Shl { w: u8, d: Slot, a: Slot, b: Slot },
    LShr { w: u8, d: Slot, a: Slot, b: Slot },
    AShr { w: u8, d: Slot, a: Slot, b: Slot },
    AddChecked { w: u8, d: Slot, a: Slot, b: Slot },
    SubChecked { w: u8, d: Slot, a: Slot, b: Slot },
    MulChecked { w: u8, d: Slot, a: Slot, b: Slot },
    UDivChecked { w: u8, d: Slot, a: Slot, b: Slot },
    SDivChecked { w: u8, d: Slot, a: Slot, b: Slot },
    URemChecked { w: u8, d: Slot, a: Slot, b: Slot },
    SRemChecked { w: u8, d: Slot, a: Slot, b: Slot },
    ShlChecked { w: u8, d: Slot, a: Slot, b: Slot },
    LShrChecked { w: u8, d: Slot, a: Slot, b: Slot },
    AShrChecked { w: u8, d: Slot, a: Slot, b: Slot },
    Eq { d: Slot, a: Slot, b: Slot },
    Ne { d: Slot, a: Slot, b: Slot },
    Ult { d: Slot, a: Slot, b: Slot },
    Ule { d: Slot, a: Slot, b: Slot },
    Slt { w: u8, d: Slot, a: Slot, b: Slot },
    Sle { w: u8, d: Slot, a: Slot, b: Slot },
    Not { w: u8, d: Slot, a: Slot },
    Neg { w: u8, d: Slot, a: Slot },
    NegChecked { w: u8, d: Slot, a: Slot },
    SignExtend { w: u8, to: u8, d: Slot, a: Slot },
    Truncate { to: u8, d: Slot, a: Slot },
    DoubleAdd { d: Slot, a: Slot, b: Slot },
    DoubleSub { d: Slot, a: Slot, b: Slot },
    DoubleMul { d: Slot, a: Slot, b: Slot },
    DoubleDiv { d: Slot, a: Slot, b: Slot },
    DoubleEq { d: Slot, a: Slot, b: Slot },
    DoubleLt { d: Slot, a: Slot, b: Slot },
    DoubleLe { d: Slot, a: Slot, b: Slot },
    Select { d: Slot, c: Slot, a: Slot, b: Slot },
    /// An operator of the table [`Code::evals`].
    Eval(u32),
    Offset { w: u8, d: Slot, a: Slot, b: Slot },
    OffsetChecked { w: u8, d: Slot, a: Slot, b: Slot },
    DistanceChecked { w: u8, d: Slot, a: Slot, b: Slot },
    Load8 { d: Slot, a: Slot },
    Load16 { d: Slot, a: Slot },
    Load32 { d: Slot, a: Slot },
    Load64 { d: Slot, a: Slot },
    Load8At { d: Slot, a: Slot, b: Slot },
    Load16At { d: Slot, a: Slot, b: Slot },
    Load32At { d: Slot, a: Slot, b: Slot },
    Load64At { d: Slot, a: Slot, b: Slot },
    /// A load of the table [`Code::accesses`].
    Load(u32),
    Store8 { a: Slot, b: Slot },
    Store16 { a: Slot, b: Slot },
    Store32 { a: Slot, b: Slot },
    Store64 { a: Slot, b: Slot },
    Store8At { a: Slot, b: Slot, c: Slot },
    Store16At { a: Slot, b: Slot, c: Slot },
    Store32At { a: Slot, b: Slot, c: Slot },
    Store64At { a: Slot, b: Slot, c: Slot },
    /// A store of the table [`Code::accesses`].
    Store(u32),
    /// A copy of the table [`Code::ranges`].
    Copy(u32),
    /// A fill of the table [`Code::ranges`].
    Fill(u32),
    /// Fails unless the slot is true.
    Check { a: Slot },
    /// Fails unless the variable with that flag was written.
    FlagCheck { flag: Slot },
    FlagSet { flag: Slot },
    FlagClear { flag: Slot },
    /// Counts instructions of a block too long for its terminator's counter.
    Count { steps: u32 },
    Jump { steps: u16, to: Position },
    Branch { steps: u16, a: Slot, then: Position, otherwise: Position },
    BranchEq { steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    BranchNe { steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    BranchUlt { steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    BranchUle { steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    BranchSlt { w: u8, steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    BranchSle { w: u8, steps: u16, a: Slot, b: Slot, then: Position, otherwise: Position },
    Switch { steps: u16, index: u32 },
    /// A call of the table [`Code::calls`].
    Call(u32),
    Return { steps: u16 },
    ReturnNarrow { steps: u16, a: Slot },
    ReturnWide { steps: u16, a: Slot },
    Special(Special),
}

/// What only the machine can do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Special {
    /// A new life of a variable of the table [`Code::objects`].
    Begin(u32),
    /// The end of its life.
    End(u32),
    Allocate {
        d: Slot,
        size: Slot,
        checked: bool,
    },
    Release {
        pointer: Slot,
    },
    VaStart {
        list: Slot,
    },
    /// The next variable argument; the place is that of the table [`Code::accesses`].
    VaArg(u32),
    VaCopy {
        to: Slot,
        from: Slot,
    },
    VaEnd {
        list: Slot,
    },
    /// Unsupported C.
    Unsupported,
    /// Control came where it cannot.
    Unreachable,
}

#[cfg(test)]
mod tests {
    use super::Op;

    #[test]
    fn an_op_is_small() {
        assert_eq!(std::mem::size_of::<Op>(), 20);
    }
}
