//! Moves as typed, scoresheets, repetition and the fifty-move rule.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use laws::{BoardEnd, MoveError, Scoresheet, Unplayable, board_end};
use timing::{BySide, GameResult, Side};

fn at(fen: &str) -> Scoresheet {
    Scoresheet::from_fen(fen).unwrap()
}

#[track_caller]
fn reads(fen: &str, text: &str, san: &str) {
    assert_eq!(
        at(fen).read_without_playing(text).unwrap().san,
        san,
        "{text}"
    );
}

#[track_caller]
fn refuses(fen: &str, text: &str, message: &str) {
    let error = at(fen).read_without_playing(text).unwrap_err();
    assert_eq!(error.to_string(), message);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";

#[test]
fn a_move_is_read_as_scorers_write_it() {
    for text in ["Nf3", "g1f3", "Ng1-f3", "Ng1f3", " Nf3!? ", "N1f3"] {
        reads(START, text, "Nf3");
    }
    for text in ["O-O", "0-0", "o-o", "e1g1", "O-O+"] {
        reads(CASTLING, text, "O-O");
    }
    for text in ["O-O-O", "0-0-0", "e1c1"] {
        reads(CASTLING, text, "O-O-O");
    }
    for text in ["b8=Q", "b8Q", "b8(Q)", "b7b8q", "b7-b8Q", "b8=Q+"] {
        reads(CASTLING, text, "b8=Q+");
    }
    for text in ["exd6", "e5d6", "e5xd6", "exd6 e.p.", "ed6"] {
        reads(CASTLING, text, "exd6");
    }
    reads(CASTLING, "Ra8", "Rxa8+");
    reads(CASTLING, "ba8R", "bxa8=R+");
}

#[test]
fn an_ambiguous_move_names_its_candidates() {
    let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
    refuses(knights, "Nd2", "Nd2 is ambiguous: write Nbd2 or Nfd2");
    reads(knights, "Nbd2", "Nbd2");
    let queens = "2k5/8/8/8/Q6Q/8/8/Q3K3 w - - 0 1";
    let error = at(queens).read_without_playing("Qd4").unwrap_err();
    let MoveError::Ambiguous { candidates, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(candidates.len(), 3, "{candidates:?}");
    for candidate in candidates {
        reads(queens, &candidate, &candidate);
    }
    refuses(
        CASTLING,
        "b8",
        "b8 promotes a pawn: name the piece, b8=Q+, b8=R+, b8=B or b8=N",
    );
}

#[test]
fn an_illegal_move_gives_its_reason() {
    refuses(START, "Nf4", "Nf4 is not legal: no knight can move to f4");
    refuses(
        START,
        "Nxf3",
        "Nxf3 is not legal: there is nothing to capture on f3",
    );
    refuses(
        START,
        "O-O",
        "O-O is not legal: castling is not available (FIDE 3.8.2)",
    );
    refuses(START, "e5", "e5 is not legal: no pawn can move to e5");
    refuses(
        "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
        "Nc3",
        "Nc3 is not legal: it would leave the player's own king in check (FIDE 3.9.2)",
    );
    refuses(
        START,
        "castle",
        "\"castle\" is not a move: write SAN such as Nf3 or exd5, or UCI such as g1f3",
    );
    let mut fools_mate = Scoresheet::new();
    fools_mate.play_movetext("1. f3 e5 2. g4 Qh4#").unwrap();
    assert!(matches!(
        fools_mate.play("a3"),
        Err(MoveError::Illegal {
            why: Unplayable::GameEnded,
            ..
        })
    ));
    assert_eq!(
        board_end(&fools_mate),
        Some(BoardEnd::Checkmate {
            winner: Side::Black
        })
    );
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut score = Scoresheet::new();
    score.play_movetext("1. e4 e5").unwrap();
    let before = score.clone();
    let error = score.play_movetext("2. Ke3 Ke6").unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 2.: Ke3 is not legal: no king can move to e3"
    );
    assert_eq!(score, before);
    score.play("Nf3").unwrap();
    assert_eq!(score.take_back().unwrap().san, "Nf3");
    assert_eq!(score, before);
}

#[test]
fn movetext_of_pgn_is_read() {
    let mut score = Scoresheet::new();
    score
        .play_movetext(
            "1.e4 {best} e5 2. Nf3 $1 (2. f4 exf4 (2... d5)) 2... Nc6 ; a line\n3.Bb5 a6 1/2-1/2",
        )
        .unwrap();
    let sans: Vec<&str> = score.moves().iter().map(|made| &*made.san).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
    assert_eq!(score.moves_made(), BySide { white: 3, black: 3 });
    assert_eq!(
        score.difference(BySide { white: 3, black: 2 }),
        BySide { white: 0, black: 1 }
    );
}

#[test]
fn a_repetition_needs_the_same_possible_moves() {
    let mut score = Scoresheet::new();
    score.play_movetext("1. Nf3 Nf6 2. Ng1 Ng8").unwrap();
    assert_eq!(score.occurrences(), 2);
    score.play_movetext("3. Nf3 Nf6 4. Ng1 Ng8").unwrap();
    assert_eq!(score.occurrences(), 3);
    // A king that has moved and returned has lost its castling rights, so this is a different position.
    let mut kings = at("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1");
    kings.play_movetext("1. Ke2 Ke7 2. Ke1 Ke8").unwrap();
    assert_eq!(kings.occurrences(), 1);
    // After a double step, the position is different only if the capture en passant was legal.
    let quiet = "1. e4 Nf6 2. Nf3 Ng8 3. Ng1 Nf6 4. Nf3 Ng8 5. Ng1";
    let mut no_capture = Scoresheet::new();
    no_capture.play_movetext(quiet).unwrap();
    assert_eq!(no_capture.occurrences(), 3);
    let mut capture = at("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    capture.play_movetext(quiet).unwrap();
    assert_eq!(capture.occurrences(), 2);
    // A pinned pawn cannot capture, so both positions are the same (FIDE 9.2.3.1).
    let mut pinned = at("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
    pinned.play_movetext("1. e4 Ka5 2. Rh3 Ka4 3. Rh4").unwrap();
    assert_eq!(pinned.occurrences(), 2);
}

#[test]
fn automatic_draws_come_on_their_move() {
    let mut fivefold = Scoresheet::new();
    for number in 1..=4 {
        assert_eq!(board_end(&fivefold), None, "{number}");
        fivefold.play_movetext("Nf3 Nf6 Ng1 Ng8").unwrap();
    }
    assert_eq!(board_end(&fivefold), Some(BoardEnd::Fivefold));
    let mut quiet = at("7k/8/8/8/8/8/R7/K7 w - - 148 100");
    quiet.play("Rb2").unwrap();
    assert_eq!(board_end(&quiet), None);
    quiet.play("Kg8").unwrap();
    assert_eq!(board_end(&quiet), Some(BoardEnd::SeventyFiveMoves));
    // Mate on the move that completes the 75 takes precedence (FIDE 9.6.2).
    let mut mate = at("7k/8/6K1/8/8/8/R7/8 w - - 149 100");
    mate.play("Ra8#").unwrap();
    assert_eq!(
        board_end(&mate).map(BoardEnd::result),
        Some(GameResult::WhiteWins)
    );
    assert_eq!(
        board_end(&at("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")),
        Some(BoardEnd::Stalemate)
    );
}
