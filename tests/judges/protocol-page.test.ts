import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCpu } from "@/board-server/devices/cpu";
import { startTensorServer, type TensorServer } from "@/board-server/serving/tensor-server";
import { Slot } from "@/board-server/slots/slot";
import { type Gateway, startGateway } from "@/gateway/gateway";
import type { Datatype } from "@/lib/common/tensor";
import { bundle } from "@/scripts/bundle.mjs";
import { irisArtifact, loadOf, makeSigner } from "@/tests/board-server/support/artifacts";

// Every snippet of the page runs as it stands, against the model that it names.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "bw-docs-"));
let slot: Slot;
let tensors: TensorServer;
let gateway: Gateway;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  const artifact = irisArtifact();
  const { io, maxBatchSize, platform } = artifact.manifest;
  const command = { ...loadOf(artifact, makeSigner()), revisionId: "rev_1" };
  const empty = { revisionId: null, artifactDigest: null, commandId: null, problem: null };
  slot = new Slot({ slotId: "slt_1", slotEpoch: 1, state: "empty", ...empty }, command);
  slot.serve(await loadCpu(artifact.manifest, "public/samples/iris-mlp/model.onnx"));
  const slots = {
    accept: async () => {},
    reports: () => [],
    taskReports: () => [],
    forgetTasks: () => {},
    callReports: () => [],
    forgetCalls: () => {},
    lineReports: () => [],
    forgetLines: () => {},
    find: () => slot,
    close: async () => {},
  };
  tensors = await startTensorServer(() => slots, { kind: "unix", path: join(folder, "s") });
  const spec = ({ name, datatype, shape }: (typeof io.inputs)[number]) => ({
    name,
    datatype: datatype as Datatype,
    shape,
  });
  const revision = {
    id: "rev_1",
    version: "1",
    platform,
    inputs: io.inputs.map(spec),
    outputs: io.outputs.map((output) => spec(output as never)),
    maxBatchSize,
    properties: {},
    labels: { probabilities: ["setosa", "versicolor", "virginica"] },
    replicas: [{ slotId: "slt_1", slotEpoch: 1, address: tensors.address }],
  };
  const split = [{ revisionId: "rev_1", percent: 100 }];
  const endpoint = { name: "iris-mlp", state: "ready", reason: null, split, revisions: [revision] };
  gateway = await startGateway({
    load: async () => ({ endpoints: [endpoint as never] }),
    listen: () => ({ close: async () => {} }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
  });
}, 120_000);
afterAll(async () => {
  await gateway.close();
  await tensors.close();
  await slot.empty();
  rmSync(folder, { recursive: true, force: true });
});

const snippets = [
  ...readFileSync("docs/protocol.md", "utf8").matchAll(/```(sh|python|ts)\n([\s\S]*?)```/g),
].map(([, language = "", text = ""], index) => ({ language, text, index }));

const commands: Readonly<Record<string, (path: string) => [string, string[]]>> = {
  sh: (path) => ["bash", [path]],
  python: (path) => [process.env["TRITON_PYTHON"] ?? "", [path]],
  ts: (path) => [process.execPath, ["--import", "tsx", path]],
};

describe("the protocol's page", () => {
  it("has snippets in three languages", () => {
    expect(new Set(snippets.map(({ language }) => language))).toEqual(
      new Set(["sh", "python", "ts"]),
    );
  });

  it.each(snippets)("runs snippet $index, in $language", async ({ language, text, index }) => {
    const path = join(folder, `snippet-${index}.${language === "ts" ? "mts" : language}`);
    const here = text
      .replaceAll("localhost:8000", `localhost:${gateway.httpPort}`)
      .replaceAll("localhost:8001", `localhost:${gateway.grpcPort}`);
    writeFileSync(path, here);
    const [command, args] = commands[language]?.(path) ?? ["", []];
    if (command === "") throw new Error("TRITON_PYTHON is not set: run the tests with `npm test`.");
    const { stdout } = await run(command, args);
    // The flower is a setosa: its probability stands first, near one.
    if (text.includes("classification")) {
      expect(stdout).toMatch(/0\.99\d+:0:setosa/);
      expect(stdout.toLowerCase()).toContain("x-bw-timing");
    } else expect(stdout).toMatch(/\[\s*\[?\[?\s*(0\.99|9\.9\d+e-01)/);
  });
});
