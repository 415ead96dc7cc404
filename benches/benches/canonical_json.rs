//! Canonical JSON beside its peers: `cargo bench -p benches --bench canonical_json`.
//!
//! `text/…` goes from JSON text to canonical bytes, `check/…` asks whether canonical bytes are, beside writing them again, and
//! `serialize/…` goes from typed values. `SPEED` lines give ours in MB/s of the input. Peers read text into a
//! `serde_json::Value` first, because that is what they offer.
//!
//! Twitter's, Canada's and CITM's documents, known from other benches, are those that the package `gjson` 0.8.1 ships (MIT,
//! a dependency of `dom_smoothie`, so that cargo has it); without them their cases are skipped. All others are generated here,
//! from a seed. An argument picks the cases whose names hold it.

use std::path::{Path, PathBuf};

use benches::Comparison;
use serde::Serialize;
use serde_json::Value;
use tct_canonical_json::{Profile, is_canonical, serialize, to_canonical, write_canonical};

fn main() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for file in ["twitter", "canada", "citm_catalog"] {
        match shipped(file) {
            Some(json) => text(file, &json),
            None => println!("skipped: {file}.json of gjson is not in cargo's registry"),
        }
    }
    text("payload", &serde_json::to_string(&payload(&mut random)).unwrap());
    text("small-objects", &serde_json::to_string(&small_objects(&mut random)).unwrap());
    text("twitter-like", &twitter_like(&mut random));
    text("canada-like", &canada_like(&mut random));
    text("citm-like", &citm_like(&mut random));
    text("deep-unsorted", &deep_unsorted(120, 300));
    text("line-ends", &format!("[\"{}\"]", "some words\\n".repeat(20_000)));
    text("1e20", &format!("[{}]", vec!["1e20"; 40_000].join(",")));
    let integers: Vec<String> = (0..100_000).map(|_| random.below(1_000_000_000).to_string()).collect();
    text("integers", &format!("[{}]", integers.join(",")));
    let payload = payload(&mut random);
    typed("payload", &payload);
    typed("small-objects", &small_objects(&mut random));
}

/// Text to canonical bytes.
fn text(case: &str, text: &str) {
    if !is_picked(case) {
        return;
    }
    let bytes = text.as_bytes();
    let canonical = to_canonical(bytes, Profile::Tct).unwrap();
    println!("# text/{case}: {} bytes in, {} out", bytes.len(), canonical.len());
    let parse = || serde_json::from_slice::<Value>(bytes).unwrap();
    let mut buffer = Vec::new();
    let comparison = Comparison::new("text", case)
        .rounds(40)
        .bytes(bytes.len())
        .ours("tct", || to_canonical(bytes, Profile::Tct).unwrap())
        .ours("rfc8785", || to_canonical(bytes, Profile::Rfc8785).unwrap())
        .peer("serde_json_canonicalizer", || serde_json_canonicalizer::to_vec(&parse()).unwrap())
        .peer("serde_jcs", || serde_jcs::to_vec(&parse()).unwrap())
        .limit("sonic-rs", || {
            sonic_rs::to_vec(&sonic_rs::from_slice::<sonic_rs::Value>(bytes).unwrap()).unwrap()
        })
        .limit("serde_json", || serde_json::to_vec(&parse()).unwrap());
    // It refuses integers past 2^53, as Twitter's document has them.
    match json_canon::to_vec(&parse()) {
        Ok(_) => comparison.peer("json-canon", || json_canon::to_vec(&parse()).unwrap()).run(),
        Err(_) => comparison.run(),
    }
    Comparison::new("text-reused-buffer", case)
        .rounds(40)
        .ours("write_canonical", || {
            buffer.clear();
            write_canonical(bytes, Profile::Tct, &mut buffer).unwrap();
            buffer.len()
        })
        .peer("to_canonical", || to_canonical(bytes, Profile::Tct).unwrap().len())
        .run();
    Comparison::new("check", case)
        .rounds(40)
        .bytes(canonical.len())
        .ours("is_canonical", || is_canonical(&canonical, Profile::Tct))
        .peer("to_canonical", || to_canonical(&canonical, Profile::Tct).unwrap() == canonical)
        .run();
}

/// Whether the case is asked for.
fn is_picked(case: &str) -> bool {
    let picked = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    picked.is_none_or(|picked| case.contains(&picked))
}

/// A document of the package `gjson`, from cargo's copy of it.
#[expect(clippy::disallowed_methods, reason = "the documents are files of a package")]
fn shipped(name: &str) -> Option<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")))?;
    let file = format!("gjson-0.8.1/extra/parity/jsons/{name}.json");
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?.flatten();
    registries.into_iter().find_map(|registry| std::fs::read_to_string(registry.path().join(&file)).ok())
}

/// Typed values to canonical bytes.
fn typed<T: Serialize>(case: &str, value: &T) {
    if !is_picked(case) {
        return;
    }
    println!("# serialize/{case}: {} bytes", serialize::to_vec(value, Profile::Tct).unwrap().len());
    Comparison::new("serialize", case)
        .rounds(40)
        .ours("tct", || serialize::to_vec(value, Profile::Tct).unwrap())
        .peer("serde_json_canonicalizer", || serde_json_canonicalizer::to_vec(value).unwrap())
        .peer("serde_jcs", || serde_jcs::to_vec(value).unwrap())
        .peer("json-canon", || json_canon::to_vec(value).unwrap())
        .limit("serde_json", || serde_json::to_vec(value).unwrap())
        .run();
}

/// A TCT payload of about 20 KB: few members, one long text with paragraphs and some characters beyond ASCII.
#[derive(Serialize)]
struct Payload {
    profile: &'static str,
    #[serde(rename = "llm_url")]
    llm_url: String,
    canonical_url: String,
    title: String,
    language: &'static str,
    modified: &'static str,
    content: String,
    hash: String,
}

fn payload(random: &mut Random) -> Payload {
    let mut content = String::new();
    while content.len() < 20_000 {
        for _ in 0..random.below(80) + 40 {
            content.push_str(random.word());
            content.push(' ');
        }
        content.push_str(["café — ", "“quoted” ", "\"plain\" ", ""][random.below(4)]);
        content.push_str("\n\n");
    }
    Payload {
        profile: "tct-1",
        llm_url: "https://example.com/news/tunnel/llm/".into(),
        canonical_url: "https://example.com/news/tunnel/".into(),
        title: "A tunnel for agents".into(),
        language: "en",
        modified: "2025-10-01T12:00:00Z",
        content,
        hash: format!("sha256-{}", "5f".repeat(32)),
    }
}

/// About 1 MB of small objects, their members not in order.
#[derive(Serialize)]
struct Small {
    id: u32,
    name: String,
    email: String,
    active: bool,
    score: f64,
    tags: Vec<&'static str>,
    parent: Option<u32>,
}

fn small_objects(random: &mut Random) -> Vec<Small> {
    (0..8_000)
        .map(|id| Small {
            id,
            name: format!("{} {}", random.word(), random.word()),
            email: format!("{}@{}.example", random.word(), random.word()),
            active: random.below(2) == 0,
            score: random.below(100_000) as f64 / 100.0,
            tags: (0..random.below(3)).map(|_| random.word()).collect(),
            parent: (random.below(3) == 0).then(|| random.below(8_000) as u32),
        })
        .collect()
}

/// Statuses with users and entities, indented, names not in order, other scripts and escapes in between.
fn twitter_like(random: &mut Random) -> String {
    let statuses: Vec<String> = (0..400)
        .map(|_| {
            let id = 4_505_874_924_095_815 + random.below(1 << 40) as u64;
            let text: String = (0..12)
                .map(|_| {
                    ["日本語の文", "\\u3042", "\\n", "@", "https:\\/\\/t.co\\/"][random.below(5)].to_owned()
                        + random.word()
                })
                .collect();
            format!(
                r#"    {{
      "metadata": {{
        "result_type": "recent",
        "iso_language_code": "ja"
      }},
      "created_at": "Sun Aug 31 00:29:15 +0000 2014",
      "id": {id},
      "id_str": "{id}",
      "text": "{text}",
      "truncated": false,
      "user": {{
        "id": {},
        "name": "{}",
        "screen_name": "{}",
        "description": "{text}",
        "url": null,
        "entities": {{
          "description": {{
            "urls": []
          }}
        }},
        "followers_count": {},
        "friends_count": {},
        "profile_background_color": "C0DEED",
        "default_profile": true
      }},
      "geo": null,
      "retweet_count": {},
      "entities": {{
        "hashtags": [],
        "urls": [],
        "user_mentions": [
          {{
            "screen_name": "{}",
            "id": {},
            "indices": [
              0,
              9
            ]
          }}
        ]
      }},
      "favorited": false
    }}"#,
                random.below(1 << 31),
                random.word(),
                random.word(),
                random.below(5000),
                random.below(5000),
                random.below(50),
                random.word(),
                random.below(1 << 31),
            )
        })
        .collect();
    format!(
        "{{\n  \"statuses\": [\n{}\n  ],\n  \"search_metadata\": {{ \"count\": 400 }}\n}}\n",
        statuses.join(",\n")
    )
}

/// Coordinates with up to 17 significant digits, as in GeoJSON of a coast.
fn canada_like(random: &mut Random) -> String {
    let rings: Vec<String> = (0..100)
        .map(|_| {
            let points: Vec<String> = (0..300)
                .map(|_| {
                    let mut coordinate = |whole: usize| {
                        let sign = if random.below(2) == 0 { "-" } else { "" };
                        let places = [15, 15, 12, 6][random.below(4)];
                        let digits: String =
                            (0..places).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
                        format!("{sign}{}.{digits}", random.below(whole))
                    };
                    format!("[{},{}]", coordinate(180), coordinate(90))
                })
                .collect();
            format!("[{}]", points.join(","))
        })
        .collect();
    format!(
        r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","properties":{{"name":"Coast"}},"geometry":{{"type":"Polygon","coordinates":[{}]}}}}]}}"#,
        rings.join(",")
    )
}

/// Maps keyed by numbers and lists of small integers, indented.
fn citm_like(random: &mut Random) -> String {
    let mut names = String::new();
    for _ in 0..800 {
        let id = 100_000_000 + random.below(300_000_000);
        names.push_str(&format!("    \"{id}\": \"{} {}\",\n", random.word(), random.word()));
    }
    let performances: Vec<String> = (0..700)
        .map(|_| {
            let prices: Vec<String> = (0..4)
                .map(|_| {
                    format!(
                        r#"        {{
          "amount": {},
          "audienceSubCategoryId": 337100890,
          "seatCategoryId": {}
        }}"#,
                        random.below(100_000),
                        random.below(400_000_000)
                    )
                })
                .collect();
            format!(
                r#"    {{
      "eventId": {},
      "id": {},
      "logo": null,
      "name": null,
      "prices": [
{}
      ],
      "seatMapImage": null,
      "start": {},
      "venueCode": "PLEYEL_PLEYEL"
    }}"#,
                random.below(1 << 30),
                random.below(1 << 30),
                prices.join(",\n"),
                1_372_701_600_000u64 + random.below(1 << 30) as u64
            )
        })
        .collect();
    format!(
        "{{\n  \"areaNames\": {{\n{}    \"0\": \"\"\n  }},\n  \"performances\": [\n{}\n  ]\n}}\n",
        names,
        performances.join(",\n")
    )
}

/// Objects one inside the other, each level out of order and with some text of its own.
fn deep_unsorted(levels: usize, text_len: usize) -> String {
    let text = "x".repeat(text_len);
    let open: String =
        (0..levels).map(|level| format!(r#"{{"z":"{text}","m":{{"b":{level},"a":1.50}},"k":"#)).collect();
    let close: String = (0..levels).map(|level| format!(r#","b":{level},"a":"{text}"}}"#)).collect();
    format!("{open}null{close}")
}

/// A small generator of pseudo-random numbers (xorshift), so that every run measures the same bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 16] = [
            "agent",
            "payload",
            "of",
            "the",
            "tunnel",
            "a",
            "hash",
            "canonical",
            "and",
            "document",
            "is",
            "sitemap",
            "to",
            "representation",
            "by",
            "web",
        ];
        WORDS[self.below(WORDS.len())]
    }
}
