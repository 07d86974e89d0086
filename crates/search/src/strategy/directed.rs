//! Heading for what criteria still ask for.
//!
//! An open branch costs the number of branches from it to the nearest block where something open can be covered, and
//! nothing if the branch itself covers something. Places tried often become dearer, except on paths that have just covered
//! something new, and so do long paths, so that a loop which offers the same branch again and again does not starve the
//! others; for the same reason the oldest branch has its turn now and then. So has the path that has come farthest among
//! those that were interrupted: what lies behind a loop of thousands of turns is reached by going on, and by nothing else.
//! Branches from which nothing open can be reached are dropped, unless the way to them was not counted yet: what they lead
//! to is not asked for. Where a function has state variables ([`clew_symbolic::state_variable`]), a branch in a state in which it was never tried
//! comes first, in search of further states; when that has led to nothing new, what steered paths left on their way
//! ([`LeftOver`]).

mod doubt;
mod left_over;

use clew_analyze::distance::{Distances, Map};
use clew_coverage::label::LabelId;
use clew_coverage::{Ledger, ObjectiveId};
use clew_execute::Event;
use clew_ir::{BlockId, FunctionId, Program};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::ops::Range;

use left_over::LeftOver;

use super::{Strategy, evaluation, undecided};
use crate::deal::Part;
use crate::policy;
use clew_symbolic::state::Frame;
use clew_symbolic::state_variable::{CurrentStates, current_states};
use clew_symbolic::{Open, Resume};

/// What a branch in a new state of the program costs: less than all others.
const FRESH: u32 = 0;

/// Where a branch leads, as far as trying it often is concerned.
type BranchSite = (FunctionId, BlockId, Option<BlockId>, Option<LabelId>);

/// An open branch, and the number of its site: its place, and the values of state variables there.
#[derive(Clone)]
struct Kept {
    open: Open,
    site: usize,
    /// Whether its path did something asked for, when it was last read: with the ledger in that version.
    read: Cell<Option<(u64, bool)>>,
}

impl Kept {
    fn new(open: Open, site: usize) -> Kept {
        Kept { open, site, read: Cell::new(None) }
    }

    /// The same as [`is_pending`]. What a path did is read again only when something else is asked for.
    fn is_pending(&self, goals: &Ledger<'_>, is_counted: bool) -> bool {
        wants_labels(&self.open, goals) || !is_counted && self.did_something(goals)
    }

    fn did_something(&self, goals: &Ledger<'_>) -> bool {
        match self.read.get() {
            Some((version, did)) if version == goals.version() => did,
            _ => {
                let did = wants_trace(&self.open, goals);
                self.read.set(Some((goals.version(), did)));
                did
            }
        }
    }
}

/// A place with one choice of values of the state variables.
#[derive(Clone, Default)]
struct Site {
    tries: u32,
    /// Whether there are state variables, and not too many states were seen there.
    is_fresh: bool,
}

/// Where objectives are, as far as costs were computed for them.
#[derive(Clone)]
struct Rating {
    map: Map,
    distances: Distances,
    /// The ledger's version when distances were computed.
    rated_for: Option<u64>,
    /// How often what is asked for has changed since all costs were computed.
    changes: usize,
}

/// What is known of the paths of open branches, by their numbers.
#[derive(Clone, Default)]
struct Marks {
    /// Branches of paths that covered something new: no path has been where they stand.
    favoured: BTreeSet<u64>,
    /// Branches of paths that did something asked for and did not end well: another end would count.
    pending: BTreeSet<u64>,
    /// Branches of paths that ended well: what these did before the branch has been counted.
    counted: BTreeSet<u64>,
}

/// The sites of open branches.
#[derive(Clone, Default)]
struct Sites {
    all: Vec<Site>,
    numbers: BTreeMap<(BranchSite, CurrentStates), usize>,
    /// States of the program seen at each place.
    states: BTreeMap<BranchSite, u32>,
}

/// The branches that paths left open, by their numbers.
#[derive(Clone, Default)]
struct Running {
    /// The first branch left open since the path that runs was begun or taken up.
    begun: u64,
    /// Branches that it left open before it was put aside.
    before: Vec<Range<u64>>,
    /// The same of paths that are put aside, by their numbers.
    aside: BTreeMap<u64, Vec<Range<u64>>>,
}

/// Some of the branches that lead to nothing asked for: one of them is a test where there is no other.
#[derive(Clone, Default)]
struct Spare {
    branches: VecDeque<Open>,
    /// Whether all of them are kept: another call may lead to something.
    keeps_all: bool,
}

/// The strategy, see the module.
#[derive(Clone)]
pub(crate) struct Directed<'p> {
    program: &'p Program,
    rating: Rating,
    open: BTreeMap<u64, Kept>,
    /// By cost, the shorter path first among equals: with favour and without, in turns.
    queues: [BinaryHeap<Reverse<(u32, usize, u64)>>; 2],
    left_over: LeftOver,
    /// By the way to the end of the path, the latest first among equals: branches of paths that did not end.
    toward_exit: BinaryHeap<(Reverse<u32>, u64)>,
    /// Paths that were interrupted, by the instructions they have executed.
    interrupted: BTreeSet<(u64, u64)>,
    /// Branches not rated yet.
    fresh: Vec<u64>,
    marks: Marks,
    sites: Sites,
    next: u64,
    running: Running,
    turn: u64,
    dropped: bool,
    spare: Spare,
}

impl<'p> Directed<'p> {
    pub(crate) fn new(program: &'p Program, function: FunctionId) -> Directed<'p> {
        let map = Map::new(program, function);
        Directed {
            program,
            rating: Rating { map, distances: Distances::default(), rated_for: None, changes: 0 },
            open: BTreeMap::new(),
            queues: [BinaryHeap::new(), BinaryHeap::new()],
            left_over: LeftOver::default(),
            toward_exit: BinaryHeap::new(),
            interrupted: BTreeSet::new(),
            fresh: Vec::new(),
            marks: Marks::default(),
            sites: Sites::default(),
            next: 0,
            running: Running::default(),
            turn: 0,
            dropped: false,
            spare: Spare::default(),
        }
    }

    /// Computes the costs of all branches anew if what is asked for has changed, of new ones otherwise. With fewer
    /// objectives open, costs mostly rise, which [`Directed::cheapest`] finds out in time: where there are many branches,
    /// that is left to it.
    fn rate(&mut self, goals: &Ledger<'_>) {
        let fresh = std::mem::take(&mut self.fresh);
        let has_changed = self.rating.rated_for != Some(goals.version());
        if has_changed {
            self.rating.rated_for = Some(goals.version());
            self.rating.distances = self.rating.map.distances(&goals.targets());
            self.rating.changes += 1;
        }
        if !has_changed || self.rating.changes * policy::RECOST_BATCH.size() < self.open.len() {
            fresh.into_iter().for_each(|id| self.enqueue(id, goals));
            return;
        }
        self.rating.changes = 0;
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.left_over.branches.clear();
        let all: Vec<u64> = self.open.keys().copied().collect();
        all.into_iter().for_each(|id| self.enqueue(id, goals));
    }

    fn enqueue(&mut self, id: u64, goals: &Ledger<'_>) {
        let Some(kept) = self.open.get(&id) else { return };
        let length = kept.open.state.record.events.len();
        let Some(way) = self.rough_way(id, kept, goals) else { return self.set_aside(id) };
        if way == 0 && self.is_new(kept) && kept.open.state.steering.has_begun() {
            self.left_over.branches.push(Reverse((length, id)));
        }
        let [favoured, plain] = [true, false].map(|favour| self.cost(id, kept, way, favour));
        self.queues[0].push(Reverse((favoured, length, id)));
        self.queues[1].push(Reverse((plain, length, id)));
    }

    /// Drops a branch that leads to nothing asked for, or keeps it as a spare one.
    fn set_aside(&mut self, id: u64) {
        let most = if self.spare.keeps_all { policy::MAX_BRANCHES.size() } else { policy::MAX_SPARE_BRANCHES.size() };
        let spare = self.open.remove(&id).filter(|_| self.spare.branches.len() < most);
        self.dropped |= self.spare.keeps_all && spare.is_none();
        self.spare.branches.extend(spare.map(|kept| kept.open));
        self.marks.pending.remove(&id);
        self.marks.counted.remove(&id);
        self.running.aside.remove(&id);
    }

    /// What the way from a branch to the nearest objective costs; `None` if it leads to nothing that is asked for.
    fn way(&self, id: u64, kept: &Kept, goals: &Ledger<'_>) -> Option<u32> {
        let is_counted = self.marks.counted.contains(&id);
        let is_branch = matches!(kept.open.resume, Resume::Go(..));
        let far = if is_branch && self.marks.pending.contains(&id) {
            policy::COST_NEAR.small()
        } else {
            policy::COST_FAR.small()
        };
        self.way_ahead(&kept.open, goals).or_else(|| kept.is_pending(goals, is_counted).then_some(far))
    }

    /// The same, but that a path which was not counted yet is not read for the sake of a branch it left open: it is more
    /// likely to be counted itself.
    fn rough_way(&self, id: u64, kept: &Kept, goals: &Ledger<'_>) -> Option<u32> {
        match (self.way_ahead(&kept.open, goals), kept.open.resume) {
            (None, Resume::Again) => self.way(id, kept, goals),
            (None, _) if self.marks.pending.contains(&id) => Some(policy::COST_NEAR.small()),
            (None, _) if wants_labels(&kept.open, goals) => Some(policy::COST_FAR.small()),
            (None, _) => (!self.marks.counted.contains(&id)).then_some(policy::COST_UNREAD.small()),
            (way, _) => way,
        }
    }

    /// What the way to an objective costs that taking the branch covers, or that lies ahead of it.
    fn way_ahead(&self, open: &Open, goals: &Ledger<'_>) -> Option<u32> {
        if self.is_wanted(open, goals) { Some(0) } else { self.distance(open, goals).map(|distance| distance * 2 + 2) }
    }

    /// What a branch costs whose way costs so much.
    fn cost(&self, id: u64, kept: &Kept, way: u32, favour: bool) -> u32 {
        if favour && self.is_new(kept) && way != policy::COST_UNREAD.small() {
            return FRESH;
        }
        let Kept { open, site, .. } = kept;
        let site = &self.sites.all[*site];
        let favoured = favour && self.marks.favoured.contains(&id);
        let tries = if favoured { 0 } else { site.tries };
        let bits = |number: u32| u32::BITS - number.leading_zeros();
        let length = open.state.condition.len() as u64 / 64 + open.state.steps / 4096;
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        FRESH + 1 + way + 4 * bits(tries) + 6 * open.tries + bits(open.state.record.turns / 4) + 3 * bits(length)
    }

    /// Whether a branch stands in a state of the program in which it was never tried.
    fn is_new(&self, kept: &Kept) -> bool {
        let site = &self.sites.all[kept.site];
        site.is_fresh && site.tries == 0
    }

    /// The branch that comes first for the state of the program it stands in, if one does.
    fn newest(&mut self, goals: &Ledger<'_>) -> Option<u64> {
        if self.queues[0].peek().is_none_or(|Reverse((cost, ..))| *cost != FRESH) {
            return None;
        }
        let is_their_turn = self.left_over.take_turn();
        while is_their_turn && let Some(Reverse((_, id))) = self.left_over.branches.pop() {
            let is_wanted = |kept: &Kept| self.is_new(kept) && self.is_wanted(&kept.open, goals);
            if self.open.get(&id).is_some_and(is_wanted) {
                return Some(id);
            }
        }
        self.cheapest(true, goals)
    }

    /// The cheapest branch of a queue. Costs rise with tries, so one that has become dearer goes back.
    fn cheapest(&mut self, favour: bool, goals: &Ledger<'_>) -> Option<u64> {
        loop {
            let Reverse((cost, length, id)) = self.queues[usize::from(!favour)].pop()?;
            let Some(kept) = self.open.get(&id) else { continue };
            match self.way(id, kept, goals).map(|way| self.cost(id, kept, way, favour)) {
                Some(now) if now > cost => self.queues[usize::from(!favour)].push(Reverse((now, length, id))),
                Some(_) => return Some(id),
                None => self.set_aside(id),
            }
        }
    }

    /// Takes a branch out, to be tried.
    fn take(&mut self, id: u64) -> Option<Kept> {
        let kept = self.open.remove(&id)?;
        self.marks.favoured.remove(&id);
        self.marks.pending.remove(&id);
        self.marks.counted.remove(&id);
        self.sites.all[kept.site].tries += 1;
        self.running.before = self.running.aside.remove(&id).unwrap_or_default();
        self.running.begun = self.next;
        Some(kept)
    }

    /// Branches from where an open branch leads to the end of the function under test; more if it was tried often.
    fn shortest_exit(&self, Kept { open, site, .. }: &Kept) -> Option<u32> {
        let mut way = 0;
        for (depth, frame) in open.state.frames.iter().rev().enumerate() {
            let block = match open.resume {
                Resume::Go(to, _) if depth == 0 => to,
                _ => frame.block,
            };
            way += if self.rating.map.shows(frame.function) {
                self.rating.map.out(frame.function, block)? + 1
            } else {
                policy::COST_FAR.small()
            };
        }
        let tries = self.sites.all[*site].tries + open.tries;
        Some(way + 4 * (u32::BITS - tries.leading_zeros()))
    }

    /// The number of the site of a branch.
    fn site(&mut self, open: &Open) -> usize {
        let (place, stand) = (place(open), current_states(&open.state));
        let has_states = stand.iter().any(Option::is_some);
        if let Some(known) = self.sites.numbers.get(&(place, stand.clone())) {
            return *known;
        }
        let states = self.sites.states.entry(place).or_default();
        *states += 1;
        self.sites.all.push(Site { tries: 0, is_fresh: has_states && *states <= policy::MAX_NEW_STATES.small() });
        self.sites.numbers.insert((place, stand), self.sites.all.len() - 1);
        self.sites.all.len() - 1
    }

    /// The branch whose turn it is for its age or for the length of its path.
    fn out_of_turn(&mut self) -> Option<u64> {
        if self.turn.is_multiple_of(policy::OLDEST_EVERY.get()) {
            return self.open.keys().next().copied();
        }
        if self.turn % policy::FARTHEST_EVERY.get() != 1 {
            return None;
        }
        let open = &self.open;
        while self.interrupted.last().is_some_and(|(_, id)| !open.contains_key(id)) {
            self.interrupted.pop_last();
        }
        self.interrupted.last().map(|(_, id)| *id)
    }

    /// Whether taking the branch covers something by itself.
    fn is_wanted(&self, open: &Open, goals: &Ledger<'_>) -> bool {
        match open.resume {
            Resume::Label(label) => goals.wants_label(label),
            Resume::Go(_, Some(Event::Switch { function, decision, arm })) => goals.wants_arm(function, decision, arm),
            Resume::Go(to, Some(event @ Event::Condition { function, .. })) => {
                goals.wants_block(function, to)
                    || goals.wants_evaluation(function, &evaluation(self.program, &open.state.record.events, event))
            }
            Resume::Go(..) | Resume::Again => false,
        }
    }

    /// Branches from where the open branch leads to the nearest target, in its own activation or in one it returns to.
    fn distance(&self, open: &Open, goals: &Ledger<'_>) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut out = 0;
        for (depth, frame) in open.state.frames.iter().rev().enumerate() {
            let block = match open.resume {
                Resume::Go(to, _) if depth == 0 => to,
                _ => frame.block,
            };
            if let Some(near) = self.nearest(frame, block, goals) {
                best = Some(best.map_or(out + near, |best| best.min(out + near)));
            }
            match self.rating.map.out(frame.function, block) {
                Some(more) => out += more,
                None if self.rating.map.shows(frame.function) => break,
                None => {}
            }
        }
        best
    }

    /// The distance from a block of an activation to the nearest target in it.
    fn nearest(&self, frame: &Frame, block: BlockId, goals: &Ledger<'_>) -> Option<u32> {
        if !self.rating.map.shows(frame.function) {
            return Some(policy::COST_FAR.small());
        }
        // An objective may be about leaving the block where the activation stands, or about ending a loop it is in.
        let here = self.rating.map.distance(&self.rating.distances, frame.function, frame.block) == Some(0);
        let turning = frame.loops.iter().any(|(id, _)| goals.wants_turns(frame.function, *id));
        let near = self.rating.map.distance(&self.rating.distances, frame.function, block);
        near.into_iter().chain((here || turning).then_some(policy::COST_NEAR.small())).min()
    }
}

/// Whether something on the path up to the branch is still to be covered: by a path that was left where it stood, or
/// because the others that came by did not end well.
fn is_pending(open: &Open, goals: &Ledger<'_>, is_counted: bool) -> bool {
    wants_labels(open, goals) || !is_counted && wants_trace(open, goals)
}

/// Whether something the path did is still to be covered.
fn wants_trace(open: &Open, goals: &Ledger<'_>) -> bool {
    goals.wants_trace(open.state.record.trace.iter().flatten())
}

/// Whether a label that may hold on the path is still to be covered.
fn wants_labels(open: &Open, goals: &Ledger<'_>) -> bool {
    open.state.record.labels.iter().any(|(_, label, _)| goals.wants_label(*label))
}

fn place(open: &Open) -> BranchSite {
    let frame = open.state.frame();
    match open.resume {
        Resume::Go(to, _) => (frame.function, frame.block, Some(to), None),
        Resume::Label(label) => (frame.function, frame.block, None, Some(label)),
        Resume::Again => (frame.function, frame.block, None, None),
    }
}

impl<'p> Strategy<'p> for Directed<'p> {
    fn deal(&self, part: Part) -> Box<dyn Strategy<'p> + 'p> {
        let mut dealt = self.clone();
        let mut index = 0..;
        dealt.open.retain(|_, _| index.next().is_some_and(|index| part.has(index)));
        dealt.spare.branches.retain(|_| index.next().is_some_and(|index| part.has(index)));
        Box::new(dealt)
    }

    fn unended(&self, goals: &Ledger<'_>, most: usize) -> Vec<Open> {
        let mut marks = 0;
        let read = self.open.iter().take_while(|(_, kept)| {
            marks += kept.open.state.record.trace.as_ref().map_or(0, imbl::Vector::len);
            marks <= policy::MAX_UNENDED_MARKS.size()
        });
        let kept = read.filter(|(id, kept)| kept.is_pending(goals, self.marks.counted.contains(id)));
        kept.take(most).map(|(_, kept)| kept.open.clone()).collect()
    }

    fn push(&mut self, open: Open) {
        if self.open.len() >= policy::MAX_BRANCHES.size() {
            self.dropped = true;
            return;
        }
        if matches!(open.resume, Resume::Again) {
            self.interrupted.insert((open.state.steps, self.next));
        }
        let site = self.site(&open);
        if let Resume::Again = open.resume {
            let mut own = self.running.before.clone();
            own.push(self.running.begun..self.next);
            self.running.aside.insert(self.next, own);
        }
        self.open.insert(self.next, Kept::new(open, site));
        self.fresh.push(self.next);
        self.next += 1;
    }

    fn pop(&mut self, goals: Option<&Ledger<'_>>) -> Option<Open> {
        let goals = goals?;
        self.rate(goals);
        self.turn += 1;
        loop {
            let id = match self.out_of_turn() {
                Some(id) if self.way(id, &self.open[&id], goals).is_none() => {
                    self.set_aside(id);
                    continue;
                }
                Some(id) => id,
                None => match self.newest(goals) {
                    Some(id) => id,
                    None => self.cheapest(self.turn.is_multiple_of(2), goals)?,
                },
            };
            let open = self.take(id)?.open;
            if !matches!(open.resume, Resume::Label(label) if !goals.wants_label(label)) {
                return Some(open);
            }
        }
    }

    /// The first and the last one in turns: what goes wrong on all paths may be decided anywhere.
    fn pop_spare(&mut self) -> Option<Open> {
        if self.turn.is_multiple_of(2) { self.spare.branches.pop_front() } else { self.spare.branches.pop_back() }
    }

    fn keep_aside(&mut self) {
        self.spare.keeps_all = true;
    }

    fn pop_aside(&mut self) -> Option<Open> {
        self.spare.branches.pop_front().filter(|_| self.spare.keeps_all)
    }

    fn pop_toward_exit(&mut self) -> Option<Open> {
        let all = self.open.iter();
        let (_, id) = all.filter_map(|(id, kept)| Some((self.shortest_exit(kept)?, *id))).min()?;
        Some(self.take(id)?.open)
    }

    fn pop_unended(&mut self, goals: &Ledger<'_>) -> Option<Open> {
        for _ in 0..policy::MAX_TRACES_READ.size() {
            let (_, id) = self.toward_exit.pop()?;
            let is_counted = self.marks.counted.contains(&id);
            if self.open.get(&id).is_some_and(|kept| kept.is_pending(goals, is_counted)) {
                return Some(self.take(id)?.open);
            }
        }
        None
    }

    fn way_out(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        self.rating.map.out(function, block)
    }

    fn reward(&mut self) {
        self.left_over.is_rewarded = true;
        self.marks.favoured.extend(&self.fresh);
    }

    fn begin(&mut self) {
        self.running.begun = self.next;
    }

    fn pend(&mut self) {
        self.marks.favoured.extend(self.running.begun..self.next);
        self.marks.pending.extend(self.running.begun..self.next);
        for id in self.running.begun..self.next {
            let way = self.open.get(&id).and_then(|kept| self.shortest_exit(kept));
            self.toward_exit.extend(way.map(|way| (Reverse(way), id)));
        }
    }

    fn count(&mut self) {
        self.marks.counted.extend(self.running.before.drain(..).flatten());
        self.marks.counted.extend(self.running.begun..self.next);
    }

    fn doubtful(&mut self, goals: &mut Ledger<'_>, cut: &[Open]) -> BTreeSet<ObjectiveId> {
        if self.spare.keeps_all {
            // After another call, everything lies ahead.
            return if self.len() == 0 && cut.is_empty() { BTreeSet::new() } else { undecided(goals) };
        }
        doubt::doubtful(self, goals, cut)
    }

    fn len(&self) -> usize {
        self.open.len() + if self.spare.keeps_all { self.spare.branches.len() } else { 0 }
    }

    fn has_dropped(&self) -> bool {
        self.dropped
    }
}
