; Absurd widths.
(declare-const x (_ BitVec 100000000000000000000000000000000000000000))
; expect: error: line 2, column 28: this numeral is too large for 128 bits
