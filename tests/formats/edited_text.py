"""Texts with a few places overwritten, for hypothesis: what a hand or a bad exporter does to a file."""

from __future__ import annotations

from hypothesis import strategies as st

ANY_TEXT = (b"nan", b"1e999", b"-", b"1,2", b"99999999999999", b"\x00", b"\xff", b"\n", b"#")


def edited(text: bytes, *words: bytes) -> st.SearchStrategy[bytes]:
    """The text after one to four edits: some bytes cut out, and a word or noise put in their place."""
    inserted = st.one_of(st.sampled_from([*words, *ANY_TEXT]), st.binary(max_size=3))
    edit = st.tuples(st.integers(0, len(text)), st.integers(0, 12), inserted)

    def apply(edits: list[tuple[int, int, bytes]]) -> bytes:
        out = text
        for place, removed, word in edits:
            out = out[:place] + word + out[place + removed :]
        return out

    return st.lists(edit, min_size=1, max_size=4).map(apply)
