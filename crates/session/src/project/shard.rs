//! Shares of a project for machines that know nothing of each other: which functions belong to share `i` of `n`.
//!
//! A function's share depends on its name, the name of its file without folders, and nothing else, so that it is the same
//! on every machine, wherever the sources lie, and stays the same when other files come or go. Where an earlier
//! `project.json` tells how long functions took, those go to the shares longest first, each to the one that has least so
//! far (Graham, 1969); what it does not know is shared by name. Every share of a run must be given the same file; the
//! fingerprint of a [`Shard`] tells whether that was so.

use crate::hash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The most shares; job arrays are smaller everywhere.
const MOST: u32 = 100_000;

/// Share `number` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Share {
    /// Which share.
    pub number: u32,
    /// Of how many.
    pub count: u32,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let wrong = || format!("`{text}` is not of the form I/N, such as 3/20");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let (number, count) = (number.trim().parse().map_err(|_| wrong())?, count.trim().parse().map_err(|_| wrong())?);
        match (number, count) {
            (_, 0) => Err("there must be at least one shard".to_owned()),
            (_, count) if count > MOST => Err(format!("there can be at most {MOST} shards")),
            (0, count) => Err(format!("shards are numbered from 1 to {count}")),
            (number, count) if number > count => Err(format!("there is no shard {number} of {count}")),
            _ => Ok(Share { number, count }),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// How a function is known to all machines: the name of its file without folders, and its own.
type Name = (String, String);

/// A share with what decides who belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which share.
    pub share: Share,
    /// The shares of functions whose durations are known.
    planned: BTreeMap<Name, u32>,
}

/// What `project.json` says of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Which share.
    #[serde(flatten)]
    pub share: Share,
    /// Equal for all shares that fit together.
    pub plan: String,
}

/// What is read of an earlier `project.json`.
#[derive(Deserialize)]
struct Earlier {
    functions: Vec<Lasted>,
}

/// How long a function took.
#[derive(Deserialize)]
struct Lasted {
    file: String,
    name: String,
    #[serde(default)]
    seconds: f64,
}

/// How long functions took, the longest first: the name of the file without folders, the function, and seconds.
pub type Durations = Vec<((String, String), f64)>;

/// How long functions took by the text of an earlier `project.json`.
///
/// # Errors
/// When the text is not that of a `project.json`.
pub fn durations(project: &str) -> Result<Durations, String> {
    let earlier: Earlier = serde_json::from_str(project).map_err(|error| error.to_string())?;
    let mut seconds: BTreeMap<Name, f64> = BTreeMap::new();
    for Lasted { file, name, seconds: lasted } in earlier.functions {
        if !name.is_empty() {
            *seconds.entry((base(Path::new(&file)), name)).or_default() += lasted.max(0.0);
        }
    }
    let mut longest: Vec<(Name, f64)> = seconds.into_iter().collect();
    longest.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(longest)
}

impl Shard {
    /// A share by names alone.
    pub fn new(share: Share) -> Shard {
        Shard { share, planned: BTreeMap::new() }
    }

    /// A share balanced by the durations in the text of an earlier `project.json`.
    ///
    /// # Errors
    /// When the text is not that of a `project.json`.
    pub fn balanced(share: Share, project: &str) -> Result<Shard, String> {
        let longest = durations(project)?;
        let mut loads = vec![0.0; share.count as usize];
        let planned = longest.into_iter().map(|(name, seconds)| {
            let least = (0..loads.len()).min_by(|&a, &b| f64::total_cmp(&loads[a], &loads[b])).unwrap_or(0);
            // What takes no time still costs some.
            loads[least] += seconds + 1e-3;
            (name, least as u32 + 1)
        });
        Ok(Shard { share, planned: planned.collect() })
    }

    /// Whether a function belongs to it.
    pub fn holds(&self, file: &Path, function: &str) -> bool {
        let name = (base(file), function.to_owned());
        let planned = self.planned.get(&name).copied();
        planned.unwrap_or_else(|| by_name(&name, self.share.count)) == self.share.number
    }

    /// What `project.json` says of it.
    pub fn told(&self) -> Told {
        let mut text = format!("{}", self.share.count);
        for ((file, function), number) in &self.planned {
            text.push_str(&format!("\n{file}\0{function}\0{number}"));
        }
        Told { share: self.share, plan: hash::sha256(text.as_bytes())[..16].to_owned() }
    }
}

/// The name of a file without folders, by which durations know it.
pub(super) fn base(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The share of a function whose duration is not known.
fn by_name((file, function): &Name, count: u32) -> u32 {
    let digest = Sha256::digest(format!("{file}\0{function}"));
    let number = digest.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    (number % u64::from(count)) as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::{Shard, Share};
    use std::path::Path;

    fn share(number: u32, count: u32) -> Share {
        Share { number, count }
    }

    /// The shares that hold a function.
    fn holders(count: u32, project: Option<&str>, file: &str, function: &str) -> Vec<u32> {
        let shard = |number| match project {
            Some(text) => Shard::balanced(share(number, count), text).unwrap(),
            None => Shard::new(share(number, count)),
        };
        (1..=count).filter(|&number| shard(number).holds(Path::new(file), function)).collect()
    }

    #[test]
    fn spellings() {
        assert_eq!("3/20".parse(), Ok(share(3, 20)));
        for wrong in ["", "3", "0/20", "21/20", "1/0", "-1/2", "a/b", "1/2/3", "1/1000000"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_function_has_one_share_wherever_its_file_lies() {
        let names: Vec<String> = (0..200).map(|number| format!("f{number}")).collect();
        let mut sizes = [0; 8];
        for name in &names {
            let here = holders(8, None, "/home/a/src/x.c", name);
            assert_eq!(here.len(), 1);
            assert_eq!(here, holders(8, None, "src/x.c", name), "folders do not matter");
            sizes[here[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|&size| size > 10), "{sizes:?}");
    }

    #[test]
    fn durations_balance() {
        let entry =
            |name: &str, seconds: f64| format!("{{\"file\":\"/p/a.c\",\"name\":\"{name}\",\"seconds\":{seconds}}}");
        let entries = [entry("long", 6.0), entry("b", 2.0), entry("c", 2.0), entry("d", 2.0)].join(",");
        let project = format!("{{\"functions\":[{entries}]}}");
        let of = |name: &str| holders(2, Some(&project), "elsewhere/a.c", name);
        assert_eq!(of("long").len(), 1);
        assert!(["b", "c", "d"].iter().all(|name| of(name).len() == 1 && of(name) != of("long")));
        assert_eq!(of("unknown"), holders(2, None, "a.c", "unknown"), "what is not known is shared by name");
        let told = |project: Option<&str>, number| match project {
            Some(text) => Shard::balanced(share(number, 2), text).unwrap().told().plan,
            None => Shard::new(share(number, 2)).told().plan,
        };
        assert_eq!(told(None, 1), told(None, 2));
        assert_ne!(told(None, 1), told(Some(&project), 1));
        assert!(Shard::balanced(share(1, 2), "[]").is_err());
    }
}
