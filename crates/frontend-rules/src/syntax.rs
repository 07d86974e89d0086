//! The tree of a specification as it is written: names not yet resolved.
//!
//! Expressions lie in one vector, children before parents, so that every pass over them is a loop.

use crate::message::Span;

/// Index of an [`Expr`].
pub(crate) type ExprId = usize;

/// A name with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) span: Span,
}

/// An expression: a name applied to arguments, or an operator between two.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// The name or the operator.
    pub(crate) head: Name,
    /// Whether the head is an operator.
    pub(crate) is_operator: bool,
    /// The arguments.
    pub(crate) args: Vec<ExprId>,
    /// The whole.
    pub(crate) span: Span,
}

/// A written type: the same shape as an expression.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpr {
    pub(crate) head: Name,
    pub(crate) args: Vec<TypeExpr>,
}

/// `data name params = constructors.`
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) name: Name,
    pub(crate) params: Vec<Name>,
    pub(crate) constructors: Vec<Constructor>,
}

/// A constructor with the types of its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Constructor {
    pub(crate) name: Name,
    pub(crate) fields: Vec<TypeExpr>,
}

/// `function name : type := rules.`
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    /// The declared types of parameters and result, in this order, if they are declared.
    pub(crate) signature: Option<Vec<TypeExpr>>,
    pub(crate) rules: Vec<Rule>,
}

/// `<label> conditions => head -> result`. An expression is the range of its nodes; the last one is its root.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) label: Option<Name>,
    pub(crate) conditions: Vec<(ExprId, ExprId)>,
    pub(crate) head: ExprId,
    pub(crate) result: ExprId,
    pub(crate) span: Span,
}

/// A whole specification.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) datas: Vec<Data>,
    pub(crate) functions: Vec<Function>,
    pub(crate) exprs: Vec<Expr>,
}
