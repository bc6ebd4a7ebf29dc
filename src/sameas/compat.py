"""`TkNormalizer` as tk-normalizer has it, on the engine of the policy `tk`.

It decides what is logged, what its names are and which steps a subclass may replace; what a step
does is the engine's business.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, KeysView, Sequence
from hashlib import sha256
from typing import Literal
from urllib.parse import ParseResult, unquote

from sameas.engine import tk, tk_parse
from sameas.engine.parse import LIMIT, masked, read, shown
from sameas.errors import InvalidURL, SameasError

__all__ = ["InvalidUrlException", "TkNormalizer"]

Pairs = list[tuple[str, str]]

_LOGGER = logging.getLogger(__name__)
_LONGEST_SHOWN = 200
_DOCUMENTED = {
    "parent_normal_url": "parent_normalized_url",
    "root_normal_url": "root_normalized_url",
    "parent_normal_url_hash": "parent_normalized_url_hash",
    "root_normal_url_hash": "root_normalized_url_hash",
}
"""What the package's document calls some of its names."""


class InvalidUrlException(SameasError):
    """A URL that is refused, or an input that is no URL at all; it carries its cause."""

    def __init__(self, message: str, original_exception: Exception) -> None:
        super().__init__(message)
        self.original_exception = original_exception
        self.__cause__ = original_exception

    def __reduce__(self) -> tuple[type[InvalidUrlException], tuple[str, Exception]]:
        return type(self), (str(self), self.original_exception)


class TkNormalizer:
    """One URL in its normalized form. A subclass may name other parameters and the other root,
    and may replace any step: each is a method, called as the package calls it."""

    query_params_to_remove: Sequence[str] = [
        "utm_*",
        "gclid",
        "fbclid",
        "dclid",
        "_ga",
        "_gid",
        "_fbp",
        "_hjid",
        "msclkid",
        "aff_id",
        "affid",
        "referrer",
        "adgroupid",
        "srsltid",
        "gaa_*",
        "eafs_enabled",
    ]
    root: Literal["registrable", "last-two-labels"] = "registrable"

    def __init__(self, url: str, log_errors: bool = True) -> None:
        self.log_errors = log_errors
        self.logger = _LOGGER
        try:
            self._normalize(url)
        except InvalidUrlException as refusal:  # of a subclass's own step
            self._log(logging.WARNING, str(refusal))
            raise
        except InvalidURL as error:
            message = f"Invalid URL provided ({error}) {_shown(url)}"
            self._log(logging.WARNING, message)
            raise InvalidUrlException(message, error) from error
        except Exception as error:
            message = f"Invalid URL (exception): {_shown(url)}"
            self._log(logging.ERROR, message)
            raise InvalidUrlException(message, error) from error

    def _log(self, level: int, message: str) -> None:
        if self.log_errors:
            self.logger.log(level, message)

    def _normalize(self, url: str) -> None:
        if not isinstance(url, str):
            raise TypeError(f"a URL is text, not {type(url).__name__}")
        self.original_url = read(url).strip(tk_parse.SPACE)
        self.query_string = self.path = ""
        self.normalized_url, self.parent_normalized_url, self.root_normalized_url = (
            self.process_url(self.original_url)
        )
        self.friendly_url = self.build_friendly_url()
        self.url_hashes = self.compute_hashes()
        self.parent_normal_url = self.parent_normalized_url
        self.root_normal_url = self.root_normalized_url
        self.normalized_url_hash = self.url_hashes["normalized_url_hash"]
        self.friendly_url_hash = self.url_hashes["friendly_url_hash"]
        self.parent_normalized_url_hash = self.url_hashes["parent_normalized_url_hash"]
        self.root_normalized_url_hash = self.url_hashes["root_normalized_url_hash"]
        self.parent_normal_url_hash = self.parent_normalized_url_hash
        self.root_normal_url_hash = self.root_normalized_url_hash

    def process_url(self, url: str) -> tuple[str, str, str]:
        parsed = self.parse_url(self.lowercase_url(url))
        netloc, path, query = self.validate_url(parsed)
        netloc = self.remove_www_subdomain(netloc)
        self.path = self.remove_trailing_slash(unquote(path))
        params = self._kept(query)
        self.query_string = tk.encoded(params)
        normalized = self.rebuild_url(netloc, self.path, params)
        if "." not in normalized:
            raise InvalidURL("no_tld", "no dot is left, so there is no top-level domain")
        parent = self.get_parent_normalized_url(netloc)
        return normalized, parent, self.get_root_normalized_url(netloc)

    def build_friendly_url(self) -> str:
        """The same in the letters it came in, with its scheme and its www."""
        parsed = self.parse_url(self.original_url)
        path = self.remove_trailing_slash(unquote(parsed.path))
        query = tk.encoded(self._kept(parsed.query))
        url = f"{parsed.scheme}://{parsed.netloc}{path}"
        return f"{url}?{query}" if query else url

    def _kept(self, query: str) -> Pairs:
        params = self.remove_unwanted_params(self.parse_query_params(query))
        return self.remove_duplicate_params(self.sort_query_params(params))

    @staticmethod
    def lowercase_url(url: str) -> str:
        return tk_parse.lower(url)

    @staticmethod
    def parse_url(url: str) -> ParseResult:
        return tk_parse.split(url)

    @staticmethod
    def validate_url(parsed_url: ParseResult) -> tuple[str, str, str]:
        tk_parse.check(parsed_url)
        return parsed_url.netloc, parsed_url.path, parsed_url.query

    @staticmethod
    def remove_www_subdomain(netloc: str) -> str:
        return netloc.removeprefix("www.")

    @staticmethod
    def remove_trailing_slash(path: str) -> str:
        return path.rstrip("/")

    @staticmethod
    def parse_query_params(query: str) -> Pairs:
        return tk.pairs_of(query)

    def _is_unwanted_param(self, param_key: str) -> bool:
        return tk.is_listed_in(tuple(self.query_params_to_remove))(param_key)

    def remove_unwanted_params(self, query_params: Pairs) -> Pairs:
        return [pair for pair in query_params if not self._is_unwanted_param(pair[0])]

    @staticmethod
    def sort_query_params(query_params: Pairs) -> Pairs:
        return sorted(query_params)

    @staticmethod
    def remove_duplicate_params(query_params: Pairs) -> Pairs:
        return list(dict.fromkeys(query_params))

    @staticmethod
    def rebuild_url(netloc: str, path: str, query_params: Iterable[tuple[str, str]]) -> str:
        query = tk.encoded(query_params)
        return f"{netloc}{path}?{query}" if query else f"{netloc}{path}"

    @staticmethod
    def get_parent_normalized_url(netloc: str) -> str:
        return netloc

    @classmethod
    def get_root_normalized_url(cls, netloc: str) -> str:
        return tk.root_of[cls.root](netloc)

    def compute_hashes(self) -> dict[str, str]:
        return {
            "normalized_url_hash": sha256(self.normalized_url.encode()).hexdigest(),
            "parent_normalized_url_hash": tk.hash_of(self.parent_normalized_url),
            "root_normalized_url_hash": tk.hash_of(self.root_normalized_url),
            "friendly_url_hash": sha256(self.friendly_url.encode()).hexdigest(),
        }

    def to_dict(self) -> dict[str, str]:
        """The package's ten names."""
        return {
            "normalized_url": self.normalized_url,
            "friendly_url": self.friendly_url,
            "parent_normalized_url": self.parent_normalized_url,
            "root_normalized_url": self.root_normalized_url,
            "query_string": self.query_string,
            "path": self.path,
            **self.url_hashes,
        }

    def __getitem__(self, key: str) -> str:
        return self.to_dict()[_DOCUMENTED.get(key, key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def keys(self) -> KeysView[str]:
        return self.to_dict().keys()

    def __str__(self) -> str:
        return self.normalized_url


def _shown(url: object) -> str:
    """The input as a log may have it. Of a URL that is refused nobody can tell where a password
    would end, so all up to the last `@` is hidden."""
    if not isinstance(url, str | bytes):
        return f"a value of type {type(url).__name__}"
    if len(url) > LIMIT:
        return "an input too long to show"
    text = masked(shown(url), everywhere=True)
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")
