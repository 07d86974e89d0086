//! Copies of variables for `\at` with a label inside a function.
//!
//! What a variable holds at a label of C, at the entry of a loop or at the beginning of a turn is copied there into a
//! hidden variable, and `\at` reads the copy. Where labels and loops begin is told by marks: lowering emits an
//! instruction without effect there if the unit mentions `\at`.
//!
//! Variables are copied, whole arrays and structures included; what pointers lead to is not.

use super::scope::Site;
use super::syntax::{At, Problem};
use clew_ir::contract::visit::Node;
use clew_ir::contract::{Label, Place, PlaceKind, Predicate, Term, TermKind, rewrite};
use clew_ir::{
    BlockId, CheckKind, ENTRY, Function, Inst, InstKind, Local, LocalKind, Loop, LoopId, Operand, Program, Span,
};
use std::collections::BTreeSet;

/// Whether the values at a label are copies.
pub(super) fn is_copied(label: &Label) -> bool {
    matches!(label, Label::LoopEntry | Label::LoopCurrent | Label::C(_))
}

/// The state a label means where a clause stands: at the head of its own loop, the current turn begins here.
pub(super) fn meant(site: &Site, label: Label, at: &At) -> Result<Label, Problem> {
    match (label, site) {
        (Label::LoopCurrent, Site::Statement { of: Some(_), .. }) => Ok(Label::Here),
        (Label::Post, Site::Statement { .. }) => {
            Err(Problem::new(at, "`Post` has a meaning only in the contract of a function"))
        }
        (Label::Init, _) => Err(Problem::new(at, "the label `Init` is not supported")),
        (label, Site::Statement { .. }) => Ok(label),
        (label, _) if is_copied(&label) => {
            Err(Problem::new(at, "labels of the program have a meaning only inside a function"))
        }
        (label, _) => Ok(label),
    }
}

/// The copy of a variable at a label.
pub(super) fn copy(program: &mut Program, site: &Site, label: &Label, place: Place, at: &At) -> Result<Place, Problem> {
    let Site::Statement { function: id, offset, of, .. } = *site else {
        return Err(Problem::new(at, "labels of the program have a meaning only inside a function"));
    };
    let (name, from) = match place.kind {
        PlaceKind::Local(local) => (program.functions[id].locals[local].name.clone(), Operand::Local(local)),
        PlaceKind::Global(global) => (program.globals[global].name.clone(), Operand::Global(global, 0)),
        _ => return Err(Problem::new(at, "only variables can be read at a label of the program")),
    };
    let Some(size) = program.ctypes.size_of(place.ty, program.target.pointer_bytes()) else {
        return Err(Problem::new(at, format!("`{name}` has no size")));
    };
    let function = &mut program.functions[id];
    let points = points(function, label, (offset, of), &program.sources).map_err(|why| Problem::new(at, why))?;
    let local = Local {
        name: format!("{name}@{}", word(label)),
        ty: place.ty,
        size,
        align: 16,
        kind: LocalKind::Hidden,
        span: Span::NONE,
    };
    let to = function.locals.push(local);
    for (block, position) in points {
        let kind = InstKind::Copy { to: Operand::Local(to), from, size, check: None };
        function.insert(block, position, Inst { kind, span: Span::NONE });
    }
    Ok(Place { kind: PlaceKind::Local(to), ty: place.ty })
}

/// A term as it was when the current turn of a loop began: with copies in the place of variables.
pub(super) fn at_turn(program: &mut Program, site: &Site, term: &Term, at: &At) -> Result<Term, Problem> {
    check(Node::Term(term), at)?;
    let (mut before, mut failed) = (term.clone(), None);
    rewrite::term(&mut before, &mut |place| {
        if let PlaceKind::Local(_) | PlaceKind::Global(_) = place.kind {
            match copy(program, site, &Label::LoopCurrent, place.clone(), at) {
                Ok(copied) => *place = copied,
                Err(problem) => failed = Some(problem),
            }
        }
    });
    failed.map_or(Ok(before), Err)
}

/// Copies know values, not addresses and what is behind them.
pub(super) fn check(node: Node<'_>, at: &At) -> Result<(), Problem> {
    let is_memory = |node: Node<'_>| match node {
        Node::Predicate(predicate) => matches!(predicate, Predicate::Memory { .. } | Predicate::Separated(_)),
        Node::Term(term) => matches!(term.kind, TermKind::Address(_) | TermKind::Call(..)),
        Node::Place(place) => matches!(place.kind, PlaceKind::Deref(_)),
    };
    if node.any(&mut { is_memory }) {
        let problem = Problem::new(at, "addresses and what pointers lead to are not kept at this label");
        return Err(problem.with_help("`\\at` with labels inside a function reads variables; `Pre` reads memory too"));
    }
    Ok(())
}

fn word(label: &Label) -> &str {
    match label {
        Label::LoopEntry => "LoopEntry",
        Label::LoopCurrent => "LoopCurrent",
        Label::C(name) => name,
        Label::Here | Label::Pre | Label::Post | Label::Init => "",
    }
}

/// Where the copies of a label are made: before these instructions.
fn points(
    function: &Function,
    label: &Label,
    (offset, of): (u32, Option<LoopId>),
    sources: &clew_ir::Sources,
) -> Result<Vec<(BlockId, usize)>, String> {
    if let Label::C(name) = label {
        let is_here = |span: Span| {
            let rest = sources.text(span).strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        let found = marks(function, is_here);
        return if found.is_empty() { Err(format!("there is no label `{name}` in this function")) } else { Ok(found) };
    }
    let around = of.or_else(|| innermost(function, offset)).map(|id| &function.loops[id]);
    let Some(around) = around else { return Err(format!("`{}` has a meaning only in a loop", word(label))) };
    if has_side_entry(function, around) {
        return Err("control may come into the loop by a jump".to_owned());
    }
    match label {
        Label::LoopCurrent => Ok(vec![(around.head, 0)]),
        _ => match marks(function, |span| span == around.span) {
            found if found.is_empty() => Err("control does not come to the loop".to_owned()),
            found => Ok(found),
        },
    }
}

/// The places just behind marks.
fn marks(function: &Function, is_it: impl Fn(Span) -> bool) -> Vec<(BlockId, usize)> {
    let is_mark = |inst: &Inst| match inst.kind {
        InstKind::Check { check, .. } => function.checks[check].kind == CheckKind::Assertion && is_it(inst.span),
        _ => false,
    };
    let blocks = function.blocks.iter();
    let in_block = |(block, data): (BlockId, &clew_ir::Block)| {
        let found = data.insts.iter().enumerate().filter(|(_, inst)| is_mark(inst));
        found.map(|(at, _)| (block, at + 1)).collect::<Vec<_>>()
    };
    blocks.flat_map(in_block).collect()
}

/// The innermost loop around a place.
fn innermost(function: &Function, offset: u32) -> Option<LoopId> {
    let around = function.loops.iter().filter(|(_, it)| it.span.start <= offset && offset < it.span.end);
    around.max_by_key(|(_, it)| it.span.start).map(|(id, _)| id)
}

/// Whether a turn can end that did not begin at the head.
fn has_side_entry(function: &Function, around: &Loop) -> bool {
    let (mut seen, mut work) = (BTreeSet::from([around.head]), vec![ENTRY]);
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(function.blocks[block].terminator.kind.successors());
        }
    }
    around.head != ENTRY && seen.contains(&around.latch)
}
