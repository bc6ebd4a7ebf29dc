"""Files mended: what is sure is written, when the old state is safe.

What is sure has been judged; how a value is spelled is rewrite.py's business.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from sameas.errors import RecordsError
from sameas.registry.check import Judged
from sameas.registry.ledger import Ledger
from sameas.registry.rewrite import back_up, edit, rewrite, want_writable
from sameas.registry.safety import held_by_git


@dataclass
class Mended:
    links: int = 0
    files: int = 0
    copies: list[str] = field(default_factory=list)
    failed: list[RecordsError] = field(default_factory=list)


class Mending:
    """Raises at once, before anything is asked, where nothing may be rewritten. What a symbolic
    link leads to may be out of git's sight: a copy of it is made in any case."""

    def __init__(self, places: Sequence[str], ledger: Ledger, backup: bool) -> None:
        self._ledger = ledger
        held = [held_by_git(place, ledger.has_file_in) for place in places] if not backup else []
        self._copies = backup or not all(held)

    def note(self, judged: Judged) -> None:
        """Notes what is to be written. Only text gives way to text."""
        wanted, value = judged.verdict.suggestion, judged.entry.found.value
        if judged.verdict.is_sure and wanted is not None and value not in (None, wanted):
            self._ledger.add_edit(judged.entry, wanted)

    def mend(self) -> Mended:
        """A file that cannot be rewritten stays as it is, and costs the others nothing."""
        done = Mended()
        for path in self._ledger.edited_files():
            edits = (edit(path, *one) for one in self._ledger.edits(path))
            try:
                want_writable(path)
                if self._copies or os.path.islink(path):
                    done.copies.append(back_up(path))
                links = rewrite(path, edits)
            except RecordsError as error:
                done.failed.append(error)
                continue
            done.files += 1
            done.links += links
        return done
