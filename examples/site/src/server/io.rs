//! The bytes of a connection on their way to hyper: when they come is noted, and HTTP/2 frames are looked at.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use super::connections::{Connection, Phase};
use super::frames::{Frames, PREFACE};

/// So much of a connection's beginning is looked at.
const BEGINNING: usize = 256;

/// What a connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoken {
    Http1,
    Http2,
    /// Not HTTP.
    Other,
}

/// Reads what is needed to tell what is spoken. hyper-util's sniffer has no time limit and waits for the whole preface.
pub(super) async fn beginning(io: &mut (impl AsyncRead + Unpin)) -> io::Result<(Spoken, Vec<u8>)> {
    let mut read = Vec::with_capacity(BEGINNING);
    loop {
        let left = BEGINNING.saturating_sub(read.len()) as u64;
        if (&mut *io).take(left).read_buf(&mut read).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if read.starts_with(PREFACE) {
            return Ok((Spoken::Http2, read));
        }
        if !PREFACE.starts_with(&read) {
            return Ok((if is_http1(&read) { Spoken::Http1 } else { Spoken::Other }, read));
        }
    }
}

/// Whether this may be the beginning of a request of HTTP/1: its first line, if it is all there, ends with a version.
///
/// What is not HTTP at all gets no answer of HTTP, as a client of HTTP/2 with a wrong preface expects it.
///
/// Spec: RFC 9113, "HTTP/2 Connection Preface".
fn is_http1(read: &[u8]) -> bool {
    let read = read.trim_ascii_start();
    let Some((line, _)) = read.split(|byte| *byte == b'\n').next().zip(read.iter().position(|b| *b == b'\n'))
    else {
        return true;
    };
    let version = line.trim_ascii_end().rsplit(|byte| *byte == b' ').next();
    version.is_some_and(|version| version.starts_with(b"HTTP/"))
}

/// A connection whose bytes are watched.
#[derive(Debug)]
pub(super) struct Watched<T> {
    io: T,
    /// What was read to tell what is spoken.
    beginning: Vec<u8>,
    frames: Option<Frames>,
    /// What HTTP/2 has written and the connection has not.
    gathered: Vec<u8>,
    /// The turn in which that was to be flushed.
    flush: Option<u32>,
    connection: Arc<Connection>,
}

/// So much is gathered: what fits into a record of TLS.
const GATHERED: usize = 16 << 10;

impl<T> Watched<T> {
    pub(super) fn new(io: T, beginning: Vec<u8>, spoken: Spoken, connection: Arc<Connection>) -> Self {
        let is_http2 = spoken == Spoken::Http2;
        connection.enter(if is_http2 { Phase::Http2 } else { Phase::Http1 });
        let frames = is_http2.then(Frames::default);
        Watched { io, beginning, frames, gathered: Vec::new(), flush: None, connection }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Watched<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        if this.beginning.is_empty() {
            ready!(Pin::new(&mut this.io).poll_read(context, buffer))?;
        } else {
            let take = this.beginning.len().min(buffer.remaining());
            buffer.put_slice(&this.beginning.drain(..take).collect::<Vec<_>>());
            if this.beginning.is_empty() {
                this.beginning = Vec::new();
            }
        }
        let read = buffer.filled().get(before..).unwrap_or_default();
        match &mut this.frames {
            None if !read.is_empty() => this.connection.read(),
            None => {}
            Some(frames) => frames.read(read, &this.connection).map_err(io::Error::other)?,
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> Watched<T> {
    fn note<R>(&self, written: Poll<R>) -> Poll<R> {
        self.connection.blocked(written.is_pending());
        written
    }

    /// Writes what was gathered.
    fn drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.gathered.is_empty() {
            let written = ready!(Pin::new(&mut self.io).poll_write(context, &self.gathered))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.gathered.drain(..written);
        }
        // A connection that is idle keeps no room for it.
        self.gathered = Vec::new();
        Poll::Ready(Ok(()))
    }
}

/// h2 flushes each frame of data by itself, which would be a record of TLS and a call of the system for each response. So
/// what it writes in one turn of its task is gathered, and flushed in the next turn, which comes at once.
impl<T: AsyncWrite + Unpin> AsyncWrite for Watched<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.as_mut().poll_write_vectored(context, &[io::IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.frames.is_some() {
            let len: usize = slices.iter().map(|slice| slice.len()).sum();
            if this.gathered.len() + len > GATHERED {
                let drained = this.drain(context);
                ready!(this.note(drained))?;
            }
            if len <= GATHERED {
                this.gathered.reserve_exact(GATHERED - this.gathered.len());
                slices.iter().for_each(|slice| this.gathered.extend_from_slice(slice));
                return Poll::Ready(Ok(len));
            }
        }
        // A header without a body is one slice, which the system takes faster by itself.
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        let written = match (filled.next(), filled.next()) {
            (Some(only), None) => Pin::new(&mut this.io).poll_write(context, only),
            _ => Pin::new(&mut this.io).poll_write_vectored(context, slices),
        };
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let turn = self.connection.turn();
        if !self.gathered.is_empty() && self.flush.is_none_or(|first| first == turn) {
            if self.flush.replace(turn).is_none() {
                context.waker().wake_by_ref();
            }
            return Poll::Ready(Ok(()));
        }
        self.flush = None;
        let drained = self.drain(context);
        ready!(self.note(drained))?;
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        self.note(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.drain(context))?;
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_spoken_is_told_by_the_first_bytes() {
        let preface = std::str::from_utf8(PREFACE).unwrap();
        for (sent, expected) in [
            (preface, Some(Spoken::Http2)),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n", None),
            ("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", Some(Spoken::Http1)),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Some(Spoken::Http1)),
            ("\r\nGET / HTTP/1.1\r\n", Some(Spoken::Http1)),
            ("GET / HT", Some(Spoken::Http1)),
            ("P", None),
            ("", None),
            ("INVALID CONNECTION PREFACE\r\n\r\n", Some(Spoken::Other)),
            ("GET /\r\n", Some(Spoken::Other)),
            ("\u{16}\u{3}\u{1}\n", Some(Spoken::Other)),
        ] {
            let found = beginning(&mut sent.as_bytes()).await;
            assert_eq!(found.ok(), expected.map(|spoken| (spoken, sent.as_bytes().to_vec())), "{sent:?}");
        }
    }
}
