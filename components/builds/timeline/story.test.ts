import { describe, expect, it } from "vitest";
import type { BuildTimeline, Stage, StageName } from "@/lib/common/contract";
import { stagesOfKind, storyOf } from "./story";

const originMs = Date.parse("2026-11-20T12:00:00.000Z");
const at = (ms: number) => new Date(originMs + ms).toISOString();
const usualOf = (name: StageName, startMs: number, medianMs: number) => ({
  ...{ name, startMs, medianMs, lowMs: medianMs - 10, highMs: medianMs + 10, builds: 4 },
});
const missed = { hz: 48e6, achievedMhz: 46.5, isMet: false };
const met = { hz: 42e6, achievedMhz: 46.6, isMet: true };

const timeline = (stages: Stage[], endedAt: string | null): BuildTimeline => ({
  now: at(0),
  queued: [],
  attempts: [{ attempt: 1, startedAt: at(0), endedAt, outcome: null, stages }],
  usual: {
    builds: 4,
    total: { medianMs: 1000, lowMs: 900, highMs: 1100 },
    stages: [usualOf("plan", 0, 100), usualOf("place", 100, 500), usualOf("store", 700, 50)],
  },
  expectedMs: null,
  wait: null,
});
const ladder: Stage[] = [
  {
    ...{ name: "place", state: "succeeded", durationMs: 500, startedAt: at(100) },
    runs: [
      { startedAt: at(100), endedAt: at(300), state: "succeeded", clock: missed },
      { startedAt: at(310), endedAt: at(610), state: "succeeded", clock: met },
    ],
  },
  {
    ...{ name: "plan", state: "succeeded", durationMs: 90, startedAt: at(0) },
    runs: [{ startedAt: at(0), endedAt: at(90), state: "succeeded" }],
  },
  {
    ...{ name: "verify", state: "succeeded", durationMs: 30, startedAt: at(320) },
    runs: [{ startedAt: at(320), endedAt: at(350), state: "succeeded", clock: met }],
  },
  { name: "store", state: "waiting", durationMs: null },
];

describe("the story of a build", () => {
  it("tells runs in the order in which they began, by the clocks that were tried", () => {
    const [story] = storyOf(timeline(ladder, null), "simulated", originMs + 620);
    expect(
      story?.groups.map(({ clock, rows }) => [clock?.hz ?? null, rows.map(({ stage }) => stage)]),
    ).toEqual([
      [null, ["plan"]],
      [48e6, ["place"]],
      [42e6, ["place", "verify"]],
      [null, ["store"]],
    ]);
  });

  it("expects what waits where it usually begins, and the end when the last of it does", () => {
    const [story] = storyOf(timeline(ladder, null), "simulated", originMs + 620);
    expect(story).toMatchObject({ tookMs: 620, isRunning: true, expectedEndMs: 750, axisMs: 750 });
    const late = storyOf(timeline(ladder, null), "simulated", originMs + 900)[0];
    expect(late?.expectedEndMs).toBe(950);
  });

  it("lays the usual time behind the first run of a stage only", () => {
    const [story] = storyOf(timeline(ladder, at(700)), "simulated", 0);
    const places = story?.groups
      .flatMap(({ rows }) => rows)
      .filter(({ stage }) => stage === "place");
    expect(places?.map(({ usual }) => usual?.fromMs ?? null)).toEqual([100, null]);
    expect(story).toMatchObject({ tookMs: 700, expectedEndMs: null, isRunning: false });
  });

  it("goes by the forecast where no build was made before", () => {
    const first = {
      ...timeline([{ name: "plan", state: "waiting", durationMs: null }], null),
      usual: { builds: 0, total: null, stages: [] },
      expectedMs: 30_000,
    };
    expect(storyOf(first, "simulated", originMs + 5)[0]).toMatchObject({ expectedEndMs: 30_000 });
    expect(storyOf({ ...first, expectedMs: null }, "simulated", originMs + 5)[0]).toMatchObject({
      expectedEndMs: null,
    });
  });

  it("reads builds that tell of one run alone", () => {
    const old: Stage[] = [{ name: "plan", state: "succeeded", durationMs: 90, startedAt: at(10) }];
    const [story] = storyOf(timeline(old, at(200)), "simulated", 0);
    expect(story?.groups[0]?.rows[0]?.ran).toEqual({ startMs: 10, endMs: 100 });
  });

  it("keeps durations where the worker's clock is behind the database's", () => {
    const early: Stage[] = [
      { name: "plan", state: "succeeded", durationMs: 90, startedAt: at(-500) },
      { name: "place", state: "succeeded", durationMs: 100, startedAt: at(-400) },
    ];
    const rows = storyOf(timeline(early, at(200)), "simulated", 0)[0]?.groups[0]?.rows;
    expect(rows?.map(({ ran }) => ran)).toEqual([
      { startMs: 0, endMs: 90 },
      { startMs: 100, endMs: 200 },
    ]);
  });

  it("leaves stages of firmware out for a CPU, unless one ran", () => {
    const stages: Stage[] = [
      { name: "plan", state: "waiting", durationMs: null },
      { name: "place", state: "waiting", durationMs: null },
      { name: "simulate", state: "succeeded", durationMs: 3, startedAt: at(0) },
    ];
    expect(stagesOfKind(stages, "cpu").map(({ name }) => name)).toEqual(["plan", "simulate"]);
    expect(stagesOfKind(stages, "simulated")).toHaveLength(3);
  });
});
