import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevices } from "@/board-server/devices";
import { getArtifact } from "@/domain/artifacts";
import type { Tensor } from "@/lib/common/tensor";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "../support/domain";
import type { WorkerStack } from "./worker-stack";

/** Answers rows with the artifact of a build, as a board server does: its output tensors. */
export async function answerRows(
  { store }: WorkerStack,
  artifactDigest: string,
  inputs: readonly Tensor[],
  kind: "simulated" | "cpu" = "simulated",
): Promise<readonly Tensor[]> {
  const { manifest } = await getArtifact(scope, artifactDigest);
  const load = createDevices()[kind];
  const folder = mkdtempSync(join(tmpdir(), "bw-answer-"));
  try {
    const model = await load?.({
      command: { manifest, slotId: "slot_1", slotEpoch: 1, revisionId: "rev_1" },
      file: async (role: string) => {
        const digest = manifest.files.find((each) => each.role === role)?.digest ?? "";
        const { stream } = await store.get(buckets.artifacts, hexOf(digest));
        const path = join(folder, hexOf(digest));
        writeFileSync(path, Buffer.concat(await stream.toArray()));
        return path;
      },
    } as unknown as Parameters<typeof load>[0]);
    const { outputs } = (await model?.infer([...inputs])) ?? { outputs: [] };
    await model?.close();
    return outputs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The class that each row scores highest. */
export const winners = (values: readonly number[], classes: number): number[] =>
  Array.from({ length: values.length / classes }, (_, row) => {
    const own = values.slice(row * classes, (row + 1) * classes);
    return own.indexOf(Math.max(...own));
  });
