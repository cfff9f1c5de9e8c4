import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { builds } from "@/e2e/support/fixture-data";
import type { BuildTimeline, BuildWait } from "@/lib/common/contract";
import { inEnglish } from "@/tests/support/in-language";
import { timelineQuery } from "../api";
import { WaitNote } from "./wait-note";

const wait: BuildWait = {
  reason: "workers-busy",
  place: 2,
  waiting: 3,
  workers: 1,
  slots: 1,
  projectMost: 8,
  personMost: 2,
  expectedStartAt: null,
};

function draw(told: Partial<BuildWait>): string {
  const build = builds.find(({ state }) => state === "queued");
  if (!build) throw new Error("no build of the fixtures waits");
  const timeline: BuildTimeline = {
    now: new Date().toISOString(),
    queued: [],
    attempts: [],
    usual: { builds: 0, total: null, stages: [] },
    expectedMs: null,
    wait: { ...wait, ...told },
  };
  const client = new QueryClient();
  client.setQueryData(timelineQuery(build.id).queryKey, timeline);
  const note = inEnglish(createElement(WaitNote, { build }));
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, note));
}

describe("why a build waits", () => {
  it.each([
    [{}, ["Number 2 of 3 in the queue", "The one build worker is busy"]],
    [
      { reason: "quota", place: null },
      ["Its project runs as many builds as it may", "It may run 8 at once", "in its turn"],
    ],
    [{ reason: "quota", place: null, projectMost: 1 }, ["It may run one at once"]],
    [
      { reason: "own-quota", place: null },
      ["Whoever asked for it runs as many builds as they may", "Each person may run 2 at once"],
    ],
    [{ reason: "no-queue" }, ["Number 2 of 3 in the queue", "The queue of jobs is away"]],
    [{ reason: "equal-build", place: null, projectMost: null }, ["An equal build runs now"]],
  ] as const)("%j is told", (told, words) => {
    const drawn = draw(told);
    for (const each of words) expect(drawn).toContain(each);
  });
});
