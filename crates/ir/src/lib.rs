//! A program as data: types, functions, blocks, conditions, decisions, loops, checks.
