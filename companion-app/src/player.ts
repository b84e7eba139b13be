// The entry point of a player's page: its styles and its view. Only a player's device loads it.

import { mount } from "svelte";
import type { Shell } from "$lib/transport/shell.js";
import PlayerView from "./views/player/PlayerView.svelte";
import "@lichess-org/chessground/assets/chessground.base.css";
import "./styles/pieces.css";
import "./styles/ground.css";
import "./styles/player.css";

export function showPlayer(target: HTMLElement, shell: Shell): void {
  mount(PlayerView, { target, props: { shell } });
}
