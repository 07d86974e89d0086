//! Attaching what was read to the functions it belongs to.
//!
//! An annotation inside a function's body is about the statement that follows: an assertion, or a loop. One outside is
//! the contract of the function declared next, or a definition. Contracts of several declarations of one function are
//! taken together. Annotations with only blanks between them are one.

use super::comment::{annotations, only_blanks};
use super::resolve::{Definitions, Resolver};
use super::scope::Site;
use super::syntax::{Assigned, At, Clause, ClauseKind, Expr, ExprKind, Problem};
use super::{ctext, enumerators, lex, parse, types};
use crate::diagnostic::Diagnostic;
use clew_ir::contract::{self, Assertion, Assigns, Behavior, BehaviorSet, Contract, LoopContract, Rejected, Variant};
use clew_ir::{FunctionId, Linkage, LoopId, Program, Span, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// An annotation of the source, read.
struct Annotation {
    unit: UnitId,
    at: At,
    clauses: Vec<Clause>,
}

/// Reads and attaches the contracts of a program.
pub(super) fn attach(program: &mut Program, macros: &[BTreeMap<String, String>]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let read = read(program, macros, &mut diagnostics);
    let mut definitions = definitions(&read);
    for unit in read.iter().map(|annotation| annotation.unit).collect::<BTreeSet<_>>() {
        definitions.constants.extend(enumerators::constants(&program.sources.units[unit].text));
    }
    for annotation in &read {
        let mut attaching = Attaching { program, definitions: &definitions, annotation, diagnostics: &mut diagnostics };
        attaching.annotation();
    }
    diagnostics
}

/// What names mean in the contracts of a program besides variables.
pub(super) fn vocabulary(program: &Program, macros: &[BTreeMap<String, String>]) -> Definitions {
    let mut definitions = definitions(&read(program, macros, &mut Vec::new()));
    for unit in program.sources.units.values() {
        definitions.constants.extend(enumerators::constants(&unit.text));
    }
    definitions
}

fn read(program: &Program, macros: &[BTreeMap<String, String>], diagnostics: &mut Vec<Diagnostic>) -> Vec<Annotation> {
    let types = types::names(&program.ctypes);
    let none = BTreeMap::new();
    let mut read: Vec<Annotation> = Vec::new();
    for (unit, source) in program.sources.units.iter() {
        let macros = macros.get(unit.index()).unwrap_or(&none);
        for comment in annotations(&source.text) {
            let inner = &source.text[comment.inner.start as usize..comment.inner.end as usize];
            let clauses = match lex::tokens(inner, comment.inner.start, macros) {
                Ok(tokens) => parse::clauses(&tokens, &types),
                Err(problem) => {
                    vec![Clause { at: problem.at.clone(), kind: ClauseKind::Broken { word: String::new(), problem } }]
                }
            };
            match read.last_mut() {
                Some(last) if last.unit == unit && only_blanks(&source.text, last.at.end, comment.at.start) => {
                    last.at.end = comment.at.end;
                    last.clauses.extend(clauses);
                }
                _ => read.push(Annotation { unit, at: comment.at, clauses }),
            }
        }
    }
    report_unknown(&read, diagnostics);
    read
}

/// One warning for each word that opens an annotation and is not ACSL's.
fn report_unknown(read: &[Annotation], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<(UnitId, &str), (Span, u32)> = BTreeMap::new();
    for annotation in read {
        for clause in &annotation.clauses {
            if let ClauseKind::Unknown(word) = &clause.kind {
                let first = (span(annotation.unit, &clause.at), 0);
                seen.entry((annotation.unit, word)).or_insert(first).1 += 1;
            }
        }
    }
    let mut found: Vec<_> = seen.into_iter().collect();
    found.sort_by_key(|(_, (span, _))| *span);
    for ((_, word), (span, count)) in found {
        let warning = Diagnostic::warning(span, format!("`{word}` begins no annotation of ACSL; it is ignored"));
        diagnostics.push(if count > 1 { warning.with_note(format!("there are {count} of them")) } else { warning });
    }
}

fn definitions(read: &[Annotation]) -> Definitions {
    let mut definitions = Definitions::default();
    for clause in read.iter().flat_map(|annotation| &annotation.clauses) {
        if let ClauseKind::Define(definition) = &clause.kind {
            definitions.add(definition);
        }
    }
    definitions
}

fn span(unit: UnitId, at: &At) -> Span {
    Span { unit, start: at.start, end: at.end }
}

/// One annotation on its way to its function.
struct Attaching<'a> {
    program: &'a mut Program,
    definitions: &'a Definitions,
    annotation: &'a Annotation,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Attaching<'_> {
    fn annotation(&mut self) {
        let clauses = &self.annotation.clauses;
        if clauses.iter().all(|clause| {
            matches!(clause.kind, ClauseKind::Define(_) | ClauseKind::Relational | ClauseKind::Unknown(_))
        }) {
            return;
        }
        if let Some(function) = self.around() {
            return self.in_contract(function, Attaching::statement);
        }
        let text = &self.program.sources.units[self.annotation.unit].text;
        match ctext::declarator_after(text, self.annotation.at.end) {
            Some(declarator) => {
                let Some(function) = self.function(&declarator.name) else { return self.unused() };
                let site = Site::Contract { function, names: declarator.params };
                self.in_contract(function, |this, _, contract| this.function_contract(&site, contract));
            }
            None => self.orphan(),
        }
    }

    /// Runs `work` on the contract of a function.
    fn in_contract(&mut self, function: FunctionId, work: impl FnOnce(&mut Self, FunctionId, &mut Contract)) {
        let mut contract = std::mem::take(&mut self.program.functions[function].contract);
        work(self, function, &mut contract);
        self.program.functions[function].contract = contract;
    }

    /// The function whose body holds the annotation.
    fn around(&self) -> Option<FunctionId> {
        let holds = |body: Span| {
            body.unit == self.annotation.unit
                && body.start < self.annotation.at.start
                && self.annotation.at.end <= body.end
        };
        self.program.functions.iter().find(|(_, function)| holds(function.body)).map(|(id, _)| id)
    }

    /// The function of a name, one of this unit first.
    fn function(&self, name: &str) -> Option<FunctionId> {
        let functions = &self.program.functions;
        let named = || functions.iter().filter(|(_, function)| function.name == name);
        let own = named().find(|(_, function)| function.span.unit == self.annotation.unit);
        own.or_else(|| named().find(|(_, function)| function.linkage == Linkage::External)).map(|(id, _)| id)
    }

    /// A function nobody defines or calls is not part of the program, and so neither is its contract; but a mistake in
    /// its writing is worth a word.
    fn unused(&mut self) {
        let annotation = self.annotation;
        for clause in &annotation.clauses {
            if let ClauseKind::Broken { problem, .. } = &clause.kind {
                self.warn(problem);
            }
        }
    }

    /// An annotation that precedes no function.
    fn orphan(&mut self) {
        let annotation = self.annotation;
        for clause in &annotation.clauses {
            match &clause.kind {
                ClauseKind::Define(_) | ClauseKind::Relational | ClauseKind::Unknown(_) => {}
                ClauseKind::Unsupported(word) => self.unsupported(word, &clause.at),
                ClauseKind::Broken { problem, .. } => self.warn(problem),
                _ => self.warn(&Problem::new(&clause.at, "this annotation belongs to no function")),
            }
        }
    }

    fn warn(&mut self, problem: &Problem) {
        let mut warning = Diagnostic::warning(span(self.annotation.unit, &problem.at), problem.message.clone());
        warning.help.clone_from(&problem.help);
        self.diagnostics.push(warning);
    }

    fn unsupported(&mut self, word: &str, at: &At) {
        let message = format!("`{word}` is not supported in contracts; it is ignored");
        self.diagnostics.push(Diagnostic::unsupported(span(self.annotation.unit, at), message));
    }

    fn reject(&mut self, contract: &mut Contract, word: &str, at: &At, problem: &Problem) {
        self.warn(problem);
        if let Some(warning) = self.diagnostics.last_mut() {
            warning.notes.push("the clause is left out".to_owned());
        }
        contract.rejected.push(Rejected {
            clause: word.to_owned(),
            reason: problem.message.clone(),
            span: span(self.annotation.unit, at),
        });
    }

    /// Clauses that are the same wherever they stand.
    fn elsewhere(&mut self, contract: &mut Contract, clause: &Clause, expected: &str) {
        match &clause.kind {
            ClauseKind::Define(_) | ClauseKind::Relational | ClauseKind::Unknown(_) => {}
            ClauseKind::Unsupported(word) => {
                self.unsupported(word, &clause.at);
                let reason = "not supported".to_owned();
                let span = span(self.annotation.unit, &clause.at);
                contract.rejected.push(Rejected { clause: word.clone(), reason, span });
            }
            ClauseKind::Broken { word, problem } => self.reject(contract, word, &clause.at, problem),
            _ => self.reject(contract, "", &clause.at, &Problem::new(&clause.at, format!("expected {expected} here"))),
        }
    }

    fn function_contract(&mut self, site: &Site, contract: &mut Contract) {
        let annotation = self.annotation;
        let mut behavior: Option<usize> = None;
        for clause in &annotation.clauses {
            let result = match &clause.kind {
                ClauseKind::Requires(expr) => self.clause(site, clause, expr).map(|it| match behavior {
                    Some(index) => contract.behaviors[index].requires.push(it),
                    None => contract.requires.push(it),
                }),
                ClauseKind::Ensures(expr) => self.clause(site, clause, expr).map(|it| match behavior {
                    Some(index) => contract.behaviors[index].ensures.push(it),
                    None => contract.ensures.push(it),
                }),
                ClauseKind::Assumes(expr) => self.clause(site, clause, expr).and_then(|it| match behavior {
                    Some(index) => {
                        contract.behaviors[index].assumes.push(it);
                        Ok(())
                    }
                    None => Err(Problem::new(&clause.at, "`assumes` belongs into a behavior")),
                }),
                ClauseKind::Assigns(places) => self.assigns(site, clause, places).map(|it| match behavior {
                    Some(index) => add_assigns(&mut contract.behaviors[index].assigns, it),
                    None => add_assigns(&mut contract.assigns, it),
                }),
                ClauseKind::Behavior(name) => {
                    behavior = Some(behavior_index(contract, name));
                    Ok(())
                }
                ClauseKind::Complete(names) | ClauseKind::Disjoint(names) => {
                    behavior = None;
                    self.behavior_set(contract, clause, names)
                }
                _ => {
                    self.elsewhere(contract, clause, "a clause of a function contract");
                    Ok(())
                }
            };
            if let Err(problem) = result {
                self.reject(contract, word_of(&clause.kind), &clause.at, &problem);
            }
        }
    }

    fn behavior_set(&mut self, contract: &mut Contract, clause: &Clause, names: &[String]) -> Result<(), Problem> {
        let known: Vec<String> = contract.behaviors.iter().map(|it| it.name.clone()).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(Problem::new(&clause.at, format!("there is no behavior `{name}`")));
        }
        let names = if names.is_empty() { known } else { names.to_vec() };
        let set = BehaviorSet { names, span: span(self.annotation.unit, &clause.at) };
        match clause.kind {
            ClauseKind::Complete(_) => contract.complete.push(set),
            _ => contract.disjoint.push(set),
        }
        Ok(())
    }

    /// An annotation between statements.
    fn statement(&mut self, function: FunctionId, contract: &mut Contract) {
        let annotation = self.annotation;
        let site = Site::Statement { function, unit: annotation.unit, offset: annotation.at.start, of: None };
        let mut about_loop = None;
        for clause in &annotation.clauses {
            let result = match &clause.kind {
                ClauseKind::Assertion { kind, behaviors, predicate } => {
                    self.clause(&site, clause, predicate).map(|it| {
                        let (kind, behaviors) = (*kind, behaviors.clone());
                        let span = span(annotation.unit, &annotation.at);
                        contract.assertions.push(Assertion { kind, clause: it, behaviors, span });
                    })
                }
                ClauseKind::LoopInvariant(_) | ClauseKind::LoopAssigns(_) | ClauseKind::LoopVariant(_) => {
                    self.loop_clause(function, &mut about_loop, clause)
                }
                _ => {
                    self.elsewhere(contract, clause, "an assertion or a clause of a loop");
                    Ok(())
                }
            };
            if let Err(problem) = result {
                self.reject(contract, word_of(&clause.kind), &clause.at, &problem);
            }
        }
        contract.loops.extend(about_loop);
    }

    fn loop_clause(
        &mut self,
        function: FunctionId,
        about: &mut Option<LoopContract>,
        clause: &Clause,
    ) -> Result<(), Problem> {
        let Some(target) = self.next_loop(function) else {
            return Err(Problem::new(&clause.at, "no loop follows"));
        };
        // A variable of the loop's head is in scope in its annotation, which stands before the head.
        let offset = self.loop_offset(function, target);
        let site = Site::Statement { function, unit: self.annotation.unit, offset, of: Some(target) };
        let span = span(self.annotation.unit, &self.annotation.at);
        let about = about.get_or_insert_with(|| LoopContract {
            target,
            invariants: Vec::new(),
            assigns: None,
            variant: None,
            span,
        });
        match &clause.kind {
            ClauseKind::LoopInvariant(expr) => about.invariants.push(self.clause(&site, clause, expr)?),
            ClauseKind::LoopAssigns(places) => add_assigns(&mut about.assigns, self.assigns(&site, clause, places)?),
            ClauseKind::LoopVariant(expr) => {
                let term = self.resolver(&site).integer_term(expr)?;
                let before = super::snapshot::at_turn(self.program, &site, &term, &clause.at);
                about.variant = Some(Variant { term, before: before.map_err(|problem| problem.message) });
            }
            _ => {}
        }
        Ok(())
    }

    /// The first loop after the annotation, the outer one where several begin together.
    fn next_loop(&self, function: FunctionId) -> Option<LoopId> {
        let loops = self.program.functions[function].loops.iter();
        let after = loops.filter(|(_, it)| it.span.start >= self.annotation.at.end);
        after.min_by_key(|(_, it)| (it.span.start, u32::MAX - it.span.end)).map(|(id, _)| id)
    }

    /// Behind the declarations in the loop's head.
    fn loop_offset(&self, function: FunctionId, target: LoopId) -> u32 {
        let function = &self.program.functions[function];
        let around = function.loops[target].span;
        let head =
            function.loops[target].decision.map_or(around.start, |decision| function.decisions[decision].span.start);
        head.clamp(around.start, around.end)
    }

    fn resolver(&mut self, site: &Site) -> Resolver<'_> {
        Resolver::new(self.program, self.definitions, site.clone())
    }

    fn clause(&mut self, site: &Site, clause: &Clause, expr: &Expr) -> Result<contract::Clause, Problem> {
        let (name, expr) = match &*expr.kind {
            ExprKind::Named(name, inner) => (Some(name.clone()), inner),
            _ => (None, expr),
        };
        let predicate = self.resolver(site).predicate(expr)?;
        Ok(contract::Clause { name, predicate, span: span(self.annotation.unit, &clause.at) })
    }

    fn assigns(&mut self, site: &Site, clause: &Clause, places: &[Assigned]) -> Result<Assigns, Problem> {
        let mut resolver = self.resolver(site);
        let places = places.iter().map(|assigned| resolver.assigned(assigned)).collect::<Result<Vec<_>, _>>()?;
        Ok(Assigns { places, span: span(self.annotation.unit, &clause.at) })
    }
}

fn add_assigns(known: &mut Option<Assigns>, more: Assigns) {
    match known {
        Some(known) => known.places.extend(more.places),
        None => *known = Some(more),
    }
}

fn behavior_index(contract: &mut Contract, name: &str) -> usize {
    let known = contract.behaviors.iter().position(|it| it.name == name);
    known.unwrap_or_else(|| {
        contract.behaviors.push(Behavior { name: name.to_owned(), ..Behavior::default() });
        contract.behaviors.len() - 1
    })
}

/// The word a clause begins with.
fn word_of(kind: &ClauseKind) -> &str {
    match kind {
        ClauseKind::Requires(_) => "requires",
        ClauseKind::Ensures(_) => "ensures",
        ClauseKind::Assumes(_) => "assumes",
        ClauseKind::Assigns(_) => "assigns",
        ClauseKind::Behavior(_) => "behavior",
        ClauseKind::Complete(_) => "complete behaviors",
        ClauseKind::Disjoint(_) => "disjoint behaviors",
        ClauseKind::Assertion { .. } => "assert",
        ClauseKind::LoopInvariant(_) => "loop invariant",
        ClauseKind::LoopAssigns(_) => "loop assigns",
        ClauseKind::LoopVariant(_) => "loop variant",
        ClauseKind::Define(_) => "predicate",
        ClauseKind::Relational => "relational",
        ClauseKind::Unsupported(word) | ClauseKind::Unknown(word) | ClauseKind::Broken { word, .. } => word,
    }
}

#[cfg(test)]
mod tests {
    use super::attach;
    use crate::contract::testing::with_text;
    use clew_ir::contract::print::Printer;
    use std::collections::BTreeMap;

    /// Everything attached to `done`, or what is said about it.
    fn check(mark: &str, contract: &str, expect: &str) {
        let (mut program, done) = with_text(mark, contract);
        let macros = vec![BTreeMap::from([("LIMIT".to_owned(), "(10 + 1)".to_owned())])];
        let diagnostics = attach(&mut program, &macros);
        let function = &program.functions[done];
        let printer = Printer::new(&program, function);
        let mut found: Vec<String> =
            printer.contract(&function.contract).lines().map(|line| line.trim().to_owned()).collect();
        for assertion in &function.contract.assertions {
            found.push(format!("assert {};", printer.clause(&assertion.clause)));
        }
        for about in &function.contract.loops {
            found.extend(about.invariants.iter().map(|it| format!("loop invariant {};", printer.clause(it))));
            found.extend(about.variant.iter().map(|it| format!("loop variant {};", printer.term(&it.term))));
        }
        for diagnostic in diagnostics {
            found.push(format!("{}: {}", diagnostic.severity.name(), diagnostic.message));
        }
        assert_eq!(found.join(" "), expect, "{contract}");
    }

    #[test]
    fn contracts_of_functions() {
        check("CONTRACT", "/*@ requires n < LIMIT; @*/", "requires n < 10 + 1;");
        check(
            "CONTRACT",
            "//@ requires small: n < 9;\n//@ assigns g, table[0..3] \\from n;\n",
            "requires small: n < 9; assigns g, table[0 .. 3] \\from n;",
        );
        check(
            "CONTRACT",
            "/*@ assigns \\nothing; ensures g == \\old(g); */",
            "assigns \\nothing; ensures g == \\at(g, Pre);",
        );
        check(
            "CONTRACT",
            "/*@ behavior a: assumes n > 0; ensures g == 1; behavior b: assumes n <= 0; complete behaviors; disjoint behaviors a, b; */",
            "behavior a: assumes n > 0; ensures g == 1; behavior b: assumes n <= 0; complete behaviors a, b; disjoint behaviors a, b;",
        );
        check("CONTRACT", "/*@ predicate pos(integer x) = x > 0; */ /*@ requires pos(n); */", "requires n > 0;");
        check("CONTRACT", "/*@ requires m > 0; */ void done(int m);", "requires n > 0;");
    }

    #[test]
    fn assertions_and_loops() {
        check("INNER", "/*@ assert k == i; */", "assert k == i;");
        check("BEFORE", "//@ assert k == i;\n", "warning: `k` is not known here");
        check("BODY", "/*@ check j <= n; */", "assert j <= n;");
        check("AFTER", "/*@ assert j == 1; */", "warning: `j` is not known here");
        check(
            "BEFORE",
            "/*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */",
            "loop invariant 0 <= i <= n; loop variant n - i;",
        );
        check("AFTER", "/*@ loop invariant 0 <= i; */", "warning: no loop follows");
    }

    #[test]
    fn what_is_not_understood_is_said() {
        check(
            "CONTRACT",
            "/*@ requires n +; requires n > 0; */",
            "requires n > 0; warning: expected a term or predicate, found `;`",
        );
        check("CONTRACT", "/*@ ensures \\result == 1; */", "warning: the function returns nothing");
        check("CONTRACT", "/*@ requires n > 0 */", "warning: expected `;`, found the end of the contract");
        check(
            "CONTRACT",
            "/*@ lemma x: 1 == 1; */",
            "unsupported: `lemma` is not supported in contracts; it is ignored",
        );
        check("CONTRACT", "/*@null@*/", "warning: `null` begins no annotation of ACSL; it is ignored");
        check("CONTRACT", "/*@ requires n > 0; */ int x;", "warning: this annotation belongs to no function");
        check(
            "CONTRACT",
            "/*@ axiomatic A { axiom a: 1 == 1; } */ /*@ requires n > 1; */",
            "requires n > 1; unsupported: `axiomatic` is not supported in contracts; it is ignored",
        );
        check("CONTRACT", "/*@ requires n > \"x\"; */", "warning: `\"` has no meaning in a contract");
        check("AFTER", "/*@ ensures n > 0; */", "warning: expected an assertion or a clause of a loop here");
    }
}
