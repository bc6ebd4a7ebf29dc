"""Which engine is at work: the compiled one where it is installed and fits, and never in silence
another one than was asked for."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import types
from pathlib import Path

import pytest

from sameas import EngineUnavailable, InvalidURL, Policy, explain
from sameas.engine import native
from sameas.plan.document import builtin_names
from sameas.plan.plan import SEMANTICS
from tests.native.wheel import MISSING, needed

URL = "https://WWW.example.com/a/%7e?utm_source=x&b=1#top"
PYPROJECT = Path(__file__).parent.parent.parent / "pyproject.toml"


@pytest.fixture(autouse=True)
def _nothing_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SAMEAS_ENGINE", raising=False)


def _wheel(monkeypatch: pytest.MonkeyPatch, **named: object) -> None:
    """Another wheel than the one that is here."""
    module = types.ModuleType("sameas_native")
    module.__dict__.update({"__version__": native.VERSION, "SEMANTICS": SEMANTICS} | named)
    monkeypatch.setitem(sys.modules, "sameas_native", module)


def _no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sameas_native", None)


def test_in_ci_the_compiled_engine_is_there() -> None:
    assert not (MISSING and os.environ.get("CI") == "true"), MISSING


@needed
@pytest.mark.parametrize("name", builtin_names())
def test_where_the_wheel_is_it_is_what_works(name: str) -> None:
    for policy in (Policy.load(name), Policy.load(name, engine="native")):
        assert policy.engine == "native"
        for method in (policy.key, policy.canonicalize):
            assert type(method).__name__ == "builtin_function_or_method"
            assert type(method.__self__).__module__ == "sameas_native"


def test_the_python_engine_can_be_asked_for() -> None:
    assert Policy.load("feed", engine="python").engine == "python"


def test_without_the_wheel_auto_is_python_and_native_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _no_wheel(monkeypatch)
    assert Policy.load("feed").engine == "python"
    with pytest.raises(EngineUnavailable, match=r"pip install 'sameas\[native\]'"):
        Policy.load("feed", engine="native")


@pytest.mark.parametrize(
    ("wheel", "said"),
    [
        ({"__version__": "0.0.9"}, r"0\.0\.9 is installed.*pip install"),
        ({"SEMANTICS": SEMANTICS + 1}, "version 2 of the semantics.*pip install"),
    ],
)
def test_a_wheel_that_does_not_fit_is_refused(
    wheel: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _wheel(monkeypatch, **wheel)
    assert Policy.load("feed").engine == "python"
    with pytest.raises(EngineUnavailable, match=said):
        Policy.load("feed", engine="native")


def test_a_plan_that_the_wheel_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(_: str) -> None:
        raise ValueError("this crate knows no operation 'path.mend'")

    _wheel(monkeypatch, Engine=engine)
    assert Policy.load("feed").engine == "python"
    with pytest.raises(EngineUnavailable, match=r"path\.mend"):
        Policy.load("feed", engine="native")


def test_the_extra_pins_the_version_that_the_door_wants() -> None:
    assert f'native = ["sameas-native=={native.VERSION}"]' in PYPROJECT.read_text("utf-8")


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needed)])
def test_the_environment_says_what_auto_is(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEAS_ENGINE", engine)
    assert Policy.load("feed").engine == engine
    assert Policy.load("feed", engine="python").engine == "python"


def test_an_engine_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEAS_ENGINE", "fast")
    with pytest.raises(EngineUnavailable, match="'fast': it is one of auto, python, native"):
        Policy.load("feed")


@needed
def test_the_environment_that_asks_for_native_fails_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _no_wheel(monkeypatch)
    monkeypatch.setenv("SAMEAS_ENGINE", "native")
    with pytest.raises(EngineUnavailable):
        Policy.load("feed")


def test_a_pickled_policy_takes_the_engine_of_where_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = pickle.dumps(Policy.load("news"))
    _no_wheel(monkeypatch)
    assert pickle.loads(data).engine == "python"


@needed
def test_explanations_come_from_the_python_engine_and_end_as_the_result() -> None:
    policy = Policy.load("default", engine="native")
    assert policy.explain(URL).result == policy.canonicalize(URL)
    assert explain(URL).result == policy.canonicalize(URL)


@needed
@pytest.mark.parametrize("name", builtin_names())
@pytest.mark.parametrize(
    "raw", ["", "a b", "mailto:x", "http://h:99999/", "http://\ud800", b"\xff"]
)
def test_a_refusal_has_the_same_code_and_the_same_words(name: str, raw: str | bytes) -> None:
    told = []
    for engine in ("python", "native"):
        policy = Policy.load(name, engine=engine)
        for method in (policy.canonicalize, policy.key):
            with pytest.raises(InvalidURL) as refused:
                method(raw)
            told.append((refused.value.code, refused.value.message))
    assert len(set(told)) == 1


@needed
@pytest.mark.parametrize("wrong", [None, 7, bytearray(b"http://h/"), ["http://h/"]])
def test_what_is_no_url_at_all_is_a_type_error_on_both(wrong: object) -> None:
    told = set()
    for engine in ("python", "native"):
        with pytest.raises(TypeError) as refused:
            Policy.load("feed", engine=engine).key(wrong)  # type: ignore[arg-type]
        told.add(str(refused.value))
    assert told == {f"a URL is text or bytes, not {type(wrong).__name__}"}


@needed
def test_an_engine_of_no_plan_is_refused_with_the_reason() -> None:
    import sameas_native

    for text, said in (("", "EOF"), ("{}", "semantics"), ('{"semantics": 1}', "parser")):
        with pytest.raises(ValueError, match=said):
            sameas_native.Engine(text)


def test_the_package_works_where_nothing_is_compiled() -> None:
    """A process of its own, in which the wheel cannot be imported."""
    program = (
        "import sys; sys.modules['sameas_native'] = None\n"
        "import sameas\n"
        f"print(sameas.Policy.load('default').engine, sameas.canonicalize({URL!r}).url)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["python", "https://www.example.com/a/~?b=1"]
