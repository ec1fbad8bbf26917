//! A separate process that reads a PDF: this program again, under limits of memory and time. If it ends in a
//! page, another one goes on behind the page. Its output is treated as plain text.

use std::io::{BufRead, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use citation_documents::{DocumentError, pdf};
use citation_model::budget::{Budget, Exceeded};
use pdf::{PageWatch, Remaining, Transcript};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// The command of the process that reads a PDF.
pub const READER: &str = "read-pdf";
/// The longest PDF, in bytes.
const MAX_PDF_LENGTH: usize = 128 * 1024 * 1024;
/// Limit of the memory that the process allocates, in bytes. With what it maps of the program it uses 300 MiB at
/// most.
const MEMORY: u64 = 256 * 1024 * 1024;
/// Slow-down of the program without optimisation.
const SLOWDOWN: u64 = if cfg!(debug_assertions) { 15 } else { 1 };
/// CPU time for a document, in seconds, in all its processes.
const CPU_SECONDS: u64 = 3 * SLOWDOWN;
/// The part of it, in seconds, that is left for putting the pages together. One page may take as long.
const PAGE_SECONDS: u64 = SLOWDOWN;
/// Processes for a document.
const MAX_STARTS: usize = 4;
/// Time limit of a process, which may wait for a processor.
const DEADLINE: Duration = Duration::from_secs(10 * SLOWDOWN);
/// How often to check whether the request was canceled.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest output of a process, in bytes. It draws no page when half of it is written.
const MAX_OUTPUT_LENGTH: u64 = 32 * 1024 * 1024;

/// The output of the process that reads a PDF. It waits for the process.
pub fn read(name: &str, bytes: &[u8], budget: &Budget) -> Result<Vec<u8>, DocumentError> {
    if bytes.len() > MAX_PDF_LENGTH {
        return Err(DocumentError::TooLarge {
            what: name.to_owned(),
            limit: MAX_PDF_LENGTH,
        });
    }
    let mut transcript = Transcript::default();
    let mut left = Duration::from_secs(CPU_SECONDS);
    let mut starts = 0;
    loop {
        let header = ReaderInput {
            cpu_seconds: left.as_secs().max(PAGE_SECONDS),
            length: bytes.len(),
            transcript: transcript.to_text(),
        };
        let ended = run(&header, name, bytes, budget)?;
        starts += 1;
        let status = ended.status;
        if status.is_some_and(|status| status.success()) {
            return Ok(ended.output);
        }
        left = left.saturating_sub(ended.cpu.unwrap_or(left));
        let may_draw = starts + 1 < MAX_STARTS && left.as_secs() > PAGE_SECONDS;
        let remaining = if may_draw {
            Remaining::Drawn
        } else {
            Remaining::Unread
        };
        if starts == MAX_STARTS || !transcript.add_ended(&ended.output, remaining) {
            return Err(stopped(name, cause(status)));
        }
    }
}

fn stopped(name: &str, cause: &str) -> DocumentError {
    DocumentError::Stopped {
        what: name.to_owned(),
        cause: cause.to_owned(),
    }
}

/// What a process gets before the PDF: a line of JSON.
#[derive(Serialize, Deserialize)]
struct ReaderInput {
    /// CPU time limit.
    cpu_seconds: u64,
    /// Length of the PDF in bytes, so that it is in memory once.
    length: usize,
    /// What the processes before have written.
    transcript: String,
}

/// A process that has ended.
struct EndedProcess {
    output: Vec<u8>,
    status: Option<ExitStatus>,
    /// Its CPU time, if the system tells.
    cpu: Option<Duration>,
}

/// Runs the process until it ends, or until it is over its time.
fn run(
    input: &ReaderInput,
    name: &str,
    bytes: &[u8],
    budget: &Budget,
) -> Result<EndedProcess, DocumentError> {
    let mut child = start().map_err(|cause| {
        tracing::error!(%cause, "the process that reads PDFs does not start");
        stopped(name, "its reader does not start")
    })?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = sync_channel(1);
    let output: Result<Vec<u8>, Exceeded> = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ends early does not read the rest. Its exit status tells why.
            let _ = stdin.map(|mut stdin| write_input(&mut stdin, input, bytes));
        });
        scope.spawn(move || {
            let mut output = Vec::new();
            let _ = stdout.map(|stdout| stdout.take(MAX_OUTPUT_LENGTH).read_to_end(&mut output));
            let _ = sender.send(output);
        });
        let began = Instant::now();
        loop {
            match receiver.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => {}
                output => break Ok(output.unwrap_or_default()),
            }
            let exceeded = budget.check();
            if exceeded.is_err() || began.elapsed() > DEADLINE {
                let _ = child.kill();
            }
            if let Err(exceeded) = exceeded {
                break Err(exceeded);
            }
        }
    });
    let cpu = cpu_time(child.id());
    // Its output is complete, or too long.
    let status = end(&mut child);
    Ok(EndedProcess {
        output: output?,
        status,
        cpu,
    })
}

/// Starts the process, without the environment, working directory and standard error of this one.
fn start() -> std::io::Result<Child> {
    Command::new(program()?)
        .arg(READER)
        .env_clear()
        // Else the allocator takes a gigabyte at once, and no limit applies to what it uses of it.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// This program, even if its file was replaced by another version. Test binaries are beside the folder of
/// the program that they test.
fn program() -> std::io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent();
    match folder.filter(|folder| folder.ends_with("deps")) {
        Some(folder) => Ok(folder.with_file_name("citation")),
        None if cfg!(target_os = "linux") => Ok(PathBuf::from("/proc/self/exe")),
        None => Ok(own),
    }
}

/// Waits for the end of a process whose output is complete. One whose output is too long fails to write on.
fn end(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
}

/// The CPU time of a process that has not been waited for (proc(5), stat: utime and stime).
fn cpu_time(process: u32) -> Option<Duration> {
    /// Clock ticks per second of these times (USER_HZ).
    const TICKS: u64 = 100;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets before it may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / TICKS))
}

fn cause(status: Option<ExitStatus>) -> &'static str {
    use rustix::process::Signal;
    let signal = status.and_then(|status| status.signal());
    match signal.and_then(Signal::from_named_raw) {
        Some(Signal::ABORT) => "it wants more memory than it may have, or breaks its reader",
        Some(Signal::XCPU | Signal::KILL) => "it takes too long",
        _ => "it breaks its reader",
    }
}

fn write_input(to: &mut impl Write, input: &ReaderInput, bytes: &[u8]) -> std::io::Result<()> {
    serde_json::to_writer(&mut *to, input)?;
    to.write_all(b"\n")?;
    to.write_all(bytes)
}

/// Runs in the process: reads a PDF on standard input and writes its [`Transcript`] and its text to standard
/// output.
pub fn serve_reader() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let header = read_header(&mut input)?;
    limit_process(header.cpu_seconds)?;
    let mut bytes = Vec::with_capacity(header.length.min(MAX_PDF_LENGTH) + 1);
    input
        .take(MAX_PDF_LENGTH as u64 + 1)
        .read_to_end(&mut bytes)?;
    let mut watch = ReaderWatch {
        cpu_seconds: header.cpu_seconds,
        written: 0,
        result: Ok(()),
    };
    pdf::serve(bytes, &header.transcript, &mut watch);
    watch.result
}

fn read_header(input: &mut impl BufRead) -> std::io::Result<ReaderInput> {
    let mut header = Vec::new();
    input
        .take(2 * MAX_OUTPUT_LENGTH)
        .read_until(b'\n', &mut header)?;
    Ok(serde_json::from_slice(&header)?)
}

/// Writes what is read, and limits the time of each page.
struct ReaderWatch {
    /// Limit of the process.
    cpu_seconds: u64,
    /// Bytes of output.
    written: u64,
    result: std::io::Result<()>,
}

impl PageWatch for ReaderWatch {
    fn may_draw(&mut self) -> bool {
        /// So much of the time for pages must be left, in a second, for another one.
        const MINIMUM: Duration = Duration::from_millis(250 * SLOWDOWN);
        let drawing = Duration::from_secs(self.cpu_seconds.saturating_sub(PAGE_SECONDS));
        let used = own_cpu_time();
        if used + MINIMUM > drawing || self.written > MAX_OUTPUT_LENGTH / 2 || self.result.is_err()
        {
            return false;
        }
        let until = used + Duration::from_secs(PAGE_SECONDS) + Duration::from_millis(500);
        self.limit_cpu(until.min(drawing).as_secs());
        self.result.is_ok()
    }

    fn report(&mut self, mut line: Vec<u8>) {
        line.push(b'\n');
        self.written += line.len() as u64;
        self.limit_cpu(self.cpu_seconds);
        if self.result.is_ok() {
            self.result = std::io::stdout().lock().write_all(&line);
        }
    }
}

impl ReaderWatch {
    /// Ends the process when it has used this time.
    fn limit_cpu(&mut self, seconds: u64) {
        let limited = set_limit(Resource::Cpu, seconds, self.cpu_seconds);
        self.result = std::mem::replace(&mut self.result, Ok(())).and(limited);
    }
}

/// The CPU time of this process.
fn own_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or(Duration::MAX)
}

/// Limits the process from here on.
fn limit_process(cpu_seconds: u64) -> std::io::Result<()> {
    for (resource, most) in [
        (Resource::Data, MEMORY),
        (Resource::Cpu, cpu_seconds),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ] {
        set_limit(resource, most, most)?;
    }
    Ok(())
}

fn set_limit(resource: Resource, current: u64, maximum: u64) -> std::io::Result<()> {
    let limit = Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    Ok(setrlimit(resource, limit)?)
}
