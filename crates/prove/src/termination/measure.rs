//! Measures that may decrease with each turn of a loop: linear terms over variables, taken from conditions and templates, and
//! sifted by turns that were seen.
//!
//! A ranking is one measure, or several in order. With each turn the first of them decreases and was not negative, or it does
//! not increase and the second decreases and was not negative, and so on. No turn can do that without end: none of those
//! before the one that decreases ever grows. (Lexicographic ranking functions: Bradley, Manna and Sipma 2005; the choice by
//! turns that are still to be explained: Alias et al. 2010. Here the turns are samples, and the solver has the last word.)

use clew_ir::contract::{BinaryOp, CompareOp, Predicate, Sort, Term, TermKind, UnaryOp};

use crate::invent::{Known, binary};
use crate::policy;

/// The lowest value seen that is made up for by a constant.
const LOWEST: i128 = -300;

/// A sum of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// Variables by their positions, in order, with factors that are not zero.
    parts: Vec<(usize, i128)>,
    constant: i128,
}

/// The values of variables when a turn began and when it was made.
pub(super) type Turn = (Vec<i128>, Vec<i128>);

impl Measure {
    fn new(mut parts: Vec<(usize, i128)>, constant: i128) -> Option<Measure> {
        parts.sort_unstable();
        parts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        parts.retain(|(_, factor)| *factor != 0);
        (!parts.is_empty()).then_some(Measure { parts, constant })
    }

    /// A term over variables, if it is linear.
    fn of(term: &Term, variables: &[Known]) -> Option<(Vec<(usize, i128)>, i128)> {
        if let Some(at) = variables.iter().position(|known| known.term() == *term) {
            return Some((vec![(at, 1)], 0));
        }
        match &term.kind {
            TermKind::Integer(number) => Some((Vec::new(), *number)),
            TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let ((mut parts, constant), (others, other)) = (Self::of(a, variables)?, Self::of(b, variables)?);
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                parts.extend(others.into_iter().map(|(at, factor)| (at, factor * sign)));
                Some((parts, constant.checked_add(other.checked_mul(sign)?)?))
            }
            _ => None,
        }
    }

    pub(super) fn value(&self, row: &[i128]) -> i128 {
        self.parts.iter().map(|(at, factor)| row[*at] * factor).sum::<i128>() + self.constant
    }

    /// Whether the measure is no sum of what cannot be negative.
    pub(super) fn may_be_negative(&self, variables: &[Known]) -> bool {
        self.constant < 0 || self.parts.iter().any(|(at, factor)| *factor < 0 || variables[*at].is_signed)
    }

    fn decreases(&self, (before, now): &Turn) -> bool {
        self.value(before) >= 0 && self.value(now) < self.value(before)
    }

    fn never_increases(&self, (before, now): &Turn) -> bool {
        self.value(now) <= self.value(before)
    }

    /// The measure as a term over these variables.
    pub(super) fn term(&self, variables: &[Term]) -> Term {
        let scaled = |(at, factor): &(usize, i128)| match factor.abs() {
            1 => variables[*at].clone(),
            times => binary(BinaryOp::Mul, Term::integer(times), variables[*at].clone()),
        };
        let mut parts: Vec<(bool, Term)> = self.parts.iter().map(|part| (part.1 < 0, scaled(part))).collect();
        parts.extend((self.constant != 0).then(|| (self.constant < 0, Term::integer(self.constant.abs()))));
        parts.sort_by_key(|(is_negative, _)| *is_negative);
        let sum = parts.into_iter().fold(None, |sum: Option<Term>, (is_negative, part)| {
            Some(match (sum, is_negative) {
                (None, false) => part,
                (None, true) => Term { kind: TermKind::Unary(UnaryOp::Neg, Box::new(part)), sort: Sort::Integer },
                (Some(sum), false) => binary(BinaryOp::Add, sum, part),
                (Some(sum), true) => binary(BinaryOp::Sub, sum, part),
            })
        });
        sum.expect("a measure has a part")
    }
}

/// That a ranking decreases from the variables as they were to what they are now.
pub(super) fn decrease(ranking: &[Measure], before: &[Term], now: &[Term]) -> Predicate {
    let Some((first, rest)) = ranking.split_first() else { return Predicate::Const(false) };
    decrease_of(&first.term(before), &first.term(now), (!rest.is_empty()).then(|| decrease(rest, before, now)))
}

/// `0 <= before && now < before || now <= before && rest`
pub fn decrease_of(before: &Term, now: &Term, rest: Option<Predicate>) -> Predicate {
    let compare = |op, a: &Term, b: &Term| Predicate::Compare { op, a: a.clone(), b: b.clone() };
    let decreases =
        Predicate::And(vec![compare(CompareOp::Le, &Term::integer(0), before), compare(CompareOp::Lt, now, before)]);
    match rest {
        None => decreases,
        Some(rest) => {
            let stays = Predicate::And(vec![compare(CompareOp::Le, now, before), rest]);
            Predicate::Or(vec![decreases, stays])
        }
    }
}

/// Rankings worth trying for a loop of which some turns were seen, the simplest first. Rows may have more values than there
/// are variables: each of these may be a measure by itself.
pub(super) fn rankings(
    turns: &[Turn],
    variables: &[Known],
    changes: &dyn Fn(usize) -> bool,
    conditions: &[Predicate],
) -> Vec<Vec<Measure>> {
    let mut known = measures(variables, changes, conditions);
    let more = variables.len()..turns.first().map_or(0, |(before, _)| before.len());
    known.extend(more.map(|at| Measure { parts: vec![(at, 1)], constant: 0 }));
    let all: Vec<usize> = (0..turns.len()).collect();
    let mut found: Vec<Vec<Measure>> = Vec::new();
    if turns.is_empty() {
        found.extend(known.into_iter().take(policy::MAX_RANKINGS.size()).map(|measure| vec![measure]));
        found.extend(limits(variables, changes));
        return found;
    }
    let mut firsts: Vec<(usize, Measure)> =
        known.iter().filter_map(|measure| explaining(measure, turns, &all)).collect();
    firsts.sort_by_key(|(explained, _)| std::cmp::Reverse(*explained));
    for (_, first) in firsts {
        if let Some(ranking) = completed(first, turns, &known)
            && !found.contains(&ranking)
        {
            found.push(ranking);
        }
        if found.len() == policy::MAX_RANKINGS.size() {
            break;
        }
    }
    found.sort_by_key(Vec::len);
    found.extend(limits(variables, changes).filter(|limit| turns.iter().all(|turn| limit[0].decreases(turn))));
    found
}

/// How far it is to the greatest value of each variable that turns change: what only grows, and must not overflow, ends
/// there. That is so of pointers, and of counters of signed types.
fn limits<'a>(variables: &'a [Known], changes: &'a dyn Fn(usize) -> bool) -> impl Iterator<Item = Vec<Measure>> + 'a {
    let to_limit = move |at: usize| {
        let bits = variables[at].bytes as u32 * 8 - u32::from(variables[at].is_signed);
        vec![Measure { parts: vec![(at, -1)], constant: (1_i128 << bits) - 1 }]
    };
    (0..variables.len()).filter(move |at| changes(*at)).map(to_limit)
}

/// Rankings of variables of which nothing was seen: conditions, variables, pairs of variables in order.
pub(super) fn orders(variables: &[Known], conditions: &[Predicate]) -> Vec<Vec<Measure>> {
    let variable = |at: usize| Measure { parts: vec![(at, 1)], constant: 0 };
    let mut known = measures(variables, &|_| true, conditions);
    known.sort_by_key(|measure| measure.constant != 0);
    let mut found: Vec<Vec<Measure>> =
        known.into_iter().take(policy::MAX_RANKINGS.size()).map(|measure| vec![measure]).collect();
    let all = 0..variables.len();
    let pairs = all.clone().flat_map(|first| all.clone().map(move |second| (first, second)));
    let pairs = pairs.filter(|(first, second)| first != second);
    found
        .extend(pairs.take(policy::MAX_RANKINGS.size()).map(|(first, second)| vec![variable(first), variable(second)]));
    found
}

/// A ranking that begins with a measure and explains all turns.
fn completed(first: Measure, turns: &[Turn], known: &[Measure]) -> Option<Vec<Measure>> {
    let mut left: Vec<usize> = (0..turns.len()).filter(|at| !first.decreases(&turns[*at])).collect();
    let mut ranking = vec![first];
    while !left.is_empty() {
        if ranking.len() == policy::MAX_MEASURE_PARTS.size() {
            return None;
        }
        let best = known.iter().filter_map(|measure| explaining(measure, turns, &left));
        // Of equals the first is the simplest.
        let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let (_, measure) = best?;
        left.retain(|at| !measure.decreases(&turns[*at]));
        ranking.push(measure);
    }
    Some(ranking)
}

/// How many of some turns a measure explains, with the constant that it needs for that, if it increases in none.
fn explaining(measure: &Measure, turns: &[Turn], left: &[usize]) -> Option<(usize, Measure)> {
    if !left.iter().all(|at| measure.never_increases(&turns[*at])) {
        return None;
    }
    let drops = left.iter().map(|at| &turns[*at]).filter(|(before, now)| measure.value(now) < measure.value(before));
    let lowest = drops.map(|(before, _)| measure.value(before)).min()?;
    let constant = if (LOWEST..0).contains(&lowest) { measure.constant - lowest } else { measure.constant };
    let measure = Measure { constant, ..measure.clone() };
    let explained = left.iter().filter(|at| measure.decreases(&turns[**at])).count();
    (explained > 0).then_some((explained, measure))
}

/// Measures from conditions, then templates.
pub(super) fn measures(variables: &[Known], changes: &dyn Fn(usize) -> bool, conditions: &[Predicate]) -> Vec<Measure> {
    let mut found: Vec<Measure> = Vec::new();
    let mut add = |measure: Option<Measure>| {
        if let Some(measure) = measure
            && measure.parts.iter().any(|(at, _)| changes(*at))
            && !found.contains(&measure)
        {
            found.push(measure);
        }
    };
    for condition in conditions {
        let Predicate::Compare { a, b, .. } = condition else { continue };
        let difference = binary(BinaryOp::Sub, a.clone(), b.clone());
        let Some((parts, constant)) = Measure::of(&difference, variables) else { continue };
        let negated = parts.iter().map(|(at, factor)| (*at, -factor)).collect();
        add(Measure::new(negated, -constant));
        add(Measure::new(parts, constant));
    }
    let all = 0..variables.len();
    for sign in [1, -1] {
        all.clone().for_each(|at| add(Measure::new(vec![(at, sign)], 0)));
    }
    for (first, second) in all.clone().flat_map(|first| all.clone().map(move |second| (first, second))) {
        for (a, b) in [(1, -1), (1, 1), (2, 1), (2, -1), (1, -2), (-1, -1), (-2, 1)] {
            if first != second {
                add(Measure::new(vec![(first, a), (second, b)], 0));
            }
        }
    }
    found
}
