//! Propagators of integer operators: forward and backward narrowing, one file per operator.
//!
//! A propagator is a pure function on the domains of its constraint, result first. It removes values that no solution
//! inside the given domains has and answers [`Conflict`] when a domain would become empty. Rules all of them follow:
//!
//! - no solution is lost, and a full assignment that violates the constraint is a conflict;
//! - no domain ends with more values than it had; where wrapped intervals leave a choice it may end with others (see
//!   [`crate::domain::int`]);
//! - one call makes one pass: the caller repeats it while domains change. There is no state.
//!
//! Operands and result have one width unless said otherwise. Comparisons and the condition of `select` use
//! [`BoolDomain`]; a `Not`, `And`, `Or`, `Xor` or `Eq` between conditions has its own propagator in [`condition`].
//! Where both operands are short lists (`enumerate`) the propagators try all pairs and reach domain consistency; the
//! consistency each file states holds beyond that.
//!
//! To add an operator: write its file with the constraint on the first line, list it here, give it an oracle test in
//! `tests/oracle`.
//!
//! [`BoolDomain`]: crate::domain::boolean::BoolDomain

pub mod condition;
mod divisors;
mod enumerate;
mod multiples;

mod add;
mod and;
mod ashr;
mod byte_swap;
mod compare;
mod concat;
mod count_ones;
mod element;
mod equal;
mod extract;
mod high;
mod leading_zeros;
mod lookup;
mod lshr;
mod mul;
mod neg;
mod not;
mod or;
mod sdiv;
mod select;
mod shift;
mod shl;
mod sign_extend;
mod single;
mod square;
mod squares;
mod srem;
mod sub;
mod trailing_zeros;
mod truncate;
mod udiv;
mod urem;
mod xor;
mod zero_extend;

// Each operator's function carries the name of its file.
pub use add::add;
pub use and::and;
pub use ashr::ashr;
pub use byte_swap::byte_swap;
pub use compare::{sle, slt, ule, ult};
pub use concat::concat;
pub use count_ones::count_ones;
pub use element::{read, write};
pub use equal::{equal, not_equal};
pub use extract::extract;
pub use leading_zeros::leading_zeros;
pub use lookup::lookup;
pub use lshr::lshr;
pub use mul::mul;
pub use neg::neg;
pub use not::not;
pub use or::or;
pub use sdiv::sdiv;
pub use select::select;
pub use shl::shl;
pub use sign_extend::sign_extend;
pub use single::single;
pub use square::square;
pub use squares::squares;
pub use srem::srem;
pub use sub::sub;
pub use trailing_zeros::trailing_zeros;
pub use truncate::truncate;
pub use udiv::udiv;
pub use urem::urem;
pub use xor::xor;
pub use zero_extend::zero_extend;

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The domains of a constraint with two operands: result, left, right.
type Triple = (IntDomain, IntDomain, IntDomain);

/// Constructive disjunction: each case narrows its own copy of the domains; what is left is the union of the cases that
/// hold, a conflict when none does.
fn either(
    domains: (&mut IntDomain, &mut IntDomain, &mut IntDomain),
    cases: &mut dyn Iterator<Item = Result<Triple, Conflict>>,
) -> Result<(), Conflict> {
    let join = |all: Triple, case: Triple| (all.0.join(&case.0), all.1.join(&case.1), all.2.join(&case.2));
    let (result, a, b) = cases.filter_map(Result::ok).reduce(join).ok_or(Conflict)?;
    domains.0.narrow(&result)?;
    domains.1.narrow(&a)?;
    domains.2.narrow(&b)
}

/// The two domains are those of one value.
fn unify(a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    *a = a.meet(b)?;
    *b = *a;
    Ok(())
}
