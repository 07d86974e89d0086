//! Jumps, switches and returns.
//!
//! Each conditional jump is a condition, and a decision of its own until [`super::decision`] joins them. A condition is true
//! where its jump is not taken, as in `if (c) {...}`, which compilers turn into a jump over the body; for a jump backwards,
//! as at the end of `do ... while`, it is true where the jump is taken. A jump that leads where control goes anyhow, as
//! compilers leave it of `c && false`, decides nothing, and is no condition.

use super::body::{Body, case};
use super::{BranchSite, Lower};
use crate::types::Kind;
use cafebabe::bytecode::Opcode;
use clew_ir::{BlockId, Condition, ConditionId, Decision, DecisionKind, Formula, Operand, TerminatorKind};
use clew_scalar::BinaryOp;
use std::collections::BTreeSet;

impl Body<'_, '_> {
    pub(super) fn flow(&mut self, opcode: &Opcode<'_>, next: Option<usize>) -> Lower {
        if let Some((on, jump)) = self.jump_condition(opcode)? {
            return self.conditional(on, destination(self.at, jump), next);
        }
        match opcode {
            Opcode::Goto(jump) => {
                let block = self.target(destination(self.at, *jump))?;
                self.builder.jump(block);
            }
            Opcode::Tableswitch(table) => {
                let cases =
                    table.jumps.iter().enumerate().map(|(index, jump)| (table.low.wrapping_add(index as i32), *jump));
                self.switch(cases.collect(), table.default)?;
            }
            Opcode::Lookupswitch(table) => self.switch(table.match_offsets.clone(), table.default)?,
            Opcode::Return => self.builder.terminate(TerminatorKind::Return(None)),
            Opcode::Ireturn | Opcode::Lreturn | Opcode::Freturn | Opcode::Dreturn | Opcode::Areturn => {
                let kind = self.returns.ok_or("a result of a method without one")?;
                let value = self.pop(kind)?;
                self.builder.terminate(TerminatorKind::Return(Some(value)));
            }
            Opcode::Athrow => self.throw()?,
            Opcode::Jsr(_) | Opcode::Ret(_) => return Err("subroutines (jsr, ret)".to_owned()),
            other => return Err(format!("instruction {other:?}")),
        }
        Ok(())
    }

    /// Whether a conditional jump is taken, and where it leads.
    fn jump_condition(&mut self, opcode: &Opcode<'_>) -> Lower<Option<(Operand, i32)>> {
        let (test, jump, has_zero, kind) = match opcode {
            Opcode::Ifeq(jump) => (Test::Eq, *jump, true, Kind::Int),
            Opcode::Ifne(jump) => (Test::Ne, *jump, true, Kind::Int),
            Opcode::Iflt(jump) => (Test::Lt, *jump, true, Kind::Int),
            Opcode::Ifge(jump) => (Test::Ge, *jump, true, Kind::Int),
            Opcode::Ifgt(jump) => (Test::Gt, *jump, true, Kind::Int),
            Opcode::Ifle(jump) => (Test::Le, *jump, true, Kind::Int),
            Opcode::Ifnull(jump) => (Test::Eq, *jump, true, Kind::Reference),
            Opcode::Ifnonnull(jump) => (Test::Ne, *jump, true, Kind::Reference),
            Opcode::IfIcmpeq(jump) => (Test::Eq, *jump, false, Kind::Int),
            Opcode::IfIcmpne(jump) => (Test::Ne, *jump, false, Kind::Int),
            Opcode::IfIcmplt(jump) => (Test::Lt, *jump, false, Kind::Int),
            Opcode::IfIcmpge(jump) => (Test::Ge, *jump, false, Kind::Int),
            Opcode::IfIcmpgt(jump) => (Test::Gt, *jump, false, Kind::Int),
            Opcode::IfIcmple(jump) => (Test::Le, *jump, false, Kind::Int),
            Opcode::IfAcmpeq(jump) => (Test::Eq, *jump, false, Kind::Reference),
            Opcode::IfAcmpne(jump) => (Test::Ne, *jump, false, Kind::Reference),
            _ => return Ok(None),
        };
        let b = if has_zero { super::arithmetic::zero(kind) } else { self.pop(kind)? };
        let a = self.pop(kind)?;
        let on = match test {
            Test::Eq => self.binary(BinaryOp::Eq, a, b),
            Test::Ne => self.binary(BinaryOp::Ne, a, b),
            Test::Lt => self.binary(BinaryOp::Slt, a, b),
            Test::Ge => self.binary(BinaryOp::Sle, b, a),
            Test::Gt => self.binary(BinaryOp::Slt, b, a),
            Test::Le => self.binary(BinaryOp::Sle, a, b),
        };
        Ok(Some((on, jump)))
    }

    fn conditional(&mut self, on: Operand, to: usize, next: Option<usize>) -> Lower {
        let next = next.ok_or("code that runs off its end")?;
        if self.idle.contains(&self.at) {
            let block = self.target(next)?;
            self.builder.jump(block);
            return Ok(());
        }
        let true_on_jump = to <= self.at || self.turned.contains(&self.at);
        let condition = self.condition(true_on_jump);
        let (jump, through) = (self.target(to)?, self.target(next)?);
        let (on, then, otherwise) = if true_on_jump {
            (on, jump, through)
        } else {
            let not = self.unary(clew_scalar::UnaryOp::Not, on, clew_ir::Type::Int(1));
            (not, through, jump)
        };
        self.builder.terminate(TerminatorKind::Branch { on, condition: Some(condition), then, otherwise });
        Ok(())
    }

    /// A new condition that is a decision by itself.
    fn condition(&mut self, true_on_jump: bool) -> ConditionId {
        let (span, function) = (self.builder.span, &mut self.builder.function);
        let formula = Some(Formula::Atom(function.conditions.next_id()));
        let is_loop = true_on_jump && !self.turned.contains(&self.at);
        let kind = if is_loop { DecisionKind::DoWhile } else { DecisionKind::If };
        let decision = function.decisions.push(Decision { kind, span, formula });
        self.sites.push(BranchSite { offset: self.at as u32, true_on_jump });
        function.conditions.push(Condition { decision, span })
    }

    fn switch(&mut self, jumps: Vec<(i32, i32)>, default: i32) -> Lower {
        let on = self.pop(Kind::Int)?;
        let default = destination(self.at, default);
        let mut cases = Vec::new();
        for (value, jump) in jumps {
            let to = destination(self.at, jump);
            if to != default {
                cases.push(case(value, self.target(to)?));
            }
        }
        let default: BlockId = self.target(default)?;
        let span = self.builder.span;
        let decision = Decision { kind: DecisionKind::Switch, span, formula: None };
        let decision = self.builder.function.decisions.push(decision);
        self.switches.insert(self.at as u32, decision.raw());
        self.builder.terminate(TerminatorKind::Switch { on, decision: Some(decision), cases, default });
        Ok(())
    }
}

/// How a jump compares.
#[derive(Clone, Copy)]
enum Test {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

/// Where a jump from an offset leads.
pub(super) fn destination(at: usize, jump: i32) -> usize {
    at.wrapping_add_signed(jump as isize)
}

/// Conditional jumps that lead where control goes anyhow, if need be by further jumps that are no statements.
pub(super) fn idle(opcodes: &[(usize, Opcode<'_>)], lines: &[(u32, u32)]) -> BTreeSet<usize> {
    let end = |mut at: usize| {
        // Jumps may go round in circles.
        for _ in 0..opcodes.len() {
            let is_statement = lines.iter().any(|(line, _)| *line as usize == at);
            let index = opcodes.binary_search_by_key(&at, |(at, _)| *at);
            match index.map(|index| &opcodes[index].1) {
                Ok(Opcode::Goto(jump)) if !is_statement && !lines.is_empty() => at = destination(at, *jump),
                _ => break,
            }
        }
        at
    };
    let is_idle = |pair: &&[(usize, Opcode<'_>)]| {
        let [(at, opcode), (next, _)] = pair else { return false };
        let is_conditional =
            !matches!(opcode, Opcode::Goto(_) | Opcode::Jsr(_) | Opcode::Tableswitch(_) | Opcode::Lookupswitch(_));
        jumps(opcode).first().is_some_and(|jump| is_conditional && end(destination(*at, *jump)) == end(*next))
    };
    opcodes.windows(2).filter(is_idle).map(|pair| pair[0].0).collect()
}

/// Conditional jumps forward that are taken where their condition is true: of `c || false && d`, compilers leave a jump over a
/// jump. `if (c) break;` on one line looks the same, but leaves a loop or a switch.
pub(super) fn turned(opcodes: &[(usize, Opcode<'_>)], lines: &[(u32, u32)], idle: &BTreeSet<usize>) -> BTreeSet<usize> {
    let is_turned = |index: usize| {
        let (at, ref opcode) = opcodes[index];
        let [jump] = jumps(opcode)[..] else { return false };
        let to = destination(at, jump);
        let Some(last) = opcodes.partition_point(|(at, _)| *at < to).checked_sub(1).filter(|last| *last > index) else {
            return false;
        };
        let (over, Opcode::Goto(far)) = opcodes[last] else { return false };
        let far = destination(over, far);
        let has_statement = lines.iter().any(|(line, _)| (at + 1..=over).contains(&(*line as usize)));
        let is_empty = last == index + 1 || idle.contains(&opcodes[last - 1].0);
        let is_conditional = !matches!(opcode, Opcode::Goto(_) | Opcode::Jsr(_));
        is_conditional && is_empty && !has_statement && far > to && !is_break(opcodes, at, to, far)
    };
    (0..opcodes.len()).filter(|index| is_turned(*index)).map(|index| opcodes[index].0).collect()
}

/// Whether the code between two offsets is the rest of a loop or of a switch.
fn is_break(opcodes: &[(usize, Opcode<'_>)], at: usize, from: usize, to: usize) -> bool {
    let leads = |(place, opcode): &(usize, Opcode<'_>), is: &dyn Fn(usize) -> bool| {
        jumps(opcode).into_iter().any(|jump| is(destination(*place, jump)))
    };
    let ends_loop = |one: &&(usize, Opcode<'_>)| (from..to).contains(&one.0) && leads(one, &|end| end <= at);
    let mut before = opcodes.iter().take_while(|one| one.0 < at);
    let is_switch = |opcode: &Opcode<'_>| matches!(opcode, Opcode::Tableswitch(_) | Opcode::Lookupswitch(_));
    let is_after_switch = before.any(|(_, opcode)| is_switch(opcode));
    opcodes.iter().any(|one| ends_loop(&one)) || is_after_switch && before.any(|one| leads(one, &|end| end == to))
}

/// The jumps of an instruction.
pub(super) fn jumps(opcode: &Opcode<'_>) -> Vec<i32> {
    match opcode {
        Opcode::Goto(jump)
        | Opcode::Jsr(jump)
        | Opcode::Ifeq(jump)
        | Opcode::Ifne(jump)
        | Opcode::Iflt(jump)
        | Opcode::Ifge(jump)
        | Opcode::Ifgt(jump)
        | Opcode::Ifle(jump)
        | Opcode::Ifnull(jump)
        | Opcode::Ifnonnull(jump)
        | Opcode::IfIcmpeq(jump)
        | Opcode::IfIcmpne(jump)
        | Opcode::IfIcmplt(jump)
        | Opcode::IfIcmpge(jump)
        | Opcode::IfIcmpgt(jump)
        | Opcode::IfIcmple(jump)
        | Opcode::IfAcmpeq(jump)
        | Opcode::IfAcmpne(jump) => vec![*jump],
        Opcode::Tableswitch(table) => table.jumps.iter().copied().chain([table.default]).collect(),
        Opcode::Lookupswitch(table) => table.match_offsets.iter().map(|case| case.1).chain([table.default]).collect(),
        _ => Vec::new(),
    }
}
