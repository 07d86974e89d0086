//! Bit-blasting of terms to a SAT solver.
