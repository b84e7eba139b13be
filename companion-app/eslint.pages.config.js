// Lints of the hub's public pages and of the app's worker, which reach browsers as they are written: nothing that the oldest browser lacks.
// Run from the repository's root, where all of them lie below: `npm run check:pages`.
import ts from "typescript-eslint";
import compat, { SYNTAX } from "./dev/compat/rule.mjs";

export default ts.config({
  files: ["**/*.js"],
  plugins: { compat },
  languageOptions: { parser: ts.parser, parserOptions: { project: `${import.meta.dirname}/tsconfig.pages.json` } },
  rules: { "compat/supported": "error", "no-restricted-syntax": ["error", ...SYNTAX] },
});
