; A small number added to a large one is absorbed; a real literal is rounded once.
(set-logic QF_FP)
(declare-const x Float64)
(define-fun big () Float64 ((_ to_fp 11 53) RNE 10000000000000000.0))
(assert (fp.lt ((_ to_fp 11 53) RNE 0) x))
(assert (fp.leq x ((_ to_fp 11 53) RNE 1)))
(assert (fp.eq (fp.add RNE big x) big))
(check-sat) ; expect: sat
(assert (fp.gt (fp.add RNE big x) big))
(check-sat) ; expect: unsat
