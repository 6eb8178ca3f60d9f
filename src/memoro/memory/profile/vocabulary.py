"""Words that tell how far something has come, folded; two languages."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """A set of words."""
    return frozenset(text.split())


DONE = words(
    "done finished completed achieved accomplished passed shipped delivered obtained earned"
    " attained fulfilled launched feito feita feitos feitas concluido concluida concluidos"
    " concluidas finalizado finalizada finalizados finalizadas terminado terminada completado"
    " completada alcancado alcancada atingido atingida cumprido cumprida entregue obtido obtida"
    " conquistado conquistada aprovado aprovada"
)
"""Words that say that something is done, wherever they stand."""
DONE_ALONE = DONE | {"complete", "completo", "completa", "pronto", "pronta", "ok"}
"""Those that say it where there is nothing else but a status."""
OPEN = words(
    "ongoing wip progress pending paused postponed blocked underway unfinished incomplete started"
    " stalled andamento progresso pendente pausado pausada parado parada iniciado iniciada comecado"
    " comecada comecei iniciando incompleto incompleta cursando bloqueado bloqueada"
    " adiado adiada"
)
"""Words that say that it is under way."""
OPEN_ALONE = OPEN | words("active planned started todo hold ativo planejado planejada")
"""Those that say it where there is nothing else but a status."""
NOT = words(
    "not never no almost nearly half halfway partially partly soon still yet nao nunca quase metade"
    " parcialmente ainda isn't hasn't"
)
"""Words that take it back: "not done", "almost done"."""
CLAUSE = words(
    "be will would should must until till by before when if once after unless ate antes quando se"
    " apos depois ser sera deve is are was"
)
"""Words that make a sentence of it, which says something else: "done by May"."""
FILLERS = words(
    "in on at now the of since with already just yesterday today week month year last this em de"
    " do da desde no na ja hoje ontem com semana mes ano passado passada esta"
)
"""Words that may stand in a status and say nothing of it."""
MONTHS = words(
    "january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep oct nov dec janeiro fevereiro marco abril maio junho julho agosto"
    " setembro outubro novembro dezembro fev abr ago set out dez"
)
"""Months."""
BEFORE_IT = words(
    "completed finished achieved accomplished passed earned obtained concluido concluida conclui"
    " terminei finalizei completei passei consegui finalizado terminado"
)
"""Words that say it before what is done: "finished the course"."""
AFTER_IT = words(
    "completed finished achieved accomplished concluido concluida finalizado finalizada terminado"
    " terminada completado completada alcancado alcancada atingido atingida"
)
"""Words that say it after: "course completed"."""
CAUSING = words(
    "get getting have having keep see make be become stay leave ter deixar ver ser estar"
)
"""Words with which those after it say something else: "have it finished"."""
ARTICLES = words("the a an my o os as um uma meu minha")
"""Articles."""
