//! Refusals as gRPC statuses: the text as the message and the number in the details, as google.rpc.Status. Owns
//! this encoding, and the choice of numbers for refused codes, sessions and malformed requests.

use prost::Message;
use proto::refusal::RefusalCode;
use tonic::{Code, Status};

use crate::identity::TokenRefusal;
use crate::sessions::SessionError;
use hall::from_proto::BadInput;
use hall::refusal::Why;
use hall::{Denied, Refusal, RulingRefusal};

const TYPE_URL: &str = "type.googleapis.com/flagfall.refusal.v1.Refusal";

/// The message google.rpc.Status.
#[derive(Clone, PartialEq, Message)]
struct Detailed {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

/// The message google.protobuf.Any.
#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

pub(super) fn refused(why: &Refusal) -> Status {
    with_number(Code::FailedPrecondition, why)
}

pub(super) fn refusal(denied: Denied) -> Status {
    let text = denied.to_string();
    match &denied {
        Denied::Invalid(_) => Status::invalid_argument(text),
        Denied::NotPossible(why) => with_number(Code::InvalidArgument, why),
        Denied::NotFound(why) => with_number(Code::NotFound, why),
        Denied::Forbidden(why) => with_number(Code::PermissionDenied, why),
        Denied::NotConnected(why) => with_number(Code::Unavailable, why),
        Denied::Unavailable(_) => Status::unavailable(text),
        Denied::OutcomeUnknown(_) => Status::unknown(text),
    }
}

/// Returns a status with a refusal's number. The message is also in the details, because some libraries read it from there.
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

pub(crate) fn code_of(status: &Status) -> RefusalCode {
    refusal_of(status).map_or(RefusalCode::Unspecified, |refusal| refusal.code())
}

/// Returns the refusal in a status, without its text; `None` if the status has none.
pub(crate) fn refusal_of(status: &Status) -> Option<proto::refusal::Refusal> {
    let detailed = Detailed::decode(status.details()).ok()?;
    let refusal = detailed.details.first()?;
    proto::refusal::Refusal::decode(refusal.value.as_slice()).ok()
}

/// Returns the status for a malformed request. The status has a refusal number for values that an arbiter may have mistyped.
pub(super) fn malformed(error: BadInput) -> Status {
    let text = error.to_string();
    let why = match error {
        BadInput::Malformed(_) => return Status::invalid_argument(text),
        BadInput::Board(bad) => Why::BadBoard(bad),
        BadInput::Control { written, .. } => Why::NoControl { written, text },
        BadInput::RuleSet(key) => Why::Ruling(RulingRefusal::NoRuleSet(key)),
        BadInput::Hidden { what, found } => Why::HiddenCharacter { what, found },
    };
    with_number(Code::InvalidArgument, &why.into())
}

pub(super) fn code_refused(error: TokenRefusal) -> Status {
    with_number(
        Code::ResourceExhausted,
        &session_refused(&SessionError::Token(error)),
    )
}

/// Returns the refusal for a device's session or code. The refusal has a number if the page has its own text for it.
pub(super) fn session_refused(error: &SessionError) -> Refusal {
    if let SessionError::ShutOut(revoked) = error {
        let details = proto::refusal::Refusal {
            code: RefusalCode::DeviceRevoked.into(),
            name: revoked.by.clone(),
            at_us: Some(revoked.at_us),
            reason: revoked.reason.clone(),
            ..proto::refusal::Refusal::default()
        };
        return Refusal::from_record(error.to_string(), Some(details));
    }
    let code = match error {
        SessionError::Name(_) => RefusalCode::NameUnfit,
        SessionError::OtherHub => RefusalCode::CodeOfOtherHub,
        SessionError::Token(TokenRefusal::NotValid) => RefusalCode::CodeNotValid,
        SessionError::Token(TokenRefusal::TooMany) => RefusalCode::CodesWrong,
        SessionError::Unavailable(_) => {
            // The page's text for this refusal says that the reason is in the hub's log.
            tracing::error!("cannot sign in a device: {error}");
            RefusalCode::HubCannot
        }
        SessionError::Malformed(_)
        | SessionError::Key(_)
        | SessionError::Token(TokenRefusal::Full)
        | SessionError::NotEnrolled
        | SessionError::ShutOut(_)
        | SessionError::NoProof
        | SessionError::KeyInUse
        | SessionError::NoSuchDevice(_) => RefusalCode::Unspecified,
    };
    Refusal::with_code(code, error.to_string())
}

#[cfg(test)]
mod tests {
    use proto::refusal;
    use timing::Rejection;

    use super::*;
    use hall::BadBoardId;

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

    fn numbered(status: &Status) -> refusal::Refusal {
        let detailed = Detailed::decode(status.details()).unwrap();
        let [detail] = detailed.details.as_slice() else {
            panic!("{detailed:?}");
        };
        refusal::Refusal::decode(detail.value.as_slice()).unwrap()
    }

    #[test]
    fn only_malformed_values_that_an_arbiter_may_have_typed_have_a_number() {
        let written = "90 minutes".to_owned();
        let why = "at column 4".to_owned();
        let status = malformed(BadInput::Control { written, why });
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().contains("at column 4"), "{status}");
        let about = numbered(&status);
        assert_eq!(about.code(), RefusalCode::ControlUnreadable);
        assert_eq!(about.name, "90 minutes");
        let status = malformed(BadInput::Board(BadBoardId(" 7".to_owned())));
        assert_eq!(numbered(&status).code(), RefusalCode::NoBoard);
        assert_eq!(numbered(&status).board, " 7");
        let status = malformed(BadInput::Malformed("the id has 3 bytes".to_owned()));
        assert!(status.details().is_empty());
    }

    #[test]
    fn the_refusal_of_a_code_has_its_number() {
        for (error, code) in [
            (SessionError::OtherHub, RefusalCode::CodeOfOtherHub),
            (TokenRefusal::NotValid.into(), RefusalCode::CodeNotValid),
            (TokenRefusal::TooMany.into(), RefusalCode::CodesWrong),
            (TokenRefusal::Full.into(), RefusalCode::Unspecified),
        ] {
            let refusal = session_refused(&error);
            assert_eq!(refusal.code(), code);
            assert_eq!(refusal.text(), error.to_string());
        }
    }
}
