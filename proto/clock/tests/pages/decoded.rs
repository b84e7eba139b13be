//! Formats decoded frames for the trace page (`proto/traces.md`): the name and fields of each frame.

use prost::Message;
use proto::chain::chain_hash;
use proto::ids::hex;
use proto::wire::{
    AgentFrame, Event, EventBody, Hello, HubFrame, Labels, Order, Welcome, agent_frame, event_body,
    hub_frame, order,
};

pub(crate) fn agent(frame: &AgentFrame) -> String {
    match frame.frame.as_ref().unwrap() {
        agent_frame::Frame::Hello(frame) => hello(frame),
        agent_frame::Frame::Event(frame) => event(frame),
        agent_frame::Frame::Watermark(frame) => format!(
            "Watermark at_us={} seq={} signature={}",
            frame.at_us,
            frame.seq,
            hex(&frame.signature)
        ),
        agent_frame::Frame::TimeReply(frame) => format!(
            "TimeReply nonce=0x{:016x} received_us={} sent_us={}",
            frame.nonce, frame.received_us, frame.sent_us
        ),
        agent_frame::Frame::Health(frame) => format!(
            "Health journal_ok={} unacknowledged={} unsaved={} wrong_pins={}",
            frame.journal_ok, frame.unacknowledged, frame.unsaved, frame.wrong_pins
        ),
        other @ (agent_frame::Frame::Goodbye(_)
        | agent_frame::Frame::Diverged(_)
        | agent_frame::Frame::LogContradiction(_)
        | agent_frame::Frame::BoardMoves(_)) => {
            panic!("a smooth session has no {other:?}")
        }
    }
}

fn hello(hello: &Hello) -> String {
    let process = hello.process.unwrap();
    format!(
        "Hello major={} minor={} firmware={:?} log_origin={:?} next_seq={} head={} boot={} now_us={} orders_taken={} rebooted={}\n  \
         process: token=0x{:016x} follows={} links={}",
        hello.major,
        hello.minor,
        hello.firmware,
        hello.log_origin,
        hello.next_seq,
        or_empty(&hello.head),
        hex(&hello.boot),
        hello.now_us,
        hello.orders_taken,
        hello.rebooted,
        process.token,
        process.follows,
        process.links
    )
}

fn event(event: &Event) -> String {
    let body = EventBody::decode(event.body.as_slice()).unwrap();
    let fact = match body.fact.unwrap() {
        event_body::Fact::Press(press) => format!("press: button={}", press.button().as_str_name()),
        event_body::Fact::OrderTaken(taken) => format!("order_taken: order={}", taken.order),
        event_body::Fact::Correction(made) => format!(
            "correction: command={:?} arbiter={:?} made_us={} hub_away={}\n  proof={}",
            made.command,
            made.arbiter,
            made.made_us,
            made.hub_away,
            hex(&made.proof)
        ),
        other @ (event_body::Fact::Stop(_)
        | event_body::Fact::Rebase(_)
        | event_body::Fact::ZeroTested(_)) => panic!("the page has no {other:?}"),
    };
    format!(
        "Event seq={} at_us={} newest_probe=0x{:016x} boot={}\n  prev_hash={}\n  {fact}\n  signature={}\n  chain hash={}",
        body.seq,
        body.at_us,
        body.newest_probe,
        hex(&body.boot),
        hex(&body.prev_hash),
        hex(&event.signature),
        hex(&chain_hash(&event.body))
    )
}

pub(crate) fn hub(frame: &HubFrame) -> String {
    match frame.frame.as_ref().unwrap() {
        hub_frame::Frame::Welcome(frame) => welcome(frame),
        hub_frame::Frame::Ack(frame) => {
            let digest = or_empty(&frame.board_digest);
            format!("Ack seq={} board_digest={digest}", frame.seq)
        }
        hub_frame::Frame::Order(frame) => self::order(frame),
        hub_frame::Frame::TimeProbe(frame) => {
            format!(
                "TimeProbe nonce=0x{:016x} hub_us={}",
                frame.nonce, frame.hub_us
            )
        }
        hub_frame::Frame::Labels(frame) => labels(frame),
        hub_frame::Frame::Arbiters(frame) => {
            let list: Vec<String> = frame
                .arbiters
                .iter()
                .map(|arbiter| {
                    format!(
                        "\n  arbiter: name={:?} key={}",
                        arbiter.name,
                        hex(&arbiter.key)
                    )
                })
                .collect();
            format!("Arbiters salt={}{}", hex(&frame.salt), list.concat())
        }
        other @ (hub_frame::Frame::Show(_)
        | hub_frame::Frame::Identify(_)
        | hub_frame::Frame::Goodbye(_)
        | hub_frame::Frame::ZeroTest(_)
        | hub_frame::Frame::Certificate(_)
        | hub_frame::Frame::LogCheckpoint(_)
        | hub_frame::Frame::SharedBoard(_)) => panic!("the page has no {other:?}"),
    }
}

fn welcome(welcome: &Welcome) -> String {
    format!(
        "Welcome major={} minor={} log_origin={:?} acked_seq={} acked_head={} epoch={} rebase_us={} rebase_uncertainty_us={}\n  exchange_key={}",
        welcome.major,
        welcome.minor,
        welcome.log_origin,
        welcome.acked_seq,
        or_empty(&welcome.acked_head),
        welcome.epoch,
        welcome.rebase_us,
        welcome.rebase_uncertainty_us,
        or_empty(&welcome.exchange_key)
    )
}

fn order(order: &Order) -> String {
    let what = match order.what.as_ref().unwrap() {
        order::What::Command(command) => format!("command={command:?}"),
        order::What::Adopt(adopt) => {
            let snapshot = hex(&adopt.snapshot);
            format!("adopt: board={:?}\n  snapshot={snapshot}", adopt.board)
        }
        order::What::ServeSide(serve) => panic!("the page has no {serve:?}"),
    };
    format!("Order number={} {what}", order.number)
}

fn labels(labels: &Labels) -> String {
    format!(
        "Labels board={:?} round={:?} white={:?} black={:?}",
        labels.board, labels.round, labels.white, labels.black
    )
}

fn or_empty(bytes: &[u8]) -> String {
    match bytes {
        [] => "(empty)".to_owned(),
        bytes => hex(bytes),
    }
}
