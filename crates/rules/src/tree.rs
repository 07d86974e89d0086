//! Finished terms: flat, in preorder, so that no operation recurses and dropping one frees a single vector.

use clew_frontend_rules::spec::{Callee, ConId, Spec};
use std::fmt::Write;

/// A node of a [`Tree`]; its arguments follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// A constructor with the number of its arguments.
    Con(ConId, u32),
    /// An open variable, by its number in the test.
    Var(u32),
    /// An integer.
    Int(i32),
    /// A call that is not evaluated, with the number of its arguments.
    Call(Callee, u32),
}

impl Item {
    /// How many arguments follow.
    pub fn arity(self) -> u32 {
        match self {
            Item::Con(_, arity) | Item::Call(_, arity) => arity,
            Item::Var(_) | Item::Int(_) => 0,
        }
    }
}

/// A term in preorder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tree {
    /// The nodes.
    pub items: Vec<Item>,
}

impl Tree {
    /// A constructor applied to trees.
    pub fn construct(con: ConId, args: &[Tree]) -> Tree {
        let mut items = vec![Item::Con(con, args.len() as u32)];
        items.extend(args.iter().flat_map(|arg| arg.items.iter().copied()));
        Tree { items }
    }

    /// Whether it has neither variables nor calls.
    pub fn is_ground(&self) -> bool {
        self.items.iter().all(|item| matches!(item, Item::Con(..) | Item::Int(_)))
    }

    /// Whether it has a call that is not evaluated.
    pub fn has_calls(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Call(..)))
    }

    /// How many constructors and integers it has.
    pub fn size(&self) -> usize {
        self.items.len()
    }

    /// The outermost constructor.
    pub fn head(&self) -> Option<ConId> {
        match self.items.first() {
            Some(Item::Con(con, _)) => Some(*con),
            _ => None,
        }
    }

    /// The arguments of the outermost node.
    pub fn children(&self) -> Vec<Tree> {
        let mut children = Vec::new();
        let mut at = 1;
        while at < self.items.len() {
            let end = self.end(at);
            children.push(Tree { items: self.items[at..end].to_vec() });
            at = end;
        }
        children
    }

    /// One past the last node of the part that starts at a node.
    fn end(&self, start: usize) -> usize {
        let mut open = 1;
        let mut at = start;
        while open > 0 {
            open = open - 1 + self.items[at].arity() as usize;
            at += 1;
        }
        at
    }

    /// The term as it is written; `names` are the names of its variables.
    pub fn show(&self, spec: &Spec, names: &[String]) -> String {
        let mut out = String::new();
        // For each open node: how many arguments are missing, and what closes it.
        let mut open: Vec<(u32, &str)> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            let is_atom = item.arity() == 0;
            let close = if is_atom || index == 0 { "" } else { ")" };
            out.push_str(if is_atom || index == 0 { "" } else { "(" });
            match item {
                Item::Con(con, _) => out.push_str(&spec.constructors[con.index()].name),
                Item::Var(number) => out.push_str(names.get(*number as usize).map_or("_", String::as_str)),
                Item::Int(value) => {
                    let _ = write!(out, "{value}");
                }
                Item::Call(Callee::Function(function), _) => out.push_str(&spec.functions[function.index()].name),
                Item::Call(Callee::Builtin(operator), _) => out.push_str(operator.name()),
            }
            open.push((item.arity(), close));
            while let Some((missing, close)) = open.pop() {
                if missing > 0 {
                    open.push((missing - 1, close));
                    out.push(' ');
                    break;
                }
                out.push_str(close);
            }
        }
        out
    }
}
