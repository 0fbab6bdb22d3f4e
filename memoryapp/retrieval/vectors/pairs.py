"""Questions with the memory that answers each, in four languages: what an embedder is calibrated on."""

from __future__ import annotations

from typing import Final

PAIRS: Final[dict[str, list[tuple[str, str]]]] = {
    "en": [
        ("When is the dentist appointment?", "My check-up with Dr Okafor is on the 14th at half past nine."),
        ("What does she drink in the morning?", "Priya starts every day with a cup of ginger tea."),
        ("Which database do we use?", "The backend stores its data in PostgreSQL 16."),
        ("Is he allergic to anything?", "Tom can't eat peanuts, they make his throat swell."),
        ("Where did they spend their holidays?", "We rented a cabin by the lake in Finland for two weeks."),
        ("How should replies be formatted?", "Always answer in short bullet points."),
        ("What instrument is the daughter learning?", "Lena has been taking cello lessons since September."),
        ("Why was the launch postponed?", "We moved the release to June because the payment audit was late."),
        ("What car does he drive?", "I finally sold the old van and bought a used electric hatchback."),
        ("Which colour theme do you like?", "I prefer dark mode in every editor."),
        ("Who is my manager?", "I report to Ingrid, who leads the logistics team."),
        ("What is the wifi password policy?", "Guest network credentials are rotated every Monday."),
        ("Any hobbies?", "On Sundays I go bouldering with my neighbours."),
        (
            "What are we cooking for the party?",
            "For Saturday's dinner I'm planning a big pot of chili and cornbread.",
        ),
    ],
    "zh": [
        ("牙医预约是什么时候？", "我和王医生约在十四号上午九点半检查牙齿。"),
        ("她早上喝什么？", "小敏每天一起床就泡一杯姜茶。"),
        ("我们用的是哪种数据库？", "后端的数据都存在 PostgreSQL 里。"),
        ("他对什么过敏？", "小刚不能吃花生，一吃喉咙就肿。"),
        ("他们去哪里度假了？", "我们在芬兰的湖边租了两个星期的小木屋。"),
        ("回答应该用什么格式？", "请总是用简短的要点来回答我。"),
        ("女儿在学什么乐器？", "莉莉从九月开始上大提琴课。"),
        ("为什么推迟上线？", "因为支付审计没完成，发布改到了六月。"),
        ("他开什么车？", "我把旧面包车卖了，买了一辆二手电动车。"),
        ("喜欢什么颜色主题？", "我在所有编辑器里都更喜欢深色模式。"),
        ("我的上司是谁？", "我向负责物流团队的英格丽汇报。"),
        ("周末有什么爱好？", "星期天我和邻居一起去攀岩。"),
    ],
    "es": [
        (
            "¿Cuándo es la cita con el dentista?",
            "Tengo la revisión con la doctora Ruiz el día 14 a las nueve y media.",
        ),
        ("¿Qué bebe por la mañana?", "Marta empieza el día con una taza de té de jengibre."),
        ("¿Qué base de datos usamos?", "El servidor guarda sus datos en PostgreSQL."),
        ("¿Es alérgico a algo?", "Tomás no puede comer cacahuetes, se le hincha la garganta."),
        ("¿Dónde pasaron las vacaciones?", "Alquilamos una cabaña junto a un lago de Finlandia dos semanas."),
        ("¿Qué formato deben tener las respuestas?", "Contéstame siempre con puntos breves."),
        ("¿Qué instrumento aprende la hija?", "Lena va a clases de violonchelo desde septiembre."),
        ("¿Por qué se aplazó el lanzamiento?", "Lo pasamos a junio porque la auditoría de pagos iba tarde."),
        ("¿Qué coche tiene?", "Vendí la furgoneta vieja y compré un eléctrico de segunda mano."),
        ("¿Qué tema de color te gusta?", "Prefiero el modo oscuro en todos los editores."),
        ("¿Quién es mi jefa?", "Dependo de Ingrid, que dirige el equipo de logística."),
        ("¿Qué aficiones tiene?", "Los domingos voy a escalar con mis vecinos."),
    ],
    "de": [
        ("Wann ist der Zahnarzttermin?", "Meine Kontrolle bei Doktor Okafor ist am 14. um halb zehn."),
        ("Was trinkt sie morgens?", "Priya beginnt jeden Tag mit einer Tasse Ingwertee."),
        ("Welche Datenbank benutzen wir?", "Der Server speichert seine Daten in PostgreSQL."),
        ("Hat er Allergien?", "Tom verträgt keine Erdnüsse, davon schwillt ihm der Hals an."),
        (
            "Wo haben sie Urlaub gemacht?",
            "Wir haben für zwei Wochen eine Hütte an einem See in Finnland gemietet.",
        ),
        ("Wie sollen Antworten aussehen?", "Antworte mir immer in kurzen Stichpunkten."),
        ("Welches Instrument lernt die Tochter?", "Lena nimmt seit September Cellostunden."),
        (
            "Warum wurde der Start verschoben?",
            "Er ist jetzt im Juni, weil die Zahlungsprüfung zu spät fertig war.",
        ),
        (
            "Was für ein Auto hat er?",
            "Ich habe den alten Lieferwagen verkauft und einen gebrauchten Elektrowagen gekauft.",
        ),
        ("Welches Farbschema gefällt dir?", "Ich mag in allen Editoren den dunklen Modus lieber."),
        ("Wer ist mein Vorgesetzter?", "Meine Chefin ist Ingrid, sie leitet die Logistik."),
        ("Irgendwelche Hobbys?", "Sonntags gehe ich mit den Nachbarn klettern."),
    ],
}
