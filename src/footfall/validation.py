"""Checks of arguments that users pass, with one wording."""

from __future__ import annotations

from collections.abc import Sequence

from footfall.errors import RequestError


def one_of(value: object, choices: Sequence[str], name: str) -> str:
    """Return the value if it is one of the choices.

    Args:
        value: What was passed; any object.
        choices: The possible strings.
        name: Of the argument, for the error.

    Raises:
        RequestError: Lists the choices.
    """
    if isinstance(value, str) and value in choices:
        return str(value)
    listed = " or ".join(map(repr, choices)) if len(choices) == 2 else ", ".join(choices)
    raise RequestError(f"{name} must be {listed}, not {value!r:.40}")
