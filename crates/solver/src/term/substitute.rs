//! Replacement of subterms.

use rustc_hash::FxHashMap;

use super::{Node, TermId, Terms};

impl Terms {
    /// The term with some subterms replaced, rebuilt by the simplifying constructors. Replacements are not searched for
    /// further replacements.
    pub fn substitute(&mut self, root: TermId, replacements: &[(TermId, TermId)]) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = replacements.iter().copied().collect();
        self.substitute_all(root, &mut done)
    }

    /// As [`Terms::substitute`], with a memory that holds the replacements and every result so far.
    pub fn substitute_all(&mut self, root: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let operands = self.operands(term);
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !done.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let changed = operands.iter().any(|operand| done[operand] != *operand);
            let result = if changed { self.rebuild(term, |operand| done[&operand]) } else { term };
            done.insert(term, result);
        }
        done[&root]
    }

    /// The operator of a term on other operands.
    pub(crate) fn rebuild(&mut self, term: TermId, operand: impl Fn(TermId) -> TermId) -> TermId {
        match self.node(term) {
            Node::Const(_) | Node::Var(_) => term,
            Node::Unary(op, a) => self.unary(op, operand(a)),
            Node::Binary(op, a, b) => self.binary(op, operand(a), operand(b)),
            Node::Ternary(op, a, b, c) => self.ternary(op, operand(a), operand(b), operand(c)),
            Node::Convert(op, a) => self.convert(op, operand(a)),
            Node::Extract { hi, lo, of } => self.extract(hi, lo, operand(of)),
            Node::Concat(a, b) => self.concat(operand(a), operand(b)),
            Node::Read(array, index) => self.read_bits(operand(array), operand(index)),
            Node::Write(array, index, value) => self.write_bits(operand(array), operand(index), operand(value)),
            Node::ConstArray { index, element, value } => {
                self.intern(Node::ConstArray { index, element, value: operand(value) })
            }
            Node::ArrayEq(a, b) => self.same(operand(a), operand(b)),
            Node::Lookup(table, index) => self.lookup(table, operand(index)),
        }
    }
}
