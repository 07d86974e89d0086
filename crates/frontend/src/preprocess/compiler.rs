//! Running the user's compiler as a preprocessor.
//!
//! The compiler is started directly, never through a shell, with its input closed, its messages in English, and without
//! the environment variables that make it write dependency files. Its output is read up to a limit, so that a file that
//! expands without end costs bounded memory.

use super::{Build, MAX_TEXT, scan};
use crate::error::Error;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of the compiler gave.
pub(super) struct Run {
    /// What it printed.
    pub(super) output: Vec<u8>,
    /// What it said on the error channel.
    pub(super) said: String,
}

/// The words of a `--cc` value: a program, or a program with flags.
pub(super) fn words(text: &str) -> Result<Vec<String>, Error> {
    let malformed = |reason: &str| Error::NoCompiler { compiler: text.to_owned(), reason: reason.to_owned() };
    if Path::new(text).is_file() {
        return Ok(vec![text.to_owned()]);
    }
    let words = shlex::split(text).ok_or_else(|| malformed("a quote is not closed"))?;
    if words.is_empty() { Err(malformed("the name is empty")) } else { Ok(words) }
}

/// Whether a program can be found, the way the system looks for it.
pub(super) fn exists(program: &str, directory: Option<&Path>) -> bool {
    if program.contains('/') {
        let path = Path::new(program);
        return path.is_file() || directory.is_some_and(|directory| directory.join(path).is_file());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// The source file, expanded.
pub(super) fn expand(build: &Build, extra: &[&str]) -> Result<Run, Error> {
    let mut command = command(build, &build.flags);
    command.args(extra).args(["-E", "-x", "c"]).arg(source_word(build));
    run(command, build)
}

/// The macros the compiler defines by itself under flags that bear on the machine.
pub(super) fn predefined(build: &Build, flags: &[String]) -> Result<BTreeMap<String, String>, Error> {
    let mut command = command(build, flags);
    command.args(["-dM", "-E", "-x", "c", "-"]);
    Ok(definitions(&run(command, build)?.output))
}

fn command(build: &Build, flags: &[String]) -> Command {
    let (program, leading) = build.compiler.split_first().expect("a compiler has a name");
    let mut command = Command::new(program);
    command.args(leading).args(flags).env("LC_ALL", "C");
    command.env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES").env_remove("GCC_COMPARE_DEBUG");
    if let Some(directory) = &build.directory {
        command.current_dir(directory);
    }
    command
}

/// The file as a word that cannot be taken for a flag.
fn source_word(build: &Build) -> std::path::PathBuf {
    if build.file.to_string_lossy().starts_with('-') { Path::new(".").join(&build.file) } else { build.file.clone() }
}

fn run(mut command: Command, build: &Build) -> Result<Run, Error> {
    let broken =
        |error: std::io::Error| Error::NoCompiler { compiler: build.compiler.join(" "), reason: error.to_string() };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(broken)?;
    let mut errors = child.stderr.take().expect("the error channel is piped").take(1 << 20);
    let listener = std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = errors.read_to_end(&mut said);
        // What exceeds the limit is read and dropped, so that the compiler is not stopped by a full pipe.
        let _ = std::io::copy(&mut errors.into_inner(), &mut std::io::sink());
        String::from_utf8_lossy(&said).into_owned()
    });
    let mut output = Vec::new();
    child.stdout.take().expect("the output is piped").take(MAX_TEXT + 1).read_to_end(&mut output).map_err(broken)?;
    let too_large = output.len() as u64 > MAX_TEXT;
    if too_large {
        let _ = child.kill();
    }
    let status = child.wait().map_err(broken)?;
    let said = listener.join().unwrap_or_default();
    if too_large {
        return Err(Error::TooLarge { path: build.path(), expanded: true, limit: MAX_TEXT });
    }
    if !status.success() {
        return Err(Error::Refused { path: build.path(), command: spelled(&command), output: said });
    }
    Ok(Run { output, said })
}

/// The command as one line.
fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// The macros without parameters that the `#define` and `#undef` lines of an output leave.
pub(super) fn definitions(output: &[u8]) -> BTreeMap<String, String> {
    let mut code = Vec::with_capacity(output.len());
    scan::walk(output, &mut |class, start, end| {
        if class != scan::Class::Comment {
            code.extend_from_slice(&output[start..end]);
        }
    });
    let mut macros = BTreeMap::new();
    for line in String::from_utf8_lossy(&code).lines() {
        if let Some(name) = line.strip_prefix("#undef ") {
            macros.remove(name.trim());
        } else if let Some((name, value)) = line.strip_prefix("#define ").and_then(|rest| rest.split_once(' '))
            && !name.contains('(')
        {
            macros.insert(name.to_owned(), value.trim().to_owned());
        }
    }
    macros
}

#[cfg(test)]
mod tests {
    use super::definitions;

    #[test]
    fn what_definitions_leave() {
        let output =
            b"#define A 1\n#define F(x) x\n/*\n#define B 2\n*/\n#define C '\"'\n#undef A\n#define D \nint x;\n";
        let found: Vec<(String, String)> = definitions(output).into_iter().collect();
        assert_eq!(found, [("C", "'\"'"), ("D", "")].map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
