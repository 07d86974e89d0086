//! Many machines, one result.
//!
//! [`folder`] and [`web`] are places for results and libraries that machines share; [`open`] chooses between them. A
//! [`slurm`] file has a job array test a project share by share. [`tool`] says which program of clew this is: results are
//! shared between equal ones only. `queue` is where workers take functions from, with the feature of that name.

pub mod folder;
#[cfg(feature = "queue")]
pub mod queue;
pub mod slurm;
pub mod tool;
pub mod web;

use clew_execute::blobs::{Blobs, Shelf};
use std::path::Path;
use std::sync::Arc;

/// What may be done with a shared place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// What others have made is used.
    ReadOnly,
    /// And what is made here is put there.
    ReadWrite,
}

/// The place that a directory or a URL names.
///
/// # Errors
/// When the directory cannot be made, or the URL is of a kind that is not understood.
pub fn open(place: &str, access: Access) -> Result<Shelf, String> {
    let blobs: Arc<dyn Blobs> = if place.contains("://") {
        Arc::new(web::Web::new(place, access)?)
    } else {
        Arc::new(folder::Folder::new(Path::new(place), access)?)
    };
    Ok(Shelf::new(blobs))
}

/// Whether a text can be a name: nothing else becomes part of a path or a URL.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
