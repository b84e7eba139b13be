//! The hub's public pages and data over HTTP, as browsers and programs see them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "web/fixture.rs"]
mod fixture;

#[path = "web/elsewhere.rs"]
mod elsewhere;

#[path = "web/pages.rs"]
mod pages;

#[path = "web/events.rs"]
mod events;

#[path = "web/event.rs"]
mod event;

#[path = "web/event_life.rs"]
mod event_life;

#[path = "web/event_pages.rs"]
mod event_pages;
