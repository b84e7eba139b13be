//! The floor plan over the wire and on the command line: one arbiter edits it, and the others see it.

use hub::identity::Role;
use proto::grpc::{BoardPlace, Floor, GetFloorRequest, SetFloorRequest, WatchFloorRequest};
use tonic::{Code, Streaming};

use crate::arbiter::arbiter;
use crate::hall::{TestHub, ctl, within};
use crate::program::expect;

fn place(board: &str, x: u32, y: u32) -> BoardPlace {
    BoardPlace {
        board: board.to_owned(),
        x,
        y,
    }
}

fn part(places: Vec<BoardPlace>) -> SetFloorRequest {
    SetFloorRequest {
        places,
        ..SetFloorRequest::default()
    }
}

async fn next(plans: &mut Streaming<Floor>) -> Floor {
    let plan = within(plans.message(), "a floor plan").await;
    plan.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rearranged_plan_reaches_all_watchers_and_survives_a_restart() {
    let hub = TestHub::start().await;
    let mut chief = arbiter(&hub, Role::Chief).await;
    let mut viewer = arbiter(&hub, Role::Viewer).await;
    let plans = viewer.watch_floor(WatchFloorRequest {}).await.unwrap();
    let mut plans = plans.into_inner();
    assert_eq!(next(&mut plans).await, Floor::default());

    let places = vec![place("1", 3, 3), place("A2", 14, 3)];
    let set = chief.set_floor(part(places.clone())).await.unwrap();
    let seen = next(&mut plans).await;
    let set = set.into_inner();
    assert_eq!(set.actor, "Ann");
    let anonymous = Floor {
        actor: String::new(),
        ..set
    };
    assert_eq!(seen, anonymous, "a viewer does not learn who arranged it");
    assert_eq!((&seen.places, seen.version), (&places, 1));
    assert!(seen.changed_us > 0);

    let hub = hub.restart().await;
    let mut viewer = arbiter(&hub, Role::Viewer).await;
    let kept = viewer.get_floor(GetFloorRequest {}).await.unwrap();
    assert_eq!(kept.into_inner(), seen);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_says_what_is_wrong() {
    let hub = TestHub::start().await;
    let mut chief = arbiter(&hub, Role::Chief).await;
    for (places, said) in [
        (vec![place("", 1, 1)], "cannot name a board"),
        (vec![place("7", 40_000, 1)], "board 7: x is 40000"),
        (vec![place("7", 1, 32_768)], "board 7: y is 32768"),
        (
            vec![place("7", 1, 1), place("7", 2, 2)],
            "board 7 has two places",
        ),
        (
            vec![place("7", 1, 1), place("8", 1, 1)],
            "boards 7 and 8 would have the same place",
        ),
    ] {
        let refused = chief.set_floor(part(places)).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains(said), "{refused}");
    }
    let mut floor = arbiter(&hub, Role::Floor).await;
    let refused = floor.set_floor(part(vec![place("1", 1, 1)])).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert!(refused.message().contains("chief"), "{refused}");

    let set = chief.set_floor(part(vec![place("1", 1, 1)])).await.unwrap();
    let old = SetFloorRequest {
        whole: true,
        seen_version: set.get_ref().version - 1,
        ..SetFloorRequest::default()
    };
    let refused = chief.set_floor(old).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.message().contains("Ann"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_largest_hall_fits() {
    let hub = TestHub::start().await;
    let mut chief = arbiter(&hub, Role::Chief).await;
    let wide = |n: u32| place(&format!("{n:032}"), n % 100 * 11, n / 100 * 8);
    let request = part((0..10_000).map(wide).collect());
    let set = within(chief.set_floor(request), "the plan").await.unwrap();
    assert_eq!(set.get_ref().places.len(), 10_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_prints_a_plan_that_it_takes_back() {
    let hub = TestHub::start().await;
    let (out, _) = expect(&ctl(&hub, &["floor"]).await, 0);
    assert!(out.contains("no floor plan"), "{out}");
    let file = hub.dir.path().join("plan.txt");
    std::fs::write(&file, "# two rooms\n10 3 3\n2\t14\t3\nTable A 0 20\n").unwrap();
    let set = ["floor", "--set", file.to_str().unwrap()];
    let (out, _) = expect(&ctl(&hub, &set).await, 0);
    let plan = "2\t14\t3\n10\t3\t3\nTable A\t0\t20\n";
    assert!(out.contains("3 boards") && out.ends_with(plan), "{out}");

    std::fs::write(&file, &out).unwrap();
    let (again, _) = expect(&ctl(&hub, &set).await, 0);
    assert_eq!(again, out);
    let (out, _) = expect(&ctl(&hub, &["floor", "--json"]).await, 0);
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(shown["version"], 1);
    assert_eq!(shown["places"][2]["board"], "Table A");

    std::fs::write(&file, "2 14\n").unwrap();
    let (_, said) = expect(&ctl(&hub, &set).await, 2);
    assert!(said.contains("line 1"), "{said}");
    let (out, _) = expect(&ctl(&hub, &["log"]).await, 0);
    let line = "whole floor plan: places for boards 10, 2, Table A by ";
    assert!(out.contains(line), "{out}");
}
