//! CPU time of string-like problems, as rows: class, bytes, queries, microseconds per byte.
//!
//! `cargo bench -p clew-solver --bench strings`. The classes are what string and table functions of C turn into: a path
//! through `strlen` or `strcmp`, their results as one term, sums and hashes of bytes, chains of table reads.
#![expect(clippy::print_stdout, reason = "the rows are the output")]

use std::fmt::Write;
use std::time::Duration;

use clew_solver::smtlib::{Options, measure};
use rustix::time::{ClockId, clock_gettime};

const BYTES: [usize; 3] = [30, 60, 100];

fn main() {
    for bytes in BYTES {
        row("strlen, path", bytes, &strlen_path(bytes));
        row("strlen, term", bytes, &strlen_term(bytes));
        row("strcmp, path", bytes, &strcmp_path(bytes));
        row("memcmp, term", bytes, &memcmp_term(bytes));
        row("sum of bytes", bytes, &sum(bytes));
        row("hash, times 33", bytes, &hash(bytes));
    }
    for bytes in [1, 2, 4, 8] {
        row("table of 256, CRC", bytes, &crc(bytes));
    }
    row("sum of table reads", 2, &table_sum());
}

fn row(class: &str, bytes: usize, script: &str) {
    let answers = measure(script, &Options::default(), cpu_time).expect("the script is well formed");
    let total: Duration = answers.iter().map(|(_, time)| *time).sum();
    let each = total.as_secs_f64() * 1e6 / bytes as f64;
    println!("{class:20} {bytes:4} bytes {:4} queries {each:10.1} us/byte", answers.len());
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a CPU time is not negative")
}

/// Two entries of a table with a sum that two of them have, and with one that no two have.
fn table_sum() -> String {
    let table = (0..255).fold("#x00000000".to_owned(), |rest, index| {
        format!("(ite (= i (_ bv{index} 8)) #x{:08x} {rest})", crc_entry(index))
    });
    let entry = format!("(define-fun entry ((i (_ BitVec 8))) (_ BitVec 32) {table})\n");
    let sum = crc_entry(77).wrapping_add(crc_entry(200));
    let asked = [sum, sum ^ 1].map(|sum| ask(&format!("(= (bvadd (entry s0) (entry s1)) #x{sum:08x})")));
    declare(&["s"], 2) + &entry + &asked.concat()
}

/// An entry of the table of CRC-32.
fn crc_entry(index: u32) -> u32 {
    (0..8).fold(index, |c, _| c >> 1 ^ if c & 1 == 1 { 0xedb8_8320 } else { 0 })
}

/// Declarations of bytes: each name, numbered.
fn declare(names: &[&str], bytes: usize) -> String {
    let numbered = names.iter().flat_map(|name| (0..bytes).map(move |at| format!("{name}{at}")));
    numbered.fold(String::new(), |text, name| text + &format!("(declare-const {name} (_ BitVec 8))\n"))
}

/// A query in a scope of its own.
fn ask(condition: &str) -> String {
    format!("(push 1)\n(assert {condition})\n(check-sat)\n(pop 1)\n")
}

fn strlen_path(bytes: usize) -> String {
    (0..bytes).fold(declare(&["s"], bytes), |script, at| {
        script + &ask(&format!("(= s{at} #x00)")) + &format!("(assert (not (= s{at} #x00)))\n(check-sat)\n")
    })
}

fn strlen_term(bytes: usize) -> String {
    let length = (0..bytes)
        .rev()
        .fold(format!("(_ bv{bytes} 32)"), |rest, at| format!("(ite (= s{at} #x00) (_ bv{at} 32) {rest})"));
    let defined = format!("(define-fun length () (_ BitVec 32) {length})\n");
    let asked = ask(&format!("(= length (_ bv{} 32))", bytes / 2)) + &ask(&format!("(bvugt length (_ bv{bytes} 32))"));
    declare(&["s"], bytes) + &defined + &asked
}

fn strcmp_path(bytes: usize) -> String {
    (0..bytes).fold(declare(&["s", "t"], bytes), |script, at| {
        let more = ask(&format!("(bvult s{at} t{at})"));
        script + &more + &format!("(assert (and (= s{at} t{at}) (not (= s{at} #x00))))\n(check-sat)\n")
    })
}

fn memcmp_term(bytes: usize) -> String {
    let order = (0..bytes).rev().fold("(_ bv0 32)".to_owned(), |rest, at| {
        let difference = format!("(bvsub ((_ zero_extend 24) s{at}) ((_ zero_extend 24) t{at}))");
        format!("(ite (= s{at} t{at}) {rest} {difference})")
    });
    let defined = format!("(define-fun order () (_ BitVec 32) {order})\n");
    let conditions = ["(= order (_ bv0 32))", "(bvslt order (_ bv0 32))", "(= order (_ bv200 32))"];
    declare(&["s", "t"], bytes) + &defined + &conditions.map(ask).concat() + &ask("(bvsgt order (_ bv255 32))")
}

fn sum(bytes: usize) -> String {
    let sum = (0..bytes).fold("(_ bv0 32)".to_owned(), |sum, at| format!("(bvadd {sum} ((_ zero_extend 24) s{at}))"));
    let defined = format!("(define-fun total () (_ BitVec 32) {sum})\n");
    let exact = ask(&format!("(= total (_ bv{} 32))", bytes * 123));
    let conditions = ["(= (bvand total #x000000ff) #x00000042)", "(= (bvurem total (_ bv97 32)) (_ bv13 32))"];
    let most = ask(&format!("(bvugt total (_ bv{} 32))", bytes * 255));
    declare(&["s"], bytes) + &defined + &exact + &conditions.map(ask).concat() + &most
}

fn hash(bytes: usize) -> String {
    let mut script = declare(&["s"], bytes) + "(define-fun h () (_ BitVec 32) (_ bv5381 32))\n";
    let mut last = "h".to_owned();
    for at in 0..bytes {
        let next = format!("(bvadd (bvmul {last} (_ bv33 32)) ((_ zero_extend 24) s{at}))");
        writeln!(script, "(define-fun h{at} () (_ BitVec 32) {next})").expect("a string takes all text");
        last = format!("h{at}");
    }
    script + &ask(&format!("(= {last} #xdeadbeef)")) + &ask(&format!("(= (bvand {last} #x000000ff) #x00000011)"))
}

fn crc(bytes: usize) -> String {
    let table = (0..255).rev().fold(format!("#x{:08x}", crc_entry(255)), |rest, index| {
        format!("(ite (= i (_ bv{index} 8)) #x{:08x} {rest})", crc_entry(index))
    });
    let mut script = format!("(define-fun entry ((i (_ BitVec 8))) (_ BitVec 32) {table})\n") + &declare(&["s"], bytes);
    let mut last = "#xffffffff".to_owned();
    for at in 0..bytes {
        let next = format!("(bvxor (entry (bvxor ((_ extract 7 0) {last}) s{at})) (bvlshr {last} #x00000008))");
        writeln!(script, "(define-fun c{at} () (_ BitVec 32) {next})").expect("a string takes all text");
        last = format!("c{at}");
    }
    script + &ask(&format!("(= (bvand {last} #x0000000f) #x00000007)")) + &ask(&format!("(= {last} #x12345678)"))
}
