"""Sets of titles that are hard to compare: every set from its number, the same in every run.

A set is in one script or two, and mixes titles that are alike, nearly alike and templated.
"""

from __future__ import annotations

import random

from tests.dedupe.brute import Row

WORDS = {
    "en": "harbour bridge opens after two years of repair council votes on water prices again",
    "de": "Die Brücke über den Fluß öffnet früher als geplant Straße Größe Maßnahme Grüße",
    "hi": "सोने का भाव आज पुणे में बारिश से ट्रेन देर नए मंत्री ने कहा पानी",
    "ar": "الوزير يعلن فتح جسر جديد في المدينة بعد عامين أسعار الذهب اليوم",
    "zh": "市长 宣布 新 大桥 今天 开放 水价 再次 上涨 法院 判决 银行 利率",
}
_SOURCES = ("", "", " - Gazette", " - North Post", " - " + "a long source " * 4)
_ODD = ("", "   ", " - Gazette", "\u00a0", "a", "İ", "ﬁnale", "\ud800 torn", "A - B - C", "x" * 300)


def articles(number: int) -> list[Row]:
    chance = random.Random(number)
    spoken = chance.sample(sorted(WORDS), chance.choice((1, 1, 2)))
    titles: list[tuple[str, str]] = []
    size = chance.randrange(6, 22)
    while len(titles) < size:
        language = chance.choice(spoken)
        for title in _some(language, [t for t, _ in titles], chance):
            titles.append((title, chance.choice((language, language, f"{language}-XX"))))
    chance.shuffle(titles)
    return [
        {"title": t, "language": spoken, "full_text": "x" * chance.randrange(3)}
        for t, spoken in titles
    ]


def _some(language: str, earlier: list[str], chance: random.Random) -> list[str]:
    kind = chance.choice(("random", "changed", "changed", "changed", "edge", "template", "odd"))
    if kind == "odd":
        return [chance.choice(_ODD)]
    if kind == "edge":
        return _at_the_edge(language, chance)
    if kind == "template":
        return [f"{_sentence(language, chance, 6)} {n}" for n in (12, 13)]
    if kind == "changed" and earlier:
        return [_changed(chance.choice(earlier), language, chance)]
    return [_sentence(language, chance, chance.choice((4, 8, 8, 60))) + chance.choice(_SOURCES)]


def _sentence(language: str, chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS[language].split(), k=words))


def _changed(title: str, language: str, chance: random.Random) -> str:
    """Some letters other, gone, new or moved: about as many as may differ, and a few more."""
    letters = list(title)
    for _ in range(chance.randrange(0, 2 + len(letters) // 8)):
        place = chance.randrange(len(letters) + 1)
        other = chance.choice(WORDS[language])
        change = chance.randrange(4)
        if change == 0:
            letters[place : place + 1] = [other]
        elif change == 1:
            letters[place : place + chance.randrange(1, 4)] = []
        elif change == 2:
            letters[place:place] = [other] * chance.randrange(1, 3)
        else:
            piece = letters[place : place + 5]
            del letters[place : place + 5]
            start = chance.randrange(len(letters) + 1)
            letters[start:start] = piece
    return "".join(letters) + chance.choice(_SOURCES)


def _at_the_edge(language: str, chance: random.Random) -> list[str]:
    """Two titles that share 17 letters of 20: a ratio of exactly 0.85."""
    times = chance.choice((1, 1, 2, 3, 12))
    letters = sorted(set("".join(WORDS[language].split()).casefold()))
    shared = "".join(chance.choices(letters, k=17 * times))
    ahead = chance.randrange(6 * times + 1)
    return ["0" * ahead + shared, shared + "1" * (6 * times - ahead)]
