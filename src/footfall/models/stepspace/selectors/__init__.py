"""Ways to choose the steps that are blended for a query: one file each, all of `selection.Selector`."""

from footfall.models.stepspace.selectors.containing import Containing
from footfall.models.stepspace.selectors.fitted import Fitted
from footfall.models.stepspace.selectors.judged import JudgedAround, JudgedListed
from footfall.models.stepspace.selectors.nearest import Nearest
from footfall.models.stepspace.selectors.over_steps import OverSteps
from footfall.models.stepspace.selectors.paper import Paper
from footfall.models.stepspace.selectors.program import Program

ALL: tuple[type[OverSteps], ...] = (
    Containing,
    Paper,
    JudgedListed,
    JudgedAround,
    Program,
    Nearest,
    Fitted,
)
SELECTORS: dict[str, type[OverSteps]] = {kind.name: kind for kind in ALL}
