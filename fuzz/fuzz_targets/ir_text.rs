//! No text makes the reader of the intermediate form panic; what it reads, prints and reads back the same.

#![no_main]

use clew_ir::{text, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    if let Ok(program) = text::parse(input)
        && verify::verify(&program).is_empty()
    {
        let printed = text::print(&program);
        assert_eq!(text::print(&text::parse(&printed).expect("printed text reads back")), printed);
    }
});
