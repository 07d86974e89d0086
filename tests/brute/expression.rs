//! Expressions, conditions and decisions of random functions.

use super::{Both, Join, Term, Writer};
use crate::site::{Formula, SiteId, What};

impl Writer {
    /// A read of a variable, or of a part of one.
    pub(super) fn read(&mut self, variable: &str, both: Both, is_signed: bool, is_scalar: bool) -> Term {
        let condition = self.condition;
        let site = self.site(&both.plain, What::Use { variable: variable.to_owned(), is_signed, condition });
        let value = if is_scalar { format!("(long long)({})", both.twin) } else { "0".to_owned() };
        let twin = format!("(ev({site}, {value}, 0, {}), {})", i32::from(!is_scalar), both.twin);
        Term { both: Both { plain: both.plain, twin }, is_literal: false, is_compound: false }
    }

    pub(super) fn scalar(&mut self, name: &str) -> Term {
        self.read(name, Both::same(name), !matches!(name, "b" | "w"), true)
    }

    pub(super) fn literal(&mut self, bound: i32) -> Term {
        let number = self.random.below(bound);
        Term { both: Both::same(number.to_string()), is_literal: true, is_compound: false }
    }

    /// What a pointer leads to.
    pub(super) fn behind(&mut self, pointer: &str) -> Term {
        let term = self.read(pointer, Both::same(pointer), true, false);
        let both = Both { plain: format!("*{}", term.both.plain), twin: format!("*{}", term.both.twin) };
        Term { both, is_literal: false, is_compound: false }
    }

    pub(super) fn index(&mut self) -> Both {
        if self.random.below(3) == 0 {
            return Both::same(self.random.below(4).to_string());
        }
        let name = self.name_of_int();
        let of = self.scalar(&name);
        if self.features.prone && self.random.below(3) == 0 {
            return of.both;
        }
        let three = Term { both: Both::same("3"), is_literal: true, is_compound: false };
        self.operation("&", of, three, false).both
    }

    pub(super) fn element(&mut self, array: &str) -> Term {
        let index = self.index();
        let both = Both { plain: format!("{array}[{}]", index.plain), twin: format!("{array}[{}]", index.twin) };
        self.read(array, both, true, false)
    }

    pub(super) fn name_of_int(&mut self) -> String {
        if let (0, Some(counter)) = (self.random.below(4), self.counters.last()) {
            return counter.clone();
        }
        self.random.pick(&["x", "y", "a"]).to_owned()
    }

    /// A simple value.
    pub(super) fn value(&mut self) -> Term {
        let features = self.features;
        loop {
            return match self.random.below(16) {
                0..=2 => self.literal(6),
                3 => self.element("t"),
                4 => self.behind("pl"),
                5 => self.scalar("b"),
                6 => self.scalar("k"),
                7 => self.scalar("w"),
                8 if features.pairs => self.member("ps"),
                8 | 9 if features.pointers => {
                    let name = self.random.pick(&["p", "q"]);
                    self.behind(name)
                }
                10 | 11 if features.global => self.scalar("g"),
                10 | 11 if features.state => {
                    let name = format!("st_{}", self.name);
                    self.scalar(&name)
                }
                12 if features.aggregates => {
                    let name = self.random.pick(&["s.m", "s.n", "r.n"]);
                    self.read(&name[..1], Both::same(name), true, false)
                }
                13 if features.aggregates => self.member("sp"),
                14 if features.aggregates => {
                    let name = self.random.pick(&["u.c[1]", "u.c[0]", "u.c[3]"]);
                    self.read("u", Both::same(name), false, false)
                }
                10..=14 => continue,
                _ => {
                    let name = self.name_of_int();
                    self.scalar(&name)
                }
            };
        }
    }

    /// A member of the structure that a pointer leads to.
    pub(super) fn member(&mut self, pointer: &str) -> Term {
        let read = self.read(pointer, Both::same(pointer), true, false);
        let member = self.random.pick(&["m", "n"]);
        let (plain, twin) = (format!("{pointer}->{member}"), format!("{}->{member}", read.both.twin));
        Term { both: Both { plain, twin }, ..read }
    }

    pub(super) fn wrapped(term: &Term) -> Both {
        match term.is_compound {
            true => Both { plain: format!("({})", term.both.plain), twin: format!("({})", term.both.twin) },
            false => term.both.clone(),
        }
    }

    pub(super) fn operation(&mut self, op: &'static str, left: Term, right: Term, is_outcome: bool) -> Term {
        let right = if left.is_literal && right.is_literal { self.scalar("a") } else { right };
        let (l, r) = (Self::wrapped(&left), Self::wrapped(&right));
        let plain = format!("{} {op} {}", l.plain, r.plain);
        let literals = [left.is_literal, right.is_literal];
        let site = self.site(&plain, What::Operation { op, literals, is_outcome });
        let ty = if matches!(op, "<<" | ">>") { "__typeof__(+l_)" } else { "__typeof__(l_ + r_)" };
        let twin = format!(
            "({{ __auto_type l_ = ({}); __auto_type r_ = ({}); ev({site}, (long long)({ty})l_, (long long)({ty})r_, \
             (({ty})-1 > 0)); l_ {op} r_; }})",
            l.twin, r.twin
        );
        Term { both: Both { plain, twin }, is_literal: false, is_compound: true }
    }

    pub(super) fn call(&mut self, plain: String, twin: String) -> Term {
        let made = self.event(&plain, What::Call);
        let twin = format!("({made}, {twin})");
        Term { both: Both { plain, twin }, is_literal: false, is_compound: false }
    }

    /// A call of a function with a number as its argument.
    pub(super) fn call_of(&mut self, name: &str, argument: &Term) -> Term {
        let (plain, twin) = (&argument.both.plain, &argument.both.twin);
        self.call(format!("{name}({plain})"), format!("{name}({twin})"))
    }

    pub(super) fn library_call(&mut self) -> Term {
        let text = match self.random.below(4) {
            0 => "strlen(buf)",
            1 => "strspn(buf, \"012\")",
            2 => {
                let of = self.value();
                let (plain, twin) = (format!("abs({})", of.both.plain), format!("abs({})", of.both.twin));
                return Term { both: Both { plain, twin }, is_literal: false, is_compound: false };
            }
            _ => return self.call("atoi(buf)".to_owned(), "atoi(buf)".to_owned()),
        };
        let call = self.call(text.to_owned(), text.to_owned());
        let both = Both { plain: format!("(int){}", call.both.plain), twin: format!("(int){}", call.both.twin) };
        Term { both, ..call }
    }

    pub(super) fn expression(&mut self) -> Term {
        let left = self.value();
        let small = |writer: &mut Writer, term: Term, mask: &str| {
            let mask = Term { both: Both::same(mask), is_literal: true, is_compound: false };
            writer.operation("&", term, mask, false)
        };
        match self.random.below(14) {
            0 | 1 => {
                let right = self.value();
                let op = self.random.pick(&["+", "-"]);
                self.operation(op, left, right, false)
            }
            2 => {
                let right = self.value();
                let left = small(self, left, "7");
                self.operation("*", left, right, false)
            }
            3 => {
                let right =
                    if self.features.prone && self.random.below(2) == 0 { self.value() } else { self.literal(3) };
                let right = if right.is_literal { Term { both: Both::same("3"), ..right } } else { right };
                let op = self.random.pick(&["%", "/"]);
                self.operation(op, left, right, false)
            }
            4 => {
                let right = self.value();
                let op = self.random.pick(&["^", "|", "&"]);
                self.operation(op, left, right, false)
            }
            5 => {
                let right = self.literal(4);
                let left = small(self, left, "15");
                let op = self.random.pick(&["<<", ">>"]);
                self.operation(op, left, right, false)
            }
            6 => {
                let argument = small(self, left, "3");
                self.call_of("twice", &argument)
            }
            7 => {
                let target = self.random.pick(&["&y", "&t[2]", "pl"]);
                let argument = small(self, left, "7");
                let (plain, twin) = (&argument.both.plain, &argument.both.twin);
                self.call(format!("put({target}, {plain})"), format!("put({target}, {twin})"))
            }
            8 | 9 if self.features.external => {
                if self.random.below(3) == 0 {
                    let target = self.random.pick(&["&x", "&t[1]", "pl", "t"]);
                    return self.call(format!("extp({target})"), format!("extp({target})"));
                }
                self.call_of("ext", &left)
            }
            8..=10 if self.features.library => self.library_call(),
            11 if self.features.prone => {
                let big = Term { both: Both::same("1000000000"), is_literal: true, is_compound: false };
                self.operation("*", left, big, false)
            }
            _ => left,
        }
    }

    /// An atomic condition.
    pub(super) fn atom(&mut self, decision: SiteId) -> (Formula, Both) {
        let site = self.site("", What::Condition { decision });
        let before = self.condition.replace(site);
        let term = match self.random.below(10) {
            0 => self.value_of_truth(),
            1 if self.features.pointers && self.features.aggregates => {
                Term { both: Both::same("p == q"), is_literal: false, is_compound: true }
            }
            1 => Term { both: Both::same("pl == &x"), is_literal: false, is_compound: true },
            2 if self.features.library && self.random.below(2) == 0 => {
                let text = self.random.pick(&["strcmp(buf, \"12\")", "memcmp(buf, \"13\", 2)"]);
                self.call(text.to_owned(), text.to_owned())
            }
            2 if self.features.library => {
                let of = self.value();
                let three = Term { both: Both::same("3"), is_literal: true, is_compound: false };
                let offset = self.operation("&", of, three, false);
                let (plain, twin) = (&offset.both.plain, &offset.both.twin);
                let call = self.call(format!("strchr(buf, '0' + ({plain}))"), format!("strchr(buf, '0' + ({twin}))"));
                let (plain, twin) = (format!("{} != 0", call.both.plain), format!("{} != 0", call.both.twin));
                Term { both: Both { plain, twin }, ..call }
            }
            2 if self.features.floats => {
                let number = self.random.below(4);
                let read = self.read("d", Both::same("d"), true, false);
                let (plain, twin) = (format!("d > {number}.25"), format!("{} > {number}.25", read.both.twin));
                Term { both: Both { plain, twin }, ..read }
            }
            _ => {
                let (left, right) = (self.expression(), self.value());
                let right = if left.is_literal { self.scalar("a") } else { right };
                let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                self.operation(op, left, right, true)
            }
        };
        self.condition = before;
        self.program.sites[site].text.clone_from(&term.both.plain);
        let twin = format!("cond({site}, ({}) != 0)", term.both.twin);
        (Formula::Atom(site), Both { plain: term.both.plain, twin })
    }

    pub(super) fn value_of_truth(&mut self) -> Term {
        loop {
            let value = self.value();
            if !value.is_literal {
                return value;
            }
        }
    }

    pub(super) fn formula(&mut self, decision: SiteId, depth: usize) -> (Formula, Both, bool) {
        if depth == 0 || self.random.below(2) == 0 {
            let (formula, both) = self.atom(decision);
            if self.random.below(5) > 0 {
                return (formula, both, false);
            }
            let both = Both { plain: format!("!({})", both.plain), twin: format!("!({})", both.twin) };
            return (Formula::Not(Box::new(formula)), both, false);
        }
        let (left, l, _) = self.joined(decision, depth - 1);
        let (right, r, _) = self.joined(decision, depth - 1);
        let (op, formula): (_, Join) =
            if self.random.below(2) == 0 { ("&&", Formula::And) } else { ("||", Formula::Or) };
        let both = Both { plain: format!("{} {op} {}", l.plain, r.plain), twin: format!("{} {op} {}", l.twin, r.twin) };
        (formula(Box::new(left), Box::new(right)), both, true)
    }

    /// An operand of a connective, in parentheses where it is one itself.
    pub(super) fn joined(&mut self, decision: SiteId, depth: usize) -> (Formula, Both, bool) {
        let (formula, both, is_joined) = self.formula(decision, depth);
        if !is_joined {
            return (formula, both, false);
        }
        (formula, Both { plain: format!("({})", both.plain), twin: format!("({})", both.twin) }, false)
    }

    /// A decision on the line being written.
    pub(super) fn decision(&mut self) -> Both {
        let here = self.event("", What::Line);
        let site = self.site("", What::Decision { formula: Formula::Atom(0) });
        let (formula, both, _) = self.formula(site, 2);
        self.program.sites[site].what = What::Decision { formula };
        self.program.sites[site].text.clone_from(&both.plain);
        Both { plain: both.plain, twin: format!("cond({site}, ({here}, {}))", both.twin) }
    }
}
