"""Japanese, in outline: who somebody is, what they prefer, decide and demand."""

from __future__ import annotations

from functools import partial

import regex

from memoryapp.llm.backends.offline.finishing import Phrasing, finish_fact
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Statement, no_guess, noise, rules
from memoryapp.llm.language.japanese_person import third_person

_PEOPLE = (
    "母|父|両親|姉|兄|妹|弟|妻|夫|彼女|彼氏|息子|娘|子ども|子供|祖母|祖父|友人|友達|上司|同僚|部下|先輩|"
    "後輩|秘書|犬|猫|ペット|担当者|先生"
)
_JOB = (
    "師|士|者|員|医|家|教師|先生|エンジニア|デザイナー|学生|社長|部長|課長|店長|シェフ|プログラマー|"
    "コンサルタント|マネージャー|フリーランス|ライター|看護師|会計|弁護士|農家|職人"
)

RULES = (
    *rules("project", "constraint", "(?:骨折|捻挫|怪我|けが|手術|入院|痛め|ひねっ)|(?:しばらく|当分|まで|"
                                    "週間|か月).*(?:できない|できません|休み|控え|やめて)", opens=True),
    *rules(
        "rule", "rule",
        "(?:絶対に|決して|必ず|常に|いつも|今後は?|これから(?:は|も)?|二度と).*(?:ください|ないで|下さい|"
        "こと|します|ように|禁止|てね|しない|するな)",
        "(?:は|を|に|も|へ|で|と)(?!.*(?:今回|この|その|それ|心配|気に)).*ないで(?:ください|下さい|ほしい|くれ)",
        "(?:前に|場合は|ときは|時は|たびに|毎回).*(?:ください|下さい|ないで|ように)|(?:禁止|厳禁)(?:です|"
        "だ)?|(?:ルール|方針|規則)は",
        opens=True, directive=True,
    ),
    *rules("decision", "decision", "(?:ことに(?:決め|しまし|した|なりまし|なった)|に決め(?:まし)?た|"
                                   "を(?:採用|選択|選び)し?(?:まし)?た|決定し(?:まし)?た|に(?:切り替え|"
                                   "移行|変更)(?:る|し)?(?:こと|まし|た).*(?:ため|ので|から)|(?:ため|ので|"
                                   "から)、?.*(?:ことにし|に決め))", opens=True),
    *rules(
        "relationship", "person",
        "^(?:私の)?(?:妻|夫|母|父|姉|妹|兄|弟|娘|息子|祖母|祖父|友人|親友|上司|同僚|彼女|彼氏|犬|猫)"
        r"(?:の\S{1,6})?は.*(?:といって|という名|です|ます|ました)",
        opens=True,
    ),
    *rules("identity", "residence", "(?:新しい)?(?:住所|新居|実家|職場)は", opens=True),
    *rules("identity", "name", "(?:と|って)(?:申します|言います|いいます|呼んで)|(?:(?:私|僕|俺)の|^)名前は|"
                               "(?:私|僕|俺)は.*(?:をしている|をしています|で働く|の)?\\p{Han}{2,4}です$", opens=True),
    *rules("identity", "health", "アレルギー|糖尿病|喘息|ベジタリアン|ヴィーガン|菜食|高血圧|妊娠|"
                                 "グルテン|乳糖|食べられ(?:ない|ません)|飲め(?:ない|ません)", opens=True),
    *rules("relationship", "person", f"(?:私|僕|俺|うち)の(?:\\S{{0,6}})?(?:{_PEOPLE})(?:は|が|の名前)|"
                                     f"\\S+(?:さん|氏)(?:は|が).*(?:担当|責任者|リーダー|{_PEOPLE})|"
                                     f"(?:{_PEOPLE})の(?:名前|誕生日)は|結婚し(?:て|まし)", opens=True),
    *rules("identity", "work", "(?:で|に)(?:働い|勤め|勤務)|(?:として)(?:働|勤)|(?:私|僕|"
                               f"俺)は.*(?:{_JOB})(?:です|をし|として)|(?:{_JOB})をし(?:て|ており)|職業は|"
                               "経営し|教えて(?:い|お)|"
                                    "で[^、。]{1,14}をし(?:て|ており)(?:い|お)?(?:ます|る)$", opens=True),
    *rules("identity", "residence", "(?:に|へ)(?:住ん|引っ越|移住|暮らし)|で暮らし|(?:に|へ)(?:転勤|異動|"
                                    "赴任|配属|転職)|出身(?:です|だ)|(?:私|"
                                    "僕|俺)は.*(?:生まれ|育ち)", opens=True),
    *rules("identity", "person data", "(?:誕生日|年齢|母語|出身地|趣味|連絡先)は|\\d+歳(?:です|に)", opens=True),
    *rules("preference", "preference", "(?:が|は|のほうが|の方が|より.*が)(?:大)?(?:好き|嫌い|苦手|好み|"
                                       "いい(?:です)?$)|好んで|お気に入り|(?:を|が)(?:愛用|重宝)|"
                                       "ほうが(?:見やすい|使いやすい|楽|いい)|てほしいです$|(?:は|"
                                       "も)(?:やめ|飲まなく)", opens=True),
    *rules("project", "project", "(?:を|に)(?:開発|作っ|制作|準備|計画|執筆|書い|企画|勉強|練習|"
                                 "取り組)[^。]*(?:て|し)(?:い|お)(?:ます|る)|(?:締め切り|締切|納期|期限|"
                                 "リリース|公開|発売|結婚式|試験|面接|出張|旅行|引っ越し|会議)は.*(?:\\d|"
                                 "曜|月|日)|(?:を|が)(?:完了|終え|終わ|リリース|公開|提出|完成)(?:し|"
                                 "り)?(?:まし)?た|(?:\\d+月|\\d+日|来週|来月|来年|明日|\\d{4}-).*(?:行き|参加|開店|開業|オープン|入学|"
                                 "卒業|発表|結婚|引っ越|"
                                 "始ま|開催|出発|予定)", opens=True),
    *rules("configuration", "system", "(?:インストール|設定|導入|アップグレード|更新|移行|"
                                      "デプロイ)し(?:まし)?た|(?:ポート|サーバー|データベース).*(?:\\d|"
                                      "動い|稼働|です)"),
    *rules("technical", "stack", "(?:を|で)(?:使っ|利用し|書い|開発し)て(?:い|お)(?:ます|る)|技術スタック|"
                                 "得意(?:です|な)|経験が"),
)  # fmt: skip
NOISE = (
    *noise("factual", "a question", "[？?]\\s*$|(?:か|かな|でしょうか|ますか|ですか)[。！]*$|^(?:なぜ|"
                                    "どう|何|いつ|どこ|誰|どの|どれ)"),
    *noise("factual", "a hypothetical, not a fact", "^もし.*(?:なら|たら|ば)(?!.*(?:ください|ないで))|"
                                                    "だったらいい|たらいいのに"),
    *noise("factual", "too vague to rely on", "かもしれ(?:ない|ません)|たぶん|多分|わからない|"
                                              "分かりません|迷って"),
    *noise("factual", "said by somebody else", "(?:らしい|だそう|そうです$|と言っていました|によると)"),
    *noise("utility", "small talk", "^(?:ありがとう(?:ございます|ございました)?|どうも|助かりました|"
                                    "了解(?:です|しました)?|はい|いいえ|わかりました|承知(?:しました)?|"
                                    "こんにちは|こんばんは|おはよう(?:ございます)?|お疲れ(?:様|"
                                    "さま)(?:です|でした)?|すごい|いいね|完璧|なるほど|"
                                    "よろしく(?:お願いします)?|おやすみ(?:なさい)?|"
                                    "さようなら)(?:[、！。!\\s]|ありがとう(?:ございます)?|助かりました|"
                                    "とても|本当に)*$"),
    *noise("utility", "a passing state", "(?:今日|今朝|今)(?:は|も)?.*(?:天気|暑い|寒い|雨|雪|疲れ|眠い|"
                                         "忙しい)|(?:疲れ(?:た|まし)|お腹(?:が)?空い|眠い)"),
    *noise("utility", "a status that passes", "\\d+\\s*[%％]|(?:実行中|ダウンロード中|同期中|処理中|"
                                              "ビルド中)|(?:エラー|失敗)(?:が|し)|^(?:今)?\\d{1,2}時"),
    *noise("utility", "a request for this moment only", "(?:て|(?<!ない)で)(?:ください|下さい|くれ|ほしい|"
                                                        "もらえ)[。！]*$(?<!(?:必ず|今後|いつも|絶対に|"
                                                        "常に|毎回|前に|ときは|場合は)\\S*)|(?:今回|"
                                                        "この回答)(?:は|だけ)|\\d+(?:文字|字|行)以内"),
)  # fmt: skip
_LEAD = regex.compile(
    "^(?:(?:こんにちは|はじめまして|初めまして|おはようございます|こんばんは|えっと|あの|ちなみに|実は|"
    "あと|それと|すみません|いや|いえ|違います)[、。！!\\s]+)+"
)


def matchable(text: str) -> str:
    """The sentence as the rules read it."""
    return text.strip(" 、。！!")


def tidy(text: str) -> str:
    """The sentence without greetings."""
    return _LEAD.sub("", text.strip()).strip(" 、。")


def clauses(text: str) -> list[Clause]:
    """Japanese keeps its sentences whole: the verb comes at the end."""
    return [Clause("", text)]


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person."""
    told = third_person(statement.words.rstrip("。！"))
    if statement.category in ("identity", "preference") and "ユーザー" not in told:
        return f"ユーザー：{told}"
    return told


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one."""
    return "。".join([bodies[0], *(regex.sub("^ユーザー[はの：]", "", body) for body in bodies[1:])])


PHRASING = Phrasing(
    language="ja",
    rule="ユーザーのルール：{text}",
    dated="{day}時点、{text}",
    noted="{text}（{day}時点）",
    unknown="{text}（日付不明、{day}に記録）",
    action=regex.compile("した|しました|今|新しい"),
    unknown_date=regex.compile("いつか(?:は)?(?:わからない|不明)|だいぶ前"),
    past=regex.compile("した|ました"),
)

PACK = LanguagePack(
    code="ja",
    rules=RULES,
    noise=NOISE,
    explicit=regex.compile("^(?:これ(?:を|は)?)?(?:覚えて(?:おいて)?|メモして)(?:ください|ね)?[：:、]?\\s*"),
    keep_in_mind=regex.compile(
        "(?:[、。]\\s*)?(?:覚えて(?:おいて)?(?:ください|ね)|忘れないで(?:ください|ね)?|"
        "メモして(?:ください|ね)?)[。！]*$"
    ),
    changed=regex.compile("もう.*ない|今は|変え|変わ|引っ越|転職|やめ|ではなく|じゃなく|新しく|完了|終わ"),
    anaphoric=regex.compile(
        "^(?:それ|これ|彼|彼女|そこ|なぜなら|理由|予算)|(?:ので|から|ため)(?:です)?[。！]*$"
    ),
    corrected=regex.compile(
        r"^(?:(?:いえ|いや|すみません|違います|間違えました|ごめん)[、。！\s]*)+(?P<value>[^、。]+?)(?:で"
        r"す|でした)[。！]*$"
    ),
    matchable=matchable,
    guess=no_guess,
    tidy=tidy,
    clauses=clauses,
    render=render,
    join=join,
    finish=partial(finish_fact, PHRASING),
)
