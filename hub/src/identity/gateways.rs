//! Gateways enrolled by a code. A gateway is a machine whose radio serves clocks beyond the reach of the hub's radios. It cannot
//! read the frames that it carries, and has neither an arbiter's nor a clock's rights.

use std::fmt;

use proto::ids::hex;
use serde::{Deserialize, Serialize};

use super::enrolled_list::{Enrolled, EnrolledList, Revoked};

/// A gateway's identity: its Ed25519 public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GatewayId(#[serde(with = "hex::serde")] pub [u8; 32]);

impl fmt::Display for GatewayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g-{}", hex(&self.0[..8]))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gateway {
    #[serde(rename = "public_key")]
    pub id: GatewayId,
    pub name: String,
    /// Time of the enrolment: Unix time, microseconds.
    pub enrolled_us: i64,
    /// The person who issued the gateway's code.
    pub enrolled_by: String,
    pub revoked: Option<Revoked>,
}

pub type Gateways = EnrolledList<Gateway>;

impl Enrolled for Gateway {
    const LIST: &'static str = "gateways";
    type Id = GatewayId;

    fn id(&self) -> GatewayId {
        self.id
    }

    fn enrolled_us(&self) -> i64 {
        self.enrolled_us
    }

    fn revoked(&mut self) -> &mut Option<Revoked> {
        &mut self.revoked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gateways_and_revocations_survive_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let mut gateways = Gateways::open(dir.path()).unwrap();
        let id = GatewayId([0xab; 32]);
        assert_eq!(id.to_string(), "g-abababababababab");
        let gateway = Gateway {
            id,
            name: "far corner".to_owned(),
            enrolled_us: 7,
            enrolled_by: "chief".to_owned(),
            revoked: None,
        };
        gateways.keep(gateway.clone()).unwrap();
        assert_eq!(Gateways::open(dir.path()).unwrap().all(), [gateway]);
        let by = |by: &str| Revoked {
            at_us: 9,
            by: by.to_owned(),
            reason: String::new(),
        };
        gateways.revoke(&id, by("Anna")).unwrap();
        gateways.revoke(&id, by("Per")).unwrap();
        let again = Gateways::open(dir.path()).unwrap();
        let revoked = again.get(&id).and_then(|gateway| gateway.revoked.clone());
        assert_eq!(revoked, Some(by("Anna")));

        let file = dir.path().join("gateways.json");
        let key = "ab".repeat(32);
        let written = format!(
            r#"{{
  "version": 1,
  "gateways": [
    {{
      "public_key": "{key}",
      "name": "far corner",
      "enrolled_us": 7,
      "enrolled_by": "chief",
      "revoked": {{
        "at_us": 9,
        "by": "Anna"
      }}
    }}
  ]
}}"#
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
        std::fs::write(&file, written.replacen('1', "2", 1)).unwrap();
        let newer = Gateways::open(dir.path()).unwrap_err().to_string();
        assert!(newer.contains("it has format version 2, not 1"), "{newer}");
        std::fs::write(&file, "{}").unwrap();
        assert!(Gateways::open(dir.path()).is_err());
    }
}
