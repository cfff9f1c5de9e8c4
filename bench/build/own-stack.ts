import type { Build, NewEndpoint } from "@/lib/common/contract";
import { startWorkerStack } from "@/tests/workers/worker-stack";

/** Where a bench has models built. */
export interface Builder {
  build(request: NewEndpoint): Promise<Build>;
  stop(): Promise<void>;
}

/** Stores and a build worker of this process alone, whose tools begin with nothing made before. */
export async function startOwnBuilder(): Promise<Builder> {
  process.env["BOARDWALK_STORAGE"] = "folder";
  const stack = await startWorkerStack({ steps: "own", proofS: 5 });
  const worker = stack.startBuilder();
  return {
    build: async (request) => await stack.ended(await stack.deploy(request)),
    async stop() {
      await worker.close();
      await stack.stop();
    },
  };
}
