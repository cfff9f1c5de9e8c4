import { describe, expect, it } from "vitest";
import type { BoardFit } from "@/engines/forecast";
import { type BoardVerdict, boardVerdicts, byAvailability, shownBoards } from "./board-verdict";
import type { BoardChoice } from "./choices";
import { keyOfPick } from "./draft";

const board = (name: string, more: Partial<BoardChoice> = {}): BoardChoice => ({
  pick: { model: name, kind: "simulated" },
  name,
  vendor: "Maker",
  family: "ice40",
  part: "up5k",
  availability: "free",
  places: null,
  serverName: null,
  endpoints: [],
  loadsBondOnly: false,
  bitstreamNeeds: null,
  isVerified: true,
  mismatch: null,
  ...more,
});
const cpu = board("cpu", { pick: { model: "cpu", kind: "cpu" }, mismatch: "cpuBoard" });
const real = (name: string, availability: BoardChoice["availability"]) =>
  board(name, { pick: { id: name, model: "m", kind: "physical" }, availability });
const simulated = Array.from({ length: 12 }, (_, at) => board(`sim-${at}`));
const names = (choices: readonly BoardChoice[]) => choices.map(({ name }) => name);
const glance = { text: "", fitting: false, all: false };
const lacking: BoardVerdict = { kind: "lacks", share: 1.48, lack: "needs more", isSure: true };

describe("the verdict on a board", () => {
  const fits = new Map<string, BoardFit | null>([
    ["fine", { fits: true, share: 0.62 } as BoardFit],
    [
      "small",
      {
        fits: false,
        share: 1.48,
        isSure: true,
        guess: { fits: false, lack: "needs more", lacking: [], nearest: null },
      },
    ],
    ["unknown", null],
  ]);
  const of = (choice: BoardChoice, built: string[] = [], reuseSeconds: number | null = 2.2) =>
    boardVerdicts([choice], {
      fits,
      built: {
        items: built.map((boardModel) => ({
          ...{ boardModel, boardKind: "simulated" as const },
          ...{ buildId: "bld_1", at: "2026-01-01T00:00:00Z" },
        })),
        reuseSeconds,
      },
      engineWith: () => "onnx",
    }).get(keyOfPick(choice.pick));

  it("is how full it will be, or how much too small it is", () => {
    expect(of(board("fine"))).toEqual({ kind: "fits", share: 0.62 });
    expect(of(board("small"))).toEqual({
      kind: "lacks",
      share: 1.48,
      lack: "needs more",
      isSure: true,
    });
  });

  it("is that nothing has to be built, on boards of the same kind alone", () => {
    expect(of(board("small"), ["small"])).toEqual({ kind: "built", seconds: 2.2 });
    const onCable = board("small", { pick: { id: "b", model: "small", kind: "physical" } });
    expect(of(onCable, ["small"])).toMatchObject({ kind: "lacks" });
  });

  it("is which engine would be taken, where the chosen one does not build for it", () => {
    expect(of(cpu)).toEqual({ kind: "mismatch", engine: "onnx" });
  });

  it("is nothing where nothing is known", () => {
    expect(of(board("unknown"))).toBeUndefined();
    expect(of(board("elsewhere"))).toBeUndefined();
  });
});

describe("the grid of boards", () => {
  it("has those first that are free now", () => {
    const all = [...simulated.slice(0, 1), real("busy", "busy"), cpu, real("gone", "offline")];
    expect(names(byAvailability([...all, real("free", "free")]))).toEqual([
      "free",
      "cpu",
      "sim-0",
      "busy",
      "gone",
    ]);
  });

  it("shows at a glance the CPU, the chosen one, and simulated ones that it fits", () => {
    const verdicts = new Map<string, BoardVerdict>(
      simulated.slice(0, 4).map(({ pick }) => [keyOfPick(pick), lacking]),
    );
    const seen = shownBoards([...simulated, cpu], {
      filter: glance,
      verdicts,
      chosen: "sim-1 simulated",
    });
    expect(names(seen.shown)).toEqual(["cpu", "sim-1", "sim-4", "sim-5", "sim-6", "sim-7"]);
    expect(seen.matching).toBe(13);
  });

  it("filters by every word of name, vendor, family, part and kind, and then shows all that match", () => {
    const found = (text: string) =>
      names(
        shownBoards([...simulated, cpu], {
          filter: { ...glance, text },
          verdicts: new Map(),
          chosen: null,
        }).shown,
      );
    expect(found("MAKER simulated")).toHaveLength(12);
    expect(found("sim-1")).toEqual(["sim-1", "sim-10", "sim-11"]);
    expect(found("no such")).toEqual([]);
  });

  it("leaves out what it does not fit, if so asked", () => {
    const verdicts = new Map<string, BoardVerdict>([
      ["sim-0 simulated", lacking],
      ["cpu cpu", { kind: "mismatch", engine: "onnx" }],
    ]);
    const seen = shownBoards([...simulated.slice(0, 3), cpu], {
      filter: { ...glance, fitting: true },
      verdicts,
      chosen: null,
    });
    expect(names(seen.shown)).toEqual(["sim-1", "sim-2"]);
  });
});
