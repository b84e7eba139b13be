//! The certificates for browsers as configured: the task that renews them, and the lines that `flagfall serve` prints.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use proto::enrolment::fingerprint_text;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::identity::{BrowserTrust, ExternalFiles, TrustSettings, TrustStatus};

/// Interval at which the certificate's dates, the hub's addresses and the external files are checked.
const LOOK_EVERY: Duration = Duration::from_secs(5);

pub(super) fn settings(config: &Config) -> TrustSettings {
    let configured = std::iter::once(&config.public_name).chain(&config.browser_names);
    // Normalise addresses: an address has only one spelling in a certificate.
    let spelled = |name: &String| match name.parse::<IpAddr>() {
        Ok(address) => address.to_string(),
        Err(_) => name.clone(),
    };
    let (chain, key) = (config.certificate.clone(), config.certificate_key.clone());
    TrustSettings {
        configured: configured.map(spelled).collect(),
        external: chain
            .zip(key)
            .map(|(chain, key)| ExternalFiles { chain, key }),
    }
}

/// Renews certificates when they are due, until `ending` is cancelled.
pub(super) async fn keep(trust: Arc<BrowserTrust>, ending: CancellationToken) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    while ending.run_until_cancelled(looks.tick()).await.is_some() {
        let trust = trust.clone();
        match tokio::task::spawn_blocking(move || trust.refresh()).await {
            Ok(Ok(())) => (),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the certificate for browsers cannot be renewed");
            }
            Err(panic) => {
                tracing::error!(%panic, "the renewal of certificates for browsers has failed");
            }
        }
    }
}

/// Returns the lines that `flagfall serve` prints about trust, each with its label.
pub fn trust_lines(status: &TrustStatus) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("sha-256", fingerprint_text(&Sha256::digest(&status.root))),
        ("names", status.names.join(", ")),
    ];
    if let Some((names, until)) = &status.external {
        let names = names.join(", ");
        let text = format!("{names} until {until}: devices need not install anything");
        lines.push(("external", text));
    }
    let warnings = status.problem.iter();
    let warnings =
        warnings.map(|problem| format!("the external certificate is not used: {problem}"));
    let uncovered = (!status.uncovered.is_empty()).then(|| {
        format!(
            "browsers will warn at {}: the hub's authority does not cover it. Use one of the names above, or set browser_names, \
             stop the hub, move browser-authority.pem away and start: every browser has to install the new authority",
            status.uncovered.join(", ")
        )
    });
    let ending = status.ends_soon.then(|| {
        format!(
            "the authority for browsers ends at {}: before that, stop the hub, move browser-authority.pem away and start; \
             every browser has to install the new authority",
            status.authority_until
        )
    });
    let warnings = warnings.chain(uncovered).chain(ending);
    lines.extend(warnings.map(|text| ("warning", text)));
    lines
}
