//! The fifty-move rule by era: how many moves without a pawn move or a capture it allowed, and in which endgames.
//!
//! Every row names its source, and states any known contradiction between sources. The procedures decide the claim itself.

use shakmaty::{Board, Color, Rank, Role};

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EraRow {
    /// The era's key, as rule sets name it.
    pub era: &'static str,
    /// The endgame, such as `KRB-KR`; `None` for every position.
    pub endgame: Option<&'static str>,
    /// Number of moves by each player, without a pawn move or a capture, after which a draw may be claimed.
    pub moves: u32,
    /// The condition under which the row applies, or a detail of its application, if there is one.
    pub condition: Option<&'static str>,
    /// The publication from which the row is taken.
    pub source: &'static str,
    /// The contradiction between sources, if there is one.
    pub conflict: Option<&'static str>,
}

impl EraRow {
    /// Returns true if the row has a condition. For an endgame, such a row applies only if the players agreed on it
    /// before their first move.
    pub const fn needs_agreement(&self) -> bool {
        self.condition.is_some()
    }
}

const fn row(
    era: &'static str,
    endgame: Option<&'static str>,
    moves: u32,
    source: &'static str,
) -> EraRow {
    EraRow {
        era,
        endgame,
        moves,
        condition: None,
        source,
        conflict: None,
    }
}

const fn disputed(row: EraRow, conflict: &'static str) -> EraRow {
    EraRow {
        conflict: Some(conflict),
        ..row
    }
}

const HOOPER_WHYLD: &str = "Hooper & Whyld 1992, as cited in “Fifty move rule”";
const HAWORTH: &str = "Haworth, as posted in stmintz.com 97120";

/// The table, oldest era first.
pub const ERAS: [EraRow; 24] = [
    row(
        "1561",
        None,
        50,
        "Ruy López 1561, as cited in “Fifty move rule”",
    ),
    EraRow {
        condition: Some("the count starts at the claim; a capture or pawn move resets it"),
        ..row("1883", None, 50, "London 1883 (liquisearch)")
    },
    row("1928", None, 50, HOOPER_WHYLD),
    disputed(
        row(
            "1928",
            Some("KRB-KR"),
            132,
            "FIDE 1928: twice the 66 moves thought to be required (“Fifty move rule”)",
        ),
        "a different source states it generally: twice the number of moves that theory requires (liquisearch, FIDE 1944)",
    ),
    row("1952", None, 50, HOOPER_WHYLD),
    EraRow {
        condition: Some("the players agree to the extension before the first move"),
        ..row(
            "1952",
            Some("KRB-KR"),
            132,
            "FIDE 1952 (Whitaker & Hartleb 1960, as cited in “Fifty move rule”)",
        )
    },
    EraRow {
        condition: Some("a different number of moves was laid down before the game (article 12.4)"),
        ..row("1974", None, 50, HAWORTH)
    },
    EraRow {
        condition: Some("interpretation of 1978"),
        ..row("1974", Some("KNN-KP"), 100, HAWORTH)
    },
    EraRow {
        condition: Some("interpretation of 1982: pawns on a2 and a3"),
        ..row("1974", Some("KRP-KBP"), 100, HAWORTH)
    },
    row("hundred", None, 50, "“Fifty move rule”"),
    row("hundred", Some("KQ-KBB"), 100, "“Fifty move rule”"),
    row("hundred", Some("KQ-KNN"), 100, "“Fifty move rule”"),
    row("hundred", Some("KBB-KN"), 100, "“Fifty move rule”"),
    row("hundred", Some("KNN-KP"), 100, "“Fifty move rule”"),
    disputed(
        row("hundred", Some("KRB-KR"), 100, "“Fifty move rule”"),
        "75 moves according to Müller & Lamprecht 2001, page 299; both undated",
    ),
    row("hundred", Some("KQP7-KQ"), 100, "“Fifty move rule”"),
    row("1988", None, 50, HOOPER_WHYLD),
    row("1988", Some("KQ-KBB"), 75, HOOPER_WHYLD),
    row("1988", Some("KQ-KNN"), 75, HOOPER_WHYLD),
    row("1988", Some("KBB-KN"), 75, HOOPER_WHYLD),
    disputed(
        row("1988", Some("KNN-KP"), 75, HOOPER_WHYLD),
        "Haworth's list also has KRP-KBP",
    ),
    row("1988", Some("KRB-KR"), 75, HOOPER_WHYLD),
    row("1988", Some("KQP7-KQ"), 75, HOOPER_WHYLD),
    row("1992", None, 50, HOOPER_WHYLD),
];

/// Returns the row that applies to a position in an era: that of its endgame, or the general one; `None` for an unknown era. An endgame's row that
/// needs an agreement applies only if the players `agreed`.
pub fn era_row(era: &str, board: &Board, agreed: bool) -> Option<&'static EraRow> {
    let of_era = || ERAS.iter().filter(|row| row.era == era);
    let special = of_era().find(|row| {
        row.endgame
            .is_some_and(|endgame| is_endgame(board, endgame))
            && (agreed || !row.needs_agreement())
    });
    special.or_else(|| of_era().find(|row| row.endgame.is_none()))
}

/// Returns true if the board has exactly the pattern's men. Either colour may have the left side of the pattern.
/// `P7` is a pawn on its seventh rank.
fn is_endgame(board: &Board, pattern: &str) -> bool {
    let Some((strong, weak)) = pattern.split_once('-') else {
        return false;
    };
    Color::ALL
        .into_iter()
        .any(|color| has_men(board, color, strong) && has_men(board, !color, weak))
}

fn has_men(board: &Board, color: Color, men: &str) -> bool {
    let own = board.by_color(color);
    let named: Vec<Role> = men.chars().filter_map(Role::from_char).collect();
    let counts = Role::ALL.into_iter().all(|role| {
        let wanted = named.iter().filter(|named| **named == role).count();
        (own & board.by_role(role)).count() == wanted
    });
    let seventh = color.fold_wb(Rank::Seventh, Rank::Second);
    let pawns_advanced = !men.ends_with("P7")
        || (own & board.pawns())
            .into_iter()
            .all(|pawn| pawn.rank() == seventh);
    counts && pawns_advanced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scoresheet;
    use shakmaty::Position;

    #[track_caller]
    fn check(fen: &str, expected: [(&str, u32); 5]) {
        let score = match Scoresheet::from_fen(fen) {
            Ok(score) => score,
            Err(error) => panic!("{error}"),
        };
        for (era, moves) in expected {
            let got = era_row(era, score.position().board(), false).map(|row| row.moves);
            assert_eq!(got, Some(moves), "{fen} {era}");
        }
    }

    #[test]
    fn the_endgame_decides_the_number() {
        let general = [
            ("1928", 50),
            ("1952", 50),
            ("hundred", 50),
            ("1988", 50),
            ("1992", 50),
        ];
        check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", general);
        let rook_and_bishop = [
            ("1928", 132),
            ("1952", 50),
            ("hundred", 100),
            ("1988", 75),
            ("1992", 50),
        ];
        check("4k2r/8/8/8/8/8/8/RB2K3 w - - 0 1", rook_and_bishop);
        check("rb2k3/8/8/8/8/8/8/4K2R w - - 0 1", rook_and_bishop);
        let list = [
            ("1928", 50),
            ("1952", 50),
            ("hundred", 100),
            ("1988", 75),
            ("1992", 50),
        ];
        check("4k1q1/P7/8/8/8/8/8/Q3K3 w - - 0 1", list);
        check("4k1q1/8/P7/8/8/8/8/Q3K3 w - - 0 1", general);
        check("q3k3/8/8/8/8/8/p7/4K1Q1 w - - 0 1", list);
    }

    #[test]
    fn an_agreement_before_the_game_extends() {
        let score = Scoresheet::from_fen("4k2r/8/8/8/8/8/8/RB2K3 w - - 0 1");
        let board = score.map(|score| score.position().board().clone());
        let row = board.ok().and_then(|board| era_row("1952", &board, true));
        assert_eq!(row.map(|row| row.moves), Some(132));
        assert_eq!(era_row("1700", &Board::new(), true), None);
    }
}
