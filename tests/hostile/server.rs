//! The program as a server under limits: little address space, small stacks. The cost of a request is read
//! from the system.

#![allow(dead_code, reason = "the tests and the bench each need a part")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use citation::config::ProviderName;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use serde_json::{Value, json};

use crate::rows::Row;
use crate::server_process::ServerProcess;

/// Address space in addition to that at the start.
const SPACE_BYTES: u64 = 1 << 30;

/// Stack of a thread. Frames are several times larger without optimisation.
const STACK_BYTES: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    256 << 10
};

/// Clock ticks per second of the system's CPU times (USER_HZ).
const TICKS_A_SECOND: u64 = 100;

/// Settings without rate limits, providers and time-outs, so that only CPU time decides what is too slow.
/// More settings of the server may follow.
const SETTINGS: &str = "[limits]\nanonymous_per_minute = 10000000\ncredential_per_minute = 10000000\n\
                        [quota]\nanonymous_daily = 10000000\nbusiness_daily = 10000000\n\
                        [auth]\npassword_memory_kib = 8192\npassword_passes = 1\n\
                        [lookup]\nfetch_pages = false\n\
                        [server]\nrequest_timeout_ms = 600000\n";

/// The settings of a provider that is not asked.
const WITHOUT: &str = "enabled = false\n";

/// A running server with a fully privileged account.
pub struct Server {
    process: ServerProcess,
    /// Limit of its address space from the start, in bytes.
    space: Option<u64>,
    pub key: String,
    collection: String,
    entry: String,
    data: tempfile::TempDir,
}

/// The result of a request.
#[derive(Debug)]
pub struct Outcome {
    /// 0 if the connection ended before the response.
    pub status: u16,
    pub body_bytes: u64,
    pub cpu: Duration,
    /// Peak memory above that held before.
    pub memory_bytes: u64,
}

impl Server {
    pub fn start() -> Server {
        Server::start_with("")
    }

    /// A server with additional settings.
    pub fn start_with(settings: &str) -> Server {
        Server::start_as(&format!("{SETTINGS}{settings}"))
    }

    /// A server that fetches pages, including from an origin outside of the public internet.
    pub fn start_fetching(origin: &str) -> Server {
        let fetching = format!("fetch_pages = true\nfetch_origins = [\"{origin}\"]");
        Server::start_as(&SETTINGS.replace("fetch_pages = false", &fetching))
    }

    fn start_as(settings: &str) -> Server {
        Server::start_with_providers(WITHOUT, settings, None)
    }

    /// A server with so little address space in all, in bytes.
    pub fn start_within(space: u64) -> Server {
        Server::start_with_providers(WITHOUT, SETTINGS, Some(space))
    }

    /// A server all of whose providers are at an origin.
    pub fn start_asking(origin: &str) -> Server {
        let provider = format!(
            "enabled = true\nbase_url = \"{origin}\"\nretries = 0\nmax_per_second = 0\nmax_in_flight = 20\n"
        );
        Server::start_with_providers(&provider, SETTINGS, None)
    }

    /// A server with the same settings for each provider.
    fn start_with_providers(provider: &str, settings: &str, space: Option<u64>) -> Server {
        let data = tempfile::tempdir().unwrap();
        let section = |name: &ProviderName| format!("[providers.{}]\n{provider}", name.id());
        let providers: String = ProviderName::ALL.iter().map(section).collect();
        let settings = format!("{providers}{settings}");
        std::fs::write(data.path().join("citation.toml"), settings).unwrap();
        let add = "user add a@example.org --plan business --api-key --json";
        let add: Vec<&str> = add.split(' ').collect();
        let made = command(data.path(), &add).output().unwrap();
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let key = made["api_key"].as_str().unwrap().to_owned();
        let mut server = Server {
            process: launch(data.path(), space),
            space,
            key,
            collection: String::new(),
            entry: String::new(),
            data,
        };
        let work = json!({"metadata": {"title": "A title", "doi": "10.1000/1"}});
        let body = json!({"name": "Hostile", "entries": [work]});
        let made = server.send(
            "POST",
            "/api/v1/collections",
            "application/json",
            body.to_string().as_bytes(),
        );
        let made: Value = serde_json::from_slice(&made.unwrap().1).unwrap();
        server.collection = made["id"].as_str().unwrap().to_owned();
        server.entry = made["entries"][0]["id"].as_str().unwrap().to_owned();
        server.limit_space();
        server
    }

    /// Restarts the program if it has ended; returns whether it had.
    pub fn revive(&mut self) -> bool {
        if !self.process.has_ended() {
            return false;
        }
        self.process = launch(self.data.path(), self.space);
        self.limit_space();
        true
    }

    /// Waits until an unresponsive process has ended or responds again.
    pub fn wait_for_end(&mut self) {
        for _ in 0..100 {
            if self.process.has_ended() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn address(&self) -> &str {
        &self.process.address
    }

    /// Current memory.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS")
    }

    /// Peak memory.
    pub fn peak_memory(&self) -> u64 {
        self.status("VmHWM")
    }

    /// Resets peak memory (proc(5), clear_refs), and returns current memory.
    pub fn forget_peak(&self) -> u64 {
        let _ = std::fs::write(format!("/proc/{}/clear_refs", self.process.id()), "5");
        self.memory()
    }

    fn limit_space(&self) {
        if self.space.is_some() {
            return;
        }
        let space = self.status("VmSize") + SPACE_BYTES;
        let limit = Rlimit {
            current: Some(space),
            ..getrlimit(Resource::As)
        };
        prlimit(Pid::from_raw(self.pid()), Resource::As, limit).unwrap();
    }

    fn pid(&self) -> i32 {
        self.process.id().try_into().unwrap()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).unwrap_or_default()
    }

    /// A size of the process in bytes; 0 if it has ended.
    fn status(&self, name: &str) -> u64 {
        let status = self.read("status");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kib.unwrap_or(0u64) * 1024
    }

    /// CPU time of the process and of those it has waited for, in ticks.
    fn ticks(&self) -> u64 {
        let stat = self.read("stat");
        // The name in brackets before it may contain anything.
        let fields = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        fields
            .skip(11)
            .take(4)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum()
    }

    pub fn cpu(&self) -> Duration {
        Duration::from_millis(self.ticks() * 1000 / TICKS_A_SECOND)
    }

    /// Whether a thread is running or runnable.
    fn is_busy(&self) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process.id()));
        let mut threads = threads.into_iter().flatten().flatten();
        threads.any(|thread| {
            let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            let state = stat.rsplit(") ").next().unwrap_or_default();
            state.starts_with(['R', 'D'])
        })
    }

    /// Waits until the process is idle or has used too much CPU time.
    fn settle(&self, most: u64) {
        let began = self.ticks();
        let mut looks_without_work = 0;
        while looks_without_work < 5 && self.ticks() <= began + most {
            std::thread::sleep(Duration::from_millis(10));
            looks_without_work = if self.is_busy() {
                0
            } else {
                looks_without_work + 1
            };
        }
    }

    /// The path of a row in this server.
    pub fn path(&self, row: &Row) -> String {
        let path = row.path.replace("{collection}", &self.collection);
        path.replace("{entry}", &self.entry)
    }

    /// Sends a row's request and returns the result. `most` is the CPU time after which it stops waiting
    /// for the server.
    pub fn measure(&self, row: &Row, most: Duration) -> Outcome {
        let body = (row.body)();
        let most = most.as_secs() * TICKS_A_SECOND;
        self.settle(most);
        let (memory, ticks) = (self.forget_peak(), self.ticks());
        let answer = self.send(row.method, &self.path(row), row.content_type, &body);
        self.settle(most);
        let spent = self.ticks().saturating_sub(ticks);
        let (status, body) = answer.unwrap_or_default();
        Outcome {
            status,
            body_bytes: body.len() as u64,
            cpu: Duration::from_millis(spent * 1000 / TICKS_A_SECOND),
            memory_bytes: self.status("VmHWM").saturating_sub(memory),
        }
    }

    pub fn is_well(&self) -> bool {
        let answer = self.send("GET", "/healthz", "", b"");
        answer.is_some_and(|(status, _)| status == 200)
    }

    /// Sends a request on its own connection. `None` if the connection ends before the response.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: &[u8],
    ) -> Option<(u16, Vec<u8>)> {
        let mut stream = TcpStream::connect(self.address()).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(600)))
            .unwrap();
        stream
            .set_write_timeout(Some(Duration::from_secs(600)))
            .unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
             content-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            self.address(),
            self.key,
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        // A server that rejects the request may close before all is sent.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(answer.get(..end)?)
            .ok()?
            .to_ascii_lowercase();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let mut body = answer.split_off(end + 4);
        if head.contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Some((status, body))
    }
}

/// The content of chunks (RFC 9112, section 7.1).
fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = chunks.windows(2).position(|window| window == b"\r\n") {
        let (size, rest) = chunks.split_at(end);
        let size = std::str::from_utf8(size)
            .ok()
            .and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(chunk) = size
            .filter(|size| *size > 0)
            .and_then(|size| rest.get(2..2 + size))
        else {
            break;
        };
        whole.extend_from_slice(chunk);
        chunks = rest.get(chunk.len() + 4..).unwrap_or_default();
    }
    whole
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_citation"));
    command
        .arg("--init")
        .arg("--data")
        .arg(data)
        .args(arguments)
        .current_dir(data);
    command
}

fn launch(data: &Path, space: Option<u64>) -> ServerProcess {
    let program = command(data, &["serve", "--listen", "127.0.0.1:0"]);
    let mut limited = match space {
        // Only the shell can limit the space before the program starts.
        Some(space) => {
            let mut shell = Command::new("sh");
            let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", space / 1024);
            shell.arg("-c").arg(script).arg(program.get_program());
            shell.args(program.get_args()).current_dir(data);
            shell
        }
        None => program,
    };
    ServerProcess::start(
        limited
            .env("RUST_MIN_STACK", STACK_BYTES.to_string())
            .stderr(Stdio::null()),
    )
}
