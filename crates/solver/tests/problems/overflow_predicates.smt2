; Overflow predicates against the operation in twice the width.
(set-logic QF_BV)
(declare-const a (_ BitVec 5))
(declare-const b (_ BitVec 5))
(define-fun wide ((x (_ BitVec 5))) (_ BitVec 10) ((_ sign_extend 5) x))
(define-fun uwide ((x (_ BitVec 5))) (_ BitVec 10) ((_ zero_extend 5) x))
(push 1)
(assert (distinct (bvsaddo a b) (distinct (wide (bvadd a b)) (bvadd (wide a) (wide b)))))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (distinct (bvssubo a b) (distinct (wide (bvsub a b)) (bvsub (wide a) (wide b)))))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (distinct (bvsmulo a b) (distinct (wide (bvmul a b)) (bvmul (wide a) (wide b)))))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (distinct (bvumulo a b) (distinct (uwide (bvmul a b)) (bvmul (uwide a) (uwide b)))))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (distinct (bvuaddo a b) (distinct (uwide (bvadd a b)) (bvadd (uwide a) (uwide b)))))
(check-sat) ; expect: unsat
(pop 1)
