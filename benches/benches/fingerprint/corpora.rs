//! Prose of many languages, written for this bench. A seeded generator strings the sentences together.

/// A language or kind of text.
pub struct Corpus {
    pub name: &'static str,
    /// Largest ratio to hashing alone that we aim at.
    pub limit: f64,
    sentences: &'static [&'static str],
    decomposed: bool,
}

const fn corpus(name: &'static str, limit: f64, sentences: &'static [&'static str]) -> Corpus {
    Corpus { name, limit, sentences, decomposed: false }
}

impl Corpus {
    /// About `len` bytes: the sentences in an order that a generator draws, in paragraphs of five.
    pub fn text(&self, len: usize) -> String {
        let mut text = String::with_capacity(len + 400);
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut count = 0;
        while text.len() < len {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let pick = state % self.sentences.len() as u64;
            text.push_str(self.sentences[pick as usize]);
            count += 1;
            text.push_str(if count % 5 == 0 { "\n\n" } else { " " });
        }
        if self.decomposed {
            use unicode_normalization::UnicodeNormalization;
            text = text.nfd().collect();
        }
        text
    }
}

const FRENCH: &[&str] = &[
    "Le matin, la brume se lève lentement au-dessus de la rivière et les premières péniches quittent le quai.",
    "À l'été dernier, nous avons traversé la forêt à pied pour rejoindre le village où ma grand-mère était née.",
    "Personne n'a su dire pourquoi la lumière s'était éteinte précisément à ce moment-là.",
    "« Vous auriez dû prévenir plus tôt », répondit le libraire en refermant le grand registre.",
    "Les élèves ont préparé une pièce de théâtre dont les décors ont été peints par leurs parents.",
    "On trouve encore, derrière l'église, un vieux four à pain que la commune a fait réparer.",
    "Il fallait compter deux heures de route, parfois trois quand la neige bloquait le col.",
    "Cette année, les récoltes ont été médiocres, mais le vin promet d'être excellent.",
    "Elle écrivait chaque soir quelques lignes dans un cahier bleu que personne n'a jamais lu.",
    "Le conseil municipal a décidé, après de longs débats, de garder la bibliothèque ouverte le dimanche.",
];

/// All corpora with the ratios that we aim at.
pub const CORPORA: &[Corpus] = &[
    corpus(
        "english-ascii",
        1.20,
        &[
            "The ferry left the harbour a little after six, carrying bread, mail and two sleepy dogs.",
            "Nobody in the office could remember who had ordered the third printer or why it was blue.",
            "When the rain stopped, the children ran down to the bridge to see how high the water had come.",
            "A good index lets a reader find the one sentence she needs without reading the whole book.",
            "The museum keeps its oldest map in a dark room, and visitors may look at it for five minutes.",
            "He had promised to repair the gate before winter; by March it was still leaning on its post.",
            "Most of the letters were short, polite and entirely about the weather.",
            "In 1987 the town bought the mill, turned it into a library and kept the wheel for the sound.",
            "She measured the table twice, cut the board once, and then went looking for a longer board.",
            "It is easy to count the things that break, and hard to count the ones that quietly keep working.",
        ],
    ),
    corpus(
        "english-curly",
        1.25,
        &[
            "“You can’t park there,” the guard said, “unless you’re here to fix the clock — are you?”",
            "The ferry left the harbour a little after six, carrying bread, mail and two sleepy dogs.",
            "It wasn’t the first time the choir’s oldest member had forgotten the words, nor the last.",
            "Between 1990 and 1995 – nobody kept exact records – the club moved house four times.",
            "A good index lets a reader find the one sentence she needs without reading the whole book.",
            "They’d planned for rain, for wind, even for snow; what they hadn’t planned for was applause…",
            "When the rain stopped, the children ran down to the bridge to see how high the water had come.",
            "“Nothing,” she answered — and for once that was exactly what she meant.",
            "He had promised to repair the gate before winter; by March it was still leaning on its post.",
        ],
    ),
    corpus(
        "news-accents",
        1.35,
        &[
            "Prime Minister José Muñoz met his Czech colleague Jiří Dvořák in Malmö on Tuesday to discuss grain prices.",
            "Officials in São Paulo said the new line, built by Škoda and Siemens, would open before Christmas.",
            "The jury gave its first prize to “Café Zürich”, a short film by Zoë Østergård about a night train.",
            "Shares in the Danish group fell 3.5% after the chairman, Søren Krøyer, announced his retirement.",
            "Residents of Reykjavík were told to keep their windows closed until the wind turns on Thursday.",
            "The court rejected the appeal, saying that the deadline had passed eleven days earlier.",
            "Poland’s Łukasz Wójcik won the second stage ahead of Martín Peña and the Swede Åke Lindström.",
            "Analysts expect the bank to leave its rate unchanged when the board meets next week.",
        ],
    ),
    corpus(
        "entity-heavy",
        2.0,
        &[
            "Fish &amp; chips cost &pound;9 at Smith&rsquo;s&nbsp;&ndash; &ldquo;the best in town&rdquo;, he says.",
            "Use &lt;b&gt; for bold and &lt;i&gt; for italics; write &amp;amp; where you mean an ampersand.",
            "The caf&eacute; next to the mus&eacute;e opens at 9&nbsp;am&hellip; or whenever Zo&euml; wakes up.",
            "A width of 3&frac12;&nbsp;inches &times; 5&nbsp;inches is what the printer&#39;s manual asks for.",
            "&copy; 2024 Harbour &amp; Sons &mdash; all rights reserved, most of them never used.",
            "She asked, &quot;Is it 5&deg; or &#8722;5&deg; outside?&quot; and took both coats to be sure.",
            "The ferry left the harbour a little after six, carrying bread, mail and two sleepy dogs.",
        ],
    ),
    corpus("french", 1.35, FRENCH),
    corpus(
        "german",
        1.35,
        &[
            "Über dem Fluss lag früh am Morgen ein dünner Nebel, und die ersten Schiffe machten die Leinen los.",
            "Die Bürgermeisterin erklärte, man werde die Straße erst öffnen, wenn die Brücke geprüft sei.",
            "Im Spätsommer fahren wir gewöhnlich für zwei Wochen an die Küste, wo meine Großmutter geboren wurde.",
            "Niemand wusste genau, weshalb das Licht ausgerechnet in diesem Augenblick erloschen war.",
            "Der Bäcker am Marktplatz öffnet schon um fünf Uhr und verkauft die Brötchen noch warm.",
            "„Das hätten Sie früher sagen müssen“, antwortete der Buchhändler und schloss das große Register.",
            "Nach langen Gesprächen beschloss der Gemeinderat, die Bücherei auch sonntags offen zu halten.",
            "Für die Fähre braucht man keine Fahrkarte, wohl aber Geduld und eine warme Jacke.",
        ],
    ),
    corpus(
        "russian",
        1.35,
        &[
            "Утром над рекой стоял лёгкий туман, и первые баржи медленно отходили от причала.",
            "Никто не мог объяснить, почему свет погас именно в ту минуту, когда начался концерт.",
            "Прошлым летом мы прошли через лес пешком до деревни, где родилась моя бабушка.",
            "Библиотеку решили оставить открытой по воскресеньям, хотя денег на это почти не было.",
            "Он обещал починить калитку до зимы, но и в марте она всё ещё висела на одной петле.",
            "Дети поставили пьесу, а декорации для неё нарисовали их родители и учитель музыки.",
            "В Москву письмо шло четыре дня, а обратно, как ни странно, всего два.",
            "Старый мельник знал каждую лодку на реке и здоровался с каждым капитаном по имени.",
        ],
    ),
    corpus(
        "greek",
        1.35,
        &[
            "Το πρωί η ομίχλη σηκωνόταν αργά πάνω από το ποτάμι και τα πρώτα καΐκια έφευγαν από την προβλήτα.",
            "Κανείς δεν ήξερε να πει γιατί έσβησε το φως ακριβώς εκείνη τη στιγμή.",
            "Το περασμένο καλοκαίρι περάσαμε το δάσος με τα πόδια για να φτάσουμε στο χωριό της γιαγιάς μου.",
            "Ο δήμος αποφάσισε να μείνει ανοιχτή η βιβλιοθήκη και τις Κυριακές.",
            "Οι μαθητές ετοίμασαν μια παράσταση και οι γονείς τους ζωγράφισαν τα σκηνικά.",
            "Χρειάζονταν δύο ώρες δρόμος, και καμιά φορά τρεις όταν χιόνιζε στο πέρασμα.",
            "Έγραφε κάθε βράδυ λίγες γραμμές σε ένα μπλε τετράδιο που δεν διάβασε ποτέ κανένας.",
        ],
    ),
    corpus(
        "arabic",
        2.4,
        &[
            "في الصباح كان الضباب يرتفع ببطء فوق النهر وكانت القوارب الأولى تغادر الرصيف.",
            "لم يعرف أحد لماذا انطفأ الضوء في تلك اللحظة بالذات.",
            "في الصيف الماضي عبرنا الغابة سيرا على الأقدام حتى وصلنا إلى القرية التي ولدت فيها جدتي.",
            "قرر مجلس المدينة أن تبقى المكتبة مفتوحة أيام الجمعة، بعد نقاش طويل.",
            "أعد التلاميذ مسرحية قصيرة ورسم آباؤهم المناظر بأنفسهم.",
            "كانت تكتب كل مساء بضعة أسطر في دفتر أزرق لم يقرأه أحد قط.",
            "وعد بإصلاح البوابة قبل الشتاء، لكنها ما زالت مائلة في شهر آذار.",
        ],
    ),
    corpus(
        "chinese",
        2.2,
        &[
            "清晨，河面上的薄雾慢慢散开，第一批货船离开了码头。",
            "没有人说得清楚，为什么灯偏偏在那个时候熄灭了。",
            "去年夏天，我们步行穿过森林，来到外婆出生的村子。",
            "经过长时间的讨论，市政府决定星期天也开放图书馆。",
            "孩子们排练了一出话剧，布景是他们的父母画的。",
            "她每天晚上都在一本蓝色的笔记本里写几行字，可是从来没有人读过。",
            "他答应在冬天以前把大门修好，到了三月，门还是歪的。",
            "老磨坊主认识河上的每一条船，也叫得出每一位船长的名字。",
        ],
    ),
    corpus(
        "japanese",
        2.2,
        &[
            "朝早く、川の上の霧がゆっくりと晴れて、最初の船が岸を離れていった。",
            "どうしてちょうどその時に明かりが消えたのか、誰にもわからなかった。",
            "去年の夏、私たちは森を歩いて抜け、祖母の生まれた村まで行きました。",
            "長い話し合いのすえ、町は日曜日も図書館を開けておくことに決めた。",
            "子どもたちは短い劇を作り、ステージの背景は親たちがペンキで描いた。",
            "彼女は毎晩、青いノートに数行ずつ書いていたが、それを読んだ人はいない。",
            "冬までに門を直すと約束したのに、三月になってもまだ傾いたままだった。",
        ],
    ),
    corpus(
        "korean",
        3.5,
        &[
            "이른 아침 강 위의 안개가 천천히 걷히고 첫 배들이 부두를 떠났다.",
            "왜 하필 그 순간에 불이 꺼졌는지 아무도 설명하지 못했다.",
            "지난여름 우리는 숲을 걸어서 지나 할머니가 태어난 마을까지 갔다.",
            "오랜 논의 끝에 시의회는 일요일에도 도서관을 열기로 했다.",
            "아이들은 짧은 연극을 준비했고, 무대 배경은 부모들이 그렸다.",
            "그녀는 매일 저녁 파란 공책에 몇 줄씩 썼지만 아무도 읽지 않았다.",
            "겨울이 오기 전에 대문을 고치겠다고 약속했지만 삼월에도 그대로였다.",
        ],
    ),
    corpus(
        "thai",
        3.5,
        &[
            "ตอนเช้าหมอกบาง ๆ ลอยขึ้นจากแม่น้ำ และเรือลำแรกก็ออกจากท่า",
            "ไม่มีใครรู้ว่าทำไมไฟจึงดับในเวลานั้นพอดี",
            "เมื่อฤดูร้อนปีที่แล้วเราเดินผ่านป่าไปยังหมู่บ้านที่คุณยายเกิด",
            "หลังจากถกเถียงกันอยู่นาน เทศบาลตกลงให้เปิดห้องสมุดในวันอาทิตย์ด้วย",
            "เด็ก ๆ เตรียมละครสั้นหนึ่งเรื่อง ส่วนฉากนั้นพ่อแม่ช่วยกันวาด",
            "เธอเขียนบันทึกวันละไม่กี่บรรทัดลงในสมุดสีน้ำเงินที่ไม่เคยมีใครอ่าน",
            "เขาสัญญาว่าจะซ่อมประตูก่อนฤดูหนาว แต่จนถึงเดือนมีนาคมก็ยังไม่ได้ทำ",
        ],
    ),
    corpus(
        "hindi",
        3.5,
        &[
            "सुबह नदी के ऊपर हल्का कोहरा धीरे-धीरे छँट रहा था और पहली नावें घाट से निकल रही थीं।",
            "कोई नहीं बता सका कि ठीक उसी समय बत्ती क्यों बुझ गई।",
            "पिछली गर्मियों में हम जंगल से पैदल होकर उस गाँव तक गए जहाँ मेरी नानी का जन्म हुआ था।",
            "लंबी चर्चा के बाद नगर परिषद ने रविवार को भी पुस्तकालय खुला रखने का निर्णय लिया।",
            "बच्चों ने एक छोटा नाटक तैयार किया और उसके दृश्य उनके माता-पिता ने बनाए।",
            "वह हर शाम एक नीली कॉपी में कुछ पंक्तियाँ लिखती थी जिसे किसी ने कभी नहीं पढ़ा।",
            "उसने सर्दियों से पहले फाटक ठीक करने का वादा किया था, पर मार्च में भी वह टेढ़ा ही था।",
        ],
    ),
    Corpus { name: "nfd-french", limit: 3.5, sentences: FRENCH, decomposed: true },
    corpus(
        "mixed-emoji",
        2.0,
        &[
            "Just landed in München 🛬 and the weather is perfect! ☀️ Who’s around for coffee tomorrow?",
            "Спасибо всем, кто пришёл вчера 🙌 — фото будут завтра!",
            "New post: “How we moved 40 million rows without anyone noticing” 🚀 → link in bio",
            "今日のランチは最高でした🍜 また行きたいです!",
            "Nobody in the office could remember who had ordered the third printer or why it was blue. 😅",
            "¡Feliz cumpleaños, María! 🎂🎉 Te esperamos el sábado a las ocho.",
            "The ferry left the harbour a little after six, carrying bread, mail and two sleepy dogs. 🐕🐕",
            "Prix : 12 € au lieu de 15 € jusqu’à dimanche ✅",
        ],
    ),
];
