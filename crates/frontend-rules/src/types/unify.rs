//! Types in the making: unification by loops.
//!
//! An occurs check at each step would make deep terms quadratic. Unification merges nodes, so it ends on cyclic types,
//! too; [`Types::cyclic`] finds them afterwards in one walk.

use crate::spec::{Spec, Type, TypeId};
use rustc_hash::FxHashMap;

/// Index of a type in the making.
pub(super) type Var = u32;

/// The most parts a finished type may have.
const LARGEST: usize = 200;

#[derive(Clone, Debug)]
enum Node {
    Unknown,
    Link(Var),
    Data(TypeId, Vec<Var>),
    Int,
    /// A parameter of a declared type: equal to itself alone.
    Rigid(u32),
}

/// How far a walk has come with a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Open,
    Done,
}

/// All types in the making.
#[derive(Debug, Default)]
pub(super) struct Types {
    nodes: Vec<Node>,
}

impl Types {
    fn push(&mut self, node: Node) -> Var {
        self.nodes.push(node);
        (self.nodes.len() - 1) as Var
    }

    pub(super) fn unknown(&mut self) -> Var {
        self.push(Node::Unknown)
    }

    pub(super) fn rigid(&mut self, index: u32) -> Var {
        self.push(Node::Rigid(index))
    }

    pub(super) fn int(&mut self) -> Var {
        self.push(Node::Int)
    }

    pub(super) fn data(&mut self, id: TypeId, args: Vec<Var>) -> Var {
        self.push(Node::Data(id, args))
    }

    /// A type with its parameters replaced. Declared types are shallow, so this may recurse.
    pub(super) fn instance(&mut self, ty: &Type, params: &[Var]) -> Var {
        match ty {
            Type::Param(index) => params[*index as usize],
            Type::Int => self.int(),
            Type::Data(id, args) => {
                let args = args.iter().map(|arg| self.instance(arg, params)).collect();
                self.data(*id, args)
            }
        }
    }

    /// What a type stands for.
    fn find(&mut self, var: Var) -> Var {
        let mut root = var;
        while let Node::Link(next) = self.nodes[root as usize] {
            root = next;
        }
        let mut at = var;
        while let Node::Link(next) = self.nodes[at as usize] {
            self.nodes[at as usize] = Node::Link(root);
            at = next;
        }
        root
    }

    /// Makes two types the same; whether that is possible.
    pub(super) fn unify(&mut self, left: Var, right: Var) -> bool {
        let mut work = vec![(left, right)];
        while let Some((left, right)) = work.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            match (&self.nodes[left as usize], &self.nodes[right as usize]) {
                (Node::Unknown, _) => self.nodes[left as usize] = Node::Link(right),
                (_, Node::Unknown) => self.nodes[right as usize] = Node::Link(left),
                (Node::Int, Node::Int) => {}
                (Node::Rigid(one), Node::Rigid(other)) if one == other => {}
                (Node::Data(one, args), Node::Data(other, others)) if one == other => {
                    work.extend(args.iter().copied().zip(others.iter().copied()));
                    self.nodes[right as usize] = Node::Link(left);
                }
                _ => return false,
            }
        }
        true
    }

    /// The first of some types that contains itself, or contains one that does.
    pub(super) fn cyclic(&mut self, types: &[Var]) -> Option<usize> {
        let mut seen: FxHashMap<Var, Seen> = FxHashMap::default();
        types.iter().position(|ty| self.reaches_cycle(*ty, &mut seen))
    }

    /// Depth-first search: a type that is met again while it is open contains itself.
    fn reaches_cycle(&mut self, ty: Var, seen: &mut FxHashMap<Var, Seen>) -> bool {
        let mut work = vec![(ty, false)];
        while let Some((ty, is_left)) = work.pop() {
            let ty = self.find(ty);
            if is_left {
                seen.insert(ty, Seen::Done);
                continue;
            }
            match seen.get(&ty) {
                Some(Seen::Open) => return true,
                Some(Seen::Done) => continue,
                None => {}
            }
            seen.insert(ty, Seen::Open);
            work.push((ty, true));
            if let Node::Data(_, args) = &self.nodes[ty as usize] {
                work.extend(args.iter().map(|arg| (*arg, false)));
            }
        }
        false
    }

    /// The finished type; unknown ones become parameters, numbered by their place in `general`. `None` if it is too large.
    pub(super) fn finish(&mut self, var: Var, general: &mut Vec<Var>) -> Option<Type> {
        let mut size = 0;
        self.finish_within(var, general, &mut size)
    }

    /// Recursion ends at the largest size.
    fn finish_within(&mut self, var: Var, general: &mut Vec<Var>, size: &mut usize) -> Option<Type> {
        *size += 1;
        if *size > LARGEST {
            return None;
        }
        let root = self.find(var);
        match self.nodes[root as usize].clone() {
            Node::Int => Some(Type::Int),
            Node::Data(id, args) => {
                let args: Option<Vec<Type>> =
                    args.into_iter().map(|arg| self.finish_within(arg, general, size)).collect();
                Some(Type::Data(id, args?))
            }
            Node::Unknown | Node::Link(_) | Node::Rigid(_) => {
                let known = general.iter().position(|other| *other == root);
                let index = known.unwrap_or_else(|| {
                    general.push(root);
                    general.len() - 1
                });
                Some(Type::Param(index as u32))
            }
        }
    }

    /// A type for a message.
    pub(super) fn show(&mut self, spec: &Spec, var: Var) -> String {
        let mut general = Vec::new();
        self.finish(var, &mut general).map_or_else(|| "a large type".to_owned(), |ty| spec.type_name(&ty))
    }
}
