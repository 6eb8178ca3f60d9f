"""Whether a question asks for what the assistant said, and not for what the user told it.

Texts are folded, in small letters without accents, and have single spaces. What counts is a word in
the past with "you" as its subject, a conversation that both had, or a wish to be reminded of
something that is not the user's own.
"""

from __future__ import annotations

import re

_SAID = (
    r"(?:told|telling\sme|recommend(?:ed|ing)|suggest(?:ed|ing)|listed|gave|given|mention(?:ed|ing)"
    r"|said|saying|provid(?:ed|ing)|proposed|advis(?:ed|ing)|explain(?:ed|ing)|describ(?:ed|ing)"
    r"|shared|wrote|written|created|generated|drafted|outlined|compiled|pointed\s(?:out|me|to)"
    r"|came\sup\swith|come\sup\swith|put\stogether|referred|named|cited|quoted|offered|taught"
    r"|translated|summari[sz]ed|composed|designed|calculated|estimated|showed\sme|shown\sme"
    r"|walked\sme|helped\sme|sent\sme|made\s(?:for\s)?(?:me|us)|talked\s(?:about|me)|discussed"
    r"|answered|replied|responded|brought\sup|came\sback\swith|went\sover|covered|concluded"
    r"|picked\s(?:out\s)?for|found\sfor\s(?:me|us)|called\sit|labell?ed|clarified|highlighted"
    r"|identified|laid\sout|specified|used|applied|implemented|changed|built|warned|assured|noted|stated|claimed)"
)
_TO_SAY = (
    r"(?:tell|recommend|suggest|list|give|mention|say|provide|propose|advise|explain|describe|share"
    r"|write|create|generate|draft|outline|compile|point\s(?:out|me|to)|come\sup\swith|put\stogether"
    r"|refer|name|cite|quote|offer|teach|translate|summari[sz]e|compose|design|calculate|estimate"
    r"|show|walk\sme|help\sme|talk\sabout|discuss|answer|reply|respond|bring\sup|conclude|call\sit"
    r"|identify|specify|use|apply|implement|change|build|warn|pick\sfor|make\sfor)"
)
_EARLIER = r"(?:last|latest|previous|earlier|prior|past|recent|first|second|older|former|other)"
_TALK = (
    r"(?:chats?|conversations?|discussions?|talks?|sessions?|exchanges?|threads?|convos?|dialogues?"
    r"|brainstorm(?:ing)?|messages?)"
)
_CHAT = r"(?:chats?|conversations?|convos?|dialogues?|discussions?)"
_OUTPUT = (
    r"(?:advice|suggestions?|recommendations?|answers?|response|responses|repl(?:y|ies)"
    r"|explanations?|lists?|examples?|messages?|summary|summaries|proposals?|drafts?|analysis|tips?"
    r"|instructions?|outline|estimate|version|point|reasoning|recipe|verdict|description)"
)
_YOU = (
    r"(?<!\bif\s)(?<!\bsuppose\s)\b(?:you|ya|u|(?:the|my)\s(?:assistant|ai|chatbot|bot|model))(?:'ve|'d|\shave|\shad|\swere)?"
    r"(?:\s(?:previously|already|earlier|also|once|just|recently|originally|initially|first|last"
    r"|actually|specifically|kindly|even|all|had|have|then|ever|and\si)){0,2}\s"
)
_ENGLISH = re.compile(
    rf"{_YOU}{_SAID}\b"
    rf"|\b(?:did|didn't|had)\s(?:you|ya|u|(?:the|my)\s(?:assistant|ai|chatbot|bot|model))\s(?:\w+ly\s|first\s|just\s|also\s|ever\s|again\s)?"
    rf"(?:{_TO_SAY}|{_SAID})\b"
    rf"|\b(?:was|were|from|in|on|per|back\sto|about)\s(?:\w+\s)?your\s(?:\w+\s)?{_OUTPUT}\b"
    rf"(?=.{0, 200}\b(?:earlier|before|again|last|previous|ago|was|were|gave|did)\b)"
    rf"|\b(?:was|were)\b.{{0,60}}\b(?:on|in|from|of)\syour\s{_OUTPUT}\b|\bof\syour\s{_OUTPUT}\b"
    rf"|\byour\s{_EARLIER}\s(?:\w+\s)?{_OUTPUT}\b|\b(?:was|were)\syour\s(?:\w+\s)?{_OUTPUT}\b"
    rf"|\byour\s{_OUTPUT}\s(?:from\s)?(?:earlier|before|last\stime|yesterday|last\sweek)\b"
)
_ENGLISH_TALK = re.compile(
    rf"\bour\s(?:very\s)?{_EARLIER}\s{_TALK}\b|\bour\s(?:\w+\s)?{_CHAT}\b(?!\sgroup)|\b{_EARLIER}\s(?:\w+\s)?"
    r"(?:chats?|conversations?|convos?|dialogues?)\b"
    r"|\b(?:chat|conversation|discussion|talk)\s(?:that\s)?we(?:'d|\shad|'ve|\shave)\b"
    r"|\bwe(?:'d|'ve|\shad|\shave|\swere)?(?:\s(?:previously|already|earlier|also|once|just|recently"
    r"|last|both|briefly)){0,2}\s(?:discuss(?:ed|ing)|talk(?:ed|ing)(?:\s(?:about|through|over))?"
    r"|spoke|spoken|chatt(?:ed|ing)|went\s(?:over|through)|brainstorm(?:ed|ing)|c[ao]me\sup\swith"
    r"|settled\son|agreed\s(?:on|to)|decided\son)\b"
    r"|\b(?:what|which|that|why|how)\s(?:\w+\s)?we(?:'d|\shad)?\s(?:decided|agreed|concluded|settled)\b"
    r"|\bdid\s(?:we|you\sand\si|i\sand\syou)\s(?:previously\s|last\s|finally\s)?(?:discuss|talk|speak|chat|go\s(?:over|through)"
    r"|brainstorm|come\sup\swith|settle\son|agree|conclude|cover|decide|explore|outline)\b"
)
_OF_MINE = (
    r"(?!(?:\s(?:again|of|about|please|what|where|when|which|who|whose|how|why|if|whether|that|the"
    r"|many|much|long|often|old|name|date|is|was|are|were|did|do|does|time|day)){0,6}"
    r"\s(?:i|i'm|i've|i'd|my|mine|me)\b)"
)
_REMIND = re.compile(
    rf"\b(?:remind|refresh)\s(?:me|my\smemory|us)\b{_OF_MINE}"
    r"(?!\s(?:again\s)?(?:to|at|in|on|every|each|tomorrow|tonight|today|later|before|after|by|next"
    r"|once|if|when\s(?:i|it|we|the)\b(?!.{0,200}\bwas\b)|in\s[0-9]))"
    r"(?!(?:\s(?:about|of|that))?\s(?:my|tomorrow|next)\b)"
)
_DISSE = (
    r"(?:disse(?:ste)?|dito|falou|falado|falaste|recomend(?:ou|aste|ado|ada|ados|adas)"
    r"|suger(?:iu|iste|ido|ida|idos|idas)|indic(?:ou|aste|ado)|list(?:ou|aste|ado)|deu|deste|dado"
    r"|mencion(?:ou|aste|ado)|contou|contaste|explic(?:ou|aste|ado)|cit(?:ou|aste|ado)|passou"
    r"|passaste|mandou|escre(?:veu|veste)|escrito|cri(?:ou|aste)|propos|propuseste|proposto"
    r"|aconselh(?:ou|aste|ado)|ensin(?:ou|aste|ado)|mostr(?:ou|aste|ado)|ger(?:ou|aste)"
    r"|descre(?:veu|veste)|forneceu|fornecido|apresent(?:ou|aste)|respond(?:eu|este)|resumiu|traduziu"
    r"|montou|elaborou|comentou|fez\spr?a\smim|fez\spara\smim)"
)
_PORTUGUESE = re.compile(
    rf"\b(?:voce|vc|tu|ce|[oa]\sassistente|a\sia)(?:\s(?:ja|me|nos|te|tinha|tinhas|havia|tambem|mesmo|tava|lhe|so|uma\svez"
    rf"|antes|ontem|la)){{0,3}}\s{_DISSE}\b"
    r"|\b(?:me\s)?(?:disseste|recomendaste|sugeriste|mencionaste|indicaste|explicaste|listaste"
    r"|falaste|aconselhaste|propuseste)\b"
    r"|\bsuas?\s(?:ultim[oa]s?\s)?(?:sugest(?:ao|oes)|recomendac(?:ao|oes)|respostas?|dicas?|lista)"
    r"(?:\s(?:anterior(?:es)?|de\s(?:antes|ontem)))\b|\b(?:foi|era|foram|eram)\s(?:a|as|o|os)?\s?"
    r"(?:sua|tua|suas|tuas|seu|teu)\s(?:sugest(?:ao|oes)|recomendac(?:ao|oes)|respostas?|dicas?|lista"
    r"|conselho)\b"
)
_LEMBRAR = re.compile(
    r"\b(?:me\s(?:lembr(?:a|ar|e)|relembr(?:a|ar|e)|record(?:a|ar|e))|(?:lembre|lembra|lembrar|relembre"
    r"|relembrar|recorda|recordar|relembra)-me|refresc(?:a|ar|que)\s(?:a\s)?minha\smemoria"
    r"|recuerdame|recordarme|me\s(?:puedes|podrias|puede)\srecordar|me\srecuerdas|refrescame)\b"
    r"(?!(?:\s(?:de|que|a))?\s\w+[aei]r\b)(?!\s(?:amanha|manana|as|a\slas|daqui|en|em)\b)"
    r"(?!(?:\s(?:de|do|da|que|qual|quais|cual|cuales|quando|cuando|onde|donde|como|quem|quien|quant[oa]s?"
    r"|cuant[oa]s?|e|era|es|foi|fue|o|a|el|la|nome|nombre|se)){0,5}\s(?:eu|meus?|minhas?|mis?|yo)\b)"
)
_SPANISH = re.compile(
    r"\b(?:dijiste|recomendaste|sugeriste|diste|mencionaste|listaste|contaste|explicaste|indicaste"
    r"|propusiste|aconsejaste|hablaste|ensenaste|escribiste|creaste|proporcionaste|pasaste|mostraste"
    r"|describiste|respondiste|resumiste|compartiste|generaste|nombraste|comentaste|ofreciste|citaste)\b"
    r"|\b(?:usted|ud|vos|(?:el|la)\sasistente|la\sia)\s(?:me\s|nos\s|ya\s|le\s){0,2}(?:dijo|recomendo|sugirio|dio|menciono|explico"
    r"|indico|propuso|aconsejo|proporciono|mostro|describio|escribio|conto)\b"
    r"|\b(?:has|habias|habia|hayas)\s(?:dicho|recomendado|sugerido|dado|mencionado|explicado|indicado"
    r"|propuesto|aconsejado|proporcionado|mostrado|descrito|escrito|contado|listado)\b"
    r"|\b(?:fue|era|fueron|eran)\stus?\s(?:sugerencias?|recomendacion(?:es)?|consejos?|respuestas?"
    r"|lista)\b|\btus?\s(?:sugerencias?|recomendacion(?:es)?|respuestas?|consejos?|lista)\s(?:anterior"
    r"(?:es)?|de\s(?:antes|ayer))\b"
)
_LATIN_TALK = re.compile(
    r"\b(?:nossa|nosso|nossas|nossos)\s(?:ultim[oa]s?\s|outr[oa]\s|primeir[oa]\s)?(?:conversas?|chat"
    r"|papo|bate-papo|discuss(?:ao|oes)|sessao)\b|\b(?:conversa|chat|papo)\s(?:anterior|passad[oa])\b"
    r"|\b(?:ultima|outra)\sconversa\b"
    r"|\b(?:conversamos|discutimos|falamos|combinamos|decidimos|falavamos|conversavamos)\b"
    r"|\ba\sgente\s(?:ja\s|tinha\s)?(?:conversou|discutiu|falou|combinou|decidiu|falado|conversado)\b"
    r"|\bnuestr[oa]s?\s(?:ultim[oa]s?\s|otr[oa]\s|primer[oa]?\s)?(?:conversacion(?:es)?|charlas?|chat"
    r"|platica|discusion|sesion)\b|\b(?:conversacion|charla|chat)\s(?:anterior|previa|pasad[oa])\b"
    r"|\b(?:hablamos|discutimos|conversamos|charlamos|platicamos|comentamos|acordamos|decidimos)\b"
)
_I_SAID = re.compile(
    r"\bi(?:'ve|'d|\shave|\shad)?(?:\s(?:previously|already|also|once|first|ever)){0,2}\s(?:mention(?:ed)?"
    r"|brought\sup|bring\sup|told|tell\syou|said|say|shared?|describe[d]?|asked|ask\syou|raised?"
    r"|discuss(?:ed)?|express(?:ed)?|talked|stated|reported)\b"
    r"|\beu\s(?:te\s|lhe\s|ja\s)?(?:disse|falei|mencionei|contei|comentei|perguntei|citei)\b"
    r"|\b(?:te\s|yo\s)?(?:dije|mencione|conte|comente|pregunte|hable)\b"
    r"|我(?:之前|上次|以前|刚才|曾经?)?(?:跟你|和你|对你|向你)?(?:都|还)?(?:说过|说了|提到|提过|告诉过?你|讲过|問過|问过)"
)
_SENTENCE = re.compile(r"[.?!;。？！；]+")
_SHUO = (
    r"(?:说|說|告诉|告訴|推荐|推薦|建议|建議|提|列|给|給|介绍|介紹|讲|講|提供|写|寫|描述|解释|解釋|回答|教|总结|總結"
    r"|分享|举|舉|翻译|翻譯|生成|创作|創作|设计|設計)"
)
_MARK = (
    r"(?:之前|上次|上回|上一次|刚才|剛才|刚刚|剛剛|曾经?|曾經|以前|先前|前面|当时|當時|昨天|前几天|前幾天|早些时候"
    r"|早些時候|那时|那時)"
)
_CLAUSE = r"[^，。？！,.?!；;\n]"
_CHINESE = re.compile(
    rf"(?:[你您]|助手|助理)(?!{_CLAUSE}{{0,6}}(?:能|可以|可不可|会|會|可否|请|請|想|愿意|願意)){_CLAUSE}{{0,8}}?{_SHUO}"
    r"(?:出|到)?(?:我|我们|我們)?(?:一下)?(?:过|過|了|的|到|出)"
    rf"|{_MARK}的?(?:时候|時候)?{_CLAUSE}{{0,10}}?[你您]{_CLAUSE}{{0,10}}?{_SHUO}"
    rf"|[你您]{_CLAUSE}{{0,3}}?{_MARK}{_CLAUSE}{{0,10}}?{_SHUO}"
    r"|提醒(?:一下)?我(?:一下)?(?!的|要|去|在|明|今|每|下|带|帶|买|買|吃|喝|给|給|[0-9一二三四五六七八九十]|早|晚)"
    r"(?!我|.{0,4}我的)"
)
_CHINESE_TALK = re.compile(
    rf"(?:我们|我們|咱们|咱們|咱俩){_CLAUSE}{{0,4}}?{_MARK}?{_CLAUSE}{{0,8}}?(?:聊|讨论|討論|谈|談|说|說|商量|约|約"
    r"|决定|決定|交流)(?:过|過|了|的|到|好|定)"
    rf"|(?:我们|我們|咱们|咱們)?{_MARK}的?(?:那次|那个)?(?:对话|對話|聊天|谈话|談話|讨论|討論|交流|会话|會話)"
    r"|(?:我们|我們|咱们)(?:的)?(?:对话|對話|聊天记录|聊天記錄)"
)
_HAN = re.compile("[\u4e00-\u9fff]")
_SAID_BY_YOU = (_ENGLISH, _REMIND, _PORTUGUESE, _LEMBRAR, _SPANISH)
_TALKS = (_ENGLISH_TALK, _LATIN_TALK)


def asks_for_what_was_said(plain: str) -> bool:
    """Whether a folded question asks for what the assistant said, in any language known here."""
    han = not plain.isascii() and bool(_HAN.search(plain))
    if han and _CHINESE.search(plain):
        return True
    if any(pattern.search(plain) for pattern in _SAID_BY_YOU):
        return True
    talks = (*_TALKS, _CHINESE_TALK) if han else _TALKS
    return any(pattern.search(plain) for pattern in talks) and _is_of_both(plain, talks)


def _is_of_both(plain: str, talks: tuple[re.Pattern[str], ...]) -> bool:
    """Whether a conversation is spoken of otherwise than as where the user said something: "what
    did I mention in our last chat?"."""
    return any(
        pattern.search(sentence) and not _I_SAID.search(sentence)
        for sentence in _SENTENCE.split(plain)
        for pattern in talks
    )
