"""Spanish: what a companion keeps in addition: routines, life events, plans."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.pieces import WEEKDAY, YO
from memoryapp.llm.backends.offline.statements import rules

COMPANION = (
    *rules(
        "preference", "routine",
        rf"\b(?:cada|todos los|todas las|los) (?:día|días|mañanas?|tardes?|noches?|semanas?|meses|años?|veranos?|inviernos?|fin(?:es)? de semana|{WEEKDAY})\b.*\b(?:\p{{L}}+o|\p{{L}}+mos|me|nos|mi)\b|\b(?:\p{{L}}+o|\p{{L}}+mos|me|nos)\b.*\b(?:cada|todos los|todas las) (?:día|días|mañanas?|tardes?|noches?|semanas?|meses|años?|fin(?:es)? de semana|{WEEKDAY})\b",
        r"\b(?:tradición|rutina|costumbre|ritual)\b",
        opens=True, companion=True,
    ),
    *rules(
        "identity", "life event",
        r"\b(?:me|nos) (?:he |hemos )?(?:casé|casado|casamos|divorcié|divorciado|gradué|graduado|jubilé|jubilado|comprometí|comprometido)\b|\b(?:adoptamos|adopté|hemos adoptado|he adoptado|esperamos (?:un|una|nuestro|mellizos)|estoy embarazada|falleció|murió|nació|compramos (?:una|un) (?:casa|piso)|me dieron las llaves|dejé de fumar|he dejado de fumar|aprobé|he aprobado)\b",
        r"\b(?:la mejor parte|el mejor momento|por primera vez|me siento|me hace sentir|echo de menos|extraño|sueño con|me recuerda|significa mucho|mi mayor (?:miedo|ilusión))\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "plan",
        r"\b(?:quiero|queremos|quisiera|me gustaría|nos gustaría|pienso|tengo ganas de|tengo pensado|sueño con) (?:aprender|viajar|ir|visitar|hacer|correr|montar|escribir|tener|adoptar|comprar|empezar|conocer|subir)\b|\bno veo la hora\b|\btengo muchas ganas\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        rf"{YO}(?:toco|juego|bailo|pinto|dibujo|tejo|escalo|corro|nado|surfeo|esquío|navego|cocino|medito|colecciono|canto|practico|cultivo|pesco|camino|hago (?:yoga|pilates|deporte|senderismo|teatro|cerámica)|voy (?:a|al) (?:clase|gimnasio|coro|piscina))\b",
        opens=True, companion=True,
    ),
)  # fmt: skip
