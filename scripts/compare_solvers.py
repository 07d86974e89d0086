#!/usr/bin/env python3
"""Compares clew's solver with Bitwuzla on SMT-LIB files: right answers and CPU time.

    compare_solvers.py [--seconds N] [--clew 'COMMAND'] [--only clew|bitwuzla] PATH...

Each PATH is an .smt2 file or a directory of them. Every solver gets each file in a process of its own, limited to N
seconds of CPU time; times are CPU times, so other load on the machine does not count. Bitwuzla is the wheel of PyPI
(`pip install bitwuzla`), run through its own parser with default options.

Prints one line per file and a summary per solver (solved, median and total time). Exits with 1 if two solvers, or a
solver and the file's `:status`, contradict each other.
"""

import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time

BITWUZLA = """
import sys, bitwuzla
options = bitwuzla.Options()
parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
parser.parse(sys.argv[1], parse_only=False)
"""


def commands(arguments):
    """The command of each solver, without the file."""
    solvers = {"clew": arguments.clew.split(), "bitwuzla": [sys.executable, "-c", BITWUZLA]}
    return {name: command for name, command in solvers.items() if arguments.only in (None, name)}


def limit_cpu(seconds):
    """Sets the limit in the child; the kernel ends the process when it is reached."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def run(command, path, seconds):
    """One answer and the CPU seconds it took: 'error' if the solver failed by itself, 'unknown' if it gave up or was ended."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [*command, str(path)], capture_output=True, text=True, preexec_fn=lambda: limit_cpu(seconds), check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answers = re.findall(r"^(?:sat|unsat|unknown)$", process.stdout, re.MULTILINE)
    failed = process.returncode > 0 and not answers
    return (answers[0] if answers else "error" if failed else "unknown"), used


def expected(path):
    """The recorded status, if there is one."""
    found = re.search(r":status\s+(sat|unsat)\b", path.read_text())
    return found.group(1) if found else None


def files(paths):
    """The .smt2 files named or below the named directories, sorted."""
    for path in map(pathlib.Path, paths):
        yield from [path] if path.is_file() else sorted(path.rglob("*.smt2"))


def compare(arguments):
    """Runs everything; gives the rows per solver and the number of contradictions."""
    solvers = commands(arguments)
    results = {name: [] for name in solvers}
    contradictions = 0
    for path in files(arguments.paths):
        answers = {expected(path)} - {None}
        line = []
        for name, command in solvers.items():
            answer, used = run(command, path, arguments.seconds)
            results[name].append((answer, used))
            answers |= {answer} & {"sat", "unsat"}
            line.append(f"{answer:8}{used:8.2f}")
        wrong = len(answers) > 1
        contradictions += wrong
        print("  ".join(line), path, "CONTRADICTION" if wrong else "", flush=True)
    return results, contradictions


def summary(name, rows):
    """Solved, failed, and the median and total of the times spent, unsolved files included."""
    solved = sum(answer in ("sat", "unsat") for answer, _ in rows)
    errors = sum(answer == "error" for answer, _ in rows)
    times = [used for _, used in rows]
    return (
        f"{name}: {solved} of {len(rows)} solved, {errors} errors, "
        f"median {statistics.median(times):.3f} s, total {sum(times):.0f} s"
    )


def main():
    """Parses the command line, compares, reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--clew", default="target/release/clew solve", help="the command that takes a file")
    parser.add_argument("--only", choices=["clew", "bitwuzla"])
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    start = time.monotonic()
    results, contradictions = compare(arguments)
    for name, rows in results.items():
        print(summary(name, rows))
    print(f"{contradictions} contradictions, {time.monotonic() - start:.0f} s of wall time")
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
