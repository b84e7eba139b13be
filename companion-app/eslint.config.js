// The lint rules of the whole app: strict types, no `any`, no floating promise.
import globals from "globals";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import compat, { SYNTAX } from "./dev/compat/rule.mjs";
import config from "./svelte.config.js";

export default ts.config(
  { ignores: ["target/", "node_modules/", "dev/compat/newer.js"] },
  ...ts.configs.strictTypeChecked,
  ...svelte.configs["flat/recommended"],
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { projectService: { allowDefaultProject: ["*.js", "dev/*.mjs"] }, tsconfigRootDir: import.meta.dirname, extraFileExtensions: [".svelte"] },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Default cases are for values that only a newer hub sends.
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      // `void value` in an effect declares a dependency.
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // Sets and maps that are replaced as a whole, or that nothing reactive reads, need not be reactive.
      "svelte/prefer-svelte-reactivity": "off",
      // The app does not use SvelteKit's router; its links are fragments.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  {
    // This code reaches browsers, so it must use only features of the oldest browser.
    files: ["src/**/*.ts", "src/**/*.svelte"],
    ignores: ["**/*.test.ts"],
    plugins: { compat },
    rules: { "compat/supported": "error", "no-restricted-syntax": ["error", ...SYNTAX] },
  },
  {
    // Only svelte-check knows the types of a template's events and snippets. It runs as well, and is just as strict.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig: config } } },
  { files: ["**/*.js", "**/*.mjs"], ...ts.configs.disableTypeChecked },
);
