//! Builds the fork server, so that no run has to.
//!
//! It depends on the machine alone. Where it cannot be built here (no compiler, or a build for another machine) it is
//! left out: runs then build it with the user's compiler.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "src/native/server.c";
const FLAGS: &str = include_str!("src/native/server.flags");

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-changed=src/native/together.h");
    println!("cargo::rerun-if-changed=src/native/server.flags");
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rustc-check-cfg=cfg(server)");
    let server = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("server");
    if env::var("HOST") == env::var("TARGET") && is_built(&server) {
        println!("cargo::rustc-cfg=server");
    }
}

fn is_built(server: &Path) -> bool {
    let compiler = env::var_os("CC").unwrap_or_else(|| OsString::from("cc"));
    let mut command = Command::new(compiler);
    command.args(FLAGS.split_whitespace()).arg("-o").arg(server).arg(SOURCE).args(["-ldl", "-lm"]);
    command.status().is_ok_and(|status| status.success())
}
