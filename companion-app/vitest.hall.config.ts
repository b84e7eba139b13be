// Tests of the built app on a real hub with real clocks, in a real browser. Each file has a hall of its own. They mostly wait for
// clocks and pages, so two run at a time.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Parts that differ in Safari's engine: how a device enrols and keeps its key, every button and sheet, files, an unreachable hub.
const inWebKit = ["first", "session", "actions", "results", "round", "event", "away"].map((name) => `tests/hall/${name}.test.ts`);

export default defineConfig({
  resolve: { alias: { $gen: fileURLToPath(new URL("./target/gen", import.meta.url)) } },
  test: {
    include: process.env["BROWSER"] === "webkit" ? inWebKit : ["tests/hall/**/*.test.ts"],
    environment: "node",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
