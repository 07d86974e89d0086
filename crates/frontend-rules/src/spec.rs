//! A checked specification: names resolved, types known.
//!
//! Everything lies in vectors and is addressed by small indices. The nodes of an expression are contiguous, children
//! before parents: a [`Root`] is their range, and every pass over an expression is a loop.

use crate::message::Span;

/// Which language is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether there is a type `int` of 32-bit integers with literals and operators.
    pub integers: bool,
}

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index of a vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Index of a [`DataType`].
    TypeId
);
index!(
    /// Index of a [`Constructor`].
    ConId
);
index!(
    /// Index of a [`Function`].
    FunctionId
);
index!(
    /// Index of a [`Rule`].
    RuleId
);
index!(
    /// Index of an [`Expr`].
    ExprId
);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A type parameter, by its number.
    Param(u32),
    /// A data type with its arguments.
    Data(TypeId, Vec<Type>),
    /// Built-in integers.
    Int,
}

impl Type {
    /// The type with parameters replaced.
    #[must_use]
    pub fn instantiate(&self, args: &[Type]) -> Type {
        match self {
            Type::Param(index) => args[*index as usize].clone(),
            Type::Data(id, inner) => Type::Data(*id, inner.iter().map(|ty| ty.instantiate(args)).collect()),
            Type::Int => Type::Int,
        }
    }
}

/// A data type.
#[derive(Clone, Debug)]
pub struct DataType {
    /// Its name.
    pub name: String,
    /// How many parameters it has.
    pub params: usize,
    /// Its constructors, in the order written.
    pub constructors: Vec<ConId>,
    /// Where it is declared.
    pub span: Span,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// The type it belongs to.
    pub data: TypeId,
    /// The types of its arguments, over the parameters of its type.
    pub fields: Vec<Type>,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many arguments it takes.
    pub arity: usize,
    /// How many type parameters its types have.
    pub type_params: usize,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// Its rules, in the order written.
    pub rules: Vec<RuleId>,
    /// Where it is declared.
    pub span: Span,
}

/// The expressions of a condition or a result: a range of nodes of which the last is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The first node.
    pub first: ExprId,
    /// The root.
    pub last: ExprId,
}

/// `left -> pattern`.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// A variable or a call.
    pub left: Root,
    /// Constructors and fresh variables.
    pub pattern: Root,
}

/// A conditional rewriting rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The function it belongs to.
    pub function: FunctionId,
    /// Its label.
    pub label: String,
    /// The names of its variables; the parameters come first.
    pub variables: Vec<String>,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// What it rewrites to.
    pub result: Root,
    /// Where it stands.
    pub span: Span,
    /// Where its label stands, or its beginning.
    pub name_span: Span,
}

/// The arguments of a node: a range of [`Spec::args`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Args {
    /// The first.
    pub first: u32,
    /// How many there are.
    pub len: u32,
}

/// Operators that need no rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Builtin {
    /// Equality of terms.
    Equal,
    /// Addition, modulo 2^32.
    Add,
    /// Subtraction, modulo 2^32.
    Subtract,
    /// Multiplication, modulo 2^32.
    Multiply,
    /// Less than.
    Less,
    /// Less or equal.
    LessEqual,
}

impl Builtin {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Equal => "==",
            Builtin::Add => "+",
            Builtin::Subtract => "-",
            Builtin::Multiply => "*",
            Builtin::Less => "<",
            Builtin::LessEqual => "<=",
        }
    }

    /// Whether its result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(self, Builtin::Equal | Builtin::Less | Builtin::LessEqual)
    }
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Callee {
    /// A function of the specification.
    Function(FunctionId),
    /// An operator.
    Builtin(Builtin),
}

/// A node of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A variable of the rule, by its number.
    Var(u32),
    /// A constructor applied.
    Con(ConId, Args),
    /// A call.
    Call(Callee, Args),
    /// An integer.
    Int(i32),
}

/// A checked specification.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The data types.
    pub types: Vec<DataType>,
    /// All constructors.
    pub constructors: Vec<Constructor>,
    /// The functions.
    pub functions: Vec<Function>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// The nodes of all expressions.
    pub exprs: Vec<Expr>,
    /// Where each node stands.
    pub spans: Vec<Span>,
    /// The arguments of all nodes.
    pub args: Vec<ExprId>,
    /// The constructors `True` and `False`, if they are declared.
    pub truth: Option<(ConId, ConId)>,
    /// Which language it is written in.
    pub options: Options,
}

impl Spec {
    /// A node.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The arguments of a node.
    pub fn args(&self, args: Args) -> &[ExprId] {
        &self.args[args.first as usize..(args.first + args.len) as usize]
    }

    /// The nodes of an expression with their indices, children before parents.
    pub fn nodes(&self, root: Root) -> impl DoubleEndedIterator<Item = (ExprId, Expr)> + '_ {
        (root.first.0..=root.last.0).map(|index| (ExprId(index), self.exprs[index as usize]))
    }

    /// The calls of functions in an expression.
    pub fn calls(&self, root: Root) -> impl Iterator<Item = (ExprId, FunctionId, Args)> + '_ {
        self.nodes(root).filter_map(|(id, node)| match node {
            Expr::Call(Callee::Function(function), args) => Some((id, function, args)),
            _ => None,
        })
    }

    /// All expressions of a rule in which calls may stand: the left-hand sides of its conditions, and its result.
    pub fn evaluated(&self, rule: RuleId) -> impl Iterator<Item = Root> + '_ {
        let rule = &self.rules[rule.index()];
        rule.conditions.iter().map(|condition| condition.left).chain([rule.result])
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| function.name == name).map(|index| FunctionId(index as u32))
    }

    /// The constructor of a name.
    pub fn constructor(&self, name: &str) -> Option<ConId> {
        self.constructors.iter().position(|constructor| constructor.name == name).map(|index| ConId(index as u32))
    }

    /// How many arguments a constructor takes.
    pub fn arity(&self, con: ConId) -> usize {
        self.constructors[con.index()].fields.len()
    }

    /// All rules with their indices.
    pub fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u32).map(RuleId)
    }

    /// All functions with their indices.
    pub fn function_ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    /// The functions that a function can come to call, itself included, as a set by index.
    pub fn reachable(&self, from: FunctionId) -> Vec<bool> {
        let mut reached = vec![false; self.functions.len()];
        let mut work = vec![from];
        while let Some(function) = work.pop() {
            if std::mem::replace(&mut reached[function.index()], true) {
                continue;
            }
            for rule in &self.functions[function.index()].rules {
                for root in self.evaluated(*rule) {
                    work.extend(self.calls(root).map(|(_, callee, _)| callee));
                }
            }
        }
        reached
    }

    /// A type as it is written.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Param(index) => {
                let letter = char::from(b'a' + (index % 26) as u8);
                if *index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26) }
            }
            Type::Int => "int".to_owned(),
            Type::Data(id, args) => {
                let mut out = self.types[id.index()].name.clone();
                for arg in args {
                    let inner = self.type_name(arg);
                    out += &if inner.contains(' ') { format!(" ({inner})") } else { format!(" {inner}") };
                }
                out
            }
        }
    }
}
