//! The program's server as a process of its own, for tests and benches.

#![allow(dead_code, reason = "the tests and the benches each need a part")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A server, killed when it is dropped.
pub struct ServerProcess {
    process: Child,
    /// Where it listens: `127.0.0.1:8080`.
    pub address: String,
    /// What it wrote to standard output so far.
    output: Arc<Mutex<String>>,
    /// What it wrote to standard error so far, if that is piped.
    log: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
}

impl ServerProcess {
    /// Runs a command that serves, and returns when it listens. Panics if it ends before.
    #[track_caller]
    pub fn start(command: &mut Command) -> ServerProcess {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let (output, log) = (
            Arc::<Mutex<String>>::default(),
            Arc::<Mutex<String>>::default(),
        );
        let stderr = process.stderr.take().map(BufReader::new);
        // A pipe that nobody reads would block it.
        let mut readers: Vec<_> = stderr
            .map(|lines| collect(lines, &log))
            .into_iter()
            .collect();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let address = loop {
            let mut line = String::new();
            let length = stdout.read_line(&mut line).unwrap();
            assert!(length > 0, "it does not start: {}", log.lock().unwrap());
            output.lock().unwrap().push_str(&line);
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.trim_end().to_owned();
            }
        };
        readers.push(collect(stdout, &output));
        ServerProcess {
            process,
            address,
            output,
            log,
            readers,
        }
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn get(&self, path: &str) -> Option<String> {
        let mut answer = ureq::get(self.url(path)).call().ok()?;
        answer.body_mut().read_to_string().ok()
    }

    pub fn output(&self) -> String {
        self.output.lock().unwrap().clone()
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub fn has_ended(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
    }

    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Ends it and returns all that it wrote to standard output.
    pub fn end(mut self) -> String {
        self.kill();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        self.output()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Adds lines to a text while they come.
fn collect(lines: impl BufRead + Send + 'static, text: &Arc<Mutex<String>>) -> JoinHandle<()> {
    let text = Arc::clone(text);
    std::thread::spawn(move || {
        for line in lines.lines().map_while(Result::ok) {
            let mut text = text.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
        }
    })
}
