//! The hub's end of a link.

use std::sync::{Arc, Mutex};

use prost::Message;
use proto::frame::{Deframer, Frame, encode_prefixed};
use proto::ids::AgentId;
use proto::quic::ALPN_ENROL;
use proto::wire::{
    AgentFrame, EnrolAnswer, EnrolRequest, Enrolled, GoodbyeReason, Hello, HubFrame, TimeProbe,
    Welcome, agent_frame, enrol_answer,
};
use quinn::{Connection, ConnectionError, RecvStream, SendStream};
use rustls_pki_types::CertificateDer;
use tokio::sync::{Notify, broadcast};

use super::{Agent, Authority, Hall};

pub async fn serve(
    connection: Connection,
    hall: Arc<Mutex<Hall>>,
    authority: Arc<Authority>,
    news: broadcast::Receiver<()>,
    happened: Arc<Notify>,
) {
    let data = connection.handshake_data().unwrap();
    let data: Box<quinn::crypto::rustls::HandshakeData> = data.downcast().unwrap();
    let Ok((send, receive)) = connection.accept_bi().await else {
        return;
    };
    let mut reader = Reader {
        receive,
        deframer: Deframer::default(),
    };
    if data.protocol.as_deref() == Some(ALPN_ENROL) {
        enrol(&mut reader, send, &hall, &authority).await;
        connection.closed().await;
    } else {
        // Without a goodbye, the link has been lost, which is not a failure.
        let goodbye = session(&connection, &mut reader, send, &hall, news, &happened).await;
        if let Some(goodbye) = goodbye
            && let ConnectionError::ApplicationClosed(close) = connection.closed().await
        {
            let code = close.error_code.into_inner();
            hall.lock().unwrap().ends.push((goodbye, code));
            happened.notify_waiters();
        }
    }
}

struct Reader {
    receive: RecvStream,
    deframer: Deframer,
}

impl Reader {
    async fn next<F: Frame>(&mut self) -> Option<F> {
        loop {
            if let Some(frame) = self.deframer.next().unwrap() {
                return Some(frame);
            }
            let chunk = self.receive.read_chunk(4096, true).await.ok()??;
            self.deframer.push(&chunk.bytes);
        }
    }
}

async fn enrol(
    reader: &mut Reader,
    mut send: SendStream,
    hall: &Mutex<Hall>,
    authority: &Authority,
) {
    let request: EnrolRequest = reader.next().await.unwrap();
    let agent = AgentId::try_from(request.signing_key.as_slice()).unwrap();
    let (token, exchange) = (&request.token, &request.exchange_key);
    proto::chain::verify_enrolment(token, exchange, &request.signature, &agent).unwrap();
    let answer = {
        let mut hall = hall.lock().unwrap();
        let known = hall.tokens.iter().position(|known| known[..] == token[..]);
        match known {
            None => enrol_answer::Answer::Refused("this code was already used".to_owned()),
            Some(at) => {
                hall.tokens.remove(at);
                enrol_answer::Answer::Enrolled(Enrolled {
                    certificate_der: authority.issue(&agent),
                    authority_der: authority.der(),
                    log_origin: hall.origin.clone(),
                    name: request.name.clone(),
                    board: String::new(),
                    exchange_key: Vec::new(),
                })
            }
        }
    };
    let answer = EnrolAnswer {
        answer: Some(answer),
    };
    send.write_all(&encode_prefixed(&answer).unwrap())
        .await
        .unwrap();
    send.finish().unwrap();
    let _ = send.stopped().await;
}

/// Returns the agent ID from the peer's certificate: the Ed25519 key, which is the last 32 bytes of the SPKI.
fn agent_of(connection: &Connection) -> Option<AgentId> {
    let chain = connection.peer_identity()?;
    let chain: Box<Vec<CertificateDer<'static>>> = chain.downcast().ok()?;
    let leaf = chain.first()?;
    let spki = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ];
    let at = leaf.windows(spki.len()).position(|window| window == spki)?;
    let key = leaf.get(at + spki.len()..at + spki.len() + 32)?;
    AgentId::try_from(key).ok()
}

async fn session(
    connection: &Connection,
    reader: &mut Reader,
    mut send: SendStream,
    hall: &Mutex<Hall>,
    mut news: broadcast::Receiver<()>,
    happened: &Notify,
) -> Option<GoodbyeReason> {
    let hello = match reader.next::<AgentFrame>().await?.frame? {
        agent_frame::Frame::Hello(hello) => hello,
        other => panic!("the first frame must be a Hello, not {other:?}"),
    };
    let (id, greeting) = greet(connection, hall, &hello)?;
    happened.notify_waiters();
    let mut sent_order = hello.orders_taken;
    write(&mut send, greeting).await?;
    let probe: HubFrame = TimeProbe {
        nonce: 1,
        hub_us: 0,
    }
    .into();
    connection
        .send_datagram(probe.encode_to_vec().into())
        .ok()?;
    loop {
        let owed = owed(hall, &id, &mut sent_order)?;
        write(&mut send, owed).await?;
        tokio::select! {
            frame = reader.next::<AgentFrame>() => match frame?.frame? {
                agent_frame::Frame::Event(event) => {
                    let mut hall = hall.lock().unwrap();
                    let agent = hall.agents.get_mut(&id)?;
                    agent.event(&event, &id);
                }
                agent_frame::Frame::Goodbye(goodbye) => return Some(goodbye.reason()),
                _ => continue,
            },
            _ = news.recv() => {}
        }
        let ack = {
            let hall = hall.lock().unwrap();
            (!hall.silent).then(|| hall.agents[&id].ack())
        };
        happened.notify_waiters();
        write(&mut send, ack.into_iter().collect()).await?;
    }
}

fn greet(
    connection: &Connection,
    hall: &Mutex<Hall>,
    hello: &Hello,
) -> Option<(AgentId, Vec<HubFrame>)> {
    let mut hall = hall.lock().unwrap();
    let id = agent_of(connection)?;
    let (origin, control, major) = (hall.origin.clone(), hall.control.clone(), hall.major);
    let agent = hall
        .agents
        .entry(id)
        .or_insert_with(|| Agent::new(&origin, &id, &control));
    agent.links += 1;
    let welcome = Welcome {
        major,
        minor: proto::MINOR,
        log_origin: origin,
        acked_seq: agent.seq,
        acked_head: agent.head.to_vec(),
        epoch: 1,
        rebase_us: 0,
        rebase_uncertainty_us: 0,
        exchange_key: Vec::new(),
        loss_confirmed: false,
        takes_moves: false,
    };
    assert_eq!(hello.major, proto::MAJOR);
    Some((id, vec![welcome.into()]))
}

fn owed(hall: &Mutex<Hall>, id: &AgentId, sent: &mut u64) -> Option<Vec<HubFrame>> {
    let hall = hall.lock().unwrap();
    let agent = hall.agents.get(id)?;
    let orders = agent.orders_after(*sent);
    *sent = agent.orders.len() as u64;
    Some(orders)
}

async fn write(send: &mut SendStream, frames: Vec<HubFrame>) -> Option<()> {
    for frame in frames {
        send.write_all(&encode_prefixed(&frame).unwrap())
            .await
            .ok()?;
    }
    Some(())
}
