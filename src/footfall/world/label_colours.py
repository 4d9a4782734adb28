"""What labels look like, wherever ground is drawn: in pictures and in saved files."""

from __future__ import annotations

Colour = tuple[float, float, float]  # red, green, blue from 0 to 1, as a screen takes them (sRGB)

OTHER: Colour = (0.62, 0.61, 0.59)
COLOURS: dict[str, Colour] = {
    "ground": (0.66, 0.64, 0.60),
    "stairs": (0.56, 0.56, 0.58),
    "ramp": (0.60, 0.58, 0.55),
    "stone": (0.50, 0.50, 0.51),
    "rubble": (0.55, 0.51, 0.47),
    "grass": (0.38, 0.58, 0.28),
    "snow": (0.96, 0.97, 0.98),
    "ice": (0.74, 0.87, 0.95),
    "water": (0.35, 0.55, 0.72),
    "sand": (0.85, 0.77, 0.57),
    "mud": (0.42, 0.33, 0.25),
    "wood": (0.62, 0.46, 0.31),
}


def colour_of(label: str) -> Colour:
    """A label's colour, whatever its case; grey where it has none of its own."""
    return COLOURS.get(label.lower(), OTHER)
