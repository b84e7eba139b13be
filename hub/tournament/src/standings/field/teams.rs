//! The teams' records, from the boards of their matches.

use std::collections::BTreeMap;

use super::{Competitor, Entry, RoundKind, Scores, Unit, unit};
use crate::{
    Board, Bye, Event, Match, MatchNo, Outcome, Participant, PlayerNo, Points, Round, RoundNo,
    Scoring, Side, TeamNo, Tournament,
};

struct Sides {
    white: Entry,
    black: Entry,
}

pub(super) fn records(tournament: &Tournament, rounds: u16, boards: u16) -> Vec<Competitor> {
    let numbers: Vec<TeamNo> = tournament.teams().keys().copied().collect();
    let mut members: BTreeMap<PlayerNo, TeamNo> = BTreeMap::new();
    for team in tournament.teams().values() {
        members.extend(team.players.iter().map(|player| (*player, team.no)));
    }
    let competitors = numbers.iter().map(|team| Competitor {
        who: Participant::Team(*team),
        rating: None,
        log: Vec::with_capacity(usize::from(rounds)),
    });
    let mut competitors: Vec<Competitor> = competitors.collect();
    let (event, empty) = (tournament.event(), std::sync::Arc::default());
    for no in (1..=rounds).map(RoundNo) {
        let round = tournament.rounds().get(&no).unwrap_or(&empty);
        for (competitor, team) in competitors.iter_mut().zip(&numbers) {
            let bye = round.team_byes.get(team).copied().unwrap_or(Bye::Zero);
            competitor.log.push(free(event, bye, boards));
        }
        for (match_no, paired) in &round.matches {
            let sides = sides(event, round, *match_no, *paired, &members, boards);
            let index = |team: TeamNo| numbers.binary_search(&team).ok();
            let (white, black) = (index(paired.white), index(paired.black));
            for (own, opponent, mut entry) in
                [(white, black, sides.white), (black, white, sides.black)]
            {
                entry.opponent = opponent;
                if let Some(last) = own.and_then(|own| competitors[own].log.last_mut()) {
                    *last = entry;
                }
            }
        }
    }
    competitors
}

/// Returns a team's entry for a round without a match. Every board has the result that corresponds to the bye (C.07 12).
fn free(event: &Event, bye: Bye, boards: u16) -> Entry {
    let each = match bye {
        Bye::PairingAllocated | Bye::Full => event.scoring.win,
        Bye::Half => event.scoring.draw,
        Bye::Zero => event.scoring.zero_bye,
    };
    let stated = event.team_bye_points;
    let stated = stated.filter(|_| bye == Bye::PairingAllocated);
    let scores = Scores {
        of_match: bye.points(&event.match_scoring),
        of_game: stated.unwrap_or(each.times(i64::from(boards))),
    };
    let kind = RoundKind::Bye(bye);
    Entry {
        games: all_boards(kind, each, Points::ZERO, boards),
        ..Entry::new(kind, scores)
    }
}

fn all_boards(kind: RoundKind, points: Points, against: Points, boards: u16) -> Vec<Unit> {
    let unit = |place| Unit {
        place,
        kind,
        colour: None,
        points,
        against,
        outcome: None,
    };
    (1..=boards).map(unit).collect()
}

fn sides(
    event: &Event,
    round: &Round,
    no: MatchNo,
    paired: Match,
    members: &BTreeMap<PlayerNo, TeamNo>,
    boards: u16,
) -> Sides {
    let games = |team: Side| -> Vec<Unit> {
        let of_match = round.boards.values().filter_map(|board| {
            let (_, place) = board.of_match.filter(|(of, _)| *of == no)?;
            let side = seat(board, place, team, paired, members);
            Some(unit(event, board, side, place))
        });
        of_match.collect()
    };
    let (white, black) = (games(Side::White), games(Side::Black));
    match paired.forfeit {
        Some(winner) => {
            let entry = |side, games| forfeited(event, winner == Some(side), side, games, boards);
            Sides {
                white: entry(Side::White, white),
                black: entry(Side::Black, black),
            }
        }
        None => Sides {
            white: contested(event, Side::White, &white, &black),
            black: contested(event, Side::Black, &black, &white),
        },
    }
}

/// Returns the colour that a team has at a board. The teams of the seated players decide; if no seated player has a team,
/// the first-named team has White on odd boards.
fn seat(
    board: &Board,
    place: u16,
    team: Side,
    paired: Match,
    members: &BTreeMap<PlayerNo, TeamNo>,
) -> Side {
    let no = match team {
        Side::White => paired.white,
        Side::Black => paired.black,
    };
    let of = |side: Side| board.player(side).and_then(|player| members.get(&player));
    for side in Side::BOTH {
        if let Some(member_of) = of(side) {
            return if *member_of == no { side } else { side.other() };
        }
    }
    match place.is_multiple_of(2) {
        true => team.other(),
        false => team,
    }
}

fn forfeited(event: &Event, won: bool, colour: Side, games: Vec<Unit>, boards: u16) -> Entry {
    let (kind, outcome) = match won {
        true => (RoundKind::ForfeitWin, Outcome::Win),
        false => (RoundKind::ForfeitLoss, Outcome::Loss),
    };
    let points = |scoring: &Scoring, won: bool| match won {
        true => scoring.win,
        false => scoring.forfeit_loss,
    };
    let games = if games.is_empty() {
        let (own, other) = (points(&event.scoring, won), points(&event.scoring, !won));
        all_boards(kind, own, other, boards)
    } else {
        games
    };
    let scores = Scores {
        of_match: points(&event.match_scoring, won),
        of_game: games.iter().map(|game| game.points).sum(),
    };
    Entry {
        colour: Some(colour),
        against: Scores {
            of_match: points(&event.match_scoring, !won),
            of_game: games.iter().map(|game| game.against).sum(),
        },
        outcome: Some(outcome),
        games,
        ..Entry::new(kind, scores)
    }
}

/// Returns a team's entry for a match, computed from the boards. A match is pending while it has no board or one of its
/// boards is pending. It is unplayed if no board was played (C.07 15.1), unless forfeit wins of both teams make it a
/// draw.
fn contested(event: &Event, colour: Side, own: &[Unit], other: &[Unit]) -> Entry {
    let sum = |games: &[Unit]| -> Points { games.iter().map(|game| game.points).sum() };
    let (ours, theirs) = (sum(own), sum(other));
    let pending = own.is_empty() || own.iter().any(|game| game.kind == RoundKind::Pending);
    let played = own.iter().any(|game| game.kind == RoundKind::Played);
    let outcome = Outcome::of_scores(ours, theirs);
    let kind = match outcome {
        Outcome::Win | Outcome::Draw | Outcome::Loss if pending => RoundKind::Pending,
        Outcome::Win | Outcome::Draw | Outcome::Loss if played => RoundKind::Played,
        Outcome::Win => RoundKind::ForfeitWin,
        Outcome::Draw if ours > Points::ZERO => RoundKind::Played,
        Outcome::Draw | Outcome::Loss => RoundKind::ForfeitLoss,
    };
    let worth = |outcome: Outcome| match kind {
        RoundKind::Pending => Points::ZERO,
        RoundKind::ForfeitLoss if outcome != Outcome::Win => event.match_scoring.forfeit_loss,
        RoundKind::Played | RoundKind::ForfeitWin | RoundKind::ForfeitLoss | RoundKind::Bye(_) => {
            event.match_scoring.game(outcome)
        }
    };
    let scores = |outcome: Outcome, of_game: Points| Scores {
        of_match: worth(outcome),
        of_game,
    };
    Entry {
        colour: Some(colour),
        against: scores(outcome.opposite(), theirs),
        outcome: Some(outcome).filter(|_| !pending),
        games: own.to_vec(),
        ..Entry::new(kind, scores(outcome, ours))
    }
}
