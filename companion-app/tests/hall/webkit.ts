// WebKitGTK under Playwright's API, so that the hall tests also run in Safari's engine. Playwright's own WebKit is a patched build. The system's
// MiniBrowser is not patched; it is driven through WebKit's remote inspector, whose protocol Playwright speaks for the web views of other systems.
//
// Owns one browser process per context, its display, and the connection to its inspector.
//
// Limits: input is dispatched inside the page (as for those web views) and not by the window system, and the viewport is the window without the
// tool bar. There are no permissions, downloads, service workers or recordings.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { webkit, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { ended, freePort, until } from "./process.js";

/** The size of the length and flags at the start of a frame, in bytes. */
const HEAD_BYTES = 5;
const LITTLE_ENDIAN = 1;
/** The size of the connection number and the target number, which follow the name in every frame for a target, in bytes. */
const IDS_BYTES = 16;

/** Opens a fresh browser with a blank page. Closing the context ends the browser. */
export async function openWebKit(dir: string, { viewport, locale = "en-GB" }: BrowserContextOptions): Promise<BrowserContext> {
  const screen = await Screen.start();
  const port = await freePort();
  const { width, height } = viewport ?? { width: 1024, height: 768 };
  const home = mkdtempSync(join(dir, "webkit-"));
  const env = {
    ...process.env,
    ...folders(home),
    DISPLAY: screen.name,
    WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${port}`,
    // The test machine has no graphics card and no screen reader.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    NO_AT_BRIDGE: "1",
    LANG: "C.UTF-8",
  };
  const browser = spawn(miniBrowser(), ["--ignore-tls-errors", "--private", `--geometry=${width}x${height}`, "about:blank"], { env, stdio: "ignore" });
  try {
    const line = await Inspector.connect(port, browser);
    const [context] = (await webkit.connectOverCDP(line)).contexts();
    if (!context) throw new Error("the inspector has no page");
    // The machine's only locale has no country, so the page gets its language from this script.
    await context.addInitScript((language) => {
      Object.defineProperties(navigator, { language: { get: () => language }, languages: { get: () => [language] } });
    }, locale);
    for (const page of context.pages()) mendGoto(page);
    // Playwright cannot close a web view that it did not open, so closing ends the browser's process.
    const close = () => ended(browser).then(() => screen.end());
    return Object.assign(context, { close, newPage: () => Promise.resolve(context.pages()[0]) });
  } catch (error) {
    await ended(browser);
    await screen.end();
    throw error;
  }
}

/** An in-memory display for a single window, because a covered window is not painted. */
class Screen {
  readonly name: string;
  readonly #server: ChildProcess;

  private constructor(server: ChildProcess, display: string) {
    this.#server = server;
    this.name = `:${display}`;
  }

  /** Starts an X server on a free display number. It also ends when its last client does. */
  static async start(): Promise<Screen> {
    const args = ["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-terminate"];
    const server = spawn("Xvfb", args, { stdio: ["ignore", "pipe", "ignore"] });
    const display = await new Promise<string>((done, failed) => {
      let written = "";
      server.stdout.on("data", (data: Buffer) => {
        written += data.toString();
        if (written.endsWith("\n")) done(written.trim());
      });
      server.once("error", () => failed(new Error("WebKitGTK needs a display: apt-get install xvfb")));
      server.once("exit", (code) => failed(new Error(`Xvfb ended with ${code} before it had a display`)));
    });
    return new Screen(server, display);
  }

  async end(): Promise<void> {
    await ended(this.#server);
  }
}

/** Makes `goto` behave as it does in other browsers. */
function mendGoto(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const [there = "", fragment] = url.split("#");
    if (fragment !== undefined && page.url().split("#")[0] === there) {
      await page.evaluate(changeFragment, url);
      return null;
    }
    // A page of a different site runs in a different process, so the load is cancelled in the old process and continues in the new one.
    return goto(url, options).catch(async (error: unknown) => {
      if (!String(error).includes("Load request cancelled")) throw error;
      await page.waitForURL((at) => at.href.startsWith(there), options);
      return null;
    });
  };
}

/** Runs in the page. Playwright waits for a new document, but a new fragment does not load one. */
function changeFragment(url: string): Promise<void> {
  return new Promise((done) => {
    addEventListener("hashchange", () => done(), { once: true });
    if (location.href === url) done();
    location.href = url;
  });
}

/** Returns the path of WebKitGTK's own browser: `MINI_BROWSER` if set, otherwise the installed one, whose folder depends on the architecture. */
function miniBrowser(): string {
  const named = process.env["MINI_BROWSER"];
  if (named) return named;
  const found = readdirSync("/usr/lib")
    .map((kind) => `/usr/lib/${kind}/webkit2gtk-4.1/MiniBrowser`)
    .find((path) => existsSync(path));
  if (!found) throw new Error("WebKitGTK's MiniBrowser is missing: apt-get install libwebkit2gtk-4.1-0, or set MINI_BROWSER");
  return found;
}

/** Creates the user's folders inside `home`, so that browsers share nothing. Returns the environment variables that name them. */
function folders(home: string): Record<string, string> {
  const xdg = Object.fromEntries(["DATA", "CONFIG", "CACHE"].map((kind) => [`XDG_${kind}_HOME`, join(home, kind.toLowerCase())]));
  for (const folder of Object.values(xdg)) mkdirSync(folder);
  return { HOME: home, ...xdg };
}

/** The connection to WebKitGTK's inspector (`WEBKIT_INSPECTOR_SERVER`). A frame consists of a length, flags, a name and GVariant values. */
class Inspector {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #line: Socket;
  #ids: Buffer | undefined;
  #received = Buffer.alloc(0);

  private constructor(line: Socket) {
    this.#line = line;
    line.on("data", (data: Buffer) => this.#take(data));
    line.on("close", () => this.onclose?.());
    // Errors are ignored, because the connection ends with the browser.
    line.on("error", () => undefined);
  }

  /** Connects to a browser that has just started, and waits until it has a page. */
  static async connect(port: number, browser: ChildProcess): Promise<Inspector> {
    let line: Socket | undefined;
    await until("the inspector of WebKitGTK answers", async () => {
      if (browser.exitCode !== null) throw new Error(`MiniBrowser ended with ${browser.exitCode}: is its display there?`);
      line = await new Promise<Socket | undefined>((done) => {
        const tried = connect(port, "127.0.0.1", () => done(tried)).once("error", () => done(undefined));
      });
      return line !== undefined;
    });
    if (!line) throw new Error("no line to the inspector");
    const inspector = new Inspector(line);
    // The argument is the hash of the inspector's page. There is no such page here, so the hash is “0”.
    inspector.#write("SetupInspectorClient", Buffer.from("0\0"));
    await until("the browser has a page", () => Promise.resolve(inspector.#ids !== undefined));
    return inspector;
  }

  open(): void {
    this.#write("Setup", Buffer.alloc(0));
  }
  send(message: object): void {
    this.#write("SendMessageToBackend", Buffer.from(`${JSON.stringify(message)}\0`));
  }
  close(): void {
    this.#line.end();
  }

  #write(name: string, values: Buffer): void {
    const body = Buffer.concat([Buffer.from(`${name}\0`), this.#ids ?? Buffer.alloc(0), values]);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(body.length);
    head[HEAD_BYTES - 1] = LITTLE_ENDIAN;
    this.#line.write(Buffer.concat([head, body]));
  }

  #take(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    while (this.#received.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#received.readUInt32BE(0);
      if (this.#received.length < end) return;
      const body = this.#received.subarray(HEAD_BYTES, end);
      this.#received = this.#received.subarray(end);
      const nul = body.indexOf(0);
      this.#on(body.toString("latin1", 0, nul), body.subarray(nul + 1));
    }
  }

  #on(name: string, values: Buffer): void {
    // The message has the connection number and then the targets, each of which begins with its number. This browser has a single target.
    if (name === "SetTargetList" && values.length > IDS_BYTES) this.#ids ??= Buffer.from(values.subarray(0, IDS_BYTES));
    if (name === "SendMessageToFrontend") this.onmessage?.(JSON.parse(values.toString("utf8", IDS_BYTES, values.length - 1)) as object);
  }
}
