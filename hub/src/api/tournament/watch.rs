//! Watching the event: sends the standings and the changed rounds at the start and after every change. A slow watcher gets all missed
//! changes in one update.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use proto::grpc::TournamentUpdate;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::Result;

use super::super::ServiceContext;
use super::super::work::Turn;
use super::{Visibility, table};
use hall::{TournamentNow, to_proto};
use tournament::{Round, RoundNo};

struct Watcher {
    news: watch::Receiver<Option<TournamentNow>>,
    visibility: Visibility,
    turn: Turn,
    /// The last state sent, if any; `Some(None)` if there was no event.
    last_sent: Option<Option<TournamentNow>>,
}

pub(super) fn follow(
    parts: &ServiceContext,
    visibility: Visibility,
    ending: CancellationToken,
) -> Result<BoxStream<'static, Result<TournamentUpdate>>> {
    let watcher = Watcher {
        news: parts.hub.live().follow_tournament(visibility.audience()),
        visibility,
        turn: Turn::current()?,
        last_sent: None,
    };
    let updates = stream::unfold(watcher, |mut watcher| async {
        let update = watcher.next().await?;
        Some((update, watcher))
    });
    Ok(updates.take_until(ending.cancelled_owned()).boxed())
}

impl Watcher {
    async fn next(&mut self) -> Option<Result<TournamentUpdate>> {
        if self.last_sent.is_some() {
            self.news.changed().await.ok()?;
        }
        let now = self.news.borrow_and_update().clone();
        let before = self.last_sent.replace(now.clone()).flatten();
        let Some(now) = now else {
            return Some(Ok(TournamentUpdate::default()));
        };
        let visibility = self.visibility;
        let update = move || update(&now, before.as_ref(), visibility);
        Some(self.turn.computed(update).await)
    }
}

fn update(
    now: &TournamentNow,
    before: Option<&TournamentNow>,
    visibility: Visibility,
) -> TournamentUpdate {
    let none = BTreeMap::new();
    let old = before.map_or(&none, |before| before.tournament.rounds());
    let new = now.tournament.rounds();
    let changed = |(no, round): &(&RoundNo, &Arc<Round>)| old.get(no) != Some(*round);
    let rounds = new.iter().filter(changed);
    let rounds = rounds.map(|(no, round)| to_proto::tournament::round(*no, round));
    let gone = old.keys().filter(|no| !new.contains_key(no));
    let same_entries = before.is_some_and(|before| {
        let (old, new) = (&before.tournament, &now.tournament);
        old.event() == new.event() && old.players() == new.players() && old.teams() == new.teams()
    });
    TournamentUpdate {
        version: now.version,
        standings: Some(table::standings(
            now.version,
            &now.tournament,
            now.standings(),
        )),
        rounds: rounds.collect(),
        gone: gone.map(|no| no.0.into()).collect(),
        entries_changed: !same_entries,
        imports: visibility.imports(now),
    }
}
