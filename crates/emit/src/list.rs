//! Lists that stay short: equal items in a row are written as one, and what is too long for a list as what it hashes to.

use std::fmt::Write;

/// So many equal items in a row become a range.
const SHORTEST_RANGE: usize = 16;

/// Characters of a list of what is expected; of a longer one only a hash is written.
const MOST_EXPECTED: usize = 16_000;

/// The function by which tests compare what is too long for a list.
pub(super) const DIGEST: &str = "clew_digest";

/// Items of an initialiser.
pub(super) fn listed(items: &[String]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for run in items.chunk_by(|one, other| one == other) {
        let is_range = run.len() >= SHORTEST_RANGE;
        for item in &run[..if is_range { 1 } else { run.len() }] {
            out.push_str(if out.is_empty() { "" } else { ", " });
            if is_range {
                let _ = write!(out, "[{at} ... {}] = ", at + run.len() - 1);
            }
            out.push_str(item);
        }
        at += run.len();
    }
    out
}

/// A statement that may hold ranges, which C has only as an extension.
pub(super) fn extended(line: String) -> String {
    let has_range = line.contains(" ... ") && line.contains("] = ");
    if has_range { format!("__extension__ {line}") } else { line }
}

/// The condition that some bytes are as expected, where a list of them would be too long.
pub(super) fn digested(place: &str, list: &str, bytes: &[u8]) -> Option<String> {
    let is_long = list.len() > MOST_EXPECTED;
    is_long.then(|| format!("{DIGEST}({place}, {}) == {:#x}u", bytes.len(), digest(bytes)))
}

/// FNV-1a (Fowler, Noll, Vo) of 32 bits.
fn digest(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The same in C.
pub(super) fn digest_in_c() -> String {
    format!(
        "\n/* Stands for bytes that are too many to be listed: FNV-1a. */\nstatic unsigned int {DIGEST}(const volatile void *bytes, \
         unsigned long size)\n{{\n    unsigned int hash = 0x811c9dc5u;\n    unsigned long at;\n    for (at = 0; at < size; \
         at++)\n        hash = (hash ^ ((const volatile unsigned char *)bytes)[at]) * 0x01000193u;\n    return hash;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{digested, extended, listed};

    #[test]
    fn equal_items_are_a_range() {
        let items: Vec<String> = std::iter::repeat_n("0", 20).chain(["7"]).chain(["1"; 3]).map(str::to_owned).collect();
        assert_eq!(listed(&items), "[0 ... 19] = 0, 7, 1, 1, 1");
        assert_eq!(listed(&items[19..]), "0, 7, 1, 1, 1");
        assert_eq!(
            extended(format!("int t[] = {{{}}};", listed(&items))).split('=').next(),
            Some("__extension__ int t[] ")
        );
    }

    #[test]
    fn long_lists_are_hashed() {
        assert_eq!(digested("t", "1, 2", &[1, 2]), None);
        // The value that the description of the hash gives for "a".
        assert_eq!(digested("t", &"1, ".repeat(9_000), b"a").as_deref(), Some("clew_digest(t, 1) == 0xe40c292cu"));
    }
}
