//! The `Host` of a request (RFC 9112, section 3.2): a server must reject a request whose host two readers,
//! such as a proxy and this server, could take for different ones.

use http::uri::Authority;
use http::{HeaderMap, Version};

use crate::api::error::{ApiError, Code};

/// Why a request is rejected for its `Host`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostFault {
    Missing,
    Repeated,
    Invalid,
}

/// Checks the `Host`. HTTP/1.0 and HTTP/2, which has `:authority`, need none.
pub fn check(version: Version, headers: &HeaderMap) -> Option<HostFault> {
    let mut hosts = headers.get_all("host").iter();
    let Some(host) = hosts.next() else {
        return (version == Version::HTTP_11).then_some(HostFault::Missing);
    };
    if hosts.next().is_some() {
        return Some(HostFault::Repeated);
    }
    // An empty one is valid, a user is not.
    let is_valid = |host: &[u8]| host.is_empty() || Authority::try_from(host).is_ok();
    let host = host.as_bytes();
    let fails = host.contains(&b'@') || !is_valid(host);
    fails.then_some(HostFault::Invalid)
}

impl From<HostFault> for ApiError {
    fn from(fault: HostFault) -> ApiError {
        let message = match fault {
            HostFault::Missing => "The request has no Host header.",
            HostFault::Repeated => "The request has several Host headers.",
            HostFault::Invalid => "The Host header is not a host with an optional port.",
        };
        ApiError::new(Code::BadRequest, message)
    }
}
