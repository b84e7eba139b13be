//! An enrolment over QUIC: one request, one response, then the connection closes. The enrolment desk decides on the request.
//!
//! A device that has not shown a code gets a place in the waiting room. The places are shared between the addresses, and a device that sends
//! nothing loses its place. A device with an open code moves on to the desk's places, so that it never waits behind a device without one.

use std::time::Duration;

use proto::frame::encode_prefixed;
use proto::wire::{EnrolAnswer, EnrolRequest, enrol_answer};
use quinn::{Connection, SendStream, VarInt};
use tokio::time::timeout;

use super::Context;
use super::framing::FrameReader;
use super::places::Place;

/// Time limit for opening the stream, and then again for sending the request on it.
const REQUEST_WITHIN: Duration = Duration::from_secs(2);
const ENROLMENT_WITHIN: Duration = Duration::from_secs(10);
const TOO_MANY: &str = "too many enrolments at a time: try again";

pub(super) async fn serve(connection: Connection, context: &Context) {
    let address = connection.remote_address();
    let served = tokio::select! {
        served = timeout(ENROLMENT_WITHIN, attend(&connection, context)) => {
            served.unwrap_or_else(|_| Err("the enrolment took longer than 10 s".to_owned()))
        }
        () = context.ending.cancelled() => Err("the hub is shutting down".to_owned()),
    };
    match served {
        Ok(()) => connection.close(VarInt::from_u32(0), b""),
        Err(why) => {
            tracing::warn!(%address, why, "an enrolment failed");
            connection.close(VarInt::from_u32(1), why.as_bytes());
        }
    }
}

/// Serves a device until it has received the response, as long as it holds a place.
async fn attend(connection: &Connection, context: &Context) -> Result<(), String> {
    let address = connection.remote_address().ip();
    let now = || context.time.hub_now();
    let mut place = place_or_error(context.waiting_room.take(now(), address, false))?;
    let (mut send, request) = while_held(&place, request(connection)).await?;
    if context.desk.holds_open_code(&request) {
        place = place_or_error(context.enrolments.take(now(), address, true))?;
    }
    while_held(&place, answer(&mut send, request, connection, context)).await
}

fn place_or_error(place: Option<Place>) -> Result<Place, String> {
    place.ok_or_else(|| TOO_MANY.to_owned())
}

/// Runs `work`, but fails as soon as another device is given `place`.
async fn while_held<T>(
    place: &Place,
    work: impl Future<Output = Result<T, String>>,
) -> Result<T, String> {
    tokio::select! {
        done = work => done,
        () = place.withdrawn() => Err(TOO_MANY.to_owned()),
    }
}

async fn request(connection: &Connection) -> Result<(SendStream, EnrolRequest), String> {
    let stream = timeout(REQUEST_WITHIN, connection.accept_bi()).await;
    let stream = stream.map_err(|_| "no request arrived within 2 s".to_owned())?;
    let (send, receive) = stream.map_err(|error| error.to_string())?;
    let mut reader = FrameReader::new(receive, "the enrolment ended before it was complete");
    let request = timeout(REQUEST_WITHIN, reader.next()).await;
    let request = request.map_err(|_| "the request took longer than 2 s".to_owned())?;
    Ok((send, request.map_err(|end| end.to_string())?))
}

async fn answer(
    send: &mut SendStream,
    request: EnrolRequest,
    connection: &Connection,
    context: &Context,
) -> Result<(), String> {
    let address = connection.remote_address();
    let enrolled = context.desk.enrol(request, address.ip()).await;
    let answer = enrolled.unwrap_or_else(|refusal| {
        tracing::warn!(%address, %refusal, "an enrolment was refused");
        enrol_answer::Answer::Refused(refusal.to_string())
    });
    let answer = EnrolAnswer {
        answer: Some(answer),
    };
    let bytes = encode_prefixed(&answer).map_err(|error| error.to_string())?;
    send.write_all(&bytes).await.map_err(|e| e.to_string())?;
    send.finish().map_err(|e| e.to_string())?;
    // Wait until the agent has the whole response: an immediate close could overtake it.
    send.stopped().await.map_err(|e| e.to_string())?;
    Ok(())
}
