; Elements that are NaN are equal, zeros of different signs are not.
(set-logic QF_ABVFP)
(declare-const a (Array (_ BitVec 2) Float32))
(declare-const b (Array (_ BitVec 2) Float32))
(push 1)
(assert (fp.isNaN (select a #b00)))
(assert (fp.isNaN (select b #b00)))
(assert (= (select a #b01) (select b #b01)))
(assert (= (select a #b10) (select b #b10)))
(assert (= (select a #b11) (select b #b11)))
(assert (not (= a b)))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (= a ((as const (Array (_ BitVec 2) Float32)) (_ +zero 8 24))))
(assert (= b (store a #b10 (_ -zero 8 24))))
(assert (fp.eq (select a #b10) (select b #b10)))
(check-sat) ; expect: sat
(assert (= a b))
(check-sat) ; expect: unsat
(pop 1)
(declare-const bits (_ BitVec 32))
(assert (fp.isNaN ((_ to_fp 8 24) bits)))
(assert (not (= (store a #b01 ((_ to_fp 8 24) bits)) (store a #b01 (_ NaN 8 24)))))
(check-sat) ; expect: unsat
