//! Random games with clock times, written as PGN and read back by another parser.
//!
//! `PGN_GAMES=100000` sets the number of games, and `PGN_FILE=games.pgn` saves them.
//! `python3 hub/tournament/tests/pgn/read_back.py games.pgn > read.txt` reads that file with python-chess. A second run
//! of the test, with `PGN_READ=read.txt`, compares that output with the games.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader as PgnReader, SanPlus, Visitor};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use shakmaty::{Chess, Position as _};
use timing::{Duration, Side};
use tournament::formats::pgn::games::{PgnTarget, Selection, write};
use tournament::formats::pgn::movetext::{Played, Press};
use tournament::{
    Actor, BoardNo, Change, Event, Pairing, Pairings, Player, PlayerNo, RoundNo, Tournament,
};

const ROUND: RoundNo = RoundNo(1);
const BOARDS: u16 = 100;

fn below(random: &mut SplitMix64, bound: u64) -> u64 {
    random.next_u64() % bound
}

fn event() -> Tournament {
    let mut tournament = Tournament::new(Event::new("Trial", 1));
    let mut apply = |change| tournament.apply(&Actor::chief("Doe"), change).unwrap();
    for no in 1..=2 * BOARDS {
        let player = Player::new(PlayerNo(no), &format!("Player \"{no}\", \\x"));
        apply(Change::EnterPlayer(Box::new(player)));
    }
    let boards =
        (1..=BOARDS).map(|no| Pairing::new(BoardNo(no), PlayerNo(2 * no - 1), PlayerNo(2 * no)));
    let pairings = Pairings {
        boards: boards.collect(),
        ..Pairings::default()
    };
    apply(Change::PairRound(ROUND, Box::new(pairings)));
    tournament
}

fn random_game(random: &mut SplitMix64) -> Played {
    let mut position = Chess::default();
    let mut played = Played::default();
    for ply in 0..below(random, 160) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let chosen = moves[usize::try_from(below(random, moves.len() as u64)).unwrap()];
        played
            .san
            .push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
        if below(random, 10) > 0 {
            let side = if ply % 2 == 0 {
                Side::White
            } else {
                Side::Black
            };
            let span = |random: &mut SplitMix64| {
                Duration::from_millis(i64::try_from(below(random, 20_000_000)).unwrap())
            };
            let press = Press {
                left: span(random),
                used: span(random),
            };
            played
                .presses
                .insert((u32::try_from(ply / 2 + 1).unwrap(), side), press);
        }
    }
    played
}

/// Returns the line expected for a game: its moves. A move with a press is followed by the time left and the time used,
/// in tenths of a second.
fn expected(played: &Played, target: PgnTarget) -> String {
    let mut line = String::new();
    for (ply, san) in played.san.iter().enumerate() {
        let side = if ply % 2 == 0 {
            Side::White
        } else {
            Side::Black
        };
        let number = u32::try_from(ply / 2 + 1).unwrap();
        write!(line, "{san}").unwrap();
        if let Some(press) = played.presses.get(&(number, side)) {
            let shown = |time: Duration| match target {
                PgnTarget::Standard => time.as_micros() / 1_000_000 * 10,
                PgnTarget::Lichess => time.as_micros() / 100_000,
            };
            write!(line, "/{}/{}", shown(press.left), shown(press.used)).unwrap();
        }
        line.push(' ');
    }
    line.trim_end().to_owned()
}

/// Parses `1:30:12` or `1:30:12.4` into tenths of a second.
fn tenths(text: &str) -> u64 {
    let (whole, tenths) = text.split_once('.').unwrap_or((text, "0"));
    let parts = whole.split(':').map(|part| part.parse::<u64>().unwrap());
    parts.fold(0, |sum, part| sum * 60 + part) * 10 + tenths.parse::<u64>().unwrap()
}

/// A visitor that converts each game to a line in the form of [`expected`], and counts the game's tags.
struct Read;

impl Visitor for Read {
    type Tags = usize;
    type Movetext = (usize, Vec<String>, Vec<u8>);
    type Output = (usize, String);

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, usize> {
        ControlFlow::Continue(0)
    }
    fn tag(&mut self, tags: &mut usize, _: &[u8], _: RawTag<'_>) -> ControlFlow<Self::Output> {
        *tags += 1;
        ControlFlow::Continue(())
    }
    fn begin_movetext(&mut self, tags: usize) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((tags, Vec::new(), Vec::new()))
    }
    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        game.1.push(san.to_string());
        ControlFlow::Continue(())
    }
    fn partial_comment(
        &mut self,
        game: &mut Self::Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        game.2.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }
    fn comment(
        &mut self,
        game: &mut Self::Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        game.2.extend_from_slice(comment.as_bytes());
        let bytes = std::mem::take(&mut game.2);
        let text = std::str::from_utf8(&bytes).unwrap();
        let value = |name: &str| {
            let (_, rest) = text.split_once(&format!("[%{name} ")).unwrap();
            tenths(rest.split_once(']').unwrap().0)
        };
        let clocks = format!("/{}/{}", value("clk"), value("emt"));
        game.1.last_mut().unwrap().push_str(&clocks);
        ControlFlow::Continue(())
    }
    fn end_game(&mut self, (tags, moves, _): Self::Movetext) -> Self::Output {
        (tags, moves.join(" "))
    }
}

#[test]
fn every_move_and_every_clock_is_read_back() {
    let wanted: usize = std::env::var("PGN_GAMES").map_or(400, |games| games.parse().unwrap());
    let event = event();
    let mut random = SplitMix64::seed_from_u64(1);
    let (mut file, mut lines) = (String::new(), Vec::new());
    while lines.len() < wanted {
        let target = match lines.len() / usize::from(BOARDS) % 2 {
            0 => PgnTarget::Standard,
            _ => PgnTarget::Lichess,
        };
        let games: BTreeMap<BoardNo, Played> = (1..=BOARDS)
            .map(|no| (BoardNo(no), random_game(&mut random)))
            .collect();
        let selection = Selection {
            rounds: &[ROUND],
            board: None,
            target,
            key: "trial",
        };
        let written = write(&event, selection, &|_, no| games.get(&no).cloned());
        let mut file_reader = PgnReader::new(written.text.as_bytes());
        let read: Vec<_> = file_reader
            .read_games(&mut Read)
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(read.len(), usize::from(BOARDS));
        for ((tags, read), played) in read.iter().zip(games.values()) {
            assert_eq!(*tags, 9, "{}", written.text);
            assert_eq!(*read, expected(played, target));
            lines.push(read.clone());
        }
        file.push_str(&written.text);
    }
    if let Ok(path) = std::env::var("PGN_FILE") {
        std::fs::write(path, &file).unwrap();
    }
    if let Ok(path) = std::env::var("PGN_READ") {
        let read = std::fs::read_to_string(path).unwrap();
        assert!(read.lines().eq(lines.iter().map(String::as_str)));
    }
}
