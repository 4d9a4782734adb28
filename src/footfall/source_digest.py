"""A digest of the code that something is computed by: the key of a cached result.

It covers the syntax trees, without docstrings, of a module and of all modules of footfall that it imports,
directly or through others, at the top of a file or inside a function. Comments, docstrings and layout do not
count, so rewording a text does not throw a cached result away. Tables that lie beside the modules (.json)
count as they are.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from footfall.cache import cache_folder, write_cached
from footfall.version import __version__

ROOT = __name__.partition(".")[0]
LIBRARIES = ("numpy", "scipy", "numba")  # what is computed depends on their versions
MOST_ROWS = 2000  # digests of sources that are kept, of about 450 that are used: checkouts side by side
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@functools.cache
def source_digest(module: str, without: tuple[str, ...] = ()) -> str:
    """Digest everything a module of footfall is computed by.

    Args:
        module: full name of a module of footfall.
        without: modules that do not count, nor what only they import.

    Returns:
        A hexadecimal digest; the same for the same code, whatever the folder it is installed in.
    """
    parts: dict[str, str] = {}
    for name, (file, digest) in _reached(module, without).items():
        parts[name] = digest
        for table in file.parent.glob("*.json"):
            parts[f"{file.parent.name}/{table.name}"] = hashlib.sha256(table.read_bytes()).hexdigest()
    told = [__version__, _library_versions(), sorted(parts.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _library_versions() -> list[str]:
    found = []
    for name in LIBRARIES:
        try:
            found.append(version(name))
        except PackageNotFoundError:  # part of a bundle that has no such records
            found.append("")
    return found


@functools.cache
def imported_modules(module: str) -> frozenset[str]:
    """Return the modules of footfall that one imports, directly or through others, itself included."""
    return frozenset(_reached(module, ()))


def _reached(module: str, without: tuple[str, ...]) -> dict[str, tuple[Path, str]]:
    """Files and digests of all modules that are reached from one."""
    known = _KnownSources()
    reached: dict[str, tuple[Path, str]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = None if name in reached or name in without else _file_of(name)
        if file is not None:
            digest, imported = known.read(file, name)
            reached[name] = file, digest
            waiting += imported
    known.save()
    return reached


@functools.cache
def _file_of(module: str) -> Path | None:
    """The source of a module; None for names that are no module, such as a function imported from one."""
    if module.partition(".")[0] != ROOT:
        return None
    path = Path(__file__).parent.joinpath(*module.split(".")[1:])
    if path.is_dir():
        path = path / "__init__"
    source = path.with_suffix(".py")
    return source if source.is_file() else None


class _KnownSources:
    """Digests and imports of files by their content: parsing all takes a second, reading all 20 ms."""

    def __init__(self) -> None:
        folder = cache_folder()
        self._path = None if folder is None else folder / __version__ / "sources.json"
        # how files are read decides what is found in them
        self._reader = (
            f"{sys.version_info[:2]}:{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]}"
        )
        self._rows: dict[str, tuple[str, list[str]]] = {}
        self._new = False
        try:
            if self._path is not None:
                rows = json.loads(self._path.read_bytes())
                self._rows = {key: (str(row[0]), [str(one) for one in row[1]]) for key, row in rows.items()}
        except (OSError, ValueError, TypeError, AttributeError, IndexError, KeyError):
            self._rows = {}

    def read(self, file: Path, module: str) -> tuple[str, list[str]]:
        content = file.read_bytes()
        key = f"{module}:{self._reader}:{hashlib.sha256(content).hexdigest()}"
        if key not in self._rows:
            tree = ast.parse(content)
            package = module if file.name == "__init__.py" else module.rpartition(".")[0]
            self._rows[key] = (_tree_digest(tree), sorted(_imports(tree, package)))
            self._new = True
        self._rows[key] = row = self._rows.pop(key)  # what is in use is the last to be left out
        return row

    def save(self) -> None:
        if self._new and self._path is not None:
            write_cached(self._path, json.dumps(dict(list(self._rows.items())[-MOST_ROWS:])).encode())


def _tree_digest(tree: ast.Module) -> str:
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _imports(tree: ast.Module, package: str) -> set[str]:
    """Names of footfall that a module imports: modules, and `module.name` where that may be a module."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    inside = {name for name in found if name.partition(".")[0] == ROOT and name != ROOT}
    for name in tuple(inside):  # importing a.b.c runs a.b as well
        while name.count(".") > 1:
            name = name.rpartition(".")[0]
            inside.add(name)
    return inside
