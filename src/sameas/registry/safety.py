"""Whether files may be rewritten as they are: git holds them, or a copy has to be made first.

It asks git, and decides nothing about links.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator

from sameas.errors import SettingError

_MOST_NAMED = 3
_STATUS = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored")
_SETTINGS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"}
"""Words as we know them, nothing written, and a file's name taken for no pattern."""


def held_by_git(place: str, is_looked_at: Callable[[str], bool]) -> bool:
    """Whether git holds every file that is looked at under this place; False outside of git.

    A work tree with changes nobody has committed is refused: they would be mixed with ours. Of a
    repository inside of it git tells the folder alone."""
    top = _git(place, "rev-parse", "--show-toplevel")
    if top is None or (top.returncode and b"not a git repository" in top.stderr):
        return False
    target = "." if os.path.isdir(place) else os.path.basename(place)
    status = _git(place, *_STATUS, "--", target)
    if status is None or top.returncode or status.returncode:
        said = (top if top.returncode else status or top).stderr.decode(errors="replace").strip()
        reason = f"nothing is rewritten: git cannot tell what has changed here: {said}"
        raise SettingError(place, reason, "or add --backup")
    root = os.fsdecode(top.stdout.removesuffix(b"\n"))
    changed = [name for name in _names(status.stdout) if is_looked_at(os.path.join(root, name))]
    if changed:
        named = ", ".join(changed[:_MOST_NAMED])
        if len(changed) > _MOST_NAMED:
            named += f" and {len(changed) - _MOST_NAMED} more"
        reason = f"nothing is rewritten: not everything is committed ({named})"
        raise SettingError(place, reason, "commit it first, or add --backup")
    return True


def _names(status: bytes) -> Iterator[str]:
    """Of each changed file, as git tells it: two letters, a space, the name from the top."""
    return (os.fsdecode(entry[3:]) for entry in status.split(b"\0") if entry)


def _git(place: str, *args: str) -> subprocess.CompletedProcess[bytes] | None:
    folder = place if os.path.isdir(place) else os.path.dirname(place) or "."
    environment = {**os.environ, **_SETTINGS}
    command = ["git", "-C", folder, *args]
    try:
        return subprocess.run(command, capture_output=True, check=False, env=environment)
    except OSError:
        return None
