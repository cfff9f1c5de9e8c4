import { describe, expect, it } from "vitest";
import { joinMessage, parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import { binaryRequest, jsonOfBinaryAnswer } from "./binary-request";
import { compactJson, formatJson, parseLossless } from "./format-json";
import { readAnswer } from "./predict";

const seen = { requestId: "req_1", totalNs: 1e6 };

describe("reading an answer", () => {
  it("takes outputs, revision, id and timing", () => {
    const raw = JSON.stringify({
      id: "abc",
      model_version: "2",
      outputs: [{ name: "y", datatype: "FP32", shape: [1, 2], data: [0.25, 0.75] }],
      timing: { cycles: 392, clockHz: 24e6, simulated: true },
    });
    expect(readAnswer({ ...seen, status: 200, raw })).toMatchObject({
      ok: true,
      requestId: "abc",
      revision: "2",
      outputs: [{ data: [0.25, 0.75] }],
      timing: { cycles: 392 },
    });
  });

  it.each<[unknown, string | null, string]>([
    [
      {
        error: { code: "unavailable", reason: "BOARD_OFFLINE", message: "silent", requestId: "r" },
      },
      "silent",
      "our own form",
    ],
    [{ error: "model is not ready" }, "model is not ready", "V2's form"],
    ["<html>", null, "no form at all"],
  ])("finds the message in %j: %s (%s)", (body, message) => {
    const raw = typeof body === "string" ? body : JSON.stringify(body);
    expect(readAnswer({ ...seen, status: 502, raw })).toMatchObject({ ok: false, message });
  });

  it("says so when an answer is no V2 answer", () => {
    const answer = readAnswer({ ...seen, status: 200, raw: "{}" });
    expect(answer).toMatchObject({ ok: false, message: null });
  });
});

describe("tensors as bytes", () => {
  const text =
    '{"id":"7","parameters":{"priority":9007199254740993},"inputs":[{"name":"x","shape":[2],"datatype":"INT64","data":[9223372036854775807,-1],"parameters":{"a":true}},{"name":"h","shape":[1],"datatype":"BF16","data":[[1.5]]}],"outputs":[]}';

  it("are those of the text, and what else it says stays", () => {
    const { body, headerLength } = binaryRequest(text);
    const sent = parseInferRequest(body, { headerLength });
    expect(sent.inputs).toEqual(parseInferRequest(new TextEncoder().encode(text)).inputs);
    expect(sent.id).toBe("7");
    expect(sent.parameters.get("priority")).toBe(9007199254740993n);
    expect(sent.binaryOutput).toBe(true);
  });

  it("come back as the JSON that they stand for", () => {
    const outputs = [
      { name: "y", datatype: "INT64", shape: [1], data: BigInt64Array.of(2n ** 63n - 1n) },
      { name: "z", datatype: "FP16", shape: [2], data: Uint16Array.of(0x3c00, 0x7e00) },
    ] as const;
    const response = { modelName: "m", modelVersion: "3", id: "7", outputs };
    const message = writeInferResponse(response, { outputs: [], binaryOutput: true });
    const { body, headerLength } = joinMessage(message);
    const raw = jsonOfBinaryAnswer(body, headerLength);
    expect(raw).toContain('"data":[9223372036854775807]');
    expect(readAnswer({ ...seen, status: 200, raw })).toMatchObject({
      ok: true,
      requestId: "7",
      revision: "3",
      outputs: [{ data: ["9223372036854775807"] }, { data: [1, "NaN"] }],
    });
  });
});

describe("JSON as it is written", () => {
  it("keeps every digit when it is set anew", () => {
    const text = '{"a":[9223372036854775807,0.10,1E5],"b":{"c":[[1,2],[3,4]],"d":"é"}}';
    expect(compactJson(formatJson(text))).toBe(text);
    expect(formatJson("not json")).toBe("not json");
    expect(parseLossless(text)).toMatchObject({ a: ["9223372036854775807", 0.1, 1e5] });
  });

  it("sets long lists in lines of equal width", () => {
    const text = formatJson(JSON.stringify({ data: Array.from({ length: 64 }, (_, i) => i / 64) }));
    expect(text.split("\n").every((line) => line.length < 90)).toBe(true);
    expect(JSON.parse(text).data).toHaveLength(64);
  });
});
