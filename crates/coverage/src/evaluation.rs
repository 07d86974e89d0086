//! How a decision was evaluated: which of its conditions, in order, with which outcomes.
//!
//! `&&` and `||` evaluate their right operand only where the left one leaves the result open, so an evaluation is a part
//! of the conditions. Every condition stands once in its decision's formula; hence evaluation with unknown conditions
//! left unknown is exact: unknown means that both results are possible for some values of the conditions not evaluated.

use clew_ir::{ConditionId, Formula};

/// Conditions with their outcomes, in the order they were evaluated.
pub type Evaluation = Vec<(ConditionId, bool)>;

/// The result of a formula where some conditions are unknown; `None` if it depends on them.
pub fn result(formula: &Formula, evaluation: &[(ConditionId, bool)]) -> Option<bool> {
    match formula {
        Formula::Atom(condition) => outcome(evaluation, *condition),
        Formula::Not(a) => result(a, evaluation).map(|a| !a),
        Formula::And(a, b) => match (result(a, evaluation), result(b, evaluation)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Formula::Or(a, b) => match (result(a, evaluation), result(b, evaluation)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Formula::Const(value) => Some(*value),
    }
}

/// The outcome a condition had, if it was evaluated.
pub fn outcome(evaluation: &[(ConditionId, bool)], condition: ConditionId) -> Option<bool> {
    evaluation.iter().find(|(evaluated, _)| *evaluated == condition).map(|(_, outcome)| *outcome)
}

/// The condition evaluated next, `None` when the result is settled.
pub fn next(formula: &Formula, evaluation: &[(ConditionId, bool)]) -> Option<ConditionId> {
    match formula {
        Formula::Atom(condition) => outcome(evaluation, *condition).is_none().then_some(*condition),
        Formula::Not(a) => next(a, evaluation),
        Formula::And(a, b) | Formula::Or(a, b) => next(a, evaluation).or_else(|| {
            let settled = matches!(formula, Formula::Or(..));
            if result(a, evaluation) == Some(settled) { None } else { next(b, evaluation) }
        }),
        Formula::Const(_) => None,
    }
}

/// The conditions of a formula, in order.
pub fn conditions(formula: &Formula) -> Vec<ConditionId> {
    match formula {
        Formula::Atom(condition) => vec![*condition],
        Formula::Not(a) => conditions(a),
        Formula::And(a, b) | Formula::Or(a, b) => [conditions(a), conditions(b)].concat(),
        Formula::Const(_) => Vec::new(),
    }
}

/// All ways to go on from a partial evaluation to a settled result, or `None` if there are more than `most`.
pub fn completions(formula: &Formula, start: &[(ConditionId, bool)], most: usize) -> Option<Vec<Evaluation>> {
    let mut done = Vec::new();
    let mut work = vec![start.to_vec()];
    while let Some(evaluation) = work.pop() {
        match next(formula, &evaluation) {
            None => done.push(evaluation),
            Some(condition) => work.extend([false, true].map(|outcome| {
                let mut longer = evaluation.clone();
                longer.push((condition, outcome));
                longer
            })),
        }
        if done.len() + work.len() > most {
            return None;
        }
    }
    Some(done)
}

/// Whether a condition decides the result of an evaluation: with the other outcome, the result could be the other.
pub fn decides(formula: &Formula, evaluation: &[(ConditionId, bool)], condition: ConditionId) -> bool {
    let Some(own) = outcome(evaluation, condition) else { return false };
    let mut flipped = evaluation.to_vec();
    flipped.iter_mut().filter(|(other, _)| *other == condition).for_each(|(_, outcome)| *outcome = !own);
    result(formula, &flipped) != result(formula, evaluation)
}

/// Whether two evaluations show that a condition decides by itself, unique cause: the condition and the result differ,
/// every other condition evaluated in both is the same. Conditions not evaluated are taken for what is needed.
pub fn unique_pair(
    formula: &Formula,
    a: &[(ConditionId, bool)],
    b: &[(ConditionId, bool)],
    condition: ConditionId,
) -> bool {
    let differs = |id: ConditionId| match (outcome(a, id), outcome(b, id)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    differs(condition)
        && result(formula, a) != result(formula, b)
        && conditions(formula).into_iter().all(|other| other == condition || !differs(other))
}

/// Whether two evaluations show that a condition decides by itself, others being masked: the condition and the result
/// differ, and the condition decides the result of both.
pub fn masking_pair(
    formula: &Formula,
    a: &[(ConditionId, bool)],
    b: &[(ConditionId, bool)],
    condition: ConditionId,
) -> bool {
    let differs = match (outcome(a, condition), outcome(b, condition)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    differs
        && result(formula, a) != result(formula, b)
        && decides(formula, a, condition)
        && decides(formula, b, condition)
}

#[cfg(test)]
mod tests {
    use super::{completions, decides, masking_pair, next, result, unique_pair};
    use clew_ir::{ConditionId, Formula};

    fn c(id: u32) -> ConditionId {
        ConditionId::new(id)
    }

    fn atom(id: u32) -> Box<Formula> {
        Box::new(Formula::Atom(c(id)))
    }

    /// `(c0 && c1) || c2`
    fn sample() -> Formula {
        Formula::Or(Box::new(Formula::And(atom(0), atom(1))), atom(2))
    }

    #[test]
    fn conditions_are_evaluated_as_in_c() {
        let formula = sample();
        assert_eq!(next(&formula, &[]), Some(c(0)));
        assert_eq!(next(&formula, &[(c(0), false)]), Some(c(2)));
        assert_eq!(next(&formula, &[(c(0), true)]), Some(c(1)));
        assert_eq!(next(&formula, &[(c(0), true), (c(1), true)]), None);
        assert_eq!(completions(&formula, &[], 100).map(|all| all.len()), Some(5));
        assert_eq!(completions(&formula, &[(c(0), true)], 100).map(|all| all.len()), Some(3));
        assert_eq!(completions(&formula, &[], 2), None);
    }

    #[test]
    fn a_masked_condition_does_not_decide() {
        let formula = sample();
        let masked = [(c(0), true), (c(1), false), (c(2), true)];
        assert_eq!(result(&formula, &masked), Some(true));
        assert!(!decides(&formula, &masked, c(0)));
        assert!(!decides(&formula, &masked, c(1)));
        assert!(decides(&formula, &masked, c(2)));
    }

    #[test]
    fn unique_cause_is_stronger_than_masking() {
        let formula = sample();
        let all = completions(&formula, &[], 100).expect("there are five");
        for a in &all {
            for b in &all {
                for id in 0..3 {
                    assert!(!unique_pair(&formula, a, b, c(id)) || masking_pair(&formula, a, b, c(id)));
                }
            }
        }
    }

    /// Against the definition over complete truth assignments: a pair shows unique cause exactly if both evaluations can
    /// be completed to assignments that differ in the condition alone and in the result.
    #[test]
    fn unique_pairs_are_those_of_complete_assignments() {
        let formula = sample();
        let all = completions(&formula, &[], 100).expect("there are five");
        let complete = |bits: u32| (0..3).map(|id| (c(id), bits >> id & 1 == 1)).collect::<Vec<_>>();
        let extends =
            |bits: u32, part: &[(ConditionId, bool)]| part.iter().all(|(id, v)| (bits >> id.raw() & 1 == 1) == *v);
        for a in &all {
            for b in &all {
                for id in 0..3u32 {
                    let possible = (0..8u32).any(|bits| {
                        let other = bits ^ 1 << id;
                        extends(bits, a)
                            && extends(other, b)
                            && result(&formula, &complete(bits)) != result(&formula, &complete(other))
                    });
                    let evaluated = a.iter().any(|(x, _)| *x == c(id)) && b.iter().any(|(x, _)| *x == c(id));
                    assert_eq!(unique_pair(&formula, a, b, c(id)), possible && evaluated, "{a:?} {b:?} {id}");
                }
            }
        }
    }
}
