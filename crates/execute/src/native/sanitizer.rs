//! What a sanitizer said.

/// Exit status of a test that a sanitizer ended, as `server.c` asks of it.
pub(super) const STATUS: i32 = 99;

/// The first line of a report, without process number and addresses, which differ from run to run.
pub(super) fn first_line(output: &[u8]) -> Option<String> {
    let output = String::from_utf8_lossy(output);
    let line = output.lines().find(|line| line.contains("runtime error: ") || line.contains("Sanitizer: "))?;
    let line = line.split_once("==ERROR: ").map_or(line, |(_, rest)| rest);
    let end = [" on address 0x", " on unknown address 0x"].iter().filter_map(|stop| line.find(stop)).min();
    Some(line[..end.unwrap_or(line.len())].to_owned())
}
