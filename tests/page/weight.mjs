// Measures the size and the first paint of the public pages: `node tests/page/weight.mjs`. For each page it prints the compressed bytes loaded with
// an empty cache, without the feed, and the median time to the first paint. It fails above 150 kB. The times are not judged, because other work on
// the machine adds to them.

import { Hall, buildHall, startBrowser } from "./hall.mjs";

const PAGES = ["/", "/board/1", "/?wall", "/board/1?overlay", "/board/1?embed", "/plain"];
const LIMIT = 150_000;
const RUNS = 5;

const hall = await Hall.start(await buildHall());
const browser = await startBrowser();
let heavy = false;
try {
  for (const path of PAGES) {
    const paints = [];
    let bytes = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const page = await browser.context.newPage();
      const session = await browser.context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      const loaded = new Map();
      session.on("Network.responseReceived", ({ requestId, response }) => loaded.set(requestId, { url: response.url, bytes: 0 }));
      session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        const one = loaded.get(requestId);
        if (one) one.bytes = encodedDataLength;
      });
      await page.goto(hall.url + path, { waitUntil: "load" });
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await page.waitForTimeout(500);
      paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
      bytes = Math.max(bytes, [...loaded.values()].reduce((sum, one) => sum + one.bytes, 0));
      await page.close();
    }
    paints.sort((a, b) => a - b);
    const held = bytes <= LIMIT;
    heavy ||= !held;
    console.log(`${path}: ${(bytes / 1000).toFixed(1)} kB (limit ${LIMIT / 1000} kB: ${held ? "ok" : "MISSED"}), first paint ${Math.round(paints[RUNS >> 1])} ms`);
  }
} finally {
  await browser.close();
  await hall.kill();
}
process.exitCode = heavy ? 1 : 0;
