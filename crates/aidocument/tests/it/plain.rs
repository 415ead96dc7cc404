//! Most headings, links and images are just as they should be, and are read by a shorter way. The same ones with a member
//! that no version knows take the thorough way: both give the same document and the same findings.
#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use aidocument::v2::Document;
use aidocument::{DocumentFinding, DocumentFindingCode, Limits};

/// A document with one heading, link or image.
fn document(list: &str, members: &str) -> String {
    let headings = if list == "headings" { members } else { r#"{"level":1,"text":"a"}"# };
    let (links, images) = if list == "links" { (members, "") } else { ("", members) };
    let images = if list == "images" { images } else { "" };
    format!(
        r#"{{"schema":{{"name":"AIDocument","version":"2.0"}},
        "source":{{"url":"https://www.example.com/","freshness_policy":"cache_first"}},
        "cache":{{"status":"miss","origin_contacted":true,"body_fetched":true}},
        "identity":{{}},"content":{{"markdown":"x"}},
        "structure":{{"headings":[{headings}],"links":[{links}],"images":[{images}]}},
        "signals":{{"has_json_ld":false,"heading_hierarchy_ok":true}}}}"#
    )
}

/// What of a reading must not depend on the way: all but the member that forces the thorough one.
fn outcome(json: &str) -> (Option<String>, Vec<String>) {
    let reading = Document::read(json.as_bytes(), &Limits::default()).unwrap();
    let is_known = |finding: &&DocumentFinding| finding.code() != DocumentFindingCode::UnknownMember;
    // Without the place: the forcing member moves what comes after it.
    let told =
        |f: &DocumentFinding| format!("{:?} {} {}", f.code(), f.path(), web_values::Finding::message(f));
    let findings = reading.findings().iter().filter(is_known).map(told).collect();
    (reading.document().map(|document| document.to_json().replace(r#","extra":0"#, "")), findings)
}

/// All objects of these members, each spelled in one of its ways or left out.
fn objects(members: &[(&str, &[&str])]) -> Vec<String> {
    members.iter().fold(vec![String::new()], |objects, (name, values)| {
        let mut more = objects.clone();
        for object in &objects {
            more.extend(values.iter().map(|value| {
                let comma = if object.is_empty() { "" } else { "," };
                format!("{object}{comma}\"{name}\":{value}")
            }));
        }
        more
    })
}

#[test]
fn the_short_way_and_the_thorough_one_agree() {
    let texts: &[&str] = &[r#""a""#, r#""a\n\u00e9\ud83d\ude00""#, r#""""#, "null", "7"];
    let urls: &[&str] = &[
        r#""https://www.example.com/a-b_c/d.html?e=f&g=%20#h""#,
        r#""https:\/\/www.example.com/a""#,
        r#""https://example.org""#,
        r#""HTTPS://WWW.example.com/""#,
        r#""https://a:b@www.example.com/""#,
        r#""https://www.example.com/a/../b""#,
        r#""https://www.example.com/?it's""#,
        r#""mailto:a@example.com""#,
        "null",
        "[]",
    ];
    let levels: &[&str] = &["1", "6", "0", "7", "1.0", "10e-1", "-1", "\"1\"", "null"];
    let flags: &[&str] = &["true", "false", "null", "\"true\""];
    let lists: [(&str, Vec<String>); 3] = [
        ("headings", objects(&[("text", texts), ("level", levels), ("id", texts)])),
        ("links", objects(&[("url", urls), ("text", texts), ("internal", flags), ("rel", texts)])),
        ("images", objects(&[("alt", texts), ("url", urls)])),
    ];
    let (mut valid, mut all) = (0, 0);
    for (list, objects) in &lists {
        for object in objects {
            let comma = if object.is_empty() { "" } else { "," };
            let short = outcome(&document(list, &format!("{{{object}}}")));
            let thorough = outcome(&document(list, &format!("{{{object}{comma}\"extra\":0}}")));
            assert_eq!(short, thorough, "{list}: {object}");
            valid += usize::from(short.0.is_some());
            all += 1;
        }
    }
    assert!(valid > 200 && all - valid > 1_000, "{valid} of {all}");
}
