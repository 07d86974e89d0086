//! Nanoseconds per call of integer propagators, as rows: operator, width, shape of the domains.
//!
//! `cargo bench -p clew-solver --bench propagators`. Each call works on fresh copies of the domains, so the copies are
//! part of the figure.
#![expect(clippy::print_stdout, reason = "the rows are the output")]

use std::hint::black_box;
use std::time::Instant;

use clew_solver::domain::boolean::BoolDomain;
use clew_solver::domain::int::{IntDomain, Interval};
use clew_solver::propagate::int as propagators;

const CALLS: u32 = 200_000;

/// Left, right and result of one shape.
type Shape = (&'static str, fn(u8) -> [IntDomain; 3]);

const SHAPES: [Shape; 4] = [
    ("top", |width| [IntDomain::top(width); 3]),
    ("ranges", |width| {
        let range = |lo, hi| IntDomain::unsigned(width, lo, hi);
        [range(10, 90), range(5, 120), range(0, 127)]
    }),
    ("wrapped", |width| {
        let range = |lo, hi| IntDomain::signed(width, lo, hi);
        [range(-50, 60), range(-120, 3), range(-100, 100)]
    }),
    ("by 4", |width| {
        let range = |lo, hi| IntDomain::progression(width, Interval { lo, hi }, 4);
        [range(4, 80), IntDomain::singleton(width, 8), range(0, 120)]
    }),
];

fn row(name: &str, width: u8, shape: &str, mut call: impl FnMut()) {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    let each = start.elapsed().as_nanos() / u128::from(CALLS);
    println!("{name:12} {width:4} {shape:8} {each:6} ns");
}

fn main() {
    type Binary = fn(&mut IntDomain, &mut IntDomain, &mut IntDomain) -> Result<(), clew_solver::domain::Conflict>;
    let binary: [(&str, Binary); 8] = [
        ("add", propagators::add),
        ("sub", propagators::sub),
        ("mul", propagators::mul),
        ("udiv", propagators::udiv),
        ("sdiv", propagators::sdiv),
        ("and", propagators::and),
        ("xor", propagators::xor),
        ("shl", propagators::shl),
    ];
    for width in [8, 32, 64] {
        for (shape, domains) in SHAPES {
            let given = domains(width);
            for (name, contract) in binary {
                row(name, width, shape, || {
                    let [mut a, mut b, mut r] = black_box(given);
                    let _ = black_box(contract(&mut r, &mut a, &mut b));
                });
            }
            for (name, truth) in [("ult", BoolDomain::TRUE), ("ult?", BoolDomain::TOP)] {
                row(name, width, shape, || {
                    let ([mut a, mut b, _], mut r) = black_box((given, truth));
                    let _ = black_box(propagators::ult(&mut r, &mut a, &mut b));
                });
            }
            row("equal", width, shape, || {
                let ([mut a, mut b, _], mut r) = black_box((given, BoolDomain::TRUE));
                let _ = black_box(propagators::equal(&mut r, &mut a, &mut b));
            });
        }
    }
}
