import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine, type Plan } from "@/engines";
import {
  installFakes,
  installReplay,
  type RecordedCall,
} from "@/tests/support/bondmachine/install-fakes";
import { loadRecording, recordedGraph } from "@/tests/support/bondmachine/recordings";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { makeWorkFolder } from "@/workers/builds/attempt/work-folder";
import type { AttemptContext } from "@/workers/builds/stages/attempt-context";
import { runCommonSteps } from "@/workers/builds/stages/run-steps";
import {
  chooseSandbox,
  createStepCache,
  createToolchain,
  type Sandbox,
} from "@/workers/builds/tools";
import { bundleFolder } from "./folders";

// The recorded mistakes that a build could meet, replayed to the steps of the build worker: whatever status the tools end
// with, the build must end here, and say why.
const recorded: Readonly<Record<string, readonly RecordedCall[]>> = JSON.parse(
  readFileSync("tests/fixtures/bondmachine/mistakes.json", "utf8"),
);
const engine = getEngine("bondmachine");

function planOf(net: string): Plan {
  const base = planRequest("iris-mlp", "ulx3s-25f");
  const model = { ...base.model, graph: recordedGraph(net) };
  const { type } = loadRecording(net);
  const plan = engine.plan({ ...base, model, card: null, options: { dataType: type } });
  // Up to the text of the core; what comes after it is every core's.
  return { ...plan, steps: plan.steps.filter(({ stage }) => stage === "synthesise") };
}

const basmNet = planOf("1-1-fps16f8");
const bondmachineNet = planOf("2-2-1-relu-fps16f8");
let home: string;
let sandbox: Sandbox;
let builds = 0;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundleFolder();
  home = mkdtempSync(join(tmpdir(), "bw-mistakes-"));
  sandbox = await chooseSandbox("auto");
}, 180_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the steps that make a machine in an empty folder, in which something may lie already; gives the core's text. */
async function make(plan: Plan, tools: string, before: Readonly<Record<string, string>> = {}) {
  builds += 1;
  const buildId = `00000000-0000-7000-8000-${String(builds).padStart(12, "0")}`;
  const work = await makeWorkFolder(home, { buildId, epoch: 1 });
  for (const [name, text] of Object.entries(before)) await work.write(name, text);
  const stages = {
    current: null,
    enter() {},
    leave() {},
    breakOff() {},
    skip() {},
    tryClock() {},
    judgeClock() {},
    endTry() {},
    fork: () => stages,
  };
  const context: AttemptContext = {
    ...{ buildId, epoch: 1, projectId: "", proofMs: 0, secrets: [], work, stages },
    storePatienceMs: 0,
    signal: AbortSignal.timeout(60_000),
    log: {
      write() {},
      room: async () => {},
      spanOf: () => null,
    } as unknown as AttemptContext["log"],
  };
  try {
    await runCommonSteps(context, {
      ...{ plan, engine, sandbox, checks: false, toolVersions: {} },
      toolchain: createToolchain({
        native: new Set(),
        toolsDir: "/nonexistent",
        suites: { bondmachine: tools },
      }),
      cache: createStepCache(join(home, "steps"), 0),
    });
    return { work, core: readFileSync(join(work.path, "core.v"), "utf8") };
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}

const alert = (text: RegExp) => ({ reason: "TOOL_FAILED", message: text });
const panic = (text: string) => ({
  reason: "TOOL_FAILED",
  message: new RegExp(`bondmachine failed at the .*: panic: ${text}`),
});
const broken = (text: RegExp) => ({ reason: "OUTPUT_INVALID", message: text });
const missing = (text: RegExp) => ({ reason: "OUTPUT_MISSING", message: text });
const noMatch = alert(/basm failed at the assembly: .*\[no operator match\]/);
const noFile = missing(/bm\.json was promised but is not there/);
const loose = broken(/nothing feeds 1 of its ports/);
const madeUp = broken(/no processors, so the tool made it up/);

const expected: Readonly<Record<string, { readonly reason: string; readonly message: RegExp }>> = {
  "basm-binary-file": alert(/\[Alert\].*Error while parsing/),
  "basm-empty-file": alert(/\[Alert\].*Error in creating/),
  "basm-no-register-size": alert(/\[Alert\].*Error in creating/),
  "basm-no-entry": alert(/\[Alert\].*entry point not spec/),
  "basm-jump-to-unknown-label": alert(/\[Alert\].*Error in creating/),
  "basm-processor-without-section": alert(/\[Alert\].*ROM code section/),
  "basm-missing-input-file": alert(/\[Alert\].*no such file/),
  "basm-no-input-file": noFile,
  "basm-unknown-instruction": noMatch,
  "basm-undeclared-type-in-literal": noMatch,
  "basm-undeclared-type-in-operation": noMatch,
  "basm-old-output-survives-a-failure": noMatch,
  "basm-output-folder-missing": noFile,
  "basm-folder-not-writable": noFile,
  "basm-link-with-one-end": loose,
  "basm-link-to-missing-processor": loose,
  "basm-link-to-port-the-program-does-not-use": loose,
  "basm-machine-input-index-gap": broken(/the machine has 3 inputs, not 1/),
  "basm-type-wider-than-registers": broken(/registers of 8 bits, not 16/),
  "basm-float32-in-16-bit-registers": broken(
    /words of the program of processor 0 differ in length/,
  ),
  "basm-only-register-size": madeUp,
  "basm-section-without-processor": madeUp,
  "bondmachine-missing-json-list": madeUp,
  "bondmachine-missing-json-verilog": madeUp,
  "bondmachine-json-empty-object": madeUp,
  "bondmachine-json-empty-list": panic("json: cannot unmarshal array"),
  "bondmachine-empty-json-file": panic("unexpected end of JSON input"),
  "bondmachine-corrupted-json-cut-short": panic("unexpected end of JSON input"),
  "bondmachine-corrupted-json-other-text": panic("invalid character"),
  "bondmachine-json-unknown-opcode": panic("runtime error"),
  "bondmachine-json-link-out-of-range": panic("runtime error: index out of range"),
  "bondmachine-corrupted-map-file": panic("unexpected end of JSON input"),
  "bondmachine-missing-map-file": panic("open none.json: no such file"),
  "bondmachine-missing-requirements-file": panic("open none.json: no such file"),
  "bondmachine-corrupted-requirements-file": panic("unexpected end of JSON input"),
  "bondmachine-no-flavor": panic("runtime error"),
  "bondmachine-optimizations-without-requirements": panic("runtime error"),
  "bondmachine-unknown-optimization": panic("Unknown hardware optimization"),
  "bondmachine-folder-not-writable": panic("open arch_0.v: permission denied"),
};

describe("a mistake of BondMachine's tools", () => {
  it("is expected of every recording but the good ones", () => {
    const good = ["basm-control-good", "bondmachine-unknown-flavor"];
    expect(Object.keys(recorded).sort()).toEqual([...Object.keys(expected), ...good].sort());
  });

  it.each(Object.entries(expected))("%s ends the build, and is named", async (name, error) => {
    const plan = name.startsWith("basm") ? basmNet : bondmachineNet;
    await expect(make(plan, installReplay(recorded[name] ?? []))).rejects.toMatchObject({
      reason: error.reason,
      message: expect.stringMatching(error.message),
    });
  });

  it("is not seen where there is none", async () => {
    const { core } = await make(basmNet, installReplay(recorded["basm-control-good"] ?? []));
    expect(core).toContain("module bondmachine(");
  });

  it("does not pass for success by what lay there before", async () => {
    const old = { "bm.json": "{}", "req.json": "{}", "inputs.txt": "0 i0\n" };
    const failing = installReplay(recorded["basm-old-output-survives-a-failure"] ?? []);
    await expect(make(basmNet, failing, old)).rejects.toMatchObject({ reason: "TOOL_FAILED" });
  });

  it("is not made of Verilog that an earlier run left, which the generator would keep", async () => {
    const { work, core } = await make(basmNet, installFakes());
    expect(existsSync(join(work.path, "hdl", "p0.v"))).toBe(true);
    expect(core).not.toContain("$display");
    expect(core).not.toMatch(/posedge\s+reset/);
    expect(core).toMatch(/_state = 0;/);
    expect(core).not.toContain("bondmachine_main");
  });

  it("is none where the tools are not here: the line that brings them is told", async () => {
    const none = mkdtempSync(join(tmpdir(), "bw-none-"));
    await expect(make(basmNet, none)).rejects.toMatchObject({
      reason: "TOOL_MISSING",
      hint: expect.stringContaining("npm run setup -- bondmachine"),
    });
  });

  describe("of neuralbond", () => {
    const base = planRequest("iris-mlp", "ulx3s-25f");
    const model = { ...base.model, graph: recordedGraph("2-2-1-relu-fps16f8") };
    const options = { dataType: "fps32f16", flow: "neuralbond" };
    const plan = engine.plan({ ...base, model, card: null, options });
    const net = { ...plan, steps: plan.steps.filter(({ stage }) => stage === "synthesise") };
    /** The stand-in with another beginning, or none of it. */
    const toolsWith = (change: (text: string) => string) => {
      const tools = installFakes();
      const path = join(tools, "neuralbond");
      writeFileSync(path, change(readFileSync(path, "utf8")));
      return tools;
    };

    it("is none where it does what it should", async () => {
      const { core } = await make(net, installFakes());
      expect(core).toContain("module bondmachine");
    });

    it.each([
      {
        what: "it writes nothing and ends with status 0",
        change: () => "#!/bin/sh\nexit 0\n",
        problem: missing(/net\.basm was promised but is not there/),
      },
      {
        what: "it leaves out a node without a word",
        change: (text: string) =>
          text.replace("for (const node of Nodes) {", "for (const node of Nodes.slice(1)) {"),
        problem: broken(/the machine has \d+ (?:processors|inputs), not \d+/),
      },
      {
        what: "it panics",
        change: () => "#!/bin/sh\necho 'panic: open neurons: no such file' >&2\nexit 2\n",
        problem: { reason: "TOOL_FAILED", message: /neuralbond failed at the .*: panic: open/ },
      },
    ])("ends the build where $what", async ({ change, problem }) => {
      await expect(make(net, toolsWith(change))).rejects.toMatchObject({
        reason: problem.reason,
        message: expect.stringMatching(problem.message),
      });
    });
  });
});
