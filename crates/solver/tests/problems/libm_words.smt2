; Conditions of fdlibm functions: words of doubles beside arithmetic on the doubles.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 64))
(declare-const d (_ BitVec 64))
(define-fun x () (_ FloatingPoint 11 53) ((_ to_fp 11 53) b))
(define-fun y () (_ FloatingPoint 11 53) ((_ to_fp 11 53) d))
(define-fun hx () (_ BitVec 32) ((_ extract 63 32) b))
(define-fun lx () (_ BitVec 32) ((_ extract 31 0) b))
(define-fun ix () (_ BitVec 32) (bvand hx #x7fffffff))
(define-fun iy () (_ BitVec 32) (bvand ((_ extract 63 32) d) #x7fffffff))
(define-fun ly () (_ BitVec 32) ((_ extract 31 0) d))
(define-fun one () (_ FloatingPoint 11 53) ((_ to_fp 11 53) #x3ff0000000000000))
; floor: a negative number with a fraction below the high word's integral bits.
(push 1)
(define-fun j0 () (_ BitVec 32) (bvsub (bvand (bvashr hx #x00000014) #x000007ff) #x000003ff))
(assert (and (bvslt j0 #x00000003) (bvsge j0 #x00000000) (bvslt hx #x00000000)))
(assert (not (= (bvor (bvand hx (bvashr #x000fffff j0)) lx) #x00000000)))
(assert (fp.gt (fp.add RNE ((_ to_fp 11 53) #x7e37e43c8800759c) x) ((_ to_fp 11 53) #x0000000000000000)))
(check-sat) ; expect: sat
(pop 1)
; pow: an odd integer exponent whose last bit is in the low word.
(push 1)
(define-fun k () (_ BitVec 32) (bvsub (bvashr iy #x00000014) #x000003ff))
(define-fun j () (_ BitVec 32) (bvlshr ly (bvsub #x00000034 k)))
(assert (and (bvsge iy #x3ff00000) (bvslt iy #x43400000) (bvsgt k #x00000014)))
(assert (and (= (bvshl j (bvsub #x00000034 k)) ly) (= (bvand j #x00000001) #x00000001)))
(assert (fp.lt x (fp.neg one)))
(check-sat) ; expect: sat
(pop 1)
; log1p: the rounding error of 1 + x is not zero.
(push 1)
(declare-const ub (_ BitVec 64))
(define-fun u () (_ FloatingPoint 11 53) ((_ to_fp 11 53) ub))
(assert (= u (fp.add RNE one x)))
(assert (and (bvsge hx #x3FDA827A) (bvslt hx #x43400000)))
(assert (bvslt (bvand ((_ extract 63 32) ub) #x000fffff) #x0006a09e))
(assert (not (fp.isZero (fp.sub RNE one (fp.sub RNE u x)))))
(check-sat) ; expect: sat
(pop 1)
; A magnitude of at least one by its words, below one as a number.
(push 1)
(assert (and (bvsge ix #x3ff00000) (bvslt ix #x7ff00000)))
(assert (fp.lt (fp.abs x) one))
(check-sat) ; expect: unsat
(pop 1)
