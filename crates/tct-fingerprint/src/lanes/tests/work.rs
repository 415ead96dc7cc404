//! That lanes take care of what they are for: without them the loops behind them give the same, only later, so no digest tells.
//!
//! The snapshots have three numbers for each text and width: looks at 64 bytes, what no lane took care of, bytes left to the
//! kernel. Fewer are faster; `INSTA_UPDATE=always` writes them anew.

use core::fmt::Write as _;
use std::format;
use std::string::String;
use std::vec::Vec;

use unicode_normalization::UnicodeNormalization as _;

use super::{Work, checked_widths};

/// Bytes of a text, at least.
const LEN: usize = 2_000;

/// The letters of scripts, and the same taken apart.
const SCRIPTS: &[(&str, u32, u32)] = &[
    ("ASCII", 0x21, 0x7E),
    ("Latin-1", 0xA1, 0xFF),
    ("Latin Extended-A", 0x100, 0x17F),
    ("Latin Extended-B", 0x180, 0x24F),
    ("phonetic", 0x250, 0x2AF),
    ("Greek", 0x386, 0x3FF),
    ("Cyrillic", 0x400, 0x45F),
    ("Cyrillic, further", 0x460, 0x52F),
    ("Armenian", 0x531, 0x586),
    ("Hebrew", 0x5D0, 0x5EA),
    ("Hebrew with points", 0x5B0, 0x5EA),
    ("Arabic", 0x620, 0x64A),
    ("Arabic with vowels", 0x640, 0x660),
    ("Persian and Urdu", 0x670, 0x6D5),
    ("Syriac", 0x710, 0x74A),
    ("Thaana", 0x780, 0x7B1),
    ("Devanagari", 0x904, 0x97F),
    ("Bengali", 0x985, 0x9FB),
    ("Gurmukhi", 0xA05, 0xA75),
    ("Gujarati", 0xA85, 0xAF1),
    ("Odia", 0xB05, 0xB77),
    ("Tamil", 0xB85, 0xBFA),
    ("Telugu", 0xC05, 0xC7F),
    ("Kannada", 0xC85, 0xCF2),
    ("Malayalam", 0xD05, 0xD7F),
    ("Sinhala", 0xD85, 0xDF3),
    ("Thai", 0xE01, 0xE5B),
    ("Lao", 0xE81, 0xEDF),
    ("Tibetan", 0xF00, 0xF6C),
    ("Burmese", 0x1000, 0x109F),
    ("Georgian", 0x10D0, 0x10FF),
    ("Georgian, old capitals", 0x10A0, 0x10C5),
    ("letters of Korean", 0x1100, 0x11FF),
    ("Ethiopic", 0x1200, 0x137C),
    ("Cherokee", 0x13A0, 0x13FD),
    ("Canadian", 0x1401, 0x147F),
    ("Khmer", 0x1780, 0x17F9),
    ("Mongolian", 0x1820, 0x1878),
    ("Vietnamese", 0x1EA0, 0x1EF9),
    ("Greek, polytonic", 0x1F00, 0x1FFE),
    ("punctuation", 0x2010, 0x2027),
    ("signs of money and letters", 0x20A0, 0x214F),
    ("arrows and mathematics", 0x2190, 0x22FF),
    ("boxes", 0x2500, 0x25FF),
    ("Japanese", 0x3041, 0x30FF),
    ("Chinese", 0x4E00, 0x4F00),
    ("Chinese, further", 0x8F00, 0x9000),
    ("Yi", 0xA000, 0xA1FF),
    ("Korean", 0xAC00, 0xAD00),
    ("Korean, further", 0xC5F0, 0xC6F0),
    ("Arabic forms", 0xFB50, 0xFBB1),
    ("wide", 0xFF01, 0xFFEE),
    ("old Greek numbers", 0x1_0100, 0x1_0133),
    ("letters of mathematics", 0x1_D400, 0x1_D454),
    ("emoji", 0x1_F600, 0x1_F64F),
];

/// Lines as pages have them.
const LINES: &[(&str, &str)] = &[
    (
        "prose",
        "The mill at the river – older than the town – “was never for sale”, it’s said; it cost 1,200 €. ",
    ),
    (
        "French",
        "L’été dernier, à côté du moulin, où l’on a coupé les blés, des élèves âgés ont mangé du maïs. ",
    ),
    (
        "German",
        "Die Straße zur Mühle führt über große Wiesen; draußen heißt es „Grüß Gott“ und schöne Späße. ",
    ),
    ("Polish", "Młyn nad rzeką stoi od stu lat, a gdy żółte liście opadną, przychodzą tu źrebięta i gęś. "),
    ("Turkish", "IŞIK İÇİN ığdır'da şu değirmen öğlene dek çalışıyor, güneş batınca da gölge düşüyor. "),
    ("Czech", "Příliš žluťoučký kůň úpěl ďábelské ódy, a mlýn mlel ještě dvě stě šest měsíců. "),
    (
        "Vietnamese",
        "Cối xay gió bên dòng sông đã đứng đó từ nhiều năm, người ta kể rằng nước không bao giờ cạn. ",
    ),
    ("Russian", "Мельница у реки старше города – её никто «не продавал», и ёлка там растёт, и йод. "),
    ("Ukrainian", "Млин біля річки давніший за місто, її ґанок і їхній дім стоять, а в Києві – ні. "),
    ("Greek", "Ο μύλος στο ποτάμι είναι παλαιότερος από την πόλη· ΚΑΝΕΙΣ δεν τον πούλησε, ΰστερα ας. "),
    ("Hindi", "नदी के किनारे की चक्की शहर से पुरानी है और ज़मीन पर ख़ूब फ़सल होती है। "),
    ("Bengali", "নদীর ধারের কলটি শহরের চেয়ে পুরানো, তাই বড় গাছটি সেখানে দাঁড়িয়ে আছে। "),
    ("Tamil", "ஆற்றங்கரையில் உள்ள ஆலை நகரத்தை விட பழமையானது, யாரும் கொடுக்கவில்லை. "),
    ("Malayalam", "നദിക്കരയിലെ മിൽ നഗരത്തേക്കാൾ പഴയതാണ്, ആരും അത് കൊടുത്തില്ല. "),
    ("Sinhala", "ගඟ අසල මෝල නගරයට වඩා පැරණි ය, කිසිවකු එය විකුණුවේ නැත, කෝ. "),
    ("Thai", "โรงสีริมแม่น้ำเก่าแก่กว่าเมือง และไม่มีใครขายมันได้ น้ำไม่เคยแห้ง "),
    ("Burmese", "မြစ်ဘေးက စက်ရုံဟာ မြို့ထက် ပိုဟောင်းပြီး ဘယ်သူမှ မရောင်းခဲ့ပါဘူး။ "),
    ("Arabic", "الطاحونة عند النهر أقدم من المدينة، ولم يبعها أحد؛ إلى الآن تعمل. مُدَرِّسٌ "),
    ("Hebrew", "הטחנה ליד הנהר עתיקה מן העיר, ואיש לא מכר אותה. בְּרֵאשִׁית בָּרָא "),
    ("Chinese", "河边的磨坊比这座城市更古老，从来没有人卖过它；（真的）“是吗？” "),
    ("Japanese", "川のそばの水車は町よりも古く、だれも売ったことがない。パン、ピザ、ｶﾀｶﾅ。 "),
    ("Korean", "강가의 방앗간은 도시보다 오래되었고 아무도 그것을 팔지 않았다. "),
    ("white space", "a  b\t\tc\r\n\r\n   d\u{a0}\u{a0}e \u{2003} f\u{3000}g\u{2028}\n\n      "),
    ("controls", "one\u{7f}two\0three\u{85}four \u{1} five\u{200b}six\u{ad}seven "),
    ("references", "a &lt;b&gt; &amp; c &nbsp; d &eacute;t&eacute; &#233; &#xE9; &quot;x&quot; &copy; "),
    ("references in a row", "&lt;&gt;&amp;&lt;&gt;&amp;&nbsp;&nbsp;&nbsp;&eacute;&eacute;&#233;&#xe9;"),
    ("references without semicolons", "&lt&gt&amp &eacute &copy 2026 &notit &nosuch &#233 &#xE9 &# & &; "),
    ("marks by number", "e&#x301;a&#769;, o&#x308; U&#x30C; &#x3B1;&#x301; n&#x303;a &amp;&#x301; "),
    ("controls by number", "one&#173;two &#x200b;three &#8203; four&#xFEFF;five&#127;&#9;six &#xA0;"),
    ("names that are none", "&a; &bcd; &efgh; &e &ab=c &abcdefghijk; &amp;&ampere; R&D AT&T &&& &#x; &#xZ; "),
    ("long names", "&CounterClockwiseContourIntegral; &NotEqualTilde; &fjlig; &lt &CounterClockwise "),
    ("what gets longer", "ßẞ İ ﬁ ﬀ ﷺ ½ ㍿ … ™ ㋀ ŉ ΐ "),
];

fn texts() -> Vec<(String, String)> {
    let row = |name: String, line: String| (name, line.repeat(LEN.div_ceil(line.len())));
    let mut texts = Vec::new();
    for &(name, first, last) in SCRIPTS {
        let letters: Vec<char> = (first..=last).filter_map(char::from_u32).collect();
        let words: Vec<String> = letters.chunks(7).map(|word| word.iter().collect()).collect();
        let line = words.join(" ") + ", ";
        let apart: String = line.nfd().collect();
        let is_same = apart == line;
        texts.push(row(name.into(), line));
        if !is_same {
            texts.push(row(format!("{name}, apart"), apart));
        }
    }
    for &(name, line) in LINES {
        let apart: String = line.nfd().collect();
        texts.push(row(format!("{name}, a line"), line.into()));
        if apart != line {
            texts.push(row(format!("{name}, a line apart"), apart));
        }
    }
    texts
}

#[test]
fn lanes_take_care_of_what_they_are_for() {
    let texts = texts();
    for (width, normalize) in checked_widths() {
        let mut table = String::new();
        for (name, text) in &texts {
            let (_, Work { looks, patches, left }) = normalize(text);
            writeln!(table, "{looks:5} {patches:5} {left:5}  {name}").expect("a string takes it");
        }
        insta::assert_snapshot!(format!("work_{width}"), table);
    }
}
