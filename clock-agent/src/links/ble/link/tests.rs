//! Tests with a simulated radio: each test drives the hub's end by hand.

use proto::ids::AgentId;
use proto::wire::{Ack, Watermark};

use super::*;

const HUB: [u8; 32] = [7; 32];
const ROOM: usize = 20;

fn public(secret: [u8; 32]) -> [u8; 32] {
    x25519_dalek::PublicKey::from(&x25519_dalek::StaticSecret::from(secret)).to_bytes()
}

struct HubEnd {
    channel: Channel,
    from_clock: mpsc::Receiver<Vec<u8>>,
    to_clock: mpsc::Sender<Vec<u8>>,
}

fn link_and_hub() -> (Values, Secrets, HubEnd) {
    let (to_clock, incoming) = mpsc::channel(32);
    let (outgoing, from_clock) = mpsc::channel(32);
    let values = Values {
        incoming,
        outgoing,
        room: ROOM,
    };
    let own = Secrets {
        agent: AgentId([5; 32]),
        secret: [6; 32],
        hub: public(HUB),
    };
    let hub = LocalKeys {
        secret: &HUB,
        random: [8; 32],
    };
    let hub_end = HubEnd {
        channel: Channel::hub(hub, None),
        from_clock,
        to_clock,
    };
    (values, own, hub_end)
}

impl HubEnd {
    /// Carries one value from the clock to the hub, and the replies back. Returns the frame that the value completed, an empty frame if it completed
    /// none, or `None` after the link has ended.
    async fn carry(&mut self) -> Option<Vec<u8>> {
        let value = self.from_clock.recv().await?;
        let came = self.channel.receive(&value).unwrap();
        let frame = match came {
            Received::SessionRequest { .. } => {
                self.channel.answer().unwrap();
                None
            }
            Received::Frame(frame) => Some(frame),
            Received::Nothing | Received::Opened { .. } => None,
        };
        while let Some(value) = self.channel.next_value(ROOM) {
            self.to_clock.send(value).await.unwrap();
        }
        Some(frame.unwrap_or_default())
    }
}

fn watermark(seq: u64) -> AgentFrame {
    Watermark {
        at_us: 1,
        seq,
        signature: vec![9; 64],
    }
    .into()
}

#[tokio::test]
async fn frames_pass_both_ways_and_the_queue_is_sent_at_the_end() {
    let (values, own, mut hub_end) = link_and_hub();
    let clock = async {
        let mut link = BleLink::open(values, &own).await.unwrap();
        for seq in 0..20 {
            link.send(&watermark(seq)).unwrap();
        }
        let heard = link.next().await.unwrap();
        link.send(&watermark(20)).unwrap();
        link.close(GoodbyeReason::Unspecified, "the end").await;
        heard
    };
    let hub = async {
        let mut came = Vec::new();
        while let Some(frame) = hub_end.carry().await {
            if frame.is_empty() {
                continue;
            }
            came.push(decode::<AgentFrame>(&frame).unwrap());
            if came.len() == 20 {
                let ack: HubFrame = Ack::default().into();
                hub_end.channel.send(&encode(&ack).unwrap()).unwrap();
                while let Some(value) = hub_end.channel.next_value(ROOM) {
                    hub_end.to_clock.send(value).await.unwrap();
                }
            }
        }
        came
    };
    let (heard, came) = tokio::join!(clock, hub);
    assert_eq!(heard, Ack::default().into());
    assert_eq!(came, (0..=20).map(watermark).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_forged_value_and_a_lost_connection_end_the_link() {
    let (values, own, mut hub_end) = link_and_hub();
    let clock = async {
        let mut link = BleLink::open(values, &own).await.unwrap();
        link.next().await
    };
    let hub = async {
        while !hub_end.channel.is_open() {
            hub_end.carry().await.unwrap();
        }
        hub_end.to_clock.send(vec![0xc1, 0, 0, 1, 0]).await.unwrap();
    };
    let (end, ()) = tokio::join!(clock, hub);
    assert!(matches!(end, Err(LinkEnd::Lost(_))), "{end:?}");

    let (values, own, hub_end) = link_and_hub();
    drop(hub_end);
    assert!(BleLink::open(values, &own).await.is_err());
}
