//! Relational clauses of contracts: each becomes a relation in C, beside the source, and is settled like one.

use super::{Session, Title};
use crate::status::Status;
use clew_frontend::{Loaded, contract};
use clew_session::relation::clause::{Translated, translate};

impl Session<'_> {
    /// Settles the clauses that call functions that are asked for.
    pub(super) fn relational_clauses(&mut self, loaded: &mut Loaded) -> Result<(), Status> {
        let clauses = contract::relational_clauses(&loaded.program);
        let mut translated: Vec<Translated> = Vec::new();
        for (clause, number) in clauses.iter().zip(1..) {
            let one = translate(loaded, clause, number);
            let one = self.refuse(loaded, one)?;
            if self.arguments.function.iter().any(|name| one.calls.contains(name)) {
                translated.push(one);
            }
        }
        let Some(first) = translated.first() else { return Ok(()) };
        let of = super::super::source::function(&loaded.program, &first.calls[0], self.terminal)?;
        let text: String = translated.iter().map(|one| one.text.as_str()).collect();
        let stem = format!("{}_relational", first.calls[0]);
        let mut beside = self.with_text(loaded, of, (&stem, "relational clauses"), &text)?;
        for Translated { name, clause, calls, .. } in &translated {
            let id = super::super::source::function(&beside.program, name, self.terminal)?;
            let text = clause.text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.in_c(&mut beside, id, &Title { function: calls[0].clone(), relation: text })?;
        }
        Ok(())
    }
}
