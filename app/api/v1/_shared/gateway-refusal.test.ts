import { describe, expect, it } from "vitest";
import { gatewayRefusal } from "./gateway-refusal";

const told = (body: unknown) => Buffer.from(JSON.stringify(body));

describe("a refusal of the gateway", () => {
  it.each([
    "MODEL_NOT_FOUND",
    "MODEL_NOT_READY",
    "QUEUE_FULL",
    "MEMORY_FULL",
    "VERSION_INVALID",
    "DEADLINE_EXCEEDED",
  ])("keeps its reason and words: %s", (code) => {
    expect(gatewayRefusal(400, told({ error: "as told", code }))).toMatchObject({
      reason: code,
      message: "as told",
    });
  });

  it.each([
    ["no JSON", Buffer.from("<html>")],
    ["no error", told({})],
    ["a reason that nobody knows", told({ error: "x", code: "toString" })],
  ])("is not guessed from %s", (_, body) => {
    expect(gatewayRefusal(503, body)).toMatchObject({
      reason: "UPSTREAM_MISMATCH",
      message: "The gateway answered with status 503.",
    });
  });
});
