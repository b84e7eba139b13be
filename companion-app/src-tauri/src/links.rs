//! `flagfall://` links that the system opens with this program: an enrolment code, or a board of this device's hub.
//!
//! Owns the effect of each link, and the delivery of links to the page. A link must never act by itself. A code is offered on the first
//! screen, a board is shown, and any other link is refused with a reason.

use std::sync::{Mutex, MutexGuard, PoisonError};

use proto::enrolment::EnrolmentCode;
use serde::Serialize;
use tauri::ipc::Channel;

use crate::hub_client::Address;

const SCHEME: &str = "flagfall://";
/// Maximum length of a link in bytes; a code with the longest possible host name fits.
const MAX_LINK: usize = 512;

/// A link, as the page receives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Link {
    /// An enrolment code, offered on the first screen.
    Code {
        /// The code, formatted as the hub prints it.
        code: String,
    },
    /// A board of this device's hub.
    Board {
        /// The board's name, percent-encoded as in the link.
        board: String,
    },
    /// A link that is neither a valid code nor a valid board link, or is too long.
    NotOurs,
    /// A board link, while this device is not enrolled.
    NotEnrolled {
        /// The host in the link, and the port if the link has one.
        hub: String,
    },
    /// A board link of a hub that is not this device's hub.
    OtherHub {
        /// The host in the link, and the port if the link has one.
        hub: String,
        /// Host and port of this device's own hub.
        own: String,
    },
}

impl Link {
    /// Parses a link. `own` is the address of this device's hub.
    pub fn read(text: &str, own: Option<&Address>) -> Self {
        if text.len() > MAX_LINK {
            return Self::NotOurs;
        }
        // Some systems insert a slash before the fragment.
        if let Ok(code) = text.replacen("/#", "#", 1).parse::<EnrolmentCode>() {
            let code = code.to_string();
            return Self::Code { code };
        }
        let Some((hub, board)) = board_in(text) else {
            return Self::NotOurs;
        };
        match own {
            None => Self::NotEnrolled {
                hub: hub.to_owned(),
            },
            Some(own) if names(hub, own) => Self::Board {
                board: board.to_owned(),
            },
            Some(own) => Self::OtherHub {
                hub: hub.to_owned(),
                own: own.to_string(),
            },
        }
    }
}

/// Splits `flagfall://HUB/board/NAME` into HUB and NAME.
fn board_in(text: &str) -> Option<(&str, &str)> {
    let (hub, path) = text.trim().strip_prefix(SCHEME)?.split_once('/')?;
    let board = path.strip_prefix("board/")?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._~%".contains(c);
    let fits =
        |part: &str, allowed: fn(char) -> bool| !part.is_empty() && part.chars().all(allowed);
    (fits(hub, is_host) && fits(board, is_name)).then_some((hub, board))
}

/// Returns true if `hub`, with or without a port, names the hub at `own`.
fn names(hub: &str, own: &Address) -> bool {
    let whole = own.to_string();
    let port = format!(":{}", own.port);
    let host = whole.strip_suffix(&port).unwrap_or(&whole);
    hub.eq_ignore_ascii_case(host) || hub.eq_ignore_ascii_case(&whole)
}

/// The delivery of links to the page. Holds the newest link until the page listens.
#[derive(Default)]
pub struct Links(Mutex<LinkQueue>);

#[derive(Default)]
struct LinkQueue {
    page: Option<Channel<Link>>,
    waiting: Option<Link>,
}

impl Links {
    /// Sends a link to the page once it listens. Replaces a link that is still waiting.
    pub fn open(&self, link: Link) {
        let mut queue = self.queue();
        queue.waiting = Some(link);
        queue.hand_over();
    }

    /// Registers the page's channel, and sends the waiting link, if any.
    pub fn follow(&self, page: Channel<Link>) {
        let mut queue = self.queue();
        queue.page = Some(page);
        queue.hand_over();
    }

    /// Forgets the page's channel, because the page is gone.
    pub fn page_gone(&self) {
        self.queue().page = None;
    }

    fn queue(&self) -> MutexGuard<'_, LinkQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LinkQueue {
    fn hand_over(&mut self) {
        let Some(page) = &self.page else { return };
        if let Some(link) = self.waiting.take()
            && page.send(link.clone()).is_err()
        {
            // The page closed without notice, so the link waits for the next page.
            self.page = None;
            self.waiting = Some(link);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn own() -> Address {
        Address {
            host: "192.0.2.7".to_owned(),
            port: 7464,
        }
    }

    #[test]
    fn a_code_is_offered_on_any_device() {
        let code = format!(
            "flagfall://hub.local:7464#{}.{}",
            "a".repeat(32),
            "b".repeat(32)
        );
        let offered = Link::Code { code: code.clone() };
        assert_eq!(Link::read(&code, None), offered);
        assert_eq!(Link::read(&code, Some(&own())), offered);
        assert_eq!(Link::read(&code.replace('#', "/#"), None), offered);
    }

    #[test]
    fn a_board_is_shown_only_at_its_own_hub() {
        let read = |link: &str| Link::read(link, Some(&own()));
        let board = |name: &str| Link::Board {
            board: name.to_owned(),
        };
        assert_eq!(read("flagfall://192.0.2.7/board/7"), board("7"));
        assert_eq!(
            read("flagfall://192.0.2.7:7464/board/B%C3%BChne-1"),
            board("B%C3%BChne-1")
        );
        for hub in [
            "192.0.2.8",
            "192.0.2.7:7465",
            "hub.local",
            "192.0.2.7:74640",
        ] {
            let other = Link::OtherHub {
                hub: hub.to_owned(),
                own: "192.0.2.7:7464".to_owned(),
            };
            let link = format!("flagfall://{hub}/board/7");
            assert_eq!(read(&link), other);
        }
        let nowhere = Link::NotEnrolled {
            hub: "192.0.2.7".to_owned(),
        };
        assert_eq!(Link::read("flagfall://192.0.2.7/board/7", None), nowhere);
        let v6 = Address {
            host: "2001:db8::7".to_owned(),
            port: 7464,
        };
        assert_eq!(
            Link::read("flagfall://[2001:db8::7]/board/7", Some(&v6)),
            board("7")
        );
    }

    #[test]
    fn forged_links_are_refused() {
        for forged in [
            "",
            "flagfall://",
            "https://192.0.2.7/board/7",
            "flagfall:192.0.2.7/board/7",
            "flagfall://192.0.2.7/board/",
            "flagfall://192.0.2.7/board/7/../../start",
            "flagfall://192.0.2.7/board/7#/start",
            "flagfall://192.0.2.7/board/<script>",
            "flagfall://user@192.0.2.7/board/7",
            "flagfall://192.0.2.7/clocks",
            "flagfall://192.0.2.7:7464#0123.4567",
            &format!("flagfall://192.0.2.7/board/{}", "7".repeat(MAX_LINK)),
        ] {
            assert_eq!(Link::read(forged, Some(&own())), Link::NotOurs, "{forged}");
        }
    }

    #[test]
    fn a_link_waits_for_the_page_and_is_delivered_once() {
        let (links, taken) = (Links::default(), Arc::new(Mutex::new(0)));
        let page = || {
            let taken = Arc::clone(&taken);
            Channel::new(move |_| {
                *taken.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                Ok(())
            })
        };
        let count = || *taken.lock().unwrap_or_else(PoisonError::into_inner);
        links.open(Link::NotOurs);
        assert_eq!(count(), 0);
        links.follow(page());
        assert_eq!(count(), 1);
        links.follow(page());
        assert_eq!(count(), 1, "the next page is not told of an old link");
        links.open(Link::NotOurs);
        assert_eq!(count(), 2);
        links.page_gone();
        links.open(Link::NotOurs);
        assert_eq!(count(), 2);
        links.follow(page());
        assert_eq!(count(), 3);
    }
}
