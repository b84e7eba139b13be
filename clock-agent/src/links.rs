//! The links to the hub. Owns the transport of frames; never inspects them. Hides from the session whether a link uses QUIC or Bluetooth LE.

mod auto;
pub mod ble;
pub mod quic;
mod tls;

pub use auto::{AutoLink, HubRoute};

pub(crate) use tls::{check_voucher, enrol_config, session_config};

use std::fmt;
use std::future::Future;
use std::str::FromStr;

use proto::frame::FrameError;
use proto::wire::{AgentFrame, GoodbyeReason, HubFrame};

/// An open link to the hub.
pub trait Link: Send {
    /// Queues a frame for reliable, ordered delivery. Frames are sent while [`Link::next`] is awaited.
    ///
    /// # Errors
    /// Returns an error if the link has ended, or if its queue is full because the hub does not read.
    fn send(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd>;

    /// Sends a frame immediately, without guaranteed delivery. Uses [`Link::send`] if the link has no datagrams or the frame does not fit into one.
    fn datagram(&mut self, frame: &AgentFrame) -> Result<(), LinkEnd>;

    /// Sends queued frames and returns the hub's next frame. Cancel-safe.
    fn next(&mut self) -> impl Future<Output = Result<HubFrame, LinkEnd>> + Send;

    /// Sends queued frames within a short time, then closes the link. QUIC passes `code` and `reason` to the hub; Bluetooth LE ignores them.
    fn close(self, code: GoodbyeReason, reason: &str) -> impl Future<Output = ()> + Send;
}

/// A source of links to one hub.
pub trait Connector: Send {
    type Link: Link;

    /// Connects to the hub. Over Bluetooth LE, waits until the hub's radio connects.
    ///
    /// # Errors
    /// Returns a [`ConnectError`] with a message to show.
    fn connect(&mut self) -> impl Future<Output = Result<Self::Link, ConnectError>> + Send;
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkEnd {
    /// The link was lost or closed, or could not be opened.
    #[error("{0}")]
    Lost(String),
    /// The hub refuses this clock.
    #[error("{0}")]
    Refused(String),
    #[error("the hub sent {0}")]
    BadFrame(FrameError),
    #[error("the hub has stopped reading")]
    Stuck,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The hub cannot be reached; retry soon.
    #[error("{0}")]
    Away(String),
    /// A different hub answered, or the hub refuses the clock; a person must act.
    #[error("{0}")]
    Refused(String),
}

impl LinkEnd {
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

/// The address of a hub: `HOST` or `HOST:PORT`; an IPv6 address before a port needs brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubAddress {
    /// Host name or address; an IPv6 address has no brackets.
    pub host: String,
    /// UDP port.
    pub port: u16,
}

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
            // More than one colon without brackets means a bare IPv6 address.
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
