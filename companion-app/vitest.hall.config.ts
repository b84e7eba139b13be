// Tests of the built app on a real hub with real clocks, in a real browser. One after the other: they share one hall.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { $gen: fileURLToPath(new URL("./target/gen", import.meta.url)) } },
  test: { include: ["tests/hall/**/*.test.ts"], environment: "node", fileParallelism: false, testTimeout: 60_000, hookTimeout: 120_000 },
});
