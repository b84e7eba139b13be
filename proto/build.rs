//! Compiles the schemas with protox, so that no protoc is needed on the machine.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=frames");
    println!("cargo:rerun-if-changed=api");

    // The types for events, refusals and sides are shared by every package.
    let common = (".flagfall.common.v1", "crate::common");
    let event = (".flagfall.event.v1", "crate::event");
    let refusal = (".flagfall.refusal.v1", "crate::refusal");
    #[cfg(feature = "grpc")]
    {
        let services = protox::compile(
            [
                "api/arbiter.proto",
                "api/archive.proto",
                "api/player.proto",
                "api/tournament.proto",
            ],
            ["."],
        )?;
        tonic_prost_build::configure()
            .build_transport(false)
            .extern_path(common.0, common.1)
            .extern_path(event.0, event.1)
            .extern_path(refusal.0, refusal.1)
            .extern_path(".flagfall.log.v1", "crate::log")
            .compile_fds(services)?;
    }
    let frames = protox::compile(
        [
            "frames/frames.proto",
            "frames/relay.proto",
            "frames/log.proto",
            "frames/evidence.proto",
        ],
        ["."],
    )?;
    prost_build::Config::new()
        .extern_path(common.0, common.1)
        .extern_path(event.0, event.1)
        .extern_path(refusal.0, refusal.1)
        // Boxed because they are rare and large: a fold moves millions of records, and most of them are presses without these fields.
        .boxed(".flagfall.log.v1.Record.input.command")
        .boxed(".flagfall.log.v1.Changed.before")
        .boxed(".flagfall.log.v1.Changed.after")
        .boxed(".flagfall.log.v1.Changed.refusal")
        .compile_fds(frames)?;

    // Must come last: the runs above also write files for these packages, but without their types.
    let words = protox::compile(
        [
            "frames/event.proto",
            "frames/refusal.proto",
            "frames/time_chess.proto",
        ],
        ["."],
    )?;
    // prost derives `Eq` only for messages without lists, but `Refusal` has a list.
    prost_build::Config::new()
        .type_attribute(".flagfall.refusal.v1.Refusal", "#[derive(Eq)]")
        .extern_path(common.0, common.1)
        .compile_fds(words)?;
    let side = protox::compile(["frames/side.proto"], ["."])?;
    prost_build::Config::new().compile_fds(side)?;
    Ok(())
}
