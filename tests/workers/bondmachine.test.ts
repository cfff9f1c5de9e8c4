import { resolve } from "node:path";
import {
  CreateBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { create, toBinary } from "@bufbuild/protobuf";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import type { NewEndpoint } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { GrpcClient } from "@/lib/server/grpc";
import { buckets, S3Store } from "@/lib/server/storage";
import {
  BuildFirmwareRequestSchema,
  type BuildRequest,
  bondPaths,
  type Outcome,
  readBuildRequest,
  readOutcome,
} from "@/proto/bond";
import { startBuildServer } from "@/workers/builds/bond-server/build-server";
import { createToolchain } from "@/workers/builds/tools";
import { recorded } from "../support/bond/transcript";
import { bondmachineTools } from "../support/bondmachine/install-fakes";
import { loadNeuralbond } from "../support/bondmachine/recordings";
import { scope } from "../support/domain";
import { startS3, type TestS3 } from "../support/versitygw";
import { firmware } from "./firmware";
import { toolsFolder } from "./folders";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

// A build from the legacy network file to a signed bitstream, through the real worker; where BondMachine's two
// tools are not, they are stand-ins of ours.
const node = (Layer: number, Pos: number, Type: string, Bias = 0) => ({ Layer, Pos, Type, Bias });
const edge = (Layer: number, to: number, from: number, Value: number) => ({
  Layer,
  PosCurrLayer: to,
  PosPrevLayer: from,
  Value,
});
const network = {
  Nodes: [
    node(0, 0, "input"),
    node(0, 1, "input"),
    node(1, 0, "relu", 0.5),
    node(1, 1, "relu", -0.25),
    node(2, 0, "summation", 0.125),
    node(2, 1, "summation", -0.0625),
    node(3, 0, "softmax"),
    node(3, 1, "softmax"),
    node(4, 0, "output"),
    node(4, 1, "output"),
  ],
  Weights: [
    edge(1, 0, 0, 1.25),
    edge(1, 0, 1, -0.75),
    edge(1, 1, 0, -0.5),
    edge(1, 1, 1, 1.5),
    edge(2, 0, 0, 1),
    edge(2, 0, 1, -1),
    edge(2, 1, 0, -1.125),
    edge(2, 1, 1, 0.875),
    ...[0, 1].flatMap((to) => [0, 1].map((from) => edge(3, to, from, 1))),
    edge(4, 0, 0, 1),
    edge(4, 1, 1, 1),
  ],
};

let stack: WorkerStack;
/** The store of the original system. */
let shared: TestS3;
const tools = bondmachineTools();

beforeAll(async () => {
  shared = await startS3();
  process.env["BOND_BUILD_STORE"] = shared.options.endpoint;
  await shareNetwork();
  stack = await startWorkerStack();
  const linear = network.Nodes.map((each) => ({
    ...each,
    Type: each.Type.replace("relu", "linear"),
  }));
  for (const [name, content] of [
    ["modelBM", network],
    ["linear", { ...network, Nodes: linear }],
    ["recorded", JSON.parse(loadNeuralbond("2-2-softmax-float32").network)],
  ] as const) {
    const bytes = Buffer.from(JSON.stringify(content));
    await stack.store.put(buckets.samples, `machine/${name}.json`, bytes, {
      sizeBytes: bytes.length,
    });
  }
});
afterAll(async () => {
  await stack.stop();
  await shared.stop();
  delete process.env["BOND_BUILD_STORE"];
  tools.remove();
});

/** Puts the network where anybody may read it, as in the original's store. */
async function shareNetwork(): Promise<void> {
  const { endpoint, region, accessKey, secretKey } = shared.options;
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const Bucket = "fpga-firmware";
  await client.send(new CreateBucketCommand({ Bucket }));
  const allowed = { Effect: "Allow", Principal: "*", Action: "s3:GetObject" };
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ ...allowed, Resource: `arn:aws:s3:::${Bucket}/*` }],
  });
  await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  const Body = Buffer.from(JSON.stringify(network));
  await client.send(new PutObjectCommand({ Bucket, Key: "banknote.json", Body }));
  client.destroy();
}

const wholeRequest = readBuildRequest(
  Buffer.from(recorded("build: all steps pass").requestHex, "hex"),
);

/** Asks for a build as the original's board server does, and hears all of its answer. */
async function askForBuild(port: number, asked: BuildRequest): Promise<Outcome[]> {
  const client = new GrpcClient(`127.0.0.1:${port}`);
  const heard: Outcome[] = [];
  await client.stream({
    path: bondPaths.buildFirmware,
    message: toBinary(BuildFirmwareRequestSchema, create(BuildFirmwareRequestSchema, asked)),
    ...{ timeoutMs: 300_000, maxBytes: 65_536, maxMessages: 100 },
    onMessage: (bytes) => heard.push(readOutcome(bytes)),
  });
  client.close();
  return heard;
}

const machine = (name: string): NewEndpoint => ({
  ...firmware(name),
  engine: "fpga-model",
  model: { url: "s3://boardwalk-samples/machine/modelBM.json" },
});

/** A build worker that has the stand-ins of BondMachine's tools, and `vendor` ones where some are given. */
const startMachineBuilder = (given: Pick<Parameters<typeof createToolchain>[0], "vendor"> = {}) =>
  stack.startBuilder({
    toolchain: createToolchain({
      native: new Set(),
      toolsDir: toolsFolder,
      suites: { bondmachine: tools.folder },
      ...given,
    }),
  });

describe("a build of a BondMachine", { timeout: 900_000 }, () => {
  it("ends with the line that brings the tools where they are not", async () => {
    const worker = stack.startBuilder();
    try {
      const build = await stack.ended(await stack.deploy(machine("no-tools")));
      expect(build.problem).toMatchObject({
        reason: "TOOL_MISSING",
        hint: expect.stringContaining("npm run setup -- bondmachine"),
      });
    } finally {
      await worker.close();
    }
  });

  it("is proven bit by bit at each level, and reports the cycles that it took", async () => {
    const worker = startMachineBuilder();
    try {
      const build = await stack.ended(await stack.deploy(machine("machine")));
      expect(build.problem).toBeNull();
      expect(build.state).toBe("succeeded");
      const { proof, latencyCycles = 0, notes = [] } = build.report ?? {};
      expect(proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(proof?.mismatches).toBe(0);
      expect(proof?.agreement).toBeGreaterThan(0.98);
      expect(notes.join(" ")).toContain("4 connecting processors");
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.engine).toBe("bondmachine");
      expect(Object.keys(manifest.tools)).toEqual(expect.arrayContaining(["basm", "bondmachine"]));
      expect(manifest.core).toMatchObject({ inputBytes: 4, outputBytes: 4, latencyVaries: true });
      expect(latencyCycles).toBeGreaterThan(0);
      expect(latencyCycles).toBeLessThan(manifest.core?.latencyCycles ?? 0);
      expect(manifest.files.map(({ role }) => role)).toContain("bitstream");
    } finally {
      await worker.close();
    }
  });

  it("is made for clients of the original's build servers, too, and lies in their store then", async () => {
    const worker = startMachineBuilder();
    const server = await startBuildServer({
      ...{ host: "127.0.0.1", port: 0, storeUrl: shared.options.endpoint },
      store: new S3Store(shared.options),
    });
    try {
      const asked = { ...wholeRequest, targetBoard: "icebreaker" };
      const heard = await askForBuild(server.port, asked);
      const firmwareName = `${asked.uuid}_firmware`;
      expect(heard).toEqual([
        { success: true, text: "Request accepted" },
        ...["make bondmachine", "make hdl"].flatMap((command) => [
          { success: true, text: `Before exec command: ${command}` },
          { success: true, text: `command executed successfully: ${command}` },
        ]),
        { success: true, text: firmwareName },
      ]);
      const store = new S3Store(shared.options);
      const { stream } = await store.get("fpga-models", `${firmwareName}.json`);
      expect(JSON.parse(Buffer.concat(await stream.toArray()).toString())).toEqual({
        ...{ board: "icebreaker", arch: "zynq", predictor: "bondmachine", flavor: "axist" },
        ...{ benchcore: false, n_inputs: 2, n_outputs: 2 },
      });
      expect((await store.head("fpga-models", `${firmwareName}.bit`))?.sizeBytes).toBeGreaterThan(
        9,
      );
      // What goes wrong is said once, and nothing lies in the store.
      for (const [change, words] of [
        [{ targetBoard: "zedboard" }, /needs Vivado/],
        [{ sourceNeuralNetwork: "nothing.json" }, /nothing\.json|404|no file/i],
        [{ hlsToolkit: "other" }, /^hls toolkit not handled$/],
      ] as const) {
        const other = { ...wholeRequest, ...change, uuid: `other-${Object.keys(change)}` };
        const said = await askForBuild(server.port, other);
        expect(said.filter(({ success }) => !success)).toEqual([said.at(-1)]);
        expect(said.at(-1)?.text).toMatch(words);
        expect(await store.head("fpga-models", `${other.uuid}_firmware.json`)).toBeNull();
      }
    } finally {
      await server.close();
      await worker.close();
    }
  });

  it.each([
    { vendor: {}, needs: "Vivado", why: "there is no Vivado" },
    {
      vendor: { vivado: resolve("tests/workers/fake-vivado.sh") },
      needs: undefined,
      why: "there is one",
    },
  ])("on a vendor's board is a proven project where $why", async ({ vendor, needs }) => {
    const worker = startMachineBuilder({ vendor });
    try {
      const build = await stack.ended(
        await stack.deploy({
          ...machine(`zynq-${needs ? "without" : "with"}`),
          board: { model: "zedboard", kind: "simulated" },
          options: { dataType: "fps16f12", clockHz: 100e6 },
        }),
      );
      expect(build.problem).toBeNull();
      expect(build.report?.bitstreamNeeds).toBe(needs);
      expect(build.report?.achievedMhz !== undefined).toBe(needs === undefined);
      const { proof } = build.report ?? {};
      expect(proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(proof?.mismatches).toBe(0);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.files.some(({ role }) => role === "bitstream")).toBe(needs === undefined);
      const project = manifest.files.find(({ role }) => role === "project");
      const { stream } = await stack.store.get(buckets.artifacts, hexOf(project?.digest ?? ""));
      const files = unzipSync(Buffer.concat(await stream.toArray()));
      const text = (name: string) => Buffer.from(files[name] ?? []).toString();
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(["axi.v", "core.v", "identity.v", "implement.tcl", "tables.v"]),
      );
      expect(text("core.v")).toMatch(/module core\b[\s\S]*module bondmachine\b/);
      expect(text("tables.v")).toContain(manifest.planDigest);
      expect(text("implement.tcl")).toContain("boardwalk_axi");
    } finally {
      await worker.close();
    }
  });

  // ReLU by neuralbond needs 32 bits. A processor for each weight of 32 bits makes multipliers hand factors on to others.
  it.each([
    { collapse: true, network: "modelBM", dataType: "fps32f16" },
    { collapse: false, network: "linear", dataType: "fps16f8" },
    { collapse: false, network: "modelBM", dataType: "fps32f16" },
  ])("by neuralbond is proven, too: $network, fused $collapse", async (asked) => {
    const { collapse, network: file, dataType } = asked;
    const worker = startMachineBuilder();
    try {
      const build = await stack.ended(
        await stack.deploy({
          ...machine(`by-neuralbond-${collapse}-${dataType}`),
          model: { url: `s3://boardwalk-samples/machine/${file}.json` },
          board: { model: "zedboard", kind: "simulated" },
          options: { flow: "neuralbond", collapse, dataType, clockHz: 100e6 },
        }),
      );
      expect(build.problem).toBeNull();
      expect(build.report?.proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(build.report?.proof?.mismatches).toBe(0);
      const processors = 2 + 4 + 2 * 2 + (collapse ? 0 : 8);
      expect(build.report?.notes?.join(" ")).toContain(`${processors} connecting processors`);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(Object.keys(manifest.tools)).toContain("neuralbond");
    } finally {
      await worker.close();
    }
  });

  it("answers probabilities of its own where softmax is in hardware, and reports how far off they are", async () => {
    const worker = startMachineBuilder();
    try {
      const build = await stack.ended(
        await stack.deploy({
          ...machine("softmax-in-hardware"),
          model: { url: "s3://boardwalk-samples/machine/recorded.json" },
          board: { model: "zedboard", kind: "simulated" },
          options: { flow: "neuralbond", softmax: "hardware", expprec: 2, clockHz: 100e6 },
        }),
      );
      expect(build.problem).toBeNull();
      const { proof, notes = [], machine: drawn } = build.report ?? {};
      expect(proof?.levels?.map(({ level }) => level)).toEqual(["rtl", "netlist"]);
      expect(proof?.mismatches).toBe(0);
      // Two terms do not hold the scores of all rows: what is lost is in the report, against the exact softmax.
      expect(proof?.maxAbsError).toBeGreaterThan(0.01);
      expect(notes.join(" ")).toMatch(/computes in float32\..*Softmax by 2 terms.*beyond that/);
      expect(drawn?.layers.filter(({ softmaxTerms }) => softmaxTerms === 2)).toHaveLength(1);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.io.outputs).toEqual([
        expect.objectContaining({ activation: "none", activated: "softmax", float: "FP32" }),
      ]);
    } finally {
      await worker.close();
    }
  });
});
