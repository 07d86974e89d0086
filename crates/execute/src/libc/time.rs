//! `time.h`: every run happens at the same moment, in UTC.

use super::{Call, Plain, Reply, Trouble, address, int, nothing};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("clock", clock),
    ("clock_gettime", clock_gettime),
    ("difftime", difftime),
    ("gettimeofday", gettimeofday),
    ("gmtime", gmtime),
    ("gmtime_r", gmtime_r),
    ("mktime", mktime),
    ("strftime", strftime),
    ("time", time),
    ("tzset", nothing),
];

/// The moment every run happens at: 2001-09-09 01:46:40 UTC.
const NOW: i64 = 1_000_000_000;

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
    let seconds = (call.int(0)? - call.int(1)?) as f64;
    Ok(Some(u128::from(seconds.to_bits())))
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
