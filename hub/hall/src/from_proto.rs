//! Decodes frames, requests and records into the hall's types, and describes the fault of a malformed one. Never
//! decides whether a request is allowed or possible.

pub mod floor;
mod held;
pub(crate) mod records;
pub mod time_chess;

pub use records::rule_set;
pub mod tournament;

use proto::chain::{ChainHash, chain_hash};
use proto::event;
use proto::ids::{CommandId, EventSeq};
use proto::wire::{self, agent_frame, event_body};
use timing::text::DisplayText;
use timing::{Button, Command, Fact, Instant, Side};

use prost::Message;

use crate::same_variants::SameVariants;
use crate::{
    AgentFrame, BadBoardId, BoardId, Correction, EventFact, FirmwareText, Hello, Offence,
    OffenceKind, SignedEvent,
};
use crate::{LogContradiction, SignedPromise};

/// Maximum length in bytes of a text or reason from a client, or of a clock's correction, so that it fits a frame and a
/// record.
pub const MAX_TEXT: usize = 300;
/// Maximum length in bytes of a player's, a round's or an actor's name, so that three names fit the frame of labels.
pub const MAX_NAME: usize = 240;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum BadInput {
    #[error("{0}")]
    Malformed(String),
    #[error(transparent)]
    Board(#[from] BadBoardId),
    #[error("time control {written:?}: {why}")]
    Control { written: String, why: String },
    #[error("there is no rule set {0:?}; `flagfall ctl rules` lists them")]
    RuleSet(String),
    #[error("{what} has the invisible character U+{:04X} in it", u32::from(*.found))]
    Hidden { what: String, found: char },
}

/// Maximum number of half-moves in a frame from an electronic board.
const MAX_BOARD_MOVES: usize = 600;

fn bad(what: impl Into<String>) -> BadInput {
    BadInput::Malformed(what.into())
}

/// Decodes an agent's first frame.
///
/// # Errors
/// Returns an error if a hash or a boot id has an impossible length, or if a string is too long or contains unprintable
/// characters.
pub fn hello(hello: wire::Hello) -> Result<Hello, BadInput> {
    let head = if hello.head.is_empty() {
        None
    } else {
        Some(hash(&hello.head, "the head of the journal")?)
    };
    if hello.boot.len() > 64 {
        return Err(bad("the boot's name is longer than 64 bytes"));
    }
    // A long firmware description is truncated; it is not a reason to close the link.
    let mut firmware = hello.firmware;
    firmware.truncate(firmware.floor_char_boundary(FirmwareText::MAX_BYTES));
    let foreign = hello.foreign.map(|foreign| {
        let origin = printable_text(foreign.log_origin, "the origin of the other journal")?;
        Ok::<_, BadInput>((origin, foreign.unacknowledged))
    });
    Ok(Hello {
        major: hello.major,
        minor: hello.minor,
        firmware: printable_text(firmware, "the firmware")?,
        log_origin: printable_text(hello.log_origin, "the journal's origin")?,
        next_seq: EventSeq(hello.next_seq.max(1)),
        head,
        boot: hello.boot,
        now: Instant::from_micros(hello.now_us),
        orders_taken: hello.orders_taken,
        rebooted: hello.rebooted,
        foreign: foreign.transpose()?,
        journal_damaged: hello.journal_damaged,
        process: hello.process.filter(|process| process.token != 0),
        no_corrections: hello.no_corrections,
    })
}

/// Decodes a frame that an agent sends after its hello. The caller must check the signature of an event
/// ([`proto::chain::verify`]).
///
/// # Errors
/// Returns an error if the frame is a second hello, has no kind, or has malformed content.
pub fn agent_frame(frame: wire::AgentFrame) -> Result<AgentFrame, BadInput> {
    let frame = frame.frame.ok_or_else(|| bad("a frame without a kind"))?;
    Ok(match frame {
        agent_frame::Frame::Hello(_) => return Err(bad("a second hello on one link")),
        agent_frame::Frame::Event(event) => {
            AgentFrame::Event(Box::new(signed_event(event.body, event.signature)?))
        }
        agent_frame::Frame::Watermark(mark) if mark.signature.is_empty() => AgentFrame::Watermark {
            at: Instant::from_micros(mark.at_us),
            seq: EventSeq(mark.seq),
        },
        agent_frame::Frame::Watermark(mark) => AgentFrame::Promise(SignedPromise {
            at: Instant::from_micros(mark.at_us),
            seq: EventSeq(mark.seq),
            signature: mark.signature,
        }),
        agent_frame::Frame::TimeReply(reply) => AgentFrame::TimeReply {
            nonce: reply.nonce,
            received: Instant::from_micros(reply.received_us),
            sent: Instant::from_micros(reply.sent_us),
        },
        agent_frame::Frame::Health(health) => AgentFrame::Health(wire::Health {
            battery_percent: health.battery_percent.map(|percent| percent.min(100)),
            ..health
        }),
        agent_frame::Frame::Goodbye(goodbye) => AgentFrame::Goodbye {
            reason: goodbye.reason(),
            text: goodbye.text,
        },
        agent_frame::Frame::LogContradiction(told) => {
            AgentFrame::LogContradiction(Box::new(log_contradiction(told)?))
        }
        agent_frame::Frame::BoardMoves(moves) => AgentFrame::BoardMoves(board_moves(moves.uci)?),
        agent_frame::Frame::Diverged(diverged) => AgentFrame::Diverged {
            seq: EventSeq(diverged.seq),
        },
    })
}

/// Checks only the number and the format of an electronic board's moves; the `laws` crate decides whether they are
/// legal.
fn board_moves(uci: Vec<String>) -> Result<Vec<String>, BadInput> {
    let fits = |text: &String| {
        let bytes = text.as_bytes();
        let squares = bytes.first_chunk::<4>();
        squares.is_some_and(|[a, b, c, d]| {
            [a, c].iter().all(|file| (b'a'..=b'h').contains(file))
                && [b, d].iter().all(|rank| (b'1'..=b'8').contains(rank))
        }) && matches!(&bytes[4..], [] | [b'q' | b'r' | b'b' | b'n'])
    };
    if uci.len() > MAX_BOARD_MOVES {
        return Err(bad(format!(
            "an electronic board with more than {MAX_BOARD_MOVES} moves"
        )));
    }
    match uci.iter().find(|text| !fits(text)) {
        Some(text) => Err(bad(format!("{text:?} is not a move in UCI"))),
        None => Ok(uci),
    }
}

fn log_contradiction(told: wire::LogContradiction) -> Result<LogContradiction, BadInput> {
    let head = |head: Option<wire::TreeHead>| {
        let head = head.unwrap_or_default();
        Ok::<_, BadInput>((head.size, hash(&head.root, "the root of a checkpoint")?))
    };
    Ok(LogContradiction {
        kept: head(told.kept)?,
        sent: head(told.sent)?,
        note: told.note,
        signed: false,
    })
}

/// Decodes an event of a chain from the bytes of its body, which frames and log records contain.
///
/// # Errors
/// Returns an error that describes the part of the body that does not fit the schema.
pub fn signed_event(body: Vec<u8>, signature: Vec<u8>) -> Result<SignedEvent, BadInput> {
    let decoded = wire::EventBody::decode(body.as_slice())
        .map_err(|error| bad(format!("the body of an event is not protobuf: {error}")))?;
    let mut correction = None;
    let fact = match decoded.fact {
        Some(event_body::Fact::Press(press)) => {
            let button = Button::decoded(press.button())
                .ok_or_else(|| bad("a press of a button that this version does not know"))?;
            EventFact::Players(Fact::Pressed(button))
        }
        Some(event_body::Fact::Stop(wire::Stop {})) => EventFact::Players(Fact::Stopped),
        Some(event_body::Fact::OrderTaken(taken)) => EventFact::OrderTaken(taken.order),
        Some(event_body::Fact::Rebase(rebase)) => EventFact::Rebase {
            jump_us: rebase.jump_us,
            uncertainty_us: rebase.uncertainty_us,
            uncharged: rebase.uncharged,
        },
        Some(event_body::Fact::ZeroTested(tested)) => EventFact::ZeroTested(tested.nonce),
        Some(event_body::Fact::Correction(corrected)) => {
            correction = Some(Box::new(self::correction(corrected)?));
            EventFact::Correction
        }
        None => return Err(bad("an event of a kind this version does not know")),
    };
    Ok(SignedEvent {
        seq: EventSeq(decoded.seq),
        prev_hash: hash(&decoded.prev_hash, "the hash of the previous event")?,
        hash: chain_hash(&body),
        at: Instant::from_micros(decoded.at_us),
        newest_probe: decoded.newest_probe,
        boot: decoded.boot,
        fact,
        correction,
        body,
        signature,
    })
}

/// Decodes an offence, from a request or from the log.
///
/// # Errors
/// Returns an error if the offence has an unknown kind, or no side.
pub fn offence(offence: event::Offence) -> Result<Offence, BadInput> {
    let kind = OffenceKind::decoded(offence.kind())
        .ok_or_else(|| bad("an offence of a kind this version does not know"))?;
    let side = side(offence.side()).ok_or_else(|| bad("an offence without a side"))?;
    Ok(Offence {
        kind,
        side,
        withdrawn: offence.withdrawn,
    })
}

fn correction(corrected: wire::Correction) -> Result<Correction, BadInput> {
    Ok(Correction {
        command: board_command(&corrected.command)?,
        text: bounded_text(corrected.command, "a correction", MAX_TEXT)?,
        arbiter: bounded_text(corrected.arbiter, "an arbiter's name", MAX_NAME)?,
        made_us: corrected.made_us,
        proof: corrected.proof,
        hub_away: corrected.hub_away,
    })
}

pub(crate) fn board_command(text: &str) -> Result<Command, BadInput> {
    text.parse()
        .map_err(|error| bad(format!("command {text:?}: {error}")))
}

/// Decodes text that will be shown in a log line, a terminal or a page.
///
/// # Errors
/// Returns an error if the text is too long or contains an invisible character. The error calls the text `what`, and
/// names the invisible character, if there is one.
pub fn printable_text<const MAX: usize>(
    text: String,
    what: &str,
) -> Result<DisplayText<MAX>, BadInput> {
    DisplayText::new(text).map_err(|error| bad(format!("{what} {error}")))
}

fn hash(bytes: &[u8], what: &str) -> Result<ChainHash, BadInput> {
    ChainHash::try_from(bytes).map_err(|_| bad(format!("{what} has {} bytes, not 32", bytes.len())))
}

/// Decodes text that may already be in the log. Newer rules, such as the rule on invisible characters, do not apply, so
/// that older logs stay readable.
///
/// # Errors
/// Returns an error if the text is longer than `most` bytes or contains a control character.
pub fn bounded_text(text: String, what: &str, most: usize) -> Result<String, BadInput> {
    if text.len() > most {
        return Err(bad(format!(
            "{what} has {} bytes, at most {most} are allowed",
            text.len()
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(bad(format!("{what} contains a control character")));
    }
    Ok(text)
}

/// Decodes the id of a command.
///
/// # Errors
/// Returns an error if the bytes are not a valid id.
pub fn pending_command_id(id: &[u8]) -> Result<CommandId, BadInput> {
    CommandId::try_from(id).map_err(|error| bad(format!("the pending command's id: {error}")))
}

pub fn side(side: proto::Side) -> Option<Side> {
    Side::decoded(side)
}

/// Decodes a message's board; an empty string means no board.
///
/// # Errors
/// Returns an error if the string is not a valid board name.
pub fn optional_board(text: &str) -> Result<Option<BoardId>, BadInput> {
    if text.is_empty() {
        return Ok(None);
    }
    Ok(Some(text.parse()?))
}

#[cfg(test)]
mod tests;
