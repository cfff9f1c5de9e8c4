import { afterAll, beforeAll } from "vitest";
import {
  canonicalJson,
  type Manifest,
  type NewEndpoint,
  type Report,
  type Scope,
} from "@/lib/common/contract";
import { closeDatabase, database, uuidv7 } from "@/lib/server/db";
import { digestOfJson } from "@/lib/server/digest";
import { startPostgres, type TestPostgres } from "./postgres";

/** The project that the first migration makes. */
export const scope = "00000000-0000-7000-8000-000000000001" as Scope;

/** Points this file's tests at an empty database of their own, in which the first project may have any number of builds wait. */
export function openDatabase(): void {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
    process.env["DATABASE_URL"] = await postgres.newDatabase();
    await database().$executeRaw`INSERT INTO project_quota (project_id) VALUES (${scope}::uuid)`;
  });
  afterAll(async () => {
    await closeDatabase();
    await postgres?.stop();
  });
}

export const iris = (name: string): NewEndpoint => ({
  name,
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
});

const report: Report = {
  resources: [],
  proof: {
    vectors: 64,
    mismatches: 0,
    rows: 30,
    maxAbsError: 0.01,
    agreement: 1,
    source: "held-back rows",
  },
};

/** A finished product of a plan, as a worker would hand it over; `seed` tells plans apart. */
export function artifactOf(seed: string) {
  const planDigest = digestOfJson({ plan: seed });
  const manifest: Manifest = {
    schemaVersion: 1,
    kind: "firmware",
    engine: "boardwalk",
    boardModel: "icebreaker",
    part: "ice40up5k-sg48",
    planDigest,
    sourceDigest: digestOfJson("sources"),
    platform: "boardwalk_ice40",
    io: {
      inputs: [
        {
          name: "input",
          datatype: "FP32",
          shape: [-1, 4],
          size: 4,
          standardise: { mean: [5.843333, 3.057333, 3.758, 1.199333], deviation: [1, 1, 1, 1] },
        },
      ],
      outputs: [
        {
          name: "scores",
          datatype: "FP32",
          shape: [-1, 3],
          size: 3,
          activation: "softmax",
          labels: ["setosa", "versicolor", "virginica"],
        },
      ],
    },
    clockHz: 12_000_000,
    maxBatchSize: 16,
    tools: {},
    files: [
      {
        role: "simulation",
        name: "simulation.wasm",
        digest: digestOfJson({ file: seed }),
        sizeBytes: Buffer.byteLength(canonicalJson({ file: seed })),
      },
    ],
  };
  const digest = digestOfJson(manifest);
  const signature = { keyId: "test", digest, signature: "" };
  return { digest, planDigest, manifest, signature, report, sizeBytes: 1 };
}

/** A board server that is alive for as long as any test lasts, with room for simulated boards and one CPU board of `cpuSlots`. */
export async function addBoardServer({
  simulatedCapacity = 8,
  cpuSlots = 0,
} = {}): Promise<string> {
  const id = uuidv7();
  const boards = cpuSlots
    ? {
        create: {
          id: uuidv7(),
          key: "cpu-0",
          name: "CPU",
          boardModel: "cpu",
          kind: "cpu",
          slots: {
            create: Array.from({ length: cpuSlots }, (_, index) => ({ id: uuidv7(), index })),
          },
        },
      }
    : {};
  await database().boardServer.create({
    data: {
      id,
      name: `server-${id.slice(-6)}`,
      publicKey: "",
      address: { kind: "tcp", host: "127.0.0.1", port: 1 },
      simulatedCapacity,
      heartbeatAt: new Date(Date.now() + 3600_000),
      boards,
    },
  });
  return id;
}

export const bare = (id: string): string => id.slice(id.indexOf("_") + 1);

/** A build worker that is up, as it reports itself. */
export const worker = {
  name: "w-1",
  host: "here",
  sandbox: "none",
  mend: null,
  missing: null,
  tools: null,
  slots: 1,
} as const;
