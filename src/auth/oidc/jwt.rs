//! Validates an ID token: its signature (RFC 7515 with the algorithms of RFC 7518) and its claims
//! (OpenID Connect Core 1.0, section 3.1.3.7). Pure: keys, expectations and time are arguments.
//!
//! ring verifies signatures; only the format and the claims are handled here. The available libraries
//! add a second cryptography library beside ring, one of them with RSA that leaks time
//! (RUSTSEC-2023-0071), and check neither `nonce` nor `azp` nor `at_hash`. `hostile_tokens_are_rejected`
//! covers the cases of RFC 8725, Wycheproof and published attacks on such libraries.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;
use ring::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::{Map, Value};
use subtle::ConstantTimeEq;

/// A provider's keys (RFC 7517).
#[derive(Debug, Deserialize)]
pub struct JsonWebKeySet {
    keys: Vec<JsonWebKey>,
}

#[derive(Debug, Deserialize)]
struct JsonWebKey {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl JsonWebKeySet {
    pub fn has(&self, key_id: &str) -> bool {
        self.keys
            .iter()
            .any(|key| key.kid.as_deref() == Some(key_id))
    }
}

/// An ID token, not yet checked.
#[derive(Debug)]
pub struct Jwt<'t> {
    header: Header,
    signed: &'t str,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Critical extensions; we support none.
    crit: Option<Value>,
}

/// The expected claims of an ID token.
pub struct ExpectedClaims<'e> {
    pub issuer: &'e str,
    pub client_id: &'e str,
    pub nonce: &'e str,
    pub access_token: Option<&'e str>,
    /// Unix seconds.
    pub now: i64,
}

/// Maximum clock difference to the provider, in seconds.
const SKEW_SECONDS: i64 = 60;

/// Maximum age of a fresh ID token.
const MAX_AGE_SECONDS: i64 = 10 * 60;

/// Maximum length of a token.
const MAX_CHARS: usize = 64 * 1024;

impl<'t> Jwt<'t> {
    /// Splits and decodes a token.
    pub fn parse(token: &'t str) -> Result<Jwt<'t>, String> {
        if token.len() > MAX_CHARS {
            return Err("the token is too long".to_owned());
        }
        let (signed, signature) = token.rsplit_once('.').ok_or("the token has no signature")?;
        let (header, claims) = signed.split_once('.').ok_or("the token has no claims")?;
        Ok(Jwt {
            header: json(header)?,
            signed,
            signature: decode(signature)?,
            claims: json(claims)?,
        })
    }

    pub fn key_id(&self) -> Option<&str> {
        self.header.kid.as_deref()
    }

    /// Verifies signature and claims, and returns the claims.
    pub fn verify(
        self,
        keys: &JsonWebKeySet,
        expected: &ExpectedClaims<'_>,
    ) -> Result<Map<String, Value>, String> {
        if self.header.crit.is_some() {
            return Err("the token demands an extension".to_owned());
        }
        let matches = |key: &&JsonWebKey| key.fits(&self.header) && key.verifies(&self);
        if !keys.keys.iter().any(|key| matches(&key)) {
            let Header { alg, kid, .. } = &self.header;
            return Err(format!(
                "no key of the provider verifies the token (alg {alg}, kid {kid:?})"
            ));
        }
        check_claims(&self.claims, &self.header.alg, expected)?;
        Ok(self.claims)
    }
}

impl JsonWebKey {
    /// Whether the key may be used: an algorithm is never used with a key of another kind, whatever the
    /// token says.
    fn fits(&self, header: &Header) -> bool {
        let same_id = header.kid.is_none() || header.kid == self.kid;
        let same_alg = self.alg.as_ref().is_none_or(|alg| *alg == header.alg);
        same_id && same_alg && self.usage.as_deref() != Some("enc")
    }

    fn verifies(&self, jwt: &Jwt<'_>) -> bool {
        let curve = self.crv.as_deref().unwrap_or_default();
        match (self.kty.as_str(), curve, jwt.header.alg.as_str()) {
            ("RSA", _, "RS256") => self.rsa(jwt, &signature::RSA_PKCS1_2048_8192_SHA256),
            ("RSA", _, "RS384") => self.rsa(jwt, &signature::RSA_PKCS1_2048_8192_SHA384),
            ("RSA", _, "RS512") => self.rsa(jwt, &signature::RSA_PKCS1_2048_8192_SHA512),
            ("RSA", _, "PS256") => self.rsa(jwt, &signature::RSA_PSS_2048_8192_SHA256),
            ("RSA", _, "PS384") => self.rsa(jwt, &signature::RSA_PSS_2048_8192_SHA384),
            ("RSA", _, "PS512") => self.rsa(jwt, &signature::RSA_PSS_2048_8192_SHA512),
            ("EC", "P-256", "ES256") => self.ec(jwt, &signature::ECDSA_P256_SHA256_FIXED, 32),
            ("EC", "P-384", "ES384") => self.ec(jwt, &signature::ECDSA_P384_SHA384_FIXED, 48),
            ("OKP", "Ed25519", "EdDSA") => self.ed25519(jwt),
            _ => false,
        }
    }

    fn rsa(&self, jwt: &Jwt<'_>, algorithm: &'static signature::RsaParameters) -> bool {
        let (Some(n), Some(e)) = (part(&self.n), part(&self.e)) else {
            return false;
        };
        // ring expects numbers without leading zeros; some providers send them.
        let trim = |bytes: Vec<u8>| -> Vec<u8> {
            bytes.into_iter().skip_while(|byte| *byte == 0).collect()
        };
        let key = RsaPublicKeyComponents {
            n: trim(n),
            e: trim(e),
        };
        key.verify(algorithm, jwt.signed.as_bytes(), &jwt.signature)
            .is_ok()
    }

    fn ec(
        &self,
        jwt: &Jwt<'_>,
        algorithm: &'static signature::EcdsaVerificationAlgorithm,
        size: usize,
    ) -> bool {
        let (Some(x), Some(y)) = (part(&self.x), part(&self.y)) else {
            return false;
        };
        if x.len() != size || y.len() != size {
            return false;
        }
        // SEC 1, section 2.3.3: an uncompressed point.
        let point = [&[4], x.as_slice(), y.as_slice()].concat();
        let key = UnparsedPublicKey::new(algorithm, point);
        key.verify(jwt.signed.as_bytes(), &jwt.signature).is_ok()
    }

    fn ed25519(&self, jwt: &Jwt<'_>) -> bool {
        part(&self.x).is_some_and(|x| {
            let key = UnparsedPublicKey::new(&signature::ED25519, x);
            key.verify(jwt.signed.as_bytes(), &jwt.signature).is_ok()
        })
    }
}

fn check_claims(
    claims: &Map<String, Value>,
    alg: &str,
    expected: &ExpectedClaims<'_>,
) -> Result<(), String> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let time = |name: &str| {
        claims
            .get(name)
            .and_then(|value| value.as_i64().or(value.as_f64().map(|f| f as i64)))
    };
    let wrong = |what: &str| Err(format!("the token's {what}"));
    if text("iss") != Some(expected.issuer) {
        return wrong("issuer differs");
    }
    let audience: Vec<&str> = match claims.get("aud") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !audience.contains(&expected.client_id) {
        return wrong("audience does not include us");
    }
    match text("azp") {
        Some(party) if party != expected.client_id => return wrong("authorized party differs"),
        None if audience.len() > 1 => {
            return wrong("audience has several members, but no authorized party");
        }
        _ => {}
    }
    match time("exp") {
        Some(expires) if expires > expected.now - SKEW_SECONDS => {}
        Some(_) => return wrong("expiry has passed"),
        None => return wrong("expiry is missing"),
    }
    match time("iat") {
        Some(issued) if (issued - expected.now) > SKEW_SECONDS => {
            return wrong("time of issue is in the future");
        }
        Some(issued) if (expected.now - issued) > MAX_AGE_SECONDS => {
            return wrong("time of issue is too long ago");
        }
        Some(_) => {}
        None => return wrong("time of issue is missing"),
    }
    if time("nbf").is_some_and(|from| from > expected.now + SKEW_SECONDS) {
        return wrong("start of validity is in the future");
    }
    let nonce = text("nonce").unwrap_or_default();
    if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return wrong("nonce differs");
    }
    if let (Some(hash), Some(access_token)) = (text("at_hash"), expected.access_token)
        && hash_half(alg, access_token).is_none_or(|half| half != hash)
    {
        return wrong("access token hash differs");
    }
    match text("sub") {
        Some(subject) if subject.len() <= 255 && !subject.trim().is_empty() => Ok(()),
        _ => wrong("subject is missing"),
    }
}

/// `at_hash`: the left half of the hash of the token's algorithm.
fn hash_half(alg: &str, text: &str) -> Option<String> {
    let algorithm = match alg.get(2..)? {
        "256" => &digest::SHA256,
        "384" => &digest::SHA384,
        // For Ed25519 the hash is SHA-512.
        "512" | "DSA" => &digest::SHA512,
        _ => return None,
    };
    let hash = digest::digest(algorithm, text.as_bytes());
    let bytes = hash.as_ref();
    Some(URL_SAFE_NO_PAD.encode(bytes.get(..bytes.len() / 2)?))
}

fn part(text: &Option<String>) -> Option<Vec<u8>> {
    decode(text.as_deref()?).ok()
}

fn decode(text: &str) -> Result<Vec<u8>, String> {
    URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|cause| format!("a part of the token is not base64url: {cause}"))
}

fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_slice(&decode(text)?)
        .map_err(|cause| format!("a part of the token is not JSON: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
    use serde_json::json;

    const NOW: i64 = 1_795_234_567;

    /// A P-256 key pair and the provider's document that shows its public half.
    struct Signer {
        pair: EcdsaKeyPair,
        keys: JsonWebKeySet,
    }

    impl Signer {
        fn new(kid: &str) -> Signer {
            let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
            let document = EcdsaKeyPair::generate_pkcs8(algorithm, &SystemRandom::new()).unwrap();
            let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &SystemRandom::new())
                .unwrap();
            let point = pair.public_key().as_ref();
            let keys = json!({"keys": [{
                "kty": "EC", "crv": "P-256", "kid": kid, "use": "sig",
                "x": URL_SAFE_NO_PAD.encode(&point[1..33]), "y": URL_SAFE_NO_PAD.encode(&point[33..]),
            }]});
            Signer {
                keys: serde_json::from_value(keys).unwrap(),
                pair,
            }
        }

        fn sign(&self, header: Value, claims: Value) -> String {
            let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
            let signed = format!("{}.{}", part(header), part(claims));
            let pair = &self.pair;
            let signature = pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
            format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
        }
    }

    fn claims() -> Value {
        json!({
            "iss": "https://id.example.org", "aud": "citation", "sub": "alice", "nonce": "n1",
            "exp": NOW + 300, "iat": NOW, "at_hash": hash_half("ES256", "token").unwrap(),
        })
    }

    fn verify(keys: &JsonWebKeySet, token: &str) -> Result<Map<String, Value>, String> {
        let expected = ExpectedClaims {
            issuer: "https://id.example.org",
            client_id: "citation",
            nonce: "n1",
            access_token: Some("token"),
            now: NOW,
        };
        Jwt::parse(token)?.verify(keys, &expected)
    }

    /// Checks a token with one claim changed; null removes it.
    fn check(signer: &Signer, claim: &str, value: Value, expected: Result<(), &str>) {
        let mut changed = claims();
        match value {
            Value::Null => changed.as_object_mut().unwrap().remove(claim),
            value => changed
                .as_object_mut()
                .unwrap()
                .insert(claim.to_owned(), value),
        };
        let token = signer.sign(json!({"alg": "ES256", "kid": "k1"}), changed.clone());
        let found = verify(&signer.keys, &token);
        match expected {
            Ok(()) => assert!(found.is_ok(), "{changed}: {found:?}"),
            Err(part) => assert!(
                found.as_ref().is_err_and(|e| e.contains(part)),
                "{changed}: {found:?}"
            ),
        }
    }

    #[test]
    fn claims_are_checked_one_by_one() {
        let signer = Signer::new("k1");
        check(&signer, "iss", json!("https://id.example.org"), Ok(()));
        check(
            &signer,
            "iss",
            json!("https://evil.example.org"),
            Err("issuer"),
        );
        check(&signer, "aud", json!(["citation"]), Ok(()));
        check(&signer, "aud", json!("other"), Err("audience"));
        check(&signer, "aud", Value::Null, Err("audience"));
        check(
            &signer,
            "aud",
            json!(["citation", "other"]),
            Err("no authorized party"),
        );
        check(&signer, "azp", json!("citation"), Ok(()));
        check(&signer, "azp", json!("other"), Err("party"));
        check(&signer, "exp", json!(NOW - 30), Ok(()));
        check(&signer, "exp", json!(NOW - 60), Err("expiry has passed"));
        check(&signer, "exp", Value::Null, Err("expiry"));
        check(&signer, "exp", json!("tomorrow"), Err("expiry"));
        check(&signer, "iat", json!(NOW + 30), Ok(()));
        check(&signer, "iat", json!(NOW + 90), Err("future"));
        check(&signer, "iat", json!(NOW - 3_600), Err("too long ago"));
        check(&signer, "iat", Value::Null, Err("time of issue"));
        check(&signer, "nbf", json!(NOW + 600), Err("validity"));
        check(&signer, "nonce", json!("n2"), Err("nonce"));
        check(&signer, "nonce", Value::Null, Err("nonce"));
        check(&signer, "at_hash", Value::Null, Ok(()));
        check(&signer, "at_hash", json!("AAAA"), Err("access token"));
        check(&signer, "sub", Value::Null, Err("subject"));
        check(&signer, "sub", json!(""), Err("subject"));
        check(&signer, "sub", json!(" \t\u{a0}"), Err("subject"));
    }

    #[test]
    fn signatures_are_checked() {
        let (signer, other) = (Signer::new("k1"), Signer::new("k1"));
        let header = json!({"alg": "ES256", "kid": "k1"});
        let good = signer.sign(header.clone(), claims());
        assert!(verify(&signer.keys, &good).is_ok());
        assert!(verify(&other.keys, &good).is_err());
        let unnamed = signer.sign(json!({"alg": "ES256"}), claims());
        assert!(verify(&signer.keys, &unnamed).is_ok());
        let elsewhere = signer.sign(json!({"alg": "ES256", "kid": "k2"}), claims());
        assert!(verify(&signer.keys, &elsewhere).is_err());
        // The same signature over other claims.
        let mut forged = claims();
        forged["sub"] = json!("mallory");
        let body = URL_SAFE_NO_PAD.encode(forged.to_string());
        let parts: Vec<&str> = good.split('.').collect();
        assert!(verify(&signer.keys, &format!("{}.{body}.{}", parts[0], parts[2])).is_err());
    }

    #[test]
    fn unsafe_algorithms_are_rejected() {
        let signer = Signer::new("k1");
        for alg in ["none", "None", "HS256", "RS256", "ES384", "EdDSA", ""] {
            let token = signer.sign(json!({"alg": alg, "kid": "k1"}), claims());
            assert!(verify(&signer.keys, &token).is_err(), "{alg}");
        }
        let critical = signer.sign(
            json!({"alg": "ES256", "kid": "k1", "crit": ["b64"]}),
            claims(),
        );
        assert!(verify(&signer.keys, &critical).is_err());
        let body = URL_SAFE_NO_PAD.encode(claims().to_string());
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
        for token in [
            "",
            ".",
            "..",
            "a.b.c",
            &format!("{header}.{body}."),
            &format!("{header}.{body}"),
        ] {
            assert!(verify(&signer.keys, token).is_err(), "{token}");
        }
    }

    /// RFC 7515, appendix A.3.
    #[test]
    fn published_signature_verifies() {
        let key = json!({
            "kty": "EC", "crv": "P-256",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        });
        let key: JsonWebKey = serde_json::from_value(key).unwrap();
        let token = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
                     cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8I\
                     SlSApmWQxfKTUJqPP3-Kg6NU1Q";
        assert!(key.verifies(&Jwt::parse(token).unwrap()));
    }

    #[test]
    fn hostile_tokens_are_rejected() {
        let signer = Signer::new("k1");
        let good = signer.sign(json!({"alg": "ES256", "kid": "k1"}), claims());
        assert!(verify(&signer.keys, &good).is_ok());
        let parts: Vec<&str> = good.split('.').collect();
        let raw = URL_SAFE_NO_PAD.decode(parts[2]).unwrap();
        let encoded = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let header = |value: Value| encoded(value.to_string().as_bytes());
        let with_header = |value| format!("{}.{}.{}", header(value), parts[1], parts[2]);
        let with_signature = |bytes: &[u8]| format!("{}.{}.{}", parts[0], parts[1], encoded(bytes));
        let point = signer.pair.public_key().as_ref();
        let mac = |secret: &[u8]| {
            let head = header(json!({"alg": "HS256", "kid": "k1"}));
            let signed = format!("{head}.{}", parts[1]);
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
            let tag = ring::hmac::sign(&key, signed.as_bytes());
            format!("{signed}.{}", encoded(tag.as_ref()))
        };
        // The order of the group of P-256, for signatures at the ends of its range.
        let order = [
            0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63,
            0x25, 0x51,
        ];
        let der = [
            &[0x30, 0x44, 0x02, 0x20][..],
            &raw[..32],
            &[0x02, 0x20],
            &raw[32..],
        ]
        .concat();
        let hostile = [
            // RFC 8725, section 2.1: weak and confused algorithms.
            ("alg nOnE", with_header(json!({"alg": "nOnE"}))),
            (
                "alg none, no signature",
                format!("{}.{}.", header(json!({"alg": "none"})), parts[1]),
            ),
            ("public key as a secret", mac(point)),
            ("key document as a secret", mac(encoded(point).as_bytes())),
            ("empty secret", mac(b"")),
            (
                "alg is a number",
                with_header(json!({"alg": 256, "kid": "k1"})),
            ),
            ("alg is missing", with_header(json!({"kid": "k1"}))),
            // Keys in the token or referenced by it.
            (
                "jwk in the header",
                with_header(json!({"alg": "ES256", "kid": "k9", "jwk": {"kty": "oct", "k": ""}})),
            ),
            (
                "jku in the header",
                with_header(
                    json!({"alg": "ES256", "kid": "k9", "jku": "https://evil.example.org/"}),
                ),
            ),
            (
                "kid is a path",
                with_header(json!({"alg": "ES256", "kid": "../../dev/null"})),
            ),
            (
                "kid is a list",
                with_header(json!({"alg": "ES256", "kid": ["k1"]})),
            ),
            // CVE-2022-21449 and its neighbours; Wycheproof, json_web_signature.
            ("signature of zeros", with_signature(&[0; 64])),
            (
                "signature of the order",
                with_signature(&[order, order].concat()),
            ),
            ("signature in DER", with_signature(&der)),
            ("signature cut", with_signature(&raw[..63])),
            (
                "signature with a byte more",
                with_signature(&[&raw[..], &[0]].concat()),
            ),
            ("empty signature", with_signature(&[])),
            // RFC 7515, section 2: base64url without padding, line breaks or other characters.
            ("padding", format!("{good}=")),
            ("line break", format!("{good}\n")),
            ("blank", format!(" {good}")),
            (
                "standard alphabet",
                with_signature(&raw).replace(['-', '_'], "+") + "+",
            ),
            // RFC 7797 and RFC 7516: other forms of a token.
            (
                "unencoded payload",
                with_header(json!({"alg": "ES256", "kid": "k1", "b64": false, "crit": ["b64"]})),
            ),
            ("five parts", format!("{good}.{}.{}", parts[1], parts[2])),
            ("two tokens", format!("{good}.{good}")),
            (
                "JSON serialisation",
                json!({"payload": parts[1], "protected": parts[0], "signature": parts[2]})
                    .to_string(),
            ),
            (
                "too long",
                format!("{}.{}.{}", parts[0], "A".repeat(70_000), parts[2]),
            ),
        ];
        for (name, token) in hostile {
            assert!(verify(&signer.keys, &token).is_err(), "{name}: {token}");
        }
        // A published symmetric key must not validate tokens.
        let mut keys = signer.keys;
        let secret = json!({"kty": "oct", "kid": "k1", "k": encoded(b"secret"), "alg": "HS256"});
        keys.keys.push(serde_json::from_value(secret).unwrap());
        assert!(verify(&keys, &mac(b"secret")).is_err());
    }

    #[test]
    fn keys_for_encryption_do_not_verify() {
        let signer = Signer::new("k1");
        let mut keys = signer.keys;
        keys.keys[0].usage = Some("enc".to_owned());
        let signer = Signer {
            keys,
            pair: signer.pair,
        };
        let token = signer.sign(json!({"alg": "ES256", "kid": "k1"}), claims());
        assert!(verify(&signer.keys, &token).is_err());
    }
}
