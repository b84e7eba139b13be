//! Checks the players of a rating report. Owns the choice of mandatory columns. Only the FIDE ID is mandatory (TRF16
//! marks its column with R); any other empty column leads only to a remark.

use std::collections::BTreeMap;

use super::finding::{Finding, Problem};
use crate::formats::trf::value;
use crate::{Player, PlayerNo, TITLES, Tournament};

const MAX_NAME_LENGTH: usize = 33;

pub(super) fn check(tournament: &Tournament, findings: &mut Vec<Finding>) {
    if tournament.players().is_empty() {
        findings.push(Finding::missing(Problem::NoPlayers));
    }
    let mut ids: BTreeMap<u64, PlayerNo> = BTreeMap::new();
    for player in tournament.players().values() {
        if let Some(id) = player.fide_id
            && let Some(first) = ids.insert(id, player.no)
        {
            let problem = Problem::SameFideId(first, id.to_string(), player.no);
            findings.push(Finding::missing(problem));
        }
        of_player(player, findings);
    }
}

fn of_player(player: &Player, findings: &mut Vec<Finding>) {
    let (no, name) = (player.no, || player.name.clone());
    if player.fide_id.is_none() {
        findings.push(Finding::missing(Problem::NoFideId(no, name())));
    }
    match value::Date::read(player.birth.trim()) {
        Err(value::InvalidDate) => {
            let problem = Problem::BadBirth(no, player.birth.clone());
            findings.push(Finding::missing(problem));
        }
        Ok(None) => findings.push(Finding::remark(Problem::NoBirth(no, name()))),
        Ok(Some(_)) => (),
    }
    let mut remark = |fine: bool, problem: Problem| {
        if !fine {
            findings.push(Finding::remark(problem));
        }
    };
    remark(player.sex.is_some(), Problem::NoSex(no, name()));
    let federation = player.federation.trim();
    let known = !federation.is_empty();
    remark(known, Problem::NoPlayerFederation(no, name()));
    let title = player.title.as_str();
    let known = title.is_empty() || TITLES.contains(&title);
    remark(known, Problem::UnknownTitle(no, title.to_owned()));
    let short = player.name.chars().count() <= MAX_NAME_LENGTH;
    remark(short, Problem::LongName(no, name()));
    remark(player.name.contains(','), Problem::NameOrder(no, name()));
}
