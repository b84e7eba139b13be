//! Bytes from clocks, hubs and gateways, and the codes that people type.

use ed25519_dalek::SigningKey;
use prost::Message as _;
use proto::ble::{Advertisement, Channel, LocalKeys, PairingCode, Pipe, Received};
use proto::chain::{genesis, sign, sign_watermark};
use proto::enrolment::EnrolmentCode;
use proto::frame::{Deframer, Frame, decode, encode, encode_prefixed};
use proto::ids::{AgentId, CommandId, unhex};
use proto::relay::{ValueReader, prefixed};
use proto::wire::event_body::Fact;
use proto::wire::{
    Ack, AgentFrame, BoardMoves, Button, ClockStreamHello, ConnectTargets, EnrolAnswer,
    EnrolRequest, Event, EventBody, GatewayFrame, GatewayHello, Goodbye, Health, Hello, HubFrame,
    Order, OrderTaken, Press, RadioScan, Rebase, RelayFrame, Show, Stop, TimeProbe, TimeReply,
    Watermark, Welcome, enrol_answer, gateway_frame, relay_frame,
};

use super::super::Fingerprint;
use super::{joined, pieces};

/// Decodes a single frame. A decoded frame must encode, within the size limit, to bytes that decode to an equal frame.
fn frame<F: Frame + PartialEq + std::fmt::Debug>(seen: Fingerprint, input: &[u8]) -> Fingerprint {
    let decoded = decode::<F>(input);
    if let Ok(frame) = &decoded {
        // Encoding drops unknown fields and normalises the rest, so the frame cannot become longer.
        let bytes = encode(frame).expect("a decoded frame fits its bound");
        assert_eq!(decode::<F>(&bytes).as_ref(), Ok(frame));
    }
    seen.result(&decoded, |frame| [frame.encoded_len()])
}

fn stream<F: Frame>(seen: Fingerprint, input: &[u8]) -> Fingerprint {
    let mut deframer = Deframer::default();
    let mut frames = 0;
    for piece in input.chunks(61) {
        deframer.push(piece);
        loop {
            match deframer.next::<F>() {
                Ok(Some(_)) => frames += 1,
                Ok(None) => break,
                Err(error) => return seen.size(frames).error(&error),
            }
        }
    }
    seen.size(frames)
}

pub(super) fn frames(input: &[u8]) -> Fingerprint {
    let seen = frame::<AgentFrame>(Fingerprint::new(), input);
    let seen = frame::<HubFrame>(seen, input);
    let seen = frame::<EnrolRequest>(seen, input);
    let seen = frame::<EnrolAnswer>(seen, input);
    let seen = stream::<AgentFrame>(seen, input);
    stream::<HubFrame>(seen, input)
}

pub(super) fn relay(input: &[u8]) -> Fingerprint {
    let seen = frame::<GatewayFrame>(Fingerprint::new(), input);
    let seen = frame::<RelayFrame>(seen, input);
    let seen = frame::<ClockStreamHello>(seen, input);
    let seen = stream::<GatewayFrame>(seen, input);
    let mut reader = ValueReader::default();
    let (mut hello, mut values) = (false, 0);
    for piece in input.chunks(17) {
        reader.push(piece);
        if !hello {
            match reader.hello() {
                Ok(found) => hello = found.is_some(),
                Err(error) => return seen.error(&error),
            }
        }
        if !hello {
            continue;
        }
        loop {
            match reader.next() {
                Ok(Some(_)) => values += 1,
                Ok(None) => break,
                Err(error) => return seen.size(values).error(&error),
            }
        }
    }
    seen.size(values)
}

fn local(secret: &[u8; 32]) -> LocalKeys<'_> {
    LocalKeys {
        secret,
        random: [8; 32],
    }
}

fn code() -> PairingCode {
    PairingCode::from_random([3; 8])
}

/// Treats the pieces of the input as the values of a Bluetooth characteristic, received by plain reassembly and by both ends of a link. Also decodes
/// the whole input as an advertisement.
pub(super) fn ble(input: &[u8]) -> Fingerprint {
    let values = pieces(input);
    let mut seen = Fingerprint::new();
    let mut pipe = Pipe::default();
    for value in &values {
        let taken = pipe.receive(value);
        seen = seen.result(&taken, |message| [message.as_ref().map_or(0, Vec::len)]);
        if taken.is_err() {
            break;
        }
    }
    let ends = [
        Channel::hub(local(&[9; 32]), None),
        Channel::hub(local(&[9; 32]), Some(code())),
    ];
    let clock = Channel::session(local(&[7; 32]), &AgentId([1; 32]), &[5; 32]);
    for mut end in ends.into_iter().chain(clock) {
        for value in &values {
            let taken = end.receive(value);
            seen = seen.result(&taken, |received| {
                [match received {
                    Received::Nothing => 0,
                    Received::SessionRequest { .. } => 1,
                    Received::Opened { .. } => 2,
                    Received::Frame(_) => 4,
                }]
            });
            if taken.is_err() {
                assert!(end.receive(value).is_err(), "a link goes on after its end");
                break;
            }
        }
    }
    let advertisement = Advertisement::try_from(input);
    if let Ok(read) = advertisement {
        assert_eq!(Advertisement::try_from(&read.to_bytes()[..]), Ok(read));
    }
    seen.result(&advertisement, |_| [1])
}

pub(super) fn codes(input: &[u8]) -> Fingerprint {
    let text = String::from_utf8_lossy(input);
    let code = text.parse::<EnrolmentCode>();
    if let Ok(code) = &code {
        assert_eq!(code.to_string().parse().as_ref(), Ok(code));
    }
    let pairing = text.parse::<PairingCode>();
    let seen = Fingerprint::new()
        .result(&code, |code| [code.host.len()])
        .result(&pairing, |_| [1])
        .result(&text.parse::<AgentId>(), |_| [1])
        .result(&CommandId::try_from(input), |_| [1])
        .result(&unhex(&text), |bytes| [bytes.len()]);
    let address = text.parse::<clock_agent::links::HubAddress>();
    seen.result(&address, |address| [address.host.len()])
        .result(&text.parse::<clock_agent::buttons::ButtonSpec>(), |_| [1])
}

pub(super) fn code_seeds() -> Vec<Vec<u8>> {
    let code = EnrolmentCode {
        host: "hub.local".to_owned(),
        port: 7464,
        authority: [0xab; 16],
        token: [0x12; 16],
    };
    let six = EnrolmentCode {
        host: "2001:db8::7".to_owned(),
        ..code.clone()
    };
    let texts = [
        code.to_string(),
        six.to_string(),
        self::code().to_string(),
        "ab".repeat(32),
        "[2001:db8::7]:7464".to_owned(),
        "gpio:gpiochip0:17,27".to_owned(),
        "keys:f,j,s".to_owned(),
    ];
    texts.into_iter().map(String::into_bytes).collect()
}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn event(seq: u64, fact: Fact) -> Event {
    let agent = AgentId(key().verifying_key().to_bytes());
    let body = EventBody {
        seq,
        prev_hash: genesis("flagfall.example/1", &agent).to_vec(),
        at_us: 12_000_000,
        boot: vec![1; 16],
        newest_probe: 3,
        fact: Some(fact),
    };
    sign(&body, &key())
}

fn agent_frames() -> Vec<AgentFrame> {
    let hello = Hello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        firmware: "clock-agent 0.1.0".to_owned(),
        next_seq: 4,
        boot: vec![1; 16],
        now_us: 5_000_000,
        ..Hello::default()
    };
    let press = Press {
        button: Button::Left.into(),
    };
    let rebase = Rebase {
        jump_us: -7,
        uncertainty_us: 500,
        ..Rebase::default()
    };
    let facts = [
        Fact::Press(press),
        Fact::Stop(Stop {}),
        Fact::OrderTaken(OrderTaken { order: 9 }),
        Fact::Rebase(rebase),
    ];
    let mut frames: Vec<AgentFrame> = (1..)
        .zip(facts)
        .map(|(seq, fact)| event(seq, fact).into())
        .collect();
    frames.push(hello.into());
    frames.push(
        Watermark {
            at_us: 9,
            seq: 3,
            signature: sign_watermark(9, 3, &key()),
        }
        .into(),
    );
    frames.push(TimeReply::default().into());
    frames.push(Health::default().into());
    frames.push(
        BoardMoves {
            uci: vec!["e2e4".to_owned(), "e7e8q".to_owned()],
        }
        .into(),
    );
    frames.push(
        Goodbye {
            text: "switched off".to_owned(),
            ..Goodbye::default()
        }
        .into(),
    );
    frames
}

fn hub_frames() -> Vec<HubFrame> {
    let show = Show {
        text: "Arbiter".to_owned(),
    };
    vec![
        Welcome {
            log_origin: "flagfall.example/1".to_owned(),
            ..Welcome::default()
        }
        .into(),
        Ack {
            seq: 4,
            board_digest: vec![2; 8],
        }
        .into(),
        Order::default().into(),
        TimeProbe::default().into(),
        show.into(),
        hall::to_proto::command_order(3, "pause"),
        hall::to_proto::adopt_order(4, None, &[1; 40]),
    ]
}

pub(super) fn agent_frame_seeds() -> Vec<Vec<u8>> {
    let frames = agent_frames();
    frames.iter().map(AgentFrame::encode_to_vec).collect()
}

pub(super) fn frame_seeds() -> Vec<Vec<u8>> {
    let mut seeds = agent_frame_seeds();
    seeds.extend(hub_frames().iter().map(HubFrame::encode_to_vec));
    let stream = |frames: Vec<Vec<u8>>| frames.concat();
    let agents = agent_frames();
    seeds.push(stream(agents.iter().flat_map(encode_prefixed).collect()));
    seeds.push(stream(
        hub_frames().iter().flat_map(encode_prefixed).collect(),
    ));
    let request = clock_core::enrolment::request(&key(), &[4; 32], &[5; 16], "clock 7");
    seeds.push(request.encode_to_vec());
    let answer = EnrolAnswer {
        answer: Some(enrol_answer::Answer::Refused("not valid".to_owned())),
    };
    seeds.push(answer.encode_to_vec());
    seeds
}

pub(super) fn relay_seeds() -> Vec<Vec<u8>> {
    let gateway = |frame| GatewayFrame { frame: Some(frame) };
    let hello = gateway(gateway_frame::Frame::Hello(GatewayHello {
        major: proto::MAJOR,
        minor: proto::MINOR,
        program: "flagfall".to_owned(),
    }));
    let scan = gateway(gateway_frame::Frame::RadioScan(RadioScan {
        adapter: "hci0".to_owned(),
        ..RadioScan::default()
    }));
    let targets = RelayFrame {
        frame: Some(relay_frame::Frame::ConnectTargets(ConnectTargets {
            tags: vec![1; 8],
            pairing: 77,
        })),
    };
    let clock = ClockStreamHello {
        adapter: "hci0".to_owned(),
        address: "AA:BB:CC:DD:EE:FF".to_owned(),
        room: 182,
        pairing: 0,
    };
    let control = [encode_prefixed(&hello), encode_prefixed(&scan)];
    let values = [encode_prefixed(&clock).ok(), prefixed(&[7; 20]).ok()];
    vec![
        hello.encode_to_vec(),
        scan.encode_to_vec(),
        targets.encode_to_vec(),
        clock.encode_to_vec(),
        control.into_iter().flatten().flatten().collect(),
        values.into_iter().flatten().flatten().collect(),
    ]
}

pub(super) fn ble_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let session = Channel::session(local(&[7; 32]), &AgentId([1; 32]), &[5; 32]);
    let enrolment = Channel::enrolment(local(&[7; 32]), &code());
    for mut clock in session.into_iter().chain(enrolment) {
        let mut values = Vec::new();
        while let Some(value) = clock.next_value(20) {
            values.push(value);
        }
        seeds.push(joined(&values));
    }
    let mut pipe = Pipe::default();
    let mut values = Vec::new();
    if pipe.push(vec![6; 300]).is_ok() {
        while let Some(value) = pipe.next_value(60) {
            values.push(value);
        }
    }
    seeds.push(joined(&values));
    let advertisement = Advertisement::new(&AgentId([1; 32]), true, Some(80));
    seeds.push(advertisement.to_bytes().to_vec());
    seeds
}
