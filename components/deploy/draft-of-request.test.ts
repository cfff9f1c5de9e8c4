import { describe, expect, it } from "vitest";
import { type NewRevision, newRevisionSchema } from "@/lib/common/contract";
import { bodyOf, toNewRevision } from "./draft";
import { draftOfRequest } from "./draft-of-request";
import { freshDraft } from "./use-draft";

const plain: NewRevision = {
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
};

const draftOf = (request: NewRevision) => ({
  ...freshDraft,
  ...draftOfRequest({
    request,
    boardModel: "icebreaker",
    boardKind: "simulated",
    understood: "taken over from revision 1",
  }),
  name: "iris",
});

describe("a request in the form again", () => {
  it.each<[string, Partial<NewRevision>]>([
    ["as short as it can be", {}],
    [
      "with options that the form has no control for",
      { options: { weightBits: [4, 6], odd: { a: 1 } } },
    ],
    ["with one range for all inputs", { inputRange: { min: -1.5, max: 8 } }],
    ["with a range for each input", { inputRange: { min: 0, max: [1, 2.5, 1e-7] } }],
    ["with rows to calibrate with", { calibration: { url: "s3://up/rows", name: "rows.csv" } }],
    [
      "with every setting of serving",
      {
        serving: {
          replicas: 2,
          maxBatchSize: 8,
          maxWaitMs: 1.5,
          preferredBatchSizes: [4],
          instances: 2,
          maxQueueSize: 9,
          onTimeout: "delay",
        },
      },
    ],
    ["for a board by its id", { board: { id: "brd_1" } }],
    [
      "with a digest and a card of the model",
      {
        model: {
          ...plain.model,
          digest: `sha256:${"a".repeat(64)}`,
          card: { classes: ["a", "b"] },
        },
      },
    ],
  ])("is the very same request: %s", (_what, more) => {
    const request = newRevisionSchema.parse({ ...plain, ...more });
    expect(toNewRevision(draftOf(request))).toEqual(request);
  });

  it("forgets what was said of one model when another address is typed", () => {
    const request = {
      ...plain,
      model: { ...plain.model, digest: `sha256:${"a".repeat(64)}` as const },
    };
    const draft = { ...draftOf(request), url: "s3://other/model.onnx" };
    expect(bodyOf(draft).model).toEqual({ url: "s3://other/model.onnx" });
  });
});
