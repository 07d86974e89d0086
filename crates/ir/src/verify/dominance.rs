//! Every temporary is defined before every use, on every path from the entry, and by one instruction only.
//!
//! Most temporaries live within one block, where order settles it. Those that cross blocks are numbered densely and
//! followed by a forward data-flow analysis over sets of surely defined temporaries (intersection at joins). Blocks that
//! cannot be reached are not checked.

use super::Report;
use crate::function::{BlockId, Function, TempId};
use crate::inst::{ENTRY, Operand, TerminatorKind};
use std::collections::{BTreeMap, BTreeSet};

/// Reports uses before definitions and double definitions.
pub(super) fn check(function: &Function, report: Report<'_>) {
    if !function.is_defined() {
        return;
    }
    single_definitions(function, report);
    let crossing = Crossing::of(function);
    for (block, defined) in surely_defined(function, &crossing) {
        for temp in exposed(function, block) {
            if !crossing.contains(&defined, temp) {
                report(format!("t{} is used in b{} before it is defined", temp.raw(), block.raw()));
            }
        }
    }
}

fn single_definitions(function: &Function, report: Report<'_>) {
    let mut seen = vec![false; function.temps.len()];
    let params = function.params.iter().map(|param| param.temp);
    for temp in params.chain(function.blocks.ids().flat_map(|block| definitions(function, block))) {
        if std::mem::replace(&mut seen[temp.index()], true) {
            report(format!("t{} is defined twice", temp.raw()));
        }
    }
}

fn definitions(function: &Function, block: BlockId) -> impl Iterator<Item = TempId> {
    function.blocks[block].insts.iter().filter_map(|inst| inst.kind.dest())
}

/// Temporaries a block uses without having defined them before.
fn exposed(function: &Function, block: BlockId) -> Vec<TempId> {
    let mut defined = BTreeSet::new();
    let mut exposed = Vec::new();
    let mut use_of = |operand: Operand, defined: &BTreeSet<TempId>| match operand {
        Operand::Temp(temp) if !defined.contains(&temp) => exposed.push(temp),
        _ => {}
    };
    for inst in &function.blocks[block].insts {
        inst.kind.operands().into_iter().for_each(|operand| use_of(operand, &defined));
        defined.extend(inst.kind.dest());
    }
    match &function.blocks[block].terminator.kind {
        TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => use_of(*on, &defined),
        TerminatorKind::Return(Some(value)) => use_of(*value, &defined),
        _ => {}
    }
    exposed
}

/// A set of crossing temporaries as bits.
type Set = Vec<u64>;

/// The temporaries that some block uses without defining, densely numbered.
struct Crossing {
    /// Position of each temporary in a [`Set`].
    number: Vec<Option<u32>>,
    count: usize,
}

impl Crossing {
    fn of(function: &Function) -> Crossing {
        let mut crossing = Crossing { number: vec![None; function.temps.len()], count: 0 };
        for temp in function.blocks.ids().flat_map(|block| exposed(function, block)) {
            let slot = &mut crossing.number[temp.index()];
            if slot.is_none() {
                *slot = Some(crossing.count as u32);
                crossing.count += 1;
            }
        }
        crossing
    }

    fn insert(&self, set: &mut Set, temp: TempId) {
        if let Some(number) = self.number[temp.index()] {
            set[number as usize / 64] |= 1 << (number % 64);
        }
    }

    fn contains(&self, set: &Set, temp: TempId) -> bool {
        self.number[temp.index()].is_some_and(|number| set[number as usize / 64] >> (number % 64) & 1 == 1)
    }
}

/// The surely defined crossing temporaries at the start of each reachable block.
fn surely_defined(function: &Function, crossing: &Crossing) -> BTreeMap<BlockId, Set> {
    let mut start = vec![0; crossing.count.div_ceil(64)];
    function.params.iter().for_each(|param| crossing.insert(&mut start, param.temp));
    let mut sets = BTreeMap::from([(ENTRY, start)]);
    let mut work = vec![ENTRY];
    while let Some(block) = work.pop() {
        let mut after = sets[&block].clone();
        definitions(function, block).for_each(|temp| crossing.insert(&mut after, temp));
        for next in function.blocks[block].terminator.kind.successors() {
            match sets.get_mut(&next) {
                None => {
                    sets.insert(next, after.clone());
                    work.push(next);
                }
                Some(known) => {
                    if intersect(known, &after) {
                        work.push(next);
                    }
                }
            }
        }
    }
    sets
}

/// Narrows `known`; says whether it changed.
fn intersect(known: &mut Set, other: &Set) -> bool {
    let mut changed = false;
    for (word, other) in known.iter_mut().zip(other) {
        changed |= *word & !other != 0;
        *word &= other;
    }
    changed
}

#[cfg(test)]
mod tests {
    use crate::{text, verify};

    fn check(body: &str, expect: &[&str]) {
        let text = format!(
            "target pointer=64 int=32 long=64 char=signed endian=little
             ctype %0 = int 32 signed \"int\"
             ctype %1 = function %0 (%0)
             function f0 \"f\" external %1 -> i32 {{ param \"x\" %0 t0: i32 scalar {body} }}"
        );
        let program = text::parse(&text).unwrap();
        let found: Vec<_> = verify::verify(&program).into_iter().map(|violation| violation.message).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn definition_on_one_path_only() {
        check(
            "b0: t1: i1 = eq t0, i32 0 branch t1 ? b1 : b2
             b1: t2: i32 = add t0, i32 1 jump b2
             b2: return t2",
            &["t2 is used in b2 before it is defined"],
        );
    }

    #[test]
    fn definition_before_a_loop() {
        check(
            "b0: t1: i32 = add t0, i32 1 jump b1
             b1: t2: i1 = eq t1, i32 0 branch t2 ? b1 : b2
             b2: return t1",
            &[],
        );
    }

    #[test]
    fn double_definition() {
        check("b0: t1: i32 = add t0, t0 t1: i32 = add t0, t0 return t1", &["t1 is defined twice"]);
    }
}
