//! Enrolling many agents at once.

use futures::stream::{self, StreamExt, TryStreamExt};
use proto::enrolment::EnrolmentCode;

use crate::enrol::{EnrolError, enrol_over};
use crate::identity::{Identity, IdentityError, Keys};
use crate::links::quic::Dialer;

/// Enrolments under way at a time.
const AT_ONCE: usize = 8;

/// Why a swarm could not be enrolled.
#[derive(Debug, thiserror::Error)]
pub enum SwarmEnrolError<E: std::error::Error> {
    /// Whoever makes the codes made none.
    #[error("no code for agent {agent}: {error}")]
    Code {
        /// Which agent, from 0.
        agent: usize,
        /// Why not.
        error: E,
    },
    /// The hub did not enrol an agent.
    #[error("agent {agent}: {error}")]
    Enrol {
        /// Which agent, from 0.
        agent: usize,
        /// Why not.
        error: EnrolError,
    },
    /// No keys.
    #[error(transparent)]
    Keys(#[from] IdentityError),
    /// No socket.
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
}

/// Makes keys for `agents` agents and enrols them with the codes that `code` gives, in order; a code is asked for shortly
/// before it is used. Each is named `swarm N` with N from 1.
///
/// # Errors
/// The first failure; those enrolled before it are lost with their keys.
pub async fn enrol_with<E, F>(
    agents: usize,
    mut code: impl FnMut(usize) -> F,
) -> Result<Vec<Identity>, SwarmEnrolError<E>>
where
    E: std::error::Error,
    F: Future<Output = Result<EnrolmentCode, E>>,
{
    let dialer = Dialer::open().map_err(SwarmEnrolError::Socket)?;
    let enrolments = (0..agents).map(|agent| {
        let code = code(agent);
        let dialer = &dialer;
        async move {
            let code = code
                .await
                .map_err(|error| SwarmEnrolError::Code { agent, error })?;
            let keys = Keys::generate()?;
            let name = format!("swarm {}", agent + 1);
            let enrolment = enrol_over(dialer, &keys, &code, &name, |_| ())
                .await
                .map_err(|error| SwarmEnrolError::Enrol { agent, error })?;
            Ok(Identity { keys, enrolment })
        }
    });
    stream::iter(enrolments)
        .buffered(AT_ONCE)
        .try_collect()
        .await
}
