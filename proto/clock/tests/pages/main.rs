//! Checks the byte traces in `proto/traces.md`: a clock and the engine must reproduce the traces from the page's keys, byte for byte.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod decoded;
mod script;
mod snapshot;

use script::Script;

fn blocks(page: &str) -> Vec<&str> {
    let after = page.split("```text\n").skip(1);
    after
        .filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect()
}

#[test]
fn the_page_has_the_quic_traces() {
    let mut script = Script::new();
    let wanted = [
        script.keys(),
        script.enrolment(),
        script.session(),
        script.board(),
        script.presses(),
        script.pause_and_correction(),
        script.fields(),
    ];
    let page = include_str!("../../../traces.md");
    let found = blocks(page);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    assert!(
        found == wanted,
        "the blocks of proto/traces.md should read:\n{}",
        wanted.join("```\n")
    );
}
