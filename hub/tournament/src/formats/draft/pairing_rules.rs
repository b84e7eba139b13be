//! Forbidden pairings, accelerations and byes of later rounds in a report: records 240, 250 and 260, and JaVaFo's XXA
//! and XXP. Owns their translation in both directions, and the renumbering of kept lines; must never decide a pairing.

use std::collections::BTreeMap;

use super::cells;
use super::model::Draft;
use super::notes;
use crate::fold::MAX_ROUNDS;
use crate::formats::omission::Omission;
use crate::formats::trf::report::{Byes, LineNo, Report};
use crate::formats::trf::scoring::writable_or_lost;
use crate::formats::trf::value::Letter;
use crate::formats::trf::{record_lines, records};
use crate::pairing_rules::{expand_accelerations, merge_accelerations};
use crate::{
    Acceleration, Bye, Contest, Event, Forbidden, Player, PlayerNo, Points, Renumbering, RoundNo,
    TeamNo,
};

pub(super) fn read(report: &Report, event: &mut Event, players: &BTreeMap<PlayerNo, Player>) {
    let rounds = event.rounds;
    let of_record = report.rules.prohibited.iter().map(|rule| {
        let mut rule = rule.clone();
        if rule.rounds.1.0 >= rounds {
            rule.rounds.1 = RoundNo(MAX_ROUNDS);
        }
        rule
    });
    let of_extension = report.extensions.prohibited.iter().map(|who| Forbidden {
        rounds: Forbidden::ALL_ROUNDS,
        participants: who.clone(),
    });
    let rules = of_record.chain(of_extension);
    event.forbidden = rules.filter(|rule| rule.participants.len() > 1).collect();
    event.accelerations = accelerations(report);
    if event.is_baku() {
        let mut baku = event.clone();
        baku.accelerations.clear();
        let derived = expand_accelerations(&baku.accelerations_for(players));
        if derived == expand_accelerations(&event.accelerations) {
            event.accelerations.clear();
        }
    }
}

fn accelerations(report: &Report) -> Vec<Acceleration> {
    let mut all = report.rules.accelerations.clone();
    let mut of_extension = BTreeMap::new();
    for (who, rounds) in &report.extensions.accelerations {
        for (points, round) in rounds.iter().zip((1..).map(RoundNo)) {
            if let Some(points) = points.filter(|points| *points != Points::ZERO) {
                let value = (Some(points), None);
                of_extension.insert((*who, round), value);
            }
        }
    }
    all.extend(merge_accelerations(&of_extension));
    all
}

/// Writes the event's forbidden pairings and accelerations: as records 260 and 250, or as XXP and XXA where the imported
/// file used those and they suffice. Adds to `lost` the acceleration points that the records cannot express.
pub(super) fn write(draft: &Draft, report: &mut Report, lost: &mut Vec<Omission>) {
    let kept = &report.kept;
    let (by_player, unlimited) = (kept.has("XXA") && !kept.has("250"), kept.has("XXP"));
    for rule in &draft.event.forbidden {
        let known = rule.participants.iter().copied();
        let who: Vec<u16> = known.filter(|no| is_known(draft, *no)).collect();
        let last = rule.rounds.1.min(RoundNo(draft.event.rounds));
        if who.len() < 2 || rule.rounds.0 > last {
            continue;
        }
        if unlimited && rule.rounds == Forbidden::ALL_ROUNDS {
            report.extensions.prohibited.push(who);
            continue;
        }
        report.rules.prohibited.push(Forbidden {
            rounds: (rule.rounds.0, last),
            participants: who,
        });
    }
    let kept =
        !report.rules.accelerations.is_empty() || !report.extensions.accelerations.is_empty();
    if kept && draft.event.accelerations.is_empty() {
        // An event from an older log holds the accelerations as kept lines.
        return;
    }
    let all = draft.event.accelerations_for(&draft.players);
    let mut written = |points: Option<Points>| writable_or_lost(points?, lost);
    let records = all.into_iter().map(|given| Acceleration {
        match_points: written(given.match_points),
        points: written(given.points),
        ..given
    });
    if by_player {
        let records: Vec<Acceleration> = records.collect();
        report.extensions.accelerations.extend(of_players(&records));
        return;
    }
    report.rules.accelerations.extend(records);
}

pub(super) fn is_known(draft: &Draft, no: u16) -> bool {
    match draft.event.contest {
        Contest::Individual => draft.players.contains_key(&PlayerNo(no)),
        Contest::Teams { .. } => draft.teams.contains_key(&TeamNo(no)),
    }
}

/// Returns accelerations in the form of record XXA: each player's points for each round.
fn of_players(all: &[Acceleration]) -> Vec<(u16, Vec<Option<Points>>)> {
    let mut lines: BTreeMap<u16, Vec<Option<Points>>> = BTreeMap::new();
    for ((who, round), (points, _)) in expand_accelerations(all) {
        let cells = lines.entry(who).or_default();
        let index = usize::from(round.0).saturating_sub(1);
        cells.resize(index, Some(Points::ZERO));
        cells.push(points);
    }
    lines.into_iter().collect()
}

/// Returns record 240 for the byes requested in unpaired rounds. In the players' lines, checkers would count those rounds
/// as over, and pairing programs would pair the last of them.
pub(super) fn requested_byes(draft: &Draft) -> Vec<Byes> {
    let mut byes: BTreeMap<(RoundNo, char), Byes> = BTreeMap::new();
    for player in draft.players.values() {
        for (round, bye) in &player.byes {
            if is_in_line(draft, *round) {
                continue;
            }
            let record = byes.entry((*round, Letter::Bye(*bye).letter()));
            let record = record.or_insert_with(|| Byes {
                kind: *bye,
                round: round.0,
                who: Vec::new(),
                line: LineNo::default(),
            });
            record.who.push(player.no.0);
        }
    }
    byes.into_values().collect()
}

/// Returns the byes that teams requested for an unpaired round. They come from record 240, which the event holds as a
/// kept line.
pub fn requested_by_teams(event: &Event, round: RoundNo) -> Vec<(TeamNo, Bye)> {
    let raw = notes::records(&event.kept_lines);
    let kept = records(&raw).map_or_else(|_| Vec::new(), |report| report.rules.byes);
    let of_round = kept.iter().filter(|byes| byes.round == round.0);
    of_round
        .flat_map(|byes| byes.who.iter().map(|who| (TeamNo(*who), byes.kind)))
        .collect()
}

/// Returns true if the byes of a round belong in the players' lines rather than in record 240, which cannot name a
/// pairing-allocated bye.
pub(super) fn is_in_line(draft: &Draft, no: RoundNo) -> bool {
    let allocated = |player: &Player| player.byes.get(&no) == Some(&Bye::PairingAllocated);
    matches!(draft.event.contest, Contest::Teams { .. })
        || draft.rounds.contains_key(&no)
        || draft.players.values().any(allocated)
}

/// Moves the byes of record 240 up to the next round into the players' lines, as programs that read TRF16 expect. If a
/// line had a bye for a later round, these programs would pair that round instead.
pub(super) fn byes_in_lines(report: &mut Report, next: RoundNo) {
    let byes = &mut report.rules.byes;
    let due: Vec<Byes> = byes.extract_if(.., |byes| byes.round <= next.0).collect();
    for byes in due {
        let index = usize::from(byes.round).saturating_sub(1);
        for player in &mut report.players {
            if byes.who.contains(&player.number) {
                player.cell_mut(index).letter = Some(Letter::Bye(byes.kind));
            }
        }
    }
}

/// Replaces record 240 for the next round, and record 250, with their forms in TRF16 and its extensions. Leaves the
/// report of a team event unchanged.
pub(super) fn for_trf16(report: &mut Report, next: RoundNo) {
    if report.team_count() > 0 {
        return;
    }
    byes_in_lines(report, next);
    let given = &mut report.rules.accelerations;
    if given.iter().all(|given| given.match_points.is_none()) {
        let lines = of_players(&std::mem::take(given));
        report.extensions.accelerations.extend(lines);
    }
}

fn renumbered_lines(event: &Event, order: &[PlayerNo]) -> Vec<String> {
    let new: BTreeMap<u16, u16> = order.iter().map(|no| no.0).zip(1..).collect();
    let renumber = |no: &mut u16| *no = new.get(no).copied().unwrap_or(*no);
    let individual = event.contest == Contest::Individual;
    let lines = event.kept_lines.iter().flat_map(|line| {
        if let Some(cells) = cells::renumbered(line, renumber) {
            return vec![cells];
        }
        let raw: Vec<&str> = line.strip_prefix("record ").into_iter().collect();
        let Some(mut record) = records(&raw).ok().filter(|_| !raw.is_empty()) else {
            return vec![line.clone()];
        };
        let national = record.national.iter_mut().map(|of| &mut of.player.number);
        let extensions = &mut record.extensions;
        let prohibited = extensions.prohibited.iter_mut().flatten();
        let accelerated = extensions.accelerations.iter_mut().map(|(who, _)| who);
        let rules = &mut record.rules;
        let lined_up = rules.orders.iter_mut().flat_map(|order| &mut order.players);
        let players = national.chain(&mut extensions.absent).chain(prohibited);
        let players = players.chain(accelerated).chain(lined_up.flatten());
        players.for_each(renumber);
        if individual {
            let byes = rules.byes.iter_mut().map(|byes| &mut byes.who);
            let abnormal = rules.abnormal.iter_mut().map(|of| &mut of.participants);
            let prohibited = rules.prohibited.iter_mut();
            let prohibited = prohibited.map(|of| &mut of.participants);
            let participants = byes.chain(abnormal).chain(prohibited).flatten();
            participants.for_each(renumber);
        }
        let lines = record_lines(&record).into_iter();
        lines.map(|line| format!("record {line}")).collect()
    });
    lines.collect()
}

/// Returns the renumbering that gives the first player of `order` number 1. It includes the event's kept lines with the
/// new numbers.
pub fn renumbering(event: &Event, order: Vec<PlayerNo>) -> Renumbering {
    Renumbering {
        kept_lines: renumbered_lines(event, &order),
        order,
    }
}
