//! A minimal clock agent: keys, QUIC and frames, but no engine. Each test decides what the agent sends.

use std::net::SocketAddr;
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use proto::chain::{ChainHash, chain_hash, genesis, sign, sign_enrolment};
use proto::enrolment::EnrolmentCode;
use proto::frame::{Deframer, Frame, encode, encode_prefixed};
use proto::ids::AgentId;
use proto::quic::{ALPN_ENROL, ALPN_SESSION, SERVER_NAME};
use proto::wire::event_body::Fact;
use proto::wire::{
    Ack, AgentFrame, Button, EnrolAnswer, EnrolRequest, Enrolled, Event, EventBody, Goodbye, Hello,
    HubFrame, Order, OrderTaken, Press, Welcome, enrol_answer, hub_frame,
};
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{Connection, ConnectionError, Endpoint, RecvStream, SendStream};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use crate::any_hub::any_hub;
use crate::hall::{TestHub, within};

pub(crate) struct Identity {
    pub(crate) key: SigningKey,
    pub(crate) enrolled: Enrolled,
}

impl Identity {
    pub(crate) fn agent(&self) -> AgentId {
        AgentId(self.key.verifying_key().to_bytes())
    }

    pub(crate) async fn enrol(hub: &TestHub, board: &str) -> Self {
        let code = hub.server.desk().code(board).unwrap();
        let key = new_key();
        let answer = enrol(hub.server.addresses().listen, &code, &key).await;
        match answer {
            Ok(enrolled) => Self { key, enrolled },
            Err(refused) => panic!("{refused}"),
        }
    }
}

pub(crate) fn new_key() -> SigningKey {
    SigningKey::from_bytes(&hub::identity::random().unwrap())
}

pub(crate) fn request(token: &[u8], key: &SigningKey) -> EnrolRequest {
    let exchange_key = vec![7; 32];
    EnrolRequest {
        major: proto::MAJOR,
        minor: proto::MINOR,
        token: token.to_vec(),
        signing_key: key.verifying_key().to_bytes().to_vec(),
        signature: sign_enrolment(token, &exchange_key, key),
        exchange_key,
        name: "test clock".to_owned(),
        ..EnrolRequest::default()
    }
}

pub(crate) async fn enrol(
    hub: SocketAddr,
    code: &EnrolmentCode,
    key: &SigningKey,
) -> Result<Enrolled, String> {
    enrol_with(hub, request(&code.token, key)).await
}

pub(crate) async fn enrol_with(hub: SocketAddr, request: EnrolRequest) -> Result<Enrolled, String> {
    let connection = dial(hub, ALPN_ENROL, None).await.unwrap();
    let (mut send, mut receive) = connection.open_bi().await.unwrap();
    send.write_all(&encode_prefixed(&request).unwrap())
        .await
        .unwrap();
    send.finish().unwrap();
    let mut deframer = Deframer::default();
    let answer: EnrolAnswer = within(read(&mut receive, &mut deframer), "an answer")
        .await
        .unwrap();
    match answer.answer.unwrap() {
        enrol_answer::Answer::Enrolled(enrolled) => Ok(enrolled),
        enrol_answer::Answer::Refused(why) => Err(why),
        enrol_answer::Answer::Waiting(waiting) => Err(format!("waiting: {}", waiting.number)),
    }
}

/// Connects to the hub without checking its certificate.
pub(crate) async fn dial(
    hub: SocketAddr,
    protocol: &[u8],
    identity: Option<&Identity>,
) -> Result<Connection, ConnectionError> {
    dial_as(hub, SERVER_NAME, protocol, identity).await
}

pub(crate) async fn dial_as(
    hub: SocketAddr,
    name: &str,
    protocol: &[u8],
    identity: Option<&Identity>,
) -> Result<Connection, ConnectionError> {
    let config = any_hub().unwrap();
    let mut config = match identity {
        None => config.with_no_client_auth(),
        Some(identity) => {
            let certificate = CertificateDer::from(identity.enrolled.certificate_der.clone());
            let key = identity.key.to_pkcs8_der().unwrap().as_bytes().to_vec();
            config
                .with_client_auth_cert(vec![certificate], PrivatePkcs8KeyDer::from(key).into())
                .unwrap()
        }
    };
    config.alpn_protocols = vec![protocol.to_vec()];
    let config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(config).unwrap()));
    let endpoint = Endpoint::client("127.0.0.1:0".parse().unwrap()).unwrap();
    endpoint.connect_with(config, hub, name).unwrap().await
}

pub(crate) struct Session {
    pub(crate) connection: Connection,
    send: SendStream,
    receive: RecvStream,
    deframer: Deframer,
    key: SigningKey,
    seq: u64,
    head: ChainHash,
    pub(crate) at_us: i64,
}

impl Session {
    /// Connects, sends the hello of an agent with an empty journal, and waits for the welcome.
    pub(crate) async fn open(hub: &TestHub, identity: &Identity) -> Self {
        let mut session = Self::unwelcomed(hub.server.addresses().listen, identity).await;
        session.send(hello()).await;
        let welcome: Welcome = session.welcome().await;
        assert_eq!(welcome.log_origin, identity.enrolled.log_origin);
        session
    }

    /// Connects and opens the stream without sending anything.
    pub(crate) async fn unwelcomed(hub: SocketAddr, identity: &Identity) -> Self {
        let connection = dial(hub, ALPN_SESSION, Some(identity)).await.unwrap();
        let (send, receive) = connection.open_bi().await.unwrap();
        Self {
            connection,
            send,
            receive,
            deframer: Deframer::default(),
            key: identity.key.clone(),
            seq: 0,
            head: genesis(&identity.enrolled.log_origin, &identity.agent()),
            at_us: 1_000_000,
        }
    }

    pub(crate) async fn send(&mut self, frame: impl Into<AgentFrame>) {
        let bytes = encode_prefixed(&frame.into()).unwrap();
        self.send_bytes(&bytes).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.send.write_all(bytes).await.unwrap();
    }

    pub(crate) fn send_datagram(&self, frame: impl Into<AgentFrame>) {
        let bytes = encode(&frame.into()).unwrap();
        self.connection.send_datagram(bytes.into()).unwrap();
    }

    /// Signs the next event of the chain, stamped one second after the previous one.
    pub(crate) fn event(&mut self, fact: Fact) -> Event {
        self.at_us += 1_000_000;
        self.seq += 1;
        let body = EventBody {
            seq: self.seq,
            prev_hash: self.head.to_vec(),
            at_us: self.at_us,
            boot: b"boot".to_vec(),
            newest_probe: 0,
            fact: Some(fact),
        };
        let event = sign(&body, &self.key);
        self.head = chain_hash(&event.body);
        event
    }

    pub(crate) async fn press(&mut self, button: Button) -> u64 {
        let press = Press {
            button: button.into(),
        };
        let event = self.event(Fact::Press(press));
        self.send(event).await;
        self.seq
    }

    pub(crate) async fn take_order(&mut self) -> Order {
        let order = self
            .wait_for("an order", |frame| match frame {
                hub_frame::Frame::Order(order) => Some(order),
                _ => None,
            })
            .await;
        let order_taken = OrderTaken {
            order: order.number,
        };
        let event = self.event(Fact::OrderTaken(order_taken));
        self.send(event).await;
        order
    }

    pub(crate) async fn welcome(&mut self) -> Welcome {
        self.wait_for("a welcome", |frame| match frame {
            hub_frame::Frame::Welcome(welcome) => Some(welcome),
            _ => None,
        })
        .await
    }

    pub(crate) async fn acknowledged(&mut self, seq: u64) {
        let what = format!("an acknowledgement of {seq}");
        self.wait_for(&what, |frame| match frame {
            hub_frame::Frame::Ack(Ack { seq: acked, .. }) if acked >= seq => Some(()),
            _ => None,
        })
        .await;
    }

    pub(crate) async fn wait_for<T>(
        &mut self,
        what: &str,
        mut wanted: impl FnMut(hub_frame::Frame) -> Option<T>,
    ) -> T {
        let look = async {
            loop {
                let frame = self
                    .next()
                    .await
                    .unwrap_or_else(|end| panic!("{end} instead of {what}"));
                if let Some(found) = frame.frame.and_then(&mut wanted) {
                    return found;
                }
            }
        };
        within(look, what).await
    }

    pub(crate) async fn next(&mut self) -> Result<HubFrame, String> {
        read(&mut self.receive, &mut self.deframer).await
    }

    /// Waits for the hub's goodbye. The goodbye and the close that follows must agree.
    pub(crate) async fn goodbye(&mut self) -> Goodbye {
        let goodbye = self
            .wait_for("a goodbye", |frame| match frame {
                hub_frame::Frame::Goodbye(goodbye) => Some(goodbye),
                _ => None,
            })
            .await;
        let (code, text) = closed(&self.connection).await;
        assert_eq!(
            (code, text.as_str()),
            (goodbye.reason as u64, goodbye.text.as_str())
        );
        goodbye
    }
}

pub(crate) async fn closed(connection: &Connection) -> (u64, String) {
    match within(connection.closed(), "a close").await {
        ConnectionError::ApplicationClosed(close) => (
            close.error_code.into_inner(),
            String::from_utf8_lossy(&close.reason).into_owned(),
        ),
        other => panic!("{other}"),
    }
}

pub(crate) fn hello() -> Hello {
    Hello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        firmware: "test".to_owned(),
        next_seq: 1,
        boot: b"boot".to_vec(),
        // The stamps in these tests are invented, but none is later than this time.
        now_us: 3_600_000_000,
        ..Hello::default()
    }
}

async fn read<F: Frame>(receive: &mut RecvStream, deframer: &mut Deframer) -> Result<F, String> {
    loop {
        if let Some(frame) = deframer.next().map_err(|error| error.to_string())? {
            return Ok(frame);
        }
        match receive.read_chunk(4096, true).await {
            Ok(Some(chunk)) => deframer.push(&chunk.bytes),
            Ok(None) => return Err("the stream ended".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
}
