//! A zip archive of small files, stored as they are (APPNOTE 6.3, without compression).

use super::File;

/// The first of January 1980, the earliest date there is: the same files give the same bytes.
const DATE: u16 = 1 << 5 | 1;

/// The archive of some files.
pub(super) fn archive(files: &[File]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = out.len() as u32;
        let entry = entry(file);
        out.extend(0x0403_4b50_u32.to_le_bytes());
        out.extend(&entry);
        out.extend(file.path.as_bytes());
        out.extend(&file.content);
        directory.extend(0x0201_4b50_u32.to_le_bytes());
        directory.extend(20u16.to_le_bytes());
        directory.extend(&entry);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(file.path.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&directory);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

/// What the header of a file and its entry in the directory have in common.
fn entry(file: &File) -> Vec<u8> {
    let size = file.content.len() as u32;
    let mut out = Vec::new();
    // Version 2.0, no flags, stored, midnight.
    for half in [20u16, 0, 0, 0, DATE] {
        out.extend(half.to_le_bytes());
    }
    for word in [checksum(&file.content), size, size] {
        out.extend(word.to_le_bytes());
    }
    out.extend((file.path.len() as u16).to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}

/// CRC-32, bit by bit: the files are small.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn checksums() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
