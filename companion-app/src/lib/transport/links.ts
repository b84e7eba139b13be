// Links that the system opens with the app (`flagfall://…`). The Rust side has checked them (src-tauri/src/links.rs); the page shows them.
// Must never act on a link without the arbiter's consent.

import { Channel, invoke } from "@tauri-apps/api/core";

export type LinkRefusal = { kind: "not_ours" } | { kind: "not_enrolled"; hub: string } | { kind: "other_hub"; hub: string; own: string };
/** A link that the app received. `board` is percent-encoded, as in an address. */
export type Link = { kind: "code"; code: string } | { kind: "board"; board: string } | LinkRefusal;

/** Calls `open` for each link that arrives, and for a link that arrived before the page loaded. */
export function followLinks(open: (link: Link) => void): void {
  const links = new Channel<Link>();
  links.onmessage = open;
  void invoke("follow_links", { links });
}
