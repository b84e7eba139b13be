//! The program behind `flagfall gateway`: enrols if necessary and runs until it is stopped. Owns the gateway's state directory.

use std::path::{Path, PathBuf};

use proto::enrolment::EnrolmentCode;

use super::badge::UsedCode;
use super::{Badge, EnrolError, Gateway, enrol, new_key};
use crate::config::state_dir;
use crate::identity::IdentityError;
use crate::links::BleSettings;

#[derive(Clone, Debug)]
pub struct Options {
    /// The directory for the gateway's key and enrolment; `None` for the default.
    pub state: Option<PathBuf>,
    /// The code to enrol with, unless the gateway has already used it.
    pub code: Option<EnrolmentCode>,
    /// The hub's address, `host:port`. `None` means the address from the enrolment, or from the last run with this option.
    pub hub: Option<String>,
    pub radios: BleSettings,
}

#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error(
        "neither HOME nor XDG_DATA_HOME is set: say where to keep the gateway's keys with --state DIR"
    )]
    NoHome,
    #[error("{}: {error}", path.display())]
    State {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("this gateway is not enrolled ({}): print a code at the hub with `flagfall enrol --gateway NAME`, then `flagfall gateway --code CODE`", .0.display())]
    NotEnrolled(PathBuf),
    #[error("not enrolled: {0}")]
    Enrol(#[from] EnrolError),
}

/// Runs a gateway until `stop` completes. Calls `started` with the gateway's badge and state directory.
pub async fn run(
    options: Options,
    started: impl FnOnce(&Badge, &Path),
    stop: impl Future<Output = ()>,
) -> Result<(), ProgramError> {
    let dir = match &options.state {
        Some(dir) => dir.clone(),
        None => state_dir("flagfall-gateway", |name| {
            Some(std::env::var_os(name)?.into())
        })
        .ok_or(ProgramError::NoHome)?,
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
    tracing::info!("stopping: the clocks continue on their own");
    gateway.stop().await;
    Ok(())
}

/// Returns this gateway's badge, and enrols first if `code` is new. The code of the last enrolment is ignored, so that a service can be started
/// repeatedly with the same code.
async fn badge(dir: &Path, code: Option<&EnrolmentCode>) -> Result<Badge, ProgramError> {
    let (known, code) = match (Badge::load(dir)?, code) {
        (Some(known), None) => return Ok(known),
        (Some(known), Some(code)) if known.used_code == Some(UsedCode::of(code)) => {
            return Ok(known);
        }
        (known, Some(code)) => (known, code),
        (None, None) => return Err(ProgramError::NotEnrolled(dir.to_owned())),
    };
    let key = match &known {
        Some(known) => known.key.clone(),
        None => new_key()?,
    };
    match (enrol(key, code).await, known) {
        (Ok(badge), _) => {
            badge.save(dir)?;
            Ok(badge)
        }
        // The enrolment may still be valid, and an earlier version did not store the code that it had used.
        (Err(error), Some(known)) if known.fingerprint() == code.authority => {
            tracing::warn!(%error, "the code was not used; this gateway keeps its earlier enrolment with the same hub");
            Ok(known)
        }
        (Err(error), _) => Err(error.into()),
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
