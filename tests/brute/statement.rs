//! Statements of random functions: assignments, choices, loops of all kinds, and ways out of them.

use super::{Both, Join, Term, Writer};
use crate::site::{Formula, What};

impl Writer {
    /// `name = value;` with the twin's word of it.
    pub(super) fn assigned(&mut self, target: &str, variable: &str, value: &Term) -> Both {
        let defined = self.event(target, What::Define { variable: variable.to_owned() });
        Both {
            plain: format!("{target} = {};", value.both.plain),
            twin: format!("{target} = {}; {defined};", value.both.twin),
        }
    }

    pub(super) fn assignment(&mut self, depth: usize) {
        let value = self.expression();
        let features = self.features;
        let line = match self.random.below(14) {
            0 => {
                let index = self.index();
                let defined = self.event("t", What::Define { variable: "t".to_owned() });
                Both {
                    plain: format!("t[{}] = {};", index.plain, value.both.plain),
                    twin: format!("t[{}] = {}; {defined};", index.twin, value.both.twin),
                }
            }
            1 if features.pairs => {
                let member = self.member("ps");
                Both {
                    plain: format!("{} = {};", member.both.plain, value.both.plain),
                    twin: format!("{} = {};", member.both.twin, value.both.twin),
                }
            }
            1 | 2 => {
                let name = if features.pointers { self.random.pick(&["p", "q", "pl"]) } else { "pl" };
                let pointer = self.behind(name);
                Both {
                    plain: format!("{} = {};", pointer.both.plain, value.both.plain),
                    twin: format!("{} = {};", pointer.both.twin, value.both.twin),
                }
            }
            3 => {
                let target = self.random.pick(&["&x", "&y", "&t[1]", "&t[3]"]);
                let defined = self.event("pl", What::Define { variable: "pl".to_owned() });
                Both { plain: format!("pl = {target};"), twin: format!("pl = {target}; {defined};") }
            }
            4 if features.aggregates => {
                let target = self.random.pick(&["s.m", "r.n", "u.w", "u.c[1]"]);
                self.assigned(target, &target[..1], &value)
            }
            5 if features.aggregates => {
                let target = self.random.pick(&["&s", "&r"]);
                let defined = self.event("sp", What::Define { variable: "sp".to_owned() });
                Both { plain: format!("sp = {target};"), twin: format!("sp = {target}; {defined};") }
            }
            6 if features.aggregates => {
                let defined = self.event("s", What::Define { variable: "s".to_owned() });
                let used = self.event("r", What::Use { variable: "r".to_owned(), is_signed: false, condition: None });
                Both { plain: "s = r;".to_owned(), twin: format!("{used}; s = r; {defined};") }
            }
            5 | 6 if features.external => {
                let target = self.random.pick(&["&x", "&y", "&t[0]", "0"]);
                let defined = self.event("keep", What::Define { variable: "keep".to_owned() });
                Both { plain: format!("keep = {target};"), twin: format!("keep = {target}; {defined};") }
            }
            7 if features.global => self.assigned("g", "g", &value),
            7 if features.state => {
                let name = format!("st_{}", self.name);
                self.assigned(&name, &name, &value)
            }
            8 if features.library => self.buffer(&value),
            9 if features.floats => {
                let text = self.random.pick(&["d = d * 0.5;", "d = d + x;", "d = y;", "d = -d;"]);
                Both::same(text)
            }
            10 => self.assigned("w", "w", &value),
            11 => self.assigned("k", "k", &value),
            _ => {
                let name = self.random.pick(&["x", "y"]);
                self.assigned(name, name, &value)
            }
        };
        self.statement_line(depth, &line);
    }

    /// Something done to the characters of `buf`.
    pub(super) fn buffer(&mut self, value: &Term) -> Both {
        let digit = |text: &str| format!("'0' + (({text}) & 3)");
        let (plain, twin) = (digit(&value.both.plain), digit(&value.both.twin));
        match self.random.below(5) {
            0 => {
                let defined = self.event("buf", What::Define { variable: "buf".to_owned() });
                Both { plain: format!("buf[0] = {plain};"), twin: format!("buf[0] = {twin}; {defined};") }
            }
            1 => {
                let index = self.index();
                let defined = self.event("buf", What::Define { variable: "buf".to_owned() });
                Both {
                    plain: format!("buf[{}] = 0;", index.plain),
                    twin: format!("buf[{}] = 0; {defined};", index.twin),
                }
            }
            2 => {
                let made = self.event("strcpy(buf, \"3\")", What::Call);
                Both { plain: "strcpy(buf, \"3\");".to_owned(), twin: format!("{made}; strcpy(buf, \"3\");") }
            }
            3 => {
                let made = self.event("memset(buf, '1', 3)", What::Call);
                Both { plain: "memset(buf, '1', 3);".to_owned(), twin: format!("{made}; memset(buf, '1', 3);") }
            }
            _ => {
                let made = self.event("memcpy(t, &x, sizeof x)", What::Call);
                Both { plain: "memcpy(t, &x, sizeof x);".to_owned(), twin: format!("{made}; memcpy(t, &x, sizeof x);") }
            }
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        match self.random.below(if depth > 3 { 8 } else { 18 }) {
            0..=5 => self.assignment(depth),
            6 => {
                // What labels compute is no part of the program.
                let (left, right) =
                    (self.random.pick(&["x", "y", "k", "*pl"]), self.random.pick(&["a", "b", "w", "2"]));
                let label = format!("clew_label({left} < {right})");
                let site = self.site(&label, What::Label);
                self.write(depth, &format!("{label};"), &format!("cond({site}, {left} < {right});"));
            }
            7 => {
                let (name, op, number) =
                    (self.random.pick(&["x", "y", "k"]), self.random.pick(&["!=", "<=", ">="]), self.random.below(6));
                let text = format!("assert {name} {op} {number};");
                let site = self.site(&text, What::Assertion);
                self.write(depth, &format!("//@ {text}"), &format!("cond({site}, {name} {op} {number});"));
                self.assignment(depth);
            }
            8..=11 => self.choice(depth),
            12 => self.ternary(depth),
            13 => self.switch(depth),
            14 => self.jump(depth),
            _ => self.repetition(depth),
        }
    }

    pub(super) fn choice(&mut self, depth: usize) {
        let decision = self.decision();
        self.write(depth, &format!("if ({}) {{", decision.plain), &format!("if ({}) {{", decision.twin));
        self.statement(depth + 1);
        if self.random.below(2) == 0 {
            self.write(depth, "} else {", "} else {");
            self.statement(depth + 1);
        }
        self.write(depth, "}", "}");
    }

    pub(super) fn ternary(&mut self, depth: usize) {
        let name = self.random.pick(&["x", "y"]);
        let defined = self.event(name, What::Define { variable: name.to_owned() });
        if self.random.below(3) == 0 {
            // A connective for its value.
            let decision = self.decision();
            let is_decision = decision.plain.contains("&&") || decision.plain.contains("||");
            if is_decision {
                let line = Both {
                    plain: format!("{name} = {};", decision.plain),
                    twin: format!("{name} = {}; {defined};", decision.twin),
                };
                return self.statement_line(depth, &line);
            }
            self.write(depth, &format!("if ({})", decision.plain), &format!("if ({})", decision.twin));
            return self.write(depth + 1, ";", ";");
        }
        let decision = self.decision();
        self.write(depth, &format!("{name} = {}", decision.plain), &format!("{name} = {}", decision.twin));
        for (mark, end) in [("?", ""), (":", ";")] {
            let value = self.expression();
            let here = self.event(&value.both.plain, What::Line);
            let twin_end = if end.is_empty() { String::new() } else { format!("; {defined};") };
            self.write(
                depth + 1,
                &format!("{mark} {}{end}", value.both.plain),
                &format!("{mark} ({here}, {}){twin_end}", value.both.twin),
            );
        }
    }

    pub(super) fn switch(&mut self, depth: usize) {
        let here = self.event("", What::Line);
        let site = self.site("", What::Switch { cases: Vec::new() });
        let on = self.expression();
        self.program.sites[site].text.clone_from(&on.both.plain);
        self.write(
            depth,
            &format!("switch ({}) {{", on.both.plain),
            &format!(
                "switch (({{ {here}; __auto_type v_ = ({}); ev({site}, (long long)v_, 0, 0); v_; }})) {{",
                on.both.twin
            ),
        );
        let mut cases = Vec::new();
        let first = self.random.below(3);
        for number in 0..2 + self.random.below(2) {
            let case = i64::from(first + number * (1 + self.random.below(2)));
            if cases.contains(&case) {
                continue;
            }
            cases.push(case);
            let head = format!("case {case}: ;");
            self.write(depth, &head, &head);
            if self.random.below(4) > 0 {
                self.statement(depth + 1);
                if self.random.below(3) > 0 {
                    self.write(depth + 1, "break;", "break;");
                }
            }
        }
        if self.random.below(2) == 0 {
            self.write(depth, "default: ;", "default: ;");
            self.statement(depth + 1);
        } else {
            self.write(depth + 1, ";", ";");
        }
        self.write(depth, "}", "}");
        self.program.sites[site].what = What::Switch { cases };
    }

    /// Leaves early, by `goto` or `return`.
    pub(super) fn jump(&mut self, depth: usize) {
        let decision = self.decision();
        self.write(depth, &format!("if ({}) {{", decision.plain), &format!("if ({}) {{", decision.twin));
        if self.random.below(2) == 0 {
            self.has_out = true;
            self.statement_line(depth + 1, &Both::same("goto out;"));
        } else {
            let value = self.expression();
            let line =
                Both { plain: format!("return {};", value.both.plain), twin: format!("return {};", value.both.twin) };
            self.statement_line(depth + 1, &line);
        }
        self.write(depth, "}", "}");
    }

    pub(super) fn repetition(&mut self, depth: usize) {
        let counter = format!("i{}", self.loops);
        self.loops += 1;
        match self.random.below(3) {
            0 => self.counting(depth, &counter),
            1 => self.conditional(depth, &counter, false),
            _ => self.conditional(depth, &counter, true),
        }
    }

    pub(super) fn body(&mut self, depth: usize, counter: &str) {
        self.counters.push(counter.to_owned());
        self.statement(depth);
        if self.random.below(4) == 0 {
            let decision = self.decision();
            self.write(depth, &format!("if ({})", decision.plain), &format!("if ({})", decision.twin));
            let word = self.random.pick(&["break;", "continue;"]);
            self.write(depth + 1, word, word);
        }
        self.counters.pop();
    }

    pub(super) fn counting(&mut self, depth: usize, counter: &str) {
        let bound = self.random.pick(&["2", "b", "3", "a"]);
        let entered = self.site("", What::Enter);
        let turned = self.event("", What::Turn { of: entered });
        let define = |writer: &mut Writer| writer.event(counter, What::Define { variable: counter.to_owned() });
        let (first, step) = (define(self), define(self));
        let here = self.event("", What::Line);
        let decision = self.site("", What::Decision { formula: Formula::Atom(0) });
        let condition = self.site("", What::Condition { decision });
        self.condition = Some(condition);
        let (left, right) = (self.scalar(counter), self.bound(bound));
        let test = self.operation("<", left, right, true);
        self.condition = None;
        for site in [decision, condition] {
            self.program.sites[site].text.clone_from(&test.both.plain);
        }
        self.program.sites[decision].what = What::Decision { formula: Formula::Atom(condition) };
        let plain = format!("for (int {counter} = 0; {}; {counter}++) {{", test.both.plain);
        let used = self.event(
            &format!("{counter}++"),
            What::Use { variable: counter.to_owned(), is_signed: true, condition: None },
        );
        let twin = format!(
            "ev({entered}, 0, 0, 0); for (int {counter} = ({first}, 0); cond({decision}, ({here}, cond({condition}, {}))); \
             {used}, {counter}++, {step}) {{ {turned};",
            test.both.twin
        );
        self.write(depth, &plain, &twin);
        self.body(depth + 1, counter);
        self.write(depth, "}", "}");
    }

    pub(super) fn bound(&mut self, text: &str) -> Term {
        match text {
            "a" | "b" => self.scalar(text),
            _ => Term { both: Both::same(text), is_literal: true, is_compound: false },
        }
    }

    /// A `while` or `do` whose condition has a counter among others.
    pub(super) fn conditional(&mut self, depth: usize, counter: &str, is_do: bool) {
        let defined = self.event(counter, What::Define { variable: counter.to_owned() });
        let text = format!("int {counter} = 0;");
        self.write(depth, &text, &format!("{text} {defined};"));
        let entered = self.site("", What::Enter);
        let turned = self.event("", What::Turn { of: entered });
        if is_do {
            self.write(depth, "do {", &format!("ev({entered}, 0, 0, 0); do {{ {turned};"));
        } else {
            let decision = self.counted(counter);
            let twin = format!("ev({entered}, 0, 0, 0); while ({}) {{ {turned};", decision.twin);
            self.write(depth, &format!("while ({}) {{", decision.plain), &twin);
        }
        let used = self.event(
            &format!("{counter}++"),
            What::Use { variable: counter.to_owned(), is_signed: true, condition: None },
        );
        let defined = self.event(counter, What::Define { variable: counter.to_owned() });
        let line = Both { plain: format!("{counter}++;"), twin: format!("{used}; {counter}++; {defined};") };
        self.statement_line(depth + 1, &line);
        self.body(depth + 1, counter);
        if is_do {
            let decision = self.counted(counter);
            self.write(depth, &format!("}} while ({});", decision.plain), &format!("}} while ({});", decision.twin));
        } else {
            self.write(depth, "}", "}");
        }
    }

    /// A decision with a counter, which ends most loops.
    pub(super) fn counted(&mut self, counter: &str) -> Both {
        let here = self.event("", What::Line);
        let decision = self.site("", What::Decision { formula: Formula::Atom(0) });
        let condition = self.site("", What::Condition { decision });
        self.condition = Some(condition);
        let (left, right) =
            (self.scalar(counter), Term { is_literal: true, is_compound: false, both: Both::same("3") });
        let test = self.operation("<", left, right, true);
        self.condition = None;
        self.program.sites[condition].text.clone_from(&test.both.plain);
        let count = (
            Formula::Atom(condition),
            Both { plain: test.both.plain, twin: format!("cond({condition}, {})", test.both.twin) },
        );
        let (other, text, _) = self.joined(decision, 1);
        let (op, join): (_, Join) = if self.random.below(5) == 0 { ("||", Formula::Or) } else { ("&&", Formula::And) };
        let ((a, l), (b, r)) = if self.random.below(2) == 0 { (count, (other, text)) } else { ((other, text), count) };
        let both = Both { plain: format!("{} {op} {}", l.plain, r.plain), twin: format!("{} {op} {}", l.twin, r.twin) };
        self.program.sites[decision].what = What::Decision { formula: join(Box::new(a), Box::new(b)) };
        self.program.sites[decision].text.clone_from(&both.plain);
        Both { plain: both.plain, twin: format!("cond({decision}, ({here}, {}))", both.twin) }
    }
}
