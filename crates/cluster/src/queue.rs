//! The queue between machines, on a server of NATS with JetStream (feature `queue`).
//!
//! Orders are in a stream of their own for each program of clew, so that no worker ever sees those of another version; one
//! consumer, which all workers share, gives each order to one of them, and to another when it has not heard of that one for
//! the time of a lease. Reports are in a stream with a consumer for each run. What is larger than a message may be goes to
//! the object store, and the message names it. Signs of life are plain messages that nobody keeps.
//!
//! Connections are made anew by the client, and what was not confirmed is sent again, under a name by which the server knows
//! what it has already. Streams that are gone, because the server lost its store, are made again.
//!
//! Users, certificates and encryption are those of NATS: `tls://` in the address, and the variables of its own tools,
//! `NATS_USER`, `NATS_PASSWORD`, `NATS_TOKEN`, `NATS_CA`, `NATS_CERT` and `NATS_KEY`. Servers that a server names are not
//! followed. Not understood: credentials of the decentralised kind (`.creds`).

use async_nats::header::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, AckKind, Context, Message, message::Acker};
use async_nats::{Client, ConnectOptions, Subscriber};
use clew_session::project::remote::{Exchange, Fault, Hold, Lease, Pulse};
use futures_util::{FutureExt, StreamExt};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// How long a server may be away before a run is given up.
const PATIENCE: Duration = Duration::from_secs(3600);
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(500);
/// Time that the server has for one request.
const ANSWER: Duration = Duration::from_secs(10);
/// How often a connection is tried.
const PING: Duration = Duration::from_secs(5);
/// The largest content that is sent as one message; servers take a megabyte.
const MOST_INLINE: usize = 512 << 10;
/// How long things of runs that nobody ended are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// The most reports taken at once.
const REPORTS: usize = 64;
/// How long the coordinator may take for those.
const REPORT_LEASE: Duration = Duration::from_secs(30);
/// The header that names an object in place of a content.
const OBJECT: &str = "Clew-Object";
/// The consumer that all workers share, and how many there may be.
const WORKERS: &str = "workers";
const MOST_WORKERS: i64 = 10_000;
/// The object store.
const STORE: &str = "clew";
/// The stream of reports.
const REPORT_STREAM: &str = "clew-reports";
/// The stream of claims.
const CLAIM_STREAM: &str = "clew-claims";
/// The subject of signs of life.
const PULSES: &str = "clew.pulses";

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A connection to a server.
#[expect(missing_debug_implementations, reason = "the client's parts do not all have it")]
pub struct Queue {
    runtime: Runtime,
    inner: Arc<Inner>,
    pulses: Mutex<Subscriber>,
    say: Box<dyn Fn(&str) + Send + Sync>,
}

/// What asynchronous tasks share.
struct Inner {
    client: Client,
    context: Context,
    /// Stands for the program of clew in names.
    tool: String,
    lease: Duration,
    /// Consumers that were made, by stream.
    consumers: Mutex<BTreeMap<String, Pull>>,
}

type Pull = Consumer<pull::Config>;

impl Queue {
    /// Connects to a server. Work of a worker that was not heard of for `lease` is given to another. `say` is told when
    /// the server does not answer.
    ///
    /// # Errors
    /// When there is no connection, or the server has no JetStream.
    pub fn connect(
        url: &str,
        tool: &str,
        lease: Duration,
        say: Box<dyn Fn(&str) + Send + Sync>,
    ) -> Result<Queue, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let digest = tool.rsplit(' ').next().unwrap_or_default();
        let tool: String = digest.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
        let connected = runtime.block_on(async {
            let client = options().connect(url).await?;
            let pulses = client.subscribe(PULSES).await?;
            let mut context = jetstream::new(client.clone());
            context.set_timeout(ANSWER);
            let inner = Inner { client, context, tool, lease, consumers: Mutex::default() };
            inner.prepare().await?;
            Ok::<_, Failure>((Arc::new(inner), Mutex::new(pulses)))
        });
        let (inner, pulses) = connected.map_err(|error| format!("cannot use the queue {}: {error}", place(url)))?;
        Ok(Queue { runtime, inner, pulses, say })
    }

    /// Does something until it succeeds; what is missing on the server is made before the next attempt.
    fn persist<T, F>(&self, attempt: impl Fn(Arc<Inner>) -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let begin = Instant::now();
        let mut is_told = false;
        loop {
            let result = self.runtime.block_on(attempt(Arc::clone(&self.inner)));
            let error = match result {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            if begin.elapsed() > PATIENCE {
                return Err(Fault(format!("the queue does not answer: {error}")));
            }
            if !std::mem::replace(&mut is_told, true) {
                (self.say)(&format!("the queue does not answer and is tried again: {error}"));
            }
            std::thread::sleep(PAUSE);
            let _ = self.runtime.block_on(self.inner.prepare());
        }
    }
}

/// How to connect, by the variables of the tools of NATS.
fn options() -> ConnectOptions {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut options = ConnectOptions::new().name("clew").ping_interval(PING).ignore_discovered_servers();
    if let (Some(user), Some(password)) = (variable("NATS_USER"), variable("NATS_PASSWORD")) {
        options = options.user_and_password(user, password);
    }
    if let Some(token) = variable("NATS_TOKEN") {
        options = options.token(token);
    }
    if let Some(path) = variable("NATS_CA") {
        options = options.add_root_certificates(path.into());
    }
    if let (Some(certificate), Some(key)) = (variable("NATS_CERT"), variable("NATS_KEY")) {
        options = options.add_client_certificate(certificate.into(), key.into());
    }
    options
}

/// An address without the secret it may hold.
fn place(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => url.to_owned(),
    }
}

impl Inner {
    fn order_stream(&self) -> String {
        format!("clew-orders-{}", self.tool)
    }

    fn order_subject(&self, run: &str) -> String {
        format!("clew.orders.{}.{run}", self.tool)
    }

    /// Makes the streams that are not there.
    async fn prepare(&self) -> Result<(), Failure> {
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let stream = |name: String, subject: String| Config {
            name,
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            max_age: KEPT,
            ..Config::default()
        };
        self.make(stream(self.order_stream(), self.order_subject("*"))).await?;
        self.make(stream(REPORT_STREAM.to_owned(), "clew.reports.*".to_owned())).await?;
        let claims = Config {
            name: CLAIM_STREAM.to_owned(),
            subjects: vec!["clew.claims.*.*".to_owned()],
            max_age: self.lease,
            max_messages_per_subject: 1,
            storage: StorageType::Memory,
            ..Config::default()
        };
        self.make(claims).await?;
        if self.context.get_object_store(STORE).await.is_err() {
            let config = object_store::Config { bucket: STORE.to_owned(), max_age: KEPT, ..Default::default() };
            self.context.create_object_store(config).await?;
        }
        Ok(())
    }

    /// Makes a stream that is not there. If somebody else makes it at the same time, with another lease, theirs is used.
    async fn make(&self, config: Config) -> Result<(), Failure> {
        let name = config.name.clone();
        match self.context.get_or_create_stream(config).await {
            Ok(_) => Ok(()),
            Err(error) => self.context.get_stream(name).await.map(drop).map_err(|_| Failure::from(error)),
        }
    }

    /// A consumer, which is made if need be.
    async fn consumer(&self, stream: &str, config: pull::Config) -> Result<Pull, Failure> {
        let made = self.consumers.lock().unwrap_or_else(PoisonError::into_inner).get(stream).cloned();
        if let Some(made) = made {
            return Ok(made);
        }
        let config = pull::Config { ack_policy: AckPolicy::Explicit, ..config };
        let made = self.context.get_stream_no_info(stream).await?.create_consumer(config).await?;
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner).insert(stream.to_owned(), made.clone());
        Ok(made)
    }

    /// The consumer that gives orders to workers.
    async fn workers(&self) -> Result<Pull, Failure> {
        let config = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_wait: self.lease,
            max_ack_pending: MOST_WORKERS,
            max_waiting: MOST_WORKERS,
            ..Default::default()
        };
        self.consumer(&self.order_stream(), config).await
    }

    /// The consumer that gives reports to the coordinator of a run.
    async fn coordinator(&self, run: &str) -> Result<Pull, Failure> {
        let config = pull::Config {
            durable_name: Some(format!("run-{run}")),
            filter_subject: format!("clew.reports.{run}"),
            ack_wait: REPORT_LEASE,
            ..Default::default()
        };
        self.consumer(REPORT_STREAM, config).await
    }

    /// How many workers wait for an order.
    async fn idle(&self) -> Result<usize, Failure> {
        let stream = self.context.get_stream_no_info(self.order_stream()).await?;
        Ok(stream.consumer_info(WORKERS).await?.num_waiting)
    }

    /// Publishes a content under a name and waits until it is stored.
    async fn publish(&self, subject: String, id: &str, content: &[u8]) -> Result<(), Failure> {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", id);
        let mut content = content;
        if content.len() > MOST_INLINE {
            self.store().await?.put(id, &mut content).await?;
            headers.insert(OBJECT, id);
            content = &[];
        }
        self.context.publish_with_headers(subject, headers, content.to_vec().into()).await?.await?;
        Ok(())
    }

    /// Says that a worker is at something; `false` if another has said so and `is_new` is asked.
    async fn claim(&self, subject: String, is_new: bool) -> Result<bool, Failure> {
        let mut headers = HeaderMap::new();
        if is_new {
            headers.insert("Nats-Expected-Last-Subject-Sequence", "0");
        }
        match self.context.publish_with_headers(subject, headers, "".into()).await?.await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn give_back(&self, subject: &str) -> Result<(), Failure> {
        let stream = self.context.get_stream_no_info(CLAIM_STREAM).await?;
        stream.purge().filter(subject).await?;
        Ok(())
    }

    async fn store(&self) -> Result<ObjectStore, Failure> {
        Ok(self.context.get_object_store(STORE).await?)
    }

    /// The messages that a consumer gives in time.
    async fn messages(&self, consumer: &Pull, most: usize, wait: Duration) -> Result<Vec<Message>, Failure> {
        let mut messages = consumer.batch().max_messages(most).expires(wait).messages().await?;
        let mut taken = Vec::new();
        while let Some(message) = messages.next().await {
            match message {
                Ok(message) => taken.push(message),
                // What was taken is worked on; the rest comes again.
                Err(error) if taken.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        if taken.is_empty() {
            // A consumer that is gone with the server's store gives nothing, and says nothing.
            consumer.get_info().await?;
        }
        Ok(taken)
    }

    /// The content of a message, wherever it is.
    async fn content(&self, message: &Message) -> Result<(Vec<u8>, Option<String>), Failure> {
        let named = message.headers.as_ref().and_then(|headers| headers.get(OBJECT));
        let Some(name) = named.map(|name| name.as_str().to_owned()) else {
            return Ok((message.payload.to_vec(), None));
        };
        let mut content = Vec::new();
        self.store().await?.get(&name).await?.read_to_end(&mut content).await?;
        Ok((content, Some(name)))
    }
}

/// A message that is being worked on.
struct Held {
    handle: tokio::runtime::Handle,
    inner: Arc<Inner>,
    acker: Arc<Acker>,
    content: Vec<u8>,
    /// The object that holds the content.
    object: Option<String>,
    deliveries: u64,
    /// Tells the server that work goes on.
    alive: Option<JoinHandle<()>>,
}

impl Held {
    async fn new(inner: Arc<Inner>, message: Message, renew: Option<Duration>) -> Result<Held, Failure> {
        let (content, object) = inner.content(&message).await?;
        let deliveries = message.info().map_or(1, |info| u64::try_from(info.delivered).unwrap_or(1));
        let (_, acker) = message.split();
        let acker = Arc::new(acker);
        let alive = renew.map(|every| {
            let acker = Arc::clone(&acker);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(every).await;
                    let _ = acker.ack_with(AckKind::Progress).await;
                }
            })
        });
        let handle = tokio::runtime::Handle::current();
        Ok(Held { handle, inner, acker, content, object, deliveries, alive })
    }
}

impl Lease for Held {
    fn content(&self) -> &[u8] {
        &self.content
    }

    fn deliveries(&self) -> u64 {
        self.deliveries
    }

    fn done(self: Box<Self>) -> Result<(), Fault> {
        self.handle.block_on(async {
            // A confirmation that is lost makes the message come again, and its results are repeated.
            let _ = tokio::time::timeout(ANSWER, self.acker.double_ack()).await;
            if let (Some(object), Ok(store)) = (&self.object, self.inner.store().await) {
                let _ = store.delete(object).await;
            }
        });
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(alive) = &self.alive {
            alive.abort();
        }
    }
}

/// A claim that is renewed.
struct Claimed {
    handle: tokio::runtime::Handle,
    inner: Arc<Inner>,
    subject: String,
    alive: JoinHandle<()>,
}

impl Claimed {
    fn new(inner: Arc<Inner>, subject: String) -> Claimed {
        let (renewed, of) = (Arc::clone(&inner), subject.clone());
        let alive = tokio::spawn(async move {
            loop {
                tokio::time::sleep(renewed.lease / 3).await;
                let _ = renewed.claim(of.clone(), false).await;
            }
        });
        Claimed { handle: tokio::runtime::Handle::current(), inner, subject, alive }
    }
}

impl Hold for Claimed {}

impl Drop for Claimed {
    fn drop(&mut self) {
        self.alive.abort();
        let (inner, subject) = (Arc::clone(&self.inner), std::mem::take(&mut self.subject));
        self.handle.spawn(async move { inner.give_back(&subject).await });
    }
}

/// The name of something that is kept for a run.
fn object(run: &str, name: &str) -> String {
    format!("part-{run}-{name}")
}

impl Exchange for Queue {
    fn claim(&self, run: &str, name: &str) -> Result<Option<Box<dyn Hold>>, Fault> {
        let subject = format!("clew.claims.{run}.{name}");
        self.persist(|inner| {
            let subject = subject.clone();
            async move {
                let is_claimed = inner.claim(subject.clone(), true).await?;
                Ok(is_claimed.then(|| Box::new(Claimed::new(inner, subject)) as Box<dyn Hold>))
            }
        })
    }

    fn keep(&self, run: &str, name: &str, content: &[u8]) -> Result<(), Fault> {
        let name = object(run, name);
        self.persist(|inner| {
            let (name, mut content) = (name.clone(), content);
            async move {
                inner.store().await?.put(name.as_str(), &mut content).await?;
                Ok(())
            }
        })
    }

    fn kept(&self, run: &str, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let name = object(run, name);
        self.persist(|inner| {
            let name = name.clone();
            async move {
                // What is not there cannot be told from what is not whole: both are made again.
                let Ok(mut object) = inner.store().await?.get(&name).await else { return Ok(None) };
                let mut content = Vec::new();
                let is_read = object.read_to_end(&mut content).await.is_ok();
                Ok(is_read.then_some(content))
            }
        })
    }

    fn discard(&self, run: &str, name: &str) {
        self.runtime.block_on(async {
            if let Ok(store) = self.inner.store().await {
                let _ = store.delete(object(run, name)).await;
            }
        });
    }

    fn submit(&self, run: &str, id: &str, order: &[u8]) -> Result<(), Fault> {
        self.persist(|inner| async move { inner.publish(inner.order_subject(run), id, order).await })
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, Fault> {
        self.persist(|inner| async move {
            let workers = inner.workers().await?;
            let Some(message) = inner.messages(&workers, 1, wait).await?.pop() else { return Ok(None) };
            let renew = inner.lease / 3;
            Ok(Some(Box::new(Held::new(inner, message, Some(renew)).await?) as Box<dyn Lease>))
        })
    }

    fn idle(&self) -> usize {
        self.runtime.block_on(self.inner.idle()).unwrap_or_default()
    }

    fn report(&self, run: &str, id: &str, report: &[u8]) -> Result<(), Fault> {
        let subject = format!("clew.reports.{run}");
        self.persist(|inner| {
            let subject = subject.clone();
            async move { inner.publish(subject, id, report).await }
        })
    }

    fn reports(&self, run: &str, wait: Duration) -> Result<Vec<Box<dyn Lease>>, Fault> {
        self.persist(|inner| async move {
            let coordinator = inner.coordinator(run).await?;
            let mut reports = Vec::new();
            for message in inner.messages(&coordinator, REPORTS, wait).await? {
                let held = Held::new(Arc::clone(&inner), message, None).await?;
                reports.push(Box::new(held) as Box<dyn Lease>);
            }
            Ok(reports)
        })
    }

    fn orders(&self, run: &str) -> Option<u64> {
        self.runtime.block_on(async {
            let stream = self.inner.context.get_stream_no_info(self.inner.order_stream()).await.ok()?;
            let info = stream.info_builder().subjects(self.inner.order_subject(run)).fetch().await.ok()?;
            let counts = info.map(|count| count.map_or(0, |(_, messages)| messages as u64));
            Some(counts.collect::<Vec<u64>>().await.iter().sum())
        })
    }

    fn pulse(&self, pulse: &Pulse) {
        let content = serde_json::to_vec(pulse).expect("a sign of life is made of strings and numbers");
        self.runtime.block_on(async {
            let _ = self.inner.client.publish(PULSES, content.into()).await;
        });
    }

    fn pulses(&self) -> Vec<Pulse> {
        let mut pulses = self.pulses.lock().unwrap_or_else(PoisonError::into_inner);
        self.runtime.block_on(async {
            let mut heard = Vec::new();
            while let Some(Some(message)) = pulses.next().now_or_never() {
                heard.extend(serde_json::from_slice(&message.payload).ok());
            }
            heard
        })
    }

    fn withdraw(&self, run: &str) -> Result<(), Fault> {
        self.persist(|inner| async move {
            let stream = inner.context.get_stream_no_info(inner.order_stream()).await?;
            stream.purge().filter(inner.order_subject(run)).await?;
            Ok(())
        })
    }

    fn forget(&self, run: &str) -> Result<(), Fault> {
        self.withdraw(run)?;
        self.persist(|inner| async move {
            let stream = inner.context.get_stream_no_info(REPORT_STREAM).await?;
            stream.purge().filter(format!("clew.reports.{run}")).await?;
            // The last start may have made none.
            let _ = stream.delete_consumer(&format!("run-{run}")).await;
            Ok(())
        })
    }
}
