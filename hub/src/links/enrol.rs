//! An enrolment over QUIC: one request, one answer, then the connection closes. The desk decides.

use std::time::Duration;

use proto::frame::encode_prefixed;
use proto::wire::{EnrolAnswer, enrol_answer};
use quinn::{Connection, VarInt};
use tokio::time::timeout;

use super::Context;
use super::framing::FrameReader;

/// Time limit of an enrolment.
const WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn serve(connection: Connection, context: &Context) {
    let address = connection.remote_address();
    let Ok(_place) = context.enrolments.try_acquire() else {
        tracing::warn!(%address, "an enrolment was put off: too many at a time");
        return connection.close(
            VarInt::from_u32(1),
            b"too many enrolments at a time: try again",
        );
    };
    let served = tokio::select! {
        served = timeout(WITHIN, answer(&connection, context)) => served,
        () = context.ending.cancelled() => Ok(Err("the hub is shutting down".to_owned())),
    };
    match served {
        Ok(Ok(())) => connection.close(VarInt::from_u32(0), b""),
        Ok(Err(why)) => {
            tracing::warn!(%address, why, "an enrolment failed");
            connection.close(VarInt::from_u32(1), why.as_bytes());
        }
        Err(_) => {
            tracing::warn!(%address, "an enrolment took too long");
            connection.close(VarInt::from_u32(1), b"the enrolment took longer than 10 s");
        }
    }
}

async fn answer(connection: &Connection, context: &Context) -> Result<(), String> {
    let address = connection.remote_address();
    let (mut send, receive) = connection.accept_bi().await.map_err(|e| e.to_string())?;
    let mut reader = FrameReader::new(receive, "the enrolment ended before it was whole");
    let request = reader.next().await.map_err(|end| end.to_string())?;
    let answer = match context.desk.enrol(request, address.ip()).await {
        Ok(answer) => answer,
        Err(refusal) => {
            tracing::warn!(%address, %refusal, "an enrolment was refused");
            enrol_answer::Answer::Refused(refusal.to_string())
        }
    };
    let answer = EnrolAnswer {
        answer: Some(answer),
    };
    let bytes = encode_prefixed(&answer).map_err(|error| error.to_string())?;
    let sent = async {
        send.write_all(&bytes).await.map_err(|e| e.to_string())?;
        send.finish().map_err(|e| e.to_string())?;
        // Wait until the agent has the whole answer: a close would overtake it.
        send.stopped().await.map_err(|e| e.to_string())
    };
    sent.await.map(|_| ())
}
