//! The identity of an anonymous caller: the client address behind trusted proxies, reduced
//! to the network of one household.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::config::{ForwardedHeader, Network};

/// The key of an anonymous caller: an IPv4 address, or the /64 of an IPv6 address, since
/// one customer has all of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    V4(Ipv4Addr),
    /// The upper 64 bits.
    V6(u64),
}

impl Address {
    pub fn of(ip: IpAddr) -> Address {
        match ip.to_canonical() {
            IpAddr::V4(ip) => Address::V4(ip),
            IpAddr::V6(ip) => Address::V6((u128::from(ip) >> 64) as u64),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::V4(ip) => write!(f, "{ip}"),
            Address::V6(upper) => write!(f, "{}/64", Ipv6Addr::from(u128::from(*upper) << 64)),
        }
    }
}

/// The trusted proxies and their header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedProxies {
    /// Empty: headers are never trusted.
    pub networks: Vec<Network>,
    /// Only one is read: proxies pass the other on unchanged.
    pub header: ForwardedHeader,
}

impl TrustedProxies {
    /// The proxies' header, in lower case.
    pub fn header_name(&self) -> &'static str {
        match self.header {
            ForwardedHeader::XForwardedFor => "x-forwarded-for",
            ForwardedHeader::Forwarded => "forwarded",
        }
    }

    /// The client behind `peer`. `values` are the header's values in the order received; each may be
    /// a list. Read from the right, where each proxy appends: the first address that is not a
    /// trusted proxy is the client. Addresses sent by the client itself are further left and not
    /// reached. At an unreadable address the last good one is used: the rest of the list
    /// may be the client's own.
    pub fn client<'a>(
        &self,
        peer: IpAddr,
        values: impl DoubleEndedIterator<Item = &'a [u8]>,
    ) -> IpAddr {
        let mut client = peer.to_canonical();
        let hops = values
            .rev()
            .flat_map(|value| value.rsplit(|byte| *byte == b','));
        for hop in hops {
            if !self.trusts(client) {
                return client;
            }
            match self.read(hop) {
                Some(ip) => client = ip,
                None => return client,
            }
        }
        client
    }

    /// Whether the address is a trusted proxy's.
    pub fn trusts(&self, ip: IpAddr) -> bool {
        let ip = ip.to_canonical();
        self.networks.iter().any(|network| network.contains(ip))
    }

    fn read(&self, hop: &[u8]) -> Option<IpAddr> {
        let hop = std::str::from_utf8(hop).ok()?;
        let node = match self.header {
            ForwardedHeader::XForwardedFor => hop,
            ForwardedHeader::Forwarded => hop.split(';').find_map(|pair| {
                let (name, value) = pair.split_once('=')?;
                name.trim().eq_ignore_ascii_case("for").then_some(value)
            })?,
        };
        read_node(node.trim().trim_matches('"'))
    }
}

/// An address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn read_node(node: &str) -> Option<IpAddr> {
    if let Ok(ip) = node.parse::<IpAddr>() {
        return Some(ip.to_canonical());
    }
    let (host, port) = match node.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            (
                host,
                rest.strip_prefix(':').or(rest.is_empty().then_some("0"))?,
            )
        }
        None => node.rsplit_once(':')?,
    };
    port.parse::<u16>().ok()?;
    host.parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: ForwardedHeader, peer: &str, values: &[&str], expected: &str) {
        let values: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
        check_bytes(header, peer, &values, expected);
    }

    fn check_bytes(header: ForwardedHeader, peer: &str, values: &[&[u8]], expected: &str) {
        let networks = ["10.0.0.0/8", "2001:db8:ffff::/48"];
        let proxies = TrustedProxies {
            networks: networks.map(|n| n.parse().unwrap()).to_vec(),
            header,
        };
        let client = proxies.client(peer.parse().unwrap(), values.iter().copied());
        assert_eq!(client.to_string(), expected, "{peer} {values:?}");
    }

    #[test]
    fn x_forwarded_for_is_used_only_from_trusted_proxies() {
        use ForwardedHeader::XForwardedFor as X;
        check(X, "198.51.100.9", &["203.0.113.7"], "198.51.100.9");
        check(X, "10.0.0.1", &["203.0.113.7"], "203.0.113.7");
        check(X, "10.0.0.1", &["1.2.3.4, 203.0.113.7"], "203.0.113.7");
        check(
            X,
            "10.0.0.1",
            &["1.2.3.4", "203.0.113.7, 10.9.9.9"],
            "203.0.113.7",
        );
        check(X, "10.0.0.1", &["203.0.113.7:4711"], "203.0.113.7");
        check(X, "10.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1");
        check(X, "2001:db8:ffff::1", &["2001:db8::1"], "2001:db8::1");
        check(X, "::ffff:10.0.0.1", &["::ffff:203.0.113.7"], "203.0.113.7");
        check(X, "10.0.0.1", &["nonsense"], "10.0.0.1");
        check(X, "10.0.0.1", &["203.0.113.7, unknown"], "10.0.0.1");
        check(X, "10.0.0.1", &[], "10.0.0.1");
    }

    #[test]
    fn unreadable_hop_ends_the_chain() {
        use ForwardedHeader::XForwardedFor as X;
        check_bytes(X, "10.0.0.1", &[b"\xff, 203.0.113.7"], "203.0.113.7");
        check_bytes(X, "10.0.0.1", &[b"203.0.113.7, \xff"], "10.0.0.1");
        check_bytes(X, "10.0.0.1", &[b"203.0.113.7", b"\xff"], "10.0.0.1");
        check(X, "10.0.0.1", &["203.0.113.7", ""], "10.0.0.1");
        check(X, "10.0.0.1", &["203.0.113.7:port"], "10.0.0.1");
        check(X, "10.0.0.1", &["[2001:db8::1]x"], "10.0.0.1");
        check(X, "10.0.0.1", &["203.0.113.7:99999"], "10.0.0.1");
    }

    #[test]
    fn forwarded_follows_rfc_7239() {
        use ForwardedHeader::Forwarded as F;
        check(
            F,
            "10.0.0.1",
            &["for=203.0.113.7;proto=https"],
            "203.0.113.7",
        );
        check(
            F,
            "10.0.0.1",
            &["for=1.2.3.4, For=\"[2001:db8::1]:4711\""],
            "2001:db8::1",
        );
        check(
            F,
            "10.0.0.1",
            &["for=203.0.113.7, for=10.2.2.2"],
            "203.0.113.7",
        );
        check(F, "10.0.0.1", &["for=_hidden"], "10.0.0.1");
        check(F, "203.0.113.9", &["for=1.2.3.4"], "203.0.113.9");
    }

    #[test]
    fn addresses_of_a_network_are_one_caller() {
        let of = |text: &str| Address::of(text.parse().unwrap()).to_string();
        assert_eq!(of("203.0.113.7"), "203.0.113.7");
        assert_eq!(of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    }
}
