"""Ordinary words that follow "the password is" without being one, in the languages the rules cover."""

from __future__ import annotations

ENGLISH = """
a about above access accessible active actually again all allowed almost already also always an and another any
anything as at available back bad based because been before being below better between both broken but by can case
changed coming common completely compromised confidential correct could crap critical current currently default
different difficult disabled down due each easy either else empty encrypted enough essential even every everything
exactly expire expired expiring false fine for forbidden forgotten free from fully garbage generated given gone good
great handled hard hard-coded hashed her here hidden his how i if important impossible in incorrect insecure inside
invalid it its itself just kept known later least left less like likely local locked long longer lost low mandatory mine
missing more most much must my necessary needed never new nice no none not nothing now obsolete obvious off ok okay
old on one only open optional or other our ours out outdated over own perfect personal phishing plain pointless
possible present pretty private probably public quite random rather ready really recent recorded right rotated safe
same saved secret secure sent separate set shared short simple single so some somehow someone something somewhere soon
still stored strange strict strong such temporary terrible that the their theirs them there these they this those
through to today together tomorrow too trivial true two unavailable unchanged under unique unknown unsafe until up
updated upper used useful useless usually valid very visible wanted weak what when where which while who whose why
will with within without working worthless wrong yes yesterday yet you your yours
"""
SPANISH = """
a actual ahora al algo alguna antes así aún bastante buena bueno cada casi clara claro clave como con confidencial
correcta correcto corta corto cual cuando de demasiado desde diferente difícil distinta distinto donde débil el ella
en entre es esa ese eso esta este esto está falsa falso fuerte fácil gratis hasta igual importante imposible
incorrecta incorrecto insegura inseguro inválida la larga largo las le lo los mala malo me mejor mi misma mismo muy
mía nada necesaria necesario ni ninguna ninguno no nuestra nueva nuevo obligatoria obligatorio opcional otra otro para
peor pero personal por privada privado pública público que quien quizá secreta secreto segura seguro ser si siempre
sin sobre solo su suficiente también tan temporal todavía tu un una usted vieja viejo válida válido ya yo única único
"""
GERMAN = """
aber abgelaufen alles als alt alte am an auch auf aus bei bekannt besser da das dasselbe dein dem den der des die dies
diese dort drin ein eine einem einen einer einfach erforderlich es etwas falsch fest für ganz gefunden gehasht geheim
gelöscht genau gesetzt gespeichert gesperrt gestern gut gültig hart heute hier hinterlegt ihr im immer in ist ja jetzt
kein keine komplex korrekt kurz kurze lang leer leicht lokal mein meine mit morgen neu neue nicht nichts nie niemals
noch notwendig nur nötig oder offen optional pflicht privat richtig schlecht schon schwach schwer sehr sein sicher so
stark streng temporär um unbekannt und ungültig unser unsicher unter veraltet vergessen verloren verschlüsselt von vor
vorhanden wahr weg wichtig wie wieder wo zu zufällig zum zur zwei öffentlich über
"""
OTHERS = """
a as dans est faible fort forte fraca invalide la le les muito na no o obligatoire os oublié pas perdu perdue plus
pour sur très un une valide é
"""

# Letters with a digit that are names of techniques and products.
TECHNICAL = """
1password aes-256 aes128 aes256 argon2 argon2i argon2id base32 base64 curve25519 ed25519 es256 hs256 http/2 http2 ipv4
ipv6 keepass2 log4j md5 microsoft365 ms365 oauth2 oauth2.0 office365 pbkdf2 postgres15 postgres16 postgres17 python3
rs256 rsa2048 rsa4096 scrypt2 sha-256 sha-512 sha1 sha256 sha3 sha512 tls1.2 tls1.3 utf-8 utf8 web3 win10 win11
windows10 windows11 wpa2 wpa3
"""

# Words of which a sentence has one and a passphrase none.
SMALL = """
a an and at be by das de der die el en es every for from für im in is ist it la mit my nicht no not of on or our para
que that the to un una und von was with y your zu
"""

PLAIN_WORDS = frozenset(f"{ENGLISH} {SPANISH} {GERMAN} {OTHERS}".split())
TECHNICAL_WORDS = frozenset(TECHNICAL.split())
SMALL_WORDS = frozenset(SMALL.split())

# Endings of adjectives and participles: "is expiring", "está guardada", "wird signiert".
INFLECTIONS = (
    *("ing", "ed", "able", "ible", "ful", "less", "ly", "ous", "ive"),
    *("ado", "ada", "ido", "ida", "mente", "ieren", "iert", "isch"),
)
