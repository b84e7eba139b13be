//! The command line's connection to a running hub: gRPC over TLS, with the key file of an arbiter.

use std::error::Error;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use proto::grpc::arbiter_client::ArbiterClient;
use proto::grpc::archive_client::ArchiveClient;
use proto::grpc::tournament_client::TournamentClient;
use proto::quic::{DEFAULT_PORT, SERVER_NAME, server_name_of};
use proto::refusal::RefusalCode;
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::Code;
use tonic::transport::{Channel, Endpoint, Uri};

use super::Settings;
use super::output::{Failure, Result, failed, usage};
use crate::identity::{CHIEF_FILE, Credentials, arbiter_client_config};
use crate::server::addresses_in;

pub(super) const NO_EVENT: &str = "the hub has no event yet: open a report with `flagfall event open FILE`, \
     or begin an event with `flagfall event new NAME`";

const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Maximum size of a message, sufficient for a hall of ten thousand boards.
const MAX_REPLY_BYTES: usize = 64 << 20;

/// Options that name the hub and the arbiter's key file.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct HubOptions {
    /// The hub's address [default: the address of the hub that runs on the data directory]
    #[arg(long, global = true, value_name = "HOST[:PORT]")]
    pub(super) hub: Option<String>,
    /// The key file of the arbiter who acts [default: chief.pem in the data directory]
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// The data directory of a hub on this machine, which holds the hub's address and key file
    #[arg(long, visible_alias = "data", global = true, value_name = "DIR")]
    pub(super) data_dir: Option<String>,
}

pub(super) type Client = ArbiterClient<Channel>;
pub(super) type EventClient = TournamentClient<Channel>;

pub(super) async fn connect(options: &HubOptions) -> Result<Client> {
    let channel = channel(options).await?;
    Ok(ArbiterClient::new(channel).max_decoding_message_size(MAX_REPLY_BYTES))
}

pub(super) async fn connect_to_event(options: &HubOptions) -> Result<(EventClient, Client)> {
    let channel = channel(options).await?;
    let hall = ArbiterClient::new(channel.clone()).max_decoding_message_size(MAX_REPLY_BYTES);
    let event = TournamentClient::new(channel)
        .max_decoding_message_size(MAX_REPLY_BYTES)
        .max_encoding_message_size(MAX_REPLY_BYTES);
    Ok((event, hall))
}

pub(super) async fn connect_to_archive(options: &HubOptions) -> Result<ArchiveClient<Channel>> {
    let channel = channel(options).await?;
    Ok(ArchiveClient::new(channel).max_decoding_message_size(MAX_REPLY_BYTES))
}

async fn channel(options: &HubOptions) -> Result<Channel> {
    let Destination { hub, key, found } = options.resolve()?;
    let credentials = Credentials::load(&key).map_err(|error| {
        failed!("{error}; name the key file with --key, or the hub's directory with --data-dir")
    })?;
    let tls = arbiter_client_config(&credentials)
        .map_err(|error| failed!("{}: {error}", key.display()))?;
    let tls = TlsConnector::from(Arc::new(tls));
    let name = server_name_of(&proto::enrolment::fingerprint(credentials.authority()));
    let address = hub.clone();
    let connector = tower::service_fn(move |_: Uri| {
        let (tls, name, address) = (tls.clone(), name.clone(), address.clone());
        async move { open(&tls, name, &address).await.map(TokioIo::new) }
    });
    // The TLS connector checks the certificate's name; the name in this URI only fills the header.
    let endpoint = Endpoint::from_shared(format!("http://{SERVER_NAME}"))
        .map_err(Failure::failed)?
        .connect_timeout(CONNECT_WITHIN);
    endpoint
        .connect_with_connector(connector)
        .await
        .map_err(|error| unreachable_hub(&hub, &found, &error))
}

struct Destination {
    /// The hub's address, as HOST:PORT.
    hub: String,
    key: PathBuf,
    found: AddressSource,
}

enum AddressSource {
    Named,
    /// The address that the hub wrote into this data directory.
    Written(PathBuf),
    /// The configured address, used because no hub has written its address into this data directory.
    Default(PathBuf),
}

impl HubOptions {
    fn resolve(&self) -> Result<Destination> {
        let config = Settings::only("data_dir", self.data_dir.as_ref()).load()?;
        let key = match &self.key {
            Some(key) => key.clone(),
            None => config.data_dir.join(CHIEF_FILE),
        };
        if let Some(hub) = &self.hub {
            return Ok(Destination {
                hub: with_port(hub)?,
                key,
                found: AddressSource::Named,
            });
        }
        let dir = config.data_dir;
        let written = addresses_in(&dir).map_err(|error| {
            failed!(
                "cannot read the address of the hub on {}: {error}; give it with --hub",
                dir.display()
            )
        })?;
        let (mut address, found) = match written {
            Some(written) => (written.listen, AddressSource::Written(dir)),
            None => (config.listen, AddressSource::Default(dir)),
        };
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        Ok(Destination {
            hub: address.to_string(),
            key,
            found,
        })
    }
}

/// Adds the default port if `hub` has none. Accepts `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` and a bare IPv6 address.
pub(super) fn with_port(hub: &str) -> Result<String> {
    if let Ok(address) = hub.parse::<std::net::Ipv6Addr>() {
        return Ok(format!("[{address}]:{DEFAULT_PORT}"));
    }
    let (host, port) = match hub.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() => (host, port),
        Some(_) => ("", ""),
        None => return Ok(format!("{hub}:{DEFAULT_PORT}")),
    };
    match port.parse::<u16>() {
        Ok(1..) if !host.is_empty() => Ok(hub.to_owned()),
        Ok(_) | Err(_) => Err(usage!(
            "--hub {hub:?}: give HOST or HOST:PORT, such as hub.local:{DEFAULT_PORT}"
        )),
    }
}

async fn open(
    tls: &TlsConnector,
    name: String,
    address: &str,
) -> std::io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let name = ServerName::try_from(name).map_err(std::io::Error::other)?;
    tls.connect(name, stream).await
}

fn unreachable_hub(hub: &str, found: &AddressSource, error: &tonic::transport::Error) -> Failure {
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let advice = match found {
        AddressSource::Named => {
            "check that it is running there and that the key file belongs to it".to_owned()
        }
        AddressSource::Written(dir) => format!(
            "the hub on {0} was last reached there, but it is no longer running: start it with `flagfall serve --data-dir {0}`",
            dir.display()
        ),
        AddressSource::Default(dir) => format!(
            "no hub is running on {0}: start it with `flagfall serve --data-dir {0}`, or name a different hub with --data-dir or --hub",
            dir.display()
        ),
    };
    failed!("cannot reach the hub at {hub}: {cause}; {advice}")
}

/// Calls `each` for every message of a stream until Ctrl-C. Fails if the stream ends first.
pub(super) async fn each_update<T>(
    mut updates: tonic::Streaming<T>,
    mut each: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    // Use one future for the whole loop: with a new one per pass, a signal between two passes would be lost.
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    loop {
        let next = tokio::select! {
            next = updates.message() => next?,
            _ = &mut interrupted => return Ok(()),
        };
        each(next.ok_or_else(|| Failure::failed("the hub has stopped"))?)?;
    }
}

pub(super) fn answer<T>(reply: tonic::Result<tonic::Response<T>>) -> Result<T> {
    Ok(reply?.into_inner())
}

impl From<tonic::Status> for Failure {
    fn from(status: tonic::Status) -> Self {
        Self::Failed(describe(&status))
    }
}

/// Returns the failure to import a file: a usage error if the request was invalid, as with an unreadable file. The message begins with `words`.
pub(super) fn refused_file(words: &str, status: &tonic::Status) -> Failure {
    let text = format!("{words}: {}", describe(status));
    match status.code() == Code::InvalidArgument {
        true => Failure::Usage(text),
        false => Failure::Failed(text),
    }
}

pub(super) fn describe(status: &tonic::Status) -> String {
    const NO_ANSWER: [Code; 3] = [Code::Unavailable, Code::Unknown, Code::Cancelled];
    let (code, why) = (status.code(), status.message());
    if crate::api::refusal_code(status) == RefusalCode::NoEvent {
        NO_EVENT.to_owned()
    } else if NO_ANSWER.contains(&code) {
        format!("the hub did not answer: {why}")
    } else if code == Code::Internal {
        format!("the hub failed to answer: {why}")
    } else if code == Code::Unauthenticated {
        format!("the hub does not accept this key file: {why}")
    } else if code == Code::PermissionDenied {
        format!("not allowed: {why}")
    } else {
        why.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_is_a_host_with_or_without_a_port() {
        for (typed, meant) in [
            ("hub.local", "hub.local:7464"),
            ("hub.local:99", "hub.local:99"),
            ("192.0.2.7", "192.0.2.7:7464"),
            ("::1", "[::1]:7464"),
            ("[::1]:99", "[::1]:99"),
        ] {
            assert_eq!(with_port(typed).unwrap(), meant);
        }
        for typed in ["hub:", "hub:0", "hub:port", ":7464", "hub:70000"] {
            assert!(
                matches!(with_port(typed), Err(Failure::Usage(_))),
                "{typed}"
            );
        }
    }
}
