//! What a suite was made from: the command, the compiler, the sources.

use clew_execute::native::arithmetic;
use clew_frontend::Loaded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a suite was made from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Made {
    /// The command line, without the program.
    pub command: Vec<String>,
    /// The compiler and its leading words.
    pub compiler: Vec<String>,
    /// Flags of the first file.
    pub flags: Vec<String>,
    /// The user's source files and headers.
    pub sources: Vec<HashedFile>,
    /// The arithmetic of floats in the native build, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floats: Option<Floats>,
}

/// The arithmetic of floats in a native build.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Floats {
    /// `FLT_EVAL_METHOD`: 0 if every operation is rounded to its type.
    pub evaluation_method: Option<i32>,
    /// Whether a product and a sum may become one operation.
    pub contraction: bool,
    /// How results are rounded.
    pub rounding: String,
    /// Flags left out because they would give another arithmetic than C's.
    pub flags_left_out: Vec<String>,
}

impl Floats {
    /// The arithmetic of the native build of a program.
    pub fn of(loaded: &Loaded) -> Option<Floats> {
        let build = loaded.builds.iter().flatten().next()?;
        let departures = arithmetic::departures(&build.flags).into_iter().map(str::to_owned).collect();
        Some(Floats {
            evaluation_method: arithmetic::evaluation_method(&build.compiler, &arithmetic::faithful(&build.flags)),
            contraction: false,
            rounding: "to nearest, ties to even".to_owned(),
            flags_left_out: departures,
        })
    }
}

/// A file with its hash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HashedFile {
    /// Its path.
    pub file: String,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

impl Made {
    /// What a loaded program was made from.
    pub fn of(loaded: &Loaded, command: Vec<String>) -> Made {
        let build = loaded.builds.iter().flatten().next();
        Made {
            command,
            compiler: build.map_or_else(Vec::new, |build| build.compiler.clone()),
            flags: build.map_or_else(Vec::new, |build| build.flags.clone()),
            sources: sources(loaded),
            floats: None,
        }
    }
}

/// The files that the units were read from, but for those of the system.
fn sources(loaded: &Loaded) -> Vec<HashedFile> {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (unit, build) in loaded.program.sources.units.values().zip(&loaded.builds) {
        let directory = build.as_ref().and_then(|build| build.directory.clone()).unwrap_or_default();
        let own = unit.files.iter().filter(|name| !name.starts_with('<') && !name.starts_with("/usr/"));
        for path in own.map(|name| directory.join(Path::new(name))) {
            if let Ok(bytes) = std::fs::read(&path) {
                files.insert(path, crate::hash::sha256(&bytes));
            }
        }
    }
    files.into_iter().map(|(path, sha256)| HashedFile { file: path.display().to_string(), sha256 }).collect()
}
