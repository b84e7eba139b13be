// Lints of the hub's public pages and of the app's worker, which reach browsers as written: they must use only what the oldest browser
// supports. Run from the repository's root, where all of them lie below: `npm run check:pages`.
import ts from "typescript-eslint";
import compat, { SYNTAX } from "./dev/compat/rule.mjs";

export default ts.config({
  files: ["**/*.js"],
  plugins: { compat },
  languageOptions: { parser: ts.parser, parserOptions: { project: `${import.meta.dirname}/tsconfig.pages.json` } },
  rules: { "compat/supported": "error", "no-restricted-syntax": ["error", ...SYNTAX] },
});
