//! Standings as a table. Owns the columns; must never compute a place.

use super::write;
use crate::{Participant, Standings, Tournament};

/// Writes standings: places, names, points, and one column per tie-break.
pub fn table(tournament: &Tournament, standings: &Standings) -> String {
    let codes = tournament
        .event()
        .tie_breaks
        .iter()
        .map(ToString::to_string);
    let mut header: Vec<String> = [
        "Rank",
        "No",
        "Title",
        "Name",
        "Rating",
        "Federation",
        "Points",
    ]
    .map(str::to_owned)
    .to_vec();
    header.extend(codes);
    let mut rows = vec![header];
    for row in &standings.rows {
        let mut fields = vec![row.rank.to_string()];
        fields.extend(who(tournament, row.who));
        fields.push(row.score.to_string());
        let values = row.values.iter();
        fields.extend(values.map(|value| value.map(|value| value.decimal()).unwrap_or_default()));
        rows.push(fields);
    }
    write(&rows)
}

fn who(tournament: &Tournament, who: Participant) -> [String; 5] {
    match who {
        Participant::Player(no) => match tournament.players().get(&no) {
            Some(player) => [
                no.to_string(),
                player.title.clone(),
                player.name.clone(),
                player
                    .rating
                    .map(|rating| rating.to_string())
                    .unwrap_or_default(),
                player.federation.clone(),
            ],
            None => [
                no.to_string(),
                String::new(),
                String::new(),
                String::new(),
                String::new(),
            ],
        },
        Participant::Team(no) => {
            let team = tournament.teams().get(&no);
            let name = team.map(|team| team.name.clone()).unwrap_or_default();
            let federation = team.map(|team| team.federation.clone()).unwrap_or_default();
            [
                no.to_string(),
                String::new(),
                name,
                String::new(),
                federation,
            ]
        }
    }
}
