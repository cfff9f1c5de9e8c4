import { loadCpu } from "@/board-server/devices/cpu";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import { slotFor } from "./loaded-slot";
import { manifestOf, modelOf } from "./model";

// A board server's tensor side, the model in one slot; the arguments are its socket, its
// batch size and the model, if it is not the usual one.
const [, , socket = "", maxBatchSize = "64", served] = process.argv;
const model = modelOf(served);
const manifest = manifestOf(Number(maxBatchSize), model);
const slot = slotFor("slt_1", "rev_1", manifest.planDigest);
const place = { slotId: "slt_0", slotEpoch: 1, revisionId: "rev_1" };
slot.serve(await loadCpu(manifest, model.path, undefined, place));
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
await startTensorServer(() => slots, { kind: "unix", path: socket });
process.send?.({ port: 0 });
process.on("disconnect", () => process.exit(0));
