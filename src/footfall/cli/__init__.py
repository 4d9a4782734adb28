"""The command line: one thin file per command. A stable contract; scripts depend on it.

Every command takes --json (one JSON object on standard output, nothing else) and exits with 0 on success,
1 on a refused request and 2 on a usage error. Progress and remarks go to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from footfall.errors import FootfallError, printable
from footfall.file_access import inputs_protected

# matrices here are small: threads of a linear algebra library mostly wait for each other
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command `footfall`."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")  # before NumPy is imported, which then reads it
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status."""
    from cyclopts import CycloptsError

    from footfall.cli.application import build_application
    from footfall.cli.output import OutputError, printable_streams
    from footfall.cli.warmup import announcing

    printable_streams()
    application = build_application()
    try:
        with announcing(), inputs_protected():
            status = application(
                list(arguments), exit_on_error=False, print_error=False, result_action="return_value"
            )
    except CycloptsError as error:
        print(
            f"footfall: {_one_sentence(str(error))} (footfall --help shows what is possible)", file=sys.stderr
        )
        return 2
    except FootfallError as error:
        print(f"footfall: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("footfall: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OutputError as error:
        print(f"footfall: {error}", file=sys.stderr)
        return 1
    return status if isinstance(status, int) else 0


def _one_sentence(text: str) -> str:
    return printable(" ".join(text.split()))
