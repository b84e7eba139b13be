// Tests of the built app with a real hub, real clocks and a real browser. Each file has its own hall. The tests mostly wait for clocks and
// pages, so two files run at a time.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Files that test what differs in Safari's engine: enrolment and the device's key, buttons and sheets, files, an unreachable hub.
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
