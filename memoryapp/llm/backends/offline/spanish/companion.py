"""Spanish: what a companion keeps in addition: routines, life events, plans."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.pieces import WEEKDAY, YO
from memoryapp.llm.backends.offline.statements import rules

COMPANION = (
    *rules(
        "preference", "routine",
        r"\b(?:cada|todos los|todas las|los) (?:día|días|mañanas?|tardes?|noches?|semanas?|meses|años?|"
        rf"veranos?|inviernos?|fin(?:es)? de semana|{WEEKDAY})\b.*\b(?:\p{{L}}+o|\p{{L}}+mos|me|nos|mi)\b|"
        r"\b(?:\p{L}+o|\p{L}+mos|me|nos)\b.*\b(?:cada|todos los|todas las) (?:día|días|mañanas?|"
        rf"tardes?|noches?|semanas?|meses|años?|fin(?:es)? de semana|{WEEKDAY})\b",
        r"\b(?:tradición|rutina|costumbre|ritual)\b",
        opens=True, companion=True,
    ),
    *rules(
        "identity", "life event",
        r"\b(?:me|nos) (?:he |hemos )?(?:casé|casado|casamos|divorcié|divorciado|gradué|graduado|jubilé|"
        r"jubilado|comprometí|comprometido)\b|\b(?:adoptamos|adopté|hemos adoptado|he adoptado|"
        r"esperamos (?:un|una|nuestro|mellizos)|estoy embarazada|falleció|murió|nació|compramos (?:una|"
        r"un) (?:casa|piso)|me dieron las llaves|dejé de fumar|he dejado de fumar|aprobé|he aprobado)\b",
        r"\b(?:la mejor parte|el mejor momento|por primera vez|me siento|me hace sentir|echo de menos|"
        r"extraño|sueño con|me recuerda|significa mucho|mi mayor (?:miedo|ilusión))\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "plan",
        r"\b(?:quiero|queremos|quisiera|me gustaría|nos gustaría|pienso|tengo ganas de|tengo pensado|"
        r"sueño con) (?:aprender|viajar|ir|visitar|hacer|correr|montar|escribir|tener|adoptar|comprar|"
        r"empezar|conocer|subir)\b|\bno veo la hora\b|\btengo muchas ganas\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        rf"{YO}(?:toco|juego|bailo|pinto|dibujo|tejo|escalo|corro|nado|surfeo|esquío|navego|cocino|medito|"
        r"colecciono|canto|practico|cultivo|pesco|camino|hago (?:yoga|pilates|deporte|senderismo|teatro|"
        r"cerámica)|voy (?:a|al) (?:clase|gimnasio|coro|piscina))\b",
        opens=True, companion=True,
    ),
)  # fmt: skip
