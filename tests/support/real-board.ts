import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCpu } from "@/board-server/devices/cpu";
import type { LoadedModel } from "@/board-server/devices/device";
import { startTensorServer } from "@/board-server/serving/tensor-server";
import { Slot } from "@/board-server/slots/slot";
import { widenBfloat16 } from "@/compiler";
import type { RouteEndpoint } from "@/domain/routes";
import type { Manifest } from "@/lib/common/contract";
import type { LoadCommand } from "@/lib/server/board-protocol";
import { digestOf } from "@/lib/server/digest";
import { bundle } from "@/scripts/bundle.mjs";
import type { OnnxFixture } from "./onnx";

/** A model to be served: without a file it is only named, in the state that is given. */
export interface RealModel extends OnnxFixture {
  readonly name: string;
  readonly maxBatchSize: number;
  readonly versions?: readonly number[];
}

export interface RealBoard {
  /** Loads a model into ONNX Runtime, once for each version, and answers the route to it. */
  serve(model: RealModel): Promise<RouteEndpoint>;
  close(): Promise<void>;
}

/** The tensor side of a real board server, with slots that hold real sessions of ONNX Runtime. */
export async function startRealBoard(): Promise<RealBoard> {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  const folder = mkdtempSync(join(tmpdir(), "bw-rb-"));
  const slots = new Map<string, Slot>();
  const models: LoadedModel[] = [];
  const address = { kind: "unix", path: join(folder, "s") } as const;
  const server = await startTensorServer(
    () => ({
      accept: async () => {},
      reports: () => [],
      taskReports: () => [],
      forgetTasks: () => {},
      callReports: () => [],
      forgetCalls: () => {},
      lineReports: () => [],
      forgetLines: () => {},
      find: (id) => slots.get(id),
      close: async () => {},
    }),
    address,
  );

  async function load(model: RealModel, revisionId: string): Promise<string> {
    const slotId = revisionId.replace("rev_", "slt_");
    const path = join(folder, `${slotId}.onnx`);
    const bytes = widenBfloat16(model.bytes, model);
    writeFileSync(path, bytes);
    const digest = digestOf(bytes);
    const place = { slotId, slotEpoch: 1, revisionId };
    const loaded = await loadCpu(manifestOf(model), path, undefined, place);
    models.push(loaded);
    const empty = { revisionId: null, artifactDigest: null, commandId: null, problem: null };
    const command = { revisionId, artifactDigest: digest } as LoadCommand;
    const slot = new Slot({ slotId, slotEpoch: 1, state: "empty", ...empty }, command);
    slot.serve(loaded);
    slots.set(slotId, slot);
    return slotId;
  }

  return {
    async serve(model) {
      const { name, inputs, outputs, maxBatchSize, versions = [1] } = model;
      const revisions = await Promise.all(
        versions.map(async (version) => {
          const id = `rev_${name}_${version}`;
          const slotId = await load(model, id);
          return {
            id,
            version: String(version),
            platform: "onnx_onnxv1",
            inputs,
            outputs,
            maxBatchSize,
            properties: {},
            replicas: [{ slotId, slotEpoch: 1, address }],
          };
        }),
      );
      const newest = revisions.at(-1)?.id ?? "";
      return {
        name,
        state: "ready",
        reason: null,
        split: [{ revisionId: newest, percent: 100 }],
        revisions,
      };
    },
    async close() {
      await server.close();
      for (const model of models) await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the device reads of a manifest. */
function manifestOf({ inputs, outputs }: RealModel): Manifest {
  const sized = (spec: OnnxFixture["inputs"][number]) => ({ ...spec, size: 1 });
  return {
    io: {
      inputs: inputs.map(sized),
      outputs: outputs.map((spec) => ({ ...sized(spec), activation: "none" })),
    },
  } as unknown as Manifest;
}
