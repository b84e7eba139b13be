//! `flagfall event round reseat` and `swap`: move players between boards, either all of them or none. Owns the new seats; `tournament` decides
//! whether they are valid.

use super::super::output::{Failure, Result};
use super::hub::{Hub, Now};
use tournament::{BoardNo, Change, Pairing, PlayerNo, Reseating, Round, RoundNo};

#[derive(Debug, clap::Args)]
pub(super) struct ReseatArgs {
    /// The round in which to reseat players
    round: u16,
    /// A board's number, then White's and Black's numbers; repeat for more boards. A new board number adds a board
    #[arg(required = true, num_args = 3.., value_names = ["BOARD", "WHITE", "BLACK"],
          value_parser = clap::value_parser!(u16).range(1..))]
    seats: Vec<u16>,
    #[command(flatten)]
    how: SeatOptions,
}

#[derive(Debug, clap::Args)]
pub(super) struct SwapArgs {
    /// The round in which to swap the players
    round: u16,
    /// The first player's number
    one: u16,
    /// The second player's number
    other: u16,
    #[command(flatten)]
    how: SeatOptions,
}

#[derive(Debug, clap::Args)]
struct SeatOptions {
    /// Also change boards whose game has begun: the game is set aside and the clock is set again
    #[arg(long)]
    restart: bool,
    /// Reason for the change, kept in the log
    #[arg(long, default_value = "")]
    reason: String,
}

pub(super) async fn reseat(hub: &mut Hub, now: &Now, args: &ReseatArgs) -> Result<()> {
    let (round, paired) = now.round(Some(args.round))?;
    let mut boards = Vec::new();
    for seats in args.seats.chunks(3) {
        let [board, white, black] = *seats else {
            let words = "give three numbers for each board: BOARD WHITE BLACK";
            return Err(Failure::Usage(words.to_owned()));
        };
        let board = BoardNo(board);
        let before = paired.boards.get(&board);
        boards.push(Pairing {
            of_match: before.and_then(|before| before.of_match),
            ..Pairing::new(board, PlayerNo(white), PlayerNo(black))
        });
    }
    seat(hub, now, round, boards, Vec::new(), &args.how).await
}

pub(super) async fn swap(hub: &mut Hub, now: &Now, args: &SwapArgs) -> Result<()> {
    let (round, paired) = now.round(Some(args.round))?;
    let (one, other) = (PlayerNo(args.one), PlayerNo(args.other));
    let boards = swapped(paired, one, other);
    if boards.is_empty() || one == other {
        let words = format!(
            "cannot exchange players {one} and {other} in round {round}: they must be two players, at least one of them at a board"
        );
        return Err(Failure::Usage(words));
    }
    // A player who gives up a seat to a player with a bye takes over that bye.
    let bye = |without: PlayerNo, gets: PlayerNo| {
        let bye = now.tournament.assigned_bye(without, round)?;
        Some(Change::GrantBye(gets, round, Some(bye)))
    };
    let byes = [bye(one, other), bye(other, one)];
    seat(
        hub,
        now,
        round,
        boards,
        byes.into_iter().flatten().collect(),
        &args.how,
    )
    .await
}

fn swapped(paired: &Round, one: PlayerNo, other: PlayerNo) -> Vec<Pairing> {
    let place = |player: Option<PlayerNo>| match player {
        Some(player) if player == one => Some(other),
        Some(player) if player == other => Some(one),
        player => player,
    };
    let boards = paired.boards.iter();
    let meant = boards.filter(|(_, at)| {
        let seated = [at.white, at.black];
        seated.contains(&Some(one)) || seated.contains(&Some(other))
    });
    let pairing = |(board, at): (&BoardNo, &tournament::Board)| Pairing {
        board: *board,
        white: place(at.white),
        black: place(at.black),
        of_match: at.of_match,
    };
    meant.map(pairing).collect()
}

async fn seat(
    hub: &mut Hub,
    now: &Now,
    round: RoundNo,
    boards: Vec<Pairing>,
    byes: Vec<Change>,
    how: &SeatOptions,
) -> Result<()> {
    let name = |player: Option<PlayerNo>| player.map_or(String::new(), |player| now.name(player));
    let lines = boards.iter().map(|pairing| {
        let (white, black) = (name(pairing.white), name(pairing.black));
        format!("round {round}, board {}: {white} – {black}", pairing.board)
    });
    let words: Vec<String> = lines.collect();
    let seats = Reseating {
        boards,
        restart: how.restart,
    };
    let mut changes = vec![Change::Reseat(round, seats)];
    changes.extend(byes);
    hub.apply(now, &how.reason, &changes, &words.join("\n"))
        .await
}
