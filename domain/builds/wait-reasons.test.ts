import { describe, expect, it } from "vitest";
import { waitReasons } from "./wait-reasons";

const build = (name: string, projectMost: number | null = null) => ({
  ...{ id: name, projectId: name.charAt(0), projectMost },
  ...{ personId: null, personMost: 2 },
});
/** Of a project without a limit, and a person who may run so many at once. */
const buildOf = (personId: string, name: string, personMost: number | null) => ({
  ...build(name),
  ...{ personId, personMost },
});
type Queue = Parameters<typeof waitReasons>[0];
const reasons = (
  queue: Omit<Queue, "workers" | "isAway">,
  { workers = 1, isAway = false }: Partial<Queue>,
) => [...waitReasons({ workers, isAway, ...queue }).values()];

describe("why a build waits", () => {
  it.each([
    ["nobody builds", 0, 0, [], [build("a1", 1)], ["no-worker"]],
    ["somebody is free", 1, 2, [build("a1")], [build("a2"), build("a3")], ["next", "workers-busy"]],
    [
      "its project runs as many as it may, and others pass it",
      1,
      3,
      [build("a1", 1)],
      [build("a2", 1), build("b1", 1), build("a3", 1), build("c1")],
      ["quota", "next", "quota", "next"],
    ],
    [
      "its project runs as many as it may once those before it are taken",
      1,
      9,
      [build("a1", 2)],
      [build("a2", 2), build("a3", 2)],
      ["next", "quota"],
    ],
    [
      "whoever asked for it runs as many as they may, and others of the project pass them",
      1,
      9,
      [buildOf("ada", "a1", 2)],
      [buildOf("ada", "a2", 2), buildOf("ada", "a3", 2), buildOf("ben", "a4", 2), build("a5")],
      ["next", "own-quota", "next", "next"],
    ],
    [
      "they run as many as they may in another project",
      1,
      9,
      [buildOf("ada", "a1", 1)],
      [buildOf("ada", "b1", 1), buildOf("ada", "a2", null)],
      ["next", "next"],
    ],
    [
      "everybody is busy, and its project has room",
      1,
      1,
      [build("b1", 1)],
      [build("a1", 1), build("a2", 1)],
      ["workers-busy", "workers-busy"],
    ],
  ])("is told when %s", (_, workers, slots, running, waiting, told) => {
    expect(reasons({ slots, running, waiting }, { workers })).toEqual(told);
  });

  it("is told when the queue is away, whether a worker is free or not", () => {
    const queue = {
      running: [build("a1", 1)],
      waiting: [build("a2", 1), build("b1"), build("b2")],
    };
    const away = (workers: number) => reasons({ slots: 2, ...queue }, { workers, isAway: true });
    expect(away(1)).toEqual(["quota", "no-queue", "no-queue"]);
    expect(away(0)).toEqual(["no-worker", "no-worker", "no-worker"]);
  });
});
