// The page starts here: styles, the transport this shell has, and the app on it.

import { mount } from "svelte";
import AppView from "./App.svelte";
import { shellTransport } from "$lib/transport/shell.js";
import "./styles/tokens.css";
import "./styles/ui.css";
import "./styles/app.css";
import "./styles/hall.css";
import "./styles/board.css";
import "./styles/dialog.css";
import "./styles/lists.css";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the app");
mount(AppView, { target, props: { transport: shellTransport() } });
