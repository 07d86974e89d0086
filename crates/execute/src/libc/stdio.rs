//! `stdio.h` besides formatted input and output.

use super::file::File;
use super::library::FILE_BYTES;
use super::{Call, Plain, Reply, Trouble, address, environment, int, zero};
use crate::io::Stream;
use crate::memory::{Contents, Origin};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("clearerr", clearerr),
    ("fclose", fclose),
    ("fdopen", fopen),
    ("feof", feof),
    ("ferror", ferror),
    ("fflush", zero),
    ("fgetc", fgetc),
    ("fgets", fgets),
    ("fileno", fileno),
    ("flockfile", super::nothing),
    ("fopen", fopen),
    ("fputc", fputc),
    ("fputs", fputs),
    ("fread", fread),
    ("freopen", fopen),
    ("fseek", fseek),
    ("ftell", ftell),
    ("funlockfile", super::nothing),
    ("fwrite", fwrite),
    ("getchar", getchar),
    ("isatty", zero),
    ("perror", perror),
    ("popen", fopen),
    ("putchar", putchar),
    ("puts", puts),
    ("remove", no_such_file),
    ("rename", no_such_file),
    ("rewind", rewind),
    ("setbuf", super::nothing),
    ("setlinebuf", super::nothing),
    ("setvbuf", zero),
    ("tmpfile", tmpfile),
    ("ungetc", ungetc),
    ("unlink", no_such_file),
    ("write", write_descriptor),
];

const EOF: i64 = -1;
const ENOENT: i32 = 2;
const EBADF: i32 = 9;

fn open<'c>(call: &'c mut Call<'_>, file: u64) -> Result<&'c mut File, Trouble> {
    match call.library.files.get(file) {
        Some(file) => Ok(file),
        None if file == 0 => Err(Trouble::Precondition("the stream is null".to_owned())),
        None => Err(Trouble::Precondition("the stream is not open".to_owned())),
    }
}

/// Writes to a stream and says whether that was possible.
pub(super) fn write(call: &mut Call<'_>, file: u64, bytes: &[u8]) -> Result<bool, Trouble> {
    let io = &mut *call.io;
    match call.library.files.get(file) {
        Some(file) => Ok(file.write(io, bytes)),
        None => Err(Trouble::Precondition("the stream is not open".to_owned())),
    }
}

/// The next byte of a stream.
pub(super) fn read(call: &mut Call<'_>, file: u64) -> Result<Option<u8>, Trouble> {
    let io = &mut *call.io;
    match call.library.files.get(file) {
        Some(file) => Ok(file.read(io)),
        None => Err(Trouble::Precondition("the stream is not open".to_owned())),
    }
}

fn print(call: &mut Call<'_>, bytes: &[u8]) -> bool {
    call.library.files.standard_output(&mut *call.io, bytes)
}

fn putchar(call: &mut Call<'_>) -> Reply {
    let byte = call.byte(0)?;
    let written = print(call, &[byte]);
    int(if written { i64::from(byte) } else { EOF })
}

fn puts(call: &mut Call<'_>) -> Reply {
    let mut line = call.string(0)?;
    line.push(b'\n');
    let written = print(call, &line);
    int(if written { line.len() as i64 } else { EOF })
}

fn fputc(call: &mut Call<'_>) -> Reply {
    let (byte, file) = (call.byte(0)?, call.address(1)?);
    let written = write(call, file, &[byte])?;
    int(if written { i64::from(byte) } else { EOF })
}

fn fputs(call: &mut Call<'_>) -> Reply {
    let (text, file) = (call.string(0)?, call.address(1)?);
    let written = write(call, file, &text)?;
    int(if written { 1 } else { EOF })
}

fn fwrite(call: &mut Call<'_>) -> Reply {
    let (from, size, count, file) = (call.address(0)?, call.size(1)?, call.size(2)?, call.address(3)?);
    let total = size.checked_mul(count).ok_or_else(|| Trouble::Precondition("size is too large".to_owned()))?;
    let bytes = call.memory.read(from, total)?.to_vec();
    let written = total > 0 && write(call, file, &bytes)?;
    address(if written { count as u64 } else { 0 })
}

fn write_descriptor(call: &mut Call<'_>) -> Reply {
    let stream = match call.int(0)? {
        1 => Stream::Out,
        2 => Stream::Err,
        _ => {
            call.set_errno(EBADF)?;
            return int(-1);
        }
    };
    let (from, count) = (call.address(1)?, call.size(2)?);
    call.io.write(stream, call.memory.read(from, count)?);
    int(count as i64)
}

fn fgetc(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    int(read(call, file)?.map_or(EOF, i64::from))
}

fn getchar(call: &mut Call<'_>) -> Reply {
    let file = call.library.files.standard_input();
    int(read(call, file)?.map_or(EOF, i64::from))
}

fn ungetc(call: &mut Call<'_>) -> Reply {
    let (code, file) = (call.int(0)?, call.address(1)?);
    if code == EOF {
        return int(EOF);
    }
    open(call, file)?.push_back(code as u8);
    int(i64::from(code as u8))
}

fn fgets(call: &mut Call<'_>) -> Reply {
    let (to, size, file) = (call.address(0)?, call.int(1)?, call.address(2)?);
    let mut line = Vec::new();
    while (line.len() as i64) < size - 1 && line.last() != Some(&b'\n') {
        match read(call, file)? {
            Some(byte) => line.push(byte),
            None => break,
        }
    }
    if size < 1 || line.is_empty() && size > 1 {
        return address(0);
    }
    line.push(0);
    call.memory.write(to, &line)?;
    address(to)
}

fn fread(call: &mut Call<'_>) -> Reply {
    let (to, size, count, file) = (call.address(0)?, call.size(1)?, call.size(2)?, call.address(3)?);
    let total = size.checked_mul(count).ok_or_else(|| Trouble::Precondition("size is too large".to_owned()))?;
    let mut bytes = Vec::new();
    while bytes.len() < total {
        match read(call, file)? {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    call.memory.write(to, &bytes)?;
    address(bytes.len().checked_div(size).unwrap_or(0) as u64)
}

/// There are no files to open.
fn fopen(call: &mut Call<'_>) -> Reply {
    call.set_errno(ENOENT)?;
    address(0)
}

fn no_such_file(call: &mut Call<'_>) -> Reply {
    call.set_errno(ENOENT)?;
    int(-1)
}

fn tmpfile(call: &mut Call<'_>) -> Reply {
    let file = call.memory.allocate(FILE_BYTES, 16, Origin::Library("temporary file"), Contents::Zero)?;
    call.library.files.open_temporary(file);
    address(file)
}

fn fclose(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    open(call, file)?;
    call.library.files.close(file);
    int(0)
}

fn fseek(call: &mut Call<'_>) -> Reply {
    let (file, offset, whence) = (call.address(0)?, call.int(1)?, call.int(2)?);
    let moved = open(call, file)?.seek(offset, whence);
    int(if moved { 0 } else { -1 })
}

fn ftell(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    int(open(call, file)?.position().map_or(-1, |position| position as i64))
}

fn rewind(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    let file = open(call, file)?;
    file.seek(0, 0);
    file.error = false;
    Ok(None)
}

fn feof(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    int(i64::from(open(call, file)?.at_end))
}

fn ferror(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    int(i64::from(open(call, file)?.error))
}

fn clearerr(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    let file = open(call, file)?;
    file.at_end = false;
    file.error = false;
    Ok(None)
}

fn fileno(call: &mut Call<'_>) -> Reply {
    let file = call.address(0)?;
    open(call, file)?;
    int(call.library.files.descriptor(file))
}

fn perror(call: &mut Call<'_>) -> Reply {
    let mut line = match call.address(0)? {
        0 => Vec::new(),
        _ => call.string(0)?,
    };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend(environment::error_text(call)?);
    line.push(b'\n');
    call.io.write(Stream::Err, &line);
    Ok(None)
}
