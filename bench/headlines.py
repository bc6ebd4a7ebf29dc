"""Headlines of our own making: random and templated ones, in ten languages and their scripts.

It decides what the titles look like and which of them are one story. A language is a handful of
its real words, which come often, and thousands that are made of its syllables, which come by
Zipf's law. The same size gives the same headlines in every run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from typing import NamedTuple

SEED = 2024
_VOCABULARY = 6_000
_TWIN_EVERY = 100
"""One random headline in so many is told again in slightly other words."""
_TOO_SHORT_TO_CHANGE = 12
"""Below this length one other character could cost a ratio of 0.85."""


class Headline(NamedTuple):
    title: str
    language: str


@dataclass
class Sample:
    """Headlines, and the pairs of places that are one story because they were made so."""

    rows: list[Headline] = field(default_factory=list)
    twins: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Tongue:
    """`lengths`: the shortest and the longest headline. `gap` stands between words."""

    code: str
    words: str
    onsets: str
    rimes: str
    lengths: tuple[int, int] = (30, 110)
    gap: str = " "


TONGUES = [
    Tongue(
        "en",
        "the of to in a for and on with after over from as by new says may could police "
        "minister court city council school water price market trade bank election leader "
        "fire bridge harbour farmers rain storm heat health doctors hospital team final wins "
        "loses talks deal strike workers union plan budget tax cuts rise falls record first "
        "last year week calls warns opens closes river road train airport border island film "
        "music prize",
        "b br c ch d f fl g gr h j k l m n p pr r s st str t th tr v w",
        "a e i o u an en in on ar er or ing ell all est ack ord ight ane ope ill",
    ),
    Tongue(
        "de",
        "der die das und in zu mit nach über für auf von ein neue Regierung Minister Stadt "
        "Polizei Gericht Haushalt Bahn Streik Wasser Preise Wahl sagt warnt fordert öffnet",
        "b d f g h k l m n p r s sch t v w z br gr kl schw st str",
        "a e i o u ä ö ü au ei er en el ung ach ich eit ort und all",
    ),
    Tongue(
        "ru",
        "в на и с по о для после новый министр суд город полиция цены вода выборы банк школа "
        "поезд мост погода заявил открыл закрыл рост",
        "б в г д ж з к л м н п р с т ф х ч ш",
        "а о е и у ы я ать ов ин ский ение ора ек ой",
    ),
    Tongue(
        "el",
        "ο η το και σε για με από νέο υπουργός δικαστήριο πόλη αστυνομία τιμές νερό εκλογές "
        "τράπεζα σχολείο τρένο γέφυρα καιρός δηλώνει",
        "β γ δ ζ θ κ λ μ ν ξ π ρ σ τ φ χ ψ στ τρ",
        "α ε η ι ο υ ω ος ης αι ει ου άς ία ών",
    ),
    Tongue(
        "ar",
        "في من على إلى عن مع بعد وزير محكمة مدينة شرطة أسعار مياه انتخابات بنك مدرسة قطار "
        "جسر طقس يعلن يفتح جديد",
        "ب ت ج ح خ د ر ز س ش ص ض ط ع غ ف ق ك ل م ن ه",
        "ا و ي ة ان ون ير اد وف",
    ),
    Tongue(
        "he",
        "של על את עם לא אחרי שר בית משפט עיר משטרה מחירי מים בחירות בנק רכבת גשר מזג אוויר "
        "חדש אומר נפתח",
        "ב ג ד ה ו ז ח ט כ ל מ נ ס ע פ צ ק ר ש ת",
        "א ה ו י ים ות ון ית",
    ),
    Tongue(
        "hi",
        "में के की का से को पर ने और नए मंत्री अदालत शहर पुलिस दाम पानी चुनाव बैंक स्कूल ट्रेन पुल मौसम कहा खुला",
        "क ख ग घ च छ ज ट ड त थ द न प ब भ म य र ल व श स ह",
        "ा ि ी ु े ो ं ान ार ीय ित",
    ),
    Tongue(
        "ta",
        "இல் மற்றும் புதிய அமைச்சர் நீதிமன்றம் நகரம் காவல் விலை தண்ணீர் தேர்தல் வங்கி பள்ளி ரயில் பாலம் மழை இன்று",
        "க ச ட த ந ப ம ய ர ல வ ழ ள ற ன",
        "ா ி ீ ு ூ ெ ே ை ொ ம் ன் ல்",
    ),
    Tongue(
        "zh",
        "的 在 和 新 市 年 部长 法院 警方 价格 选举 银行 学校 列车 大桥 天气 宣布 开放",
        "中 国 人 大 上 海 北 京 南 东 西 江 河 山 林 金 水 火 木 土 高 长 天 地 日 月 星 民 电 车",
        "业 会 员 场 道 城 区 院 所 品 量 力 度 性 化 家 学 法 机 网 站 台 线 员 价 率",
        (16, 48),
        "",
    ),
    Tongue(
        "ko",
        "이 그 새 장관 법원 도시 경찰 가격 물 선거 은행 학교 열차 다리 날씨 오늘 발표 개통",
        "가 나 다 라 마 바 사 아 자 차 카 타 파 하 고 노 도 로 모 보 소 오 조",
        "은 는 을 를 이 의 에 로 기 지 리 시 미 수 주 구 부 장 전",
        (20, 70),
    ),
]

_CITIES = [
    "Pune", "Mumbai", "Delhi", "Chennai", "Kolkata", "Jaipur", "Lucknow",
    "Kanpur", "Nagpur", "Indore", "Bhopal", "Patna", "Vadodara", "Surat",
    "Agra", "Nashik", "Meerut", "Rajkot", "Varanasi", "Srinagar", "Amritsar",
    "Ranchi", "Howrah", "Gwalior", "Jabalpur", "Vijayawada", "Jodhpur", "Madurai",
    "Raipur", "Kota", "Guwahati", "Chandigarh", "Solapur", "Mysuru", "Bareilly",
    "Aligarh", "Jalandhar", "Bhubaneswar", "Salem", "Warangal", "Guntur", "Noida",
    "Dehradun", "Kochi", "Udaipur", "Ajmer", "Jhansi", "Mangaluru",
]  # fmt: skip
_MONTHS = [date(2024, month, 1).strftime("%B") for month in range(1, 13)]
_TEMPLATES = (
    "Gold price today in {city}, {day} {month}: 22 carat at Rs {large} for ten grams",
    "Silver rate today in {city}, {day} {month}: Rs {large} a kilo, down {small} per cent",
    "Petrol price in {city} on {day} {month}: {small}.{cents} a litre, diesel at {less}.{cents}",
    "Weather in {city} today, {day} {month}: highest {small} degrees, rain chance {less} per cent",
    "{city} air quality on {day} {month}: index at {small}, {less} stations in the red",
    "Power cut in {city} on {day} {month}: these {small} areas are without supply until {less} pm",
)


def random_headlines(size: int, tongue: Tongue = TONGUES[0], seed: int = SEED) -> Sample:
    """Random headlines, one in a hundred of them an earlier one slightly changed."""
    chance = random.Random(f"{seed} {tongue.code}")
    words = _vocabulary(tongue, chance)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    sample = Sample()
    while len(sample.rows) < size:
        place = len(sample.rows)
        if place % _TWIN_EVERY == _TWIN_EVERY - 1:
            earlier = place - chance.randrange(1, _TWIN_EVERY)
            title = _retold(sample.rows[earlier].title, chance)
            sample.twins.append((earlier, place))
        else:
            title = _sentence(tongue, words, weights, chance)
        sample.rows.append(Headline(title, tongue.code))
    return sample


def templated_headlines(size: int, tongue: Tongue = TONGUES[0], seed: int = SEED) -> Sample:
    """Headlines of six templates, no two equal: nearly each pair of a template is alike."""
    chance = random.Random(f"{seed} templates {tongue.code}")
    templates: Sequence[str] = _TEMPLATES
    cities = _CITIES
    if tongue.code != "en":
        templates, cities = _translated(tongue, chance)
    titles: dict[str, None] = {}
    while len(titles) < size:
        titles[_filled(chance.choice(templates), cities, chance)] = None
    return Sample([Headline(title, tongue.code) for title in titles])


def ten_languages(size: int, seed: int = SEED) -> Sample:
    """A tenth in each language: seven parts of it random, two templated, one of equal titles."""
    parts = [_mixed(size // len(TONGUES), tongue, seed) for tongue in TONGUES]
    count = len(parts)
    sample = Sample([row for rows in zip(*(p.rows for p in parts), strict=True) for row in rows])
    for number, part in enumerate(parts):
        sample.twins += [(a * count + number, b * count + number) for a, b in part.twins]
    return sample


def one_language(size: int, tongue: Tongue = TONGUES[0], seed: int = SEED) -> Sample:
    """The same mixture in one language: so many titles have a hundred times the pairs."""
    return _mixed(size, tongue, seed)


def _mixed(size: int, tongue: Tongue, seed: int) -> Sample:
    sample = random_headlines(size * 7 // 10, tongue, seed)
    sample.rows += templated_headlines(size // 5, tongue, seed).rows
    chance = random.Random(f"{seed} equal {tongue.code}")
    while len(sample.rows) < size:
        earlier, place = chance.randrange(len(sample.rows)), len(sample.rows)
        sample.rows.append(sample.rows[earlier])
        sample.twins.append((earlier, place))
    return sample


def _vocabulary(tongue: Tongue, chance: random.Random) -> list[str]:
    words = dict.fromkeys(tongue.words.split())
    onsets, rimes = tongue.onsets.split(), tongue.rimes.split()
    while len(words) < _VOCABULARY:
        syllables = chance.choices((1, 2, 3), (2, 5, 2))[0]
        word = "".join(chance.choice(onsets) + chance.choice(rimes) for _ in range(syllables))
        if syllables > 1 or chance.random() < 0.2:
            words[word] = None
    return list(words)


def _sentence(tongue: Tongue, words: list[str], weights: list[float], chance: random.Random) -> str:
    shortest, longest = tongue.lengths
    wanted = round(chance.triangular(shortest, longest, (2 * shortest + longest) / 3))
    said, length = [], -len(tongue.gap)
    while length < wanted:
        word = chance.choices(words, cum_weights=weights)[0]
        said.append(word)
        length += len(tongue.gap) + len(word)
    if length > longest:
        said.pop()
    sentence = tongue.gap.join(said)
    return sentence[0].upper() + sentence[1:]


def _retold(title: str, chance: random.Random) -> str:
    """One character less, and another source: still the same story by far."""
    if len(title) > _TOO_SHORT_TO_CHANGE:
        place = chance.randrange(1, len(title) - 1)
        title = title[:place] + title[place + 1 :]
    return f"{title} - Gazette"


def _translated(tongue: Tongue, chance: random.Random) -> tuple[list[str], list[str]]:
    """Templates of a language's own words."""
    words = _vocabulary(tongue, chance)
    often, cities = words[: len(tongue.words.split())], words[200:248]
    gap = tongue.gap
    templates = [
        gap.join(["{city}", *chance.choices(often, k=5), "{day}", *chance.choices(often, k=4)])
        + f"{gap}{{large}}{gap}{{small}}"
        for _ in range(6)
    ]
    return templates, cities


def _filled(template: str, cities: Sequence[str], chance: random.Random) -> str:
    return template.format(
        city=chance.choice(cities),
        day=chance.randrange(1, 32),
        month=chance.choice(_MONTHS),
        large=chance.randrange(48_000, 72_000),
        small=chance.randrange(10, 100),
        less=chance.randrange(2, 60),
        cents=chance.randrange(10, 100),
    )
