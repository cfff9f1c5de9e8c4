import { join } from "node:path";
import { loadCpu } from "@/board-server/devices/cpu";
import { serveSlot } from "@/board-server/devices/serve-slot";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import type { Slot } from "@/board-server/slots/slot";
import { slotFor } from "./loaded-slot";
import { manifestOf, modelPath } from "./model";

// A board server's tensor side whose slots all hold the model; the arguments are its folder, and the slot that has the model's
// process to itself. The others, which would have processes of their own too, share another one: as many as that do not fit into a
// machine. Each has a socket of its own, to which the gateway turns after its first call.
const [, , folder = "", first = ""] = process.argv;
const manifest = manifestOf(64);
const shared = await loadCpu(manifest, modelPath);
const slots = new Map<string, Slot>();

/** A slot's revision has its number. */
const revisionOf = (slotId: string) => slotId.replace(/^slt_/, "rev_");

const slotOf = (slotId: string): Slot => slotFor(slotId, revisionOf(slotId), manifest.planDigest);

function find(slotId: string): Slot {
  const known = slots.get(slotId);
  if (known) return known;
  const slot = slotOf(slotId);
  const path = join(folder, `${slots.size}`);
  let isListening = false;
  const place = { slotId, slotEpoch: 1, revisionId: revisionOf(slotId), path };
  void serveSlot(place, (inputs) => shared.infer(inputs)).then(() => {
    isListening = true;
  });
  slot.serve({ ...shared, direct: () => (isListening ? path : undefined) });
  slots.set(slotId, slot);
  return slot;
}

const own = slotOf(first);
const place = { slotId: first, slotEpoch: 1, revisionId: revisionOf(first) };
own.serve(await loadCpu(manifest, modelPath, undefined, place));
slots.set(first, own);
await startTensorServer(
  () => ({
    accept: async () => {},
    reports: () => [],
    taskReports: () => [],
    forgetTasks: () => {},
    callReports: () => [],
    forgetCalls: () => {},
    lineReports: () => [],
    forgetLines: () => {},
    find,
    close: async () => {},
  }),
  { kind: "unix", path: join(folder, "s") },
);
process.send?.({ port: 0 });
process.on("disconnect", () => process.exit(0));
