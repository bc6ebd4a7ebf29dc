"""A policy file that is made here: written aside, tried by loading it, and only then named.

What stands in it is the caller's business.
"""

from __future__ import annotations

import os
from pathlib import Path

from sameas.errors import PolicyError
from sameas.policy import Policy
from sameas.records.aside import written


def save(path: str, text: str) -> Policy:
    """The policy as it is loaded from the new file. One that does not load changes nothing."""
    file = Path(path)
    aside = file.with_name(f".{file.name}.new")
    try:
        with written(aside) as stream:
            stream.write(text.encode())
        try:
            loaded = Policy.load(aside)
        except PolicyError as error:
            place = error.place.replace(str(aside), path)
            raise PolicyError(place, error.reason, error.hint) from None
        os.replace(aside, file)
    finally:
        aside.unlink(missing_ok=True)
    return loaded
