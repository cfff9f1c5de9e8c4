import { describe, expect, it } from "vitest";
import { readAnswer } from "./predict";

const seen = { requestId: "req_1", totalNs: 1e6 };

describe("reading an answer", () => {
  it("takes outputs and timing", () => {
    const raw = JSON.stringify({
      outputs: [{ name: "y", datatype: "FP32", shape: [1, 2], data: [0.25, 0.75] }],
      timing: { cycles: 392, clockHz: 24e6, simulated: true },
    });
    expect(readAnswer({ ...seen, status: 200, raw })).toMatchObject({
      ok: true,
      outputs: [{ data: [0.25, 0.75] }],
      timing: { cycles: 392 },
    });
  });

  it.each<[unknown, string, string]>([
    [
      {
        error: { code: "unavailable", reason: "BOARD_OFFLINE", message: "silent", requestId: "r" },
      },
      "silent",
      "our own form",
    ],
    [{ error: "model is not ready" }, "model is not ready", "V2's form"],
    ["<html>", "The endpoint answered 502.", "no form at all"],
  ])("finds the message in %j: %s (%s)", (body, message) => {
    const raw = typeof body === "string" ? body : JSON.stringify(body);
    expect(readAnswer({ ...seen, status: 502, raw })).toMatchObject({ ok: false, message });
  });

  it("says so when an answer is no V2 answer", () => {
    expect(readAnswer({ ...seen, status: 200, raw: "{}" })).toMatchObject({ ok: false });
  });
});
