//! The link route of each clock, for the inventory. Decides nothing: the hall ignores what carries a link.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proto::ids::AgentId;

use hall::LinkId;

/// The route of every clock that has a session.
#[derive(Clone, Debug, Default)]
pub struct Roads(Arc<Mutex<BTreeMap<AgentId, (LinkId, String)>>>);

impl Roads {
    /// Returns the route of `agent`'s newest session: a QUIC address, or a radio and a Bluetooth LE address. If a gateway relays, its name
    /// comes first.
    pub fn of(&self, agent: &AgentId) -> Option<String> {
        self.lock().get(agent).map(|(_, way)| way.clone())
    }

    /// Registers the route of `agent` until the returned guard is dropped.
    pub(super) fn take(&self, agent: AgentId, link: LinkId, way: &str) -> OnRoad {
        self.lock().insert(agent, (link, way.to_owned()));
        OnRoad {
            roads: self.clone(),
            agent,
            link,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<AgentId, (LinkId, String)>> {
        // Entries are replaced as a whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct OnRoad {
    roads: Roads,
    agent: AgentId,
    link: LinkId,
}

impl Drop for OnRoad {
    /// Keeps the entry if the clock has connected by another route meanwhile.
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
