// Takes screenshots of the app with a hall of its own: `npm run shots`. People review them; no test compares them.
import { mergeConfig } from "vitest/config";
import hall from "./vitest.hall.config.js";

export default mergeConfig({ ...hall, test: { ...hall.test, include: [] } }, { test: { include: ["tests/shots.test.ts"] } });
