"""Real-looking links in Russian and in Chinese, from a seed: paths, searches and a few hosts that
are not ASCII, spelled out or escaped. It decides nothing but what such a link looks like.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from urllib.parse import quote

from bench.corpus import SEED


@dataclass(frozen=True)
class Language:
    """What links are made of. `joint` stands between the words of a title."""

    words: list[str]
    hosts: list[str]
    foreign_hosts: list[str]
    sections: list[str]
    joint: str


_RUSSIAN = Language(
    words=[
        "Москва", "новости", "рынок", "выборы", "погода", "сегодня", "цены", "на", "хлеб", "и",
        "молоко", "матч", "Спартак", "Зенит", "счёт", "город", "мост", "ремонт", "школа", "учебный",
        "год", "театр", "премьера", "суд", "решение", "налог", "пенсия", "жильё", "ёлка", "зима",
    ],
    hosts=[
        "news.example.ru", "www.gorod-online.ru", "lenta-dnya.ru", "ru.wikibits.org", "rynok24.com",
        "www.sport-arena.ru", "forum.dacha.su", "shop.knigi.by", "gazeta.example.ua",
        "blog.example.kz",
    ],
    foreign_hosts=["новости.рф", "xn--80aesfpebagmfblc0a.xn--p1ai"],
    sections=["wiki", "news", "search", "статьи", "категория", "2026/11"],
    joint="-",
)  # fmt: skip
_CHINESE = Language(
    words=[
        "新闻", "北京", "上海", "天气", "今天", "股市", "上涨", "足球", "比赛", "结果", "教育",
        "医院", "手机", "价格", "电影", "评论", "旅游", "美食", "房价", "地铁", "大学", "招生",
        "公司", "发布", "新能源", "汽车", "经济", "报告", "健康", "图书馆",
    ],
    hosts=[
        "news.example.cn", "www.cityonline.com.cn", "zh.wikibits.org", "baike.example.com",
        "bbs.example.net", "shop.tushu.cn", "www.sports24.com", "m.xinwen.cn", "blog.example.tw",
        "video.example.hk",
    ],
    foreign_hosts=["新闻.中国", "xn--fiq228c.example"],
    sections=["wiki", "news", "search", "item", "分类", "2026/11"],
    joint="",
)  # fmt: skip
LANGUAGES = {"Russian": _RUSSIAN, "Chinese": _CHINESE}

_FOREIGN_HOST = 0.01
_SPELLED_OUT = 0.6
_PARAMETERS = ["utm_source=vk", "ref=rss", "page=2", "id=7", "from=main", "spm=1.2", "lang=ru"]


def make(language: str, size: int, seed: int = SEED) -> list[str]:
    chance = random.Random(f"{language} {seed}")
    return [_link(chance, LANGUAGES[language]) for _ in range(size)]


def _link(chance: random.Random, of: Language) -> str:
    hosts = of.foreign_hosts if chance.random() < _FOREIGN_HOST else of.hosts
    url = f"{chance.choice(['https', 'https', 'http'])}://{chance.choice(hosts)}"
    url += f"/{_spelled(chance, chance.choice(of.sections))}/"
    title = of.joint.join(chance.choices(of.words, k=chance.randint(2, 7)))
    kind = chance.random()
    if kind < 0.35:
        url += _spelled(chance, title) + chance.choice(["", "/", ".html"])
    elif kind < 0.6:
        url += f"{chance.randint(1000, 10**7)}.html?" + chance.choice(_PARAMETERS)
    else:
        url += f"?q={_spelled(chance, title)}&" + "&".join(chance.sample(_PARAMETERS, 2))
    if chance.random() < 0.1:
        url += "#" + chance.choice(["top", _spelled(chance, chance.choice(of.words))])
    return url


def _spelled(chance: random.Random, text: str) -> str:
    return text if chance.random() < _SPELLED_OUT else quote(text)
