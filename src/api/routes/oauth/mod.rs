//! OAuth 2.1: how programs that cannot hold an API key are let in by accounts. `metadata` describes the server
//! (RFC 8414, RFC 9728), `registration` takes programs (RFC 7591), `authorize` asks the user, `token` issues and
//! revokes tokens (RFC 7009), `programs` is the account page that lists them.

mod authorize;
mod metadata;
mod parameters;
mod programs;
mod registration;
mod token;

use crate::api::edge::route::Route;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    let files = [
        metadata::routes,
        registration::routes,
        authorize::routes,
        token::routes,
        programs::routes,
    ];
    files.iter().flat_map(|rows| rows()).collect()
}
