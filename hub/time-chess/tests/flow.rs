//! Information flow: a player who cannot see a difference receives the same bytes until the difference becomes visible.
//!
//! Plays random games. Turns in which a player is blind fork the game into twins that differ only in details hidden
//! from that player. The test compares the views of that player and of spectators, the offered attempts, and the
//! answers to valid and invalid requests, byte by byte.
//! `TIME_CHESS_GAMES=10000 cargo test -p time-chess --test flow` plays the full number of games.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::BTreeMap;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use time_chess::shakmaty::{Board, Color, Role, Square};
use time_chess::{Attempt, Game, Position, Refusal, Viewer};

const PLIES: usize = 60;
const REQUESTS: usize = 8;

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn square(&mut self) -> Square {
        Square::ALL[self.below(64)]
    }

    fn attempt(&mut self) -> Attempt {
        let promotions = [None, None, None, Some(Role::Queen)];
        Attempt {
            from: self.square(),
            to: self.square(),
            promotion: *self.pick(&promotions),
        }
    }
}

fn games() -> usize {
    let stated = std::env::var("TIME_CHESS_GAMES").ok();
    stated.map_or(200, |text| text.parse().unwrap())
}

#[test]
fn twins_of_random_games_look_the_same_until_the_difference_is_visible() {
    let (mut moves, mut blind) = (0, 0);
    for seed in 0..games() as u64 {
        let mut random = Random(SplitMix64::seed_from_u64(seed));
        let mut game = Game::default();
        for _ in 0..PLIES {
            if game.outcome().is_some() {
                break;
            }
            if let Some(viewer) = game.phase().blind() {
                if game.phase().is_blind_turn() {
                    blind += usize::from(compare_shuffled(&game, viewer, &mut random, seed));
                } else {
                    moves += compare_hidden_moves(&game, viewer, &mut random, seed);
                }
            }
            let attempts = game.position().attempts();
            game.turn(*random.pick(&attempts)).unwrap();
        }
    }
    assert!(moves > games() && blind > games(), "{moves} {blind}");
    println!(
        "{} games, {moves} twins by a hidden move, {blind} by hidden pieces",
        games()
    );
}

/// Groups the hidden moves by their effect on the viewer's own pieces, compares each group, and follows two different moves of a random group.
/// Returns the number of twins compared.
fn compare_hidden_moves(game: &Game, viewer: Color, random: &mut Random, seed: u64) -> usize {
    let mut groups: BTreeMap<String, Vec<Game>> = BTreeMap::new();
    for attempt in game.position().attempts() {
        let mut twin = game.clone();
        twin.play(attempt).unwrap();
        if twin.outcome().is_none() {
            groups.entry(own(&twin, viewer)).or_default().push(twin);
        }
    }
    let mut compared = 0;
    for twins in groups.values() {
        for twin in &twins[1..] {
            same(&twins[0], twin, viewer, seed);
            compared += 1;
        }
    }
    let shared: Vec<&Vec<Game>> = groups.values().filter(|twins| twins.len() > 1).collect();
    if !shared.is_empty() {
        let twins = *random.pick(&shared);
        let first = random.below(twins.len());
        let second = (first + 1 + random.below(twins.len() - 1)) % twins.len();
        let (mut one, mut other) = (twins[first].clone(), twins[second].clone());
        assert_eq!(one.press(), other.press());
        assert!(
            one.position() != other.position(),
            "seed {seed}: the twins are the same game"
        );
        follow(&one, &other, viewer, random, seed);
    }
    compared
}

/// Moves some hidden pieces and changes other data that the viewer cannot see, then follows both positions. Returns
/// false if the shuffled position is impossible or either game is over.
fn compare_shuffled(game: &Game, viewer: Color, random: &mut Random, seed: u64) -> bool {
    let mut board = game.position().board().clone();
    for _ in 0..4 {
        let hidden: Vec<Square> = board.by_color(!viewer).into_iter().collect();
        let (from, to) = (*random.pick(&hidden), random.square());
        if board.piece_at(to).is_none() {
            let piece = board.remove_piece_at(from).unwrap();
            board.set_piece_at(to, piece);
        }
    }
    let fen = game.position().to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let kept = |right: char| right.is_ascii_uppercase() == viewer.is_white();
    let rights: String = fields[2].chars().filter(|right| kept(*right)).collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let counter = random.below(90);
    let shuffled = format!(
        "{} {} {rights} - {counter} {} {}",
        board.board_fen(),
        fields[1],
        fields[5],
        fields[6]
    );
    let Ok(shuffled) = shuffled.parse::<Position>() else {
        return false;
    };
    let one = Game::new(game.position().clone());
    let other = Game::new(shuffled);
    if one.outcome().is_some() || other.outcome().is_some() {
        return false;
    }
    follow(&one, &other, viewer, random, seed);
    true
}

#[test]
fn a_claim_by_the_waiting_player_does_not_tell_whether_the_move_was_made() {
    let mut game = Game::new(Position::default());
    let waiting = !game.position().mover();
    assert_eq!(game.claim_draw(waiting), Err(Refusal::NotOnMove));
    game.play("e7e5".parse().unwrap()).unwrap();
    assert_eq!(game.claim_draw(waiting), Err(Refusal::NotOnMove));
    assert_eq!(game.claim_draw(!waiting), Err(Refusal::AlreadyMoved));
}

fn follow(one: &Game, other: &Game, viewer: Color, random: &mut Random, seed: u64) {
    same(one, other, viewer, seed);
    let offered = one.view(Viewer::Player(viewer)).attempts;
    for _ in 0..REQUESTS {
        let asked = if random.below(3) == 0 {
            random.attempt()
        } else {
            *random.pick(&offered)
        };
        let (mut one, mut other) = (one.clone(), other.clone());
        let (first, second) = (one.play(asked), other.play(asked));
        assert_eq!(first.is_ok(), second.is_ok(), "seed {seed}: {asked}");
        assert_eq!(first.err(), second.err(), "seed {seed}: {asked}");
        let over = one.outcome().is_some() || other.outcome().is_some();
        if over {
            continue;
        }
        assert_eq!(one.claim_draw(viewer), other.claim_draw(viewer));
        if own(&one, viewer) == own(&other, viewer) {
            same(&one, &other, viewer, seed);
        }
    }
    let (mut one, mut other) = (one.clone(), other.clone());
    assert_eq!(one.claim_draw(viewer), other.claim_draw(viewer));
    assert_eq!(one.claim_draw(!viewer), other.claim_draw(!viewer));
    assert_eq!(one.press(), other.press());
    same(&one, &other, viewer, seed);
}

#[track_caller]
fn same(one: &Game, other: &Game, viewer: Color, seed: u64) {
    for viewer in [Viewer::Player(viewer), Viewer::Spectator] {
        let (one, other) = (one.view(viewer).to_string(), other.view(viewer).to_string());
        assert!(one == other, "seed {seed}, {viewer:?}:\n{one}\n{other}");
    }
}

fn own(game: &Game, player: Color) -> String {
    let mut board: Board = game.view(Viewer::Arbiter).board;
    for square in board.by_color(!player) {
        board.discard_piece_at(square);
    }
    board.board_fen().to_string()
}
