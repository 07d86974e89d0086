; Conversions that fit are exact.
(set-logic QF_BVFP)
(assert (= ((_ fp.to_ubv 8) RNE ((_ to_fp 5 11) RNE 2.5)) #x02))
(assert (= ((_ fp.to_ubv 8) RNA ((_ to_fp 5 11) RNE 2.5)) #x03))
(assert (= ((_ fp.to_sbv 8) RTN ((_ to_fp 5 11) RNE (- 2.5))) #xfd))
(assert (= ((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE (- 0.5))) #x00))
(assert (= ((_ to_fp 5 11) RNE #xff) ((_ to_fp 5 11) RNE (- 1))))
(assert (= ((_ to_fp_unsigned 5 11) RNE #xff) ((_ to_fp 5 11) RNE 255)))
(assert (= ((_ to_fp 5 11) RNE (/ 1 3)) (fp.div RNE ((_ to_fp 5 11) RNE 1) ((_ to_fp 5 11) RNE 3.0))))
(check-sat) ; expect: sat
