//! Memory of reading: at most eight bytes for each byte of the text, at any size, whatever the text repeats; the
//! findings come on top, at most 2,000 of a few hundred bytes. On a stack of 256 KiB.
#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use aidocument::{AnyDocument, Document, Limits, v2};

/// What the findings and the first allocations may take.
const FINDINGS: u64 = 1 << 20;

fn v1(member: &str) -> String {
    format!(
        r#"{{"url":"https://a.example/","title":"t","markdown":"","headings":[],"links":[],"meta":{{"language":"en","word_count":1,"reading_time":1}},"crawl":{{"fetched_at":"2026-05-10T12:34:56Z","status_code":200,"render_mode":"static","fetch_duration_ms":1,"content_length":1,"user_agent":"AIWebIndex/1.0"}},{member}}}"#
    )
}

/// The document of 1.0 with one of its lists in place of the empty one.
fn v1_list(name: &str, items: &str) -> String {
    v1("\"x\":1").replace(&format!("\"{name}\":[]"), &format!("\"{name}\":[{items}]"))
}

fn v2_structure(member: &str) -> String {
    format!(
        r#"{{"schema":{{"name":"AIDocument","version":"2.0"}},"source":{{"url":"https://a.example/","freshness_policy":"cache_first"}},"cache":{{"status":"hit","origin_contacted":false,"body_fetched":false}},"identity":{{}},"content":{{"markdown":""}},"structure":{{{member}}},"signals":{{"has_json_ld":true,"heading_hierarchy_ok":true}}}}"#
    )
}

fn repeated(piece: &str, bytes: usize) -> String {
    let mut text = piece.repeat(bytes / piece.len());
    text.pop();
    text
}

/// Members with names of their own, in an order that is not that of the names.
fn named(value: &str, bytes: usize) -> String {
    let count = bytes / (value.len() + 10);
    let names = (0..count).map(|n| format!("\"{:06x}\":{value}", (n * 7919) % 0xff_ffff));
    names.collect::<Vec<_>>().join(",")
}

fn texts(bytes: usize) -> Vec<(&'static str, String)> {
    vec![
        ("links of numbers", v1_list("links", &repeated("1,", bytes))),
        ("headings of numbers", v1_list("headings", &repeated("7,", bytes))),
        ("links", v1_list("links", &repeated(r#"{"url":"http://a/","internal":false},"#, bytes))),
        (
            "links to be normalised",
            v1_list("links", &repeated(r#"{"url":"http://a","internal":false},"#, bytes)),
        ),
        ("headings", v1_list("headings", &repeated(r#"{"level":1,"text":""},"#, bytes))),
        (
            "headings with unknown members",
            v1_list("headings", &repeated(r#"{"level":1,"text":"","a":1},"#, bytes)),
        ),
        ("images", v1(&format!(r#""images":[{}]"#, repeated(r#"{"url":"http://a/"},"#, bytes)))),
        ("unknown array", v1(&format!(r#""y":[{}]"#, repeated("1,", bytes)))),
        ("unknown arrays", v1(&format!(r#""y":[{}]"#, repeated("[],", bytes)))),
        ("unknown objects", v1(&format!(r#""y":[{}]"#, repeated("{\"q\":1},", bytes)))),
        ("numbers that grow", v1(&format!(r#""y":[{}]"#, repeated("1e15,", bytes)))),
        ("unknown members", v1(&named("1", bytes))),
        ("nested unknown members", v1(&format!(r#""y":{{{}}}"#, named("1", bytes)))),
        ("types", v1(&format!(r#""structured_data":{{{}}}"#, named("[1]", bytes)))),
        ("nodes", v1(&format!(r#""structured_data":{{"A":[{}]}}"#, repeated("{},", bytes)))),
        (
            "keywords",
            v1("\"y\":1").replace(
                r#""reading_time":1"#,
                &format!(r#""reading_time":1,"keywords":[{}]"#, repeated("\"\",", bytes)),
            ),
        ),
        (
            "keywords in a text",
            v1("\"y\":1").replace(
                r#""reading_time":1"#,
                &format!(r#""reading_time":1,"keywords":"{}""#, repeated("a,", bytes)),
            ),
        ),
        (
            "escapes",
            v1("\"y\":1")
                .replace(r#""markdown":"""#, &format!(r#""markdown":"{}n""#, repeated("\\n", bytes))),
        ),
        (
            "headings of 2.0",
            v2_structure(&format!(r#""headings":[{}]"#, repeated(r#"{"level":1,"text":""},"#, bytes))),
        ),
        ("data of 2.0", v2_structure(&format!(r#""structured_data":{{{}}}"#, named("[]", bytes)))),
        ("brackets", format!("[{}", "[".repeat(bytes))),
        ("top level", format!("[{}]", repeated("{\"q\":1},", bytes))),
    ]
}

/// The heap at its highest, over what it was before.
fn peak(read: impl FnOnce()) -> u64 {
    allocation_counter::measure(read).bytes_max
}

#[test]
fn reading_takes_at_most_eight_bytes_a_byte() {
    let run = || {
        let mut faults = Vec::new();
        for bytes in [50_000, 500_000] {
            for (name, text) in texts(bytes) {
                let json = text.as_bytes();
                let flat = peak(|| drop(Document::read(json, &Limits::default())));
                let grouped = peak(|| drop(v2::Document::read(json, &Limits::default())));
                let any = peak(|| drop(AnyDocument::read(json, &Limits::default())));
                let most = flat.max(grouped).max(any);
                if most > 8 * json.len() as u64 + FINDINGS {
                    faults.push(format!("{name}: {most} bytes for {}", json.len()));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

/// The shapes that make the most findings and nodes, as large as a limit may be set. 64 MiB take an optimised build.
#[test]
fn large_texts_take_no_more_memory_a_byte() {
    for bytes in if cfg!(debug_assertions) { &[4 << 20][..] } else { &[4 << 20, 64 << 20] } {
        for (name, text) in [
            ("links of numbers", v1_list("links", &repeated("1,", *bytes))),
            ("top level", format!("[{}]", repeated("{\"q\":1},", *bytes))),
            ("unknown objects", v1(&format!(r#""y":[{}]"#, repeated("{\"q\":1},", *bytes)))),
        ] {
            let json = text.as_bytes();
            let limits = Limits { max_bytes: json.len(), ..Limits::default() };
            let mut found = (0, 0);
            let used = peak(|| {
                let reading = Document::read(json, &limits).unwrap();
                found = (reading.findings().len(), reading.omitted());
            });
            assert!(used <= 8 * json.len() as u64 + FINDINGS, "{name}: {used} bytes for {}", json.len());
            let (kept, omitted) = found;
            assert!(kept <= 2_000, "{name}: {kept} findings and {omitted} more");
            if name == "links of numbers" {
                assert!(kept + omitted >= bytes / 2, "{name}: {kept} findings and {omitted} more");
            }
        }
    }
}

/// What was read is written on the same stack, at the default depth.
#[test]
fn the_deepest_document_is_written() {
    let run = || {
        let deep = v1(&format!(r#""y":{}{}"#, "[".repeat(126), "]".repeat(126)));
        let document = Document::parse(deep.as_bytes()).unwrap();
        assert_eq!(Document::parse(document.to_json().as_bytes()).unwrap(), document);
        assert_eq!(serde_json::to_string(&document).unwrap(), document.to_json());
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}
