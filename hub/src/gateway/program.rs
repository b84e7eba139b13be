//! The program behind `flagfall gateway`: enrol if need be, run until told to stop. Owns the gateway's state directory.

use std::path::{Path, PathBuf};

use proto::enrolment::EnrolmentCode;

use super::{Badge, EnrolError, Gateway, enrol, new_key};
use crate::identity::IdentityError;
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
    /// Where the hub is, `host:port`; `None` for where it was at the enrolment, or where this said it was last time.
    pub hub: Option<String>,
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
    /// Key and certificate.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// There is no enrolment.
    #[error("this gateway is not enrolled ({}): print a code at the hub with `flagfall enrol --gateway NAME`, then `flagfall gateway --code CODE`", .0.display())]
    NotEnrolled(PathBuf),
    /// Enrolment.
    #[error("not enrolled: {0}")]
    Enrol(#[from] EnrolError),
}

/// Runs a gateway until `stop` comes; `started` is told who it is.
///
/// # Errors
/// [`ProgramError`].
pub async fn run(
    options: Options,
    started: impl FnOnce(&Badge, &Path),
    stop: impl Future<Output = ()>,
) -> Result<(), ProgramError> {
    let dir = match &options.state {
        Some(dir) => dir.clone(),
        None => default_state_dir()?,
    };
    open(&dir)?;
    let mut badge = badge(&dir, options.code.as_ref()).await?;
    if let Some(hub) = options.hub.filter(|hub| *hub != badge.hub) {
        badge.hub = hub;
        badge.save(&dir)?;
    }
    started(&badge, &dir);
    let gateway = Gateway::start(badge, Some(options.radios));
    stop.await;
    tracing::info!("stopping: the clocks go on by themselves");
    gateway.stop().await;
    Ok(())
}

/// The badge of this gateway, made now if a code says so. A code of the hub it is enrolled with already is left alone, so that a
/// service may be started with it again and again.
async fn badge(dir: &Path, code: Option<&EnrolmentCode>) -> Result<Badge, ProgramError> {
    let known = Badge::load(dir)?;
    match (known, code) {
        (Some(known), Some(code)) if known.fingerprint() == code.authority => Ok(known),
        (known, Some(code)) => {
            let key = match known {
                Some(known) => known.key,
                None => new_key()?,
            };
            let badge = enrol(key, code).await?;
            badge.save(dir)?;
            Ok(badge)
        }
        (Some(known), None) => Ok(known),
        (None, None) => Err(ProgramError::NotEnrolled(dir.to_owned())),
    }
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
