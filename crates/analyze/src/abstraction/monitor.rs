//! Automata that run along with the program and keep states apart by their mode.

use crate::question::{InstPosition, Watch};
use clew_ir::{BlockId, Expr, Function, FunctionId, LoopId};

/// The mode of a monitor: that of what it tracks, and how a loop was left.
pub(crate) type Mode = (u8, u8);

/// Mode of a watch that is on, or of something sticky that has happened.
pub(crate) const ON: u8 = 1;

/// Mode of a loop that is not running; the others say how many turns it has made: none, one, more.
const OUTSIDE: u8 = 3;

/// Ways out of a loop that are told apart; the last stands for all others.
const MOST_EXITS: u8 = 3;

/// What is remembered on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Monitor {
    pub(crate) track: Track,
    /// A loop of which it matters how it was left.
    pub(crate) exits: Option<(FunctionId, LoopId)>,
}

/// What an automaton follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Track {
    /// Nothing.
    #[default]
    Nothing,
    /// Whether something is on.
    Watch(Watch),
    /// The turns a loop has made.
    Turns(FunctionId, LoopId),
    /// Whether something has happened.
    Sticky(Sticky),
}

/// Something that has happened for good.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sticky {
    /// A predicate held just after an instruction.
    Holds(InstPosition, Expr),
    /// Control came to a block, and left it that way.
    Passes(FunctionId, BlockId, Option<usize>),
}

/// Control goes from one block to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) from: BlockId,
    /// Position of the successor.
    pub(crate) way: usize,
    pub(crate) to: BlockId,
}

impl Monitor {
    /// Whether what is tracked is about a function.
    pub(crate) fn concerns(&self, id: FunctionId) -> bool {
        match &self.track {
            Track::Nothing => false,
            Track::Watch(watch) => watch.function == id,
            Track::Turns(function, _) | Track::Sticky(Sticky::Passes(function, ..)) => *function == id,
            Track::Sticky(Sticky::Holds(at, _)) => at.0 == id,
        }
    }

    /// The mode in which an activation begins.
    pub(crate) fn begin(&self, id: FunctionId) -> Mode {
        let tracked = match &self.track {
            Track::Watch(watch) if watch.function == id => u8::from(watch.on_entry),
            Track::Turns(function, _) if *function == id => OUTSIDE,
            _ => 0,
        };
        (tracked, 0)
    }

    /// The mode in which a block begins.
    pub(crate) fn arrive(&self, id: FunctionId, block: BlockId, mode: Mode) -> Mode {
        match &self.track {
            Track::Sticky(Sticky::Passes(function, here, None)) if (*function, *here) == (id, block) => (ON, mode.1),
            _ => mode,
        }
    }

    /// The mode after an instruction.
    pub(crate) fn step(&self, id: FunctionId, at: (BlockId, u32), mode: Mode) -> Mode {
        match &self.track {
            Track::Watch(watch) if watch.function == id && watch.on.contains(&at) => (ON, mode.1),
            Track::Watch(watch) if watch.function == id && watch.off.contains(&at) => (0, mode.1),
            _ => mode,
        }
    }

    /// The predicate whose truth after an instruction is to be remembered.
    pub(crate) fn guess(&self, at: InstPosition, mode: Mode) -> Option<&Expr> {
        match &self.track {
            Track::Sticky(Sticky::Holds(here, holds)) if *here == at && mode.0 != ON => Some(holds),
            _ => None,
        }
    }

    /// The mode after control goes from one block to another, and the turns of a loop that this ends.
    pub(crate) fn pass(&self, id: FunctionId, function: &Function, pass: Pass, mode: Mode) -> (Mode, Option<u8>) {
        let exit = match self.exits {
            Some((own, target)) if own == id && function.loops[target].exit == pass.to => {
                let before: std::collections::BTreeSet<BlockId> = leaving(function, pass.to).collect();
                let number = before.iter().position(|block| *block == pass.from).unwrap_or(0);
                u8::try_from(number + 1).unwrap_or(MOST_EXITS).min(MOST_EXITS)
            }
            _ => mode.1,
        };
        let (tracked, ended) = match &self.track {
            Track::Turns(own, target) if *own == id => self.turn(id, function, *target, pass, mode),
            Track::Sticky(Sticky::Passes(own, block, Some(way)))
                if (*own, *block, *way) == (id, pass.from, pass.way) =>
            {
                (ON, None)
            }
            _ => (mode.0, None),
        };
        ((tracked, exit), ended)
    }

    fn turn(
        &self,
        id: FunctionId,
        function: &Function,
        target: LoopId,
        Pass { from, to, .. }: Pass,
        mode: Mode,
    ) -> (u8, Option<u8>) {
        let item = &function.loops[target];
        let entered = item.head == to && from != item.latch;
        let ended = if entered || item.exit == to { self.turns(id, mode) } else { None };
        let mut next = match (entered, ended) {
            (true, _) => 0,
            (false, Some(_)) => OUTSIDE,
            (false, None) => mode.0,
        };
        if item.body == to && next != OUTSIDE {
            next = (next + 1).min(2);
        }
        // More than one turn is more than one, whether or not the loop is ever left.
        let is_many = next == 2 && item.body == to;
        (next, ended.or(is_many.then_some(2)))
    }

    /// The turns of a running loop that may never be left because control goes back elsewhere in it.
    pub(crate) fn stuck(&self, id: FunctionId, function: &Function, pass: Pass, mode: Mode) -> Option<u8> {
        let is_own =
            |target: LoopId| function.loops[target].head == pass.to && function.loops[target].latch == pass.from;
        match &self.track {
            Track::Turns(own, target) if *own == id && !is_own(*target) => self.turns(id, mode),
            _ => None,
        }
    }

    /// The turns that a running loop has made.
    pub(crate) fn turns(&self, id: FunctionId, mode: Mode) -> Option<u8> {
        match &self.track {
            Track::Turns(function, _) if *function == id && mode.0 != OUTSIDE => Some(mode.0),
            _ => None,
        }
    }

    /// Whether something sticky has happened.
    pub(crate) fn has_happened(&self, id: FunctionId, mode: Mode) -> bool {
        matches!(self.track, Track::Sticky(_)) && self.concerns(id) && mode.0 == ON
    }
}

/// The blocks from which control goes to a block.
fn leaving(function: &Function, exit: BlockId) -> impl Iterator<Item = BlockId> {
    let goes = move |block: &clew_ir::Block| block.terminator.kind.successors().contains(&exit);
    function.blocks.iter().filter(move |(_, block)| goes(block)).map(|(id, _)| id)
}
