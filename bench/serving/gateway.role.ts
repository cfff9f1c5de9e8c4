import { startGateway } from "@/gateway/gateway";
import type { Datatype } from "@/lib/common/tensor";
import { manifestOf, modelName } from "./model";

// The gateway with one model on one board; the arguments are the board's socket, the batch size
// and how many slots serve it.
const [, , socket = "", maxBatchSize = "64", replicas = "1"] = process.argv;
const { io, platform } = manifestOf(Number(maxBatchSize));
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
  name: modelName,
  state: "ready",
  reason: null,
  split: [{ revisionId: "rev_1", percent: 100 }],
  revisions: [revision],
} as const;
const gateway = await startGateway({
  load: async () => ({ endpoints: [endpoint] }),
  listen: () => ({ close: async () => {} }),
  host: "127.0.0.1",
  httpPort: 0,
  metricsPort: 0,
  allowedHosts: [],
  portalUrl: "http://localhost:3000",
});
const { httpPort: port, grpcPort, metricsPort } = gateway;
process.send?.({ port, grpcPort, metricsPort });
process.on("disconnect", () => process.exit(0));
