// Pictures of the app on a hall of its own: npm run shots. They are looked at, not compared.
import { mergeConfig } from "vitest/config";
import hall from "./vitest.hall.config.js";

export default mergeConfig({ ...hall, test: { ...hall.test, include: [] } }, { test: { include: ["tests/shots.test.ts"] } });
