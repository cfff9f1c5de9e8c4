import type { Build, ModelCard } from "@/lib/common/contract";
import { startWorkerStack } from "@/tests/workers/worker-stack";

/** Builds a sample for the iCEBreaker on stores and a build worker of this process alone. */
export async function buildOnOwnStack(sample: string, card: ModelCard): Promise<Build> {
  process.env["BOARDWALK_STORAGE"] = "folder";
  const stack = await startWorkerStack();
  const worker = stack.startBuilder();
  try {
    const id = await stack.deploy({
      name: `bench-${sample}`,
      engine: "boardwalk",
      model: { url: `s3://boardwalk-samples/${sample}/model.onnx`, card },
      board: { model: "icebreaker", kind: "simulated" },
    });
    return await stack.ended(id);
  } finally {
    await worker.close();
    await stack.stop();
  }
}
