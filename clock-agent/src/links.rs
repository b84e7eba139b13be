//! Ways to the hub. Owns carrying frames; never looks into them. Nothing above this module can tell QUIC from another way.

mod auto;
pub mod ble;
pub mod quic;
mod tls;

pub use auto::{AutoLink, HubRoute};

pub(crate) use tls::enrol_config;

use std::fmt;
use std::future::Future;
use std::str::FromStr;

use proto::frame::FrameError;
use proto::wire::{AgentFrame, HubFrame};

/// A way to the hub that is open.
pub trait Link: Send {
    /// Queues a frame, to arrive reliably and in order. Carried while [`Link::next`] is awaited.
    ///
    /// # Errors
    /// The link is over, or the other end has not read for so long that the queue is full.
    fn send(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd>;

    /// Sends a frame at once, to arrive or not; where the way has no such thing, as [`Link::send`] does.
    ///
    /// # Errors
    /// As [`Link::send`].
    fn datagram(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd>;

    /// Carries what is queued and gives the hub's next frame. May be dropped at any time without loss.
    ///
    /// # Errors
    /// The link is over.
    fn next(&mut self) -> impl Future<Output = Result<HubFrame, LinkEnd>> + Send;

    /// Carries what is queued, within a short time, and closes.
    fn close(self, reason: &str) -> impl Future<Output = ()> + Send;
}

/// Opens links to one hub.
pub trait Connector: Send {
    /// What it opens.
    type Link: Link;

    /// Tries once, wherever the hub may be.
    ///
    /// # Errors
    /// Why not, for people to read.
    fn connect(&mut self) -> impl Future<Output = Result<Self::Link, ConnectError>> + Send;
}

/// Why a link is over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkEnd {
    /// Lost, or closed by the hub.
    #[error("{0}")]
    Lost(String),
    /// The hub does not admit this clock.
    #[error("{0}")]
    Refused(String),
    /// The hub sent what is no frame.
    #[error("the hub sent {0}")]
    BadFrame(FrameError),
    /// The hub does not read what it is sent.
    #[error("the hub does not read what it is sent")]
    Stuck,
}

/// Why there is no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Nobody there, or no answer: to be tried again soon.
    #[error("{0}")]
    Away(String),
    /// Somebody is there, but not the hub of this clock: somebody has to do something.
    #[error("{0}")]
    Refused(String),
}

impl LinkEnd {
    /// What it means for an attempt to reach the hub at `hub`.
    fn while_connecting(self, hub: &str) -> ConnectError {
        match self {
            Self::Refused(why) => ConnectError::Refused(format!("the hub at {hub}: {why}")),
            Self::Lost(_) | Self::BadFrame(_) | Self::Stuck => {
                ConnectError::Away(format!("the hub at {hub}: {self}"))
            }
        }
    }
}

impl From<FrameError> for LinkEnd {
    fn from(error: FrameError) -> Self {
        Self::BadFrame(error)
    }
}

/// Where a hub is: `HOST` or `HOST:PORT`, an IPv6 address in brackets when a port follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubAddress {
    /// Name or address, an IPv6 address without brackets.
    pub host: String,
    /// UDP port.
    pub port: u16,
}

/// What is wrong with an address that was typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected HOST or HOST:PORT (an IPv6 address as [2001:db8::7]:7464), got {0:?}")]
pub struct AddressError(String);

impl FromStr for HubAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = || AddressError(text.to_owned());
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) = rest.split_once(']').ok_or_else(wrong)?;
                match rest {
                    "" => (host, None),
                    _ => (host, Some(rest.strip_prefix(':').ok_or_else(wrong)?)),
                }
            }
            // More than one colon and no brackets: a bare IPv6 address.
            None if text.matches(':').count() > 1 => (text, None),
            None => match text.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let port = match port {
            Some(port) => port.parse().map_err(|_| wrong())?,
            None => proto::quic::DEFAULT_PORT,
        };
        let odd = |c: char| c.is_whitespace() || "/@#[]".contains(c);
        if host.is_empty() || host.chars().any(odd) || port == 0 {
            return Err(wrong());
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

impl fmt::Display for HubAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_printed() {
        for (text, printed) in [
            ("hub.local", "hub.local:7464"),
            ("192.0.2.7:9000", "192.0.2.7:9000"),
            ("2001:db8::7", "[2001:db8::7]:7464"),
            ("[2001:db8::7]", "[2001:db8::7]:7464"),
            ("[2001:db8::7]:80", "[2001:db8::7]:80"),
        ] {
            assert_eq!(text.parse::<HubAddress>().unwrap().to_string(), printed);
        }
        for wrong in [
            "", ":7464", "hub:", "hub:0", "hub:x", "hub/7", "[::1", "[::1]7", "a b",
        ] {
            assert!(wrong.parse::<HubAddress>().is_err(), "{wrong}");
        }
    }
}
