//! Used signatures: what is remembered, for how long, and what it costs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail where it stands"
)]

use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identity, Message, Policy,
    Profile, Replay, ReplayWindow, Verified, directory_body, identify,
};
use covers::covers;
use jwk::SigningKey;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const AGENT: &str = "https://bot.example";

pub(crate) fn signer(secret: u8) -> CrawlerSigner {
    CrawlerSigner::new(SigningKey::from_secret(&[secret; 32]), AGENT).unwrap()
}

/// The directory of the keys 1 to 9.
pub(crate) fn held() -> Directory {
    let url = format!("{AGENT}{DIRECTORY_PATH}");
    let keys: Vec<SigningKey> = (1..10).map(|secret| SigningKey::from_secret(&[secret; 32])).collect();
    let body = directory_body(&keys);
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
    Directory::read(&url, &response, Profile::Deployed, NOW).unwrap()
}

/// A signature made `now`, as the server knows it.
pub(crate) fn verified_at(signer: &CrawlerSigner, nonce: &str, lifetime: u64, now: UnixSeconds) -> Verified {
    let signer = signer.clone().lifetime_secs(lifetime).unwrap();
    let request = || Message::request("GET", "https://shop.example/").unwrap();
    let signed = signer.sign(&request(), nonce.as_bytes(), now).unwrap();
    let message = request().headers(signed.lines().iter().map(|(name, value)| (*name, value.as_bytes())));
    let held = held();
    match identify(&message, |_| Some(&held), &Policy::default(), now).0 {
        Identity::Verified(verified) => verified,
        other => panic!("{other}"),
    }
}

pub(crate) fn verified(signer: &CrawlerSigner, nonce: &str, lifetime: u64) -> Verified {
    verified_at(signer, nonce, lifetime, NOW)
}

/// A signature is remembered to its end, and its room is free again then.
#[test]
#[covers("WBA-NONCE-1")]
fn a_window_keeps_signatures_to_their_end() {
    let mut window = ReplayWindow::new(1, 1);
    let (a, b) = (verified(&signer(1), "a", 10), verified(&signer(1), "b", 20));
    assert_eq!(window.admit(&a, NOW), Replay::Fresh);
    assert_eq!(window.admit(&a, NOW.saturating_add(9)), Replay::Seen);
    assert_eq!(window.admit(&b, NOW.saturating_add(9)), Replay::Full);
    assert_eq!(window.admit(&b, NOW.saturating_add(10)), Replay::Fresh);
    assert_eq!(window.len(), 1);
}

/// A clock that jumps back makes no used signature fresh.
#[test]
fn what_was_forgotten_stays_used() {
    let mut window = ReplayWindow::default();
    let a = verified(&signer(1), "a", 10);
    assert_eq!(window.admit(&a, NOW), Replay::Fresh);
    let later = verified_at(&signer(1), "b", 10, NOW.saturating_add(60));
    assert_eq!(window.admit(&later, NOW.saturating_add(60)), Replay::Fresh);
    assert_eq!(window.admit(&a, NOW), Replay::Seen);
}

/// A clock that ran ahead locks nobody out once it is right: of what it made the window forget, only signatures as old count
/// as used.
#[test]
#[covers("WBA-NONCE-1")]
fn a_clock_that_ran_ahead_refuses_nothing_new() {
    let mut window = ReplayWindow::default();
    let ahead = NOW.saturating_add(3_000);
    let hour = |nonce: &str, at| verified_at(&signer(1), nonce, 3_600, at);
    let before = hour("before", UnixSeconds(NOW.0 - 700));
    assert_eq!(window.admit(&before, NOW), Replay::Fresh);
    // Valid by the wrong clock and by the right one, as signatures of an hour are.
    let during = hour("during", NOW);
    assert_eq!(window.admit(&during, ahead), Replay::Fresh);
    assert_eq!(window.len(), 1, "the first one has expired by that clock");

    let later = NOW.saturating_add(1);
    let short = verified_at(&signer(2), "short", 300, later);
    assert_eq!(window.admit(&short, later), Replay::Fresh);
    for used in [&before, &during, &short] {
        assert_eq!(window.admit(used, later), Replay::Seen);
    }
}

/// Whatever the clock does, no signature is used twice.
#[test]
#[covers("WBA-NONCE-1")]
fn no_clock_makes_a_used_signature_fresh() {
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let all: Vec<Verified> = (0..200)
        .map(|n| {
            let lifetime = [10, 60, 300, 3_600][random(4) as usize];
            let made = NOW.saturating_add(random(5_000));
            verified_at(&signer(1 + (n % 3) as u8), &format!("n{n}"), lifetime, made)
        })
        .collect();
    for _ in 0..20 {
        let mut window = ReplayWindow::default();
        let mut fresh = vec![0; all.len()];
        let mut now = NOW;
        for _ in 0..2_000 {
            // A second, or a jump to anywhere.
            now = if random(50) > 0 { now.saturating_add(1) } else { NOW.saturating_add(random(9_000)) };
            let n = random(200) as usize;
            // As the checks before the window have it: a minute of skew, and not expired.
            let (created, expires) = (all[n].created, all[n].expires);
            if created <= now.0 as i64 + 60 && now.0 as i64 <= expires {
                fresh[n] += u32::from(window.admit(&all[n], now) == Replay::Fresh);
            }
        }
        assert!(fresh.iter().all(|times| *times <= 1) && fresh.contains(&1), "{fresh:?}");
    }
}

/// One key cannot take the room of another.
#[test]
fn a_key_has_a_quota() {
    let mut window = ReplayWindow::new(10, 2);
    for (nonce, expected) in [("a", Replay::Fresh), ("b", Replay::Fresh), ("c", Replay::Full)] {
        assert_eq!(window.admit(&verified(&signer(1), nonce, 60), NOW), expected);
    }
    assert_eq!(window.admit(&verified(&signer(2), "a", 60), NOW), Replay::Fresh);
}

/// Without a nonce, a signature is told from others by what it covers.
#[test]
fn a_signature_without_a_nonce_is_remembered_too() {
    let mut window = ReplayWindow::default();
    let plain = verified(&signer(1), "", 60);
    assert!(!plain.has_nonce);
    assert_eq!(window.admit(&plain, NOW), Replay::Fresh);
    assert_eq!(window.admit(&plain, NOW), Replay::Seen);
    let next = verified_at(&signer(1), "", 60, NOW.saturating_add(1));
    assert_eq!(window.admit(&next, NOW.saturating_add(1)), Replay::Fresh);
}

/// A million replays of used signatures, and of the window alone: no memory, and little time. The time is printed
/// (`cargo test --release -p aiweb-bot-auth --test it storm -- --nocapture`), the memory asserted.
#[test]
fn a_storm_of_replays_takes_no_memory() {
    const STORM: u32 = 1_000_000;
    let mut window = ReplayWindow::new(1_000, 1_000);
    let all: Vec<Verified> = (0..1_000).map(|n| verified(&signer(1), &format!("n{n}"), 300)).collect();
    let admitted = all.iter().filter(|it| window.admit(it, NOW) == Replay::Fresh).count();
    assert_eq!((admitted, window.len()), (1_000, 1_000));

    #[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
    let start = std::time::Instant::now();
    let used = allocation_counter::measure(|| {
        for verified in all.iter().cycle().take(STORM as usize) {
            assert_eq!(window.admit(verified, NOW), Replay::Seen);
        }
    });
    let each = start.elapsed() / STORM;
    assert_eq!((used.count_total, window.len()), (0, 1_000));

    // New signatures beyond the room are refused, at the same price.
    let more = verified(&signer(1), "more", 300);
    assert_eq!(window.admit(&more, NOW), Replay::Full);

    // The whole request, from its header lines to the refusal.
    let policy = Policy::default();
    let signed =
        signer(1).sign(&Message::request("GET", "https://shop.example/").unwrap(), b"n7", NOW).unwrap();
    let lines = signed.lines();
    let mut most = 0;
    #[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
    let start = std::time::Instant::now();
    let requests = if cfg!(debug_assertions) { STORM / 100 } else { STORM };
    for _ in 0..requests {
        let used = allocation_counter::measure(|| {
            let message = Message::request("GET", "https://shop.example/").unwrap();
            let message = message.headers(lines.iter().map(|(name, value)| (*name, value.as_bytes())));
            let check = bot_auth::RequestCheck::unused(&message, &policy, |id| window.has(id), NOW);
            assert_eq!(check.identity(), Identity::Unverified(bot_auth::Reason::Replayed));
        });
        most = most.max(used.bytes_max);
    }
    let whole = start.elapsed() / requests;
    assert!(most < 8 * 1024, "{most} bytes");
    assert_eq!(window.len(), 1_000);
    eprintln!(
        "{STORM} replays: {each:?} each in the window, {whole:?} each as a request, {most} bytes at most"
    );
}
