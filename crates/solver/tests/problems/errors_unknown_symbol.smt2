; The first mistake ends the script, with its place.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(check-sat) ; expect: sat
(assert (= x z))
(check-sat)
; expect: error: line 5, column 14: unknown symbol `z`
