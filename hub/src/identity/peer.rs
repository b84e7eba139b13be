//! The holders of devices and key files with their roles, and the owner of a certificate, parsed from the name that the authority put in it.
//! Must never decide permissions.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use proto::ids::AgentId;
use proto::quic::{AGENT_URI, ARBITER_URI, GATEWAY_URI};
use rustls_pki_types::CertificateDer;
use serde::{Deserialize, Serialize};
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::X509Certificate;

use super::gateways::GatewayId;
use super::sector::Sector;

/// The characters that are percent-encoded: all but the unreserved ones of a URI (RFC 3986 2.3).
pub(crate) const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The role of a device or key file. The table in `api::roles` says what each role may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Views the hall.
    Viewer,
    /// Acts on all boards, or only on those of a sector.
    Floor,
    /// Sets up the hall, enrols and revokes.
    Chief,
    /// Reads what is broadcast: boards, standings and games.
    Broadcaster,
    /// Reads everything, including the log and all commands.
    Auditor,
    /// Plays one side of a game of Time Chess on one board, and sees what that side may see.
    Player,
}

impl Role {
    pub const ALL: [Self; 6] = [
        Self::Viewer,
        Self::Floor,
        Self::Chief,
        Self::Broadcaster,
        Self::Auditor,
        Self::Player,
    ];

    /// Returns the word used in certificates and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Floor => "floor",
            Self::Chief => "chief",
            Self::Broadcaster => "broadcaster",
            Self::Auditor => "auditor",
            Self::Player => "player",
        }
    }

    /// Returns the role's name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Floor => "floor arbiter",
            Self::Chief => "chief arbiter",
            Self::Viewer | Self::Broadcaster | Self::Auditor | Self::Player => self.as_str(),
        }
    }

    /// Returns true for an arbiter's role. Arbiters may confirm each other's commands.
    pub fn is_arbiter(self) -> bool {
        matches!(self, Self::Floor | Self::Chief)
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| {
                format!("{text:?} is not a role: use viewer, floor, chief, broadcaster, auditor or player")
            })
    }
}

/// The holder of a device or key file: an arbiter, a player of Time Chess, or a person or program that only
/// reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arbiter {
    /// The holder's name, recorded as the actor of the holder's commands.
    pub name: String,
    pub role: Role,
    /// The boards on which a floor arbiter may act.
    #[serde(default, skip_serializing_if = "Sector::is_whole_hall")]
    pub sector: Sector,
    /// The seat of a player of Time Chess; `None` for every other role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<PlayerSeat>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSeat {
    pub board: String,
    #[serde(with = "side_word")]
    pub side: timing::Side,
}

mod side_word {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use timing::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(side.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        let word = String::deserialize(from)?;
        Side::from_word(&word).ok_or_else(|| serde::de::Error::custom("a side is white or black"))
    }
}

impl Arbiter {
    /// Returns the holder of a role that covers the whole hall.
    pub fn new(role: Role, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            role,
            sector: Sector::default(),
            seat: None,
        }
    }

    pub fn player(name: &str, seat: PlayerSeat) -> Self {
        Self {
            seat: Some(seat),
            ..Self::new(Role::Player, name)
        }
    }

    /// Restricts a floor arbiter to a sector.
    ///
    /// # Errors
    /// Returns a sentence for the caller if a role other than floor arbiter is given a sector.
    pub fn in_sector(self, sector: Sector) -> Result<Self, String> {
        if sector.is_whole_hall() || self.role == Role::Floor {
            return Ok(Self { sector, ..self });
        }
        Err(format!(
            "a {} cannot have a sector: only a floor arbiter can",
            self.role.title()
        ))
    }
}

impl fmt::Display for Arbiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name == self.role.as_str() {
            f.write_str(&self.name)
        } else {
            write!(f, "{} ({}", self.name, self.role.as_str())?;
            if !self.sector.is_whole_hall() {
                write!(f, ", boards {}", self.sector)?;
            }
            if let Some(seat) = &self.seat {
                write!(f, ", {} on board {}", seat.side.as_str(), seat.board)?;
            }
            f.write_str(")")
        }
    }
}

/// The other end of an authenticated link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    Agent(AgentId),
    Arbiter(Arbiter),
    Gateway(GatewayId),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeerError {
    #[error("the certificate cannot be read")]
    Unreadable,
    /// The certificate has no name that the hub issues, or more than one.
    #[error("the certificate names neither an agent, nor an arbiter, nor a gateway")]
    Nameless,
    #[error("the certificate's name does not match its key")]
    OtherKey,
}

/// Returns the owner of `certificate`. The caller must have verified that the hub's authority signed it.
pub fn peer_of(certificate: &CertificateDer<'_>) -> Result<Peer, PeerError> {
    let parsed = parsed(certificate).ok_or(PeerError::Unreadable)?;
    let names = parsed
        .subject_alternative_name()
        .map_err(|_| PeerError::Unreadable)?
        .ok_or(PeerError::Nameless)?;
    let mut uris = names.value.general_names.iter().filter_map(|name| {
        let GeneralName::URI(uri) = name else {
            return None;
        };
        Some(*uri)
    });
    let (Some(uri), None) = (uris.next(), uris.next()) else {
        return Err(PeerError::Nameless);
    };
    if let Some(key) = uri.strip_prefix(AGENT_URI) {
        key_of(key, &parsed).map(Peer::Agent)
    } else if let Some(key) = uri.strip_prefix(GATEWAY_URI) {
        key_of(key, &parsed).map(|key| Peer::Gateway(GatewayId(key.0)))
    } else if let Some(who) = uri.strip_prefix(ARBITER_URI) {
        arbiter(who)
    } else {
        Err(PeerError::Nameless)
    }
}

/// Returns the expiry of an agent's certificate (Unix time, seconds), or `None` if the certificate does not belong to an agent.
pub(crate) fn agent_end(certificate: &CertificateDer<'_>) -> Option<u64> {
    let Ok(Peer::Agent(_)) = peer_of(certificate) else {
        return None;
    };
    u64::try_from(parsed(certificate)?.validity().not_after.timestamp()).ok()
}

/// Returns true if `certificate` names `authority` as its issuer. TLS has already verified the signature.
pub(crate) fn is_issued_by(
    certificate: &CertificateDer<'_>,
    authority: &CertificateDer<'_>,
) -> bool {
    let (Some(leaf), Some(authority)) = (parsed(certificate), parsed(authority)) else {
        return false;
    };
    leaf.issuer().as_raw() == authority.subject().as_raw()
}

fn parsed<'a>(certificate: &'a CertificateDer<'_>) -> Option<X509Certificate<'a>> {
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate).ok()?;
    Some(parsed)
}

/// Parses the key in a name, which must equal the key that the certificate certifies.
fn key_of(named: &str, certificate: &X509Certificate<'_>) -> Result<AgentId, PeerError> {
    let key: AgentId = named.parse().map_err(|_| PeerError::Nameless)?;
    if *certificate.public_key().subject_public_key.data != key.0 {
        return Err(PeerError::OtherKey);
    }
    Ok(key)
}

/// Parses `ROLE:NAME`, or `ROLE+BOARDS:NAME` for an arbiter with a sector.
fn arbiter(who: &str) -> Result<Peer, PeerError> {
    let (role, name) = who.split_once(':').ok_or(PeerError::Nameless)?;
    let (role, sector) = match role.split_once('+') {
        Some((_, "")) => return Err(PeerError::Nameless),
        Some((role, sector)) => (role, decoded(sector)?),
        None => (role, String::new()),
    };
    let role = role.parse().map_err(|_| PeerError::Nameless)?;
    let sector = sector.parse().map_err(|_| PeerError::Nameless)?;
    let arbiter = Arbiter::new(role, &decoded(name)?).in_sector(sector);
    arbiter.map(Peer::Arbiter).map_err(|_| PeerError::Nameless)
}

/// Decodes one part of a name. Refuses any encoding but the canonical one.
fn decoded(part: &str) -> Result<String, PeerError> {
    let text = percent_decode_str(part).decode_utf8();
    let text = text.map_err(|_| PeerError::Nameless)?.into_owned();
    if encoded(&text) == part {
        Ok(text)
    } else {
        Err(PeerError::Nameless)
    }
}

pub(super) fn arbiter_uri(arbiter: &Arbiter) -> String {
    let sector = match arbiter.sector.to_string().as_str() {
        "" => String::new(),
        sector => format!("+{}", encoded(sector)),
    };
    let (role, name) = (arbiter.role.as_str(), encoded(&arbiter.name));
    format!("{ARBITER_URI}{role}{sector}:{name}")
}

fn encoded(name: &str) -> String {
    utf8_percent_encode(name, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Authority;

    #[test]
    fn agent_round_trips() {
        let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
        let agent = AgentId(key.verifying_key().to_bytes());
        let issued = Authority::generate().unwrap().issue_agent(&agent).unwrap();
        assert_eq!(peer_of(&issued.certificate), Ok(Peer::Agent(agent)));
    }

    #[test]
    fn gateway_round_trips() {
        let key = ed25519_dalek::SigningKey::from_bytes(&[8; 32]);
        let gateway = GatewayId(key.verifying_key().to_bytes());
        let authority = Authority::generate().unwrap();
        let issued = authority.issue_gateway(&gateway).unwrap();
        assert_eq!(peer_of(&issued.certificate), Ok(Peer::Gateway(gateway)));
    }

    #[test]
    fn arbiter_round_trips() {
        let authority = Authority::generate().unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        for name in ["chief", "Zoë % O'Hara: hall 2", ""] {
            for role in Role::ALL {
                let arbiter = Arbiter::new(role, name);
                let issued = authority.issue_arbiter(&key, &arbiter, None).unwrap();
                assert_eq!(peer_of(&issued.certificate), Ok(Peer::Arbiter(arbiter)));
            }
            let sector = "1-20,Übersee:A3".parse().unwrap();
            let arbiter = Arbiter::new(Role::Floor, name).in_sector(sector).unwrap();
            let issued = authority.issue_arbiter(&key, &arbiter, None).unwrap();
            assert_eq!(peer_of(&issued.certificate), Ok(Peer::Arbiter(arbiter)));
        }
    }

    #[test]
    fn other_certificates_name_no_peer() {
        let authority = Authority::generate().unwrap();
        assert_eq!(peer_of(authority.certificate()), Err(PeerError::Nameless));
        assert_eq!(peer_of(&vec![1, 2, 3].into()), Err(PeerError::Unreadable));
        assert_eq!(arbiter("admiral:x"), Err(PeerError::Nameless));
        assert_eq!(arbiter("chief:%f"), Err(PeerError::Nameless));
        assert_eq!(arbiter("chief+1-20:x"), Err(PeerError::Nameless));
        assert_eq!(arbiter("floor+:x"), Err(PeerError::Nameless));
        assert_eq!(arbiter("floor+9-1:x"), Err(PeerError::Nameless));
    }
}
