//! The body of an answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use super::state::Exchange;

/// The body of an answer. It is passed on in small parts, to see whether the client reads them.
pub struct Answer<B> {
    body: B,
    /// The rest of the last part from the body.
    rest: Bytes,
    exchange: Arc<Exchange>,
}

/// Bytes passed on at once.
const PART_BYTES: usize = 64 << 10;

impl<B> Answer<B> {
    pub fn new(body: B, exchange: Arc<Exchange>) -> Answer<B> {
        exchange.writing();
        Answer {
            body,
            rest: Bytes::new(),
            exchange,
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answer<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let answer = &mut *self;
        if answer.rest.is_empty() {
            let made = Pin::new(&mut answer.body).poll_frame(context);
            match made {
                Poll::Pending => {
                    answer.exchange.working();
                    return Poll::Pending;
                }
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => answer.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                ended => return ended,
            }
        }
        answer.exchange.writing();
        let length = answer.rest.len().min(PART_BYTES);
        Poll::Ready(Some(Ok(Frame::data(answer.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
