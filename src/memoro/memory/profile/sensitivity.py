"""Which names of items tell of money, health, family or documents; two languages.

Names are looked at by whole words: `rg` is a document, `organization` and `rgb` are not.
"""

from __future__ import annotations

from itertools import pairwise

from memoro.memory.profile.fields import key_words
from memoro.memory.profile.vocabulary import words

_MONEY = (
    "salary salaries salario salarios wage wages income earnings paycheck payslip payroll pay renda"
    " rendimento rendimentos holerite contracheque fgts inss irpf finance finances financial"
    " financas financeiro financeira financeiros financeiras financiamento financing invest"
    " investing investment investments investor investir investimento investimentos bank banks"
    " banking banco bancos bancaria bancario bancarios poupanca iban pix tax taxes imposto impostos"
    " debt debts divida dividas loan loans emprestimo emprestimos mortgage hipoteca credit debit"
    " cartao cartoes savings pension aposentadoria retirement 401k stocks patrimonio wallet"
    " networth bonus"
)
_HEALTH = (
    "health healthcare saude medic medical medication medications medicine medicines medico medica"
    " medicos medicas medicamento medicamentos medicacao remedio remedios disease diseases illness"
    " doenca doencas diagnosis diagnoses diagnostico disability deficiencia allergy allergies"
    " allergic allergen allergens alergia alergias therapy therapist terapia terapeuta psychiatrist"
    " psychologist psiquiatra psicologo psicologa depression depressao anxiety ansiedade adhd tdah"
    " autism autismo autistic blood sangue sanguineo surgery cirurgia hospital doctor doctors"
    " symptom symptoms sintoma sintomas diabetes diabetic cancer hiv pregnancy pregnant gravidez"
    " gravida"
)
_FAMILY = (
    "family families familia familias wife husband spouse partner esposa esposo marido conjuge"
    " companheiro companheira child children kid kids son sons daughter daughters baby babies filho"
    " filhos filha filhas crianca criancas bebe mother father mom mum dad parents mae pai sibling"
    " siblings brother brothers sister sisters irmao irmaos irma irmas grandmother grandfather"
    " grandparents avo avos neto neta girlfriend boyfriend fiance namorado namorada noivo noiva"
    " married marriage marital divorce divorced wedding casamento divorcio parente parentes"
)
_DOCUMENTS = (
    "cpf rg cnh cnpj ctps ssn passport passports passaporte visa identidade document"
    " documents documento documentos birth birthday birthdate dob nascimento aniversario"
    " address addresses endereco enderecos zipcode postcode cep phone phones telephone telefone"
    " telefones celular whatsapp email emails mail password passwords passwd senha senhas"
)
_BELIEFS = (
    "religion religious religiao religioso religiosa faith church igreja politics political"
    " sexuality sexual sexualidade gender ethnicity etnia gun guns weapon weapons arma armas"
    " criminal"
)
_WORDS = words(f"{_MONEY} {_HEALTH} {_FAMILY} {_DOCUMENTS} {_BELIEFS}")
_ALONE = words(
    "card cards account accounts conta contas balance saldo politica politico politicos insurance"
    " seguro license licence"
)
"""Words that tell of it where they are all of a name."""
_PAIRS = frozenset(
    {
        *(("card", "number"), ("account", "number"), ("account", "balance"), ("id", "card")),
        *(("conta", "corrente"), ("conta", "salario"), ("numero", "conta"), ("net", "worth")),
        *(("social", "security"), ("national", "id"), ("id", "number"), ("tax", "id")),
        *(("driver", "license"), ("drivers", "license"), ("driving", "license")),
        *(("driver", "licence"), ("drivers", "licence"), ("driving", "licence")),
        *(("mobile", "number"), ("contact", "number"), ("emergency", "contact")),
        *(
            ("plano", "saude"),
            ("life", "insurance"),
            ("zip", "code"),
            ("visao", "politica"),
            ("e", "mail"),
        ),
        *(("opiniao", "politica"), ("preferencia", "politica"), ("partido", "politico")),
        *(("titulo", "eleitor"), ("carteira", "trabalho"), ("carteira", "motorista")),
    }
)
_OTHERWISE = frozenset(
    {
        *(("health", "check"), ("health", "checks"), ("health", "probe"), ("health", "endpoint")),
        *(("bind", "address"), ("listen", "address"), ("address", "space"), ("child", "process")),
        *(("child", "processes"), ("address", "sanitizer"), ("document", "format")),
        *(("document", "style"), ("font", "family"), ("banco", "dados")),
    }
)
"""Words that mean something else together."""


def is_sensitive(name: str) -> bool:
    """Whether a name tells of money, health, family, documents or the like."""
    told = [word for word in key_words(name) if word not in ("de", "da", "do", "of", "the")]
    if len(told) == 1 and told[0] in _ALONE:
        return True
    pairs = list(pairwise(told))
    if any(pair in _PAIRS for pair in pairs):
        return True
    harmless = {word for pair in pairs if pair in _OTHERWISE for word in pair}
    return any(word in _WORDS and word not in harmless for word in told)
