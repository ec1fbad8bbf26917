//! Sign-in through a real OpenID Connect provider: npm's oidc-provider, certified by the OpenID
//! Foundation, on the loopback address. It runs if `CITATION_OIDC_PROVIDER` names a folder in
//! which `npm install oidc-provider@9` was run, and is skipped with a line otherwise.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::TestApp;
use citation::clock::{self, Clock};
use citation::config::IssuerSettings;
use ureq::http::Uri;

const SECRET: &str = "\"a secret of the test that is long enough\"";

/// The folder with the provider's packages, or nothing, which a printed line says.
fn packages() -> Option<PathBuf> {
    let folder = std::env::var_os("CITATION_OIDC_PROVIDER").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: CITATION_OIDC_PROVIDER does not name a folder with oidc-provider");
    }
    folder
}

/// The provider's process.
struct Provider {
    process: Child,
}

impl Provider {
    fn start(packages: &Path, port: u16, redirect_uri: &str) -> Provider {
        // Node looks for packages beside the script.
        let script = packages.join(format!("provider-{port}.mjs"));
        std::fs::write(&script, include_str!("provider.mjs")).unwrap();
        let mut process = Command::new("node")
            .arg(&script)
            .args([&port.to_string(), redirect_uri])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.is_ok_and(|line| line.starts_with("ready")));
        // The provider goes on talking, and must not find the pipe closed.
        std::thread::spawn(move || lines.count());
        let provider = Provider { process };
        assert!(ready, "the provider did not start");
        provider
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page as the browser got it.
struct Page {
    status: u16,
    location: Option<String>,
    body: String,
}

/// A browser without script: it keeps the cookies of each server and follows redirects only when it
/// is told to.
#[derive(Default)]
struct Browser {
    cookies: BTreeMap<String, BTreeMap<String, String>>,
}

impl Browser {
    fn get(&mut self, url: &str) -> Page {
        self.send(url, None)
    }

    fn send(&mut self, url: &str, form: Option<&str>) -> Page {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build()
            .into();
        let uri: Uri = url.parse().unwrap();
        let site = self.cookies.entry(uri.authority().unwrap().to_string());
        let jar = site.or_default();
        let cookies: Vec<String> = jar.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let request = ureq::http::Request::builder()
            .uri(url)
            .header("cookie", cookies.join("; "));
        let reply = match form {
            None => agent.run(request.method("GET").body(()).unwrap()),
            Some(form) => agent.run(
                request
                    .method("POST")
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body(form.to_owned())
                    .unwrap(),
            ),
        };
        let mut reply = reply.unwrap();
        for cookie in reply.headers().get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if value.is_empty() {
                jar.remove(name);
            } else {
                jar.insert(name.to_owned(), value.to_owned());
            }
        }
        let location = reply.headers().get("location");
        Page {
            status: reply.status().as_u16(),
            location: location.map(|l| absolute(&uri, l.to_str().unwrap())),
            body: reply.body_mut().read_to_string().unwrap_or_default(),
        }
    }

    /// From the provider's door to the address at which it sends the browser back: signs in under a
    /// name and agrees to everything.
    fn agree(&mut self, authorization: &str, name: &str) -> String {
        let mut page = self.get(authorization);
        for _ in 0..12 {
            let next = page.location.expect("the provider goes on by redirects");
            if next.contains("/auth/callback?") {
                return next;
            }
            let shown = self.get(&next);
            page = if shown.location.is_some() {
                shown
            } else if shown.body.contains("name=\"login\"") {
                let form = format!("prompt=login&login={name}&password=any");
                self.send(&next, Some(&form))
            } else {
                self.send(&next, Some("prompt=consent"))
            };
        }
        panic!("the provider never came to an end");
    }
}

fn absolute(from: &Uri, location: &str) -> String {
    if location.contains("://") {
        return location.to_owned();
    }
    format!("http://{}{location}", from.authority().unwrap())
}

/// The address with one parameter of its query changed.
fn with_parameter(url: &str, name: &str, change: impl Fn(&str) -> String) -> String {
    let (path, query) = url.split_once('?').unwrap();
    let parameters: Vec<String> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((key, value)) if key == name => format!("{key}={}", change(value)),
            _ => parameter.to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// A server and a provider that know one another.
struct Desk {
    app: TestApp,
    clock: Clock,
    port: u16,
    packages: PathBuf,
    provider: Option<Provider>,
}

impl Desk {
    fn open() -> Option<Desk> {
        let packages = packages()?;
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let clock = Clock::set_to(clock::unix_now());
        let app = TestApp::start_at(clock.clone(), |config| {
            config.auth.oidc = vec![IssuerSettings {
                name: "university".to_owned(),
                issuer: format!("http://127.0.0.1:{port}"),
                client_id: "citation".to_owned(),
                client_secret: serde_json::from_str(SECRET).unwrap(),
                ..IssuerSettings::default()
            }];
        });
        let mut desk = Desk {
            app,
            clock,
            port,
            packages,
            provider: None,
        };
        desk.restart_provider();
        Some(desk)
    }

    fn restart_provider(&mut self) {
        self.provider = None;
        let redirect_uri = self.app.url("/auth/callback");
        self.provider = Some(Provider::start(&self.packages, self.port, &redirect_uri));
    }

    /// Where the server sends a browser that wants to sign in.
    fn depart(&self, browser: &mut Browser) -> Page {
        browser.get(&self.app.url("/auth/login?provider=university"))
    }

    /// Where the provider sends the browser back to.
    fn stay(&self, browser: &mut Browser, name: &str) -> String {
        let authorization = self.depart(browser).location.unwrap();
        browser.agree(&authorization, name)
    }

    /// What the server says of the browser's account; nothing where nobody is signed in.
    fn account(&self, browser: &mut Browser) -> Option<String> {
        let me = browser.get(&self.app.url("/api/v1/me"));
        let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
        me["user"]["email"].as_str().map(str::to_owned)
    }

    #[track_caller]
    fn expect_refused(&self, browser: &mut Browser, callback: &str, sentence: &str) {
        let page = browser.get(callback);
        assert_eq!((page.status, page.location), (400, None));
        assert!(page.body.contains(sentence), "{}", page.body);
        assert_eq!(self.account(browser), None);
    }
}

#[test]
fn real_provider_signs_in_only_its_users() {
    let Some(mut desk) = Desk::open() else {
        return;
    };

    // Signing in, and signing in again elsewhere: one account.
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "alice");
    let back = browser.get(&callback);
    assert_eq!(back.status, 303, "{}", back.body);
    assert_eq!(
        desk.account(&mut browser).as_deref(),
        Some("alice@example.org")
    );

    // The same answer once more, with and without the session.
    let page = browser.get(&callback);
    assert_eq!(page.status, 400, "{}", page.body);
    desk.expect_refused(
        &mut Browser::default(),
        &callback,
        "started in another browser",
    );

    // Another state than the one that this browser set out with.
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "bob");
    let forged = with_parameter(&callback, "state", |state| state.chars().rev().collect());
    desk.expect_refused(&mut browser, &forged, "does not belong to the sign-in");

    // An answer that does not name the provider, which says that it always does (RFC 9207).
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "bob");
    let nameless = callback.split("&iss=").next().unwrap().to_owned();
    assert_ne!(nameless, callback);
    desk.expect_refused(&mut browser, &nameless, "failed validation");

    // A code that was used: the provider refuses it, whoever brings it.
    let mut first = Browser::default();
    let used = desk.stay(&mut first, "carol");
    assert_eq!(first.get(&used).status, 303);
    let code = used.split("code=").nth(1).unwrap();
    let code = code.split('&').next().unwrap().to_owned();
    let mut second = Browser::default();
    let callback = desk.stay(&mut second, "mallory");
    let replayed = with_parameter(&callback, "code", |_| code.clone());
    desk.expect_refused(&mut second, &replayed, "refused");

    // A nonce that the server did not choose.
    let mut browser = Browser::default();
    let authorization = desk.depart(&mut browser).location.unwrap();
    let changed = with_parameter(&authorization, "nonce", |nonce| format!("{nonce}x"));
    let callback = browser.agree(&changed, "dave");
    desk.expect_refused(&mut browser, &callback, "failed validation");

    // Another verifier than the one whose hash the provider was given.
    let mut browser = Browser::default();
    let authorization = desk.depart(&mut browser).location.unwrap();
    let changed = with_parameter(&authorization, "code_challenge", |challenge| {
        challenge.chars().rev().collect()
    });
    let callback = browser.agree(&changed, "erin");
    desk.expect_refused(&mut browser, &callback, "refused");

    // New keys: the provider starts again with others, and signing in goes on.
    desk.restart_provider();
    desk.clock.advance(3_600);
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "alice");
    let back = browser.get(&callback);
    // The server's clock is an hour ahead of the provider's: its tokens have expired.
    assert_eq!(back.status, 400, "{}", back.body);
    assert!(back.body.contains("failed validation"), "{}", back.body);
    desk.clock.jump_to(clock::unix_now());
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "alice");
    assert_eq!(browser.get(&callback).status, 303);

    // No provider: the page says so, and so does the way back.
    let mut browser = Browser::default();
    let callback = desk.stay(&mut browser, "frank");
    desk.provider = None;
    let page = browser.get(&callback);
    assert_eq!(page.status, 502, "{}", page.body);
    assert!(page.body.contains("cannot be reached"), "{}", page.body);
    assert_eq!(desk.account(&mut browser), None);
}
