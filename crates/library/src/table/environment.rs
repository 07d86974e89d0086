//! What the library keeps for itself: `errno` and jumps.

use crate::ERRNO_LOCATION;
use crate::Function;
use crate::row::Requirement::Writable;
use crate::row::{Returned, Size, Write};

const fn jump(name: &'static str) -> Function {
    Function::new(name, "setjmp.h")
}

pub(super) const ROWS: &[Function] = &[
    Function::new(ERRNO_LOCATION, "errno.h").model().returns(Returned::Object),
    jump("setjmp")
        .also(&["_setjmp", "__sigsetjmp", "sigsetjmp"])
        .has_state()
        .writes(&[Write(0, Size::Target)])
        .requires(&[Writable(0, Size::Target)]),
    jump("longjmp").also(&["_longjmp", "__longjmp_chk", "siglongjmp"]).has_state().ends().returns(Returned::Nothing),
];
