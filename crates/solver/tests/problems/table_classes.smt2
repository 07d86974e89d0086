; A table of character classes: digits 1, capitals 2, small letters 4, blanks 8; most neighbours are equal.
(set-logic QF_BV)
(define-fun class ((i (_ BitVec 8))) (_ BitVec 16)
  (ite (= i (_ bv0 8)) #x0000 (ite (= i (_ bv1 8)) #x0000 (ite (= i (_ bv2 8)) #x0000 (ite (= i (_ bv3 8)) #x0000
  (ite (= i (_ bv4 8)) #x0000 (ite (= i (_ bv5 8)) #x0000 (ite (= i (_ bv6 8)) #x0000 (ite (= i (_ bv7 8)) #x0000
  (ite (= i (_ bv8 8)) #x0000 (ite (= i (_ bv9 8)) #x0008 (ite (= i (_ bv10 8)) #x0008 (ite (= i (_ bv11 8)) #x0000
  (ite (= i (_ bv12 8)) #x0000 (ite (= i (_ bv13 8)) #x0000 (ite (= i (_ bv14 8)) #x0000 (ite (= i (_ bv15 8)) #x0000
  (ite (= i (_ bv16 8)) #x0000 (ite (= i (_ bv17 8)) #x0000 (ite (= i (_ bv18 8)) #x0000 (ite (= i (_ bv19 8)) #x0000
  (ite (= i (_ bv20 8)) #x0000 (ite (= i (_ bv21 8)) #x0000 (ite (= i (_ bv22 8)) #x0000 (ite (= i (_ bv23 8)) #x0000
  (ite (= i (_ bv24 8)) #x0000 (ite (= i (_ bv25 8)) #x0000 (ite (= i (_ bv26 8)) #x0000 (ite (= i (_ bv27 8)) #x0000
  (ite (= i (_ bv28 8)) #x0000 (ite (= i (_ bv29 8)) #x0000 (ite (= i (_ bv30 8)) #x0000 (ite (= i (_ bv31 8)) #x0000
  (ite (= i (_ bv32 8)) #x0008 (ite (= i (_ bv33 8)) #x0000 (ite (= i (_ bv34 8)) #x0000 (ite (= i (_ bv35 8)) #x0000
  (ite (= i (_ bv36 8)) #x0000 (ite (= i (_ bv37 8)) #x0000 (ite (= i (_ bv38 8)) #x0000 (ite (= i (_ bv39 8)) #x0000
  (ite (= i (_ bv40 8)) #x0000 (ite (= i (_ bv41 8)) #x0000 (ite (= i (_ bv42 8)) #x0000 (ite (= i (_ bv43 8)) #x0000
  (ite (= i (_ bv44 8)) #x0000 (ite (= i (_ bv45 8)) #x0000 (ite (= i (_ bv46 8)) #x0000 (ite (= i (_ bv47 8)) #x0000
  (ite (= i (_ bv48 8)) #x0001 (ite (= i (_ bv49 8)) #x0001 (ite (= i (_ bv50 8)) #x0001 (ite (= i (_ bv51 8)) #x0001
  (ite (= i (_ bv52 8)) #x0001 (ite (= i (_ bv53 8)) #x0001 (ite (= i (_ bv54 8)) #x0001 (ite (= i (_ bv55 8)) #x0001
  (ite (= i (_ bv56 8)) #x0001 (ite (= i (_ bv57 8)) #x0001 (ite (= i (_ bv58 8)) #x0000 (ite (= i (_ bv59 8)) #x0000
  (ite (= i (_ bv60 8)) #x0000 (ite (= i (_ bv61 8)) #x0000 (ite (= i (_ bv62 8)) #x0000 (ite (= i (_ bv63 8)) #x0000
  (ite (= i (_ bv64 8)) #x0000 (ite (= i (_ bv65 8)) #x0002 (ite (= i (_ bv66 8)) #x0002 (ite (= i (_ bv67 8)) #x0002
  (ite (= i (_ bv68 8)) #x0002 (ite (= i (_ bv69 8)) #x0002 (ite (= i (_ bv70 8)) #x0002 (ite (= i (_ bv71 8)) #x0002
  (ite (= i (_ bv72 8)) #x0002 (ite (= i (_ bv73 8)) #x0002 (ite (= i (_ bv74 8)) #x0002 (ite (= i (_ bv75 8)) #x0002
  (ite (= i (_ bv76 8)) #x0002 (ite (= i (_ bv77 8)) #x0002 (ite (= i (_ bv78 8)) #x0002 (ite (= i (_ bv79 8)) #x0002
  (ite (= i (_ bv80 8)) #x0002 (ite (= i (_ bv81 8)) #x0002 (ite (= i (_ bv82 8)) #x0002 (ite (= i (_ bv83 8)) #x0002
  (ite (= i (_ bv84 8)) #x0002 (ite (= i (_ bv85 8)) #x0002 (ite (= i (_ bv86 8)) #x0002 (ite (= i (_ bv87 8)) #x0002
  (ite (= i (_ bv88 8)) #x0002 (ite (= i (_ bv89 8)) #x0002 (ite (= i (_ bv90 8)) #x0002 (ite (= i (_ bv91 8)) #x0000
  (ite (= i (_ bv92 8)) #x0000 (ite (= i (_ bv93 8)) #x0000 (ite (= i (_ bv94 8)) #x0000 (ite (= i (_ bv95 8)) #x0000
  (ite (= i (_ bv96 8)) #x0000 (ite (= i (_ bv97 8)) #x0004 (ite (= i (_ bv98 8)) #x0004 (ite (= i (_ bv99 8)) #x0004
  (ite (= i (_ bv100 8)) #x0004 (ite (= i (_ bv101 8)) #x0004 (ite (= i (_ bv102 8)) #x0004 (ite (= i (_ bv103 8)) #x0004
  (ite (= i (_ bv104 8)) #x0004 (ite (= i (_ bv105 8)) #x0004 (ite (= i (_ bv106 8)) #x0004 (ite (= i (_ bv107 8)) #x0004
  (ite (= i (_ bv108 8)) #x0004 (ite (= i (_ bv109 8)) #x0004 (ite (= i (_ bv110 8)) #x0004 (ite (= i (_ bv111 8)) #x0004
  (ite (= i (_ bv112 8)) #x0004 (ite (= i (_ bv113 8)) #x0004 (ite (= i (_ bv114 8)) #x0004 (ite (= i (_ bv115 8)) #x0004
  (ite (= i (_ bv116 8)) #x0004 (ite (= i (_ bv117 8)) #x0004 (ite (= i (_ bv118 8)) #x0004 (ite (= i (_ bv119 8)) #x0004
  (ite (= i (_ bv120 8)) #x0004 (ite (= i (_ bv121 8)) #x0004 (ite (= i (_ bv122 8)) #x0004 (ite (= i (_ bv123 8)) #x0000
  (ite (= i (_ bv124 8)) #x0000 (ite (= i (_ bv125 8)) #x0000 (ite (= i (_ bv126 8)) #x0000 (ite (= i (_ bv127 8)) #x0000
  (ite (= i (_ bv128 8)) #x0000 (ite (= i (_ bv129 8)) #x0000 (ite (= i (_ bv130 8)) #x0000 (ite (= i (_ bv131 8)) #x0000
  (ite (= i (_ bv132 8)) #x0000 (ite (= i (_ bv133 8)) #x0000 (ite (= i (_ bv134 8)) #x0000 (ite (= i (_ bv135 8)) #x0000
  (ite (= i (_ bv136 8)) #x0000 (ite (= i (_ bv137 8)) #x0000 (ite (= i (_ bv138 8)) #x0000 (ite (= i (_ bv139 8)) #x0000
  (ite (= i (_ bv140 8)) #x0000 (ite (= i (_ bv141 8)) #x0000 (ite (= i (_ bv142 8)) #x0000 (ite (= i (_ bv143 8)) #x0000
  (ite (= i (_ bv144 8)) #x0000 (ite (= i (_ bv145 8)) #x0000 (ite (= i (_ bv146 8)) #x0000 (ite (= i (_ bv147 8)) #x0000
  (ite (= i (_ bv148 8)) #x0000 (ite (= i (_ bv149 8)) #x0000 (ite (= i (_ bv150 8)) #x0000 (ite (= i (_ bv151 8)) #x0000
  (ite (= i (_ bv152 8)) #x0000 (ite (= i (_ bv153 8)) #x0000 (ite (= i (_ bv154 8)) #x0000 (ite (= i (_ bv155 8)) #x0000
  (ite (= i (_ bv156 8)) #x0000 (ite (= i (_ bv157 8)) #x0000 (ite (= i (_ bv158 8)) #x0000 (ite (= i (_ bv159 8)) #x0000
  (ite (= i (_ bv160 8)) #x0000 (ite (= i (_ bv161 8)) #x0000 (ite (= i (_ bv162 8)) #x0000 (ite (= i (_ bv163 8)) #x0000
  (ite (= i (_ bv164 8)) #x0000 (ite (= i (_ bv165 8)) #x0000 (ite (= i (_ bv166 8)) #x0000 (ite (= i (_ bv167 8)) #x0000
  (ite (= i (_ bv168 8)) #x0000 (ite (= i (_ bv169 8)) #x0000 (ite (= i (_ bv170 8)) #x0000 (ite (= i (_ bv171 8)) #x0000
  (ite (= i (_ bv172 8)) #x0000 (ite (= i (_ bv173 8)) #x0000 (ite (= i (_ bv174 8)) #x0000 (ite (= i (_ bv175 8)) #x0000
  (ite (= i (_ bv176 8)) #x0000 (ite (= i (_ bv177 8)) #x0000 (ite (= i (_ bv178 8)) #x0000 (ite (= i (_ bv179 8)) #x0000
  (ite (= i (_ bv180 8)) #x0000 (ite (= i (_ bv181 8)) #x0000 (ite (= i (_ bv182 8)) #x0000 (ite (= i (_ bv183 8)) #x0000
  (ite (= i (_ bv184 8)) #x0000 (ite (= i (_ bv185 8)) #x0000 (ite (= i (_ bv186 8)) #x0000 (ite (= i (_ bv187 8)) #x0000
  (ite (= i (_ bv188 8)) #x0000 (ite (= i (_ bv189 8)) #x0000 (ite (= i (_ bv190 8)) #x0000 (ite (= i (_ bv191 8)) #x0000
  (ite (= i (_ bv192 8)) #x0000 (ite (= i (_ bv193 8)) #x0000 (ite (= i (_ bv194 8)) #x0000 (ite (= i (_ bv195 8)) #x0000
  (ite (= i (_ bv196 8)) #x0000 (ite (= i (_ bv197 8)) #x0000 (ite (= i (_ bv198 8)) #x0000 (ite (= i (_ bv199 8)) #x0000
  (ite (= i (_ bv200 8)) #x0000 (ite (= i (_ bv201 8)) #x0000 (ite (= i (_ bv202 8)) #x0000 (ite (= i (_ bv203 8)) #x0000
  (ite (= i (_ bv204 8)) #x0000 (ite (= i (_ bv205 8)) #x0000 (ite (= i (_ bv206 8)) #x0000 (ite (= i (_ bv207 8)) #x0000
  (ite (= i (_ bv208 8)) #x0000 (ite (= i (_ bv209 8)) #x0000 (ite (= i (_ bv210 8)) #x0000 (ite (= i (_ bv211 8)) #x0000
  (ite (= i (_ bv212 8)) #x0000 (ite (= i (_ bv213 8)) #x0000 (ite (= i (_ bv214 8)) #x0000 (ite (= i (_ bv215 8)) #x0000
  (ite (= i (_ bv216 8)) #x0000 (ite (= i (_ bv217 8)) #x0000 (ite (= i (_ bv218 8)) #x0000 (ite (= i (_ bv219 8)) #x0000
  (ite (= i (_ bv220 8)) #x0000 (ite (= i (_ bv221 8)) #x0000 (ite (= i (_ bv222 8)) #x0000 (ite (= i (_ bv223 8)) #x0000
  (ite (= i (_ bv224 8)) #x0000 (ite (= i (_ bv225 8)) #x0000 (ite (= i (_ bv226 8)) #x0000 (ite (= i (_ bv227 8)) #x0000
  (ite (= i (_ bv228 8)) #x0000 (ite (= i (_ bv229 8)) #x0000 (ite (= i (_ bv230 8)) #x0000 (ite (= i (_ bv231 8)) #x0000
  (ite (= i (_ bv232 8)) #x0000 (ite (= i (_ bv233 8)) #x0000 (ite (= i (_ bv234 8)) #x0000 (ite (= i (_ bv235 8)) #x0000
  (ite (= i (_ bv236 8)) #x0000 (ite (= i (_ bv237 8)) #x0000 (ite (= i (_ bv238 8)) #x0000 (ite (= i (_ bv239 8)) #x0000
  (ite (= i (_ bv240 8)) #x0000 (ite (= i (_ bv241 8)) #x0000 (ite (= i (_ bv242 8)) #x0000 (ite (= i (_ bv243 8)) #x0000
  (ite (= i (_ bv244 8)) #x0000 (ite (= i (_ bv245 8)) #x0000 (ite (= i (_ bv246 8)) #x0000 (ite (= i (_ bv247 8)) #x0000
  (ite (= i (_ bv248 8)) #x0000 (ite (= i (_ bv249 8)) #x0000 (ite (= i (_ bv250 8)) #x0000 (ite (= i (_ bv251 8)) #x0000
  (ite (= i (_ bv252 8)) #x0000 (ite (= i (_ bv253 8)) #x0000 (ite (= i (_ bv254 8)) #x0000 #x0000))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
(declare-const c (_ BitVec 8))
(declare-const d (_ BitVec 8))
(push 1)
(assert (= (class c) #x0008))
(assert (bvugt c #x0a))
(check-sat) ; expect: sat
(get-value (c)) ; expect: ((c #x20))
(pop 1)
(push 1)
(assert (not (= (bvand (class c) #x0006) #x0000)))
(assert (bvult c #x41))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (not (= (bvand (class c) #x0001) #x0000)))
(assert (not (= (bvand (class d) #x0006) #x0000)))
(assert (bvult d c))
(check-sat) ; expect: unsat
(pop 1)
(push 1)
(assert (= (bvadd (class c) (class d)) #x000c))
(assert (bvugt c d))
(assert (bvugt d #x1f))
(check-sat) ; expect: sat
(pop 1)
