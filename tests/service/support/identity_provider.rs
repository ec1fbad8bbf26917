//! A small OpenID Connect provider on the loopback address that stands in for a real one: it signs
//! what a test tells it to, rightly or wrongly.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use citation::auth::Auth;
use citation::auth::oidc::{AuthenticatedPerson, Callback};
use citation::config::IssuerSettings;
use citation_model::identifier::form_decode;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The provider. Its address is its issuer.
pub struct IdentityProvider {
    pub issuer: String,
    state: Arc<Mutex<State>>,
}

/// What the provider does wrong.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    pub nonce: Option<&'static str>,
    pub audience: Option<&'static str>,
    pub issuer: Option<&'static str>,
    /// Seconds by which the token is older than it should be.
    pub age: i64,
    /// The token is signed with a key that the provider does not publish.
    pub foreign_key: bool,
    pub unsigned: bool,
    /// Codes are good for ever, and the verifier does not matter.
    pub careless: bool,
    /// Every request is answered with 503.
    pub down: bool,
    /// The token endpoint answers with this instead of JSON.
    pub garbage: bool,
    /// The address is in the user info alone.
    pub no_email_in_token: bool,
    /// `email_verified` as JSON: "" leaves it out. Nothing: true.
    pub email_verified: Option<&'static str>,
    /// The user info is about somebody else.
    pub other_user_info: bool,
}

struct State {
    issuer: String,
    key: EcdsaKeyPair,
    kid: u32,
    grants: HashMap<String, HashMap<String, String>>,
    pub faults: Faults,
    now: Box<dyn Fn() -> i64 + Send>,
    subject: String,
    email: String,
    /// Groups of the person; null tells none.
    groups: Value,
    requests: Vec<String>,
}

impl IdentityProvider {
    pub fn start(now: i64) -> IdentityProvider {
        IdentityProvider::start_with(move || now)
    }

    /// A provider with a clock that goes on: its tokens are valid for some minutes.
    pub fn start_with(now: impl Fn() -> i64 + Send + 'static) -> IdentityProvider {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            issuer: issuer.clone(),
            key: new_key(),
            kid: 1,
            grants: HashMap::new(),
            faults: Faults::default(),
            now: Box::new(now),
            subject: "alice".to_owned(),
            email: "alice@example.org".to_owned(),
            groups: Value::Null,
            requests: Vec::new(),
        }));
        let served = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, &served);
            }
        });
        IdentityProvider { issuer, state }
    }

    /// How a server knows it: under the name `university`.
    pub fn settings(&self) -> IssuerSettings {
        IssuerSettings {
            name: "university".to_owned(),
            issuer: self.issuer.clone(),
            client_id: "citation".to_owned(),
            client_secret: serde_json::from_str("\"s3cret: +\"").unwrap(),
            ..IssuerSettings::default()
        }
    }

    /// Whom the provider vouches for, after a person in some groups has agreed.
    pub fn vouch(&self, auth: &Auth, subject: &str, groups: Value) -> AuthenticatedPerson {
        const REDIRECT: &str = "http://127.0.0.1:8080/auth/callback";
        self.person(subject, &format!("{subject}@example.org"));
        self.groups(groups);
        let redirect = auth.authorization_redirect("university", "/", None, REDIRECT);
        let redirect = redirect.unwrap();
        let back = self.agree(&redirect.location);
        let callback = Callback {
            cookie: Some(&redirect.cookie),
            state: Some(&back["state"]),
            code: Some(&back["code"]),
            error: None,
            issuer: None,
            redirect_uri: REDIRECT,
        };
        auth.complete_sign_in(&callback).unwrap().person
    }

    /// Makes the provider misbehave from now on, in this way only.
    pub fn set(&self, change: impl FnOnce(&mut Faults)) {
        let mut faults = Faults::default();
        change(&mut faults);
        self.state.lock().unwrap().faults = faults;
    }

    /// Who signs in next.
    pub fn person(&self, subject: &str, email: &str) {
        let mut state = self.state.lock().unwrap();
        (state.subject, state.email) = (subject.to_owned(), email.to_owned());
    }

    /// In which groups the person is from now on.
    pub fn groups(&self, groups: Value) {
        self.state.lock().unwrap().groups = groups;
    }

    pub fn set_time(&self, now: i64) {
        self.state.lock().unwrap().now = Box::new(move || now);
    }

    /// Replaces the key by a new one with a new id.
    pub fn rotate_key(&self) {
        let mut state = self.state.lock().unwrap();
        state.key = new_key();
        state.kid += 1;
    }

    /// How often a path was asked for.
    pub fn requests(&self, path: &str) -> usize {
        self.state
            .lock()
            .unwrap()
            .requests
            .iter()
            .filter(|asked| *asked == path)
            .count()
    }

    /// The person agrees on the provider's page: gives what comes back in the callback's query.
    pub fn agree(&self, location: &str) -> HashMap<String, String> {
        let (endpoint, query) = location.split_once('?').unwrap();
        assert_eq!(endpoint, format!("{}/authorize", self.issuer));
        let asked = read_form(query);
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["code_challenge_method"], "S256");
        let mut state = self.state.lock().unwrap();
        let code = format!("code-{}", state.grants.len());
        let back = HashMap::from([
            ("code".to_owned(), code.clone()),
            ("state".to_owned(), asked["state"].clone()),
        ]);
        state.grants.insert(code, asked);
        back
    }
}

fn new_key() -> EcdsaKeyPair {
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap()
}

pub fn read_form(text: &str) -> HashMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), form_decode(value)))
        .collect()
}

fn answer(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    if let Some(query) = path.strip_prefix("/authorize?") {
        // A browser comes by itself; the person agrees at once.
        let location = state.lock().unwrap().agree(query);
        let mut stream = stream;
        return write!(
            stream,
            "HTTP/1.1 302 X\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
    }
    let (status, body) =
        state
            .lock()
            .unwrap()
            .reply(&path, &authorization, &String::from_utf8_lossy(&body));
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

impl State {
    /// Where a browser goes that has agreed.
    fn agree(&mut self, query: &str) -> String {
        let asked = read_form(query);
        let code = format!("code-{}", self.grants.len());
        let back = format!(
            "{}?code={code}&state={}",
            asked["redirect_uri"], asked["state"]
        );
        self.grants.insert(code, asked);
        back
    }

    fn reply(&mut self, path: &str, authorization: &str, body: &str) -> (u16, String) {
        self.requests.push(path.to_owned());
        if self.faults.down {
            return (503, String::new());
        }
        match path {
            "/.well-known/openid-configuration" => (200, self.metadata().to_string()),
            "/keys" => (200, self.keys().to_string()),
            "/token" if self.faults.garbage => (200, "<html>".to_owned()),
            "/token" => self.token(authorization, &read_form(body)),
            "/userinfo" if authorization == "Bearer access" => {
                let subject = if self.faults.other_user_info {
                    "mallory"
                } else {
                    &self.subject
                };
                (
                    200,
                    json!({"sub": subject, "email": self.email, "email_verified": true,
                        "groups": self.groups})
                    .to_string(),
                )
            }
            _ => (404, String::new()),
        }
    }

    fn metadata(&self) -> Value {
        let at = |path: &str| format!("{}{path}", self.issuer);
        json!({
            "issuer": self.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
            "jwks_uri": at("/keys"), "userinfo_endpoint": at("/userinfo"), "end_session_endpoint": at("/end"),
        })
    }

    fn keys(&self) -> Value {
        let point = self.key.public_key().as_ref();
        let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        json!({"keys": [
            {"kty": "RSA", "use": "enc", "kid": "old", "n": "AQAB", "e": "AQAB"},
            {"kty": "EC", "crv": "P-256", "kid": self.kid.to_string(), "x": part(&point[1..33]), "y": part(&point[33..])},
        ]})
    }

    fn token(&mut self, authorization: &str, form: &HashMap<String, String>) -> (u16, String) {
        let refused = |error: &str| (400, json!({"error": error}).to_string());
        // The secret has a colon and a space, which are encoded before they go into the header.
        if authorization != "Basic Y2l0YXRpb246czNjcmV0JTNBJTIwJTJC" {
            return (401, json!({"error": "invalid_client"}).to_string());
        }
        let grant = if self.faults.careless {
            self.grants.get(&form["code"]).cloned()
        } else {
            self.grants.remove(&form["code"])
        };
        let Some(grant) = grant else {
            return refused("invalid_grant");
        };
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
        let fits =
            challenge == grant["code_challenge"] && form["redirect_uri"] == grant["redirect_uri"];
        if !fits && !self.faults.careless {
            return refused("invalid_grant");
        }
        let id_token = self.sign(&grant);
        (
            200,
            json!({"access_token": "access", "token_type": "Bearer", "id_token": id_token})
                .to_string(),
        )
    }

    fn sign(&self, grant: &HashMap<String, String>) -> String {
        let faults = &self.faults;
        let issued = (self.now)() - faults.age;
        let mut claims = json!({
            "iss": faults.issuer.unwrap_or(&self.issuer), "aud": faults.audience.unwrap_or("citation"),
            "sub": self.subject, "nonce": faults.nonce.unwrap_or(&grant["nonce"]),
            "iat": issued, "exp": issued + 300, "name": "Alice",
        });
        if !faults.no_email_in_token {
            claims["groups"] = self.groups.clone();
            claims["email"] = self.email.as_str().into();
            let verified = faults.email_verified.unwrap_or("true");
            if !verified.is_empty() {
                claims["email_verified"] = serde_json::from_str(verified).unwrap();
            }
        }
        let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let alg = if faults.unsigned { "none" } else { "ES256" };
        let header = json!({"alg": alg, "kid": self.kid.to_string()});
        let signed = format!("{}.{}", part(header), part(claims));
        if faults.unsigned {
            return format!("{signed}.");
        }
        let foreign = new_key();
        let key = if faults.foreign_key {
            &foreign
        } else {
            &self.key
        };
        let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
