; define-fun with parameters, define-sort with parameters, let shadows, annotations.
(set-logic QF_ABV)
(define-sort Byte () (_ BitVec 8))
(define-sort Map (T) (Array T T))
(declare-const x Byte)
(declare-const m (Map Byte))
(define-fun twice ((x Byte)) Byte (bvadd x x))
(define-fun four ((y Byte)) Byte (twice (twice y)))
(assert (! (let ((x #x03) (y x)) (= (four x) (bvadd #x0c (bvsub y y)))) :named easy))
(check-sat) ; expect: sat
(assert (distinct (four x) (bvshl x #x02)))
(check-sat) ; expect: unsat
