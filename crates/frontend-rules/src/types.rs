//! Types of functions, inferred as Hindley and Milner do, without recursion over expressions.
//!
//! Functions are taken in the order of the call graph, those that call each other together; a group is monomorphic while
//! it is inferred and general afterwards. A declared type is checked instead of inferred, so it may be used generally
//! even inside its group.

mod unify;

use crate::message::{Message, Span};
use crate::spec::{Args, Builtin, Callee, ConId, Expr, ExprId, FunctionId, Root, RuleId, Spec, Type, TypeId};
use unify::{Types, Var};

/// Infers the types of all functions.
///
/// # Errors
///
/// All type errors.
pub(crate) fn infer(spec: &mut Spec) -> Result<(), Vec<Message>> {
    let mut messages = Vec::new();
    for group in groups(spec) {
        let (signatures, mut found) = infer_group(spec, &group);
        messages.append(&mut found);
        for (function, (params, result, type_params)) in group.iter().zip(signatures) {
            let function = &mut spec.functions[function.index()];
            (function.params, function.result, function.type_params) = (params, result, type_params);
        }
    }
    messages.sort_by_key(|message: &Message| message.span);
    if messages.is_empty() { Ok(()) } else { Err(messages) }
}

/// Checks an expression without variables.
///
/// # Errors
///
/// Its type errors.
pub(crate) fn check_closed(spec: &Spec, root: Root) -> Result<(), Vec<Message>> {
    let mut inference = Inference::new(spec);
    inference.expression(root, &[], &[]);
    inference.check_finite();
    if inference.messages.is_empty() { Ok(()) } else { Err(inference.messages) }
}

/// Groups of functions that call each other, callees first.
fn groups(spec: &Spec) -> Vec<Vec<FunctionId>> {
    let reach: Vec<Vec<bool>> = spec.function_ids().map(|function| spec.reachable(function)).collect();
    let mut order: Vec<FunctionId> = spec.function_ids().collect();
    order.sort_by_key(|function| reach[function.index()].iter().filter(|reached| **reached).count());
    let mut groups: Vec<Vec<FunctionId>> = Vec::new();
    let mut done = vec![false; spec.functions.len()];
    for function in &order {
        if done[function.index()] {
            continue;
        }
        let together =
            |other: &FunctionId| reach[function.index()][other.index()] && reach[other.index()][function.index()];
        let group: Vec<FunctionId> = spec.function_ids().filter(|other| other == function || together(other)).collect();
        for member in &group {
            done[member.index()] = true;
        }
        groups.push(group);
    }
    groups
}

/// The types of a function in the making.
struct Signature {
    function: FunctionId,
    params: Vec<Var>,
    result: Var,
    is_declared: bool,
}

/// Parameters, result and number of type parameters.
type Inferred = (Vec<Type>, Type, usize);

fn infer_group(spec: &Spec, group: &[FunctionId]) -> (Vec<Inferred>, Vec<Message>) {
    let mut inference = Inference::new(spec);
    let signatures: Vec<Signature> = group.iter().map(|function| inference.signature(*function)).collect();
    for signature in &signatures {
        for rule in &spec.functions[signature.function.index()].rules {
            inference.rule(*rule, signature, &signatures);
        }
    }
    let mut inferred = Vec::new();
    for signature in &signatures {
        let function = &spec.functions[signature.function.index()];
        if signature.is_declared {
            inferred.push((function.params.clone(), function.result.clone(), function.type_params));
            continue;
        }
        let mut general = Vec::new();
        let all: Vec<Var> = signature.params.iter().copied().chain([signature.result]).collect();
        let types: Option<Vec<Type>> = all.iter().map(|var| inference.types.finish(*var, &mut general)).collect();
        let mut types = types.unwrap_or_else(|| {
            let text = format!("the type of `{}` is too large; declare data types for its parts", function.name);
            // A type that contains itself is reported already.
            if inference.messages.is_empty() {
                inference.messages.push(Message::error(function.span, text));
            }
            vec![Type::Int; all.len()]
        });
        let result = types.pop().expect("a signature has a result");
        inferred.push((types, result, general.len()));
    }
    (inferred, inference.messages)
}

struct Inference<'a> {
    spec: &'a Spec,
    types: Types,
    messages: Vec<Message>,
    /// The types of the nodes of the rule at hand, with their places.
    nodes: Vec<(Var, Span)>,
}

impl<'a> Inference<'a> {
    fn new(spec: &'a Spec) -> Inference<'a> {
        Inference { spec, types: Types::default(), messages: Vec::new(), nodes: Vec::new() }
    }

    fn signature(&mut self, id: FunctionId) -> Signature {
        let function = &self.spec.functions[id.index()];
        if function.params.len() < function.arity || function.arity == 0 && function.result == Type::Int {
            let params = (0..function.arity).map(|_| self.types.unknown()).collect();
            let result = self.types.unknown();
            return Signature { function: id, params, result, is_declared: false };
        }
        let rigid: Vec<Var> = (0..function.type_params).map(|index| self.types.rigid(index as u32)).collect();
        let params = function.params.iter().map(|ty| self.types.instance(ty, &rigid)).collect();
        let result = self.types.instance(&function.result, &rigid);
        Signature { function: id, params, result, is_declared: true }
    }

    fn rule(&mut self, rule: RuleId, signature: &Signature, group: &[Signature]) {
        let rule = &self.spec.rules[rule.index()];
        let mut slots = signature.params.clone();
        slots.resize_with(rule.variables.len(), || self.types.unknown());
        for condition in &rule.conditions {
            let left = self.expression(condition.left, &slots, group);
            let pattern = self.expression(condition.pattern, &slots, group);
            self.same(left, pattern, self.spec.spans[condition.pattern.last.index()], "this pattern has");
        }
        let result = self.expression(rule.result, &slots, group);
        self.same(signature.result, result, self.spec.spans[rule.result.last.index()], "this result has");
        self.check_finite();
    }

    /// Reports a type that contains itself.
    fn check_finite(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        let types: Vec<Var> = nodes.iter().map(|(ty, _)| *ty).collect();
        if let Some(index) = self.types.cyclic(&types) {
            let text = "this has an infinite type; a value cannot contain itself";
            self.messages.push(Message::error(nodes[index].1, text));
        }
    }

    /// The type of an expression.
    fn expression(&mut self, root: Root, slots: &[Var], group: &[Signature]) -> Var {
        let mut types: Vec<Var> = Vec::new();
        for (id, node) in self.spec.nodes(root) {
            let of = |id: &ExprId| types[(id.0 - root.first.0) as usize];
            let ty = match node {
                Expr::Var(slot) => slots[slot as usize],
                Expr::Int(_) => self.types.int(),
                Expr::Con(con, args) => {
                    let found: Vec<Var> = self.spec.args(args).iter().map(of).collect();
                    self.construct(con, args, &found)
                }
                Expr::Call(callee, args) => {
                    let found: Vec<Var> = self.spec.args(args).iter().map(of).collect();
                    self.call(callee, args, &found, group)
                }
            };
            types.push(ty);
            self.nodes.push((ty, self.spec.spans[id.index()]));
        }
        types.pop().expect("an expression has a node")
    }

    fn construct(&mut self, con: ConId, args: Args, found: &[Var]) -> Var {
        let constructor = &self.spec.constructors[con.index()];
        let count = self.spec.types[constructor.data.index()].params;
        let mut params: Vec<Option<Var>> = vec![None; count];
        for ((field, found), arg) in constructor.fields.iter().zip(found).zip(self.spec.args(args)) {
            // A parameter that is met first takes the type it finds: nothing else mentions it yet.
            if let Type::Param(index) = field
                && params[*index as usize].is_none()
            {
                params[*index as usize] = Some(*found);
                continue;
            }
            let known: Vec<Var> =
                params.iter_mut().map(|param| *param.get_or_insert_with(|| self.types.unknown())).collect();
            let expected = self.types.instance(field, &known);
            self.same(expected, *found, self.spec.spans[arg.index()], "this argument has");
        }
        let args = params.into_iter().map(|param| param.unwrap_or_else(|| self.types.unknown())).collect();
        self.types.data(constructor.data, args)
    }

    fn call(&mut self, callee: Callee, args: Args, found: &[Var], group: &[Signature]) -> Var {
        let function = match callee {
            Callee::Builtin(operator) => return self.operator(operator, args, found),
            Callee::Function(function) => function,
        };
        let (params, result) = match group.iter().find(|signature| signature.function == function) {
            Some(signature) if !signature.is_declared => (signature.params.clone(), signature.result),
            _ => {
                let function = &self.spec.functions[function.index()];
                let fresh: Vec<Var> = (0..function.type_params).map(|_| self.types.unknown()).collect();
                let params = function.params.iter().map(|ty| self.types.instance(ty, &fresh)).collect();
                (params, self.types.instance(&function.result, &fresh))
            }
        };
        for ((expected, found), arg) in params.iter().zip(found).zip(self.spec.args(args)) {
            self.same(*expected, *found, self.spec.spans[arg.index()], "this argument has");
        }
        result
    }

    fn operator(&mut self, operator: Builtin, args: Args, found: &[Var]) -> Var {
        let operands = self.spec.args(args);
        let expected = if operator == Builtin::Equal { found[0] } else { self.types.int() };
        for (found, operand) in found.iter().zip(operands) {
            self.same(expected, *found, self.spec.spans[operand.index()], "this operand has");
        }
        match self.spec.truth.filter(|_| operator.is_comparison()) {
            Some((truth, _)) => self.types.data(self.data_of(truth), Vec::new()),
            None => self.types.int(),
        }
    }

    fn data_of(&self, con: ConId) -> TypeId {
        self.spec.constructors[con.index()].data
    }

    /// Reports two types that should be the same.
    fn same(&mut self, expected: Var, found: Var, span: Span, what: &str) {
        if !self.types.unify(expected, found) {
            let (expected, found) = (self.types.show(self.spec, expected), self.types.show(self.spec, found));
            self.messages.push(Message::error(span, format!("{what} the type `{found}`, not `{expected}`")));
        }
    }
}
