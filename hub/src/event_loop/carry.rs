//! Carries effects out: frames to links, answers to those who wait, boards to watchers. Owns the senders; never touches the hall.

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::wire::{GoodbyeReason, hub_frame};
use timing::{Hub, Instant};
use tokio::sync::mpsc;

use super::handle::{ReplySender, ToLink};
use super::mirror::HallMirror;
use crate::live::LiveFeed;
use crate::metrics;
use durable_log::Durable;
use hall::{
    AgentFrame, BoardDetail, BoardId, Count, Denied, HubEffect, Immediate, LinkId, Notice, ReplyId,
};

/// The outside, as the event loop reaches it.
pub(super) struct Carrier {
    feed: Arc<LiveFeed>,
    mirror: Arc<HallMirror>,
    links: BTreeMap<LinkId, Link>,
    replies: BTreeMap<ReplyId, ReplySender>,
    /// Why the log has failed: nothing that claims to be durable leaves.
    stopped: Option<String>,
}

struct Link {
    sender: mpsc::Sender<ToLink>,
    /// When the newest event came.
    event_at: Option<Instant<Hub>>,
}

impl Carrier {
    pub(super) fn new(feed: Arc<LiveFeed>, mirror: Arc<HallMirror>) -> Self {
        Self {
            feed,
            mirror,
            links: BTreeMap::new(),
            replies: BTreeMap::new(),
            stopped: None,
        }
    }

    pub(super) fn add_link(&mut self, link: LinkId, sender: mpsc::Sender<ToLink>) {
        metrics::agent_links(1);
        let event_at = None;
        self.links.insert(link, Link { sender, event_at });
    }

    pub(super) fn has_link(&self, link: LinkId) -> bool {
        self.links.contains_key(&link)
    }

    pub(super) fn remove_link(&mut self, link: LinkId) {
        if self.links.remove(&link).is_some() {
            metrics::agent_links(-1);
        }
    }

    /// Remembers when an event came, to tell how long its acknowledgement took.
    pub(super) fn received(&mut self, link: LinkId, at: Instant<Hub>, frame: &AgentFrame) {
        if let (AgentFrame::Event(_), Some(link)) = (frame, self.links.get_mut(&link)) {
            link.event_at = Some(at);
        }
    }

    /// Keeps the place for an answer until the hall's reply is durable.
    pub(super) fn add_reply(&mut self, reply: ReplyId, answer: ReplySender) {
        match &self.stopped {
            // The caller may have gone.
            Some(why) => drop(answer.send(Err(Denied::Unavailable(why.clone())))),
            None => drop(self.replies.insert(reply, answer)),
        }
    }

    /// Carries out what has become durable: clocks and arbiters first, watchers then. Of several states of a board in one batch
    /// watchers see the newest, and of several acknowledgements on one link the clock gets the last.
    pub(super) fn carry_out(&mut self, steps: Vec<Durable<Vec<HubEffect>>>) {
        if self.stopped.is_some() {
            return;
        }
        self.reflect(&steps);
        let mut shown: BTreeMap<String, Arc<BoardDetail>> = BTreeMap::new();
        let mut shown_us = i64::MIN;
        let mut acks: BTreeMap<LinkId, HubEffect> = BTreeMap::new();
        let mut pressed = Vec::new();
        let mut len = 0;
        for step in steps {
            len = step.log_len();
            for effect in step.into_effects() {
                match effect {
                    HubEffect::Publish { hub_us, boards } => {
                        shown_us = shown_us.max(hub_us);
                        for board in boards {
                            shown.insert(board.view.board.clone(), board);
                        }
                    }
                    HubEffect::Gone { hub_us, board } => {
                        self.publish(shown_us, std::mem::take(&mut shown));
                        self.mirror.remove_board(&board);
                        self.feed.withdraw(hub_us, &[board.to_string()]);
                    }
                    HubEffect::ToAgent { link, .. } if is_ack(&effect) => {
                        acks.insert(link, effect);
                    }
                    HubEffect::ToAgent { .. }
                    | HubEffect::CloseLink { .. }
                    | HubEffect::Reply { .. }
                    | HubEffect::Floor(_)
                    | HubEffect::Tournament { .. }
                    | HubEffect::NoTournament { .. }
                    | HubEffect::PublishEvent { .. }
                    | HubEffect::Notice(_) => self.carry(effect),
                    HubEffect::Count(count) => {
                        if let Count::Press { at } = count {
                            pressed.push(at);
                        }
                        self.carry(effect);
                    }
                }
            }
        }
        for ack in acks.into_values() {
            self.carry(ack);
        }
        self.publish(shown_us, shown);
        for at in pressed {
            metrics::published(self.microseconds_since(at));
        }
        metrics::log_records(len);
        let (all, online) = self.mirror.counts();
        metrics::boards(all, online);
    }

    /// Brings the mirror up to date before anybody is answered: whoever has an answer finds its effect there.
    fn reflect(&self, steps: &[Durable<Vec<HubEffect>>]) {
        for effect in steps.iter().flat_map(Durable::effects) {
            if let HubEffect::Publish { boards, .. } = effect {
                for board in boards {
                    if let Ok(id) = board.view.board.parse::<BoardId>() {
                        self.mirror.set_board(id, board.clone());
                    }
                }
            } else if let HubEffect::Gone { board, .. } = effect {
                self.mirror.remove_board(board);
            } else if let HubEffect::Tournament { now, .. } = effect {
                self.mirror.set_tournament(Some(now.clone()));
            } else if let HubEffect::NoTournament { .. } = effect {
                self.mirror.set_tournament(None);
            } else if let HubEffect::Floor(plan) = effect {
                self.mirror.set_floor(plan.clone());
            }
        }
    }

    /// Carries out an effect that need not wait for the disk.
    pub(super) fn carry_immediate(&mut self, effect: Immediate) {
        match effect {
            Immediate::Probe { link, probe } => self.send(link, ToLink::Frame(probe.into())),
            Immediate::ClockHealth(health) => metrics::clocks(&health),
        }
    }

    /// Carries out one effect of a durable step.
    fn carry(&mut self, effect: HubEffect) {
        match effect {
            HubEffect::ToAgent { link, frame } => {
                self.measure(link, &frame);
                self.send(link, ToLink::Frame(frame));
            }
            HubEffect::CloseLink { link, reason, text } => self.close_link(link, reason, &text),
            HubEffect::Reply { reply, answer } => {
                if let Some(sender) = self.replies.remove(&reply) {
                    // The caller may have gone.
                    let _ = sender.send(answer);
                }
            }
            // The mirror has these already, and tells its followers of the plan.
            HubEffect::Floor(_) => (),
            HubEffect::Tournament { hub_us, now } => self.feed.announce(hub_us, now.version),
            HubEffect::NoTournament { hub_us, version } => self.feed.announce(hub_us, version),
            HubEffect::Publish { hub_us, boards } => {
                let boards = boards
                    .into_iter()
                    .map(|board| (board.view.board.clone(), board))
                    .collect();
                self.publish(hub_us, boards);
            }
            HubEffect::PublishEvent { hub_us, event } => {
                self.mirror.set_event(event.clone());
                self.feed.publish(hub_us, Vec::new(), Some(event));
            }
            HubEffect::Gone { hub_us, board } => {
                self.mirror.remove_board(&board);
                self.feed.withdraw(hub_us, &[board.to_string()]);
            }
            HubEffect::Notice(notice) => tell(&notice),
            HubEffect::Count(Count::Press { .. }) => metrics::press_applied(),
            HubEffect::Count(Count::PressIgnored) => metrics::press_ignored(),
            HubEffect::Count(Count::Flag) => metrics::flag_fell(),
            HubEffect::Count(Count::Command { taken }) => metrics::command(taken),
        }
    }

    fn publish(&self, hub_us: i64, boards: BTreeMap<String, Arc<BoardDetail>>) {
        if boards.is_empty() {
            return;
        }
        let mut views = Vec::with_capacity(boards.len());
        for detail in boards.into_values() {
            views.push(detail.view.clone());
            if let Ok(id) = detail.view.board.parse::<BoardId>() {
                self.mirror.set_board(id, detail);
            }
        }
        self.feed.publish(hub_us, views, None);
    }

    fn measure(&self, link: LinkId, frame: &proto::wire::HubFrame) {
        let acknowledged = matches!(frame.frame, Some(hub_frame::Frame::Ack(_)));
        let event_at = self.links.get(&link).and_then(|link| link.event_at);
        if let (true, Some(at)) = (acknowledged, event_at) {
            metrics::acknowledged(self.microseconds_since(at));
        }
    }

    fn microseconds_since(&self, at: Instant<Hub>) -> u64 {
        let now = Instant::<Hub>::from_micros(self.feed.hub_us());
        (now - at).or_zero().as_micros().unsigned_abs()
    }

    /// A link that does not take what it is sent is over: it would only ever fall further behind.
    fn send(&mut self, link: LinkId, what: ToLink) {
        let refused = match self.links.get(&link) {
            Some(known) => known.sender.try_send(what).is_err(),
            None => false,
        };
        if refused {
            self.remove_link(link);
        }
    }

    pub(super) fn close_link(&mut self, link: LinkId, reason: GoodbyeReason, text: &str) {
        let text = text.to_owned();
        self.send(link, ToLink::Close { reason, text });
        self.remove_link(link);
    }

    pub(super) fn close_all(&mut self, reason: GoodbyeReason, text: &str) {
        let links: Vec<LinkId> = self.links.keys().copied().collect();
        for link in links {
            self.close_link(link, reason, text);
        }
    }

    /// The log has failed: everybody is told, nothing is claimed any more.
    pub(super) fn stop(&mut self, why: &str) {
        self.stopped = Some(why.to_owned());
        self.mirror.set_trouble(why.to_owned());
        self.close_all(
            GoodbyeReason::LogStopped,
            "the hub cannot write its log: it acknowledges nothing until it is restarted",
        );
        for (_, sender) in std::mem::take(&mut self.replies) {
            // The caller may have gone.
            let _ = sender.send(Err(Denied::Unavailable(why.to_owned())));
        }
    }
}

fn is_ack(effect: &HubEffect) -> bool {
    matches!(
        effect,
        HubEffect::ToAgent { frame, .. } if matches!(frame.frame, Some(hub_frame::Frame::Ack(_)))
    )
}

fn tell(notice: &Notice) {
    tracing::warn!(
        kind = notice.kind,
        board = notice.board.as_ref().map(tracing::field::display),
        agent = notice.agent.map(|agent| agent.short()),
        "{}",
        notice.text
    );
}
