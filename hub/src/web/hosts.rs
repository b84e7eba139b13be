//! The hosts under which spectators reach these pages. The host that a request names is used only if it is one of them.

use crate::identity::bracketed;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The fallback for a request that names an unknown host.
    usual: String,
    names: Vec<String>,
    port: u16,
}

impl Hosts {
    /// Creates the hosts of pages on `port`: `usual` and `names`, each a name or an address without a port.
    pub fn new(usual: &str, names: Vec<String>, port: u16) -> Self {
        Self {
            usual: usual.to_owned(),
            names,
            port,
        }
    }

    /// Returns the host, with its port, for links to these pages: the requested host if it is one of the hub's, otherwise the usual host. Returns
    /// `None` if the hub knows no host of its own.
    pub(super) fn of(&self, asked: Option<&str>) -> Option<String> {
        let known = asked.and_then(|asked| self.find(asked));
        let usual = || (!self.usual.is_empty()).then(|| self.with_port(&self.usual));
        known.or_else(usual)
    }

    /// Returns the requested host in the hub's spelling; `None` if it is not one of the hub's hosts. A proxy may have removed the port.
    fn find(&self, asked: &str) -> Option<String> {
        let (host, port) = match asked.rsplit_once(':') {
            // The last colon of an IPv6 address without a port is inside its brackets.
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            Some(_) | None => (asked, None),
        };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let mut all = self.names.iter().chain([&self.usual]);
        let name = all.find(|name| !bare.is_empty() && name.eq_ignore_ascii_case(bare))?;
        match port {
            None => Some(bracketed(name)),
            Some(port) if port == self.port.to_string() => Some(self.with_port(name)),
            Some(_) => None,
        }
    }

    fn with_port(&self, name: &str) -> String {
        format!("{}:{}", bracketed(name), self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_chooses_only_among_the_hubs_own_hosts() {
        let names = ["hall.local", "fe80::1", "chess.example.org"].map(str::to_owned);
        let hosts = Hosts::new("10.0.0.7", names.into(), 8080);
        for (asked, expected) in [
            (Some("hall.local:8080"), "hall.local:8080"),
            (Some("HALL.local:8080"), "hall.local:8080"),
            (Some("[fe80::1]:8080"), "[fe80::1]:8080"),
            (Some("[fe80::1]"), "[fe80::1]"),
            (Some("chess.example.org"), "chess.example.org"),
            (Some("10.0.0.7"), "10.0.0.7"),
            (Some("10.0.0.7:8080"), "10.0.0.7:8080"),
            (Some("hall.local:8081"), "10.0.0.7:8080"),
            (Some("evil.example:8080"), "10.0.0.7:8080"),
            (Some("evil\"host"), "10.0.0.7:8080"),
            (Some("[]"), "10.0.0.7:8080"),
            (Some(""), "10.0.0.7:8080"),
            (None, "10.0.0.7:8080"),
        ] {
            assert_eq!(hosts.of(asked).as_deref(), Some(expected), "{asked:?}");
        }
        assert_eq!(Hosts::default().of(Some("hall.local")), None);
    }
}
