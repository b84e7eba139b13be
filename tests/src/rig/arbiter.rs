//! An arbiter who sends commands over gRPC with a key file that the hub made.
//!
//! Owns the connection and the command ids. Must not know more than an arbiter's program can know.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use clock_agent::enrol::enrol_over;
use clock_agent::identity::{Identity, Keys};
use clock_agent::links::quic::Dialer;
use hub::identity::{CHIEF_FILE, Credentials, arbiter_client_config};
use hyper_util::rt::TokioIo;
use proto::enrolment::EnrolmentCode;
use proto::grpc::arbiter_client::ArbiterClient;
use proto::grpc::command_request::Command;
use proto::grpc::tournament_client::TournamentClient;
use proto::grpc::{
    AddBoard, Board, CommandReply, CommandRequest, CreateEnrolmentCodeRequest, GetHallRequest, Hall,
};
use proto::quic::SERVER_NAME;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tonic::transport::{Channel, Endpoint, Uri};

#[derive(Clone)]
pub struct Arbiter {
    client: ArbiterClient<Channel>,
    channel: Channel,
}

impl Arbiter {
    /// Connects to the hub at `address` with the chief arbiter's key file in `data_dir`.
    pub async fn connect(address: SocketAddr, data_dir: &Path) -> anyhow::Result<Self> {
        Self::connect_as(address, &Credentials::load(&data_dir.join(CHIEF_FILE))?).await
    }

    pub async fn connect_as(
        address: SocketAddr,
        credentials: &Credentials,
    ) -> anyhow::Result<Self> {
        let tls = TlsConnector::from(Arc::new(arbiter_client_config(credentials)?));
        let connector = tower::service_fn(move |_: Uri| {
            let tls = tls.clone();
            async move {
                let stream = TcpStream::connect(address).await?;
                // Otherwise the second part of a request may wait 40 ms for the acknowledgement of the first.
                stream.set_nodelay(true)?;
                let name = rustls_pki_types::ServerName::try_from(SERVER_NAME)
                    .map_err(std::io::Error::other)?;
                tls.connect(name, stream).await.map(TokioIo::new)
            }
        });
        let endpoint = Endpoint::from_shared(format!("http://{SERVER_NAME}"))?;
        let channel = endpoint
            .connect_with_connector(connector)
            .await
            .context("cannot reach the hub")?;
        Ok(Self {
            client: ArbiterClient::new(channel.clone()).max_decoding_message_size(64 << 20),
            channel,
        })
    }

    pub fn event(&self) -> TournamentClient<Channel> {
        TournamentClient::new(self.channel.clone()).max_decoding_message_size(64 << 20)
    }

    pub fn client(&mut self) -> &mut ArbiterClient<Channel> {
        &mut self.client
    }

    pub async fn hall(&mut self) -> anyhow::Result<Hall> {
        Ok(self.client.get_hall(GetHallRequest {}).await?.into_inner())
    }

    pub async fn board(&mut self, name: &str) -> anyhow::Result<Board> {
        let hall = self.hall().await?;
        hall.boards
            .into_iter()
            .find(|board| board.board == name)
            .with_context(|| format!("no board {name}"))
    }

    pub async fn send(
        &mut self,
        board: &str,
        seen_seq: u64,
        command: Command,
    ) -> Result<CommandReply, tonic::Status> {
        let id: [u8; 16] = rand::random();
        self.send_as(&id, board, seen_seq, command).await
    }

    pub async fn send_as(
        &mut self,
        id: &[u8],
        board: &str,
        seen_seq: u64,
        command: Command,
    ) -> Result<CommandReply, tonic::Status> {
        let request = CommandRequest {
            id: id.to_vec(),
            board: board.to_owned(),
            seen_seq,
            offence: None,
            reason: String::new(),
            command: Some(command),
        };
        Ok(self.client.send(request).await?.into_inner())
    }

    /// Adds boards 1 to `count`, whose games start with Black's press, and enrols a clock for each.
    pub async fn furnish(&mut self, count: usize, control: &str) -> anyhow::Result<Vec<Identity>> {
        const AT_ONCE: usize = 32;
        let dialer = Arc::new(Dialer::open()?);
        let mut enrolled = Vec::with_capacity(count);
        for first in (1..=count).step_by(AT_ONCE) {
            let mut batch = JoinSet::new();
            for number in first..=count.min(first + AT_ONCE - 1) {
                let (arbiter, dialer, control) = (self.clone(), dialer.clone(), control.to_owned());
                batch.spawn(async move {
                    (number, arbiter.furnish_one(&dialer, number, control).await)
                });
            }
            while let Some(done) = batch.join_next().await {
                let (number, identity) = done?;
                enrolled.push((number, identity.with_context(|| format!("board {number}"))?));
            }
        }
        enrolled.sort_by_key(|(number, _)| *number);
        Ok(enrolled.into_iter().map(|(_, identity)| identity).collect())
    }

    async fn furnish_one(
        mut self,
        dialer: &Dialer,
        number: usize,
        control: String,
    ) -> anyhow::Result<Identity> {
        let board = number.to_string();
        let add = AddBoard {
            control,
            start: "black-press".to_owned(),
            ..AddBoard::default()
        };
        self.send(&board, 0, Command::AddBoard(add)).await?;
        let code = self
            .client
            .create_enrolment_code(CreateEnrolmentCodeRequest {
                board,
                ..Default::default()
            })
            .await?
            .into_inner();
        let code: EnrolmentCode = code.uri.parse()?;
        let keys = Keys::generate()?;
        let enrolment =
            enrol_over(dialer, &keys, &code, &format!("clock {number}"), |_| ()).await?;
        Ok(Identity { keys, enrolment })
    }
}
