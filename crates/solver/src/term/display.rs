//! Terms as text: SMT-LIB-like prefix form with shared subterms named, for people and for test failures.
//!
//! The output is one line per shared node (`t12 = (Add x 3)`), so a deeply shared term prints in linear space and
//! without recursion.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::{Node, TermId, Terms};

impl Terms {
    /// The definition of every operator node below `roots`, in topological order, one per line.
    pub fn describe(&self, roots: &[TermId]) -> String {
        let mut text = String::new();
        for term in self.reachable(roots) {
            if !matches!(self.node(term), Node::Const(_) | Node::Var(_)) {
                let _ = writeln!(text, "t{} = {}", term.index(), self.describe_node(term));
            }
        }
        for &root in roots {
            let _ = writeln!(text, "root {}", self.describe_leaf(root));
        }
        text
    }

    /// The terms below `roots`, themselves included, in ascending (topological) order.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut found: Vec<TermId> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
        let mut next = 0;
        while let Some(&term) = found.get(next) {
            found.extend(self.operands(term).into_iter().filter(|&operand| seen.insert(operand)));
            next += 1;
        }
        found.sort_unstable();
        found
    }

    fn describe_node(&self, term: TermId) -> String {
        let head = match self.node(term) {
            Node::Const(_) | Node::Var(_) => return self.describe_leaf(term),
            Node::Unary(op, _) => format!("{op:?}"),
            Node::Binary(op, ..) => format!("{op:?}"),
            Node::Ternary(op, ..) => format!("{op:?}"),
            Node::Convert(op, _) => format!("{op:?}"),
            Node::Extract { hi, lo, .. } => format!("Extract {hi} {lo}"),
            Node::Concat(..) => "Concat".into(),
            Node::Read(..) => "Read".into(),
            Node::Write(..) => "Write".into(),
            Node::ConstArray { index, .. } => format!("ConstArray {}", index.width()),
            Node::ArrayEq(..) => "ArrayEq".into(),
            Node::Lookup(table, _) => format!("Lookup {:x?}", self.entries(table).all()),
        };
        let operands: Vec<String> = self.operands(term).into_iter().map(|a| self.describe_leaf(a)).collect();
        format!("({head} {})", operands.join(" "))
    }

    fn describe_leaf(&self, term: TermId) -> String {
        match self.node(term) {
            Node::Const(value) => format!("{:#x}:{}", value.bits, value.ty.width()),
            Node::Var(var) => self.var(var).name.clone(),
            _ => format!("t{}", term.index()),
        }
    }
}
