//! Scripts that are not scripts: an error with a place, never a panic, never an overflow of the stack.

#[path = "common/terms.rs"]
mod terms;

use clew_solver::clock::Deadline;
use clew_solver::smtlib::{Error, Options, run};
use clew_solver::solver::Budget;
use terms::{Random, count};

fn outcome(text: &str) -> Result<(), Error> {
    let options = Options { budget: Budget { steps: Some(1000), deadline: Deadline::default() }, ..Options::default() };
    run(text, &options, &mut |_| {}).map(|_| ())
}

#[test]
fn mistakes_are_errors() {
    let scripts = [
        ")",
        "(",
        "((((",
        "x",
        "()",
        "(())",
        "(assert)",
        "(assert 5)",
        "(assert (let ((x true) x)))",
        "(assert (let () true))",
        "(assert (! ))",
        "(assert (_ bv5))",
        "(assert (_ bv300 8))",
        "(assert (= #b1 #b11))",
        "(assert (bvadd))",
        "(assert ((_ extract 9 0) #xff))",
        "(assert ((_ extract 0 1) #xff))",
        "(assert ((_ zero_extend 200) #xff))",
        "(assert ((_ zero_extend 340282366920938463463374607431768211455) #xff))",
        "(assert ((_ repeat 0) #xff))",
        "(assert ((_ repeat 340282366920938463463374607431768211455) #xff))",
        "(assert (select #xff #xff))",
        "(assert ((as const Bool) true))",
        "(assert (fp #b1 #b1 #b1))",
        "(assert (fp.add RNE 1.0 2.0))",
        "(assert ((_ to_fp 8 24) RNE (/ 1 0)))",
        "(assert (forall ((x Bool)) x))",
        "(declare-const x (_ BitVec 0))",
        "(declare-const x (_ BitVec 129))",
        "(declare-const x (_ FloatingPoint 1 2))",
        "(declare-const x (_ FloatingPoint 200 200))",
        "(declare-const x (Array Bool (Array Bool Bool)))",
        "(declare-const x Unknown)",
        "(declare-const x Bool) (declare-const x Bool)",
        "(declare-fun f (Bool) Bool)",
        "(define-fun f ((x Bool)) Bool x) (assert f)",
        "(define-fun f ((x Bool)) Bool x) (assert (f))",
        "(define-fun f ((x Bool)) Bool x) (assert (f #b1))",
        "(define-fun f () Bool #b1)",
        "(define-sort S (T) (S T)) (declare-const x (S Bool))",
        "(define-sort S () S) (declare-const x S)",
        "(pop 1)",
        "(push -1)",
        "(get-model)",
        "(check-sat) (get-unsat-core)",
        "(frobnicate)",
        "(echo hello)",
        "(assert |unclosed",
        "(echo \"unclosed",
        "(assert #xg)",
        "(assert #)",
        "(assert 1.)",
        "(assert \u{7f})",
    ];
    for script in scripts {
        let error = outcome(script).expect_err(script);
        assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty(), "{script}: {error}");
    }
}

#[test]
fn nesting_is_bounded_by_memory_alone() {
    let depth = 100_000;
    let nested = |open: &str, inner: &str| format!("(assert {}{inner}{})", open.repeat(depth), ")".repeat(depth));
    assert!(outcome(&"(".repeat(depth)).is_err());
    assert!(outcome(&format!("{}{}", "(".repeat(depth), ")".repeat(depth))).is_err());
    assert!(outcome(&nested("(not ", "true")).is_ok());
    let sum = format!(
        "(declare-const x (_ BitVec 8))(assert (= #x05 {}x{}))(check-sat)(get-value (x))",
        "(bvudiv x ".repeat(depth),
        ")".repeat(depth)
    );
    let _ = outcome(&sum);
    let lets = format!("(assert {}a{})", "(let ((a true)) ".repeat(depth), ")".repeat(depth));
    assert!(outcome(&lets).is_ok());
    let sorts = format!("(declare-const x {}Bool{})", "(Array Bool ".repeat(depth), ")".repeat(depth));
    assert!(outcome(&sorts).is_err());
}

#[test]
fn damaged_scripts_do_not_panic() {
    let files = std::fs::read_dir("tests/problems").unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    let texts: Vec<Vec<u8>> = files.into_iter().map(|file| std::fs::read(file).unwrap()).collect();
    let mut random = Random(21);
    for _ in 0..count(300) {
        let mut text = texts[random.below(texts.len())].clone();
        for _ in 0..1 + random.below(4) {
            damage(&mut random, &mut text, &texts);
        }
        if let Ok(text) = String::from_utf8(text) {
            let _ = outcome(&text);
        }
    }
}

/// Removes, repeats, or replaces a stretch of bytes, sometimes by one of another script.
fn damage(random: &mut Random, text: &mut Vec<u8>, texts: &[Vec<u8>]) {
    if text.is_empty() {
        return;
    }
    let start = random.below(text.len());
    let end = (start + random.below(12)).min(text.len());
    let other = &texts[random.below(texts.len())];
    let from = random.below(other.len());
    let piece = match random.below(4) {
        0 => Vec::new(),
        1 => text[start..end].repeat(2),
        2 => other[from..(from + random.below(20)).min(other.len())].to_vec(),
        _ => random.next().to_string().into_bytes(),
    };
    text.splice(start..end, piece);
}
