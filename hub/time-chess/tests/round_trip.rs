//! FEN and PGN are read back as they were written, and errors name their place in the text. A player who sees the board has the moves of ordinary
//! chess.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]
#![expect(
    clippy::result_large_err,
    reason = "the errors of `shakmaty` hold a position"
)]

use proptest::prelude::*;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use time_chess::shakmaty::{CastlingMode, Chess, Color, FromSetup, Move, Position as _, Setup};
use time_chess::{Annotated, Attempt, Game, Note, Outcome, Phase, Position, Reason};

fn random_game(seed: u64, plies: usize) -> Game {
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut game = Game::default();
    for _ in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        let attempts = game.position().attempts();
        let place = random.next_u64() % attempts.len() as u64;
        game.turn(attempts[place as usize]).unwrap();
    }
    game
}

fn outcomes() -> impl Strategy<Value = Option<Outcome>> {
    prop_oneof![
        Just(None),
        Just(Some(Outcome::draw(Reason::Agreement))),
        Just(Some(Outcome::win(Color::White, Reason::Resignation))),
        Just(Some(Outcome::win(Color::Black, Reason::FlagFall))),
        Just(Some(Outcome::win(Color::Black, Reason::Unstated))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_position_of_a_game_survives_its_fen(seed: u64) {
        let game = random_game(seed, 90);
        let mut position = game.start().clone();
        for turn in game.turns() {
            prop_assert_eq!(position.to_string().parse(), Ok(position.clone()));
            position = position.after(turn.result);
        }
    }

    #[test]
    fn an_annotated_game_survives_its_pgn(
        seed: u64,
        plies in 0..90_usize,
        tag in "[^\r\n]{0,40}",
        preface in "[^}]{0,40}",
        comments in prop::collection::vec(("[^}]{0,30}", prop::collection::vec(any::<u8>(), 0..3)), 0..90),
        outcome in outcomes(),
    ) {
        let mut game = random_game(seed, plies);
        if let (Some(outcome), None) = (outcome, game.outcome()) {
            game.conclude(outcome).unwrap();
        }
        let turns = game.turns().len();
        let mut written = Annotated::new(game);
        written.set_tag("Event", &tag).unwrap();
        written.set_preface(&preface).unwrap();
        for (index, (comment, glyphs)) in comments.into_iter().take(turns).enumerate() {
            written.set_note(index, Note { glyphs, comment }).unwrap();
        }
        let text = written.to_string();
        let read: Annotated = text.parse().map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&read, &written, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn a_game_from_any_position_survives_its_pgn(seed: u64, from in 1..60_usize) {
        let start = random_game(seed, from).position().clone();
        let mut game = Game::new(start);
        if game.outcome().is_none() {
            let first = game.position().attempts()[0];
            game.turn(first).unwrap();
        }
        let written = Annotated::new(game);
        prop_assert_eq!(written.to_string().parse(), Ok(written));
    }

    #[test]
    fn no_text_stops_the_readers(text in "\\PC{0,80}", cut in 0..400_usize) {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Annotated>();
        let _ = text.parse::<Attempt>();
        let pgn = Annotated::new(random_game(7, 40)).to_string();
        let damaged: String = pgn.chars().take(cut).chain(text.chars()).collect();
        let _ = damaged.parse::<Annotated>();
        let fen = random_game(7, cut % 40).position().to_string();
        let damaged: String = fen.chars().take(cut).chain(text.chars()).collect();
        let _ = damaged.parse::<Position>();
    }

    #[test]
    fn a_player_who_sees_has_the_moves_of_ordinary_chess(seed: u64) {
        let game = random_game(seed, 90);
        let mut position = game.start().clone();
        for turn in game.turns() {
            let mover = position.mover();
                // `shakmaty` does not expect an en passant square when the check is older than the double step.
                let old_check = position.is_in_check(mover) && position.en_passant().is_some();
                let ordinary = !position.phase().is_blind_turn() && !old_check && !position.is_in_check(!mover);
            if ordinary {
                let mut setup = Setup::empty();
                setup.board = position.board().clone();
                setup.turn = position.mover();
                setup.castling_rights = position.castling_rights();
                setup.ep_square = position.en_passant();
                let chess = Chess::from_setup(setup, CastlingMode::Standard)
                    .or_else(|error| error.ignore_impossible_check())
                    .or_else(|error| error.ignore_invalid_ep_square())
                    .unwrap();
                let sorted = |moves: &[Move]| {
                    let mut texts: Vec<String> = moves.iter().map(|m| format!("{m:?}")).collect();
                    texts.sort();
                    texts
                };
                prop_assert_eq!(sorted(&position.moves()), sorted(&chess.legal_moves()), "{}", position);
            }
            position = position.after(turn.result);
        }
    }
}

#[test]
fn faults_of_a_fen_name_their_column() {
    let board = "4k3/8/8/8/8/8/8/4K3";
    #[rustfmt::skip]
    let cases: &[(&str, &str)] = &[
        ("4k3/8/8/8/8/8/8/4X3 b - - 0 1 dawn", "column 18: `X` is neither a piece nor a number from 1 to 8"),
        ("4k3/8/8/7/8/8/8/4K3 b - - 0 1 dawn", "column 9: this rank does not have eight squares"),
        ("4k3/8/8/8/8/8/8/8/4K3 b - - 0 1 dawn", "column 19: the board does not have eight ranks"),
        ("4k3/8/8/8/8/8/4K3 b - - 0 1 dawn", "column 1: the board does not have eight ranks"),
        (&format!("{board} x - - 0 1 dawn"), "column 21: the side is neither `b` nor `w`"),
        (&format!("{board} w - - 0 1 dawn"), "column 21: white does not move at dawn"),
        (&format!("{board} b QK - 0 1 dawn"), "column 23: castling must be `-` or some of `KQkq`, each once and in this order"),
        (&format!("{board} b K - 0 1 dawn"), "column 23: a castling right needs its king and rook on their original squares"),
        (&format!("{board} b - e9 0 1 dawn"), "column 25: en passant must be `-` or a square"),
        (&format!("{board} b - e3 0 1 dawn"), "column 25: no double step of the previous turn passed over the en passant square"),
        (&format!("{board} b - - x 1 dawn"), "column 27: a counter must be a number up to 1000000; the move number begins at 1"),
        (&format!("{board} b - - 0 0 dawn"), "column 29: a counter must be a number up to 1000000; the move number begins at 1"),
        (&format!("{board} b - - 0 1 noon"), "column 31: `noon` is not a phase: write dawn, midday, evening, dusk, midnight or morning"),
        (&format!("{board} b - - 0 1"), "column 30: the phase is missing: write board, side, castling, en passant, two counters and the phase"),
        (&format!("{board} b - - 0 1 dawn x"), "column 36: there is text after the phase: remove it"),
        ("", "column 1: the board is missing: write board, side, castling, en passant, two counters and the phase"),
        ("8/8/8/8/8/8/8/4K3 b - - 0 1 dawn", "column 1: each side needs exactly one king"),
        ("4k2P/8/8/8/8/8/8/4K3 b - - 0 1 dawn", "column 1: a pawn stands on the first or last rank"),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 b - - 0 1 dawn", "column 1: a side has more than 16 pieces, or more promoted pieces than missing pawns"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 midday", "column 1: the player to move attacks the opponent's king, which is possible only at dawn or dusk, after a blind turn"),
    ];
    for (fen, expected) in cases {
        let error = fen.parse::<Position>().unwrap_err();
        assert_eq!(error.to_string(), *expected, "{fen}");
    }
    let exposed = "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1 dusk";
    assert_eq!(exposed.parse::<Position>().unwrap().phase(), Phase::Dusk);
}

#[test]
fn a_pgn_tells_attempts_and_what_became_of_them() {
    let fen = "4k3/8/n7/3p4/3P4/8/8/R3K3 w - - 0 9 morning";
    let mut game = Game::new(fen.parse().unwrap());
    for attempt in ["a1a8", "e8e7", "a6a7", "d5c4", "a7b7", "e7d6", "d4d5"] {
        game.turn(attempt.parse().unwrap()).unwrap();
    }
    let mut written = Annotated::new(game);
    written.set_tag("White", "O'Hara \"Rook\" \\").unwrap();
    let comment = "too far".to_owned();
    let glyphs = vec![2];
    written.set_note(0, Note { glyphs, comment }).unwrap();
    let expected = r#"[White "O'Hara \"Rook\" \\"]
[Result "*"]
[Variant "Time Chess"]
[SetUp "1"]
[FEN "4k3/8/n7/3p4/3P4/8/8/R3K3 w - - 0 9 morning"]
[PlyCount "7"]

9. Rxa6 $2 {[%attempt a1a8] too far} 9... Ke7 10. Ra7+ -- {[%attempt d5c4]} 11.
Rb7+ Kd6 12. -- {[%attempt d4d5]} *
"#;
    assert_eq!(written.to_string(), expected);
    assert_eq!(expected.parse(), Ok(written));
}

#[test]
fn a_pgn_that_contradicts_the_rules_is_refused() {
    let tags = "[Variant \"Time Chess\"]\n\n";
    #[rustfmt::skip]
    let cases: &[(&str, &str)] = &[
        ("", "the text has no game"),
        ("[Variant \"Atomic\"]\n\n*", "the tag Variant is `Atomic`, not `Time Chess`"),
        ("[Variant \"Time Chess\"]\n[FEN \"8\"]\n\n*", "the tag FEN: column 1: the board does not have eight ranks"),
        (&format!("{tags}1... e4 *"), "turn 1 (dawn), e4: no piece can make this move here"),
        (&format!("{tags}1... e5 2. e4 -- *"), "turn 3 (evening), --: a forfeited turn needs its attempt: {[%attempt a2a4]}"),
        (&format!("{tags}1... e5 2. e4 -- {{[%attempt e5e3]}} *"), "turn 3 (evening), --: e5e3 is not possible here: choose a move from the list of attempts"),
        (&format!("{tags}1... e5 2. e4 -- {{[%attempt d8h4]}} *"), "turn 3 (evening), --: the attempt d8h4 leads to Qh4"),
        (&format!("{tags}1... e5 2. e4 -- {{[%attempt e5}} *"), "turn 3 (evening), --: `[%attempt` has no closing `]`"),
        (&format!("{tags}1... e5 2. e4 -- {{[%attempt e5]}} *"), "turn 3 (evening), --: `e5` is not a move in coordinates: write e2e4, or e7e8q for a promotion"),
        (&format!("{tags}1... e5 {{a}} 2. d4 d6 3. d5 d6 *"), "turn 5 (midnight), d6: no piece can make this move here"),
        ("[Variant \"Time Chess\"]\n[Result \"1-0\"]\n\n1... e5 0-1", "the result is 0-1, but the tag Result is 1-0"),
        ("[Variant \"Time Chess\"]\n[PlyCount \"2\"]\n\n1... e5 *", "the tag PlyCount is `2`, but 1 turns can be read: the file is damaged"),
        ("[Variant \"Time Chess\"]\n[Termination \"checkmate\"]\n\n1... e5 1-0", "the result is 1-0 checkmate, but the rules alone decide checkmate"),
        (&format!("{tags}1... e5 *\n\n{tags}*"), "the text has more than one game: give one at a time"),
        (&format!("{tags}1... e5 {{open"), "the PGN cannot be read: unterminated comment"),
    ];
    for (pgn, expected) in cases {
        let error = pgn.parse::<Annotated>().unwrap_err();
        assert_eq!(error.to_string(), *expected, "{pgn}");
    }
}

#[test]
fn texts_that_pgn_cannot_carry_are_refused() {
    let mut annotated = Annotated::new(random_game(1, 2));
    let note = |comment: &str| Note {
        glyphs: Vec::new(),
        comment: comment.to_owned(),
    };
    assert!(annotated.set_note(0, note("a } b")).is_err());
    assert!(annotated.set_note(0, note("[%attempt a1a2]")).is_err());
    assert!(annotated.set_note(2, note("late")).is_err());
    assert!(annotated.set_tag("Bad name", "x").is_err());
    assert!(annotated.set_tag("FEN", "x").is_err());
    assert!(annotated.set_tag("Event", "a\nb").is_err());
    assert_eq!(annotated, Annotated::new(random_game(1, 2)));
}
