import type { AccessOptions } from "@/gateway/core";
import { startGateway } from "@/gateway/gateway";
import type { Scope } from "@/lib/common/contract";
import type { Datatype } from "@/lib/common/tensor";
import { manifestOf, modelOf } from "./model";

// The gateway with one model on one board; the arguments are the board's socket, the batch size, how many
// slots serve it, the model, if it is not the usual one, and the one token that it takes, if it is closed to all others.
const [, , socket = "", maxBatchSize = "64", replicas = "1", served, token] = process.argv;
const neverMet = 10_000_000;
const project = "a project" as Scope;
const model = modelOf(served || undefined);
const { io, platform } = manifestOf(Number(maxBatchSize), model);
const spec = ({ name, datatype, shape }: { name: string; datatype: string; shape: number[] }) => ({
  name,
  datatype: datatype as Datatype,
  shape,
});
const revision = {
  id: "rev_1",
  version: "1",
  platform,
  inputs: io.inputs.map(spec),
  outputs: io.outputs.map(spec),
  maxBatchSize: Number(maxBatchSize),
  properties: { engine: "onnx", board: "cpu" },
  replicas: Array.from({ length: Number(replicas) }, (_, index) => ({
    slotId: `slt_${index}`,
    slotEpoch: 1,
    address: { kind: "unix" as const, path: socket },
  })),
} as const;
const endpoint = {
  name: model.name,
  state: "ready",
  reason: null,
  split: [{ revisionId: "rev_1", percent: 100 }],
  revisions: [revision],
  // Limits that are counted, and never met.
  ...(token === undefined
    ? {}
    : ({
        access: "project",
        project,
        requestsPerSecond: neverMet,
        requestsPerSecondEach: neverMet,
      } as const)),
} as const;
const gateway = await startGateway({
  load: async () => ({ endpoints: [endpoint] }),
  listen: () => ({ close: async () => {} }),
  host: "127.0.0.1",
  httpPort: 0,
  metricsPort: 0,
  allowedHosts: [],
  portalUrl: "http://localhost:3000",
  ...(token === undefined ? {} : { access: { tokens: readerOf(token) } }),
});
const { httpPort: port, grpcPort, metricsPort } = gateway;
process.send?.({ port, grpcPort, metricsPort });
process.on("disconnect", () => process.exit(0));

/** Where the one token is found; nothing is ever revoked. */
function readerOf(good: string): NonNullable<AccessOptions["tokens"]> {
  return {
    find: async (text) =>
      text === good
        ? {
            id: "a token",
            kind: "api",
            project,
            userId: null,
            scopes: ["infer"],
            endpointIds: null,
            livesMs: 3_600_000,
            requestsPerSecond: neverMet,
          }
        : null,
    listRevoked: async () => [],
    listEnded: async () => [],
    listen: () => ({ close: async () => {} }),
    note: async () => {},
  };
}
