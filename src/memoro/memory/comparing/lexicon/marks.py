"""Words that name an attribute only of somebody, or only where a time is said of it."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.listing import listed

_SOFT = {
    "@role": "job position title role funcao emprego",
    "@home": "city town cidade location home house casa 城市 家",
    "@employer": "company firm empresa companhia 公司 单位",
    "@email": "mail",
    "@partner": "wife husband spouse 爱人",
    "@phone": "mobile",
}
SOFT_MARKS = {word: mark for mark, words in _SOFT.items() for word in words.split()}
"""Words that name an attribute of the user, and something else of anything else."""

TIME_WORDS = listed("time date day schedule data hora horario dia 时间 日期")
"""Words that name the attribute "when" where the value is a time."""

NO_EMPLOYERS = listed(
    """
    night weekend weekends desk floor front
    porto rio recife funchal cairo brasil japao canada chile peru mexico algarve
    北京 上海 广州 深圳 杭州 成都 南京 武汉 西安 重庆 天津 苏州 长沙 郑州
    青岛 大连 厦门 宁波 济南 福州 合肥 昆明 哈尔滨 沈阳 东莞 佛山 无锡
    香港 澳门 台北 东京 纽约 伦敦 巴黎 柏林 新加坡 里斯本 马德里 家 家里
    """
)
"""Places and times at which people work, where the words don't tell them from employers."""


SINGLE_NOUNS = frozenset(
    {"default", "main", "favourite", "current", "primary", "official", "last", "next"}
)
