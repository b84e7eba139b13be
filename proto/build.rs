//! Compiles the schemas with protox, so that no protoc is needed on the machine.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=frames");
    println!("cargo:rerun-if-changed=api");

    let frames = protox::compile(["frames/frames.proto", "frames/log.proto"], ["."])?;
    prost_build::Config::new().compile_fds(frames)?;

    if std::env::var_os("CARGO_FEATURE_GRPC").is_some() {
        let services = protox::compile(["api/arbiter.proto"], ["."])?;
        tonic_prost_build::configure()
            .build_transport(false)
            .compile_fds(services)?;
    }
    Ok(())
}
