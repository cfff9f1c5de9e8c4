import { describe, expect, it } from "vitest";
import { deployCommand } from "./deploy-command";
import { type Draft, toNewEndpoint } from "./draft";

const draft: Draft = {
  url: "s3://boardwalk-samples/iris-mlp/model.onnx",
  engine: "boardwalk",
  board: { model: "icebreaker", kind: "simulated" },
  name: "iris",
  settled: true,
  named: true,
  options: { lanes: 2 },
  preset: null,
  features: [],
  range: { min: "", max: "", assumedFor: "" },
  calibration: { url: "s3://uploads/rows.csv", name: "it's rows", understood: "", inputs: 4 },
  serving: { replicas: 2, maxBatchSize: 8, maxWaitMs: 5 },
};

/** What a shell would hand to curl as the body. */
const bodyIn = (command: string): unknown => {
  const quoted = command.slice(command.indexOf("-d '") + 4, -1);
  return JSON.parse(quoted.replaceAll("'\\''", "'"));
};

describe("the deploy as a shell command", () => {
  it("has the very body that the form sends, how it is served among it", () => {
    const body = bodyIn(deployCommand(draft, "http://localhost:3000"));
    expect(body).toEqual(toNewEndpoint(draft));
    expect(body).toMatchObject({ serving: { replicas: 2, maxBatchSize: 8, maxWaitMs: 5 } });
  });

  it("says what is still to be filled in", () => {
    const empty: Draft = { ...draft, url: "", engine: "", board: null, name: "", serving: {} };
    expect(bodyIn(deployCommand(empty, ""))).toMatchObject({
      name: "NAME",
      engine: "ENGINE",
      model: { url: "URL" },
    });
  });
});
