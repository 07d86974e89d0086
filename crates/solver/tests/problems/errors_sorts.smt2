; Operands of different widths.
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 9))
(assert (= (bvadd x y) x))
; expect: error: line 4, column 12: no operator `bvadd` takes (_ BitVec 8) (_ BitVec 9)
