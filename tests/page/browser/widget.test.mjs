import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { stage } from "./stage.mjs";

async function site(body) {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(`<!doctype html><title>Club</title>${body}`));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

test("another site shows a board with one line of script, as high as the board's page", () =>
  stage({ boards: 6 }, async ({ hall, page, complaints }) => {
    const club = await site(`<h1>Club</h1><script src="${hall.url}/widget.js" data-board="3" data-lang="de" data-theme="dark" async></script><p>After it</p>`);
    try {
      await page.goto(club.url);
      const frame = page.frameLocator("iframe");
      await frame.locator(".face.white .clk").waitFor();
      assert.equal(await page.locator("iframe + p").innerText(), "After it", "it stands in the place of the script");
      assert.equal(await frame.locator("html").getAttribute("lang"), "de");
      assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
      assert.equal(await frame.locator(".bar .back").isVisible(), false, "no way to the other boards");
      await page.waitForFunction(() => {
        const frame = document.querySelector("iframe");
        return frame.clientHeight > 300;
      });
      const [outside, inside] = await Promise.all([page.locator("iframe").evaluate((frame) => frame.clientHeight), frame.locator("body").evaluate((body) => body.scrollHeight)]);
      assert.ok(Math.abs(outside - inside) <= 1, `${outside} for ${inside}`);
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("404")));
    } finally {
      club.close();
    }
  }));
