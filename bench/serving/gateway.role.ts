import { startGateway } from "@/gateway/gateway";
import type { Datatype } from "@/lib/common/tensor";
import { manifestOf, modelOf } from "./model";

// The gateway with one model on one board; the arguments are the board's socket, the batch size, how many
// slots serve it and the model, if it is not the usual one.
const [, , socket = "", maxBatchSize = "64", replicas = "1", served] = process.argv;
const model = modelOf(served);
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
