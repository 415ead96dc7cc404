//! Each function in SQL: its answers, its types, null, bad rows.

use std::sync::Arc;

use corpus::functions;
use corpus::session::{self, Resources};
use datafusion::arrow::array::{
    ArrayRef, AsArray, BinaryArray, DictionaryArray, Int32Array, LargeStringArray, RecordBatch, StringArray,
    StringViewArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int32Type};
use datafusion::prelude::SessionContext;
use tct_canonical_json::Profile;

const RESOURCES: Resources = Resources { memory_bytes: 64 << 20, partitions: 1 };

/// A session with the rows as the table `t`, whose columns are `c0`, `c1` and so on.
fn table(columns: Vec<ArrayRef>) -> (SessionContext, Arc<functions::Counts>) {
    let (session, counts) = session::local(RESOURCES).unwrap();
    let names: Vec<String> = (0..columns.len()).map(|index| format!("c{index}")).collect();
    let batch =
        RecordBatch::try_from_iter_with_nullable(names.into_iter().zip(columns).map(|(n, c)| (n, c, true)));
    session.register_batch("t", batch.unwrap()).unwrap();
    (session, counts)
}

/// The first column of a query's answer, as text.
async fn texts(session: &SessionContext, sql: &str) -> Vec<Option<String>> {
    let mut rows = Vec::new();
    for batch in session.sql(sql).await.unwrap().collect().await.unwrap() {
        let column = cast(batch.column(0), &DataType::Utf8).unwrap();
        rows.extend(column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)));
    }
    rows
}

async fn one(sql: &str) -> String {
    let (session, _) = session::local(RESOURCES).unwrap();
    texts(&session, sql).await.remove(0).unwrap()
}

fn strings(rows: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(rows.to_vec()))
}

#[tokio::test]
async fn the_functions_give_the_published_answers() {
    assert_eq!(one("SELECT tct_normalize('  Caf&eacute;' || chr(9) || 'CRÈME ')").await, "café crème");
    let print = "sha256-ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    assert_eq!(one("SELECT tct_fingerprint_text('A')").await, print);
    assert_eq!(one("SELECT 'sha256-' || encode(tct_fingerprint(' a '), 'hex')").await, print);
    assert_eq!(one(r#"SELECT canonical_json('{"b": 1.0, "a": [ ]}')"#).await, r#"{"a":[],"b":1}"#);
    let robots = "'User-agent: *' || chr(10) || 'Disallow: /x'";
    assert_eq!(
        one(&format!("SELECT robots_allowed({robots}, 'AIWebIndex', 'https://e.example/x/y')")).await,
        "false"
    );
    assert_eq!(
        one(&format!("SELECT robots_allowed({robots}, 'AIWebIndex', 'https://e.example/y')")).await,
        "true"
    );
}

#[tokio::test]
async fn extraction_gives_markdown_text_and_a_document() {
    let page = "'<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Green, <b>black</b>.</main>', 'https://e.example/'";
    assert_eq!(one(&format!("SELECT extract_markdown({page})")).await, "# Tea\n\nGreen, **black**.");
    assert_eq!(one(&format!("SELECT extract_text({page})")).await, "Tea\n\nGreen, black.");
    for (call, instant) in [
        (format!("extract_document({page})"), "1970-01-01T00:00:00Z"),
        (format!("extract_document({page}, '2026-05-10T12:34:56Z')"), "2026-05-10T12:34:56Z"),
    ] {
        let json = one(&format!("SELECT {call}")).await;
        let document = aidocument::Document::parse(json.as_bytes()).unwrap();
        assert_eq!(document.title(), "Tea");
        assert_eq!(document.crawl().fetched_at().to_string(), instant);
    }
    for (call, instant) in [
        (format!("extract_document_v2({page})"), None),
        (
            format!("extract_document_v2({page}, '2026-05-10T12:34:56Z')"),
            Some("2026-05-10T12:34:56Z".to_owned()),
        ),
    ] {
        let json = one(&format!("SELECT {call}")).await;
        let document = aidocument::v2::Document::parse(json.as_bytes()).unwrap();
        assert_eq!(document.identity().title.as_deref(), Some("Tea"));
        assert_eq!(document.source().fetched_at.map(|at| at.to_string()), instant);
    }
}

#[tokio::test]
async fn the_types_are_those_of_the_documentation() {
    let (session, _) = table(vec![strings(&[Some("{}")])]);
    for (call, expected) in [
        ("tct_normalize(c0)", DataType::LargeUtf8),
        ("tct_fingerprint(c0)", DataType::FixedSizeBinary(32)),
        ("tct_fingerprint_text(c0)", DataType::Utf8),
        ("canonical_json(c0)", DataType::LargeUtf8),
        ("robots_allowed(c0, c0, c0)", DataType::Boolean),
        ("extract_markdown(c0, c0)", DataType::LargeUtf8),
        ("extract_text(c0, c0)", DataType::LargeUtf8),
        ("extract_document(c0, c0)", DataType::LargeUtf8),
        ("extract_document_v2(c0, c0)", DataType::LargeUtf8),
    ] {
        let batches = session.sql(&format!("SELECT {call} FROM t")).await.unwrap().collect().await.unwrap();
        assert_eq!(batches[0].column(0).data_type(), &expected, "{call}");
        let name = call.split_once('(').unwrap().0;
        let listed =
            functions::signatures().find(|signature| signature.starts_with(&format!("{name}("))).unwrap();
        assert!(listed.ends_with(&format!(" -> {expected}")), "{listed}");
    }
    assert_eq!(functions::signatures().count(), 9);
}

#[tokio::test]
async fn null_gives_null_and_bad_rows_give_null_and_a_warning() {
    let url = Some("https://e.example/");
    let (session, counts) = table(vec![
        strings(&[Some("{}"), Some("not json"), Some("{\"a\":1,\"a\":2}"), None]),
        strings(&[url, Some("no url"), Some("mailto:a@e.example"), None]),
        strings(&[Some("2026-05-10T12:34:56Z"), Some("yesterday"), None, None]),
    ]);
    for (call, answered) in [
        ("tct_normalize(c0)", 3),
        ("tct_fingerprint(c0)", 3),
        ("tct_fingerprint_text(c0)", 3),
        ("canonical_json(c0)", 1),
        ("robots_allowed('', 'AIWebIndex', c1)", 1),
        ("robots_allowed(NULL, 'AIWebIndex', c1)", 0),
        ("extract_markdown(c0, c1)", 1),
        ("extract_text(c0, 'https://e.example/')", 3),
        ("extract_document(c0, 'https://e.example/', c2)", 1),
    ] {
        let rows = texts(&session, &format!("SELECT CAST(count({call}) AS VARCHAR) FROM t")).await;
        assert_eq!(rows, [Some(answered.to_string())], "{call}");
    }
    assert_eq!(
        counts.warnings(),
        [("canonical_json", 2), ("robots_allowed", 2), ("extract_markdown", 2), ("extract_document", 1)]
    );
    assert!(counts.asked() > 0);
}

#[tokio::test]
async fn every_type_of_text_gives_the_same() {
    let rows = [
        Some("  Ünïcode &amp; more "),
        None,
        Some(""),
        Some("{\"b\":2,\"a\":1}"),
        Some("a longer text, no inline view"),
    ];
    let expected: Vec<Option<String>> =
        rows.iter().map(|row| row.map(|text| tct_fingerprint::fingerprint(text).to_string())).collect();
    let keys = Int32Array::from(vec![Some(0), None, Some(2), Some(3), Some(4)]);
    let dictionary: DictionaryArray<Int32Type> = DictionaryArray::try_new(keys, strings(&rows)).unwrap();
    let columns: Vec<ArrayRef> = vec![
        strings(&rows),
        Arc::new(LargeStringArray::from(rows.to_vec())),
        Arc::new(StringViewArray::from(rows.to_vec())),
        Arc::new(dictionary),
    ];
    for column in columns {
        // A slice must not show what stands before it.
        let longer: Vec<ArrayRef> = vec![column.slice(1, 4)];
        let (session, _) = table(vec![Arc::clone(&column)]);
        assert_eq!(
            texts(&session, "SELECT tct_fingerprint_text(c0) FROM t").await,
            expected,
            "{}",
            column.data_type()
        );
        let (session, _) = table(longer);
        assert_eq!(texts(&session, "SELECT tct_fingerprint_text(c0) FROM t").await, expected[1..]);
        let normalized = texts(&session, "SELECT tct_normalize(c0) FROM t").await;
        assert_eq!(normalized[2].as_deref(), Some("{\"b\":2,\"a\":1}"));
        let canonical = texts(&session, "SELECT canonical_json(c0) FROM t").await;
        assert_eq!(canonical, [None, None, Some("{\"a\":1,\"b\":2}".to_owned()), None]);
    }
}

#[tokio::test]
async fn pages_of_bytes_are_decoded_and_pages_of_text_are_not_decoded_twice() {
    let latin = b"<meta charset=windows-1252><title>x</title><main><p>Caf\xe9 au lait</p></main>".as_slice();
    let text = "<meta charset=windows-1252><title>x</title><main><p>Caf\u{e9} au lait</p></main>";
    let (session, _) = table(vec![Arc::new(BinaryArray::from(vec![latin])), strings(&[Some(text)])]);
    for column in ["c0", "arrow_cast(c0, 'LargeBinary')", "arrow_cast(c0, 'BinaryView')", "c1"] {
        let rows =
            texts(&session, &format!("SELECT extract_text({column}, 'https://e.example/') FROM t")).await;
        assert_eq!(rows, [Some("Caf\u{e9} au lait".to_owned())], "{column}");
    }
}

#[tokio::test]
async fn robots_of_many_sites_and_agents_are_kept_apart() {
    let files =
        ["User-agent: a\nDisallow: /1", "User-agent: b\nDisallow: /2\nUser-agent: *\nDisallow: /3", ""];
    let mut rows: Vec<[String; 3]> = Vec::new();
    for round in 0..40_usize {
        let file = files[round * 7 % 3];
        let agent = ["a", "b", "c"][round * 5 % 3];
        rows.push([file.to_owned(), agent.to_owned(), format!("https://e.example/{}", round % 4)]);
    }
    let column = |index: usize| {
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row[index]))) as ArrayRef
    };
    let (session, _) = table(vec![column(0), column(1), column(2)]);
    let answers = texts(&session, "SELECT robots_allowed(c0, c1, c2) FROM t").await;
    let expected: Vec<Option<String>> = rows
        .iter()
        .map(|[file, agent, url]| {
            let url = url::Url::parse(url).unwrap();
            let robots = robots::Robots::parse(file.as_bytes());
            Some(robots.decide(agent.as_str(), &url).is_allowed().to_string())
        })
        .collect();
    assert_eq!(answers, expected);
    assert!(answers.iter().any(|answer| answer.as_deref() == Some("false")));
}

#[tokio::test]
async fn json_is_written_as_the_library_writes_it() {
    let rows: Vec<String> = (0..2_000)
        .map(|n| match n % 4 {
            0 => format!("{{\"z\":{n}.50,\"a\":[{n},true, null]}}"),
            1 => format!("[\"\\u00e9{n}\", {n}e3]"),
            2 => format!("{{\"broken\":{n}"),
            _ => n.to_string(),
        })
        .collect();
    let (session, counts) = table(vec![Arc::new(StringArray::from_iter_values(&rows))]);
    let answers = texts(&session, "SELECT canonical_json(c0) FROM t").await;
    let expected: Vec<Option<String>> = rows
        .iter()
        .map(|row| tct_canonical_json::to_canonical(row.as_bytes(), Profile::Rfc8785).ok())
        .map(|bytes| bytes.map(|bytes| String::from_utf8(bytes).unwrap()))
        .collect();
    assert_eq!(answers, expected);
    assert_eq!(counts.warnings(), [("canonical_json", 500)]);
}

#[tokio::test]
async fn calls_with_other_arguments_are_refused_when_the_query_is_planned() {
    let (session, _) = table(vec![Arc::new(Int32Array::from(vec![1]))]);
    for (call, expected) in [
        ("tct_fingerprint(c0)", "tct_fingerprint(text): expected text for `text`, found Int32"),
        ("tct_fingerprint(arrow_cast('a', 'Binary'))", "expected text for `text`, found Binary"),
        ("robots_allowed('', '')", "expected robots_allowed(robots, agent, url), found 2 arguments"),
        ("extract_document('')", "expected extract_document(html, url [, fetched_at]), found 1 arguments"),
    ] {
        let error = match session.sql(&format!("SELECT {call} FROM t")).await {
            Ok(frame) => frame.collect().await.unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains(expected), "{call}: {error}");
    }
}

/// Rows that no crawl should hold, and some do.
fn hostile() -> Vec<String> {
    let mut rows: Vec<String> =
        ["<", "&", "&#xD800;", "\u{feff}", "\0", "\u{202e}a", "{", "[", "\"\\ud800\"", "1e999", "-"]
            .iter()
            .flat_map(|part| [1, 2, 3_000].map(|times| part.repeat(times)))
            .collect();
    rows.extend([
        "<div>".repeat(5_000),
        "a\u{301}".repeat(3_000),
        "*".repeat(9_000),
        format!("Disallow: /{}$", "*a".repeat(3_000)),
    ]);
    rows.push(format!("User-agent: *\r{}", "Disallow: /x\r".repeat(2_000)));
    rows.push(format!("https://e.example/{}", "%2".repeat(3_000)));
    rows
}

#[tokio::test]
async fn hostile_rows_never_fail_a_job() {
    let rows = hostile();
    let column: ArrayRef = Arc::new(StringArray::from_iter_values(&rows));
    let (session, counts) = table(vec![column]);
    for call in [
        "tct_normalize(c0)",
        "tct_fingerprint(c0)",
        "tct_fingerprint_text(c0)",
        "canonical_json(c0)",
        "robots_allowed(c0, c0, c0)",
        "robots_allowed(c0, 'AIWebIndex', 'https://e.example/xaaaaaaaaaaaa')",
        "extract_markdown(c0, 'https://e.example/')",
        "extract_text(arrow_cast(c0, 'Binary'), 'https://e.example/')",
        "extract_document(c0, 'https://e.example/', c0)",
        "extract_document(c0, c0)",
    ] {
        let batches = session.sql(&format!("SELECT {call} FROM t")).await.unwrap().collect().await.unwrap();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), rows.len(), "{call}");
    }
    assert!(counts.warnings().iter().any(|(function, _)| *function == "canonical_json"));
}
