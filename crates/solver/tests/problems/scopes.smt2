; Declarations and assertions end with their scope.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(push 1)
(declare-const y (_ BitVec 8))
(assert (= y (bvadd x #x01)))
(assert (= y x))
(check-sat) ; expect: unsat
(pop 1)
(push 2)
(declare-const y Bool)
(assert y)
(check-sat) ; expect: sat
(get-value (y)) ; expect: ((y true))
(pop 2)
(check-sat) ; expect: sat
