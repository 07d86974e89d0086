//! No C text makes the front end panic; what it lowers keeps the rules of the intermediate form.

#![no_main]

use clew_frontend::{Preprocessed, load_preprocessed};
use clew_ir::verify;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let loaded = load_preprocessed(vec![Preprocessed::plain("fuzz.c", input)]);
    let violations = verify::verify(&loaded.program);
    assert!(violations.is_empty(), "{}", violations[0]);
});
