"""Number words, units, months and weekdays, in English, Portuguese and Chinese."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.listing import listed


def _by_word(table: str) -> dict[str, str]:
    """The head of each line "head: words", by word."""
    lines = (line.partition(": ") for line in table.strip().splitlines())
    return {word: head for head, _, words in lines for word in words.split()}


NUMBER_WORDS = {
    word: int(number)
    for word, number in _by_word(
        """
0: zero
1: one um uma first primeiro primeira
2: two dois duas second twice
3: three tres third terceiro terceira thrice
4: four quatro fourth
5: five cinco fifth quinto
6: six seis sixth sexto
7: seven sete seventh setimo
8: eight oito eighth oitavo oitava
9: nine nove ninth nono nona
10: ten dez tenth decimo decima
11: eleven onze
12: twelve doze dozen duzia
13: thirteen treze
14: fourteen catorze quatorze
15: fifteen quinze
16: sixteen dezesseis dezasseis
17: seventeen dezessete dezassete
18: eighteen dezoito
19: nineteen dezenove dezanove
20: twenty vinte
30: thirty trinta
40: forty quarenta
50: fifty cinquenta
60: sixty sessenta
70: seventy setenta
80: eighty oitenta
90: ninety noventa
100: cem cento
200: duzentos duzentas
300: trezentos trezentas
500: quinhentos quinhentas
"""
    ).items()
}
MULTIPLIERS = {
    word: int(number)
    for word, number in _by_word(
        """
100: hundred
1000: thousand mil
1000000: million milhao milhoes
1000000000: billion bilhao bilhoes
"""
    ).items()
}
ARTICLES_TOO = frozenset({"one", "um", "uma"})
"""Number words that are articles or pronouns just as often."""

HAN_DIGITS = {digit: at for at, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
HAN_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}

UNITS = {
    word: (head.split()[0], float(head.split()[1]))
    for word, head in _by_word(
        """
time 0.001: ms msec msecs millisecond milliseconds milissegundo milissegundos 毫秒
time 1: s sec secs second seconds segundo segundos 秒 秒钟
time 60: min mins minute minutes minuto minutos 分钟
time 3600: h hr hrs hour hours hora horas 小时
time 86400: d day days dia dias 天
time 604800: w week weeks semana semanas 周 星期
months 1: month months mes meses 个月
months 12: year years yr yrs ano anos 年 岁
bytes 1: b byte bytes
bytes 1000: kb kilobyte kilobytes
bytes 1000000: mb megabyte megabytes
bytes 1000000000: gb gigabyte gigabytes
bytes 1000000000000: tb
bytes 1024: kib ki
bytes 1048576: mib mi
bytes 1073741824: gib gi
% 1: % percent
usd 1: $ usd dollar dollars dolar dolares 美元
eur 1: € eur euro euros 欧元
gbp 1: £ gbp
brl 1: r$ brl real reais
cny 1: ¥ cny rmb yuan 元 块
m 1: m
metres 0.001: mm milimetro milimetros
metres 0.01: cm centimetro centimetros 厘米
metres 1: meter meters metre metres metro metros 米
metres 1000: km kilometer kilometers kilometre kilometres quilometro quilometros 公里
miles 1: mile miles milha milhas
g 1: g gram grams grama gramas 克
g 1000: kg kilo kilos quilo quilos 公斤
hz 1: hz
hz 1000: khz
hz 1000000: mhz
hz 1000000000: ghz
px 1: px pixel pixels
people 1: 人
"""
    ).items()
}
"""The dimension of each unit, and how many of its base unit it is. "m" is minutes or metres."""

MONTHS = _by_word(
    """
01: january jan janeiro
02: february feb fevereiro
03: march mar marco
04: april apr abril
05: may maio
06: june jun junho
07: july jul julho
08: august aug agosto
09: september sep sept setembro
10: october oct outubro
11: november nov novembro
12: december dec dezembro
"""
)
ALSO_WORDS = frozenset({"may", "march", "mar", "jan", "dec", "marco"})
"""Month names that are other words, or names, in lower case."""

WEEKDAYS = _by_word(
    """
monday: monday mondays segunda-feira segundas-feiras 周一 星期一 每周一
tuesday: tuesday tuesdays terca-feira tercas-feiras 周二 星期二 每周二
wednesday: wednesday wednesdays quarta-feira quartas-feiras 周三 星期三 每周三
thursday: thursday thursdays quinta-feira quintas-feiras 周四 星期四 每周四
friday: friday fridays sexta-feira sextas-feiras 周五 星期五 每周五
saturday: saturday saturdays sabado sabados 周六 星期六 每周六
sunday: sunday sundays domingo domingos 周日 周天 星期日 星期天 每周日
"""
)
SHORT_WEEKDAYS = _by_word(
    """
monday: segunda segundas
tuesday: terca tercas
wednesday: quarta quartas
thursday: quinta quintas
friday: sexta sextas
"""
)
"""Portuguese weekdays without "-feira": ordinal numbers too, where no preposition comes before."""
BEFORE_SHORT_WEEKDAYS = listed(
    "a as à às aos na nas no toda todas cada para ate de da proxima e ou"
)
CLOCK_WORDS = _by_word(
    """
12:00: noon midday meio-dia
00:00: midnight meia-noite
"""
)
