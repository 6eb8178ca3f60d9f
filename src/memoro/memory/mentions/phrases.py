"""The phrases that say that something is there, isn't, or may be; English and Portuguese.

They are held against the words before a thing, up to it, and the words after it, in one clause.
"""

from __future__ import annotations

import re

from memoro.memory.mentions.mention import QUOTES

THING = "\x00"
"""Stands for each thing that is named, so that a phrase can skip a list of them."""

_Q = rf"[{QUOTES}()\[\]*]*"
_AND = r"(?:\s*,\s*(?:and\s+|or\s+|nor\s+|e\s+)?|\s+(?:and|or|nor|e|ou|nem)\s+)"
_LIST_BEFORE = rf"(?:{_Q}{THING}{_Q}{_AND}(?:the\s+|a\s+|an\s+|no\s+|o\s+)?)*{_Q}$"
_LIST_AFTER = rf"{_Q}(?:{_AND}(?:the\s+|a\s+|an\s+|o\s+)?{_Q}{THING}{_Q})*"
_KIND = r"(?:files?|folders?|director(?:y|ies)|branch(?:es)?|arquivos?|pastas?|ficheiros?|ramos?)"
_DETERMINERS = (
    r"(?:(?:the|an?|any|our|that|this|old|separate|single|such|more|longer|called|named|um|uma"
    r"|os?|as?"
    rf"|nenhuma?|mais|version|{_KIND})\s+){{0,4}}"
)

BOUNDARY = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?](?=\s|$)|[;\n；，。！？]|\s[—–-]{1,2}\s"
    r"|\b(?:but|however|although|though|whereas|mas|porém|embora|enquanto)\b",
    re.IGNORECASE,
)
# "Never edit it" takes for granted that it is there.
TAKEN_FOR_GRANTED = re.compile(
    r"\b(?:do\s+not|don't|never|must\s+not|mustn't|should\s+not|shouldn't|cannot|can't|avoid|não"
    r"|nunca)"
    r"\s+(?:\w+ly\s+)?(?:edit|chang|touch|modif|delet|remov|renam|mov|reformat|format|overwrit"
    r"|break"
    r"|forget|ignor|(?:force-)?push|merg|rebas|deploy|commit(?=\s+(?:directly\s+)?(?:to|on)\b)"
    r"|edite|mexa|altere|apague|remova|toque)\w*",
    re.IGNORECASE,
)
# In Portuguese "no" is "in the"; these words are no other language's.
PORTUGUESE = re.compile(
    r"\b(?:não|são|é|fica|ficam|arquivos?|versão|versões|projeto|configuração|serviço|também|um|uma"
    r"|das|nas|na|pelo|pela|foi|foram|roda|rodamos|tem|temos|ou|em)\b",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    r"\b(?:the|is|are|there|has|have|we|was|does|and|with|for|of|uses?)\b", re.IGNORECASE
)
NO = re.compile(r"\bno\b", re.IGNORECASE)
# What a change led to is there now: "was moved to", "upgraded to".
LED_TO = re.compile(
    r"(?:\b(?:was|were|has\s+been|have\s+been|is|are|got|been|foi|foram)\s+)?\b(?:moved|renamed"
    r"|relocated"
    r"|migrated|upgraded|downgraded|switched|bumped|changed|converted|updated|went|movido|migrado"
    r"|migramos|atualizado|atualizamos|renomeado|replaced)\b(?:\s+[\w-]+){0,3}?"
    rf"(?:\s+(?:from\s+)?{_Q}{THING}{_Q})?\s+(?:to|into|by|with|onto|para|por)\s+(?:the\s+)?{_Q}$",
    re.IGNORECASE,
)
ABSENT_BEFORE = re.compile(
    r"\b(?:no|lacks?|lacking|removed|deleted|dropped|got\s+rid\s+of|no\s+longer\s+(?:has|have|a"
    r"|an)"
    r"|(?:do|does|did)(?:\s+not|n't)\s+have|(?:is|are)(?:\s+not|n't)\s+an?y?|não\s+(?:há"
    r"|existem?|temos|tem)"
    rf"|remove(?:mos|u)|apag(?:amos|ou)|delet(?:amos|ou)|elimin(?:amos|ou))\s+{_DETERMINERS}"
    + _LIST_BEFORE,
    re.IGNORECASE,
)
UNUSED_BEFORE = re.compile(
    rf"\b(?:not|no\s+longer(?:\s+(?:use|need|support|require|target|run)s?)?(?:\s+on)?"
    r"|(?:do|does)(?:\s+not|n't)\s+(?:use|support|run\s+on|target)|não\s+(?:usa|usamos"
    r"|suporta)(?:\s+mais)?"
    rf"|(?:stopped|dropped|removed)\s+(?:using|support(?:ing)?(?:\s+for)?))\s+{_DETERMINERS}"
    + _LIST_BEFORE,
    re.IGNORECASE,
)
ABSENT_AFTER = re.compile(
    rf"{_LIST_AFTER}(?:\s+{_KIND})?\s+(?:"
    r"(?:(?:was|were|is|are|has\s+been|have\s+been|got)\s+)(?:\w+ly\s+|now\s+|since\s+|already\s+)?"
    r"(?:(?:removed|deleted|dropped|erased)(?!\s+from\s+(?!the\s+(?:repo|project|tree|code)))|gone"
    r"|missing(?=\s*(?:$|[.,;!?)])|\s+(?:in|from|here|now|since|and|on|at)\b)"
    r"|no\s+longer\s+(?:there|here|present)|not\s+(?:there|here|present))"
    r"|(?:isn't|aren't)\s+(?:there|here|present)"
    r"|(?:does\s+not|doesn't|do\s+not|don't|no\s+longer)\s+exists?"
    r"|(?:foi|foram|está|estão)\s+(?:removid|apagad|excluíd|deletad|eliminad)[oa]s?|não\s+existem?"
    r"|sumiu)\b",
    re.IGNORECASE,
)
UNUSED_AFTER = re.compile(
    rf"{_LIST_AFTER}\s+(?:is|are)\s+(?:no\s+longer|not)\s+(?:used|supported|needed|in\s+use"
    r"|installed"
    r"|required)\b",
    re.IGNORECASE,
)
# "no Dockerfile changes" says nothing of the Dockerfile.
ENDS_AFTER = re.compile(
    rf"{_LIST_AFTER}(?:\s+{_KIND})?\s*(?:$|[.,:;!?)\n；，。！？]|\b(?:any|yet|here|there|in|at|on"
    r"|exists?|is|are|was"
    r"|were|left|because|since|so|and|or|for|from|after|instead|anymore|mais|aqui|no|na|em)\b)",
    re.IGNORECASE,
)
# "If it is missing" doesn't say that it is.
CONDITION = re.compile(
    r"\b(?:if|unless|when(?:ever)?|until|once|in\s+case|should|would|could|might|may(?=\s+[a-z])"
    r"|will"
    r"|shall|was|were|had|used\s+to|wants?|plans?|fails?|failed|se|quando|caso|até|deve|vai|vamos"
    r"|havia|tinha)\b",
    re.IGNORECASE,
)
LISTED = re.compile(rf"(?:,|\b(?:and|or|e|ou))\s+(?:the\s+)?{_Q}$", re.IGNORECASE)
OWN_VERB = re.compile(rf"{_Q}\s+(?:is|are|has|does|holds|contains|é|está|tem)\b", re.IGNORECASE)

DOUBT_BEFORE = re.compile(
    r"\b(?:not|never|no|none|neither|nor|without|cannot|nothing|was|were|had|used\s+to|formerly"
    r"|previously|originally|earlier|anymore|will|would|should|could|might|may(?=\s+[a-z])|shall"
    r"|plans?"
    r"|planned|planning|wants?|going\s+to|todo|eventually|later|soon|propose[sd]?|consider(?:s"
    r"|ing|ed)?"
    r"|maybe|perhaps|possibly|probably|if|unless|suppose|imagine|create|add|generate|introduce"
    r"|write"
    r"|rename[sd]?|move[sd]?|replace[sd]?|delete[sd]?|remove[sd]?|drop(?:s|ped)?|migrate[sd]?"
    r"|upgrade[sd]?"
    r"|downgrade[sd]?|switch(?:es|ed)?|bump(?:s|ed)?|deprecated?|instead|rather|example|e\.g"
    r"|gitignored?"
    r"|ignored?|untracked|uncommitted|optional(?:ly)?|let's|try|tried|experiment(?:s|ing|ed)?"
    r"|writes?|writing|saves?|produces?|outputs?|dumps?|exports?|emits?|downloads?|generates"
    r"|creates"
    r"|each|every|any|prefers?|likes?|started"
    r"|não|nunca|jamais|sem|nem|antes|era|eram|foi|vamos|vai|deve|deveria|talvez|se|criar|adicionar"
    r"|remover|apagar|migrar|antig[oa]|pas|sans|aucune?|supprim\w*|nicht|kein\w*|ohne|gelöscht"
    r"|entfernt|früher|soll|sin|eliminad\w*|borrad\w*|ningun\w*|non(?!-)|senza|rimoss\w*|не|нет"
    r"|без|удал\w*"
    r"|был\w*)\b|n't\b|[没沒不无無删刪移曾将將]|なし|ない|無い|削除|だった|予定|없|삭제|않",
    re.IGNORECASE,
)
DOUBT_AFTER = re.compile(
    rf"{_LIST_AFTER}\s*(?:[\w-]+\s+){{0,2}}?(?:(?:was|were)(?!\s+(?:\w+ly\s+)?(?:added|created"
    r"|written"
    r"|introduced|refactored|updated|fixed|changed|released|built|made))|will|would|should|could"
    r"|might"
    r"|may|removed|deleted|renamed|moved|replaced|dropped|deprecated|not|never|gone|missing"
    r"|merged|no\s+longer|anymore"
    r"|used\s+to|planned|soon|if|unless|(?:ya\s+)?no\s+exist\w*|não|foi|era|será|deve|ist\s+weg"
    r"|gelöscht|entfernt|nicht|pas|supprimé\w*|eliminad\w*|borrad\w*|удал\w*|не)\b"
    rf"|{_LIST_AFTER}\s+(?:is|are|gets?)\s+(?:\w+ly\s+)?(?:created|written|generated|built|produced"
    r"|downloaded|gerad[oa])\b"
    rf"|{_LIST_AFTER}\s*n'\w|{_LIST_AFTER}\s*(?:\w+\s+)?\w*n't\b"
    rf"|{_LIST_AFTER}\s*.{{0,12}}?(?:[没沒不无無删刪移曾]|なし|ない|削除|없|삭제)",
    re.IGNORECASE,
)
PASSED_BY = re.compile(
    r"\b(?:instead\s+of|rather\s+than|unlike|than|over|like|similar\s+to|compared\s+(?:to|with)"
    r"|vs\.?"
    r"|such\s+as|for\s+(?:example|instance),?|e\.g\.,?|i\.e\.,?|por\s+exemplo,?|como"
    r"|branches\s+are\s+(?:named|called)"
    rf"|versus|em\s+vez\s+de)\s+(?:the\s+|an?\s+)?{_Q}$|(?-i:\b[A-Z]\w+'s\s+){_Q}$",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:on|in|inside|at|from|no|na|nos|em)\s+(?:the\s+|our\s+|my\s+|an?\s+|each\s+|every\s+"
    r"|all\s+)?"
    r"(?:[\w-]+\s+)?(?:servers?|containers?|production|prod|staging|ci|clusters?|pods?|vms?|hosts?"
    r"|remote|laptop|raspberry|produção|servidor|contêiner)\b"
    r"|\b(?:my|his|her|their)\s+(?:laptop|desktop|workstation|phone)\b"
    r"|\b(?:laptop|desktop|workstation|phone|machine|kiosk|cluster)\s+(?:runs?|has|is|was)\b"
    r"|\b(?:production|prod|staging|the\s+server|the\s+container|ci|produção)\s+(?:\w+\s+)?"
    r"(?:runs?|uses?|tests?|is|has|still|stays?|roda|usa)\b",
    re.IGNORECASE,
)
OTHER_PROJECT = re.compile(
    r"\b(?:other|another|different|separate|old|previous|legacy|upstream)\s+"
    r"(?:repo|repository|project|codebase|machine|computer|service|app)\b|\bupstream\b"
    r"|\boutro\s+(?:projeto|repositório)\b",
    re.IGNORECASE,
)
POINT_IN_TIME = re.compile(
    r"\b(?:since|before|until|till|after|prior\s+to|older\s+than|newer\s+than|below|above|as\s+of"
    r"|up\s+to"
    r"|through|up\s+until|introduced\s+in|added\s+in|available\s+in|new\s+in|deprecated\s+in"
    r"|removed\s+in"
    rf"|desde|antes\s+d[eo]|depois\s+d[eo]|até)\s+(?:the\s+|o\s+)?{_Q}$"
    rf"|(?<!written )(?<!implemented )(?<!developed )(?<!built )(?<!coded )(?<!is )\bin\s+{_Q}$"
    rf"|^\W*(?:on|with|under|for|from|em|no|com)\s+{_Q}$",
    re.IGNORECASE,
)
OF_ITSELF = re.compile(
    rf"{_Q}\s*(?:(?:has|have|had|removed|removes|introduce[sd]|add(?:s|ed)|change[sd]|deprecate[sd]"
    r"|breaks?|broke|drop(?:s|ped)|ships?|comes|came|support(?:s|ed)|include[sd]?|makes?|made"
    r"|lacks?|fails?"
    r"|requires?|needs?|can|cannot|does|doesn't|do|allows?|brings?|brought|fixe[sd]|reached"
    r"|reaches|supports?"
    r"|trouxe|removeu|adicionou|mudou|tem)\b|(?:is|are|was)\s+(?!(?:used|required|needed"
    r"|installed|in\s+use"
    r"|pinned|the\s+(?:version|minimum|default|one|base|target|runtime|language|oldest|lowest)"
    r"|our|what|supported|enough|mandatory|usad)\b))"
    r"|\s*(?:/|,|-|–|or|and|to|ou|e)\s*v?\d",
    re.IGNORECASE,
)
