import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { boards, endpointOf, builds as someBuilds } from "@/e2e/support/fixture-data";
import { messages } from "@/messages/en";
import { attentionOf } from "./attention";

const t = createTranslator({ locale: "en", messages, namespace: "home.attention" });
const found = (facts: Parameters<typeof attentionOf>[0]) => attentionOf(facts, t, (state) => state);

const [first] = someBuilds;
const build = (more: object) => ({ ...first!, ...more });

describe("what needs somebody", () => {
  it("is nothing while all is well", () => {
    expect(found({ endpoints: [endpointOf("a")], boards, failures: [] })).toEqual([]);
  });

  it("names a failed endpoint once, though its build failed too", () => {
    const endpoints = [endpointOf("a", { state: "failed", buildId: "bld_1" })];
    const failures = [build({ id: "bld_1", state: "failed", endpointName: "a" })];
    const items = found({ endpoints, boards: [], failures });
    expect(items.map(({ subject, href }) => [subject, href])).toEqual([["a", "/builds/bld_1"]]);
  });

  it("names a failed build where its endpoint is well", () => {
    const failures = [build({ id: "bld_1", state: "failed", endpointName: "a" })];
    const items = found({ endpoints: [endpointOf("a")], boards: [], failures });
    expect(items.map(({ subject, href }) => [subject, href])).toEqual([["a", "/builds/bld_1"]]);
  });

  it("calls a cancelled build no fault", () => {
    const problem = { code: "cancelled", reason: "CANCELLED", message: "Cancelled." } as const;
    const endpoints = [endpointOf("a", { state: "failed", buildId: "bld_1", problem })];
    const items = found({ endpoints, boards: [], failures: [] });
    expect(items).toMatchObject([{ tone: "info", text: expect.stringMatching(/was cancelled/) }]);
  });

  it("tells of silent boards", () => {
    const silent = boards.map((board) => ({ ...board, state: "offline" as const }));
    expect(found({ endpoints: [], boards: silent, failures: [] })).toHaveLength(3);
  });
});
