// A window of the app, driven by WebKitGTK's own WebDriver. Owns the driver's process and its session. Waits for conditions, never for a fixed
// time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** The key of an element in the WebDriver protocol. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 100;
const ANSWER_MS = 60_000;

/** Repeats a check until it passes; fails with its last error. */
export async function until(what, look) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    let wrong = "it is not so";
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      wrong = error.message;
    }
    if (performance.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s until ${what}: ${wrong}`);
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

export async function ended(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

export class Window {
  #driver;
  #base = "";
  #session = "";

  /** Starts the driver; `env` is passed on to the app. */
  static async driver({ webkitDriver, env }) {
    const window = new Window();
    const port = await freePort();
    window.#driver = spawn(webkitDriver, ["--host=127.0.0.1", `--port=${port}`], {
      // The app accepts a driver only with these variables.
      env: { ...env, TAURI_AUTOMATION: "true", TAURI_WEBVIEW_AUTOMATION: "true" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    window.#base = `http://127.0.0.1:${port}`;
    await until("the driver answers", () => fetch(`${window.#base}/status`).then((answer) => answer.ok));
    return window;
  }

  async open(application) {
    // No browserName, because WebKitGTK's driver knows no name that fits.
    const options = { binary: application, args: [] };
    const { sessionId } = await this.#ask("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } });
    this.#session = `/session/${sessionId}`;
  }

  async close() {
    if (this.#session) await this.#ask("DELETE", this.#session);
    this.#session = "";
  }

  async stop() {
    await this.close().catch(() => undefined);
    await ended(this.#driver);
  }

  async #ask(method, path, body) {
    const answer = await fetch(this.#base + path, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path.replace(/^.*\//, "")}: ${value?.message ?? answer.status}`);
    return value;
  }

  async #all(xpath) {
    const found = await this.#ask("POST", `${this.#session}/elements`, { using: "xpath", value: xpath });
    return found.map((one) => one[ELEMENT]);
  }

  find(xpath) {
    return until(`there is ${xpath}`, async () => (await this.#all(xpath))[0]);
  }

  /** Clicks an element once it is enabled. Without the hub, a button is disabled and shows the reason. */
  click(xpath) {
    return this.#at(xpath, "click", async (element) => {
      if ((await this.#ask("GET", `${element}/attribute/aria-disabled`)) === "true") throw new Error("it cannot be clicked yet");
      await this.#ask("POST", `${element}/click`, {});
    });
  }

  type(xpath, text) {
    return this.#at(xpath, "type", (element) => this.#ask("POST", `${element}/value`, { text }));
  }

  async text(xpath) {
    const { said } = await this.#at(xpath, "read", async (element) => ({ said: await this.#ask("GET", `${element}/text`) }));
    return said;
  }

  /** Acts on an element, and finds it again if it was redrawn meanwhile. */
  #at(xpath, what, act) {
    return until(`${what} ${xpath}`, async () => {
      const [element] = await this.#all(xpath);
      if (!element) throw new Error("it is not there");
      return (await act(`${this.#session}/element/${element}`)) ?? true;
    });
  }

  run(script, ...args) {
    return this.#ask("POST", `${this.#session}/execute/async`, {
      script: `const done = arguments[arguments.length - 1]; (async (...args) => { ${script} })(...arguments).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      args,
    }).then((said) => {
      if (said.error !== undefined) throw new Error(said.error);
      return said.value;
    });
  }
}
