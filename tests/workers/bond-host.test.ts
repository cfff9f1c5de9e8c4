import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { getEngine, type HostStep, type Plan, readModel } from "@/engines";
import { objectStore } from "@/lib/server/storage";
import { networkFile } from "@/tests/support/bond/network-file";
import {
  allSteps,
  type Habit,
  type OriginalBuildHost,
  said,
  startOriginalBuildHost,
  triple,
} from "@/tests/support/bond/original-build-host";
import { repliesOf } from "@/tests/support/bond/transcript";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { makeWorkFolder } from "@/workers/builds/attempt/work-folder";
import { BondHost } from "@/workers/builds/hosts";
import type { AttemptContext } from "@/workers/builds/stages/attempt-context";
import { runCommonSteps } from "@/workers/builds/stages/run-steps";
import { chooseSandbox, createStepCache, createToolchain } from "@/workers/builds/tools";
import { bundleFolder } from "./folders";

// What a build worker makes of all that a build server of the original system may say. The server is a stand-in: its words of
// a build that goes well, and of one that is refused, are the recorded bytes of the original.

const engine = getEngine("bond-host");
const network = networkFile(4, 2);
const base = planRequest("iris-mlp", "zedboard");
const request = {
  ...base,
  card: null,
  boardKind: "physical" as const,
  model: readModel(network, base.sha256(network)),
  sourceName: "banknote",
};
const plan = engine.plan(request);
const hostStep = plan.steps.find((step): step is HostStep => step.kind === "host");
const name = hostStep?.firmware.bit.replace(/\.bit$/, "") ?? "";

let home: string;
let host: OriginalBuildHost;
let lines: { stage: string; text: string }[];
let stages: string[];

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundleFolder();
}, 180_000);
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "bw-bond-host-"));
  process.env["STORAGE_DIR"] ??= join(home, "objects");
  host = await startOriginalBuildHost({ "/fpga-firmware/banknote.json": network });
  lines = [];
  stages = [];
});
afterEach(async () => {
  await host.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a plan's steps in an empty folder; gives that folder. */
async function make(what: Plan = plan, { signal = AbortSignal.timeout(60_000), limitS = 60 } = {}) {
  const work = await makeWorkFolder(home, {
    buildId: "00000000-0000-7000-8000-000000000001",
    epoch: stages.length,
  });
  let current: string | null = null;
  const track = {
    get current() {
      return current;
    },
    enter(stage: string) {
      current = stage;
      if (stages.at(-1) !== stage) stages.push(stage);
    },
    leave() {},
    breakOff() {},
    skip() {},
    fork: () => track,
  };
  const context = {
    ...{ buildId: "bld_1", epoch: 1, projectId: "", proofMs: 0, secrets: [], work, signal },
    storePatienceMs: 0,
    stages: track,
    log: {
      write: (line: { stage: string; text: string }) => void lines.push(line),
      room: async () => {},
      spanOf: () => null,
    },
  } as unknown as AttemptContext;
  const steps = what.steps.map((step) => ({ ...step, timeoutS: Math.min(step.timeoutS, limitS) }));
  await runCommonSteps(context, {
    ...{ plan: { ...what, steps }, engine, checks: false, toolVersions: {} },
    sandbox: await chooseSandbox("auto"),
    toolchain: createToolchain({ native: new Set(), toolsDir: home }),
    cache: createStepCache(join(home, "steps"), 2 ** 20),
    host: new BondHost(host, {
      storage: objectStore(),
      settings: {
        policy: { allowedHosts: [new URL(host.storeUrl).host] },
        connections: [],
        credentials: {},
        ca: undefined,
        resolve: async () => ["127.0.0.1"],
        pace: { bytesPerWindow: 1, windowMs: 60_000 },
        firstWaitMs: 20,
      },
    }),
  });
  return work.path;
}

describe("a build server of the original system", () => {
  it("is asked in its own words, and heard stage by stage", async () => {
    const folder = await make();
    const [asked] = host.asked;
    expect(asked).toMatchObject({
      ...{ hlsToolkit: "bondmachine", targetBoard: "zedboard", arch: "zynq", flavor: "axist" },
      ...{ projectType: "neuralnetwork", nInputs: 4, nOutputs: 2 },
      sourceNeuralNetwork: "banknote.json",
      uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      projectName: expect.stringMatching(/^[a-p]{8}$/),
    });
    expect(stages).toEqual(["synthesise", "place", "pack"]);
    const texts = lines.map(({ stage, text }) => `${stage}: ${text}`);
    expect(texts).toContain("synthesise: Request accepted");
    expect(texts).toContain("place: Before exec command: make design_implementation");
    expect(texts).toContain("pack: command executed successfully: make design_bitstream");
    for (const { path } of plan.products) expect(existsSync(join(folder, path))).toBe(true);
    expect(plan.products.map(({ role }) => role)).toEqual([
      "bitstream",
      "hardware-handoff",
      "metadata",
    ]);
    expect(readdirSync(folder)).not.toContain("network-of-the-host");
  });

  it("is not asked again for what an earlier attempt had it make", async () => {
    await make();
    await make();
    expect(host.asked).toHaveLength(1);
    expect(lines.map(({ text }) => text)).toContainEqual(expect.stringMatching(/was made before/));
  });

  it("is given counts that hls4ml's metadata lacks, and no others", async () => {
    const json = Buffer.from('{"board": "zedboard", "arch": "zynq", "predictor": "hls4ml"}');
    host.behave({ leaves: (asked) => triple(asked, { json }) });
    const folder = await make();
    expect(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))).toMatchObject({
      ...{ predictor: "hls4ml", n_inputs: 4, n_outputs: 2 },
    });
  });

  it("may speak in colours, as every tool may", async () => {
    host.behave({
      says: (asked) => [said("\u001b[32m * all is well * \u001b[0m"), ...allSteps(asked)],
    });
    await make();
    expect(lines.map(({ text }) => text)).toContainEqual(
      expect.stringContaining("* all is well *"),
    );
  });

  const metadata = (change: object) =>
    Buffer.from(
      JSON.stringify({
        ...{ board: "zedboard", n_inputs: 4, n_outputs: 2, predictor: "bondmachine" },
        ...change,
      }),
    );
  it.each<[string, Habit, string, RegExp]>([
    [
      "refuses, as it was recorded",
      { says: () => repliesOf("build: unknown toolkit") },
      "TOOL_FAILED",
      /failed: hls toolkit not handled/,
    ],
    ["says nothing", { says: () => [] }, "UPSTREAM_MISMATCH", /without a word/],
    [
      "ends in the middle",
      { says: (asked) => allSteps(asked).slice(0, 4) },
      "UPSTREAM_MISMATCH",
      /ended with Before exec command: make hdl/,
    ],
    [
      "breaks off in the middle",
      { says: (asked) => allSteps(asked).slice(0, 4), afterwards: "break off" },
      "LINK_FAILED",
      /./,
    ],
    [
      "names another firmware",
      { says: () => [said("../../etc/passwd_firmware")] },
      "UPSTREAM_MISMATCH",
      /which is not the firmware/,
    ],
    [
      "talks without an end",
      { says: () => Array.from({ length: 20_000 }, () => said("x")) },
      "UPSTREAM_MISMATCH",
      /more than it was asked/,
    ],
    ["says a megabyte", { says: () => [said("x".repeat(2 ** 20))] }, "BODY_TOO_LARGE", /./],
    [
      "speaks of other things",
      { says: () => [Buffer.from("0a0568656c6c6f1001", "hex")] },
      "UPSTREAM_MISMATCH",
      /another type/,
    ],
    ["leaves nothing", { leaves: () => ({}) }, "UPSTREAM_MISMATCH", /no such files/],
    [
      "leaves a page for a bitstream",
      { leaves: (asked) => triple(asked, { bit: Buffer.from("<!doctype html><p>404") }) },
      "FIRMWARE_INVALID",
      /no Xilinx bitstream/,
    ],
    [
      "leaves half a bitstream",
      {
        leaves: (asked) => {
          const [bit = Buffer.alloc(0)] = Object.values(triple(asked));
          return triple(asked, { bit: bit.subarray(0, bit.length / 2) });
        },
      },
      "FIRMWARE_TRUNCATED",
      /./,
    ],
    [
      "makes one for another board",
      { leaves: (asked) => triple(asked, { json: metadata({ board: "ebaz4205" }) }) },
      "FIRMWARE_MISMATCH",
      /names the board ebaz4205/,
    ],
    [
      "makes one of another network",
      { leaves: (asked) => triple(asked, { json: metadata({ n_inputs: 5 }) }) },
      "FIRMWARE_MISMATCH",
      /5 inputs and 2 outputs; the network has 4 and 2/,
    ],
    [
      "leaves metadata that is none",
      { leaves: (asked) => triple(asked, { json: Buffer.from("null") }) },
      "FIRMWARE_METADATA_INVALID",
      /./,
    ],
  ])("that %s ends the build", async (_, habit, reason, message) => {
    host.behave(habit);
    await expect(make()).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(message),
    });
  });

  it("that is silent ends the build when its time is over", async () => {
    host.behave({ says: () => [], afterwards: "stay" });
    await expect(make(plan, { limitS: 1 })).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  });

  it("is left when the build is", async () => {
    host.behave({ says: () => [said("Request accepted")], afterwards: "stay" });
    const leaving = new AbortController();
    const ended = make(plan, { signal: leaving.signal });
    await expect.poll(() => lines.some(({ text }) => text === "Request accepted")).toBe(true);
    leaving.abort();
    await expect(ended).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  it("is not asked for a network that its store has not, or has otherwise", async () => {
    host.files["/fpga-firmware/banknote.json"] = networkFile(4, 3);
    await expect(make()).rejects.toMatchObject({ reason: "UPSTREAM_MISMATCH" });
    delete host.files["/fpga-firmware/banknote.json"];
    await expect(make()).rejects.toMatchObject({
      reason: "SOURCE_NOT_FOUND",
      message: expect.stringContaining("fpga-firmware/banknote.json"),
    });
    expect(host.asked).toEqual([]);
  });
});

describe("a plan for a build server", () => {
  it("asks the same again, and otherwise for another network, board or flavour", () => {
    const uuidOf = (change: object) =>
      engine
        .plan({ ...request, ...change })
        .steps.map((step) => step.kind === "host" && step.asked.uuid)[0];
    const other = networkFile(4, 3);
    const uuids = [
      uuidOf({}),
      uuidOf({ options: { flavor: "aximm" } }),
      uuidOf({ board: getBoardModel("ebaz4205") }),
      uuidOf({ model: readModel(other, base.sha256(other)) }),
    ];
    expect(uuidOf({})).toBe(uuids[0]);
    expect(new Set(uuids).size).toBe(4);
  });

  it.each(["x;reboot", "$(id)", "a b", "..", "-rf", "a/b", ""])(
    "never puts the name %j into a command",
    (sourceName) => {
      expect(() => engine.plan({ ...request, sourceName })).toThrow(
        expect.objectContaining({ reason: "SOURCE_NOT_ALLOWED" }),
      );
    },
  );

  it("is for real boards of AMD's that the toolkit knows", () => {
    const reasonOf = (change: object) => {
      try {
        engine.plan({ ...request, ...change });
        return "planned";
      } catch (error) {
        return (error as { reason: string }).reason;
      }
    };
    expect(reasonOf({ boardKind: "simulated" })).toBe("COMBINATION_UNSUPPORTED");
    expect(reasonOf({ board: getBoardModel("icebreaker") })).toBe("COMBINATION_UNSUPPORTED");
    expect(reasonOf({ board: getBoardModel("alveo-u50") })).toBe("COMBINATION_UNSUPPORTED");
    expect(reasonOf({ board: getBoardModel("ebaz4205") })).toBe("planned");
  });
});
