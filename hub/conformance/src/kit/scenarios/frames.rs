//! Frames that a clock must read, and bytes that it must refuse.

use prost::Message as _;
use proto::wire::{GoodbyeReason, HubFrame, Order, Show, order};

use super::links::connected;
use crate::clock::Closed;
use crate::kit::{CONNECT_WITHIN_MS, Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;
use crate::time_source::raw_us;
use crate::{UNKNOWN_FIELD, framed};

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    let links = kit.ledger.ended.len();
    if !unknown_fields(kit).await {
        let came = match kit.ledger.ended.len() > links {
            true => "the end of the link",
            false => "nothing",
        };
        let expected = "an order with unknown fields taken";
        kit.report.check(Rule::F3, false, expected, came);
        return Ok(false);
    }
    kit.report.check(Rule::F3, true, "", "");
    let long: HubFrame = Show {
        text: "x".repeat(600),
    }
    .into();
    let wrong = [
        ("a frame of an unknown kind", UNKNOWN_FIELD.to_vec()),
        ("garbage", vec![0xde, 0xad, 0xbe, 0xef, 0xff, 0xff, 0xff]),
        ("a Show of more than 512 bytes", long.encode_to_vec()),
        ("a length of 5000", vec![0; 5_000]),
    ];
    for (name, body) in wrong {
        if !refused(kit, name, &framed(&body)).await {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Sends an order with an unknown field in both the frame and the order. Returns true if the clock carries it
/// out without opening another link.
async fn unknown_fields(kit: &mut Kit) -> bool {
    let number = kit.next_order;
    kit.next_order += 1;
    let order = Order {
        number,
        what: Some(order::What::Command("pause".to_owned())),
    };
    kit.ledger.orders.insert(number, (order.clone(), raw_us()));
    // The order is field 3 of the frame. Its length fits in one byte.
    let mut inner = order.encode_to_vec();
    inner.extend(UNKNOWN_FIELD);
    let mut frame = vec![0x1a, inner.len() as u8];
    frame.extend(inner);
    frame.extend(UNKNOWN_FIELD);
    kit.send_bytes(&framed(&frame)).await;
    let links = kit.ledger.links;
    let taken = |kit: &Kit| kit.ledger.taken >= number;
    kit.wait_until(REACTS_WITHIN_MS, taken).await && kit.ledger.links == links
}

/// Sends bytes that the clock must refuse, and waits for its next link. Returns true if the clock reconnects.
async fn refused(kit: &mut Kit, name: &str, bytes: &[u8]) -> bool {
    let (hellos, ended) = (kit.ledger.hellos.len(), kit.ledger.ended.len());
    kit.send_bytes(bytes).await;
    let end = kit
        .until(REACTS_WITHIN_MS, |kit| kit.ledger.ended.get(ended).cloned())
        .await;
    let bad_frame = |end: &Closed| end.says(GoodbyeReason::BadFrame);
    kit.report.check(
        Rule::F2,
        end.as_ref().is_some_and(bad_frame),
        format!("GOODBYE_REASON_BAD_FRAME after {name}"),
        match &end {
            Some(Closed {
                goodbye,
                code,
                text,
            }) => format!("goodbye {goodbye:?}, close code {code:?}: {text}"),
            None => "a link that stays open".to_owned(),
        },
    );
    if end.is_none() {
        kit.drop_link();
    }
    connected(kit, hellos, CONNECT_WITHIN_MS).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::frame::PREFIX;

    #[test]
    fn an_unknown_field_alone_is_no_kind_and_hides_no_kind() {
        let bare = framed(&UNKNOWN_FIELD);
        let mut deframer = proto::frame::Deframer::default();
        deframer.push(&bare);
        assert_eq!(
            deframer.next::<HubFrame>(),
            Err(proto::frame::FrameError::UnknownKind)
        );
        let frame: HubFrame = Show::default().into();
        let mut bytes = proto::frame::encode_prefixed(&frame).unwrap_or_default();
        bytes.extend(UNKNOWN_FIELD);
        let decoded = HubFrame::decode(&bytes[PREFIX..]);
        assert_eq!(decoded, Ok(frame));
    }
}
