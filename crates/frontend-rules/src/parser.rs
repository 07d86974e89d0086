//! Words to a tree, without recursion over expressions.
//!
//! An expression is read with a stack of open parentheses ([`Frame`]); each frame collects the operands and operators
//! between its parentheses and joins them by precedence when it closes. Types are read recursively, at most
//! [`DEEPEST_TYPE`] deep.

use crate::lexer::{Kind, Word};
use crate::message::{Message, Span};
use crate::syntax::{Constructor, Data, Expr, ExprId, Function, Name, Rule, Tree, TypeExpr};

/// The deepest nesting of a written type.
const DEEPEST_TYPE: usize = 64;

type Parsed<T> = Result<T, Message>;

/// Reads a specification.
///
/// # Errors
///
/// The first mistake of each item.
pub(crate) fn parse(text: &str, words: &[Word]) -> Result<Tree, Vec<Message>> {
    let mut parser = Parser { text, words, at: 0, tree: Tree::default() };
    let mut messages = Vec::new();
    while parser.kind() != Kind::End {
        if let Err(message) = parser.item() {
            messages.push(message);
            parser.skip_item();
        }
    }
    if messages.is_empty() { Ok(parser.tree) } else { Err(messages) }
}

/// Reads one expression and nothing else.
///
/// # Errors
///
/// Its first mistake.
pub(crate) fn expression(text: &str, words: &[Word]) -> Result<(Tree, ExprId), Vec<Message>> {
    let mut parser = Parser { text, words, at: 0, tree: Tree::default() };
    let root = parser.expression().and_then(|root| parser.expect(Kind::End, "the end of the expression").map(|_| root));
    root.map(|root| (parser.tree, root)).map_err(|message| vec![message])
}

struct Parser<'a> {
    text: &'a str,
    words: &'a [Word],
    at: usize,
    tree: Tree,
}

/// What stands between an opening parenthesis and here.
#[derive(Default)]
struct Frame {
    open: Span,
    /// The finished operands, one more than operators once the frame closes.
    operands: Vec<ExprId>,
    operators: Vec<Name>,
    /// The application that is being read: its head and its arguments.
    head: Option<Name>,
    args: Vec<ExprId>,
    /// An operand in parentheses, to which nothing can be applied.
    closed: Option<ExprId>,
}

impl Parser<'_> {
    fn word(&self) -> Word {
        self.words[self.at]
    }

    fn kind(&self) -> Kind {
        self.word().kind
    }

    fn advance(&mut self) -> Word {
        let word = self.word();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn spelled(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Takes a word of a kind; `what` says what is missing otherwise.
    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<Word> {
        if self.kind() == kind { Ok(self.advance()) } else { Err(self.missing(what)) }
    }

    fn missing(&self, what: &str) -> Message {
        let span = self.word().span;
        let found = match self.kind() {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.spelled(span)),
        };
        Message::error(span, format!("expected {what}, found {found}"))
    }

    fn take(&mut self, kind: Kind) -> bool {
        let is = self.kind() == kind;
        if is {
            self.advance();
        }
        is
    }

    /// Goes behind the item that has a mistake.
    fn skip_item(&mut self) {
        while !matches!(self.kind(), Kind::End | Kind::Stop | Kind::Data | Kind::Function) {
            self.advance();
        }
        self.take(Kind::Stop);
    }

    fn item(&mut self) -> Parsed<()> {
        match self.kind() {
            Kind::Data => self.data(),
            Kind::Function => self.function(),
            _ => Err(self.missing("`data` or `function`")),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        self.expect(Kind::Name, what).map(|word| Name { span: word.span })
    }

    fn data(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of a data type")?;
        let mut params = Vec::new();
        while self.kind() == Kind::Name {
            params.push(self.name("a type parameter")?);
        }
        self.expect(Kind::Equals, "`=` and the constructors")?;
        let mut constructors = Vec::new();
        loop {
            let name = self.name("the name of a constructor")?;
            let mut fields = Vec::new();
            while matches!(self.kind(), Kind::Name | Kind::Open) {
                fields.push(self.type_atom(0)?);
            }
            constructors.push(Constructor { name, fields });
            if !self.take(Kind::Bar) {
                break;
            }
        }
        self.expect(Kind::Stop, "`|` and a constructor, or `.` at the end of the data type")?;
        self.tree.datas.push(Data { name, params, constructors });
        Ok(())
    }

    /// A type name alone, or a type in parentheses.
    fn type_atom(&mut self, depth: usize) -> Parsed<TypeExpr> {
        if depth > DEEPEST_TYPE {
            let text = format!("this type is nested more than {DEEPEST_TYPE} deep; name its parts by data types");
            return Err(Message::error(self.word().span, text));
        }
        if self.take(Kind::Open) {
            let ty = self.type_expr(depth + 1)?;
            self.expect(Kind::Close, "`)` at the end of the type")?;
            return Ok(ty);
        }
        Ok(TypeExpr { head: self.name("a type")?, args: Vec::new() })
    }

    /// A type name with arguments.
    fn type_expr(&mut self, depth: usize) -> Parsed<TypeExpr> {
        let mut ty = self.type_atom(depth)?;
        while matches!(self.kind(), Kind::Name | Kind::Open) {
            ty.args.push(self.type_atom(depth + 1)?);
        }
        Ok(ty)
    }

    fn function(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of a function")?;
        let mut signature = None;
        if self.take(Kind::Colon) {
            let mut types = vec![self.type_expr(0)?];
            while self.take(Kind::Arrow) {
                types.push(self.type_expr(0)?);
            }
            signature = Some(types);
        }
        self.expect(Kind::Define, "`:=` and the rules")?;
        let mut rules = vec![self.rule()?];
        while self.take(Kind::Semicolon) {
            rules.push(self.rule()?);
        }
        self.expect(Kind::Stop, "`;` and a rule, or `.` at the end of the function")?;
        self.tree.functions.push(Function { name, signature, rules });
        Ok(())
    }

    fn rule(&mut self) -> Parsed<Rule> {
        let start = self.word().span;
        let label = (self.kind() == Kind::Label).then(|| Name { span: self.advance().span });
        let mut conditions = Vec::new();
        if self.kind() == Kind::Implies {
            self.advance();
        }
        loop {
            let left = self.expression()?;
            self.expect(Kind::Arrow, "`->`")?;
            let right = self.expression()?;
            if self.take(Kind::Comma) {
                conditions.push((left, right));
            } else if self.take(Kind::Implies) {
                conditions.push((left, right));
                let head = self.expression()?;
                self.expect(Kind::Arrow, "`->` and what the rule rewrites to")?;
                let result = self.expression()?;
                return Ok(self.finish_rule(label, conditions, head, result, start));
            } else if conditions.is_empty() {
                return Ok(self.finish_rule(label, conditions, left, right, start));
            } else {
                return Err(self.missing("`,` and a condition, or `=>` and the left-hand side of the rule"));
            }
        }
    }

    fn finish_rule(
        &self,
        label: Option<Name>,
        conditions: Vec<(ExprId, ExprId)>,
        head: ExprId,
        result: ExprId,
        start: Span,
    ) -> Rule {
        let end = self.words[self.at.saturating_sub(1)].span;
        Rule { label, conditions, head, result, span: start.to(end) }
    }

    fn expression(&mut self) -> Parsed<ExprId> {
        let mut frames = vec![Frame { open: self.word().span, ..Frame::default() }];
        loop {
            let depth = frames.len();
            let frame = frames.last_mut().expect("the outermost frame stays until the expression ends");
            match self.kind() {
                Kind::Open => {
                    let open = self.advance().span;
                    frames.push(Frame { open, ..Frame::default() });
                }
                Kind::Name => {
                    let name = Name { span: self.advance().span };
                    self.operand(frame, name)?;
                }
                Kind::Operator => {
                    self.finish_operand(frame)?;
                    frame.operators.push(Name { span: self.advance().span });
                }
                Kind::Close if depth > 1 => {
                    let open = frame.open;
                    let inner = self.finish_frame(frame)?;
                    self.tree.exprs[inner].span = open.to(self.advance().span);
                    frames.pop();
                    let outer = frames.last_mut().expect("a closed frame is not the outermost");
                    self.closed(outer, inner)?;
                }
                _ if depth > 1 => return Err(self.missing("an expression or `)`")),
                _ => return self.finish_frame(frame),
            }
        }
    }

    /// Takes a name as the head of an application, or as an argument.
    fn operand(&mut self, frame: &mut Frame, name: Name) -> Parsed<()> {
        if frame.head.is_none() && frame.closed.is_none() {
            frame.head = Some(name);
            return Ok(());
        }
        let leaf = self.push(name, false, Vec::new(), name.span);
        self.argument(frame, leaf)
    }

    /// Takes an expression in parentheses as an operand, or as an argument.
    fn closed(&mut self, frame: &mut Frame, inner: ExprId) -> Parsed<()> {
        if frame.head.is_none() && frame.closed.is_none() {
            frame.closed = Some(inner);
            return Ok(());
        }
        self.argument(frame, inner)
    }

    fn argument(&mut self, frame: &mut Frame, arg: ExprId) -> Parsed<()> {
        if frame.closed.is_some() {
            let span = self.tree.exprs[arg].span;
            return Err(Message::error(span, "only a name can be applied to arguments; JSL is first-order"));
        }
        frame.args.push(arg);
        Ok(())
    }

    /// Ends the operand that is being read.
    fn finish_operand(&mut self, frame: &mut Frame) -> Parsed<()> {
        let operand = match (frame.head.take(), frame.closed.take()) {
            (Some(head), _) => {
                let args = std::mem::take(&mut frame.args);
                let end = args.last().map_or(head.span, |arg| self.tree.exprs[*arg].span);
                self.push(head, false, args, head.span.to(end))
            }
            (None, Some(closed)) => closed,
            (None, None) => return Err(self.missing("an expression")),
        };
        frame.operands.push(operand);
        Ok(())
    }

    /// Joins the operands of a frame; operators of the same precedence from the left.
    fn finish_frame(&mut self, frame: &mut Frame) -> Parsed<ExprId> {
        self.finish_operand(frame)?;
        for level in (0..=2).rev() {
            let mut operands = vec![frame.operands[0]];
            let mut operators = Vec::new();
            for (operator, right) in frame.operators.iter().zip(&frame.operands[1..]) {
                if precedence(self.spelled(operator.span)) == level {
                    let left = operands.pop().expect("there is one operand more than operators");
                    let span = self.tree.exprs[left].span.to(self.tree.exprs[*right].span);
                    operands.push(self.push(*operator, true, vec![left, *right], span));
                } else {
                    operators.push(*operator);
                    operands.push(*right);
                }
            }
            (frame.operands, frame.operators) = (operands, operators);
        }
        Ok(frame.operands[0])
    }

    fn push(&mut self, head: Name, is_operator: bool, args: Vec<ExprId>, span: Span) -> ExprId {
        self.tree.exprs.push(Expr { head, is_operator, args, span });
        self.tree.exprs.len() - 1
    }
}

/// Operators with a higher precedence bind closer.
fn precedence(operator: &str) -> u32 {
    match operator {
        "*" => 2,
        "+" | "-" => 1,
        _ => 0,
    }
}
