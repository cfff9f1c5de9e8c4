import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DeriveStep, getEngine } from "@/engines";
import { fail, isAppError } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { readFolder, readProduct } from "../tools/products";

/** Lets an engine make files of files in the work folder. */
export interface DeriveTask
  extends Pick<DeriveStep, "task" | "given" | "reads" | "folder" | "produces"> {
  readonly engine: string;
  readonly work: string;
}

answerThread(({ engine, work, task, given, reads, folder, produces }: DeriveTask): void => {
  const derive = getEngine(engine).derive?.[task];
  if (!derive) throw new TypeError(`the engine ${engine} has no task ${task}`);
  const bytesOf = (name: string) => (reads.includes(name) ? findProduct(work, name) : null);
  const made = derive({
    given,
    reads,
    text: (name) => bytesOf(name)?.toString("utf8") ?? null,
    bytes: bytesOf,
    folder: folder === undefined ? new Map() : readFolder(work, folder),
  });
  for (const name of produces) {
    const content = made.get(name);
    if (content === undefined) throw fail("OUTPUT_MISSING", `${task} made no ${name}.`);
    // What a tool left under the name is removed, never written to.
    rmSync(join(work, name), { recursive: true, force: true });
    writeFileSync(join(work, name), content, { flag: "wx" });
  }
});

function findProduct(work: string, name: string): Buffer | null {
  try {
    return readProduct(work, name);
  } catch (error) {
    if (isAppError(error) && error.reason === "OUTPUT_MISSING") return null;
    throw error;
  }
}
