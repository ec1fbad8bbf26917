//! Detached signatures of reports: ed25519, in a file beside the report.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use super::Failure;

const ALGORITHM: &str = "ed25519";

/// The content of a signature file. Binary values are in base64.
#[derive(Debug, Serialize, Deserialize)]
struct SignatureFile {
    algorithm: String,
    public_key: String,
    signature: String,
}

/// A private key, and the public one that others need.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    /// A new key as the text of its file.
    pub fn generate() -> Result<String, Failure> {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
            .map_err(|_| Failure("no random numbers for a key".to_owned()))?;
        const LINE: usize = 64;
        let encoded: Vec<char> = STANDARD.encode(document.as_ref()).chars().collect();
        let lines = encoded
            .chunks(LINE)
            .map(|line| line.iter().collect::<String>() + "\n");
        let lines: String = lines.collect();
        Ok(format!(
            "-----BEGIN PRIVATE KEY-----\n{lines}-----END PRIVATE KEY-----\n"
        ))
    }

    /// Parses the text of a key file: PKCS #8 in PEM.
    pub fn parse(text: &str) -> Result<SigningKey, Failure> {
        let lines = text.lines().map(str::trim);
        let encoded: String = lines.filter(|line| !line.starts_with("-----")).collect();
        let key = STANDARD.decode(encoded).ok();
        let key = key.and_then(|key| Ed25519KeyPair::from_pkcs8_maybe_unchecked(&key).ok());
        let unreadable = || Failure("is not an ed25519 key in PEM (PKCS #8)".to_owned());
        key.map(SigningKey).ok_or_else(unreadable)
    }

    /// The public key in base64.
    pub fn public(&self) -> String {
        STANDARD.encode(self.0.public_key().as_ref())
    }

    /// The signature file of a report.
    pub fn sign(&self, content: &[u8]) -> String {
        let file = SignatureFile {
            algorithm: ALGORITHM.to_owned(),
            public_key: self.public(),
            signature: STANDARD.encode(self.0.sign(content).as_ref()),
        };
        let text = serde_json::to_string_pretty(&file).unwrap_or_default();
        format!("{text}\n")
    }
}

/// The public key whose signature of this content a signature file has; `None` if it has none.
pub fn signer(content: &[u8], signature_file: &str) -> Option<String> {
    let file: SignatureFile = serde_json::from_str(signature_file).ok()?;
    let key = STANDARD.decode(&file.public_key).ok()?;
    let signature = STANDARD.decode(&file.signature).ok()?;
    let is_valid = UnparsedPublicKey::new(&ED25519, &key)
        .verify(content, &signature)
        .is_ok();
    (file.algorithm == ALGORITHM && is_valid).then_some(file.public_key)
}

/// The signature file of a report: `report.html.sig`.
pub fn path_of(report: &Path) -> PathBuf {
    let mut name = report.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_is_valid_for_its_content_alone() {
        let key = SigningKey::parse(&SigningKey::generate().unwrap())
            .ok()
            .unwrap();
        let signature = key.sign(b"report");
        assert_eq!(signer(b"report", &signature), Some(key.public()));
        assert_eq!(signer(b"Report", &signature), None);
        let other = SigningKey::parse(&SigningKey::generate().unwrap())
            .ok()
            .unwrap();
        let forged = signature.replace(&key.public(), &other.public());
        assert_eq!(signer(b"report", &forged), None);
        assert_eq!(signer(b"report", "{}"), None);
        assert!(SigningKey::parse("-----BEGIN PRIVATE KEY-----\nAAAA").is_err());
    }
}
