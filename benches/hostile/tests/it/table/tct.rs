//! tct.

use http::{HeaderMap, HeaderName, Method, header};
use tct::held::ContentHash;
use tct::open::{Expected, open_response};
use tct::sealing::{Sealer, check_hash};
use tct::sitemap::Sitemap;
use tct::v03::{BodyLimits, BodyTag, Identity, MUrlDocument, Revision, check_sitemap};
use tct::{
    CUrl, Coding, EntityTag, MUrl, OpenPolicy, PolicyDescriptor, Representation, Resource, SitemapReader,
    UnixSeconds, Visit, VisitPolicy, discover, plan_response,
};
use url::Url;

use super::{Function, nothing, row};
use crate::run::Case;

const LIBRARY: &str = "tct";
const NONE: (u64, u64) = (0, 0);
/// Bounds are at most twice what `benches/GROWTH.md` measured. The JSON reader takes 8 bytes a byte at most, a canonical form 13.
const JSON: (u64, u64) = (26, 1 << 20);

fn fields(case: &Case, names: &[HeaderName]) -> HeaderMap {
    names.iter().map(|name| (name.clone(), case.field.clone())).collect()
}

fn page() -> Url {
    "https://a.example/".parse().expect("it is a URL")
}

fn open(case: &Case) -> usize {
    let mut response = http::Response::new(case.bytes.clone());
    *response.headers_mut() = fields(case, &[header::CONTENT_TYPE, header::ETAG, header::LINK]);
    let listed = ContentHash::from(case.text.as_str());
    let expected = Expected { page: None, sitemap_hash: Some(&listed) };
    nothing(open_response(&page(), &response, &expected, &OpenPolicy::default()))
}

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "discover", (400, 1 << 20), NONE, |case| {
        nothing(discover(&page(), &fields(case, &[header::LINK]), &case.bytes))
    }),
    row(LIBRARY, "open_response", JSON, NONE, open),
    row(LIBRARY, "Sitemap::read", (10, 1 << 20), NONE, |case| {
        nothing(Sitemap::new().read(&case.bytes, SitemapReader::any_origin()))
    }),
    row(LIBRARY, "PolicyDescriptor::parse", (14, 1 << 20), NONE, |case| {
        nothing(PolicyDescriptor::parse(&case.bytes))
    }),
    row(LIBRARY, "Sealer::seal_json", JSON, NONE, |case| nothing(Sealer::new().seal_json(&case.bytes))),
    row(LIBRARY, "check_hash", JSON, NONE, |case| nothing(check_hash(&case.bytes))),
    row(LIBRARY, "CUrl::parse", (8, 4_096), NONE, |case| nothing(CUrl::parse(&case.text))),
    row(LIBRARY, "EntityTag::parse", NONE, NONE, |case| nothing(EntityTag::parse(&case.bytes))),
    row(LIBRARY, "plan_response", (2, 64 << 10), NONE, |case| {
        let names = [
            header::IF_NONE_MATCH,
            header::IF_MATCH,
            header::IF_RANGE,
            header::RANGE,
            header::IF_MODIFIED_SINCE,
        ];
        nothing(plan_response(&Method::GET, &fields(case, &names), &Representation::of_bytes(b"{}")))
    }),
    row(LIBRARY, "link::links", (4, 64 << 10), NONE, |case| {
        nothing(
            tct::link::links(&fields(case, &[header::LINK])).filter(|link| link.has_rel("canonical")).count(),
        )
    }),
    row(LIBRARY, "lint::check_headers", (4, 64 << 10), NONE, |case| {
        let names =
            [header::ETAG, header::LINK, header::CACHE_CONTROL, header::CONTENT_TYPE, header::LAST_MODIFIED];
        nothing(tct::lint::check_headers(&fields(case, &names)))
    }),
    row(LIBRARY, "payload::escape_markup", (6, 1_024), (6, 64), |case| {
        tct::payload::escape_markup(&case.text).len()
    }),
    row(LIBRARY, "v03::check_document", JSON, NONE, |case| {
        nothing(tct::v03::check_document(&case.bytes, &BodyLimits::default()))
    }),
    row(LIBRARY, "v03::classify", JSON, NONE, |case| nothing(tct::v03::classify(&case.bytes))),
    row(LIBRARY, "SitemapReader::push, byte by byte", (2, 1 << 20), NONE, |case| {
        let mut reader = SitemapReader::any_origin();
        for byte in case.bytes.chunks(1) {
            let mut events = reader.push(byte);
            while let Ok(Some(event)) = events.next() {
                nothing(event);
            }
        }
        nothing(reader.finish())
    }),
    row(LIBRARY, "Visit::on_response", (18, 1 << 20), NONE, |case| {
        let (twin, of) = (MUrl::parse("https://a.example/llm/"), CUrl::parse("https://a.example/"));
        let (twin, of) = (twin.expect("it is a URL"), of.expect("it is a URL"));
        let visit = Visit::new(&twin, &of, None, None, VisitPolicy::default());
        let names =
            [header::CONTENT_TYPE, header::ETAG, header::LINK, header::LOCATION, header::CACHE_CONTROL];
        let mut response = http::Response::new(case.bytes.clone());
        *response.headers_mut() = fields(case, &names);
        nothing(visit.on_response(twin.as_url(), &response, UnixSeconds(1)))
    }),
    row(LIBRARY, "Resource::respond", (2, 64 << 10), NONE, |case| {
        let names = [header::ACCEPT, header::ACCEPT_ENCODING, header::IF_NONE_MATCH, header::RANGE];
        let request = fields(case, &names);
        nothing((Coding::Gzip.weight(&request), Resource::json("{}").respond(&Method::GET, &request)))
    }),
    row(LIBRARY, "v03::check_sitemap", JSON, NONE, |case| {
        nothing(check_sitemap(&case.bytes, None, &BodyLimits::default()))
    }),
    row(LIBRARY, "open_response, draft -03", JSON, NONE, |case| {
        let mut response = http::Response::new(case.bytes.as_slice());
        *response.headers_mut() = fields(case, &[header::CONTENT_TYPE, header::ETAG, header::LINK]);
        let listed = ContentHash::from(case.text.as_str());
        let expected = Expected { page: None, sitemap_hash: Some(&listed) };
        nothing(open_response(
            &page(),
            &response,
            &expected,
            &OpenPolicy::strict().for_revision(Revision::V03),
        ))
    }),
    row(LIBRARY, "v03::Identity::of_json", JSON, NONE, |case| {
        nothing(Identity::of_json(&case.bytes, &BodyLimits::default()))
    }),
    row(LIBRARY, "v03::MUrlDocument::seal", (56, 64 << 10), (6, 4_096), |case| {
        let url = format!("https://a.example/{}", case.text);
        nothing(MUrlDocument::new(url.as_str(), "t", "c").is_ok());
        let document = MUrlDocument::new("https://a.example/", case.text.as_str(), case.text.as_str());
        document.and_then(|document| document.seal()).map_or(0, |sealed| sealed.body().len() / 2)
    }),
    row(LIBRARY, "v03: texts of fields", (64, 16_384), NONE, |case| {
        let tag = BodyTag::of_bytes(&case.bytes);
        nothing((tag.matches_hint(&case.text), BodyTag::hint_matches(&case.text, &case.bytes)));
        let headers = HeaderMap::from_iter([(HeaderName::from_static("content-digest"), case.field.clone())]);
        nothing(tag.check_digest(&headers))
    }),
];
