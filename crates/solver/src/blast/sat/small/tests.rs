//! The plain solver against all assignments.

use super::{Effort, Small};

const EFFORT: Effort = Effort { conflicts: 10_000, visits: 1_000_000 };

/// A generator of small numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn literal(&mut self, variables: u64) -> i32 {
        let variable = self.below(variables) as i32 + 1;
        if self.below(2) == 0 { variable } else { -variable }
    }
}

fn holds(literal: i32, assignment: u32) -> bool {
    (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0)
}

fn is_satisfied(clauses: &[Vec<i32>], assignment: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&literal| holds(literal, assignment)))
}

#[test]
fn random_clauses_in_steps_under_assumptions() {
    let mut dice = Dice(88_172_645_463_325_252);
    for _ in 0..400 {
        let variables = 3 + dice.below(8);
        let all: Vec<i32> = (1..=variables as i32).collect();
        let (mut small, mut clauses) = (Small::default(), Vec::new());
        for _ in 0..12 {
            for _ in 0..=dice.below(2 * variables / 3) {
                let clause: Vec<i32> = (0..1 + dice.below(4)).map(|_| dice.literal(variables)).collect();
                small.clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<i32> = (0..dice.below(4)).map(|_| dice.literal(variables)).collect();
            check(&mut small, &clauses, &assumptions, &all);
        }
    }
}

/// Asks, and compares the answer, the model or the failed assumptions with what all assignments say.
fn check(small: &mut Small, clauses: &[Vec<i32>], assumptions: &[i32], variables: &[i32]) {
    let under = |assumptions: &[i32]| {
        (0..1u32 << variables.len()).any(|assignment| {
            is_satisfied(clauses, assignment) && assumptions.iter().all(|&literal| holds(literal, assignment))
        })
    };
    let answer = small.solve(assumptions, variables, EFFORT).expect("there is effort enough");
    assert_eq!(answer, under(assumptions), "{clauses:?} under {assumptions:?}");
    if answer {
        let model =
            variables.iter().fold(0, |bits, &variable| bits | u32::from(small.value(variable)) << (variable - 1));
        assert!(is_satisfied(clauses, model) && assumptions.iter().all(|&literal| holds(literal, model)));
    } else {
        let failed: Vec<i32> = assumptions.iter().copied().filter(|&literal| small.failed(literal)).collect();
        assert!(!under(&failed), "{clauses:?}: {failed:?} of {assumptions:?}");
    }
}

/// More pigeons than holes: the conflicts run out.
#[test]
fn effort_ends() {
    let mut small = Small::default();
    let (pigeons, holes) = (9, 8);
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for pigeon in 0..pigeons {
        small.clause(&(0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<_>>());
        for (hole, other) in (0..holes).flat_map(|hole| (0..pigeon).map(move |other| (hole, other))) {
            small.clause(&[-at(pigeon, hole), -at(other, hole)]);
        }
    }
    let variables: Vec<i32> = (1..=pigeons * holes).collect();
    assert_eq!(small.solve(&[], &variables, Effort { conflicts: 20, visits: u64::MAX >> 1 }), None);
    assert_eq!(small.solve(&[], &variables, Effort { conflicts: 1_000, visits: 50 }), None);
    assert!(small.learned() > 0);
}
