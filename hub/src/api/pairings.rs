//! Proposed pairings, proposed numbers and the files of the watched folder: converts requests and answers for the wire.

use proto::grpc::{
    ForeignFile, ForeignPlayer, ListNewsReply, News as WireNews, ProposeNumbersReply,
    ProposeNumbersRequest, ProposePairingsReply, ProposePairingsRequest, WatchedFile,
};
use proto::refusal::{self as wire, RefusalCode, RefusalDetailKind as Kind};
use tonic::{Result, Status};

use super::messages::remark;
use super::messages::table::by_kind;
use super::status::refused;
use super::tournament::no_event;
use crate::pairing::{
    Folder, News, Numbers, PairingDesk, PairingError, ProgramEnd, RoundsToPair, Verdict, numbering,
};
use hall::{Refusal, TournamentNow, to_proto};
use tournament::formats::difference::IdentityMismatch;
use tournament::{Change, PlayerNo};

pub(super) async fn propose(
    desk: &PairingDesk,
    now: Option<TournamentNow>,
    request: ProposePairingsRequest,
) -> Result<ProposePairingsReply> {
    let Some(now) = now else {
        return Err(no_event());
    };
    let wanted = match request.all {
        true => RoundsToPair::AllRemaining,
        false => RoundsToPair::Next,
    };
    let numbers = match request.keep_numbers {
        true => Numbers::Unchanged,
        false => Numbers::ByRank,
    };
    let proposal = desk.propose(&now.tournament, wanted, numbers).await;
    let proposal = proposal.map_err(|error| status(&error))?;
    let changes = proposal.changes.iter();
    Ok(ProposePairingsReply {
        version: now.version,
        by: proposal.by,
        words: proposal.words,
        remarks: remark::texts(&proposal.remarks),
        typed_remarks: remark::all(&proposal.remarks),
        changes: changes.map(to_proto::tournament::change).collect(),
    })
}

pub(super) fn numbers(
    now: &TournamentNow,
    request: ProposeNumbersRequest,
) -> Result<ProposeNumbersReply> {
    let number = |no: u32| {
        let no = u16::try_from(no).map(PlayerNo);
        no.map_err(|_| Status::invalid_argument("a player's number must fit into 16 bits"))
    };
    let order: Result<Vec<_>, _> = request.order.into_iter().map(number).collect();
    let tournament = &now.tournament;
    let asked = numbering::requested(tournament, &order?);
    let new = asked.map_err(|refusal| refused(&refusal.into()))?;
    let words = numbering::words(tournament, &new);
    let stays = (1..)
        .map(PlayerNo)
        .zip(&new.order)
        .all(|(no, before)| no == *before);
    let change = (!stays).then(|| Change::Renumber(Box::new(new)));
    Ok(ProposeNumbersReply {
        version: now.version,
        words,
        differs: tournament.better_numbering().is_some(),
        changes: change.iter().map(to_proto::tournament::change).collect(),
    })
}

fn status(error: &PairingError) -> Status {
    let mut about = wire::Refusal::default();
    let code = match error {
        PairingError::Over(rounds) => {
            about.number = (*rounds).into();
            RefusalCode::AllRoundsPaired
        }
        PairingError::Open(round, board) => {
            (about.round, about.board) = (round.0.into(), board.to_string());
            RefusalCode::RoundOpen
        }
        PairingError::NoProgram => RefusalCode::NoPairingProgram,
        PairingError::FirstColour => RefusalCode::FirstColourOpen,
        PairingError::System(_)
        | PairingError::NoPlayers(_)
        | PairingError::TooFew { .. }
        | PairingError::Start { .. }
        | PairingError::TooSlow { .. }
        | PairingError::Failed { .. }
        | PairingError::Answer { .. }
        | PairingError::Files(_) => {
            about.detail = Some(failure(error));
            RefusalCode::PairingFailed
        }
        PairingError::Refused(why) => return refused(&why.clone().into()),
        PairingError::NotAllAtOnce => return Status::failed_precondition(error.to_string()),
    };
    about.set_code(code);
    refused(&Refusal::from_record(error.to_string(), Some(about)))
}

by_kind! {
    fn failure(PairingError) -> wire::RefusalDetail {
        System(system) => PairingSystem { names: system };
        NoPlayers(round) => PairingNoPlayers { round: round };
        TooFew { .. } => PairingTooFew;
        Start { program, .. } => PairingNotStarted { names: program };
        TooSlow { program, limit, output } =>
            PairingTooSlow { names: program, number: limit.as_micros() / 1_000_000, quote: output };
        Failed { program, end: ProgramEnd::Code { code }, output } =>
            PairingExit { names: program, number: code, quote: output };
        Failed { program, end: ProgramEnd::Signal(signal), output } =>
            PairingSignal { names: program, number: signal, quote: output };
        Failed { program, end: ProgramEnd::NoAnswer, output } => PairingNoAnswer { names: program, quote: output };
        Answer { program, round, .. } => PairingUnfitAnswer { names: program, round: round };
        Files(_) => PairingFiles;
        Over(_) => Unspecified;
        Open(..) => Unspecified;
        NotAllAtOnce => Unspecified;
        NoProgram => Unspecified;
        FirstColour => Unspecified;
        Refused(_) => Unspecified;
    }
}

pub(super) fn news(desk: &PairingDesk, now: Option<&TournamentNow>) -> ListNewsReply {
    let Some(folder) = &desk.folder else {
        return ListNewsReply::default();
    };
    let event = now.map(|now| &*now.tournament);
    let files = folder.news(event).into_iter();
    ListNewsReply {
        folder: folder.path().display().to_string(),
        files: files.map(file).collect(),
    }
}

fn file(news: News) -> WireNews {
    let mut file = WireNews {
        file: news.file,
        digest: news.digest,
        ..WireNews::default()
    };
    match news.verdict {
        Verdict::New { words, remarks } => {
            (file.words, file.remarks) = (words, remark::texts(&remarks));
        }
        Verdict::Refused(fault) => file.fault = fault,
        Verdict::Foreign { foreign, words } => {
            file.fault = words;
            file.foreign = Some(self::foreign(&foreign));
        }
    }
    file
}

pub(super) fn foreign(foreign: &IdentityMismatch) -> ForeignFile {
    /// Maximum number of players named. The others are counted.
    const MAX_NAMED: usize = 10;
    let strangers = foreign.mismatches.iter().map(|other| ForeignPlayer {
        number: other.no.0.into(),
        here: other.here.clone(),
        in_file: other.in_file.clone(),
        number_in_file: 0,
    });
    let renumbered = foreign.renumbered.iter().map(|other| ForeignPlayer {
        number: other.no.0.into(),
        here: other.name.clone(),
        in_file: String::new(),
        number_in_file: other.in_file.0.into(),
    });
    let players: Vec<ForeignPlayer> = strangers.chain(renumbered).collect();
    let more = players.len().saturating_sub(MAX_NAMED);
    let (here, in_file) = foreign.event.clone().unwrap_or_default();
    ForeignFile {
        event_here: here,
        event_in_file: in_file,
        players: players.into_iter().take(MAX_NAMED).collect(),
        more: u32::try_from(more).unwrap_or(u32::MAX),
    }
}

/// Returns the content of a watched file, if it is still the content that the arbiter was shown.
pub(super) fn watched(desk: &PairingDesk, shown: &WatchedFile) -> Result<Vec<u8>> {
    let content = folder(desk)?.content(&shown.file, &shown.digest);
    content.ok_or_else(|| another_file(shown))
}

pub(super) fn dismiss(desk: &PairingDesk, shown: &WatchedFile) -> Result<()> {
    let dismissed = folder(desk)?.dismiss(&shown.file, &shown.digest);
    dismissed.then_some(()).ok_or_else(|| another_file(shown))
}

fn folder(desk: &PairingDesk) -> Result<&Folder> {
    let folder = desk.folder.as_deref();
    folder.ok_or_else(|| Status::failed_precondition("no folder is watched"))
}

fn another_file(shown: &WatchedFile) -> Status {
    let file = &shown.file;
    Status::failed_precondition(format!(
        "{file} has changed since it was shown: review its changes again"
    ))
}
