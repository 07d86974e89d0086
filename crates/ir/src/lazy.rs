//! Values that follow from others and are found when first asked for.

use std::sync::OnceLock;

/// Such a value. It distinguishes nothing, and a copy, which may be changed, finds its own.
#[derive(Debug)]
pub struct Lazy<T>(OnceLock<T>);

impl<T> Lazy<T> {
    /// The value, which `find` finds the first time.
    pub fn get(&self, find: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(find)
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Lazy<T> {
        Lazy(OnceLock::new())
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        Lazy::default()
    }
}

impl<T> PartialEq for Lazy<T> {
    fn eq(&self, _: &Lazy<T>) -> bool {
        true
    }
}

impl<T> Eq for Lazy<T> {}
