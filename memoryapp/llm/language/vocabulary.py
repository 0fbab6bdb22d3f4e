"""Word lists of `wording`: what carries no meaning, what means the same, what adds nothing alone."""

from __future__ import annotations

import regex

from memoryapp.llm.language.wordlists import pairs, words

STOP_WORDS = words(
    # English
    "a an the i me my mine myself we us our ours you your yours he him his she her hers it its they them "
    "their theirs "
    "this that these those who whom whose which what there here and or but so if then than as of to in on "
    "at by for "
    "from with about into over under up down out off am is are was were be been being do does did have "
    "has had having "
    "will would shall should can could may might must ve ll re d s t m user users users' user's assistant "
    "says said say "
    "because since due while when where how why also too just really very quite honestly actually again "
    "always now "
    "still already even yeah yes ok okay please hey hi hello well oh much many some any all both each every "
    # Spanish
    "el la los las un una unos unas lo al del de en con por para que se me te le les nos mi mis tu tus su "
    "sus y e o u "
    "pero como es son era fue ser estar está están ha han he hay muy más ya también usuario usuaria "
    "usuarios cuando "
    "donde porque si sí este esta esto ese esa eso "
    # German
    "der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren hat haben "
    "wird werden "
    "nutzer nutzers person zu zum zur im am in auf an mit von für aus bei nach als auch nur sehr sich "
    "dass weil"
)

SYNONYMS = pairs(
    "lov=like pref=like love=like enjoy=like ador=like prefer=like fond=like favor=like favorit=like "
    "favourit=like fan=like keen=like lik=like appreciat=like hat=dislike dislik=dislike loath=dislike "
    "detest=dislike daily=day dai=day dayly=day weekly=week monthly=month kid=child children=child "
    "childr=child son=son mum=mother mom=mother mam=mother dad=father papa=father reply=answer "
    "respons=answer respond=answer messag=messag short=brief concis=brief ters=brief shorter=brief "
    "succinct=brief job=work employ=work bas=live resid=live liv=live dwell=live bike=bicycl bik=bicycl "
    "car=car postgresql=postgr psql=postgr kubernet=k8 mongodb=mongo espresso=coff cappuccino=coff "
    "latt=coff puppy=dog kitten=cat big=larg begin=start "
    "finish=complet done=complet utiliz=use us=use "
    "walk=walk stroll=walk nam=name call=name purchas=buy bought=buy gustar=gusta gustan=gusta "
    "encanta=gusta encantan=gusta prefiere=gusta corto=breve corta=breve brev=breve vivir=vive "
    "vivo=vive reside=vive trabajo=trabaja emplead=trabaja"
)

WEAK_WORDS = words(
    "like day thing way lot bit kind sort much more most better best good great nice fun pretty super "
    "total absolut "
    "definit certain real tru sure know mean think feel guess suppos gonna wanna got get go going com "
    "come keep "
    "make mak tak take usual oft often sometim general normal typical most mainly lately recent current "
    "today honest "
    "basic before befor kindly alway ever truly together togeth remember rememb remind not as well quit "
    "rather one time user rul "
    "sam reason date unknown year am pm time first name us use love been "
    "bastante mucho mucha gusta regla motivo hoy bien siempre ¬"
)

SYNONYMS_HAN = (
    ("喜爱", "喜欢"),
    ("爱好", "喜欢"),
    ("热爱", "喜欢"),
    ("偏爱", "喜欢"),
    ("偏好", "喜欢"),
    ("更喜欢", "喜欢"),
    ("爱吃", "喜欢吃"),
    ("爱喝", "喜欢喝"),
    ("讨厌", "不喜欢"),
    ("居住", "住"),
    ("家住", "住"),
    ("每日", "每天"),
    ("天天", "每天"),
    ("不能", "不"),
    ("无法", "不"),
    ("使用", "用"),
    ("任职", "工作"),
    ("上班", "工作"),
)

FILLER_HAN = regex.compile(
    "用户规则|用户团队|用户|我们|我|你|他们|她们|他|她|它|的|了|着|过|是|在|和|与|也|都|就|很|太|真|非常|"
    "特别|比较|"
    "一直|还是|还|现在|目前|请|吧|啊|呢|吗|哦|嗯|这个|那个|这|那|因为|所以|原因"
)
