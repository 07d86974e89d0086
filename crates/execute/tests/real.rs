//! Real libraries, driven by the programs of `tests/real`, print the same interpreted as compiled.
//!
//! Slow and in need of the libraries' sources, so behind a variable: `CLEW_REAL` is a folder that holds the unpacked
//! crates `bzip2-sys`, `lz4-sys`, `libz-sys`, `lua-src` and `libsqlite3-sys`, such as cargo's own `registry/src/*`.

use clew_execute::{Captured, Limits, Options, Outcome, interpret};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library: the driver, the crate with its sources, the folder in it, the files, and what is defined.
struct Library {
    driver: &'static str,
    package: &'static str,
    folder: &'static str,
    /// Files by name without extension; empty for all but those of [`Library::except`].
    files: &'static [&'static str],
    except: &'static [&'static str],
    defines: &'static [&'static str],
}

const LIBRARIES: &[Library] = &[
    Library {
        driver: "bzip2",
        package: "bzip2-sys-",
        folder: "bzip2-1.0.8",
        files: &["blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib"],
        except: &[],
        defines: &["BZ_NO_STDIO"],
    },
    Library {
        driver: "lz4",
        package: "lz4-sys-",
        folder: "liblz4/lib",
        files: &["lz4", "lz4hc"],
        except: &[],
        defines: &[],
    },
    Library {
        driver: "zlib",
        package: "libz-sys-",
        folder: "src/zlib",
        files: &[],
        except: &["gzclose", "gzlib", "gzread", "gzwrite"],
        defines: &[],
    },
    Library {
        driver: "lua",
        package: "lua-src-",
        folder: "lua-5.4.9",
        files: &[],
        except: &["lua", "luac", "onelua", "ltests"],
        defines: &[],
    },
    Library {
        driver: "sqlite",
        package: "libsqlite3-sys-",
        folder: "sqlite3",
        files: &["sqlite3"],
        except: &[],
        defines: &[
            "SQLITE_OS_OTHER=1",
            "SQLITE_THREADSAFE=0",
            "SQLITE_OMIT_LOAD_EXTENSION",
            "SQLITE_TEMP_STORE=3",
            "SQLITE_OMIT_WAL",
        ],
    },
];

#[test]
fn libraries_run_as_they_do_natively() {
    let Some(crates) = std::env::var_os("CLEW_REAL") else { return };
    for library in LIBRARIES {
        let source = library.source(Path::new(&crates));
        let printed = native(library, &source);
        let (outcome, io) = interpreted(&source);
        assert_eq!(outcome, Outcome::Exited(0), "{}", library.driver);
        assert_eq!(String::from_utf8_lossy(&io.out), String::from_utf8_lossy(&printed), "{}", library.driver);
    }
}

impl Library {
    fn source(&self, crates: &Path) -> clew_frontend::Options {
        let packages = entries(crates).into_iter().filter(|path| name(path).starts_with(self.package));
        let folder = packages.map(|package| package.join(self.folder)).find(|folder| folder.is_dir());
        let folder = folder.unwrap_or_else(|| panic!("{}*/{} is in {}", self.package, self.folder, crates.display()));
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real");
        let mut files = vec![here.join(self.driver).with_extension("c")];
        files.extend(entries(&folder).into_iter().filter(|path| self.wants(path)));
        clew_frontend::Options {
            files,
            includes: vec![folder, here],
            defines: self.defines.iter().map(|&define| define.to_owned()).collect(),
            ..clew_frontend::Options::default()
        }
    }

    fn wants(&self, path: &Path) -> bool {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let listed = self.files.is_empty() && !self.except.contains(&stem) || self.files.contains(&stem);
        listed && path.extension().is_some_and(|extension| extension == "c")
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn native(library: &Library, source: &clew_frontend::Options) -> Vec<u8> {
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(library.driver);
    let mut compile = Command::new("cc");
    compile.arg("-w").args(source.flags()).args(&source.files).arg("-o").arg(&binary).arg("-lm");
    let compiled = compile.output().expect("cc can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().expect("the program can be started");
    assert!(run.status.success(), "{} runs natively", library.driver);
    run.stdout
}

fn interpreted(source: &clew_frontend::Options) -> (Outcome, Captured) {
    let loaded = clew_frontend::load(source).expect("the sources can be read");
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let main = loaded.program.function("main").expect("the driver has a main function");
    let options = Options { limits: Limits { steps: 10_000_000_000, ..Limits::default() }, ..Options::default() };
    let mut io = Captured::default();
    let outcome = interpret(&loaded.program, main, &["program"], &options, &mut io);
    (outcome, io)
}
