"""How soon a character in a locomotion space obeys."""

from __future__ import annotations

CHANGE = (2.2, 3.0, 2.0)  # m/s^2, rad/s^2, m/s^2: the most that is asked of the body
QUICK = 12.0  # 1/s of the filter that leads shares of loops: an answer takes about a quarter of a second
