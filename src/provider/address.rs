//! Which addresses a request may go to. The operator may choose any base address; redirects
//! must not lead into a private network.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::watch;

/// Resolves names only to public addresses. Since the connection uses exactly these
/// addresses, DNS rebinding does not help an attacker.
#[derive(Debug, Default)]
pub(super) struct PublicResolver<R = DefaultResolver> {
    inner: R,
}

/// An agent for addresses that users or programs have chosen: it follows no redirects, and reaches only the open
/// internet unless private addresses are allowed. `timeout` is for one request as a whole.
pub(super) fn agent(timeout: Duration, allows_private: bool) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        // A proxy would resolve names itself, which would bypass the check of addresses.
        .proxy(None)
        .timeout_global(Some(timeout))
        .user_agent(concat!("citation/", env!("CARGO_PKG_VERSION")))
        .build();
    if allows_private {
        Agent::with_parts(config, watch::connector(), DefaultResolver::default())
    } else {
        let resolver = PublicResolver::<DefaultResolver>::default();
        Agent::with_parts(config, watch::connector(), resolver)
    }
}

/// The error text for a refused name.
pub(super) const NOT_PUBLIC: &str = "the address is not a public one";

impl<R: Resolver> Resolver for PublicResolver<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let all = self.inner.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        for address in all.iter().filter(|address| is_public(address.ip())) {
            public.push(*address);
        }
        if public.is_empty() {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, NOT_PUBLIC);
            return Err(ureq::Error::Io(error));
        }
        Ok(public)
    }
}

/// Whether an address is on the open internet (IANA special-purpose registries).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        // Carrier-grade NAT, protocol assignments, benchmarks, the old 6to4 relays.
        || a == 100 && (64..128).contains(&b)
        || a == 192 && b == 0 && c == 0
        || a == 192 && b == 88 && c == 99
        || a == 198 && (18..20).contains(&b);
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let [first, second, third, ..] = segments;
    if let Some(inside) = address.to_ipv4_mapped() {
        return is_public_v4(inside);
    }
    let [.., high, low] = segments;
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    // NAT64 and 6to4 contain the IPv4 address that packets are sent to.
    if first == 0x64 && second == 0xff9b {
        return embedded(high, low);
    }
    if first == 0x2002 {
        return embedded(second, third);
    }
    // Global unicast is 2000::/3; of it, 2001::/23 is for protocols and 2001:db8::/32 for documentation.
    let is_global = first & 0xe000 == 0x2000;
    let is_protocol = first == 0x2001 && second < 0x200;
    let is_example = first == 0x2001 && second == 0xdb8 || first & 0xfff0 == 0x3ff0;
    is_global && !is_protocol && !is_example
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alternating answers, as from a hostile DNS server: a public address first, to pass a check
    /// beforehand, and a private one for the connection.
    #[derive(Debug, Default)]
    struct Rebinding(std::sync::atomic::AtomicUsize);

    impl Resolver for Rebinding {
        fn resolve(
            &self,
            _: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let turn = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let answers: &[&str] = match turn {
                0 => &["8.8.8.8:80"],
                1 => &["127.0.0.1:80", "8.8.4.4:80", "[::1]:80"],
                _ => &["127.0.0.1:80"],
            };
            let mut all = self.empty();
            for answer in answers {
                all.push(answer.parse().unwrap());
            }
            Ok(all)
        }
    }

    #[test]
    fn rebound_names_do_not_reach_private_addresses() {
        let resolver = PublicResolver {
            inner: Rebinding::default(),
        };
        let uri = Uri::from_static("http://rebind.example.org/");
        let resolve = || {
            let found = resolver.resolve(&uri, &Config::default(), NextTimeout::default());
            found.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(resolve().unwrap(), ["8.8.8.8:80"]);
        assert_eq!(resolve().unwrap(), ["8.8.4.4:80"]);
        assert!(resolve().unwrap_err().to_string().contains(NOT_PUBLIC));
    }

    fn check(address: &str, expected: bool) {
        assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
    }

    #[test]
    fn private_addresses_are_recognised() {
        for inner in [
            "127.0.0.1",
            "127.8.9.10",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "192.0.0.8",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "fec0::1",
        ] {
            check(inner, false);
        }
        for outer in [
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "64:ff9b::808:808",
        ] {
            check(outer, true);
        }
    }
}
