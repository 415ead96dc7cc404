//! The responses of the last audit of a site, so that the next one can send their validators.
//!
//! ```text
//! FOLDER/<hash>.answer   a line of JSON with key, URL, status and fields of an answer; its body, content coding undone
//! FOLDER/<hash>.….part   the same while one audit writes it; several may use a folder at a time
//! ```
//!
//! Only whole answers with a validator are kept, and none that says `no-store`. A key (method, URL, what is accepted) is asked
//! for with its validators once in a run: a check that asks a second time wants to see a second answer.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use http::header::{CACHE_CONTROL, ETAG, LAST_MODIFIED};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};
use tct_fingerprint::Fingerprint;
use url::Url;
use web_values::CacheControl;

use crate::fetch::Answer;

/// Answers of earlier runs are dropped, the oldest first, until what is kept is no larger than this.
const MAX_BYTES: u64 = 256 << 20;

/// A folder of answers.
#[derive(Debug)]
pub(crate) struct Stored {
    folder: PathBuf,
    asked: HashSet<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    key: String,
    url: Url,
    status: u16,
    fields: Vec<(String, String)>,
    received: u64,
}

#[expect(clippy::disallowed_methods, reason = "the folder that was named on the command line")]
impl Stored {
    /// Opens a folder, and makes it where there is none.
    pub(crate) fn open(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            // Nobody else's files.
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name.split_once('.').is_some_and(|(hash, ending)| {
                hash.len() == 64 && (ending == "answer" || ending.ends_with("part"))
            });
            // Another audit may have renamed or removed it since.
            if let (true, Ok(about)) = (is_ours, entry.metadata()) {
                files.push((about.modified()?, about.len(), entry.path()));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, len, _)| len).sum();
        for (_, len, path) in files {
            if bytes <= MAX_BYTES {
                break;
            }
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => bytes -= len,
            }
        }
        Ok(Stored { folder: folder.to_owned(), asked: HashSet::new() })
    }

    /// The answer to a request in an earlier run, the first time that it is asked for in this one.
    pub(crate) fn take(&mut self, key: &str) -> Option<Answer> {
        if !self.asked.insert(key.to_owned()) {
            return None;
        }
        let kept = std::fs::read(self.folder.join(name_of(key, "answer"))).ok()?;
        let end = kept.iter().position(|&byte| byte == b'\n')?;
        let (head, body) = kept.split_at_checked(end + 1)?;
        let head: Head = serde_json::from_slice(head).ok()?;
        let mut headers = HeaderMap::new();
        for (name, value) in &head.fields {
            headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        let status = StatusCode::from_u16(head.status).ok()?;
        let answer =
            Answer { url: head.url, status, headers, body: body.to_vec().into(), received: head.received };
        (head.key == key).then_some(answer)
    }

    /// Keeps an answer that a validator can ask about. What cannot be written is not kept.
    pub(crate) fn keep(&self, key: &str, answer: &Answer) {
        let lines = || answer.headers.get_all(CACHE_CONTROL).iter().filter_map(|line| line.to_str().ok());
        if answer.status != StatusCode::OK
            || validators(answer).is_empty()
            || !CacheControl::parse(lines()).may_store_privately()
        {
            return;
        }
        let fields = answer.fields();
        let fields = fields.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let head = Head {
            key: key.to_owned(),
            url: answer.url.clone(),
            status: answer.status.as_u16(),
            fields: fields.collect(),
            received: answer.received,
        };
        let Ok(mut bytes) = serde_json::to_vec(&head) else { return };
        bytes.push(b'\n');
        bytes.extend_from_slice(&answer.body);
        // Head and body in one step: an old head must not vouch for a new body. No other audit writes to a file of this name.
        let part =
            tempfile::Builder::new().prefix(&name_of(key, "")).suffix(".part").tempfile_in(&self.folder);
        let _kept = part.and_then(|mut part| {
            part.write_all(&bytes)?;
            Ok(part.persist(self.folder.join(name_of(key, "answer")))?)
        });
    }
}

/// The name of a file for this key.
fn name_of(key: &str, ending: &str) -> String {
    format!("{}.{ending}", Fingerprint::hash(key.as_bytes()).to_string().trim_start_matches("sha256-"))
}

/// The fields that ask whether an answer is still the same.
pub(crate) fn validators(answer: &Answer) -> HeaderMap {
    let mut fields = HeaderMap::new();
    for (from, to) in [(ETAG, http::header::IF_NONE_MATCH), (LAST_MODIFIED, http::header::IF_MODIFIED_SINCE)]
    {
        if let Some(value) = answer.headers.get(from) {
            fields.insert(to, value.clone());
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_with_a_validator_is_kept_and_given_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(ETAG, HeaderValue::from_static("\"a\""));
        let url = Url::parse("https://x.example/").unwrap();
        let answer = Answer { url, status: StatusCode::OK, headers, body: "text".into(), received: 4 };
        let mut stored = Stored::open(folder.path()).unwrap();
        assert!(stored.take("a").is_none());
        stored.keep("a", &answer);
        assert!(stored.take("a").is_none(), "asked for a second time in one run");
        let mut private = answer.clone();
        private.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        stored.keep("b", &private);
        let mut plain = answer.clone();
        plain.headers.clear();
        stored.keep("c", &plain);
        let mut next = Stored::open(folder.path()).unwrap();
        assert_eq!(next.take("a").map(|found| found.body), Some(answer.body));
        assert!(next.take("b").is_none() && next.take("c").is_none());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "head and body in one file");
    }

    fn answer(body: &'static [u8]) -> Answer {
        let headers = HeaderMap::from_iter([(ETAG, HeaderValue::from_static("\"a\""))]);
        let url = Url::parse("https://x.example/").unwrap();
        Answer { url, status: StatusCode::OK, headers, body: body.into(), received: 4 }
    }

    /// Several audits at a time in one folder: each answer is one audit's, whole, and no file that comes or goes ends another audit.
    #[test]
    fn audits_in_one_folder_do_not_mix_their_answers() {
        static BODIES: [&[u8]; 2] = [&[b'a'; 300_000], &[b'b'; 200_000]];
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for body in BODIES {
                let folder = folder.path();
                scope.spawn(move || {
                    let stored = Stored::open(folder).unwrap();
                    (0..200).for_each(|_| stored.keep("a", &answer(body)));
                });
            }
            for _ in 0..200 {
                let mut reader = Stored::open(folder.path()).unwrap();
                if let Some(found) = reader.take("a") {
                    assert!(BODIES.contains(&&found.body[..]), "{} bytes", found.body.len());
                }
            }
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
