; The core names the assertions that clash and no other.
(set-logic QF_BV)
(set-option :produce-unsat-cores true)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (! (bvult x #x05) :named small))
(assert (! (bvugt y #x05) :named other))
(assert (! (bvugt x #x50) :named large))
(check-sat) ; expect: unsat
(get-unsat-core) ; expect: (small large)
