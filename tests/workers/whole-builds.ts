import { afterAll, beforeAll } from "vitest";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { buckets } from "@/lib/server/storage";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

type Builder = ReturnType<WorkerStack["startBuilder"]>;

/** A deploy of files that are put beside each other first, the model before all others. */
export interface WholeBuild extends Omit<NewEndpoint, "model"> {
  /** Folder of the files. */
  readonly key: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** A worker stack with a builder, from before a suite's first test until after its last one. */
export function wholeBuilds() {
  let stack: WorkerStack | undefined;
  let worker: Builder | undefined;
  const running = (): WorkerStack => {
    if (stack) return stack;
    throw new Error("the stack runs while tests do");
  };
  beforeAll(async () => {
    stack = await startWorkerStack();
    worker = stack.startBuilder();
  });
  afterAll(async () => {
    await worker?.close();
    await stack?.stop();
  });
  return {
    get stack() {
      return running();
    },
    /** Another builder in place of the one that runs. */
    async rebuildWith(options: Parameters<WorkerStack["startBuilder"]>[0]): Promise<void> {
      await worker?.close();
      worker = running().startBuilder(options);
    },
    async put(key: string, bytes: Uint8Array): Promise<void> {
      await running().store.put(buckets.samples, key, bytes, { sizeBytes: bytes.length });
    },
    /** The build when it has ended. */
    async build({ key, files, ...request }: WholeBuild): Promise<Build> {
      for (const [name, bytes] of Object.entries(files)) await this.put(`${key}/${name}`, bytes);
      const [model = ""] = Object.keys(files);
      const url = `s3://${buckets.samples}/${key}/${model}`;
      return running().ended(await running().deploy({ ...request, model: { url } }));
    },
  };
}
