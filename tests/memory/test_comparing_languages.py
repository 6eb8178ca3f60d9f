"""How statements in Portuguese, Chinese and across languages relate."""

from __future__ import annotations

import pytest

from memoro.memory.comparing import Relation, compare

NEWER = {Relation.UPDATED, Relation.CONTRADICTED}
OTHER = {Relation.DISTINCT, Relation.UNSURE}


@pytest.mark.requirement("F05")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("O usuário prefere tabs", "A usuária gosta mais de tabs"),
        ("O usuário prefere tabs", "Prefere usar tabs"),
        ("O utilizador prefere tabs a espaços", "Prefiro tabs em vez de espaços"),
        ("O usuário prefere tabs a espaços", "O usuário prefere tabs do que espaços"),
        ("O usuário mora no Porto", "Vive no Porto"),
        ("O usuário mora em Lyon desde maio de 2026", "O usuário reside em Lyon"),
        ("O usuário trabalha na Acme", "Trabalho para a Acme"),
        ("O usuário se chama Rui", "O nome do usuário é Rui"),
        ("O usuário tem 34 anos", "Tenho 34 anos"),
        ("O prazo do relatório é sexta-feira", "O relatório tem prazo até sexta-feira"),
        ("O usuário não gosta de reuniões", "O usuário detesta reuniões"),
        ("O usuário gosta de café", "O usuário adora café"),
        ("A porta é 5432", "Porta: 5432"),
        ("O tempo limite é de 30 segundos", "O timeout é 30 s"),
        ("Nunca faça push na main", "Não faça push na main"),
        ("O banco de dados é o PostgreSQL 15", "A base de dados é Postgres 15"),
        ("O limite é de quinze usuários", "O limite é 15 usuários"),
        ("Rode os testes antes de commitar", "Sempre rodar os testes antes de commitar"),
        ("用户喜欢咖啡", "我喜欢咖啡"),
        ("用户住在柏林", "用户居住在柏林。"),
        ("用户更喜欢制表符", "用户偏好使用制表符"),
        ("端口是 5432", "端口：5432"),
        ("用户讨厌开会", "用户不喜欢开会"),
        ("超时时间是三十秒", "超时是 30 秒"),
        ("用户在 Acme 工作", "用户就职于 Acme"),
        ("项目使用 Postgres 15", "我们用 PostgreSQL 15"),
    ],
)
def test_the_same_in_other_words(known: str, new: str) -> None:
    verdict = compare(known, new)
    assert verdict.relation is Relation.REPHRASED, verdict


@pytest.mark.requirement("F06", "F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("O usuário prefere tabs a espaços", "O usuário prefere espaços a tabs"),
        ("O usuário mora no Porto", "O usuário mudou-se para Lyon"),
        ("O usuário mora no Porto", "Agora moro em Lyon"),
        ("O usuário mora no Porto", "Talvez more em Madri"),
        ("O usuário trabalha na Acme", "O usuário entrou na Globex"),
        ("O usuário trabalha na Acme", "O usuário trabalha na Globex"),
        ("O projeto usa Postgres 15", "O projeto usa Postgres 16"),
        ("O projeto usa Postgres 15", "Atualizamos o Postgres para a versão 16"),
        ("A porta é 5432", "A porta agora é 5433"),
        ("O prazo é sexta-feira", "O prazo mudou para segunda-feira"),
        ("O timeout é de 30 segundos", "O timeout passou para 45 segundos"),
        ("O usuário tem 34 anos", "O usuário fez 35 anos"),
        ("O usuário usa vim", "O usuário trocou o vim pelo Emacs"),
        ("O editor principal é o vim", "O editor principal é o Emacs"),
        ("O usuário tem dois filhos", "O usuário tem três filhos"),
        ("O responsável pelo projeto é a Ana", "O responsável pelo projeto é o Rui"),
        ("A reunião é na segunda às 10h", "A reunião é na terça às 11h"),
        ("O orçamento é de R$ 200", "O orçamento é de R$ 250"),
        ("O usuário prefere respostas curtas", "O usuário prefere respostas longas"),
        ("O usuário gosta de chá", "O usuário gosta de chá e de café"),
        ("用户住在柏林", "用户搬到了里斯本"),
        ("用户住在波尔图", "用户现在住在里昂"),
        ("数据库版本是 15", "数据库版本是 16"),
        ("项目使用 Postgres 15", "项目使用 Postgres 16"),
        ("端口是 5432", "端口改为 5433"),
        ("截止日期是周五", "截止日期推迟到周一"),
        ("用户喜欢制表符而不是空格", "用户喜欢空格而不是制表符"),
        ("用户在 Acme 工作", "用户加入了 Globex"),
        ("超时时间是30秒", "超时时间是45秒"),
        ("用户今年34岁", "用户今年35岁"),
        ("用户住在柏林", "用户可能住在马德里"),
        ("默认分支是 master", "默认分支是 main"),
    ],
)
def test_a_newer_value(known: str, new: str) -> None:
    verdict = compare(known, new)
    assert verdict.relation is Relation.UPDATED, verdict


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("O usuário usa Docker", "O usuário não usa mais Docker"),
        ("O usuário usa Docker", "O usuário deixou de usar Docker"),
        ("O usuário usa Docker", "O usuário nunca usa Docker"),
        ("O usuário gosta de reuniões", "O usuário não gosta de reuniões"),
        ("O usuário gosta de reuniões", "O usuário odeia reuniões"),
        ("O usuário come carne", "O usuário parou de comer carne"),
        ("O recurso está ativado", "O recurso está desativado"),
        ("O usuário trabalha na Acme", "O usuário saiu da Acme"),
        ("Sempre use ponto e vírgula", "Evite ponto e vírgula"),
        ("用户使用 Docker", "用户不用 Docker"),
        ("用户使用 Docker", "用户不再使用 Docker"),
        ("用户喜欢开会", "用户不喜欢开会"),
        ("提交前运行测试", "提交前不要运行测试"),
        ("用户喜欢咖啡", "用户讨厌咖啡"),
        ("用户吃肉", "用户从不吃肉"),
    ],
)
def test_the_opposite(known: str, new: str) -> None:
    verdict = compare(known, new)
    assert verdict.relation is Relation.CONTRADICTED, verdict


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("O usuário prefere tabs em Go", "O usuário prefere tabs em Python"),
        ("O banco de staging é Postgres 15", "O banco de produção é Postgres 16"),
        ("O usuário gosta de pizza", "O usuário gosta de sushi"),
        ("O usuário tem um cachorro", "O usuário tem um gato"),
        ("O usuário fala português", "O usuário fala inglês"),
        ("O usuário mora no Porto", "A Ana mora em Lyon"),
        ("O usuário mora no Porto", "O usuário nasceu em Braga"),
        ("O serviço A escuta na porta 8080", "O serviço B escuta na porta 8081"),
        ("A Ana gerencia o Rui", "O Rui gerencia a Ana"),
        ("O e-mail pessoal é a@b.org", "O e-mail do trabalho é c@d.org"),
        ("A mulher do usuário se chama Ana", "O irmão do usuário se chama Rui"),
        ("O usuário corre às segundas", "O usuário nada às terças"),
        ("A build falha por causa do cache", "Os testes falham por causa do cache"),
        ("Paulo gosta de chá", "Paula gosta de chá"),
        ("用户在 Go 中喜欢制表符", "用户在 Python 中喜欢制表符"),
        ("用户喜欢披萨", "用户喜欢寿司"),
        ("用户养了一只狗", "用户养了一只猫"),
        ("测试数据库是 Postgres 15", "生产数据库是 Postgres 16"),
        ("用户会说中文", "用户会说英语"),
        ("服务A的端口是8080", "服务B的端口是8081"),
        ("小明住在柏林", "小红住在里斯本"),
        ("用户的妻子叫安娜", "用户的弟弟叫小明"),
        ("用户住在柏林", "用户出生在汉堡"),
    ],
)
def test_another_fact(known: str, new: str) -> None:
    verdict = compare(known, new)
    assert verdict.relation in OTHER, verdict


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The user lives in Lisbon", "O usuário mora em Lisboa"),
        ("The user prefers tabs in Go", "O usuário prefere tabs em Python"),
        ("The staging port is 5432", "A porta de produção é 5433"),
        ("The user likes pizza", "O usuário gosta de sushi"),
        ("The user lives in Berlin", "用户住在里斯本"),
        ("O usuário tem um cachorro", "The user has a cat"),
        ("The deadline is Friday", "O usuário gosta de sexta-feira"),
        ("用户喜欢披萨", "The user likes sushi"),
    ],
)
def test_across_languages_nothing_is_merged_wrongly(known: str, new: str) -> None:
    verdict = compare(known, new)
    assert verdict.relation in OTHER, verdict


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The port is 5432", "A porta é 5432"),
        ("The user likes sushi", "O usuário gosta de sushi"),
        ("The user uses Docker", "用户使用 Docker"),
    ],
)
def test_across_languages_never_the_same_as_an_update(known: str, new: str) -> None:
    assert compare(known, new).relation not in NEWER
