"""English: what a plain statement without a rule of its own is about, told by its subject and by how specific it is."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english import guess_signs as signs

Guess = tuple[str, str] | None


def guess(text: str, plain: str, companion: bool) -> Guess:
    """Category and kind of a statement that no rule fits; none for what is vague, momentary or about a problem."""
    if signs.STANDING_WISH.match(plain):
        return "preference", "preference"
    if signs.OCCASIONAL_DUTY.match(plain):
        return "rule", "rule"
    listed = _of_a_list(text, plain)
    if listed:
        return listed
    is_short = len(plain.split()) < 4 and not _is_card(text, plain)
    if signs.PROBLEM.search(plain) or is_short or plain.endswith("?"):
        return None
    if signs.SIDES.search(plain) and signs.SIDE_VERB.search(plain):
        return "technical", "stack"
    if len(set(signs.TECHNOLOGY.findall(plain))) >= 2 and not signs.ASKS_OR_TRIES.search(plain):
        return "technical", "stack"
    for read in (_of_oneself, _of_a_person, _of_ones_own, _of_a_thing, _of_somebody, _of_several):
        found = read(text, plain, companion)
        if found:
            return found
    if signs.EVENT_ENTRY.match(plain) and signs.TIME.search(plain):
        return "project", "project"
    return ("configuration", "system") if _is_of_a_system(plain) else None


def _is_of_a_system(plain: str) -> bool:
    """'Mosquitto 2.0.18 is up on the Pi, TLS on 8883': addresses, versions and sizes tell whatever the subject is."""
    return bool(signs.TECHNICAL_DETAIL.search(plain) and signs.STANDS.search(plain))


def _of_a_list(text: str, plain: str) -> Guess:
    """'The retreat: 12 people, three nights in Bohinj, 2,400 euros': what is listed belongs to what stands before."""
    match = signs.LISTED.match(plain)
    if not match or signs.NO_TOPIC.search(match["what"]) or signs.PROBLEM.search(match["what"]):
        return None
    what, items = match["what"], match["items"]
    if signs.MYSELF.search(what):
        return "identity", "name"
    if signs.SOMEBODY.search(what):
        return "relationship", "person"
    if signs.TOOLING.search(what):
        return "technical", "stack"
    if signs.AN_EVENT.search(what) or signs.WISHES.search(what):
        return "project", "project"
    if signs.MACHINERY.search(what) or signs.MODEL.match(items) or signs.HARDWARE.search(items):
        return "configuration", "system"
    if signs.SPECIFICATION.search(what):
        return "configuration", "system"
    if signs.A_PLAN.search(what) or signs.DIGIT.search(items) or signs.TIME.search(items):
        return "project", "project"
    return None


def _of_oneself(text: str, plain: str, companion: bool) -> Guess:
    if signs.A_ROLE.match(plain) and signs.PROPER.search(text):
        return "identity", "work"
    if _is_card(text, plain):
        return "identity", "name"
    match = signs.SELF.match(plain)
    if not match:
        return None
    who, verb = match["who"], match["verb"]
    if signs.REASON.search(plain) and verb not in signs.HEDGES and _does(verb, plain):
        return ("preference", "preference") if who == "i" and _is_habit(verb) else ("decision", "decision")
    if signs.HAVE_HAD.search(plain):
        return _system_or(plain, ("project", "project"))
    if verb in ("am", "are"):
        return _of_ones_being(plain)
    if verb in signs.NOT_TELLING and not signs.LOOK_AFTER.search(plain):
        return None
    return _of_ones_doings(text, plain, who=who, verb=verb, companion=companion)


def _is_card(text: str, plain: str) -> bool:
    """'Ewa Kruk, beekeeper in Lipnica', as on a visiting card."""
    card = signs.CARD.match(text)
    return bool(
        card
        and signs.ROLE.search(card["role"])
        and not signs.CARD_VERB.search(",".join(plain.split(",")[:2]))
    )


def _system_or(plain: str, otherwise: Guess) -> Guess:
    return ("configuration", "system") if signs.SYSTEM.search(plain) else otherwise


def _of_ones_being(plain: str) -> Guess:
    """'We are halfway through the repairs, due in June' is a project; 'I am looking at the log' is not."""
    if signs.TIME.search(plain) and not signs.MOOD.search(plain):
        return "project", "project"
    doing = signs.DOING.search(plain)
    return ("project", "project") if doing and len(plain.split()) >= 5 else None


def _of_ones_doings(text: str, plain: str, *, who: str, verb: str, companion: bool) -> Guess:
    if signs.TIME.search(plain) and "have been" not in plain:
        return "project", "project"
    if verb.endswith("ed") or verb in signs.PASTS:
        is_set_up = signs.MACHINERY.search(plain) and _specific(text, plain)
        return ("configuration", "set up") if is_set_up else None
    if not _specific(text, plain):
        return ("preference", "routine") if companion and signs.REGULAR.search(plain) else None
    if signs.WITH_SOMEBODY.search(text) and not signs.TECHNOLOGY.search(plain):
        return "relationship", "person"
    if who == "we":
        made = verb in signs.MAKING or signs.TECHNOLOGY.search(plain)
        return ("technical", "stack") if made else ("configuration", "system")
    if companion:
        return "preference", "activity"
    # A name makes it somebody's work or place; a mere number does not.
    return ("identity", "work") if signs.PROPER.search(text) else None


def _does(verb: str, plain: str) -> bool:
    """Whether something is done and not only felt: 'we are keeping the logo', not 'we are happy'."""
    return verb not in ("am", "are") or signs.DOING.search(plain) is not None


def _is_habit(verb: str) -> bool:
    return verb not in ("am", "are", "will", "have") and not verb.endswith("ed") and verb not in signs.PASTS


def _of_ones_own(text: str, plain: str, companion: bool) -> Guess:
    match = signs.OWN.match(plain)
    if not match or signs.OWN_ARTEFACT.search(match["what"]):
        return None
    if signs.SOMEBODY.search(match["what"]):
        telling = companion or _specific(text, plain) or signs.REGULAR.search(plain)
        return ("relationship", "person") if telling else None
    return _by_detail(text, plain)


def _of_a_thing(text: str, plain: str, companion: bool) -> Guess:
    match = signs.THING.match(plain)
    if match and signs.HUMAN.search(match["what"]) and signs.PROPER.search(text):
        return "relationship", "person"
    if not match or signs.ARTEFACT.search(match["what"]) or signs.JUST_HAPPENED.search(plain):
        return None
    return _by_detail(text, plain)


def _of_several(text: str, plain: str, companion: bool) -> Guess:
    match = signs.PLURAL.match(plain)
    return None if not match or signs.ARTEFACT.search(match["what"]) else _by_detail(text, plain)


def _of_a_person(text: str, plain: str, companion: bool) -> Guess:
    """Somebody told by name and title, or by name and then as he or she; in a companion's memory anybody close."""
    close = companion and signs.MY_SOMEBODY.search(plain)
    return ("relationship", "person") if signs.A_PERSON.search(text) or close else None


def _of_somebody(text: str, plain: str, companion: bool) -> Guess:
    match = signs.NAMED.match(text)
    first = match["who"].split()[0].lower() if match else ""
    # "Painting helps me": an activity, nobody's name.
    if not match or first in signs.NO_NAME or (first.endswith("ing") and " " not in match["who"]):
        return None
    told = text[match.end() :]
    if signs.IDENTIFIER.search(plain) or (signs.MACHINERY.search(plain) and signs.PROPER.search(told)):
        return "configuration", "system"
    if signs.TIME.search(plain):
        return "project", "project"
    if " " in match["who"] and match["verb"] not in ("was", "had") and not match["verb"].endswith("ed"):
        return "relationship", "person"
    telling = signs.REGULAR.search(plain) or signs.PROPER.search(told) or signs.OUR_SOMEBODY.search(plain)
    return ("relationship", "person") if telling else None


def _by_detail(text: str, plain: str) -> Guess:
    """A date makes it a project, an identifier or a rhythm a configuration."""
    if signs.TIME.search(plain) or (signs.AN_EVENT.search(plain) and signs.DIGIT.search(plain)):
        return "project", "project"
    if signs.IDENTIFIER.search(plain) or signs.REGULAR.search(plain):
        return "configuration", "system"
    if signs.PROPER.search(text) and (signs.MACHINERY_NOW.search(plain) or plain.startswith(("our ", "my "))):
        return "configuration", "system"
    return None


def _specific(text: str, plain: str) -> bool:
    return bool(signs.PROPER.search(text) or signs.IDENTIFIER.search(plain) or signs.COUNTED.search(plain))
