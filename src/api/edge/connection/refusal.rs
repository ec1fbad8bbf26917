//! Hyper answers a request that it cannot parse itself, below the route table and without a body. That
//! answer is replaced by the same status with the body of every error.

use bytes::Bytes;

use crate::api::edge::dispatch::new_request_id;
use crate::api::error::{ApiError, Code};

/// The answer to send instead of one that hyper has written, which is whole; `None` if it is none.
pub fn replacement(written: &[u8]) -> Option<Bytes> {
    let head = std::str::from_utf8(written)
        .ok()?
        .strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status_line = lines.next()?;
    let status = status_line.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    let error = match status {
        "400" => ApiError::new(Code::BadRequest, "The request is not valid HTTP."),
        "414" => ApiError::new(Code::UriTooLong, "The address of the request is too long."),
        "431" => ApiError::new(
            Code::HeadersTooLarge,
            "The headers of the request are too many or too large.",
        ),
        _ => return None,
    };
    let request_id = new_request_id();
    let reply = error.into_reply(&request_id, false);
    let body = reply.body_bytes();
    let mut answer = format!("{status_line}\r\n");
    let mut add = |name: &str, value: &str| answer.push_str(&format!("{name}: {value}\r\n"));
    let kept = lines.filter_map(|line| line.split_once(": "));
    for (name, value) in kept.filter(|(name, _)| *name != "content-length") {
        add(name, value);
    }
    for (name, value) in &reply.headers {
        add(name, value);
    }
    add("content-length", &body.len().to_string());
    add("x-content-type-options", "nosniff");
    add("x-request-id", &request_id);
    answer.push_str("\r\n");
    Some([answer.as_bytes(), &body].concat().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_of_hyper_gets_a_body() {
        let written = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\
                        content-length: 0\r\ndate: Fri, 27 Nov 2026 20:00:00 GMT\r\n\r\n";
        let answer = replacement(written).unwrap();
        let answer = std::str::from_utf8(&answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close")
        );
        assert_eq!(head.matches("content-length").count(), 1);
        assert!(head.contains(&format!("content-length: {}", body.len())));
        assert!(body.contains("\"error\":\"headers_too_large\""), "{body}");
    }

    #[test]
    fn other_answers_stay() {
        for written in [
            "",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\n\r\n{}",
        ] {
            assert_eq!(replacement(written.as_bytes()), None, "{written}");
        }
    }
}
