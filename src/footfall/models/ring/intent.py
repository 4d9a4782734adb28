"""What a walker means to do: the gait it is asked for, what it gave up for want of ground, where to face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TRIES = 3  # to set out for one wish, turned towards it
FACES = 0.3  # rad: who comes to a rest may face so far from where it should,
FACES_WELL = 0.03  # and who is told at a rest where to face


@dataclass
class Intent:
    asked: str
    given_up: str | None = None  # a gait for which there was no ground
    tries: int = TRIES  # that are left to set out for it again
    near: float = FACES  # rad off its heading that it may face at a rest
    closes: int | None = None  # the foot to stand on next, while a figure steps on the spot
    place: tuple[float, float] | None = None  # x, z where it should stand

    def ask(self, gait: str) -> None:
        if gait != self.given_up:  # what could not be done a moment ago cannot be done now
            self.asked, self.given_up = gait, None

    def renew(self) -> None:
        """Another way, or other ground: what was given up may be possible now."""
        self.tries = TRIES
        self.resume()

    def resume(self) -> None:
        if self.given_up is not None:
            self.asked, self.given_up = self.given_up, None

    def give_up(self, instead: str) -> None:
        """There is no ground for what is asked."""
        if self.asked != instead:
            self.given_up = self.asked
        self.asked = instead

    def come_to_rest(self) -> None:
        self.near, self.closes = FACES, None

    def set_out(self) -> None:
        self.place = self.closes = None

    def stay(self) -> None:
        """It cannot step here."""
        self.near, self.tries, self.place = np.inf, 0, None

    @property
    def tries_again(self) -> bool:
        return self.given_up is not None and self.tries > 0
