; A truncated script.
(declare-const x (_ BitVec 8
; expect: error: line 2, column 18: this parenthesis is never closed
