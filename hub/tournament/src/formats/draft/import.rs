//! Converts a report to an event: players, paired rounds and results. Owns every translation for the import. Records
//! that the core does not know are kept for the export or mentioned in a remark.

use std::collections::{BTreeMap, BTreeSet};

use timing::Side;

use super::cells_read::{number, rounds_paired, seats};
use super::export::{tie_break_records, without_notes};
use super::model::{Draft, DraftRound, Seats};
use super::notes::{self, Note};
use super::stated::take::take;
use super::totals::Totals;
use super::{cells, kind, pairing_rules, requested, teams, unlettered};
use crate::formats::fault::Faults;
use crate::formats::remark::{GamesRemark, HeaderRemark, Remark};
use crate::formats::text::lines;
use crate::formats::trf::report::{self, Report};
use crate::formats::trf::value::{Date, Letter};
use crate::formats::trf::{self, Edition, plain_order, record_lines, records, scoring, write};
use crate::formats::wording::shown;
use crate::tie_break::primary;
use crate::{
    BoardNo, Bye, Code, Contest, Event, Measure, Player, PlayerNo, RoundNo, Scoring, Team, TeamNo,
    TieBreak,
};

/// An event read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The event as the file states it.
    pub draft: Draft,
    /// Remarks on the file and on data that the event does not hold.
    pub remarks: Vec<Remark>,
}

/// Reads the bytes of a report as an event.
///
/// # Errors
/// Returns the errors with their lines and columns; the file is then refused as a whole.
pub fn import_file(bytes: &[u8]) -> Result<Imported, Faults> {
    let mut read = trf::read(bytes)?;
    let mut remarks = read.remarks;
    requested::fill_cells(&mut read.report);
    remarks.extend(unlettered::give_letters(&mut read.report));
    teams::byes_of_lines(&mut read.report);
    let mut imported = import(&read.report);
    remarks.extend(imported.remarks);
    remarks.extend(requested::left_out(&read.report, &imported.draft));
    remarks.extend(take(&read.report, &mut imported.draft));
    Ok(Imported {
        remarks,
        draft: imported.draft,
    })
}

/// Converts a report to an event, with remarks on data that the event does not hold.
pub fn import(report: &Report) -> Imported {
    let mut imported = without_layout(report);
    let event = &mut imported.draft.event;
    let raw = std::mem::take(&mut event.kept_lines);
    let mut given = report.kept.clone();
    given.lines.retain(|line| Note::read(&line.text).is_none());
    event.kept_lines = [notes::to_event(&given), raw.clone()].concat();
    let (again, _) = without_notes(&imported.draft, &Totals::default());
    let plain = plain_order(&again);
    // Positions of kept lines refer to the exported file, which omits the records that the event does not keep.
    let text = write(&again, Edition::Trf26).text;
    let lines: Vec<&str> = lines(&text).map(|(_, line)| line).collect();
    let kept = records(&lines).map_or(given, |written| written.kept);
    let kept = match kept.lines.is_empty() && kept.order == plain {
        true => Vec::new(),
        false => notes::to_event(&kept),
    };
    let otherwise = cells::kept(report, &again, &imported.draft.event);
    imported.draft.event.kept_lines = [kept, raw, otherwise].concat();
    imported
}

/// Returns the event without the order of the file's records, and without comments and unknown lines.
pub(super) fn without_layout(report: &Report) -> Imported {
    let mut remarks = Vec::new();
    let notes = report.kept.lines.iter();
    let notes: Vec<Note> = notes.filter_map(|line| Note::read(&line.text)).collect();
    let teams = teams::of_report(report);
    let mut draft = Draft {
        players: players(report, &notes),
        ..Draft::empty(event(report, &teams, &mut remarks))
    };
    draft.teams = teams;
    pairing_rules::read(report, &mut draft.event, &draft.players);
    draft.event.abnormal_points = report.rules.abnormal.clone();
    let paired = rounds_paired(report);
    let mut scores = BTreeMap::new();
    for index in 0..paired {
        let no = number(index + 1);
        let round = match draft.event.contest {
            Contest::Individual => individual(report, index, &scores, &mut remarks),
            Contest::Teams { .. } => teams::round(report, index, &draft.teams, &mut remarks),
        };
        add_scores(&mut scores, &round, &draft.event.scoring);
        if draft.event.contest == Contest::Individual && !draft.event.abnormal_points.is_empty() {
            for player in draft.players.keys() {
                let (_, bonus) = draft.event.bonus(RoundNo(no), player.0);
                *scores.entry(*player).or_default() += bonus.hundredths();
            }
        }
        draft.rounds.insert(RoundNo(no), round);
    }
    draft.event.kept_lines = kept(report, &draft);
    grant(report, paired, &mut draft);
    for note in &notes {
        match note {
            Note::Boards(round, boards) => {
                if let Some(round) = draft.rounds.get_mut(&RoundNo(*round)) {
                    renumber(round, boards);
                }
            }
            Note::Matches(round, matches) => {
                if let Some(round) = draft.rounds.get_mut(&RoundNo(*round)) {
                    teams::renumber(round, matches);
                }
            }
            Note::Enters(..) | Note::Leaves(..) => (),
        }
    }
    Imported { draft, remarks }
}

fn event(report: &Report, teams: &BTreeMap<TeamNo, Team>, remarks: &mut Vec<Remark>) -> Event {
    let header = &report.header;
    let said = report.rounds();
    let reported = number(report.rounds_reported());
    let rounds = said.unwrap_or_else(|| {
        let rounds = reported.max(number(header.round_dates.len()));
        remarks.push(HeaderRemark::RoundsCounted(rounds.max(1)).into());
        rounds
    });
    let mut event = Event::new(header.name.as_deref().unwrap_or_default(), rounds.max(1));
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    event.city = text(&header.city);
    event.federation = text(&header.federation);
    event.starts = header.start.and_then(Date::day);
    event.ends = header.end.and_then(Date::day);
    event.chief_arbiter = text(&header.chief_arbiter);
    event.deputies = header.deputies.clone();
    event.time_control = text(&header.times);
    event.time_control_code = text(&header.time_control);
    event.pairing_program = text(&header.program);
    event.system = kind::system(report, event.rounds);
    let met = report.players.iter().flat_map(|player| &player.cells);
    let no_games = !met.into_iter().any(|cell| cell.opponent.is_some());
    if !teams.is_empty() || (no_games && kind::is_of_teams(report)) {
        let boards = teams::boards(report, teams);
        event.contest = Contest::Teams { boards };
    }
    for (date, round) in header.round_dates.iter().zip(1..) {
        if let Some(date) = date.and_then(Date::day) {
            event.round_dates.insert(RoundNo(round), date);
        }
    }
    event.initial_colour = header.initial_colour.or(report.extensions.initial_colour);
    event.scoring = scoring::of_games(report);
    event.match_scoring = scoring::of_matches(report);
    let given = report.rules.team_byes.as_ref();
    event.team_bye_points = given.and_then(|byes| byes.game_points);
    event.tie_breaks = tie_breaks(header, remarks);
    kind::take(&mut event, report);
    event
}

/// Returns the tie-breaks that define the standings (212), otherwise those that break ties (202). Record 202 leaves out
/// the primary score, so game points at its start only break ties.
pub(super) fn tie_breaks(header: &report::Header, remarks: &mut Vec<Remark>) -> Vec<TieBreak> {
    let listed = match header.standings.is_empty() {
        true => &header.tie_breaks,
        false => &header.standings,
    };
    let mut tie_breaks = Vec::new();
    for code in listed {
        match TieBreak::parse(code) {
            Ok(tie_break) => tie_breaks.push(tie_break),
            Err(error) => {
                let code = code.clone();
                remarks.push(HeaderRemark::TieBreakLeftOut { code, error }.into());
            }
        }
    }
    if header.standings.is_empty() && primary(&tie_breaks) == Measure::Game {
        tie_breaks.insert(0, TieBreak::new(Code::Mpts));
    }
    tie_breaks
}

/// Returns the records that the core does not interpret, and those it would write differently.
fn kept(report: &Report, draft: &Draft) -> Vec<String> {
    let mut others = Report {
        national: report.national.clone(),
        extensions: report.extensions.clone(),
        ..Report::default()
    };
    others.header.ranking = report.header.ranking.clone();
    others.header.team_colours = report.header.team_colours.clone();
    others.extensions.rounds = None;
    others.extensions.absent = Vec::new();
    // The event itself holds the accelerations and the forbidden pairings.
    others.extensions.accelerations = Vec::new();
    others.extensions.prohibited = Vec::new();
    others.extensions.initial_colour = None;
    let event = &draft.event;
    let header = &report.header;
    if header.points != scoring::record(&event.scoring, &mut Vec::new()) {
        others.header.points = header.points.clone();
    }
    if header.match_points != scoring::match_record(&event.match_scoring, &mut Vec::new()) {
        others.header.match_points = header.match_points.clone();
    }
    if (header.tie_breaks.clone(), header.standings.clone()) != tie_break_records(&event.tie_breaks)
    {
        others.header.tie_breaks = header.tie_breaks.clone();
        others.header.standings = header.standings.clone();
    }
    let rules = &report.rules;
    if !draft.teams.is_empty() {
        // Records of unpaired rounds are kept until those rounds are paired.
        others.rules = rules_from(rules, draft.rounds.len());
        // Once a team has a bye in a paired round, an empty record 320 is not kept: the export writes it if needed.
        let mut rounds = draft.rounds.values();
        let any_byes = rounds.any(|round| !round.team_byes.is_empty());
        let later = others.rules.team_byes.as_ref();
        if any_byes && later.is_some_and(|byes| byes.teams.is_empty()) {
            others.rules.team_byes = None;
        }
    }
    others.rules.accelerations.clear();
    others.rules.prohibited.clear();
    others.rules.abnormal.clear();
    let raw = record_lines(&others).into_iter();
    raw.map(|line| format!("record {line}")).collect()
}

/// Returns the rules without the byes, board orders and forfeited matches of the first `rounds` rounds.
pub(super) fn rules_from(rules: &report::Rules, rounds: usize) -> report::Rules {
    let later = |round: u16| usize::from(round) > rounds;
    let mut rules = rules.clone();
    rules.byes.retain(|byes| later(byes.round));
    rules.orders.retain(|order| later(order.round));
    rules.forfeited.retain(|forfeit| later(forfeit.round));
    if let Some(byes) = &mut rules.team_byes {
        for team in byes.teams.iter_mut().take(rounds) {
            *team = None;
        }
        while byes.teams.last().is_some_and(Option::is_none) {
            byes.teams.pop();
        }
    }
    rules
}

fn players(report: &Report, notes: &[Note]) -> BTreeMap<PlayerNo, Player> {
    let mut players: BTreeMap<PlayerNo, Player> = BTreeMap::new();
    for line in &report.players {
        let no = PlayerNo(line.number);
        let mut player = Player::new(no, &line.name);
        player.sex = line.sex;
        player.title = line.title.clone();
        player.rating = line.rating.filter(|rating| *rating > 0);
        player.federation = line.federation.clone();
        player.fide_id = line.fide_id.parse().ok();
        player.birth = shown(line.birth);
        players.insert(no, player);
    }
    for note in notes {
        match note {
            Note::Enters(no, round) => {
                if let Some(player) = players.get_mut(&PlayerNo(*no)) {
                    player.enters = RoundNo((*round).max(1));
                }
            }
            Note::Leaves(no, round) => {
                if let Some(player) = players.get_mut(&PlayerNo(*no)) {
                    player.leaves = Some(RoundNo(*round));
                }
            }
            Note::Boards(..) | Note::Matches(..) => (),
        }
    }
    players
}

fn individual(
    report: &Report,
    index: usize,
    before: &BTreeMap<PlayerNo, i64>,
    remarks: &mut Vec<Remark>,
) -> DraftRound {
    let mut round = DraftRound::default();
    let mut boards = Vec::new();
    let mut seated = BTreeSet::new();
    let mut forfeits: BTreeMap<Bye, Vec<usize>> = BTreeMap::new();
    let by_number = report.by_number();
    for player in &report.players {
        let cell = player.cells.get(index).copied().unwrap_or_default();
        let no = PlayerNo(player.number);
        if let Some(opponent) = cell.opponent {
            if seated.contains(&opponent) {
                continue;
            }
            seated.insert(player.number);
            let theirs = by_number.get(&opponent);
            let theirs = theirs.and_then(|other| other.cells.get(index));
            boards.push(seats(no, cell, PlayerNo(opponent), theirs.copied()));
            continue;
        }
        let (bye, forfeited) = match cell.letter {
            Some(Letter::ForfeitWin) => (Bye::Full, true),
            Some(Letter::ForfeitLoss) => (Bye::Zero, true),
            letter => match letter.and_then(Letter::bye) {
                Some(bye) => (bye, false),
                None => continue,
            },
        };
        if forfeited {
            forfeits.entry(bye).or_default().push(player.line.0);
        }
        round.byes.insert(no, bye);
    }
    let no = RoundNo(number(index + 1));
    remarks.extend(forfeits.into_iter().map(|(bye, lines)| {
        let round = no;
        GamesRemark::ForfeitsAsByes { round, bye, lines }.into()
    }));
    boards.sort_by_key(|seats| pairing_order(seats, before));
    round.boards = (1..).map(BoardNo).zip(boards).collect();
    round
}

/// Adds the points that each player scored in a round, in hundredths.
fn add_scores(scores: &mut BTreeMap<PlayerNo, i64>, round: &DraftRound, scoring: &Scoring) {
    for seats in round.boards.values() {
        for side in Side::BOTH {
            let points = seats.result.and_then(|result| result.points(side, scoring));
            if let (Some(player), Some(points)) = (seats.player(side), points) {
                *scores.entry(player).or_default() += points.hundredths();
            }
        }
    }
    for (player, bye) in &round.byes {
        *scores.entry(*player).or_default() += bye.points(scoring).hundredths();
    }
}

/// Returns the sort key for the order in which pairings are published (C.04.2). It consists of the higher score, the
/// sum of both scores, and the number of the player with the higher score.
fn pairing_order(seats: &Seats, before: &BTreeMap<PlayerNo, i64>) -> (i64, i64, PlayerNo) {
    let of = |player: Option<PlayerNo>| {
        let player = player.unwrap_or(PlayerNo(u16::MAX));
        (-before.get(&player).copied().unwrap_or(0), player)
    };
    let (white, black) = (of(seats.white), of(seats.black));
    let better = white.min(black);
    (better.0, white.0 + black.0, better.1)
}

fn grant(report: &Report, paired: usize, draft: &mut Draft) {
    if matches!(draft.event.contest, Contest::Teams { .. }) {
        return;
    }
    let mut grants: Vec<(u16, u16, Bye)> = Vec::new();
    for player in &report.players {
        for (index, cell) in player.cells.iter().enumerate().skip(paired) {
            grants.extend(cell.letter.map(|letter| {
                let bye = letter.bye().unwrap_or(Bye::Zero);
                (player.number, number(index + 1), bye)
            }));
        }
    }
    for byes in &report.rules.byes {
        let who = byes.who.iter();
        grants.extend(who.map(|who| (*who, byes.round, byes.kind)));
    }
    let next = number(paired + 1);
    let absent = report.extensions.absent.iter();
    grants.extend(absent.map(|who| (*who, next, Bye::Zero)));
    for (who, round, bye) in grants {
        let round = RoundNo(round);
        let open = !draft.rounds.contains_key(&round) && round.0 <= draft.event.rounds;
        if let Some(player) = draft.players.get_mut(&PlayerNo(who)).filter(|_| open) {
            // A player's line takes precedence over records 240 and XXZ.
            player.byes.entry(round).or_insert(bye);
        }
    }
}

/// Renumbers the boards as a note states, provided that the note names each board.
fn renumber(round: &mut DraftRound, numbers: &[(u16, u16)]) {
    let mut boards = BTreeMap::new();
    for (board, player) in numbers {
        if let Some((_, seats)) = round.board_of(PlayerNo(*player)) {
            boards.insert(BoardNo((*board).max(1)), *seats);
        }
    }
    let seats = boards.values();
    let players = seats.filter_map(|seats: &Seats| seats.players().next());
    let players: BTreeSet<PlayerNo> = players.collect();
    if boards.len() == round.boards.len() && players.len() == boards.len() {
        round.boards = boards;
    }
}
