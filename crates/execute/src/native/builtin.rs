//! Functions that compilers know by name: they compute `strlen("x")` themselves and would not call a `strlen` under
//! test, and exchange the arguments of an `fmax`.

use clew_ir::Program;
use std::collections::BTreeSet;

/// Names by which GCC and Clang know functions of the C library that programs define themselves now and then.
const KNOWN: &str = "abort abs alloca bcmp bcopy bzero calloc exit ffs ffsl ffsll fprintf fputc fputs free fwrite \
    imaxabs index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper \
    isxdigit labs llabs malloc memccpy memchr memcmp memcpy memmove mempcpy memset printf putchar puts realloc rindex \
    scanf snprintf sprintf sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strlen \
    strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr toascii tolower toupper vfprintf \
    vprintf vsnprintf vsprintf";

/// Functions of math.h they know, each for `double`, and with `f` or `l` behind for `float` and `long double`.
const MATHEMATICAL: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 \
    exp2 expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llrint \
    llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint \
    round scalb scalbln scalbn signbit significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn";

/// Flags by which a compiler calls those that a program defines, and presumes nothing about them.
pub fn own_flags(program: &Program) -> Vec<String> {
    own(program).iter().map(|name| format!("-fno-builtin-{name}")).collect()
}

/// Those of them a program defines.
fn own(program: &Program) -> Vec<&str> {
    let is_own = |id| program.functions[id].is_defined() && !program.models.contains(&id);
    let defined = program.functions.ids().filter(|id| is_own(*id)).map(|id| program.functions[id].name.as_str());
    let names: BTreeSet<&str> = KNOWN.split_whitespace().collect();
    let mathematical: BTreeSet<&str> = MATHEMATICAL.split_whitespace().collect();
    let is_known = |name: &str| {
        let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
        names.contains(name) || mathematical.contains(name) || mathematical.contains(stem)
    };
    defined.filter(|name| is_known(name)).collect()
}
