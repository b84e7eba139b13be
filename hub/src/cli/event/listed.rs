//! Searches the FIDE list and copies a listed player's data to a player of the event. Owns the choice of fields.

use std::collections::BTreeMap;

use proto::event::Sex as WireSex;
use proto::grpc::{FidePlayer, RateOfPlay, SearchFideListRequest};

use super::super::fide;
use super::super::output::Result;
use super::hub::Hub;
use crate::fide_list::fold::{Spelling, words};
use tournament::{Player, Sex};

pub(super) type Listed = (Vec<FidePlayer>, RateOfPlay);

/// Searches the FIDE list; `None` if the hub has no list.
pub(super) async fn search(
    hub: &mut Hub,
    request: SearchFideListRequest,
) -> Result<Option<Listed>> {
    match hub.client.search_fide_list(request).await {
        Ok(found) => {
            let found = found.into_inner();
            let rate = found.rate();
            Ok(Some((found.players, rate)))
        }
        Err(status) if fide::is_no_list(&status) => Ok(None),
        Err(status) => Err(status.into()),
    }
}

pub(super) async fn lookup(hub: &mut Hub, fide_ids: Vec<u64>) -> Result<Option<Listed>> {
    let request = SearchFideListRequest {
        fide_ids,
        ..SearchFideListRequest::default()
    };
    search(hub, request).await
}

/// Returns the players with these FIDE IDs, keyed by ID; `None` if the hub has no list.
pub(super) async fn by_number(
    hub: &mut Hub,
    mut ids: Vec<u64>,
) -> Result<Option<(BTreeMap<u64, FidePlayer>, RateOfPlay)>> {
    if ids.is_empty() {
        // Look up an ID that is never assigned, to learn whether the hub has a list.
        ids.push(0);
    }
    let found = lookup(hub, ids).await?;
    Ok(found.map(|(players, rate)| {
        let players = players.into_iter().map(|player| (player.fide_id, player));
        (players.collect(), rate)
    }))
}

/// Returns the FIDE list's players with this name (see [`is_same_name`]) and federation; an empty `federation` matches every federation. Returns
/// an empty list if the hub has no FIDE list.
pub(super) async fn of_name(
    hub: &mut Hub,
    name: &str,
    federation: &str,
) -> Result<Vec<FidePlayer>> {
    let request = SearchFideListRequest {
        text: name.to_owned(),
        federation: federation.to_owned(),
        limit: 100,
        ..SearchFideListRequest::default()
    };
    let (mut players, _) = search(hub, request).await?.unwrap_or_default();
    players.retain(|player| is_same_name(name, &player.name));
    Ok(players)
}

/// Returns true if two names consist of the same words, regardless of order, case and accents. `one` is compared in both spellings, so that Müller
/// matches Muller and Mueller; `other` only without its accents.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    let sorted = |text: &str, spelling: Spelling| {
        let mut words = words(text, spelling);
        words.sort_unstable();
        words
    };
    let other = sorted(other, Spelling::Bare);
    let spellings = [Spelling::Bare, Spelling::SpeltOut];
    !other.is_empty()
        && spellings
            .into_iter()
            .any(|spelling| sorted(one, spelling) == other)
}

pub(super) fn rating(listed: &FidePlayer, rate: RateOfPlay) -> Option<u16> {
    let rating = match rate {
        RateOfPlay::Unspecified | RateOfPlay::Standard => listed.standard,
        RateOfPlay::Rapid => listed.rapid,
        RateOfPlay::Blitz => listed.blitz,
    };
    rating.and_then(|rating| u16::try_from(rating).ok())
}

fn sex(listed: &FidePlayer) -> Option<Sex> {
    match listed.sex() {
        WireSex::Unspecified => None,
        WireSex::Male => Some(Sex::Male),
        WireSex::Female => Some(Sex::Female),
    }
}

pub(super) fn fill(player: &mut Player, listed: &FidePlayer, rate: RateOfPlay) {
    let birth = match listed.birth_year {
        0 => String::new(),
        year => year.to_string(),
    };
    for (field, listed) in [
        (&mut player.name, &listed.name),
        (&mut player.title, &listed.title),
        (&mut player.federation, &listed.federation),
        (&mut player.birth, &birth),
    ] {
        if field.is_empty() {
            field.clone_from(listed);
        }
    }
    player.sex = player.sex.or(sex(listed));
    player.rating = player.rating.or(rating(listed, rate));
    player.fide_id = player.fide_id.or(Some(listed.fide_id));
}

pub(super) fn renew(player: &mut Player, listed: &FidePlayer, rate: RateOfPlay) {
    player.rating = rating(listed, rate);
    player.title.clone_from(&listed.title);
    fill(player, listed, rate);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_in_any_order_and_spelling() {
        assert!(is_same_name("Jörg Müller", "Mueller, Joerg"));
        assert!(is_same_name("MULLER JORG", "Muller, Jorg"));
        assert!(!is_same_name("Muller, J", "Muller, Jorg"));
        assert!(!is_same_name("", ","));
    }

    #[test]
    fn the_rating_fits_the_rate_of_play_and_known_data_is_kept() {
        let listed = FidePlayer {
            fide_id: 7,
            name: "Hotel, Hana".to_owned(),
            title: "WFM".to_owned(),
            standard: Some(2_100),
            blitz: Some(2_001),
            birth_year: 2_001,
            ..FidePlayer::default()
        };
        let mut player = Player::new(tournament::PlayerNo(1), "Hana H");
        player.birth = "2001/04/30".to_owned();
        fill(&mut player, &listed, RateOfPlay::Blitz);
        assert_eq!(player.name, "Hana H");
        assert_eq!((player.rating, player.fide_id), (Some(2_001), Some(7)));
        assert_eq!(player.birth, "2001/04/30");
        renew(&mut player, &listed, RateOfPlay::Rapid);
        assert_eq!(player.rating, None, "unrated at rapid");
    }
}
