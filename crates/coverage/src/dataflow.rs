//! Definitions and uses of variables, and which definition reaches which use.
//!
//! Variables are locals and globals named in the code; arrays and structures count as one variable each, and a store
//! into a part is a new definition of the whole. Accesses through other pointers are not followed, nor what callees do to
//! globals; both only concern which objectives are stated, never whether one is covered.
//!
//! Reaching definitions are the usual forward bit-vector analysis (Kildall 1973).

use crate::label::Point;
use crate::objective::Site;
use clew_ir::{
    BlockId, ENTRY, Function, FunctionId, GlobalId, GlobalKind, InstKind, LocalId, LocalKind, Operand, Program, TempId,
    TerminatorKind,
};
use std::collections::BTreeMap;

/// A variable that code names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// Of the function.
    Local(LocalId),
    /// Of the program.
    Global(GlobalId),
}

/// What an instruction does to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which instruction of the block.
    pub index: u32,
    /// Which variable.
    pub variable: Variable,
    /// What it does.
    pub kind: AccessKind,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Gives the variable, or a part of it, a value.
    Define,
    /// Uses the value; `decides` if the block's branch or switch depends on it.
    Use {
        /// Whether control depends on the value.
        decides: bool,
    },
    /// The variable has no value any more.
    Forget,
}

/// The accesses of each block of a function, in order.
pub type Accesses = Vec<Vec<Access>>;

/// The accesses of a function.
pub fn accesses(program: &Program, function: &Function) -> Accesses {
    let roots = Roots::new(program, function);
    let blocks = function.blocks.iter();
    blocks
        .map(|(id, block)| {
            let deciding = deciding(function, id);
            // Copies for contracts stand nowhere in the source.
            let insts = (0..).zip(&block.insts).filter(|(_, inst)| !inst.span.is_none());
            insts
                .flat_map(|(index, inst)| {
                    roots.accesses(&inst.kind, &deciding).into_iter().map(move |(variable, kind)| Access {
                        index,
                        variable,
                        kind,
                    })
                })
                .collect()
        })
        .collect()
}

/// A definition that reaches a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Of which variable.
    pub variable: Variable,
    /// The definition.
    pub definition: Site,
    /// The use.
    pub usage: Point,
    /// Whether control depends on the use.
    pub decides: bool,
}

/// Every definition with every use it reaches on some way through the function.
pub fn pairs(id: FunctionId, function: &Function, accesses: &Accesses) -> Vec<Pair> {
    let reaching = Reaching::new(id, function, accesses);
    let mut pairs = Vec::new();
    for block in function.blocks.ids() {
        let mut live = reaching.entry[block.index()].clone();
        for access in &accesses[block.index()] {
            let point = Point { function: id, block, index: access.index };
            if let AccessKind::Use { decides } = access.kind {
                let variable = access.variable;
                let sites = reaching.sites_of(variable, &live);
                pairs.extend(sites.map(|definition| Pair { variable, definition, usage: point, decides }));
            }
            reaching.apply(&mut live, access, point);
        }
    }
    pairs
}

/// What the temporaries of a function point into.
struct Roots<'f> {
    function: &'f Function,
    program: &'f Program,
    defining: Vec<Option<&'f InstKind>>,
}

impl<'f> Roots<'f> {
    fn new(program: &'f Program, function: &'f Function) -> Roots<'f> {
        let mut defining = vec![None; function.temps.len()];
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let Some(dest) = inst.kind.dest() {
                defining[dest.index()] = Some(&inst.kind);
            }
        }
        Roots { function, program, defining }
    }

    /// The variable an address lies in.
    fn root(&self, address: Operand) -> Option<Variable> {
        match address {
            Operand::Local(local) if self.function.locals[local].kind == LocalKind::Hidden => None,
            Operand::Local(local) => Some(Variable::Local(local)),
            Operand::Global(global, _) => {
                let data = &self.program.globals[global];
                let variable = data.kind == GlobalKind::Variable && !data.is_const;
                variable.then_some(Variable::Global(global))
            }
            Operand::Temp(temp) => match self.defining[temp.index()]? {
                InstKind::Offset { base, .. } => self.root(*base),
                _ => None,
            },
            _ => None,
        }
    }

    fn accesses(&self, kind: &InstKind, deciding: &[TempId]) -> Vec<(Variable, AccessKind)> {
        let at = |address: Operand, kind: AccessKind| self.root(address).map(|variable| (variable, kind));
        let usage = |from: Operand, decides: bool| at(from, AccessKind::Use { decides });
        let found = match kind {
            InstKind::Load { dest, from, .. } => [usage(*from, deciding.contains(dest)), None],
            InstKind::Store { to, .. } | InstKind::Fill { to, .. } => [at(*to, AccessKind::Define), None],
            InstKind::Copy { to, from, .. } => [usage(*from, false), at(*to, AccessKind::Define)],
            InstKind::Begin { local } => [at(Operand::Local(*local), AccessKind::Forget), None],
            _ => [None, None],
        };
        found.into_iter().flatten().collect()
    }
}

/// The temporaries of a block on which its branch or switch depends.
fn deciding(function: &Function, block: BlockId) -> Vec<TempId> {
    let block = &function.blocks[block];
    let mut deciding = Vec::new();
    match block.terminator.kind {
        TerminatorKind::Branch { on: Operand::Temp(on), .. } | TerminatorKind::Switch { on: Operand::Temp(on), .. } => {
            deciding.push(on);
        }
        _ => return deciding,
    }
    for inst in block.insts.iter().rev() {
        if inst.kind.dest().is_some_and(|dest| deciding.contains(&dest)) {
            deciding.extend(inst.kind.operands().into_iter().filter_map(|operand| match operand {
                Operand::Temp(temp) => Some(temp),
                _ => None,
            }));
        }
    }
    deciding
}

/// The definitions that reach the entry of each block.
struct Reaching {
    sites: Vec<(Variable, Site)>,
    number: BTreeMap<(Variable, Site), usize>,
    of: BTreeMap<Variable, Vec<usize>>,
    entry: Vec<Set>,
}

type Set = Vec<u64>;

impl Reaching {
    fn new(id: FunctionId, function: &Function, accesses: &Accesses) -> Reaching {
        let mut sites: Vec<(Variable, Site)> = Vec::new();
        for (block, list) in function.blocks.ids().zip(accesses) {
            for access in list {
                match access.kind {
                    AccessKind::Define => {
                        let point = Point { function: id, block, index: access.index };
                        sites.push((access.variable, Site::At(point)));
                    }
                    _ if matches!(access.variable, Variable::Global(_)) => sites.push((access.variable, Site::Entry)),
                    _ => {}
                }
            }
        }
        sites.sort_unstable();
        sites.dedup();
        let number: BTreeMap<_, _> = sites.iter().copied().zip(0..).collect();
        let mut of: BTreeMap<Variable, Vec<usize>> = BTreeMap::new();
        number.iter().for_each(|((variable, _), at)| of.entry(*variable).or_default().push(*at));
        let empty = vec![0; sites.len().div_ceil(64)];
        let mut reaching = Reaching { sites, number, of, entry: vec![empty; function.blocks.len()] };
        reaching.solve(id, function, accesses);
        reaching
    }

    fn solve(&mut self, id: FunctionId, function: &Function, accesses: &Accesses) {
        for (at, (_, site)) in self.sites.iter().enumerate() {
            if *site == Site::Entry {
                self.entry[ENTRY.index()][at / 64] |= 1 << (at % 64);
            }
        }
        let mut work: Vec<BlockId> = vec![ENTRY];
        let mut seen = vec![false; function.blocks.len()];
        while let Some(block) = work.pop() {
            let first = !std::mem::replace(&mut seen[block.index()], true);
            let mut live = self.entry[block.index()].clone();
            for access in &accesses[block.index()] {
                self.apply(&mut live, access, Point { function: id, block, index: access.index });
            }
            for next in function.blocks[block].terminator.kind.successors() {
                let entry = &mut self.entry[next.index()];
                let grown = entry.iter().zip(&live).any(|(old, new)| new & !old != 0);
                entry.iter_mut().zip(&live).for_each(|(old, new)| *old |= new);
                if grown || (first && !seen[next.index()]) {
                    work.push(next);
                }
            }
        }
    }

    fn apply(&self, live: &mut Set, access: &Access, point: Point) {
        if let AccessKind::Use { .. } = access.kind {
            return;
        }
        self.of.get(&access.variable).into_iter().flatten().for_each(|at| live[at / 64] &= !(1 << (at % 64)));
        if access.kind == AccessKind::Define {
            let at = self.number[&(access.variable, Site::At(point))];
            live[at / 64] |= 1 << (at % 64);
        }
    }

    fn sites_of<'a>(&'a self, variable: Variable, live: &'a Set) -> impl Iterator<Item = Site> + 'a {
        let numbers = self.of.get(&variable).into_iter().flatten();
        numbers.filter(|at| live[**at / 64] >> (**at % 64) & 1 == 1).map(|at| self.sites[*at].1)
    }
}
