//! The possibility of mate "by any possible series of legal moves" (FIDE 6.9), position by position.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use laws::{BoardEnd, MateVerdict, Scoresheet, board_end, can_mate, is_dead_position};
use timing::Side;

fn verdict(fen: &str, side: Side) -> MateVerdict {
    can_mate(Scoresheet::from_fen(fen).unwrap().position(), side)
}

#[track_caller]
fn check(fen: &str, white: bool, black: bool) {
    let got = [Side::White, Side::Black].map(|side| verdict(fen, side).is_possible());
    assert_eq!(got, [white, black], "{fen}");
}

#[test]
fn material_decides_for_each_side() {
    // Each line: a position, whether White can checkmate, and whether Black can.
    check("7k/8/8/8/8/8/8/K7 w - - 0 1", false, false);
    check("7k/8/8/8/8/8/N7/K7 w - - 0 1", false, false);
    check("7k/8/8/8/8/8/B7/K7 w - - 0 1", false, false);
    check("7k/8/8/8/8/8/NN6/K7 w - - 0 1", true, false);
    check("7k/7n/8/8/8/8/N7/K7 w - - 0 1", true, true);
    check("7k/7p/8/8/8/8/N7/K7 w - - 0 1", true, true);
    check("7k/7r/8/8/8/8/N7/K7 w - - 0 1", true, true);
    check("7k/7b/8/8/8/8/N7/K7 w - - 0 1", true, true);
    check("7k/7q/8/8/4N3/8/8/K7 w - - 0 1", false, true);
    check("6k1/6q1/8/8/4B3/8/K7/8 w - - 0 1", false, true);
    check("6k1/6r1/8/8/4B3/8/K7/8 w - - 0 1", false, true);
    check("6k1/6n1/8/8/4B3/8/K7/8 w - - 0 1", true, true);
    check("6k1/6p1/8/8/4B3/8/K7/8 w - - 0 1", true, true);
    // Bishops alone can mate only if they stand on squares of both colours.
    check("6k1/8/8/8/4b3/3B4/K7/8 w - - 0 1", false, false);
    check("6k1/8/8/8/3b4/3B4/K7/8 w - - 0 1", true, true);
    check("7k/8/8/8/8/1B2B3/K7/8 w - - 0 1", true, false);
}

#[test]
fn a_position_can_be_dead_with_material_that_suffices() {
    // Black must capture the queen, which leaves two bare kings.
    let forced = "k7/1Q6/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(
        verdict(forced, Side::White),
        MateVerdict::NotFromThisPosition { positions: 1 }
    );
    assert!(is_dead_position(
        Scoresheet::from_fen(forced).unwrap().position()
    ));
    // With the queen on b6 and White to move, this is an ordinary ending of queen against king.
    assert!(verdict("k7/8/1Q6/8/8/8/8/7K w - - 0 1", Side::White).is_possible());
    // Neither king can pass the wall of pawns.
    let wall = Scoresheet::from_fen("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1").unwrap();
    assert!(is_dead_position(wall.position()));
    assert_eq!(board_end(&wall), Some(BoardEnd::DeadPosition));
    let gap = Scoresheet::from_fen("4k3/8/1p1p1p1p/pPpPpPpP/P3P1P1/8/8/4K3 w - - 0 1").unwrap();
    assert!(!is_dead_position(gap.position()));
}

#[test]
fn a_mate_that_the_search_meets_is_counted() {
    assert_eq!(
        verdict("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", Side::White),
        MateVerdict::Yes { plies: 1 }
    );
    assert_eq!(
        verdict("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", Side::Black),
        MateVerdict::NotWithThisMaterial
    );
    // A lone knight mates a king that is hemmed in by its own pawn.
    assert_eq!(
        verdict("8/8/8/8/1N6/p7/2K5/k7 w - - 0 1", Side::White),
        MateVerdict::Yes { plies: 3 }
    );
    assert_eq!(
        verdict(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Side::White
        ),
        MateVerdict::NotExcluded
    );
}
