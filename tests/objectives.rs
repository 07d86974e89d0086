//! How many objectives each criterion states for a program whose objectives were counted by hand.

use clew_coverage::{Criterion, Ledger};
use clew_frontend::{Options, load};
use std::path::Path;

/// Criterion and number, with the count spelled out.
const COUNTS: [(&str, usize); 9] = [
    ("decision", 2 + 2 + 2),       // loop, arms, ternary
    ("condition", 3 * 2),          // a > 0, b != 3, s
    ("condition-decision", 6 + 6), // both of the above
    ("mcc", 3 + 2 + 2),            // F, TF, TT; arms; s
    ("mcdc-unique", 3 + 2),        // conditions; arms
    ("boundary", 2 * 3),           // a > 0 and b != 3; `s` compares nothing
    ("loop", 3),                   // none, one, more
    ("function", 1),               // itself
    ("all-defs", 2 + 1 + 1 + 1),   // parameters, s = 0, s += a, a--
];

#[test]
fn criteria_state_what_was_counted_by_hand() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/objectives/counted.c");
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    let function = loaded.program.function("counted").expect("the function is there");
    for (name, expected) in COUNTS {
        let criterion: Criterion = name.parse().expect("it is a criterion");
        let ledger = Ledger::new(&loaded.program, &[function], &[criterion]);
        assert_eq!(ledger.entries().count(), expected, "objectives of {name}");
    }
}
