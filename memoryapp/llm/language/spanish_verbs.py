"""Spanish verb forms, as far as turning a first person into a third needs them."""

from __future__ import annotations

from memoryapp.llm.language.wordlists import pairs, words

IRREGULAR = pairs(
    "soy=es estoy=está tengo=tiene voy=va doy=da sé=sabe veo=ve hago=hace digo=dice puedo=puede "
    "quiero=quiere prefiero=prefiere pienso=piensa juego=juega duermo=duerme vuelvo=vuelve sigo=sigue "
    "pido=pide conozco=conoce conduzco=conduce traduzco=traduce produzco=produce salgo=sale pongo=pone "
    "vengo=viene traigo=trae oigo=oye caigo=cae mantengo=mantiene sirvo=sirve mido=mide repito=repite "
    "visto=viste elijo=elige corrijo=corrige dirijo=dirige exijo=exige cuento=cuenta protejo=protege "
    "recojo=recoge escojo=escoge entiendo=entiende pierdo=pierde defiendo=defiende siento=siente "
    "empiezo=empieza comienzo=comienza cierro=cierra despierto=despierta almuerzo=almuerza "
    "encuentro=encuentra muestro=muestra suelo=suele pruebo=prueba recuerdo=recuerda monto=monta "
    "odio=odia estudio=estudia actúo=actúa envío=envía crío=cría confío=confía he=ha hemos=ha "
    "había=había fui=fue era=era tuve=tuvo hice=hizo estuve=estuvo puse=puso vine=vino dije=dijo "
    "pude=pudo quise=quiso di=dio traje=trajo supe=supo conduje=condujo somos=es estamos=está "
    "tenemos=tiene vamos=va podemos=puede queremos=quiere preferimos=prefiere hacemos=hace "
    "seguimos=sigue desplegamos=despliega probamos=prueba empezamos=empieza cerramos=cierra fuimos=fue "
    "tuvimos=tuvo hicimos=hizo pusimos=puso estuvimos=estuvo éramos=era pensamos=piensa "
    "encontramos=encuentra elegimos=eligió decidimos=decidió haré=hará tendré=tendrá podré=podrá "
    "saldré=saldrá vendré=vendrá querré=querrá diré=dirá pondré=pondrá haya=haya sea=sea"
)

# Where present and past sound alike in "we" but not in the third person.
_IRREGULAR_PAST = pairs(
    "cerramos=cerró empezamos=empezó probamos=probó pensamos=pensó encontramos=encontró desplegamos=desplegó"
)

# Of these the first person is a noun or another word as well.
ALSO_NOUNS = words(
    "visto cuento juego recuerdo monto odio estudio encuentro almuerzo siento cierro comienzo muestro"
)

# -er and -ir verbs whose first person is regular; other first persons in -o are taken for -ar verbs.
E_VERBS = words(
    "viv le com beb escrib corr deb vend aprend cre abr sub recib decid compart asist exist promet comet "
    "respond "
    "comprend depend met romp cos tem permit imprim sufr cumpl describ discut define part añad percib "
    "acced ced "
    "procesd transcrib resid introduc sorprend emprend suspend barr absorb insist resist revend relé prove"
)

A_VERBS = words(
    "trabaj us estudi cocin toc mont desarroll manej program dise\u00f1 habl viaj camin nad bail cant "
    "pint dibuj fotografi "
    "compr gan pag ahorr gast cri plant cultiv cuid ense\u00f1 imparti llev tom lav limpi prepar organiz "
    "planific coordin "
    "gestion administr dirig aloj instal configur actualiz migr cambi dej empez termin acab complet "
    "public lanz entreg "
    "firm contrat necesit busc esper dese intent procur llam levant acuest despert ducho ducha mud pas "
    "qued encarg "
    "ocup dedic jubil cas separ divorci entren corr pedale esqui escal naveg pesc teji coll colabor "
    "particip ayud "
    "apoy vot evit odi detest ador am disfrut encant molest interes import prefer acostumbr utiliz emple "
    "ejecut corr "
    "escuch mir observ analiz revis report document registr anot guard archiv envi mand contest compart "
    "regal "
    "prest alquil repar restaur renov constru report factur cobr cotiz negoci asesor represent trat atend "
    "oper "
    "investig explor prob descub viaj hosped despleg desayun almorz cen merend ayun fum medit rez practic "
    "jug "
    "torc lesion romp fractur operar recuper cans enferm perd gradu inscrib matricul apunt quej reun junt "
    "publi avis mand pid conect integr mont implement soport mantien anim"
)

NOT_VERBS = words(
    "no yo mucho poco tanto luego pronto cuando cuanto pero año años mundo tiempo lado modo caso ejemplo "
    "proyecto equipo servidor "
    "café té qué porqué bebé josé esté sofá papá mamá aquí allí así sí mí ti casi también según atrás "
    "jamás después "
    "además ningún algún común jardín avión"
)

AFTER_DETERMINER = words(
    "el la los las un una unos unas mi mis tu tus su sus este esta ese esa aquel nuestro nuestra nuestros "
    "nuestras "
    "al del de con sin por para en a mucho poco otro otra cada todo"
)


def third_person_verb(word: str, *, past: bool = False) -> str | None:
    """The word as a third-person verb, or nothing when it is no first-person form."""
    lower = word.lower()
    if past and lower in _IRREGULAR_PAST:
        return _IRREGULAR_PAST[lower]
    if lower in IRREGULAR:
        return IRREGULAR[lower]
    if lower in NOT_VERBS:
        return None
    return _from_plural(lower, past) or _from_singular(lower)


def _from_singular(word: str) -> str | None:
    stem = word[:-1]
    if word.endswith("o") and stem in E_VERBS:
        return stem + "e"
    if word.endswith("o") and stem in A_VERBS:
        return stem + "a"
    if word.endswith(("aré", "eré", "iré")):
        return word[:-1] + "á"
    if word.endswith("é") and (stem in A_VERBS or _softened(stem) in A_VERBS):
        return _softened(stem) + "ó"
    if word.endswith("í") and len(stem) > 2:
        return stem + "ió"
    return None


def _softened(stem: str) -> str:
    """busqué is buscó, llegué is llegó, empecé is empezó."""
    for written, said in (("qu", "c"), ("gu", "g"), ("c", "z")):
        if stem.endswith(written):
            return stem.removesuffix(written) + said
    return stem


def _from_plural(word: str, past: bool) -> str | None:
    for ending, present, preterite in (("amos", "a", "ó"), ("emos", "e", "ió"), ("imos", "e", "ió")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            if ending == "emos" and stem.endswith(("ar", "er", "ir")):
                return stem + "á"
            return stem + (preterite if past else present)
    return None
