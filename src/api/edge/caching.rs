//! What caches may keep of an answer (RFC 9111), decided here for every answer after its handler. A handler
//! only says how long a public answer holds.
//!
//! An answer to a credential may contain what is its owner's alone, so no shared cache may keep it. Answers
//! without one depend on the credential that was absent, unless they are the same for everybody (`public`).

use super::caller::KEY_HEADERS;
use super::reply::Reply;

/// Who an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Only the owner of the credential in the request.
    Owner,
    Everybody,
}

/// Sets `Cache-Control` and `Vary`.
pub fn finish(reply: Reply, audience: Audience) -> Reply {
    // A cookie is for one browser.
    let is_personal = audience == Audience::Owner || reply.header("set-cookie").is_some();
    let given = reply.header("cache-control").unwrap_or("no-cache");
    let given: Vec<&str> = given.split(',').map(str::trim).collect();
    let has = |name: &str| given.contains(&name);
    let is_public = has("public") && !is_personal;
    let control = if is_personal && !has("no-store") {
        let is_kept = |directive: &&str| {
            !matches!(*directive, "public" | "private") && !directive.starts_with("s-maxage")
        };
        let kept = given.iter().copied().filter(is_kept);
        ["private"].into_iter().chain(kept).collect::<Vec<_>>()
    } else {
        given
    };
    let control = control.join(", ");
    let reply = reply.with_header("cache-control", control);
    if is_public {
        reply
    } else {
        { KEY_HEADERS.into_iter() }
            .chain(["Cookie"])
            .fold(reply, |reply, name| reply.varying(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_to_a_credential_is_private() {
        let check = |given: Option<&str>, audience, expected: &str, varies: bool| {
            let reply = Reply::empty();
            let reply = match given {
                Some(given) => reply.with_header("cache-control", given),
                None => reply,
            };
            let reply = finish(reply, audience);
            assert_eq!(reply.header("cache-control"), Some(expected), "{given:?}");
            assert_eq!(reply.header("vary").is_some(), varies, "{given:?}");
        };
        use Audience::{Everybody, Owner};
        check(None, Everybody, "no-cache", true);
        check(None, Owner, "private, no-cache", true);
        check(Some("no-store"), Owner, "no-store", true);
        check(Some("private, no-cache"), Owner, "private, no-cache", true);
        let asset = "public, max-age=31536000, immutable";
        check(Some(asset), Everybody, asset, false);
        check(
            Some(asset),
            Owner,
            "private, max-age=31536000, immutable",
            true,
        );
        check(
            Some("max-age=60, s-maxage=600"),
            Owner,
            "private, max-age=60",
            true,
        );
    }

    #[test]
    fn answer_with_a_cookie_is_private() {
        let reply = Reply::empty().with_cookie("a=b".to_owned());
        let reply = finish(reply, Audience::Everybody);
        assert_eq!(reply.header("cache-control"), Some("private, no-cache"));
    }
}
