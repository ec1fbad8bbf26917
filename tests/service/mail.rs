//! Mail: invitations by address and new passwords, through a mail server that stands in on the loopback address.
//!
//! `cargo test -p citation --features mail --test service mail::`

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use citation::config::{Config, MailSecurity};
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::api::collections::{Library, expect, text};
use crate::support::list;
use crate::support::waiting::wait_until;

/// A message as the server got it.
#[derive(Clone, Debug, Default)]
struct Received {
    from: String,
    to: Vec<String>,
    /// What the client said to sign in, decoded.
    user: Option<String>,
    headers: String,
    /// Decoded from quoted-printable.
    body: String,
}

/// A mail server (RFC 5321). It answers each `DATA` with the next status, then with the last.
struct Server {
    port: u16,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    fn start(statuses: &[u16]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, statuses) = (Arc::clone(&received), statuses.to_vec());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, &kept, &statuses);
            }
        });
        Server { port, received }
    }

    fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    fn settings(&self, config: &mut Config) {
        config.mail.server = "127.0.0.1".to_owned();
        config.mail.port = self.port;
        config.mail.security = MailSecurity::None;
        config.mail.from = "Citation <citation@example.org>".to_owned();
        config.mail.retry_seconds = 1;
    }
}

fn answer(stream: TcpStream, kept: &Mutex<Vec<Received>>, statuses: &[u16]) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    let mut message = Received::default();
    write!(out, "220 stand-in ESMTP\r\n")?;
    while let Some(line) = lines.next() {
        let line = line?;
        let upper = line.to_ascii_uppercase();
        let reply = match upper.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-stand-in\r\n250-8BITMIME\r\n250 AUTH PLAIN".to_owned(),
            "AUTH" => {
                use base64::Engine;
                let said = line.rsplit(' ').next().unwrap_or_default();
                let said = base64::engine::general_purpose::STANDARD.decode(said);
                message.user = said
                    .ok()
                    .map(|said| String::from_utf8_lossy(&said).into_owned());
                "235 welcome".to_owned()
            }
            "MAIL" => {
                message.from = line;
                "250 fine".to_owned()
            }
            "RCPT" => {
                message.to.push(line);
                "250 fine".to_owned()
            }
            "DATA" => {
                write!(out, "354 go on\r\n")?;
                let mut text = String::new();
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    text.push_str(&line);
                    text.push('\n');
                }
                let (headers, body) = text.split_once("\n\n").unwrap_or((&text, ""));
                message.headers = headers.to_owned();
                message.body = decoded(headers, body);
                let mut kept = kept.lock().unwrap();
                let status = statuses.get(kept.len()).or(statuses.last()).unwrap();
                kept.push(std::mem::take(&mut message));
                format!("{status} so be it")
            }
            "QUIT" => {
                write!(out, "221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 fine".to_owned(),
        };
        write!(out, "{reply}\r\n")?;
    }
    Ok(())
}

/// The text of a body (RFC 2045, sections 6.7 and 6.8).
fn decoded(headers: &str, body: &str) -> String {
    use base64::Engine;
    let headers = headers.to_ascii_lowercase();
    if headers.contains("content-transfer-encoding: base64") {
        let packed: String = body.split_whitespace().collect();
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(packed)
            .unwrap();
        return String::from_utf8(bytes).unwrap();
    }
    if !headers.contains("quoted-printable") {
        return body.to_owned();
    }
    let body = body.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = body.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, after) {
            (b'=', [high, low, others @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                rest = others;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The first link of a text.
fn link(text: &str) -> &str {
    let found = text
        .split_whitespace()
        .find(|word| word.starts_with("http"));
    found.unwrap_or_else(|| panic!("no link: {text}"))
}

#[test]
fn invitation_goes_to_an_address_and_opens_the_collection() {
    let server = Server::start(&[250]);
    let library = Library::open_with(|config| server.settings(config));
    let owner = library.named_member("owner@example.org", Plan::Free);
    let guest = library.named_member("guest@example.org", Plan::Free);
    let path = owner.collection("Ströme & Flüsse");
    let invitations = format!("{path}/invitations");
    let terms = json!({"role": "editor", "email": "someone.else@example.net"});
    expect(&owner.post(&invitations, terms), 201);
    wait_until(|| !server.received().is_empty());
    let message = server.received().remove(0);
    assert!(
        message.to[0].contains("<someone.else@example.net>"),
        "{message:?}"
    );
    assert!(
        message.from.contains("<citation@example.org>"),
        "{message:?}"
    );
    assert!(
        message.headers.contains("text/plain; charset=utf-8"),
        "{message:?}"
    );
    assert!(
        message.body.contains("owner invites you"),
        "{}",
        message.body
    );
    assert!(message.body.contains("Ströme & Flüsse"), "{}", message.body);
    assert_eq!(message.user, None);
    let token = link(&message.body).rsplit('/').next().unwrap();
    expect(
        &guest.post(&format!("/invitations/{token}/accept"), Value::Null),
        200,
    );
    assert_eq!(expect(&guest.get(&path), 200)["role"], "editor");

    // In the language of whoever invites.
    let german = [("accept-language", "de")];
    let terms = json!({"role": "reader", "email": "a@example.net"});
    expect(&owner.send("POST", &invitations, &terms, &german), 201);
    wait_until(|| server.received().len() == 2);
    let message = server.received().remove(1);
    assert!(message.body.contains("lädt Sie ein"), "{}", message.body);

    for email in [
        "example.net",
        "a@example.net, b@example.net",
        "a@b\r\nBcc: c@d",
    ] {
        let refused = owner.post(&invitations, json!({"role": "reader", "email": email}));
        refused.expect_error(422, "validation_failed");
    }
    let before = list(&expect(&owner.get(&invitations), 200)).len();
    assert_eq!(before, 1, "a refused address left an invitation");
}

#[test]
fn message_is_tried_again_and_given_up_where_that_is_of_no_use() {
    let server = Server::start(&[451, 250, 550]);
    let library = Library::open_with(|config| {
        server.settings(config);
        config.mail.user = "citation".to_owned();
        config.mail.password = serde_json::from_str("\"s3cret\"").unwrap();
    });
    let owner = library.named_member("owner@example.org", Plan::Free);
    let path = format!("{}/invitations", owner.collection("A"));
    let invite = |address: &str| {
        let terms = json!({"role": "reader", "email": address});
        expect(&owner.post(&path, terms), 201);
    };
    invite("a@example.net");
    wait_until(|| {
        library.clock.advance(2);
        server.received().len() == 2
    });
    let received = server.received();
    assert_eq!(received[0].body, received[1].body);
    assert_eq!(received[0].user.as_deref(), Some("\0citation\0s3cret"));
    invite("b@example.net");
    wait_until(|| server.received().len() == 3);
    invite("c@example.net");
    wait_until(|| {
        library.clock.advance(100);
        server.received().len() == 4
    });
    assert!(server.received()[3].to[0].contains("c@example.net"));
    let store = &library.app.app.store;
    wait_until(|| store.due_mails(i64::MAX, 10).unwrap().is_empty());
}

#[test]
fn new_password_is_sent_to_accounts_only_and_nobody_is_told() {
    let server = Server::start(&[250]);
    let library = Library::open_with(|config| server.settings(config));
    let app = &library.app;
    let form = |path: &str, body: &str| {
        let origin = app.url("");
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", origin.as_str()),
        ];
        app.send("POST", path, &headers, Some(body.as_bytes()))
    };
    let made = form(
        "/auth/sign-up",
        "email=a%40example.org&password=correct+horse+battery",
    );
    assert_eq!(made.status, 303, "{}", made.text());
    assert!(app.get("/auth/login").text().contains("/auth/forgotten"));
    assert_eq!(app.get("/auth/forgotten").status, 200);
    let unknown = form("/auth/forgotten", "email=nobody%40example.org");
    let known = form("/auth/forgotten", "email=a%40example.org");
    assert_eq!(
        (unknown.status, known.status),
        (200, 200),
        "{}",
        known.text()
    );
    assert_eq!(unknown.text(), known.text());
    wait_until(|| !server.received().is_empty());
    let store = &app.app.store;
    wait_until(|| store.due_mails(i64::MAX, 10).unwrap().is_empty());
    let received = server.received();
    assert_eq!(received.len(), 1, "{received:?}");
    assert!(received[0].to[0].contains("<a@example.org>"));
    let url = link(&received[0].body);
    let token = url.rsplit("token=").next().unwrap();
    let chosen = form(
        "/auth/link",
        &format!("token={token}&password=another+horse+battery"),
    );
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    let sign_in = |password: &str| {
        let body = format!("email=a%40example.org&password={password}");
        form("/auth/login", &body).status
    };
    assert_eq!(sign_in("another+horse+battery"), 303);
    assert_ne!(sign_in("correct+horse+battery"), 303);
    // The link works once.
    assert_eq!(
        form(
            "/auth/link",
            &format!("token={token}&password=a+third+horse+battery")
        )
        .status,
        404
    );
}

#[test]
fn messages_are_limited_by_sender_and_recipient() {
    let server = Server::start(&[250]);
    let library = Library::open_with(|config| {
        server.settings(config);
        config.mail.per_sender_per_day = 4;
        config.mail.per_recipient_per_day = 2;
    });
    let owner = library.named_member("owner@example.org", Plan::Free);
    let path = format!("{}/invitations", owner.collection("A"));
    let invite = |address: &str| owner.post(&path, json!({"role": "reader", "email": address}));
    // The third message to one address is not sent, and the answer does not tell.
    for _ in 0..3 {
        expect(&invite("A@example.net"), 201);
    }
    expect(&invite("b@example.net"), 201);
    invite("c@example.net").expect_error(429, "rate_limited");
    wait_until(|| server.received().len() == 3);
    let store = &library.app.app.store;
    wait_until(|| store.due_mails(i64::MAX, 10).unwrap().is_empty());
    assert_eq!(server.received().len(), 3);
}

#[test]
fn without_mail_everything_works_by_links() {
    let library = Library::open();
    let owner = library.named_member("owner@example.org", Plan::Free);
    let path = format!("{}/invitations", owner.collection("A"));
    let refused = owner.post(&path, json!({"role": "reader", "email": "a@example.net"}));
    let refused = refused.expect_error(422, "validation_failed");
    assert!(refused.to_string().contains("sends no mail"), "{refused}");
    let made = expect(&owner.post(&path, json!({"role": "reader"})), 201);
    assert!(text(&made["url"]).contains("/join/"));
    assert_eq!(library.app.get("/auth/forgotten").status, 404);
    assert!(
        !library
            .app
            .get("/auth/login")
            .text()
            .contains("/auth/forgotten")
    );
}
