#!/usr/bin/env python3
"""Compares the answers of clew's solver with those of Z3 and Bitwuzla on random problems of full width.

    compare_random.py [--problems N] [--seed N] [--limit SECONDS] [--steps N] [--replay 'COMMAND']

A problem has one to four assertions over a few bit-vectors of 32 or 64 bits, floats and doubles, with all operators that
SMT-LIB defines for every operand. Clew decides all of them in one script, Z3 and Bitwuzla (the wheels of PyPI) one by
one. A solver may give up; two that contradict each other are an error, the problem is printed, and the exit code is 1.
Clew evaluates every model before it answers `sat`.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import bitwuzla
import z3

SINGLE, DOUBLE = (8, 24), (11, 53)
MODES = ["RNE", "RNA", "RTP", "RTN", "RTZ"]


class Problem:
    """Random declarations and assertions."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        width, formats = self.dice.choice([32, 64]), [SINGLE, DOUBLE]
        self.kind = self.dice.choice(["bits", "floats", "both"])
        self.width = width
        self.format = self.dice.choice(formats)
        self.declarations = [f"(declare-const {name} (_ BitVec {width}))" for name in ("x", "y", "z")]
        spelled = f"(_ FloatingPoint {self.format[0]} {self.format[1]})"
        self.declarations += [f"(declare-const {name} {spelled})" for name in ("f", "g")]
        self.assertions = [self.condition(2) for _ in range(self.dice.randint(1, 4))]

    def pick(self, *shapes):
        """One of some shapes, each a function."""
        return self.dice.choice(shapes)()

    def constant(self):
        """A bit-vector: small, near a power of two, or anything."""
        number = self.pick(
            lambda: self.dice.randrange(-20, 20),
            lambda: (1 << self.dice.randrange(self.width)) + self.dice.randrange(-2, 3),
            lambda: self.dice.getrandbits(self.width),
        )
        return f"(_ bv{number % (1 << self.width)} {self.width})"

    def bits(self, depth):
        """A bit-vector term."""
        if depth == 0 or self.dice.randrange(4) == 0:
            return self.constant() if self.dice.randrange(3) == 0 else self.dice.choice("xyz")
        a, b = self.bits(depth - 1), self.bits(depth - 1)
        half = self.width // 2
        binary = ["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"]
        binary += ["bvudiv", "bvurem", "bvsdiv", "bvsrem"] if self.dice.randrange(4) == 0 else []
        return self.pick(
            lambda: f"({self.dice.choice(binary)} {a} {b})",
            lambda: f"({self.dice.choice(binary)} {a} {self.constant()})",
            lambda: f"({self.dice.choice(['bvnot', 'bvneg'])} {a})",
            lambda: f"(ite {self.condition(depth - 1)} {a} {b})",
            lambda: f"((_ sign_extend {half}) ((_ extract {half - 1} 0) {a}))",
            lambda: f"(concat ((_ extract {self.width - 1} {half}) {a}) ((_ extract {half - 1} 0) {b}))",
            lambda: f"((_ rotate_left {self.dice.randrange(1, self.width)}) {a})",
        )

    def float_constant(self):
        """A float: a plain number, a special one, or any bits."""
        exponent, significand = self.format
        sort = f"{exponent} {significand}"
        special = [f"(_ {name} {sort})" for name in ("NaN", "+oo", "-oo", "+zero", "-zero")]
        digits = "{:0%db}" % (exponent + significand)
        return self.pick(
            lambda: f"((_ to_fp {sort}) RNE {self.dice.randrange(0, 1000) / 8})",
            lambda: f"((_ to_fp {sort}) RNE {self.dice.randrange(0, 1000) / 8})",
            lambda: self.dice.choice(special),
            lambda: f"((_ to_fp {sort}) #b{digits.format(self.dice.getrandbits(exponent + significand))})",
        )

    def floats(self, depth):
        """A float term."""
        if depth == 0 or self.dice.randrange(4) == 0:
            return self.float_constant() if self.dice.randrange(3) == 0 else self.dice.choice("fg")
        a, b, mode = self.floats(depth - 1), self.floats(depth - 1), self.dice.choice(MODES)
        sort = f"{self.format[0]} {self.format[1]}"
        other = " ".join(map(str, SINGLE if self.format == DOUBLE else DOUBLE))
        hard = self.dice.choice([f"(fp.div {mode} {a} {b})", f"(fp.sqrt {mode} {a})", f"(fp.fma {mode} {a} {b} {a})"])
        shapes = [
            lambda: f"(fp.add {mode} {a} {b})",
            lambda: f"(fp.sub {mode} {a} {b})",
            lambda: f"(fp.mul {mode} {a} {self.float_constant()})",
            lambda: f"(fp.mul {mode} {a} {b})" if depth == 1 else f"(fp.neg {a})",
            lambda: hard if depth == 1 else f"(fp.abs {a})",
            lambda: f"(ite {self.condition(depth - 1)} {a} {b})",
            lambda: f"(fp.roundToIntegral {mode} {a})",
            lambda: f"((_ to_fp {sort}) {mode} ((_ to_fp {other}) {mode} {a}))",
        ]
        if self.kind == "both":
            shapes.append(lambda: f"((_ to_fp {sort}) {mode} {self.bits(depth - 1)})")
            shapes.append(lambda: f"((_ to_fp_unsigned {sort}) {mode} {self.bits(depth - 1)})")
            if sum(self.format) == self.width:
                shapes.append(lambda: f"((_ to_fp {sort}) {self.bits(depth - 1)})")
        return self.pick(*shapes)

    def comparison(self, depth):
        """A comparison of two terms."""
        if self.kind == "bits" or self.kind == "both" and self.dice.randrange(2):
            operator = self.dice.choice(["=", "bvult", "bvule", "bvslt", "bvsle", "distinct"])
            return f"({operator} {self.bits(depth)} {self.bits(depth)})"
        tests = ["isNaN", "isInfinite", "isZero", "isNormal", "isSubnormal", "isNegative", "isPositive"]
        if self.dice.randrange(4) == 0:
            return f"(fp.{self.dice.choice(tests)} {self.floats(depth)})"
        operator = self.dice.choice(["fp.lt", "fp.leq", "fp.eq", "=", "fp.gt"])
        return f"({operator} {self.floats(depth)} {self.floats(depth)})"

    def condition(self, depth):
        """A condition."""
        if self.dice.randrange(4):
            return self.comparison(depth)
        return self.pick(
            lambda: f"(not {self.comparison(depth)})",
            lambda: f"(or {self.comparison(depth)} {self.comparison(1)})",
            lambda: f"(=> {self.comparison(1)} {self.comparison(depth)})",
            lambda: f"(xor {self.comparison(1)} {self.comparison(1)})",
        )

    def lines(self):
        """Declarations and assertions."""
        return self.declarations + [f"(assert {assertion})" for assertion in self.assertions]


def by_z3(problem, limit):
    """Z3's answer."""
    solver = z3.Solver()
    solver.set("timeout", int(limit * 1000))
    solver.from_string("\n".join(problem.lines()))
    return str(solver.check())


def by_bitwuzla(problem, limit):
    """Bitwuzla's answer."""
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, int(limit * 1000))
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    parser.parse("\n".join(problem.declarations), True, False)
    solver = bitwuzla.Bitwuzla(manager, options)
    for assertion in problem.assertions:
        solver.assert_formula(parser.parse_term(assertion))
    return str(solver.check_sat())


def by_clew(problems, command, steps):
    """Clew's answers, from one script."""
    script = ["(set-logic QF_BVFP)"]
    for problem in problems:
        script += ["(push 1)", *problem.lines(), "(check-sat)", "(pop 1)"]
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch, "problems.smt2")
        path.write_text("\n".join(script) + "\n")
        run = subprocess.run(
            [*command.split(), "--steps", str(steps), str(path)], capture_output=True, text=True, check=True
        )
    return [line.split()[0] for line in run.stdout.splitlines()]


def main():
    """Generates, decides, compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=1, help="seconds of each problem for the other solvers")
    parser.add_argument("--steps", type=int, default=2_000_000, help="steps of each problem for clew")
    parser.add_argument("--replay", default="target/release/examples/replay", help="the command that takes a script")
    arguments = parser.parse_args()
    problems = [Problem(seed) for seed in range(arguments.seed, arguments.seed + arguments.problems)]
    own = by_clew(problems, arguments.replay, arguments.steps)
    counts = {name: {"sat": 0, "unsat": 0, "unknown": 0} for name in ("clew", "z3", "bitwuzla")}
    wrong = 0
    for problem, answer in zip(problems, own, strict=True):
        answers = {
            "clew": answer,
            "z3": by_z3(problem, arguments.limit),
            "bitwuzla": by_bitwuzla(problem, arguments.limit),
        }
        for name, verdict in answers.items():
            counts[name][verdict] += 1
        if {"sat", "unsat"} <= set(answers.values()):
            wrong += 1
            print(answers, *problem.lines(), sep="\n", flush=True)
    for name, count in counts.items():
        print(f"{name:9} {count}")
    print(f"{len(problems)} problems, {wrong} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
