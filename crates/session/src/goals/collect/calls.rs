//! Preconditions of callees as properties of their callers: at each call, what the contract of the callee requires holds.
//!
//! The clauses are read where control stands before the call, with the arguments in place of the parameters.

use super::{Asked, instructions};
use crate::suite;
use clew_ir::contract::visit::Node;
use clew_ir::contract::{Clause, Place, PlaceKind, Predicate, Sort, Term, TermKind, rewrite};
use clew_ir::{Callee, Function, FunctionId, InstKind, Operand, ParamKind, Program};
use clew_prove::{Goal, Site, Wanted};

/// The preconditions of the functions that a function calls by name.
pub(super) fn preconditions(program: &Program, id: FunctionId) -> Vec<Asked> {
    let mut asked = Vec::new();
    for (point, inst) in instructions(id, &program.functions[id]) {
        let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { continue };
        let function = &program.functions[*callee];
        let text = |what: &str| format!("{}: {what}", suite::source(program, inst.span));
        for (clause, predicate) in required(function) {
            let predicate = at_call(function, args, predicate).ok_or_else(|| UNKNOWN.to_owned());
            let goal = predicate.map(|predicate| {
                let wanted = Wanted::Fails { assumes: Vec::new(), predicate };
                Goal { site: Site::Points(vec![point]), wanted }
            });
            let text = text(&suite::source(program, clause.span));
            asked.push(Asked { id: "requires".to_owned(), span: inst.span, text, goal });
        }
        for rejected in function.contract.rejected.iter().filter(|it| matches!(&*it.clause, "requires" | "assumes")) {
            let goal = Err(format!("the clause cannot be used: {}", rejected.reason));
            let text = text(&suite::source(program, rejected.span));
            asked.push(Asked { id: "requires".to_owned(), span: inst.span, text, goal });
        }
    }
    asked
}

/// Why a clause cannot be read at a call.
const UNKNOWN: &str = "the call does not have the arguments that the contract speaks of";

/// What a contract requires: its clauses, and those of its behaviors where these apply.
fn required(function: &Function) -> Vec<(&Clause, Predicate)> {
    let contract = &function.contract;
    let plain = contract.requires.iter().map(|clause| (clause, clause.predicate.clone()));
    let behaviors = contract.behaviors.iter().flat_map(|behavior| {
        let applies = Predicate::And(behavior.assumes.iter().map(|clause| clause.predicate.clone()).collect());
        let guarded =
            move |clause: &Clause| Predicate::Implies(applies.clone().into(), clause.predicate.clone().into());
        behavior.requires.iter().map(move |clause| (clause, guarded(clause)))
    });
    plain.chain(behaviors).collect()
}

/// A clause with the arguments of a call in place of the parameters.
fn at_call(function: &Function, args: &[Operand], mut predicate: Predicate) -> Option<Predicate> {
    let mut is_whole = true;
    rewrite::predicate(&mut predicate, &mut |place| {
        let PlaceKind::Param(index) = place.kind else { return };
        let argument = args.get(index as usize).copied();
        match (argument, function.params[index as usize].kind) {
            (Some(argument), ParamKind::Scalar) => place.kind = PlaceKind::Operand(argument),
            (Some(address), ParamKind::Aggregate) => {
                let pointer = Place { kind: PlaceKind::Operand(address), ty: place.ty };
                let pointer = Term { kind: TermKind::Value(pointer), sort: Sort::C(place.ty) };
                place.kind = PlaceKind::Deref(Box::new(pointer));
            }
            _ => is_whole = false,
        }
    });
    // The state of the call is the state before it; that of the caller's own call is another one.
    let moves = Node::Predicate(&predicate).any(&mut |node| {
        matches!(node, Node::Predicate(Predicate::At(..)) | Node::Term(Term { kind: TermKind::At(..), .. }))
    });
    (is_whole && !moves).then_some(predicate)
}
