//! Memory at fixed addresses: the pages that tests must map before the program looks there.

use std::collections::BTreeSet;
use std::fmt::Write;

use clew_ir::{Global, Program};

/// Bytes of a page of memory.
pub const PAGE: u64 = 4096;

/// The pages on which those of the variables lie that have a fixed address.
pub fn pages<'p>(globals: impl Iterator<Item = &'p Global>) -> BTreeSet<u64> {
    let pages = |global: &Global| {
        let address = global.address?;
        Some((address / PAGE..=(address + global.size - 1) / PAGE).map(|page| page * PAGE))
    };
    globals.filter_map(pages).flatten().collect()
}

/// Has the harness map memory where the program expects some, before anything else is done. What is mapped there already
/// stays.
pub(super) fn write_mapping(out: &mut String, program: &Program) {
    let pages = pages(program.globals.values());
    if pages.is_empty() {
        return;
    }
    out.push_str("extern void *__clew_map(void *, unsigned long, int, int, int, long) __asm__(\"mmap\");\n");
    out.push_str("__attribute__((constructor)) static void __clew_map_pages(void) {\n");
    for page in pages {
        // PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE.
        let _ = writeln!(out, "    __clew_map((void *){page:#x}, {PAGE}, 3, 0x100022, -1, 0);");
    }
    out.push_str("}\n");
}
