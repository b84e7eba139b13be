// An ESLint rule against built-ins and web APIs that the oldest browser does not have (support.mjs), and selectors for syntax that is too new. The
// rule uses types, so that it can tell `AbortSignal.any` from any other `any`.
//
// A use counts as guarded if its file tests for the same name: `"wakeLock" in navigator`, `typeof Iterator`.

import ts from "typescript";
import { feature, isMissing, OLDEST, since } from "./support.mjs";

/** TypeScript's names for types that MDN's data know by a different name, such as mixins and read-only types. */
const KNOWN_AS = {
  Animatable: ["Element"],
  Body: ["Response"],
  ChildNode: ["Element"],
  ElementCSSInlineStyle: ["HTMLElement"],
  GlobalEventHandlers: ["Element", "HTMLElement"],
  HTMLOrSVGElement: ["HTMLElement", "SVGElement"],
  IteratorObject: ["Iterator"],
  NavigatorID: ["Navigator"],
  NavigatorLanguage: ["Navigator"],
  NavigatorStorage: ["Navigator"],
  NonDocumentTypeChildNode: ["Element"],
  ParentNode: ["Element"],
  ReadonlyArray: ["Array"],
  ReadonlyMap: ["Map"],
  ReadonlySet: ["Set"],
  WindowOrWorkerGlobalScope: ["Window"],
};
const LIBRARY = /[/\\]typescript[/\\]lib[/\\]lib\.[\w.]*d\.ts$/;
/** Syntax that is too new, as ESLint selectors. The build lowers some of it; files served as written must not use any. */
export const SYNTAX = [
  { selector: "Literal[regex.pattern=/\\(\\?<[=!]/]", message: "Safari 16.4 is the first to know lookbehind." },
  { selector: "Literal[regex.flags=/v/]", message: "Safari 17.0 is the first to know the flag v." },
  { selector: "StaticBlock", message: "Safari 16.4 is the first to know static blocks." },
  { selector: "ImportAttribute", message: "Safari 17.2 is the first to know import attributes." },
];

const supported = {
  meta: {
    type: "problem",
    schema: [],
    messages: { missing: `{{what}} is not in ${OLDEST.name} ({{since}}). Do without, or ask for it first: "{{name}}" in …` },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap: nodes, program } = context.sourceCode.parserServices;
    const types = program.getTypeChecker();
    const asked = new Set();
    const uses = [];
    const look = (node) => {
      const there = nodes.get(node);
      const found = there && missing(types.getSymbolAtLocation(there));
      if (found) uses.push({ node, ...found });
    };
    return {
      BinaryExpression: ({ operator, left }) => operator === "in" && left.type === "Literal" && asked.add(left.value),
      UnaryExpression: ({ operator, argument }) => operator === "typeof" && argument.type === "Identifier" && asked.add(argument.name),
      MemberExpression: ({ computed, property }) => !computed && look(property),
      // Handles `const { any } = AbortSignal`.
      "ObjectPattern > Property[computed=false]": ({ key }) => look(key),
      ":not(MemberExpression, Property, TSTypeReference, TSQualifiedName) > Identifier": look,
      "MemberExpression > Identifier.object": look,
      "Property > Identifier.value": look,
      "Program:exit": () => {
        for (const { node, what, feature: described } of uses) {
          if (asked.has(node.name)) continue;
          context.report({ node, messageId: "missing", data: { what, since: since(described), name: node.name } });
        }
      },
    };
  },
};

export default { meta: { name: "compat" }, rules: { supported } };

/** Returns the first missing feature of a symbol; undefined if one of its features is supported, or if the data have none. */
function missing(symbol) {
  const declared = symbol?.declarations?.filter((one) => LIBRARY.test(one.getSourceFile().fileName)) ?? [];
  const found = declared.flatMap((one) => describe(one, symbol.name));
  return declared.length > 0 && found.length > 0 && found.every(({ feature: described }) => isMissing(described)) ? found[0] : undefined;
}

/** Returns the features of a declaration in MDN's data; empty if there are none, or if its whole interface is missing. */
function describe(declaration, name) {
  const [owner, isStatic] = ownerOf(declaration);
  // Members of a missing interface are unreachable: the use of the interface itself is reported or guarded.
  if (owner !== null && !isStatic && isMissing(feature("api", owner))) return [];
  const owners = owner === null ? [] : (KNOWN_AS[owner] ?? [owner]);
  const paths =
    owner === null
      ? [
          ["api", name],
          ["api", "Window", name],
          ["api", "_globals", name],
          ["javascript", "builtins", name],
          ["javascript", "builtins", "globals", name],
        ]
      : owners.flatMap((one) => [
          ["api", one, isStatic ? `${name}_static` : name],
          ["javascript", "builtins", one, name],
          ["javascript", "builtins", "Intl", one, name],
        ]);
  return paths.flatMap((path) => {
    const described = feature(...path);
    return described?.__compat ? [{ what: owner === null ? name : `${owner}.${name}`, feature: described }] : [];
  });
}

/** Returns the name of a declaration's interface or class (null for a global), and whether the declaration is static. */
function ownerOf({ parent }) {
  if (ts.isInterfaceDeclaration(parent)) {
    const constructor = /^(\w+)Constructor$/.exec(parent.name.text)?.[1];
    return constructor === undefined ? [parent.name.text, false] : [constructor, true];
  }
  if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent)) return [parent.parent.name.getText(), true];
  if (ts.isClassDeclaration(parent)) return [parent.name?.text ?? null, false];
  return [null, false];
}
