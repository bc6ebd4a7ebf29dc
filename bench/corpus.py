"""Real-looking URLs from a seed: the same list on every machine.

It decides what an ordinary link looks like; hostile ones are made in hostile.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote

SEED = 2024
DEFAULT_SIZE = 20_000

_WORDS = [
    "spring", "budget", "vote", "harbour", "train", "strike", "museum", "opens", "river", "flood",
    "bridge", "repair", "school", "lunch", "price", "bread", "energy", "plan", "city", "council",
    "garden", "winter", "festival", "coach", "final", "match", "record", "heat", "wave", "storm",
    "warning", "visa", "office", "appointment", "form", "permit", "health", "card", "tax", "return",
    "pension", "housing", "rent", "market", "small", "business", "loan", "data", "privacy", "court",
    "ruling", "climate", "report", "solar", "panel", "battery", "electric", "car", "review",
    "phone", "camera", "laptop", "kitchen", "lamp", "oak", "table", "wool", "jacket", "running",
    "shoes",
]  # fmt: skip
_NAMES = [
    "northpost", "dailyferry", "riverherald", "elcorreodelsur", "blickpunkt", "lavoz",
    "openharbour", "meadowbooks", "lampenhaus", "cyclehub", "tramites", "rentafacil", "gardenwise",
    "kitchenly", "stadtblatt", "gazette24", "techfolio", "sportline", "wikibits", "foroabierto",
]  # fmt: skip
_SUFFIXES = ["com", "com", "com", "org", "net", "es", "de", "fr", "co.uk", "gob.es", "com.br", "io"]
_SUBDOMAINS = ["www.", "www.", "www.", "", "", "blog.", "news.", "shop.", "m.", "forum."]
_FOREIGN = ["café con leche", "año nuevo", "straße", "żółty", "東京", "новости", "ñandú", "crème"]
_FOREIGN_HOSTS = ["bücher.example", "xn--bcher-kva.example", "españa.example", "пример.example"]
_CAMPAIGNS = [
    "utm_source={w}&utm_medium=email&utm_campaign={w}-{n}",
    "utm_source=twitter&utm_medium=social",
    "fbclid=IwAR{t}",
    "gclid=Cj0KCQjw{t}",
    "ref={w}",
    "mc_cid={t}&mc_eid={t}",
    "source={w}",
    "msclkid={t}",
    "at_medium=RSS&at_campaign={w}",
]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


def make(size: int = DEFAULT_SIZE, seed: int = SEED) -> list[str]:
    """`size` links, in no particular order: every beginning of the list is a fair sample."""
    chance = random.Random(seed)
    kinds = list(_KINDS)
    chosen = chance.choices(kinds, [_KINDS[kind] for kind in kinds], k=size)
    return [_dressed(kind(chance), chance) for kind in chosen]


def _host(chance: random.Random) -> str:
    return chance.choice(_SUBDOMAINS) + chance.choice(_NAMES) + "." + chance.choice(_SUFFIXES)


def _token(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(_LETTERS, k=length))


def _slug(chance: random.Random) -> str:
    return "-".join(chance.sample(_WORDS, chance.randint(3, 8)))


def _campaign(chance: random.Random) -> str:
    pattern = chance.choice(_CAMPAIGNS)
    word = chance.choice(_WORDS)
    return pattern.format(w=word, n=chance.randint(1, 52), t=_token(chance, 16))


def _home(chance: random.Random) -> str:
    return f"https://{_host(chance)}" + chance.choice(["", "/", "/es/", "/index.html"])


def _article(chance: random.Random) -> str:
    day = f"{chance.randint(2012, 2025)}/{chance.randint(1, 12):02}/{chance.randint(1, 28):02}"
    section = chance.choice(["politics", "world", "sport", "local", "cultura", "wirtschaft"])
    start = f"https://{_host(chance)}/{chance.choice([day, section])}/{_slug(chance)}"
    return start + chance.choice(["", "", "/", ".html", f"-{chance.randint(10_000, 9_999_999)}"])


def _product(chance: random.Random) -> str:
    query = chance.choice(["", "", f"?variant={chance.randint(1, 99)}", "?color=oak&size=m"])
    return f"https://{_host(chance)}/{chance.choice(['p', 'product'])}/{_slug(chance)}{query}"


def _search(chance: random.Random) -> str:
    words = chance.sample(_WORDS, 2) + chance.sample(_FOREIGN, 1)
    text = "+".join(quote(word) for word in chance.sample(words, chance.randint(1, 3)))
    page = chance.choice(["", f"&page={chance.randint(1, 40)}"])
    return f"https://{_host(chance)}/search?q={text}&sort=price&dir=asc{page}"


def _document(chance: random.Random) -> str:
    return f"http://{_host(chance)}/files/{chance.randint(1999, 2025)}/{_slug(chance)}.pdf"


def _thread(chance: random.Random) -> str:
    where = f"/viewtopic.php?f={chance.randint(1, 40)}&t={chance.randint(1, 90_000)}"
    return f"http://{_host(chance)}{where}" + chance.choice(["", "&start=20", "#p1234"])


def _wiki(chance: random.Random) -> str:
    title = chance.choice(_FOREIGN).replace(" ", "_")
    written = title if chance.random() < 0.4 else quote(title)
    return f"https://{_host(chance)}/wiki/{written}" + chance.choice(["", "#Historia"])


def _procedure(chance: random.Random) -> str:
    session = chance.choice(["", "", ";jsessionid=" + _token(chance, 12)])
    return f"https://{_host(chance)}/sede/tramite{session}?id={chance.randint(1, 9999)}&lang=es"


def _video(chance: random.Random) -> str:
    extra = chance.choice(["", "&t=42s", "&si=" + _token(chance, 16), "&feature=share"])
    return f"https://www.youtube.com/watch?v={_token(chance, 11)}{extra}"


def _shop(chance: random.Random) -> str:
    item = f"/{_slug(chance)}/dp/B{chance.randint(10**8, 10**9 - 1)}"
    extra = chance.choice(["", f"/ref=sr_1_{chance.randint(1, 48)}?qid={chance.randint(1, 10**9)}"])
    return f"https://www.amazon.{chance.choice(['com', 'de', 'co.uk'])}{item}{extra}"


def _post(chance: random.Random) -> str:
    site = chance.choice(["twitter.com", "x.com"])
    number = chance.randint(10**17, 10**18)
    return f"https://{site}/{chance.choice(_NAMES)}/status/{number}" + chance.choice(["", "?s=20"])


def _wrapped(chance: random.Random) -> str:
    return "https://www.google.com/url?sa=t&url=" + quote(_article(chance), safe="")


def _foreign(chance: random.Random) -> str:
    return f"https://{chance.choice(_FOREIGN_HOSTS)}/{_slug(chance)}"


_KINDS: dict[Callable[[random.Random], str], int] = {
    _home: 8,
    _article: 34,
    _product: 10,
    _search: 8,
    _document: 6,
    _thread: 7,
    _wiki: 6,
    _procedure: 4,
    _video: 6,
    _shop: 4,
    _post: 4,
    _wrapped: 1,
    _foreign: 1,
}
"""How many of a hundred links are of which kind, more or less."""


def _dressed(url: str, chance: random.Random) -> str:
    """What happens to links on their way: campaigns, anchors, old spellings."""
    url, hash_mark, anchor = url.partition("#")
    if chance.random() < 0.22:
        url += ("&" if "?" in url else "?") + _campaign(chance)
    if hash_mark:
        url += hash_mark + anchor
    elif chance.random() < 0.05:
        url += "#" + chance.choice(["top", "comments", "!/view", "section-2"])
    scheme, _, rest = url.partition("://")
    host, slash, tail = rest.partition("/")
    odd = chance.random()
    if odd < 0.02:
        host = host.upper() if host.isascii() else host
    elif odd < 0.03:
        host += ":443" if scheme == "https" else ":80"
    elif odd < 0.04:
        tail = chance.choice(["./", "a/../"]) + tail if slash else tail
    elif odd < 0.06:
        scheme = "http"
    return f"{scheme}://{host}{slash}{tail}"
