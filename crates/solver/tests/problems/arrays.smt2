; Reads over writes, and extensionality.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(push 1)
(assert (distinct (select (store (store a i #x01) j #x02) i) #x01))
(check-sat) ; expect: sat
(assert (distinct i j))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (= (store a i #x01) (store b i #x01)))
(assert (distinct (select a j) (select b j)))
(check-sat) ; expect: sat
(assert (distinct i j))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (= a ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x05)))
(assert (distinct (select a i) #x05))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (distinct a b))
(check-sat) ; expect: sat
(pop 1)
