// Opens a live page in Chromium and prints what it shows for one board. Each change prints one line of JSON:
// {"running":"white","white":"5:00","black":"5:00"}. Usage: `node watch-board.mjs URL BOARD`; it ends when its standard input ends.

import { startBrowser } from "./hall.mjs";

const [url, board] = process.argv.slice(2);
if (!url || !board) {
  process.stderr.write("usage: node watch-board.mjs URL BOARD\n");
  process.exit(2);
}

const browser = await startBrowser();
process.stdin.on("end", () => void browser.close().then(() => process.exit(0))).resume();
try {
  const page = await browser.context.newPage();
  page.on("pageerror", (error) => process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`));
  await page.exposeFunction("tell", (line) => process.stdout.write(`${line}\n`));
  await page.goto(url);
  await page.evaluate(follow, board);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
  await browser.close();
  process.exit(1);
}

/** Runs in the page and reports what a spectator sees of the board: once at the start, and after each change. @param {string} board */
function follow(board) {
  let told = "";
  const look = () => {
    const tile = document.querySelector(`a.game[href="/board/${CSS.escape(board)}"]`);
    if (!tile) return;
    const side = (name) => tile.querySelector(`.c.${name}`);
    const running = ["white", "black"].find((name) => side(name)?.classList.contains("run")) ?? "none";
    const digits = (name) => side(name)?.querySelector(".clk")?.textContent ?? "";
    const line = JSON.stringify({ running, white: digits("white"), black: digits("black") });
    if (line !== told) window.tell(line);
    told = line;
  };
  new MutationObserver(look).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  look();
}
