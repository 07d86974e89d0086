//! The memory of a process, as Linux tells it; elsewhere it is not known.

/// Bytes in a page, as the system counts them here.
const PAGE: u64 = 4096;

/// Bytes of memory that this process has.
pub fn bytes() -> u64 {
    bytes_of("self")
}

/// Bytes of memory that a process has, by its number; 0 if that is not known.
pub fn bytes_of(process: &str) -> u64 {
    let counts = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = counts.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_memory() {
        assert!(super::bytes() > 1 << 16);
        assert_eq!(super::bytes_of("no such process"), 0);
    }
}
