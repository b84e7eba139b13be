//! Who may call what: one table, and everything that is not in it is denied.

use std::task::{Context, Poll};

use futures::future::{Either, Ready, ready};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::{Layer, Service};

use super::connection::Caller;
use crate::identity::{Arbiter, Role};

/// The path of a call, as HTTP/2 has it.
pub type ServicePath = &'static str;

/// The least role for each call. A command's own table is the hall's: what a floor arbiter sends may still be the chief's to do.
pub const NEEDED_ROLES: &[(ServicePath, Role)] = &[
    ("/flagfall.api.v1.Arbiter/GetHall", Role::Viewer),
    ("/flagfall.api.v1.Arbiter/Watch", Role::Viewer),
    ("/flagfall.api.v1.Arbiter/Send", Role::Floor),
    ("/flagfall.api.v1.Arbiter/GetCommand", Role::Floor),
    ("/flagfall.api.v1.Arbiter/ListAgents", Role::Floor),
    ("/flagfall.api.v1.Arbiter/CreateEnrolmentCode", Role::Chief),
    ("/flagfall.api.v1.Arbiter/ReadLog", Role::Floor),
    ("/flagfall.api.v1.Tournament/GetTournament", Role::Viewer),
    ("/flagfall.api.v1.Tournament/Apply", Role::Floor),
    ("/flagfall.api.v1.Tournament/Import", Role::Chief),
    ("/flagfall.api.v1.Tournament/Export", Role::Floor),
    ("/flagfall.api.v1.Tournament/GetStandings", Role::Viewer),
    ("/flagfall.api.v1.Tournament/GetCrossTable", Role::Viewer),
    ("/flagfall.api.v1.Tournament/WatchTournament", Role::Viewer),
    ("/flagfall.api.v1.Tournament/ListNews", Role::Floor),
    ("/flagfall.api.v1.Tournament/DismissNews", Role::Chief),
    ("/flagfall.api.v1.Tournament/ProposePairings", Role::Chief),
    ("/flagfall.api.v1.Tournament/PresetRound", Role::Floor),
    ("/flagfall.api.v1.Tournament/StartRound", Role::Floor),
];

/// Lets a call through when its caller's certificate has the role that the call needs, and leaves the caller in the request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequireRole;

/// See [`RequireRole`].
#[derive(Clone, Debug)]
pub(super) struct Guarded<S>(S);

impl<S> Layer<S> for RequireRole {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded(inner)
    }
}

impl<S, B> Service<Request<B>> for Guarded<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Self::Response, S::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let caller = request.extensions().get::<Caller>().cloned();
        match authorize(request.uri().path(), caller.as_ref()) {
            Ok(arbiter) => {
                request.extensions_mut().insert(arbiter);
                Either::Left(self.0.call(request))
            }
            Err(status) => {
                let address = caller.map(|caller| caller.address.to_string());
                tracing::warn!(
                    path = request.uri().path(),
                    address,
                    why = status.message(),
                    "a call was denied"
                );
                Either::Right(ready(Ok(status.into_http())))
            }
        }
    }
}

fn authorize(path: &str, caller: Option<&Caller>) -> Result<Arbiter, Status> {
    let arbiter = match caller.map(|caller| &caller.arbiter) {
        Some(Ok(arbiter)) => arbiter,
        Some(Err(why)) => return Err(Status::unauthenticated(*why)),
        None => return Err(Status::unauthenticated("the caller is not known")),
    };
    let needed = NEEDED_ROLES
        .iter()
        .find(|(known, _)| *known == path)
        .map(|(_, role)| *role)
        .ok_or_else(|| Status::unimplemented(format!("this hub has no call {path}")))?;
    if arbiter.role < needed {
        return Err(Status::permission_denied(format!(
            "this needs the role {}; {} has the role {}",
            needed.as_str(),
            arbiter.name,
            arbiter.role.as_str()
        )));
    }
    Ok(arbiter.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Code;

    fn caller(role: Role) -> Caller {
        Caller {
            arbiter: Ok(Arbiter {
                role,
                name: "Ann".to_owned(),
            }),
            address: ([127, 0, 0, 1], 1).into(),
        }
    }

    #[test]
    fn every_call_is_let_through_for_its_role_and_above_and_for_no_other() {
        let table = [
            ("Arbiter/GetHall", [true, true, true]),
            ("Arbiter/Watch", [true, true, true]),
            ("Arbiter/Send", [false, true, true]),
            ("Arbiter/GetCommand", [false, true, true]),
            ("Arbiter/ListAgents", [false, true, true]),
            ("Arbiter/CreateEnrolmentCode", [false, false, true]),
            ("Arbiter/ReadLog", [false, true, true]),
            ("Tournament/GetTournament", [true, true, true]),
            ("Tournament/Apply", [false, true, true]),
            ("Tournament/Import", [false, false, true]),
            ("Tournament/Export", [false, true, true]),
            ("Tournament/GetStandings", [true, true, true]),
            ("Tournament/GetCrossTable", [true, true, true]),
            ("Tournament/WatchTournament", [true, true, true]),
            ("Tournament/ListNews", [false, true, true]),
            ("Tournament/DismissNews", [false, false, true]),
            ("Tournament/ProposePairings", [false, false, true]),
            ("Tournament/PresetRound", [false, true, true]),
            ("Tournament/StartRound", [false, true, true]),
        ];
        assert_eq!(table.len(), NEEDED_ROLES.len());
        for (call, allowed) in table {
            let path = format!("/flagfall.api.v1.{call}");
            let [_, allowed_to_floor, _] = allowed;
            for (role, allowed) in [Role::Viewer, Role::Floor, Role::Chief]
                .into_iter()
                .zip(allowed)
            {
                let outcome = authorize(&path, Some(&caller(role)));
                match outcome {
                    Ok(arbiter) => assert!(allowed && arbiter.role == role, "{call} {role:?}"),
                    Err(status) => {
                        assert!(!allowed, "{call} {role:?}");
                        assert_eq!(status.code(), Code::PermissionDenied);
                        let needed = if allowed_to_floor { "floor" } else { "chief" };
                        assert!(status.message().contains(needed), "{}", status.message());
                    }
                }
            }
        }
    }

    #[test]
    fn the_table_names_every_call_of_the_service() {
        let schemas = [
            ("Arbiter", include_str!("../../../proto/api/arbiter.proto")),
            (
                "Tournament",
                include_str!("../../../proto/api/tournament.proto"),
            ),
        ];
        let known: Vec<_> = NEEDED_ROLES.iter().map(|(path, _)| *path).collect();
        let mut count = 0;
        for (service, schema) in schemas {
            let calls = schema
                .lines()
                .filter_map(|line| line.trim().strip_prefix("rpc "))
                .filter_map(|call| call.split('(').next());
            for call in calls {
                let path = format!("/flagfall.api.v1.{service}/{call}");
                assert!(known.contains(&path.as_str()), "{call}");
                count += 1;
            }
        }
        assert_eq!(count, known.len());
    }

    #[test]
    fn nobody_calls_without_a_certificate_and_nothing_else_is_served() {
        let path = "/flagfall.api.v1.Arbiter/GetHall";
        let nobody = Caller {
            arbiter: Err("no certificate"),
            ..caller(Role::Chief)
        };
        for caller in [None, Some(&nobody)] {
            let status = authorize(path, caller).unwrap_err();
            assert_eq!(status.code(), Code::Unauthenticated);
        }
        let chief = caller(Role::Chief);
        for path in [
            "/",
            "",
            "/flagfall.api.v1.Arbiter/",
            "/grpc.reflection.v1.ServerReflection/X",
        ] {
            let status = authorize(path, Some(&chief)).unwrap_err();
            assert_eq!(status.code(), Code::Unimplemented);
        }
    }
}
