//! Refusals as gRPC statuses: the words as the message, the number in the details, in the form that every gRPC library reads
//! (google.rpc.Status). Owns that form; which status a refusal has is whoever's refuses.

use prost::Message;
use tonic::{Code, Status};

use crate::hall::Refusal;

/// What the details' type is called.
const TYPE_URL: &str = "type.googleapis.com/flagfall.refusal.v1.Refusal";

/// google.rpc.Status.
#[derive(Clone, PartialEq, Message)]
struct Detailed {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

/// google.protobuf.Any.
#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// A rule refuses it.
pub(super) fn refused(why: &Refusal) -> Status {
    with_number(Code::FailedPrecondition, why)
}

/// A status that says its number. Libraries that read the details take the message from there, so it stands in both.
pub(super) fn with_number(code: Code, why: &Refusal) -> Status {
    let detailed = Detailed {
        code: code.into(),
        message: why.text().to_owned(),
        details: vec![Any {
            type_url: TYPE_URL.to_owned(),
            value: why.without_text().encode_to_vec(),
        }],
    };
    Status::with_details(code, why.text(), detailed.encode_to_vec().into())
}

#[cfg(test)]
mod tests {
    use proto::refusal::{self, RefusalCode};
    use timing::Rejection;

    use super::*;

    #[test]
    fn the_number_goes_with_the_words() {
        let status = refused(&Refusal::from(Rejection::FlagUp));
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert_eq!(status.message(), Rejection::FlagUp.to_string());
        let detailed = Detailed::decode(status.details()).unwrap();
        assert_eq!(detailed.code, i32::from(Code::FailedPrecondition));
        assert_eq!(detailed.message, status.message());
        let [detail] = detailed.details.as_slice() else {
            panic!("{detailed:?}");
        };
        assert_eq!(detail.type_url, TYPE_URL);
        let refusal = refusal::Refusal::decode(detail.value.as_slice()).unwrap();
        assert_eq!(refusal.code(), RefusalCode::FlagUp);
    }
}
