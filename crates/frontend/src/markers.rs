//! Line markers of preprocessed text.
//!
//! A marker is a line `# 12 "file.h" 1 3`: what follows it stands at line 12 of that file; the flag 3 says that the
//! file is a system header.

use clew_ir::{Marker, Unit};

/// The sources of one unit, with the stretches that came from system headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markers {
    files: Vec<String>,
    markers: Vec<Marker>,
    /// For each marker, whether it leads into a system header.
    system: Vec<bool>,
}

impl Markers {
    /// Reads the markers of `text`.
    pub(crate) fn read(text: &[u8]) -> Markers {
        let mut markers = Markers::default();
        let mut start = 0;
        while start < text.len() {
            let end = text[start..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| start + at + 1);
            if text[start] == b'#' {
                if let Some((line, name, system)) = parse(&text[start..end]) {
                    markers.push(end, line, name, system);
                }
            }
            start = end;
        }
        markers
    }

    fn push(&mut self, start: usize, line: u32, name: String, system: bool) {
        let file = self.files.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.files.push(name);
            self.files.len() - 1
        });
        self.markers.push(Marker { start: start as u32, file: file as u32, line });
        self.system.push(system);
    }

    /// Whether the text at `offset` came from a system header.
    pub(crate) fn is_system(&self, offset: u32) -> bool {
        let index = self.markers.partition_point(|marker| marker.start <= offset);
        index > 0 && self.system[index - 1]
    }

    /// The unit as the program keeps it. Bytes that are not UTF-8 are shown as `?`, so that offsets stay right.
    pub(crate) fn into_unit(self, path: String, text: Vec<u8>) -> Unit {
        let text = String::from_utf8(text).unwrap_or_else(|error| ascii(error.into_bytes()));
        Unit { path, text, files: self.files, markers: self.markers }
    }
}

fn ascii(mut bytes: Vec<u8>) -> String {
    for byte in &mut bytes {
        if !byte.is_ascii() {
            *byte = b'?';
        }
    }
    String::from_utf8(bytes).expect("ASCII is UTF-8")
}

fn parse(line: &[u8]) -> Option<(u32, String, bool)> {
    let line = std::str::from_utf8(line).ok()?.strip_prefix('#')?.trim_start();
    let line = line.strip_prefix("line").unwrap_or(line).trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].trim_start().strip_prefix('"')?;
    let (name, flags) = unquote(rest)?;
    Some((number, name, flags.split_whitespace().any(|flag| flag == "3")))
}

/// The text up to the closing quote, with escapes undone, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((name, &text[at + 1..])),
            '\\' => name.push(chars.next()?.1),
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back_to_files() {
        let text = b"# 1 \"a.c\"\nint x;\n# 7 \"/usr/include/h.h\" 1 3\n\nint y;\n# 3 \"a.c\" 2\nint z;\n";
        let markers = Markers::read(text);
        let at = |needle: &str| String::from_utf8_lossy(text).find(needle).expect("the text holds it") as u32;
        assert!(!markers.is_system(at("int x")));
        assert!(markers.is_system(at("int y")));
        let unit = markers.into_unit("a.c".to_owned(), text.to_vec());
        assert_eq!(unit.locate(at("y;")).line, 8);
        assert_eq!(unit.locate(at("int z")).line, 3);
        assert_eq!(unit.locate(at("int z")).file, "a.c");
    }
}
