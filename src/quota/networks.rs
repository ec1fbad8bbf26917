//! The networks with a quota of their own (`quota.networks`).

use std::fmt;
use std::net::IpAddr;

use crate::config::{Network, NetworkSettings};

/// The key of a network: the hash of its name (FNV-1a, 64 bits), which stays the same when the networks
/// are reordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetworkKey(pub u64);

impl NetworkKey {
    pub fn of(name: &str) -> NetworkKey {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        NetworkKey(hash)
    }
}

impl fmt::Display for NetworkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network:{:016x}", self.0)
    }
}

/// The networks, in the order of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<NamedNetwork>);

/// A network and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNetwork {
    pub key: NetworkKey,
    pub name: String,
    addresses: Vec<Network>,
    /// Lookups in 24 hours of all callers together.
    pub daily_lookups: u64,
    /// Requests per minute of each address.
    pub burst_per_minute: u32,
}

impl Networks {
    pub fn new(settings: &[NetworkSettings]) -> Networks {
        let network = |settings: &NetworkSettings| NamedNetwork {
            key: NetworkKey::of(&settings.name),
            name: settings.name.clone(),
            addresses: settings.addresses.clone(),
            daily_lookups: settings.daily.into(),
            burst_per_minute: settings.per_minute,
        };
        Networks(settings.iter().map(network).collect())
    }

    /// The first network that has the address.
    pub fn of(&self, address: IpAddr) -> Option<NetworkKey> {
        let has = |network: &&NamedNetwork| network.addresses.iter().any(|n| n.contains(address));
        self.0.iter().find(has).map(|network| network.key)
    }

    pub fn get(&self, key: NetworkKey) -> Option<&NamedNetwork> {
        self.0.iter().find(|network| network.key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_network_with_the_address_applies() {
        let network = |name: &str, addresses: &[&str]| NetworkSettings {
            name: name.to_owned(),
            addresses: addresses.iter().map(|text| text.parse().unwrap()).collect(),
            ..NetworkSettings::default()
        };
        let networks = Networks::new(&[
            network("lab", &["192.0.2.7", "2001:db8:1::/48"]),
            network("campus", &["192.0.2.0/24"]),
        ]);
        let check = |address: &str, expected: Option<&str>| {
            let found = networks.of(address.parse().unwrap());
            assert_eq!(found, expected.map(NetworkKey::of), "{address}");
        };
        check("192.0.2.7", Some("lab"));
        check("::ffff:192.0.2.7", Some("lab"));
        check("2001:db8:1:2::3", Some("lab"));
        check("192.0.2.8", Some("campus"));
        check("198.51.100.1", None);
    }

    #[test]
    fn keys_do_not_change() {
        // The check value of FNV-1a for “a”: stored counts keep their owner.
        assert_eq!(NetworkKey::of("a").to_string(), "network:af63dc4c8601ec8c");
    }
}
