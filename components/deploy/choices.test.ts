import { describe, expect, it } from "vitest";
import type { Board, BoardModelSummary, EngineSummary, Inspection } from "@/lib/common/contract";
import { boardChoices, boardFor, engineChoices, engineFor, targetFor } from "./choices";

const engine = (id: string, kind: "cpu" | "fpga", boards: string[]): EngineSummary => ({
  id,
  title: id,
  summary: "",
  kind,
  formats: ["onnx"],
  forecasts: kind === "fpga",
  boards,
  lacking: [],
  loads: ["boardwalk"],
  proves: true,
  presets: [],
  firmwareBoards: kind === "fpga" ? boards : [],
  optionsSchema: {},
});
const engines = [engine("boardwalk", "fpga", ["icebreaker"]), engine("onnx", "cpu", ["cpu"])];
const model = (
  id: string,
  kinds: BoardModelSummary["kinds"],
  bitstreamNeeds: string | null = null,
): BoardModelSummary => ({
  id,
  name: id,
  vendor: "",
  family: "",
  part: "",
  bitstreamNeeds,
  resources: {},
  clockHz: null,
  link: null,
  aliases: [],
  verifiedOnHardware: id === "cpu",
  kinds,
});
const models = [
  model("icebreaker", ["simulated", "physical"]),
  model("cpu", ["cpu"]),
  model("alveo-u50", ["simulated"], "Vitis"),
];
const boards = boardChoices({ models, boards: [], engine: engines[0] });
const inspected = (verdicts: Inspection["engines"]): Inspection => ({
  format: "onnx",
  sizeBytes: 1,
  digest: `sha256:${"0".repeat(64)}`,
  inputs: [],
  outputs: [],
  layers: [],
  parameters: 0,
  engines: verdicts,
});

describe("what can be chosen", () => {
  it("offers what can be built for, simulated and CPU, and says where a vendor's tool is wanting", () => {
    expect(boards.map(({ pick }) => pick)).toEqual([
      { model: "icebreaker", kind: "simulated" },
      { model: "alveo-u50", kind: "simulated" },
      { model: "cpu", kind: "cpu" },
    ]);
    expect(boards.map(({ bitstreamNeeds }) => bitstreamNeeds)).toEqual([null, "Vitis", null]);
    expect(boards.every(({ availability }) => availability === "free")).toBe(true);
  });

  it("says of a real board whether its model was ever served from one", () => {
    const real: Board = {
      id: "brd_1",
      name: "bench-1",
      boardModel: "icebreaker",
      kind: "physical",
      loads: "boardwalk",
      state: "free",
      serverId: "bsv_1",
      serverName: "bench",
      heartbeatAt: null,
      slots: [],
    };
    const choiceOf = (verifiedOnHardware: boolean, board: Board = real) =>
      boardChoices({
        models: [{ ...model("icebreaker", ["physical"]), verifiedOnHardware }],
        boards: [board],
        engine: engines[0],
      })[0];
    expect(choiceOf(false)).toMatchObject({
      isVerified: false,
      serverName: "bench",
      availability: "free",
    });
    expect(choiceOf(true)?.isVerified).toBe(true);
    const slot = {
      ...({ id: "slt_1", index: 0, state: "serving", artifactDigest: null } as const),
      ...{ endpointName: "digits", revisionId: null },
    };
    expect(choiceOf(true, { ...real, state: "serving", slots: [slot] })).toMatchObject({
      availability: "busy",
      endpoints: ["digits"],
      places: { free: 0, all: 1 },
    });
    expect(choiceOf(true, { ...real, state: "offline" })?.availability).toBe("offline");
    const drain = { since: "2026-11-25T12:00:00.000Z", loaded: "move" } as const;
    expect(choiceOf(true, { ...real, drain })?.availability).toBe("drained");
    expect(choiceOf(true, { ...real, drain, state: "offline" })?.availability).toBe("offline");
  });

  it("says why an engine and a board do not go together", () => {
    const mismatchesWith = (chosen: EngineSummary | undefined) =>
      boardChoices({ models, boards: [], engine: chosen }).map(({ mismatch }) => mismatch);
    expect(mismatchesWith(engines[0])).toEqual([null, "noFlow", "cpuBoard"]);
    expect(mismatchesWith(engines[1])).toEqual(["cpuEngine", "cpuEngine", null]);
  });

  it("offers a board at an address only with engines whose firmware it loads", () => {
    const address: Board = {
      id: "brd_2",
      name: "zedboard-bond-1",
      boardModel: "icebreaker",
      kind: "physical",
      loads: "bondmachine",
      state: "free",
      serverId: "bsv_1",
      serverName: "bench",
      heartbeatAt: null,
      slots: [],
    };
    const prebuilt: EngineSummary = {
      ...engine("prebuilt", "fpga", ["icebreaker"]),
      loads: ["boardwalk", "bondmachine"],
    };
    const given = { models, boards: [address] };
    const choiceWith = (chosen: EngineSummary | undefined) =>
      boardChoices({ ...given, engine: chosen }).find(({ name }) => name === address.name);
    expect(choiceWith(engines[0])).toMatchObject({
      mismatch: "loads",
      loadsBondOnly: true,
    });
    expect(choiceWith(prebuilt)?.mismatch).toBeNull();

    const pick = choiceWith(prebuilt)?.pick ?? null;
    const all = [...engines, prebuilt];
    const choices = engineChoices({ engines: all, model: undefined, board: pick });
    expect(choices.map(({ changesBoard }) => changesBoard)).toEqual([true, true, false]);
    expect(pick && engineFor(pick, "boardwalk", choices)).toBe("prebuilt");
    const [boardwalk] = engines;
    expect(
      boardwalk && boardFor(boardwalk, pick, boardChoices({ ...given, engine: boardwalk })),
    ).toEqual({ model: "icebreaker", kind: "simulated" });
  });

  it("refuses an engine that cannot take the model, in the model's words", () => {
    const verdict = { id: "boardwalk", ok: false, message: "has no circuit for Loop" };
    const choices = engineChoices({
      engines,
      model: inspected([verdict]),
      board: null,
    });
    expect(choices.map(({ refusal }) => refusal)).toEqual(["has no circuit for Loop", null]);
  });

  it("never locks engine and board against each other: choosing one moves the other", () => {
    const board = { model: "icebreaker", kind: "simulated" } as const;
    const choices = engineChoices({ engines, model: undefined, board });
    expect(choices.every(({ refusal }) => refusal === null)).toBe(true);
    const [, onnx] = engines;
    expect(onnx && boardFor(onnx, board, boards)).toEqual({ model: "cpu", kind: "cpu" });
    expect(engineFor({ model: "cpu", kind: "cpu" }, "boardwalk", choices)).toBe("onnx");
    expect(engineFor(board, "boardwalk", choices)).toBe("boardwalk");
  });

  describe("until somebody settles engine and board", () => {
    const draft = { settled: false, engine: "boardwalk", board: boards[0]?.pick ?? null };
    const refused = { id: "boardwalk", ok: false, message: "does not read that" };
    const choicesFor = (model: Inspection) => ({
      engines: engineChoices({ engines, model, board: null }),
      boards,
    });

    it("they follow a model that another engine takes", () => {
      const model = inspected([refused]);
      const cpu = { engine: "onnx", board: { model: "cpu", kind: "cpu" } };
      expect(targetFor(draft, model, choicesFor(model))).toEqual(cpu);
    });

    it("firmware brings its board along, a simulated one where it can", () => {
      const firmware = {
        kind: "archive",
        boardModel: "icebreaker",
        boardKinds: ["simulated", "physical"],
      } as const;
      const model = {
        ...inspected([refused]),
        firmware: { ...firmware, boardKinds: [...firmware.boardKinds] },
      };
      const board = { model: "icebreaker", kind: "simulated" };
      expect(targetFor(draft, model, choicesFor(model))).toEqual({ engine: "onnx", board });
    });

    it("they stay where they can, or where nothing takes the model", () => {
      const fine = inspected([]);
      const none = inspected([refused, { id: "onnx", ok: false }]);
      const { engine, board } = draft;
      for (const model of [fine, none])
        expect(targetFor(draft, model, choicesFor(model))).toEqual({ engine, board });
      const settled = { ...draft, settled: true };
      const other = inspected([refused]);
      expect(targetFor(settled, other, choicesFor(other))).toEqual({ engine, board });
    });
  });
});
