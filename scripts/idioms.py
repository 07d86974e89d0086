"""Sessions of fourteen kinds of code that programs in C often have, for `compare_paths.py --idioms`.

Each session is of one kind: its inputs are those of a small function, and its conditions are comparisons of what the function
computes, written out as a compiler would: shifts, masks, choices, tables of cases.
"""

from literals import FLOAT, bits, double


def word(number):
    """A constant of 32 bits."""
    return bits(32, number)


def named(steps, body):
    """A term with names for its parts, each of which may use those before."""
    for name, term in reversed(steps):
        body = f"(let (({name} {term})) {body})"
    return body


def wide(name, width=8, to=32, sign="zero"):
    """An unsigned (or signed) number in more bits."""
    return f"((_ {sign}_extend {to - width}) {name})"


def between(low, term, high, order="bvule"):
    """Whether a number of 32 bits is in a range."""
    return f"(and ({order} {word(low)} {term}) ({order} {term} {word(high)}))"


class IdiomConditions:
    """Branch conditions of one kind of code."""

    KINDS = ["states", "longs", "rotations", "dates", "filters", "base64", "conversions", "saturation", "alignment"]
    KINDS += ["memcmp", "tricks", "inverses", "roots", "shares"]
    WIDTHS = {"states": 8, "rotations": 8, "base64": 8, "memcmp": 8, "filters": 16}

    def __init__(self, dice, _):
        self.dice = dice
        self.kind = dice.choice(self.KINDS)
        width = self.WIDTHS.get(self.kind, 32)
        self.variables = [(f"v{at}", width) for at in range(dice.randint(4, 8) if width == 32 else 12)]
        if self.kind == "conversions":
            self.variables += [(f"d{at}", FLOAT) for at in range(4)]

    def declarations(self):
        """The declarations, one command each."""
        spell = lambda sort: sort if sort == FLOAT else f"(_ BitVec {sort})"
        return [f"(declare-const {name} {spell(sort)})" for name, sort in self.variables]

    def condition(self):
        """A branch condition."""
        return getattr(self, self.kind)()

    def some(self, count):
        """Different integers of the inputs."""
        return self.dice.sample([name for name, sort in self.variables if sort != FLOAT], count)

    def order(self):
        """A comparison of integers."""
        return self.dice.choice(["bvult", "bvule", "bvslt", "bvsle", "=", "=", "distinct"])

    def number(self, bound=1 << 32):
        """A constant of 32 bits: a small one, or any below a bound."""
        return word(self.dice.choice([self.dice.randrange(100), self.dice.randrange(bound)]) % bound)

    def states(self):
        """A machine that reads bytes: its state, a counter and flags are fields of one word."""
        steps, state = [], word(self.dice.randrange(3))
        for at, name in enumerate(self.some(self.dice.randint(1, 5))):
            field = f"(bvand {state} {word(15)})"
            keep = f"(bvand {state} {word(~15)})"
            letter = bits(8, self.dice.randrange(32, 127))
            moves = f"(bvor {keep} {word(self.dice.randrange(5))})"
            counts = f"(bvadd {state} {word(16)})"
            flags = f"(bvor {state} {word(1 << self.dice.randrange(12, 16))})"
            digit = between(48, wide(name), 57)
            step = f"(ite (= {field} {word(self.dice.randrange(4))}) (ite (= {name} {letter}) {moves} {state}) "
            steps.append((f"s{at}", step + f"(ite {digit} {counts} (ite (bvult {name} {letter}) {flags} {moves})))"))
            state = f"s{at}"
        low, mask = self.dice.choice([(0, 15), (4, 255), (12, 15), (13, 1)])
        seen = f"(bvand (bvlshr {state} {word(low)}) {word(mask)})"
        return named(steps, f"({self.order()} {seen} {word(self.dice.randrange(min(mask + 1, 6)))})")

    def longs(self):
        """Sums of long numbers, limb by limb with carries, by comparison or in twice the bits."""
        steps, carry, by_comparison = [], word(0), self.dice.randrange(2)
        names = self.some(4)
        for at, (a, b) in enumerate([names[:2], names[2:], names[1:3]][: self.dice.randint(2, 3)]):
            if by_comparison:
                sums = [(f"t{at}", f"(bvadd {a} {b})"), (f"s{at}", f"(bvadd t{at} {carry})")]
                over = f"(or (bvult t{at} {a}) (bvult s{at} {carry}))"
                steps += [*sums, (f"c{at}", f"(ite {over} {word(1)} {word(0)})")]
            else:
                total = f"(bvadd (bvadd {wide(a, 32, 64)} {wide(b, 32, 64)}) {wide(carry, 32, 64)})"
                parts = [(f"s{at}", f"((_ extract 31 0) t{at})"), (f"c{at}", f"((_ extract 63 32) t{at})")]
                steps += [(f"t{at}", total), *parts]
            carry = f"c{at}"
        last = self.dice.choice(["s0", "s1", carry, carry])
        return named(steps, f"({self.order()} {last} {word(1) if last == carry else self.number()})")

    def rotations(self):
        """A hash of bytes by rotation, xor and multiplication."""
        steps, total = [], word(self.dice.choice([0, 5381, 2166136261]))
        rotation, factor = self.dice.choice([5, 13]), self.dice.choice([1, 5, 0x9E3779B1])
        for at, name in enumerate(self.some(self.dice.randint(1, 5))):
            steps.append((f"h{at}", f"(bvmul (bvxor ((_ rotate_left {rotation}) {total}) {wide(name)}) {word(factor)})"))
            total = f"h{at}"
        mask = (1 << self.dice.randrange(1, 9)) - 1
        mixed = self.dice.choice([total, f"(bvxor {total} (bvlshr {total} {word(16)}))"])
        return named(steps, f"({self.order()} (bvand {mixed} {word(mask)}) {word(self.dice.randrange(mask + 1))})")

    def dates(self):
        """Years, months and days: leap years, days since a date, days of the week."""
        year, month, day = self.some(3)
        rest = lambda term, by: f"(bvurem {term} {word(by)})"
        part = lambda term, by: f"(bvudiv {term} {word(by)})"
        leap = f"(and (= {rest(year, 4)} {word(0)}) (or (distinct {rest(year, 100)} {word(0)}) (= {rest(year, 400)} {word(0)})))"
        leaps = f"(bvadd (bvsub {part(year, 4)} {part(year, 100)}) {part(year, 400)})"
        months = part(f"(bvadd (bvmul {month} {word(153)}) {word(2)})", 5)
        days = f"(bvadd (bvadd (bvmul {year} {word(365)}) {leaps}) (bvadd {months} {day}))"
        length = f"(ite (= {month} {word(2)}) (ite {leap} {word(29)} {word(28)}) (ite (bvult {month} {word(7)}) {word(31)} {word(30)}))"
        valid = f"(and {between(1900, year, 2100)} {between(1, month, 12)} {between(1, day, 31)})"
        return self.dice.choice(
            [
                valid,
                valid,
                leap,
                f"(bvule {day} {length})",
                f"(= {rest(days, 7)} {word(self.dice.randrange(7))})",
                f"({self.order()} {days} {word(self.dice.randrange(694000, 767000))})",
            ]
        )

    def filters(self):
        """Fixed-point filters of samples of 16 bits."""
        taps = [self.dice.randrange(-32768, 32768) >> self.dice.randrange(8) for _ in range(self.dice.randint(1, 4))]
        scaled = [f"(bvmul {wide(name, 16, 32, 'sign')} {word(tap)})" for name, tap in zip(self.some(len(taps)), taps)]
        total = word(1 << 14)
        for term in scaled:
            total = f"(bvadd {total} {term})"
        filtered = f"(bvashr {total} {word(15)})"
        return f"({self.order()} {filtered} {word(self.dice.randrange(-20000, 20000) >> self.dice.randrange(10))})"

    def base64(self):
        """Letters as numbers of six bits, and the bytes that four of them make."""
        ranges = [(65, 90, -65), (97, 122, -71), (48, 57, 4), (43, 43, 19), (47, 47, 16)]
        names, steps = self.some(4), []
        for at, name in enumerate(names):
            value = word(-1)
            for low, high, shift in reversed(ranges):
                value = f"(ite {between(low, wide(name), high)} (bvadd {wide(name)} {word(shift)}) {value})"
            steps.append((f"x{at}", value))
        packed = word(0)
        for at in range(4):
            packed = f"(bvor (bvshl {packed} {word(6)}) x{at})"
        byte = f"(bvand (bvlshr {packed} {word(self.dice.choice([0, 8, 16]))}) {word(255)})"
        seen = self.dice.choice(
            [
                f"(bvsle {word(0)} x{self.dice.randrange(4)})",
                f"({self.order()} x{self.dice.randrange(4)} {word(self.dice.randrange(64))})",
                f"(and (bvsle {word(0)} {packed}) ({self.order()} {byte} {word(self.dice.randrange(256))}))",
                f"(= {names[3]} {bits(8, 61)})",
            ]
        )
        return named(steps, seen)

    def conversions(self):
        """Doubles as integers and back."""
        x, y = self.dice.sample([name for name, sort in self.variables if sort == FLOAT], 2)
        a = self.some(1)[0]
        whole = lambda term, width=32: f"((_ fp.to_sbv {width}) RTZ {term})"
        back = lambda term: f"((_ to_fp 11 53) RNE {term})"
        constant = double(self.dice.choice([0.5, 100, 1e6, 3.25, -7]))
        return self.dice.choice(
            [
                f"({self.order()} {whole(x)} {a})",
                f"(fp.eq {back(whole(x))} {x})",
                f"(and (fp.lt {double(-1e9)} {x}) (fp.lt {x} {double(1e9)}))",
                f"(fp.lt (fp.sub RNE {x} {back(whole(x))}) {constant})",
                f"({self.order()} {whole(f'(fp.mul RNE {x} {double(100)})', 64)} {wide(a, 32, 64, 'sign')})",
                f"(fp.lt {back(a)} (fp.add RNE {x} {y}))",
                f"(= ((_ fp.to_ubv 8) RTZ {y}) ((_ extract 7 0) {a}))",
                f"(fp.leq (fp.roundToIntegral RTN {x}) (fp.mul RNE {y} {constant}))",
            ]
        )

    def saturation(self):
        """Sums and casts that stop at the ends of their range."""
        a, b = self.some(2)
        total, less = f"(bvadd {a} {b})", lambda x, y: f"(bvslt {x} {y})"
        zero, most, least = word(0), word((1 << 31) - 1), word(1 << 31)
        over = f"(and {less(zero, a)} {less(zero, b)} {less(total, zero)})"
        under = f"(and {less(a, zero)} {less(b, zero)} (bvsle {zero} {total}))"
        high = self.dice.choice([127, 255, 1023])
        clamped = lambda term: f"(ite {less(term, zero)} {zero} (ite {less(word(high), term)} {word(high)} {term}))"
        sums = [
            f"(ite {over} {most} (ite {under} {least} {total}))",
            f"(ite (bvult {total} {a}) {word(-1)} {total})",
            f"(ite (bvult {a} {b}) {zero} (bvsub {a} {b}))",
            clamped(total),
            f"(bvadd {clamped(a)} {clamped(b)})",
            clamped(f"(bvashr {a} {word(4)})"),
        ]
        return f"({self.order()} {self.dice.choice(sums)} {self.dice.choice([self.number(), most, word(high), b])})"

    def alignment(self):
        """Addresses rounded to a power of two, and blocks inside each other."""
        p, q, size = self.some(3)
        unit = 1 << self.dice.randrange(1, 13)
        up = lambda term: f"(bvand (bvadd {term} {word(unit - 1)}) {word(-unit)})"
        return self.dice.choice(
            [
                f"(= (bvand {p} {word(unit - 1)}) {word(self.dice.choice([0, 0, unit // 2]))})",
                f"({self.order()} {up(p)} {self.dice.choice([q, self.number()])})",
                f"({self.order()} (bvsub {up(p)} {p}) {word(self.dice.randrange(unit))})",
                f"(and (bvule {p} {q}) (bvule (bvadd {q} {size}) (bvadd {p} {word(unit)})))",
                f"(= (bvlshr (bvxor {p} {q}) {word(12)}) {word(0)})",
                f"(= (bvand {size} (bvsub {size} {word(1)})) {word(0)})",
                f"(bvult (bvadd {p} {up(size)}) {p})",
            ]
        )

    def memcmp(self):
        """The difference of the first two bytes that differ, to the end or to a zero."""
        count, ends = self.dice.randint(2, 6), self.dice.randrange(2)
        left = self.some(count)
        right = self.some(count) if self.dice.randrange(2) else [bits(8, self.dice.randrange(97, 123)) for _ in left]
        difference = word(0)
        for a, b in reversed(list(zip(left, right))):
            rest = f"(ite (= {a} {bits(8, 0)}) {word(0)} {difference})" if ends else difference
            difference = f"(ite (= {a} {b}) {rest} (bvsub {wide(a)} {wide(b)}))"
        return f"({self.order()} {difference} {word(self.dice.choice([0, 0, 0, 1, -1, 5]))})"

    def tricks(self):
        """Tricks with bits: counts, parities, zero bytes, powers of two, all by shifts and masks."""
        x, y = self.some(2)
        shift = lambda term, by: f"(bvlshr {term} {word(by)})"
        masked = lambda term, mask: f"(bvand {term} {word(mask)})"
        halves = [("p1", f"(bvsub {x} {masked(shift(x, 1), 0x55555555)})")]
        halves += [("p2", f"(bvadd {masked('p1', 0x33333333)} {masked(shift('p1', 2), 0x33333333)})")]
        halves += [("p4", masked(f"(bvadd p2 {shift('p2', 4)})", 0x0F0F0F0F))]
        count = shift(f"(bvmul p4 {word(0x01010101)})", 24)
        folds = [(f"f{by}", f"(bvxor {of} {shift(of, by)})") for by, of in [(16, x), (8, "f16"), (4, "f8"), (2, "f4"), (1, "f2")]]
        fills = [(f"o{by}", f"(bvor {of} {shift(of, by)})") for by, of in [(1, x), (2, "o1"), (4, "o2"), (8, "o4"), (16, "o8")]]
        turns = [("r1", f"(bvor {masked(shift(x, 1), 0x55555555)} (bvshl {masked(x, 0x55555555)} {word(1)}))")]
        turns += [("r2", f"(bvor {masked(shift('r1', 2), 0x33333333)} (bvshl {masked('r1', 0x33333333)} {word(2)}))")]
        sign = f"(bvashr {x} {word(31)})"
        return self.dice.choice(
            [
                named(halves, f"({self.order()} {count} {word(self.dice.randrange(33))})"),
                named(folds, f"(= {masked('f1', 1)} {word(self.dice.randrange(2))})"),
                named(folds + halves, f"(= {masked('f1', 1)} {masked(count, 1)})"),
                named(fills, f"({self.order()} (bvadd o16 {word(1)}) {word(1 << self.dice.randrange(32))})"),
                named(turns, f"({self.order()} {masked('r2', 255)} {word(self.dice.randrange(256))})"),
                f"(= {masked(f'(bvand (bvsub {x} {word(0x01010101)}) (bvnot {x}))', 0x80808080)} {word(0)})",
                f"({self.order()} (bvand {x} (bvneg {x})) {word(1 << self.dice.randrange(32))})",
                f"({self.order()} (bvsub (bvxor {x} {sign}) {sign}) {self.number()})",
                f"({self.order()} (bvadd (bvand {x} {y}) {shift(f'(bvxor {x} {y})', 1)}) {self.number()})",
                f"({self.order()} (bvxor {x} {shift(x, 1)}) {self.number()})",
            ]
        )

    def inverses(self):
        """Products modulo two to the 32: with constants, of each other, and the steps to an inverse."""
        a, x = self.some(2)
        better = lambda term: f"(bvmul {term} (bvsub {word(2)} (bvmul {a} {term})))"
        first = f"(bvxor (bvmul {a} {word(3)}) {word(2)})"
        return self.dice.choice(
            [
                f"({self.order()} (bvmul {x} {word(self.dice.getrandbits(32) | 1)}) {self.number()})",
                f"(= (bvmul {x} {word(self.dice.getrandbits(32) & -4)}) {a})",
                f"(= (bvmul {a} {x}) {word(1)})",
                f"(= (bvand {a} {word(1)}) {word(1)})",
                f"(= {masked_product(a, first, 31)} {word(1)})",
                f"(= {masked_product(a, better(first), 1023)} {word(1)})",
                f"(bvult {x} {self.number(1 << 16)})",
            ]
        )

    def roots(self):
        """Squares, their sums, and integers nearest to a root."""
        n, r, s = self.some(3)
        square = lambda term: f"(bvmul {term} {term})"
        above = f"(bvadd {r} {word(1)})"
        return self.dice.choice(
            [
                f"(bvult {self.dice.choice([r, s])} {word(65535)})",
                f"(bvule {square(r)} {n})",
                f"(bvult {n} {square(above)})",
                f"({self.order()} {square(r)} {self.number(1 << 30)})",
                f"(= (bvadd {square(r)} {square(s)}) {self.dice.choice([n, square(n), self.number(1 << 20)])})",
                f"(bvult {n} {self.number(1 << 30)})",
            ]
        )

    def shares(self):
        """Numbers compared with their own quotients, remainders and percentages."""
        x, y = self.some(2)
        by, other = word(self.dice.randrange(2, 20)), word(self.dice.randrange(2, 1000))
        percent = f"(bvudiv (bvmul {x} {word(self.dice.randrange(1, 100))}) {word(100)})"
        left = self.dice.choice(
            [
                f"(bvadd (bvudiv {x} {by}) (bvudiv {x} {other}))",
                f"(bvsub {x} (bvudiv {x} {by}))",
                f"(bvadd (bvmul (bvudiv {x} {by}) {by}) (bvurem {x} {by}))",
                f"(bvsdiv {x} {by})",
                f"(bvadd (bvurem {x} {by}) (bvurem {y} {other}))",
                percent,
            ]
        )
        return f"({self.order()} {left} {self.dice.choice([x, y, self.number(), f'(bvurem {y} {other})'])})"


def masked_product(a, b, mask):
    """The lowest bits of a product."""
    return f"(bvand (bvmul {a} {b}) {word(mask)})"
