//! For any inputs in any order, the hall never panics, replaying the log gives the live state, and no input counts twice.

use hall::Outcome;
use proptest::prelude::*;

use crate::mill::{Mill, mill_action};

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens_replay_equals_live(actions in prop::collection::vec(mill_action(), 1..120)) {
        let mill = Mill::after(actions);
        mill.rig.assert_replay_equals_live();
        mill.assert_exactly_once();
        prop_assert!(!mill.rig.notes().contains(&"board_fault".to_owned()), "the engine panicked");
        for (_, id) in &mill.commands {
            if let Some(answer) = mill.rig.hall.outcome(id, mill.rig.now) {
                prop_assert!(answer.id == *id);
                prop_assert!(answer.outcome != Outcome::Pending || answer.board.is_some());
            }
        }
    }
}
