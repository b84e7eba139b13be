//! Makes a code for an arbiter's or a player's browser or app, and prints it as text, as an address and as a QR code.

use proto::grpc::{ArbiterCode, CreateArbiterCodeRequest};

use super::{Args, picture};
use crate::api::messages::text;
use crate::cli::client::Client;
use crate::cli::ctl::args::Side;
use crate::cli::output::{Result, print, print_once, say, to_a_person};
use crate::identity::Role;

pub(super) async fn ask(client: &mut Client, args: &Args, name: &str, role: Role) -> Result<()> {
    let request = CreateArbiterCodeRequest {
        name: name.to_owned(),
        role: role.as_str().to_owned(),
        boards: text(args.sector.as_ref()),
        ..CreateArbiterCodeRequest::default()
    };
    send(client, args, request, role).await
}

pub(super) async fn ask_for_player(
    client: &mut Client,
    args: &Args,
    name: &str,
    side: Side,
) -> Result<()> {
    let mut request = CreateArbiterCodeRequest {
        name: name.to_owned(),
        role: Role::Player.as_str().to_owned(),
        boards: args.board.clone(),
        ..CreateArbiterCodeRequest::default()
    };
    request.set_side(match side {
        Side::White => proto::Side::White,
        Side::Black => proto::Side::Black,
    });
    send(client, args, request, Role::Player).await
}

async fn send(
    client: &mut Client,
    args: &Args,
    request: CreateArbiterCodeRequest,
    role: Role,
) -> Result<()> {
    let name = request.name.clone();
    let code = client.create_arbiter_code(request).await?.into_inner();
    if args.json {
        return print_once(serde_json::json!({
            "uri": code.uri, "browser_address": code.browser_address, "name": name, "role": role.as_str(),
            "valid_for_us": code.valid_for_us, "browser_authority": code.browser_authority,
        }));
    }
    shown(&code, &name, role)
}

fn shown(code: &ArbiterCode, name: &str, role: Role) -> Result<()> {
    print_once(&code.uri)?;
    print_once(&code.browser_address)?;
    if to_a_person() {
        print(picture(&code.browser_address)?)?;
        say!(
            "One device of {name} ({}) can enrol with this code within {} minutes: open the address in its browser, or enter the first line in \
             the app.",
            role.title(),
            code.valid_for_us / 60_000_000
        )?;
        if !code.browser_authority.is_empty() {
            say!(
                "If the browser does not trust the hub yet, open /authority on the hub's public page and install the certificate. \
                 Its fingerprint (SHA-256) must be {}",
                code.browser_authority
            )?;
        }
    }
    Ok(())
}
