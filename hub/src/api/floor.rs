//! Shows and changes the hall's floor plan.

use hall::from_proto::{self, BadInput, MAX_NAME, bounded_text};
use hall::{Actor, FloorPlan, FloorRequest, Outcome};
use proto::grpc::{self, Floor, SetFloorRequest};
use timing::Instant;
use tonic::Result;

use super::ServiceContext;
use super::roles::Visibility;
use super::service::refusal;
use super::status::{malformed, refused};

impl Visibility {
    /// Converts the plan; for viewers, without the name of the person who arranged it.
    pub(super) fn floor(self, plan: &FloorPlan) -> Floor {
        let mut floor = message(plan);
        if self == Self::Viewer {
            floor.actor.clear();
        }
        floor
    }
}

pub(super) async fn set(
    parts: &ServiceContext,
    request: SetFloorRequest,
    actor: Actor,
) -> Result<Floor> {
    let request = floor_request(request, actor).map_err(malformed)?;
    let answer = parts.hub.ask(request).await.map_err(refusal)?;
    match answer.outcome {
        Outcome::Refused(why) => Err(refused(&why)),
        Outcome::Done | Outcome::Pending | Outcome::Withdrawn => Ok(message(&answer.plan)),
    }
}

fn floor_request(request: grpc::SetFloorRequest, actor: Actor) -> Result<FloorRequest, BadInput> {
    let places = request.places.into_iter();
    let places = places.map(|place| (place.board, place.x, place.y));
    Ok(FloorRequest {
        actor: Actor {
            name: bounded_text(actor.name, "the actor's name", MAX_NAME)?,
            ..actor
        },
        places: from_proto::floor::places(places)?,
        whole: request.whole,
        seen: request.seen_version,
    })
}

fn message(plan: &FloorPlan) -> grpc::Floor {
    let places = plan.places.iter().map(|(board, spot)| grpc::BoardPlace {
        board: board.to_string(),
        x: spot.x.into(),
        y: spot.y.into(),
    });
    grpc::Floor {
        version: plan.version,
        places: places.collect(),
        actor: plan.actor.clone(),
        changed_us: plan.changed.map_or(0, Instant::as_micros),
    }
}
