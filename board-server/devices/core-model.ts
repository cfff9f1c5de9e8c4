import type { Manifest } from "@/lib/common/contract";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import { nowNs } from "./clock";
import type { CoreDevice, LoadedModel } from "./device";
import { pickTestRows, requireSameRows, type TestRows } from "./self-test";

/** Puts the numbers at the edge of a core around the device that runs it. */
export function coreModel(manifest: Manifest, device: CoreDevice): LoadedModel {
  const { io, core, clockHz } = manifest;
  if (!core) throw fail("ARTIFACT_MISMATCH", "The artifact has no core to run.");
  let probe: TestRows | null = null;
  const test = async (rows: TestRows): Promise<void> => {
    const { outputs } = await device.run(rows.inputs, rows.count);
    requireSameRows(outputs, rows);
  };
  return {
    parallel: 1,
    async infer(inputs) {
      const start = nowNs();
      const rows = encodeRows(io, core, inputs);
      const answer = await device.run(rows.bytes, rows.count);
      const outputs = decodeRows(io, core, answer.outputs, rows.count);
      return {
        outputs,
        clipped: rows.clipped,
        timing: {
          // The way to the device is the host's time too: what it costs is to be seen.
          hostNs: Math.max(0, nowNs() - start - answer.computeNs),
          computeNs: answer.computeNs,
          cycles: answer.cycles,
          ...(clockHz === undefined ? {} : { clockHz }),
          simulated: device.simulated,
        },
      };
    },
    async selfTest(vectors) {
      // A bare bitstream may come without: then what its board says of itself is all there is.
      if (!vectors) return;
      probe = pickTestRows(vectors);
      await test(probe);
    },
    watch(listener) {
      device.watch?.({
        onLost: listener,
        async onBack() {
          if (probe) await test(probe);
          listener(null);
        },
      });
    },
    ...(device.blink ? { blink: () => device.blink?.() ?? Promise.resolve() } : {}),
    line: device.line,
    direct: () => device.direct?.(),
    close: () => device.close(),
  };
}
