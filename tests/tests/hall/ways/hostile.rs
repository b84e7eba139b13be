//! Hostile gateways: values that a gateway forges, repeats, alters or holds back cost at most that clock's link and no press. Other clocks play on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clock_agent::identity::Keys;
use hub::gateway::{Badge, dial};
use hub::links::{Carrier, ConnectTarget, RadioHost};
use proto::ble::{Channel, LocalKeys, MAX_VALUE};
use proto::frame::encode_prefixed;
use proto::ids::AgentId;
use proto::quic::{ALPN_GATEWAY, ALPN_SESSION};
use proto::relay::prefixed;
use proto::wire::{
    ClockStreamHello, GatewayFrame, GatewayHello, HeardClock, RadioScan, gateway_frame,
};
use quinn::Connection;
use timing::Instant;
use tokio::sync::mpsc;

use super::air::{Air, Going, Meddler, honest};
use super::hall::{Hall, Reach, clocks, played, within};

/// Maximum size of a value, in bytes.
const ROOM: usize = 182;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_gateway_alters_repeats_or_holds_back_costs_that_link_and_no_press() {
    let mut hall = Hall::open(2).await;
    let evil = hall.badge("evil").await;
    let gateway = hall.gateway(&evil).await;
    let air = Air::default();
    let victim = hall.clocks[0].keys.agent_id();
    let damage = Arc::new(Damage::default());
    let _radio = air.listen(gateway.uplink().clone(), ROOM, meddler(victim, &damage));
    let swarm = clocks(&hall.clocks, Reach::Ble, hall.at.listen, &air).await;
    played(&swarm, 10).await;

    damage.evil.store(true, Ordering::SeqCst);
    let all_kinds = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        while damage.done() < 2 * KINDS {
            look.tick().await;
        }
    };
    within("every kind of damage, twice", all_kinds).await;
    damage.evil.store(false, Ordering::SeqCst);
    played(&swarm, 20).await;

    // The other clock at the same gateway keeps its link.
    let other = hall.clocks[1].keys.agent_id().short();
    let said = hall.hub.said();
    let lost = |agent: &str| {
        let gone = |line: &&str| ends_a_link(line) && line.contains(agent);
        said.lines().filter(gone).count()
    };
    assert_eq!(lost(&other), 0, "{said}");
    // Some damage hits values that carry only an acknowledgement. Their loss or repetition does no harm.
    assert!(lost(&victim.short()) >= KINDS / 2, "{said}");

    // The hub does not accept a repetition of recorded values.
    let recorded = damage.recorded.lock().unwrap().clone();
    assert!(recorded.len() > 20);
    let mut told = 0;
    for value in replay(gateway.uplink(), recorded).await {
        // The hub answers the recorded handshake, but only the real clock could continue it.
        told += 1;
        assert!(value.len() <= ROOM);
    }
    assert!(told <= 2, "{told} values for a copy");
    played(&swarm, 20).await;
    hall.check(vec![swarm]).await;
}

/// Returns true if a line of the hub's messages reports that a clock's link has ended or was not established.
fn ends_a_link(line: &str) -> bool {
    ["link is gone", "link closed", "came to nothing"]
        .iter()
        .any(|words| line.contains(words))
}

const KINDS: usize = 6;
/// In each direction, the meddler damages one value out of this many.
const EVERY: usize = 12;

#[derive(Default)]
struct Damage {
    evil: AtomicBool,
    values: Mutex<BTreeMap<bool, usize>>,
    done: AtomicUsize,
    recorded: Mutex<Vec<Vec<u8>>>,
}

impl Damage {
    fn done(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }
}

fn meddler(victim: AgentId, damage: &Arc<Damage>) -> Meddler {
    let damage = damage.clone();
    Arc::new(move |agent, going, mut value| {
        if agent != victim {
            return vec![value];
        }
        if going == Going::ToHub && !damage.evil.load(Ordering::SeqCst) {
            damage.recorded.lock().unwrap().push(value.clone());
        }
        let turn = {
            let mut values = damage.values.lock().unwrap();
            let count = values.entry(going == Going::ToHub).or_default();
            *count += 1;
            *count
        };
        if !damage.evil.load(Ordering::SeqCst) || !turn.is_multiple_of(EVERY) {
            return vec![value];
        }
        let kind = damage.done.fetch_add(1, Ordering::SeqCst) % KINDS;
        match kind {
            // Alter the encrypted part or the header.
            0 => *value.last_mut().unwrap() ^= 1,
            1 => value[0] ^= 1,
            2 => return vec![value.clone(), value],
            3 => return Vec::new(),
            4 => return vec![vec![0xc0, 0, 0, 3, 1, 2, 3], value],
            _ => value.truncate(value.len() / 2),
        }
        vec![value]
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forged_acknowledgements_keep_no_link_alive() {
    let mut hall = Hall::open(1).await;
    let evil = hall.badge("evil").await;
    let gateway = hall.gateway(&evil).await;
    let air = Air::default();
    let hold = Arc::new(AtomicBool::new(false));
    let _radio = air.listen(gateway.uplink().clone(), ROOM, holder(&hold));
    let swarm = clocks(&hall.clocks, Reach::Ble, hall.at.listen, &air).await;
    played(&swarm, 10).await;

    hold.store(true, Ordering::SeqCst);
    let clock = hall.clocks[0].keys.agent_id().short();
    let let_go = async {
        let mut look = tokio::time::interval(Duration::from_millis(20));
        let gone = |line: &str| ends_a_link(line) && line.contains(&clock);
        while !hall.hub.said().lines().any(gone) {
            look.tick().await;
        }
    };
    within("the hub lets go of the link", let_go).await;
    hold.store(false, Ordering::SeqCst);
    played(&swarm, 20).await;
    hall.check(vec![swarm]).await;
}

/// Returns a meddler that, while `hold` is set, replaces every value with the acknowledgement that the other end expects.
fn holder(hold: &Arc<AtomicBool>) -> Meddler {
    const BARE: u8 = 0x80;
    const NUMBER: u8 = 0x3f;
    let hold = hold.clone();
    let to_come: Mutex<BTreeMap<bool, u8>> = Mutex::default();
    Arc::new(move |_, going, value| {
        let to_hub = going == Going::ToHub;
        let mut to_come = to_come.lock().unwrap();
        // A value numbered 0 from the clock, if it acknowledges nothing, begins a new link.
        if to_hub && value[0] & NUMBER == 0 && value[1] & (BARE | NUMBER) == 0 {
            to_come.clear();
        }
        if value[1] & BARE == 0 {
            to_come.insert(to_hub, value[0].wrapping_add(1) & NUMBER);
        }
        if !hold.load(Ordering::SeqCst) {
            return vec![value];
        }
        let sent = to_come.get(&!to_hub).copied().unwrap_or(0);
        vec![vec![0, BARE | sent]]
    })
}

/// Sends recorded values as a new clock's stream, and returns the hub's answers.
async fn replay(host: &impl RadioHost, values: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let (came, incoming) = mpsc::channel(values.len().max(1));
    for value in values {
        came.send((value, Instant::from_micros(0))).await.unwrap();
    }
    let (outgoing, mut told) = mpsc::channel(64);
    let carrier = Carrier {
        incoming,
        outgoing,
        room: ROOM,
    };
    let target = ConnectTarget {
        adapter: "air0".to_owned(),
        address: "a copy".to_owned(),
        pairing: None,
    };
    // The stream must stay open until the hub ends it.
    let served = within(
        "the hub ends the stream",
        host.serve(carrier, Instant::from_micros(0), &target),
    );
    // The end may be an error: only the hub's answers matter.
    let _ = served.await;
    drop(came);
    let mut heard = Vec::new();
    while let Some(value) = told.recv().await {
        heard.push(value);
    }
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impostors_are_refused_and_the_others_play_on() {
    let mut hall = Hall::open(1).await;
    let far = hall.badge("far corner").await;
    let gateway = hall.gateway(&far).await;
    let air = Air::default();
    let _radio = air.listen(gateway.uplink().clone(), ROOM, honest());
    let swarm = clocks(&hall.clocks, Reach::Ble, hall.at.listen, &air).await;

    let clock = hall.clocks[0].clone();
    let hub_key: [u8; 32] = clock.enrolment.hub_exchange_key.clone().try_into().unwrap();
    let own = LocalKeys {
        secret: &[9; 32],
        random: [8; 32],
    };
    let mut forged = Channel::session(own, &clock.keys.agent_id(), &hub_key).unwrap();
    let mut values = Vec::new();
    while let Some(value) = forged.next_value(ROOM) {
        values.push(value);
    }
    let told = replay(gateway.uplink(), values).await;
    assert_eq!(told, Vec::<Vec<u8>>::new(), "an impostor gets no answer");

    let text = refusal(&hall, &far, ALPN_SESSION).await;
    assert!(text.contains("that of a gateway"), "{text}");
    let disguised = Badge {
        key: clock.keys.signing_key().clone(),
        certificate: clock.enrolment.certificate_der.clone(),
        ..far.clone()
    };
    let text = refusal(&hall, &disguised, ALPN_GATEWAY).await;
    assert!(text.contains("not that of a gateway"), "{text}");
    let code = hall.gateway_code("other").await;
    let keys = Keys::generate().unwrap();
    let refused = clock_agent::enrol::enrol(&keys, &code, "clock", |_| ()).await;
    assert!(refused.unwrap_err().to_string().contains("not valid"));

    nonsense(&mut hall).await;
    played(&swarm, 30).await;
    let other = hall.clocks[0].keys.agent_id().short();
    let said = hall.hub.said();
    let gone = |line: &&str| line.contains("link is gone") && line.contains(&other);
    let still: Vec<_> = said.lines().filter(gone).collect();
    assert_eq!(still, Vec::<&str>::new());
    hall.check(vec![swarm]).await;
}

/// Connects with this badge and protocol, and returns the hub's reason for closing the connection.
async fn refusal(hall: &Hall, badge: &Badge, protocol: &[u8]) -> String {
    let connection = connect(hall, badge, protocol).await;
    // The hub may close the connection earlier.
    if let Ok((mut send, _)) = connection.open_bi().await {
        let _ = send.write_all(&[0, 0]).await;
    }
    within("a refusal", connection.closed()).await.to_string()
}

async fn connect(hall: &Hall, badge: &Badge, protocol: &[u8]) -> Connection {
    dial(badge, &hall.at.listen.to_string(), protocol)
        .await
        .unwrap()
}

/// Sends malformed frames, connect targets and values. Each must end only its own connection or stream.
async fn nonsense(hall: &mut Hall) {
    let evil = hall.badge("evil").await;
    let short_tag = RadioScan {
        adapter: "air0".to_owned(),
        clocks: vec![HeardClock {
            tag: vec![1; 3],
            ..HeardClock::default()
        }],
    };
    let firsts = [
        vec![0xff; 64],
        vec![0, 0],
        framed(gateway_frame::Frame::RadioScan(RadioScan::default())),
        [hello(), hello()].concat(),
        [hello(), framed(gateway_frame::Frame::RadioScan(short_tag))].concat(),
    ];
    for first in firsts {
        let connection = connect(hall, &evil, ALPN_GATEWAY).await;
        let (mut send, _receive) = connection.open_bi().await.unwrap();
        send.write_all(&first).await.unwrap();
        let text = within("the end", connection.closed()).await.to_string();
        assert!(text.starts_with("closed by peer"), "{first:?}: {text}");
    }

    let target = |pairing| {
        let target = ClockStreamHello {
            adapter: "x".repeat(80),
            address: "\u{1b}[31m".to_owned(),
            room: 100_000,
            pairing,
        };
        encode_prefixed(&target).unwrap()
    };
    let streams = [
        vec![0xff; 64],
        [target(0), vec![2, 1]].concat(),
        [target(0), vec![0, 0]].concat(),
        [target(0), prefixed(&[0xff; MAX_VALUE]).unwrap()].concat(),
        target(77),
    ];
    let connection = connect(hall, &evil, ALPN_GATEWAY).await;
    let (mut control, _answers) = connection.open_bi().await.unwrap();
    control.write_all(&hello()).await.unwrap();
    for bytes in streams {
        let (mut send, mut receive) = connection.open_bi().await.unwrap();
        send.write_all(&bytes).await.unwrap();
        let ended = async { while let Ok(Some(_)) = receive.read_chunk(64, true).await {} };
        within("the end of a stream", ended).await;
    }
    assert!(connection.close_reason().is_none(), "one stream is not all");
}

fn hello() -> Vec<u8> {
    framed(gateway_frame::Frame::Hello(GatewayHello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        program: "evil".to_owned(),
    }))
}

fn framed(frame: gateway_frame::Frame) -> Vec<u8> {
    encode_prefixed(&GatewayFrame { frame: Some(frame) }).unwrap()
}
