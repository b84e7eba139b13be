//! The games of a match: players who think and press, an arbiter who starts and ends games, and each game's comparison with the truth.

use hall::view::BoardState;
use hall::{Action, BoardDetail, BoardId, Enrolment, Input, NoteKind, Notice, ReplyId};
use proto::log::record;
use timing::{BoardClock, Button, BySide, Command, Instant, Side, Snapshot};

use super::machines::{BOARDS, Event, PLAY, World};
use super::truth::{Stage, Truth, index, is_settled};
use crate::delay::LinkKind;
use crate::shell::asked;
use crate::{Ns, SECOND};

/// The number of White's moves after which a game ends.
const MOVES: u32 = 40;
/// The time within which the hub must receive all of a finished game.
const PATIENCE: Ns = 240 * SECOND;
/// Kinds of notes that the hub must never make about the honest clocks of a match.
const NEVER: [&str; 7] = [
    "bad_chain",
    "broken_promise",
    "fork",
    "clock_fault",
    "from_the_future",
    "decreasing_stamp",
    "board_fault",
];

#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    Begin(usize),
    Press(usize, u64, Side),
    Hasty(usize, u64, Side),
    GiveUp(usize, u64),
    /// The arbiter checks whether the game can be ended, or has ended.
    Look(usize, u64),
}

impl World {
    pub(super) fn set_up(&mut self) {
        for board in 0..BOARDS {
            let setup = self.setup("3m+2s");
            self.boards.push(Truth::new(BoardClock::new(setup.clone())));
            self.ask(board, Action::AddBoard(setup, None));
            for side in Side::BOTH {
                let number = board * 2 + index(side);
                let agent = self.machines[number].id;
                let reply = ReplyId(self.number());
                let enrolment = Enrolment {
                    side: None,
                    admitted_by: String::new(),
                    agent,
                    exchange_key: Vec::new(),
                    name: format!("clock {number}"),
                    certificate_serial: Vec::new(),
                    certificate: Vec::new(),
                    board: None,
                };
                self.hub(Input::asked(enrolment, reply));
                self.ask(board, Action::AssignSide(side, agent.to_string()));
            }
            self.plan(3 * SECOND, Doing::Begin(board));
        }
    }

    fn setup(&mut self, control: &str) -> timing::Setup {
        let text = format!("prepare left arbiter {control}");
        match text.parse() {
            Ok(Command::Prepare(setup)) => setup,
            Ok(_) | Err(_) => unreachable!("{text} prepares a game"),
        }
    }

    fn plan(&mut self, wait: Ns, doing: Doing) {
        self.queue.push(self.now + wait, Event::Game(doing));
    }

    pub(super) fn do_game(&mut self, doing: Doing) {
        match doing {
            Doing::Begin(board) => self.begin(board),
            Doing::Press(board, game, side) => self.press(board, game, side),
            Doing::Hasty(board, game, side) => self.hasty(board, game, side),
            Doing::GiveUp(board, game) => {
                let truth = &mut self.boards[board];
                if truth.game == game && truth.stage == Stage::Playing {
                    self.end(board);
                }
            }
            Doing::Look(board, game) => {
                if self.boards[board].game == game {
                    self.look(board);
                }
            }
        }
    }

    fn name(board: usize) -> BoardId {
        match (board + 1).to_string().parse() {
            Ok(name) => name,
            Err(_) => unreachable!("a number is a name"),
        }
    }

    fn detail(&self, board: usize) -> Option<std::sync::Arc<BoardDetail>> {
        self.hall
            .as_ref()?
            .detail(&Self::name(board), self.hub_now())
    }

    /// Sends a request from the chief arbiter, based on the current view of the board.
    fn ask(&mut self, board: usize, action: Action) {
        let number = self.number();
        let seen_seq = self.detail(board).map_or(0, |detail| detail.view.seq);
        let reply = ReplyId(self.number());
        let board = Some(Self::name(board));
        self.hub(asked(number, board, seen_seq, action, reply));
    }

    fn order(&mut self, board: usize, text: &str) {
        match text.parse() {
            Ok(command) => self.ask(board, Action::Board(command)),
            Err(_) => unreachable!("{text} is a command"),
        }
    }

    fn begin(&mut self, board: usize) {
        // If a crash lost two commands, this start was planned twice.
        if self.now >= PLAY || self.boards[board].stage != Stage::Waiting {
            return;
        }
        let state = self.detail(board).map(|detail| detail.view.state);
        let online = self.detail(board).is_some_and(|detail| detail.view.online);
        match state {
            Some(BoardState::Ready | BoardState::Over) if online => self.start(board),
            None | Some(BoardState::Ready | BoardState::Over) => {
                self.plan(SECOND, Doing::Begin(board));
            }
            Some(
                BoardState::Running
                | BoardState::Paused
                | BoardState::Stopped
                | BoardState::Flagged,
            ) => {
                // A crash lost the command that ended this game, so the arbiter ends it again.
                let waits = self
                    .detail(board)
                    .is_some_and(|detail| !detail.pending.is_empty());
                if !waits {
                    self.order(board, "end draw");
                }
                self.plan(2 * SECOND, Doing::Begin(board));
            }
        }
    }

    fn start(&mut self, board: usize) {
        let control = self.random.pick(&["3m+2s", "1m+1s", "2m", "20s+500ms"]);
        let setup = self.setup(control);
        self.order(board, &format!("prepare left arbiter {control}"));
        self.order(board, "start");
        let started = self
            .detail(board)
            .is_some_and(|detail| detail.view.state == BoardState::Running);
        if !started {
            return self.plan(SECOND, Doing::Begin(board));
        }
        let now_us = self.hub_us();
        let truth = &mut self.boards[board];
        truth.clock = BoardClock::new(setup);
        truth.game += 1;
        truth.near = false;
        truth.pressed = [-SECOND; 2];
        truth.stage = Stage::Playing;
        if let Err(why) = truth.command(now_us, &Command::Start(None)) {
            return self.fail(format!("the truth does not start: {why}"));
        }
        self.sum.tally.games += 1;
        self.plan_turn(board);
    }

    fn plan_turn(&mut self, board: usize) {
        let truth = &self.boards[board];
        let Some(side) = truth.mover() else {
            return self.end(board);
        };
        let at = Instant::from_micros(self.hub_us());
        let view = truth.clock.side(side, at);
        let game = truth.game;
        if side == Side::White && view.moves >= MOVES {
            return self.end(board);
        }
        let left: Ns = view.time.as_micros() * 1_000;
        let think = crate::random::seconds(0.15 + self.random.log_normal(1.2, 0.7));
        if think < left - SECOND / 3 {
            return self.plan(think, Doing::Press(board, game, side));
        }
        match self.random.below(10) {
            0..5 => {
                let wait = (left as f64 * self.random.between(0.2, 0.8)) as Ns;
                self.plan(wait, Doing::Press(board, game, side));
            }
            5..8 => self.plan(left + SECOND, Doing::GiveUp(board, game)),
            _ => {
                let wait = left + self.random.span(-0.006, 0.006);
                self.plan(wait.max(1_000), Doing::Press(board, game, side));
                self.plan(left + SECOND, Doing::GiveUp(board, game));
            }
        }
    }

    fn press(&mut self, board: usize, game: u64, side: Side) {
        let now_us = self.hub_us();
        let now = self.now;
        let truth = &mut self.boards[board];
        if truth.game != game || truth.stage != Stage::Playing || truth.mover() != Some(side) {
            return;
        }
        if self.machines[board * 2 + index(side)].off {
            return self.plan(SECOND / 5, Doing::Press(board, game, side));
        }
        truth.press(side, now_us, now);
        let hurried = truth.clock.side(side, truth.clock.now()).time.as_micros() < 100_000;
        self.sum.tally.close_calls += u64::from(hurried);
        self.press_button(board, side);
        if self.random.chance(0.03) {
            let wait = self.random.span(0.1, 1.0);
            self.plan(wait, Doing::Hasty(board, game, side));
        }
        if self.boards[board].stage == Stage::Playing {
            self.plan_turn(board);
        }
    }

    fn press_button(&mut self, board: usize, side: Side) {
        let number = board * 2 + index(side);
        let at = self.board_now(number);
        let button = match side {
            Side::White => Button::Left,
            Side::Black => Button::Right,
        };
        self.sum.tally.presses += 1;
        self.agent(
            number,
            clock_agent::core::Input::Button(clock_agent::buttons::ButtonEvent::press(button, at)),
        );
    }

    fn hasty(&mut self, board: usize, game: u64, side: Side) {
        let now = self.now;
        let truth = &mut self.boards[board];
        let others_turn = truth.mover() == Some(side.other());
        let here = truth.game == game && truth.stage == Stage::Playing && others_turn;
        if here && !self.machines[board * 2 + index(side)].off {
            truth.pressed[index(side)] = now;
            // The opponent pressed a moment ago, so the hub may place the two presses in either order.
            truth.near |= now - truth.pressed[index(side.other())] < SECOND / 10;
            self.press_button(board, side);
        }
    }

    fn end(&mut self, board: usize) {
        let now_us = self.hub_us();
        let truth = &mut self.boards[board];
        truth.pass(now_us);
        truth.stage = Stage::Ending { since: self.now };
        let game = truth.game;
        self.plan(SECOND, Doing::Look(board, game));
    }

    fn look(&mut self, board: usize) {
        let (stage, game) = (self.boards[board].stage, self.boards[board].game);
        let Stage::Ending { since } = stage else {
            if stage == Stage::Asked {
                self.look_for_end(board);
            }
            return;
        };
        if self.now - since > PATIENCE {
            return self.fail(format!("game {game} of board {} never settled", board + 1));
        }
        self.plan(SECOND, Doing::Look(board, game));
        let known = Side::BOTH.into_iter().all(|side| {
            let machine = &self.machines[board * 2 + index(side)];
            machine.core.connected() && machine.logged == machine.core.seq().0
        });
        if !known || self.hall.is_none() {
            return;
        }
        let now_us = self.hub_us();
        self.boards[board].pass(now_us);
        self.boards[board].stage = Stage::Asked;
        if let Err(why) = self.boards[board].command(now_us, &draw()) {
            return self.fail(format!("the truth does not end: {why}"));
        }
        self.order(board, "end draw");
    }

    fn look_for_end(&mut self, board: usize) {
        let game = self.boards[board].game;
        let over = self
            .detail(board)
            .is_some_and(|detail| detail.view.state == BoardState::Over);
        if !over {
            return self.plan(SECOND, Doing::Look(board, game));
        }
        self.compare(board);
        self.boards[board].stage = Stage::Waiting;
        self.plan(SECOND, Doing::Begin(board));
    }

    fn compare(&mut self, board: usize) {
        let bytes = self
            .hall
            .as_ref()
            .and_then(|hall| hall.clock_bytes(Self::name(board).as_str()));
        let clock = bytes
            .and_then(|bytes| Snapshot::from_bytes(&bytes).ok())
            .and_then(|snapshot| BoardClock::from_snapshot(&snapshot).ok());
        let Some(clock) = clock else {
            return self.fail(format!("board {} has no clock", board + 1));
        };
        let truth = &self.boards[board];
        if truth.near {
            return;
        }
        let gap = BySide::from_fn(|side| {
            let of = |clock: &BoardClock| clock.side(side, clock.now());
            (of(&clock), of(&truth.clock))
        });
        let mut moves = 0;
        for side in Side::BOTH {
            let (hub, real) = &gap[side];
            if hub.moves != real.moves || hub.flag != real.flag {
                let what = format!(
                    "board {}, game {}: the hub has {side:?} at move {} with flag {:?}, the truth at {} with {:?}",
                    board + 1,
                    truth.game,
                    hub.moves,
                    hub.flag,
                    real.moves,
                    real.flag
                );
                return self.fail(what);
            }
            moves += u64::from(hub.moves);
        }
        let off = |side: Side| (gap[side].0.time - gap[side].1.time).as_micros();
        let rank = |side| rank(self.slowness(board * 2 + index(side)));
        let slower = match rank(Side::White) < rank(Side::Black) {
            true => Side::Black,
            false => Side::White,
        };
        let taken = off(slower.other()) - off(slower);
        self.sum.games += 1;
        self.sum.moves += moves;
        self.sum.gap_us += taken;
        self.sum.gap_size_us += taken.abs();
    }

    /// Fails if the hub settles a flag while an earlier press is still in transit. A step may write several records, and the hall already shows the
    /// state after the last one. If the side still has time after this record, a later record used it up and is checked instead.
    pub(super) fn check_flag(&mut self, name: &str, left_us: BySide<i64>) {
        let Some(board) = name.parse::<usize>().ok().map(|number| number - 1) else {
            return;
        };
        let Some(detail) = self.detail(board) else {
            return;
        };
        let fell = [
            (Side::White, &detail.view.white),
            (Side::Black, &detail.view.black),
        ]
        .into_iter()
        .find(|(_, side)| is_settled(side.flag));
        let Some((side, _)) = fell else { return };
        if self.boards[board].stage == Stage::Waiting || left_us[side] > 0 {
            return;
        }
        let number = board * 2 + index(side);
        let machine = &self.machines[number];
        let fell_us = detail.view.since_us.unwrap_or(i64::MAX);
        let saving = machine.made.range(machine.logged + 1..).next();
        if let Some((seq, made)) = saving
            && *made < fell_us
            && self.boards[board].mover() != Some(side)
            && !self.boards[board].fallen(side)
        {
            let what = format!(
                "the flag of {side:?} on board {} fell at {fell_us} while event {seq}, made at {made}, was under way",
                board + 1
            );
            self.fail(what);
        }
    }

    pub(super) fn noticed(&mut self, notice: &Notice) {
        *self
            .sum
            .tally
            .notices
            .entry(notice.kind.as_str())
            .or_default() += 1;
        if notice.kind == NoteKind::Straddle {
            self.sum.straddles += 1;
        }
        if NEVER.contains(&notice.kind.as_str()) {
            self.fail(format!("noted: {}", notice.text));
        }
    }

    /// Abandons the game if a crash lost one of its commands.
    pub(super) fn forget_command(&mut self, input: &record::Input, name: &str) {
        if let record::Input::Command(_) = input
            && let Some(board) = name.parse::<usize>().ok().map(|number| number - 1)
            && let Some(truth) = self.boards.get_mut(board)
        {
            truth.game += 1;
            truth.stage = Stage::Waiting;
            self.plan(3 * SECOND, Doing::Begin(board));
        }
    }

    /// Returns true if all play is over, every clock is on and connected, and the hub has received every event.
    pub(super) fn at_rest(&self) -> bool {
        self.now >= PLAY
            && self.hall.is_some()
            && self
                .boards
                .iter()
                .all(|truth| truth.stage == Stage::Waiting)
            && self.machines.iter().all(|machine| {
                !machine.off && machine.core.connected() && machine.logged == machine.core.seq().0
            })
    }
}

fn draw() -> Command {
    match "end draw".parse() {
        Ok(command) => command,
        Err(_) => unreachable!("a draw ends a game"),
    }
}

/// Ranks links by how precisely the hub can place a press; 0 is the most precise.
fn rank(kind: LinkKind) -> u8 {
    match kind {
        LinkKind::Lan => 0,
        LinkKind::WifiQuiet => 1,
        LinkKind::BleFast => 2,
        LinkKind::Ble => 3,
        LinkKind::WifiBusy => 4,
        LinkKind::BleSlow => 5,
    }
}
