import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { NewRevision } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import { differencesOf } from "./differences";

const t = createTranslator({ locale: "en", messages, namespace: "endpoints" });
const request: NewRevision = {
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
  options: { weightBits: 6 },
};

describe("what differs between two requests", () => {
  it("is nothing between equal ones", () => {
    expect(differencesOf(request, { ...request, options: { weightBits: 6 } }, t)).toEqual([]);
  });

  it.each<[string, Partial<NewRevision>, string, string, string]>([
    ["an option", { options: { weightBits: 4 } }, "Weight bits", "6", "4"],
    ["an option left out", { options: {} }, "Weight bits", "6", "not set"],
    ["the engine", { engine: "onnx" }, "Engine", "boardwalk", "onnx"],
    ["a board by its id", { board: { id: "brd_1" } }, "Board", "icebreaker, simulated", "brd_1"],
    ["a range", { inputRange: { min: 0, max: [1, 2] } }, "Input range", "not set", "0 to [1,2]"],
    ["batching", { serving: { maxWaitMs: 2 } }, "Maximum wait for a batch, ms", "not set", "2"],
    [
      "other serving",
      { serving: { instances: 2 } },
      "Concurrent calls per replica",
      "not set",
      "2",
    ],
  ])("%s is named with both values", (_what, change, name, before, after) => {
    expect(differencesOf(request, { ...request, ...change }, t)).toEqual([{ name, before, after }]);
  });

  it("tells long lists apart by their end", () => {
    const range = (last: number) => ({
      ...request,
      inputRange: { min: 0, max: [...Array.from({ length: 60 }, () => 1), last] },
    });
    expect(differencesOf(range(7), range(8), t)).toHaveLength(1);
  });
});
