// Lints the hub's public pages and the app's worker: `npm run check:pages`. Some of these files are outside this folder, so ESLint starts
// at the root.

import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const eslint = new ESLint({ cwd: root, overrideConfigFile: `${root}companion-app/eslint.pages.config.js` });
const results = await eslint.lintFiles([
  "hub/assets/live/*.js",
  "companion-app/pages/*.js",
  "companion-app/pages/{live,event}/*.js",
  "companion-app/public/*.js",
]);
const report = await (await eslint.loadFormatter("stylish")).format(results);
if (report) console.log(report);
if (results.some(({ errorCount }) => errorCount > 0)) process.exit(1);
