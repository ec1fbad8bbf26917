//! A moving window over a stream: only the part being split into records is in memory, however
//! large the stream is.

use std::io::Read;

/// The maximum length of a record, in bytes. Longer ones are damage.
pub const MAX_RECORD: usize = 64 << 20;

/// Number of bytes read at a time.
const STEP: usize = 256 << 10;

pub struct ReadWindow<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Where the window starts in the buffer.
    start: usize,
    /// Where the window starts in the stream.
    offset: u64,
    ended: bool,
}

impl<R: Read> ReadWindow<R> {
    /// A window over a stream of which `offset` bytes have already been read.
    pub fn new(reader: R, offset: u64) -> ReadWindow<R> {
        ReadWindow {
            reader,
            buffer: Vec::new(),
            start: 0,
            offset,
            ended: false,
        }
    }

    /// The unconsumed bytes in memory.
    pub fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Where [`ReadWindow::bytes`] starts in the stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads more bytes. False at the end of the stream.
    pub fn more(&mut self) -> std::io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let filled = self.buffer.len();
        self.buffer.resize(filled + STEP, 0);
        let rest = self.buffer.get_mut(filled..).unwrap_or_default();
        let read = self.reader.read(rest);
        self.buffer
            .truncate(filled + read.as_ref().copied().unwrap_or(0));
        self.ended = read? == 0;
        Ok(!self.ended)
    }

    /// The stream after the bytes in memory.
    pub fn into_reader(self) -> R {
        self.reader
    }

    /// Consumes bytes.
    pub fn consume(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes().len());
        self.start += bytes;
        self.offset += bytes as u64;
    }
}
