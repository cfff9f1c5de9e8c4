import { readFileSync } from "node:fs";
import { coreModel } from "@/board-server/devices/core-model";
import { loadSimulated } from "@/board-server/devices/simulated";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import { Slot } from "@/board-server/slots/slot";
import type { Manifest } from "@/lib/common/contract";
import type { LoadCommand } from "@/lib/server/board-protocol";

// A board server's tensor side with a simulated board in each slot; the arguments are its socket, the manifest, the
// simulation and how many slots there are.
const [, , socket = "", manifestPath = "", simulationPath = "", boards = "1"] = process.argv;
const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest;
const command = { revisionId: "rev_1", artifactDigest: manifest.planDigest } as LoadCommand;
const bySlot = new Map<string, Slot>();
for (let index = 0; index < Number(boards); index++) {
  const slotId = `slt_${index}`;
  const empty = { revisionId: null, artifactDigest: null, commandId: null, problem: null };
  const slot = new Slot({ slotId, slotEpoch: 1, state: "empty", ...empty }, command);
  const model = coreModel(
    manifest,
    await loadSimulated(
      manifest,
      simulationPath,
      { corruptEvery: null },
      { slotId, slotEpoch: 1, revisionId: "rev_1" },
    ),
  );
  slot.serve(model);
  bySlot.set(slotId, slot);
}
const slots = {
  accept: async () => {},
  reports: () => [],
  taskReports: () => [],
  forgetTasks: () => {},
  callReports: () => [],
  forgetCalls: () => {},
  lineReports: () => [],
  forgetLines: () => {},
  find: (id: string) => bySlot.get(id),
  close: async () => {},
};
await startTensorServer(() => slots, { kind: "unix", path: socket });
process.send?.({ port: 0 });
process.on("disconnect", () => process.exit(0));
