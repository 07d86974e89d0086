//! Class files that are broken: an error or code that is not supported, never a crash.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use clew_frontend_jvm::{Class, ClassPath, lower};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

fn java_home() -> Option<PathBuf> {
    let javac = Command::new("sh").args(["-c", "readlink -f \"$(command -v javac)\""]).output().ok()?;
    let path = String::from_utf8(javac.stdout).ok()?;
    Path::new(path.trim()).ancestors().nth(2).filter(|home| home.join("lib/modules").is_file()).map(Path::to_owned)
}

/// A class file of javac with a bit of everything, and the class path it is on.
fn subject() -> Option<(PathBuf, Rc<ClassPath>, Vec<u8>)> {
    let home = java_home()?;
    let folder = std::env::temp_dir().join(format!("clew-jvm-corrupt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("Exceptions.java");
    std::fs::write(&source, include_str!("java/Exceptions.java")).unwrap();
    let done = Command::new("javac").arg("-g").arg("-d").arg(&folder).arg(&source).status().unwrap();
    assert!(done.success());
    let path = Rc::new(ClassPath::open(std::slice::from_ref(&folder), Some(&home)).unwrap());
    let bytes = std::fs::read(folder.join("Exceptions.class")).unwrap();
    Some((folder, path, bytes))
}

fn next(seed: &mut u64) -> usize {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 16) as usize
}

#[test]
fn mutated_class_files_do_not_crash() {
    let Some((folder, path, original)) = subject() else {
        eprintln!("a JDK is not installed: its tests are left out");
        return;
    };
    // What the reader panics on is caught and said; the message of the panic would only be noise.
    std::panic::set_hook(Box::new(|_| {}));
    let count: u64 = std::env::var("CLEW_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut seed = 0x1234_5678_9abc_def1;
    let (mut refused, mut lowered) = (0, 0);
    for _ in 0..count {
        let mut bytes = original.clone();
        for _ in 0..1 + next(&mut seed) % 4 {
            let at = next(&mut seed) % bytes.len();
            bytes[at] = match next(&mut seed) % 3 {
                0 => bytes[at].wrapping_add(1),
                1 => 0xff,
                _ => next(&mut seed) as u8,
            };
        }
        if next(&mut seed).is_multiple_of(10) {
            bytes.truncate(next(&mut seed) % bytes.len());
        }
        let Ok(class) = Class::read(bytes.clone()) else {
            refused += 1;
            continue;
        };
        std::fs::write(folder.join("Exceptions.class"), &bytes).unwrap();
        let path = Rc::new(path.reopen().unwrap());
        for method in &class.methods {
            let name = format!("{}{}", method.name, method.descriptor);
            if let Ok(done) = lower(&path, Vec::new(), "Exceptions", &name) {
                let broken = clew_ir::verify::verify(&done.program);
                assert!(broken.is_empty(), "{name}: {}", broken[0]);
                lowered += 1;
                break;
            }
        }
    }
    let _ = std::panic::take_hook();
    let _ = std::fs::remove_dir_all(folder);
    assert!(refused > 0 && lowered > 0, "{refused} refused, {lowered} lowered");
}
