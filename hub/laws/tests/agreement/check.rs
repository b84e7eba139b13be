//! Compares one line of `generate.py`'s output with this crate's answers.

use laws::{Scoresheet, material_can_mate, read_move};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position};
use timing::Side;

pub(crate) fn differences(line: &str) -> Vec<String> {
    let fields: Vec<&str> = line.split('\t').collect();
    match fields[..] {
        ["position", fen, sans, ucis, flags] => position(fen, sans, ucis, flags),
        ["game", fen, sans, counts] => game(fen, sans, counts),
        _ => vec![format!("unreadable line: {line}")],
    }
}

fn sorted(mut words: Vec<String>) -> String {
    words.sort();
    words.join(" ")
}

fn position(fen: &str, sans: &str, ucis: &str, flags: &str) -> Vec<String> {
    let score = match Scoresheet::from_fen(fen) {
        Ok(score) => score,
        Err(error) => return vec![error.to_string()],
    };
    let at = score.position();
    let mut found = Vec::new();
    let mut compare = |what: &str, theirs: &str, here: String| {
        if theirs != here {
            found.push(format!(
                "{fen}: {what}: python-chess {theirs:?}, here {here:?}"
            ));
        }
    };
    let legal = at.legal_moves();
    let uci_of = |m| UciMove::from_move(m, CastlingMode::Standard).to_string();
    compare(
        "UCI",
        ucis,
        sorted(legal.iter().map(|m| uci_of(*m)).collect()),
    );
    let mut written = Vec::new();
    for word in sans.split_whitespace() {
        match read_move(at, word) {
            Ok(read) => {
                let again = read_move(at, &uci_of(read));
                compare(
                    "text of UCI",
                    &format!("{:?}", Ok::<_, laws::MoveError>(read)),
                    format!("{again:?}"),
                );
            }
            Err(error) => compare("SAN", word, error.to_string()),
        }
        written.push(word.to_owned());
    }
    let own = legal.iter().map(|m| {
        score
            .read_without_playing(&uci_of(*m))
            .map_or_else(|error| error.to_string(), |next| next.san)
    });
    compare("SAN", sans, sorted(own.collect()));
    let mut own_flags = String::new();
    for (holds, flag) in [
        (at.is_checkmate(), '#'),
        (at.is_stalemate(), '='),
        (!material_can_mate(at.board(), Side::White), 'w'),
        (!material_can_mate(at.board(), Side::Black), 'b'),
    ] {
        if holds {
            own_flags.push(flag);
        }
    }
    if own_flags.is_empty() {
        own_flags.push('-');
    }
    compare("flags", flags, own_flags);
    found
}

fn game(fen: &str, sans: &str, counts: &str) -> Vec<String> {
    let mut score = match Scoresheet::from_fen(fen) {
        Ok(score) => score,
        Err(error) => return vec![error.to_string()],
    };
    for (ply, (san, count)) in sans
        .split_whitespace()
        .zip(counts.split_whitespace())
        .enumerate()
    {
        if let Err(error) = score.play(san) {
            return vec![format!("{fen}: ply {ply}: {error}")];
        }
        let here = format!("{}/{}", score.quiet_plies(), score.occurrences());
        if here != count {
            return vec![format!(
                "{fen}: ply {ply}, {san}: quiet plies/occurrences: python-chess {count}, here {here}"
            )];
        }
    }
    Vec::new()
}
