//! Enrols many agents concurrently.

use futures::stream::{self, StreamExt, TryStreamExt};
use proto::enrolment::EnrolmentCode;

use crate::enrol::{EnrolError, enrol_over};
use crate::identity::{Identity, IdentityError, Keys};
use crate::links::quic::Dialer;

const CONCURRENCY: usize = 8;

#[derive(Debug, thiserror::Error)]
pub enum SwarmEnrolError<E: std::error::Error> {
    #[error("no code for agent {agent}: {error}")]
    Code {
        /// Index of the agent, from 0.
        agent: usize,
        error: E,
    },
    #[error("agent {agent}: {error}")]
    Enrol {
        /// Index of the agent, from 0.
        agent: usize,
        error: EnrolError,
    },
    #[error(transparent)]
    Keys(#[from] IdentityError),
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
}

/// Creates keys for `agents` agents and enrols them with codes from `code`, in order. Each code is requested shortly before its use. The agents are
/// named `swarm N`, with N from 1.
///
/// # Errors
/// Returns the first error. The keys of agents enrolled before it are lost.
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
        .buffered(CONCURRENCY)
        .try_collect()
        .await
}
