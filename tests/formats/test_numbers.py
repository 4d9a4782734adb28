"""Both number readers against Python's float, bit for bit, and against each other on garbage."""

from __future__ import annotations

import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import LoadError
from footfall.formats import numbers, numbers_kernel
from footfall.formats.numbers import number, parse_numbers, whole_number

patient = settings(deadline=None, max_examples=500)

digits = st.text("0123456789", min_size=1, max_size=25)
mantissa = st.one_of(
    digits,
    digits.map(lambda d: d + "."),
    digits.map(lambda d: "." + d),
    st.tuples(digits, digits).map(".".join),
    st.integers(2**53 - 4, 2**53 + 4).map(str),
    st.integers(2**64 - 4, 2**64 + 4).map(str),
    st.integers(10**19 - 4, 10**19 + 4).map(str),
)
exponent = st.one_of(
    st.just(""),
    st.builds(
        "".join,
        st.tuples(st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), st.integers(0, 340).map(str)),
    ),
)
words = st.one_of(
    st.builds("".join, st.tuples(st.sampled_from(["", "+", "-"]), mantissa, exponent)),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-500, 500).map("{:.6f}".format),
    st.floats(-500, 500).map("{:g}".format),
)
gaps = st.text(" \t\n\r\v\f", min_size=1, max_size=3)
texts = st.lists(st.tuples(words, gaps), max_size=12)


def bits(values: object) -> list[bytes]:
    return [struct.pack("<d", v) for v in values]  # type: ignore[attr-defined]


def read_both(text: bytes) -> list[np.ndarray | None]:
    """What the plain and the compiled reader make of a text; None where they refuse it."""
    found = [numbers._parse_plain(text), numbers_kernel.parse(text)]
    return [None if v is None or not np.isfinite(v).all() else v for v in found]


@patient
@given(texts)
def test_every_shape_of_number_bit_for_bit(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in pieces).encode()
    expected = [float(word) for word, _ in pieces]
    for found in read_both(text):
        if np.isfinite(expected).all():
            assert found is not None
            assert bits(found) == bits(expected)
        else:
            assert found is None


@pytest.mark.parametrize(
    "word",
    [
        "0", "-0", "-0.0", "+0", "00", "007", "1.", ".5", "+2", "-.5", "1e-3", "1E+3", "1e0005", "1e-400",
        "0e400", "-0e-400", "1e-0", "0." + "0" * 500 + "12345678901234567890123e500",
        "9007199254740991", "9007199254740992", "9007199254740993", "18446744073709551615",
        "18446744073709551616", "36893488147419103232", "0.1", "123456789012345678", "1e22", "1e23", "-1e-22",
        "8.988465674311579e307", "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308",
        "0." + "0" * 500 + "1e500", "1" + "0" * 300, "0." + "3" * 700, "0" * 600 + "1.5", "1." + "0" * 600,
    ],
)  # fmt: skip
def test_awkward_numbers(word: str) -> None:
    for found in read_both(f" {word}\n{word}".encode()):
        assert found is not None
        assert bits(found) == bits([float(word)] * 2)


def test_powers_of_ten_are_exact() -> None:
    assert bits(numbers_kernel.POWERS) == bits([float(f"1e{k}") for k in range(23)])


@pytest.mark.parametrize(
    "word",
    [
        "x", "1x", "1,5", "1,2,3", "1;2", "--1", "+-1", "1e", "1e+", "e5", ".", "-", "+", "-.", "1.2.3",
        "1_000", "0x10", "nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e400", "-1e999", "null", "true",
        '"1"', "[1]", "{}", "1]", "[", "1\x00", "\x00", "1\x1c2", "\x1f", "٣", "1\u00a02", "½", "\ufeff1",
        "1d5", "1f", "1#", "1/2", "#IND", "1.#QNAN",
    ],
)  # fmt: skip
def test_garbage_is_refused_by_both(word: str) -> None:
    for text in (word, f"1 {word}", f"{word} 1", f"1 2\n{word}\n3"):
        assert read_both(text.encode()) == [None, None]


@patient
@given(st.binary(max_size=40) | st.text("0123456789.eE+- ,_xn\n", max_size=12).map(str.encode))
def test_any_bytes_are_taken_alike(text: bytes) -> None:
    plain, compiled = read_both(text)
    if plain is None or compiled is None:
        assert plain is compiled
    else:
        assert bits(plain) == bits(compiled)
        assert bits(plain) == bits(map(float, text.split()))


@pytest.mark.parametrize("big", [False, True])
def test_a_word_that_is_none_is_named_with_its_line(big: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "KERNEL_FROM", 0 if big else 1 << 40)
    if not big:
        monkeypatch.delitem(sys.modules, "numba", raising=False)
    with pytest.raises(LoadError, match=r"line 12: expected a finite number, found 'three'"):
        parse_numbers(b"1 2\n\n 1e1 three 4\n five", first_line=10)
    with pytest.raises(LoadError, match=r"line 2: .*'nan'"):
        parse_numbers(b"1\nnan")
    with pytest.raises(LoadError, match=r"line 1: .*'1e999'"):
        parse_numbers(b"1e999")
    with pytest.raises(LoadError) as caught:
        parse_numbers(b"y" * 100_000)
    assert len(str(caught.value)) < 120


def test_nothing_is_no_numbers() -> None:
    for text in (b"", b" \r\n\t "):
        assert [len(v) for v in read_both(text) if v is not None] == [0, 0]
        assert parse_numbers(text).shape == (0,)


def test_the_result_is_an_array_of_its_own() -> None:
    values = parse_numbers(b"1 2 3")
    values[0] = 5.0
    assert parse_numbers(b"1 2 3")[0] == 1.0


@pytest.mark.parametrize("reader", [numbers._parse_plain, numbers_kernel.parse])
def test_long_numbers_take_no_longer_than_their_length(reader: object) -> None:
    """A megabyte of digits, as one word and as many: nothing is read over and over."""
    texts = [b"1" * 300 + b".", b"0." + b"7" * 1_000_000, b"1234567890123456789012345 " * 40_000]
    start = time.perf_counter()
    for text in texts:
        assert reader(text) is not None  # type: ignore[operator]
    assert time.perf_counter() - start < 3.0


def test_a_small_file_does_not_load_the_compiler() -> None:
    code = (
        "import sys; from footfall.formats.numbers import parse_numbers; "
        "parse_numbers(b'1 2.5 +3'); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class TestSingleNumbers:
    @patient
    @given(words)
    def test_a_number_is_pythons(self, word: str) -> None:
        if np.isfinite(float(word)):
            assert bits([number(word, "x")]) == bits([float(word)])

    @pytest.mark.parametrize("word", ["", "x", "nan", "inf", "1_0", "1e999", "٣", "1 2"])
    def test_what_is_none_says_what_it_was_to_be(self, word: str) -> None:
        with pytest.raises(LoadError, match=r"line 7: expected a number for OFFSET, found"):
            number(word, "OFFSET", 7)

    @pytest.mark.parametrize(("word", "count"), [("0", 0), ("007", 7), ("123456789012", 123456789012)])
    def test_counts(self, word: str, count: int) -> None:
        assert whole_number(word, "Frames") == count

    @pytest.mark.parametrize(
        "word", ["", "-1", "+1", "1.0", "1e3", "x", "٣", "²", "1234567890123", "9" * 5000]
    )
    def test_what_is_no_count(self, word: str) -> None:
        with pytest.raises(LoadError, match="expected a count for Frames") as caught:
            whole_number(word, "Frames")
        assert len(str(caught.value)) < 120
