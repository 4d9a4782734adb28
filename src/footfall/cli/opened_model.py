"""A model as commands are given it: a file, or `default`, built from the virtual actor where it never was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

BUILT_IN = "default"

Kind = TypeVar("Kind")


def opened_model(model: Path, kind: type[Kind], built: Callable[[], Kind]) -> Kind:
    """The model of a file, refused where it is of another kind; `default` is what `built` gives."""
    if str(model) == BUILT_IN:
        return built()
    from footfall.models.load import load_model

    return load_model(model, kind)
