"""Chinese dates, in both scripts; a date in figures with its units reads the same in Japanese."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from memoro.memory.dates.periods import Period, Unit, back, latest, month_of, shifted, unit_of
from memoro.memory.recall.asking.reach import DAY, MONTH, YEAR, DateAsked, ago, dated, near

_DAY = timedelta(days=1)
_MOST_FOUND = 6

_NUMBER = "[0-9]{1,3}|[一二两兩三四五六七八九十]{1,3}|几|幾"
_NUMERALS = {figure: n for n, figure in enumerate("一二三四五六七八九十", 1)} | {
    "两": 2,
    "兩": 2,
    "几": 3,
    "幾": 3,
}
_UNITS = {"天": Unit.DAY, "日": Unit.DAY, "年": Unit.YEAR, "月": Unit.MONTH, "季": Unit.QUARTER}
_UNIT = "天|日|年|个?月|個?月|季度|周|週|个?星期|個?星期|个?礼拜|個?禮拜"
_HAN = re.compile("[\u4e00-\u9fff]")
_CHINESE_DAY = re.compile(
    rf"(?:([0-9]{{4}}|[去今前]|明)年)?({_NUMBER})月(?:份|({_NUMBER})[日号號])?(?![前内內以后後])"
)
_CHINESE_YEAR = re.compile(r"([0-9]{4}|[去今前])年(?![0-9一二三四五六七八九十]{1,3}月)")
_CHINESE_NEAR_DAY = re.compile("今天|今日|今晚|昨天|昨日|昨晚|大前天|前天")
_CHINESE_AGO = re.compile(rf"({_NUMBER})({_UNIT})(?:之|以)?前")
_CHINESE_LATEST = re.compile(rf"(?:最近|过去|過去|近)的?(?:这|這)?({_NUMBER})({_UNIT})")
_CHINESE_WEEK = re.compile(
    "(上{1,3}|这|這|本)(?:一?个|一?個)?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天末](?!个|個|次|天))?"
)
_CHINESE_MONTH = re.compile("(上{1,3}|这|這|本)(?:一?个|一?個)?月")
_DAYS_BACK = {"今": 0, "昨": 1, "前": 2, "大": 3}
_YEARS_BACK = {"今": 0, "去": 1, "前": 2, "明": -1}
_WEEKDAYS = {figure: n for n, figure in enumerate("一二三四五六日")} | {"天": 6}


def chinese_dates(text: str, today: date) -> Iterator[DateAsked]:
    """ "2023年5月3日", "上周二", "三天前", "去年"."""
    if not _HAN.search(text):
        return
    for pattern, read in _CHINESE:
        for count, found in enumerate(pattern.finditer(text)):
            if count < _MOST_FOUND and (one := _read(read, found, today)):
                yield one


def _read(
    read: Callable[[re.Match[str], date], DateAsked | None], found: re.Match[str], today: date
) -> DateAsked | None:
    try:
        return read(found, today)
    except (ValueError, OverflowError):
        # A month 13, or before the first day that there is.
        return None


def _number(text: str) -> int:
    if text.isascii():
        return int(text)
    ten, point, one = text.partition("十")
    if point:
        return _NUMERALS.get(ten, 1) * 10 + _NUMERALS.get(one, 0)
    return _NUMERALS[text[-1]]


def _unit(text: str) -> Unit:
    return _UNITS.get(text.rstrip("度")[-1], Unit.WEEK) if "期" not in text else Unit.WEEK


def _chinese_day(found: re.Match[str], today: date) -> DateAsked:
    month = _number(found[2])
    year = _year(found[1], today) if found[1] else today.year
    whole = month_of(year, month)
    period = whole if found[3] is None else _exactly(date(year, month, _number(found[3])))
    if found[1] is None and period.start > today:
        moved = shifted(period.start, Unit.YEAR, -1)
        period = month_of(moved.year, month) if found[3] is None else _exactly(moved)
    reach = MONTH if found[3] is None else DAY
    return dated(period, reach, is_yearly=found[1] is None)


def _exactly(day: date) -> Period:
    return Period(day, day)


def _year(text: str, today: date) -> int:
    return int(text) if text.isdigit() else today.year - _YEARS_BACK[text]


def _chinese_year(found: re.Match[str], today: date) -> DateAsked:
    return dated(unit_of(date(_year(found[1], today), 1, 1), Unit.YEAR), YEAR)


def _chinese_near_day(found: re.Match[str], today: date) -> DateAsked:
    return near(back(today, Unit.DAY, _DAYS_BACK[found[0][0]]))


def _chinese_ago(found: re.Match[str], today: date) -> DateAsked:
    unit = _unit(found[2])
    return ago(shifted(today, unit, -_number(found[1])), unit)


def _chinese_latest(found: re.Match[str], today: date) -> DateAsked:
    return near(latest(today, _unit(found[2]), _number(found[1])))


def _chinese_week(found: re.Match[str], today: date) -> DateAsked:
    week = back(today, Unit.WEEK, found[1].count("上"))
    if not found[2]:
        return near(week)
    if found[2] == "末":
        return near(Period(week.end - _DAY, week.end))
    return near(_exactly(week.start + _WEEKDAYS[found[2]] * _DAY))


def _chinese_month(found: re.Match[str], today: date) -> DateAsked:
    return near(back(today, Unit.MONTH, found[1].count("上")))


_CHINESE: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], DateAsked | None]], ...] = (
    (_CHINESE_DAY, _chinese_day),
    (_CHINESE_YEAR, _chinese_year),
    (_CHINESE_NEAR_DAY, _chinese_near_day),
    (_CHINESE_AGO, _chinese_ago),
    (_CHINESE_LATEST, _chinese_latest),
    (_CHINESE_WEEK, _chinese_week),
    (_CHINESE_MONTH, _chinese_month),
)
