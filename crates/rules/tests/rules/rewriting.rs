//! An independent rewriting engine: recursive, over trees on the heap, in all ways. It shares only the checked
//! specification with the engine it checks.

use clew_frontend_rules::spec::{Builtin, Callee, ConId, Expr, ExprId, FunctionId, RuleId, Spec};
use clew_rules::tree::{Item, Tree};
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Con(ConId, Vec<Rc<Value>>),
    Int(i32),
}

/// The fuel is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfFuel;

type Results<T> = Result<Vec<T>, OutOfFuel>;
type Env = Vec<Option<Rc<Value>>>;

/// The engine with what is left of its fuel.
pub(crate) struct Rewriting<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) fuel: u64,
}

impl Rewriting<'_> {
    /// Everything a call can become.
    pub(crate) fn call(&mut self, function: FunctionId, args: &[Rc<Value>]) -> Results<Rc<Value>> {
        self.fuel = self.fuel.checked_sub(1).ok_or(OutOfFuel)?;
        if self.fuel.is_multiple_of(16) && stack_is_deep() {
            return Err(OutOfFuel);
        }
        let mut results = Vec::new();
        for rule in &self.spec.functions[function.index()].rules {
            for env in self.fire(*rule, args)? {
                results.extend(self.value(self.spec.rules[rule.index()].result.last, &env)?);
            }
        }
        results.sort();
        results.dedup();
        Ok(results)
    }

    /// All ways in which the conditions of a rule hold.
    pub(crate) fn fire(&mut self, rule: RuleId, args: &[Rc<Value>]) -> Results<Env> {
        let rule = &self.spec.rules[rule.index()];
        let mut env: Env = args.iter().cloned().map(Some).collect();
        env.resize(rule.variables.len(), None);
        let mut ways = vec![env];
        for condition in &rule.conditions {
            let mut next = Vec::new();
            for env in &ways {
                for value in self.value(condition.left.last, env)? {
                    let mut env = env.clone();
                    if self.matches(condition.pattern.last, &value, &mut env) {
                        next.push(env);
                    }
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    fn matches(&self, pattern: ExprId, value: &Rc<Value>, env: &mut Env) -> bool {
        match (self.spec.expr(pattern), &**value) {
            (Expr::Var(slot), _) => {
                env[slot as usize] = Some(value.clone());
                true
            }
            (Expr::Con(con, args), Value::Con(found, values)) => {
                con == *found
                    && self.spec.args(args).iter().zip(values).all(|(arg, value)| self.matches(*arg, value, env))
            }
            (Expr::Int(wanted), Value::Int(found)) => wanted == *found,
            _ => false,
        }
    }

    fn value(&mut self, expr: ExprId, env: &Env) -> Results<Rc<Value>> {
        let (args, node) = match self.spec.expr(expr) {
            Expr::Var(slot) => return Ok(vec![env[slot as usize].clone().expect("variables are bound")]),
            Expr::Int(value) => return Ok(vec![Rc::new(Value::Int(value))]),
            node @ (Expr::Con(_, args) | Expr::Call(_, args)) => (args, node),
        };
        let mut tuples: Vec<Vec<Rc<Value>>> = vec![Vec::new()];
        for arg in self.spec.args(args) {
            let values = self.value(*arg, env)?;
            tuples = tuples
                .iter()
                .flat_map(|tuple| values.iter().map(|value| [tuple.clone(), vec![value.clone()]].concat()))
                .collect();
        }
        let mut results = Vec::new();
        for tuple in tuples {
            match node {
                Expr::Con(con, _) => results.push(Rc::new(Value::Con(con, tuple))),
                Expr::Call(Callee::Function(function), _) => results.extend(self.call(function, &tuple)?),
                Expr::Call(Callee::Builtin(operator), _) => results.push(self.operator(operator, &tuple)),
                _ => unreachable!("leaves were returned"),
            }
        }
        Ok(results)
    }

    fn operator(&self, operator: Builtin, args: &[Rc<Value>]) -> Rc<Value> {
        let truth = |holds: bool| {
            let (yes, no) = self.spec.truth.expect("comparisons need truth values");
            Value::Con(if holds { yes } else { no }, Vec::new())
        };
        if operator == Builtin::Equal {
            return Rc::new(truth(args[0] == args[1]));
        }
        let (Value::Int(left), Value::Int(right)) = (&*args[0], &*args[1]) else { panic!("operands are integers") };
        Rc::new(match operator {
            Builtin::Add => Value::Int(left.wrapping_add(*right)),
            Builtin::Subtract => Value::Int(left.wrapping_sub(*right)),
            Builtin::Multiply => Value::Int(left.wrapping_mul(*right)),
            Builtin::Less => truth(left < right),
            Builtin::LessEqual | Builtin::Equal => truth(left <= right),
        })
    }
}

/// Whether the recursion is so deep that it counts as endless.
fn stack_is_deep() -> bool {
    thread_local!(static BASE: usize = address());
    BASE.with(|base| base.abs_diff(address())) > 1 << 19
}

fn address() -> usize {
    let here = 0_u8;
    std::hint::black_box(&raw const here) as usize
}

/// A tree as a value.
pub(crate) fn value(tree: &Tree) -> Rc<Value> {
    let mut done: Vec<Rc<Value>> = Vec::new();
    for item in tree.items.iter().rev() {
        let value = match item {
            Item::Con(con, arity) => {
                let args = done.drain(done.len() - *arity as usize..).rev().collect();
                Value::Con(*con, args)
            }
            Item::Int(value) => Value::Int(*value),
            Item::Var(_) | Item::Call(..) => panic!("a value is ground"),
        };
        done.push(Rc::new(value));
    }
    done.pop().expect("a tree has a node")
}
