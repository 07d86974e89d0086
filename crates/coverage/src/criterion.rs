//! The criteria and their names.

use std::fmt;
use std::str::FromStr;

/// What a suite is asked to cover. `docs/criteria.md` defines each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Every run of statements.
    Statement,
    /// Every outcome of every decision, every arm of every `switch`.
    Decision,
    /// Every outcome of every condition.
    Condition,
    /// Both of the above.
    ConditionDecision,
    /// Every way to evaluate every decision.
    MultipleCondition,
    /// Every condition shown to decide its decision, nothing else evaluated in both differing.
    McdcUnique,
    /// Every condition shown to decide its decision, others may differ where they are masked.
    McdcMasking,
    /// Every path within k iterations of each loop.
    KPath,
    /// Every definition of a variable used at least once.
    AllDefs,
    /// Every definition of a variable used at every use it reaches.
    AllUses,
    /// Every small change of an expression made to matter.
    WeakMutation,
    /// Every comparison on, just below and just above its border.
    Boundary,
    /// Every loop run not at all, once, and more often.
    Loop,
    /// Every function entered.
    Function,
    /// Every call made.
    Call,
    /// Every check for undefined behaviour made to fail.
    Error,
    /// Every float operation made to overflow, underflow, absorb, divide by zero or give NaN; every comparison with NaN.
    FloatExceptions,
    /// The labels written into the program.
    User,
}

/// Each criterion with its name, its other names, and what it asks for.
const TABLE: &[(Criterion, &[&str], &str)] = &[
    (Criterion::Statement, &["statement"], "every run of statements"),
    (Criterion::Decision, &["decision", "branch"], "every outcome of every decision"),
    (Criterion::Condition, &["condition"], "every outcome of every condition"),
    (Criterion::ConditionDecision, &["condition-decision"], "every outcome of every condition and decision"),
    (Criterion::MultipleCondition, &["mcc"], "every way to evaluate every decision"),
    (Criterion::McdcUnique, &["mcdc-unique", "mcdc"], "every condition decides its decision (unique cause)"),
    (Criterion::McdcMasking, &["mcdc-masking"], "every condition decides its decision (masking)"),
    (Criterion::KPath, &["k-path", "path"], "every path within k iterations of each loop"),
    (Criterion::AllDefs, &["all-defs"], "every definition of a variable reaches some use"),
    (Criterion::AllUses, &["all-uses"], "every definition of a variable reaches every use it can"),
    (Criterion::WeakMutation, &["weak-mutation"], "every small change of an expression matters"),
    (Criterion::Boundary, &["boundary"], "every comparison on, just below and just above its border"),
    (Criterion::Loop, &["loop"], "every loop run not at all, once and more often"),
    (Criterion::Function, &["function"], "every function entered"),
    (Criterion::Call, &["call"], "every call made"),
    (Criterion::Error, &["error"], "every check for undefined behaviour made to fail"),
    (Criterion::FloatExceptions, &["float-exceptions"], "every exceptional case of float arithmetic"),
    (Criterion::User, &["user"], "every label written into the program"),
];

impl Criterion {
    /// All criteria, in the order reports list them.
    pub fn all() -> impl Iterator<Item = Criterion> {
        TABLE.iter().map(|(criterion, ..)| *criterion)
    }

    /// The name, as on the command line and in reports.
    pub fn name(self) -> &'static str {
        self.row().1[0]
    }

    /// What it asks for, in a few words.
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> &'static (Criterion, &'static [&'static str], &'static str) {
        TABLE.iter().find(|(criterion, ..)| *criterion == self).expect("the table lists every criterion")
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Criterion {
    type Err = String;

    fn from_str(text: &str) -> Result<Criterion, String> {
        let found = TABLE.iter().find(|(_, names, _)| names.contains(&text)).map(|(criterion, ..)| *criterion);
        found.ok_or_else(|| {
            let names: Vec<&str> = TABLE.iter().flat_map(|(_, names, _)| names.iter().copied()).collect();
            format!("unknown criterion `{text}`; known are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Criterion;

    #[test]
    fn every_name_leads_back() {
        for criterion in Criterion::all() {
            assert_eq!(criterion.name().parse(), Ok(criterion));
        }
        assert_eq!("branch".parse(), Ok(Criterion::Decision));
        assert_eq!("mcdc".parse(), Ok(Criterion::McdcUnique));
        assert!("decisions".parse::<Criterion>().is_err());
    }
}
