//! Functions that compilers know by name: they compute `strlen("x")` themselves and would not call a `strlen` under
//! test.

use clew_ir::Program;

/// Names by which GCC and Clang know functions of the C library that programs define themselves now and then.
const KNOWN: &str = "abort abs alloca bcmp bcopy bzero calloc exit ffs ffsl ffsll fprintf fputc fputs free fwrite \
    imaxabs index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper \
    isxdigit labs llabs malloc memccpy memchr memcmp memcpy memmove mempcpy memset printf putchar puts realloc rindex \
    scanf snprintf sprintf sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strlen \
    strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr toascii tolower toupper vfprintf \
    vprintf vsnprintf vsprintf fabs fabsf floor ceil round trunc sqrt fmin fmax fmod ldexp frexp copysign isnan isinf";

/// Those of them a program defines.
pub(super) fn own(program: &Program) -> Vec<&'static str> {
    let is_own = |id| program.functions[id].is_defined() && !program.models.contains(&id);
    let defined = |name: &str| program.function(name).is_some_and(is_own);
    KNOWN.split_whitespace().filter(|name| defined(name)).collect()
}
