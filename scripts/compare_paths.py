#!/usr/bin/env python3
"""Compares clew's solver with Z3 and Bitwuzla on path-style sessions, each in one process and incrementally.

    compare_paths.py [--sessions N] [--depth N] [--seed N] [--limit SECONDS] [--wide | --mixed | --idioms]
                     [--record DIRECTORY] [--replay 'COMMAND']

A session declares 4 to 20 variables (8 to 64 bits; doubles in every third session), then walks a tree of branch
conditions: push, assert a condition, check, ask for the model, go on below it where it is satisfiable, pop, and the same
with the negated condition. With `--wide`, conditions also have products, divisions, shifts, casts, choices, connectives,
the idioms of C (ranges of characters, masks, hashes, strings, tests for overflow), and more arithmetic of doubles; with
`--mixed`, they are made of expressions of any width with operators inside each other; with `--idioms`, each session is
of one of fourteen kinds of code (`idioms.py`). Z3 and Bitwuzla (the wheels of PyPI) are driven through their Python
interfaces while the session is recorded as an SMT-LIB script; then clew replays the script a few times. Only the check and
the model are timed, not the building of terms, by CPU time, so that other load on the machine does not count; of clew's
replays the best counts. Each session has a process of its own: one in which another solver ends it is skipped, and said to
be. Prints the medians of the times and of the ratios (better of the other two to clew), and the queries
where clew is slower than five times the better of those that have an answer, or has none itself. Exits with 1 if two
solvers contradict each other.
"""

import argparse
import multiprocessing
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import bitwuzla
import z3

from idioms import IdiomConditions
from literals import FLOAT, bits, double

REPLAYS = 5


class Conditions:
    """Random branch conditions as C programs have them, over the variables of one session."""

    def __init__(self, dice, with_doubles):
        self.dice = dice
        count = dice.randint(4, 20)
        sorts = [FLOAT if with_doubles and at % 3 == 0 else dice.choice([8, 16, 32, 32, 64]) for at in range(count)]
        self.variables = [(f"v{at}", sort) for at, sort in enumerate(sorts)]

    def declarations(self):
        """The declarations, one command each."""
        spell = lambda sort: sort if sort == FLOAT else f"(_ BitVec {sort})"
        return [f"(declare-const {name} {spell(sort)})" for name, sort in self.variables]

    def integer(self):
        """An `int` made of a variable."""
        integers = [(name, sort) for name, sort in self.variables if sort != FLOAT]
        name, width = self.dice.choice(integers or [("v0", 64)])
        if width == 32:
            return name
        return f"((_ sign_extend {32 - width}) {name})" if width < 32 else f"((_ extract 31 0) {name})"

    def operand(self):
        """An `int` expression."""
        a, b, constant = self.integer(), self.integer(), bits(32, self.dice.getrandbits(64) >> self.dice.randrange(60))
        shapes = [f"(bvadd {a} {b})", f"(bvsub {a} {b})", f"(bvmul {a} {constant})", f"(bvsrem {a} {constant})"]
        shapes += [f"(bvand {a} {constant})", f"(bvadd {a} {constant})", f"(bvshl {a} {bits(32, 3)})", a, a, a]
        return self.dice.choice(shapes)

    def of_doubles(self, doubles):
        """A comparison of doubles."""
        x, y = self.dice.choice(doubles), self.dice.choice(doubles)
        constant = double(self.dice.randrange(1000) / 8 - 60)
        left = self.dice.choice([f"(fp.add RNE {x} {constant})", f"(fp.sub RNE {x} {y})", x])
        right = self.dice.choice([f"(fp.mul RNE {y} {constant})", constant, f"(fp.abs {y})"])
        if self.dice.randrange(6) == 0:
            right = f"((_ to_fp 11 53) RNE {self.integer()})"
        return f"({self.dice.choice(['fp.lt', 'fp.leq', 'fp.eq'])} {left} {right})"

    def condition(self):
        """A branch condition."""
        doubles = [name for name, sort in self.variables if sort == FLOAT]
        if doubles and self.dice.randrange(3) == 0:
            return self.of_doubles(doubles)
        a = self.operand()
        b = self.operand() if self.dice.randrange(2) else bits(32, self.dice.randrange(200) - 100)
        return f"({self.dice.choice(['bvslt', 'bvsle', '=', 'bvult'])} {a} {b})"


class WideConditions(Conditions):
    """Conditions with more of what C programs have."""

    def int_of(self, name, width):
        """A variable as an `int`: signed or unsigned, or one of its bytes."""
        if width == 32:
            return self.dice.choice([name, name, name, f"((_ zero_extend 24) ((_ extract 7 0) {name}))"])
        if width < 32:
            return f"((_ {self.dice.choice(['sign_extend', 'zero_extend'])} {32 - width}) {name})"
        return f"((_ extract 31 0) {name})"

    def integer(self):
        """An `int` made of a variable."""
        integers = [(name, sort) for name, sort in self.variables if sort != FLOAT]
        return self.int_of(*self.dice.choice(integers))

    def constant(self):
        """A constant as programs have them: small ones, powers of two, masks, any."""
        power = 1 << self.dice.randrange(31)
        return bits(32, self.dice.choice([self.dice.randrange(1, 100), power, power - 1, -power, self.dice.getrandbits(32)]))

    def operand(self):
        """An `int` expression."""
        a, b, c = self.integer(), self.integer(), self.integer()
        constant, small = self.constant(), bits(32, self.dice.randrange(1, 31))
        shapes = [
            a,
            f"(bvadd {a} {b})",
            f"(bvsub {a} {b})",
            f"(bvadd {a} {constant})",
            f"(bvmul {a} {b})",
            f"(bvmul {a} {constant})",
            f"(bvadd (bvmul {a} {bits(32, 31)}) {b})",
            f"(bvsdiv {a} {constant})",
            f"(bvudiv {a} {constant})",
            f"(bvsrem {a} {constant})",
            f"(bvurem {a} {constant})",
            f"(bvsdiv {a} {b})",
            f"(bvsrem {a} {b})",
            f"(bvshl {a} {small})",
            f"(bvlshr {a} {small})",
            f"(bvashr {a} {small})",
            f"(bvshl {a} (bvand {b} {bits(32, 31)}))",
            f"(bvlshr {a} (bvand {b} {bits(32, 31)}))",
            f"(bvshl {bits(32, 1)} (bvand {b} {bits(32, 31)}))",
            f"(bvand {a} {constant})",
            f"(bvand {a} {b})",
            f"(bvor {a} {b})",
            f"(bvxor {a} {b})",
            f"(bvxor (bvshl {a} {small}) (bvlshr {b} {small}))",
            f"(bvand (bvlshr {a} {small}) {bits(32, 1)})",
            f"(bvand (bvadd {a} {bits(32, 7)}) {bits(32, -8)})",
            f"(bvneg {a})",
            f"(ite (bvslt {a} {b}) {a} {b})",
            f"(ite (bvslt {a} {bits(32, 0)}) (bvneg {a}) {a})",
            f"(ite (= {a} {constant}) {b} {c})",
            f"(bvadd (bvadd {a} {b}) {c})",
            f"((_ sign_extend 16) ((_ extract 15 0) (bvadd {a} {b})))",
            f"((_ zero_extend 24) ((_ extract 7 0) (bvmul {a} {constant})))",
            f"(concat ((_ extract 7 0) {a}) (concat ((_ extract 7 0) {b}) ((_ extract 15 0) {c})))",
        ]
        return self.dice.choice(shapes)

    def idiom(self):
        """A condition that programs often have."""
        a, b, c = self.integer(), self.integer(), self.integer()
        wide = lambda term: f"((_ sign_extend 32) {term})"
        letter = self.dice.randrange(32, 100)
        byte = lambda term: f"((_ zero_extend 24) ((_ extract 7 0) {term}))"
        names = [name for name, sort in self.variables if sort == 8] or [f"((_ extract 7 0) {a})"]
        text = [f"(= {name} {bits(8, self.dice.randrange(97, 123))})" for name in names[: self.dice.randint(1, 8)]]
        checksum = f"(bvadd {byte(a)} {byte(b)} {byte(c)})"
        return self.dice.choice(
            [
                f"(bvult (bvsub {byte(a)} {bits(32, letter)}) {bits(32, 26)})",
                f"(and (bvsle {bits(32, letter)} {a}) (bvsle {a} {bits(32, letter + 9)}))",
                f"(and (bvslt {a} {b}) (bvslt {b} {c}))",
                f"(or (bvslt {a} {b}) (= {a} {c}))",
                f"(= (bvand {a} {self.constant()}) {bits(32, 0)})",
                f"(= (bvand {a} (bvsub {a} {bits(32, 1)})) {bits(32, 0)})",
                f"(bvslt (bvadd {wide(a)} {wide(b)}) {bits(64, 1 << 31)})",
                f"(bvslt {bits(64, (1 << 31) - 1)} (bvmul {wide(a)} {wide(b)}))",
                f"(bvult (bvadd {a} {b}) {a})",
                f"(and {' '.join(['true', *text])})",
                f"(= (bvurem {checksum} {bits(32, self.dice.randrange(2, 20))}) {bits(32, 0)})",
                f"(bvsle {bits(32, 0)} (bvadd (bvmul {byte(a)} {bits(32, 10)}) (bvsub {byte(b)} {bits(32, 48)})))",
                f"(= (bvmul {a} {b}) {self.constant()})",
                f"(bvslt (bvadd (bvmul {a} {a}) (bvmul {b} {b})) (bvmul {c} {c}))",
                f"(bvult (bvudiv {self.constant()} {a}) {b})",
            ]
        )

    def of_longs(self, longs):
        """A comparison of `long`s."""
        x, y = self.dice.choice(longs), self.dice.choice(longs)
        a = f"((_ sign_extend 32) {self.integer()})"
        constant = bits(64, self.dice.getrandbits(64) >> self.dice.randrange(60))
        left = self.dice.choice([x, f"(bvadd {x} {a})", f"(bvsub {x} {y})", f"(bvadd {x} (bvshl {a} {bits(64, 2)}))"])
        right = self.dice.choice([y, constant, f"(bvand {y} {constant})", f"(bvmul {a} {constant})", f"(bvlshr {y} {bits(64, 9)})"])
        return f"({self.dice.choice(['bvslt', 'bvsle', '=', 'bvult'])} {left} {right})"

    def of_doubles(self, doubles):
        """A comparison of doubles."""
        x, y, z = (self.dice.choice(doubles) for _ in range(3))
        constant = double(self.dice.choice([self.dice.randrange(1000) / 8 - 60, 0.5, 2, 1e-6, 1e9]))
        converted = f"((_ to_fp 11 53) RNE {self.integer()})"
        truncated = f"((_ fp.to_sbv 32) RTZ {x})"
        left = self.dice.choice(
            [
                x,
                f"(fp.add RNE {x} {y})",
                f"(fp.sub RNE {x} {y})",
                f"(fp.mul RNE {x} {y})",
                f"(fp.mul RNE {x} {constant})",
                f"(fp.div RNE {x} {constant})",
                f"(fp.div RNE {x} {y})",
                f"(fp.abs (fp.sub RNE {x} {y}))",
                f"(fp.add RNE (fp.mul RNE {x} {x}) (fp.mul RNE {y} {y}))",
                f"(fp.sub RNE (fp.mul RNE {x} {x}) (fp.mul RNE {y} {z}))",
                f"(fp.mul RNE {converted} {constant})",
                f"(fp.sqrt RNE {x})",
                f"(fp.neg {x})",
            ]
        )
        right = self.dice.choice([y, constant, constant, converted, f"(fp.abs {y})", f"(fp.mul RNE {y} {constant})"])
        comparison = f"({self.dice.choice(['fp.lt', 'fp.leq', 'fp.eq'])} {left} {right})"
        others = [
            f"(fp.isNaN {x})",
            f"(fp.isInfinite {left})",
            f"(= {truncated} {self.operand()})",
            f"(bvslt {truncated} {self.integer()})",
            f"(fp.eq {x} ((_ to_fp 11 53) RNE {truncated}))",
            f"(and (fp.leq {y} {x}) (fp.lt {x} {z}))",
        ]
        return self.dice.choice([comparison] * 12 + others)

    def condition(self):
        """A branch condition."""
        longs = [name for name, sort in self.variables if sort == 64]
        if longs and self.dice.randrange(5) == 0:
            return self.of_longs(longs)
        if self.dice.randrange(3) == 0:
            return self.idiom()
        return super().condition()


class MixedConditions(Conditions):
    """Conditions over expressions of any width and shape, one operator in another."""

    BINARY = ["bvadd"] * 4 + ["bvsub"] * 3 + ["bvand", "bvor", "bvxor"] * 2 + ["bvmul", "bvmul"]
    SHIFTS = ["bvshl", "bvlshr", "bvashr"]
    DIVISIONS = ["bvudiv", "bvurem", "bvsdiv", "bvsrem"]
    COMPARISONS = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=", "=", "distinct"]
    FLOAT_COMPARISONS = ["fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq"]
    CLASSES = ["fp.isNaN", "fp.isInfinite", "fp.isZero", "fp.isNegative", "fp.isSubnormal"]

    def constant(self, width):
        """A constant: small ones, powers of two, masks, any."""
        power = 1 << self.dice.randrange(width)
        any_bits = self.dice.getrandbits(width)
        return bits(width, self.dice.choice([self.dice.randrange(1, 100), power, power - 1, -power, any_bits, any_bits]))

    def resized(self, name, sort, width):
        """A variable as an expression of some width."""
        if sort == width:
            return name
        if sort > width:
            low = self.dice.choice([0, 0, 0, sort - width, self.dice.randrange(sort - width + 1)])
            return f"((_ extract {low + width - 1} {low}) {name})"
        return f"((_ {self.dice.choice(['sign_extend', 'zero_extend'])} {width - sort}) {name})"

    def leaf(self, width):
        """A variable or a constant, rather of the right width."""
        integers = [variable for variable in self.variables if variable[1] != FLOAT]
        same = [variable for variable in integers if variable[1] == width]
        if self.dice.randrange(5) == 0:
            return self.constant(width)
        return self.resized(*self.dice.choice(same if same and self.dice.randrange(4) else integers), width)

    def expression(self, width, depth):
        """An expression of some width with so many operators inside each other."""
        if depth == 0:
            return self.leaf(width)
        a, b = self.expression(width, depth - 1), self.expression(width, self.dice.randrange(depth))
        constant, amount = self.constant(width), self.dice.randrange(1, width)
        shapes = [f"({op} {a} {b})" for op in self.BINARY]
        shapes += [f"({op} {a} {constant})" for op in ["bvadd", "bvand", "bvor", "bvxor", "bvmul", *self.DIVISIONS]]
        shapes += [f"({op} {a} {bits(width, amount)})" for op in self.SHIFTS]
        shapes += [f"({self.dice.choice(self.SHIFTS)} {a} (bvand {b} {bits(width, width - 1)}))"]
        shapes += [f"({self.dice.choice(self.SHIFTS)} {a} {b})", f"({self.dice.choice(self.DIVISIONS)} {a} {b})"]
        shapes += [f"(bvneg {a})", f"(bvnot {a})", f"((_ rotate_left {amount}) {a})"]
        shapes += [f"(ite {self.comparison(depth - 1)} {a} {b})"]
        if width >= 16:
            half = width // 2
            upper, lower = self.expression(half, depth - 1), self.expression(half, 0)
            shapes += [f"(concat {upper} {lower})", f"((_ zero_extend {half}) {upper})", f"((_ sign_extend {half}) {lower})"]
        return self.dice.choice(shapes)

    def comparison(self, depth):
        """A comparison of integers."""
        width = self.dice.choice([8, 16, 32, 32, 64])
        a = self.expression(width, depth)
        b = self.constant(width) if self.dice.randrange(3) == 0 else self.expression(width, self.dice.randrange(depth + 1))
        return f"({self.dice.choice(self.COMPARISONS)} {a} {b})"

    def hash(self):
        """A hash of some bytes: by 33, by xor and multiplication, or by rotation."""
        names = [name for name, sort in self.variables if sort == 8]
        step = self.dice.choice(
            [
                lambda h, c: f"(bvadd (bvadd (bvshl {h} {bits(32, 5)}) {h}) {c})",
                lambda h, c: f"(bvmul (bvxor {h} {c}) {bits(32, 16777619)})",
                lambda h, c: f"(bvxor ((_ rotate_left 5) {h}) {c})",
            ]
        )
        total = bits(32, self.dice.choice([5381, 2166136261, 0]))
        for name in names[: self.dice.randint(1, 4)]:
            total = step(total, f"((_ zero_extend 24) {name})")
        mask = bits(32, (1 << self.dice.randrange(1, 9)) - 1)
        return f"(= (bvand {total} {mask}) (bvand {self.leaf(32)} {mask}))"

    def real(self, doubles, depth):
        """A double expression with so many operators inside each other."""
        x = self.dice.choice(doubles)
        constant = double(self.dice.choice([self.dice.randrange(4000) / 16 - 100, 0.1, 0.5, 2, 1e-6, 1e9]))
        if depth == 0:
            return self.dice.choice([x, x, x, constant])
        a, b = self.real(doubles, depth - 1), self.real(doubles, self.dice.randrange(depth))
        shapes = [f"({op} RNE {a} {b})" for op in ["fp.add", "fp.sub", "fp.mul", "fp.div"]]
        shapes += [f"({op} RNE {a} {constant})" for op in ["fp.add", "fp.sub", "fp.mul", "fp.div"]]
        shapes += [f"(fp.abs {a})", f"(fp.neg {a})", f"(fp.sqrt RNE {a})", f"(fp.roundToIntegral RTZ {a})"]
        shapes += [f"((_ to_fp 11 53) RNE {self.leaf(32)})", f"((_ to_fp_unsigned 11 53) RNE {self.leaf(16)})"]
        shapes += [f"((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE {a}))", f"(ite (fp.lt {x} {b}) {a} {x})"]
        return self.dice.choice(shapes)

    def of_doubles(self, doubles):
        """A condition on doubles."""
        depth = self.dice.choice([0, 1, 1, 2])
        a, b = self.real(doubles, depth), self.real(doubles, self.dice.randrange(2))
        width = self.dice.choice([16, 32, 64])
        truncated = f"((_ fp.to_{self.dice.choice('su')}bv {width}) RTZ {a})"
        comparison = f"({self.dice.choice(self.FLOAT_COMPARISONS)} {a} {b})"
        others = [
            f"({self.dice.choice(self.CLASSES)} {a})",
            f"(bvslt {truncated} {self.leaf(width)})",
            f"(= {truncated} {self.leaf(width)})",
            f"(and (fp.leq {b} {self.dice.choice(doubles)}) {comparison})",
        ]
        return self.dice.choice([comparison] * 8 + others)

    def condition(self):
        """A branch condition."""
        doubles = [name for name, sort in self.variables if sort == FLOAT]
        if doubles and self.dice.randrange(2) == 0:
            return self.of_doubles(doubles)
        if any(sort == 8 for _, sort in self.variables) and self.dice.randrange(12) == 0:
            return self.hash()
        first = self.comparison(self.dice.choice([0, 1, 1, 1, 2]))
        if self.dice.randrange(6) == 0:
            second = self.comparison(self.dice.choice([0, 1]))
            return f"({self.dice.choice(['and', 'or', '=>', 'xor'])} {first} {second})"
        return first


class Z3:
    """Z3 through its Python interface."""

    def __init__(self, declarations, limit):
        self.text = "\n".join(declarations)
        self.solver = z3.Solver()
        self.solver.set("timeout", int(limit * 1000))

    def push(self, condition):
        """Opens a scope with a condition."""
        self.solver.push()
        self.solver.add(z3.parse_smt2_string(f"{self.text}\n(assert {condition})"))

    def check(self):
        """The answer, with the model asked for."""
        answer = str(self.solver.check())
        if answer == "sat":
            model = self.solver.model()
            for declaration in model:
                model[declaration]
        return answer

    def pop(self):
        """Closes the scope."""
        self.solver.pop()


class Bitwuzla:
    """Bitwuzla through its Python interface."""

    def __init__(self, declarations, limit):
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.TIME_LIMIT_PER, int(limit * 1000))
        self.manager = bitwuzla.TermManager()
        self.parser = bitwuzla.Parser(self.manager, options)
        self.solver = bitwuzla.Bitwuzla(self.manager, options)
        self.parser.parse("\n".join(declarations), True, False)
        self.variables = [self.parser.parse_term(line.split()[1]) for line in declarations]

    def push(self, condition):
        """Opens a scope with a condition."""
        self.solver.push(1)
        self.solver.assert_formula(self.parser.parse_term(condition))

    def check(self):
        """The answer, with the model asked for."""
        answer = str(self.solver.check_sat())
        if answer == "sat":
            for variable in self.variables:
                self.solver.get_value(variable)
        return answer

    def pop(self):
        """Closes the scope."""
        self.solver.pop(1)


class Session:
    """One session, recorded as it is explored."""

    def __init__(self, seed, limit, queries, conditions):
        self.conditions = conditions(random.Random(seed), seed % 3 == 0)
        declarations = self.conditions.declarations()
        self.script = ["(set-option :produce-models true)", "(set-logic QF_BVFP)", *declarations]
        self.others = {"z3": Z3(declarations, limit), "bitwuzla": Bitwuzla(declarations, limit)}
        self.left = queries
        self.answers, self.times = [], []

    def query(self, condition):
        """Pushes a condition and asks; whether it is satisfiable."""
        answers, times = {}, {}
        for name, solver in self.others.items():
            solver.push(condition)
            start = time.process_time()
            answers[name] = solver.check()
            times[name] = time.process_time() - start
        self.script += ["(push 1)", f"(assert {condition})", "(check-sat)"]
        self.answers.append(answers)
        self.times.append(times)
        self.left -= 1
        return "sat" in answers.values()

    def explore(self, depth):
        """Both sides of a random branch, as far as they are feasible."""
        if depth <= 0 or self.left <= 0:
            return
        condition = self.conditions.condition()
        for side, below in ((condition, depth - 1), (f"(not {condition})", depth - 4)):
            if self.query(side):
                self.explore(below)
            self.script.append("(pop 1)")
            for solver in self.others.values():
                solver.pop()


def replay(command, session, path):
    """Adds clew's answers and times to those of a session."""
    path.write_text("\n".join(session.script) + "\n")
    for _ in range(REPLAYS):
        run = subprocess.run([*command.split(), str(path)], capture_output=True, text=True, check=True)
        for answers, times, line in zip(session.answers, session.times, run.stdout.splitlines(), strict=True):
            answer, nanoseconds = line.split()
            answers["clew"] = answer
            times["clew"] = min(times.get("clew", float("inf")), int(nanoseconds) / 1e9)


def compare(seed, arguments, conditions, path):
    """The kind of a session, and the answers and times of its queries by all solvers."""
    session = Session(seed, arguments.limit, arguments.queries, conditions)
    session.explore(arguments.depth)
    replay(arguments.replay, session, path)
    return getattr(session.conditions, "kind", "session"), list(zip(session.answers, session.times, strict=True))


def apart(function, *arguments):
    """What a function returns in a process of its own; nothing if that is killed by a signal or ends without a word."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=lambda: there.send(function(*arguments)))
    child.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        return None
    finally:
        child.join()
        if child.exitcode == 1:
            sys.exit("a session ended with an exception")


def better(answers, times):
    """The time of the quicker of the other two that has an answer; without one, there is nothing to compare with."""
    decided = [times[name] for name in ("z3", "bitwuzla") if answers[name] != "unknown"]
    return min(decided, default=float("inf"))


def report(answers, times, sources):
    """Prints the figures, also by kind of session where there are several; gives the number of contradictions."""
    for name in ("clew", "z3", "bitwuzla"):
        row = sorted(query[name] for query in times)
        unknown = sum(answer[name] == "unknown" for answer in answers)
        print(
            f"{name:9} median {statistics.median(row) * 1e6:9.1f} us  90% {row[len(row) * 9 // 10] * 1e6:9.1f} us  "
            f"longest {row[-1] * 1e3:9.1f} ms  total {sum(row):7.2f} s  unknown {unknown}"
        )
    ratios = [better(row, query) / max(query["clew"], 1e-7) for row, query in zip(answers, times, strict=True)]
    slower = [at for at, ratio in enumerate(ratios) if ratio < 0.2]
    missing = [at for at, row in enumerate(answers) if row["clew"] == "unknown" and len(set(row.values())) > 1]
    print(f"{len(times)} queries: median ratio {statistics.median(ratios):.1f}, slower than 5 times: {len(slower)}")
    print(f"without an answer that another has: {len(missing)}")
    for at in sorted({*slower, *missing}):
        shown = ", ".join(f"{name} {answers[at][name]} {times[at][name] * 1e3:.2f} ms" for name in times[at])
        print(f"  {sources[at][1]}: {shown}")
    kinds = sorted({kind for kind, _ in sources})
    for kind in kinds if len(kinds) > 1 else []:
        of_kind = [ratio for ratio, source in zip(ratios, sources, strict=True) if source[0] == kind]
        print(f"  {kind}: {len(of_kind)} queries, median ratio {statistics.median(of_kind):.1f}")
    wrong = [at for at, row in enumerate(answers) if {"sat", "unsat"} <= set(row.values())]
    print(f"{len(wrong)} contradictions")
    return len(wrong)


def main():
    """Records, replays, reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--queries", type=int, default=60, help="queries of a session at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=10, help="seconds of each query for the other solvers")
    parser.add_argument("--wide", action="store_true", help="more kinds of conditions of C")
    parser.add_argument("--mixed", action="store_true", help="conditions over expressions of any width and shape")
    parser.add_argument("--idioms", action="store_true", help="sessions of fourteen kinds of code")
    parser.add_argument("--record", type=pathlib.Path, help="where to keep the sessions")
    parser.add_argument("--replay", default="target/release/examples/replay", help="the command that takes a session")
    arguments = parser.parse_args()
    kinds = {"mixed": MixedConditions, "wide": WideConditions, "idioms": IdiomConditions}
    conditions = next((kind for name, kind in kinds.items() if getattr(arguments, name)), Conditions)
    answers, times, sources = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.record or pathlib.Path(scratch)
        directory.mkdir(parents=True, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.sessions):
            found = apart(compare, seed, arguments, conditions, directory / f"session{seed}.smt2")
            if found is None:
                print(f"session {seed} is skipped: another solver ended its process", flush=True)
                continue
            kind, of_session = found
            answers += [row for row, _ in of_session]
            times += [query for _, query in of_session]
            sources += [(kind, f"{kind} {seed} query {at}") for at in range(len(of_session))]
    return 1 if report(answers, times, sources) else 0


if __name__ == "__main__":
    sys.exit(main())
