//! From a path to the unpacked bytes of its members: gzip and zstd, tar archives of either, plain
//! files. Unpacking has its own thread, since it is the slowest single step of an ingest.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};

use flate2::read::MultiGzDecoder;

use super::buffers::{Buffer, Buffers};
use super::frame::Framing;
use super::window::ReadWindow;
use crate::corpus::error::CorpusError;
use crate::store::codec::Fingerprint;
use crate::store::progress::FileKey;

/// Number of bytes that the unpacking thread sends at a time.
const CHUNK: usize = 256 << 10;

/// Number of bytes of a member's start for detecting its format.
pub const HEAD: usize = 64 << 10;

/// The output for a file, in order.
pub enum MemberPiece {
    /// The start of a member; a file that is not an archive has one.
    Member(Member),
    /// The next bytes of the member.
    Chunk(Buffer),
    /// The end of the member, with its error, if any.
    MemberEnd(Result<(), String>),
    /// The end of the file, with its error, if any.
    End(Result<(), String>),
}

/// A member of a file.
#[derive(Clone, Debug)]
pub struct Member {
    /// Position in the archive, from 0.
    pub number: u64,
    /// The name in the archive, or the file's own.
    pub name: String,
    /// The first bytes, unpacked.
    pub head: Vec<u8>,
    /// Number of unpacked bytes to skip.
    pub offset: u64,
}

/// Where to start: bytes before were read in an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartPosition {
    pub member: u64,
    pub offset: u64,
}

/// Size, time and fingerprint of a file.
pub fn file_key(path: &Path) -> io::Result<FileKey> {
    const END: u64 = 64 << 10;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let size = metadata.len();
    let modified = metadata.modified()?;
    let modified_at = modified
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as i64);
    let mut ends = Vec::new();
    file.by_ref().take(END).read_to_end(&mut ends)?;
    if size > END {
        file.seek(SeekFrom::Start(size.saturating_sub(END).max(END)))?;
        file.take(END).read_to_end(&mut ends)?;
    }
    Ok(FileKey {
        size,
        modified_at,
        fingerprint: Fingerprint::default().with(&ends).value(),
    })
}

/// The files of paths: a directory's files sorted by name, at any depth,
/// without hidden ones.
pub fn expand(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let metadata = std::fs::metadata(path)
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        if metadata.is_dir() {
            walk(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // Symbolic links to directories are skipped, since they may form cycles.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), files)?;
        } else if kind.is_file() || entry.path().is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The first unpacked bytes of a file's first member that is not a table of contents.
pub fn peek(path: &Path) -> io::Result<Vec<u8>> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let mut head = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| unpack(path, StartPosition::default(), &sender_of(sender), &stop));
        if let Ok(MemberPiece::Member(member)) = receiver.recv() {
            head = member.head;
        }
        drop(receiver);
    });
    Ok(head)
}

fn sender_of(sender: SyncSender<MemberPiece>) -> Unpacker {
    Unpacker {
        pieces: sender,
        read: Arc::default(),
        buffers: Buffers::default(),
    }
}

/// The receiver of unpacked chunks, and the count of packed bytes read.
pub struct Unpacker {
    pub pieces: SyncSender<MemberPiece>,
    pub read: Arc<AtomicU64>,
    pub buffers: Buffers,
}

/// Why unpacking stops early.
enum Stop {
    /// The receiver is gone.
    Unwanted,
    Broken(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Broken(describe(&error))
    }
}

/// Unpacks a file from a start, until its end or until the receiver is gone.
pub fn unpack(path: &Path, start: StartPosition, out: &Unpacker, stop: &AtomicBool) {
    let result = match unpack_file(path, start, out, stop) {
        Ok(()) => Ok(()),
        Err(Stop::Unwanted) => return,
        Err(Stop::Broken(reason)) => Err(reason),
    };
    // The receiver is gone.
    let _ = out.pieces.send(MemberPiece::End(result));
}

fn unpack_file(
    path: &Path,
    start: StartPosition,
    out: &Unpacker,
    stop: &AtomicBool,
) -> Result<(), Stop> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut file = Counting {
        inner: File::open(path)?,
        read: out.read.clone(),
    };
    let mut magic = [0; 4];
    let length = read_up_to(&mut file, &mut magic)?;
    file.seek(SeekFrom::Start(0))?;
    let packing = Packing::of(magic.get(..length).unwrap_or_default());
    if packing == Packing::None && is_tar_file(&mut file)? {
        let mut archive = tar::Archive::new(file);
        return each_member(archive.entries_with_seek()?, start, out, stop);
    }
    let mut reader = packing.unpack(BufReader::with_capacity(CHUNK, file))?;
    let mut head = vec![0; TAR_HEADER];
    let length = read_up_to(&mut reader, &mut head)?;
    head.truncate(length);
    let is_tar = is_tar(&head);
    let reader = Cursor::new(head).chain(reader);
    if is_tar {
        let mut archive = tar::Archive::new(reader);
        return each_member(archive.entries()?, start, out, stop);
    }
    // A run that was stopped after the only member has read it all.
    if start.member > 0 {
        return Ok(());
    }
    send_member(0, name, reader, start.offset, out, stop)?.map_err(Stop::Broken)
}

fn each_member<R: Read>(
    entries: tar::Entries<'_, R>,
    start: StartPosition,
    out: &Unpacker,
    stop: &AtomicBool,
) -> Result<(), Stop> {
    let mut number = 0;
    for entry in entries {
        let entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let this = number;
        number += 1;
        if this < start.member {
            continue;
        }
        let name = entry.path()?.to_string_lossy().into_owned();
        let offset = if this == start.member {
            start.offset
        } else {
            0
        };
        // A broken member only affects itself: the archive says where the next one starts.
        let _ = send_member(this, name, entry, offset, out, stop)?;
    }
    Ok(())
}

/// Sends a member, unpacked. The inner result says whether it was complete; its receiver knows too.
fn send_member(
    number: u64,
    name: String,
    mut reader: impl Read,
    offset: u64,
    out: &Unpacker,
    stop: &AtomicBool,
) -> Result<Result<(), String>, Stop> {
    let mut magic = vec![0; 4];
    let length = read_up_to(&mut reader, &mut magic)?;
    magic.truncate(length);
    let packing = Packing::of(&magic);
    let mut reader = packing.unpack(Cursor::new(magic).chain(reader))?;
    let mut head = vec![0; HEAD];
    let (length, broken) = read_until_error(&mut reader, &mut head);
    head.truncate(length);
    let mut first = out.buffers.take();
    first.extend_from_slice(&head);
    let member = Member {
        number,
        name,
        head,
        offset,
    };
    send(out, MemberPiece::Member(member))?;
    let mut pass = ChunkSender { left: offset, out };
    pass.send(first)?;
    let mut broken = broken;
    while broken.is_none() && !stop.load(Ordering::Relaxed) {
        let mut chunk = out.buffers.take();
        chunk.resize(CHUNK, 0);
        let (length, error) = read_until_error(&mut reader, &mut chunk);
        broken = error;
        if length == 0 {
            break;
        }
        chunk.truncate(length);
        pass.send(chunk)?;
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Stop::Unwanted);
    }
    let result = broken.map_or(Ok(()), |error| Err(describe(&error)));
    send(out, MemberPiece::MemberEnd(result.clone()))?;
    Ok(result)
}

/// Sends chunks without the first bytes, which an earlier run has read.
struct ChunkSender<'a> {
    left: u64,
    out: &'a Unpacker,
}

impl ChunkSender<'_> {
    fn send(&mut self, mut chunk: Buffer) -> Result<(), Stop> {
        let skipped = self.left.min(chunk.len() as u64);
        self.left -= skipped;
        chunk.drain(..skipped as usize);
        if chunk.is_empty() {
            return Ok(());
        }
        send(self.out, MemberPiece::Chunk(chunk))
    }
}

fn send(out: &Unpacker, piece: MemberPiece) -> Result<(), Stop> {
    out.pieces.send(piece).map_err(|_| Stop::Unwanted)
}

/// A helpful message for a stream error.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            "the file ends too early: it is truncated, or its download is incomplete".to_owned()
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("the packed data is damaged ({error})")
        }
        _ => error.to_string(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    fn of(magic: &[u8]) -> Packing {
        match magic {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] => Packing::Zstd,
            _ => Packing::None,
        }
    }

    fn unpack<'a>(self, reader: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Packing::None => Box::new(reader),
            Packing::Gzip => Box::new(MultiGzDecoder::new(reader)),
            Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(reader)?),
        })
    }
}

/// Bytes of a tar header.
const TAR_HEADER: usize = 512;

fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

fn is_tar_file(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut head = vec![0; TAR_HEADER];
    let length = read_up_to(file, &mut head)?;
    head.truncate(length);
    file.seek(SeekFrom::Start(0))?;
    Ok(is_tar(&head))
}

/// Fills the buffer as far as the stream has data.
fn read_up_to(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    match read_until_error(reader, buffer) {
        (_, Some(error)) => Err(error),
        (length, None) => Ok(length),
    }
}

/// Fills the buffer as far as the stream has data, and returns its error, if any; the data
/// before it counts.
fn read_until_error(reader: &mut impl Read, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

/// Counts the bytes read from a file.
struct Counting<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read + Seek> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = self.inner.seek(to)?;
        self.read.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

/// Takes a line, and occasionally the number of packed bytes read so far.
pub type TakeLine<'a> = dyn FnMut(&[u8], Option<u64>) -> Result<(), CorpusError> + 'a;

/// Reads every line of a file, of all its members; occasionally with the number of packed bytes read so far.
/// The inner result says whether the file was complete.
pub fn each_line(
    path: &Path,
    stop: &AtomicBool,
    take: &mut TakeLine<'_>,
) -> Result<Result<(), String>, CorpusError> {
    const TELL_EVERY: u64 = 4096;
    let (sender, receiver) = std::sync::mpsc::sync_channel(8);
    let unpacker = sender_of(sender);
    let read = unpacker.read.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || unpack(path, StartPosition::default(), &unpacker, stop));
        let mut lines = 0_u64;
        while let Ok(piece) = receiver.recv() {
            match piece {
                MemberPiece::Member(_) => {
                    let mut window = ReadWindow::new(MemberReader::new(&receiver), 0);
                    let mut framing = Framing::Lines;
                    while let Ok(Some(record)) = framing.next(&mut window) {
                        lines += 1;
                        let told = lines.is_multiple_of(TELL_EVERY);
                        let told = told.then(|| read.load(Ordering::Relaxed));
                        take(window.bytes().get(..record.end).unwrap_or_default(), told)?;
                        window.consume(record.consumed);
                    }
                    let _ = window.into_reader().finish();
                }
                MemberPiece::End(result) => return Ok(result),
                MemberPiece::Chunk(_) | MemberPiece::MemberEnd(_) => {}
            }
        }
        Ok(Ok(()))
    })
}

/// Reads one member of a file again, from its first byte; `read` gets its start and the whole.
pub fn read_member(
    path: &Path,
    number: u64,
    stop: &AtomicBool,
    read: impl FnOnce(&[u8], MemberReader<'_>),
) {
    let (sender, receiver) = std::sync::mpsc::sync_channel(8);
    let start = StartPosition {
        member: number,
        offset: 0,
    };
    std::thread::scope(|scope| {
        scope.spawn(move || unpack(path, start, &sender_of(sender), stop));
        let mut pieces = receiver.iter();
        let member = pieces.find_map(|piece| match piece {
            MemberPiece::Member(member) => Some(member),
            _ => None,
        });
        if let Some(member) = member.filter(|member| member.number == number) {
            read(&member.head, MemberReader::new(&receiver));
        }
        // Unpacking ends when the receiver is gone.
        drop(receiver);
    });
}

/// The bytes of one member as a stream. After its end it has the member's result.
pub struct MemberReader<'a> {
    pieces: &'a Receiver<MemberPiece>,
    chunk: Cursor<Buffer>,
    ended: Option<Result<(), String>>,
}

impl<'a> MemberReader<'a> {
    pub fn new(pieces: &'a Receiver<MemberPiece>) -> MemberReader<'a> {
        MemberReader {
            pieces,
            chunk: Cursor::default(),
            ended: None,
        }
    }

    /// Skips the rest and returns the member's result.
    pub fn finish(mut self) -> Result<(), String> {
        loop {
            if let Some(result) = self.ended.take() {
                return result;
            }
            self.next_chunk();
        }
    }

    fn next_chunk(&mut self) {
        match self.pieces.recv() {
            Ok(MemberPiece::Chunk(chunk)) => self.chunk = Cursor::new(chunk),
            Ok(MemberPiece::MemberEnd(result)) => self.ended = Some(result),
            Ok(MemberPiece::End(result)) => {
                self.ended = Some(result.and(Err("the archive ends too early".to_owned())));
            }
            Ok(MemberPiece::Member(_)) | Err(_) => {
                self.ended = Some(Err("reading was stopped".to_owned()));
            }
        }
    }
}

impl Read for MemberReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            match &self.ended {
                Some(Ok(())) => return Ok(0),
                Some(Err(reason)) => return Err(io::Error::other(reason.clone())),
                None => self.next_chunk(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a plain file from a start.
    fn check(member: u64, offset: u64, expected: &str) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.jsonl");
        std::fs::write(&path, "first\nsecond\n").unwrap();
        let (sender, pieces) = std::sync::mpsc::sync_channel(8);
        let start = StartPosition { member, offset };
        unpack(&path, start, &sender_of(sender), &AtomicBool::new(false));
        let (mut text, mut ended) = (Vec::new(), false);
        for piece in pieces {
            match piece {
                MemberPiece::Chunk(chunk) => text.extend_from_slice(&chunk),
                MemberPiece::End(result) => ended = result.is_ok(),
                MemberPiece::Member(_) | MemberPiece::MemberEnd(_) => {}
            }
        }
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        assert!(ended);
    }

    #[test]
    fn reading_resumes_at_the_saved_position() {
        check(0, 0, "first\nsecond\n");
        check(0, 6, "second\n");
        // After the only member.
        check(1, 0, "");
    }
}
