import { expect, test } from "vitest";
import { isolated, pairOf } from "./isolated.js";

test("a right-to-left name is isolated, any other is unchanged", () => {
  for (const name of ["", "Müller, Jörg", "O’Brien", "Гаприндашвили", "诸宸"]) expect(isolated(name)).toBe(name);
  for (const name of ["محمد صلاح", "קירל, נועה", "Ada\u202e"]) expect(isolated(name)).toBe(`\u2068${name}\u2069`);
  expect(pairOf("Ada", "محمد")).toBe("Ada – \u2068محمد\u2069");
});
