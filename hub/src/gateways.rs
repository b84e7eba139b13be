//! The registry of gateways: issues their codes and certificates, admits their connections, and cuts off a revoked gateway.
//!
//! Owns the open codes and the list of connected gateways. Ignores what a gateway carries: each clock behind one proves its own identity to the hub.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use proto::ids::AgentId;
use timing::text::{DisplayText, TextError};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::identity::{
    Gateway, GatewayId, Gateways, IssuedCertificate, Revoked, TokenRefusal, Tokens, random,
};
use crate::identity::{Identity, IdentityError};
use crate::lock::lock;
use crate::time_source::TimeSource;

/// Maximum length of a gateway's name, in bytes.
const MAX_NAME: usize = 40;
/// Maximum length of the reason for a revocation, in bytes.
const MAX_REASON: usize = 300;
const MAX_CONNECTED: usize = 64;

/// The reason for refusing a gateway, or a request about a gateway. The text is sent to the caller.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error("a gateway's name must have 1 to {MAX_NAME} bytes, all of them printable: got {0:?}")]
    Name(String),
    /// The reason for revoking a gateway is too long or contains a hidden character.
    #[error("the reason {0}")]
    Reason(#[from] TextError),
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    /// No gateway's id, or more than one, begins with the given text.
    #[error("{0}")]
    NotFound(String),
    #[error(
        "{by} revoked this gateway; enrol it again with a code of `flagfall enrol --gateway NAME`"
    )]
    Revoked { by: String },
    /// This hub issued the certificate, but the gateway is not in the list.
    #[error(
        "this hub does not know this gateway: enrol it with a code of `flagfall enrol --gateway NAME`"
    )]
    Unknown,
    #[error("{MAX_CONNECTED} gateways, the maximum, are already connected")]
    Full,
    /// Storing the list, issuing the certificate or generating random numbers failed.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

#[derive(Clone, Debug)]
struct Grant {
    name: String,
    by: String,
}

pub struct GatewayRegistry {
    identity: Arc<Identity>,
    time: TimeSource,
    inside: Mutex<RegistryState>,
}

struct RegistryState {
    gateways: Gateways,
    tokens: Tokens<Grant>,
    connected: BTreeMap<GatewayId, Connected>,
    admitted: u64,
}

/// The connection of a gateway. Dropping this value ends the connection.
struct Connected {
    number: u64,
    _end_on_drop: DropGuard,
}

impl GatewayRegistry {
    pub fn new(gateways: Gateways, identity: Arc<Identity>, time: TimeSource) -> Self {
        Self {
            identity,
            time,
            inside: Mutex::new(RegistryState {
                gateways,
                tokens: Tokens::default(),
                connected: BTreeMap::new(),
                admitted: 0,
            }),
        }
    }

    /// Creates a token that lets one gateway enrol as `name`. `by` is the arbiter who requests it.
    ///
    /// # Errors
    /// Returns [`GatewayError::Name`] if the name is invalid, [`GatewayError::Token`] if too many tokens are open, and
    /// [`GatewayError::Identity`] if the system supplies no random numbers.
    pub fn token(&self, name: &str, by: &str) -> Result<[u8; 16], GatewayError> {
        let name = name.trim();
        if name.is_empty() || name.parse::<DisplayText<MAX_NAME>>().is_err() {
            return Err(GatewayError::Name(name.to_owned()));
        }
        let token = random()?;
        let grant = Grant {
            name: name.to_owned(),
            by: by.to_owned(),
        };
        lock(&self.inside)
            .tokens
            .issue(self.time.hub_now(), token, grant)?;
        Ok(token)
    }

    pub(crate) fn is_open(&self, token: &[u8]) -> bool {
        let now = self.time.hub_now();
        lock(&self.inside).tokens.is_open(now, token)
    }

    /// Exchanges a token for a certificate for `key`. Returns the certificate and the gateway's name once the enrolment is durable. The
    /// gateway that used a token may repeat the request until the token expires or the gateway is revoked.
    pub fn enrol(
        &self,
        key: AgentId,
        token: &[u8],
        from: IpAddr,
    ) -> Result<(IssuedCertificate, String), GatewayError> {
        let now = self.time.hub_now();
        let mut inside = lock(&self.inside);
        let grant = inside.tokens.redeem(now, token, key, from)?;
        let id = GatewayId(key.0);
        let certificate = self.identity.authority().issue_gateway(&id)?;
        inside.gateways.keep(Gateway {
            id,
            name: grant.name.clone(),
            enrolled_us: self.time.wall_now().unix_us(),
            enrolled_by: grant.by,
            revoked: None,
        })?;
        tracing::info!(gateway = grant.name, %id, "a gateway is enrolled");
        Ok((certificate, grant.name))
    }

    /// Admits a connection of a gateway, and ends the gateway's previous connection.
    ///
    /// # Errors
    /// Returns [`GatewayError::Unknown`], [`GatewayError::Revoked`] or [`GatewayError::Full`].
    pub fn admit(self: &Arc<Self>, id: GatewayId) -> Result<Admission, GatewayError> {
        let mut inside = lock(&self.inside);
        let gateway = inside.gateways.get(&id).ok_or(GatewayError::Unknown)?;
        if let Some(revoked) = &gateway.revoked {
            return Err(GatewayError::Revoked {
                by: revoked.by.clone(),
            });
        }
        let name = gateway.name.clone();
        if inside.connected.len() >= MAX_CONNECTED && !inside.connected.contains_key(&id) {
            return Err(GatewayError::Full);
        }
        inside.admitted += 1;
        let (number, over) = (inside.admitted, CancellationToken::new());
        let _end_on_drop = over.clone().drop_guard();
        inside.connected.insert(
            id,
            Connected {
                number,
                _end_on_drop,
            },
        );
        Ok(Admission {
            desk: self.clone(),
            id,
            number,
            name,
            over,
        })
    }

    /// Returns every gateway in the order of enrolment, and whether it is connected.
    pub fn list(&self) -> Vec<(Gateway, bool)> {
        let inside = lock(&self.inside);
        let all = inside.gateways.all().into_iter();
        all.map(|gateway| {
            let connected = inside.connected.contains_key(&gateway.id);
            (gateway, connected)
        })
        .collect()
    }

    /// Revokes the only gateway whose id has this prefix, and cuts it off.
    ///
    /// # Errors
    /// Returns [`GatewayError::Reason`], [`GatewayError::NotFound`] or [`GatewayError::Identity`].
    pub fn revoke(&self, beginning: &str, by: &str, reason: &str) -> Result<Gateway, GatewayError> {
        let reason: DisplayText<MAX_REASON> = reason.trim().parse()?;
        let mut inside = lock(&self.inside);
        let all = inside.gateways.all();
        let mut found = all.into_iter().filter(|gateway| {
            let id = gateway.id.to_string();
            !beginning.is_empty() && id.starts_with(beginning)
        });
        let count = match (found.next(), found.next()) {
            (Some(gateway), None) => Ok(gateway),
            (Some(_), Some(_)) => Err("more than one"),
            (None, _) => Err("no"),
        };
        let gateway = count.map_err(|count| {
            GatewayError::NotFound(format!("{count} gateway's id begins with {beginning:?}"))
        })?;
        let revoked = Revoked {
            at_us: self.time.wall_now().unix_us(),
            by: by.to_owned(),
            reason: reason.into_string(),
        };
        inside.gateways.revoke(&gateway.id, revoked)?;
        inside.tokens.end_used_by(AgentId(gateway.id.0));
        inside.connected.remove(&gateway.id);
        tracing::warn!(gateway = gateway.name, id = %gateway.id, by, "a gateway is revoked");
        let kept = inside.gateways.get(&gateway.id).cloned();
        Ok(kept.unwrap_or(gateway))
    }
}

/// An admitted connection of a gateway. Dropping this value removes it from the list of connected gateways.
pub struct Admission {
    desk: Arc<GatewayRegistry>,
    id: GatewayId,
    number: u64,
    name: String,
    over: CancellationToken,
}

impl Admission {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Waits until the gateway is revoked or has connected again.
    pub async fn until_ended(&self) {
        self.over.cancelled().await;
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut inside = lock(&self.desk.inside);
        let ours = inside.connected.get(&self.id);
        if ours.is_some_and(|connected| connected.number == self.number) {
            inside.connected.remove(&self.id);
        }
    }
}
