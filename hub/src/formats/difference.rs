//! What a file says that is not known yet: new rounds, other players, other results, each in words for an arbiter and as the
//! changes that would make it so. Owns the comparison; never applies a change, never takes back what only the hall knows.

use std::collections::BTreeMap;

use crate::tournament::{
    BoardNo, Bye, Change, Event, GameResult, Match, MatchNo, Pairing, Pairings, Player, PlayerNo,
    RoundNo, Team,
};

use super::draft::{Draft, DraftRound, Seats};

mod words;

/// What a file has that is not known yet, in the order in which it is to be applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// One for each thing an arbiter decides on.
    pub items: Vec<Item>,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What kind of thing.
    pub kind: Kind,
    /// A sentence.
    pub words: String,
    /// What makes it so. A change that contradicts the hall is refused by the event, with its reason.
    pub changes: Vec<Change>,
}

/// What kind of thing differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The event's own data.
    Event,
    /// A player who is new.
    NewPlayer,
    /// A player's data.
    ChangedPlayer,
    /// A player who is known and not in the file.
    MissingPlayer,
    /// A team, new or changed.
    Team,
    /// A round that is not paired yet.
    NewRound,
    /// A round that is paired otherwise.
    ChangedRound,
    /// A result where none is known.
    NewResult,
    /// A result where another is known.
    ChangedResult,
    /// A bye.
    Bye,
}

impl Difference {
    /// Whether the file says nothing new.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every change, in the order in which they are to be applied.
    pub fn changes(&self) -> Vec<Change> {
        let items = self.items.iter();
        items.flat_map(|item| item.changes.clone()).collect()
    }

    /// Every sentence, one a line.
    pub fn words(&self) -> String {
        let words: Vec<&str> = self.items.iter().map(|item| item.words.as_str()).collect();
        words.join("\n")
    }

    fn add(&mut self, kind: Kind, words: String, changes: Vec<Change>) {
        self.items.push(Item {
            kind,
            words,
            changes,
        });
    }
}

impl Draft {
    /// The changes that make this event out of an empty one.
    pub fn changes(&self, source: &str) -> Vec<Change> {
        let empty = Self {
            event: self.event.clone(),
            players: BTreeMap::new(),
            teams: BTreeMap::new(),
            rounds: BTreeMap::new(),
        };
        let mut changes = vec![Change::SetEvent(Box::new(self.event.clone()))];
        changes.extend(difference(&empty, self, source).changes());
        changes
    }
}

/// Compares what is known with a file. `source` names the file in the reasons of corrections.
///
/// What only the hall knows stays: results that the file has none for, board numbers, sectors, late arrivals and withdrawals.
pub fn difference(known: &Draft, file: &Draft, source: &str) -> Difference {
    let mut difference = Difference::default();
    event(known, file, &mut difference);
    players(known, file, &mut difference);
    teams(known, file, &mut difference);
    for (no, round) in &file.rounds {
        match known.rounds.get(no) {
            None => new_round(file, *no, round, source, &mut difference),
            Some(before) => old_round(file, *no, before, round, source, &mut difference),
        }
    }
    granted(known, file, &mut difference);
    missing(known, file, &mut difference);
    difference
}

fn event(known: &Draft, file: &Draft, difference: &mut Difference) {
    let merged = Event {
        sectors: known.event.sectors.clone(),
        game: known.event.game,
        unrated_as: known.event.unrated_as,
        ..file.event.clone()
    };
    if merged != known.event {
        let words = words::event(&known.event, &merged);
        difference.add(Kind::Event, words, vec![Change::SetEvent(Box::new(merged))]);
    }
}

fn players(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, player) in &file.players {
        let entered = Player {
            byes: BTreeMap::new(),
            ..player.clone()
        };
        let Some(before) = known.players.get(no) else {
            let words = format!("New player {no}: {}", words::player(player));
            let change = Change::EnterPlayer(Box::new(entered));
            difference.add(Kind::NewPlayer, words, vec![change]);
            continue;
        };
        let merged = Player {
            enters: before.enters,
            leaves: before.leaves,
            byes: before.byes.clone(),
            kept_lines: before.kept_lines.clone(),
            ..entered
        };
        if merged != *before {
            let words = words::changed_player(before, &merged);
            let change = Change::EnterPlayer(Box::new(merged));
            difference.add(Kind::ChangedPlayer, words, vec![change]);
        }
    }
}

fn teams(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, team) in &file.teams {
        let before = known.teams.get(no);
        let merged = Team {
            federation: before.map_or_else(String::new, |before| before.federation.clone()),
            ..team.clone()
        };
        if before == Some(&merged) {
            continue;
        }
        let words = match before {
            None => format!("New team {no}: {}", team.name),
            Some(before) if before.players != team.players => {
                format!(
                    "Team {no}, {}: other players or another board order",
                    team.name
                )
            }
            Some(before) => format!("Team {no}: {} is now {}", before.name, team.name),
        };
        difference.add(Kind::Team, words, vec![Change::EnterTeam(Box::new(merged))]);
    }
}

fn new_round(
    file: &Draft,
    no: RoundNo,
    round: &DraftRound,
    source: &str,
    difference: &mut Difference,
) {
    let mut changes = vec![Change::PairRound(no, Box::new(pairings(round)))];
    changes.extend(results(no, round, source));
    let words = words::new_round(file, no, round);
    difference.add(Kind::NewRound, words, changes);
}

fn old_round(
    file: &Draft,
    no: RoundNo,
    known: &DraftRound,
    round: &DraftRound,
    source: &str,
    difference: &mut Difference,
) {
    let pair = |seats: &Seats| (seats.white, seats.black);
    let mut ours: Vec<_> = known.boards.values().map(pair).collect();
    let mut theirs: Vec<_> = round.boards.values().map(pair).collect();
    ours.sort();
    theirs.sort();
    let matches = |round: &DraftRound| -> Vec<_> {
        let mut pairs: Vec<_> = round
            .matches
            .values()
            .map(|paired| (paired.white, paired.black))
            .collect();
        pairs.sort();
        pairs
    };
    if ours != theirs || matches(known) != matches(round) {
        let mut changes = vec![
            Change::Unpair(no),
            Change::PairRound(no, Box::new(pairings(round))),
        ];
        changes.extend(results(no, round, source));
        let words = words::changed_round(file, no, known, round);
        difference.add(Kind::ChangedRound, words, changes);
        return;
    }
    for (board, before) in &known.boards {
        let same = round
            .boards
            .values()
            .find(|seats| pair(seats) == pair(before));
        let Some(result) = same.and_then(|seats| seats.result) else {
            continue;
        };
        if same_result(before.result, result) {
            continue;
        }
        let words = words::result(file, no, *board, before, result);
        let kind = match before.result {
            None => Kind::NewResult,
            Some(_) => Kind::ChangedResult,
        };
        let change = Change::Enter(no, *board, result, reason(before.result, source));
        difference.add(kind, words, vec![change]);
    }
    for (match_no, before) in &known.matches {
        let same = round
            .matches
            .values()
            .find(|paired| paired.white == before.white);
        let Some(forfeit) = same
            .map(|paired| paired.forfeit)
            .filter(|forfeit| *forfeit != before.forfeit)
        else {
            continue;
        };
        let words = words::forfeit(file, no, before, forfeit);
        let change = Change::ForfeitMatch(no, *match_no, forfeit);
        difference.add(Kind::ChangedResult, words, vec![change]);
    }
    byes(file, no, known, round, difference);
}

/// Whether the file says of a game what is known. A count (Scrabble, Othello) is something no report has.
fn same_result(known: Option<GameResult>, file: GameResult) -> bool {
    let plain = |result: GameResult| match result {
        GameResult::Played {
            white,
            black,
            rated,
            ..
        } => GameResult::Played {
            white,
            black,
            rated,
            tally: None,
        },
        GameResult::Forfeit { .. } | GameResult::Adjourned => result,
    };
    known.map(plain) == Some(plain(file))
}

fn reason(known: Option<GameResult>, source: &str) -> String {
    match known {
        Some(_) => format!("as in {source}"),
        None => String::new(),
    }
}

fn results(no: RoundNo, round: &DraftRound, source: &str) -> Vec<Change> {
    let boards = round.boards.iter();
    boards
        .filter_map(|(board, seats)| {
            let result = seats.result?;
            Some(Change::Enter(no, *board, result, reason(None, source)))
        })
        .collect()
}

/// The pairings of a round as the core announces them.
pub fn pairings(round: &DraftRound) -> Pairings {
    let board = |(board, seats): (&BoardNo, &Seats)| Pairing {
        board: *board,
        white: seats.white,
        black: seats.black,
        of_match: seats.of_match,
    };
    let pair = |(no, paired): (&MatchNo, &Match)| (*no, *paired);
    Pairings {
        boards: round.boards.iter().map(board).collect(),
        byes: round.byes.iter().map(|(no, bye)| (*no, *bye)).collect(),
        matches: round.matches.iter().map(pair).collect(),
        team_byes: round
            .team_byes
            .iter()
            .map(|(no, bye)| (*no, *bye))
            .collect(),
    }
}

/// Byes of a paired round. Whoever has no bye that is said has a zero point bye.
fn byes(
    file: &Draft,
    no: RoundNo,
    known: &DraftRound,
    round: &DraftRound,
    difference: &mut Difference,
) {
    for player in file.players.keys() {
        if known.board_of(*player).is_some() {
            continue;
        }
        let before = known.byes.get(player).copied().unwrap_or(Bye::Zero);
        let after = round.byes.get(player).copied().unwrap_or(Bye::Zero);
        if before != after {
            let words = words::bye(file, no, *player, Some(after));
            let change = Change::GrantBye(*player, no, Some(after));
            difference.add(Kind::Bye, words, vec![change]);
        }
    }
}

/// Byes asked for in rounds to come.
fn granted(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, player) in &file.players {
        let before = known.players.get(no);
        for (round, bye) in &player.byes {
            let paired = known.rounds.contains_key(round) || file.rounds.contains_key(round);
            let same = before.is_some_and(|before| before.bye_in(*round) == Some(*bye));
            if !paired && !same {
                let words = words::bye(file, *round, *no, Some(*bye));
                let change = Change::GrantBye(*no, *round, Some(*bye));
                difference.add(Kind::Bye, words, vec![change]);
            }
        }
    }
}

/// Players who are known and not in the file: taken off if they never were in a round, withdrawn otherwise.
fn missing(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, player) in &known.players {
        if file.players.contains_key(no) {
            continue;
        }
        let in_round = |(_, round): &(&RoundNo, &DraftRound)| {
            round.board_of(*no).is_some() || round.byes.contains_key(no)
        };
        let rounds = known.rounds.iter().rev();
        let last = rounds.clone().find(in_round).map(|(round, _)| *round);
        let (words, change) = match last {
            None => (
                format!(
                    "Player {no}, {}, is not in the file: off the list",
                    player.name
                ),
                Change::RemovePlayer(*no),
            ),
            Some(last) if player.leaves.is_some_and(|left| left <= last) => continue,
            Some(last) => (
                format!(
                    "Player {no}, {}, is not in the file: withdrawn after round {last}",
                    player.name
                ),
                Change::Withdraw(*no, last),
            ),
        };
        difference.add(Kind::MissingPlayer, words, vec![change]);
    }
}

/// A player's name with his number, for sentences.
fn name(draft: &Draft, no: Option<PlayerNo>) -> String {
    let Some(no) = no else {
        return "nobody".to_owned();
    };
    match draft.players.get(&no) {
        Some(player) => player.name.clone(),
        None => format!("player {no}"),
    }
}
