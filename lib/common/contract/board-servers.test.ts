import { expect, it } from "vitest";
import { mostSimulated, pollRequestSchema } from "./board-servers";

const report = {
  address: { kind: "unix", path: "/tmp/s" },
  boards: [],
  slots: [],
  adopted: [],
  attached: [],
  waitS: 0,
};

it.each([
  [mostSimulated, true],
  [mostSimulated + 1, false],
  [2 ** 31, false],
  [-1, false],
])("of %i simulated boards a report is taken: %s", (simulatedCapacity, isTaken) => {
  expect(pollRequestSchema.safeParse({ ...report, simulatedCapacity }).success).toBe(isTaken);
});
