import { mount } from "svelte";
import AppView from "./App.svelte";
import { pageWorker } from "$lib/offline/page-worker.svelte.js";
import { isPlayerPage } from "$lib/place.js";
import { router } from "$lib/route.svelte.js";
import { install } from "$lib/state/install.svelte.js";
import { followLinks } from "$lib/transport/links.js";
import { inApp, thisShell } from "$lib/transport/shell.js";
import { language } from "$lib/words/language.svelte.js";
// The live page and this app share their look: colours, sizes and shared parts are defined only once, with the page.
import "$look/tokens.css";
import "$look/ui.css";
import "./styles/app.css";
import "./styles/hall.css";
import "./styles/tiles.css";
import "./styles/board.css";
import "./styles/board-lower.css";
import "./styles/dialog.css";
import "./styles/correction.css";
import "./styles/lists.css";
import "./styles/rounds.css";
import "./styles/enrol.css";
import "./styles/setup.css";
import "./styles/replay.css";
import "./styles/record.css";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no element for the app");
install.start();
await language.load();
// A player's device has a different page, and loads only that.
if (isPlayerPage(globalThis.location.hash)) (await import("./player.js")).showPlayer(target, thisShell());
else mount(AppView, { target, props: { shell: thisShell() } });
pageWorker.start();
if (inApp()) followLinks((link) => router.open(link));
