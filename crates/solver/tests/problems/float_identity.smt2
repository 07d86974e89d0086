; = on floats is identity, fp.eq is IEEE equality.
(set-logic QF_FP)
(declare-const x Float32)
(declare-const y Float32)
(push 1)
(assert (and (= x y) (not (fp.eq x y))))
(check-sat) ; expect: sat
(assert (not (fp.isNaN x)))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (and (fp.eq x y) (not (= x y))))
(check-sat) ; expect: sat
(assert (not (fp.isZero x)))
(check-sat) ; expect: unsat
(pop 1)
