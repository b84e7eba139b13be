// An ESLint rule: no use of a language or web API that the oldest browser lacks (support.mjs). It goes by types, so that `any` of an
// AbortSignal is told from any other `any`.
//
// A use counts as guarded where its file asks for it: `"wakeLock" in navigator`, `typeof Iterator`.

import ts from "typescript";
import { feature, isMissing, OLDEST, since } from "./support.mjs";

/** TypeScript's names for what the data calls otherwise: mixins, and what is read-only. */
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
/** Syntax that is too new, as selectors of ESLint. The build lowers what it can; pages of the hub are served as they are written. */
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
      // `const { any } = AbortSignal`.
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

/** What is missing of a symbol's declarations: all of them must be, or one browser's way is there. */
function missing(symbol) {
  const declared = symbol?.declarations?.filter((one) => LIBRARY.test(one.getSourceFile().fileName)) ?? [];
  const found = declared.flatMap((one) => describe(one, symbol.name));
  return declared.length > 0 && found.length > 0 && found.every(({ feature: described }) => isMissing(described)) ? found[0] : undefined;
}

/** A declaration of the library in the data's terms; nothing where the data does not know it. */
function describe(declaration, name) {
  const [owner, isStatic] = ownerOf(declaration);
  // Members of an interface that is missing as a whole are out of reach: what leads to it is reported, or asked for.
  if (owner !== null && !isStatic && isMissing(feature("api", owner))) return [];
  const owners = owner === null ? [] : (KNOWN_AS[owner] ?? [owner]);
  const paths =
    owner === null
      ? [["api", name], ["api", "Window", name], ["api", "_globals", name], ["javascript", "builtins", name], ["javascript", "builtins", "globals", name]]
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

/** The interface to which a declaration belongs, null for a global; and whether it belongs to the constructor. */
function ownerOf({ parent }) {
  if (ts.isInterfaceDeclaration(parent)) {
    const constructor = /^(\w+)Constructor$/.exec(parent.name.text)?.[1];
    return constructor === undefined ? [parent.name.text, false] : [constructor, true];
  }
  if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent)) return [parent.parent.name.getText(), true];
  if (ts.isClassDeclaration(parent)) return [parent.name?.text ?? null, false];
  return [null, false];
}
