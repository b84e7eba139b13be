// The lint rules of the public pages and of the app's worker. They reach browsers, so they must use only features of the oldest browser.
// Run at the repository's root, because some of the files are outside this folder: `npm run check:pages`.
import ts from "typescript-eslint";
import compat, { SYNTAX } from "./dev/compat/rule.mjs";

export default ts.config({
  files: ["**/*.js"],
  plugins: { compat },
  languageOptions: { parser: ts.parser, parserOptions: { project: `${import.meta.dirname}/tsconfig.pages.json` } },
  rules: { "compat/supported": "error", "no-restricted-syntax": ["error", ...SYNTAX] },
});
