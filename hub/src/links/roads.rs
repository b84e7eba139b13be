//! Which way each clock speaks now, for the inventory. Decides nothing: what carries a link makes no difference to the hall.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proto::ids::AgentId;

use hall::LinkId;

/// The way of every clock that has a session.
#[derive(Clone, Debug, Default)]
pub struct Roads(Arc<Mutex<BTreeMap<AgentId, (LinkId, String)>>>);

impl Roads {
    /// The way of `agent`'s newest session: an address of QUIC, a radio and an address of Bluetooth LE, with the gateway before it if
    /// there is one between.
    pub fn of(&self, agent: &AgentId) -> Option<String> {
        self.lock().get(agent).map(|(_, way)| way.clone())
    }

    /// `agent` speaks this way, until what is given back is dropped.
    pub(super) fn take(&self, agent: AgentId, link: LinkId, way: &str) -> OnRoad {
        self.lock().insert(agent, (link, way.to_owned()));
        OnRoad {
            roads: self.clone(),
            agent,
            link,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<AgentId, (LinkId, String)>> {
        // Entries are replaced whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session that goes on.
pub(super) struct OnRoad {
    roads: Roads,
    agent: AgentId,
    link: LinkId,
}

impl Drop for OnRoad {
    /// The clock may have come another way meanwhile.
    fn drop(&mut self) {
        let mut roads = self.roads.lock();
        let ours = roads.get(&self.agent).map(|(link, _)| *link);
        if ours == Some(self.link) {
            roads.remove(&self.agent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_session_says_the_way() {
        let roads = Roads::default();
        let agent = AgentId([1; 32]);
        let first = roads.take(agent, LinkId(1), "192.0.2.7:5000");
        let second = roads.take(agent, LinkId(2), "ble hci0 AA");
        drop(first);
        assert_eq!(roads.of(&agent).as_deref(), Some("ble hci0 AA"));
        drop(second);
        assert_eq!(roads.of(&agent), None);
    }
}
