//! When paths are brought to their end: what they did counts only then.
//!
//! Where paths go on for as long as they may, the branches that would end them are as dear as all others, and have their
//! turns instead. Turns that lead to nothing new become rarer: they cost a question for every branch on the way.

/// Open branches tried while no path ends before some bring one to its end that did something asked for.
const PATIENCE: u64 = 6;

/// Every so many-th of them does, and at last every so many-th.
const OFTEN: u64 = 3;
const RARELY: u64 = 48;

/// The turns of paths that are to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Homeward {
    /// Open branches tried since a path ended as C defines.
    unended: u64,
    /// Open branches tried since the last turn.
    waited: u64,
    /// Open branches tried between turns.
    every: u64,
    /// Whether the path that runs has its turn.
    is_under_way: bool,
}

impl Default for Homeward {
    fn default() -> Homeward {
        Homeward { unended: 0, waited: 0, every: OFTEN, is_under_way: false }
    }
}

impl Homeward {
    /// Notes that an open branch is tried.
    pub(crate) fn note_branch(&mut self) {
        self.unended += 1;
        self.waited += 1;
        self.is_under_way = false;
    }

    /// Whether it is a path's turn to be brought to its end.
    pub(crate) fn is_due(&self) -> bool {
        self.unended > PATIENCE && self.waited >= self.every
    }

    /// Notes that a path has its turn.
    pub(crate) fn begin(&mut self) {
        self.waited = 0;
        self.every = (2 * self.every).min(RARELY);
        self.is_under_way = true;
    }

    /// Notes that a path ended as C defines.
    pub(crate) fn note_end(&mut self) {
        self.unended = 0;
    }

    /// Notes that something new was covered.
    pub(crate) fn note_news(&mut self) {
        if self.is_under_way {
            self.every = OFTEN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Homeward, OFTEN, PATIENCE};

    fn waits(homeward: &mut Homeward) -> u64 {
        (1..)
            .find(|_| {
                homeward.note_branch();
                homeward.is_due()
            })
            .expect("a turn comes")
    }

    #[test]
    fn turns_in_vain_become_rarer_until_one_is_not() {
        let mut homeward = Homeward::default();
        assert_eq!(waits(&mut homeward), PATIENCE + 1);
        homeward.begin();
        assert_eq!(waits(&mut homeward), 2 * OFTEN);
        homeward.begin();
        homeward.note_news();
        assert_eq!(waits(&mut homeward), OFTEN);
        homeward.note_end();
        assert_eq!(waits(&mut homeward), PATIENCE + 1);
    }
}
