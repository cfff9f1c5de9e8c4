import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { startThread } from "@/lib/server/process";
import { blinkMs } from "../blink";
import type { CoreDevice } from "../device";
import { ownSocketPath } from "../own-socket";
import type { SlotPlace } from "../slot-place";
import type { SimulatedLink, SimulationAnswers, SimulationRequest } from "./messages";

/** How long calls on a design's own socket may go on once it is unloaded. */
const leaveMs = 10_000;

/** Faults that simulated lines have on purpose. */
export interface SimulatedOptions {
  /** Tests only: see `SimulatedLink`. */
  readonly corruptEvery: number | null;
}

/**
 * Loads a compiled design as a real board loads its bitstream, and runs it cycle by cycle in a thread of its own, which answers
 * the calls of its slot itself.
 */
export async function loadSimulated(
  manifest: Manifest,
  path: string,
  options: SimulatedOptions,
  place: SlotPlace | null = null,
): Promise<CoreDevice> {
  const { core } = manifest;
  if (!core) throw fail("ARTIFACT_MISMATCH", "The artifact has no core to simulate.");
  const socket = place && ownSocketPath();
  const direct = place && socket ? { ...place, path: socket } : null;
  const thread = startThread("board-server/devices/simulated/simulation.thread");
  const ask = <Kind extends keyof SimulationAnswers>(
    request: SimulationRequest & { readonly kind: Kind },
  ) => thread.run<SimulationAnswers[Kind]>(request);
  try {
    await ask({ kind: "load", path, manifest, core, link: linkOf(manifest, options), direct });
  } catch (error) {
    await thread.close();
    throw error;
  }
  let onBytes: (bytes: Uint8Array) => void = () => {};
  return {
    simulated: true,
    line: {
      async send(bytes) {
        const said = await ask({ kind: "line", bytes });
        if (said.length > 0) onBytes(said);
      },
      listen(listener) {
        onBytes = listener;
      },
    },
    // Its light is the one of the drawing, which shows it while this takes its time.
    blink: () => delay(blinkMs, undefined, { ref: false }),
    run: (rows, count) => ask({ kind: "run", rows, count }),
    direct: () => direct?.path,
    async close() {
      const leaving = ask({ kind: "leave" }).catch(() => {});
      await Promise.race([leaving, delay(leaveMs, undefined, { ref: false })]);
      await thread.close();
      if (direct) await rm(direct.path, { force: true });
    },
  };
}

function linkOf(
  { simulate, clockHz, baud, planDigest }: Manifest,
  { corruptEvery }: SimulatedOptions,
): SimulatedLink {
  if (simulate !== "shell") return { kind: "core" };
  if (clockHz === undefined || baud === undefined) {
    throw fail("ARTIFACT_MISMATCH", "The artifact does not say how fast its serial line is.");
  }
  // The shell's divider rounds the same way.
  return {
    kind: "shell",
    clocksPerBit: Math.floor((clockHz + baud / 2) / baud),
    planDigest,
    corruptEvery,
  };
}
