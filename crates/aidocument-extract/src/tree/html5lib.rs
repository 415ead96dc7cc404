//! The tests of the HTML standard, in the notation of html5lib-tests.
//!
//! `cases.dat` beside this file holds cases of our own, whose trees are those of another parser (html5lib in Python).
//! They always run; the project's thousands run where a copy of them is, see [`files`].

use std::cell::RefCell;

use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use serde_json::{Value, json};

use super::guard;
use super::tests::dump;
use super::tokenizer::{self, Scripts};
use crate::html5lib_tests::files;

#[derive(Default)]
struct Case {
    data: String,
    document: String,
    fragment: bool,
    scripting: Option<bool>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        if line == "#data" {
            cases.push(Case::default());
            section = line;
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match line {
            "#errors" | "#new-errors" | "#document" => section = line,
            "#document-fragment" => {
                case.fragment = true;
                section = line;
            }
            "#script-on" => case.scripting = Some(true),
            "#script-off" => case.scripting = Some(false),
            line if section == "#data" => {
                case.data.push_str(line);
                case.data.push('\n');
            }
            line if section == "#document" => {
                case.document.push_str(line);
                case.document.push('\n');
            }
            _ => {}
        }
    }
    for case in &mut cases {
        case.data.pop();
        case.document.truncate(case.document.trim_end_matches('\n').len());
        case.document.push('\n');
    }
    cases
}

/// Runs the cases without a fragment context, where nothing is said about it both with and without scripting.
fn construct(name: &str, text: &str, failures: &mut Vec<String>) -> usize {
    let mut run = 0;
    for case in cases(text).iter().filter(|case| !case.fragment) {
        for scripting in [true, false] {
            if case.scripting.is_some_and(|only| only != scripting) {
                continue;
            }
            run += 1;
            let kept = guard::parse(&case.data, scripting, Scripts::Kept);
            let skipped = guard::parse(&case.data, scripting, Scripts::Skipped);
            assert_eq!(dump(&skipped, false), dump(&kept, false), "{}", case.data);
            let found = dump(&kept, true);
            if found != case.document {
                failures.push(format!(
                    "{name} (scripting {scripting})\n{}\nexpected\n{}found\n{found}",
                    case.data, case.document
                ));
            }
        }
    }
    run
}

#[test]
fn trees_are_those_of_the_standard() {
    let mut failures = Vec::new();
    let own = construct("cases.dat", include_str!("cases.dat"), &mut failures);
    assert!(own >= 50, "{own} cases");
    let mut run = 0;
    for (path, text) in files("tree-construction", "dat") {
        run += construct(&path, std::str::from_utf8(&text).unwrap(), &mut failures);
    }
    println!("{run} tree-construction cases of html5lib, {own} of our own, {} failed", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Collects tokens in the notation of the tokenizer tests. The first start tag of another state than that of data is
/// the one that the test put there.
struct Collected {
    tokens: RefCell<Vec<Value>>,
    raw: RefCell<Option<TokenSinkResult<()>>>,
    foreign: bool,
}

impl TokenSink for Collected {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let token = match token {
            Token::TagToken(tag) => {
                if tag.kind == TagKind::StartTag
                    && let Some(raw) = self.raw.take()
                {
                    return raw;
                }
                match tag.kind {
                    TagKind::EndTag => json!(["EndTag", &*tag.name]),
                    TagKind::StartTag => {
                        let attrs: serde_json::Map<String, Value> = tag
                            .attrs
                            .iter()
                            .map(|attr| (attr.name.local.to_string(), json!(&*attr.value)))
                            .collect();
                        match tag.self_closing {
                            true => json!(["StartTag", &*tag.name, attrs, true]),
                            false => json!(["StartTag", &*tag.name, attrs]),
                        }
                    }
                }
            }
            Token::CommentToken(text) => json!(["Comment", &*text]),
            Token::DoctypeToken(doctype) => {
                let text =
                    |text: Option<html5ever::tendril::StrTendril>| json!(text.map(|text| text.to_string()));
                let correct = !doctype.force_quirks;
                json!([
                    "DOCTYPE",
                    text(doctype.name),
                    text(doctype.public_id),
                    text(doctype.system_id),
                    correct
                ])
            }
            Token::CharacterTokens(text) => json!(["Character", &*text]),
            Token::NullCharacterToken => json!(["Character", "\0"]),
            Token::EOFToken | Token::ParseError(_) => return TokenSinkResult::Continue,
        };
        let mut tokens = self.tokens.borrow_mut();
        match tokens.last_mut() {
            Some(Value::Array(last)) if last[0] == "Character" && token[0] == "Character" => {
                last[1] = json!(format!("{}{}", last[1].as_str().unwrap(), token[1].as_str().unwrap()));
            }
            _ => tokens.push(token),
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.foreign
    }
}

/// The tokens of a text from a state of the standard, or `None` for a state that a page cannot start in here.
fn tokens(state: &str, tag: &str, input: &str) -> Option<Vec<Value>> {
    let start = format!("<{tag}>");
    let (prefix, raw) = match state {
        "Data state" => ("", None),
        "PLAINTEXT state" => (start.as_str(), Some(TokenSinkResult::Plaintext)),
        "RCDATA state" => (start.as_str(), Some(TokenSinkResult::RawData(RawKind::Rcdata))),
        "RAWTEXT state" => (start.as_str(), Some(TokenSinkResult::RawData(RawKind::Rawtext))),
        "Script data state" => (start.as_str(), Some(TokenSinkResult::RawData(RawKind::ScriptData))),
        "CDATA section state" => ("<![CDATA[", None),
        _ => return None,
    };
    let sink = Collected {
        tokens: RefCell::default(),
        raw: RefCell::new(raw),
        foreign: state == "CDATA section state",
    };
    tokenizer::run(&format!("{prefix}{input}"), &sink, &RefCell::default(), Scripts::Kept);
    Some(sink.tokens.into_inner())
}

/// The text that `\uXXXX` stands for where a test escapes twice; `None` for a lone surrogate, which no text holds.
fn unescaped(text: &str) -> Option<String> {
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        units.push(u16::from_str_radix(&rest[at + 2..at + 6], 16).unwrap());
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

fn unescaped_all(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => json!(unescaped(text)?),
        Value::Array(all) => Value::Array(all.iter().map(unescaped_all).collect::<Option<_>>()?),
        Value::Object(all) => Value::Object(
            all.iter()
                .map(|(name, value)| Some((unescaped(name)?, unescaped_all(value)?)))
                .collect::<Option<_>>()?,
        ),
        other => other.clone(),
    })
}

/// What the tests of the tokenizer say, as far as the tree can tell: errors are not compared.
#[test]
fn tokens_are_those_of_the_standard() {
    let (mut run, mut left_out, mut failures) = (0, 0, Vec::new());
    let own = json!({ "tests": [
        { "description": "tags", "input": "<A B=c d>x</A >", "output":
            [["StartTag", "a", { "b": "c", "d": "" }], ["Character", "x"], ["EndTag", "a"]] },
        { "description": "references", "input": "&lt;&#x41;&notit;", "output": [["Character", "<A¬it;"]] },
        { "description": "comment", "input": "<!--a--!>b", "output": [["Comment", "a"], ["Character", "b"]] },
        { "description": "doctype", "input": "<!DOCTYPE html>", "output": [["DOCTYPE", "html", null, null, true]] },
        { "description": "raw text", "initialStates": ["RCDATA state"], "lastStartTag": "title",
          "input": "a<b>&amp;</title>", "output": [["Character", "a<b>&"], ["EndTag", "title"]] },
        { "description": "script", "initialStates": ["Script data state"], "lastStartTag": "script",
          "input": "<!--<script></script>--></script>",
          "output": [["Character", "<!--<script></script>-->"], ["EndTag", "script"]] },
    ]});
    let theirs = files("tokenizer", "test")
        .into_iter()
        .map(|(path, text)| (path, serde_json::from_slice(&text).unwrap()));
    for (name, tests) in std::iter::once(("our own".to_owned(), own)).chain(theirs) {
        for test in tests["tests"].as_array().into_iter().flatten() {
            let test = match test["doubleEscaped"] == true {
                true => unescaped_all(test),
                false => Some(test.clone()),
            };
            let Some(test) = test else {
                left_out += 1;
                continue;
            };
            let tag = test["lastStartTag"].as_str().unwrap_or("other");
            let states =
                test["initialStates"].as_array().cloned().unwrap_or_else(|| vec![json!("Data state")]);
            for state in states {
                let (state, input) = (state.as_str().unwrap(), test["input"].as_str().unwrap());
                let Some(found) = tokens(state, tag, input) else {
                    left_out += 1;
                    continue;
                };
                run += 1;
                if json!(found) != test["output"] {
                    failures.push(format!(
                        "{name}: {} ({state})\n{input:?}\nexpected {}\nfound    {}",
                        test["description"],
                        test["output"],
                        json!(found)
                    ));
                }
            }
        }
    }
    println!("{run} tokenizer cases, {left_out} left out, {} failed", failures.len());
    assert!(run >= 6 && failures.is_empty(), "{}", failures.join("\n"));
}

/// The tokens of html5ever's own tokenizer, from a state of the standard.
fn theirs(raw: Option<RawKind>, tag: &str, foreign: bool, input: &str) -> Vec<Value> {
    let sink = Collected { tokens: RefCell::default(), raw: RefCell::new(None), foreign };
    let options = TokenizerOpts {
        initial_state: raw.map(State::RawData),
        last_start_tag_name: Some(tag.to_owned()),
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(sink, options);
    let queue = BufferQueue::default();
    queue.push_back(input.into());
    // Nothing here makes it pause.
    let _ = tokenizer.feed(&queue);
    assert!(queue.is_empty());
    tokenizer.end();
    let mut tokens = tokenizer.sink.tokens.into_inner();
    // No text is no token.
    tokens.retain(|token| *token != json!(["Character", ""]));
    tokens
}

/// Texts of pieces at which tokenizers go wrong: the tokens are those of html5ever, whose tokenizer goes by the standard's states.
#[test]
fn tokens_are_those_of_html5ever() {
    const PIECES: [&str; 56] = [
        "<",
        ">",
        "/",
        "!",
        "?",
        "-",
        "--",
        "=",
        "\"",
        "'",
        "`",
        "&",
        ";",
        "#",
        " ",
        "\n",
        "\t",
        "\u{c}",
        "\r\n",
        "\r",
        "\0",
        "a",
        "B",
        "é",
        "1",
        "<a",
        "</a",
        "<a ",
        "<a b=c",
        "<a b='",
        "<a b=\"",
        "</title>",
        "</title ",
        "</TITLE",
        "</script>",
        "</style",
        "<script>",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!",
        "<!x>",
        "<?x>",
        "</!",
        "<!doctype html>",
        "<!DOCTYPE",
        "PUBLIC \"x\"",
        "SYSTEM 'y'",
        "<![CDATA[",
        "]]>",
        "]]",
        "&amp;",
        "&amp",
        "&notit;",
        "&#x41;",
    ];
    let mut state = 11_u64;
    let mut pick = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let states = [
        ("Data state", None, "other"),
        ("RCDATA state", Some(RawKind::Rcdata), "title"),
        ("RAWTEXT state", Some(RawKind::Rawtext), "style"),
        ("Script data state", Some(RawKind::ScriptData), "script"),
    ];
    for _ in 0..30_000 {
        let input: String = (0..1 + pick(9)).map(|_| PIECES[pick(PIECES.len())]).collect();
        let (name, raw, tag) = states[pick(states.len() * 2).saturating_sub(states.len())];
        let found = tokens(name, tag, &input).unwrap();
        assert_eq!(json!(found), json!(theirs(raw, tag, false, &input)), "{name}: {input:?}");
        let found = tokens("CDATA section state", "other", &input).unwrap();
        let expected = theirs(None, "other", true, &format!("<![CDATA[{input}"));
        assert_eq!(json!(found), json!(expected), "CDATA: {input:?}");
    }
}
