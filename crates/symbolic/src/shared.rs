//! Sequences of large things that states share.
//!
//! A state is copied at every branch, and then changed here and there. What such a change copies are the pointers around
//! the changed element and the element itself, not its neighbours.

use imbl::Vector;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// A sequence that is copied for next to nothing.
#[derive(Clone, Debug)]
pub struct Shared<T: Clone>(Vector<Rc<T>>);

impl<T: Clone> Shared<T> {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The element at an index, if there is one.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index).map(|element| &**element)
    }

    /// Adds an element at the end.
    pub fn push_back(&mut self, element: T) {
        self.0.push_back(Rc::new(element));
    }

    /// All elements in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.0.iter().map(|element| &**element)
    }

    /// All elements in their order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(Rc::make_mut)
    }
}

impl<T: Clone> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared(Vector::new())
    }
}

impl<T: Clone> Index<usize> for Shared<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T: Clone> IndexMut<usize> for Shared<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        Rc::make_mut(&mut self.0[index])
    }
}

impl<T: Clone> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Shared<T> {
        Shared(elements.into_iter().map(Rc::new).collect())
    }
}
