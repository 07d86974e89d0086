//! Which variable to decide next: the one that has been in most of the recent conflicts.
//!
//! A heap by activity (exponential VSIDS: Eén, Sörensson 2003), of the variables of the present query alone.

use crate::policy;

/// Activities are scaled down before they get larger than this.
const LARGEST: f64 = 1e100;
/// The variable is not in the heap.
const OUTSIDE: u32 = u32::MAX;

/// A heap of variables, the most active first.
#[derive(Debug)]
pub(super) struct Order {
    activity: Vec<f64>,
    growth: f64,
    heap: Vec<u32>,
    /// By variable, its place in the heap.
    place: Vec<u32>,
    /// By variable, whether the present query asks for it.
    wanted: Vec<bool>,
}

impl Default for Order {
    fn default() -> Order {
        Order { activity: Vec::new(), growth: 1.0, heap: Vec::new(), place: Vec::new(), wanted: Vec::new() }
    }
}

impl Order {
    pub(super) fn make_room(&mut self, variables: usize) {
        self.activity.resize(variables, 0.0);
        self.place.resize(variables, OUTSIDE);
        self.wanted.resize(variables, false);
    }

    /// Begins anew with the variables of a query.
    pub(super) fn start(&mut self, variables: impl Iterator<Item = usize>) {
        self.wanted.fill(false);
        self.place.fill(OUTSIDE);
        self.heap.clear();
        for var in variables {
            if !std::mem::replace(&mut self.wanted[var], true) {
                self.place[var] = self.heap.len() as u32;
                self.heap.push(var as u32);
            }
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.sink(at);
        }
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let last = self.heap.len().checked_sub(1)?;
        let var = self.heap.swap_remove(0);
        self.place[var as usize] = OUTSIDE;
        if last > 0 {
            self.place[self.heap[0] as usize] = 0;
            self.sink(0);
        }
        Some(var as usize)
    }

    /// A variable has lost its value.
    pub(super) fn put_back(&mut self, var: usize) {
        if self.wanted[var] && self.place[var] == OUTSIDE {
            self.place[var] = self.heap.len() as u32;
            self.heap.push(var as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// A variable was in a conflict.
    pub(super) fn bump(&mut self, var: usize) {
        self.activity[var] += self.growth;
        if self.activity[var] > LARGEST {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGEST);
            self.growth /= LARGEST;
        }
        if self.place[var] != OUTSIDE {
            self.rise(self.place[var] as usize);
        }
    }

    /// A conflict is over.
    pub(super) fn decay(&mut self) {
        self.growth *= 1.0 / (policy::PLAIN_DECAY_PERCENT.get() as f64 / 100.0);
    }

    /// Whether the first variable comes before the second: it is more active, or else newer, so that inputs come before the gates that read them.
    fn is_before(&self, first: u32, second: u32) -> bool {
        let (a, b) = (self.activity[first as usize], self.activity[second as usize]);
        a > b || (a == b && first > second)
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }

    fn rise(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.is_before(var, self.heap[above]) {
                break;
            }
            self.put(at, self.heap[above]);
            at = above;
        }
        self.put(at, var);
    }

    fn sink(&mut self, mut at: usize) {
        let var = self.heap[at];
        while 2 * at + 1 < self.heap.len() {
            let left = 2 * at + 1;
            let right = (left + 1).min(self.heap.len() - 1);
            let below = if self.is_before(self.heap[right], self.heap[left]) { right } else { left };
            if !self.is_before(self.heap[below], var) {
                break;
            }
            self.put(at, self.heap[below]);
            at = below;
        }
        self.put(at, var);
    }
}
