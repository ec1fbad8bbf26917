//! Layer 2: reads manuscripts of every format. A PDF is untrusted, so a separate process reads it: this
//! program again, under limits of memory and time. Its output is treated as plain text.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use citation_documents::{
    self as documents, Companions, Document, DocumentError, ManuscriptFormat, pdf,
};
use citation_model::budget::Budget;

/// The command of the process that reads a PDF.
pub const READER: &str = "read-pdf";
/// The longest PDF, in bytes.
const LONGEST_PDF: usize = 128 * 1024 * 1024;
/// Limit of the process's address space, in bytes. It uses less.
const MEMORY: u64 = 2 * 1024 * 1024 * 1024;
/// CPU time limit of the process, in seconds.
const CPU_SECONDS: u64 = 20;
/// Time limit of the process.
const DEADLINE: Duration = Duration::from_secs(40);
/// How often to check whether the request was canceled.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest answer of the process, in bytes.
const LONGEST_ANSWER: u64 = 64 * 1024 * 1024;

/// Reads a manuscript. The file name decides the format if the content does not.
pub fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    if documents::detect(name, bytes)? != ManuscriptFormat::Pdf {
        return documents::read(name, bytes, companions, budget);
    }
    if bytes.len() > LONGEST_PDF {
        return Err(DocumentError::TooLarge {
            what: name.to_owned(),
            limit: LONGEST_PDF,
        });
    }
    let answer = ask(name, bytes, budget)?;
    pdf::document(name, &answer, budget)
}

/// The process's output for a PDF.
fn ask(name: &str, bytes: &[u8], budget: &Budget) -> Result<Vec<u8>, DocumentError> {
    let stopped = |cause| DocumentError::Stopped {
        what: name.to_owned(),
        cause,
    };
    let mut child = start().map_err(|cause| {
        tracing::error!(%cause, "the process that reads PDFs does not start");
        stopped("its reader does not start")
    })?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = sync_channel(1);
    let answer = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ends early does not read the rest. Its exit status tells why.
            let _ = input.map(|mut input| input.write_all(bytes));
        });
        scope.spawn(move || {
            let mut answer = Vec::new();
            let read = output.map(|output| output.take(LONGEST_ANSWER).read_to_end(&mut answer));
            let _ = sender.send(read.map(|_| answer));
        });
        let began = Instant::now();
        loop {
            match receiver.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => {}
                answer => break Ok(answer.ok().flatten().unwrap_or_default()),
            }
            let ends = match budget.check() {
                Err(exceeded) => Some(exceeded.into()),
                Ok(()) if began.elapsed() > DEADLINE => Some(stopped("it takes too long")),
                Ok(()) => None,
            };
            if let Some(error) = ends {
                let _ = child.kill();
                break Err(error);
            }
        }
    });
    let status = end(&mut child);
    let answer = answer?;
    match status {
        Some(status) if status.success() => Ok(answer),
        status => Err(stopped(cause(status))),
    }
}

/// Starts the process, without the environment, working directory and standard error of this one.
fn start() -> std::io::Result<Child> {
    Command::new(program()?)
        .arg(READER)
        .env_clear()
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

/// Waits for the end of a process whose output is complete or too long.
fn end(child: &mut Child) -> Option<ExitStatus> {
    child.wait().ok()
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

/// Runs in the process: reads a PDF on standard input and writes its paragraphs to standard output.
pub fn serve_reader() -> std::io::Result<()> {
    limit_process()?;
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    input.take(LONGEST_PDF as u64 + 1).read_to_end(&mut bytes)?;
    let answer = pdf::answer(bytes);
    std::io::stdout().lock().write_all(&answer)
}

/// Limits the process from here on.
fn limit_process() -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [
        (Resource::As, MEMORY),
        (Resource::Cpu, CPU_SECONDS),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ];
    for (resource, most) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}
