; A rounding mode as an unknown: only some modes round 0.1 up.
(set-logic QF_FP)
(declare-const r RoundingMode)
(assert (fp.gt ((_ to_fp 8 24) r 0.1) ((_ to_fp 8 24) RTZ 0.1)))
(check-sat) ; expect: sat
(assert (distinct r RNE RNA RTP))
(assert (distinct r RTP))
(push 1)
(assert (and (distinct r RNE) (distinct r RNA)))
(check-sat) ; expect: unsat
(pop 1)
