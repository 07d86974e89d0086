; bvsmod has the sign of the divisor.
(set-logic QF_BV)
(assert (= (bvsmod #xf9 #x03) #x02))
(assert (= (bvsmod #x07 #xfd) #xfe))
(assert (= (bvsmod #xf9 #xfd) #xff))
(check-sat) ; expect: sat
