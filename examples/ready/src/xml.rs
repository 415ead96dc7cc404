//! Reads sitemaps, and the root of an XML document, as a stream.

use std::io::Read as _;

use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;

/// What a sitemap may have at most, unpacked. Spec: READY-MAP-2.
pub(crate) const MAX_SITEMAP_BYTES: usize = 52_428_800;

/// A sitemap, as far as it was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sitemap {
    /// Whether it lists sitemaps.
    pub(crate) is_index: bool,
    /// Entries with or without an address.
    pub(crate) entries: usize,
    pub(crate) locs: Vec<String>,
    pub(crate) dates: Vec<String>,
    /// Whether it is larger than [`MAX_SITEMAP_BYTES`]; nothing else was read then.
    pub(crate) is_too_large: bool,
}

impl Sitemap {
    /// Reads a body: XML, packed or not, or, where it came as `text/plain`, a list of URLs.
    pub(crate) fn read(body: &[u8], is_plain: bool) -> Option<Self> {
        let mut unpacked = Vec::new();
        let (bytes, is_whole) = match body.starts_with(&[0x1f, 0x8b]) {
            true => {
                let limit = MAX_SITEMAP_BYTES as u64 + 1;
                let read = flate2::read::MultiGzDecoder::new(body).take(limit).read_to_end(&mut unpacked);
                (unpacked.as_slice(), read.is_ok() && unpacked.len() <= MAX_SITEMAP_BYTES)
            }
            false => (body, body.len() <= MAX_SITEMAP_BYTES),
        };
        let is_too_large = bytes.len() > MAX_SITEMAP_BYTES;
        if !is_whole && !is_too_large {
            return None;
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        match read_xml(text, is_too_large) {
            Some(sitemap) => Some(sitemap),
            None if is_plain => read_list(text, is_too_large),
            None => None,
        }
    }
}

fn read_list(text: &str, is_too_large: bool) -> Option<Sitemap> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let locs: Vec<String> = lines.map(str::to_owned).collect();
    let is_list = !locs.is_empty() && locs.iter().all(|line| crate::exchange::absolute(line).is_some());
    is_list.then(|| Sitemap { entries: locs.len(), locs, is_too_large, ..Sitemap::default() })
}

/// Two levels down are the members of entries; deeper ones belong to extensions, such as `image:loc`.
fn read_xml(text: &str, only_root: bool) -> Option<Sitemap> {
    let mut reader = quick_xml::Reader::from_str(text);
    // An empty element is a start and an end.
    reader.config_mut().expand_empty_elements = true;
    let mut sitemap = Sitemap { is_too_large: only_root, ..Sitemap::default() };
    let mut path: Vec<Vec<u8>> = Vec::new();
    let mut value: Option<String> = None;
    loop {
        let at = reader.buffer_position();
        match reader.read_event().ok()? {
            // XML 1.0, production 22: nothing comes before the declaration.
            Event::Decl(_) if at > 0 => return None,
            Event::Start(tag) => {
                let name = tag.local_name().as_ref().to_vec();
                match path.len() {
                    0 => match name.as_slice() {
                        b"urlset" => {}
                        b"sitemapindex" => sitemap.is_index = true,
                        _ => return None,
                    },
                    1 if matches!(name.as_slice(), b"url" | b"sitemap") => sitemap.entries += 1,
                    2 if matches!(name.as_slice(), b"loc" | b"lastmod")
                        && !is_foreign(tag.name().as_ref()) =>
                    {
                        value = Some(String::new());
                    }
                    _ => {}
                }
                if only_root {
                    return Some(sitemap);
                }
                path.push(name);
            }
            Event::End(_) => {
                let name = path.pop()?;
                if path.len() == 2
                    && let Some(value) = value.take()
                {
                    sitemap.keep(&name, value);
                }
                if path.is_empty() {
                    return Some(sitemap);
                }
            }
            Event::Text(text) => {
                if let Some(value) = &mut value {
                    value.push_str(&text.decode().ok()?);
                }
            }
            Event::CData(text) => {
                if let Some(value) = &mut value {
                    value.push_str(&text.decode().ok()?);
                }
            }
            Event::GeneralRef(name) => {
                if let Some(value) = &mut value {
                    let text = match name.resolve_char_ref().ok()? {
                        Some(c) => c.to_string(),
                        None => {
                            quick_xml::escape::resolve_predefined_entity(&name.decode().ok()?)?.to_owned()
                        }
                    };
                    value.push_str(&text);
                }
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// A prefix other than that of the sitemap's own namespace, such as `xhtml:`. Its members are empty or deeper, but one named
/// `x:loc` beside `loc` must not count as an address.
fn is_foreign(name: &[u8]) -> bool {
    matches!(
        name.split(|byte| *byte == b':').next(),
        Some(b"image" | b"video" | b"news" | b"xhtml" | b"mobile")
    ) && name.contains(&b':')
}

impl Sitemap {
    fn keep(&mut self, name: &[u8], value: String) {
        let value = value.trim().to_owned();
        match name {
            b"loc" => self.locs.push(value),
            b"lastmod" => self.dates.push(value),
            _ => {}
        }
    }
}

/// Whether a text is a whole XML document with this root in this namespace.
pub(crate) fn has_root(text: &str, namespace: &str, name: &str) -> bool {
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{FEFF}').trim_start());
    reader.config_mut().expand_empty_elements = true;
    let mut depth = 0usize;
    loop {
        let at = reader.buffer_position();
        // Only the root's name is resolved: looking a prefix up takes as long as there are namespaces.
        match reader.read_event() {
            Ok(Event::Decl(_)) if at > 0 => return false,
            Ok(Event::Start(tag)) => {
                if depth == 0 {
                    let (found, local) = reader.resolver().resolve_element(tag.name());
                    let is_in =
                        matches!(found, ResolveResult::Bound(at) if at.as_ref() == namespace.as_bytes());
                    if !is_in || local.as_ref() != name.as_bytes() {
                        return false;
                    }
                }
                depth += 1;
            }
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return true;
                }
            }
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// A date of a sitemap: a year, a month, a day, or an instant with its offset. Spec: READY-MAP-4.
pub(crate) fn is_date(text: &str) -> bool {
    let form = crate::pattern!(
        r"^(?-u:\d{4}(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-](\d\d):(\d\d)))?)?)?)$"
    );
    let Some(found) = form.captures(text) else { return false };
    let limits = [(1, 1, 12), (2, 1, 31), (3, 0, 24), (4, 0, 59), (5, 0, 60), (6, 0, 23), (7, 0, 59)];
    limits.into_iter().all(|(group, least, most)| {
        let number = found.get(group).and_then(|digits| digits.as_str().parse::<u32>().ok());
        number.is_none_or(|number| (least..=most).contains(&number))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const SITEMAP: &str = r#"<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc> https://a.example/?a&amp;b </loc>
        <lastmod>2026-01-01</lastmod><image:image><image:loc>https://b.example/</image:loc></image:image></url>
        <url/></urlset>"#;

    #[test]
    fn a_sitemap_is_read_packed_or_not() {
        let expected = Sitemap {
            entries: 2,
            locs: vec!["https://a.example/?a&b".into()],
            dates: vec!["2026-01-01".into()],
            ..Sitemap::default()
        };
        assert_eq!(Sitemap::read(SITEMAP.as_bytes(), false).as_ref(), Some(&expected));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(SITEMAP.as_bytes()).unwrap();
        assert_eq!(Sitemap::read(&packed.finish().unwrap(), false), Some(expected));
        assert_eq!(Sitemap::read(&[0x1f, 0x8b, 8, 0], false), None);
        for text in ["<html/>", "<urlset><url>", "", "<urlset></url></urlset>", "text"] {
            assert_eq!(Sitemap::read(text.as_bytes(), true), None, "{text}");
        }
        assert!(Sitemap::read(b"<sitemapindex/>", false).unwrap().is_index);
        let list = b"https://a.example/\r\n\r\nhttp://a.example/b\n";
        assert_eq!(Sitemap::read(list, true).unwrap().entries, 2);
        assert_eq!(Sitemap::read(list, false), None);
    }

    #[test]
    fn dates_have_the_forms_that_sitemaps_may_use() {
        for text in ["2026", "2026-11", "2026-11-03", "2026-11-03T09:00Z", "2026-11-03T09:00:00.5+01:00"] {
            assert!(is_date(text), "{text}");
        }
        for text in [
            "",
            "26",
            "2026-13",
            "2026-1-3",
            "2026-11-03T09:00",
            "2026-11-03 09:00Z",
            "2026-11-03T09Z",
            "3 Nov 2026",
            "٢٠٢٦",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn a_root_has_a_namespace() {
        let ns = "https://rslstandard.org/rsl";
        for (text, expected) in [
            (r#"<rsl xmlns="https://rslstandard.org/rsl"><content/></rsl>"#, true),
            (r#"<?xml version="1.0"?><r:rsl xmlns:r="https://rslstandard.org/rsl"></r:rsl>"#, true),
            (r#"<rsl xmlns="https://rslstandard.org/rsl"/>"#, true),
            ("<rsl></rsl>", false),
            (r#"<rsl xmlns="https://rslstandard.org/rsl"><content>"#, false),
            (r#"<rss xmlns="https://rslstandard.org/rsl"></rss>"#, false),
        ] {
            assert_eq!(has_root(text, ns, "rsl"), expected, "{text}");
        }
    }
}
