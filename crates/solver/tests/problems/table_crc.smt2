; Tables with an unknown index: a CRC-32 of the zip format, forwards and backwards.
(set-logic QF_BV)
(define-fun entry ((i (_ BitVec 8))) (_ BitVec 32)
  (ite (= i (_ bv0 8)) #x00000000 (ite (= i (_ bv1 8)) #x77073096 (ite (= i (_ bv2 8)) #xee0e612c (ite (= i (_ bv3 8)) #x990951ba
  (ite (= i (_ bv4 8)) #x076dc419 (ite (= i (_ bv5 8)) #x706af48f (ite (= i (_ bv6 8)) #xe963a535 (ite (= i (_ bv7 8)) #x9e6495a3
  (ite (= i (_ bv8 8)) #x0edb8832 (ite (= i (_ bv9 8)) #x79dcb8a4 (ite (= i (_ bv10 8)) #xe0d5e91e (ite (= i (_ bv11 8)) #x97d2d988
  (ite (= i (_ bv12 8)) #x09b64c2b (ite (= i (_ bv13 8)) #x7eb17cbd (ite (= i (_ bv14 8)) #xe7b82d07 (ite (= i (_ bv15 8)) #x90bf1d91
  (ite (= i (_ bv16 8)) #x1db71064 (ite (= i (_ bv17 8)) #x6ab020f2 (ite (= i (_ bv18 8)) #xf3b97148 (ite (= i (_ bv19 8)) #x84be41de
  (ite (= i (_ bv20 8)) #x1adad47d (ite (= i (_ bv21 8)) #x6ddde4eb (ite (= i (_ bv22 8)) #xf4d4b551 (ite (= i (_ bv23 8)) #x83d385c7
  (ite (= i (_ bv24 8)) #x136c9856 (ite (= i (_ bv25 8)) #x646ba8c0 (ite (= i (_ bv26 8)) #xfd62f97a (ite (= i (_ bv27 8)) #x8a65c9ec
  (ite (= i (_ bv28 8)) #x14015c4f (ite (= i (_ bv29 8)) #x63066cd9 (ite (= i (_ bv30 8)) #xfa0f3d63 (ite (= i (_ bv31 8)) #x8d080df5
  (ite (= i (_ bv32 8)) #x3b6e20c8 (ite (= i (_ bv33 8)) #x4c69105e (ite (= i (_ bv34 8)) #xd56041e4 (ite (= i (_ bv35 8)) #xa2677172
  (ite (= i (_ bv36 8)) #x3c03e4d1 (ite (= i (_ bv37 8)) #x4b04d447 (ite (= i (_ bv38 8)) #xd20d85fd (ite (= i (_ bv39 8)) #xa50ab56b
  (ite (= i (_ bv40 8)) #x35b5a8fa (ite (= i (_ bv41 8)) #x42b2986c (ite (= i (_ bv42 8)) #xdbbbc9d6 (ite (= i (_ bv43 8)) #xacbcf940
  (ite (= i (_ bv44 8)) #x32d86ce3 (ite (= i (_ bv45 8)) #x45df5c75 (ite (= i (_ bv46 8)) #xdcd60dcf (ite (= i (_ bv47 8)) #xabd13d59
  (ite (= i (_ bv48 8)) #x26d930ac (ite (= i (_ bv49 8)) #x51de003a (ite (= i (_ bv50 8)) #xc8d75180 (ite (= i (_ bv51 8)) #xbfd06116
  (ite (= i (_ bv52 8)) #x21b4f4b5 (ite (= i (_ bv53 8)) #x56b3c423 (ite (= i (_ bv54 8)) #xcfba9599 (ite (= i (_ bv55 8)) #xb8bda50f
  (ite (= i (_ bv56 8)) #x2802b89e (ite (= i (_ bv57 8)) #x5f058808 (ite (= i (_ bv58 8)) #xc60cd9b2 (ite (= i (_ bv59 8)) #xb10be924
  (ite (= i (_ bv60 8)) #x2f6f7c87 (ite (= i (_ bv61 8)) #x58684c11 (ite (= i (_ bv62 8)) #xc1611dab (ite (= i (_ bv63 8)) #xb6662d3d
  (ite (= i (_ bv64 8)) #x76dc4190 (ite (= i (_ bv65 8)) #x01db7106 (ite (= i (_ bv66 8)) #x98d220bc (ite (= i (_ bv67 8)) #xefd5102a
  (ite (= i (_ bv68 8)) #x71b18589 (ite (= i (_ bv69 8)) #x06b6b51f (ite (= i (_ bv70 8)) #x9fbfe4a5 (ite (= i (_ bv71 8)) #xe8b8d433
  (ite (= i (_ bv72 8)) #x7807c9a2 (ite (= i (_ bv73 8)) #x0f00f934 (ite (= i (_ bv74 8)) #x9609a88e (ite (= i (_ bv75 8)) #xe10e9818
  (ite (= i (_ bv76 8)) #x7f6a0dbb (ite (= i (_ bv77 8)) #x086d3d2d (ite (= i (_ bv78 8)) #x91646c97 (ite (= i (_ bv79 8)) #xe6635c01
  (ite (= i (_ bv80 8)) #x6b6b51f4 (ite (= i (_ bv81 8)) #x1c6c6162 (ite (= i (_ bv82 8)) #x856530d8 (ite (= i (_ bv83 8)) #xf262004e
  (ite (= i (_ bv84 8)) #x6c0695ed (ite (= i (_ bv85 8)) #x1b01a57b (ite (= i (_ bv86 8)) #x8208f4c1 (ite (= i (_ bv87 8)) #xf50fc457
  (ite (= i (_ bv88 8)) #x65b0d9c6 (ite (= i (_ bv89 8)) #x12b7e950 (ite (= i (_ bv90 8)) #x8bbeb8ea (ite (= i (_ bv91 8)) #xfcb9887c
  (ite (= i (_ bv92 8)) #x62dd1ddf (ite (= i (_ bv93 8)) #x15da2d49 (ite (= i (_ bv94 8)) #x8cd37cf3 (ite (= i (_ bv95 8)) #xfbd44c65
  (ite (= i (_ bv96 8)) #x4db26158 (ite (= i (_ bv97 8)) #x3ab551ce (ite (= i (_ bv98 8)) #xa3bc0074 (ite (= i (_ bv99 8)) #xd4bb30e2
  (ite (= i (_ bv100 8)) #x4adfa541 (ite (= i (_ bv101 8)) #x3dd895d7 (ite (= i (_ bv102 8)) #xa4d1c46d (ite (= i (_ bv103 8)) #xd3d6f4fb
  (ite (= i (_ bv104 8)) #x4369e96a (ite (= i (_ bv105 8)) #x346ed9fc (ite (= i (_ bv106 8)) #xad678846 (ite (= i (_ bv107 8)) #xda60b8d0
  (ite (= i (_ bv108 8)) #x44042d73 (ite (= i (_ bv109 8)) #x33031de5 (ite (= i (_ bv110 8)) #xaa0a4c5f (ite (= i (_ bv111 8)) #xdd0d7cc9
  (ite (= i (_ bv112 8)) #x5005713c (ite (= i (_ bv113 8)) #x270241aa (ite (= i (_ bv114 8)) #xbe0b1010 (ite (= i (_ bv115 8)) #xc90c2086
  (ite (= i (_ bv116 8)) #x5768b525 (ite (= i (_ bv117 8)) #x206f85b3 (ite (= i (_ bv118 8)) #xb966d409 (ite (= i (_ bv119 8)) #xce61e49f
  (ite (= i (_ bv120 8)) #x5edef90e (ite (= i (_ bv121 8)) #x29d9c998 (ite (= i (_ bv122 8)) #xb0d09822 (ite (= i (_ bv123 8)) #xc7d7a8b4
  (ite (= i (_ bv124 8)) #x59b33d17 (ite (= i (_ bv125 8)) #x2eb40d81 (ite (= i (_ bv126 8)) #xb7bd5c3b (ite (= i (_ bv127 8)) #xc0ba6cad
  (ite (= i (_ bv128 8)) #xedb88320 (ite (= i (_ bv129 8)) #x9abfb3b6 (ite (= i (_ bv130 8)) #x03b6e20c (ite (= i (_ bv131 8)) #x74b1d29a
  (ite (= i (_ bv132 8)) #xead54739 (ite (= i (_ bv133 8)) #x9dd277af (ite (= i (_ bv134 8)) #x04db2615 (ite (= i (_ bv135 8)) #x73dc1683
  (ite (= i (_ bv136 8)) #xe3630b12 (ite (= i (_ bv137 8)) #x94643b84 (ite (= i (_ bv138 8)) #x0d6d6a3e (ite (= i (_ bv139 8)) #x7a6a5aa8
  (ite (= i (_ bv140 8)) #xe40ecf0b (ite (= i (_ bv141 8)) #x9309ff9d (ite (= i (_ bv142 8)) #x0a00ae27 (ite (= i (_ bv143 8)) #x7d079eb1
  (ite (= i (_ bv144 8)) #xf00f9344 (ite (= i (_ bv145 8)) #x8708a3d2 (ite (= i (_ bv146 8)) #x1e01f268 (ite (= i (_ bv147 8)) #x6906c2fe
  (ite (= i (_ bv148 8)) #xf762575d (ite (= i (_ bv149 8)) #x806567cb (ite (= i (_ bv150 8)) #x196c3671 (ite (= i (_ bv151 8)) #x6e6b06e7
  (ite (= i (_ bv152 8)) #xfed41b76 (ite (= i (_ bv153 8)) #x89d32be0 (ite (= i (_ bv154 8)) #x10da7a5a (ite (= i (_ bv155 8)) #x67dd4acc
  (ite (= i (_ bv156 8)) #xf9b9df6f (ite (= i (_ bv157 8)) #x8ebeeff9 (ite (= i (_ bv158 8)) #x17b7be43 (ite (= i (_ bv159 8)) #x60b08ed5
  (ite (= i (_ bv160 8)) #xd6d6a3e8 (ite (= i (_ bv161 8)) #xa1d1937e (ite (= i (_ bv162 8)) #x38d8c2c4 (ite (= i (_ bv163 8)) #x4fdff252
  (ite (= i (_ bv164 8)) #xd1bb67f1 (ite (= i (_ bv165 8)) #xa6bc5767 (ite (= i (_ bv166 8)) #x3fb506dd (ite (= i (_ bv167 8)) #x48b2364b
  (ite (= i (_ bv168 8)) #xd80d2bda (ite (= i (_ bv169 8)) #xaf0a1b4c (ite (= i (_ bv170 8)) #x36034af6 (ite (= i (_ bv171 8)) #x41047a60
  (ite (= i (_ bv172 8)) #xdf60efc3 (ite (= i (_ bv173 8)) #xa867df55 (ite (= i (_ bv174 8)) #x316e8eef (ite (= i (_ bv175 8)) #x4669be79
  (ite (= i (_ bv176 8)) #xcb61b38c (ite (= i (_ bv177 8)) #xbc66831a (ite (= i (_ bv178 8)) #x256fd2a0 (ite (= i (_ bv179 8)) #x5268e236
  (ite (= i (_ bv180 8)) #xcc0c7795 (ite (= i (_ bv181 8)) #xbb0b4703 (ite (= i (_ bv182 8)) #x220216b9 (ite (= i (_ bv183 8)) #x5505262f
  (ite (= i (_ bv184 8)) #xc5ba3bbe (ite (= i (_ bv185 8)) #xb2bd0b28 (ite (= i (_ bv186 8)) #x2bb45a92 (ite (= i (_ bv187 8)) #x5cb36a04
  (ite (= i (_ bv188 8)) #xc2d7ffa7 (ite (= i (_ bv189 8)) #xb5d0cf31 (ite (= i (_ bv190 8)) #x2cd99e8b (ite (= i (_ bv191 8)) #x5bdeae1d
  (ite (= i (_ bv192 8)) #x9b64c2b0 (ite (= i (_ bv193 8)) #xec63f226 (ite (= i (_ bv194 8)) #x756aa39c (ite (= i (_ bv195 8)) #x026d930a
  (ite (= i (_ bv196 8)) #x9c0906a9 (ite (= i (_ bv197 8)) #xeb0e363f (ite (= i (_ bv198 8)) #x72076785 (ite (= i (_ bv199 8)) #x05005713
  (ite (= i (_ bv200 8)) #x95bf4a82 (ite (= i (_ bv201 8)) #xe2b87a14 (ite (= i (_ bv202 8)) #x7bb12bae (ite (= i (_ bv203 8)) #x0cb61b38
  (ite (= i (_ bv204 8)) #x92d28e9b (ite (= i (_ bv205 8)) #xe5d5be0d (ite (= i (_ bv206 8)) #x7cdcefb7 (ite (= i (_ bv207 8)) #x0bdbdf21
  (ite (= i (_ bv208 8)) #x86d3d2d4 (ite (= i (_ bv209 8)) #xf1d4e242 (ite (= i (_ bv210 8)) #x68ddb3f8 (ite (= i (_ bv211 8)) #x1fda836e
  (ite (= i (_ bv212 8)) #x81be16cd (ite (= i (_ bv213 8)) #xf6b9265b (ite (= i (_ bv214 8)) #x6fb077e1 (ite (= i (_ bv215 8)) #x18b74777
  (ite (= i (_ bv216 8)) #x88085ae6 (ite (= i (_ bv217 8)) #xff0f6a70 (ite (= i (_ bv218 8)) #x66063bca (ite (= i (_ bv219 8)) #x11010b5c
  (ite (= i (_ bv220 8)) #x8f659eff (ite (= i (_ bv221 8)) #xf862ae69 (ite (= i (_ bv222 8)) #x616bffd3 (ite (= i (_ bv223 8)) #x166ccf45
  (ite (= i (_ bv224 8)) #xa00ae278 (ite (= i (_ bv225 8)) #xd70dd2ee (ite (= i (_ bv226 8)) #x4e048354 (ite (= i (_ bv227 8)) #x3903b3c2
  (ite (= i (_ bv228 8)) #xa7672661 (ite (= i (_ bv229 8)) #xd06016f7 (ite (= i (_ bv230 8)) #x4969474d (ite (= i (_ bv231 8)) #x3e6e77db
  (ite (= i (_ bv232 8)) #xaed16a4a (ite (= i (_ bv233 8)) #xd9d65adc (ite (= i (_ bv234 8)) #x40df0b66 (ite (= i (_ bv235 8)) #x37d83bf0
  (ite (= i (_ bv236 8)) #xa9bcae53 (ite (= i (_ bv237 8)) #xdebb9ec5 (ite (= i (_ bv238 8)) #x47b2cf7f (ite (= i (_ bv239 8)) #x30b5ffe9
  (ite (= i (_ bv240 8)) #xbdbdf21c (ite (= i (_ bv241 8)) #xcabac28a (ite (= i (_ bv242 8)) #x53b39330 (ite (= i (_ bv243 8)) #x24b4a3a6
  (ite (= i (_ bv244 8)) #xbad03605 (ite (= i (_ bv245 8)) #xcdd70693 (ite (= i (_ bv246 8)) #x54de5729 (ite (= i (_ bv247 8)) #x23d967bf
  (ite (= i (_ bv248 8)) #xb3667a2e (ite (= i (_ bv249 8)) #xc4614ab8 (ite (= i (_ bv250 8)) #x5d681b02 (ite (= i (_ bv251 8)) #x2a6f2b94
  (ite (= i (_ bv252 8)) #xb40bbe37 (ite (= i (_ bv253 8)) #xc30c8ea1 (ite (= i (_ bv254 8)) #x5a05df1b #x2d02ef8d))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
(define-fun step ((c (_ BitVec 32)) (b (_ BitVec 8))) (_ BitVec 32)
  (bvxor (entry (bvxor ((_ extract 7 0) c) b)) (bvlshr c #x00000008)))
(declare-const s0 (_ BitVec 8))
(declare-const s1 (_ BitVec 8))
(declare-const s2 (_ BitVec 8))
(declare-const s3 (_ BitVec 8))
(declare-const s4 (_ BitVec 8))
(declare-const s5 (_ BitVec 8))
(declare-const s6 (_ BitVec 8))
(declare-const s7 (_ BitVec 8))
(declare-const s8 (_ BitVec 8))
(define-fun c0 () (_ BitVec 32) (step #xffffffff s0))
(define-fun c1 () (_ BitVec 32) (step c0 s1))
(define-fun c2 () (_ BitVec 32) (step c1 s2))
(define-fun c3 () (_ BitVec 32) (step c2 s3))
(define-fun c4 () (_ BitVec 32) (step c3 s4))
(define-fun c5 () (_ BitVec 32) (step c4 s5))
(define-fun c6 () (_ BitVec 32) (step c5 s6))
(define-fun c7 () (_ BitVec 32) (step c6 s7))
(define-fun c8 () (_ BitVec 32) (step c7 s8))
; The check value of the algorithm, with all bytes but four known.
(push 1)
(assert (= s0 (_ bv49 8)))
(assert (= s1 (_ bv50 8)))
(assert (= s2 (_ bv51 8)))
(assert (= s3 (_ bv52 8)))
(assert (= s8 (_ bv57 8)))
(assert (= (bvnot c8) #xcbf43926))
(check-sat) ; expect: sat
(get-value ((concat s4 s5 s6 s7))) ; expect: (((concat s4 s5 s6 s7) #x35363738))
(pop 1)
; Three bytes cannot make up for a fourth that is wrong.
(push 1)
(assert (= s0 (_ bv49 8)))
(assert (= s1 (_ bv50 8)))
(assert (= s2 (_ bv51 8)))
(assert (= s3 (_ bv52 8)))
(assert (= s8 (_ bv57 8)))
(assert (not (= s4 #x35)))
(assert (= (bvnot c8) #xcbf43926))
(check-sat) ; expect: unsat
(pop 1)
; Any value can be reached by nine bytes.
(push 1)
(assert (= c8 #x12345678))
(check-sat) ; expect: sat
(pop 1)
