//! The link route of each clock, for the inventory. Decides nothing: the hall ignores how a link is carried.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use proto::ids::AgentId;

use crate::lock::lock;
use hall::LinkId;

#[derive(Clone, Debug, Default)]
pub struct LinkRoutes(Arc<Mutex<BTreeMap<AgentId, (LinkId, String)>>>);

impl LinkRoutes {
    /// Returns the route of `agent`'s newest session: a QUIC address, or a radio and a Bluetooth LE address. If a gateway relays the
    /// session, the gateway's name comes first.
    pub fn of(&self, agent: &AgentId) -> Option<String> {
        lock(&self.0).get(agent).map(|(_, way)| way.clone())
    }

    /// Registers the route of `agent` until the returned guard is dropped.
    pub(super) fn register(&self, agent: AgentId, link: LinkId, way: &str) -> RouteGuard {
        lock(&self.0).insert(agent, (link, way.to_owned()));
        RouteGuard {
            routes: self.clone(),
            agent,
            link,
        }
    }
}

pub(super) struct RouteGuard {
    routes: LinkRoutes,
    agent: AgentId,
    link: LinkId,
}

impl Drop for RouteGuard {
    /// Removes the entry, unless the clock has since begun a newer session.
    fn drop(&mut self) {
        let mut routes = lock(&self.routes.0);
        let ours = routes.get(&self.agent).map(|(link, _)| *link);
        if ours == Some(self.link) {
            routes.remove(&self.agent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_session_determines_the_route() {
        let routes = LinkRoutes::default();
        let agent = AgentId([1; 32]);
        let first = routes.register(agent, LinkId(1), "192.0.2.7:5000");
        let second = routes.register(agent, LinkId(2), "ble hci0 AA");
        drop(first);
        assert_eq!(routes.of(&agent).as_deref(), Some("ble hci0 AA"));
        drop(second);
        assert_eq!(routes.of(&agent), None);
    }
}
