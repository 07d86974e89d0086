//! SMT-LIB scripts: read and run.
