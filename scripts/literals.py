"""How constants and sorts are spelled in SMT-LIB."""

FLOAT = "(_ FloatingPoint 11 53)"


def bits(width, number):
    """A bit-vector literal."""
    return f"(_ bv{number % (1 << width)} {width})"


def double(number):
    """A double literal."""
    return f"((_ to_fp 11 53) RNE {number:f})" if number >= 0 else f"(fp.neg ((_ to_fp 11 53) RNE {-number:f}))"
