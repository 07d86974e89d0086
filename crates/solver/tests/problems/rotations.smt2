; Rotation, repetition, and the short bitwise operators.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (or
  (distinct ((_ rotate_left 3) x) ((_ rotate_right 5) x))
  (distinct ((_ rotate_left 8) x) x)
  (distinct ((_ extract 15 8) ((_ repeat 2) x)) x)
  (distinct (bvnand x x) (bvnot x))
  (distinct (bvnor x #x00) (bvnot x))
  (distinct (bvxnor x x) #xff)
  (distinct (bvcomp x x) #b1)))
(check-sat) ; expect: unsat
