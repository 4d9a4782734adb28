"""Frames in pieces: whatever is cut out and put in, they are what one array would be."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from footfall.models.stepspace.film import FIELDS, MOST_PIECES, Film, Frames


def frames_of(numbers: np.ndarray) -> Frames:
    """Frames that can be told apart by a number."""
    n = np.asarray(numbers, dtype=float)
    return Frames(
        np.repeat(n[:, None], 3, axis=1),
        np.broadcast_to(n[:, None, None], (len(n), 2, 4)),
        np.stack([n % 2 == 0, n % 3 == 0], axis=1),
        np.stack([n % 5 == 0, n % 7 == 0], axis=1),
        n,
    )


def same(one: Frames, other: Frames) -> None:
    for name in FIELDS:
        assert_array_equal(getattr(one, name), getattr(other, name))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 9)), max_size=80))
def test_pieces_are_as_one_array(edits: list[tuple[int, int, int]]) -> None:
    plain, film = np.arange(40.0), Film((frames_of(np.arange(40.0)),))
    for turn, (first, last, more) in enumerate(edits):
        first, last = sorted((min(first, len(plain)), min(last, len(plain))))
        new = 100.0 * (turn + 1) + np.arange(more)
        plain = np.concatenate([plain[:first], new, plain[last:]])
        film = film.part(0, first).with_more(Film((frames_of(new),)), film.part(last, len(film)))
        assert len(film) == len(plain)
        assert len(film.pieces) <= MOST_PIECES
        assert_array_equal(film.down, plain)
    same(film.whole(), frames_of(plain))


def test_one_piece_is_not_copied() -> None:
    piece = frames_of(np.arange(5.0))
    assert Film((piece,)).whole() is piece
    assert Film((piece,)).part(1, 4).pieces[0].root.base is piece.root
