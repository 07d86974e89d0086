; Assumptions hold for one query.
(set-logic QF_BV)
(declare-const p Bool)
(declare-const q Bool)
(assert (=> p q))
(check-sat-assuming (p (not q))) ; expect: unsat
(check-sat-assuming (p)) ; expect: sat
(check-sat) ; expect: sat
