"""Words that hold a sentence together and say nothing of what it is about.

They are left out of questions alone, never of what is indexed. A word that means something in
another of the languages is not here: "may" the month, "os" and "nas" the systems, "la" the city,
"son", "sin", "era", "hay"; nor is a single letter that names things ("vitamin d", "plan e").
"""

from __future__ import annotations

_ENGLISH = """
a an the and or but nor if then than so as at by for from in into of off on onto out over to under
up down with without about between through during after before above below again further once here
there when where why how what which who whom whose this that these those i me my mine myself we us
our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
its itself they them their theirs themselves am is are was were be been being have has had having
do does did doing done can cannot could will would shall should might must not no any some all both
each few many much more most other such only own same too very just also ever while until because
don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn shouldn mustn needn mightn
im ive dont didnt doesnt whats
"""
_PORTUGUESE = """
o um uma uns umas de da em na ao aos que qual quais quem quando onde quanto quantos quanta quantas
como por porque para pra com meu minha meus minhas seu sua seus suas eu ele ela eles elas voce
voces isso isto esse essa este esta foi foram estou esta estao estava ser sao tem tinha ter mas se
ja nao mais pelo pela num numa lhe
"""
_SPANISH = """
el los las un una unos unas del en lo le les cual cuales quien quienes cuando donde cuanto cuantos
cuanta cuantas con mi mis tu tus su yo usted ustedes ella ellos ellas nosotros eso esto estos estas
ese esa fue fueron es estaba ha han pero muy ya mas sus
"""
_CHINESE = "的了吗嗎呢吧啊呀嘛么麼是在我你您他她它们們这這那哪什怎谁誰和与與也就都很把被着个個"
_JAPANESE = "はがをにでとへものかねよやな"
_KOREAN = "은는이가을를의에도로와과"

FUNCTION_WORDS = frozenset(
    (
        *_ENGLISH.split(),
        *_PORTUGUESE.split(),
        *_SPANISH.split(),
        *_CHINESE,
        *_JAPANESE,
        *_KOREAN,
    )
)
"""Folded words, before stemming; of scripts without spaces, single characters."""

_SPEECH = """
say says said saying tell tells told telling mention mentions mentioned mentioning
talk talks talked talking speak speaks spoke spoken
disse dizer falou falar contou contar dijo decir hablo hablar conto
"""

SPEECH_WORDS = frozenset(_SPEECH.split())
"""Folded words for speaking. All that is found was said, so they alone ask for nothing."""
