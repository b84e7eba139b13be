//! What this machine is called: the names and addresses under which the hub's certificate lets itself be reached.

use std::collections::BTreeSet;

/// The configured public name if there is one, the host's name (bare and `.local`), `localhost`, and every address of this
/// machine but link-local ones. What is no DNS name in ASCII is left out, with a warning.
pub fn server_names(public_name: Option<&str>) -> Vec<String> {
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let bare = host.split('.').next().unwrap_or(&host).to_owned();
    let mut names = BTreeSet::new();
    let called = public_name.map(str::to_owned).into_iter().chain([
        format!("{bare}.local"),
        host,
        bare,
        "localhost".to_owned(),
    ]);
    for name in called {
        if is_dns_name(&name) || name.parse::<std::net::IpAddr>().is_ok() {
            names.insert(name);
        } else {
            tracing::warn!(
                name,
                "not a DNS name in ASCII: clients cannot call the hub by it"
            );
        }
    }
    names.extend(["127.0.0.1".to_owned(), "::1".to_owned()]);
    match if_addrs::get_if_addrs() {
        Ok(interfaces) => names.extend(
            interfaces
                .iter()
                .filter(|interface| !interface.is_link_local())
                .map(|interface| interface.ip().to_string()),
        ),
        Err(error) => {
            tracing::warn!(%error, "cannot list this machine's addresses: clients must call the hub by name");
        }
    }
    names.into_iter().collect()
}

fn is_dns_name(name: &str) -> bool {
    name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_at_least_localhost() {
        let names = server_names(Some("chess.example.org"));
        for name in ["chess.example.org", "localhost", "127.0.0.1"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert!(!server_names(Some("nö.example")).contains(&"nö.example".to_owned()));
    }
}
