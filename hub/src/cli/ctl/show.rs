//! Boards and clocks as tables and as JSON.

use proto::Side;
use proto::event::OffenceKind;
use proto::grpc::{
    Agent, Board, BoardNote, BoardPhase, FlagState, Hall, NearbyClock, OffenceCount, PlayerSide,
    SideClock,
};
use proto::ids::hex;
use serde_json::{Value, json};

use super::zero_test::sheet::{ppm, tenths};
use crate::cli::clock_text::{clock_text, in_hand};
use crate::cli::output::{Failure, Table, print, to_a_person};
use hall::exact_time;

pub(in crate::cli) fn list(hall: &Hall, boards: &[&Board], as_json: bool) -> Result<(), Failure> {
    if as_json {
        return boards.iter().try_for_each(|board| print(json_of(board)));
    }
    if boards.is_empty() {
        return print("the hall has no boards yet: `flagfall ctl add 1-40 90m+30s` adds forty");
    }
    if to_a_person() {
        let round = match hall.round.as_str() {
            "" => String::new(),
            round => format!(", round {round}"),
        };
        print(format_args!(
            "{}{round}, {} boards{}",
            hall.event_name,
            hall.boards.len(),
            countdown(hall)
        ))?;
    }
    let mut table = Table::new(
        &[
            "BOARD", "WHITE", "", "BLACK", "", "MOVES", "STATE", "CLOCK", "CONTROL", "NOTE",
        ],
        &[true, false, true, false, true, true],
    );
    for board in boards {
        let (white, black) = sides(board);
        table.row(vec![
            board.board.clone(),
            white.name.clone(),
            shown(board, white, Side::White),
            black.name.clone(),
            shown(board, black, Side::Black),
            white.moves.max(black.moves).to_string(),
            state(board),
            clock(board),
            control(board),
            board.note.clone(),
        ]);
    }
    print(table)
}

/// Returns the time until the scheduled start, rounded up as on a clock.
fn countdown(hall: &Hall) -> String {
    let left = hall
        .starts_at_us
        .map_or(0, |at| at.saturating_sub(hall.hub_us));
    if left <= 0 {
        return String::new();
    }
    let seconds = left.saturating_add(999_999) / 1_000_000;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!(", starts in {minutes}:{rest:02}"),
        _ => format!(", starts in {hours}:{minutes:02}:{rest:02}"),
    }
}

pub(super) fn board(board: &Board, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print(json_of(board));
    }
    let (white, black) = sides(board);
    print(format_args!(
        "board {}  {}  sequence {}",
        board.board,
        state(board),
        board.seq
    ))?;
    print(format_args!("control {}", control(board)))?;
    if board.notes.is_empty() && !board.note.is_empty() {
        print(format_args!("note    {}", board.note))?;
    }
    for note in &board.notes {
        print(format_args!("note    {}", note_text(note)))?;
    }
    if board.notes.iter().any(|note| note.count > 0) {
        print(format_args!(
            "        once you have looked into it: `flagfall ctl acknowledge {}`",
            board.board
        ))?;
    }
    print(format_args!("clock   {}", clock_in_full(board)))?;
    if let Some(alone) = word_alone(board) {
        print(format_args!("word    {alone}"))?;
    }
    let button = match board.white_button() {
        proto::grpc::Button::Right => "right",
        proto::grpc::Button::Left | proto::grpc::Button::Unspecified => "left",
    };
    print(format_args!("button  White has the {button} one"))?;
    let mut table = Table::new(
        &["", "NAME", "TIME", "ON", "MOVES", "PERIOD", "MORE"],
        &[false, false, true, false, true, true],
    );
    for (title, player, side) in [("White", white, Side::White), ("Black", black, Side::Black)] {
        table.row(vec![
            title.to_owned(),
            player.name.clone(),
            shown(board, player, side),
            player.allotment.clone(),
            player.moves.to_string(),
            player.period.to_string(),
            more(player),
        ]);
    }
    print(table)?;
    for offence in &board.offences {
        print(format_args!("offence {}", offence_in_words(offence)))?;
    }
    for pending in &board.pending {
        print(format_args!(
            "pending {} by {} (command {}): `flagfall ctl force {3}` or `flagfall ctl withdraw {3}`",
            pending.text,
            pending.actor,
            hex(&pending.id),
            board.board
        ))?;
    }
    presses(board)
}

/// Returns the text of a note, with its count if it was seen more than once.
pub(super) fn note_text(note: &BoardNote) -> String {
    match note.count {
        0 | 1 => note.text.clone(),
        count => format!("{} ({count} times)", note.text),
    }
}

/// Formats an offence: "White: 1 illegal move".
fn offence_in_words(offence: &OffenceCount) -> String {
    let side = match offence.side() {
        Side::White => "White",
        Side::Black => "Black",
        Side::Unspecified => "?",
    };
    let what = match (offence.kind(), offence.count) {
        (OffenceKind::IllegalMove, 1) => "illegal move",
        (OffenceKind::IllegalMove, _) => "illegal moves",
        (OffenceKind::Unspecified, _) => "of a kind this program does not know",
    };
    format!("{side}: {} {what}", offence.count)
}

fn presses(board: &Board) -> Result<(), Failure> {
    if board.presses.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(
        &["PRESS", "EVENT", "USED", "LEFT"],
        &[true, true, true, true],
    );
    for press in &board.presses {
        let side = if press.side() == Side::Black {
            "b"
        } else {
            "w"
        };
        table.row(vec![
            format!("{}{side}", press.r#move),
            press.event_seq.to_string(),
            exact_time(press.used_us),
            exact_time(press.left_us),
        ]);
    }
    print(table)
}

/// Prints the unenrolled Bluetooth clocks; prints nothing if there are none.
pub(super) fn nearby(clocks: &[NearbyClock], as_json: bool) -> Result<(), Failure> {
    if as_json {
        return clocks.iter().try_for_each(|clock| {
            print(serde_json::json!({
                "nearby": clock.tag, "battery_percent": clock.battery_percent,
                "adapter": clock.adapter, "rssi_dbm": clock.rssi,
            }))
        });
    }
    clocks.iter().try_for_each(|clock| {
        let battery = clock.battery_percent;
        let battery = battery.map_or(String::new(), |percent| format!(", battery {percent} %"));
        print(format_args!(
            "Not enrolled, in the air: clock {}{battery} ({}). Type the digits it shows: flagfall enrol --ble CODE",
            clock.tag, clock.adapter
        ))
    })
}

pub(super) fn agents(agents: &[Agent], as_json: bool) -> Result<(), Failure> {
    if as_json {
        return agents.iter().try_for_each(|agent| print(agent_json(agent)));
    }
    if agents.is_empty() {
        return print("no clock is enrolled yet: `flagfall enrol --board 1` makes a code for one");
    }
    let mut table = Table::new(
        &[
            "KEY",
            "NAME",
            "BOARD",
            "LINK",
            "BATTERY",
            "TEMP",
            "ROUND TRIP",
            "OFFSET",
            "RATE",
            "EVENTS",
            "UNSAVED",
            "FIRMWARE",
            "ALERT",
        ],
        &[
            false, false, true, false, true, true, true, true, true, true, true,
        ],
    );
    for agent in agents {
        let link = match (agent.revoked, agent.online) {
            (true, _) => "revoked".to_owned(),
            (false, true) => format!("online {}", agent.link),
            (false, false) => "silent".to_owned(),
        };
        let ms = |us: i64| format!("{}.{:01} ms", us / 1000, us % 1000 / 100);
        table.row(vec![
            agent.key.chars().take(8).collect(),
            agent.name.clone(),
            agent.board.clone(),
            link,
            agent
                .battery_percent
                .map(|percent| format!("{percent} %"))
                .unwrap_or_default(),
            agent
                .temperature_mc
                .map(|mc| format!("{} °C", tenths(mc.into(), 1_000)))
                .unwrap_or_default(),
            agent.round_trip_us.map(ms).unwrap_or_default(),
            agent
                .offset_uncertainty_us
                .map(|us| format!("± {}", ms(us)))
                .unwrap_or_default(),
            agent.rate_ppb.map(ppm).unwrap_or_default(),
            agent.acked_seq.to_string(),
            agent.unsaved.to_string(),
            agent.firmware.clone(),
            alert(agent),
        ]);
    }
    print(table)
}

fn alert(agent: &Agent) -> String {
    let mut alerts: Vec<String> = agent
        .alerts
        .iter()
        .map(|alert| {
            let word = alert.kind.replace('_', " ");
            match alert.count {
                0 | 1 => word,
                count => format!("{word} ×{count}"),
            }
        })
        .collect();
    if agent.online && !agent.journal_ok {
        alerts.push("cannot write its journal".to_owned());
    }
    alerts.join(", ")
}

fn sides(board: &Board) -> (&PlayerSide, &PlayerSide) {
    static NOBODY: std::sync::OnceLock<PlayerSide> = std::sync::OnceLock::new();
    let nobody = || NOBODY.get_or_init(PlayerSide::default);
    (
        board.white.as_ref().unwrap_or_else(nobody),
        board.black.as_ref().unwrap_or_else(nobody),
    )
}

/// Formats a side's time, with an arrow while it runs and a flag after its fall.
fn shown(board: &Board, player: &PlayerSide, side: Side) -> String {
    let runs = if board.running() == side { "▸" } else { "" };
    let flag = match player.flag() {
        FlagState::None => "",
        FlagState::Expected => "⚑?",
        FlagState::Fallen => "⚑",
        FlagState::Called => "⚑!",
    };
    format!("{runs}{}{flag}", time(player))
}

pub(super) fn state(board: &Board) -> String {
    let word = match board.phase() {
        BoardPhase::Unspecified => "unknown",
        BoardPhase::Ready => "ready",
        BoardPhase::Running => "running",
        BoardPhase::Paused => "paused",
        BoardPhase::Stopped => "stopped",
        BoardPhase::Flagged => "flagged",
        BoardPhase::Over => "over",
    };
    let pending = if board.pending.is_empty() {
        ""
    } else {
        ", command pending"
    };
    match &board.result {
        Some(result) => format!("{}{pending}", result_in_full(board, result)),
        None => format!("{word}{pending}"),
    }
}

/// Returns the result. A draw stays a draw under draw odds: the arbiter enters its value.
fn result_in_full(board: &Board, result: &str) -> String {
    match odds_to(board) {
        Some(side) if result == "1/2-1/2" => format!("{result} (draw, {side} has draw odds)"),
        Some(_) | None => result.to_owned(),
    }
}

fn odds_to(board: &Board) -> Option<&'static str> {
    match board.draw_odds() {
        Side::White => Some("White"),
        Side::Black => Some("Black"),
        Side::Unspecified => None,
    }
}

fn control(board: &Board) -> String {
    match odds_to(board) {
        Some(side) => format!("{}, draw odds to {side}", board.control),
        None => board.control.clone(),
    }
}

/// Returns the clocks of the two sides, where each side has its own.
fn side_clocks(board: &Board) -> Option<[(&'static str, &SideClock); 2]> {
    let (white, black) = (board.white_clock.as_ref()?, board.black_clock.as_ref()?);
    Some([("White", white), ("Black", black)])
}

fn clock(board: &Board) -> String {
    if let Some(clocks) = side_clocks(board) {
        let word = |clock: &SideClock| match (clock.agent.as_str(), clock.online) {
            ("", _) => "none",
            (_, true) => "online",
            (_, false) => "silent",
        };
        let [white, black] = clocks.map(|(_, clock)| word(clock));
        return match white == black {
            true => format!("both {white}"),
            false => format!("White {white}, Black {black}"),
        };
    }
    match (board.agent.as_str(), board.online) {
        ("", _) => "none".to_owned(),
        (_, true) => "online".to_owned(),
        (_, false) => "silent".to_owned(),
    }
}

fn clock_in_full(board: &Board) -> String {
    if let Some(clocks) = side_clocks(board) {
        let words = clocks.map(|(side, clock)| {
            let online = if clock.online { "online" } else { "silent" };
            let doubt = match clock.uncertainty_us {
                Some(us) => format!(", time known to {}.{:03} ms", us / 1_000, us % 1_000),
                None => String::new(),
            };
            match clock.agent.as_str() {
                "" => format!("{side}: none"),
                agent => format!("{side}: {agent}, {online}{doubt}"),
            }
        });
        return words.join("; ");
    }
    match board.agent.as_str() {
        "" => "none; `flagfall enrol --board` lets one in, `flagfall ctl assign` gives it one"
            .to_owned(),
        agent => format!("{agent}, {}", clock(board)),
    }
}

/// Describes the time of the game that rests on the clock's word alone, if it is worth mentioning.
fn word_alone(board: &Board) -> Option<String> {
    const NOTICEABLE_US: i64 = 100_000;
    let [white, black] = [board.white_word_alone_us, board.black_word_alone_us];
    (white.max(black) >= NOTICEABLE_US).then(|| {
        let [white, black] = [white, black].map(|us| tenths(us, 1_000_000));
        format!("{white} s of White's time and {black} s of Black's rest on the clock's word alone")
    })
}

fn more(player: &PlayerSide) -> String {
    let mut parts = Vec::new();
    if let Some(periods) = player.byo_left {
        parts.push(format!("{periods} byo-yomi periods left"));
    }
    if let Some(stones) = player.stones {
        parts.push(format!("{stones} stones to play"));
    }
    if let Some(bank) = player.bank_us {
        parts.push(format!("bank {}", clock_text(bank)));
    }
    if let Some(points) = player.points {
        parts.push(format!("{points} points"));
    }
    if let Some(delay) = player.delay_us {
        parts.push(format!("delay {}", clock_text(delay)));
    }
    parts.join(", ")
}

pub(super) fn time(player: &PlayerSide) -> String {
    in_hand(player.time_us, &player.allotment)
}

/// Converts a board to JSON; times in microseconds.
pub(in crate::cli) fn json_of(board: &Board) -> Value {
    let (white, black) = sides(board);
    let running = match board.running() {
        Side::White => "white",
        Side::Black => "black",
        Side::Unspecified => "none",
    };
    json!({
        "board": board.board, "seq": board.seq, "hub_us": board.hub_us, "state": state_word(board),
        "running": running, "online": board.online, "result": board.result, "control": board.control,
        "draw_odds": odds_to(board).map(str::to_lowercase), "note": board.note,
        "notes": board.notes.iter().map(note_json).collect::<Vec<_>>(),
        "clocks": side_clocks(board).map(|clocks| clocks.map(|(side, clock)| json!({
            "side": side.to_lowercase(), "agent": clock.agent, "online": clock.online,
            "uncertainty_us": clock.uncertainty_us,
        }))),
        "word_alone": {"white_us": board.white_word_alone_us, "black_us": board.black_word_alone_us},
        "agent": board.agent, "white": side_json(white), "black": side_json(black),
        "white_button": board.white_button().as_str_name().trim_start_matches("BUTTON_").to_lowercase(),
        "offences": board.offences.iter().map(|offence| json!({
            "kind": offence.kind().as_str_name().trim_start_matches("OFFENCE_KIND_").to_lowercase().replace('_', "-"),
            "side": offence.side().as_str_name().trim_start_matches("SIDE_").to_lowercase(),
            "count": offence.count,
        })).collect::<Vec<_>>(),
        "pending": board.pending.iter().map(|pending| json!({
            "id": hex(&pending.id), "command": pending.text, "actor": pending.actor, "since_us": pending.since_hub_us,
        })).collect::<Vec<_>>(),
        "presses": board.presses.iter().map(|press| json!({
            "event": press.event_seq, "move": press.r#move, "side": if press.side() == Side::Black { "black" } else { "white" },
            "used_us": press.used_us, "left_us": press.left_us,
        })).collect::<Vec<_>>(),
    })
}

fn state_word(board: &Board) -> String {
    board
        .phase()
        .as_str_name()
        .trim_start_matches("BOARD_PHASE_")
        .to_lowercase()
}

fn side_json(player: &PlayerSide) -> Value {
    let mut side = json!({
        "name": player.name, "us": player.time_us, "phase": player.allotment, "moves": player.moves,
        "period": player.period,
        "flag": player.flag().as_str_name().trim_start_matches("FLAG_STATE_").to_lowercase(),
    });
    let optional = [
        ("byo_left", player.byo_left.map(Value::from)),
        ("stones", player.stones.map(Value::from)),
        ("bank_us", player.bank_us.map(Value::from)),
        ("points", player.points.map(Value::from)),
        ("delay_us", player.delay_us.map(Value::from)),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            side[key] = value;
        }
    }
    side
}

fn note_json(note: &BoardNote) -> Value {
    json!({
        "kind": note.kind, "text": note.text, "since_us": note.since_us, "agent": note.agent,
        "count": note.count, "latest_us": note.latest_us,
    })
}

fn agent_json(agent: &Agent) -> Value {
    json!({
        "key": agent.key, "name": agent.name, "board": agent.board, "online": agent.online, "link": agent.link, "revoked": agent.revoked,
        "firmware": agent.firmware, "battery_percent": agent.battery_percent, "acked_seq": agent.acked_seq,
        "offset_uncertainty_us": agent.offset_uncertainty_us, "rate_ppb": agent.rate_ppb, "round_trip_us": agent.round_trip_us,
        "offset_us": agent.offset_us, "offset_lo_us": agent.offset_lo_us, "offset_hi_us": agent.offset_hi_us,
        "temperature_mc": agent.temperature_mc, "journal_ok": agent.journal_ok,
        "unacknowledged": agent.unacknowledged, "unsaved": agent.unsaved,
        "alerts": agent.alerts.iter().map(note_json).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_on_a_clock() {
        for (us, allotment, text) in [
            (5_400_000_000, "main", "1:30:00"),
            (599_999_999, "main", "10:00"),
            (20_000_000, "byo", "0:20"),
            (8_400_001, "main", "0:08.5"),
            (0, "flagged", "0:00"),
            (0, "overtime", "+0:00"),
            (-1_600_000, "overtime", "+0:01.6"),
        ] {
            let side = PlayerSide {
                time_us: us,
                allotment: allotment.to_owned(),
                ..PlayerSide::default()
            };
            assert_eq!(time(&side), text);
        }
        assert_eq!(exact_time(3_661_000_001), "1:01:01.000001");
    }
}
