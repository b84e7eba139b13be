//! The players at the simulated boards, and the initial state of each board.

use super::{Board, Random, SECOND, running};
use hall::view::{BoardState, BoardView, Flag, PlanSegment, PressLine, Running, Side, SideView};
use proto::ids::EventSeq;

/// Names for the players, including kinds that can break a layout: long, short, accented and right-to-left.
const NAMES: &[&str] = &[
    "Haugland, Anders",
    "Castellanos-Ibáñez, Rocío",
    "Østergård, Maja",
    "Bielawski, Tomasz",
    "Þorsteinsdóttir, Sigurbjörg",
    "Petrosyan-Grigoryan, Levon",
    "van der Wijngaarden-Achterberg, Pieter-Jan",
    "Rao, Kavya",
    "Ng, Jo",
    "Kowalczyk-Wiśniewska, Agnieszka",
    "Sørensen, Bo",
    "Marchetti, Giulia",
    "O’Sullivan, Niamh",
    "Yıldırım, Ece",
    "Nakagawa, Haruto",
    "Fonseca, Duarte",
    "Li, Wei",
    "Bachmann, Ulrike",
    "Nguyễn, Bảo An",
    "Halvorsen, Ida",
    "Dubois, Camille",
    "Adeyemi, Folake",
    "Novák, Jiří",
    "Tamm, Kadri",
    "Mikkelsen, Rasmus",
    "Sahlberg, Eva",
    "Kjellberg, Viktor",
    "Oyelaran, Tunde",
    "Zhang, Yuting",
    "Björnsson, Hlynur",
    "כהן, נועה",
    "الحسيني, ليلى",
    "Okonkwo, Chidera",
    "Lindqvist, Tove",
    "Popescu, Ioana",
    "Aas, Geir",
    "Jovanović, Milica",
    "Lund, Per",
    "Silva Santos, Rafael",
    "Berg, Hanne",
    "Kim, Seo-yeon",
    "Holm, Astrid",
    "Varga, Dóra",
    "Ödegaard, Jens",
    "Weiss, Rebekka",
    "Mbeki, Lindiwe",
    "Costa, Filipa",
    "Nyström, Axel",
    "Hoxha, Erion",
    "Vik, Siri",
];

/// Returns the name of the player with this number. A suffix distinguishes players when the list of names repeats.
pub(super) fn name(no: u16) -> String {
    let index = usize::from(no.saturating_sub(1));
    let name = NAMES[index % NAMES.len()];
    match index / NAMES.len() {
        0 => name.to_owned(),
        again => format!("{name} {}", "I".repeat(again + 1)),
    }
}

pub(super) fn board(n: u32, now: i64, random: &mut Random) -> Board {
    let mut make = Make::new(n, now, random);
    make.cast(n);
    make.board.view.plan = plan(&make.board.view, now, make.board.delay_us);
    make.board
}

struct Make {
    board: Board,
    now: i64,
}

impl Make {
    fn new(n: u32, now: i64, random: &mut Random) -> Self {
        let index = usize::try_from(n - 1).unwrap_or(0) * 2;
        let moves = 20 + u32::try_from(random.below(18)).unwrap_or(0);
        let black_to_move = random.below(2) == 1;
        let side = |offset: usize, moves: u32| SideView {
            name: NAMES[(index + offset) % NAMES.len()].into(),
            us: 0,
            phase: "main",
            moves,
            period: 1,
            flag: Flag::None,
            byo_left: None,
            stones: None,
            bank_us: None,
            points: None,
            delay_us: None,
        };
        let mut view = BoardView {
            board: n.to_string(),
            white: side(0, moves + u32::from(black_to_move)),
            black: side(1, moves),
            running: match black_to_move {
                true => Running::Black,
                false => Running::White,
            },
            next: None,
            paused: false,
            online: true,
            no_clock: false,
            clocks: None,
            state: BoardState::Running,
            since_us: Some(now - 31 * SECOND),
            silent_since_us: None,
            first_flag: None,
            result: None,
            draw_odds: None,
            control: "90m+30s".into(),
            plan: Vec::new(),
            seq: 1,
            last: None,
            written: None,
            time_chess: None,
            note: None,
            later_us: None,
        };
        let presses = history(view.white.moves + view.black.moves, now, random);
        let left = |side| {
            let press = presses.iter().rfind(|press| press.side == side);
            press.map_or(5400 * SECOND, |press| press.left_us)
        };
        view.white.us = left(Side::White);
        view.black.us = left(Side::Black);
        view.last = presses.last().copied();
        let board = Board {
            view,
            presses,
            increment_us: 30 * SECOND,
            delay_us: 0,
            mover_since_us: now - 31 * SECOND,
            next_press_us: now + random.below(12 * SECOND),
        };
        Self { board, now }
    }

    /// Sets the states of some boards from 2 to 34. The other boards keep the running game of [`Make::new`].
    fn cast(&mut self, n: u32) {
        match n {
            2 => self.times(3852, 3520),
            3 => self.over("1-0"),
            4 => self.stand(BoardState::Paused, 1878, 1742),
            5 => self.times(4269, 3751),
            6 => self.runs(Side::White, 47, 260),
            8 => self.stand(BoardState::Paused, 1130, 571),
            9 => self.fell(Side::White, Flag::Fallen, 192),
            12 => self.runs(Side::White, 9, 115),
            13 => self.over("1/2-1/2"),
            14 => self.fell(Side::Black, Flag::Fallen, 151),
            15 => self.stand(BoardState::Stopped, 902, 708),
            16 => self.fell(Side::White, Flag::Called, 74),
            17 => self.silent(314, 41),
            18 => self.ready(),
            19 => self.delay(),
            20 => self.byo_yomi(),
            21 => self.canadian(),
            22 => self.extra(),
            23 => self.bank(),
            24 => self.over("0-1"),
            25 => self.expected(),
            26 => self.over("1-0f"),
            27 => self.hourglass(),
            28 => self.overtime(),
            29 => self.silent_at_the_end(),
            33 => self.runs(Side::Black, 220, 17),
            34 => self.over("0-0f"),
            _ => (),
        }
    }

    fn times(&mut self, white_s: i64, black_s: i64) {
        self.board.view.white.us = white_s * SECOND + 400_000;
        self.board.view.black.us = black_s * SECOND + 400_000;
    }

    /// Sets up a running board with these times and a control of 5 minutes with 5 s increment.
    fn runs(&mut self, side: Side, white_s: i64, black_s: i64) {
        self.times(white_s, black_s);
        self.board.increment_us = 5 * SECOND;
        self.board.view.control = "5m+5s".into();
        self.board.view.running = running(side);
        self.board.mover_since_us = self.now;
    }

    fn stand(&mut self, state: BoardState, white_s: i64, black_s: i64) {
        self.times(white_s, black_s);
        let next = self.board.mover().unwrap_or(Side::White);
        let view = &mut self.board.view;
        view.next = (state != BoardState::Over && state != BoardState::Flagged).then_some(next);
        view.running = Running::None;
        view.state = state;
        view.paused = state == BoardState::Paused;
        view.since_us = Some(self.now - 192 * SECOND);
    }

    fn over(&mut self, result: &str) {
        self.stand(BoardState::Over, 1500, 1380);
        self.board.view.result = Some(result.into());
    }

    fn ready(&mut self) {
        self.stand(BoardState::Ready, 5400, 5400);
        let view = &mut self.board.view;
        (view.white.us, view.black.us) = (5400 * SECOND, 5400 * SECOND);
        (view.white.moves, view.black.moves) = (0, 0);
        view.next = Some(Side::White);
        view.last = None;
        self.board.presses.clear();
    }

    fn fell(&mut self, side: Side, flag: Flag, other_s: i64) {
        self.stand(BoardState::Flagged, other_s, other_s);
        self.board.view.first_flag = Some(side);
        let fallen = self.board.side(side);
        fallen.us = 0;
        fallen.flag = flag;
        fallen.phase = "flagged";
    }

    fn silent(&mut self, white_s: i64, black_s: i64) {
        self.times(white_s, black_s);
        self.board.view.running = Running::Black;
        self.board.silent_since(Some(self.now - 42 * SECOND));
        self.board.view.black.us += 600 * SECOND;
    }

    fn silent_at_the_end(&mut self) {
        self.silent(314, 0);
        self.board.view.black.us = 0;
        self.board.view.black.flag = Flag::Expected;
    }

    fn expected(&mut self) {
        self.runs(Side::Black, 96, 0);
        self.board.view.black.us = 0;
        self.board.view.black.flag = Flag::Expected;
        self.board.silent_since(Some(self.now - 3 * SECOND));
    }

    fn delay(&mut self) {
        self.runs(Side::White, 331, 288);
        self.board.increment_us = 0;
        self.board.delay_us = 5 * SECOND;
        self.board.view.control = "25m delay 5s".into();
        self.board.view.white.delay_us = Some(5 * SECOND);
        self.board.view.black.delay_us = Some(5 * SECOND);
    }

    fn byo_yomi(&mut self) {
        self.runs(Side::Black, 28, 25);
        self.board.increment_us = 0;
        self.board.view.control = "30m byo 5x30s".into();
        for (side, left) in [(Side::White, 3), (Side::Black, 1)] {
            let side = self.board.side(side);
            side.phase = "byo";
            side.byo_left = Some(left);
        }
    }

    fn canadian(&mut self) {
        self.runs(Side::White, 341, 512);
        self.board.increment_us = 0;
        self.board.view.white.phase = "canadian";
        self.board.view.white.stones = Some(14);
    }

    fn extra(&mut self) {
        self.runs(Side::Black, 71, 655);
        self.board.view.white.phase = "extra";
    }

    fn bank(&mut self) {
        self.runs(Side::White, 26, 30);
        for side in [Side::White, Side::Black] {
            self.board.side(side).bank_us = Some(372 * SECOND);
        }
    }

    fn hourglass(&mut self) {
        self.runs(Side::Black, 72, 48);
        self.board.increment_us = 0;
        self.board.view.control = "1m hourglass".into();
    }

    fn overtime(&mut self) {
        self.runs(Side::White, 0, 214);
        self.board.view.white.us = -42 * SECOND;
        self.board.view.white.phase = "overtime";
        self.board.view.white.points = Some(-10);
    }
}

/// Returns the presses of a plausible game: quick in the opening, slower afterwards, and sometimes very slow. The last
/// press was 31 s ago.
fn history(plies: u32, now: i64, random: &mut Random) -> Vec<PressLine> {
    let mut left = [5400 * SECOND; 2];
    let mut presses = Vec::new();
    for ply in 0..plies {
        let most = if ply < 12 { 60 } else { 210 };
        let long = match ply > 14 && random.below(14) == 0 {
            true => random.below(600),
            false => 0,
        };
        let used_us = (random.below(most) + long) * SECOND + random.below(SECOND);
        let (side, left) = match ply % 2 {
            0 => (Side::White, &mut left[0]),
            _ => (Side::Black, &mut left[1]),
        };
        *left = (*left - used_us + 30 * SECOND).max(30 * SECOND);
        presses.push(PressLine {
            n: ply / 2 + 1,
            side,
            at_us: 0,
            used_us,
            left_us: *left,
            event_seq: EventSeq::default(),
        });
    }
    let mut at_us = now - 31 * SECOND;
    for press in presses.iter_mut().rev() {
        press.at_us = at_us;
        at_us -= press.used_us;
    }
    presses
}

/// Returns the drawing plan from `now` onwards: delay, countdown, byo-yomi periods, the flag.
pub(super) fn plan(view: &BoardView, now: i64, delay_us: i64) -> Vec<PlanSegment> {
    let mut sketch = Sketch {
        white_moves: view.running == Running::White,
        segment: PlanSegment {
            from_us: now,
            white_us: view.white.us,
            black_us: view.black.us,
            white_rate: 0,
            black_rate: 0,
            white_phase: view.white.phase,
            black_phase: view.black.phase,
        },
        done: Vec::new(),
    };
    let mover = match view.running {
        Running::White => &view.white,
        Running::Black => &view.black,
        Running::None => return vec![sketch.segment],
    };
    if delay_us > 0 {
        sketch.lasts(delay_us);
    }
    sketch.rates(-1, i8::from(view.control.contains("hourglass")));
    if mover.phase == "overtime" {
        return vec![sketch.segment];
    }
    sketch.lasts(mover.us);
    for _ in 1..mover.byo_left.unwrap_or(1).min(8) {
        sketch.mover_has(30 * SECOND, "byo");
        sketch.lasts(30 * SECOND);
    }
    sketch.rates(0, 0);
    sketch.mover_has(0, "flagged");
    sketch.done.push(sketch.segment);
    sketch.done
}

/// A plan under construction, from the viewpoint of the side to move.
struct Sketch {
    white_moves: bool,
    segment: PlanSegment,
    done: Vec<PlanSegment>,
}

impl Sketch {
    /// Ends the current segment after `us` microseconds, and begins the next one.
    fn lasts(&mut self, us: i64) {
        self.done.push(self.segment);
        self.segment.from_us += us;
        self.segment.white_us += us * i64::from(self.segment.white_rate);
        self.segment.black_us += us * i64::from(self.segment.black_rate);
    }

    fn rates(&mut self, mover: i8, waiting: i8) {
        (self.segment.white_rate, self.segment.black_rate) = if self.white_moves {
            (mover, waiting)
        } else {
            (waiting, mover)
        };
    }

    fn mover_has(&mut self, us: i64, phase: &'static str) {
        if self.white_moves {
            (self.segment.white_us, self.segment.white_phase) = (us, phase);
        } else {
            (self.segment.black_us, self.segment.black_phase) = (us, phase);
        }
    }
}
