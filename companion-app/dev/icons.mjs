// Draws the icons of the installed app from public/mark.svg, using the browser of the hall tests: `node dev/icons.mjs`. The icons are
// committed.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const folder = fileURLToPath(new URL("../public/", import.meta.url));
/** The background of the page's light theme: an icon does not know the system's theme. */
const PAPER = "#f1efea";
/** The icons, each with the mark's share of its width. The system may crop a maskable icon to a circle of four fifths of the width. */
const ICONS = [
  { name: "icon-192.png", size: 192, mark: 0.72, corner: 0.2 },
  { name: "icon-512.png", size: 512, mark: 0.72, corner: 0.2 },
  { name: "icon-maskable-192.png", size: 192, mark: 0.5, corner: 0 },
  { name: "icon-maskable-512.png", size: 512, mark: 0.5, corner: 0 },
  { name: "apple-touch-icon.png", size: 180, mark: 0.64, corner: 0 },
];

const mark = `data:image/svg+xml;base64,${(await readFile(`${folder}mark.svg`)).toString("base64")}`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const { name, size, mark: share, corner } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size }, colorScheme: "light" });
  await page.setContent(
    `<style>body { margin: 0 } div { display: grid; place-items: center; height: ${size}px; background: ${PAPER}; border-radius: ${size * corner}px } img { width: ${size * share}px }</style><div><img src="${mark}"></div>`,
  );
  await page.locator("img").evaluate((image) => image.decode());
  await writeFile(folder + name, await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
