"""Who people are to each other, and what they work as."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.listing import listed

SEVERAL = listed(
    """
    brother sister son daughter child friend colleague cousin aunt uncle neighbour neighbor
    pet nephew niece roommate client customer irmao irma amigo amiga colega primo prima tio
    tia vizinho sobrinho nephew 朋友 同事 邻居 姐姐 妹妹 哥哥 弟弟 儿子 女儿
    """
)
"""Relatives and others of whom somebody can have several."""

_JOBS = listed(
    """
    engineer developer programmer designer manager teacher doctor nurse student lawyer analyst
    scientist architect consultant director cto ceo cfo coo founder co-founder freelancer
    researcher professor writer journalist accountant chef cook driver plumber electrician
    carpenter pilot artist musician photographer editor-in-chief sysadmin administrator devops
    sre tester translator economist physicist chemist biologist mathematician historian
    librarian dentist pharmacist veterinarian psychologist therapist salesperson technician
    intern apprentice recruiter trader banker barista waiter firefighter paramedic soldier
    bookkeeper secretary assistant coordinator specialist officer president owner-operator
    contractor lecturer tutor coach lead head principal-engineer lead-developer
    product-manager data-scientist engenheiro engenheira desenvolvedor desenvolvedora
    programador programadora designer gerente professor professora medico medica enfermeiro
    enfermeira estudante advogado advogada analista cientista arquiteto arquiteta consultor
    consultora diretor diretora fundador fundadora pesquisador pesquisadora escritor escritora
    jornalista contador contadora cozinheiro cozinheira motorista artista musico fotografo
    tradutor tradutora economista dentista psicologo psicologa tecnico tecnica estagiario
    estagiaria coordenador coordenadora especialista autonomo aposentado aposentada dev
    """
)
_HAN_JOBS = tuple(
    listed(
        """
        工程师 程序员 设计师 医生 护士 老师 教师 学生 律师 分析师 科学家
        架构师 顾问 总监 研究员 教授 作家 记者 会计 厨师 司机 产品经理
        """
    )
)


def is_job(text: str) -> bool:
    """Whether a folded word, or the last of several, names what somebody works as."""
    return text.rpartition(" ")[2] in _JOBS or (not text.isascii() and text.endswith(_HAN_JOBS))
