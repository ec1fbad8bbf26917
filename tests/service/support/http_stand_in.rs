//! A small HTTP server on the loopback address that replaces an external service: it gives the
//! answers that a test defines, good or bad, and records the requests.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A request as it came, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// Path and query as they came over the wire.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|header| header.0 == name);
        found.map(|header| header.1.as_str())
    }

    /// The path without query, percent-decoded.
    pub fn path(&self) -> String {
        let path = self.target.split('?').next().unwrap_or_default();
        citation_model::identifier::percent_decode(path)
    }
}

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Reply {
    Whole {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    /// Takes the request and says nothing.
    Hang,
    /// Ends the connection without a word.
    Close,
    /// Announces a body and ends the connection in the middle of it.
    CutOff,
    /// Zeros, as many as are taken.
    Zeros,
    /// The same few packed bytes again and again, each lot 16 MiB of zeros when unpacked.
    PackedZeros,
    /// One byte at a time, with a pause between them.
    Trickle(Duration),
}

impl Reply {
    /// 200 with JSON.
    pub fn json(body: impl Into<Vec<u8>>) -> Reply {
        Reply::whole(200, "application/json", body)
    }

    pub fn whole(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Reply {
        Reply::Whole {
            status,
            headers: vec![("Content-Type".into(), content_type.into())],
            body: body.into(),
        }
    }

    pub fn status(status: u16) -> Reply {
        Reply::whole(status, "text/plain", "")
    }

    pub fn redirect(location: &str) -> Reply {
        Reply::status(302).with_header("Location", location)
    }

    pub fn with_header(self, name: &str, value: &str) -> Reply {
        match self {
            Reply::Whole {
                status,
                mut headers,
                body,
            } => {
                headers.push((name.into(), value.into()));
                Reply::Whole {
                    status,
                    headers,
                    body,
                }
            }
            other => other,
        }
    }
}

/// The server; it stops when dropped.
pub struct StandIn {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    is_over: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
}

impl StandIn {
    /// Listens on a free port and answers each request by `script`.
    pub fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let script: Arc<dyn Fn(&Request) -> Reply + Send + Sync> = Arc::new(script);
        let acceptor = {
            let (requests, is_over) = (Arc::clone(&requests), Arc::clone(&is_over));
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    let Ok(stream) = stream else { continue };
                    let (script, requests) = (Arc::clone(&script), Arc::clone(&requests));
                    let is_over = Arc::clone(&is_over);
                    std::thread::spawn(move || {
                        // Who is asked may hang up at any time; that is no failure of the test.
                        let _ = serve(stream, script.as_ref(), &requests, &is_over);
                    });
                }
            })
        };
        StandIn {
            address,
            requests,
            is_over,
            acceptor: Some(acceptor),
        }
    }

    /// Gives the replies one after the other, the last one for ever.
    pub fn replies(replies: Vec<Reply>) -> StandIn {
        let next = Mutex::new(0);
        StandIn::start(move |_| {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let at = *next;
            *next = (at + 1).min(replies.len() - 1);
            replies[at].clone()
        })
    }

    /// `http://127.0.0.1:port`
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the acceptor up.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

fn serve(
    stream: TcpStream,
    script: &(dyn Fn(&Request) -> Reply + Send + Sync),
    requests: &Mutex<Vec<Request>>,
    is_over: &AtomicBool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    let Some(request) = read_request(&mut reader)? else {
        return Ok(());
    };
    requests
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(request.clone());
    match script(&request) {
        Reply::Whole {
            status,
            headers,
            body,
        } => {
            write!(stream, "HTTP/1.1 {status} Said\r\n")?;
            for (name, value) in headers {
                write!(stream, "{name}: {value}\r\n")?;
            }
            write!(stream, "Content-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
            stream.write_all(&body)
        }
        Reply::Close => Ok(()),
        Reply::CutOff => stream.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"message\":{",
        ),
        Reply::Hang => {
            while !is_over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        }
        Reply::Zeros => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")?;
            let zeros = vec![0_u8; 1 << 16];
            repeat(&mut stream, &zeros, 1 << 15, is_over)
        }
        Reply::PackedZeros => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n";
            stream.write_all(head.as_bytes())?;
            repeat(&mut stream, &packed_zeros(), 128, is_over)
        }
        Reply::Trickle(pause) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")?;
            while !is_over.load(Ordering::SeqCst) {
                stream.write_all(b" ")?;
                std::thread::sleep(pause);
            }
            Ok(())
        }
    }
}

fn repeat(
    stream: &mut TcpStream,
    piece: &[u8],
    times: usize,
    is_over: &AtomicBool,
) -> std::io::Result<()> {
    for _ in 0..times {
        if is_over.load(Ordering::SeqCst) {
            return Ok(());
        }
        stream.write_all(piece)?;
    }
    Ok(())
}

/// 16 MiB of zeros, packed: some 16 KiB.
fn packed_zeros() -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0_u8; 1 << 20];
    for _ in 0..16 {
        packer.write_all(&zeros).expect("memory takes everything");
    }
    packer.finish().expect("memory takes everything")
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Ok(None);
    };
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()))
            }
            None => break,
        }
    }
    Ok(Some(Request {
        method,
        target,
        headers,
    }))
}
