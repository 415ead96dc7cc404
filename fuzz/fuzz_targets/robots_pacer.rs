//! Any sequence of calls: promises are kept, the line is in order, and memory stays within its limit.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use robots::{Pacer, PacingOptions, RetryAfter};

fuzz_target!(|calls: Vec<(u8, u8, u16, u16)>| {
    let mut pacer = Pacer::new(PacingOptions::default().max_hosts(8));
    for (call, host, time, value) in calls {
        let host = format!("h{}", host % 16);
        let now = Duration::from_secs(u64::from(time));
        let zero = Duration::from_secs(0);
        let before = pacer.ready_at(&host, zero);
        match call % 6 {
            0 => _ = pacer.want(&host),
            1 => {
                let first = pacer.wake_at();
                if let Some(ready) = pacer.next_ready(now) {
                    assert!(first.is_some_and(|first| first <= now));
                    assert!(pacer.ready_at(&ready, zero) >= now.saturating_add(Duration::from_secs(2)));
                } else {
                    assert!(first.is_none_or(|first| first > now));
                }
            }
            2 => _ = pacer.on_fetch(&host, now),
            3 => {
                let pause = (value % 3 > 0).then_some(RetryAfter::from_secs(u64::from(value)));
                let told = pacer.on_response(&host, [200, 429, 503][usize::from(value % 3)], pause, now);
                assert!(told.is_err() || pacer.ready_at(&host, zero) >= now.saturating_add(Duration::from_secs(2)));
            }
            4 => _ = pacer.set_crawl_delay(&host, Some(Duration::from_secs(u64::from(value)).into())),
            _ => {
                pacer.forget_idle(now);
                continue;
            }
        }
        // Nothing but forgetting makes a host ready earlier, and only hosts whose time has come are forgotten.
        assert!(pacer.ready_at(&host, zero) >= before || call % 6 == 1);
        assert!(pacer.len() <= 8);
    }
});
