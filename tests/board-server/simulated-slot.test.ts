import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { coreModel } from "@/board-server/devices/core-model";
import type { LoadedModel } from "@/board-server/devices/device";
import { loadSimulated } from "@/board-server/devices/simulated";
import type { Tensor } from "@/lib/common/tensor";
import { bundle } from "@/scripts/bundle.mjs";
import { compileNetlist } from "@/simulator/compile";
import { trialCoreVerilog } from "@/tests/hardware/support/trial-core";
import { netlistOf } from "@/tests/simulator/support/tools";
import { askSlot } from "@/tests/support/ask-slot";
import { hangs, type TestArtifact, trialArtifact, trialCore } from "./support/artifacts";

// A simulated board answers calls of its slot itself, on a socket of the thread that simulates.

const folder = mkdtempSync(join(tmpdir(), "bw-ss-"));
const place = { slotId: "slt_1", slotEpoch: 1, revisionId: "rev_1" };
const loaded: LoadedModel[] = [];
let trial: TestArtifact;
let sound: string;
let hung: string;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  trial = await trialArtifact("core");
  sound = fileOf("sound", trial.files.get(trial.manifest.files[0]?.digest ?? ""));
  const netlist = await netlistOf({ "core.v": hangs(trialCoreVerilog(trialCore)) });
  hung = fileOf("hung", compileNetlist(netlist, { top: "core" }).wasm);
}, 120_000);
afterEach(async () => {
  await Promise.all(loaded.splice(0).map((model) => model.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Uint8Array | undefined): string {
  const path = join(folder, `${name}.wasm`);
  writeFileSync(path, bytes ?? new Uint8Array());
  return path;
}

async function load(path: string) {
  const device = await loadSimulated(trial.manifest, path, { corruptEvery: null }, place);
  const model = coreModel(trial.manifest, device);
  loaded.push(model);
  return { model, socket: model.direct?.() ?? "" };
}

const rows = (...data: number[]): Tensor[] => [
  { name: "x", datatype: "FP32", shape: [data.length / 5, 5], data: Float32Array.from(data) },
];

describe("a simulated board", () => {
  it("answers on a socket of its own what it answers its board server", async () => {
    const { model, socket } = await load(sound);
    const inputs = rows(1, 2, 3, 4, 5, -1, 0, 0, 200, 0.4);
    const asked = await model.infer(inputs);
    const { answer, outputs } = await askSlot(socket, inputs);
    expect(outputs.map(({ data }) => [...data])).toEqual(
      asked.outputs.map(({ data }) => [...data]),
    );
    expect(answer).toMatchObject({ revisionId: "rev_1", clipped: [0, 1] });
    const { cycles } = asked.timing;
    expect(answer?.timing).toMatchObject({ cycles, clockHz: 1_000_000, simulated: true });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
  });

  it("answers there for its own revision and epoch alone, and for rows that fit (R8)", async () => {
    const { socket } = await load(sound);
    const inputs = rows(1, 2, 3, 4, 5);
    const reasonOf = async (call: object, asked = inputs) =>
      (await askSlot(socket, asked, call)).error?.reason;
    expect(await reasonOf({ revisionId: "rev_2" })).toBe("REVISION_MISMATCH");
    expect(await reasonOf({ slotEpoch: 2 })).toBe("SLOT_EPOCH_STALE");
    expect(await reasonOf({}, rows(1, 2))).toBe("INFER_INVALID");
    expect(await reasonOf({})).toBeUndefined();
  });

  it("takes its socket with it", async () => {
    const { model, socket } = await load(sound);
    await model.close();
    expect(() => statSync(socket)).toThrow(/ENOENT/);
    expect((await askSlot(socket, rows(1, 2, 3, 4, 5))).status).toBe(0);
  });

  it("whose design never answers says so, and holds up no other board", async () => {
    const { socket } = await load(hung);
    const other = await load(sound);
    let isOver = false;
    const stuck = askSlot(socket, rows(1, 2, 3, 4, 5)).finally(() => {
      isOver = true;
    });
    expect((await askSlot(other.socket, rows(1, 2, 3, 4, 5))).status).toBe(200);
    expect(isOver).toBe(false);
    expect((await stuck).error?.reason).toBe("LINK_FAILED");
  });
});
