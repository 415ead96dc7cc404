//! Prose of many languages, written for this bench: whole sentences, and sentences in three parts of which any go
//! together. A seeded generator shuffles them, so that 20 KB repeat no sentence.

/// A language or kind of text.
pub struct Corpus {
    pub name: &'static str,
    /// Largest ratio to hashing alone that we aim at.
    #[allow(dead_code, reason = "one of the benches that share this file has no use for it")]
    pub limit: f64,
    sentences: &'static [&'static str],
    /// Openings, middles and ends.
    parts: [&'static [&'static str]; 3],
    decomposed: bool,
}

const fn corpus(
    name: &'static str,
    limit: f64,
    sentences: &'static [&'static str],
    parts: [&'static [&'static str]; 3],
) -> Corpus {
    Corpus { name, limit, sentences, parts, decomposed: false }
}

impl Corpus {
    /// About `len` bytes: sentences in an order that a generator draws, in paragraphs of five.
    pub fn text(&self, len: usize) -> String {
        let [openings, middles, ends] = self.parts;
        let mut sentences: Vec<String> = self.sentences.iter().map(|&whole| whole.into()).collect();
        for opening in openings {
            for middle in middles {
                sentences.extend(ends.iter().map(|end| format!("{opening}{middle}{end}")));
            }
        }
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        for last in (1..sentences.len()).rev() {
            sentences.swap(last, below(last + 1));
        }
        let mut text = String::with_capacity(len + 400);
        for (count, sentence) in sentences.iter().enumerate() {
            if text.len() >= len {
                break;
            }
            text.push_str(sentence);
            text.push_str(if count % 5 == 4 { "\n\n" } else { " " });
        }
        assert!(text.len() >= len, "{} has too few sentences", self.name);
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

const FRENCH_PARTS: [&[&str]; 3] = [
    &[
        "Dès l'aube, ",
        "Malgré la neige, ",
        "Après le déjeuner, ",
        "Ce soir-là, ",
        "Sans prévenir personne, ",
        "Pour la troisième année de suite, ",
        "Au début de l'été, ",
    ],
    &[
        "le passeur a compté les billets à deux reprises",
        "une institutrice à la retraite a ouvert le petit musée",
        "la fille du boulanger a écrit une lettre au maire",
        "les deux frères ont repeint la clôture du jardin",
        "l'ingénieur a de nouveau mesuré la hauteur du pont",
        "notre voisine a porté quatorze caisses de livres à la cave",
        "le garde champêtre a réparé l'horloge de la gare",
    ],
    &[
        " et il est rentré sans dire un mot.",
        ", bien que personne ne l'ait demandé.",
        " ; le résultat a dépassé nos espérances.",
        ", ce qui a pris presque tout l'après-midi.",
        " pendant que les chiens dormaient sous la table.",
        ", et le journal en a publié une photographie.",
        " avant que quelqu'un n'ait pu protester.",
    ],
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
        [
            &[
                "Early in the morning, ",
                "After the long meeting on Tuesday, ",
                "Without telling anyone, ",
                "For the third year in a row, ",
                "When the last train had gone, ",
                "To everybody's surprise, ",
                "On the far side of the harbour, ",
            ],
            &[
                "the ferryman counted the tickets twice",
                "a retired teacher opened the small museum",
                "Mrs. Harper from the post office repaired the old clock",
                "the two brothers painted the garden fence",
                "our neighbour carried 14 boxes of books down to the cellar",
                "an engineer from Leeds measured the bridge again",
                "the baker's daughter wrote a short letter to the editor",
            ],
            &[
                " and went home without a word.",
                ", although nobody had asked for it.",
                "; the result was better than expected.",
                ", which took most of the afternoon.",
                " while the dogs slept under the table.",
                ", and the newspaper printed a picture of it.",
                " before anyone could say that it was too late.",
            ],
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
        [
            &[
                "“Not again,” said the caretaker, and ",
                "It wasn’t planned, but ",
                "On Friday – a holiday, as it happens – ",
                "Nobody’s quite sure why, yet ",
                "“Tomorrow, perhaps…” she thought; then ",
                "When the mayor’s car arrived, ",
                "After two hours ",
            ],
            &[
                "the choir’s tenor began to sing",
                "the librarian put up a sign that read “closed”",
                "Tom’s sister rang the bell",
                "the old printer – the blue one – started to hum",
                "everyone’s umbrella turned inside out",
                "the clerk stamped the form",
                "a man who called himself “the Captain” asked for tea",
            ],
            &[
                ", as if it were the most natural thing in the world.",
                " — which didn’t help at all.",
                "; that’s how the story usually ends.",
                " and the room went quiet.",
                ", or so the neighbours say…",
                " while the others weren’t looking.",
                " “just in case”, he explained.",
            ],
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
        [
            &[
                "In Zürich on Monday, ",
                "According to the Gdańsk daily, ",
                "At a press conference in Bogotá, ",
                "Two days after the vote in Malmö, ",
                "Speaking through an interpreter, ",
                "As Le Monde reported first, ",
                "Early on Wednesday ",
            ],
            &[
                "finance minister François Béranger defended the budget",
                "the Brazilian group Açaí do Norte named a new chairman",
                "coach Jürgen Möller announced his line-up",
                "the Danish author Søren Kjær accepted the prize",
                "union leader María Ibáñez called off the strike",
                "the Czech carrier cancelled 120 flights",
                "police chief Åsa Lindqvist answered questions",
            ],
            &[
                ", a day earlier than expected.",
                ", and shares rose by 2.4%.",
                " in front of about 300 journalists.",
                ", although talks with Kraków continue.",
                ", saying the decision had been difficult.",
                ", the agency said in a statement.",
                " before leaving for São Paulo.",
            ],
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
        [
            &[
                "At Smith &amp; Sons, ",
                "&ldquo;Of course,&rdquo; he said, and ",
                "On page&nbsp;12 ",
                "Between 9&nbsp;am and 5&nbsp;pm ",
                "In the caf&eacute; ",
                "&laquo;Hier&raquo; it says; here ",
                "Since it&#39;s Tuesday, ",
            ],
            &[
                "the price is &pound;12 &ndash; &pound;15",
                "you&rsquo;ll find the tag &lt;em&gt;",
                "a &quot;small&quot; coffee costs &euro;3",
                "we add 20&deg; &plusmn; 2&deg;",
                "the fa&ccedil;ade was painted",
                "R&amp;D has the last word",
                "the r&eacute;sum&eacute; lists x &lt; y &amp;&amp; y &lt; z",
            ],
            &[
                ", which nobody doubts&hellip;",
                " &mdash; see below.",
                " (&copy;&nbsp;2023).",
                ", or so we&rsquo;re told.",
                "; call &#43;44 for more.",
                " and not &ldquo;as usual&rdquo;.",
                ", na&iuml;ve as it sounds.",
            ],
        ],
    ),
    corpus("french", 1.35, FRENCH, FRENCH_PARTS),
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
        [
            &[
                "Früh am Morgen ",
                "Trotz des Schnees ",
                "Zur Überraschung aller ",
                "Ohne ein Wort zu sagen, ",
                "Im dritten Jahr in Folge ",
                "Gegen fünf Uhr nachmittags ",
                "Kurz vor den Sommerferien ",
            ],
            &[
                "zählte der Fährmann die Karten zweimal",
                "öffnete eine pensionierte Lehrerin das kleine Museum",
                "reparierte Frau Groß aus der Bäckerei die alte Uhr",
                "strichen die beiden Brüder den Gartenzaun grün",
                "trug unser Nachbar vierzehn Kisten Bücher in den Keller",
                "prüfte ein Ingenieur aus Köln die Höhe der Brücke",
                "schrieb die Tochter des Müllers einen Brief an die Zeitung",
            ],
            &[
                " und ging danach schweigend nach Hause.",
                ", obwohl es niemand verlangt hatte.",
                "; das Ergebnis übertraf alle Erwartungen.",
                ", was fast den ganzen Nachmittag dauerte.",
                ", während die Hunde unter dem Tisch schliefen.",
                ", und die Zeitung druckte ein großes Bild davon.",
                ", bevor jemand „zu spät“ sagen konnte.",
            ],
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
        [
            &[
                "Рано утром ",
                "Несмотря на снегопад, ",
                "Ко всеобщему удивлению, ",
                "Никому не сказав ни слова, ",
                "Третий год подряд ",
                "После обеда ",
                "Незадолго до каникул ",
            ],
            &[
                "паромщик дважды пересчитал билеты",
                "бывшая учительница открывала маленький музей",
                "дочь пекаря писала длинное письмо в редакцию",
                "два брата красили забор в саду",
                "сосед из пятой квартиры носил книги в подвал",
                "инженер из Твери снова измерял высоту моста",
                "сторож чинил старые часы на вокзале",
            ],
            &[
                " и ни разу не пожаловался на погоду.",
                ", хотя никто об этом не просил.",
                "; результат оказался лучше, чем ожидали.",
                ", и на это ушло почти всё время до ужина.",
                ", пока собаки спали под столом.",
                ", а потом газета напечатала об этом заметку.",
                ", прежде чем кто-либо успел возразить.",
            ],
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
        [
            &[
                "Νωρίς το πρωί ",
                "Παρά το χιόνι, ",
                "Προς έκπληξη όλων, ",
                "Χωρίς να πει λέξη σε κανέναν, ",
                "Για τρίτη χρονιά στη σειρά ",
                "Μετά το μεσημεριανό ",
                "Λίγο πριν από τις διακοπές ",
            ],
            &[
                "ο πορθμέας μέτρησε δύο φορές τα εισιτήρια",
                "μια συνταξιούχος δασκάλα άνοιξε το μικρό μουσείο",
                "η κόρη του φούρναρη έγραψε ένα γράμμα στην εφημερίδα",
                "τα δύο αδέλφια έβαψαν τον φράχτη του κήπου",
                "ο γείτονάς μας κατέβασε τα βιβλία στο υπόγειο",
                "ένας μηχανικός από τη Λάρισα μέτρησε ξανά τη γέφυρα",
                "ο φύλακας επισκεύασε το παλιό ρολόι του σταθμού",
            ],
            &[
                " και γύρισε στο σπίτι χωρίς να παραπονεθεί.",
                ", αν και δεν το είχε ζητήσει κανείς.",
                " και το αποτέλεσμα ήταν καλύτερο απ’ όσο περίμεναν.",
                ", πράγμα που κράτησε όλο το απόγευμα.",
                ", ενώ τα σκυλιά κοιμόνταν κάτω από το τραπέζι.",
                ", και η εφημερίδα δημοσίευσε μια φωτογραφία.",
                ", πριν προλάβει να διαμαρτυρηθεί κανείς.",
            ],
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
        [
            &[
                "في الصباح الباكر ",
                "على الرغم من الثلج ",
                "بعد الغداء ",
                "من دون أن يخبر أحدا ",
                "للعام الثالث على التوالي ",
                "قبل العطلة بأيام ",
                "في تلك الليلة ",
            ],
            &[
                "عد صاحب القارب التذاكر مرتين",
                "أصلح الحارس ساعة المحطة القديمة",
                "كتب ابن الخباز رسالة طويلة إلى الصحيفة",
                "طلى الجار سور الحديقة باللون الأخضر",
                "حمل المعلم المتقاعد صناديق الكتب إلى القبو",
                "قاس المهندس ارتفاع الجسر من جديد",
                "فتح أمين المكتبة المتحف الصغير",
            ],
            &[
                " ثم عاد إلى بيته صامتا.",
                "، مع أن أحدا لم يطلب ذلك.",
                "، وكانت النتيجة أفضل مما توقعوا.",
                "، واستغرق ذلك معظم النهار.",
                "، بينما كانت الكلاب نائمة تحت الطاولة.",
                "، ونشرت الصحيفة صورة لذلك.",
                " قبل أن يعترض أي إنسان.",
            ],
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
        [
            &[
                "天刚亮，",
                "虽然下着大雪，",
                "让大家吃惊的是，",
                "吃过午饭以后，",
                "没有告诉任何人，",
                "连续第三年，",
                "放假前的那个星期，",
            ],
            &[
                "船夫把船票数了两遍",
                "退休的女教师打开了小博物馆的门",
                "面包师的女儿给报社写了一封长信",
                "兄弟两人把花园的篱笆漆成了绿色",
                "住在楼上的邻居把十四箱书搬进了地下室",
                "从南京来的工程师又量了一次桥的高度",
                "看门的老人修好了车站的旧钟",
            ],
            &[
                "，然后一句话也没说就回家了。",
                "，其实谁也没有要求他们这样做。",
                "，结果比想象的还要好。",
                "，这件事花了整整一个下午。",
                "，那几只狗一直睡在桌子底下。",
                "；第二天，报纸登了一张照片。",
                "，谁都来不及说一声“太晚了”。",
            ],
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
        [
            &[
                "朝早く、",
                "雪が降っていたのに、",
                "みんなが驚いたことに、",
                "昼ごはんのあとで、",
                "だれにも言わずに、",
                "三年つづけて、",
                "夏休みの少し前に、",
            ],
            &[
                "渡し船の船頭は切符を二度数えて",
                "退職した先生は小さな博物館を開けて",
                "パン屋の娘は新聞社に長い手紙を書いて",
                "二人の兄弟は庭のフェンスを緑色に塗って",
                "となりの人は本の箱を地下室まで運んで",
                "横浜から来たエンジニアはもう一度橋の高さを測って",
                "駅の係員は古い時計を直して",
            ],
            &[
                "、何も言わずに家へ帰った。",
                "、その日の仕事を終わりにした。",
                "、思ったよりもよい結果になった。",
                "、午後のほとんどを使ってしまった。",
                "、テーブルの下で眠る犬たちを起こさなかった。",
                "、次の日の新聞に写真がのった。",
                "、「もう遅い」とは言わせなかった。",
            ],
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
        [
            &[
                "이른 아침에 ",
                "눈이 많이 왔는데도 ",
                "모두가 놀랍게도 ",
                "점심을 먹고 나서 ",
                "아무에게도 말하지 않고 ",
                "삼 년째 계속해서 ",
                "방학이 시작되기 며칠 전에 ",
            ],
            &[
                "뱃사공은 표를 두 번이나 세고",
                "은퇴한 선생님은 작은 박물관의 문을 열고",
                "빵집 딸은 신문사에 긴 편지를 쓰고",
                "두 형제는 정원의 울타리를 초록색으로 칠하고",
                "윗집 이웃은 책 상자 열네 개를 지하실로 옮기고",
                "대전에서 온 기술자는 다리의 높이를 다시 재고",
                "역을 지키는 노인은 오래된 시계를 고치고",
            ],
            &[
                " 아무 말 없이 집으로 돌아갔다.",
                " 이웃들에게 차를 한 잔씩 대접했다.",
                " 생각보다 좋은 결과에 만족했다.",
                " 오후 시간을 거의 다 써 버렸다.",
                " 탁자 밑에서 자던 개들을 깨우지 않았다.",
                " 다음 날 신문에 사진이 실렸다.",
                " 누가 뭐라고 하기 전에 자리를 떠났다.",
            ],
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
        [
            &[
                "ตอนเช้ามืด",
                "ทั้งที่ฝนตกหนัก ",
                "หลังอาหารกลางวัน ",
                "โดยไม่บอกใครเลย ",
                "เป็นปีที่สามติดต่อกัน ",
                "ก่อนวันหยุดไม่กี่วัน ",
                "ในคืนนั้นเอง ",
            ],
            &[
                "คนพายเรือนับตั๋วสองรอบ",
                "ครูเกษียณเปิดประตูพิพิธภัณฑ์เล็ก ๆ",
                "ลูกสาวคนทำขนมปังเขียนจดหมายถึงหนังสือพิมพ์",
                "พี่น้องสองคนทาสีรั้วสวนเป็นสีเขียว",
                "เพื่อนบ้านขนกล่องหนังสือลงไปในห้องใต้ดิน",
                "วิศวกรจากเชียงใหม่วัดความสูงของสะพานอีกครั้ง",
                "ยามเฝ้าสถานีซ่อมนาฬิกาเก่า",
            ],
            &[
                "แล้วกลับบ้านโดยไม่พูดอะไร",
                " ทั้งที่ไม่มีใครขอให้ทำ",
                " และผลออกมาดีกว่าที่คิดไว้",
                " ซึ่งใช้เวลาเกือบทั้งบ่าย",
                " ขณะที่หมานอนหลับอยู่ใต้โต๊ะ",
                " และวันรุ่งขึ้นก็มีรูปลงในหนังสือพิมพ์",
                " ก่อนที่ใครจะทันคัดค้าน",
            ],
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
        [
            &[
                "सुबह-सुबह ",
                "बर्फ़ गिरने के बावजूद ",
                "सबको हैरान करते हुए ",
                "दोपहर के खाने के बाद ",
                "बिना किसी को बताए ",
                "लगातार तीसरे साल ",
                "छुट्टियों से कुछ दिन पहले ",
            ],
            &[
                "नाविक ने टिकट दो बार गिने",
                "सेवानिवृत्त अध्यापिका ने छोटा संग्रहालय खोला",
                "नानबाई की बेटी ने अख़बार को एक लंबी चिट्ठी लिखी",
                "दोनों भाइयों ने बग़ीचे की बाड़ रंगी",
                "पड़ोसी ने किताबों के चौदह डिब्बे तहख़ाने में रखे",
                "कानपुर के इंजीनियर ने पुल की ऊँचाई फिर से नापी",
                "चौकीदार ने स्टेशन की पुरानी घड़ी ठीक की",
            ],
            &[
                " और चुपचाप घर लौट जाने का फ़ैसला किया।",
                ", हालाँकि किसी ने ऐसा करने को नहीं कहा था।",
                " और नतीजा उम्मीद से बेहतर निकला।",
                ", जिसमें लगभग पूरी दोपहर लग गई।",
                ", जबकि कुत्ते मेज़ के नीचे सो रहे थे।",
                " और अख़बार ने उसकी तस्वीर भी छापी।",
                ", इससे पहले कि कोई आपत्ति करता।",
            ],
        ],
    ),
    Corpus { decomposed: true, ..corpus("nfd-french", 3.5, FRENCH, FRENCH_PARTS) },
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
        [
            &[
                "Good morning from Köln ☀️ ",
                "Update: ",
                "Кто завтра свободен? ",
                "PSA for everyone at the meetup 👋 ",
                "¿Alguien más? ",
                "今日は雨☔ ",
                "OK, so ",
            ],
            &[
                "the build is green again",
                "we’re moving the workshop to 15:30",
                "фотографии уже в альбоме",
                "la librería abre a las ocho",
                "新しいカフェに行ってきました",
                "my dog ate the release notes",
                "the new map has 2,400 more streets",
            ],
            &[
                " 🎉🎉",
                " — thanks to all who helped!",
                " 😅 more tomorrow.",
                " ✅ (details in the thread)",
                ", naïve as that may sound.",
                "… wait for it 🚀",
                " 🐕 → https://example.org/notes",
            ],
        ],
    ),
];
