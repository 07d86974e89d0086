//! Test frameworks: how each spells a test class and its assertions.

/// A test framework for Java.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    /// JUnit 5.
    #[default]
    Junit5,
    /// JUnit 4, from 4.13.
    Junit4,
    /// TestNG.
    Testng,
}

impl Framework {
    /// All of them.
    pub const ALL: [Framework; 3] = [Framework::Junit5, Framework::Junit4, Framework::Testng];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Framework::Junit5 => "junit5",
            Framework::Junit4 => "junit4",
            Framework::Testng => "testng",
        }
    }

    /// What it is, for people who look for its name.
    pub fn description(self) -> &'static str {
        match self {
            Framework::Junit5 => "JUnit 5, for methods of Java",
            Framework::Junit4 => "JUnit 4 (from 4.13), for methods of Java",
            Framework::Testng => "TestNG, for methods of Java",
        }
    }

    /// The class with the assertions.
    pub(super) fn assertions(self) -> &'static str {
        match self {
            Framework::Junit5 => "org.junit.jupiter.api.Assertions",
            Framework::Junit4 => "org.junit.Assert",
            Framework::Testng => "org.testng.Assert",
        }
    }

    /// The annotation of a test.
    pub(super) fn annotation(self) -> &'static str {
        match self {
            Framework::Junit5 => "org.junit.jupiter.api.Test",
            Framework::Junit4 => "org.junit.Test",
            Framework::Testng => "org.testng.annotations.Test",
        }
    }

    /// What stands before a test class and its methods.
    pub(super) fn access(self) -> &'static str {
        if self == Framework::Junit5 { "" } else { "public " }
    }

    /// That two values are equal. JUnit 4 compares floats of which it knows the type only within a distance.
    pub(super) fn equal(self, expected: &str, actual: &str, is_float: bool) -> String {
        match self {
            Framework::Junit4 if is_float => format!("assertEquals({expected}, {actual}, 0)"),
            Framework::Junit4 | Framework::Junit5 => format!("assertEquals({expected}, {actual})"),
            Framework::Testng => format!("assertEquals({actual}, {expected})"),
        }
    }

    /// That two references lead to one object.
    pub(super) fn same(self, expected: &str, actual: &str) -> String {
        match self {
            Framework::Junit4 | Framework::Junit5 => format!("assertSame({expected}, {actual})"),
            Framework::Testng => format!("assertSame({actual}, {expected})"),
        }
    }
}
