//! Static fields, asked of the JVM that runs the tests.

use crate::machine::Machine;
use crate::text;
use clew_frontend_jvm::{FieldName, JavaType, Shown, ShownObject, Snapshot, Statics};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// The static fields of the classes of a JVM.
#[derive(Debug)]
pub struct LiveStatics {
    machine: Arc<Mutex<Machine>>,
}

impl LiveStatics {
    /// Those of a machine.
    pub fn new(machine: Arc<Mutex<Machine>>) -> LiveStatics {
        LiveStatics { machine }
    }
}

impl Statics for LiveStatics {
    fn read(&mut self, statics: &[FieldName], fields: &[FieldName]) -> Result<Snapshot, String> {
        let mut request = String::new();
        for (class, name) in fields {
            let _ = writeln!(request, "N {class} {name}");
        }
        for (class, name) in statics {
            let _ = writeln!(request, "D {class} {name}");
        }
        request += "SHOW\n";
        let answer = self.machine.lock().unwrap_or_else(PoisonError::into_inner).ask(&request);
        let lines = answer.map_err(|error| error.to_string())?;
        let lines = lines.map_err(|status| format!("the JVM ended with status {status}"))?;
        let mut snapshot = Snapshot::default();
        for line in &lines {
            add(&mut snapshot, line).ok_or_else(|| format!("the JVM answered `{line}`"))?;
        }
        let known = snapshot.statics.len() == statics.len();
        known.then_some(snapshot).ok_or_else(|| "the JVM answered too little".to_owned())
    }
}

fn add(snapshot: &mut Snapshot, line: &str) -> Option<()> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["s", value] => snapshot.statics.push(shown(value)?),
        ["o", class] => snapshot.objects.push(ShownObject::Fields(class.to_owned(), Vec::new())),
        ["f", class, name, value] => {
            let ShownObject::Fields(_, fields) = snapshot.objects.last_mut()? else { return None };
            fields.push(((class.to_owned(), name.to_owned()), shown(value)?));
        }
        // The bytes of an empty array are nothing at all.
        ["n", element] => snapshot.objects.push(ShownObject::Numbers(JavaType::parse(element)?, Vec::new())),
        ["n", element, bytes] => {
            let digits = bytes.as_bytes().chunks(2);
            let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok();
            let bytes = digits.map(byte).collect::<Option<Vec<u8>>>()?;
            snapshot.objects.push(ShownObject::Numbers(JavaType::parse(element)?, bytes));
        }
        ["r", class, ref elements @ ..] => {
            let elements = elements.iter().map(|value| shown(value)).collect::<Option<_>>()?;
            snapshot.objects.push(ShownObject::References(class.to_owned(), elements));
        }
        _ => return None,
    }
    Some(())
}

fn shown(text: &str) -> Option<Shown> {
    let number = |text: &str| text.parse::<i64>().ok().map(|value| Shown::Bits(value as u64));
    match text.split_at_checked(1)? {
        ("n", _) => Some(Shown::Null),
        ("x", _) => Some(Shown::Unknown),
        ("@", object) => object.parse().ok().map(Shown::Object),
        ("c", class) => Some(Shown::Class(class.to_owned())),
        ("s", units) => text::units(units).map(Shown::Literal),
        (_, rest) => number(rest),
    }
}
