import { axiMagic, axiOffsets } from "@/boards/links/axi";
import { parseIdentity } from "@/boards/links/uart";
import { isAppError } from "@/lib/common/errors";
import { createAxiBus, loadSimulation } from "@/simulator/run";
import { readProduct } from "../tools/products";
import { type ProofTask, proveRows, wrongAt } from "./prove-rows";

/** A simulated design that answers on AXI. */
export type AxiTask = ProofTask;

const identityWords = 12;

/**
 * Asks a design who it is and sends rows through its streams.
 *
 * @returns How many rows it answered right.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export function proveAxi(task: AxiTask): number {
  const wrong = wrongAt(task.level);
  const bus = createAxiBus(loadSimulation(readProduct(task.work, task.simulation)));
  const read = (address: number) => {
    const { value, okay } = bus.read(address);
    if (!okay) throw wrong(`refuses to be read at ${address}`);
    return value;
  };
  try {
    if (read(axiOffsets.magic) !== axiMagic) throw wrong("does not tell its identity");
    const identity = new DataView(new ArrayBuffer(4 * identityWords));
    for (let word = 0; word < identityWords; word++)
      identity.setUint32(4 * word, read(axiOffsets.identity + 4 * word), true);
    const { planDigest } = parseIdentity(new Uint8Array(identity.buffer));
    if (planDigest !== task.planDigest) throw wrong("names another plan");
    return proveRows(task, (row) => {
      bus.sendRow(row);
      const output = bus.receiveRow(task.core.outputBytes);
      return { output, cycles: read(axiOffsets.cycles) };
    });
  } catch (error) {
    if (!isAppError(error) || error.reason !== "LINK_FAILED") throw error;
    throw wrong(`does not answer on its bus: ${error.message}`);
  }
}
