//! The numeric half of `stdlib.h`: conversions from text, absolute values, divisions.

use super::parse;
use super::{Call, Plain, Reply, Trouble, int};
use clew_scalar::{Format, int as scalar};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("abs", absolute),
    ("atof", |call| floating(call, Format::DOUBLE, false)),
    ("atoi", atoi),
    ("atol", atol),
    ("atoll", atoll),
    ("div", divide),
    ("labs", absolute),
    ("ldiv", divide),
    ("llabs", absolute),
    ("lldiv", divide),
    ("strtod", |call| floating(call, Format::DOUBLE, true)),
    ("strtof", |call| floating(call, Format::SINGLE, true)),
    ("strtol", strtol),
    ("strtold", |call| floating(call, Format::EXTENDED, true)),
    ("strtoll", strtoll),
    ("strtoul", strtoul),
    ("strtoull", strtoull),
];

const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

fn absolute(call: &mut Call<'_>) -> Reply {
    let value = call.value(0)?;
    if scalar::signed_neg_overflows(value.ty.width(), value.bits) {
        return Err(Trouble::Precondition(format!("the absolute value of {} does not fit", value.signed())));
    }
    Ok(Some(value.signed().unsigned_abs()))
}

/// The quotient and remainder go where the result is to be, which is passed first.
fn divide(call: &mut Call<'_>) -> Reply {
    let (place, a, b) = (call.address(0)?, call.value(1)?, call.value(2)?);
    let width = a.ty.width();
    if b.bits == 0 || scalar::signed_div_overflows(width, a.bits, b.bits) {
        return Err(Trouble::Precondition(format!("{} / {} is undefined", a.signed(), b.signed())));
    }
    let bytes = usize::from(width / 8);
    call.memory.store_number(place, bytes, scalar::sdiv(width, a.bits, b.bits))?;
    call.memory.store_number(place + bytes as u64, bytes, scalar::srem(width, a.bits, b.bits))?;
    Ok(None)
}

/// A conversion to a signed integer of `width` bits, at the call's own string and base.
fn signed(call: &mut Call<'_>, width: u8) -> Reply {
    let (number, base) = (call.address(0)?, call.int(2)?);
    let text = call.string(0)?;
    let Some(read) = parse::integer(&text, base) else {
        call.set_errno(EINVAL)?;
        return int(0);
    };
    store_end(call, number, read.length)?;
    let limit: u128 = scalar::signed_min(width);
    let fits = read.magnitude < limit || read.negative && read.magnitude == limit;
    if !fits {
        call.set_errno(ERANGE)?;
    }
    let magnitude = match (fits, read.negative) {
        (true, _) => read.magnitude,
        (false, true) => limit,
        (false, false) => limit - 1,
    };
    Ok(Some(if read.negative { magnitude.wrapping_neg() } else { magnitude }))
}

fn unsigned(call: &mut Call<'_>, width: u8) -> Reply {
    let (number, base) = (call.address(0)?, call.int(2)?);
    let text = call.string(0)?;
    let Some(read) = parse::integer(&text, base) else {
        call.set_errno(EINVAL)?;
        return int(0);
    };
    store_end(call, number, read.length)?;
    let limit = scalar::mask(width);
    if read.magnitude > limit {
        call.set_errno(ERANGE)?;
        return Ok(Some(limit));
    }
    Ok(Some(if read.negative { read.magnitude.wrapping_neg() } else { read.magnitude }))
}

/// Stores where the number ended, if the caller wants to know.
fn store_end(call: &mut Call<'_>, start: u64, length: usize) -> Result<(), Trouble> {
    match call.address(1)? {
        0 => Ok(()),
        place => call.store_pointer(place, start + length as u64),
    }
}

fn long_width(call: &Call<'_>) -> u8 {
    call.memory.target().long_width
}

fn strtol(call: &mut Call<'_>) -> Reply {
    signed(call, long_width(call))
}

fn strtoll(call: &mut Call<'_>) -> Reply {
    signed(call, 64)
}

fn strtoul(call: &mut Call<'_>) -> Reply {
    unsigned(call, long_width(call))
}

fn strtoull(call: &mut Call<'_>) -> Reply {
    unsigned(call, 64)
}

/// `atoi` and its like are `strtol` cut to the result's width, as in glibc.
fn plain(call: &mut Call<'_>, width: u8) -> Reply {
    let text = call.string(0)?;
    let read = parse::integer(&text, 10).expect("ten is a base");
    let limit: u128 = scalar::signed_min(width);
    let magnitude = read.magnitude.min(if read.negative { limit } else { limit - 1 });
    Ok(Some(if read.negative { magnitude.wrapping_neg() } else { magnitude }))
}

fn atoi(call: &mut Call<'_>) -> Reply {
    plain(call, long_width(call))
}

fn atol(call: &mut Call<'_>) -> Reply {
    plain(call, long_width(call))
}

fn atoll(call: &mut Call<'_>) -> Reply {
    plain(call, 64)
}

fn floating(call: &mut Call<'_>, format: Format, has_end: bool) -> Reply {
    let start = call.address(0)?;
    let read = parse::float(format, &call.string(0)?);
    if has_end {
        store_end(call, start, read.length)?;
    }
    if read.out_of_range {
        call.set_errno(ERANGE)?;
    }
    Ok(Some(read.bits))
}
