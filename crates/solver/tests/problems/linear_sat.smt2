; Two unknowns, a sum and a difference.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(declare-fun y () (_ BitVec 32))
(assert (= (bvadd x y) #x00000064))
(assert (= (bvsub x y) #x00000014))
(check-sat) ; expect: sat
(assert (bvult x #x00000010))
(assert (bvult y #x00000010))
(check-sat) ; expect: unsat
