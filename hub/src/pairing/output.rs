//! Parses the output of a pairing program: the number of pairs, then each pair as `WHITE BLACK`, with 0 for no opponent. Checks that every player of
//! the round appears once. Must never run a program.

use std::collections::BTreeSet;

use tournament::{BoardNo, Bye, Pairing, Pairings, PlayerNo, RoundNo, Tournament};

/// Parses a program's answer as the pairings of a round, with boards in the order of the answer. The program numbers the players by their places in
/// `order`, from 1.
///
/// # Errors
/// Returns a description of the first fault.
pub fn read(
    text: &str,
    tournament: &Tournament,
    order: &[PlayerNo],
    round: RoundNo,
) -> Result<Pairings, String> {
    let mut lines = text
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let Some(head) = lines.next() else {
        return Err("it is empty".to_owned());
    };
    let count: usize = head.parse().map_err(|_| {
        format!(
            "it begins with {}, not with the number of pairs",
            quoted(head)
        )
    })?;
    let mut pairings = Pairings {
        byes: byes(tournament, round),
        ..Pairings::default()
    };
    let mut seated = BTreeSet::new();
    let mut read = 0;
    for line in lines {
        let (white, black) = pair(line)?;
        let known = |no: PlayerNo| {
            let found = order.get(usize::from(no.0).wrapping_sub(1)).copied();
            found.ok_or_else(|| format!("there is no player {no}"))
        };
        let (white, black) = (known(white)?, black.map(known).transpose()?);
        for no in [Some(white), black].into_iter().flatten() {
            is_to_play(tournament, round, no)?;
            if !seated.insert(no) {
                return Err(format!("player {no} is paired twice"));
            }
        }
        match black {
            Some(black) => {
                let board = u16::try_from(pairings.boards.len() + 1);
                let board = BoardNo(board.map_err(|_| "too many pairs")?);
                pairings.boards.push(Pairing::new(board, white, black));
            }
            None => pairings.byes.push((white, Bye::PairingAllocated)),
        }
        read += 1;
    }
    if read != count {
        return Err(format!("it states {count} pairs but lists {read}"));
    }
    check_complete(tournament, round, &seated, &pairings)?;
    Ok(pairings)
}

/// Parses White and Black; Black is `None` if White has no opponent.
fn pair(line: &str) -> Result<(PlayerNo, Option<PlayerNo>), String> {
    let mut numbers = line.split_whitespace().map(str::parse::<u16>);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(white @ 1..)), Some(Ok(black)), None) => {
            Ok((PlayerNo(white), (black > 0).then_some(PlayerNo(black))))
        }
        _ => Err(format!("{} is not two players' numbers", quoted(line))),
    }
}

fn is_to_play(tournament: &Tournament, round: RoundNo, no: PlayerNo) -> Result<(), String> {
    let Some(player) = tournament.players().get(&no) else {
        return Err(format!("there is no player {no}"));
    };
    match player.bye_in(round) {
        Some(_) => Err(format!(
            "player {no}, {}, does not play this round",
            player.name
        )),
        None => Ok(()),
    }
}

/// Checks that no player of the round is missing, and that at most one of them has no opponent.
fn check_complete(
    tournament: &Tournament,
    round: RoundNo,
    seated: &BTreeSet<PlayerNo>,
    pairings: &Pairings,
) -> Result<(), String> {
    let mut players = tournament.players().values();
    let missing =
        players.find(|player| player.bye_in(round).is_none() && !seated.contains(&player.no));
    if let Some(player) = missing {
        return Err(format!("player {}, {}, is missing", player.no, player.name));
    }
    let byes = pairings.byes.iter();
    let allocated: Vec<String> = byes
        .filter(|(player, _)| seated.contains(player))
        .map(|(player, _)| player.to_string())
        .collect();
    match allocated.len() {
        0 | 1 => Ok(()),
        _ => Err(format!(
            "players {} all have no opponent",
            allocated.join(", ")
        )),
    }
}

fn byes(tournament: &Tournament, round: RoundNo) -> Vec<(PlayerNo, Bye)> {
    let players = tournament.players().values();
    players
        .filter_map(|player| Some((player.no, player.bye_in(round)?)))
        .collect()
}

/// Quotes a line of the answer, shortened to fit into a sentence.
fn quoted(line: &str) -> String {
    const MAX: usize = 60;
    let cut: String = line.chars().filter(|c| !c.is_control()).take(MAX).collect();
    match line.chars().count() > MAX {
        true => format!("`{cut}…`"),
        false => format!("`{cut}`"),
    }
}
