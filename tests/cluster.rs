//! Many machines, one result: shards and what joins them, shared results, and the recipes of docs/cluster.md.

use clew_testing::results;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

const FIRST: &str = "static int low(int a) { return a < 3 ? a : 3; }
int caller(int a) { if (low(a) == 2) return 1; return 0; }
int other(int a, int b) { if (a > b) return a; return b; }
int divides(int a, int b) { if (b == 5) return 0; return a / b; }
";
const SECOND: &str = "extern int elsewhere; int needs(int); struct s { int x; };
int reads(struct s *p) { if (p && p->x == 7) return needs(p->x) > 2; return elsewhere; }
int sign(int a) { return a < 0 ? -1 : a > 0; }
";

/// A folder of its own with two files.
fn folder(name: &str) -> PathBuf {
    folder_of(name, &[("first.c", FIRST), ("second.c", SECOND)])
}

/// A folder of its own with some files.
fn folder_of(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "cluster", name);
    let entry = |(file, text): &(&str, &str)| {
        write(&path.join(file), text);
        format!("{{\"directory\": {path:?}, \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}")
    };
    let entries: Vec<String> = files.iter().map(entry).collect();
    write(&path.join("compile_commands.json"), &format!("[{}]", entries.join(", ")));
    path
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}

fn clew(at: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clew")).args(words).current_dir(at).output().expect("clew starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What each test of a project begins with. Shares of a project have test code function by function.
fn fixed(out: &str) -> [&str; 11] {
    ["test", "-p", ".", "-c", "decision", "--export", "lcov,sarif,junit", "--binary", "function", "-o", out]
}

/// Tests the project of a folder; what it says.
fn test(at: &Path, out: &str, more: &[&str]) -> String {
    let output = clew(at, &[&fixed(out)[..], &clew_testing::effort("10"), more].concat());
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", said(&output));
    said(&output)
}

fn merge(at: &Path, inputs: &[&str], out: &str) -> Output {
    clew(at, &[&["merge"], inputs, &["-o", out]].concat())
}

/// Two folders hold the same.
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, text) in &one {
        assert_eq!(Some(text), other.get(path), "{}", path.display());
    }
}

#[test]
fn shards_together_are_the_whole() {
    let at = folder("shards");
    test(&at, "whole", &[]);
    let names: Vec<String> = (1..=8).map(|number| format!("shard-{number}")).collect();
    for (name, number) in names.iter().zip(1..) {
        test(&at, name, &["--shard", &format!("{number}/8"), "--jobs", "1"]);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(merge(&at, &names, "joined").status.code(), Some(0), "findings do not make it fail");
    assert_same(&at.join("whole"), &at.join("joined"));
    let reversed: Vec<&str> = names.iter().rev().copied().collect();
    merge(&at, &reversed, "reversed");
    assert_same(&at.join("whole"), &at.join("reversed"));
    let without = merge(&at, &names[1..], "without");
    assert!(said(&without).contains("of 8 shards, 1 not here"), "{}", said(&without));
    let made = Command::new("make").args(["-s", "-C", "joined", "check"]).current_dir(&at).output().expect("make runs");
    assert!(said(&made).ends_with("6 suites, all pass\n"), "{}", said(&made));
}

#[test]
fn shards_by_durations_are_the_whole_and_say_their_plan() {
    let at = folder("durations");
    test(&at, "whole", &[]);
    let plan = ["--durations", "whole/project.json"];
    for number in 1..=2 {
        let (share, out) = (format!("{number}/2"), format!("shard-{number}"));
        test(&at, &out, &[&["--shard", &share], &plan[..]].concat());
    }
    let project = |name: &str| -> Value {
        let text = std::fs::read_to_string(at.join(name).join("project.json")).expect("there is a summary");
        serde_json::from_str(&text).expect("it is JSON")
    };
    let (one, two) = (project("shard-1"), project("shard-2"));
    assert_eq!(one["shard"]["plan"], two["shard"]["plan"]);
    let sizes = [&one, &two].map(|project| project["totals"]["functions"].as_u64().expect("it is a number"));
    assert!(sizes[0] + sizes[1] == 6 && sizes.iter().all(|&size| size > 0), "{sizes:?}");
    // Elsewhere, test code names the source by another path.
    merge(&at, &["shard-1", "shard-2"], "below/further/joined");
    let made = Command::new("make").args(["-s", "-C", "below/further/joined", "check"]).current_dir(&at).output();
    let made = said(&made.expect("make runs"));
    assert!(made.ends_with("6 suites, all pass\n"), "{made}");
    test(&at, "shard-2", &["--shard", "2/2"]);
    let doubtful = merge(&at, &["shard-1", "shard-2"], "doubtful");
    assert!(said(&doubtful).contains("not cut by one plan"), "{}", said(&doubtful));
}

#[test]
fn joined_projects_keep_what_differs_and_suites_come_along() {
    let at = folder("joined");
    test(&at, "old", &["-f", "sign"]);
    write(&at.join("second.c"), &SECOND.replace("a < 0", "a <= 0"));
    test(&at, "new", &["-f", "sign"]);
    let suite = clew(&at, &["test", "first.c", "-f", "other", "-c", "decision", "-o", "suite", "--effort", "10"]);
    assert_eq!(suite.status.code(), Some(0), "{}", said(&suite));
    let joined = merge(&at, &["old", "new", "suite", "suite"], "all");
    assert_eq!(joined.status.code(), Some(0), "{}", said(&joined));
    assert!(said(&joined).contains("`sign` of") && said(&joined).contains("both are kept"), "{}", said(&joined));
    let project = std::fs::read_to_string(at.join("all/project.json")).expect("there is a summary");
    let project: Value = serde_json::from_str(&project).expect("it is JSON");
    let named = |function: &Value| {
        (function["name"].as_str().unwrap_or_default().to_owned(), function["variant"].as_str().is_some())
    };
    let names: Vec<_> = project["functions"].as_array().expect("there are functions").iter().map(named).collect();
    let expected = [("other", false), ("sign", true), ("sign", true)];
    assert_eq!(BTreeSet::from_iter(names), BTreeSet::from(expected.map(|(name, varies)| (name.to_owned(), varies))));
    assert_eq!(project["totals"]["functions"], 3);
    assert!(at.join("all/suite/report.html").is_file());
    let same = merge(&at, &["old", "all"], "all");
    assert_eq!(same.status.code(), Some(2), "{}", said(&same));
    assert_eq!(merge(&at, &["."], "none").status.code(), Some(2));
}

#[test]
fn results_are_shared_by_a_directory() {
    let at = folder("directory");
    let first = test(&at, "one", &["--cache", "kept"]);
    assert!(first.contains("0 of 6 results were in the cache"), "{first}");
    std::fs::rename(at.join("one"), at.join("first")).expect("it can be moved");
    let again = test(&at, "one", &["--cache", "kept", "--cache-read-only"]);
    assert!(again.contains("6 of 6 results were in the cache"), "{again}");
    assert_same(&at.join("first"), &at.join("one"));
    // Another place is another name, for reports and test code say where they are.
    let elsewhere = test(&at, "two", &["--cache", "kept", "--cache-read-only"]);
    assert!(elsewhere.contains("0 of 6 results"), "{elsewhere}");
    // What is damaged is made anew.
    let mut entries = 0;
    for (path, _) in binary(&at.join("kept")) {
        let mut content = std::fs::read(&path).expect("it can be read");
        let middle = content.len() / 2;
        content[middle] ^= 1;
        std::fs::write(&path, content).expect("it can be written");
        entries += 1;
    }
    assert!(entries > 6, "results and libraries are kept: {entries}");
    std::fs::remove_dir_all(at.join("one")).expect("it can be removed");
    let damaged = test(&at, "one", &["--cache", "kept"]);
    assert!(damaged.contains("0 of 6 results"), "{damaged}");
    assert_same(&at.join("first"), &at.join("one"));
}

/// The files below a folder with their sizes.
fn binary(folder: &Path) -> Vec<(PathBuf, u64)> {
    let entries =
        std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("and its entries"));
    let below = |path: PathBuf| match std::fs::metadata(&path) {
        Ok(data) if data.is_dir() => binary(&path),
        Ok(data) => vec![(path, data.len())],
        Err(_) => Vec::new(),
    };
    entries.flat_map(|entry| below(entry.path())).collect()
}

#[test]
fn writers_side_by_side_do_not_disturb_each_other() {
    let at = folder("writers");
    std::thread::scope(|scope| {
        for name in ["one", "two", "three"] {
            let at = &at;
            // The same place for all would be the same output: each has a copy of the project's results.
            scope.spawn(move || test(at, name, &["--cache", "kept", "--jobs", "1"]));
        }
    });
    for name in ["one", "two", "three"] {
        std::fs::remove_dir_all(at.join(name)).expect("it can be removed");
        let again = test(&at, name, &["--cache", "kept"]);
        assert!(again.contains("6 of 6 results were in the cache"), "{again}");
    }
    let left = binary(&at.join("kept")).into_iter().filter(|(path, _)| path.to_string_lossy().contains("new-"));
    assert_eq!(left.count(), 0, "nothing half written stays");
}

/// A process that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has an address").port()
}

/// Starts nginx with WebDAV below a folder.
fn nginx(at: &Path, methods: &str, port: u16) -> Option<Server> {
    let program = ["/usr/sbin/nginx", "/usr/bin/nginx"].into_iter().find(|path| Path::new(path).exists())?;
    std::fs::create_dir_all(at.join("served")).expect("the folder can be made");
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let folders = folders.map(|name| format!("{name}_temp_path {}/tmp-{name};", at.display())).join(" ");
    let text = format!(
        "daemon off; master_process off; pid {at}/nginx.pid; error_log {at}/error.log;\nevents {{}}\nhttp {{ access_log off; \
         {folders} client_max_body_size 64m;\nserver {{ listen 127.0.0.1:{port}; root {at}/served; location / {{ {methods} }} }} }}\n",
        at = at.display()
    );
    write(&at.join("nginx.conf"), &text);
    let mut command = Command::new(program);
    command.arg("-c").arg(at.join("nginx.conf")).arg("-e").arg(at.join("error.log"));
    let server = Server(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("nginx starts"));
    for _ in 0..500 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(server);
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nginx does not listen: {:?}", std::fs::read_to_string(at.join("error.log")));
}

#[test]
fn results_are_shared_by_a_server() {
    let at = folder("server");
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}/");
    let Some(server) = nginx(&at, "dav_methods PUT;", port) else { return clew_testing::missing("nginx") };
    let first = test(&at, "one", &["--cache", &url]);
    assert!(first.contains("0 of 6 results were in the cache"), "{first}");
    std::fs::rename(at.join("one"), at.join("first")).expect("it can be moved");
    let again = test(&at, "one", &["--cache", &url]);
    assert!(again.contains("6 of 6 results were in the cache"), "{again}");
    assert_same(&at.join("first"), &at.join("one"));
    // One entry under the name of another is foreign: a miss.
    let results: Vec<PathBuf> = binary(&at.join("served")).into_iter().map(|(path, _)| path).collect();
    let results: Vec<&PathBuf> = results.iter().filter(|path| path.to_string_lossy().contains("result-")).collect();
    std::fs::copy(results[0], results[1]).expect("it can be copied");
    std::fs::remove_dir_all(at.join("one")).expect("it can be removed");
    let foreign = test(&at, "one", &["--cache", &url]);
    assert!(foreign.contains("5 of 6 results"), "{foreign}");
    assert_same(&at.join("first"), &at.join("one"));
    // A server that may only be read says so, and one that is gone costs no result.
    drop(server);
    let closed = test(&at, "closed", &["--cache", &url]);
    assert!(closed.contains("does not answer") && closed.contains("0 of 6 results"), "{closed}");
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let _server = nginx(&at, "limit_except GET { deny all; }", port);
    let refused = test(&at, "refused", &["--cache", &url]);
    assert!(refused.contains("is only read"), "{refused}");
    let secure = clew(&at, &["test", "-p", ".", "--cache", "https://127.0.0.1/"]);
    assert_eq!(secure.status.code(), Some(2), "{}", said(&secure));
}

/// Answers one request after the other with what it is told, and keeps the heads of requests.
fn answering(answer: &'static [u8]) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let heads = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&heads);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut buffer = vec![0; 1 << 16];
            let read = stream.read(&mut buffer).unwrap_or(0);
            kept.lock().expect("nobody panicked").push(String::from_utf8_lossy(&buffer[..read]).into_owned());
            let _ = stream.write_all(answer);
        }
    });
    (url, heads)
}

#[test]
fn whatever_a_server_says_results_are_right() {
    let at = folder("strange");
    test(&at, "plain", &[]);
    let answers: [&[u8]; 3] = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nclew 1\nnot all of it",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{\"a\":1}\n\n",
        b"no HTTP at all\r\n\r\n",
    ];
    for (number, answer) in answers.into_iter().enumerate() {
        let (url, heads) = answering(answer);
        let out = format!("strange-{number}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
        command
            .args(fixed(&out))
            .args(["--cache", &url])
            .args(clew_testing::effort("10"))
            .current_dir(&at)
            .env("CLEW_CACHE_TOKEN", "secret");
        let output = command.output().expect("clew starts");
        assert!(said(&output).contains("0 of 6 results"), "{}", said(&output));
        assert_same(&at.join("plain"), &at.join(&out));
        let heads = heads.lock().expect("nobody panicked");
        assert!(heads.iter().any(|head| head.to_lowercase().contains("authorization: bearer secret")), "{heads:?}");
    }
}

/// The recipes of the guide, with two shards instead of many.
#[test]
fn recipes_are_understood() {
    let guide = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cluster.md"));
    let guide = guide.expect("the guide is there");
    let at = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "cluster", "recipes");
    let in_code = guide.split("```").skip(1).step_by(2);
    let lines: Vec<&str> = in_code.flat_map(str::lines).filter(|line| line.contains("clew test -p")).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    for line in lines {
        let command = &line[line.find("clew test").expect("it is there")..];
        let command = command.split(" || ").next().unwrap_or_default().split(" :::").next().unwrap_or_default();
        let command = command.trim_end_matches("']").replace("${{ matrix.shard }}", "1").replace("{}", "1");
        let command = command.replacen("clew", env!("CARGO_BIN_EXE_clew"), 1);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).envs([
            ("CI_NODE_INDEX", "1"),
            ("CI_NODE_TOTAL", "8"),
            ("JOB_COMPLETION_INDEX", "0"),
        ]);
        let output = shell.current_dir(&at).output().expect("the shell starts");
        let said = said(&output);
        assert!(said.contains("no such file: build/"), "{command}: {said}");
    }
}

#[test]
fn a_job_array_of_slurm_and_gnu_parallel_give_the_whole() {
    let at = folder("arrays");
    let program = env!("CARGO_BIN_EXE_clew");
    test(&at, "whole", &[]);
    let words = ["-p", ".", "-c", "decision", "--export", "lcov,sarif,junit", "--effort", "10", "--time", "3600"];
    let slurm = ["cluster", "slurm", "--shards", "2", "--processors", "1", "--program", program, "-o", "array", "--"];
    let script = clew(&at, &[&slurm[..], &words].concat());
    write(&at.join("clew.sbatch"), &String::from_utf8_lossy(&script.stdout));
    assert!(
        said(&script).contains("#SBATCH --array=1-2\n") && said(&script).contains("--mem=2048M"),
        "{}",
        said(&script)
    );
    for task in ["1", "2"] {
        let mut bash = Command::new("bash");
        let ended = bash.arg("clew.sbatch").current_dir(&at).env("SLURM_ARRAY_TASK_ID", task).output();
        let ended = ended.expect("bash starts");
        assert!(ended.status.success(), "{}", said(&ended));
    }
    merge(&at, &["array/shard-1", "array/shard-2"], "joined");
    // Suites one folder deeper name the source by a longer path; joined, they lie where those of the whole do.
    assert_same(&at.join("whole"), &at.join("joined"));
    if Command::new("parallel").arg("--version").output().is_err() {
        return clew_testing::missing("parallel");
    }
    let mut parallel = Command::new("parallel");
    parallel.args(["--will-cite", "-S", ":", "--jobs", "1", program, "test"]).args(words).current_dir(&at);
    parallel.args(["--shard", "{}/2", "-o", "parallel-{}", ":::", "1", "2"]).env("HOME", &at);
    let ended = parallel.output().expect("parallel starts");
    merge(&at, &["parallel-1", "parallel-2"], "again");
    assert!(at.join("parallel-2").is_dir(), "{}", said(&ended));
    assert_same(&at.join("whole"), &at.join("again"));
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
    if (h == 123456789 && low == 7) return 3;
    return low == 12;
}
int quick(int a) { return a > 3; }
";

/// Long explorations go on in parts. Here long is what takes a part of a second.
const PARTS: [&str; 4] = ["--tune", "search.deal_from=300", "--tune", "search.deal_after=60"];

/// A project of a long and a quick function, tested for `criterion` with some work by `jobs` workers.
fn in_parts(at: &Path, criterion: &str, jobs: &str, out: &str) {
    let fixed = ["test", "-p", ".", "--no-verify", "-c", criterion];
    let output = clew(at, &[&fixed[..], &clew_testing::effort("0.6"), &["-j", jobs, "-o", out], &PARTS].concat());
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", said(&output));
}

#[test]
fn parts_of_a_long_exploration_do_not_depend_on_who_runs_them() {
    let at = folder_of("parts", &[("long.c", LONG)]);
    for criterion in ["decision", "path"] {
        in_parts(&at, criterion, "1", &format!("{criterion}-alone"));
        in_parts(&at, criterion, "3", &format!("{criterion}-shared"));
        assert_same(&at.join(format!("{criterion}-alone")), &at.join(format!("{criterion}-shared")));
    }
}
