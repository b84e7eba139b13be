//! Information flow to a player's connection. Two halls have games that differ only in details that one player may not see. Until the difference
//! becomes visible, both halls must send that player the same bytes and responses at the same instants.
//!
//! Each pair of halls plays the same random days. Then comes a phase in which one player is blind. The opponent makes a different move in each hall,
//! at a different instant, after attempting different impossible moves. Both halls continue until the blind player sees again. The messages of
//! [`PlayerFeed`] and the responses are compared byte by byte, with their instants in virtual time; so is the public view of the board.
//! `PLAYER_FLOW_GAMES=10000 cargo test --profile bench -p hub --test player_flow -- --nocapture` plays 10,000 pairs of games.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use hall::{
    Action, Actor, Ask as _, BoardDetail, BoardId, Hall, HubEffect, Input, PlayerAct,
    PlayerRefusal, PlayerRequest, PressRule, Reply, ReplyId, Request, RequestDigest, Role, StartUp,
};
use hub::api::player::PlayerFeed;
use prost::Message as _;
use proto::ids::CommandId;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::sync::Arc;
use time_chess::shakmaty::{Color, Square};
use time_chess::{Attempt, Game, Viewer, color_of, side_of};
use timing::{Button, Command, Duration, Hub, Instant, Setup, Side, StartRule};

const START: i64 = 1_000_000_000_000;
/// Upper bound, exclusive, of the random number of turns after which the halls diverge at the next hidden turn.
const PREFIX: usize = 40;
/// Maximum number of impossible moves that the opponent attempts before a hidden move.
const STRAYS: usize = 3;

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.0.next_u64() % u64::try_from(limit).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn attempt(&mut self) -> Attempt {
        Attempt {
            from: Square::ALL[self.below(64)],
            to: Square::ALL[self.below(64)],
            promotion: None,
        }
    }
}

/// A message, a response or a public view, with its hub instant in microseconds.
#[derive(Clone, Debug, PartialEq)]
struct Sent(i64, Vec<u8>);

/// A hall with one board for which the hub is the clock, and the connection of one player.
struct World {
    hall: Hall,
    now: Instant<Hub>,
    next_id: u64,
    side: Side,
    feed: PlayerFeed,
    traffic: Vec<Sent>,
    public: Vec<Sent>,
}

impl World {
    fn new(side: Side) -> Self {
        let mut world = Self {
            hall: Hall::new(),
            now: Instant::from_micros(START),
            next_id: 1,
            side,
            feed: PlayerFeed::new(side),
            traffic: Vec::new(),
            public: Vec::new(),
        };
        world.input(Input::StartUp(Box::new(StartUp {
            origin: "flagfall.example/flow".to_owned(),
            event: hall::view::EventView::default(),
            boot: vec![1; 16],
            wall_us: START,
            timeline: "first start".to_owned(),
            bound_us: 0,
            authority_der: Vec::new(),
            voucher_der: Vec::new(),
            nonce_seed: 7,
            scheduled: None,
        })));
        let setup = Setup {
            control: "1h+2s".parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        };
        world.chief(Action::AddBoard(setup, None));
        world.chief(Action::Rules(laws::RuleSet::find("time-chess").unwrap()));
        world.chief(Action::PressRule(PressRule::Page));
        world.chief(Action::Board(Command::Start(None)));
        world
    }

    fn board() -> BoardId {
        "1".parse().unwrap()
    }

    fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    fn detail(&self) -> Arc<BoardDetail> {
        self.hall.detail(&Self::board(), self.now).unwrap()
    }

    fn game(&self) -> Game {
        self.detail().time_chess.as_ref().unwrap().game.clone()
    }

    fn input(&mut self, input: Input) -> Vec<HubEffect> {
        let effects = self.hall.on_input(self.now, input).effects;
        for effect in &effects {
            if let HubEffect::Publish { boards } = effect {
                for board in boards {
                    self.publish(board);
                }
            }
        }
        effects
    }

    /// Publishes a change to the board as the stream to the player's device does.
    fn publish(&mut self, board: &BoardDetail) {
        let now = self.now.as_micros();
        if let Some(update) = self.feed.next("1", Some(board), now) {
            self.traffic.push(Sent(now, update.encode_to_vec()));
        }
        let seen = serde_json::to_vec(&*board.published).unwrap();
        if self.public.last().is_none_or(|last| last.1 != seen) {
            self.public.push(Sent(now, seen));
        }
    }

    /// Lets time pass until `at`, and wakes the hall for its own deadlines in between.
    fn wait_until(&mut self, at: Instant<Hub>) {
        while let Some(due) = self.hall.next_wake().filter(|due| *due <= at) {
            self.now = self.now.max(due);
            self.input(Input::Wake);
        }
        self.now = self.now.max(at);
    }

    fn chief(&mut self, action: Action) {
        let id = self.id();
        let seen_seq = self
            .hall
            .detail(&Self::board(), self.now)
            .map_or(0, |detail| detail.view.seq);
        let request = Request {
            digest: RequestDigest::OWN,
            id: command_id(id),
            actor: Actor {
                name: "chief".to_owned(),
                role: Role::Chief,
            },
            board: Some(Self::board()),
            seen_seq,
            offence: None,
            reason: String::new(),
            action,
        };
        self.input(Input::asked(request, ReplyId(id)));
    }

    /// Sends a player's action and returns the response. A response to the watched player is added to the recorded traffic.
    fn act(&mut self, side: Side, act: PlayerAct) -> Result<(), PlayerRefusal> {
        let id = self.id();
        let request = PlayerRequest {
            id: command_id(id),
            player: side.to_string(),
            board: Self::board(),
            side,
            act,
            digest: RequestDigest::OWN,
        };
        let effects = self.input(Input::asked(request, ReplyId(id)));
        let answer = effects.into_iter().find_map(|effect| {
            if let HubEffect::Reply { reply, answer } = effect
                && reply == ReplyId(id)
            {
                return Some(answer.unwrap());
            }
            None
        });
        let answer: Reply = answer.unwrap();
        let answer = PlayerRequest::answer(answer).unwrap();
        if side == self.side {
            let said = format!("{answer:?}").into_bytes();
            self.traffic.push(Sent(self.now.as_micros(), said));
        }
        answer
    }

    fn turn(&mut self, attempt: Attempt) {
        let side = side_of(self.game().position().mover());
        self.act(side, PlayerAct::Move(attempt)).unwrap();
        if self.game().outcome().is_none() {
            self.act(side, PlayerAct::Press).unwrap();
        }
    }

    /// Returns the watched player's own pieces, which the player always sees.
    fn own_pieces(&self) -> String {
        let mut board = self.game().view(Viewer::Arbiter).board;
        for square in board.by_color(!color_of(self.side)) {
            board.discard_piece_at(square);
        }
        board.board_fen().to_string()
    }
}

fn command_id(number: u64) -> CommandId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    CommandId(id)
}

fn games() -> u64 {
    let stated = std::env::var("PLAYER_FLOW_GAMES").ok();
    stated.map_or(60, |text| text.parse().unwrap())
}

#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    messages: usize,
    blind_turns: u64,
}

#[test]
fn a_player_gets_the_same_bytes_until_the_difference_is_visible() {
    let mut tally = Tally::default();
    for seed in 0..games() {
        pair(seed, &mut tally);
    }
    println!("{} pairs: {tally:?}", games());
    assert!(tally.compared * 2 > games(), "{tally:?}");
    assert!(tally.blind_turns > 0, "{tally:?}");
}

fn pair(seed: u64, tally: &mut Tally) {
    let mut random = Random(SplitMix64::seed_from_u64(seed));
    let side = *random.pick(&Side::BOTH);
    let viewer = color_of(side);
    let (mut one, mut two) = (World::new(side), World::new(side));
    let length = random.below(PREFIX);
    for played in 0.. {
        let game = one.game();
        if game.outcome().is_some() {
            return;
        }
        let hides = game.phase().blind() == Some(viewer) && game.position().mover() != viewer;
        if played >= length && hides {
            break;
        }
        let attempt = *random.pick(&game.position().attempts());
        for world in [&mut one, &mut two] {
            world.wait_until(world.now + Duration::from_millis(700));
            world.turn(attempt);
        }
    }
    let Some((first, second)) = twin_moves(&one.game(), viewer, &mut random) else {
        return;
    };
    let pressed = one.now + Duration::from_secs(20);
    for (world, attempt) in [(&mut one, first), (&mut two, second)] {
        hidden_turn(world, attempt, pressed, &mut random);
    }
    same(&one, &two, seed);
    if one.game().outcome().is_some() || two.game().outcome().is_some() {
        return;
    }
    tally.compared += 1;
    blind_turn([&mut one, &mut two], viewer, &mut random, seed, tally);
    tally.messages += one.traffic.len();
}

/// Returns two moves of the opponent that have the same effect on the player's own pieces and do not end the game.
fn twin_moves(game: &Game, viewer: Color, random: &mut Random) -> Option<(Attempt, Attempt)> {
    let own = |game: &Game| {
        let mut board = game.view(Viewer::Arbiter).board;
        for square in board.by_color(!viewer) {
            board.discard_piece_at(square);
        }
        board.board_fen().to_string()
    };
    let after = |attempt: &Attempt| {
        let mut next = game.clone();
        next.play(*attempt).unwrap();
        next.outcome().is_none().then(|| own(&next))
    };
    let attempts = game.position().attempts();
    let first = *random.pick(&attempts);
    let wanted = after(&first)?;
    let twins: Vec<Attempt> = attempts
        .into_iter()
        .filter(|attempt| *attempt != first && after(attempt).as_ref() == Some(&wanted))
        .collect();
    (!twins.is_empty()).then(|| (first, *random.pick(&twins)))
}

/// Plays the hidden turn: the opponent attempts impossible moves, makes the move at a random instant, and presses at `pressed`.
fn hidden_turn(world: &mut World, attempt: Attempt, pressed: Instant<Hub>, random: &mut Random) {
    let opponent = world.side.other();
    for _ in 0..random.below(STRAYS + 1) {
        let stray = random.attempt();
        if !world.game().position().attempts().contains(&stray) {
            assert!(world.act(opponent, PlayerAct::Move(stray)).is_err());
        }
    }
    let think = Duration::from_millis(i64::try_from(random.below(19_000)).unwrap());
    world.wait_until(world.now + think);
    world.act(opponent, PlayerAct::Move(attempt)).unwrap();
    world.wait_until(pressed);
    world.act(opponent, PlayerAct::Press).unwrap();
}

/// Plays the player's blind turn, with the same requests in both halls.
fn blind_turn(
    worlds: [&mut World; 2],
    viewer: Color,
    random: &mut Random,
    seed: u64,
    tally: &mut Tally,
) {
    let [one, two] = worlds;
    let side = one.side;
    let offered = one.game().view(Viewer::Player(viewer)).attempts;
    if offered.is_empty() {
        return;
    }
    let mut asked: Vec<PlayerAct> = (0..random.below(4))
        .map(|_| PlayerAct::Move(random.attempt()))
        .filter(|act| !matches!(act, PlayerAct::Move(attempt) if offered.contains(attempt)))
        .collect();
    asked.extend([
        PlayerAct::Press,
        PlayerAct::ClaimDraw,
        PlayerAct::AcceptDraw,
    ]);
    for act in asked {
        for world in [&mut *one, &mut *two] {
            world.wait_until(world.now + Duration::from_millis(400));
            assert!(world.act(side, act).is_err());
        }
        same(one, two, seed);
    }
    let attempt = *random.pick(&offered);
    for world in [&mut *one, &mut *two] {
        world.wait_until(world.now + Duration::from_secs(3));
        world.act(side, PlayerAct::Move(attempt)).unwrap();
    }
    let visible = one.own_pieces() != two.own_pieces()
        || one.game().outcome().is_some()
        || two.game().outcome().is_some();
    if !visible {
        same(one, two, seed);
        tally.blind_turns += 1;
    }
}

#[track_caller]
fn same(one: &World, two: &World, seed: u64) {
    for (what, one, two) in [
        ("player", &one.traffic, &two.traffic),
        ("public", &one.public, &two.public),
    ] {
        for (at, (first, second)) in one.iter().zip(two.iter()).enumerate() {
            assert!(
                first == second,
                "seed {seed}: {what} message {at} differs, at {} and {}",
                first.0,
                second.0
            );
        }
        assert_eq!(one.len(), two.len(), "seed {seed}: {what} messages");
    }
}
