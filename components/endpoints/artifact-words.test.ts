import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { endpointOf } from "@/e2e/support/fixture-data";
import { messages } from "@/messages/en";
import { artifactWords, reached } from "./artifact-words";

const t = createTranslator({ locale: "en", messages, namespace: "endpoints" });
const none = { artifactDigest: null, boardId: null };
const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;

describe("the way of an endpoint", () => {
  it.each([
    [endpointOf("a", { ...none, state: "building" }), 1, "being built"],
    [endpointOf("a", { ...none, state: "failed", problem }), 1, "not built"],
    [
      endpointOf("a", { ...none, state: "failed", problem: { ...problem, reason: "CANCELLED" } }),
      1,
      "build cancelled",
    ],
    [endpointOf("a", { state: "loading", boardId: null }), 2, /^sha256:|^[0-9a-f]/],
    [endpointOf("a", { state: "testing", boardId: "brd_1" }), 3, /./],
    [endpointOf("a", { state: "degraded", boardId: "brd_1" }), 3, /./],
    [endpointOf("a", { state: "ready", boardId: "brd_1" }), 4, /./],
  ])("of %o", (endpoint, stations, words) => {
    expect(reached(endpoint)).toBe(stations);
    expect(artifactWords(endpoint, t)).toMatch(words);
    if (endpoint.artifactDigest) expect(artifactWords(endpoint, t)).not.toMatch(/built/);
  });
});
