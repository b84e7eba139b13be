//! The program behind `flagfall gateway`: enrol if need be, run until told to stop. Owns the gateway's state directory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clock_agent::enrol::{EnrolError, enrol_gateway};
use clock_agent::identity::{Enrolment, Identity, IdentityError, Keys};
use clock_agent::links::quic::Whereabouts;
use clock_agent::links::{AddressError, HubAddress};
use proto::enrolment::EnrolmentCode;

use super::{Gateway, GatewayError};
use crate::identity::GatewayId;
use crate::links::BleSettings;

/// The state directory of a service that runs as root.
const SYSTEM: &str = "/var/lib/flagfall-gateway";
const OF_USER: &str = "flagfall-gateway";

/// What a gateway was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where keys and enrolment are kept; `None` for the usual place.
    pub state: Option<PathBuf>,
    /// Enrol with this code first, unless it is enrolled with that hub already.
    pub code: Option<EnrolmentCode>,
    /// Where the hub is; `None` for where it was last reached, then wherever the local network announces it.
    pub hub: Option<HubAddress>,
    /// Its radios.
    pub radios: BleSettings,
}

/// Why the program ends before its time.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No place for the state.
    #[error(
        "neither HOME nor XDG_DATA_HOME is set: say where to keep the gateway's keys with --state DIR"
    )]
    NoHome,
    /// The state directory.
    #[error("{}: {error}", path.display())]
    State {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Keys or enrolment.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// There is no enrolment.
    #[error("this gateway is not enrolled ({}): print a code at the hub with `flagfall enrol --gateway NAME`, then `flagfall gateway --code CODE`", .0.display())]
    NotEnrolled(PathBuf),
    /// Enrolment.
    #[error("not enrolled: {0}")]
    Enrol(#[from] EnrolError),
    /// The remembered address is none.
    #[error("the remembered address of the hub: {0}; give it with --hub")]
    Address(#[from] AddressError),
    /// It does not start.
    #[error(transparent)]
    Start(#[from] GatewayError),
}

/// Runs a gateway until `stop` comes; `started` is told who it is.
///
/// # Errors
/// [`ProgramError`].
pub async fn run(
    options: Options,
    started: impl FnOnce(&str, GatewayId, &Path),
    stop: impl Future<Output = ()>,
) -> Result<(), ProgramError> {
    let dir = match &options.state {
        Some(dir) => dir.clone(),
        None => default_state_dir()?,
    };
    open(&dir)?;
    let identity = identity(&dir, options.code.as_ref()).await?;
    let whereabouts = match options.hub {
        Some(address) => Whereabouts::At(address),
        None => Whereabouts::Remembered(Some(identity.enrolment.hub.parse()?)),
    };
    let id = GatewayId(identity.keys.agent_id().0);
    started(&identity.enrolment.name, id, &dir);
    let remembered = Arc::new(Mutex::new(identity.enrolment.clone()));
    let on_reached = move |address: &HubAddress| {
        // Replaced whole.
        let mut enrolment = remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let address = address.to_string();
        if enrolment.hub != address {
            enrolment.hub = address;
            if let Err(error) = enrolment.save(&dir) {
                tracing::warn!(%error, "cannot remember where the hub is");
            }
        }
    };
    let gateway = Gateway::start(
        &identity,
        whereabouts,
        Box::new(on_reached),
        Some(options.radios),
    )?;
    stop.await;
    tracing::info!("stopping: the clocks go on by themselves");
    gateway.stop().await;
    Ok(())
}

/// The enrolment of this gateway, made now if a code says so. A code of the hub it is enrolled with already is left alone, so that a
/// service may be started with it again and again.
async fn identity(dir: &Path, code: Option<&EnrolmentCode>) -> Result<Identity, ProgramError> {
    let keys = Keys::open(dir)?;
    let known = Enrolment::load(dir)?;
    let enrolment = match (known, code) {
        (Some(known), Some(code)) if known.authority() == code.authority => known,
        (_, Some(code)) => {
            let enrolment = enrol_gateway(&keys, code).await?;
            enrolment.save(dir)?;
            enrolment
        }
        (Some(known), None) => known,
        (None, None) => return Err(ProgramError::NotEnrolled(dir.to_owned())),
    };
    Ok(Identity { keys, enrolment })
}

fn open(dir: &Path) -> Result<(), ProgramError> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir);
    made.map_err(|error| ProgramError::State {
        path: dir.to_owned(),
        error,
    })
}

fn default_state_dir() -> Result<PathBuf, ProgramError> {
    if rustix::process::geteuid().is_root() {
        return Ok(PathBuf::from(SYSTEM));
    }
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(data) = variable("XDG_DATA_HOME") {
        return Ok(PathBuf::from(data).join(OF_USER));
    }
    let home = variable("HOME").ok_or(ProgramError::NoHome)?;
    Ok(PathBuf::from(home).join(".local/share").join(OF_USER))
}
