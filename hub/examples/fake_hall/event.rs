//! The simulated event behind the event's pages: read from a file, or an open tournament of any size in the middle
//! of its fifth round.

use anyhow::{Context as _, anyhow, bail};
use tournament::formats::draft::import_file;
use tournament::formats::table::result_text;
use tournament::{
    Actor, BoardNo, Bye, Change, Date, Event, GameResult, Outcome, Pairing, Pairings, Player,
    PlayerNo, Points, RoundNo, Scope, Side, TieBreak, Tournament,
};

use super::{Random, cast};

const ROUNDS: u16 = 9;
const PLAYED: u16 = 4;

fn chief() -> Actor {
    Actor::chief("IA Doe")
}

pub(super) fn of_file(path: &str) -> anyhow::Result<Tournament> {
    let imported = import_file(&std::fs::read(path)?).map_err(|faults| anyhow!("{faults}"))?;
    let mut tournament = Tournament::new(Event::new("", 1));
    for change in imported.draft.changes(path) {
        tournament.apply(&chief(), change)?;
    }
    Ok(tournament)
}

/// Creates an open tournament with this number of players: four rounds played, the fifth in progress.
pub(super) fn open(players: u16, random: &mut Random) -> anyhow::Result<Tournament> {
    let mut event = Event::new("Harbour Cup 2026", ROUNDS);
    event.city = "Bergen".into();
    event.federation = "NOR".into();
    event.chief_arbiter = "IA Doe, Jane".into();
    event.deputies = vec!["FA Nordahl, Siri".into(), "FA Berg, Hanne".into()];
    event.time_control = "90 minutes + 30 seconds per move".into();
    event.starts = Date::new(2026, 7, 7);
    event.ends = Date::new(2026, 7, 15);
    for round in 1..=ROUNDS {
        let day = u8::try_from(round).unwrap_or(0).saturating_add(6);
        let day = Date::new(2026, 7, day);
        event
            .round_dates
            .extend(day.map(|day| (RoundNo(round), day)));
    }
    let list = ["BH/C1", "BH", "SB", "PS"].into_iter().map(TieBreak::parse);
    let list: Result<_, _> = list.collect();
    event.tie_breaks = list.map_err(|fault| anyhow!(fault))?;
    let mut tournament = Tournament::new(Event::new("", 1));
    tournament.apply(&chief(), Change::SetEvent(Box::new(event)))?;
    for no in 1..=players {
        let player = player(no, players, random);
        tournament.apply(&chief(), Change::EnterPlayer(Box::new(player)))?;
    }
    for round in 1..=PLAYED + 1 {
        pair(&mut tournament, RoundNo(round))?;
        play(&mut tournament, RoundNo(round), random)?;
    }
    Ok(tournament)
}

fn player(no: u16, players: u16, random: &mut Random) -> Player {
    let mut player = Player::new(PlayerNo(no), &cast::name(no));
    let below = u16::try_from(random.below(12)).unwrap_or(0);
    let rating =
        2580 - u16::try_from(u32::from(no) * 1100 / u32::from(players.max(1))).unwrap_or(0) - below;
    player.rating = (no % 37 != 36).then_some(rating);
    player.title = match rating {
        2480.. => "GM",
        2390.. => "IM",
        2300.. => "FM",
        _ => "",
    }
    .into();
    player.federation = [
        "NOR", "ESP", "DEN", "POL", "ISL", "ARM", "NED", "IND", "SGP", "POL",
    ][usize::from(no - 1) % 10]
        .into();
    player.fide_id = Some(1_500_000 + u64::from(no));
    player
}

/// Pairs players with similar scores, upper half against lower half. The result looks like a Swiss pairing but is not
/// one. A player left over gets the bye, and one player has a half-point bye in round 3.
fn pair(tournament: &mut Tournament, round: RoundNo) -> anyhow::Result<()> {
    let mut byes = Vec::new();
    if round == RoundNo(3) {
        byes.push((PlayerNo(4), Bye::Half));
    }
    let standings = tournament.standings(Some(RoundNo(round.0 - 1)));
    let rows = standings.rows.iter();
    let mut line: Vec<(Points, PlayerNo)> = rows
        .map(|row| (row.score, PlayerNo(row.who.number())))
        .collect();
    line.retain(|(_, player)| byes.iter().all(|(free, _)| free != player));
    line.sort_by_key(|(score, player)| (std::cmp::Reverse(*score), *player));
    if line.len() % 2 == 1 {
        let left = line.pop();
        byes.extend(left.map(|(_, player)| (player, Bye::PairingAllocated)));
    }
    let mut pairings = Pairings {
        byes,
        ..Pairings::default()
    };
    let mut table = 0;
    for part in line.chunks(8) {
        let (upper, lower) = part.split_at(part.len() / 2);
        for ((_, one), (_, other)) in upper.iter().zip(lower) {
            table += 1;
            let (white, black) = match (table + round.0).is_multiple_of(2) {
                true => (*one, *other),
                false => (*other, *one),
            };
            let pairing = Pairing::new(BoardNo(table), white, black);
            pairings.boards.push(pairing);
        }
    }
    tournament.apply(&chief(), Change::PairRound(round, Box::new(pairings)))?;
    Ok(())
}

fn play(tournament: &mut Tournament, round: RoundNo, random: &mut Random) -> anyhow::Result<()> {
    tournament.apply(&chief(), Change::Start(round, Scope::All))?;
    let boards: Vec<BoardNo> = tournament.rounds()[&round].boards.keys().copied().collect();
    for board in boards {
        let result = match random.below(20) {
            _ if round.0 > PLAYED && board.0 % 5 != 3 => continue,
            0 => GameResult::forfeit(Side::White),
            n if n < 8 => GameResult::played(Outcome::Win),
            n if n < 14 => GameResult::played(Outcome::Draw),
            _ => GameResult::played(Outcome::Loss),
        };
        tournament.apply(&chief(), Change::Enter(round, board, result, String::new()))?;
    }
    if round.0 <= PLAYED {
        tournament.apply(&chief(), Change::Confirm(round))?;
    }
    Ok(())
}

/// Carries out `score BOARD RESULT`: an arbiter enters a result for the last round, such as `1-0`, `½-½` or `+:-`.
pub(super) fn enter(tournament: &mut Tournament, board: &str, result: &str) -> anyhow::Result<()> {
    let round = tournament.last_round().context("no round is paired")?;
    let result = match result_text::read(result) {
        Some(result_text::Cell::Game(result)) => result,
        Some(_) | None => bail!("no such result: {result}"),
    };
    let change = Change::Enter(round, BoardNo(board.parse()?), result, "misread".into());
    tournament.apply(&chief(), change)?;
    Ok(())
}
