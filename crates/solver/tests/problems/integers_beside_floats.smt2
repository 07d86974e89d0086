; Integers that contradict each other whatever the floats beside them are: a product that a quotient bounds.
(set-logic QF_BVFP)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(declare-const f (_ FloatingPoint 8 24))
(push 1)
(assert (= (bvmul ((_ zero_extend 8) ((_ extract 7 0) y)) x) #xff00))
(assert (fp.leq (fp.mul RNE f f) ((_ to_fp 8 24) RNE x)))
(check-sat)                                       ; expect: sat
(push 1)
(assert (bvule x (bvudiv #x4000 y)))
(check-sat)                                       ; expect: unsat
(pop 1)
(pop 1)
; A difference that leaves bits out, and a number that is its own share but for a small one.
(push 1)
(assert (= (bvand x #x0ef3) (bvsub x y)))
(assert (= (bvadd x ((_ sign_extend 8) ((_ extract 7 0) y))) (bvlshr x #x0005)))
(check-sat)                                       ; expect: sat
(assert (bvult #x0400 x))
(check-sat)                                       ; expect: unsat
(pop 1)
