; A factorisation that needs search.
(set-logic QF_BV)
(declare-const a (_ BitVec 16))
(declare-const b (_ BitVec 16))
(assert (bvugt a #x0001))
(assert (bvugt b #x0001))
(assert (bvule a b))
(assert (= (bvmul ((_ zero_extend 16) a) ((_ zero_extend 16) b)) #x0000dda3))
(check-sat) ; expect: sat
