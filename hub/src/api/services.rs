//! Routes a call to its service by its path. [`super::roles`] has already denied unknown paths.

use std::task::{Context, Poll, ready};

use futures::future::Either;
use proto::grpc::{archive_server, player_server, tournament_server};
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::Service;

#[derive(Clone)]
pub(super) struct Services<A, T, R, P> {
    pub(super) arbiter: A,
    pub(super) tournament: T,
    pub(super) archive: R,
    pub(super) player: P,
}

impl<A, T, R, P, B> Service<Request<B>> for Services<A, T, R, P>
where
    A: Service<Request<B>, Response = Response<Body>>,
    T: Service<Request<B>, Response = Response<Body>, Error = A::Error>,
    R: Service<Request<B>, Response = Response<Body>, Error = A::Error>,
    P: Service<Request<B>, Response = Response<Body>, Error = A::Error>,
{
    type Response = Response<Body>;
    type Error = A::Error;
    type Future = Either<Either<A::Future, P::Future>, Either<T::Future, R::Future>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), A::Error>> {
        ready!(self.arbiter.poll_ready(context))?;
        ready!(self.tournament.poll_ready(context))?;
        ready!(self.player.poll_ready(context))?;
        self.archive.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut path = request.uri().path().split('/');
        match path.nth(1) {
            Some(tournament_server::SERVICE_NAME) => {
                Either::Right(Either::Left(self.tournament.call(request)))
            }
            Some(archive_server::SERVICE_NAME) => {
                Either::Right(Either::Right(self.archive.call(request)))
            }
            Some(player_server::SERVICE_NAME) => {
                Either::Left(Either::Right(self.player.call(request)))
            }
            Some(_) | None => Either::Left(Either::Left(self.arbiter.call(request))),
        }
    }
}
