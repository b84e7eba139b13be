//! The test rig for a round's clocks: a hall with an event, clocks operated by the test, and arbiters' requests.

use hall::{
    Action, BoardWork, Denied, Outcome, PresetWith, RoundRequest, RoundStatus, RoundWork, WorkState,
};
use timing::{AfterFlag, StartRule};
use tournament::{
    Actor, Board, BoardNo, BoardPhase, Change, Event, GameResult, Outcome as Score, RoundNo,
    RoundPhase, Scope, Sector,
};

use crate::event_rig::{paired, player};
use crate::rig::{HandClock, Rig};

/// The event's time control, in Flagfall's notation.
pub(crate) const CONTROL: &str = "90m+30s";
/// The same time control as a code in a tournament report (TRF 222).
pub(crate) const CODE: &str = "5400+30";

impl Rig {
    /// Returns a hall with three boards, connected clocks, and round 1 paired.
    pub(crate) fn with_hall() -> (Self, Vec<HandClock>) {
        let mut rig = Self::with_timed_round();
        let clocks = (1..=3).map(|number| rig.add_board_with_clock(number, "5m"));
        let clocks = clocks.collect();
        (rig, clocks)
    }

    /// Returns a hall like [`Rig::with_round`], with a time control and a sector, but without clocks.
    pub(crate) fn with_timed_round() -> Self {
        let mut rig = Self::new();
        let mut event = Event::new("Harbour Cup", 3);
        event.time_control_code = CODE.to_owned();
        let gallery = Sector::new(BoardNo(2), BoardNo(3));
        event.sectors.insert("gallery".to_owned(), gallery);
        let mut changes = vec![Change::SetEvent(Box::new(event))];
        changes.extend((1..=6).map(player));
        changes.push(paired(1, &[(1, 4), (2, 5), (3, 6)]));
        rig.chief_changes(changes);
        rig
    }

    pub(crate) fn with_preset() -> (Self, Vec<HandClock>) {
        let (mut rig, mut clocks) = Self::with_hall();
        rig.preset(1, Scope::All);
        rig.all_take(&mut clocks);
        (rig, clocks)
    }

    pub(crate) fn with_started() -> (Self, Vec<HandClock>) {
        let (mut rig, mut clocks) = Self::with_preset();
        rig.start_round(1, Scope::All);
        rig.all_take(&mut clocks);
        (rig, clocks)
    }

    pub(crate) fn all_take(&mut self, clocks: &mut [HandClock]) {
        for clock in clocks {
            clock.take_orders(self);
        }
    }

    pub(crate) fn work(&mut self, request: RoundRequest) -> Result<RoundStatus, Denied> {
        self.answered(request).expect("an answer at once")
    }

    pub(crate) fn preset(&mut self, round: u16, scope: Scope) -> Vec<WorkState> {
        let answer = self.work(preset_of(round, scope)).unwrap();
        answer.boards.iter().map(|board| board.state).collect()
    }

    pub(crate) fn preset_board(&mut self, round: u16, board: u16) -> BoardWork {
        let scope = Scope::Board(BoardNo(board));
        let mut answer = self.work(preset_of(round, scope)).unwrap();
        answer.boards.remove(0)
    }

    pub(crate) fn start_round(&mut self, round: u16, scope: Scope) -> Vec<WorkState> {
        let answer = self.work(start_of(round, scope)).unwrap();
        answer.boards.iter().map(|board| board.state).collect()
    }

    pub(crate) fn phases(&self, round: u16) -> Vec<BoardPhase> {
        let event = self.event_now().unwrap();
        let boards = event.rounds()[&RoundNo(round)].boards.values();
        boards.map(|board| board.phase).collect()
    }

    pub(crate) fn round_phase(&self, round: u16) -> RoundPhase {
        self.event_now().unwrap().rounds()[&RoundNo(round)].phase()
    }

    pub(crate) fn game(&self, round: u16, board: u16) -> Board {
        let event = self.event_now().unwrap();
        event.rounds()[&RoundNo(round)].boards[&BoardNo(board)].clone()
    }

    #[track_caller]
    pub(crate) fn end_at_board(&mut self, clock: &mut HandClock, board: &str, result: &str) {
        let command = format!("end result {result}");
        let asked = self.chief(board, Action::Board(command.parse().unwrap()));
        assert!(self.send(asked).is_none(), "its clock has not answered yet");
        clock.take_orders(self);
    }

    pub(crate) fn control(&self, board: &str) -> String {
        let bytes = self.hall.clock_bytes(board).unwrap();
        let snapshot = timing::Snapshot::from_bytes(&bytes).unwrap();
        let clock = timing::BoardClock::from_snapshot(&snapshot).unwrap();
        clock.time_control().to_string()
    }

    pub(crate) fn shown(&self, board: &str) -> Option<String> {
        let bytes = self.hall.clock_bytes(board).unwrap();
        let snapshot = timing::Snapshot::from_bytes(&bytes).unwrap();
        let clock = timing::BoardClock::from_snapshot(&snapshot).unwrap();
        clock.result().map(|result| result.to_string())
    }
}

pub(crate) const WON: GameResult = GameResult::played(Score::Win);
pub(crate) const DRAWN: GameResult = GameResult::played(Score::Draw);
pub(crate) const LOST: GameResult = GameResult::played(Score::Loss);

pub(crate) fn at(board: u16) -> Scope {
    Scope::Board(BoardNo(board))
}

pub(crate) fn runs(rig: &Rig, board: &str) -> bool {
    rig.view(board).view.running != hall::view::Running::None
}

pub(crate) fn floor(rig: &mut Rig, change: Change) -> Outcome {
    let request = rig.request_for(Actor::floor("Ann"), vec![change]);
    rig.change(request).unwrap().outcome
}

pub(crate) fn preset_of(round: u16, scope: Scope) -> RoundRequest {
    RoundRequest {
        actor: Actor::chief("Chief"),
        round: RoundNo(round),
        scope,
        reason: String::new(),
        dry_run: false,
        work: RoundWork::Preset(Box::new(PresetWith {
            control: None,
            again: false,
            draw_odds: None,
            fallback: "15m+10s".parse().unwrap(),
            start: StartRule::Arbiter,
            after_flag: None,
        })),
    }
}

pub(crate) fn with(mut request: RoundRequest, amend: impl FnOnce(&mut PresetWith)) -> RoundRequest {
    if let RoundWork::Preset(with) = &mut request.work {
        amend(with);
    }
    request
}

pub(crate) fn start_of(round: u16, scope: Scope) -> RoundRequest {
    RoundRequest {
        work: RoundWork::Start,
        ..preset_of(round, scope)
    }
}

pub(crate) fn freezes(with: &mut PresetWith) {
    with.after_flag = Some(AfterFlag::Freezes);
}
