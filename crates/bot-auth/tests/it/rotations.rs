//! Keys that follow one another: at any second the published directory has the key of every signature that holds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use bot_auth::{
    AgentId, Check, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Fetched, Identity, KeySchedule, Message, Reason,
    ScheduleError, ScheduledKey, Verifier,
};
use jwk::SigningKey;
use web_values::UnixSeconds;

const DAY: u64 = 86_400;
const START: u64 = 1_790_000_000;

fn key(secret: u8, from: u64, until: u64) -> ScheduledKey {
    ScheduledKey {
        key: SigningKey::from_secret(&[secret; 32]),
        from: UnixSeconds(START + from),
        until: UnixSeconds(START + until),
    }
}

/// A site that keeps directories for a day never sees a signature that it cannot verify, all through two changes; and the
/// old key is refused once it is retired, even by a site that still holds the old directory.
#[test]
fn a_change_of_keys_is_seen_by_nobody() {
    let keys =
        KeySchedule::new([key(1, 0, 10 * DAY), key(2, 10 * DAY, 20 * DAY), key(3, 20 * DAY, 30 * DAY)])
            .unwrap();
    let agent: AgentId = "https://bot.example".parse().unwrap();
    let mut site = Verifier::of_agents([agent]);
    let headers =
        [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()), ("Cache-Control", b"max-age=86400".as_slice())];
    let mut fetches = 0;
    let mut judge = |site: &mut Verifier, key: &SigningKey, now: UnixSeconds| {
        let signer = CrawlerSigner::new(key.clone(), "https://bot.example").unwrap();
        let request = Message::request("GET", "https://shop.example/").unwrap();
        let signed = signer.sign(&request, &now.0.to_be_bytes(), now).unwrap();
        let lines = signed.lines();
        let message = request.headers(lines.iter().map(|(name, value)| (*name, value.as_bytes())));
        loop {
            match site.check(&message, now) {
                Check::Done(identity) => return identity,
                Check::Wait(url) => panic!("{url}"),
                Check::Fetch(url) => {
                    fetches += 1;
                    let body = keys.directory_body(now);
                    let response =
                        Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
                    site.on_response(&url, &response, now).unwrap();
                }
            }
        }
    };
    for hour in 0..30 * 24 {
        let now = UnixSeconds(START + hour * 3600 + 1);
        let signing = keys.signing_key(now).unwrap();
        let identity = judge(&mut site, signing, now);
        assert!(
            matches!(&identity, Identity::Verified(it) if it.key == signing.thumbprint()),
            "hour {hour}: {identity}"
        );
        assert!(keys.published(now).count() <= 2);
    }
    assert!(keys.signing_key(UnixSeconds(START + 30 * DAY)).is_none(), "a retired key signs nothing");
    // A thief who has the first key after it was retired.
    let now = UnixSeconds(START + 10 * DAY + 3600);
    let mut site = Verifier::of_agents(["https://bot.example".parse().unwrap()]);
    let stolen = SigningKey::from_secret(&[1; 32]);
    assert!(matches!(
        judge(
            &mut site,
            &keys.signing_key(now.saturating_sub(7200)).unwrap().clone(),
            now.saturating_sub(7200)
        ),
        Identity::Verified(_)
    ));
    let refused = judge(&mut site, &stolen, now);
    assert!(matches!(refused, Identity::Unverified(Reason::KeyUnknown | Reason::KeyNotCurrent)), "{refused}");
    assert!((30..40).contains(&fetches), "{fetches}: about one a day");
}

#[test]
fn schedules_with_gaps_or_doubles_are_refused() {
    let error = |keys: Vec<ScheduledKey>| KeySchedule::new(keys).unwrap_err();
    assert_eq!(error(vec![]), ScheduleError::Empty);
    assert_eq!(error(vec![key(1, 5, 5)]), ScheduleError::Times);
    assert_eq!(error(vec![key(1, 0, 5), key(2, 6, 9)]), ScheduleError::Times);
    assert_eq!(error(vec![key(1, 0, 5), key(2, 4, 9)]), ScheduleError::Times);
    assert_eq!(error(vec![key(1, 0, 5), key(1, 5, 9)]), ScheduleError::Repeated);
    let many = (0..=100).map(|n| key(n, n.into(), u64::from(n) + 1)).collect();
    assert_eq!(error(many), ScheduleError::TooMany);
    let keys = KeySchedule::new([key(1, 0, 5)]).unwrap();
    assert_eq!(keys.overlap(60, 299, 300).unwrap_err(), ScheduleError::Overlap);
}
