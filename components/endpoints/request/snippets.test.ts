import { describe, expect, it } from "vitest";
import type { Endpoint } from "@/lib/common/contract";
import { curlOf, languages, snippetOf } from "./snippets";

const endpoint: Endpoint = {
  name: "iris",
  state: "ready",
  url: "http://localhost:8000/v2/models/iris/infer",
  buildId: null,
  artifactDigest: null,
  apiVersion: "V2",
  serviceType: "",
  engine: "boardwalk",
  boardModel: "icebreaker",
  boardKind: "simulated",
  boardId: null,
  replicas: { serving: 1, wanted: 1 },
  modelUrl: "s3://b/iris/model.onnx",
  revision: 1,
  next: null,
  paused: false,
  reused: false,
  inputs: [{ name: "measures", datatype: "FP32", shape: [-1, 4] }],
  outputs: [{ name: "species", datatype: "FP32", shape: [-1, 3] }],
  sample: {
    inputs: [{ name: "measures", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] }],
  },
  createdAt: "2026-11-20T12:00:00.000Z",
  readyAt: null,
};

describe("snippets", () => {
  it.each(languages)("in %s hold the address and the sample", (language) => {
    const text = snippetOf(language, endpoint);
    expect(text).toContain("localhost:8000");
    expect(text).toContain("5.1,3.5,1.4,0.2");
    expect(text).toContain("measures");
  });

  it("in Python name the output and give no scheme to the client", () => {
    const text = snippetOf("Python", endpoint);
    expect(text).toContain('url="localhost:8000"');
    expect(text).toContain('as_numpy("species")');
    expect(text).toContain("dtype=np.float32");
  });

  it("quote an apostrophe for the shell", () => {
    expect(curlOf("http://x", `{"a":"it's"}`)).toContain(`'{"a":"it'\\''s"}'`);
  });
});
