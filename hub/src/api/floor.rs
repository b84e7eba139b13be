//! The hall's floor plan: asked for, followed, changed. Whoever is slow gets the newest plan, not every one in between.

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use proto::grpc::{Floor, SetFloorRequest};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::Parts;
use super::service::refusal;
use super::status::{malformed, refused};
use crate::hall::{Actor, FloorPlan, Outcome};
use crate::{from_proto, to_proto};

/// The plan now, and after every change, until the hub shuts down.
pub(super) fn follow(
    parts: &Parts,
    ending: CancellationToken,
) -> BoxStream<'static, Result<Floor, Status>> {
    let mut news = parts.hub.live().follow_floor();
    // The first one comes at once.
    news.mark_changed();
    stream::unfold(news, next)
        .take_until(ending.cancelled_owned())
        .boxed()
}

/// `None` when there will be none.
async fn next(
    mut news: watch::Receiver<FloorPlan>,
) -> Option<(Result<Floor, Status>, watch::Receiver<FloorPlan>)> {
    news.changed().await.ok()?;
    let plan = to_proto::floor::floor(&news.borrow_and_update());
    Some((Ok(plan), news))
}

/// Changes it; gives the plan after that.
pub(super) async fn set(
    parts: &Parts,
    request: SetFloorRequest,
    actor: Actor,
) -> Result<Floor, Status> {
    let request = from_proto::floor::floor_request(request, actor).map_err(malformed)?;
    let answer = parts.hub.ask(request).await.map_err(refusal)?;
    match answer.outcome {
        Outcome::Refused(why) => Err(refused(&why)),
        Outcome::Done | Outcome::Pending | Outcome::Withdrawn => {
            Ok(to_proto::floor::floor(&answer.plan))
        }
    }
}
