//! Carries out effects: sends frames to links and answers to callers, publishes the hall, and counts metrics. Owns the senders; never
//! changes the hall.

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::wire::{GoodbyeReason, HubFrame, hub_frame};
use timing::{Hub, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::DropGuard;

use super::handle::{ReplySender, ToLink};
use crate::live::{LiveHall, Update};
use crate::metrics;
use durable_log::Durable;
use hall::{
    AgentFrame, Count, Denied, HubEffect, Immediate, Input, LinkId, NoteKind, Notice, ReplyId,
};

pub(super) const LOG_STOPPED: &str =
    "the hub cannot write its log: it acknowledges nothing until it is restarted";

pub(super) struct Carrier {
    live: Arc<LiveHall>,
    links: BTreeMap<LinkId, Link>,
    replies: BTreeMap<ReplyId, ReplySender>,
    /// The reason for the log's failure. Once it is set, nothing that claims to be durable leaves the hub.
    stopped: Option<String>,
}

struct Link {
    sender: mpsc::Sender<ToLink>,
    /// Tells the link's task on drop that the link is closed, even if the task is blocked because the peer accepts no data.
    _dropped: DropGuard,
    /// The arrival time of the newest event, for measuring the time until its acknowledgement.
    event_at: Option<Instant<Hub>>,
}

impl Carrier {
    pub(super) fn new(live: Arc<LiveHall>) -> Self {
        Self {
            live,
            links: BTreeMap::new(),
            replies: BTreeMap::new(),
            stopped: None,
        }
    }

    pub(super) fn add_link(
        &mut self,
        link: LinkId,
        sender: mpsc::Sender<ToLink>,
        dropped: DropGuard,
    ) {
        metrics::agent_links(1);
        let added = Link {
            sender,
            _dropped: dropped,
            event_at: None,
        };
        self.links.insert(link, added);
    }

    /// Updates the link's state for an input. Returns false for a frame of a link that is gone.
    pub(super) fn accepts(&mut self, input: &Input) -> bool {
        if let Input::AgentGone { link, why } = input {
            self.remove_link(*link);
            tracing::debug!(link = link.0, why, "link over");
        }
        let Input::AgentFrame {
            link,
            received,
            frame,
        } = input
        else {
            return true;
        };
        let known = self.links.get_mut(link);
        let is_known = known.is_some();
        if let (AgentFrame::Event(_), Some(link)) = (frame, known) {
            link.event_at = Some(*received);
        }
        is_known
    }

    fn remove_link(&mut self, link: LinkId) {
        if self.links.remove(&link).is_some() {
            metrics::agent_links(-1);
        }
    }

    /// Keeps the answer channel until the hall's reply is durable. If the log has failed, answers with the failure immediately.
    pub(super) fn add_reply(&mut self, reply: ReplyId, answer: ReplySender) {
        match &self.stopped {
            // Ignore a failure: the caller may have gone.
            Some(why) => drop(answer.send(Err(Denied::Unavailable(why.clone())))),
            None => drop(self.replies.insert(reply, answer)),
        }
    }

    pub(super) fn carry_out(&mut self, steps: Vec<Durable<Vec<HubEffect>>>) {
        if self.stopped.is_some() {
            return;
        }
        let len = steps.last().map(Durable::log_len);
        self.carry_effects(steps.into_iter().flat_map(Durable::into_effects));
        len.into_iter().for_each(metrics::log_records);
        let (all, online) = self.live.counts();
        metrics::boards(all, online);
    }

    /// Carries out durable effects. Frames leave first, because players wait for them. The hall is published before answers are sent, so that an
    /// arbiter who has received an answer also sees its effect. Watchers are woken last. Of several acknowledgements on one link, only the last is
    /// sent.
    fn carry_effects(&mut self, effects: impl Iterator<Item = HubEffect>) {
        let (frames, rest): (Vec<_>, Vec<_>) = effects.partition(is_for_link);
        self.carry_frames(frames);
        let live = self.live.clone();
        let news = live.update(|update| {
            for effect in &rest {
                publish(update, effect);
            }
        });
        let mut pressed = Vec::new();
        for effect in rest {
            if let HubEffect::Count(Count::Press { at }) = effect {
                pressed.push(at);
            }
            self.carry(effect);
        }
        drop(news);
        for at in pressed {
            metrics::published(self.microseconds_since(at));
        }
    }

    fn carry_frames(&mut self, frames: Vec<HubEffect>) {
        let mut acks: BTreeMap<LinkId, HubEffect> = BTreeMap::new();
        for effect in frames {
            match ack_on(&effect) {
                Some(link) => drop(acks.insert(link, effect)),
                None => self.carry(effect),
            }
        }
        for ack in acks.into_values() {
            self.carry(ack);
        }
    }

    pub(super) fn carry_immediate(&mut self, effect: Immediate) {
        match effect {
            Immediate::Probe { link, probe } => {
                self.send(link, ToLink::Frame(Box::new(probe.into())))
            }
            Immediate::ClockHealth(health) => metrics::clocks(&health),
        }
    }

    fn carry(&mut self, effect: HubEffect) {
        match effect {
            HubEffect::ToAgent { link, frame } => {
                self.measure(link, &frame);
                self.send(link, ToLink::Frame(Box::new(frame)));
            }
            HubEffect::CloseLink { link, reason, text } => self.close_link(link, reason, &text),
            HubEffect::Reply { reply, answer } => {
                if let Some(sender) = self.replies.remove(&reply) {
                    // Ignore a failure: the caller may have gone.
                    let _ = sender.send(answer);
                }
            }
            // These effects have been published with the batch.
            HubEffect::Floor(_)
            | HubEffect::Held(_)
            | HubEffect::Tournament { .. }
            | HubEffect::NoTournament { .. }
            | HubEffect::Publish { .. }
            | HubEffect::PublishEvent { .. }
            | HubEffect::BoardRemoved { .. } => (),
            HubEffect::Notice(notice) => tell(&notice),
            HubEffect::Count(Count::Press { .. }) => metrics::press_applied(),
            HubEffect::Count(Count::PressIgnored) => metrics::press_ignored(),
            HubEffect::Count(Count::Flag) => metrics::flag_fell(),
            HubEffect::Count(Count::Command { taken }) => metrics::command(taken),
        }
    }

    fn measure(&self, link: LinkId, frame: &HubFrame) {
        let event_at = self.links.get(&link).and_then(|link| link.event_at);
        if let (true, Some(at)) = (is_ack(frame), event_at) {
            metrics::acknowledged(self.microseconds_since(at));
        }
    }

    fn microseconds_since(&self, at: Instant<Hub>) -> u64 {
        let now = Instant::<Hub>::from_micros(self.live.hub_us());
        (now - at).or_zero().as_micros().unsigned_abs()
    }

    /// Sends `what` to a link. Removes a link whose queue is closed or full, because a slow link would only fall further behind.
    fn send(&mut self, link: LinkId, what: ToLink) {
        let known = self.links.get(&link);
        if known.is_some_and(|known| known.sender.try_send(what).is_err()) {
            self.remove_link(link);
        }
    }

    pub(super) fn close_link(&mut self, link: LinkId, reason: GoodbyeReason, text: &str) {
        let text = text.to_owned();
        self.send(link, ToLink::Close { reason, text });
        self.remove_link(link);
    }

    pub(super) fn close_all(&mut self, reason: GoodbyeReason, text: &str) {
        while let Some((&link, _)) = self.links.first_key_value() {
            self.close_link(link, reason, text);
        }
    }

    /// Tells every link and caller that the log has failed; nothing is acknowledged afterwards.
    pub(super) fn stop(&mut self, why: &str) {
        self.stopped = Some(why.to_owned());
        self.live.note(NoteKind::LogStopped, why.to_owned());
        self.close_all(GoodbyeReason::LogStopped, LOG_STOPPED);
        let unknown = format!(
            "the log failed while this request was being recorded: whether it was recorded is not known until the hub has been restarted, \
             so check before you ask again; {why}"
        );
        for (_, sender) in std::mem::take(&mut self.replies) {
            // Ignore a failure: the caller may have gone.
            let _ = sender.send(Err(Denied::OutcomeUnknown(unknown.clone())));
        }
    }
}

pub(crate) fn publish(update: &mut Update<'_>, effect: &HubEffect) {
    match effect {
        HubEffect::Publish { boards } => {
            for board in boards {
                update.board(board.clone());
            }
        }
        HubEffect::BoardRemoved { board } => update.gone(board.as_str()),
        HubEffect::PublishEvent { event } => update.event(event.clone()),
        HubEffect::Tournament { now } => update.tournament(Some(now.clone())),
        HubEffect::NoTournament { .. } => update.tournament(None),
        HubEffect::Floor(plan) => update.floor(plan.clone()),
        HubEffect::Held(commands) => update.held(commands.clone()),
        HubEffect::ToAgent { .. }
        | HubEffect::CloseLink { .. }
        | HubEffect::Reply { .. }
        | HubEffect::Notice(_)
        | HubEffect::Count(_) => (),
    }
}

fn is_for_link(effect: &HubEffect) -> bool {
    matches!(
        effect,
        HubEffect::ToAgent { .. } | HubEffect::CloseLink { .. }
    )
}

fn ack_on(effect: &HubEffect) -> Option<LinkId> {
    let HubEffect::ToAgent { link, frame } = effect else {
        return None;
    };
    is_ack(frame).then_some(*link)
}

fn is_ack(frame: &HubFrame) -> bool {
    matches!(frame.frame, Some(hub_frame::Frame::Ack(_)))
}

fn tell(notice: &Notice) {
    tracing::warn!(
        kind = notice.kind.as_str(),
        board = notice.board.as_ref().map(tracing::field::display),
        agent = notice.agent.map(|agent| agent.short()),
        "{}",
        notice.text
    );
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use hall::view::EventView;
    use proto::wire::Ack;
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[test]
    fn a_frame_leaves_before_the_hall_is_published() {
        let (sender, frames) = mpsc::channel(4);
        let queued = Arc::new(Mutex::new(Vec::new()));
        let seen = queued.clone();
        let frames = Mutex::new(frames);
        // Each update reads the time.
        let hub_now = move || {
            seen.lock().unwrap().push(frames.lock().unwrap().len());
            0
        };
        let live = Arc::new(LiveHall::new(1, 16, hub_now));
        let mut carrier = Carrier::new(live);
        let link = LinkId(1);
        carrier.add_link(link, sender, CancellationToken::new().drop_guard());
        let event = EventView::default();
        let frame = HubFrame {
            frame: Some(hub_frame::Frame::Ack(Ack::default())),
        };
        let effects = [
            HubEffect::PublishEvent { event },
            HubEffect::ToAgent { link, frame },
        ];
        carrier.carry_effects(effects.into_iter());
        assert_eq!(*queued.lock().unwrap(), [1]);
    }
}
