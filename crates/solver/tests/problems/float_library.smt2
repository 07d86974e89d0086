; Conditions on the rounding functions, the remainder and fma of the C library.
(set-logic QF_BVFP)
(declare-const x (_ FloatingPoint 11 53))
(define-fun number ((b (_ BitVec 64))) (_ FloatingPoint 11 53) ((_ to_fp 11 53) b))
; lround(x) == 7 && lrint(x) == 6: the tie alone, where the results are specified.
(push 1)
(assert (fp.lt (fp.abs x) (number #x4330000000000000)))
(assert (= ((_ fp.to_sbv 64) RNA x) #x0000000000000007))
(assert (= ((_ fp.to_sbv 64) RNE x) #x0000000000000006))
(check-sat) ; expect: sat
(get-value ((= x (number #x401a000000000000)))) ; expect: (((= x (number #x401a000000000000)) true))
(pop 1)
; remainder(x, 3) == 1.25 && x > 100.
(push 1)
(assert (fp.eq (fp.rem x (number #x4008000000000000)) (number #x3ff4000000000000)))
(assert (fp.gt x (number #x4059000000000000)))
(check-sat) ; expect: sat
(pop 1)
; fma(x, x, -2) == 0x1p-50 has no solution, fma(x, x, -2) == 0.25 has.
(push 1)
(assert (fp.eq (fp.fma RNE x x (number #xc000000000000000)) (number #x3cd0000000000000)))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (fp.eq (fp.fma RNE x x (number #xc000000000000000)) (number #x3fd0000000000000)))
(check-sat) ; expect: sat
(pop 1)
