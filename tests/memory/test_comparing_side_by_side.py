"""Statements whose claims don't settle it, related by their words."""

from __future__ import annotations

import pytest

from memoro.memory.comparing import Relation, compare

SAME = {Relation.IDENTICAL, Relation.REPHRASED}
NEWER = {Relation.UPDATED, Relation.CONTRADICTED}
OTHER = {Relation.DISTINCT, Relation.UNSURE}


@pytest.mark.requirement("F05")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Before a release, tag the commit", "Tag the commit before a release"),
        ("Quando chove, o sensor falha", "O sensor falha quando chove"),
        ("The kiln team glazes the bowls", "The bowls are glazed by the kiln team"),
        ("Os pratos são lavados pelo Davi", "O Davi lava os pratos"),
        ("所有的账单都由小高核对", "小高核对所有的账单"),
        ("Redis is where the shop keeps carts", "The shop keeps carts in Redis"),
        ("Prefere textos claros e curtos", "Prefere textos curtos e claros"),
        ("The lead of the shop team is Mara", "Mara is the lead of the shop team"),
        ("Works at Orbit as a data analyst", "Is a data analyst at Orbit"),
        ("The parcels go out at 8 on Monday", "The parcels go out on Monday at 8"),
        ("The clients list is in Notion", "The client's list is in Notion"),
        ("Notes are under docs/plans/", "Notes are under `docs/plans`"),
        ("Has a canary and a parrot called Kiko", "Has a parrot called Kiko"),
        ("The user has a cashew allergy", "The user is allergic to cashews"),
        ("A cliente quer que os relatórios sejam curtos", "A cliente quer relatórios curtos"),
    ],
)
def test_the_same_in_another_build(known: str, new: str) -> None:
    assert compare(known, new).relation in SAME


@pytest.mark.requirement("F06", "F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The bakery's orders are kept in Excel", "The bakery stopped keeping its orders in Excel"),
        ("Smokes", "Quit smoking in May"),
        ("O Davi treina no clube Azul", "O Davi deixou de treinar no clube Azul"),
        ("The valve code is written in C", "The valve code has been ported to Ada"),
        ("Mara maintains the map tiles", "Mara handed the map tiles over to Iris"),
        ("Mara maintains the map tiles", "Iris took over the map tiles from Mara"),
        ("A loja guarda as fotos no Flickr", "A loja passou as fotos do Flickr para o Imgur"),
        ("Project Otter is in the planning phase", "Project Otter has shipped"),
        ("O app de rotas está em testes", "O app de rotas foi lançado"),
        ("First mix the sand, then add water", "First add water, then mix the sand"),
        ("比起咖啡，用户更喜欢茶", "比起茶，用户更喜欢咖啡"),
        ("Every driver may see the routes", "Only senior drivers may see the routes"),
        ("The backup disk is encrypted", "The backup disk is unencrypted"),
        ("Hotfix branches start from stable", "Hotfix branches start from trunk"),
        ("Timezone of the depot: UTC", "Timezone of the depot: Europe/Riga"),
        (
            "DEPOT_LANG=pt-PT is the default of the depot",
            "DEPOT_LANG=pt-BR is the default of the depot",
        ),
        ("Forms may be skipped for small orders", "Forms must not be skipped for small orders"),
        (
            "The leak is caused by the old seal",
            "The leak was not caused by the old seal but by a crack",
        ),
        (
            "The toll report is due on 3 May",
            "The deadline of the toll report was extended to 17 May",
        ),
        ("用户每天喝一杯牛奶", "用户每天喝三杯牛奶"),
        ("The user has a brother", "The user has a brother called Tom who lives in Rome"),
        ("The depot's laptop runs Debian 12", "The depot's laptop runs Fedora 41"),
    ],
)
def test_what_has_changed(known: str, new: str) -> None:
    assert compare(known, new).relation in NEWER


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The valve code is written in C", "The valve code is hosted in Oslo"),
        ("Iris reviewed ticket 12", "Iris reviewed ticket 14"),
        ("https://a.example/x lists the tolls", "https://a.example/y lists the ports"),
        ("The API is used by the web team", "The API is used by the phone team"),
        ("Mara lives in Riga", "Mara now works in Oslo"),
        ("Tip: restart the pump", "Tip: oil the hinge"),
        ("Ana is taller than Rui", "Rui is taller than Ana"),
        ("Mara stopped using Slack at work", "Mara uses Slack at home"),
        ("Debug mode is on in testing", "Debug mode is off in production"),
        ("用户周一跑步", "用户周五跑步"),
        ("A Iris cuida do mapa", "A Mara cuida do mapa e agora do porto"),
    ],
)
def test_what_stands_beside_it(known: str, new: str) -> None:
    assert compare(known, new).relation in OTHER


@pytest.mark.requirement("F06", "F07")
@pytest.mark.parametrize(
    ("known", "new", "expected"),
    [
        ("Mara now works on the map", "Mara works on the port", OTHER),
        ("O Davi trabalha na Nuvem Azul", "O Davi agora trabalha na Casa Verde", NEWER),
        ("Plans meals in Paprika", "Moved meal planning from Paprika to Mealie", NEWER),
        (
            "The noise is caused by the fan",
            "The noise is caused by the pump, not by the fan",
            NEWER,
        ),
        (
            "Before each trip the user wants a list of ten sights, sorted by price",
            "Before each trip the user wants a list of six sights, sorted by price",
            NEWER,
        ),
        ("The user likes invoices to be short", "The user likes short invoices", SAME),
        ("The shop runs Odoo version 17", "The shop runs Odoo 17", SAME),
    ],
)
def test_more_ways_to_say_it(known: str, new: str, expected: set[Relation]) -> None:
    assert compare(known, new).relation in expected
