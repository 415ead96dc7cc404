//! Languages of the web, a few sentences each, written for this bench. A seeded generator draws runs of words from
//! them, so that a text of any length has the letters, marks and lengths of words of its language, and repeats nothing
//! that a processor could learn.

use unicode_normalization::UnicodeNormalization;

/// The largest ratio to hashing alone that we aim at, with AVX2; SSE2 may take twice that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// 1.20
    European,
    /// 1.35
    Cjk,
    /// 1.60
    Other,
}

impl Goal {
    pub fn limit(self) -> f64 {
        match self {
            Goal::European => 1.20,
            Goal::Cjk => 1.35,
            Goal::Other => 1.60,
        }
    }
}

pub struct Language {
    pub name: &'static str,
    pub goal: Goal,
    /// Sentences. A bar stands where a run of words may begin or end in scripts that write no spaces.
    sentences: &'static str,
}

impl Language {
    /// About `len` bytes of runs of three to eight words.
    pub fn text(&self, len: usize) -> String {
        let spaced = !self.sentences.contains('|');
        let breaks: &[char] = if spaced { &[' ', '\n'] } else { &['|', '\n'] };
        let words: Vec<&str> = self.sentences.split(breaks).filter(|word| !word.is_empty()).collect();
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        let mut text = String::with_capacity(len + 400);
        while text.len() < len {
            let from = below(words.len());
            for word in words[from..].iter().take(3 + below(6)) {
                text.push_str(word);
                if spaced {
                    text.push(' ');
                }
            }
            if below(12) == 0 {
                text.push_str("\n\n");
            }
        }
        text
    }
}

/// The same text with all letters and marks apart.
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

const fn language(name: &'static str, goal: Goal, sentences: &'static str) -> Language {
    Language { name, goal, sentences }
}

pub const LANGUAGES: &[Language] = &[
    language(
        "spanish",
        Goal::European,
        "Esta mañana el panadero abrió más tarde porque había nevado toda la noche.
¿Quién recuerda todavía cómo se llamaba el último farero? ¡Nadie contestó!
El corazón de la ciudad está junto al río; allí venden café, piñas y algún periódico.
La niña leyó según el orden del índice y señaló la página veintidós con el lápiz.",
    ),
    language(
        "portuguese",
        Goal::European,
        "A estação ficou fechada até às nove, e ninguém soube explicar a razão da confusão.
Três irmãos construíram uma pequena embarcação com tábuas que já não serviam.
Você também não se lembra do avô que contava histórias à lareira depois do jantar?
Em março as inscrições são grátis; as crianças só precisam de lápis e imaginação.",
    ),
    language(
        "italian",
        Goal::European,
        "Il vecchio orologio della città è fermo da più di vent'anni, ma nessuno lo ripara.
Perché non venite lunedì? C'è ancora posto e il caffè lo offriamo noi.
La maestra portò in classe un erbario e spiegò qual è l'età degli alberi del viale.
Dopo la pioggia si poté finalmente attraversare il ponte, così come si era già deciso.",
    ),
    language(
        "dutch",
        Goal::European,
        "De veerpont vertrok één uur later, omdat de mist nog boven het water hing.
Niemand wist waarom de geïmporteerde kaarten zo'n vreemde kleur hadden gekregen.
In de bibliotheek liggen de reünieverslagen naast ideeën over de nieuwe brug.
Zij schreef elke avond een paar regels en sloot daarna zorgvuldig het blauwe schrift.",
    ),
    language(
        "polish",
        Goal::European,
        "Wczesnym rankiem mgła powoli podniosła się znad rzeki, a pierwsze łódki odbiły od brzegu.
Żaden z uczniów nie pamiętał, gdzie położył książkę o dźwięku i świetle.
Źródło za kościołem wyschło już trzeci raz, więc gmina postanowiła je pogłębić.
Łukasz obiecał naprawić furtkę przed zimą, lecz jeszcze w marcu wisiała krzywo na zawiasie.
Później okazało się, że ćma, którą narysowała córka piekarza, żyje tylko w Śląskiem.",
    ),
    language(
        "czech",
        Goal::European,
        "Časně ráno se mlha pomalu zvedala nad řekou a první lodě opouštěly přístaviště.
Nikdo nedokázal říct, proč světlo zhaslo právě v té chvíli, když přišel ředitel.
Děti nacvičily krátkou hru a kulisy jim namalovali rodiče s učitelkou hudební výchovy.
Žluťásek usedl na třešeň, kterou zahradník letos poprvé úspěšně narouboval.
Šest týdnů čekali na dopis z Ústí; přišel až v únoru, úplně promočený.",
    ),
    language(
        "slovak",
        Goal::European,
        "Včera večer sa nad údolím dlho blýskalo, no ráno už bola obloha čistá.
Mlynárova dcéra ťahala vozík s knihami až k železničnej stanici.
Ľudia sa pýtali, prečo je múzeum zatvorené aj počas štvrtkového trhu.
Ôsmi žiaci kŕmili vtáky, ďalší ôsmi zametali dvor a tešili sa na koláče.",
    ),
    language(
        "hungarian",
        Goal::European,
        "Kora reggel lassan felszállt a köd a folyó fölött, és elindultak az első hajók.
Senki sem tudta megmondani, miért aludt ki a fény éppen abban a pillanatban.
A tanítónő őszi leveleket gyűjtött, és elmagyarázta, hány évesek a fasor fái.
Öt évvel később újra felépült a híd, amelyet az árvíz ősszel elsodort.
Űrhajósok is jártak nálunk; a legidősebb könyvet kérte kölcsön, és három hétig őrizte.",
    ),
    language(
        "romanian",
        Goal::European,
        "Dimineața devreme ceața se ridica încet deasupra râului și primele bărci plecau din port.
Nimeni nu a știut să spună de ce s-a stins lumina chiar în clipa aceea.
Copiii au pregătit o piesă scurtă, iar decorurile au fost pictate de părinții lor.
Învățătoarea așeză cărțile pe masă și întreabă câți ani are stejarul din curtea școlii.
Țara întreagă a văzut fotografia băiatului care hrănește păsările în fața gării.",
    ),
    language(
        "swedish",
        Goal::European,
        "Tidigt på morgonen lättade dimman långsamt över älven och de första båtarna lämnade kajen.
Ingen kunde förklara varför lampan slocknade just i det ögonblicket.
Åtta elever målade kulisserna medan deras föräldrar sydde dräkter åt hela kören.
Färjan går varje halvtimme, även på söndagar, om inte isen ligger för tjock.",
    ),
    language(
        "danish",
        Goal::European,
        "Tidligt om morgenen lettede tågen langsomt over åen, og de første både forlod kajen.
Ingen kunne forklare, hvorfor lyset gik ud netop i det øjeblik.
Bageren på hjørnet sælger stadig rugbrød, æbleskiver og små kager med fløde.
Øens ældste hus blev flyttet sten for sten, før vejen til færgelejet blev gjort bredere.",
    ),
    language(
        "norwegian",
        Goal::European,
        "Tidlig om morgenen lettet tåken over fjorden, og de første båtene forlot bryggen.
Læreren spurte hvor gammelt treet på gårdsplassen kunne være, men ingen våget å gjette.
Vi gikk på ski over vidda og nådde hytta først da mørket hadde lagt seg.
Årets bær ble høstet sent, og syltetøyet måtte kokes i flere store gryter.",
    ),
    language(
        "finnish",
        Goal::European,
        "Varhain aamulla sumu nousi hitaasti joen yltä ja ensimmäiset veneet lähtivät laiturista.
Kukaan ei osannut sanoa, miksi valo sammui juuri sillä hetkellä.
Äiti lähetti kirjeen Jyväskylästä, mutta se viipyi matkalla melkein neljä päivää.
Öisin tähtitaivas näkyy täällä selvästi, sillä lähikylässä sammutetaan kaikki lamput.",
    ),
    language(
        "turkish",
        Goal::European,
        "Sabahın erken saatlerinde nehrin üzerindeki sis yavaşça dağıldı ve ilk tekneler iskeleden ayrıldı.
Işığın neden tam o anda söndüğünü hiç kimse açıklayamadı.
Öğretmen çocuklara bahçedeki çınarın kaç yaşında olduğunu sordu; kimse tahmin edemedi.
Şubat ayında kapıyı onaracağına söz vermişti, fakat yazın bile eğri duruyordu.
İstanbul'dan gelen mühendis köprünün yüksekliğini üçüncü kez ölçtü ve gülümsedi.",
    ),
    language(
        "croatian",
        Goal::European,
        "Rano ujutro magla se polako dizala iznad rijeke, a prvi su brodovi napuštali pristanište.
Nitko nije znao reći zašto se svjetlo ugasilo baš u tom trenutku.
Djeca su pripremila kratku predstavu, a kulise su oslikali njihovi roditelji i učiteljica.
Željezničar je popravio stari sat, ali kazaljke još uvijek kasne četiri minute.
Šuma iza sela ove je godine puna gljiva; skupljači dolaze čak iz Čakovca i Đurđevca.",
    ),
    language(
        "lithuanian",
        Goal::European,
        "Anksti rytą virš upės lėtai kilo rūkas, o pirmosios valtys jau plaukė iš uosto.
Niekas negalėjo paaiškinti, kodėl šviesa užgeso būtent tą akimirką.
Žiemą vaikai šėrė paukščius, o pavasarį sodino ąžuolus prie mokyklos tvoros.
Įdomiausią knygą ji skaitė kelis mėnesius ir grąžino tik prieš atostogas.",
    ),
    language(
        "ukrainian",
        Goal::European,
        "Рано-вранці туман повільно здіймався над річкою, і перші човни відпливали від пристані.
Ніхто не міг пояснити, чому світло згасло саме тієї миті.
Її дідусь щовечора записував кілька рядків у синій зошит, якого ніхто не читав.
Ґанок старої школи пофарбували на зелене, а поруч посадили дев'ять яблунь.
Їжак утік під ґрати, щойно діти з’явилися на подвір’ї.",
    ),
    language(
        "bulgarian",
        Goal::European,
        "Рано сутринта мъглата бавно се вдигаше над реката и първите лодки напускаха пристана.
Никой не можа да обясни защо лампата изгасна точно в този миг.
Учителката попита децата на колко години е дъбът в двора на училището.
През март портата още стоеше наклонена, въпреки че съседът беше обещал да я поправи.",
    ),
    language(
        "indonesian",
        Goal::European,
        "Pagi-pagi sekali kabut perlahan naik dari sungai dan perahu pertama meninggalkan dermaga.
Tidak ada yang tahu mengapa lampu padam tepat pada saat itu.
Anak-anak menyiapkan sandiwara pendek, sedangkan latarnya dilukis oleh orang tua mereka.
Penjaga stasiun memperbaiki jam tua itu tiga kali dalam setahun tanpa pernah mengeluh.",
    ),
    language(
        "vietnamese",
        Goal::Other,
        "Sáng sớm, sương mù từ từ tan trên mặt sông và những chiếc thuyền đầu tiên rời bến.
Không ai biết vì sao ngọn đèn lại tắt đúng vào lúc ấy.
Cô giáo hỏi các em nhỏ cây đa trước cổng trường đã được bao nhiêu tuổi.
Mỗi buổi tối bà viết vài dòng vào quyển vở màu xanh mà chưa từng có người đọc.
Người thợ mộc hứa sẽ sửa cánh cửa trước mùa đông, nhưng đến tháng ba nó vẫn nghiêng.",
    ),
    language(
        "traditional-chinese",
        Goal::Cjk,
        "清晨，|河面上的薄霧|慢慢散開，|第一批貨船|離開了碼頭。|
沒有人|說得清楚，|為什麼燈|偏偏在那個時候|熄滅了。|
去年夏天，|我們步行|穿過森林，|來到外婆|出生的村莊。|
經過長時間的討論，|圖書館|星期天也開放，|孩子們都很高興。|
她每天晚上|都在藍色的筆記本裡|寫幾行字，|「從來沒有人|讀過」。|",
    ),
    language(
        "hebrew",
        Goal::Other,
        "מוקדם בבוקר התרומם הערפל לאט מעל הנהר והסירות הראשונות עזבו את הרציף.
איש לא ידע להסביר מדוע כבה האור בדיוק באותו רגע.
הילדים הכינו הצגה קצרה, ואת התפאורה ציירו ההורים שלהם.
המורה שאלה את התלמידים בן כמה העץ שבחצר, אבל אף אחד לא העז לנחש.",
    ),
    language(
        "hebrew-vocalized",
        Goal::Other,
        "הַיֶּלֶד הָלַךְ אֶל הַנָּהָר וְרָאָה סִירָה קְטַנָּה.
בַּבֹּקֶר יָצְאָה הַשֶּׁמֶשׁ וְהָעֲרָפֶל נֶעֱלַם לְאַט.
הַמּוֹרָה שָׁאֲלָה שְׁאֵלָה, וְאִישׁ לֹא יָדַע לַעֲנוֹת עָלֶיהָ.",
    ),
    language(
        "arabic-vocalized",
        Goal::Other,
        "ذَهَبَ الوَلَدُ إِلَى النَّهْرِ صَبَاحًا وَرَأَى قَارِبًا صَغِيرًا.
كَتَبَتِ البِنْتُ رِسَالَةً طَوِيلَةً إِلَى جَدَّتِهَا فِي القَرْيَةِ.
سَأَلَ المُعَلِّمُ عَنْ عُمُرِ الشَّجَرَةِ، فَلَمْ يَعْرِفْ أَحَدٌ.",
    ),
    language(
        "persian",
        Goal::Other,
        "صبح زود مه آرام آرام از روی رودخانه برخاست و نخستین قایق‌ها از اسکله دور شدند.
هیچ‌کس نمی‌دانست چرا چراغ درست در همان لحظه خاموش شد.
بچه‌ها نمایش کوتاهی آماده کردند و پدر و مادرها پرده‌های آن را کشیدند.
معلم پرسید درخت چنار حیاط مدرسه چند سال دارد، اما کسی پاسخی نداد.",
    ),
    language(
        "urdu",
        Goal::Other,
        "صبح سویرے دریا کے اوپر سے دھند آہستہ آہستہ اٹھی اور پہلی کشتیاں گھاٹ سے روانہ ہوئیں۔
کوئی نہیں بتا سکا کہ بتی ٹھیک اسی وقت کیوں بجھ گئی۔
بچوں نے ایک چھوٹا سا ڈراما تیار کیا اور اس کے مناظر ان کے والدین نے بنائے۔
استاد نے پوچھا کہ صحن میں لگا ہوا درخت کتنے سال پرانا ہے، مگر کسی نے جواب نہ دیا۔",
    ),
    language(
        "marathi",
        Goal::Other,
        "पहाटे नदीवरचे धुके हळूहळू विरले आणि पहिल्या होड्या धक्क्यावरून निघाल्या.
नेमका त्याच वेळी दिवा का विझला हे कोणालाही सांगता आले नाही.
मुलांनी एक छोटे नाटक बसवले आणि त्याचे पडदे त्यांच्या आईवडिलांनी रंगवले.
शाळेच्या अंगणातला वड किती वर्षांचा आहे असे बाईंनी विचारले, पण कोणी बोलले नाही.",
    ),
    language(
        "bengali",
        Goal::Other,
        "ভোরবেলা নদীর উপর থেকে কুয়াশা ধীরে ধীরে সরে গেল আর প্রথম নৌকাগুলো ঘাট ছাড়ল।
ঠিক সেই মুহূর্তে আলোটা কেন নিভে গেল তা কেউ বলতে পারল না।
ছেলেমেয়েরা একটা ছোট নাটক করল, আর তার দৃশ্যপট আঁকলেন তাদের বাবা-মায়েরা।
দীর্ঘ আলোচনার পরে ঠিক হলো যে পাঠাগার রবিবারেও খোলা থাকবে।
শিক্ষিকা জিজ্ঞেস করলেন উঠানের বড় গাছটার বয়স কত, কিন্তু কেউ উত্তর দিল না।",
    ),
    language(
        "gujarati",
        Goal::Other,
        "વહેલી સવારે નદી પરનું ધુમ્મસ ધીમે ધીમે ઊઠ્યું અને પહેલી હોડીઓ ઘાટ પરથી નીકળી.
બરાબર એ જ ઘડીએ દીવો કેમ ઓલવાઈ ગયો એ કોઈ કહી શક્યું નહીં.
બાળકોએ એક નાનું નાટક તૈયાર કર્યું અને તેના પડદા તેમનાં માબાપે રંગ્યા.
શિક્ષકે પૂછ્યું કે આંગણાનું ઝાડ કેટલાં વર્ષનું છે, પણ કોઈએ જવાબ ન આપ્યો.",
    ),
    language(
        "punjabi",
        Goal::Other,
        "ਸਵੇਰੇ ਸਵੇਰੇ ਦਰਿਆ ਉੱਤੋਂ ਧੁੰਦ ਹੌਲੀ ਹੌਲੀ ਉੱਠੀ ਅਤੇ ਪਹਿਲੀਆਂ ਕਿਸ਼ਤੀਆਂ ਘਾਟ ਤੋਂ ਤੁਰ ਪਈਆਂ।
ਕੋਈ ਨਹੀਂ ਦੱਸ ਸਕਿਆ ਕਿ ਬੱਤੀ ਠੀਕ ਉਸੇ ਵੇਲੇ ਕਿਉਂ ਬੁਝ ਗਈ।
ਬੱਚਿਆਂ ਨੇ ਇੱਕ ਛੋਟਾ ਨਾਟਕ ਤਿਆਰ ਕੀਤਾ ਅਤੇ ਪਰਦੇ ਉਨ੍ਹਾਂ ਦੇ ਮਾਪਿਆਂ ਨੇ ਰੰਗੇ।
ਅਧਿਆਪਕ ਨੇ ਪੁੱਛਿਆ ਕਿ ਵਿਹੜੇ ਵਾਲਾ ਬੋਹੜ ਕਿੰਨੇ ਸਾਲਾਂ ਦਾ ਹੈ।",
    ),
    language(
        "odia",
        Goal::Other,
        "ଭୋରରୁ ନଦୀ ଉପରୁ କୁହୁଡ଼ି ଧୀରେ ଧୀରେ ଉଠିଗଲା ଏବଂ ପ୍ରଥମ ଡଙ୍ଗାଗୁଡ଼ିକ ଘାଟ ଛାଡ଼ିଲେ।
ଠିକ୍ ସେହି ସମୟରେ ଆଲୋକ କାହିଁକି ଲିଭିଗଲା ତାହା କେହି କହିପାରିଲେ ନାହିଁ।
ପିଲାମାନେ ଗୋଟିଏ ଛୋଟ ନାଟକ ପ୍ରସ୍ତୁତ କଲେ ଓ ତାହାର ଦୃଶ୍ୟ ସେମାନଙ୍କ ବାପାମାଆ ଆଙ୍କିଲେ।
ଶିକ୍ଷକ ପଚାରିଲେ ଯେ ଅଗଣାର ବରଗଛର ବୟସ କେତେ, କିନ୍ତୁ କେହି ଉତ୍ତର ଦେଲେ ନାହିଁ।",
    ),
    language(
        "tamil",
        Goal::Other,
        "அதிகாலையில் ஆற்றின் மேல் இருந்த மூடுபனி மெல்ல விலகியது, முதல் படகுகள் துறையை விட்டுக் கிளம்பின.
அந்த நேரத்தில் விளக்கு ஏன் அணைந்தது என்று யாராலும் சொல்ல முடியவில்லை.
குழந்தைகள் ஒரு சிறிய நாடகம் தயாரித்தார்கள், காட்சிகளை அவர்களின் பெற்றோர் வரைந்தார்கள்.
நீண்ட விவாதத்திற்குப் பிறகு நூலகத்தை ஞாயிற்றுக்கிழமையும் திறந்து வைக்க முடிவு செய்தார்கள்.
பள்ளியின் முற்றத்தில் உள்ள ஆலமரம் எவ்வளவு பழையது என்று ஆசிரியர் கேட்டார்.",
    ),
    language(
        "telugu",
        Goal::Other,
        "తెల్లవారుజామున నది మీద పొగమంచు నెమ్మదిగా విడిపోయింది, మొదటి పడవలు రేవు నుండి బయలుదేరాయి.
సరిగ్గా ఆ సమయంలో దీపం ఎందుకు ఆరిపోయిందో ఎవరూ చెప్పలేకపోయారు.
పిల్లలు ఒక చిన్న నాటకం తయారు చేశారు, తెరలను వారి తల్లిదండ్రులు చిత్రించారు.
బడి ఆవరణలోని మర్రిచెట్టు వయసు ఎంత అని ఉపాధ్యాయుడు అడిగాడు, కానీ ఎవరూ బదులివ్వలేదు.",
    ),
    language(
        "kannada",
        Goal::Other,
        "ಮುಂಜಾನೆ ನದಿಯ ಮೇಲಿನ ಮಂಜು ನಿಧಾನವಾಗಿ ಕರಗಿತು ಮತ್ತು ಮೊದಲ ದೋಣಿಗಳು ದಡವನ್ನು ಬಿಟ್ಟವು.
ಸರಿಯಾಗಿ ಆ ಹೊತ್ತಿನಲ್ಲಿ ದೀಪ ಏಕೆ ಆರಿತು ಎಂದು ಯಾರಿಗೂ ಹೇಳಲು ಆಗಲಿಲ್ಲ.
ಮಕ್ಕಳು ಒಂದು ಸಣ್ಣ ನಾಟಕವನ್ನು ಸಿದ್ಧಪಡಿಸಿದರು, ಅದರ ಪರದೆಗಳನ್ನು ಅವರ ಪೋಷಕರು ಬಿಡಿಸಿದರು.
ಶಾಲೆಯ ಅಂಗಳದಲ್ಲಿರುವ ಆಲದ ಮರಕ್ಕೆ ಎಷ್ಟು ವಯಸ್ಸು ಎಂದು ಶಿಕ್ಷಕರು ಕೇಳಿದರು.",
    ),
    language(
        "malayalam",
        Goal::Other,
        "അതിരാവിലെ പുഴയുടെ മീതെ നിന്ന് മഞ്ഞ് പതുക്കെ നീങ്ങി, ആദ്യത്തെ വള്ളങ്ങൾ കടവ് വിട്ടു.
കൃത്യം ആ നേരത്ത് വിളക്ക് എന്തുകൊണ്ട് അണഞ്ഞു എന്ന് ആർക്കും പറയാൻ കഴിഞ്ഞില്ല.
കുട്ടികൾ ഒരു ചെറിയ നാടകം ഒരുക്കി, അതിന്റെ രംഗങ്ങൾ അവരുടെ മാതാപിതാക്കൾ വരച്ചു.
നീണ്ട ചർച്ചയ്ക്കു ശേഷം ഞായറാഴ്ചയും വായനശാല തുറക്കാൻ തീരുമാനിച്ചു.
സ്കൂൾ മുറ്റത്തെ ആൽമരത്തിന് എത്ര വയസ്സായി എന്ന് ടീച്ചർ ചോദിച്ചു.",
    ),
    language(
        "sinhala",
        Goal::Other,
        "උදෑසන ගඟ උඩින් මීදුම සෙමෙන් ඉවත් වූ අතර පළමු බෝට්ටු තොටුපළෙන් පිටත් විය.
හරියටම ඒ මොහොතේ පහන නිවී ගියේ ඇයි කියා කිසිවෙකුට කියන්නට නොහැකි විය.
ළමයි කුඩා නාට්‍යයක් සූදානම් කළ අතර එහි දර්ශන ඔවුන්ගේ දෙමාපියෝ ඇන්දාහ.
පාසල් මිදුලේ ඇති නුග ගසේ වයස කීයද කියා ගුරුතුමිය ඇසුවාය.",
    ),
    language(
        "lao",
        Goal::Other,
        "ຕອນເຊົ້າ|ໝອກບາງໆ|ລອຍຂຶ້ນ|ຈາກແມ່ນ້ຳ |ແລະເຮືອລຳທຳອິດ|ກໍອອກຈາກທ່າ |
ບໍ່ມີໃຜຮູ້|ວ່າເປັນຫຍັງ|ໄຟຈຶ່ງດັບ|ໃນເວລານັ້ນພໍດີ |
ເດັກນ້ອຍ|ກະກຽມລະຄອນສັ້ນ|ໜຶ່ງເລື່ອງ |ສ່ວນສາກນັ້ນ|ພໍ່ແມ່ຊ່ວຍກັນແຕ້ມ |
ນາຍຄູຖາມວ່າ|ຕົ້ນໄມ້ໃຫຍ່|ຢູ່ໂຮງຮຽນ|ມີອາຍຸຈັກປີ |ແຕ່ບໍ່ມີໃຜຕອບ |",
    ),
    language(
        "khmer",
        Goal::Other,
        "នៅពេលព្រឹក|អ័ព្ទស្រាលៗ|អណ្ដែតឡើង|ពីទន្លេ |ហើយទូកដំបូង|ក៏ចេញពីកំពង់ផែ។ |
គ្មាននរណាដឹង|ថាហេតុអ្វី|បានជាភ្លើងរលត់|នៅពេលនោះទេ។ |
ក្មេងៗ|បានរៀបចំល្ខោនខ្លីមួយ |ហើយឪពុកម្ដាយ|បានគូរឆាក|ជួយពួកគេ។ |
គ្រូបានសួរថា|ដើមឈើធំ|នៅទីធ្លាសាលា|មានអាយុប៉ុន្មានឆ្នាំ |តែគ្មានអ្នកឆ្លើយ។ |",
    ),
    language(
        "burmese",
        Goal::Other,
        "မနက်စောစော |မြစ်ပေါ်က မြူတွေ|ဖြည်းဖြည်းချင်း|ကွဲသွားပြီး |ပထမဆုံးလှေများ|ဆိပ်ကမ်းမှ|ထွက်ခွာသွားကြသည်။ |
ထိုအချိန်မှာ|မီးဘာကြောင့်|ငြိမ်းသွားသလဲ|ဆိုတာကို|ဘယ်သူမှ|မပြောနိုင်ခဲ့ပါ။ |
ကလေးများက|ပြဇာတ်အတိုတစ်ပုဒ်|ပြင်ဆင်ကြပြီး |နောက်ခံပန်းချီကို|မိဘများက|ရေးဆွဲပေးကြသည်။ |
ကျောင်းဝင်းထဲက|ညောင်ပင်ကြီး|အသက်ဘယ်လောက်|ရှိပြီလဲဟု|ဆရာမက|မေးသည်။ |
ဥယျာဉ်ထဲတွင်|ဦးလေးက|ပန်းပင်များ|စိုက်ပျိုးသည်။ |",
    ),
    language(
        "tibetan",
        Goal::Other,
        "ཞོགས་པ་སྔ་པོར་|གཙང་པོའི་སྟེང་གི་|སྨུག་པ་|ག་ལེར་ཡལ་ནས་|གྲུ་དང་པོ་|ཕྱིན་སོང་། |
སྐབས་དེར་|སྒྲོན་མེ་|གང་ཡིན་ནས་|ཤི་བ་|སུས་ཀྱང་|ཤེས་མ་སོང་། |
བྱིས་པ་ཚོས་|ཟློས་གར་ཐུང་ངུ་ཞིག་|གྲ་སྒྲིག་བྱས་པ་དང་|ཕ་མ་ཚོས་|རི་མོ་བྲིས། |
དགེ་རྒན་གྱིས་|སློབ་གྲྭའི་ནང་གི་|ཤིང་སྡོང་|ལོ་ག་ཚོད་|རེད་ཅེས་|དྲིས་པ་རེད། |",
    ),
    language(
        "georgian",
        Goal::Other,
        "დილით ადრე მდინარის თავზე ნისლი ნელ-ნელა აიწია და პირველმა ნავებმა ნავსადგური დატოვეს.
არავინ იცოდა, რატომ ჩაქრა სინათლე ზუსტად იმ წამს.
ბავშვებმა პატარა სპექტაკლი მოამზადეს, დეკორაციები კი მათმა მშობლებმა დახატეს.
მასწავლებელმა იკითხა, რამდენი წლისაა სკოლის ეზოში მდგომი მუხა, მაგრამ არავინ უპასუხა.",
    ),
    language(
        "armenian",
        Goal::Other,
        "Վաղ առավոտյան մառախուղը դանդաղ բարձրացավ գետի վրայից, և առաջին նավակները հեռացան նավամատույցից։
Ոչ ոք չկարողացավ ասել, թե ինչու լույսը մարեց հենց այդ պահին։
Երեխաները պատրաստեցին մի փոքրիկ ներկայացում, իսկ դեկորները նկարեցին նրանց ծնողները։
Ուսուցչուհին հարցրեց, թե քանի տարեկան է դպրոցի բակի կաղնին, բայց ոչ ոք չպատասխանեց։
Երևանից եկած ճարտարագետը կրկին չափեց կամրջի բարձրությունը և լռեց։",
    ),
    language(
        "amharic",
        Goal::Other,
        "ማለዳ ላይ ጭጋጉ ከወንዙ ላይ ቀስ በቀስ ተነሳና የመጀመሪያዎቹ ጀልባዎች ወደቡን ለቀቁ።
መብራቱ ልክ በዚያ ሰዓት ለምን እንደጠፋ ማንም ሊናገር አልቻለም።
ልጆቹ አጭር ድራማ አዘጋጁ፤ መድረኩንም ወላጆቻቸው ሣሉላቸው።
መምህርቷ በትምህርት ቤቱ ግቢ ያለው ዛፍ ስንት ዓመቱ ነው ብላ ጠየቀች፣ ግን ማንም አልመለሰም።",
    ),
];
