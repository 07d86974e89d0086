//! Compiler flags that change what C means.
//!
//! Those that clew obeys become [`Semantics`], or change the data model that the compiler itself tells (`-m32`,
//! `-funsigned-char`). Each of the others is named in a warning: what is said of the program then holds for C without
//! that flag.

use super::Build;
use crate::diagnostic::{Diagnostic, Place};

/// What flags change about the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    /// Signed integers wrap around (`-fwrapv`, `-fno-strict-overflow`).
    pub wraps: bool,
    /// An enumeration has the smallest type that holds its values (`-fshort-enums`).
    pub short_enums: bool,
}

/// Flags that are not obeyed, by how they begin, with what they change.
const NOT_OBEYED: &[(&str, &str)] = &[
    ("-fwrapv-pointer", "pointers that leave their object are still undefined"),
    ("-fpack-struct", "members of structures keep their alignment"),
    ("-funsigned-bitfields", "bit-fields of type `int` stay signed"),
    ("-fno-signed-bitfields", "bit-fields of type `int` stay signed"),
    ("-fshort-wchar", "wide literals keep their type"),
    ("-mms-bitfields", "bit-fields lie as gcc puts them by default"),
    ("-malign-double", "`double` keeps its alignment"),
    ("-m96bit-long-double", "`long double` keeps its size"),
    ("-m128bit-long-double", "`long double` keeps its size"),
    ("-mlong-double-", "`long double` keeps its format"),
    ("-mx32", "the data model is not known to clew"),
    ("-m16", "the data model is not known to clew"),
    ("-ffast-math", "floats are computed as IEEE 754 says"),
    ("-Ofast", "floats are computed as IEEE 754 says"),
    ("-funsafe-math-optimizations", "floats are computed as IEEE 754 says"),
    ("-fassociative-math", "floats are computed as IEEE 754 says"),
    ("-freciprocal-math", "floats are computed as IEEE 754 says"),
    ("-ffinite-math-only", "NaNs and infinities are values like any other"),
    ("-fno-signed-zeros", "zeros have signs"),
    ("-fsingle-precision-constant", "constants without a suffix stay `double`"),
    ("-mfpmath=387", "floats are rounded after every operation"),
    ("-ffp-contract=fast", "products and sums are rounded one by one"),
    ("-fno-delete-null-pointer-checks", "nothing lies at the null pointer"),
    ("-ftrivial-auto-var-init", "reading a variable before it is written is still undefined"),
    ("-fopenmp", "pragmas of OpenMP are not read: the code runs as if they were not there"),
    ("-fopenacc", "pragmas of OpenACC are not read: the code runs as if they were not there"),
    ("-fgnu-tm", "transactions are not read"),
    ("-finstrument-functions", "functions called at entries and exits are left out"),
];

/// Pairs of flags of which the last one counts: on, off, and what the first stands for.
const SWITCHES: &[(&str, &str, Switch)] = &[
    ("-fwrapv", "-fno-wrapv", Switch::Wraps),
    ("-fno-strict-overflow", "-fstrict-overflow", Switch::Wraps),
    ("-fno-trapv", "-ftrapv", Switch::Traps),
    ("-fshort-enums", "-fno-short-enums", Switch::ShortEnums),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Switch {
    Wraps,
    /// `-ftrapv` takes `-fwrapv` back: an overflow is an error again.
    Traps,
    ShortEnums,
}

/// What the flags of a build change, and a warning for each flag that is not obeyed.
pub(super) fn of(build: &Build) -> (Semantics, Vec<Diagnostic>) {
    let mut semantics = Semantics::default();
    let mut notes = Vec::new();
    for flag in build.compiler.iter().skip(1).chain(&build.flags) {
        for (on, off, switch) in SWITCHES {
            let is_on = flag == on;
            match switch {
                Switch::Wraps if is_on || flag == off => semantics.wraps = is_on,
                Switch::Traps if flag == off => semantics.wraps = false,
                Switch::ShortEnums if is_on || flag == off => semantics.short_enums = is_on,
                _ => {}
            }
        }
        let is_it = |(name, _): &&(&str, &str)| flag == name || name.len() > 4 && flag.starts_with(name);
        if let Some((_, what)) = NOT_OBEYED.iter().find(is_it) {
            let message = format!("the compiler flag `{flag}` is not obeyed: {what}");
            notes.push(Diagnostic::warning(Place::Nowhere, message));
        }
    }
    (semantics, notes)
}

#[cfg(test)]
mod tests {
    use super::{Build, Semantics, of};

    fn check(flags: &str, expect: Semantics, notes: usize) {
        let flags = flags.split_whitespace().map(str::to_owned).collect();
        let build = Build { compiler: vec!["cc".to_owned()], flags, directory: None, file: "a.c".into() };
        let (semantics, said) = of(&build);
        assert_eq!((semantics, said.len()), (expect, notes), "{said:?}");
    }

    #[test]
    fn the_last_flag_counts() {
        let wraps = Semantics { wraps: true, short_enums: false };
        check("-O2 -fwrapv", wraps, 0);
        check("-fno-strict-overflow", wraps, 0);
        check("-fwrapv -fno-wrapv", Semantics::default(), 0);
        check("-fwrapv -ftrapv", Semantics::default(), 0);
        check("-ftrapv -fwrapv", wraps, 0);
        check("-fshort-enums", Semantics { wraps: false, short_enums: true }, 0);
    }

    #[test]
    fn what_is_not_obeyed_is_said() {
        check("-fpack-struct=1 -ffast-math -mx32", Semantics::default(), 3);
        check("-m32 -funsigned-char -std=c99 -mxgot", Semantics::default(), 0);
        // How inputs may overlap is no matter of reading the source.
        check("-fno-strict-aliasing", Semantics::default(), 0);
    }
}
