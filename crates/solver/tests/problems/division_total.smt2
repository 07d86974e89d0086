; Division by zero is total in SMT-LIB.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (distinct (bvudiv x #x00) #xff))
(check-sat) ; expect: unsat
(reset)
(declare-const x (_ BitVec 8))
(assert (distinct (bvurem x #x00) x))
(check-sat) ; expect: unsat
(reset)
(declare-const x (_ BitVec 8))
(assert (bvslt x #x00))
(assert (distinct (bvsdiv x #x00) #x01))
(check-sat) ; expect: unsat
(reset)
(declare-const x (_ BitVec 8))
(assert (distinct (bvsmod x #x00) x))
(check-sat) ; expect: unsat
