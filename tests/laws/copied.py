"""A second copy of the engine whose source hands every operation to a count.

It decides what is copied and how its source is changed; what an operation costs is work.py's.
"""

from __future__ import annotations

import ast
import codecs
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sameas.engine import parse
from sameas.errors import InvalidURL
from sameas.plan.plan import Plan
from tests.laws.work import COUNT, Count

ROOMS = ("sameas.engine", "sameas.plan.suffixes")
"""The engine, and the one module of the plan that works while a URL does."""

_IN_PLACE = {ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.BitOr: "ior"}


class _Instrument(ast.NodeTransformer):
    """The source, with every operation handed to the count."""

    def _to(self, name: str, *args: ast.expr) -> ast.Call:
        meter = ast.Attribute(ast.Name(COUNT, ast.Load()), name, ast.Load())
        return ast.Call(meter, list(args), [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return node
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute):
            made = self._to("method", node.func.value, ast.Constant(node.func.attr))
        else:
            made = self._to("call", node.func)
        made.args += node.args
        made.keywords = node.keywords
        return made

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        at = node.slice
        if isinstance(at, ast.Slice):
            bounds = [bound or ast.Constant(None) for bound in (at.lower, at.upper, at.step)]
            at = ast.Call(ast.Name("slice", ast.Load()), bounds, [])
        return self._to("item", node.value, at)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        is_sum = isinstance(node.op, ast.Add)
        return self._to("add", node.left, node.right) if is_sum else self._to("made", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Subscript):
            return node
        target = ast.parse(ast.unparse(node.target), mode="eval").body
        name = ast.Constant(_IN_PLACE[type(node.op)])
        return ast.Assign([node.target], self._to("change", name, target, node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        return self._to("made", node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node.value = self.visit(node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        left, pairs = node.left, []
        for op, right in zip(node.ops, node.comparators, strict=True):
            pairs.append(self._to("compare", left, ast.Constant(type(op).__name__), right))
            left = right
        return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), list(pairs))

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._to("each", node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = ast.BoolOp(ast.And(), [self._to("tick"), node.test])
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._to("each", node.iter)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        return self._to("made", node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


class _Copies(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the rooms that are copied, before anybody else does, and loads them instrumented."""

    def __init__(self, count: Count) -> None:
        self._count = count

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not _is_in_rooms(name):
            return None
        found = importlib.machinery.PathFinder.find_spec(name, path, target)
        if found is not None:
            found.loader = self
        return found

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).read_text("utf-8")
        module.__dict__[COUNT] = self._count
        exec(instrumented(source, spec.origin), module.__dict__)


def instrumented(source: str, file: str) -> Any:
    tree = ast.fix_missing_locations(_Instrument().visit(ast.parse(source)))
    return compile(tree, file, "exec", dont_inherit=True)


def planted(source: str, name: str) -> Any:
    """A function written in a test, instrumented as if it stood in the engine."""
    count, _ = copy()
    space: dict[str, Any] = {COUNT: count}
    exec(instrumented(source, name), space)
    return space[name]


@lru_cache(maxsize=1)
def copy() -> tuple[Count, type[Any]]:
    """The count, and the engine's class as it is in the copy."""
    count = Count()
    aside = {name: sys.modules.pop(name) for name in [*sys.modules] if _is_in_rooms(name)}
    finder = _Copies(count)
    sys.meta_path.insert(0, finder)
    try:
        engine = importlib.import_module("sameas.engine.python").PythonEngine
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if _is_in_rooms(name)]:
            del sys.modules[name]
        sys.modules.update(aside)
        for name, module in aside.items():
            parent, _, child = name.rpartition(".")
            setattr(sys.modules[parent], child, module)
        codecs.register_error("sameas.percent", parse._percent)
    return count, engine


def _is_in_rooms(name: str) -> bool:
    return name in ROOMS or name.startswith("sameas.engine.")


class Metered:
    """A plan on the copied engine: how much work is a URL?"""

    def __init__(self, plan: Plan) -> None:
        self._count, engine = copy()
        self._engine = engine(plan, "metered", "")

    def plant(self, rule: Any) -> None:
        """One operation more, at the end of the plan's rules."""
        self._engine._run_rules.append(rule)

    def work(self, url: str | bytes) -> int:
        before = self._count.work
        try:
            self._engine.canonicalize(url)
        except InvalidURL:
            pass
        return self._count.work - before
