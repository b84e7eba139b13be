//! Writes a [`Report`] as a file. Owns the order of records and the places of kept lines; must never change a record's
//! content.

use std::collections::BTreeMap;

use super::report::{Extensions, Kept, Player, PointCode, Report, Rules, old_teams};
use super::{extension, header, player, rules, team};
use crate::formats::omission::Omission;

/// An edition of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// TRF16, with JaVaFo's extensions instead of some records of TRF26.
    Trf16,
    /// TRF26, FIDE's edition of 2026.
    Trf26,
}

/// A written file and its omissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The whole file, in lines that end with CR LF.
    pub text: String,
    /// Data that the file leaves out, shortens, or holds only in a comment for Flagfall.
    pub lost: Vec<Omission>,
}

impl Written {
    /// Adds `lost`, the data lost before writing, to the start of the list of lost data.
    pub(in crate::formats) fn after(self, mut lost: Vec<Omission>) -> Self {
        lost.extend(self.lost);
        Self { lost, ..self }
    }
}

/// The records that follow the tournament section, in their usual order; `NRS` stands for the records of national
/// federations. The order of an imported file takes precedence.
const BODY: [&str; 11] = [
    "001", "NRS", "013", "310", "240", "250", "260", "299", "300", "320", "330",
];

/// The prefix of a comment that holds a record unknown to TRF16. Other programs skip such comments.
pub(super) const COMMENTED: &str = "### Flagfall record ";

/// Returns every tag that this program reads, except those of national federations.
pub(super) fn tags() -> impl Iterator<Item = &'static str> {
    let all = header::TAGS.iter().chain(&extension::TAGS).chain(&BODY);
    all.copied().filter(|tag| *tag != "NRS")
}

const ONLY_TRF26: [&str; 10] = [
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "352",
];

/// Writes a report in an edition of the format, with the kept lines in their places.
pub fn write(report: &Report, edition: Edition) -> Written {
    let mut lost = Vec::new();
    let (older, newer);
    let (report, comments) = match edition {
        Edition::Trf26 => (report, Vec::new()),
        Edition::Trf16 => {
            (older, newer) = as_trf16(report, &mut lost);
            let records = records(&newer, &mut lost);
            (&older, laid_out(&records, &Kept::default()))
        }
    };
    let records = records(report, &mut lost);
    let mut lines = laid_out(&records, &report.kept);
    lines.extend(comments.iter().map(|line| format!("{COMMENTED}{line}")));
    let text = lines.into_iter().map(|line| line + "\r\n").collect();
    Written { text, lost }
}

/// Writes a report for a rating officer: only FIDE's records, without the records of pairing programs, comments or kept
/// lines. In TRF16, the records that only TRF26 has are left out and not listed as lost.
pub fn write_for_rating(report: &Report, edition: Edition) -> Written {
    let mut report = match edition {
        Edition::Trf26 => report.clone(),
        Edition::Trf16 => as_trf16(report, &mut Vec::new()).0,
    };
    report.extensions = Extensions::default();
    report.kept = Kept::default();
    write(&report, Edition::Trf26)
}

pub(in crate::formats) fn record_lines(report: &Report) -> Vec<String> {
    let records = records(report, &mut Vec::new());
    laid_out(&records, &Kept::default())
}

/// Returns the tags of a report's records in their usual order, even if the original file has a different order.
pub(in crate::formats) fn plain_order(report: &Report) -> Vec<String> {
    order(&records(report, &mut Vec::new()), &Kept::default())
}

fn records(report: &Report, lost: &mut Vec<Omission>) -> Records {
    let mut records = Records::new();
    for tag in header::TAGS {
        put(&mut records, tag, header::write(tag, &report.header, lost));
    }
    let players = report.players.iter();
    let players = players.map(|player| player::write("001", player, lost));
    put(&mut records, "001", players);
    for national in &report.national {
        let line = player::write(&national.federation, &national.player, lost);
        put(&mut records, &national.federation, [line]);
    }
    let teams = report.teams.iter().map(|team| team::write(team, lost));
    put(&mut records, "310", teams);
    let teams = report.old_teams.iter();
    let teams = teams.map(|team| team::write_old(team, lost));
    put(&mut records, "013", teams);
    put_rules(&mut records, &report.rules, lost);
    for tag in extension::TAGS {
        let lines = extension::write(tag, &report.extensions, lost);
        put(&mut records, tag, lines);
    }
    records
}

fn put_rules(records: &mut Records, rules: &Rules, lost: &mut Vec<Omission>) {
    let byes = rules.byes.iter();
    put(records, "240", byes.map(|of| rules::write_byes(of, lost)));
    let accelerations = rules.accelerations.iter();
    let accelerations = accelerations.map(|of| rules::write_acceleration(of, lost));
    put(records, "250", accelerations);
    let prohibited = rules.prohibited.iter();
    let prohibited = prohibited.map(|of| rules::write_prohibited(of, lost));
    put(records, "260", prohibited);
    let abnormal = rules.abnormal.iter();
    let abnormal = abnormal.filter_map(|of| rules::write_abnormal(of, lost));
    put(records, "299", abnormal);
    let orders = rules.orders.iter();
    put(records, "300", orders.map(|of| team::write_order(of, lost)));
    let team_byes = rules.team_byes.iter();
    put(
        records,
        "320",
        team_byes.map(|of| team::write_byes(of, lost)),
    );
    let forfeited = rules.forfeited.iter();
    put(
        records,
        "330",
        forfeited.map(|of| team::write_forfeit(of, lost)),
    );
}

type Records = BTreeMap<String, Vec<String>>;

fn put(records: &mut Records, tag: &str, lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter().peekable();
    if lines.peek().is_some() {
        records.entry(tag.to_owned()).or_default().extend(lines);
    }
}

/// Returns the lines of all records in the order of the original file. New records go in their usual places, and kept
/// lines stay in their original places.
fn laid_out(records: &Records, kept: &Kept) -> Vec<String> {
    let mut places: BTreeMap<(&str, u32), Vec<String>> = BTreeMap::new();
    for line in &kept.lines {
        let place = places.entry((line.after.as_str(), line.nth)).or_default();
        place.push(line.text.clone());
    }
    let mut lines = places.remove(&("", 0)).unwrap_or_default();
    for tag in &order(records, kept) {
        let of_tag = records.get(tag).map(Vec::as_slice).unwrap_or_default();
        for (line, nth) in of_tag.iter().zip(1_u32..) {
            lines.push(line.clone());
            lines.extend(places.remove(&(tag.as_str(), nth)).unwrap_or_default());
        }
        // Lines after a record that no longer exists stay close to its place.
        let orphans = places.extract_if(.., |(after, _), _| after == tag);
        lines.extend(orphans.flat_map(|(_, lines)| lines));
    }
    lines
}

fn order(records: &Records, kept: &Kept) -> Vec<String> {
    let mut order = kept.order.clone();
    let usual = usual_order(records);
    for (index, tag) in usual.iter().enumerate() {
        if order.contains(tag) {
            continue;
        }
        let mut before = usual.iter().take(index).rev();
        let place = before.find_map(|tag| order.iter().position(|known| known == tag));
        order.insert(place.map_or(0, |place| place + 1), tag.clone());
    }
    let kept_after = kept.lines.iter().map(|line| &line.after);
    for tag in kept_after.filter(|tag| !tag.is_empty()) {
        if !order.contains(tag) {
            order.push(tag.clone());
        }
    }
    order
}

fn usual_order(records: &Records) -> Vec<String> {
    let known = |tag: &str| {
        header::TAGS.contains(&tag) || BODY.contains(&tag) || extension::TAGS.contains(&tag)
    };
    let national = || records.keys().filter(|tag| !known(tag)).cloned();
    let mut usual = Vec::new();
    for tag in header::TAGS.iter().chain(&extension::TAGS).chain(&BODY) {
        match *tag {
            "NRS" => usual.extend(national()),
            tag if records.contains_key(tag) => usual.push(tag.to_owned()),
            _ => (),
        }
    }
    usual
}

/// Returns the report with JaVaFo's extensions instead of TRF26's records, and a second report with the records that
/// the extensions cannot express.
fn as_trf16(report: &Report, lost: &mut Vec<Omission>) -> (Report, Report) {
    let mut older = report.clone();
    let mut newer = Report::default();
    let header = &mut older.header;
    let extensions = &mut older.extensions;
    extensions.rounds = extensions.rounds.or(header.rounds.take());
    let first = header.initial_colour.take();
    // JaVaFo's extension states the colour of the first player, as record 152 does.
    extensions.initial_colour = extensions.initial_colour.or(first);
    let has_points = !extensions.points.is_empty();
    for (code, value) in std::mem::take(&mut header.points) {
        for name in older_codes(code).iter().filter(|_| !has_points) {
            extensions.points.push(((*name).to_owned(), value));
        }
    }
    let moved = &mut newer.header;
    moved.ranking = header.ranking.take();
    moved.program = header.program.take();
    moved.coded_kind = header.coded_kind.take();
    moved.tie_breaks = std::mem::take(&mut header.tie_breaks);
    moved.standings = std::mem::take(&mut header.standings);
    moved.time_control = header.time_control.take();
    moved.team_colours = std::mem::take(&mut header.team_colours);
    moved.match_points = std::mem::take(&mut header.match_points);
    newer.national = std::mem::take(&mut older.national);
    newer.rules = std::mem::take(&mut older.rules);
    let last = report.rounds();
    let (always, sometimes): (Vec<_>, Vec<_>) =
        newer.rules.prohibited.drain(..).partition(|prohibited| {
            let (first, end) = prohibited.rounds;
            first.0 == 1 && last.is_none_or(|last| end.0 >= last)
        });
    newer.rules.prohibited = sometimes;
    let players = always.into_iter().map(|prohibited| prohibited.participants);
    extensions.prohibited.extend(players);
    newer.teams = std::mem::take(&mut older.teams);
    if older.old_teams.is_empty() {
        older.old_teams = old_teams(&newer.teams);
    }
    let moved = plain_order(&newer).into_iter();
    lost.extend(moved.map(Omission::OnlyInComment));
    let order = &mut older.kept.order;
    order.retain(|tag| !ONLY_TRF26.contains(&tag.as_str()));
    (older, newer)
}

/// Returns JaVaFo's codes for a code of record 162.
fn older_codes(code: PointCode) -> &'static [&'static str] {
    match code {
        PointCode::Win => &["W"],
        PointCode::Draw => &["D"],
        PointCode::Loss => &["WL", "BL"],
        PointCode::Absence => &["ZPB", "FL"],
        PointCode::PairingBye => &["PAB"],
        PointCode::Unknown => &[],
    }
}

impl Report {
    /// Returns the edition of the format that the report's records suggest.
    pub fn edition(&self) -> Edition {
        let header = &self.header;
        let newer = header.rounds.is_some()
            || header.initial_colour.is_some()
            || header.coded_kind.is_some()
            || !header.points.is_empty()
            || !header.tie_breaks.is_empty()
            || header.time_control.is_some()
            || !self.teams.is_empty();
        match newer {
            true => Edition::Trf26,
            false => Edition::Trf16,
        }
    }

    /// Returns the players by number.
    pub fn by_number(&self) -> BTreeMap<u16, &Player> {
        let players = self.players.iter();
        players.map(|player| (player.number, player)).collect()
    }
}
