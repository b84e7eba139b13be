//! A minimal hub at the other end of the radio link: enrols a clock, welcomes it, hands over a board, and verifies and acknowledges events. A real
//! hub also keeps a log.

use std::error::Error;

use proto::ble::{Channel, LocalKeys, PairingCode, Received};
use proto::chain::{ChainHash, chain_hash, genesis, verify, verify_enrolment};
use proto::frame::{decode, encode};
use proto::ids::AgentId;
use proto::wire::{
    Ack, Adopt, AgentFrame, EnrolAnswer, EnrolRequest, Enrolled, EventBody, Hello, HubFrame, Order,
    Welcome, agent_frame, enrol_answer, event_body, order,
};
use timing::{BoardClock, Button, Setup, StartRule};

const ORIGIN: &str = "flagfall.example/1";
const SECRET: [u8; 32] = [2; 32];

#[derive(Debug)]
pub(crate) struct Hub {
    channel: Option<Channel>,
    enrols: Option<[u8; 16]>,
    clock: Option<AgentId>,
    /// Sequence number and chain hash of the newest event received.
    acked: (u64, ChainHash),
    pub(crate) presses: usize,
    pub(crate) hellos: usize,
    noise: u8,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            channel: None,
            enrols: None,
            clock: None,
            acked: (0, [0; 32]),
            presses: 0,
            hellos: 0,
            noise: 40,
        }
    }

    /// Starts a link once the radio has connected and subscribed. `code` is the code that the arbiter typed; `None` unless a clock is being enrolled.
    pub(crate) fn connect(&mut self, code: Option<PairingCode>) {
        self.noise += 1;
        let own = LocalKeys {
            secret: &SECRET,
            random: [self.noise; 32],
        };
        self.channel = Some(Channel::hub(own, code));
    }

    pub(crate) fn take(&mut self, value: &[u8]) -> Result<(), Box<dyn Error>> {
        let channel = self.channel.as_mut().ok_or("not connected")?;
        match channel.receive(value)? {
            Received::Nothing => {}
            Received::SessionRequest { agent, .. } if Some(agent) == self.clock => {
                channel.answer()?
            }
            Received::SessionRequest { .. } => return Err("a clock that was never enrolled".into()),
            Received::Opened { binding, .. } => self.enrols = Some(binding),
            Received::Frame(bytes) => match self.enrols.take() {
                Some(binding) => self.enrol(&bytes, &binding)?,
                None => self.frame(decode(&bytes)?)?,
            },
        }
        Ok(())
    }

    pub(crate) fn next_value(&mut self, room: usize) -> Option<Vec<u8>> {
        self.channel.as_mut()?.next_value(room)
    }

    fn enrol(&mut self, bytes: &[u8], binding: &[u8; 16]) -> Result<(), Box<dyn Error>> {
        let request: EnrolRequest = decode(bytes)?;
        let agent = AgentId::try_from(request.signing_key.as_slice())?;
        let (token, exchange_key) = (&request.token, &request.exchange_key);
        verify_enrolment(token, exchange_key, &request.signature, &agent)?;
        if token != binding {
            return Err("the token belongs to another link".into());
        }
        self.clock = Some(agent);
        self.acked = (0, genesis(ORIGIN, &agent));
        let enrolled = Enrolled {
            log_origin: ORIGIN.to_owned(),
            name: request.name,
            board: "12".to_owned(),
            exchange_key: clock_core::enrolment::exchange_key(&SECRET).to_vec(),
            ..Enrolled::default()
        };
        let answer = EnrolAnswer {
            answer: Some(enrol_answer::Answer::Enrolled(enrolled)),
        };
        let channel = self.channel.as_mut().ok_or("not connected")?;
        Ok(channel.send(&encode(&answer)?)?)
    }

    fn frame(&mut self, frame: AgentFrame) -> Result<(), Box<dyn Error>> {
        match frame.frame {
            Some(agent_frame::Frame::Hello(hello)) => self.welcome(&hello),
            Some(agent_frame::Frame::Event(event)) => {
                let clock = self.clock.ok_or("no clock is enrolled")?;
                verify(&event, &clock)?;
                let body: EventBody = prost::Message::decode(event.body.as_slice())?;
                let (seq, head) = self.acked;
                if body.seq != seq + 1 || body.prev_hash != head {
                    return Err("the event does not follow the previous one".into());
                }
                self.acked = (body.seq, chain_hash(&event.body));
                self.presses += usize::from(matches!(body.fact, Some(event_body::Fact::Press(_))));
                self.say(Ack {
                    seq: body.seq,
                    board_digest: Vec::new(),
                })
            }
            Some(_) | None => Ok(()),
        }
    }

    fn welcome(&mut self, hello: &Hello) -> Result<(), Box<dyn Error>> {
        self.hellos += 1;
        let (acked_seq, head) = self.acked;
        self.say(Welcome {
            major: proto::MAJOR,
            minor: proto::MINOR,
            log_origin: ORIGIN.to_owned(),
            acked_seq,
            acked_head: head.to_vec(),
            epoch: 1,
            ..Welcome::default()
        })?;
        if hello.orders_taken > 0 {
            return Ok(());
        }
        let setup = Setup {
            control: "3m+2s".parse()?,
            start: StartRule::BlackPress,
            white: Button::Left,
        };
        let adopt = Adopt {
            board: "12".to_owned(),
            snapshot: BoardClock::new(setup).to_bytes(),
        };
        self.say(Order {
            number: 1,
            what: Some(order::What::Adopt(adopt)),
        })
    }

    fn say(&mut self, frame: impl Into<HubFrame>) -> Result<(), Box<dyn Error>> {
        let bytes = encode(&frame.into())?;
        let channel = self.channel.as_mut().ok_or("not connected")?;
        Ok(channel.send(&bytes)?)
    }
}
