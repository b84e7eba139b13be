//! Pairings that are proposed, and files of the watched folder: the desk's answers for the wire. Changes nothing.

use proto::grpc::{
    ListNewsReply, News as WireNews, ProposeNumbersReply, ProposeNumbersRequest,
    ProposePairingsReply, ProposePairingsRequest, WatchedFile,
};
use tonic::Status;

use super::status::refused;
use super::tournament::no_event;
use crate::formats::watch::digest;
use crate::hall::TournamentNow;
use crate::pairing::{News, Numbers, PairingDesk, PairingError, Verdict, Wanted, numbering};
use crate::to_proto;
use crate::tournament::{Change, PlayerNo};

/// The next round as it could be announced.
pub(super) async fn propose(
    desk: &PairingDesk,
    now: Option<TournamentNow>,
    request: ProposePairingsRequest,
) -> Result<ProposePairingsReply, Status> {
    let Some(now) = now else {
        return Err(no_event());
    };
    let wanted = match request.all {
        true => Wanted::AllThatAreLeft,
        false => Wanted::Next,
    };
    let numbers = match request.keep_numbers {
        true => Numbers::AsTheyAre,
        false => Numbers::ByRank,
    };
    let proposal = desk.propose(&now.tournament, wanted, numbers).await;
    let proposal = proposal.map_err(|error| status(&error))?;
    let changes = proposal.changes.iter();
    Ok(ProposePairingsReply {
        version: now.version,
        by: proposal.by,
        words: proposal.words,
        remarks: proposal.remarks,
        changes: changes.map(to_proto::tournament::change).collect(),
    })
}

/// Other numbers of the players, as they could be given.
pub(super) fn numbers(
    now: &TournamentNow,
    request: ProposeNumbersRequest,
) -> Result<ProposeNumbersReply, Status> {
    let number = |no: u32| {
        let no = u16::try_from(no).map(PlayerNo);
        no.map_err(|_| Status::invalid_argument("a player's number has 16 bits"))
    };
    let order: Result<Vec<_>, _> = request.order.into_iter().map(number).collect();
    let tournament = &now.tournament;
    let asked = numbering::asked(tournament, &order?);
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
    match error {
        PairingError::Over(_)
        | PairingError::Open(..)
        | PairingError::NotAllAtOnce
        | PairingError::NoProgram
        | PairingError::System(_)
        | PairingError::FirstColour
        | PairingError::Start { .. }
        | PairingError::TooSlow { .. }
        | PairingError::Failed { .. }
        | PairingError::Answer { .. }
        | PairingError::Files(_)
        | PairingError::Refused(_) => Status::failed_precondition(error.to_string()),
    }
}

/// What the watched folder has that somebody has to decide on.
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
    let (words, remarks, fault) = match news.verdict {
        Verdict::New { words, remarks } => (words, remarks, String::new()),
        Verdict::Refused(fault) => (Vec::new(), Vec::new(), fault),
    };
    WireNews {
        file: news.file,
        digest: news.digest,
        words,
        remarks,
        fault,
    }
}

/// The content of a file of the watched folder that was shown.
pub(super) fn watched(desk: &PairingDesk, shown: &WatchedFile) -> Result<Vec<u8>, Status> {
    let folder = desk.folder.as_ref();
    let folder = folder.ok_or_else(|| Status::failed_precondition("no folder is watched"))?;
    folder.content(&shown.file, &shown.digest).ok_or_else(|| {
        Status::failed_precondition(format!(
            "{} is another file by now: look at its news again",
            shown.file
        ))
    })
}

/// A file of the watched folder that nobody wants.
pub(super) fn dismiss(desk: &PairingDesk, shown: &WatchedFile) -> Result<(), Status> {
    let content = watched(desk, shown)?;
    if let Some(folder) = &desk.folder {
        folder.deal_with(digest(&content));
    }
    Ok(())
}
