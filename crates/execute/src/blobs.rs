//! Named contents that other processes and machines share: results and libraries that need not be made twice.
//!
//! Where they lie is up to an implementation of [`Blobs`]; it may lose them, and it may give back what somebody else put
//! there. So whatever is put is sealed: it carries the hash of its name and content, and [`Shelf::get`] gives back only
//! what was put under that name. A damaged or foreign content is as if it were not there. A seal does not tell who made
//! it: who may write there is trusted.

use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;

/// Bytes of a seal.
const SEAL_BYTES: usize = 32;
/// What a sealed content begins with.
const HEAD: &[u8] = b"clew 1\n";

/// A place for named contents. Names are lower-case letters, digits and dashes.
pub trait Blobs: Send + Sync + fmt::Debug {
    /// The content of a name, if there is one that can be had.
    fn get(&self, name: &str) -> Option<Vec<u8>>;

    /// Puts a content under a name, whole or not at all; whether that succeeded decides no result.
    fn put(&self, name: &str, content: &[u8]);

    /// What went wrong, each once.
    fn notes(&self) -> Vec<String>;
}

/// A place for named contents that checks what it gives.
#[derive(Clone, Debug)]
pub struct Shelf(Arc<dyn Blobs>);

impl Shelf {
    /// Checks what a place gives.
    pub fn new(blobs: Arc<dyn Blobs>) -> Shelf {
        Shelf(blobs)
    }

    /// What was put under a name.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        unsealed(name, self.0.get(name)?)
    }

    /// Puts a content under a name.
    pub fn put(&self, name: &str, content: Vec<u8>) {
        self.0.put(name, &sealed(name, content));
    }

    /// What went wrong, each once.
    pub fn notes(&self) -> Vec<String> {
        self.0.notes()
    }
}

/// Two shelves are equal if they are the same.
impl PartialEq for Shelf {
    fn eq(&self, other: &Shelf) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Shelf {}

fn seal(name: &str, content: &[u8]) -> [u8; SEAL_BYTES] {
    let mut hash = Sha256::new();
    hash.update((name.len() as u64).to_le_bytes());
    hash.update(name);
    hash.update(content);
    hash.finalize().into()
}

fn sealed(name: &str, content: Vec<u8>) -> Vec<u8> {
    let mut out = HEAD.to_vec();
    out.extend(seal(name, &content));
    out.extend(content);
    out
}

fn unsealed(name: &str, mut content: Vec<u8>) -> Option<Vec<u8>> {
    let rest = content.strip_prefix(HEAD)?;
    let (found, content_bytes) = rest.split_at_checked(SEAL_BYTES)?;
    if found != seal(name, content_bytes) {
        return None;
    }
    content.drain(..HEAD.len() + SEAL_BYTES);
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::{sealed, unsealed};

    #[test]
    fn only_what_was_put_under_a_name_is_given_back() {
        let whole = sealed("a", b"content".to_vec());
        assert_eq!(unsealed("a", whole.clone()).as_deref(), Some(&b"content"[..]));
        assert_eq!(unsealed("b", whole.clone()), None, "somebody renamed it");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(unsealed("a", damaged), None, "byte {at}");
            assert_eq!(unsealed("a", whole[..at].to_vec()), None, "{at} bytes");
        }
        assert_eq!(unsealed("a", Vec::new()), None);
    }
}
