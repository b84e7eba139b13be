//! The enrolment desk: issues codes, and exchanges a code for a certificate.
//!
//! Owns the open tokens. A clock's certificate is sent only after its enrolment is durable in the log. The hall creates the record, and the
//! authority issues the certificate; this module connects the two.

mod admission;
mod pairing;
mod renewal;
mod sheets;
mod window;

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use proto::ble::PairingCode;
use proto::enrolment::EnrolmentCode;
use proto::exchange::exchange_key;
use proto::ids::AgentId;
use proto::wire::{EnrolRequest, Enrolled, enrol_answer};
use timing::text::DisplayText;
use timing::{Hub, Instant};
use tokio::sync::{oneshot, watch};

use crate::event_loop::EventLoopHandle;
use crate::gateways::{GatewayError, GatewayRegistry};
use crate::identity::{
    ClockGrant, Identity, IdentityError, IssuedCertificate, TokenRefusal, Tokens, random,
};
use crate::lock::lock;
use crate::time_source::TimeSource;
use hall::refusal::Why;
use hall::{self, BoardId};
use pairing::Pairings;
use sheets::Sheets;
use window::Windows;

pub use pairing::PAIRING_WITHIN;
pub use sheets::{SheetCode, SheetOrder, SheetRefusal, SheetView};
pub use window::{Admission, Arrival, ClockView, WindowOrder, WindowRefusal, WindowView};

/// A clock's name or firmware description, as the clock reports it.
type ClockText = DisplayText<64>;

/// The reason for refusing an enrolment or a code. The text is sent to the caller.
#[derive(Debug, thiserror::Error)]
pub enum EnrolmentError {
    #[error("this hub speaks version {hub} of the protocol, the clock version {clock}: update the older of the two", hub = proto::MAJOR)]
    Version { clock: u32 },
    #[error(
        "this hub's change of authority lasts until {until}, and this clock's firmware does not support it: update the firmware, or enrol the clock afterwards"
    )]
    AuthorityChanges { until: crate::time_source::WallTime },
    #[error("the enrolment is not well-formed: {0}")]
    Malformed(String),
    #[error(transparent)]
    Token(#[from] TokenRefusal),
    #[error(transparent)]
    Window(#[from] WindowRefusal),
    #[error(transparent)]
    Sheet(#[from] SheetRefusal),
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The hall refuses, for example because no such board exists.
    #[error(transparent)]
    Denied(#[from] hall::Denied),
    /// An internal failure, too many open Bluetooth codes, or a Bluetooth code that is no longer open.
    #[error("the hub cannot enrol a device now: {0}")]
    Unavailable(String),
}

impl From<IdentityError> for EnrolmentError {
    fn from(error: IdentityError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

/// A clock or gateway that is about to be enrolled, from a well-formed and signed request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Newcomer {
    agent: AgentId,
    /// The X25519 key; empty if the clock has none.
    exchange_key: Vec<u8>,
    name: ClockText,
    firmware: ClockText,
    /// True if the clock can store renewed certificates.
    renews: bool,
}

pub struct EnrolmentDesk {
    identity: Arc<Identity>,
    hub: EventLoopHandle,
    time: TimeSource,
    log_origin: String,
    host: String,
    port: u16,
    exchange_key: [u8; 32],
    pairings: Mutex<Pairings>,
    tokens: Mutex<Tokens<ClockGrant>>,
    windows: Mutex<Windows>,
    sheets: Mutex<Sheets>,
    /// Counts the changes to windows and sheets.
    changes: watch::Sender<u64>,
    gateways: Arc<GatewayRegistry>,
}

impl EnrolmentDesk {
    /// Creates the desk. Its codes direct agents to `host` and `port`.
    pub fn new(
        identity: Arc<Identity>,
        hub: EventLoopHandle,
        time: TimeSource,
        log_origin: String,
        (host, port): (String, u16),
        gateways: Arc<GatewayRegistry>,
    ) -> Self {
        let exchange = x25519_dalek::StaticSecret::from(identity.exchange_secret());
        Self {
            identity,
            hub,
            time,
            log_origin,
            host,
            port,
            exchange_key: x25519_dalek::PublicKey::from(&exchange).to_bytes(),
            tokens: Mutex::default(),
            windows: Mutex::default(),
            sheets: Mutex::default(),
            changes: watch::Sender::new(0),
            pairings: Mutex::new(Pairings::new(drawn())),
            gateways,
        }
    }

    pub(crate) fn gateways(&self) -> &Arc<GatewayRegistry> {
        &self.gateways
    }

    /// Returns the hub's X25519 secret key. Clocks use the public key over Bluetooth LE.
    pub(crate) fn exchange_secret(&self) -> [u8; 32] {
        self.identity.exchange_secret()
    }

    pub(crate) fn exchange_key(&self) -> [u8; 32] {
        self.exchange_key
    }

    /// Creates a code that lets one agent enrol. Unless `board` is empty, the agent then serves that board.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Denied`] if no such board exists, and [`EnrolmentError::Token`] if too many codes are open.
    /// Returns [`EnrolmentError::Unavailable`] if the system provides no random numbers.
    pub fn code(&self, board: &str) -> Result<EnrolmentCode, EnrolmentError> {
        self.known_board(board)?;
        let token = random()?;
        let grant = ClockGrant::of_board(board);
        self.tokens(|tokens, now| tokens.issue(now, token, grant))?;
        Ok(self.code_with(token))
    }

    /// Creates a code that lets one gateway enrol as `name`. `by` is the arbiter who requests it.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Gateway`] if the name is invalid, too many codes are open, or the system provides no random numbers.
    pub fn gateway_code(&self, name: &str, by: &str) -> Result<EnrolmentCode, EnrolmentError> {
        Ok(self.code_with(self.gateways.token(name, by)?))
    }

    fn code_with(&self, token: [u8; 16]) -> EnrolmentCode {
        EnrolmentCode {
            host: self.host.clone(),
            port: self.port,
            authority: self.identity.authority().fingerprint(),
            token,
        }
    }

    /// Exchanges a code for a certificate, or for a place in the list of clocks that await admission. The agent that used a code may repeat
    /// the request until the code expires, because the response may have been lost.
    pub async fn enrol(
        &self,
        request: EnrolRequest,
        from: IpAddr,
    ) -> Result<enrol_answer::Answer, EnrolmentError> {
        let newcomer = Newcomer::of(&request)?;
        let agent = newcomer.agent;
        if request.gateway {
            let enrolled = self.enrol_gateway(agent, &request.token, from).await?;
            return Ok(enrol_answer::Answer::Enrolled(enrolled));
        }
        self.check_renews(request.renews)?;
        if let Some(answer) = self.arrive(&newcomer, &request, from)? {
            return Ok(answer);
        }
        let granted = self.tokens(|tokens, now| tokens.redeem(now, &request.token, agent, from))?;
        let enrolled = self.certify(newcomer, &granted, "").await?;
        if granted.sheet.is_some() {
            self.note_change();
        }
        Ok(enrol_answer::Answer::Enrolled(enrolled))
    }

    pub(crate) fn holds_open_code(&self, request: &EnrolRequest) -> bool {
        let token = request.token.as_slice();
        match request.gateway {
            true => self.gateways.is_open(token),
            false => {
                self.windows(|windows, now| windows.is_open(now, token))
                    || self.tokens(|tokens, now| tokens.is_open(now, token))
            }
        }
    }

    async fn enrol_gateway(
        &self,
        key: AgentId,
        token: &[u8],
        from: IpAddr,
    ) -> Result<Enrolled, EnrolmentError> {
        let (desk, token) = (self.gateways.clone(), token.to_vec());
        // Storing the list of gateways blocks on the disk.
        let enrolled = tokio::task::spawn_blocking(move || desk.enrol(key, &token, from)).await;
        let (issued, name) =
            enrolled.map_err(|error| EnrolmentError::Unavailable(error.to_string()))??;
        Ok(self.enrolled(&issued, name))
    }

    fn enrolled(&self, issued: &IssuedCertificate, name: String) -> Enrolled {
        Enrolled {
            certificate_der: issued.certificate.to_vec(),
            authority_der: self.identity.authority_der().to_vec(),
            log_origin: self.log_origin.clone(),
            name,
            ..Enrolled::default()
        }
    }

    /// Issues an agent's certificate, and returns it once the enrolment is durable in the log. `admitted_by` is the arbiter who admitted
    /// the agent; empty for a clock with its own code.
    async fn certify(
        &self,
        newcomer: Newcomer,
        granted: &ClockGrant,
        admitted_by: &str,
    ) -> Result<Enrolled, EnrolmentError> {
        let agent = newcomer.agent;
        let end = self.next_end().filter(|_| newcomer.renews);
        let issued = self.identity.authority().issue_agent_until(&agent, end)?;
        let name = match newcomer.name.is_empty() {
            true => format!("clock {}", agent.short()),
            false => newcomer.name.into_string(),
        };
        let board = &granted.board;
        let id: Option<Result<BoardId, _>> = (!board.is_empty()).then(|| board.parse());
        let malformed = |error| EnrolmentError::Malformed(format!("board {board:?}: {error}"));
        let board_id = id.transpose().map_err(malformed)?;
        self.hub
            .ask(hall::Enrolment {
                agent,
                exchange_key: newcomer.exchange_key,
                name: name.clone(),
                certificate_serial: issued.serial.to_vec(),
                certificate: issued.certificate.to_vec(),
                board: board_id,
                side: granted.side,
                admitted_by: admitted_by.to_owned(),
            })
            .await?;
        let board = granted.board.clone();
        tracing::info!(
            agent = agent.short(),
            name,
            board,
            admitted_by,
            "a clock is enrolled"
        );
        Ok(Enrolled {
            board,
            exchange_key: self.exchange_key.to_vec(),
            ..self.enrolled(&issued, name)
        })
    }

    /// Opens the code that an unenrolled Bluetooth clock shows. Unless `board` is empty, the clock that proves knowledge of the code serves that
    /// board. The receiver yields the enrolled agent, or closes if the code is dropped: after [`PAIRING_WITHIN`] without a clock, or when it is
    /// typed again.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Denied`] if no such board exists, and [`EnrolmentError::Unavailable`] if too many codes are open.
    pub fn pair(
        &self,
        code: PairingCode,
        board: &str,
    ) -> Result<oneshot::Receiver<AgentId>, EnrolmentError> {
        self.known_board(board)?;
        self.pairings(|pairings, now| pairings.open(now, code, board.to_owned()))
            .ok_or_else(|| EnrolmentError::Unavailable("too many codes are open".to_owned()))
    }

    /// Returns the open code that an arbiter typed most recently, with its number.
    pub(crate) fn newest_pairing(&self) -> Option<(u64, PairingCode)> {
        self.pairings(|pairings, now| pairings.newest(now))
    }

    pub fn pairing(&self, number: u64) -> Option<PairingCode> {
        self.pairings(|pairings, now| pairings.by_number(now, number))
    }

    pub(crate) async fn enrol_paired(
        &self,
        request: EnrolRequest,
        code: &PairingCode,
    ) -> Result<Enrolled, EnrolmentError> {
        let newcomer = Newcomer::of(&request)?;
        let agent = newcomer.agent;
        if request.gateway {
            let what = "a gateway enrols over QUIC".to_owned();
            return Err(EnrolmentError::Malformed(what));
        }
        let pairing = self.pairings(|pairings, now| pairings.take(now, code));
        let closed = || EnrolmentError::Unavailable("the code is no longer open".to_owned());
        let pairing = pairing.ok_or_else(closed)?;
        let granted = ClockGrant::of_board(pairing.board());
        let enrolled = self.certify(newcomer, &granted, "").await;
        match enrolled {
            Ok(_) => pairing.used(agent),
            Err(_) => self.pairings(|pairings, _| pairings.put_back(pairing)),
        }
        enrolled
    }

    fn known_board(&self, board: &str) -> Result<(), EnrolmentError> {
        if board.is_empty() || self.hub.live().board(board).is_some() {
            return Ok(());
        }
        let why = Why::NoBoardCalled(board.to_owned());
        Err(hall::Denied::NotFound(why.into()).into())
    }

    fn pairings<T>(&self, act: impl FnOnce(&mut Pairings, Instant<Hub>) -> T) -> T {
        let mut pairings = lock(&self.pairings);
        act(&mut pairings, self.time.hub_now())
    }

    fn windows<T>(&self, act: impl FnOnce(&mut Windows, Instant<Hub>) -> T) -> T {
        let mut windows = lock(&self.windows);
        act(&mut windows, self.time.hub_now())
    }

    fn note_change(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    fn tokens<T>(&self, act: impl FnOnce(&mut Tokens<ClockGrant>, Instant<Hub>) -> T) -> T {
        let mut tokens = lock(&self.tokens);
        act(&mut tokens, self.time.hub_now())
    }
}

/// Returns a random number, or 0 if the system provides none.
fn drawn() -> u64 {
    crate::identity::random().map_or(0, u64::from_le_bytes)
}

impl Newcomer {
    fn of(request: &EnrolRequest) -> Result<Self, EnrolmentError> {
        let clock = request.major;
        if clock != proto::MAJOR {
            return Err(EnrolmentError::Version { clock });
        }
        let malformed = EnrolmentError::Malformed;
        let agent = AgentId::try_from(request.signing_key.as_slice())
            .map_err(|error| malformed(format!("signing key: {error}")))?;
        if !request.exchange_key.is_empty() {
            exchange_key(&request.exchange_key)
                .map_err(|error| malformed(format!("the exchange key {error}")))?;
        }
        if request.token.len() != 16 {
            return Err(malformed("the token has 16 bytes".to_owned()));
        }
        let text = |what, text: &str| {
            let checked = text.parse::<ClockText>();
            checked.map_err(|error| malformed(format!("the {what} {error}")))
        };
        let newcomer = Self {
            agent,
            exchange_key: request.exchange_key.clone(),
            name: text("name", &request.name)?,
            firmware: text("firmware", &request.firmware)?,
            renews: request.renews,
        };
        let (token, key) = (&request.token, &request.exchange_key);
        proto::chain::verify_enrolment(token, key, &request.signature, &agent)
            .map_err(|error| malformed(error.to_string()))?;
        Ok(newcomer)
    }
}
