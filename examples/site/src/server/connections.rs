//! All open connections: what each waits for, since when, and which one goes when it is late or there are too many.
//!
//! ```text
//! FirstByte ─▶ Handshake ─▶ FirstByte ─▶ Head ─▶ Http1 or Http2
//!    (over TLS, the first two come twice)          requests under way, pieces of responses, or idle
//! ```
//!
//! A connection writes down the time at each of its steps, which costs a store. One task reads all of them a few times in
//! each of the shortest limits; so there is no timer for a connection or a request.

use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::limits::{Limits, PER_ADDRESS};

/// How long an HTTP/2 connection has to end once it was told to.
const FAREWELL: Duration = Duration::from_secs(1);

/// How many frames of HTTP/2 that ask for nothing a connection may send ahead of its responses.
const FRAMES: i32 = 400;

/// A window that is opened by less is one of these frames. Go's client opens its windows from 4 KiB on.
const LEAST_WINDOW: u32 = 1 << 10;

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// Nothing has come.
    FirstByte,
    /// A TLS handshake.
    Handshake,
    /// Some bytes have come, but not yet enough to tell the version of HTTP.
    Head,
    /// HTTP/1.
    Http1,
    /// HTTP/2.
    Http2,
}

/// What a connection is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Order {
    /// Go on.
    None,
    /// End after the requests that are under way.
    Soon,
    /// End.
    Now,
}

/// One connection, as its task and the registry see it. Only its task writes the times.
#[derive(Debug)]
pub(super) struct Connection {
    all: Arc<Shared>,
    phase: AtomicU8,
    order: AtomicU8,
    /// Requests whose response has not ended.
    in_flight: AtomicU32,
    /// Those of them whose response has not begun.
    unanswered: AtomicU32,
    /// Milliseconds: when the phase began, a piece was written, or the last response ended.
    since: AtomicU64,
    /// Milliseconds: when the header began that has not ended; 0 for none.
    head_since: AtomicU64,
    /// Whether the last write is not done.
    is_blocked: AtomicBool,
    /// Frames that it may still send, see [`Connection::frame`].
    frames: AtomicI32,
    /// Bytes that it may still ask for by opening windows, see [`Connection::window`].
    windows: AtomicU64,
    /// How often its task was polled.
    turn: AtomicU32,
    waker: Mutex<Option<Waker>>,
}

/// What all connections share.
#[derive(Debug)]
struct Shared {
    limits: Limits,
    /// Milliseconds since the server started, never 0, as of the last look.
    now: AtomicU64,
    registry: Mutex<Registry>,
    /// A place was given back.
    freed: Notify,
}

#[derive(Debug, Default)]
struct Registry {
    next: u64,
    open: HashMap<u64, (Arc<Connection>, IpAddr)>,
    of_address: HashMap<IpAddr, u32>,
}

/// The open connections of a server.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    shared: Arc<Shared>,
    max: usize,
    max_of_address: u32,
}

/// A place among the open connections; it is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) connection: Arc<Connection>,
    id: u64,
}

impl Connections {
    pub(super) fn new(limits: Limits, over_tls: bool) -> Self {
        let max = limits.connections();
        let default = if over_tls { PER_ADDRESS } else { u32::MAX };
        let max_of_address = limits.connections_per_address.unwrap_or(default);
        let shared =
            Shared { limits, now: AtomicU64::new(1), registry: Mutex::default(), freed: Notify::new() };
        Connections { shared: Arc::new(shared), max, max_of_address }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Waits for room: where all places are taken, those that have waited longest are told to end. Comes back without
    /// room where all have requests under way, and where none has ended for a while.
    pub(super) async fn room(&self) {
        // Longer than a worker that is alive needs to hear of it.
        const TRIES: usize = 50;
        for _ in 0..TRIES {
            // Before the look, so that no place is given back in between unheard.
            let freed = self.shared.freed.notified();
            if !self.make_room() {
                return;
            }
            let _freed = tokio::time::timeout(Duration::from_millis(20), freed).await;
        }
    }

    /// Whether to wait for a place that will be free.
    fn make_room(&self) -> bool {
        let registry = self.shared.lock();
        if registry.open.len() < self.max {
            return false;
        }
        let all = || registry.open.iter().map(|(id, (connection, _))| (*id, connection));
        if all().any(|(_, connection)| connection.order() == Order::Now) {
            return true;
        }
        let mut waiting: Vec<_> = all().filter(|(_, connection)| connection.is_waiting()).collect();
        // The time is that of the last look: of two connections of one moment, the earlier one goes.
        waiting.sort_by_key(|(id, connection)| (connection.since.load(Relaxed), *id));
        // Some at a time: who comes next need not look for one again.
        let told = waiting.iter().take(self.max / 64 + 1);
        told.map(|(_, connection)| connection.tell(Order::Now)).count() > 0
    }

    /// A place for a new connection of this address; `None` where there are too many of it, or in all.
    pub(super) fn admit(&self, address: IpAddr) -> Option<Place> {
        let address = counted(address);
        let mut registry = self.shared.lock();
        if registry.of_address.get(&address).is_some_and(|open| *open >= self.max_of_address) {
            return None;
        }
        if registry.open.len() >= self.max {
            return None;
        }
        let id = registry.next;
        registry.next = id.wrapping_add(1);
        let connection = Arc::new(Connection {
            phase: AtomicU8::new(Phase::FirstByte as u8),
            order: AtomicU8::new(Order::None as u8),
            in_flight: AtomicU32::new(0),
            unanswered: AtomicU32::new(0),
            since: AtomicU64::new(self.shared.now.load(Relaxed)),
            head_since: AtomicU64::new(0),
            is_blocked: AtomicBool::new(false),
            frames: AtomicI32::new(FRAMES),
            windows: AtomicU64::new(0),
            turn: AtomicU32::new(0),
            waker: Mutex::new(None),
            all: Arc::clone(&self.shared),
        });
        registry.open.insert(id, (Arc::clone(&connection), address));
        *registry.of_address.entry(address).or_insert(0) += 1;
        Some(Place { connection, id })
    }

    /// Looks at all connections for ever, and ends those that are late.
    pub(super) async fn watch(self) {
        #[expect(clippy::disallowed_methods, reason = "the server is where the clock is")]
        let start = Instant::now();
        let limits = self.limits();
        let spans = [limits.first_byte, limits.handshake, limits.head, limits.write, limits.idle];
        let shortest = spans.into_iter().min().unwrap_or(FAREWELL);
        let step = (shortest / 8).clamp(Duration::from_millis(5), Duration::from_millis(250));
        loop {
            tokio::time::sleep(step).await;
            let now = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
            self.shared.now.store(now, Relaxed);
            for (connection, _) in self.shared.lock().open.values() {
                connection.tell(connection.due(limits, now));
            }
        }
    }

    /// Tells all connections to end after the requests that are under way.
    pub(super) fn end(&self) {
        for (connection, _) in self.shared.lock().open.values() {
            connection.tell(Order::Soon);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut registry = self.connection.all.lock();
        let Some((_, address)) = registry.open.remove(&self.id) else { return };
        if let Some(open) = registry.of_address.get_mut(&address) {
            *open -= 1;
            if *open == 0 {
                registry.of_address.remove(&address);
            }
        }
        drop(registry);
        self.connection.all.freed.notify_one();
    }
}

impl Connection {
    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
        self.head_since.store(0, Relaxed);
        self.step();
    }

    /// Something was done: the time begins anew.
    fn step(&self) {
        self.since.store(self.all.now.load(Relaxed), Relaxed);
    }

    /// Bytes have come over HTTP/1: of a header, unless a request is under way.
    pub(super) fn read(&self) {
        if self.in_flight.load(Relaxed) == 0 && self.head_since.load(Relaxed) == 0 {
            self.begin_head();
        }
    }

    /// A header has begun.
    pub(super) fn begin_head(&self) {
        self.head_since.store(self.all.now.load(Relaxed), Relaxed);
    }

    /// A header has ended, though no request may come of it.
    pub(super) fn end_head(&self) {
        self.head_since.store(0, Relaxed);
    }

    /// Whether the last write found no room.
    pub(super) fn blocked(&self, is_blocked: bool) {
        if self.is_blocked.load(Relaxed) != is_blocked {
            self.is_blocked.store(is_blocked, Relaxed);
        }
    }

    /// A request has come.
    pub(super) fn begin(&self) {
        self.in_flight.fetch_add(1, Relaxed);
        self.unanswered.fetch_add(1, Relaxed);
        self.end_head();
        self.step();
    }

    /// The header of its response is there, or it was given up.
    pub(super) fn answered(&self) {
        self.unanswered.fetch_sub(1, Relaxed);
        self.step();
    }

    /// So many bytes of a response were taken. A client opens two windows by them: the stream's and the connection's.
    pub(super) fn took(&self, bytes: usize) {
        if self.is(Phase::Http2) {
            self.windows.fetch_add(bytes as u64 * 2, Relaxed);
        }
    }

    /// A piece of a response was taken.
    pub(super) fn piece(&self) {
        self.earn(4);
        self.step();
    }

    /// A response has ended: all of it was taken, or not.
    pub(super) fn finish(&self, is_whole: bool) {
        if is_whole {
            self.earn(4);
        }
        self.in_flight.fetch_sub(1, Relaxed);
        self.step();
    }

    /// Frames are earned by what is taken of responses: a download asks for more with frames.
    fn earn(&self, frames: i32) {
        if self.phase.load(Relaxed) == Phase::Http2 as u8 {
            let earned = self.frames.load(Relaxed).saturating_add(frames);
            self.frames.store(earned.min(FRAMES), Relaxed);
        }
    }

    /// Takes a frame that asks for nothing: a ping, settings, a reset, priority, a window. False where there were too many.
    pub(super) fn frame(&self) -> bool {
        self.frames.fetch_sub(1, Relaxed) > 0
    }

    /// Takes a frame that opens a window. As far as it makes room again for what was taken, the client is free to choose how
    /// often: their number is bounded by the bytes. False where there were too many others.
    pub(super) fn window(&self, increment: u32) -> bool {
        let open = |left: u64| left.checked_sub(u64::from(increment));
        let is_earned =
            increment >= LEAST_WINDOW && self.windows.fetch_update(Relaxed, Relaxed, open).is_ok();
        is_earned || self.frame()
    }

    /// The number of the task's present poll.
    pub(super) fn turn(&self) -> u32 {
        self.turn.load(Relaxed)
    }

    fn is(&self, phase: Phase) -> bool {
        self.phase.load(Relaxed) == phase as u8
    }

    fn order(&self) -> Order {
        match self.order.load(Relaxed) {
            0 => Order::None,
            1 => Order::Soon,
            _ => Order::Now,
        }
    }

    /// Whether no request is under way, and it was not told to end.
    fn is_waiting(&self) -> bool {
        self.in_flight.load(Relaxed) == 0 && self.order() != Order::Now
    }

    /// What is due.
    fn due(&self, limits: &Limits, now: u64) -> Order {
        let is_past = |since: &AtomicU64, span: Duration| {
            Duration::from_millis(now.saturating_sub(since.load(Relaxed))) >= span
        };
        let now_if = |is_late: bool| if is_late { Order::Now } else { Order::None };
        if self.is(Phase::FirstByte) {
            return now_if(is_past(&self.since, limits.first_byte));
        }
        if self.is(Phase::Handshake) {
            return now_if(is_past(&self.since, limits.handshake));
        }
        if self.is(Phase::Head) {
            return now_if(is_past(&self.since, limits.head));
        }
        if self.head_since.load(Relaxed) != 0 && is_past(&self.head_since, limits.head) {
            return Order::Now;
        }
        let unanswered = self.unanswered.load(Relaxed);
        if self.in_flight.load(Relaxed) > 0 || self.is_blocked.load(Relaxed) {
            // An answer to come has a time of its own, in `service`.
            return now_if(unanswered == 0 && is_past(&self.since, limits.write));
        }
        if self.head_since.load(Relaxed) != 0 {
            return Order::None;
        }
        match is_past(&self.since, limits.idle) {
            true if is_past(&self.since, limits.idle.saturating_add(FAREWELL)) => Order::Now,
            true => Order::Soon,
            false => Order::None,
        }
    }

    /// Gives an order, if it asks for more than the one before.
    fn tell(&self, order: Order) {
        let is_http = self.is(Phase::Http1) || self.is(Phase::Http2);
        let order = if is_http || order == Order::None { order } else { Order::Now };
        if order > self.order() {
            self.order.store(order as u8, Relaxed);
            let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    /// Notes whom to wake for an order. The waker of a task stays the same, so it is only looked at again after an order.
    fn listen(&self, context: &Context<'_>) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
    }
}

/// A connection's task: it ends when the connection is told to.
#[derive(Debug)]
pub(super) struct UntilTold<F> {
    work: Pin<Box<F>>,
    connection: Arc<Connection>,
    heard: Option<Order>,
}

impl<F: Future> UntilTold<F> {
    pub(super) fn new(connection: Arc<Connection>, work: F) -> Self {
        UntilTold { work: Box::pin(work), connection, heard: None }
    }
}

impl<F: Future<Output = ()>> Future for UntilTold<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        if this.heard != Some(this.connection.order()) {
            this.connection.listen(context);
            // Read after listening: an order in between wakes us.
            this.heard = Some(this.connection.order());
        }
        this.connection.turn.store(this.connection.turn().wrapping_add(1), Relaxed);
        match this.connection.order() {
            Order::Now => Poll::Ready(()),
            Order::None | Order::Soon => this.work.as_mut().poll(context),
        }
    }
}

/// A connection of hyper, which can be told to end after the requests that are under way.
pub(super) trait Ending: Future {
    fn end_soon(self: Pin<&mut Self>);
}

/// Such a connection, told when its turn comes.
#[derive(Debug)]
pub(super) struct Polite<C> {
    work: Pin<Box<C>>,
    connection: Arc<Connection>,
    is_told: bool,
}

impl<C: Ending> Polite<C> {
    pub(super) fn new(connection: Arc<Connection>, work: C) -> Self {
        Polite { work: Box::pin(work), connection, is_told: false }
    }
}

impl<C: Ending> Future for Polite<C> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        if !this.is_told && this.connection.order() != Order::None {
            this.is_told = true;
            this.work.as_mut().end_soon();
        }
        // A connection that breaks is the client's business; it will come again.
        this.work.as_mut().poll(context).map(drop)
    }
}

/// What is counted as one address: of IPv6, the network that one customer gets.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(connections: u32, of_address: u32) -> Connections {
        let limits = Limits { connections, connections_per_address: Some(of_address), ..Limits::default() };
        Connections::new(limits, true)
    }

    #[test]
    fn an_address_has_so_many_connections_and_gets_their_places_back() {
        let all = connections(100, 2);
        let admit = |address: &str| all.admit(address.parse().unwrap());
        let first = admit("192.0.2.1").unwrap();
        let second = admit("::ffff:192.0.2.1").unwrap();
        assert!(admit("192.0.2.1").is_none() && admit("192.0.2.2").is_some());
        let _six = (admit("2001:db8:1:2::1").unwrap(), admit("2001:db8:1:2:ffff::1").unwrap());
        assert!(admit("2001:db8:1:2::3").is_none() && admit("2001:db8:1:3::3").is_some());
        drop(first);
        assert!(admit("192.0.2.1").is_some());
        drop(second);
        assert_eq!(all.shared.lock().of_address.len(), 1, "an address without connections is forgotten");
    }

    #[test]
    fn the_one_that_waited_longest_makes_room_and_one_with_a_request_never() {
        let all = connections(16, 100);
        let at = |now: u64| {
            all.shared.now.store(now, Relaxed);
            all.admit("192.0.2.1".parse().unwrap())
        };
        let mut places: Vec<_> = (1..=16).map(|now| at(now).unwrap()).collect();
        places[0].connection.begin();
        assert!(all.make_room() && at(17).is_none(), "its place is free when it has ended");
        let told: Vec<_> = places.iter().map(|place| place.connection.order()).collect();
        assert_eq!((told[0], told[1], told[2]), (Order::None, Order::Now, Order::None));
        drop(places.remove(1));
        assert!(!all.make_room());
        places.push(at(18).unwrap());
        for place in &places {
            place.connection.begin();
        }
        assert!(!all.make_room() && at(19).is_none(), "all are busy");
    }

    #[test]
    fn of_connections_of_one_moment_the_first_goes() {
        let all = connections(16, 100);
        let places: Vec<_> = (0..16).map(|_| all.admit("192.0.2.1".parse().unwrap()).unwrap()).collect();
        assert!(all.make_room());
        let told = places.iter().position(|place| place.connection.order() == Order::Now);
        assert_eq!(told, Some(0));
    }

    #[test]
    fn what_is_late_depends_on_what_it_waits_for() {
        let limits = Limits::default();
        let all = connections(9, 9);
        let place = all.admit("192.0.2.1".parse().unwrap()).unwrap();
        let connection = &place.connection;
        let due = |seconds: u64| connection.due(&limits, 1 + seconds * 1000);
        assert_eq!((due(9), due(10)), (Order::None, Order::Now), "first byte");
        connection.enter(Phase::Http1);
        assert_eq!((due(59), due(60), due(61)), (Order::None, Order::Soon, Order::Now), "idle");
        connection.read();
        assert_eq!((due(9), due(10)), (Order::None, Order::Now), "head");
        connection.begin();
        assert_eq!(due(1000), Order::None, "an answer has its own time");
        connection.answered();
        assert_eq!((due(29), due(30)), (Order::None, Order::Now), "a piece of the response");
        connection.finish(true);
        assert_eq!(due(59), Order::None);
        connection.blocked(true);
        assert_eq!((due(29), due(30)), (Order::None, Order::Now), "the last piece");
        let months = u64::from(u32::MAX) * 2;
        all.shared.now.store(months, Relaxed);
        let late = all.admit("192.0.2.1".parse().unwrap()).unwrap();
        assert_eq!(late.connection.due(&limits, months + 10_000), Order::Now, "after months, too");
    }
}
