//! What the search looks up of rules: which constructors they need, how many calls they make, which functions recurse.

use crate::integers::Integers;
use crate::policy;
use clew_frontend_rules::spec::{Callee, ConId, Expr, ExprId, FunctionId, RuleId, Spec};
use std::rc::Rc;

/// What a rule needs at a glance.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleFacts {
    /// Constructors that parameters must have, outer ones first.
    pub(crate) needs: Vec<Need>,
    /// The constructor of the result, if it is known.
    pub(crate) result: Option<ConId>,
    /// How many calls its conditions make.
    pub(crate) calls: u32,
    /// Where it can fail to match: condition, node of its pattern, another constructor (`None` for another integer).
    pub(crate) misses: Vec<Miss>,
    /// Whether [`RuleFacts::misses`] is complete.
    pub(crate) misses_all: bool,
}

/// A constructor that stands at a place of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// The parameter.
    pub(crate) param: u32,
    /// The numbers of arguments that lead to the place.
    pub(crate) path: Vec<u32>,
    /// The constructor.
    pub(crate) con: ConId,
}

/// One way a condition can fail: its value has another constructor at a node of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Miss {
    pub(crate) condition: u32,
    pub(crate) node: ExprId,
    pub(crate) other: Option<ConId>,
}

/// Facts of all rules and functions.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) rules: Vec<RuleFacts>,
    /// Whether a function can come to call itself.
    pub(crate) is_recursive: Vec<bool>,
    /// For each function: the functions it can come to call, itself included.
    pub(crate) reach: Vec<Vec<bool>>,
    /// Who decides constraints over integers.
    pub(crate) integers: Option<Rc<dyn Integers>>,
}

impl Index {
    pub(crate) fn new(spec: &Spec) -> Index {
        let reach: Vec<Vec<bool>> = spec.function_ids().map(|function| spec.reachable(function)).collect();
        let is_recursive = spec.function_ids().map(|function| is_recursive(spec, function, &reach)).collect();
        let rules = spec.rule_ids().map(|rule| facts(spec, rule)).collect();
        Index { rules, is_recursive, reach, integers: None }
    }
}

fn is_recursive(spec: &Spec, function: FunctionId, reach: &[Vec<bool>]) -> bool {
    let rules = spec.functions[function.index()].rules.iter();
    let mut callees = rules.flat_map(|rule| spec.evaluated(*rule)).flat_map(|root| spec.calls(root));
    callees.any(|(_, callee, _)| reach[callee.index()][function.index()])
}

fn facts(spec: &Spec, id: RuleId) -> RuleFacts {
    let rule = &spec.rules[id.index()];
    let arity = spec.functions[rule.function.index()].arity;
    let mut facts = RuleFacts { misses_all: true, ..RuleFacts::default() };
    if let Expr::Con(con, _) = spec.expr(rule.result.last) {
        facts.result = Some(con);
    }
    // Where in a parameter each variable stands, if it is known.
    let mut places: Vec<Option<(u32, Vec<u32>)>> = vec![None; rule.variables.len()];
    for (slot, place) in places.iter_mut().enumerate().take(arity) {
        *place = Some((slot as u32, Vec::new()));
    }
    for (number, condition) in rule.conditions.iter().enumerate() {
        let calls = spec.nodes(condition.left).filter(|(_, node)| matches!(node, Expr::Call(Callee::Function(_), _)));
        facts.calls += calls.count() as u32;
        if let Expr::Var(slot) = spec.expr(condition.left.last)
            && let Some((param, path)) = places[slot as usize].clone()
        {
            needs_of(spec, condition.pattern.last, param, path, &mut facts.needs, &mut places);
        }
        for (node, expr) in spec.nodes(condition.pattern) {
            let condition = number as u32;
            match expr {
                Expr::Con(con, _) => {
                    let data = spec.constructors[con.index()].data;
                    let others = spec.types[data.index()].constructors.iter().filter(|other| **other != con);
                    facts.misses.extend(others.map(|other| Miss { condition, node, other: Some(*other) }));
                }
                Expr::Int(_) => facts.misses.push(Miss { condition, node, other: None }),
                Expr::Var(_) | Expr::Call(..) => {}
            }
            if facts.misses.len() > policy::MAX_INDEX_MISSES.size() {
                facts.misses_all = false;
                break;
            }
        }
    }
    facts
}

/// The constructors that a pattern needs at a place of a parameter, and the places of its variables.
fn needs_of(
    spec: &Spec,
    pattern: ExprId,
    param: u32,
    path: Vec<u32>,
    needs: &mut Vec<Need>,
    places: &mut [Option<(u32, Vec<u32>)>],
) {
    let mut work = vec![(pattern, path)];
    while let Some((node, path)) = work.pop() {
        match spec.expr(node) {
            Expr::Var(slot) => places[slot as usize] = Some((param, path)),
            Expr::Con(con, args) if path.len() <= policy::MAX_INDEX_PATH.size() => {
                let inner = spec.args(args).iter().zip(0..args.len).rev();
                work.extend(inner.map(|(arg, number)| (*arg, path.iter().copied().chain([number]).collect())));
                needs.push(Need { param, path, con });
            }
            Expr::Con(..) | Expr::Int(_) | Expr::Call(..) => {}
        }
    }
}
