//! A project tested by workers of a queue is the project tested alone, whatever happens to workers, coordinator and server.
//!
//! Needs `nats-server` and the feature `queue`; `scripts/test` has both. Hosts are processes on this machine; where the
//! system allows it, one is cut off by a network namespace and one has a full disk.

use clew_testing::results;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Seconds after which the work of a lost worker goes to another.
const LEASE: &str = "2";
/// How long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(300);

/// A process that ends with the test, and all that it started.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Running {
        Running(command.process_group(0).stdin(Stdio::null()).spawn().expect("it starts"))
    }

    /// As `kill -9` of it and its children.
    fn kill(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }

    /// How it ended.
    fn end(&mut self) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.0.try_wait().expect("it can be asked") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it does not end");
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("it can be asked").is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A project and a queue.
struct Site {
    at: PathBuf,
    port: u16,
}

/// A site of its own with some files; `None` without a server.
fn site(name: &str, files: &[(&str, String)]) -> Option<Site> {
    if Command::new("nats-server").arg("--version").output().is_err() {
        clew_testing::missing("nats-server");
        return None;
    }
    let at = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "queue", name);
    let at = std::fs::canonicalize(at).expect("it is there");
    let entry = |(file, text): &(&str, String)| {
        write(&at.join(file), text);
        format!("{{\"directory\": {at:?}, \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}")
    };
    let entries: Vec<String> = files.iter().map(entry).collect();
    write(&at.join("compile_commands.json"), &format!("[{}]", entries.join(", ")));
    std::fs::create_dir_all(at.join("tmp")).expect("it can be made");
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = listener.local_addr().expect("it has an address").port();
    Some(Site { at, port })
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}

/// A file of small functions.
fn small(count: usize) -> String {
    let one = |number| format!("int small_{number}(int a, int b) {{ if (a > {number}) return b; return a < b; }}\n");
    (0..count).map(one).collect()
}

impl Site {
    /// Starts the server, which keeps its store.
    fn server(&self, more: &[&str]) -> Running {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-sd"]).arg(self.at.join("store")).args(["-a", "0.0.0.0", "-p", &self.port.to_string()]);
        let server = Running::start(command.args(more).stdout(Stdio::null()).stderr(Stdio::null()));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < PATIENCE, "the server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn clew(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command.args(words).current_dir(&self.at).env("TMPDIR", self.at.join("tmp"));
        command
    }

    fn worker(&self, more: &[&str]) -> Running {
        let url = self.url();
        let fixed = ["worker", "--queue", &url, "--jobs", "1", "--lease", LEASE];
        Running::start(self.clew(&fixed).args(more).stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// The command that tests the project; `more` decides where.
    fn test(&self, out: &str, more: &[&str]) -> Command {
        self.test_for("10", out, more)
    }

    /// The same with so much work for each function.
    fn test_for(&self, effort: &str, out: &str, more: &[&str]) -> Command {
        let mut command = self.clew(&["test", "-p", ".", "-c", "decision", "--no-verify", "-j", "1", "-o", out]);
        command.args(clew_testing::effort(effort)).args(more);
        command
    }

    fn alone(&self) {
        let output = self.test("alone", &[]).output().expect("clew starts");
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", said(&output));
    }

    /// A coordinator whose words go to a file.
    fn coordinator(&self) -> Running {
        let said = std::fs::File::options().create(true).append(true).open(self.at.join("said")).expect("it is made");
        Running::start(self.test("shared", &["--queue", &self.url()]).stdout(Stdio::null()).stderr(said))
    }

    /// What the coordinators of this site said.
    fn said(&self) -> String {
        std::fs::read_to_string(self.at.join("said")).unwrap_or_default()
    }

    /// How many results the journal has.
    fn done(&self) -> usize {
        let journal = std::fs::read_to_string(self.at.join("shared/project.jsonl")).unwrap_or_default();
        journal.lines().count().saturating_sub(1)
    }

    fn wait_for(&self, done: usize) {
        let begin = Instant::now();
        while self.done() < done {
            assert!(begin.elapsed() < PATIENCE, "{} of {done} results: {}", self.done(), self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn wait_to_hear(&self, words: &str) {
        let begin = Instant::now();
        while !self.said().contains(words) {
            assert!(begin.elapsed() < PATIENCE, "{}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Both ways gave the same, and each function counts once.
    fn assert_same(&self) {
        let (alone, shared) = (results(&self.at.join("alone")), results(&self.at.join("shared")));
        assert_eq!(alone.keys().collect::<Vec<_>>(), shared.keys().collect::<Vec<_>>(), "{}", self.said());
        for (path, text) in &alone {
            assert_eq!(Some(text), shared.get(path), "{}", path.display());
        }
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const STRANGE: &str = "static int low(int a) { return a < 3 ? a : 3; }
int caller(int a) { if (low(a) == 2) return 1; return 0; }
extern int elsewhere; int needs(int); struct s { int x; };
int reads(struct s *p) { if (p && p->x == 7) return needs(p->x) > 2; return elsewhere; }
int divides(int a, int b) { if (b == 5) return 0; return a / b; }
";

#[test]
fn workers_together_give_what_one_machine_gives() {
    let unreadable = "int broken(int a) { return a +; }\n".to_owned();
    let files = [("small.c", small(40)), ("strange.c", STRANGE.to_owned()), ("broken.c", unreadable)];
    let Some(site) = site("together", &files) else { return };
    let _server = site.server(&[]);
    site.alone();
    // A worker of another version is told from those of this one.
    let other = site.at.join("other-clew");
    std::fs::copy(env!("CARGO_BIN_EXE_clew"), &other).expect("it can be copied");
    let mut content = std::fs::read(&other).expect("it can be read");
    content.push(0);
    std::fs::write(&other, content).expect("it can be written");
    let mut command = Command::new(&other);
    command.args(["worker", "--queue", &site.url(), "--jobs", "1"]).stderr(Stdio::null());
    let _other = Running::start(&mut command);
    let mut coordinator = site.coordinator();
    site.wait_to_hear("is left out: it is clew");
    let _workers = [site.worker(&[]), site.worker(&[])];
    assert_eq!(coordinator.end(), Some(0), "{}", site.said());
    site.assert_same();
    let said = site.said();
    assert!(said.contains("broken.c was tried again"), "{said}");
    // Nothing is done again when nothing changed, and the queue holds nothing of the run.
    assert_eq!(site.coordinator().end(), Some(0), "{}", site.said());
    site.assert_same();
}

#[test]
fn lost_workers_coordinators_and_servers_cost_no_result() {
    let Some(site) = site("faults", &[("one.c", small(48)), ("two.c", small(24))]) else { return };
    let mut server = site.server(&[]);
    site.alone();
    let mut workers = [site.worker(&[]), site.worker(&[]), site.worker(&[])];
    let mut coordinator = site.coordinator();
    for round in 0..9 {
        site.wait_for((round + 1) * 4);
        let worker = &mut workers[round % 3];
        worker.kill();
        *worker = site.worker(&[]);
        if round == 3 {
            coordinator.kill();
            coordinator = site.coordinator();
        }
        if round == 6 {
            server.kill();
            server = site.server(&[]);
        }
        if round == 7 {
            // Not even its store is left.
            server.kill();
            std::fs::remove_dir_all(site.at.join("store")).expect("it can be removed");
            server = site.server(&[]);
        }
    }
    assert_eq!(coordinator.end(), Some(0), "{}", site.said());
    site.assert_same();
    drop(server);
}

#[test]
fn a_machine_with_other_sources_or_without_room_does_no_harm() {
    let Some(site) = site("machines", &[("one.c", format!("#include \"one.h\"\n{}", small(12)))]) else { return };
    write(&site.at.join("one.h"), "int from_header;\n");
    let _server = site.server(&[]);
    site.alone();
    // A file system of one megabyte is full at once.
    let disk = site.at.join("disk");
    std::fs::create_dir_all(&disk).expect("it can be made");
    let tmpfs = ["-t", "tmpfs", "-o", "size=64k", "clew"];
    let mounted = Command::new("mount").args(tmpfs).arg(&disk).output().is_ok_and(|it| it.status.success());
    let full = mounted.then(|| site.worker(&["--scratch", "disk"]));
    let mut coordinator = site.coordinator();
    if mounted {
        site.wait_to_hear("takes no work for a while");
    }
    let worker = site.worker(&[]);
    let end = coordinator.end();
    drop((full, worker));
    if mounted {
        let _ = Command::new("umount").arg("-l").arg(&disk).status();
    }
    assert_eq!(end, Some(0), "{}", site.said());
    site.assert_same();
}

/// A command that must succeed for the test to make sense.
fn runs(line: &str) -> bool {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).output().is_ok_and(|output| output.status.success())
}

#[test]
fn a_worker_behind_a_cut_network_is_waited_for_or_replaced() {
    let Some(site) = site("network", &[("one.c", small(40))]) else { return };
    let name = format!("clew-{}", std::process::id());
    let (near, far) = (format!("cn{}", std::process::id()), format!("cf{}", std::process::id()));
    let made = runs(&format!("ip netns add {name}"))
        && runs(&format!("ip link add {near} type veth peer name {far}"))
        && runs(&format!("ip link set {far} netns {name}"))
        && runs(&format!("ip addr add 10.213.7.1/24 dev {near}"))
        && runs(&format!("ip link set {near} up"))
        && runs(&format!("ip -n {name} addr add 10.213.7.2/24 dev {far}"))
        && runs(&format!("ip -n {name} link set {far} up"));
    if made {
        let _server = site.server(&[]);
        site.alone();
        let url = format!("nats://10.213.7.1:{}", site.port);
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &name, env!("CARGO_BIN_EXE_clew"), "worker", "--jobs", "1", "--lease", LEASE]);
        command.args(["--queue", &url]).env("TMPDIR", site.at.join("tmp")).stderr(Stdio::null());
        let far_worker = Running::start(&mut command);
        let mut coordinator = site.coordinator();
        site.wait_for(4);
        runs(&format!("ip link set {near} down"));
        let worker = site.worker(&[]);
        site.wait_for(24);
        runs(&format!("ip link set {near} up"));
        assert_eq!(coordinator.end(), Some(0), "{}", site.said());
        site.assert_same();
        drop((far_worker, worker));
    }
    runs(&format!("ip link del {near}"));
    runs(&format!("ip netns del {name}"));
}

#[test]
fn the_queue_has_users_and_encryption_of_its_own() {
    let Some(site) = site("users", &[("one.c", small(3))]) else { return };
    let subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    let leaf = ["-addext", "basicConstraints=critical,CA:FALSE"];
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", "key.pem"]);
    let certified = openssl.args(["-out", "cert.pem"]).args(subject).args(leaf).current_dir(&site.at).output();
    let Ok(certified) = certified else { return clew_testing::missing("openssl") };
    assert!(certified.status.success(), "{}", said(&certified));
    let path = |name: &str| site.at.join(name).display().to_string();
    let (certificate, key) = (path("cert.pem"), path("key.pem"));
    let _server =
        site.server(&["--user", "tester", "--pass", "secret", "--tls", "--tlscert", &certificate, "--tlskey", &key]);
    site.alone();
    let stranger = site.test("shared", &["--queue", &site.url()]).output().expect("clew starts");
    assert_eq!(stranger.status.code(), Some(2), "{}", said(&stranger));
    assert!(said(&stranger).contains("cannot use the queue"), "{}", said(&stranger));
    let known = [("NATS_USER", "tester"), ("NATS_PASSWORD", "secret"), ("NATS_CA", &certificate)];
    let url = format!("tls://127.0.0.1:{}", site.port);
    let mut worker = site.clew(&["worker", "--queue", &url, "--jobs", "1", "--idle", "3"]);
    let mut worker = Running::start(worker.envs(known).stderr(Stdio::null()));
    let shared = site.test("shared", &["--queue", &url]).envs(known).output().expect("clew starts");
    assert_eq!(shared.status.code(), Some(0), "{}", said(&shared));
    site.assert_same();
    assert!(worker.is_running() || worker.end() == Some(0));
    assert_eq!(worker.end(), Some(0), "it ends when there is nothing to do");
}

/// Thousands of paths, and decisions that few of them take one way.
const LONG: &str = "int rare(const unsigned char s[12]) {
    unsigned h = 7;
    int low = 0;
    for (int i = 0; i < 12; i++) {
        if (s[i] > 'x') h = h * 31 + s[i];
        else if (s[i] == i * 3) { h ^= 977u * i; low++; }
    }
    if (h % 1009 == 5 && low > 4) return 2;
    return low == 12;
}
";

#[test]
fn parts_of_a_long_exploration_are_run_by_idle_workers() {
    let Some(site) = site("parts", &[("long.c", LONG.to_owned()), ("small.c", small(6))]) else { return };
    let _server = site.server(&[]);
    // Here long is what takes a part of a second.
    let tuned = ["--tune", "search.deal_from=300", "--tune", "search.deal_after=60"];
    let alone = site.test_for("0.6", "alone", &tuned).output().expect("clew starts");
    assert!(matches!(alone.status.code(), Some(0 | 3)), "{}", said(&alone));
    let mut workers = [site.worker(&[]), site.worker(&[]), site.worker(&[])];
    let url = site.url();
    let words = [&tuned[..], &["--queue", &url]].concat();
    let mut coordinator =
        Running::start(site.test_for("0.6", "shared", &words).stdout(Stdio::null()).stderr(Stdio::null()));
    site.wait_for(3);
    workers[1].kill();
    assert!(matches!(coordinator.end(), Some(0 | 3)));
    site.assert_same();
}
