; Twice a number is never odd.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(assert (= ((_ extract 0 0) (bvadd x x)) #b1))
(check-sat) ; expect: unsat
