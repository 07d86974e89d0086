//! A SAT solver for small problems that are asked once or twice.
//!
//! Conflict-driven clause learning in its plain form (Marques-Silva, Sakallah 1996; Moskewicz et al. 2001; after Eén,
//! Sörensson, "An Extensible SAT-solver", SAT 2003): two watched literals, first unique implication point, learned clauses
//! minimised by what they contain, variables by activity, phases saved, assumptions as the first decisions. What it is good
//! for is what it leaves out: a clause is two words more than its literals and two entries in lists of watches, a query
//! decides only the variables it is told to, and nothing is simplified, restarted or forgotten. So circuits of a few
//! thousand gates are answered in the time that a larger solver takes to read them, as long as few conflicts are met.

mod order;

use order::Order;

/// A literal: twice the variable, plus one if it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lit(u32);

impl Lit {
    /// Of a DIMACS literal.
    fn new(literal: i32) -> Lit {
        Lit((literal.unsigned_abs() - 1) << 1 | u32::from(literal < 0))
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    fn var(self) -> usize {
        self.index() >> 1
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The position of a clause in the arena.
type ClauseAt = u32;
/// No clause: the reason of a decision, or of what holds for ever.
const NO_CLAUSE: ClauseAt = u32::MAX;

/// A clause to look at when a literal becomes false, unless another of its literals is true.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseAt,
    other: Lit,
}

/// How far a query may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) conflicts: u64,
    /// Clauses looked at.
    pub(super) visits: u64,
}

/// Clauses, and what follows from them.
#[derive(Default)]
pub(super) struct Small {
    /// Clauses one after the other: the number of literals, then these, the two that are watched first.
    arena: Vec<u32>,
    /// By literal, the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 if it is true, -1 if it is false, 0 if it is open.
    truth: Vec<i8>,
    /// By variable: the decisions before its value, and the clause that forced it.
    level: Vec<u32>,
    reason: Vec<ClauseAt>,
    /// By variable, the value it had last.
    phase: Vec<bool>,
    /// By variable, its value in the last model.
    model: Vec<bool>,
    /// True literals in the order they became so; those from `head` on have not been propagated.
    trail: Vec<Lit>,
    head: usize,
    /// Where on the trail each decision is.
    decisions: Vec<usize>,
    order: Order,
    /// By variable, marks of an analysis under way.
    seen: Vec<bool>,
    /// The clauses contradict each other.
    contradictory: bool,
    /// Assumptions that refuted the last query.
    failed: Vec<Lit>,
    conflicts: u64,
    visits: u64,
    learned: usize,
}

/// What to do when nothing follows any more.
enum Next {
    Decide(Lit),
    /// An assumption that holds already.
    Skip,
    /// An assumption that is false.
    Failed(Lit),
    /// Every variable that is asked for has a value.
    Done,
}

impl Small {
    /// Makes room for variables up to this DIMACS number.
    fn make_room(&mut self, variables: usize) {
        if self.level.len() < variables {
            self.watches.resize(2 * variables, Vec::new());
            self.truth.resize(2 * variables, 0);
            self.level.resize(variables, 0);
            self.reason.resize(variables, NO_CLAUSE);
            self.phase.resize(variables, false);
            self.model.resize(variables, false);
            self.seen.resize(variables, false);
            self.order.make_room(variables);
        }
    }

    /// Conflicts met so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Clauses looked at so far.
    pub(super) fn visits(&self) -> u64 {
        self.visits
    }

    /// Clauses learned so far.
    pub(super) fn learned(&self) -> usize {
        self.learned
    }

    /// The value of a variable in the last model.
    pub(super) fn value(&self, variable: i32) -> bool {
        self.model.get(Lit::new(variable).var()).is_some_and(|&value| value)
    }

    /// Was this assumption used to refute the last query?
    pub(super) fn failed(&self, literal: i32) -> bool {
        self.failed.contains(&Lit::new(literal))
    }

    /// Tries this value of a variable first.
    pub(super) fn start_at(&mut self, variable: i32, value: bool) {
        self.make_room(variable.unsigned_abs() as usize);
        self.phase[Lit::new(variable).var()] = value;
    }

    /// Adds a clause in DIMACS numbers.
    pub(super) fn clause(&mut self, literals: &[i32]) {
        let greatest = literals.iter().map(|literal| literal.unsigned_abs() as usize).max();
        self.make_room(greatest.unwrap_or(0));
        let start = self.arena.len();
        self.arena.push(0);
        for &literal in literals {
            let lit = Lit::new(literal);
            let is_new = self.arena[start + 1..].iter().all(|&other| other != lit.0);
            let is_void = self.arena[start + 1..].contains(&(!lit).0);
            if self.truth[lit.index()] > 0 || is_void {
                self.arena.truncate(start);
                return;
            }
            if self.truth[lit.index()] == 0 && is_new {
                self.arena.push(lit.0);
            }
        }
        match self.arena[start + 1..] {
            [] => self.contradictory = true,
            [only] => {
                self.arena.truncate(start);
                self.assign(Lit(only), NO_CLAUSE);
            }
            _ => self.watch(start),
        }
    }

    /// Watches the first two literals of the clause that ends the arena.
    fn watch(&mut self, start: usize) {
        let (first, second) = (Lit(self.arena[start + 1]), Lit(self.arena[start + 2]));
        self.arena[start] = (self.arena.len() - start - 1) as u32;
        let clause = ClauseAt::try_from(start).expect("fewer than 2^32 literals");
        self.watches[first.index()].push(Watch { clause, other: second });
        self.watches[second.index()].push(Watch { clause, other: first });
    }

    fn literals(&self, clause: ClauseAt) -> std::ops::Range<usize> {
        let start = clause as usize;
        start + 1..start + 1 + self.arena[start] as usize
    }

    /// Makes an open literal true.
    fn assign(&mut self, lit: Lit, reason: ClauseAt) {
        self.truth[lit.index()] = 1;
        self.truth[(!lit).index()] = -1;
        self.level[lit.var()] = self.decisions.len() as u32;
        self.reason[lit.var()] = reason;
        self.trail.push(lit);
    }

    /// Can all clauses hold together with the assumptions? All of these variables get values, others as it happens. `None` if
    /// that is too much effort.
    pub(super) fn solve(&mut self, assumptions: &[i32], variables: &[i32], effort: Effort) -> Option<bool> {
        self.failed.clear();
        let greatest = variables.iter().chain(assumptions).map(|literal| literal.unsigned_abs() as usize).max();
        self.make_room(greatest.unwrap_or(0));
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| Lit::new(literal)).collect();
        self.order.start(variables.iter().map(|&variable| Lit::new(variable).var()));
        let answer = self.search(&assumptions, effort);
        self.backtrack(0);
        answer
    }

    fn search(&mut self, assumptions: &[Lit], effort: Effort) -> Option<bool> {
        let (most_conflicts, most_visits) = (self.conflicts + effort.conflicts, self.visits + effort.visits);
        loop {
            let conflict = self.propagate();
            if self.contradictory || (conflict.is_some() && self.decisions.is_empty()) {
                self.contradictory = true;
                return Some(false);
            }
            if let Some(conflict) = conflict {
                self.conflicts += 1;
                self.learn(conflict);
            }
            if self.conflicts > most_conflicts || self.visits > most_visits {
                return None;
            }
            if conflict.is_some() {
                continue;
            }
            match self.next(assumptions) {
                Next::Decide(lit) => {
                    self.decisions.push(self.trail.len());
                    self.assign(lit, NO_CLAUSE);
                }
                Next::Skip => self.decisions.push(self.trail.len()),
                Next::Failed(lit) => {
                    self.blame(lit);
                    return Some(false);
                }
                Next::Done => {
                    self.keep_model();
                    return Some(true);
                }
            }
        }
    }

    fn next(&mut self, assumptions: &[Lit]) -> Next {
        if let Some(&lit) = assumptions.get(self.decisions.len()) {
            return match self.truth[lit.index()] {
                0 => Next::Decide(lit),
                1 => Next::Skip,
                _ => Next::Failed(lit),
            };
        }
        while let Some(var) = self.order.pop() {
            let lit = Lit((var as u32) << 1);
            if self.truth[lit.index()] == 0 {
                return Next::Decide(if self.phase[var] { lit } else { !lit });
            }
        }
        Next::Done
    }

    fn keep_model(&mut self) {
        self.model.fill(false);
        for lit in &self.trail {
            self.model[lit.var()] = lit.is_positive();
        }
    }

    /// Makes true what follows; a clause that is false if there is one.
    fn propagate(&mut self) -> Option<ClauseAt> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            self.visits += watches.len() as u64;
            let conflict = self.visit(falsified, &mut watches);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal that has become false; keeps those that still do.
    fn visit(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<ClauseAt> {
        let mut kept = 0;
        let mut conflict = None;
        for at in 0..watches.len() {
            let watch = watches[at];
            watches[kept] = watch;
            kept += 1;
            if conflict.is_some() || self.truth[watch.other.index()] > 0 {
                continue;
            }
            let start = watch.clause as usize + 1;
            if self.arena[start] == falsified.0 {
                self.arena.swap(start, start + 1);
            }
            let first = Lit(self.arena[start]);
            watches[kept - 1].other = first;
            if self.truth[first.index()] > 0 {
                continue;
            }
            if let Some(open) =
                (start + 2..self.literals(watch.clause).end).find(|&at| self.truth[self.arena[at] as usize] >= 0)
            {
                self.arena.swap(start + 1, open);
                let moved = Lit(self.arena[start + 1]);
                self.watches[moved.index()].push(Watch { clause: watch.clause, other: first });
                kept -= 1;
            } else if self.truth[first.index()] < 0 {
                conflict = Some(watch.clause);
            } else {
                self.assign(first, watch.clause);
            }
        }
        watches.truncate(kept);
        conflict
    }

    /// Learns from a clause that is false, goes back, and takes the other way.
    fn learn(&mut self, conflict: ClauseAt) {
        let learned = self.analyse(conflict);
        let back = learned[1..].iter().map(|lit| self.level[lit.var()]).max().unwrap_or(0);
        self.backtrack(back as usize);
        self.order.decay();
        let [first, ..] = learned[..] else { unreachable!("a learned clause has a literal") };
        if learned.len() == 1 {
            self.assign(first, NO_CLAUSE);
            return;
        }
        let start = self.arena.len();
        self.arena.push(0);
        self.arena.extend(learned.iter().map(|lit| lit.0));
        self.watch(start);
        self.learned += 1;
        self.assign(first, start as ClauseAt);
    }

    /// A clause that follows and would have avoided a conflict: first the literal to be made true, then one of the level that
    /// makes it so, then the rest.
    fn analyse(&mut self, conflict: ClauseAt) -> Vec<Lit> {
        let mut learned = vec![Lit(0)];
        let mut marked: Vec<usize> = Vec::new();
        let (mut open, mut clause, mut at, mut resolved) = (0, conflict, self.trail.len(), None);
        loop {
            for place in self.literals(clause) {
                let lit = Lit(self.arena[place]);
                let var = lit.var();
                if Some(lit) == resolved || self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                self.order.bump(var);
                if self.level[var] as usize == self.decisions.len() {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            while !self.seen[self.trail[at - 1].var()] {
                at -= 1;
            }
            at -= 1;
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                learned[0] = !lit;
                break;
            }
            (clause, resolved) = (self.reason[lit.var()], Some(lit));
        }
        self.minimise(&mut learned);
        marked.into_iter().for_each(|var| self.seen[var] = false);
        if let Some(latest) = (1..learned.len()).max_by_key(|&place| self.level[learned[place].var()]) {
            learned.swap(1, latest);
        }
        learned
    }

    /// Leaves out the literals that follow from the others.
    fn minimise(&self, learned: &mut Vec<Lit>) {
        let first = learned[0];
        learned.retain(|&lit| {
            let reason = self.reason[lit.var()];
            let is_implied = |place: usize| {
                let var = Lit(self.arena[place]).var();
                var == lit.var() || self.seen[var] || self.level[var] == 0
            };
            lit == first || reason == NO_CLAUSE || !self.literals(reason).all(is_implied)
        });
    }

    /// Finds the assumptions that make an assumption false.
    fn blame(&mut self, lit: Lit) {
        self.failed.push(lit);
        let mut open = vec![lit];
        let mut marked: Vec<usize> = Vec::new();
        while let Some(lit) = open.pop() {
            let var = lit.var();
            if self.level[var] == 0 || std::mem::replace(&mut self.seen[var], true) {
                continue;
            }
            marked.push(var);
            match self.reason[var] {
                // A decision, so another assumption, and true; or the one that failed, which is not.
                NO_CLAUSE => self.failed.push(Lit((var as u32) << 1 | u32::from(self.truth[var << 1] < 0))),
                reason => open.extend(self.literals(reason).map(|place| Lit(self.arena[place]))),
            }
        }
        marked.into_iter().for_each(|var| self.seen[var] = false);
    }

    /// Takes back all but so many decisions.
    fn backtrack(&mut self, decisions: usize) {
        let Some(&start) = self.decisions.get(decisions) else { return };
        for lit in self.trail.drain(start..) {
            self.truth[lit.index()] = 0;
            self.truth[(!lit).index()] = 0;
            self.phase[lit.var()] = lit.is_positive();
            self.order.put_back(lit.var());
        }
        self.decisions.truncate(decisions);
        self.head = start;
    }
}

#[cfg(test)]
mod tests;
