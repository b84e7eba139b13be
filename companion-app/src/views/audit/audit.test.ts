import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ListCommandsReplySchema, LoggedCommandSchema, type ListCommandsReply } from "$gen/api/audit_pb.js";
import { RecordSchema } from "$gen/frames/log_pb.js";
import type { CommandsWanted } from "$lib/transport/transport.js";
import { setLocale } from "$lib/words/catalogue.js";
import { Audit, auditWords } from "./audit.svelte.js";

function logged(index: bigint): ListCommandsReply["commands"][number] {
  return create(LoggedCommandSchema, { index, actor: "Ann" });
}

test("pages are read until there are rows enough, and join without gaps", async () => {
  const requests: CommandsWanted[] = [];
  const pages = [
    { commands: [logged(90n), logged(80n)], nextBefore: 70n },
    { commands: [], nextBefore: 40n },
    { commands: [logged(30n)], nextBefore: 0n },
  ];
  const audit = new Audit(
    {
      commands: (wanted) => {
        requests.push(wanted);
        return Promise.resolve(create(ListCommandsReplySchema, pages[requests.length - 1]));
      },
    },
    () => 7200e6,
  );
  audit.actor = " Ann ";
  audit.hours = 1;
  await audit.start();
  expect(requests.map((one) => one.before)).toEqual([0n, 70n, 40n]);
  expect(requests[0]).toMatchObject({ actor: "Ann", board: "", fromUs: 3_600_000_000n });
  expect(audit.commands.map((one) => one.index)).toEqual([90n, 80n, 30n]);
  expect([audit.more, audit.reading, audit.refusal]).toEqual([false, false, ""]);
});

test("a filter changed meanwhile drops the earlier answer", async () => {
  let answer: (page: ListCommandsReply) => void = () => undefined;
  let calls = 0;
  const audit = new Audit(
    {
      commands: () => {
        calls += 1;
        if (calls === 1) return new Promise((done) => (answer = done));
        return Promise.resolve(create(ListCommandsReplySchema, { commands: [logged(2n)] }));
      },
    },
    () => null,
  );
  const first = audit.start();
  await audit.start();
  answer(create(ListCommandsReplySchema, { commands: [logged(1n)] }));
  await first;
  expect(audit.commands.map((one) => one.index)).toEqual([2n]);
});

test("a command is in the arbiter's language, with its reason", () => {
  setLocale("de");
  const record = create(RecordSchema, {
    input: { case: "command", value: { actor: "Ann", reason: "Regelverstoß", what: { case: "boardCommand", value: "pause" } } },
  });
  const words = auditWords(create(LoggedCommandSchema, { record: toBinary(RecordSchema, record), text: "pause by Ann" }));
  expect(words).toContain("Regelverstoß");
  expect(words).not.toContain("pause by");
});

test.each<[string, NonNullable<MessageInitShape<typeof RecordSchema>["input"]>]>([
  [
    "a command that waits",
    { case: "commandHeld", value: { what: { case: "command", value: { reason: "wrong setting", what: { case: "boardCommand", value: "pause" } } } } },
  ],
  ["a change of the event that waits", { case: "commandHeld", value: { what: { case: "event", value: { reason: "wrong setting", part: 1 } } } }],
  ["a revocation that waits", { case: "commandHeld", value: { what: { case: "revocation", value: { reason: "wrong setting", name: "Eva" } } } }],
  ["a change of the event", { case: "eventChanged", value: { reason: "wrong setting", part: 1 } }],
  ["a revoked clock", { case: "agentRevoked", value: { reason: "wrong setting" } }],
  ["an acknowledged note", { case: "noteAcknowledged", value: { kind: "wrong-press", reason: "wrong setting" } }],
])("%s keeps its reason", (_, input) => {
  setLocale("en");
  const record = create(RecordSchema, { input });
  expect(auditWords(create(LoggedCommandSchema, { record: toBinary(RecordSchema, record) }))).toMatch(/.: wrong setting$/);
});
