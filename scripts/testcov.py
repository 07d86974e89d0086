#!/usr/bin/env python3
"""Lets TestCov measure the Test-Comp suites that clew writes.

    pip install testcov; apt-get install lcov clang-tidy
    scripts/testcov.py CLEW PROGRAM.c...

Each program has `main` and reads its input by `__VERIFIER_nondet_*`. For each: what clew says of its decisions, and the
branch coverage that TestCov sees when it runs the exported suite. Ends with code 1 if TestCov sees less than all of the
branches where clew covers every decision.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def said(clew, program, out):
    """What clew says of the decisions of a program whose suite it writes."""
    command = [clew, "test", "--no-verify", program, "-f", "main", "-c", "condition-decision", "--export", "testcomp-zip", "-o", out, "--summary", "json"]
    run = subprocess.run(command, capture_output=True, text=True)
    return json.loads(run.stdout)["functions"][0]["criteria"][0]


def measured(program, out):
    """The percentage of branches that TestCov sees."""
    suite = pathlib.Path(out) / "test-suite.zip"
    command = ["testcov", "--no-isolation", "--no-plots", "-64", "--test-suite", suite, "--output", f"{out}/testcov", pathlib.Path(program).resolve()]
    run = subprocess.run(command, capture_output=True, text=True, cwd=out)
    found = re.search(r"Coverage: ([0-9.]+)%", run.stdout)
    return float(found.group(1)) if found else None


def main(clew, programs):
    doubts = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as out:
            count, seen = said(clew, program, out), measured(program, out)
        doubtful = seen is None or count["covered"] == count["objectives"] and seen < 100
        doubts += doubtful
        print(f"{program}: {count['covered']} of {count['objectives']} covered, {count['infeasible']} infeasible; TestCov: {seen} %"
              + (" (less than claimed)" if doubtful else ""))
    return 1 if doubts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
