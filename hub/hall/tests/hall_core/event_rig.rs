//! The test rig for the event: arbiters' requests for changes, and sample events.

use hall::{Denied, Outcome, Purpose, Refusal, RequestDigest, TournamentAnswer, TournamentRequest};
use proto::ids::CommandId;
use tournament::formats::draft::import_file;
use tournament::{
    AbnormalPoints, Actor, BoardNo, Change, Event, GameResult, Pairing, Pairings, Player, PlayerNo,
    Points, RoundNo, Tournament,
};

use crate::rig::Rig;

impl Rig {
    /// Returns a request with a new id from a sender who has seen the current state of the event.
    pub(crate) fn request_for(&mut self, actor: Actor, changes: Vec<Change>) -> TournamentRequest {
        TournamentRequest {
            digest: RequestDigest::OWN,
            id: self.command_id(),
            actor,
            seen: Some(self.version()),
            reason: String::new(),
            changes,
            purpose: Purpose::Amend,
        }
    }

    pub(crate) fn change(
        &mut self,
        request: TournamentRequest,
    ) -> Result<TournamentAnswer, Denied> {
        self.answered(request).expect("an answer at once")
    }

    #[track_caller]
    pub(crate) fn chief_changes(&mut self, changes: Vec<Change>) -> u64 {
        let request = self.request_for(Actor::chief("Chief"), changes);
        let answer = self.change(request).unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
        answer.version
    }

    pub(crate) fn for_purpose(&mut self, purpose: Purpose, changes: Vec<Change>) -> Outcome {
        let mut request = self.request_for(Actor::chief("Chief"), changes);
        (request.purpose, request.seen) = (purpose, None);
        self.change(request).unwrap().outcome
    }

    #[track_caller]
    pub(crate) fn imports(&mut self, file: &str, changes: Vec<Change>) -> u64 {
        let file = file.to_owned();
        let outcome = self.for_purpose(Purpose::Import { file }, changes);
        assert_eq!(outcome, Outcome::Done);
        self.version()
    }

    pub(crate) fn undoes(&mut self, version: u64) -> Result<(), String> {
        match self.for_purpose(Purpose::Undo { version }, Vec::new()) {
            Outcome::Done => Ok(()),
            Outcome::Refused(why) => Err(why.text().to_owned()),
            outcome => panic!("neither done nor refused: {outcome:?}"),
        }
    }

    pub(crate) fn undoable(&self) -> Vec<String> {
        let now = self.hall.tournament();
        let imports = now.iter().flat_map(|now| now.imports());
        imports.map(|import| import.file.to_owned()).collect()
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, request: TournamentRequest) -> String {
        self.refusal(request).text().to_owned()
    }

    #[track_caller]
    pub(crate) fn refusal(&mut self, request: TournamentRequest) -> Refusal {
        let (before, version) = (self.event_now(), self.version());
        let answer = self.change(request).unwrap();
        assert_eq!(self.event_now(), before, "a refusal changes nothing");
        assert_eq!((self.version(), answer.version), (version, version));
        match answer.outcome {
            Outcome::Refused(why) => why,
            outcome => panic!("not refused: {outcome:?}"),
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.hall.tournament().map_or(0, |now| now.version)
    }

    pub(crate) fn event_now(&self) -> Option<Tournament> {
        let now = self.hall.tournament()?;
        Some((*now.tournament).clone())
    }

    /// Returns a hall with an event of six players, in which round 1 is paired: 1–4, 2–5, 3–6.
    pub(crate) fn with_round() -> Self {
        let mut rig = Self::new();
        let mut changes = vec![Change::SetEvent(Box::new(Event::new("Harbour Cup", 3)))];
        changes.extend((1..=6).map(player));
        changes.push(paired(1, &[(1, 4), (2, 5), (3, 6)]));
        rig.chief_changes(changes);
        rig
    }
}

pub(crate) fn player(no: u16) -> Change {
    Change::EnterPlayer(Box::new(Player::new(
        PlayerNo(no),
        &format!("Player, {no}"),
    )))
}

/// Returns a bonus of one point in round 1 for these participants; an empty list stands for all of them.
pub(crate) fn bonus(participants: &[u16]) -> AbnormalPoints {
    AbnormalPoints {
        replaces: None,
        match_points: None,
        points: Some(Points::whole(1)),
        round: Some(RoundNo(1)),
        participants: participants.to_vec(),
    }
}

pub(crate) fn paired(round: u16, pairs: &[(u16, u16)]) -> Change {
    let boards = (1..).zip(pairs).map(|(board, (white, black))| {
        Pairing::new(BoardNo(board), PlayerNo(*white), PlayerNo(*black))
    });
    let pairings = Pairings {
        boards: boards.collect(),
        ..Pairings::default()
    };
    Change::PairRound(RoundNo(round), Box::new(pairings))
}

pub(crate) fn enter(round: u16, board: u16, result: GameResult, reason: &str) -> Change {
    Change::Enter(RoundNo(round), BoardNo(board), result, reason.to_owned())
}

/// Returns the changes that create an event with every round paired and played. In each round, a player of the first half meets the next opponent of
/// the second half.
pub(crate) fn large(players: u16, rounds: u16) -> Vec<Change> {
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Large Open", rounds)))];
    changes.extend((1..=players).map(player));
    let half = players / 2;
    for round in 1..=rounds {
        let black = |seat: u16| half + 1 + (seat - 1 + round) % half;
        let pairs: Vec<(u16, u16)> = (1..=half).map(|seat| (seat, black(seat))).collect();
        changes.push(paired(round, &pairs));
        let results = (1..=half).map(|board| {
            use tournament::Outcome;
            let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
            let outcome = outcomes[usize::from((board + round) % 3)];
            enter(round, board, GameResult::played(outcome), "")
        });
        changes.extend(results);
    }
    changes
}

pub(crate) fn sample() -> Vec<Change> {
    let file = include_bytes!("../../../../tests/samples/harbour-cup.trf");
    import_file(file).unwrap().draft.changes("harbour-cup.trf")
}

pub(crate) fn apply_all(changes: &[Change]) -> Tournament {
    let Some(Change::SetEvent(event)) = changes.first() else {
        panic!("the first change says what the event is");
    };
    let mut tournament = Tournament::new((**event).clone());
    for change in changes {
        tournament
            .apply(&Actor::chief("Chief"), change.clone())
            .unwrap();
    }
    tournament
}

pub(crate) fn id_of(byte: u8) -> CommandId {
    CommandId([byte; 16])
}
