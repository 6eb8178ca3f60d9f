"""Whether a question asks for a time or for a number.

Texts are folded, in small letters without accents, and have single spaces. Patterns are per
language; a word of one is rarely a question word of another.
"""

from __future__ import annotations

import re

_TIME = re.compile(
    # English
    r"\bwhen(?:'s|'d|'ll)?\s+(?:exactly\s+|else\s+|and where\s+)?"
    r"(?:did|do|does|was|were|is|are|am|will|would|has|have|had|can|could|should|shall)\b"
    r"|\b(?:remember|recall|know|tell me|remind me|say|said|sure|idea|find out|wonder|forgot"
    r"|forget|mention|mentioned|since|until|and|or)\s+(?:exactly\s+|roughly\s+)?when\s+(?!i was\b)"
    r"|\bwhen\s*\?|\bwhen's\b"
    r"|\b(?:what|which)\s+(?:exact\s+|specific\s+)?(?:date|day|weekday|month|year|week|weekend"
    r"|season|time|hour|decade|century|quarter)s?\b(?!\s+(?:trip|pass|planner)\b)"
    r"|\b(?:what|which)\s+(?:was|is|were|are|'s)\s+(?:the\s+)?(?:exact\s+)?(?:date|day|year|month|time)"
    r"\b|\bwhat's\s+the\s+(?:exact\s+)?(?:date|day|time)\b"
    r"|\bhow\s+long\s+(?:ago|since|before|has it been|is it since)\b|\bhow\s+recently\b"
    r"|\bhow\s+(?:many|much)\s+(?:\w+\s+){0,3}?(?:ago|since|earlier|later)\b"
    # Portuguese
    r"|\b(?:desde|ate|para|lembra|lembras|sabe|sabes|diga|diz|dizer|recorda)\s+(?:de\s+)?quando\b"
    r"|\bquando\s+(?:e\s+que|foi\s+que|foi|sera|e|vai|comeca|comecou)\b|\bquando\s*\?"
    r"|\b(?:em\s+)?que\s+(?:dia|data|mes|ano|altura|semana|horas?|epoca)\b"
    r"|\bqua(?:l|is)\s+(?:foi|e|era|sera|foram)?\s*(?:[oa]s?\s+)?(?:data|dia|mes|ano|horario|hora)s?\b"
    r"|\b(?:ha|faz)\s+quant[oa]s?\b|\bquanto\s+tempo\s+(?:faz|atras)\b"
    # Spanish
    r"|\b(?:que|cual)\s+(?:fue\s+|es\s+|era\s+)?(?:la\s+|el\s+)?(?:fecha|hora|ano|epoca)\b"
    r"|\b(?:hace|desde\s+hace)\s+cuant[oa]s?\b|\bcuant[oa]s?\s+(?:tiempo\s+|dias\s+|meses\s+)?hace\b"
    r"|\b(?:desde|hasta|para|sabes|recuerdas|acuerdas\s+de|dime)\s+cuando\b|\bcuando\s*\?"
    # Chinese, in both scripts
    r"|(?:什么|什麼|甚么|啥)(?:时候|時候|时间|時間|日子|年代)|何[时時年月日]|[几幾][时時](?!间)|[哪那]一?[天年]"
    r"|哪个?[月周]|哪一?(?:个|個)?(?:月|周|週|星期)|[几幾](?:月|号|號|点|點)|[几幾](?:天|年|周|週|个月|個月)(?:之|以)?前"
    r"|多久(?:之|以)?前|(?:星期|周|週|礼拜)[几幾]|日期|(?:时间|時間)是"
)
_OPENS_WITH_WHEN = re.compile(
    r"^\W*(?:(?:so|and|hey|ok|okay|e|y|mas|pero)\W+)?(?:when|quando|cuando)\b"
)
_OTHER_QUESTION = re.compile(
    r"\b(?:what|where|who|whom|whose|which|why|how|did|do|does|was|were|que|quem|qual|quais|onde"
    r"|quanto|quanta|quantos|quantas|como|quien|cual|cuanto|cuanta|cuantos|cuantas|donde)\b"
)
_ACCENTED = ("cuándo", "cua\u0301ndo")
"""In Spanish the accent tells the question word from "while"."""

_NUMBER = re.compile(
    # English
    r"\bhow\s+(?:many|much|often|old|long|far|tall|big|large|heavy|high|deep|wide|fast|frequently"
    r"|expensive|hot|cold|late|early|young)\b"
    r"|\bwhat(?:'s|\s+is|\s+was|\s+are|\s+were)?\s+(?:my|our|his|her|their|the|your|\w+'s)?\s*(?:\w+\s+){0,2}?"
    r"(?:total|average|sum|number|amount|count|price|cost|percentage|percent|distance|age|score"
    r"|difference|increase|decrease|ratio|salary|budget|weight|height|size|rate|temperature"
    r"|discount|speed|length|duration)\b"
    r"|\b(?:total|average|overall)\s+(?:number|amount|cost|price|age|of)\b|\bnumber\s+of\b"
    r"|\bwhat\s+(?:percentage|percent|fraction|proportion|number|amount|age)\b"
    # Portuguese
    r"|(?<!\btanto )\bquant[oa]s?\b(?!\s+(?:antes|mais\s+melhor))"
    r"|\bque\s+(?:idade|tamanho|altura)\b"
    r"|\bcom\s+que\s+frequencia\b|\bqua(?:l|is)\s+(?:e|foi|era|sao|foram)?\s*(?:[oa]s?\s+)?"
    r"(?:numero|quantidade|total|preco|valor|idade|media|percentual|porcentagem|custo|peso|altura"
    r"|distancia|soma|diferenca|tamanho|salario|orcamento)\b"
    # Spanish
    r"|\bcuant[oa]s?\b|\bque\s+(?:edad|tan\s+\w+|porcentaje)\b|\bcon\s+que\s+frecuencia\b"
    r"|\bcual(?:es)?\s+(?:es|fue|era|son|fueron)?\s*(?:el|la|los|las)?\s*(?:numero|cantidad|total"
    r"|precio|costo|coste|edad|promedio|media|porcentaje|peso|altura|distancia|suma|diferencia"
    r"|tamano|sueldo|presupuesto)\b"
    # Chinese, in both scripts
    r"|多少|多[大长長远遠高重久快深宽寬]|[几幾](?:个|個|次|只|隻|岁|歲|本|位|张|張|块|塊|条|條|天|年|周|週|月|杯"
    r"|件|家|种|種|名|页|頁|部|场|場|公斤|公里|小时|小時|分钟|分鐘|人|倍|瓶|台|套|间|間|支|门|門|集)|频率|頻率"
    r"|(?:总|總)(?:共|数|數|额|額|量)|一共|数量|數量|百分之[几幾]"
)


def asks_for_time(plain: str, text: str) -> bool:
    """Whether a question asks when something was, is or will be.

    Args:
        plain: the folded question.
        text: the question as it was written.
    """
    if _TIME.search(plain):
        return True
    if opening := _OPENS_WITH_WHEN.search(plain):
        # "When I moved, how old was I?" asks for something else.
        return not _OTHER_QUESTION.search(plain, opening.end())
    return "cuando" in plain and any(word in text.lower() for word in _ACCENTED)


def asks_for_number(plain: str) -> bool:
    """Whether a folded question asks how many, how much, how often, how old …"""
    return bool(_NUMBER.search(plain))
