import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { nowNs } from "../devices/clock";
import type { CoreDevice, LoadedModel } from "../devices/device";
import { decodeRows, encodeRows } from "./rows";
import { pickTestRows, requireSameRows } from "./self-test";

/** Puts the numbers at the edge of a core around the device that runs it. */
export function coreModel(manifest: Manifest, device: CoreDevice): LoadedModel {
  const { io, core, clockHz } = manifest;
  if (!core) throw fail("ARTIFACT_MISMATCH", "The artifact has no core to run.");
  return {
    parallel: 1,
    async infer(inputs) {
      const start = nowNs();
      const rows = encodeRows(io, core, inputs);
      const encoded = nowNs();
      const answer = await device.run(rows.bytes, rows.count);
      const answered = nowNs();
      const outputs = decodeRows(io, core, answer.outputs, rows.count);
      return {
        outputs,
        timing: {
          hostNs: encoded - start + nowNs() - answered,
          computeNs: answer.computeNs,
          cycles: answer.cycles,
          ...(clockHz === undefined ? {} : { clockHz }),
          simulated: device.simulated,
        },
      };
    },
    async selfTest(vectors) {
      if (!vectors) throw fail("ARTIFACT_MISMATCH", "The artifact has no vector file.");
      const rows = pickTestRows(vectors);
      const { outputs } = await device.run(rows.inputs, rows.count);
      requireSameRows(outputs, rows);
    },
    close: () => device.close(),
  };
}
