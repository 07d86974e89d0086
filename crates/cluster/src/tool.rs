//! Which program of clew this is.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};

/// The version, and a hash of the program's bytes: what the results of equal ones depend on is equal.
///
/// # Errors
/// When the program cannot be read.
pub fn identity() -> io::Result<String> {
    let mut file = File::open(std::env::current_exe()?)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            bytes => hash.update(&buffer[..bytes]),
        }
    }
    let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{} {digest}", env!("CARGO_PKG_VERSION")))
}
