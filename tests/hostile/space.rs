//! Little address space, as on the smallest machines: single requests are answered.

use serde_json::{Value, json};

use crate::rows;
use crate::server::Server;

/// Address space of the program in all, in bytes.
const SPACE_BYTES: u64 = 800_000_000;

#[test]
fn single_requests_need_little_address_space() {
    let server = Server::start_within(SPACE_BYTES);
    let reference =
        "Watson, J. D., Crick, F. H. C. (1953). Molecular structure of nucleic acids. Nature 171.";
    let text = format!("# References\n\n{reference}\n").repeat(20);
    let entry = json!({"title": "A title", "authors": [{"family": "Doe"}]});
    let json: [(&str, Value); 6] = [
        ("lookup", json!({"query": "10.1038/171737a0"})),
        ("reverse", json!({"text": reference, "local_only": true})),
        ("verify", json!({"text": reference, "local_only": true})),
        (
            "verify/batch",
            json!({"references": vec![reference; 60], "local_only": true}),
        ),
        ("format", json!({"entries": vec![entry.clone(); 100]})),
        (
            "collections",
            json!({"name": "Space", "entries": vec![json!({"metadata": entry}); 200]}),
        ),
    ];
    for (path, body) in json {
        let path = format!("/api/v1/{path}");
        let body = body.to_string();
        let answer = server.send("POST", &path, "application/json", body.as_bytes());
        let (status, reply) = answer.unwrap();
        let reply = String::from_utf8_lossy(&reply);
        assert!((200..300).contains(&status), "{path}: {status} {reply}");
    }
    let files: [(&str, &str, &[u8]); 3] = [
        (
            "import",
            "text/plain",
            b"@book{a, title={A title}, author={Doe, Jane}}",
        ),
        (
            "verify/document?local_only=true&filename=a.md",
            "text/markdown",
            text.as_bytes(),
        ),
        (
            "verify/document?local_only=true&filename=a.pdf",
            "application/pdf",
            &rows::plain_pdf(),
        ),
    ];
    for (path, content_type, body) in files {
        let path = format!("/api/v1/{path}");
        let (status, reply) = server.send("POST", &path, content_type, body).unwrap();
        let reply = String::from_utf8_lossy(&reply);
        assert!((200..300).contains(&status), "{path}: {status} {reply}");
    }
    assert!(server.is_well());
}
