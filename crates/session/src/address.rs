//! Numbers that may be addresses: what a test must not expect to see again.

/// Where the system puts stacks, libraries and large objects, and programs and heaps: addresses there differ from run to
/// run.
const SYSTEM: std::ops::Range<u64> = 0x5000_0000_0000..0x8000_0000_0000;

/// Whether a number may be the address of something that the system placed.
pub fn is_address(number: u64) -> bool {
    SYSTEM.contains(&number)
}
