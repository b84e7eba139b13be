//! The pictures of link previews (Open Graph): `/picture.png` and `/board/{board}/picture.png`.
//!
//! A picture shows what every spectator sees, and is kept for a minute. Owns the pace: drawing takes at most a tenth of a core, however many
//! pictures are requested.

mod canvas;
mod card;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use percent_encoding::utf8_percent_encode;
use tokio::time::{sleep, timeout};

use super::answer::{Answer, Keep};
use super::error_page::escape;
use super::kept::Kept;
use super::snapshot::off_the_runtime;
use super::words::Language;
use super::{Web, error_page, with_cors};
use crate::identity::RESERVED;
use canvas::PictureError;
use hall::view::BoardView;

/// The age at which a picture is drawn again.
const MAX_AGE_US: i64 = 60_000_000;
/// The pause after drawing a picture, as a multiple of the drawing time.
const REST: u32 = 9;
/// Maximum wait of a request for its turn to draw.
const WAIT: Duration = Duration::from_secs(5);
/// A picture has 40,000 to 100,000 bytes.
const MAX_KEPT: usize = 128;
const PNG: &str = "image/png";

/// The board that a picture shows (`None` for the hall), and the picture's language.
type Key = (Option<String>, Language);

#[derive(Default)]
pub(super) struct Pictures {
    /// Each picture with the hub instant at which it was drawn, in microseconds.
    drawn: Kept<Key, (i64, Answer), MAX_KEPT>,
    /// Held while a picture is drawn, and during the pause after it.
    turn: Arc<tokio::sync::Mutex<()>>,
}

pub(super) async fn of_hall(State(web): State<Web>, headers: HeaderMap) -> Response {
    let (language, hall) = (Language::of(&headers), web.hall.clone());
    let draw = move || card::of_hall(language, &hall.snapshot());
    web.picture((None, language), draw, &headers).await
}

pub(super) async fn of_board(
    State(web): State<Web>,
    Path(board): Path<String>,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&headers);
    let Some(view) = web.hall.board(&board) else {
        return error_page::no_such_board(&board, &headers);
    };
    let (event, view) = (web.hall.event(), view.at(web.hall.hub_us()));
    let draw = move || card::of_board(language, &event, &view);
    web.picture((Some(board), language), draw, &headers).await
}

impl Web {
    async fn picture(
        &self,
        key: Key,
        draw: impl Fn() -> Result<Vec<u8>, PictureError> + Clone + Send + 'static,
        headers: &HeaderMap,
    ) -> Response {
        let pictures = &self.pictures;
        let kept = || pictures.kept(&key, self.hall.hub_us());
        if let Some(picture) = kept() {
            return with_cors(picture.respond(headers));
        }
        let Ok(turn) = timeout(WAIT, pictures.turn.clone().lock_owned()).await else {
            return error_page::too_many(headers);
        };
        if let Some(picture) = kept() {
            return with_cors(picture.respond(headers));
        }
        let at_us = self.hall.hub_us();
        let drawn = off_the_runtime(draw).await;
        let took_us = self.hall.hub_us().saturating_sub(at_us);
        let rest = Duration::from_micros(u64::try_from(took_us).unwrap_or(0)) * REST;
        tokio::spawn(async move {
            sleep(rest).await;
            drop(turn);
        });
        let png = match drawn {
            Ok(png) => png,
            Err(error) => {
                tracing::error!(%error, "a share picture could not be drawn");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
        };
        let answer = Answer::new(PNG, Keep::Minute, png.into(), Compression::none());
        pictures.drawn.keep(key, (at_us, answer.clone()));
        with_cors(answer.respond(headers))
    }

    /// Returns the link-preview tags for a page's head: its title, a description and, if the pages' address is known, a picture.
    pub(super) fn share(
        &self,
        board: Option<&BoardView>,
        asked: Option<&str>,
        language: Language,
    ) -> String {
        let event = self.hall.event();
        let name = match event.name.as_str() {
            "" => language.word("pub_live_boards"),
            name => name,
        };
        let round = card::round(language, &event).unwrap_or_default();
        let (title, about, path) = match board {
            None => (name.to_owned(), round, String::new()),
            Some(board) => {
                let title = format!("{} – {}", board.white.name, board.black.name);
                let place = language.say("more_title", &[("board", &board.board)]);
                let about = [name, &round, &place].map(str::to_owned);
                let about: Vec<_> = about.into_iter().filter(|part| !part.is_empty()).collect();
                let path = format!("/board/{}", utf8_percent_encode(&board.board, RESERVED));
                (title, about.join(" · "), path)
            }
        };
        let mut lines = format!(
            "<meta property=\"og:type\" content=\"website\">\n<meta property=\"og:title\" content=\"{}\">\n\
             <meta property=\"og:description\" content=\"{}\">\n",
            escape(&title),
            escape(&about)
        );
        // Link previews work only with absolute addresses.
        if let Some(site) = self.site(asked) {
            let (width, height) = card::SIZE;
            lines += &format!(
                "<meta property=\"og:image\" content=\"{site}{path}/picture.png?lang={}\">\n\
                 <meta property=\"og:image:width\" content=\"{width}\">\n<meta property=\"og:image:height\" content=\"{height}\">\n\
                 <meta name=\"twitter:card\" content=\"summary_large_image\">\n",
                language.tag()
            );
        }
        lines
    }

    /// Returns the address at which other sites reach these pages, without a trailing slash.
    fn site(&self, asked: Option<&str>) -> Option<String> {
        let own = || Some(format!("http://{}", self.source.hosts().of(asked)?));
        self.site.as_ref().map(|site| escape(site)).or_else(own)
    }
}

impl Pictures {
    fn kept(&self, key: &Key, now_us: i64) -> Option<Answer> {
        let (at_us, answer) = self.drawn.get(key)?;
        let is_fresh = (0..MAX_AGE_US).contains(&now_us.saturating_sub(at_us));
        is_fresh.then_some(answer)
    }
}
