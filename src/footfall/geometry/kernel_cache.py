"""Compiled functions, compiled at their first use and kept in the user's cache folder.

`kernel` takes the place of `numba.njit(signature, cache=True)`. That decorator compiles at import, writes
beside the sources, and looks at a function's own file only, so that it keeps old machine code when a helper,
a constant or an inlined function in another file is edited. Here:

- Nothing is compiled before it is called, from Python or by another kernel that is being compiled. `ready`
  compiles what runs live or is timed.
- The key of a kept file is a digest of the byte code, constants, options and signatures of the function and
  of all that it calls or reads in any file, with the versions of footfall, numba, llvmlite, NumPy and Python
  and the processor that the code is made for. Docstrings and comments do not count.
- Files are written whole and checked when read. A file that is torn, altered or from another version is
  compiled again. Where no file can be written, kernels are compiled in each process.

This rests on private names of numba (`CPUDispatcher`, `NullCache`, `CompileResult._reduce`). It is tested
with numba 0.61 to 0.68 (tests/geometry/test_kernel_cache.py, docs/decisions.md).
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import importlib
import os
import pickle
import sys
import types
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import llvmlite
import numba as nb
import numpy as np
from numba.core import caching, config
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from footfall.cache import (
    cache_folder,
    kept_files,
    remove,
    remove_least_recent,
    remove_unused,
    write_cached,
)
from footfall.geometry.kernel_watch import tell
from footfall.source_digest import imported_modules
from footfall.version import __version__

SETTINGS = (
    *("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "ENABLE_AVX", "CPU_NAME", "CPU_FEATURES"),
    *("USING_SVML", "DISABLE_INTEL_SVML"),
)
EXTERNAL = {"numpy", "math", "numba", "llvmlite", "builtins", "typing"}  # their versions are in the digest
ROOT = __name__.partition(".")[0]
IMPORTED = b"kernel_cache import "  # stands in each module that defines kernels
KERNEL = ".kernel"  # ending of a kept file
# a division by zero gives inf or nan, as in NumPy: kernels raise nothing
OPTIONS = {"nopython": True, "nogil": True, "boundscheck": None, "error_model": "numpy"}
CHECKED = 32  # bytes of the checksum at the start of a kept file
MOST_VERSIONS = 8  # files kept per kernel and signature: checkouts, processors and versions side by side
MOST_BYTES = 512 * 2**20  # of all files together; a full set takes about 20 MB


_REGISTERED: dict[str, list[Kernel]] = {}  # by module
_NESTED = [0.0]  # s: compiled inside each compilation that is under way, and in all
_WRITTEN: list[bool] = []  # by kernel that was compiled: whether its file could be written


def kernel(signature: Any = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function that numba compiles.

    Args:
        signature: the signature of an entry point, or a list of them: it is compiled for these at its first
            use and refuses other types. Without one, a function is compiled for the types it is called with.
        **options: options of `numba.njit`, such as `fastmath`; see `OPTIONS`.

    Returns:
        The decorator.
    """
    signatures = signature if isinstance(signature, list) else [] if signature is None else [signature]

    def decorate(function: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:
            return function
        made = _made(function, signatures, {**OPTIONS, **options})
        _REGISTERED.setdefault(function.__module__, []).append(made)
        return made

    return decorate


def _made(function: Callable[..., Any], declared: list[Any], options: dict[str, Any]) -> Kernel:
    made = Kernel(function, targetoptions=options)
    made.declared = declared
    made._cache = _KernelFiles(made)
    return made


def ready(*modules: str) -> None:
    """Compile, or load, all kernels that modules use, before something that runs live or is timed.

    Args:
        *modules: full names of modules. What they import of footfall, directly or through others, counts.
    """
    used = set[str]().union(*(imported_modules(module) for module in modules))
    for module in kernel_modules():
        if module in used:
            for one in kernels_of(module):
                one.ready()


def ready_for(*live: object) -> None:
    """Compile, or load, all kernels that objects use, such as the controllers of a character."""
    ready(*sorted({of.__module__ for one in live for of in type(one).__mro__}))


@functools.cache
def kernel_modules() -> tuple[str, ...]:
    """Return the names of all modules of footfall that define kernels; none is imported."""
    top = Path(__file__).parents[1]
    return tuple(
        ".".join((ROOT, *file.relative_to(top).with_suffix("").parts))
        for file in sorted(top.rglob("*.py"))
        if IMPORTED in file.read_bytes() and file != Path(__file__)
    )


def kernels_of(module: str) -> tuple[Kernel, ...]:
    """Import a module and return its kernels."""
    importlib.import_module(module)
    return tuple(_REGISTERED.get(module, ()))


def kernel_folder() -> Path | None:
    """Return the folder of compiled kernels; None where there is no cache folder."""
    folder = cache_folder()
    return None if folder is None else folder / "kernels"


def kernels_kept() -> bool:
    """Return whether every kernel that this process compiled is in the cache folder."""
    return all(_WRITTEN)


def remove_foreign(names: Container[str]) -> int:
    """Remove the kept files of kernels with other names than these; return how many there were.

    Args:
        names: of all kernels of the package: files of others are left from before they were renamed.
    """
    kept = [path for path in kept_files() if path.suffix == KERNEL]
    return sum(remove(path) for path in kept if path.name.rsplit("-", 2)[0] not in names)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of numba whose declared signatures are compiled at the first use."""

    declared: Any = ()

    @property
    def name(self) -> str:
        return f"{self.py_func.__module__}.{self.py_func.__qualname__}"

    @property
    def file_name(self) -> str:
        """How the names of its files begin."""
        return self.name.removeprefix("footfall.").replace("<locals>", "local")

    def fresh(self) -> Kernel:
        """Return a kernel of the same function that is neither compiled nor loaded."""
        return _made(self.py_func, self.declared, self.targetoptions)

    def ready(self) -> None:
        """Compile, or load, the declared signatures."""
        if not self.declared or not self._can_compile:
            return
        with global_compiler_lock:  # of two threads, the second finds it done
            if self._can_compile:
                for signature in self.declared:
                    self.compile(signature)
                self.disable_compile()

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            began, misses = perf_counter(), sum(self._cache_misses.values())
            _NESTED.append(0.0)
            try:
                made = super().compile(sig)
            finally:
                nested, whole = _NESTED.pop(), perf_counter() - began
                _NESTED[-1] += whole
            if sum(self._cache_misses.values()) > misses:
                tell(self.name, whole - nested)
            return made

    def _compile_for_args(self, *args: Any, **named: Any) -> Any:  # called from Python
        if not self.declared or not self._can_compile:
            return super()._compile_for_args(*args, **named)
        self.ready()
        return self  # numba calls what this returns; the arguments are now held against the signatures

    def get_call_template(self, args: Any, kws: Any) -> Any:  # called by a kernel that is being compiled
        self.ready()
        return super().get_call_template(args, kws)


class _KernelFiles(caching.NullCache):  # type: ignore[misc]
    """One file per kernel and signature. Where none can be read or written, the kernel is compiled."""

    def __init__(self, of: Kernel) -> None:
        self._of = of

    def _file(self, signature: Any, codegen: Any) -> Path | None:
        folder = kernel_folder()
        if folder is None:
            return None
        of_types = hashlib.sha256(str(signature).encode()).hexdigest()[:8]
        total = hashlib.sha256(repr((str(signature), codegen.magic_tuple())).encode())
        total.update(digest(self._of))
        return folder / f"{self._of.file_name}-{of_types}-{total.hexdigest()[:32]}{KERNEL}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        made = self._load(sig, target_context)
        if made is None:
            tell(self._of.name, None)
        return made

    def _load(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        try:
            path = self._file(sig, target_context.codegen())
            if path is None:
                return None
            content = path.read_bytes()
            if hashlib.sha256(content[CHECKED:]).digest() != content[:CHECKED]:
                return None
            made = CompileResult._rebuild(target_context, *pickle.loads(content[CHECKED:]))
        except Exception:  # missing, torn, forbidden, of another numba
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # files that are in use are the last to be removed
        return made

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.lifted or data.library.has_dynamic_globals:
            return
        path = self._file(sig, data.codegen)
        if path is None:
            return
        content = dumps(data._reduce())
        kept = write_cached(path, hashlib.sha256(content).digest() + content)
        _WRITTEN.append(kept)
        if kept:
            same_kernel = path.name.rpartition("-")[0]
            remove_least_recent(list(path.parent.glob(f"{same_kernel}-*")), MOST_BYTES, MOST_VERSIONS)
            _bound_folder(path.parent)


@functools.cache
def _bound_folder(folder: Path) -> None:
    """Keep the folder under its size, without what is not used; looked at once in a process that writes."""
    remove_unused()
    remove_least_recent(list(folder.glob(f"*{KERNEL}")), MOST_BYTES, sys.maxsize)


def digest(of: Dispatcher) -> bytes:
    """Digest byte code, constants, options and signatures of a function and of all it calls or reads."""
    settings = [(name, getattr(config, name, None)) for name in SETTINGS]
    versions = __version__, nb.__version__, llvmlite.__version__, np.__version__, sys.version_info[:2]
    total = hashlib.sha256(repr((versions, settings)).encode())
    reached, waiting = {of}, [of]
    while waiting:
        own, called = _digest_alone(waiting.pop())
        total.update(own)
        waiting += [one for one in called if one not in reached]
        reached.update(called)
    return total.digest()


@functools.cache
def _digest_alone(of: Any) -> tuple[bytes, list[Any]]:
    """Digest one function without those it calls, and list these."""
    reader = _Reader()
    reader.function(of)
    return reader.total.digest(), list(dict.fromkeys(reader.called))


class _Reader:
    """Collects what one function consists of."""

    def __init__(self) -> None:
        self.total, self.called = hashlib.sha256(), list[Any]()

    def function(self, of: Any) -> None:
        if isinstance(of, Dispatcher):
            self.value(sorted(of.targetoptions.items()))
            self.value([str(one) for one in getattr(of, "declared", ())])
            of = of.py_func
        elif hasattr(of, "_defn"):  # numba.extending.intrinsic
            of = of._defn
        self.value((of.__module__, of.__qualname__, of.__defaults__))
        for cell in of.__closure__ or ():
            self.value(cell.cell_contents)
        self.code(of.__code__, of.__globals__, of.__doc__)

    def code(self, code: types.CodeType, scope: dict[str, Any], docstring: str | None = None) -> None:
        self.value((code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
        documented = docstring is not None and code.co_consts[:1] == (docstring,)
        for constant in code.co_consts[documented:]:
            if isinstance(constant, types.CodeType):
                self.code(constant, scope)
            else:
                self.value(constant)
        self.named(code.co_names, scope)

    def named(self, names: Iterable[str], scope: dict[str, Any]) -> None:
        for name in names:  # globals, and of modules all that may be meant, as in layout.HEADING
            value = scope.get(name)
            if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in EXTERNAL:
                self.named([one for one in names if one != name], vars(value))
            elif name in scope:
                self.value(value)

    def type(self, value: type) -> None:
        """Digest a class by what compiled code can read of it."""
        if issubclass(value, enum.Enum):
            parts: tuple[Any, ...] = tuple((one.name, one.value) for one in value)
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            parts = value._fields
        else:
            raise TypeError(f"a kernel reads the class {value.__qualname__}, whose code cannot be kept")
        self.value((value.__module__, value.__qualname__, parts))

    def value(self, value: Any) -> None:
        home = (getattr(value, "__module__", None) or "").partition(".")[0]
        if isinstance(value, Dispatcher | types.FunctionType) or hasattr(value, "_defn"):
            if home not in EXTERNAL:
                self.called.append(value)
            self.value((value.__module__, getattr(value, "__qualname__", value.__name__)))
        elif isinstance(value, type) and home not in EXTERNAL:
            self.type(value)
        elif isinstance(value, np.ndarray):
            self.value((repr(value.dtype), value.shape, value.tobytes()))
        elif isinstance(value, set | frozenset | dict):
            parts = value.items() if isinstance(value, dict) else value
            self.value((type(value).__name__, sorted(parts, key=repr)))
        elif isinstance(value, tuple | list):
            fields = getattr(type(value), "_fields", "")  # of a named tuple: kernels read them by name
            self.total.update(f"({len(value)}{fields}".encode())
            for one in value:
                self.value(one)
        else:  # numbers, strings, types, modules: what they print is what they are
            text = value.__name__ if isinstance(value, types.ModuleType) else repr(value)
            if " at 0x" in text and home not in EXTERNAL:
                raise TypeError(f"a kernel reads {text}, which has no value that can be kept")
            self.total.update(f"{type(value).__name__}:{text.partition(' at 0x')[0]};".encode())
