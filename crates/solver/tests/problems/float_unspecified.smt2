; fp.min of zeros of different sign may be either, but is a function; conversions that do not fit are one too.
(set-logic QF_BVFP)
(declare-const x Float32)
(declare-const y Float32)
(define-fun pz () Float32 (_ +zero 8 24))
(define-fun nz () Float32 (_ -zero 8 24))
(push 1)
(assert (= (fp.min pz nz) pz))
(check-sat) ; expect: sat
(assert (= (fp.min pz nz) nz))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (and (= (fp.min pz nz) pz) (= (fp.min nz pz) nz)))
(check-sat) ; expect: sat
(pop 1)
(push 1)
(assert (distinct ((_ fp.to_ubv 8) RTZ x) ((_ fp.to_ubv 8) RTZ y)))
(assert (fp.isNaN x))
(check-sat) ; expect: sat
(assert (fp.isNaN y))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (= ((_ fp.to_sbv 8) RTZ x) #x7f))
(assert (fp.lt x ((_ to_fp 8 24) RNE 127)))
(assert (fp.gt x ((_ to_fp 8 24) RNE (- 128))))
(check-sat) ; expect: unsat
(pop 1)
