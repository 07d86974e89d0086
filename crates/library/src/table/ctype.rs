//! Functions of ctype.h, in the "C" locale.

use crate::Function;
use crate::row::Returned;

const fn class(name: &'static str) -> Function {
    Function::new(name, "ctype.h").model()
}

/// Functions behind the macros of the GNU C library: each gives the address of a table.
const fn table(name: &'static str) -> Function {
    class(name).returns(Returned::Object)
}

pub(super) const ROWS: &[Function] = &[
    class("isalnum"),
    class("isalpha"),
    class("isascii"),
    class("isblank"),
    class("iscntrl"),
    class("isdigit"),
    class("isgraph"),
    class("islower"),
    class("isprint"),
    class("ispunct"),
    class("isspace"),
    class("isupper"),
    class("isxdigit"),
    class("toascii"),
    class("tolower"),
    class("toupper"),
    table("__ctype_b_loc"),
    table("__ctype_tolower_loc"),
    table("__ctype_toupper_loc"),
];
