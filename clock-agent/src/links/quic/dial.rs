//! Dials hubs: name resolution, and a handshake within a time limit. Owns the sockets, which any number of connections may share.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use quinn::{ClientConfig, Connection, Endpoint};

use super::{HANDSHAKE_TIMEOUT, link_end};
use crate::links::{ConnectError, HubAddress, LinkEnd};

/// The UDP sockets, one for each address family of the machine.
#[derive(Clone, Debug)]
pub struct Dialer(Arc<Sockets>);

#[derive(Debug)]
struct Sockets {
    v4: Option<Endpoint>,
    v6: Option<Endpoint>,
}

impl Dialer {
    /// Opens the sockets. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Returns the error for IPv4 if neither family is available.
    pub fn open() -> std::io::Result<Self> {
        let v4 = Endpoint::client((Ipv4Addr::UNSPECIFIED, 0).into());
        let v6 = Endpoint::client((Ipv6Addr::UNSPECIFIED, 0).into());
        match (v4, v6) {
            (Err(error), Err(_)) => Err(error),
            (v4, v6) => Ok(Self(Arc::new(Sockets {
                v4: v4.ok(),
                v6: v6.ok(),
            }))),
        }
    }

    /// Dials the addresses of `at` in turn until a handshake succeeds. `name` is the server name for TLS.
    pub(crate) async fn connect(
        &self,
        at: &HubAddress,
        name: &str,
        config: &ClientConfig,
    ) -> Result<Connection, ConnectError> {
        let host = (at.host.as_str(), at.port);
        let addresses = tokio::net::lookup_host(host)
            .await
            .map_err(|error| ConnectError::Away(format!("{}: {error}", at.host)))?;
        let mut failure = ConnectError::Away(format!("{}: the host name has no address", at.host));
        for address in addresses {
            match self.dial(address, name, config).await {
                Ok(connection) => return Ok(connection),
                Err(end) => failure = end.while_connecting(&at.to_string()),
            }
        }
        Err(failure)
    }

    async fn dial(
        &self,
        address: SocketAddr,
        name: &str,
        config: &ClientConfig,
    ) -> Result<Connection, LinkEnd> {
        let socket = if address.is_ipv4() {
            &self.0.v4
        } else {
            &self.0.v6
        };
        let Some(socket) = socket else {
            return Err(LinkEnd::Lost(format!(
                "this machine has no route to {address}"
            )));
        };
        let connecting = socket
            .connect_with(config.clone(), address, name)
            .map_err(|error| LinkEnd::Lost(error.to_string()))?;
        match tokio::time::timeout(HANDSHAKE_TIMEOUT, connecting).await {
            Ok(connected) => connected.map_err(|error| link_end(&error)),
            Err(_) => Err(LinkEnd::Lost("no answer".to_owned())),
        }
    }
}
