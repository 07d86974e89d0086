//! A server as a shared place: any that understands GET, HEAD and PUT of HTTP, such as nginx with WebDAV or an object
//! store. A name is the last part of the URL.
//!
//! A server that does not answer costs time once: after some failures in a row it is not asked any more, and
//! functions are tested as if it were not there. One that refuses to be written is only read. Where `CLEW_CACHE_TOKEN` is
//! set, it is sent as a bearer token.
//!
//! Not understood: `https`; a proxy on the same machine can speak it.

use crate::{Access, is_name};
use clew_execute::blobs::Blobs;
use std::collections::BTreeSet;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use ureq::Agent;

/// Failures in a row after which a server is left alone.
const MOST_FAILURES: usize = 3;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a request may take.
const REQUEST: Duration = Duration::from_secs(60);
/// The largest content that is taken.
const MOST_BYTES: u64 = 256 << 20;
/// The variable that holds a token.
const TOKEN: &str = "CLEW_CACHE_TOKEN";

/// A server.
#[derive(Debug)]
pub struct Web {
    /// The URL, with a slash at its end.
    base: String,
    agent: Agent,
    token: Option<String>,
    /// Whether it may be written, as far as is known.
    takes: AtomicBool,
    failures: AtomicUsize,
    notes: Mutex<BTreeSet<String>>,
}

impl Web {
    /// The place of a URL.
    ///
    /// # Errors
    /// When the URL is none of HTTP.
    pub fn new(url: &str, access: Access) -> Result<Web, String> {
        if !url.starts_with("http://") {
            return Err(format!("{url}: only http:// is understood, and directories"));
        }
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(REQUEST))
            .http_status_as_error(false)
            .build();
        Ok(Web {
            base: format!("{}/", url.trim_end_matches('/')),
            agent: config.into(),
            token: std::env::var(TOKEN).ok().filter(|token| !token.is_empty()),
            takes: AtomicBool::new(access == Access::ReadWrite),
            failures: AtomicUsize::new(0),
            notes: Mutex::default(),
        })
    }

    fn url(&self, name: &str) -> String {
        format!("{}{name}", self.base)
    }

    /// The value of the header that carries the token.
    fn authorization(&self) -> Option<String> {
        self.token.as_ref().map(|token| format!("Bearer {token}"))
    }

    fn is_given_up(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= MOST_FAILURES
    }

    fn note(&self, note: String) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(note);
    }

    /// Keeps account of whether the server answers.
    fn heard<T>(&self, result: Result<T, ureq::Error>) -> Option<T> {
        match result {
            Ok(answer) => {
                self.failures.store(0, Ordering::Relaxed);
                Some(answer)
            }
            Err(error) => {
                if self.failures.fetch_add(1, Ordering::Relaxed) + 1 == MOST_FAILURES {
                    self.note(format!("{} does not answer and is not asked any more: {error}", self.base));
                }
                None
            }
        }
    }

    /// Whether the server has a name already.
    fn has(&self, name: &str) -> bool {
        let mut request = self.agent.head(self.url(name));
        if let Some(value) = self.authorization() {
            request = request.header("Authorization", value);
        }
        self.heard(request.call()).is_some_and(|answer| answer.status().is_success())
    }
}

impl Blobs for Web {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        if self.is_given_up() || !is_name(name) {
            return None;
        }
        let mut request = self.agent.get(self.url(name));
        if let Some(value) = self.authorization() {
            request = request.header("Authorization", value);
        }
        let mut answer = self.heard(request.call())?;
        match answer.status().as_u16() {
            200 => {}
            404 | 410 => return None,
            status => {
                self.note(format!("{} answers {status} to reading", self.base));
                return None;
            }
        }
        let mut content = Vec::new();
        let body = answer.body_mut().as_reader();
        let read = body.take(MOST_BYTES).read_to_end(&mut content).map_err(ureq::Error::from);
        self.heard(read).map(|_| content)
    }

    fn put(&self, name: &str, content: &[u8]) {
        if self.is_given_up() || !self.takes.load(Ordering::Relaxed) || !is_name(name) || self.has(name) {
            return;
        }
        let mut request = self.agent.put(self.url(name)).header("Content-Type", "application/octet-stream");
        if let Some(value) = self.authorization() {
            request = request.header("Authorization", value);
        }
        let Some(answer) = self.heard(request.send(content)) else { return };
        let status = answer.status();
        if !status.is_success() {
            self.takes.store(false, Ordering::Relaxed);
            self.note(format!("{} answers {} to writing and is only read", self.base, status.as_u16()));
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
