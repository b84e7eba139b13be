//! Prints boards and clocks as text or as JSON, and the hall's notes as warnings.

use std::sync::LazyLock;

use proto::Side;
use proto::event::OffenceKind;
use proto::grpc::{
    Agent, Board, BoardNote, FlagState, Hall, NearbyClock, OffenceCount, PlayerSide, SideClock,
};
use proto::ids::hex;
use serde_json::{Value, json};

use super::zero_test::sheet::{decimal, degrees, ppm};
use crate::cli::output::{
    Result, Table, counted, print, say, tell, to_a_person, unless_empty, word_of,
};
use crate::clock_text::{clock_text, in_hand, whole};
use hall::exact_time;

pub(in crate::cli) fn warnings(hall: &Hall) {
    for note in &hall.notes {
        tell!("flagfall: warning: {}", note.text);
    }
}

pub(in crate::cli) fn list(hall: &Hall, boards: &[&Board], as_json: bool) -> Result<()> {
    if as_json {
        return boards.iter().try_for_each(|board| print(json_of(board)));
    }
    if boards.is_empty() {
        return print("the hall has no boards yet: `flagfall ctl add 1-40 90m+30s` adds 40 boards");
    }
    if to_a_person() {
        let round = unless_empty(&hall.round, |round| format!(", round {round}"));
        say!(
            "{}{round}, {}{}",
            hall.event_name,
            counted(hall.boards.len(), "board"),
            countdown(hall)
        )?;
    }
    let table = Table::of(boards)
        .right("BOARD", |board| board.board.clone())
        .left("WHITE", |board| white(board).name.clone())
        .right("", |board| shown(board, white(board), Side::White))
        .left("BLACK", |board| black(board).name.clone())
        .right("", |board| shown(board, black(board), Side::Black))
        .right("MOVES", |board| {
            white(board).moves.max(black(board).moves).to_string()
        })
        .left("STATE", |board| state(board))
        .left("CLOCK", |board| clock(board))
        .left("CONTROL", |board| control(board))
        .left("NOTE", |board| board.note.clone());
    print(table)
}

/// Describes the time until the scheduled start, rounded up to whole seconds; empty if no start lies ahead.
fn countdown(hall: &Hall) -> String {
    let left = hall
        .starts_at_us
        .map_or(0, |at| at.saturating_sub(hall.hub_us));
    if left <= 0 {
        return String::new();
    }
    format!(
        ", starts in {}",
        whole(left.saturating_add(999_999) / 1_000_000)
    )
}

pub(super) fn board(board: &Board, as_json: bool) -> Result<()> {
    if as_json {
        return print(json_of(board));
    }
    let (white, black) = sides(board);
    say!(
        "board {}  {}  sequence {}",
        board.board,
        state(board),
        board.seq
    )?;
    say!("control {}", control(board))?;
    if board.notes.is_empty() && !board.note.is_empty() {
        say!("note    {}", board.note)?;
    }
    for note in &board.notes {
        say!("note    {}", note_text(note))?;
    }
    if board.notes.iter().any(|note| note.count > 0) {
        say!(
            "        when you have checked it: `flagfall ctl acknowledge {}`",
            board.board
        )?;
    }
    say!("clock   {}", clock_in_full(board))?;
    if let Some(alone) = word_alone(board) {
        say!("word    {alone}")?;
    }
    let button = match board.white_button() {
        proto::grpc::Button::Right => "right",
        proto::grpc::Button::Left | proto::grpc::Button::Unspecified => "left",
    };
    say!("button  White: {button}")?;
    let players = [("White", white, Side::White), ("Black", black, Side::Black)];
    let table = Table::of(&players)
        .left("", |(title, _, _)| (*title).to_owned())
        .left("NAME", |(_, player, _)| player.name.clone())
        .right("TIME", |(_, player, side)| shown(board, player, *side))
        .left("TYPE", |(_, player, _)| player.allotment.clone())
        .right("MOVES", |(_, player, _)| player.moves.to_string())
        .right("PERIOD", |(_, player, _)| player.period.to_string())
        .left("MORE", |(_, player, _)| more(player));
    print(table)?;
    for offence in &board.offences {
        say!("offence {}", describe_offence(offence))?;
    }
    for pending in &board.pending {
        say!(
            "pending {} by {} (command {}): `flagfall ctl force {3}` or `flagfall ctl withdraw {3}`",
            pending.text,
            pending.actor,
            hex(&pending.id),
            board.board
        )?;
    }
    presses(board)
}

pub(super) fn note_text(note: &BoardNote) -> String {
    match note.count {
        0 | 1 => note.text.clone(),
        count => format!("{} ({count} times)", note.text),
    }
}

fn describe_offence(offence: &OffenceCount) -> String {
    let side = title(offence.side()).unwrap_or("?");
    let count = offence.count;
    match offence.kind() {
        OffenceKind::IllegalMove => format!("{side}: {}", counted(count, "illegal move")),
        OffenceKind::Unspecified => {
            format!(
                "{side}: {} of a kind unknown to this version",
                counted(count, "offence")
            )
        }
    }
}

fn presses(board: &Board) -> Result<()> {
    if board.presses.is_empty() {
        return Ok(());
    }
    let table = Table::of(&board.presses)
        .right("PRESS", |press| match press.side() {
            Side::Black => format!("{}b", press.r#move),
            Side::White | Side::Unspecified => format!("{}w", press.r#move),
        })
        .right("EVENT", |press| press.event_seq.to_string())
        .right("USED", |press| exact_time(press.used_us))
        .right("LEFT", |press| exact_time(press.left_us));
    print(table)
}

pub(super) fn nearby(clocks: &[NearbyClock], as_json: bool) -> Result<()> {
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
        say!("Nearby and not enrolled: clock {}{battery} ({}). To enrol it, use the digits it shows: flagfall enrol --ble CODE",
            clock.tag, clock.adapter)
    })
}

pub(super) fn agents(agents: &[Agent], as_json: bool) -> Result<()> {
    if agents.is_empty() && !as_json {
        return print("no clock is enrolled yet: `flagfall enrol --board 1` makes a code for one");
    }
    let ms = |us: i64| format!("{}.{:01} ms", us / 1000, us % 1000 / 100);
    Table::of(agents)
        .left("KEY", |agent| agent.key.chars().take(8).collect())
        .left("NAME", |agent| agent.name.clone())
        .right("BOARD", |agent| agent.board.clone())
        .left("LINK", link)
        .right("BATTERY", |agent| {
            given(agent.battery_percent, |percent| format!("{percent} %"))
        })
        .right("TEMP", |agent| given(agent.temperature_mc, degrees))
        .right("ROUND TRIP", |agent| given(agent.round_trip_us, ms))
        .right("OFFSET", |agent| {
            given(agent.offset_uncertainty_us, |us| format!("± {}", ms(us)))
        })
        .right("RATE", |agent| given(agent.rate_ppb, ppm))
        .right("EVENTS", |agent| agent.acked_seq.to_string())
        .right("UNSAVED", |agent| agent.unsaved.to_string())
        .left("FIRMWARE", |agent| agent.firmware.clone())
        .left("ALERT", alert)
        .print(as_json, agent_json)
}

fn given<T>(figure: Option<T>, format: impl Fn(T) -> String) -> String {
    figure.map(format).unwrap_or_default()
}

fn link(agent: &Agent) -> String {
    match (agent.revoked, agent.online) {
        (true, _) => "revoked".to_owned(),
        (false, true) => format!("online {}", agent.link),
        (false, false) => "silent".to_owned(),
    }
}

fn alert(agent: &Agent) -> String {
    let alerts = agent.alerts.iter().map(|alert| {
        let word = alert.kind.replace('_', " ");
        match alert.count {
            0 | 1 => word,
            count => format!("{word} ×{count}"),
        }
    });
    let mut alerts: Vec<String> = alerts.collect();
    if agent.online && !agent.journal_ok {
        alerts.push("cannot write its journal".to_owned());
    }
    alerts.join(", ")
}

pub(super) fn sides(board: &Board) -> (&PlayerSide, &PlayerSide) {
    static EMPTY: LazyLock<PlayerSide> = LazyLock::new(PlayerSide::default);
    let [white, black] = [&board.white, &board.black].map(|side| side.as_ref().unwrap_or(&EMPTY));
    (white, black)
}

fn white(board: &Board) -> &PlayerSide {
    sides(board).0
}

fn black(board: &Board) -> &PlayerSide {
    sides(board).1
}

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
    let word = word_of(board.phase().as_str_name(), "BOARD_PHASE_");
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

/// Formats the result. A draw with draw odds stays a draw: the odds are mentioned, and the arbiter enters the result that counts.
fn result_in_full(board: &Board, result: &str) -> String {
    match odds_to(board) {
        Some(side) if result == "1/2-1/2" => format!("{result} (draw, {side} has draw odds)"),
        Some(_) | None => result.to_owned(),
    }
}

fn odds_to(board: &Board) -> Option<&'static str> {
    title(board.draw_odds())
}

fn title(side: Side) -> Option<&'static str> {
    match side {
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

fn side_clocks(board: &Board) -> Option<[(&'static str, &SideClock); 2]> {
    let (white, black) = (board.white_clock.as_ref()?, board.black_clock.as_ref()?);
    Some([("White", white), ("Black", black)])
}

fn clock(board: &Board) -> String {
    if let Some(clocks) = side_clocks(board) {
        let [white, black] = clocks.map(|(_, clock)| signal(&clock.agent, clock.online));
        return match white == black {
            true => format!("both {white}"),
            false => format!("White {white}, Black {black}"),
        };
    }
    signal(&board.agent, board.online).to_owned()
}

fn signal(agent: &str, online: bool) -> &'static str {
    match (agent, online) {
        ("", _) => "none",
        (_, true) => "online",
        (_, false) => "silent",
    }
}

fn clock_in_full(board: &Board) -> String {
    if let Some(clocks) = side_clocks(board) {
        let words = clocks.map(|(side, clock)| {
            let online = signal(&clock.agent, clock.online);
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
        "" => "none; `flagfall enrol --board` enrols one, `flagfall ctl assign` assigns one"
            .to_owned(),
        agent => format!("{agent}, {}", clock(board)),
    }
}

/// Describes how much time in the game is known only from the clock's own reports; `None` below 0.1 s for both sides.
fn word_alone(board: &Board) -> Option<String> {
    const NOTICEABLE_US: i64 = 100_000;
    let [white, black] = [board.white_word_alone_us, board.black_word_alone_us];
    (white.max(black) >= NOTICEABLE_US).then(|| {
        let [white, black] = [white, black].map(|us| decimal(us, 1_000_000, 1));
        format!("{white} s of White's time and {black} s of Black's are known only from the clock's own reports")
    })
}

fn more(player: &PlayerSide) -> String {
    let mut parts = Vec::new();
    if let Some(periods) = player.byo_left {
        parts.push(format!("{} left", counted(periods, "byo-yomi period")));
    }
    if let Some(stones) = player.stones {
        parts.push(format!("{} to play", counted(stones, "stone")));
    }
    if let Some(bank) = player.bank_us {
        parts.push(format!("bank {}", clock_text(bank)));
    }
    if let Some(points) = player.points {
        parts.push(counted(points, "point"));
    }
    if let Some(delay) = player.delay_us {
        parts.push(format!("delay {}", clock_text(delay)));
    }
    parts.join(", ")
}

pub(super) fn time(player: &PlayerSide) -> String {
    in_hand(player.time_us, &player.allotment)
}

pub(in crate::cli) fn json_of(board: &Board) -> Value {
    let (white, black) = sides(board);
    let running = title(board.running()).map_or("none".to_owned(), str::to_lowercase);
    json!({
        "board": board.board, "seq": board.seq, "hub_us": board.hub_us, "state": word_of(board.phase().as_str_name(), "BOARD_PHASE_"),
        "running": running, "online": board.online, "result": board.result, "control": board.control,
        "draw_odds": odds_to(board).map(str::to_lowercase), "note": board.note,
        "notes": board.notes.iter().map(note_json).collect::<Vec<_>>(),
        "clocks": side_clocks(board).map(|clocks| clocks.map(|(side, clock)| json!({
            "side": side.to_lowercase(), "agent": clock.agent, "online": clock.online,
            "uncertainty_us": clock.uncertainty_us,
        }))),
        "word_alone": {"white_us": board.white_word_alone_us, "black_us": board.black_word_alone_us},
        "agent": board.agent, "white": side_json(white), "black": side_json(black),
        "white_button": word_of(board.white_button().as_str_name(), "BUTTON_"),
        "offences": board.offences.iter().map(|offence| json!({
            "kind": word_of(offence.kind().as_str_name(), "OFFENCE_KIND_").replace('_', "-"),
            "side": word_of(offence.side().as_str_name(), "SIDE_"),
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

fn side_json(player: &PlayerSide) -> Value {
    let mut side = json!({
        "name": player.name, "us": player.time_us, "phase": player.allotment, "moves": player.moves,
        "period": player.period,
        "flag": word_of(player.flag().as_str_name(), "FLAG_STATE_"), "byo_left": player.byo_left,
        "stones": player.stones, "bank_us": player.bank_us, "points": player.points, "delay_us": player.delay_us,
    });
    if let Some(fields) = side.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
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
