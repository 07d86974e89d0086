//! What verdicts take for granted: every kind of assumption is in the table of `docs/trust.md`, in every output by the same
//! words, counted, and told by the exit code where that is asked.

use clew_coverage::Assumption;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program with a verdict that rests on an assumption of a kind, and how that is said.
const SHOWN: [(&str, &str, &str); 3] = [
    (
        "separation",
        "int sum(int *a, int n, int *total)\n{\n    *total = 0;\n    for (int i = 0; i < n; i++)\n        *total += a[i] & 1;\n    \
         if (*total < 0) return 1;\n    return 0;\n}\n",
        "`a` and `total` do not overlap",
    ),
    (
        "validity",
        "int at(int *p, int i)\n{\n    if (i > 3) return p[i];\n    return 0;\n}\n",
        "`p` leads to as many elements as are accessed",
    ),
    (
        "external-writes",
        "int *keep;\nvoid ext(int);\nint f(void)\n{\n    int l = 1;\n    keep = &l;\n    ext(0);\n    keep = 0;\n    \
         if (l != 1) return 1;\n    return 0;\n}\n",
        "`ext` writes only to named variables and to what the arguments lead to",
    ),
];

fn clew(at: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.args(words).current_dir(at).env("NO_COLOR", "1").output().expect("clew can be run")
}

fn folder(kind: &str, program: &str) -> PathBuf {
    let at = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "assumptions", kind);
    std::fs::write(at.join("part.c"), program).expect("the program can be written");
    at
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

#[test]
fn the_table_lists_every_kind() {
    let trust = include_str!("../docs/trust.md");
    let rows = trust.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(kind, _)| kind);
    let mut listed: Vec<&str> = rows.collect();
    let mut kinds = Assumption::KINDS.to_vec();
    listed.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(listed, kinds);
    // That of Java needs a JDK: `tests/java.rs` has it.
    let shown = SHOWN.iter().map(|(kind, ..)| *kind).chain(["java-model"]);
    assert!(shown.eq(Assumption::KINDS));
}

#[test]
fn every_output_names_every_kind() {
    for (kind, program, said) in SHOWN {
        let at = folder(kind, program);
        let words = ["test", "part.c", "-c", "decision,error", "--no-verify", "-o", "suite"];
        let told = clew(&at, &[&words[..], &clew_testing::effort("0.3")].concat());
        let told = text(&told);
        assert!(told.contains(&format!("* assumes: {said} ({kind}; docs/trust.md)")), "{kind}: {told}");
        assert!(told.contains("under assumptions)") && told.contains("infeasible*"), "{kind}: {told}");
        let summary = clew(&at, &[&words[..], &clew_testing::effort("0.3"), &["--summary", "json"]].concat());
        let summary = text(&summary);
        let counts: serde_json::Value =
            summary.lines().find_map(|line| serde_json::from_str(line).ok()).expect("there is a summary");
        let mut criteria = counts["functions"][0]["criteria"].as_array().expect("there are criteria").iter();
        assert!(criteria.any(|count| count["assumed"].as_u64() > Some(0)), "{kind}: {summary}");
        let evidence = clew(&at, &["evidence", "suite", "--no-measure"]);
        assert!(evidence.status.success(), "{kind}: {}", String::from_utf8_lossy(&evidence.stderr));
        for file in ["suite.json", "report.html", "evidence/evidence.json", "evidence/evidence.md"] {
            let content = std::fs::read_to_string(at.join("suite").join(file)).expect("the file is written");
            assert!(content.contains(said), "{kind}: {file}");
        }
    }
}

#[test]
fn the_exit_code_tells_assumptions_where_that_is_asked() {
    let (_, program, said) = SHOWN[2];
    let at = folder("denied", program);
    let code = |words: &[&str]| clew(&at, &[words, &clew_testing::effort("0.3")].concat()).status.code();
    let test = ["test", "part.c", "-c", "decision", "--no-verify"];
    assert_eq!(code(&test), Some(0));
    assert_eq!(code(&[&test[..], &["--deny", "assumptions"]].concat()), Some(8));
    assert_eq!(code(&[&test[..], &["--deny", "findings,assumptions"]].concat()), Some(8));
    let prove = ["prove", "part.c", "-f", "f", "--ensures", "\\result == 0", "--deny", "assumptions"];
    assert_eq!(code(&prove), Some(8));
    let strict = [&prove[..], &["--assumptions", "strict"]].concat();
    assert_eq!(code(&strict), Some(3), "nothing rests on an assumption then");
    let both = [
        "prove",
        "part.c",
        "-f",
        "f",
        "--ensures",
        "\\result == 0",
        "--ensures",
        "\\result == 1",
        "--deny",
        "assumptions",
    ];
    assert_eq!(code(&both), Some(9));
    let told = text(&clew(&at, &both));
    assert!(told.contains(said) && told.contains("2 goals: 1 proved (1 under assumptions), 1 violated"), "{told}");
}
