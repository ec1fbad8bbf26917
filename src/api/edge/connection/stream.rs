//! The stream of a connection.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::refusal;
use super::state::Connection;

/// The stream of a connection, which shows whether the client reads the answer.
pub struct ClientStream<S> {
    stream: S,
    connection: Arc<Connection>,
    /// The number of requests begun when everything of the earlier answers was sent; `None` within an answer.
    sent_up_to: Option<u64>,
    replacing: Option<Replacement>,
}

/// An answer sent instead of what hyper writes.
struct Replacement {
    rest: Bytes,
    /// Number of bytes of hyper's.
    replaced: usize,
}

impl<S> ClientStream<S> {
    pub fn new(stream: S, connection: Arc<Connection>) -> ClientStream<S> {
        ClientStream {
            stream,
            connection,
            sent_up_to: Some(0),
            replacing: None,
        }
    }

    /// Starts to replace an answer of hyper's own: one between answers, without a request.
    fn inspect(&mut self, buffers: &[IoSlice<'_>]) {
        let is_answer_to_nothing = self.sent_up_to == Some(self.connection.begun());
        self.sent_up_to = None;
        if !is_answer_to_nothing {
            return;
        }
        let parts: Vec<&[u8]> = buffers.iter().map(|buffer| &**buffer).collect();
        let written = parts.concat();
        self.replacing = refusal::replacement(&written).map(|rest| Replacement {
            rest,
            replaced: written.len(),
        });
    }
}

impl<S: AsyncWrite + Unpin> ClientStream<S> {
    /// Sends the rest of a replacement; then the number of bytes that it stands for.
    fn poll_replace(&mut self, context: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        let replacing = self.replacing.as_mut()?;
        while replacing.rest.has_remaining() {
            match Pin::new(&mut self.stream).poll_write(context, &replacing.rest) {
                Poll::Ready(Ok(0)) => {
                    return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into())));
                }
                Poll::Ready(Ok(sent)) => replacing.rest.advance(sent),
                unsent => return Some(unsent),
            }
        }
        let replaced = replacing.replaced;
        self.replacing = None;
        Some(Poll::Ready(Ok(replaced)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.sent_up_to.is_some() {
            self.inspect(buffers);
        }
        let written = match self.poll_replace(context) {
            Some(written) => written,
            None => Pin::new(&mut self.stream).poll_write_vectored(context, buffers),
        };
        self.connection.sending(written.is_pending());
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        // Hyper flushes when it has written everything that it had.
        if self.connection.is_between_requests() {
            self.sent_up_to = Some(self.connection.begun());
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
