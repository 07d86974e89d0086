//! What a program asks of its surroundings: errors, time, locale, signals, environment. All of it is fixed, so that runs
//! repeat.

use super::{Call, Plain, Reply, Trouble, address, double, int, nothing, zero};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("__assert", assert_fail),
    ("__assert_fail", assert_fail),
    ("__assert_rtn", assert_fail),
    ("__errno_location", errno_location),
    ("__stack_chk_fail", |_| Err(Trouble::Abort)),
    ("abort", |_| Err(Trouble::Abort)),
    ("alarm", zero),
    ("clock", clock),
    ("clock_gettime", clock_gettime),
    ("difftime", difftime),
    ("getenv", zero),
    ("getpid", |_| int(PROCESS)),
    ("gettimeofday", gettimeofday),
    ("gmtime", gmtime),
    ("gmtime_r", gmtime_r),
    ("localeconv", localeconv),
    ("localtime", gmtime),
    ("localtime_r", gmtime_r),
    ("mktime", mktime),
    ("pthread_mutex_destroy", zero),
    ("pthread_mutex_init", zero),
    ("pthread_mutex_lock", zero),
    ("pthread_mutex_unlock", zero),
    ("raise", raise),
    ("secure_getenv", zero),
    ("setenv", zero),
    ("setlocale", setlocale),
    ("sigaction", zero),
    ("sigaddset", zero),
    ("sigemptyset", zero),
    ("signal", zero),
    ("sigprocmask", zero),
    ("sleep", zero),
    ("strerror", strerror),
    ("strerror_r", strerror),
    ("strftime", strftime),
    ("system", |_| int(-1)),
    ("time", time),
    ("tzset", nothing),
    ("unsetenv", zero),
    ("usleep", zero),
];

/// The moment every run happens at: 2001-09-09 01:46:40 UTC.
const NOW: i64 = 1_000_000_000;
const PROCESS: i64 = 4242;
const SIGABRT: i64 = 6;

fn errno_location(call: &mut Call<'_>) -> Reply {
    address(call.library.errno(call.memory)?)
}

fn assert_fail(call: &mut Call<'_>) -> Reply {
    let expression = call.string(0)?;
    Err(Trouble::Precondition(format!("assertion `{}` does not hold", String::from_utf8_lossy(&expression))))
}

fn raise(call: &mut Call<'_>) -> Reply {
    if call.int(0)? == SIGABRT { Err(Trouble::Abort) } else { int(0) }
}

fn time(call: &mut Call<'_>) -> Reply {
    let place = call.address(0)?;
    if place != 0 {
        let bytes = usize::from(call.memory.target().long_width / 8);
        call.memory.store_number(place, bytes, NOW as u128)?;
    }
    int(NOW)
}

fn clock(_: &mut Call<'_>) -> Reply {
    int(0)
}

fn store_time(call: &mut Call<'_>, place: u64) -> Result<(), Trouble> {
    let bytes = usize::from(call.memory.target().long_width / 8);
    call.memory.store_number(place, bytes, NOW as u128)?;
    Ok(call.memory.store_number(place + bytes as u64, bytes, 0)?)
}

fn clock_gettime(call: &mut Call<'_>) -> Reply {
    let place = call.address(1)?;
    store_time(call, place)?;
    int(0)
}

fn gettimeofday(call: &mut Call<'_>) -> Reply {
    match call.address(0)? {
        0 => {}
        place => store_time(call, place)?,
    }
    int(0)
}

fn difftime(call: &mut Call<'_>) -> Reply {
    double((call.int(0)? - call.int(1)?) as f64)
}

/// A moment as the fields of `struct tm`: year, month, day, hour, minute, second, weekday, day of year.
struct Moment {
    fields: [i64; 9],
}

impl Moment {
    fn new(seconds: i64) -> Moment {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil(days);
        let first = days_from_civil(year, 1, 1);
        let weekday = (days + 4).rem_euclid(7);
        Moment {
            fields: [rest % 60, rest / 60 % 60, rest / 3600, day, month - 1, year - 1900, weekday, days - first, 0],
        }
    }

    /// Reads the first `count` fields.
    fn read(call: &Call<'_>, place: u64, count: usize) -> Result<Moment, Trouble> {
        let mut fields = [0; 9];
        for (index, field) in fields.iter_mut().enumerate().take(count) {
            *field = i64::from(i32::from_le_bytes(call.memory.load(place + 4 * index as u64)?));
        }
        Ok(Moment { fields })
    }

    fn store(&self, call: &mut Call<'_>, place: u64) -> Result<(), Trouble> {
        for (index, field) in self.fields.iter().enumerate() {
            call.memory.store(place + 4 * index as u64, (*field as i32).to_le_bytes())?;
        }
        Ok(())
    }
}

/// Days since 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

fn gmtime(call: &mut Call<'_>) -> Reply {
    let object = call.library.object(call.memory, "struct tm", || vec![0; 56])?;
    store_moment(call, object)
}

fn gmtime_r(call: &mut Call<'_>) -> Reply {
    let object = call.address(1)?;
    store_moment(call, object)
}

/// Stores the moment the first argument points to as a `struct tm`.
fn store_moment(call: &mut Call<'_>, object: u64) -> Reply {
    let place = call.address(0)?;
    let bytes = call.memory.target().long_width / 8;
    let bits = call.memory.load_number(place, bytes.into(), false)?;
    let seconds = clew_scalar::int::signed(bytes * 8, bits) as i64;
    Moment::new(seconds).store(call, object)?;
    address(object)
}

fn mktime(call: &mut Call<'_>) -> Reply {
    let place = call.address(0)?;
    let [second, minute, hour, day, month, year, ..] = Moment::read(call, place, 6)?.fields;
    let (year, month) = (1900 + year + month.div_euclid(12), month.rem_euclid(12) + 1);
    let seconds = (days_from_civil(year, month, 1) + day - 1) * 86_400 + hour * 3600 + minute * 60 + second;
    Moment::new(seconds).store(call, place)?;
    int(seconds)
}

fn strftime(call: &mut Call<'_>) -> Reply {
    let (to, size, moment) = (call.address(0)?, call.size(1)?, call.address(3)?);
    let format = call.string(2)?;
    let moment = Moment::read(call, moment, 9)?;
    let mut text = String::new();
    let mut directives = format.iter();
    while let Some(&byte) = directives.next() {
        match byte {
            b'%' => text.push_str(&time_field(&moment, directives.next().copied())?),
            other => text.push(char::from(other)),
        }
    }
    if text.len() >= size {
        return int(0);
    }
    let length = text.len() as i64;
    text.push('\0');
    call.memory.write(to, text.as_bytes())?;
    int(length)
}

fn time_field(moment: &Moment, directive: Option<u8>) -> Result<String, Trouble> {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let [second, minute, hour, day, month, year, weekday, day_of_year, _] = moment.fields;
    let name = |names: &[&str], index: i64| names[index.rem_euclid(names.len() as i64) as usize].to_owned();
    Ok(match directive {
        Some(b'Y') => (year + 1900).to_string(),
        Some(b'y') => format!("{:02}", year % 100),
        Some(b'm') => format!("{:02}", month + 1),
        Some(b'd') => format!("{day:02}"),
        Some(b'e') => format!("{day:2}"),
        Some(b'H') => format!("{hour:02}"),
        Some(b'I') => format!("{:02}", (hour + 11) % 12 + 1),
        Some(b'M') => format!("{minute:02}"),
        Some(b'S') => format!("{second:02}"),
        Some(b'p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        Some(b'j') => format!("{:03}", day_of_year + 1),
        Some(b'A') => name(&DAYS, weekday),
        Some(b'a') => name(&DAYS, weekday)[..3].to_owned(),
        Some(b'B') => name(&MONTHS, month),
        Some(b'b' | b'h') => name(&MONTHS, month)[..3].to_owned(),
        Some(b'D' | b'x') => format!("{:02}/{day:02}/{:02}", month + 1, year % 100),
        Some(b'F') => format!("{}-{:02}-{day:02}", year + 1900, month + 1),
        Some(b'T' | b'X') => format!("{hour:02}:{minute:02}:{second:02}"),
        Some(b'R') => format!("{hour:02}:{minute:02}"),
        Some(b'c') => format!(
            "{} {} {day:2} {hour:02}:{minute:02}:{second:02} {}",
            &name(&DAYS, weekday)[..3],
            &name(&MONTHS, month)[..3],
            year + 1900
        ),
        Some(b'Z') => "UTC".to_owned(),
        Some(b'z') => "+0000".to_owned(),
        Some(b'n') => "\n".to_owned(),
        Some(b't') => "\t".to_owned(),
        Some(b'%') => "%".to_owned(),
        other => return Err(Trouble::Unsupported(format!("strftime directive {:?}", other.map(char::from)))),
    })
}

/// `struct lconv` of the "C" locale: ten strings, then fourteen characters.
fn localeconv(call: &mut Call<'_>) -> Reply {
    let point = call.library.object(call.memory, "decimal point", || b".\0".to_vec())?;
    let empty = call.library.object(call.memory, "empty string", || vec![0])?;
    let bytes = call.pointer_bytes();
    let object = call.library.object(call.memory, "struct lconv", || {
        let mut contents = vec![0; 10 * bytes];
        contents.resize(10 * bytes + 16, 127);
        contents
    })?;
    for index in 0..10 {
        let string = if index == 0 { point } else { empty };
        call.store_pointer(object + index * bytes as u64, string)?;
    }
    address(object)
}

/// Only the "C" locale exists.
fn setlocale(call: &mut Call<'_>) -> Reply {
    let wanted = match call.address(1)? {
        0 => Vec::new(),
        _ => call.string(1)?,
    };
    if !matches!(&wanted[..], b"" | b"C" | b"POSIX") {
        return address(0);
    }
    address(call.library.object(call.memory, "locale name", || b"C\0".to_vec())?)
}

const ERRORS: &[(i64, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (3, "No such process"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (9, "Bad file descriptor"),
    (11, "Resource temporarily unavailable"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (14, "Bad address"),
    (16, "Device or resource busy"),
    (17, "File exists"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (22, "Invalid argument"),
    (24, "Too many open files"),
    (25, "Inappropriate ioctl for device"),
    (27, "File too large"),
    (28, "No space left on device"),
    (29, "Illegal seek"),
    (30, "Read-only file system"),
    (32, "Broken pipe"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (36, "File name too long"),
    (38, "Function not implemented"),
    (75, "Value too large for defined data type"),
    (84, "Invalid or incomplete multibyte or wide character"),
];

fn message(code: i64) -> String {
    let known = ERRORS.iter().find(|(number, _)| *number == code);
    known.map_or_else(|| format!("Unknown error {code}"), |(_, text)| (*text).to_owned())
}

/// The text of the current `errno`.
pub(super) fn error_text(call: &mut Call<'_>) -> Result<Vec<u8>, Trouble> {
    let place = call.library.errno(call.memory)?;
    let code = i32::from_le_bytes(call.memory.load(place)?);
    Ok(message(code.into()).into_bytes())
}

fn strerror(call: &mut Call<'_>) -> Reply {
    let text = message(call.int(0)?);
    let object = call.library.object(call.memory, "strerror", || vec![0; 64])?;
    let mut bytes = text.into_bytes();
    bytes.push(0);
    call.memory.write(object, &bytes)?;
    address(object)
}
