//! C text and ACSL contracts become a program.
